//! What a player knows, as numbers.

use fogtree_core::{FastPlay, Player};

use super::{Info, Poker};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Poker);

impl Listed for Poker {
    /// The seat, its card and the public card, what each has paid, and every move of both rounds in order.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let s = &k.seen;
        out.one_hot(seat.index(), 2);
        for card in [s.hands[seat.index()], s.board] {
            out.one_hot(card.map(|card| self.kind(card)), self.kinds());
        }
        let most =
            u32::from(self.ante) + 3 * u32::from(self.stake) * u32::from(self.bets * (1 + self.raises));
        for p in [seat, seat.other()] {
            out.share(s.paid[p.index()], most);
        }
        // A check, a bet, the raises and a call.
        let longest = 3 + usize::from(self.raises);
        for round in s.betting {
            let mut codes = round.codes();
            for _ in 0..longest {
                out.one_hot(codes.next().map(|code| code as usize), self.codes().unwrap_or(0));
            }
        }
    }
}
