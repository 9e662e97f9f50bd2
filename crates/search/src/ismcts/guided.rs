//! Choices in the tree that rest on more than the tree's statistics.

use fogtree_core::{Model, Move, Player, World};

use super::engine::Engine;
use crate::kit::store::{Form, NodeId};
use crate::learn::{Arm, Knowledge, Place, Untried};

impl<K: Knowledge> Engine<K> {
    /// Chooses as the knowledge says, which is shown what the tree knows about every legal move; also answers whether
    /// the tree goes on below. The legal actions may have been listed already.
    pub(super) fn decide_by_guide(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        who: Player,
        listed: bool,
    ) -> (Move, bool) {
        if !listed {
            self.scratch.actions.clear();
            world.legal(who, &mut self.scratch.actions);
        }
        let (key, made) = self.arrive(world, who);
        let Some(node) = made.filter(|&node| self.show_arms(node)) else {
            return (*self.playout.pick(&self.scratch.actions), false);
        };
        let untried = self.untried(node, who);
        let at = Place { world, key, who, visits: self.store.node(node).visits, untried };
        let legal = &self.scratch.actions;
        let action = legal[self.knowledge.select(game, at, legal, &self.arms, &mut self.ties)];
        let place = self.store.edges(node).binary_search_by(|e| e.action.cmp(&action));
        self.take(node, place.expect("legal moves have been admitted") as u32, who, 0.0)
    }

    /// Makes room for the legal moves, shows what is known about them, and counts a visit at which they were
    /// available. Answers whether there was room.
    fn show_arms(&mut self, node: NodeId) -> bool {
        self.store.admit(node, &self.scratch.actions, &mut self.fresh);
        self.arms.clear();
        let mut legal = self.scratch.actions.iter().peekable();
        for edge in self.store.edges_mut(node) {
            while legal.next_if(|&&a| a < edge.action).is_some() {}
            if legal.next_if(|&&a| a == edge.action).is_some() {
                self.arms.push(Arm {
                    visits: edge.visits,
                    available: edge.available,
                    mean: edge.value,
                    width: edge.width(),
                });
                edge.available += 1;
            }
        }
        self.store.node_mut(node).visits += 1;
        self.arms.len() == self.scratch.actions.len()
    }

    /// How the tree alone would draw among untried moves (see `choose.rs`). Once it has met a world without any, it
    /// goes by bounds; so it does from the beginning where other players have too many moves for a mask.
    fn untried(&mut self, node: NodeId, who: Player) -> Untried {
        let own = who == self.me();
        let form = &mut self.store.node_mut(node).form;
        let draws = own || self.masks;
        if !draws || self.arms.iter().all(|arm| arm.visits > 0) {
            *form = Form::Ranked;
        }
        match (*form, own) {
            (Form::Ranked, _) => Untried::Bounds,
            (Form::Trying, true) => Untried::Actions,
            (Form::Trying, false) => Untried::Codes,
        }
    }
}

#[cfg(test)]
mod tests;
