//! Buffers that a search reuses from decision to decision.

use fogtree_core::{Move, Player};

/// Buffers of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// For lists of legal moves.
    pub(crate) actions: Vec<Move>,
    /// For the moves of one step.
    pub(crate) moves: Vec<(Player, Move)>,
}
