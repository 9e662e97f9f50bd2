//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Matrix, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Matrix);

impl Listed for Matrix {
    /// The seat, and at the end the row and the column chosen.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        out.one_hot(seat.index(), 2);
        for who in 0..2 {
            out.one_hot(s.0.map(|chosen| usize::from(chosen[who])), self.choices[who].len());
        }
    }
}
