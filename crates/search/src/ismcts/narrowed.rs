//! Choices in the tree where not all moves are looked at, or not at once.

use fogtree_core::{Move, Player, World};

use super::engine::Engine;
use crate::kit::store::{Edge, Form, NodeId};
use crate::learn::Knowledge;

impl<K: Knowledge> Engine<K> {
    /// Chooses the most promising of the moves that are due but untried, else by the bound among those tried that
    /// are legal in this world; also answers whether the tree goes on below.
    pub(super) fn decide_narrowed(&mut self, world: &dyn World, who: Player) -> (Move, bool) {
        self.scratch.actions.clear();
        world.legal(who, &mut self.scratch.actions);
        let (_, made) = self.arrive(world, who);
        match made.and_then(|node| Some((node, self.place_narrowed(world, who, node)?))) {
            Some((node, place)) => self.take(node, place, who, 0.0),
            None => (*self.playout.pick(&self.scratch.actions), false),
        }
    }

    fn place_narrowed(&mut self, world: &dyn World, who: Player, node: NodeId) -> Option<u32> {
        let narrow = self.config.narrow;
        let (best, tried) = self.best_legal(node);
        let visits = &mut self.store.node_mut(node).visits;
        *visits += 1;
        let due = narrow.due(*visits).min(self.scratch.actions.len());
        // What the searcher looks at is the same in all worlds: once it is complete there it remains so.
        if tried > 0 && (tried >= due || self.store.node(node).form == Form::Ranked) {
            return Some(best.place);
        }
        self.order.apply(narrow, (world, who), &mut self.scratch.actions, &mut self.ties);
        let edges = self.store.edges(node);
        let is_new = |a: &&Move| edges.binary_search_by(|e| e.action.cmp(a)).is_err();
        let next = self.scratch.actions.iter().find(is_new).copied();
        if let Some(place) = next.and_then(|action| self.store.add_move(node, Edge::new(action))) {
            self.store.edges_mut(node)[place as usize].available = 1;
            return Some(place);
        }
        if who == self.me() {
            self.store.node_mut(node).form = Form::Ranked;
        }
        (tried > 0).then_some(best.place)
    }
}
