//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Info, LiarsDice, Phase};
use crate::tensors::{Listed, Numbers, after_seat, impl_tensors};

impl_tensors!(LiarsDice);

impl Listed for LiarsDice {
    /// The seat, how many of its dice count for each face, the bids made, which go round from player 0, and
    /// whose turn it is or who has called the last one a lie.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let s = &k.seen;
        out.one_hot(seat.index(), self.players);
        let hand = s.hands[seat.index()].map(|hand| &self.hands[usize::from(hand)]);
        let dice = self.bids.last().map_or(0, |bid| bid.quantity) / self.players as u8;
        for face in 0..self.hands[0].counts.len() {
            out.share(hand.map_or(0, |hand| hand.counts[face]), dice);
        }
        out.flags((0..self.bids.len()).map(|bid| s.bids.0 >> bid & 1 == 1));
        let place = |who| after_seat(seat, self.players, who);
        let (turn, caller) = match s.phase {
            Phase::Throw(_) => (None, None),
            Phase::Bid(who) => (Some(place(who)), None),
            Phase::Called(who) => (None, Some(place(who))),
        };
        out.one_hot(turn, self.players);
        out.one_hot(caller, self.players);
    }
}
