//! Where the nodes of a search are kept: flat arrays, found by key.
//!
//! A node is an information set of the player who decides there, named by a 64-bit hash of what that player
//! did and saw since the root. Its moves lie together in one array, in order, and only those that were tried
//! (or that have to be counted as available) are there: a move of the textbook's tree costs one [`Edge`] and at
//! most one [`Node`]. Nothing is allocated per node; ids have 32 bits. When the store has used up its memory
//! it answers `None` and the search goes on without growing.

use fogtree_core::Move;

/// A node by its place in the store.
pub(crate) type NodeId = u32;

/// No node.
pub(crate) const NONE: NodeId = u32::MAX;

/// Blocks have room for 1, 2, 4, ... moves, up to what 16 bits can count.
const CLASSES: usize = 16;
const MOST_MOVES: usize = 1 << (CLASSES - 1);

/// What the moves of a node stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Every visit has tried a new move; there was one each time. A move may remember the world it was first
    /// tried in, see [`Edge::tried_among`].
    Trying,
    /// Moves have their statistics and are chosen by them.
    Ranked,
}

/// A decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    key: u64,
    first: u32,
    /// How often the search decided here.
    pub(crate) visits: u32,
    /// The same player's decision before this one.
    pub(crate) parent: NodeId,
    len: u16,
    pub(crate) form: Form,
}

/// A move. The mean reward is that of the player who decides, scaled to [0, 1].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<A = Move> {
    pub(crate) action: A,
    pub(crate) visits: u32,
    /// How often it was legal when the search decided here; kept only where that differs from world to world.
    pub(crate) available: u32,
    /// The mean reward, or for EXP3 the sum of rewards over their probabilities.
    pub(crate) value: f32,
    /// `1 / sqrt(visits)`, which every selection needs, as bits.
    width: u32,
}

impl<A> Edge<A> {
    pub(crate) fn new(action: A) -> Edge<A> {
        Edge { action, visits: 0, available: 0, value: 0.0, width: 1f32.to_bits() }
    }

    /// A move with the mean of another, as if that had been found in fewer visits, at most this many.
    pub(crate) fn known(other: &Edge<A>, most: u32) -> Edge<A>
    where
        A: Copy,
    {
        let visits = other.visits.min(most);
        let width = (1.0 / (visits.max(1) as f32).sqrt()).to_bits();
        Edge { visits, width, ..*other }
    }

    /// A move tried in a world in which the moves with these numbers were legal. Availability and width do not
    /// matter before the node is ranked; until then their place holds the mask.
    pub(crate) fn tried_among(action: A, legal: u64) -> Edge<A> {
        Edge { available: legal as u32, width: (legal >> 32) as u32, ..Edge::new(action) }
    }

    /// The mask given to [`Edge::tried_among`].
    pub(crate) fn world(&self) -> u64 {
        u64::from(self.available) | u64::from(self.width) << 32
    }

    /// Forgets the world, in which this move was tried once; from now on it has so often been available.
    pub(crate) fn rank(&mut self, available: u32) {
        (self.available, self.width) = (available, 1f32.to_bits());
    }

    /// `1 / sqrt(visits)`; 1 if there are none.
    #[inline]
    pub(crate) fn width(&self) -> f32 {
        f32::from_bits(self.width)
    }

    /// Adds a reward to the mean. The first one leaves the width alone, which is 1.
    #[inline]
    pub(crate) fn credit(&mut self, reward: f32) {
        self.visits += 1;
        if self.visits == 1 {
            self.value = reward;
            return;
        }
        let n = self.visits as f32;
        self.value += (reward - self.value) / n;
        self.width = (1.0 / n.sqrt()).to_bits();
    }

    /// Adds a reward to what the move is worth: to the mean, or for EXP3, which chose it with a probability, to the sum.
    #[inline]
    pub(crate) fn credit_choice(&mut self, reward: f32, probability: f32) {
        if probability > 0.0 {
            self.visits += 1;
            self.value += reward / probability;
        } else {
            self.credit(reward);
        }
    }

    /// Moves the value towards a reward by the share that a mean would, at least by this.
    #[inline]
    pub(crate) fn credit_at_least(&mut self, reward: f32, least: f32) {
        self.visits += 1;
        let n = self.visits as f32;
        self.value += (reward - self.value) * (1.0 / n).max(least);
        self.width = (1.0 / n.sqrt()).to_bits();
    }
}

