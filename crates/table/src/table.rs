//! The typed table: a line of play and what every seat has been through.

use std::sync::Arc;

use fogtree_core::history::events_of;
use fogtree_core::play::read_ply;
use fogtree_core::record::Header;
use fogtree_core::scene::{Scene, Zone};
use fogtree_core::{
    Chance, Erased, Event, IllegalStep, InfoSet, Key, Line, Model, Move, Observer, Playable, Player, Ply,
    Record, Rewards, Rng, TrueState, Turn, Witnessed,
};

use crate::erased::AnyTable;
use crate::typed::read_move;

/// A game being played.
pub(crate) struct Table<G: Playable> {
    erased: Erased<G>,
    game: Arc<G>,
    line: Line<G>,
    /// The state before the last step.
    before: Option<G::State>,
    events: Vec<Vec<Event>>,
}

impl<G: Playable> Table<G> {
    /// A game that has just started.
    pub(crate) fn start(erased: &Erased<G>) -> Table<G> {
        let game = Arc::clone(erased.game());
        let (line, events) = (Line::start(&*game), vec![Vec::new(); erased.facts().players]);
        Table { erased: erased.clone(), game, line, before: None, events }
    }

    /// Makes a step, if it is legal, and lets every seat see what it may.
    pub(crate) fn play(&mut self, ply: Ply<G>) -> Result<(), IllegalStep> {
        let before = self.line.state().clone();
        self.line.play(&self.game, ply)?;
        let step = self.line.plies().last().expect("a step was made").step();
        for (p, events) in Player::all(self.events.len()).zip(&mut self.events) {
            events.extend(events_of(&*self.game, &before, step, Observer::Seat(p)));
        }
        self.before = Some(before);
        Ok(())
    }

    /// The name of the move that a player's word stands for.
    fn named(&self, who: Player, word: &str) -> Result<String, IllegalStep> {
        let legal = self.legal_actions(who);
        if self.game.parse_action(word).is_some_and(|action| legal.contains(&action)) {
            return Ok(word.to_string());
        }
        let mut names: Vec<String> = legal.into_iter().map(|a| self.game.action_name(a)).collect();
        read_move(who, word, &names).map(|place| names.swap_remove(place))
    }

    fn legal_actions(&self, who: Player) -> Vec<G::Action> {
        let mut legal = Vec::new();
        if self.turn().players().contains(who) {
            self.game.actions(self.line.state(), who, &mut legal);
        }
        legal
    }
}

impl<G: Playable> AnyTable for Table<G> {
    fn turn(&self) -> Turn {
        self.game.turn(self.line.state())
    }

    fn legal(&self, who: Player) -> Vec<String> {
        self.legal_actions(who).into_iter().map(|a| self.game.action_name(a)).collect()
    }

    fn chance(&self) -> Option<Vec<(String, f64)>> {
        let mut listed = Vec::new();
        if self.turn() == Turn::Chance {
            self.game.chance(self.line.state(), &mut listed);
            if listed.is_empty() && self.game.facts().chance == Chance::Sampled {
                return None;
            }
        }
        Some(listed.iter().map(|(o, p)| (self.game.outcome_name(o), *p)).collect())
    }

    fn play_words(&mut self, words: &[&str]) -> Result<(), IllegalStep> {
        let mut left = words;
        while !left.is_empty() {
            let players = self.turn().players();
            let (now, later) = left.split_at(players.len().clamp(1, left.len()));
            let mut names: Vec<String> = now.iter().map(ToString::to_string).collect();
            for (p, name) in players.iter().zip(&mut names) {
                *name = self.named(p, name)?;
            }
            let mut names = names.iter().map(String::as_str);
            if let Some(ply) = read_ply(&*self.game, self.line.state(), &mut names)? {
                self.play(ply)?;
            }
            left = later;
        }
        Ok(())
    }

    fn moves(&self, who: Player) -> Vec<Move> {
        self.legal_actions(who).into_iter().map(|action| self.erased.encode(action)).collect()
    }

    fn choose(&mut self, choices: &[(Player, Move)]) -> Result<(), IllegalStep> {
        for &(p, mv) in choices {
            if !self.moves(p).contains(&mv) {
                let (name, legal) = (format!("#{mv}"), self.legal(p));
                return Err(IllegalStep::Action { player: p.0, name, legal });
            }
        }
        self.play(Ply::Moves(choices.iter().map(|&(p, mv)| (p, self.erased.decode(mv))).collect()))
    }

    fn draw(&mut self, rng: &mut Rng) {
        if self.turn() == Turn::Chance {
            let outcome = self.game.sample_chance(self.line.state(), rng);
            self.play(Ply::Chance(outcome)).expect("chance draws what is possible");
        }
    }

