//! Buffers that a search reuses from decision to decision.

use fogtree_core::{Move, Player, World};

/// Buffers of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    /// For lists of legal moves.
    pub(crate) actions: Vec<Move>,
    /// For the moves of one step.
    pub(crate) moves: Vec<(Player, Move)>,
}

/// A world to look ahead in, which is kept: a new one would have to be allocated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spare(Option<Box<dyn World>>);

impl Spare {
    /// A copy of a world.
    #[inline]
    pub(crate) fn copy(&mut self, world: &dyn World) -> &mut dyn World {
        match &mut self.0 {
            Some(spare) => spare.copy_from(world),
            none => *none = Some(world.boxed()),
        }
        &mut **self.0.as_mut().expect("there is one now")
    }
}
