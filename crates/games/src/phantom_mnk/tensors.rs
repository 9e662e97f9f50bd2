//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Attempts, Info, PhantomMnk};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(PhantomMnk<A>, A: Attempts);

impl<A: Attempts> Listed for PhantomMnk<A> {
    fn board(&self) -> Option<[usize; 2]> {
        Some(self.grid.size())
    }

    /// Own marks, marks of the other that were found, cells of which nothing is known; whether the seat is to
    /// move, the share of the cells that the other has marked and, if that is announced, in how many it
    /// failed.
    fn list(&self, k: &Info<A>, seat: Player, out: &mut Numbers<'_>) {
        let cells = usize::from(self.grid.cells());
        for set in [k.marks, k.found, self.board & !(k.marks | k.found)] {
            out.bits(set, cells);
        }
        let other = seat.other().index();
        let share = |count: u8| f32::from(count) / cells as f32;
        out.plane(if k.mover == seat { 1.0 } else { 0.0 }, cells);
        out.plane(share(k.placed[other]), cells);
        if let Some(failures) = A::failures(&k.order) {
            out.plane(share(failures[other]), cells);
        }
    }
}
