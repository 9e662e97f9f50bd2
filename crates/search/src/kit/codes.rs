//! The codes of moves, without a call where moves are their codes.

use fogtree_core::{Model, Move};

/// How a game's moves and codes go together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes {
    dense: bool,
}

impl Codes {
    /// How they do in this game.
    pub(crate) fn new(game: &dyn Model) -> Codes {
        Codes { dense: game.moves().is_some() }
    }

    /// The code of a move.
    #[inline]
    pub(crate) fn of(self, game: &dyn Model, mv: Move) -> u64 {
        if self.dense { mv.into() } else { game.code(mv) }
    }
}
