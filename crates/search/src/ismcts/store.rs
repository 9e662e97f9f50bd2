//! Where the nodes of a search are kept: flat arrays, found by key.
//!
//! A node is an information set of the player who decides there, named by a 64-bit hash of what that player
//! did and saw since the root. Its moves lie together in one array. Nothing is allocated per node; ids have 32
//! bits. When the store has used up its memory it answers `None` and the search goes on without growing.

/// A node by its place in the store.
pub(crate) type NodeId = u32;

/// No node.
pub(crate) const NONE: NodeId = u32::MAX;

/// A decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    key: u64,
    first: u32,
    len: u16,
    room: u16,
    /// How often the search decided here.
    pub(crate) visits: u32,
    /// How many moves have been tried; where moves come in no order these are the first.
    pub(crate) tried: u32,
    /// The same player's decision before this one.
    pub(crate) parent: NodeId,
}

/// A move. The mean reward is that of the player who decides, scaled to [0, 1].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<A> {
    pub(crate) action: A,
    pub(crate) visits: u32,
    /// How often it was legal when the search decided here; kept only where that differs from world to world.
    pub(crate) available: u32,
    /// The mean reward, or for EXP3 the sum of rewards over their probabilities.
    pub(crate) value: f32,
    /// `1 / sqrt(visits)`, which every selection needs.
    pub(crate) width: f32,
}

impl<A> Edge<A> {
    pub(crate) fn new(action: A) -> Edge<A> {
        Edge { action, visits: 0, available: 0, value: 0.0, width: 0.0 }
    }

    /// Adds a reward to the mean.
    #[inline]
    pub(crate) fn credit(&mut self, reward: f32) {
        self.visits += 1;
        let n = self.visits as f32;
        self.value += (reward - self.value) / n;
        self.width = 1.0 / n.sqrt();
    }
}

/// The nodes and moves of a search.
#[derive(Clone, Debug)]
pub(crate) struct Store<A> {
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    /// Open addressing over node ids, a power of two in length, at most half full.
    slots: Vec<NodeId>,
    /// Blocks of moves given up when a node outgrew them, by the binary logarithm of their room.
    free: [Vec<u32>; 16],
    most_bytes: usize,
}

impl<A: Copy + Ord> Store<A> {
    pub(crate) fn new(most_bytes: usize) -> Store<A> {
        Store {
            nodes: Vec::new(),
            edges: Vec::new(),
            slots: vec![NONE; 1024],
            free: Default::default(),
            most_bytes,
        }
    }

