//! Random games: the laws that hold at every step, and a closer look at some positions.

use std::collections::HashMap;
use std::rc::Rc;

use super::position::{self, Choices};
use super::subject::{Ply, State, Subject};
use super::trial::{Trial, after};
use super::{Law, beliefs, random, sampler, steps, tensors, written};
use crate::{Event, MAX_PLAYERS, Rng};

/// How many games are written down and replayed.
const RECORDED: u32 = 12;
/// How many legal actions may be listed for every step of [`super::Options::steps`].
const LISTED_PER_STEP: u64 = 100;

/// A position met in play, with all that led to it.
pub(super) struct Position<'a> {
    pub(super) state: State,
    pub(super) plies: &'a [Ply],
    /// What each observer did and saw, seats first, then the public.
    pub(super) events: &'a [Vec<Event>],
}

impl Position<'_> {
    /// Where this is, in words.
    pub(super) fn at(&self, game: &dyn Subject) -> String {
        after(&game.names(self.plies))
    }
}

/// A game played to its end: the steps, and the states before, between and after them.
struct Played {
    plies: Vec<Ply>,
    states: Vec<State>,
}

/// Plays random games and tests everything that can be tested without seeing the whole tree.
pub(super) fn laws(t: &mut Trial<'_>) {
    if !facts_are_sane(t) {
        return;
    }
    let mut rng = t.rng("play");
    let mut met = Met { choices: HashMap::new(), listed: 0 };
    let mut looks = Looks { actions: 12, chances: 12, tensors: tensors::Met::default() };
    let (mut steps, mut finished, mut decisions) = (0, 0, 0);
    for number in 0..t.options.games {
        if steps >= t.options.steps || met.listed >= LISTED_PER_STEP * t.options.steps {
            break;
        }
        let Some(played) = random_game(t, &mut met, &mut rng) else { continue };
        steps += played.plies.len() as u64;
        finished += 1;
        decisions += played.plies.iter().filter(|ply| matches!(ply, Ply::Moves(_))).count();
        let events = look_closer(t, &played, &mut looks, &mut rng);
        if number < RECORDED {
            written::record(t, &played.plies, &events);
        }
    }
    t.require(finished > 0, Law::Vacuous, || "no random game was finished".to_string());
    t.require(decisions > 0, Law::Vacuous, || "in no random game did anybody choose".to_string());
}

fn facts_are_sane(t: &mut Trial<'_>) -> bool {
    let facts = t.facts.clone();
    let (low, high) = facts.utility_bounds;
    let range = low.is_finite() && high.is_finite() && low <= high;
    let sane = (1..=MAX_PLAYERS).contains(&facts.players) && range && facts.max_length > 0;
    t.require(sane, Law::FactsSane, || format!("{facts:?}"))
}

/// The positions met so far: each is tested once.
struct Met {
    choices: HashMap<State, Rc<Choices>>,
    listed: u64,
}

impl Met {
    fn choices(&mut self, t: &mut Trial<'_>, s: State, plies: &[Ply]) -> Rc<Choices> {
        if let Some(choices) = self.choices.get(&s) {
            return Rc::clone(choices);
        }
        let game = t.game;
        let choices = Rc::new(position::laws(t, s, &|| after(&game.names(plies))));
        self.listed += match &*choices {
            Choices::Over => 0,
            Choices::Chance(listed) => listed.len() as u64,
            Choices::Players(players) => players.iter().map(|(_, legal)| legal.len() as u64).sum(),
        };
        self.choices.insert(s, Rc::clone(&choices));
        choices
    }
}

/// A game of random moves, tested at every step. `None` if it cannot be played to its end.
fn random_game(t: &mut Trial<'_>, met: &mut Met, rng: &mut Rng) -> Option<Played> {
    let game = t.game;
    let mut played = Played { plies: Vec::new(), states: vec![game.start()] };
    loop {
        let Played { plies, states } = &mut played;
        let s = *states.last().expect("there is a start");
        let choices = met.choices(t, s, plies);
        if matches!(*choices, Choices::Over) {
            return Some(played);
        }
        let at = || after(&game.names(&*plies));
        let longest = t.facts.max_length as usize;
        if !t.require(plies.len() < longest, Law::Longest, || {
            format!("{}: {longest} steps are made and the game goes on", at())
        }) {
            return None;
        }
        let ply = random_ply(t, s, &choices, rng, &at)?;
        match game.play(s, &ply) {
            Ok(next) => states.push(next),
            Err(refused) => {
                t.report(Law::RejectsIllegal, || format!("{}: {}", at(), refused.why));
                return None;
            }
        }
        plies.push(ply);
    }
}

