//! What a player knows, as numbers.

use fogtree_core::{Player, Rules};

use super::{BONUS, Blob, Info, NO_BID, Phase};
use crate::cards::Card;
use crate::tensors::{Listed, Numbers, after_seat, from_seat, impl_tensors};

impl_tensors!(Blob);

impl Listed for Blob {
    /// The round and the turned card; the size of the hands; the phase and whose turn it is; what every
    /// player has bid, taken and scored; and how many rounds are over.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let (s, players) = (&k.seen, self.players());
        let most = self.hands.iter().copied().max().unwrap_or(0);
        out.round(&s.round, players, seat);
        out.one_hot(s.turned.map(Card::number), Card::COUNT);
        out.share(self.hand(s), most);
        let phase = match s.phase {
            Phase::Deal => 0,
            Phase::Bid(_) => 1,
            Phase::Play => 2,
            Phase::Over => 3,
        };
        out.one_hot(phase, 4);
        let turn = self.turn(s).players().iter().next();
        out.one_hot(turn.map(|who| after_seat(seat, players, who)), players);
        let points: u32 = self.hands.iter().map(|&hand| u32::from(BONUS) + u32::from(hand)).sum();
        for p in from_seat(seat, players) {
            let bid = s.bids[p.index()];
            out.one_hot((bid != NO_BID).then_some(usize::from(bid)), usize::from(most) + 1);
            out.share(s.taken[p.index()], most);
            out.share(s.scores[p.index()], points);
        }
        out.share(s.rounds, self.hands.len() as u32);
    }
}