    /// Forgets everything, keeping the room.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.slots.fill(NONE);
        self.free.iter_mut().for_each(Vec::clear);
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

    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let id = self.slots[at];
            if id == NONE || self.nodes[id as usize].key == key {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The node with this key, if there is one.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<NodeId> {
        let id = self.slots[self.slot(key)];
        (id != NONE).then_some(id)
    }

    /// Makes a node whose key is new, with these moves. `None` if the memory is used up.
    pub(crate) fn insert(&mut self, key: u64, parent: NodeId, actions: &[A]) -> Option<NodeId> {
        if self.is_full() || actions.len() > usize::from(u16::MAX) {
            return None;
        }
        if 2 * (self.nodes.len() + 1) > self.slots.len() {
            self.grow_slots();
        }
        let id = self.nodes.len() as NodeId;
        let slot = self.slot(key);
        self.slots[slot] = id;
        let first = self.edges.len() as u32;
        self.edges.extend(actions.iter().map(|&a| Edge::new(a)));
        let len = actions.len() as u16;
        self.nodes.push(Node { key, first, len, room: len, visits: 0, tried: 0, parent });
        Some(id)
    }

    fn grow_slots(&mut self) {
        self.slots = vec![NONE; 2 * self.slots.len()];
        for id in 0..self.nodes.len() {
            let slot = self.slot(self.nodes[id].key);
            self.slots[slot] = id as NodeId;
        }
    }

    /// Adds moves to a node whose moves are in order; the new ones are in order and not yet there.
    #[cold]
    pub(crate) fn add_moves(&mut self, id: NodeId, fresh: &[A]) {
        let node = self.nodes[id as usize];
        let len = node.len as usize + fresh.len();
        if len > usize::from(u16::MAX) {
            return;
        }
        let mut first = node.first as usize;
        if len > node.room as usize {
            let room = len.next_power_of_two();
            let class = room.ilog2() as usize;
            let place = self.free.get_mut(class).and_then(Vec::pop);
            let to = place.map_or(self.edges.len(), |p| p as usize);
            if place.is_none() {
                self.edges.resize(to + room, Edge::new(fresh[0]));
            }
            self.edges.copy_within(first..first + node.len as usize, to);
            if node.room.is_power_of_two() {
                self.free[node.room.ilog2() as usize].push(node.first);
            }
            first = to;
            let node = &mut self.nodes[id as usize];
            node.first = to as u32;
            node.room = room.min(usize::from(u16::MAX)) as u16;
        }
        for (i, &action) in fresh.iter().enumerate() {
            self.edges[first + node.len as usize + i] = Edge::new(action);
        }
        self.edges[first..first + len].sort_unstable_by_key(|e| e.action);
        self.nodes[id as usize].len = len as u16;
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
        self.free.iter_mut().for_each(Vec::clear);
        let mut moved = vec![NONE; old_nodes.len()];
        for (old, node) in old_nodes.iter().enumerate() {
            let parent = if node.parent == NONE { NONE } else { moved[node.parent as usize] };
            if old as NodeId != root && parent == NONE {
                continue;
            }
            let id = self.nodes.len() as NodeId;
            moved[old] = id;
            let first = self.edges.len() as u32;
            self.edges.extend_from_slice(&old_edges[node.first as usize..][..node.len as usize]);
            self.nodes.push(Node { first, room: node.len, parent, ..*node });
            let slot = self.slot(node.key);
            self.slots[slot] = id;
        }
        let visits = self.nodes.first().map_or(0, |n| n.visits);
        (self.nodes.len(), visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_by_key_after_growth() {
        let mut store: Store<u8> = Store::new(usize::MAX);
        for key in 0..10_000u64 {
            let id = store.insert(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), NONE, &[1, 2]).unwrap();
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
        let a = store.insert(1, NONE, &[2, 6]).unwrap();
        let b = store.insert(2, NONE, &[9]).unwrap();
        store.edges_mut(a)[1].credit(1.0);
        store.add_moves(a, &[4]);
        store.add_moves(a, &[1, 8, 9]);
        let got: Vec<(u8, u32)> = store.edges(a).iter().map(|e| (e.action, e.visits)).collect();
        assert_eq!(got, [(1, 0), (2, 0), (4, 0), (6, 1), (8, 0), (9, 0)]);
        assert_eq!(store.edges(b)[0].action, 9);
    }

    #[test]
    fn a_full_store_refuses_to_grow() {
        let mut store: Store<u8> = Store::new(100_000);
        let made = (0..100_000).take_while(|&key| store.insert(key, NONE, &[0; 8]).is_some()).count();
        assert!((100..1000).contains(&made), "{made}");
        assert!(store.bytes() <= 100_000);
    }

    #[test]
    fn what_is_below_a_node_is_kept() {
        let mut store: Store<u8> = Store::new(usize::MAX);
        let root = store.insert(1, NONE, &[0, 1]).unwrap();
        let left = store.insert(2, root, &[0]).unwrap();
        store.insert(3, root, &[0]).unwrap();
        store.insert(4, left, &[0, 1, 2]).unwrap();
        store.node_mut(left).visits = 7;
        assert_eq!(store.keep_below(2), (2, 7));
        assert_eq!((store.find(1), store.find(3)), (None, None));
        let kept = store.find(4).unwrap();
        assert_eq!((store.edges(kept).len(), store.node(kept).parent), (3, store.find(2).unwrap()));
        assert_eq!(store.keep_below(99), (0, 0));
    }
}
