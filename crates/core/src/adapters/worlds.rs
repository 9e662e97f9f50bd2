//! Worlds that agree with an observer's history, found by replaying the rules against it.

use std::collections::HashMap;

use super::tracked::{Method, Tracked, TrackedInfo, TrackedState, inside};
use crate::history::events_of;
use crate::{Event, Observer, Player, Purpose, Rng, Rules, Seed, Step, Turn};

/// A state of tracked rules.
type State<R> = TrackedState<<R as Rules>::State>;

/// A source of worlds for one decision.
#[derive(Debug)]
pub struct Worlds<R: Rules> {
    known: TrackedInfo,
    found: Found<R>,
}

#[derive(Debug)]
enum Found<R: Rules> {
    /// Worlds with their running totals of weight.
    Listed(Vec<(State<R>, f64)>),
    /// One at a time.
    Search,
}

impl<R: Rules> Worlds<R> {
    /// The worlds in which this is known, prepared by the game's method.
    pub(super) fn of(game: &Tracked<R>, known: &TrackedInfo) -> Worlds<R> {
        let worlds = match game.method {
            Method::Exact { limit } => Worlds::list(game, known, limit),
            Method::Particles { count } => particles(game, known, count),
            Method::Backtracking => None,
        };
        let found = match worlds {
            Some(worlds) if !worlds.is_empty() => Found::Listed(running_totals(worlds)),
            _ => Found::Search,
        };
        Worlds { known: known.clone(), found }
    }

    /// Whether the worlds are at hand; otherwise each is searched for.
    pub fn is_listed(&self) -> bool {
        matches!(self.found, Found::Listed(_))
    }

    /// All worlds with their weights, unless there are more than `limit` at some step.
    ///
    /// Worlds in which the observer is to move come alone if there are any: decisions are made in these.
    pub(super) fn list(game: &Tracked<R>, known: &TrackedInfo, limit: usize) -> Option<Vec<(State<R>, f64)>> {
        let (mut deciding, mut waiting) = (Vec::new(), Vec::new());
        let mut layer = vec![((game.start(), 0), 1.0)];
        while !layer.is_empty() {
            if layer.len() > limit {
                return None;
            }
            let mut next: Vec<((State<R>, usize), f64)> = Vec::new();
            let mut places = HashMap::new();
            for ((state, at), weight) in layer {
                each_agreeing_step(game, known, &state, at, |state, at, p| {
                    let place = *places.entry((state.clone(), at)).or_insert(next.len());
                    if place == next.len() {
                        next.push(((state, at), 0.0));
                    }
                    next[place].1 += weight * p;
                });
                if next.len() > limit {
                    return None;
                }
                if at == known.events.len() {
                    let list = if decides(game, &state, known.by) { &mut deciding } else { &mut waiting };
                    list.push((state, weight));
                }
            }
            layer = next;
        }
        Some(if deciding.is_empty() { waiting } else { deciding })
    }

    /// Overwrites `into` with a world and returns its weight.
    pub(super) fn draw(&mut self, game: &Tracked<R>, rng: &mut Rng, into: &mut State<R>) -> f64 {
        match &self.found {
            Found::Listed(worlds) => {
                let total = worlds.last().map_or(0.0, |w| w.1);
                let at = rng.unit() * total;
                let i = worlds.partition_point(|w| w.1 <= at).min(worlds.len() - 1);
                into.clone_from(&worlds[i].0);
            }
            Found::Search => {
                *into = search(game, &self.known, rng).expect("what is known happened in some world");
            }
        }
        1.0
    }
}

fn running_totals<S>(mut worlds: Vec<(S, f64)>) -> Vec<(S, f64)> {
    let mut total = 0.0;
    for (_, weight) in &mut worlds {
        total += *weight;
        *weight = total;
    }
    worlds
}

fn decides<R: Rules>(game: &Tracked<R>, state: &State<R>, by: Observer) -> bool {
    by.seat().is_some_and(|p| game.turn(state).players().contains(p))
}

