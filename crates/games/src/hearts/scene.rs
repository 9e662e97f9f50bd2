//! Hearts as a picture.

use fogtree_core::scene::{Entry, Scene, Spread, Table, Zone};
use fogtree_core::{Observer, Player};

use super::{Action, Hearts, Phase, State};
use crate::cards::Cards;
use crate::cards::scene::{Shown, in_hand};
use crate::words::{asked, counted, name, title, won};

impl Hearts {
    /// A state as `by` sees it: whole if `open`, and otherwise without the cards that it must not show.
    pub(super) fn drawn(&self, s: &State, by: Observer, open: bool) -> Scene {
        let dealt = if matches!(s.phase, Phase::Pass(_) | Phase::Play) { self.hand } else { 0 };
        let shown = Shown { round: &s.round, players: self.players, dealt, deck: self.deck, by, open };
        let scene = Scene::new(self.caption(s, by));
        if dealt == 0 {
            return scene.with(self.scores(s, by));
        }
        let mut scene = scene.with(shown.trick()).with(self.scores(s, by).beside());
        let passing = matches!(s.phase, Phase::Pass(_));
        for p in shown.seats() {
            let apart = if passing { s.passed & s.round.held[p] } else { Cards::NONE };
            scene = scene.with(shown.placed(p, shown.hand(p, apart)));
            if passing && (open || by.is(p)) {
                let to = name(self.receiver(s.rounds, p), by);
                let chosen = Zone::cards(format!("pass{p}"), apart.laid(Spread::Row));
                scene = scene.with(chosen.titled(format!("To be passed to {to}")).of(p).beside());
            }
        }
        scene = scene.with(shown.whereabouts(None));
        if s.phase == Phase::Play && self.distance(s.rounds) > 0 && (open || by.seat().is_some()) {
            scene = scene.with(self.passed(s, by).beside());
        }
        scene
    }

    /// The spots of an action of a seat.
    pub(super) fn touched(&self, by: Observer, action: Action) -> Vec<String> {
        let (Action::Play(card) | Action::Pass(card)) = action;
        by.seat().map(|p| in_hand(p, card)).into_iter().collect()
    }

    /// Who has passed what to whom, as far as it is known.
    fn passed(&self, s: &State, by: Observer) -> Zone {
        let mut table = Table::headed(["passed by", "to", "cards"]);
        for from in self.seats() {
            let to = self.receiver(s.rounds, from);
            let cards = s.passed & s.round.held[to];
            if cards.is_empty() {
                continue;
            }
            let tokens = cards.iter().fold(Entry::default(), |entry, card| entry.with(card.token()));
            table.row([Entry::from(name(from, by)).of(from), Entry::from(name(to, by)).of(to), tokens]);
        }
        Zone::table("passed", table).titled("Cards passed in this round")
    }

    fn scores(&self, s: &State, by: Observer) -> Zone {
        let mut table = Table::headed(["player", "points", "in this round"]);
        for p in self.seats() {
            let [points, taken] = [s.scores, s.taken].map(|points| points[p.index()].to_string());
            table.row([Entry::from(title(p, by)).of(p), points.into(), taken.into()]);
        }
        let round = if s.phase == Phase::Over { String::new() } else { format!("Round {}: ", s.rounds + 1) };
        let what = if round.is_empty() { "Fewest points win" } else { "fewest points win" };
        Zone::table("scores", table).titled(format!("{round}{what}"))
    }

    fn caption(&self, s: &State, by: Observer) -> String {
        match s.phase {
            Phase::Deal => "The cards are to be dealt.".to_string(),
            Phase::Pass(chosen) => {
                let cards = counted(self.pass as u64, "card");
                match by.seat() {
                    Some(p) => format!(
                        "Your turn: choose {cards} to pass to player {}, one by one ({chosen} chosen). \
                         All players do so at the same time.",
                        self.receiver(s.rounds, p)
                    ),
                    None => format!("Everybody chooses {cards} to pass on ({chosen} chosen)."),
                }
            }
            Phase::Play => self.caption_of_play(s, by),
            Phase::Over => self.result(s, by),
        }
    }

    fn caption_of_play(&self, s: &State, by: Observer) -> String {
        if let Some(card) = self.tricks.opening
            && s.round.played.is_empty()
        {
            return match s.round.held.owner(card) {
                Some(p) => asked(p, by, &format!("lead the {}", card.words())),
                None => format!("Whoever has the {} leads it.", card.words()),
            };
        }
        let asked = self.tricks.caption(&s.round, by);
        match (s.round.trick.is_empty(), self.tricks.is_broken(s.round.played)) {
            (true, true) => format!("{asked} Hearts may be led."),
            (true, false) => format!("{asked} Hearts may not be led yet."),
            (false, _) => asked,
        }
    }

    fn result(&self, s: &State, by: Observer) -> String {
        let scores = &s.scores[..self.players];
        let best = scores.iter().copied().min().unwrap_or(0);
        let winners: Vec<Player> = self.seats().filter(|p| scores[p.index()] == best).collect();
        won(&winners, by, &format!("with {}", counted(best, "point")))
    }
}