/// One random step, if what the game draws can be played.
fn random_ply(
    t: &mut Trial<'_>,
    s: State,
    choices: &Choices,
    rng: &mut Rng,
    at: &dyn Fn() -> String,
) -> Option<Ply> {
    let game = t.game;
    match choices {
        Choices::Over => None,
        Choices::Chance(listed) => {
            let outcome = game.sample_chance(s, rng);
            let fits = listed.is_empty() || listed.iter().any(|&(o, _)| o == outcome);
            t.require(fits && game.is_possible(s, outcome), Law::ChancePossible, || {
                format!("{}: {} was drawn", at(), game.outcome_text(outcome))
            })
            .then_some(Ply::Chance(outcome))
        }
        Choices::Players(players) => {
            if players.iter().any(|(_, legal)| legal.is_empty()) {
                return None;
            }
            let mut moves = Vec::new();
            for (p, legal) in players {
                let action = game.random_action(s, *p, rng);
                let well = t.require(legal.contains(&action), Law::RandomAction, || {
                    format!("{}: {} is not legal for player {p}", at(), game.action_text(action))
                });
                moves.push((*p, if well { action } else { *rng.pick(legal) }));
            }
            Some(Ply::Moves(moves))
        }
    }
}

/// How many positions are still to be tested for frequencies, and what was seen at those before.
pub(super) struct Looks {
    pub(super) actions: u32,
    pub(super) chances: u32,
    pub(super) tensors: tensors::Met,
}

/// Plays a game again and tests some of its positions in every way. Answers what everybody did and saw.
fn look_closer(t: &mut Trial<'_>, played: &Played, looks: &mut Looks, rng: &mut Rng) -> Vec<Vec<Event>> {
    let game = t.game;
    let count = played.states.len() as u32;
    let share = u64::from(t.options.looks) * u64::from(count) / t.options.steps.max(1);
    let fewest = u64::from(t.options.looks.div_ceil(t.options.games.max(1)));
    let chosen: Vec<usize> = (0..share.max(fewest)).map(|_| rng.below(count) as usize).collect();
    let mut events = vec![Vec::new(); t.observers().count()];
    for (step, &state) in played.states.iter().enumerate() {
        let here = Position { state, plies: &played.plies[..step], events: &events };
        for _ in chosen.iter().filter(|&&at| at == step) {
            look_at(t, &here, looks, rng);
        }
        let Some(ply) = played.plies.get(step) else { break };
        for (by, events) in t.observers().zip(&mut events) {
            for event in game.events(state, ply, by) {
                if let Event::Seen(seen) = &event {
                    let empty = game.explain(seen, by).trim().is_empty();
                    t.require(!empty, Law::Explain, || {
                        format!("{}: {by} sees '{seen}'", after(&game.names(&played.plies[..=step])))
                    });
                }
                events.push(event);
            }
        }
        t.require(game.apply(state, ply) == played.states[step + 1], Law::Deterministic, || {
            format!("{}: the same step leads elsewhere", after(&game.names(&played.plies[..=step])))
        });
    }
    events
}

fn look_at(t: &mut Trial<'_>, here: &Position<'_>, looks: &mut Looks, rng: &mut Rng) {
    steps::deterministic(t, here, rng);
    steps::rejects_illegal(t, here);
    written::texts(t, here);
    written::json(t, here);
    random::frequencies(t, here, looks, rng);
    random::playout(t, here, rng);
    sampler::worlds_in_play(t, here, rng);
    beliefs::in_play(t, here, rng);
    tensors::in_play(t, here, &mut looks.tensors);
}
