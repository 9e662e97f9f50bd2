//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{DouDiZhu, HIGHEST_BID, Info, LARGEST_HAND, PLAYERS, Phase};
use crate::ranks::Cards;
use crate::tensors::{Listed, Numbers, after_seat, from_seat, impl_tensors};

impl_tensors!(DouDiZhu);

/// Ranks, jokers included.
const RANKS: usize = 15;

impl Listed for DouDiZhu {
    /// The seat, its hand, what the landlord got more if that is shown, and the group to beat with its
    /// kickers; what every player has played and how many cards it has left; landlord, turn, passes, phase
    /// and the highest bid. Four numbers stand for a rank, of which as many are 1 as there are cards.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let cards = |out: &mut Numbers<'_>, cards: Cards| out.bits(cards.singly(), 4 * RANKS);
        let place = |who| after_seat(seat, PLAYERS, who);
        out.one_hot(seat.index(), PLAYERS);
        cards(out, k.hand);
        cards(out, k.extra);
        cards(out, k.top.cards());
        out.share(k.top.kickers(), 5);
        out.flag(k.top.kicker_width() == 2);
        for p in from_seat(seat, PLAYERS) {
            cards(out, k.played[p.index()]);
            out.share(k.left[p.index()], LARGEST_HAND);
        }
        let (phase, highest) = match k.phase {
            Phase::Deal => (0, None),
            Phase::Bidding(bid, by) => (1, Some((bid, by))),
            Phase::Play => (2, None),
            Phase::Kickers => (3, None),
            Phase::Over => (4, None),
        };
        out.one_hot(phase, 5);
        out.one_hot(highest.map(|(bid, _)| usize::from(bid)), usize::from(HIGHEST_BID) + 1);
        out.one_hot(highest.map(|(_, by)| place(by)), PLAYERS);
        out.one_hot((phase > 1).then(|| place(k.landlord)), PLAYERS);
        out.one_hot((phase > 0).then(|| place(k.mover)), PLAYERS);
        out.one_hot(usize::from(k.passes), 3);
    }
}
