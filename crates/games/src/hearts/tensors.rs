//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Hearts, Info, Phase};
use crate::cards::Cards;
use crate::tensors::{Listed, Numbers, after_seat, from_seat, impl_tensors};

impl_tensors!(Hearts);

impl Listed for Hearts {
    /// The round; the cards that the seat gave and got, and those that it knows to be in other hands; how far
    /// cards are passed and how many are chosen; the phase and whose turn it is, as far as known; the points
    /// of every player.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let (s, players) = (&k.seen, self.players);
        out.round(&s.round, players, seat);
        out.cards(s.passed);
        let others = from_seat(seat, players).skip(1);
        out.cards(others.fold(Cards::NONE, |cards, p| cards | s.round.hand(p)));
        out.one_hot(self.distance(s.rounds), 4);
        let (phase, chosen) = match s.phase {
            Phase::Deal => (0, 0),
            Phase::Pass(chosen) => (1, chosen),
            Phase::Play => (2, 0),
            Phase::Over => (3, 0),
        };
        out.one_hot(phase, 4);
        out.share(chosen, self.pass as u32);
        // Before the opening card is played, only who has it knows who leads.
        let opens = self.tricks.opening.is_none_or(|card| s.round.held.owner(card).is_some());
        let turn = (s.phase == Phase::Play && opens).then(|| self.tricks.to_play(&s.round));
        out.one_hot(turn.map(|who| after_seat(seat, players, who)), players);
        for p in from_seat(seat, players) {
            out.share(s.taken[p.index()], self.total);
            out.share(s.scores[p.index()], u16::from(self.to) + u16::from(self.total));
        }
    }
}
