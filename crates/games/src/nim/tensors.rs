//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Nim, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Nim);

impl Listed for Nim {
    /// How many objects every heap has, from none to all of them, and whether the seat is to move.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        for (&left, &all) in s.heaps.iter().zip(&self.heaps).filter(|(_, all)| **all > 0) {
            out.one_hot(usize::from(left), usize::from(all) + 1);
        }
        out.flag(s.mover == seat);
    }
}
