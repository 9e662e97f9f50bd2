//! What a player knows, as numbers.

use fogtree_core::{Player, Rules};

use super::{Info, NO_BID, Phase, Spades, side};
use crate::tensors::{Listed, Numbers, after_seat, from_seat, impl_tensors};

impl_tensors!(Spades);

impl Listed for Spades {
    /// The round; the phase and whose turn it is; what every player has bid and taken; the scores in
    /// thousands and the bags in tens, those of the own side first; and how many rounds are over.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let (s, players) = (&k.seen, self.players());
        out.round(&s.round, players, seat);
        let phase = match s.phase {
            Phase::Deal => 0,
            Phase::Bid(_) => 1,
            Phase::Play => 2,
            Phase::Over | Phase::Valued => 3,
        };
        out.one_hot(phase, 4);
        let turn = self.turn(s).players().iter().next();
        out.one_hot(turn.map(|who| after_seat(seat, players, who)), players);
        for p in from_seat(seat, players) {
            let bid = s.bids[p.index()];
            out.one_hot((bid != NO_BID).then_some(usize::from(bid)), self.hand + 1);
            out.share(s.taken[p.index()], self.hand as u32);
        }
        for side in [side(seat), 1 - side(seat)] {
            out.share(s.scores[side], 1000);
            out.share(s.bags[side], 10);
        }
        out.share(s.rounds, self.rounds);
    }
}
