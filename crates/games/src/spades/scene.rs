//! Spades as a picture.

use fogtree_core::scene::{Entry, Scene, Table, Zone};
use fogtree_core::{Observer, Player};

use super::{NO_BID, Phase, Spades, State, side};
use crate::cards::scene::Shown;
use crate::words::{asked, title, won};

impl Spades {
    /// A state as `by` sees it: whole if `open`, and otherwise without the cards that it must not show.
    pub(super) fn drawn(&self, s: &State, by: Observer, open: bool) -> Scene {
        let dealt = if matches!(s.phase, Phase::Bid(_) | Phase::Play) { self.hand } else { 0 };
        let shown = Shown { round: &s.round, players: self.players(), dealt, deck: self.deck, by, open };
        let scene = Scene::new(self.caption(s, by));
        if dealt == 0 {
            return scene.with(self.scores(s, by));
        }
        let scene = scene.with(shown.trick()).with(self.bids(s, by).beside());
        shown.hands(scene.with(self.scores(s, by).beside())).with(shown.whereabouts(None))
    }

    fn bids(&self, s: &State, by: Observer) -> Zone {
        let mut table = Table::headed(["player", "bid", "tricks taken"]);
        for p in Player::all(self.players()) {
            let bid = match s.bids[p.index()] {
                NO_BID => "not yet".to_string(),
                0 => "nil (none)".to_string(),
                bid => bid.to_string(),
            };
            table.row([Entry::from(title(p, by)).of(p), bid.into(), s.taken[p.index()].to_string().into()]);
        }
        Zone::table("bids", table).titled("Bids")
    }

    fn scores(&self, s: &State, by: Observer) -> Zone {
        let mut table = Table::headed(["side", "points", "bags"]);
        for (side, (points, bags)) in s.scores.iter().zip(s.bags).enumerate() {
            let who = self.side_name(side, by);
            table.row([who, points.to_string(), bags.to_string()]);
        }
        let round = (s.rounds + u8::from(s.phase != Phase::Over)).max(1);
        Zone::table("scores", table).titled(format!("Round {round}: more than {} points win", self.to))
    }

    /// `You and player 2`.
    fn side_name(&self, side: usize, by: Observer) -> String {
        let members = Player::all(self.players()).filter(|p| super::side(*p) == side);
        let mut members: Vec<Player> = members.collect();
        members.sort_by_key(|&p| !by.is(p));
        let names = members.iter().enumerate().map(|(i, &p)| match i {
            0 if by.is(p) => "You".to_string(),
            0 => title(p, by),
            _ => format!("player {p}"),
        });
        names.collect::<Vec<_>>().join(" and ")
    }

    fn caption(&self, s: &State, by: Observer) -> String {
        match s.phase {
            Phase::Deal => "The cards are to be dealt.".to_string(),
            Phase::Bid(made) => {
                let who = self.bidder(s, made);
                format!("{} A nil is a bid to take none.", asked(who, by, "bid a number of tricks"))
            }
            Phase::Play => {
                let shown = self.tricks.caption(&s.round, by);
                match self.tricks.is_broken(s.round.played) || !s.round.trick.is_empty() {
                    true => format!("{shown} Spades are trumps."),
                    false => format!("{shown} Spades, the trumps, may not be led yet."),
                }
            }
            Phase::Over | Phase::Valued => {
                let best = s.scores[0].max(s.scores[1]);
                let first = |p: &Player| s.scores[side(*p)] == best;
                let draw = s.scores[0] == s.scores[1];
                let winners: Vec<Player> =
                    Player::all(self.players()).filter(first).filter(|_| !draw).collect();
                won(&winners, by, &format!("with {} : {} points", best, s.scores[0].min(s.scores[1])))
            }
        }
    }
}
