//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{CHECKERS, Nannon, POINTS, State, mirrored};
use crate::tensors::{Listed, Numbers, after_seat, impl_tensors};

impl_tensors!(Nannon);

impl Listed for Nannon {
    /// The points that the seat and the other hold, as the seat counts them; of both, the checkers at home
    /// and in safety; whose turn it is, the roll, and how many turns are over.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        let [own, other] = [seat, seat.other()].map(|p| s.sides[p.index()]);
        for points in [own.points, mirrored(other.points)] {
            out.bits(points.into(), POINTS.into());
        }
        for side in [own, other] {
            out.share(side.home, CHECKERS);
            out.share(side.safe(), CHECKERS);
        }
        out.one_hot(s.mover.map(|who| after_seat(seat, 2, who)), 2);
        out.one_hot(usize::from(s.roll).checked_sub(1), 6);
        out.share(s.turns, self.limit);
    }
}
