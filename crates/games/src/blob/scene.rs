//! Blob as a picture.

use fogtree_core::scene::{Cards, Entry, Scene, Spread, Table, Zone};
use fogtree_core::{Observer, Player};

use super::{Blob, NO_BID, Phase, State};
use crate::cards::scene::Shown;
use crate::words::{asked, counted, title, won};

impl Blob {
    /// A state as `by` sees it: whole if `open`, and otherwise without the cards that it must not show.
    pub(super) fn drawn(&self, s: &State, by: Observer, open: bool) -> Scene {
        let dealt = if s.turned.is_some() { self.hand(s).into() } else { 0 };
        let shown = Shown { round: &s.round, players: self.players(), dealt, deck: self.deck, by, open };
        let scene = Scene::new(self.caption(s, by));
        let Some(turned) = s.turned else { return scene.with(self.scores(s, by)) };
        let mut trumps = Cards::new(Spread::Row);
        trumps.put("turned", turned.token());
        let trumps = Zone::cards("trumps", trumps).titled(format!("Trumps: {}", turned.suit().name()));
        let scene = scene.with(shown.trick()).with(trumps.beside()).with(self.scores(s, by).beside());
        shown.hands(scene).with(shown.whereabouts(s.turned))
    }

    fn scores(&self, s: &State, by: Observer) -> Zone {
        let mut table = Table::headed(["player", "bid", "tricks taken", "points"]);
        for p in Player::all(self.players()) {
            let i = p.index();
            let bid = if s.bids[i] == NO_BID { "-".to_string() } else { s.bids[i].to_string() };
            let [taken, points] = [s.taken[i].into(), s.scores[i]].map(|n: u16| Entry::from(n.to_string()));
            table.row([Entry::from(title(p, by)).of(p), bid.into(), taken, points]);
        }
        let rounds = self.hands.len();
        let round = rounds.min(usize::from(s.rounds) + 1);
        Zone::table("scores", table).titled(format!("Round {round} of {rounds}"))
    }

    fn caption(&self, s: &State, by: Observer) -> String {
        match s.phase {
            Phase::Deal => format!("{} each are to be dealt.", counted(self.hand(s), "card")),
            Phase::Bid(made) => {
                let who = self.bidder(s, made);
                let asked = asked(who, by, &format!("bid how many of the {} tricks to take", self.hand(s)));
                let hooked = (0..=self.hand(s)).find(|&bid| self.legal_bids(s, made).0 >> bid & 1 == 0);
                let barred = hooked.map(|bid| format!(" The bid {bid} is barred: all bids would add up."));
                format!("{asked}{}", barred.unwrap_or_default())
            }
            Phase::Play => format!("{} An exact bid scores 10 more.", self.tricks.caption(&s.round, by)),
            Phase::Over => {
                let scores = &s.scores[..self.players()];
                let best = scores.iter().copied().max().unwrap_or(0);
                let winners: Vec<Player> =
                    Player::all(self.players()).filter(|p| scores[p.index()] == best).collect();
                won(&winners, by, &format!("with {}", counted(best, "point")))
            }
        }
    }
}
