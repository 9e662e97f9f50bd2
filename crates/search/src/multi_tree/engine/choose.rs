//! How a player chooses in its tree.

use arrayvec::ArrayVec;
use fogtree_core::{MAX_PLAYERS, Move, Player, Turn, World};

use super::super::arm::{Arm, Moments, Selection, in_proportion};
use super::{Chosen, Engine, Part};
use crate::ismcts::Simultaneous;
use crate::kit::selection::{Best, greatest};
use crate::kit::store::{Edge, Form, NONE, NodeId};

impl Engine {
    /// The searcher is about to choose among so many moves. From its second choice on nothing is of use to its
    /// next decision, which will have a tree of its own. With another secret it may have a choice where it
    /// truly has none, so that outside counts go on until the third.
    #[inline]
    fn about_to_choose(&mut self, who: Player, moves: usize) {
        if who == self.me && moves > 1 {
            self.counting.own &= self.counting.choices < 1;
            self.counting.outside &= self.counting.choices < 2;
            self.counting.choices += 1;
        }
    }

    /// Chooses for all who are to move; answers whether the tree goes on below.
    ///
    /// Where several choose at the same time by the bound, they are asked one after the other, the searcher first
    /// (`icarus/AMB-24`), and once one of them tries something new the rest choose at random. If all tried new moves
    /// at once, players who are rewarded alike would have equal statistics from then on and choose alike in every
    /// iteration; mixed votes, say, would hardly ever be counted, and nothing could be inferred from them.
    pub(super) fn decide_all(
        &mut self,
        world: &dyn World,
        turn: Turn,
        joint: &mut ArrayVec<(Player, Move), MAX_PLAYERS>,
    ) -> bool {
        joint.clear();
        let players = turn.players();
        let together = matches!(turn, Turn::Simultaneous(_));
        self.find_all(players);
        if !together || self.settings.simultaneous == Simultaneous::Exp3 {
            return players.iter().enumerate().fold(true, |on, (i, p)| {
                let (action, more) = self.decide(world, p, self.found[i], together);
                joint.push((p, action));
                on & more
            });
        }
        let me = self.me;
        let own = players.iter().position(|p| p == me);
        let own = own.map(|i| self.decide(world, me, self.found[i], true));
        let mut on = own.is_none_or(|(_, more)| more);
        for (i, p) in players.iter().enumerate() {
            let (action, more) = match own {
                Some(decided) if p == me => decided,
                _ if on || self.counting.part == Part::AgainstHabits => {
                    self.decide(world, p, self.found[i], true)
                }
                _ => {
                    let rng = &mut self.streams.playout;
                    (world.random_move(p, rng), false)
                }
            };
            on &= more;
            joint.push((p, action));
        }
        on
    }

    /// Chooses a move for a player; also answers whether the tree goes on below it.
    #[inline(always)]
    fn decide(
        &mut self,
        world: &dyn World,
        who: Player,
        (key, known): (u64, Option<NodeId>),
        together: bool,
    ) -> (Move, bool) {
        if self.counting.part == Part::AgainstHabits && who != self.me {
            return (self.follow_habits(world, who, known), true);
        }
        let exp3 = together && self.settings.simultaneous == Simultaneous::Exp3;
        let same_moves = !exp3 && self.same_moves.contains(who);
        match known.filter(|&node| same_moves && self.store.node(node).form == Form::Ranked) {
            Some(node) => {
                if who == self.me {
                    self.about_to_choose(who, self.store.edges(node).len());
                }
                let place = self.best_of_all(node);
                self.take(node, place, who, 0.0)
            }
            None => self.decide_among(world, who, (key, known), exp3),
        }
    }

    /// The same for a node that is new, or whose moves are not all tried, or differ from world to world.
    #[inline(never)]
    fn decide_among(
        &mut self,
        world: &dyn World,
        who: Player,
        (key, known): (u64, Option<NodeId>),
        exp3: bool,
    ) -> (Move, bool) {
        self.scratch.actions.clear();
        world.legal(who, &mut self.scratch.actions);
        // With a tree for every secret, a player who has no choice now has none whenever it comes here; only at
        // the searcher's root it matters how often that was.
        let at_root = who == self.me && self.last[who.index()] == NONE;
        if let ([only], true) = (&self.scratch.actions[..], self.values > 0 && !at_root) {
            return (*only, true);
        }
        self.about_to_choose(who, self.scratch.actions.len());
        let made = known.or_else(|| self.store.insert(key, self.last[who.index()]));
        let choice = made.and_then(|node| {
            let (place, probability) = match (exp3, self.same_moves.contains(who)) {
                (true, _) => self.choose_exp3(node)?,
                (false, true) => (self.choose_own(node)?, 0.0),
                (false, false) => (self.choose_among(node)?, 0.0),
            };
            Some((node, place, probability))
        });
        match choice {
            Some((node, place, probability)) => self.take(node, place, who, probability),
            None => (*self.streams.playout.pick(&self.scratch.actions), false),
        }
    }

