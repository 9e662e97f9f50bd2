//! Which moves a search looks at, and which first.

use crate::{Player, Rules};

/// What a selective search asks a game at a decision ([`SelectiveSearch::candidates`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selective {
    /// In which of its [`SelectiveSearch::orders`] the player goes through its pieces in this turn.
    pub order: u32,
    /// The choices it has already made in this turn of the search.
    pub made: u32,
    /// Whether it answers the player who searches.
    pub answering: bool,
}

/// What a game knows of its moves before any search.
pub trait SelectiveSearch<R: Rules> {
    /// Appends how promising each of some legal actions of a player to move looks before any search, in their order;
    /// more is better, and below 0 are those that need not be looked at while others are not, which must not depend on
    /// what the player does not know. Appends nothing if the game cannot tell.
    fn move_prior(&self, state: &R::State, who: Player, actions: &[R::Action], out: &mut Vec<f32>);

    /// Appends those legal actions of a player to move at which a selective search looks, the most promising first. If
    /// nothing is appended it looks at all of them, by [`SelectiveSearch::move_prior`].
    fn candidates(&self, state: &R::State, who: Player, asked: Selective, out: &mut Vec<R::Action>);

    /// In how many orders a selective search lets a player go through its pieces in a turn.
    fn orders(&self) -> u32 {
        1
    }
}
