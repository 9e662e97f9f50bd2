//! Random games: the laws that hold at every step, and a closer look at some positions.

use super::position;
use super::trial::{Trial, after, short};
use super::{Law, random, sampler, steps, written};
use crate::history::events_of;
use crate::{Event, Game, Line, MAX_PLAYERS, Observer, Ply, Rng, Scratch, Turn};

/// How many games are written down and replayed.
const RECORDED: u32 = 12;

/// A position met in play, with all that led to it.
pub(super) struct Position<G: Game> {
    pub(super) line: Line<G>,
    /// What each observer did and saw, seats first, then the public.
    pub(super) events: Vec<Vec<Event>>,
}

impl<G: Game> Position<G> {
    pub(super) fn state(&self) -> &G::State {
        self.line.state()
    }

    /// Where this is, in words.
    pub(super) fn at(&self, game: &G) -> String {
        after(&self.line.names(game))
    }
}

/// Plays random games and tests everything that can be tested without seeing the whole tree.
pub(super) fn laws<G: Game>(t: &mut Trial<'_, G>) {
    if !facts_are_sane(t) {
        return;
    }
    let mut rng = t.rng("play");
    let mut looks = Looks { actions: 12, chances: 12 };
    let (mut steps, mut finished, mut decisions) = (0, 0, 0);
    for number in 0..t.options.games {
        if steps >= t.options.steps {
            break;
        }
        let Some(line) = random_game(t, &mut rng) else { continue };
        steps += line.plies().len() as u64;
        finished += 1;
        decisions += line.plies().iter().filter(|ply| matches!(ply, Ply::Moves(_))).count();
        if number < RECORDED {
            written::record(t, &line);
        }
        look_closer(t, &line, &mut looks, &mut rng);
    }
    t.require(finished > 0, Law::Vacuous, || "no random game was finished".to_string());
    t.require(decisions > 0, Law::Vacuous, || "in no random game did anybody choose".to_string());
}

fn facts_are_sane<G: Game>(t: &mut Trial<'_, G>) -> bool {
    let facts = t.facts.clone();
    let (low, high) = facts.range;
    let range = low.is_finite() && high.is_finite() && low <= high;
    let sane = (1..=MAX_PLAYERS).contains(&facts.players) && range && facts.longest > 0;
    t.require(sane, Law::FactsSane, || format!("{facts:?}"))
}

/// A game of random moves, tested at every step. `None` if it cannot be played to its end.
fn random_game<G: Game>(t: &mut Trial<'_, G>, rng: &mut Rng) -> Option<Line<G>> {
    let game = t.game;
    let mut line = Line::start(game);
    let mut scratch = Scratch::default();
    loop {
        let at = || after(&line.names(game));
        let state = line.state();
        position::laws(t, state, &at);
        if game.turn(state) == Turn::Over {
            return Some(line);
        }
        let longest = t.facts.longest as usize;
        if !t.require(line.plies().len() < longest, Law::Longest, || {
            format!("{}: {longest} steps are made and the game goes on", at())
        }) {
            return None;
        }
        let ply = random_ply(t, state, rng, &mut scratch, &at)?;
        if let Err(why) = line.play(game, ply) {
            t.report(Law::RejectsIllegal, || format!("{}: {why}", after(&line.names(game))));
            return None;
        }
    }
}

/// One random step, if what the game draws can be played.
fn random_ply<G: Game>(
    t: &mut Trial<'_, G>,
    state: &G::State,
    rng: &mut Rng,
    scratch: &mut Scratch<G>,
    at: &dyn Fn() -> String,
) -> Option<Ply<G>> {
    let game = t.game;
    let turn = game.turn(state);
    if turn == Turn::Chance {
        let outcome = game.sample_chance(state, rng);
        let listed = position::outcomes(game, state);
        let fits = listed.is_empty() || listed.iter().any(|(o, _)| *o == outcome);
        let possible = fits && game.is_possible(state, &outcome);
        t.words.learn_outcome(&outcome);
        return t
            .require(possible, Law::ChancePossible, || format!("{}: {outcome:?} was drawn", at()))
            .then_some(Ply::Chance(outcome));
    }
    let mut moves = Vec::new();
    for p in turn.players().iter() {
        let legal = position::legal(game, state, p);
        if legal.is_empty() {
            return None;
        }
        let action = game.random_action(state, p, rng, scratch);
        let well = legal.contains(&action);
        t.require(well, Law::RandomAction, || format!("{}: {action:?} is not legal for player {p}", at()));
        moves.push((p, if well { action } else { *rng.pick(&legal) }));
    }
    Some(Ply::Moves(moves))
}

/// How many positions are still to be tested for frequencies.
pub(super) struct Looks {
    pub(super) actions: u32,
    pub(super) chances: u32,
}

/// Tests some positions of a game in every way.
fn look_closer<G: Game>(t: &mut Trial<'_, G>, line: &Line<G>, looks: &mut Looks, rng: &mut Rng) {
    let game = t.game;
    let plies = line.plies().len();
    let chosen: Vec<usize> = (0..t.options.looks.div_ceil(t.options.games))
        .map(|_| rng.below(plies as u32 + 1) as usize)
        .collect();
    let observers: Vec<Observer> = Observer::all(t.facts.players).collect();
    let mut here = Position { line: Line::start(game), events: vec![Vec::new(); observers.len()] };
    for next in 0..=plies {
        for _ in chosen.iter().filter(|&&at| at == next) {
            look_at(t, &here, looks, rng);
        }
        let Some(ply) = line.plies().get(next) else { break };
        for (&by, events) in observers.iter().zip(&mut here.events) {
            for event in events_of(game, here.line.state(), ply.step(), by) {
                if let Event::Seen(seen) = &event {
                    let empty = game.explain(seen, by).trim().is_empty();
                    t.require(!empty, Law::Explain, || {
                        format!("{}: {seen} is not", short(&line.names(game)))
                    });
                }
                events.push(event);
            }
        }
        if here.line.play(game, ply.clone()).is_err() {
            t.report(Law::Deterministic, || format!("{}: a step is refused that was legal", here.at(game)));
            return;
        }
    }
    let same = here.state() == line.state() && here.line.keys() == line.keys();
    t.require(same, Law::Deterministic, || format!("{}: the same steps lead elsewhere", here.at(game)));
}

fn look_at<G: Game>(t: &mut Trial<'_, G>, here: &Position<G>, looks: &mut Looks, rng: &mut Rng) {
    steps::deterministic(t, here, rng);
    steps::rejects_illegal(t, here);
    written::texts(t, here);
    written::json(t, here);
    random::frequencies(t, here, looks, rng);
    random::playout(t, here, rng);
    sampler::worlds_in_play(t, here, rng);
}
