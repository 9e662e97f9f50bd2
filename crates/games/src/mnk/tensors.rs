//! What a player knows, as numbers.

use fogtree_core::{Player, Rules};

use super::{Mnk, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Mnk<W>, const W: usize);

impl<const W: usize> Listed for Mnk<W> {
    fn board(&self) -> Option<[usize; 2]> {
        Some(self.grid.size())
    }

    /// Own marks, marks of the other, whether the seat is to move.
    fn list(&self, s: &State<W>, seat: Player, out: &mut Numbers<'_>) {
        let cells = usize::from(self.grid.cells());
        for p in [seat, seat.other()] {
            for (word, &set) in s.marks[p.index()].0.iter().enumerate() {
                out.bits(set, cells.saturating_sub(64 * word).min(64));
            }
        }
        let turn = self.turn(s).players().contains(seat);
        out.plane(if turn { 1.0 } else { 0.0 }, cells);
    }
}