/// The first place from `from` on that holds this action, or where it would be. Edges are in order.
#[inline(always)]
pub(crate) fn seek<A: Ord>(edges: &[Edge<A>], from: usize, action: &A) -> usize {
    const NEAR: usize = 4;
    let near = edges.len().min(from + NEAR);
    let mut at = from;
    while at < near {
        if edges[at].action >= *action {
            return at;
        }
        at += 1;
    }
    near + seek_far(&edges[near..], action)
}

#[inline(never)]
fn seek_far<A: Ord>(edges: &[Edge<A>], action: &A) -> usize {
    edges.partition_point(|e| e.action < *action)
}

/// The nodes and moves of a search.
#[derive(Clone, Debug)]
pub(crate) struct Store<A = Move> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    /// Open addressing over node ids, a power of two in length, at most half full.
    slots: Vec<NodeId>,
    /// The first of the blocks given up when a node outgrew them, by class; each block's first move holds the
    /// place of the next.
    free: [u32; CLASSES],
    most_bytes: usize,
}

/// The class of the block that holds so many moves.
#[inline]
fn class_of(moves: usize) -> usize {
    moves.next_power_of_two().ilog2() as usize
}

impl<A: Copy + Ord> Store<A> {
    pub(crate) fn new(most_bytes: usize) -> Store<A> {
        Store {
            nodes: Vec::new(),
            edges: Vec::new(),
            slots: vec![NONE; 1024],
            free: [NONE; CLASSES],
            most_bytes,
        }
    }

