//! What searches may learn about instead of single states.

use crate::{Player, Rules};

/// Episodes that a game falls into, and features of its states.
pub trait Episodes<R: Rules> {
    /// The label of the episode that begins in this state, if one does: a new trick, a fresh turn, a roll of
    /// the dice. Between two labelled states play goes on in one episode (Whitehouse 2014, §8.3.2).
    fn episode(&self, _state: &R::State) -> Option<u32> {
        None
    }

    /// Appends the features that hold in a state, each a small number of its own, such as "a king stands here" or "so
    /// many cards are left": the predicates of PAST, the weights of FAST. They must not depend on what the player does
    /// not know.
    fn features(&self, _state: &R::State, _by: Player, _out: &mut Vec<u32>) {}
}
