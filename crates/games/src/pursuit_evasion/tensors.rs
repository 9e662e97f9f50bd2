//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{PursuitEvasion, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(PursuitEvasion);

impl Listed for PursuitEvasion {
    fn board(&self) -> Option<[usize; 2]> {
        Some([self.length, self.width].map(usize::from))
    }

    /// The evader, the first and the second pursuer; whether the seat is the evader, and the share of moves
    /// to go.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        let cells = usize::from(self.length) * usize::from(self.width);
        for unit in [s.evader, s.pursuers[0], s.pursuers[1]] {
            out.one_hot(usize::from(unit), cells);
        }
        out.plane(if seat == super::EVADER { 1.0 } else { 0.0 }, cells);
        out.plane(f32::from(s.left) / f32::from(self.depth.max(1)), cells);
    }
}
