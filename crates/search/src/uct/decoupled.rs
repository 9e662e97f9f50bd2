//! Simultaneous moves by decoupled UCT: everybody chooses by what its own moves were worth, whatever the others did.
//!
//! The tree goes down a joint move one player after another. The statistics of the first player are those of its node;
//! each further player has a node beside that one, where its moves are counted without regard to what was chosen before
//! it, and chooses there.

use fogtree_core::{Move, Player, World};

use super::{NONE, UctSearch};

/// How players choose who move at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Joint {
    /// One after another, as if each saw what was chosen before it.
    #[default]
    Sequence,
    /// Each by itself.
    Decoupled,
}

impl UctSearch {
    /// Chooses a move of a further player in a joint move that began at the node `beside`, and goes down it from the
    /// node at hand; also returns the node it leads to, `NONE` if it has just been made.
    pub(super) fn choose_beside(
        &mut self,
        (beside, at): (u32, u32),
        state: &dyn World,
        p: Player,
    ) -> (Move, u32) {
        let known = self.sides.get(&(beside, p)).copied();
        let side = known.unwrap_or_else(|| self.new_node());
        let arm = if side == NONE { None } else { self.pick(side, state, p) };
        let Some(arm) = arm else {
            return (self.choose_at_random(state, p), NONE);
        };
        if known.is_none() {
            self.sides.insert((beside, p), side);
        }
        self.path.push((arm as u32, p));
        let action = self.edges[arm].action;
        if self.nodes[at as usize].count == 0 {
            if self.is_full() {
                return (action, NONE);
            }
            self.expand(at, state, p);
        }
        let node = &mut self.nodes[at as usize];
        let (first, next) = (node.first as usize, (node.first + node.tried) as usize);
        let moves = &self.edges[first..first + node.count as usize];
        let Some(place) = moves.iter().position(|edge| edge.action == action) else { return (action, NONE) };
        let mut place = first + place;
        node.visits += 1;
        if place >= next {
            node.tried += 1;
            self.edges.swap(next, place);
            place = next;
        }
        self.follow(place, p)
    }
}
