//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Checkers, Phase, State, bit};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Checkers);

impl Listed for Checkers {
    /// The dark squares only, half as many in a row as the board has.
    fn board(&self) -> Option<[usize; 2]> {
        Some([self.size, self.squares_in_a_row()].map(usize::from))
    }

    /// Own men, own kings, men and kings of the other, the piece that must jump on; whether the seat moves
    /// towards the bottom and whether it is to move; how near draws are by quiet plies and by all plies.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        let squares = (0..self.size).flat_map(|row| (0..self.squares_in_a_row()).map(move |k| 4 * row + k));
        let cells = usize::from(self.size) * usize::from(self.squares_in_a_row());
        let (mover, jumping) = match s.phase {
            Phase::ToMove(who) => (Some(who), None),
            Phase::JumpingOn { who, square } => (Some(who), Some(square)),
            Phase::Over(_) => (None, None),
        };
        for p in [seat, seat.other()] {
            for pieces in [s.pieces[p.index()] & !s.kings, s.pieces[p.index()] & s.kings] {
                out.flags(squares.clone().map(|square| pieces & bit(square) != 0));
            }
        }
        out.flags(squares.map(|square| jumping == Some(square)));
        out.plane(if seat.0 == 0 { 1.0 } else { 0.0 }, cells);
        out.plane(if mover == Some(seat) { 1.0 } else { 0.0 }, cells);
        out.plane(f32::from(s.quiet) / f32::from(self.quiet), cells);
        out.plane(self.cap.map_or(0.0, |cap| f32::from(s.plies) / f32::from(cap)), cells);
    }
}