    /// Goes down a move.
    #[inline(always)]
    fn take(&mut self, node: NodeId, place: u32, who: Player, probability: f32) -> (Move, bool) {
        self.last[who.index()] = node;
        let place = self.store.place_of(node, place);
        self.path.push(Chosen { edge: place, who, probability });
        let edge = self.store.edge_mut(place);
        if let Some(trace) = &mut self.trace {
            trace.pass(who.index(), node, who, edge.action);
        }
        (edge.action.action, edge.visits > 0)
    }

    /// Chooses as often as the search did so far; at random if it has not been here, and from then on
    /// (`icarus/AMB-8`). A player without a choice has no node, wherever the search has been.
    fn follow_habits(&mut self, world: &dyn World, who: Player, node: Option<NodeId>) -> Move {
        self.scratch.actions.clear();
        world.legal(who, &mut self.scratch.actions);
        if let [only] = self.scratch.actions[..] {
            return only;
        }
        self.weights.clear();
        if let Some(node) = node.filter(|_| self.followed.contains(who)) {
            self.weigh_legal(node);
        }
        match in_proportion(self.weights.iter().copied(), &mut self.streams.playout) {
            Some(place) => self.scratch.actions[place],
            None => {
                self.followed =
                    Player::all(self.players).filter(|&p| p != who && self.followed.contains(p)).collect();
                *self.streams.playout.pick(&self.scratch.actions)
            }
        }
    }

    /// How often each legal move was chosen at a node.
    fn weigh_legal(&mut self, node: NodeId) {
        self.weights.clear();
        let mut edges = self.store.edges(node).iter().peekable();
        self.weights.extend(self.scratch.actions.iter().map(|action| {
            while edges.next_if(|e| e.action.action < *action).is_some() {}
            edges.next_if(|e| e.action.action == *action).map_or(0, |e| e.visits)
        }));
    }

    /// At a node of the searcher, where the same moves are always legal: an untried one if there is any, else by
    /// the bound. `None` if the memory is used up.
    fn choose_own(&mut self, node: NodeId) -> Option<u32> {
        let tried = self.store.edges(node);
        let legal = &self.scratch.actions;
        if tried.len() < legal.len() {
            let skip = self.streams.ties.below((legal.len() - tried.len()) as u32) as usize;
            let is_new = |a: &&Move| tried.binary_search_by(|e| e.action.action.cmp(a)).is_err();
            let action =
                *legal.iter().filter(is_new).nth(skip).expect("fewer moves were tried than are legal");
            let place = self.store.add_move(node, Edge::new(Arm::of(action)))?;
            self.store.node_mut(node).visits += 1;
            return Some(place);
        }
        self.store.node_mut(node).form = Form::Ranked;
        Some(self.best_of_all(node))
    }

    /// The move to choose at a node where the same moves are always legal and all have been tried; they have
    /// been available at every visit before this one.
    #[inline(always)]
    fn best_of_all(&mut self, node: NodeId) -> u32 {
        let select = self.settings.select;
        let visits = self.store.node(node).visits;
        if select.plays_average(visits, &mut self.streams.ties) {
            return self.average_of_all(node);
        }
        let (node, edges) = self.store.node_and_edges(node);
        node.visits += 1;
        let (root, select) = (self.roots.of(visits), select.bound());
        let bound = |edge: &Edge<Arm<Move>>| select.bound(Moments::of(edge), edge.width(), root);
        greatest(edges, bound, &mut self.streams.ties)
    }

    /// The same by the average: any move in proportion to how often it was chosen before.
    #[inline(never)]
    fn average_of_all(&mut self, node: NodeId) -> u32 {
        let (node, edges) = self.store.node_and_edges(node);
        node.visits += 1;
        let habit = in_proportion(edges.iter().map(|e| e.visits), &mut self.streams.ties);
        habit.expect("all moves were tried") as u32
    }

    /// The same where different moves are legal in different worlds, if it is the turn of the average and all
    /// legal moves have been tried.
    fn average_of_legal(&mut self, node: NodeId) -> Option<u32> {
        if matches!(self.settings.select, Selection::Greatest(_)) {
            return None;
        }
        self.weigh_legal(node);
        let before = self.store.node(node).visits - 1;
        let tried = self.weights.iter().all(|visits| *visits > 0);
        if !(tried && self.settings.select.plays_average(before, &mut self.streams.ties)) {
            return None;
        }
        let place = in_proportion(self.weights.iter().copied(), &mut self.streams.ties)?;
        let mut legal = self.scratch.actions.iter().enumerate().peekable();
        let mut chosen = None;
        for (i, edge) in self.store.edges_mut(node).iter_mut().enumerate() {
            if let Some((nth, _)) = legal.next_if(|(_, a)| **a == edge.action.action) {
                edge.available += 1;
                chosen = chosen.or((nth == place).then_some(i as u32));
            }
        }
        chosen
    }

