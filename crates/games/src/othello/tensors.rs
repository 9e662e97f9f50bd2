//! What a player knows, as numbers.

use fogtree_core::{Player, Rules};

use super::{Othello, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Othello);

impl Listed for Othello {
    fn board(&self) -> Option<[usize; 2]> {
        Some([self.size as usize; 2])
    }

    /// Own discs, discs of the other, whether the seat is to move.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        let size = self.size as usize;
        for p in [seat, seat.other()] {
            for row in 0..size {
                out.bits(s.discs[p.index()] >> (8 * row) & 0xff, size);
            }
        }
        let turn = self.turn(s).players().contains(seat);
        out.plane(if turn { 1.0 } else { 0.0 }, size * size);
    }
}
