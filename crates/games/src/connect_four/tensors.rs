//! What a player knows, as numbers.

use fogtree_core::{Player, Rules};

use super::{ConnectFour, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(ConnectFour);

impl Listed for ConnectFour {
    fn board(&self) -> Option<[usize; 2]> {
        Some([self.rows as usize, self.columns as usize])
    }

    /// Own stones, stones of the other, whether the seat is to move; the top row first.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        for p in [seat, seat.other()] {
            let stones = s.stones[p.index()];
            let cells =
                (0..self.rows).rev().flat_map(|row| (0..self.columns).map(move |column| (row, column)));
            out.flags(cells.map(|(row, column)| stones >> (column * (self.rows + 1) + row) & 1 == 1));
        }
        let turn = self.turn(s).players().contains(seat);
        out.plane(if turn { 1.0 } else { 0.0 }, (self.rows * self.columns) as usize);
    }
}