    /// At a node where different moves are legal in different worlds: only what is legal in this world can be
    /// chosen, and whatever is legal has been available once more (`icarus/AMB-23`).
    fn choose_among(&mut self, node: NodeId) -> Option<u32> {
        let trying = self.store.node(node).form == Form::Trying;
        if self.masks && trying {
            let legal = self.scratch.actions.iter().fold(0, |bits, &mv| bits | 1 << mv);
            let tried = self.store.edges(node).iter().fold(0, |bits, e| bits | 1 << e.action.action);
            if legal & !tried != 0 {
                let mv = self.streams.ties.bit_of(legal & !tried);
                let place = self.store.add_move(node, Edge::tried_among(Arm::of(mv), legal))?;
                self.store.node_mut(node).visits += 1;
                return Some(place);
            }
            self.rank(node);
        }
        self.store.node_mut(node).form = Form::Ranked;
        self.store.node_mut(node).visits += 1;
        if let Some(place) = self.average_of_legal(node) {
            return Some(place);
        }
        let select = self.settings.select.bound();
        let edges = self.store.edges_mut(node);
        let legal = self.scratch.actions.iter();
        if edges.len() == legal.len() && edges.iter().map(|e| &e.action.action).eq(legal) {
            let mut best = Best::default();
            for (i, edge) in edges.iter_mut().enumerate() {
                let bound = match edge.visits {
                    0 => f32::INFINITY,
                    _ => {
                        let root = self.roots.of(edge.available);
                        select.bound(Moments::of(edge), edge.width(), root)
                    }
                };
                edge.available += 1;
                best.offer(i as u32, bound, &mut self.streams.ties);
            }
            return Some(best.place);
        }
        self.admit(node);
        let mut best = Best::default();
        let mut legal = self.scratch.actions.iter().peekable();
        for (i, edge) in self.store.edges_mut(node).iter_mut().enumerate() {
            while legal.next_if(|&&a| a < edge.action.action).is_some() {}
            if legal.next_if(|&&a| a == edge.action.action).is_none() {
                continue;
            }
            let bound = match edge.visits {
                0 => f32::INFINITY,
                _ => select.bound(Moments::of(edge), edge.width(), self.roots.of(edge.available)),
            };
            edge.available += 1;
            best.offer(i as u32, bound, &mut self.streams.ties);
        }
        Some(best.place)
    }

    /// Every visit so far tried a move and remembered what was legal: turns that into counts.
    #[cold]
    fn rank(&mut self, node: NodeId) {
        let mut counts = [0; 64];
        for world in self.store.edges(node).iter().map(Edge::world) {
            counts.iter_mut().enumerate().for_each(|(code, count)| *count += (world >> code & 1) as u32);
        }
        let met = (0..).zip(&counts).filter(|(_, count)| **count > 0).map(|(mv, _)| mv);
        self.fresh.clear();
        self.fresh.extend(met.map(Arm::of));
        self.add_fresh(node);
        for edge in self.store.edges_mut(node) {
            edge.rank(counts[edge.action.action as usize]);
        }
    }

    /// Makes room for moves that are legal in this world and were not in those before.
    #[inline]
    fn admit(&mut self, node: NodeId) {
        let mut at = self.store.edges(node).iter().peekable();
        let mut missing = false;
        for action in &self.scratch.actions {
            while at.next_if(|e| e.action.action < *action).is_some() {}
            if at.next_if(|e| e.action.action == *action).is_none() {
                missing = true;
                break;
            }
        }
        if missing {
            self.fresh.clear();
            self.fresh.extend(self.scratch.actions.iter().map(|&a| Arm::of(a)));
            self.add_fresh(node);
        }
    }

    /// Adds those of the fresh moves that a node does not have.
    fn add_fresh(&mut self, node: NodeId) {
        let edges = self.store.edges(node);
        self.fresh.retain(|a| edges.binary_search_by(|e| e.action.cmp(a)).is_err());
        self.store.add_moves(node, &self.fresh);
    }

    /// At a node of a simultaneous turn.
    fn choose_exp3(&mut self, node: NodeId) -> Option<(u32, f32)> {
        self.fresh.clear();
        self.fresh.extend(self.scratch.actions.iter().map(|&a| Arm::of(a)));
        self.exp3.choose_at(&mut self.store, node, &self.fresh, &mut self.streams.ties)
    }
}
