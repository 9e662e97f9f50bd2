//! What a player knows, as numbers.

use fogtree_core::Player;

use super::area::Cell;
use super::{State, Tron};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Tron);

impl Listed for Tron {
    fn board(&self) -> Option<[usize; 2]> {
        Some([self.rows, self.columns].map(usize::from))
    }

    /// The own unit, the other's, and the walls.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        let cells =
            (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| Cell::new(row, column)));
        for p in [seat, seat.other()] {
            out.flags(cells.clone().map(|cell| s.units[p.index()] == cell));
        }
        out.flags(cells.map(|cell| s.walls.contains(cell)));
    }
}
