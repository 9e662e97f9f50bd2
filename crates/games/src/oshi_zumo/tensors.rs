//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{OshiZumo, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(OshiZumo);

impl Listed for OshiZumo {
    /// The coins of the seat and of the other, and where the wrestler stands: from behind the seat to behind
    /// the other.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        for p in [seat, seat.other()] {
            out.share(s.coins[p.index()], self.coins);
        }
        let ahead = if seat.0 == 0 { s.wrestler } else { -s.wrestler };
        let (size, ahead) = (isize::from(self.size) + 1, isize::from(ahead));
        out.one_hot((size + ahead) as usize, 2 * size as usize + 1);
    }
}