/// Shows every successor that agrees with what is known from event `at` on, with the number of events it
/// accounts for and the probability of its chance.
fn each_agreeing_step<R: Rules>(
    game: &Tracked<R>,
    known: &TrackedInfo,
    state: &State<R>,
    at: usize,
    mut with: impl FnMut(State<R>, usize, f64),
) {
    each_step(game, state, |step, p| {
        let mut reached = at;
        for event in events_of(&game.rules, &state.inner, inside(step), known.by) {
            if known.events.get(reached) != Some(&event) {
                return;
            }
            reached += 1;
        }
        let mut next = state.clone();
        game.apply(&mut next, step);
        with(next, reached, p);
    });
}

/// Shows every step that can follow; joint moves in all combinations.
fn each_step<R: Rules>(game: &Tracked<R>, state: &State<R>, mut with: impl FnMut(Step<'_, Tracked<R>>, f64)) {
    let turn = game.turn(state);
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chance(state, &mut outcomes);
        for (outcome, p) in &outcomes {
            with(Step::Chance(outcome), *p);
        }
        return;
    }
    let mut joint: Vec<Vec<(Player, R::Action)>> = vec![Vec::new()];
    for p in turn.players().iter() {
        let mut legal = Vec::new();
        game.actions(state, p, &mut legal);
        joint = joint.iter().flat_map(|m| legal.iter().map(|&a| [&m[..], &[(p, a)]].concat())).collect();
    }
    for moves in joint.iter().filter(|m| !m.is_empty()) {
        with(Step::Moves(moves), 1.0);
    }
}

/// Follows `count` worlds through the history. A world goes on by one of its agreeing steps, in proportion
/// to their probabilities, and its weight is multiplied by their sum; after each step the worlds are drawn
/// anew in proportion to their weights. Worlds that arrive after different numbers of steps stand for as much
/// as the worlds of their step did on average, which is kept as a logarithm because it grows with every step.
fn particles<R: Rules>(game: &Tracked<R>, known: &TrackedInfo, count: usize) -> Option<Vec<(State<R>, f64)>> {
    let mut rng = seed_of(known).stream(Purpose::Sampling);
    let mut running = vec![(game.start(), 0); count];
    let mut arrived: Vec<(State<R>, f64)> = Vec::new();
    let mut stands_for = 0.0;
    while !running.is_empty() {
        let mut next = Vec::with_capacity(running.len());
        for (state, at) in running {
            if at == known.events.len() && decides(game, &state, known.by) {
                arrived.push((state, stands_for));
                continue;
            }
            let mut options = Vec::new();
            each_agreeing_step(game, known, &state, at, |s, at, p| options.push((s, at, p)));
            let total: f64 = options.iter().map(|o| o.2).sum();
            if total > 0.0 {
                let (state, at, _) = options.swap_remove(rng.weighted(options.iter().map(|o| o.2)));
                next.push(((state, at), total));
            }
        }
        let alive = next.len();
        let mut totals = running_totals(next);
        let sum = totals.last().map_or(0.0, |w| w.1);
        stands_for += (sum / alive as f64).ln();
        running = (0..alive)
            .map(|_| {
                let at = rng.unit() * sum;
                totals[totals.partition_point(|w| w.1 <= at).min(alive - 1)].0.clone()
            })
            .collect();
        totals.clear();
    }
    let most = arrived.iter().map(|w| w.1).fold(f64::NEG_INFINITY, f64::max);
    for (_, weight) in &mut arrived {
        *weight = (*weight - most).exp();
    }
    (!arrived.is_empty()).then_some(arrived)
}

/// Particles must be the same for the same knowledge, whoever prepares them.
fn seed_of(known: &TrackedInfo) -> Seed {
    let key = known.events.iter().fold(crate::Key::root(known.by), |key, event: &Event| event.extend(key));
    Seed(key.0 as u64)
}

/// One world, by depth-first search in random order.
fn search<R: Rules>(game: &Tracked<R>, known: &TrackedInfo, rng: &mut Rng) -> Option<State<R>> {
    let mut waiting = None;
    let mut stack = vec![(game.start(), 0)];
    while let Some((state, at)) = stack.pop() {
        if at == known.events.len() {
            if decides(game, &state, known.by) || known.by == Observer::Public {
                return Some(state);
            }
            waiting = waiting.or(Some(state.clone()));
        }
        let mut options = Vec::new();
        each_agreeing_step(game, known, &state, at, |state, at, _| options.push((state, at)));
        rng.shuffle(&mut options);
        stack.extend(options);
    }
    waiting
}