    /// Forgets everything, keeping the room.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.slots.fill(NONE);
        self.free = [NONE; CLASSES];
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.edges.len() * size_of::<Edge<A>>()
            + self.slots.len() * size_of::<NodeId>()
    }

    fn is_full(&self) -> bool {
        // Growing a vector may take twice its length for a while.
        2 * self.bytes() > self.most_bytes
    }

    /// By what a node is found.
    #[inline]
    pub(crate) fn key(&self, id: NodeId) -> u64 {
        self.nodes[id as usize].key
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn edges(&self, id: NodeId) -> &[Edge<A>] {
        let node = &self.nodes[id as usize];
        &self.edges[node.first as usize..][..node.len as usize]
    }

    #[inline]
    pub(crate) fn edges_mut(&mut self, id: NodeId) -> &mut [Edge<A>] {
        let node = &self.nodes[id as usize];
        &mut self.edges[node.first as usize..][..node.len as usize]
    }

    /// A node with its moves.
    #[inline]
    pub(crate) fn node_and_edges(&mut self, id: NodeId) -> (&mut Node, &[Edge<A>]) {
        let node = &mut self.nodes[id as usize];
        let edges = &self.edges[node.first as usize..][..node.len as usize];
        (node, edges)
    }

    /// The same, to change them.
    #[inline]
    pub(crate) fn node_and_edges_mut(&mut self, id: NodeId) -> (&mut Node, &mut [Edge<A>]) {
        let node = &mut self.nodes[id as usize];
        let edges = &mut self.edges[node.first as usize..][..node.len as usize];
        (node, edges)
    }

    /// Reads of a node's moves what is needed for them to be on the way from memory.
    #[inline]
    pub(crate) fn touch(&self, id: NodeId) -> u32 {
        self.edges.get(self.nodes[id as usize].first as usize).map_or(0, |edge| edge.visits)
    }

    /// The place of a node's move among the moves of all nodes. It holds until the node gets another move.
    #[inline]
    pub(crate) fn place_of(&self, id: NodeId, place: u32) -> u32 {
        self.nodes[id as usize].first + place
    }

    /// The move at a place of a node, if both are there.
    #[inline]
    pub(crate) fn edge_of(&mut self, id: NodeId, place: u32) -> Option<&mut Edge<A>> {
        let node = self.nodes.get(id as usize)?;
        if place < node.len.into() { self.edges.get_mut((node.first + place) as usize) } else { None }
    }

    /// The move at such a place.
    #[inline]
    pub(crate) fn edge_mut(&mut self, place: u32) -> &mut Edge<A> {
        &mut self.edges[place as usize]
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        self.look_up(key).0
    }

    /// The slot of a key, and what is there.
    #[inline]
    fn look_up(&self, key: u64) -> (usize, NodeId) {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let id = self.slots[at];
            if id == NONE || self.nodes[id as usize].key == key {
                return (at, id);
            }
            at = (at + 1) & mask;
        }
    }

    /// The node with this key, if there is one.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<NodeId> {
        let id = self.look_up(key).1;
        (id != NONE).then_some(id)
    }

    /// Makes a node whose key is new, without moves. `None` if the memory is used up.
    pub(crate) fn insert(&mut self, key: u64, parent: NodeId) -> Option<NodeId> {
        if self.is_full() {
            return None;
        }
        if 2 * (self.nodes.len() + 1) > self.slots.len() {
            self.grow_slots();
        }
        let id = self.nodes.len() as NodeId;
        let slot = self.slot(key);
        self.slots[slot] = id;
        self.nodes.push(Node { key, first: 0, visits: 0, parent, len: 0, form: Form::Trying });
        Some(id)
    }

    fn grow_slots(&mut self) {
        self.slots = vec![NONE; 2 * self.slots.len()];
        for id in 0..self.nodes.len() {
            let slot = self.slot(self.nodes[id].key);
            self.slots[slot] = id as NodeId;
        }
    }

    /// A block for so many moves.
    fn block(&mut self, class: usize, filler: A) -> usize {
        match self.free[class] {
            NONE => {
                let at = self.edges.len();
                self.edges.resize(at + (1 << class), Edge::new(filler));
                at
            }
            at => {
                self.free[class] = self.edges[at as usize].visits;
                at as usize
            }
        }
    }

    /// Gives a node room for so many moves, keeping those it has.
    fn reserve(&mut self, id: NodeId, moves: usize, filler: A) {
        let (len, first) = (self.nodes[id as usize].len as usize, self.nodes[id as usize].first as usize);
        if len > 0 && class_of(moves) == class_of(len) {
            return;
        }
        let to = self.block(class_of(moves), filler);
        self.edges.copy_within(first..first + len, to);
        self.nodes[id as usize].first = to as u32;
        if len > 0 {
            let class = class_of(len);
            self.edges[first].visits = self.free[class];
            self.free[class] = first as u32;
        }
    }

    /// Adds a move that is not there yet; returns its place. `None` if the memory is used up.
    pub(crate) fn add_move(&mut self, id: NodeId, edge: Edge<A>) -> Option<u32> {
        let len = self.append_move(id, edge)? as usize;
        let moves = self.edges_mut(id);
        let place = moves[..len].partition_point(|e| e.action < edge.action);
        moves.copy_within(place..len, place + 1);
        moves[place] = edge;
        Some(place as u32)
    }

    /// Adds a move that is not there yet after all others, for those who do not care for their order; returns its place.
    /// `None` if the memory is used up.
    pub(crate) fn append_move(&mut self, id: NodeId, edge: Edge<A>) -> Option<u32> {
        let len = self.nodes[id as usize].len as usize;
        // The first move of a node was paid for with the node.
        if len >= MOST_MOVES || len.is_power_of_two() && self.is_full() {
            return None;
        }
        self.reserve(id, len + 1, edge.action);
        let node = &mut self.nodes[id as usize];
        node.len += 1;
        self.edges[node.first as usize + len] = edge;
        Some(len as u32)
    }

    /// Adds moves that are not there yet and were available so often after all others, for those who do not care for
    /// their order. They are left out if there are too many.
    pub(crate) fn append(&mut self, id: NodeId, fresh: &[A], available: u32) {
        let old = self.nodes[id as usize].len as usize;
        let len = old + fresh.len();
        if len > MOST_MOVES || fresh.is_empty() {
            return;
        }
        self.reserve(id, len, fresh[0]);
        self.nodes[id as usize].len = len as u16;
        for (edge, &action) in self.edges_mut(id)[old..].iter_mut().zip(fresh) {
            *edge = Edge { available, ..Edge::new(action) };
        }
    }

    /// Adds moves that are in order and not there yet. They are left out if there are too many.
    #[cold]
    pub(crate) fn add_moves(&mut self, id: NodeId, fresh: &[A]) {
        self.add_available(id, fresh, 0);
    }

    /// The same for moves that were available so often.
    pub(crate) fn add_available(&mut self, id: NodeId, fresh: &[A], available: u32) {
        let old = self.nodes[id as usize].len as usize;
        let len = old + fresh.len();
        if len > MOST_MOVES || fresh.is_empty() {
            return;
        }
        self.reserve(id, len, fresh[0]);
        self.nodes[id as usize].len = len as u16;
        let moves = self.edges_mut(id);
        // Beginning with the last, what is there already makes way.
        let (mut from, mut to) = (old, len);
        for &action in fresh.iter().rev() {
            while from > 0 && moves[from - 1].action > action {
                (from, to) = (from - 1, to - 1);
                moves[to] = moves[from];
            }
            to -= 1;
            moves[to] = Edge { available, ..Edge::new(action) };
        }
    }

    /// Makes room for moves that are legal in this world, in order, and were not in those before.
    #[inline]
    pub(crate) fn admit(&mut self, id: NodeId, legal: &[A], fresh: &mut Vec<A>) {
        let edges = self.edges(id);
        let mut at = edges.iter().peekable();
        let mut missing = false;
        for action in legal {
            while at.next_if(|e| e.action < *action).is_some() {}
            if at.next_if(|e| e.action == *action).is_none() {
                missing = true;
                break;
            }
        }
        if missing {
            fresh.clear();
            fresh.extend(legal.iter().filter(|a| edges.binary_search_by(|e| e.action.cmp(a)).is_err()));
            self.add_moves(id, fresh);
        }
    }

    /// How many moves have been tried, and how often all together.
    pub(crate) fn tally(&self) -> (u64, u64) {
        let moves = (0..self.nodes.len() as NodeId).flat_map(|id| self.edges(id));
        moves.filter(|e| e.visits > 0).fold((0, 0), |(n, sum), e| (n + 1, sum + u64::from(e.visits)))
    }

    /// Keeps the node with this key and those below it, as far as parents tell; forgets the rest. Returns
    /// how many nodes and visits were kept.
    pub(crate) fn keep_below(&mut self, key: u64) -> (usize, u32) {
        let Some(root) = self.find(key) else {
            self.clear();
            return (0, 0);
        };
        let old_nodes = std::mem::take(&mut self.nodes);
        let old_edges = std::mem::take(&mut self.edges);
        self.slots.fill(NONE);
        self.free = [NONE; CLASSES];
        let mut moved = vec![NONE; old_nodes.len()];
        for (old, node) in old_nodes.iter().enumerate() {
            let parent = if node.parent == NONE { NONE } else { moved[node.parent as usize] };
            if old as NodeId != root && parent == NONE {
                continue;
            }
            let id = self.nodes.len() as NodeId;
            moved[old] = id;
            let mut first = 0;
            if let edges @ [some, ..] = &old_edges[node.first as usize..][..node.len as usize] {
                first = self.block(class_of(edges.len()), some.action);
                self.edges[first..][..edges.len()].copy_from_slice(edges);
            }
            self.nodes.push(Node { first: first as u32, parent, ..*node });
            let slot = self.slot(node.key);
            self.slots[slot] = id;
        }
        let visits = self.nodes.first().map_or(0, |n| n.visits);
        (self.nodes.len(), visits)
    }
}