    fn view(&self, by: Observer) -> String {
        let view = self.game.view(&self.game.info(self.line.state(), by));
        match by.seat().and_then(|p| self.game.recall(&self.events[p.index()])) {
            Some(recalled) => format!("{view}\n{recalled}"),
            None => view,
        }
    }

    fn scene(&self, by: Observer) -> Scene {
        let scene = self.game.scene(&self.game.info(self.line.state(), by));
        match by.seat().and_then(|p| self.game.recall(&self.events[p.index()])) {
            Some(recalled) => scene.with(Zone::text("recalled", recalled)),
            None => scene,
        }
    }

    fn true_scene(&self) -> Scene {
        self.game.scene_of(self.line.state())
    }

    fn told(&self, by: Observer) -> Option<String> {
        let (before, step) = (self.before.as_ref()?, self.line.plies().last()?.step());
        let own = by.seat().and_then(|p| step.action_of(p));
        let seen = self.game.observe(before, step, by);
        if own.is_none() && seen.is_none() {
            return None;
        }
        let words = seen.as_ref().map(|seen| self.game.explain(seen, by));
        let [before, after] = &[before, self.line.state()].map(|state| self.game.info(state, by));
        let told = self.game.tell(Witnessed { by, own, seen: seen.as_ref(), words, before, after });
        let over = self.turn() == Turn::Terminal;
        let ending = over.then(|| self.game.ending(self.line.state(), by)).flatten();
        told.into_iter().chain(ending).reduce(|told, ending| format!("{told}; {ending}"))
    }

    fn show(&self) -> String {
        self.game.show(self.line.state())
    }

    fn key(&self, by: Observer) -> Key {
        self.line.key(by)
    }

    fn rewards(&self) -> Option<Rewards> {
        (self.turn() == Turn::Terminal).then(|| self.game.rewards(self.line.state()))
    }

    fn role(&self, seat: Player) -> String {
        self.game.role(self.line.state(), seat)
    }

    fn hidden_truth(&self) -> Option<String> {
        let part = self.game.info_extras().hidden_part?;
        part.value(self.line.state()).map(|value| part.name(value))
    }

    fn episode(&self) -> Option<u32> {
        self.game.extras().episodes?.episode(self.line.state())
    }

    fn counts(&self) -> Vec<(Player, &'static str, f64)> {
        let Some(metrics) = self.game.extras().metrics else { return Vec::new() };
        let mut state = self.game.start();
        let mut counted = Vec::new();
        for ply in self.line.plies() {
            metrics.metrics(&state, ply.step(), &mut counted);
            self.game.apply(&mut state, ply.step());
        }
        added_up(counted)
    }

    fn names(&self) -> Vec<String> {
        self.line.names(&self.game)
    }

    fn last_names(&self) -> Vec<String> {
        self.line.plies().last().map_or_else(Vec::new, |ply| ply.names(&self.game))
    }

    fn steps(&self) -> usize {
        self.line.plies().len()
    }

    fn wind_back(&mut self, steps: usize) {
        let kept: Vec<Ply<G>> = self.line.plies().iter().take(steps).cloned().collect();
        *self = Table::start(&self.erased);
        for ply in kept {
            self.play(ply).expect("what was legal once is legal again");
        }
    }

    fn events(&self, seat: Player) -> &[Event] {
        &self.events[seat.index()]
    }

    fn infoset(&self, seat: Player) -> InfoSet {
        let by = Observer::Seat(seat);
        let mut legal = self.moves(seat);
        legal.sort_unstable();
        InfoSet {
            game: Arc::new(self.erased.clone()),
            seat,
            known: self.erased.info(self.game.info(self.line.state(), by)),
            legal,
            events: self.events[seat.index()].clone(),
            key: self.line.key(by),
            belief: None,
            truth: None,
        }
    }

    fn truth(&self) -> Arc<TrueState> {
        Arc::new(TrueState::new(self.erased.world(self.line.state().clone())))
    }

    fn record(&self, header: Header) -> Record {
        Record::of(&*self.game, header, &self.line)
    }

    fn fork(&self) -> Box<dyn AnyTable> {
        let Table { erased, game, line, before, events } = self;
        Box::new(Table {
            erased: erased.clone(),
            game: Arc::clone(game),
            line: line.clone(),
            before: before.clone(),
            events: events.clone(),
        })
    }
}

/// Adds up what was counted under the same name for the same player.
fn added_up(counted: Vec<(Player, &'static str, f64)>) -> Vec<(Player, &'static str, f64)> {
    let mut sums: Vec<(Player, &'static str, f64)> = Vec::new();
    for (who, name, value) in counted {
        match sums.iter_mut().find(|sum| (sum.0, sum.1) == (who, name)) {
            Some(sum) => sum.2 += value,
            None => sums.push((who, name, value)),
        }
    }
    sums
}
