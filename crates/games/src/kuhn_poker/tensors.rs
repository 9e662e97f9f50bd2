//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Betting, Info, KuhnPoker};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(KuhnPoker);

impl Listed for KuhnPoker {
    /// The seat, its card, and what was bet: nothing, a check, a bet of either player, a showdown for either
    /// stake, a fold of either player.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        out.one_hot(seat.index(), 2);
        out.one_hot(k.card.map(usize::from), 3);
        let betting = match k.betting {
            Betting::Open => 0,
            Betting::Checked => 1,
            Betting::Bet(by) => 2 + by.index(),
            Betting::Showdown(stake) => 3 + usize::from(stake),
            Betting::Folded(by) => 6 + by.index(),
        };
        out.one_hot(betting, 8);
    }
}