/// How large a tree is, whatever its moves are.
pub(crate) trait Size {
    /// The nodes.
    fn nodes(&self) -> u64;
    /// How many moves have been tried: the nodes of the textbook's tree, but for its root.
    fn tried(&self) -> u64;
    /// The bytes in use.
    fn bytes(&self) -> u64;
}

impl<A: Copy + Ord> Size for Store<A> {
    fn nodes(&self) -> u64 {
        self.len() as u64
    }

    fn tried(&self) -> u64 {
        self.tally().0
    }

    fn bytes(&self) -> u64 {
        Store::bytes(self) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_with_its_move_is_small() {
        assert_eq!((size_of::<Node>(), size_of::<Edge<u8>>(), size_of::<Edge<u32>>()), (24, 20, 20));
    }

    #[test]
    fn nodes_are_found_by_key_after_growth() {
        let mut store: Store<u8> = Store::new(usize::MAX);
        for key in 0..10_000u64 {
            let id = store.insert(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), NONE).unwrap();
            assert_eq!(u64::from(id), key);
        }
        for key in 0..10_000u64 {
            assert_eq!(store.find(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)), Some(key as u32));
        }
        assert_eq!(store.find(12345), None);
    }

    #[test]
    fn moves_are_added_in_order_and_keep_their_statistics() {
        let mut store: Store<u8> = Store::new(usize::MAX);
        let a = store.insert(1, NONE).unwrap();
        let b = store.insert(2, NONE).unwrap();
        assert_eq!(store.add_move(a, Edge::new(6)), Some(0));
        assert_eq!(store.add_move(b, Edge::new(9)), Some(0));
        assert_eq!(store.add_move(a, Edge::new(2)), Some(0));
        store.edges_mut(a)[1].credit(1.0);
        store.add_moves(a, &[4]);
        store.add_moves(a, &[1, 8, 9]);
        assert_eq!(store.add_move(a, Edge::new(7)), Some(4));
        let got: Vec<(u8, u32)> = store.edges(a).iter().map(|e| (e.action, e.visits)).collect();
        assert_eq!(got, [(1, 0), (2, 0), (4, 0), (6, 1), (7, 0), (8, 0), (9, 0)]);
        assert_eq!(store.edges(b)[0].action, 9);
    }

    #[test]
    fn moves_come_in_with_what_they_were_available() {
        let mut store: Store<u8> = Store::new(usize::MAX);
        let [ordered, not] = [1, 2].map(|key| store.insert(key, NONE).unwrap());
        store.add_available(ordered, &[5, 7], 2);
        store.add_available(ordered, &[1, 6, 9], 1);
        store.append(not, &[5, 7], 2);
        store.append(not, &[1, 6, 9], 1);
        assert_eq!(store.append_move(not, Edge::new(3)), Some(5));
        let got = |id| store.edges(id).iter().map(|e| (e.action, e.available)).collect::<Vec<_>>();
        assert_eq!(got(ordered), [(1, 1), (5, 2), (6, 1), (7, 2), (9, 1)]);
        assert_eq!(got(not), [(5, 2), (7, 2), (1, 1), (6, 1), (9, 1), (3, 0)]);
    }

    #[test]
    fn blocks_that_were_outgrown_are_used_again() {
        let mut store: Store<u32> = Store::new(usize::MAX);
        for node in 0..64 {
            let id = store.insert(node, NONE).unwrap();
            for action in 0..16 {
                store.add_move(id, Edge::new(action)).unwrap();
            }
        }
        assert!(store.edges.len() <= 64 * 16 + 15, "{}", store.edges.len());
        for id in 0..64 {
            assert!(store.edges(id).iter().map(|e| e.action).eq(0..16));
        }
    }

    #[test]
    fn a_move_remembers_the_world_it_was_tried_in() {
        for legal in [1, u64::MAX, 0x7fc0_0001_dead_beef, 1 << 63] {
            let mut edge = Edge::tried_among(3u8, legal);
            edge.credit(0.5);
            assert_eq!((edge.world(), edge.value, edge.visits), (legal, 0.5, 1));
        }
    }

    #[test]
    fn a_full_store_refuses_to_grow() {
        let mut store: Store<u8> = Store::new(100_000);
        let made = (0..100_000).take_while(|&key| store.insert(key, NONE).is_some()).count();
        assert!((1000..2000).contains(&made), "{made}");
        assert_eq!((store.add_move(0, Edge::new(1)), store.add_move(0, Edge::new(2))), (Some(0), None));
        assert!(store.bytes() <= 100_000);
    }

    #[test]
    fn what_is_below_a_node_is_kept() {
        let mut store: Store<u8> = Store::new(usize::MAX);
        let mut node = |key, parent, moves: &[u8]| {
            let id = store.insert(key, parent).unwrap();
            store.add_moves(id, moves);
            id
        };
        let root = node(1, NONE, &[0, 1]);
        let left = node(2, root, &[0]);
        node(3, root, &[0]);
        node(4, left, &[0, 1, 2]);
        node(5, left, &[]);
        store.node_mut(left).visits = 7;
        assert_eq!(store.keep_below(2), (3, 7));
        assert_eq!((store.find(1), store.find(3)), (None, None));
        let kept = store.find(4).unwrap();
        assert_eq!((store.edges(kept).len(), store.node(kept).parent), (3, store.find(2).unwrap()));
        assert_eq!(store.keep_below(99), (0, 0));
    }
}
