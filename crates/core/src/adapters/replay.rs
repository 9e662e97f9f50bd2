//! Ways through an observer's history: all of them, some of them followed together, or one by searching.

use std::collections::{HashMap, HashSet};

use super::tracked::{Tracked, TrackedInfo, TrackedState, inside};
use crate::{Deadline, Event, Observer, Player, Purpose, Rng, Rules, Seed, Step, Turn};

/// A state of tracked rules.
pub(super) type State<R> = TrackedState<<R as Rules>::State>;

/// There was no time, or the limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GaveUp;

/// All worlds with their weights, unless there are more than `limit` at some step.
///
/// Worlds in which the observer is to move come alone if there are any: decisions are made in these.
pub(super) fn list<R: Rules>(
    game: &Tracked<R>,
    known: &TrackedInfo,
    limit: usize,
    until: &Deadline,
) -> Result<Vec<(State<R>, f64)>, GaveUp> {
    let (mut deciding, mut waiting) = (Vec::new(), Vec::new());
    let mut layer = vec![((game.start(), 0), 1.0)];
    while !layer.is_empty() {
        if layer.len() > limit {
            return Err(GaveUp);
        }
        let mut next: Vec<((State<R>, usize), f64)> = Vec::new();
        let mut places = HashMap::new();
        for ((state, at), weight) in layer {
            each_agreeing_step(game, known, (&state, at), until, |state, at, p| {
                let place = *places.entry((state.clone(), at)).or_insert(next.len());
                if place == next.len() {
                    next.push(((state, at), 0.0));
                }
                next[place].1 += weight * p;
            })?;
            if next.len() > limit {
                return Err(GaveUp);
            }
            if at == known.events.len() {
                let list = if decides(game, &state, known.by) { &mut deciding } else { &mut waiting };
                list.push((state, weight));
            }
        }
        layer = next;
    }
    Ok(if deciding.is_empty() { waiting } else { deciding })
}

fn decides<R: Rules>(game: &Tracked<R>, state: &State<R>, by: Observer) -> bool {
    by.seat().is_some_and(|p| game.turn(state).players().contains(p))
}

/// Shows every successor that agrees with what is known from event `at` on, with the number of events it
/// accounts for and the probability of its chance.
fn each_agreeing_step<R: Rules>(
    game: &Tracked<R>,
    known: &TrackedInfo,
    (state, at): (&State<R>, usize),
    until: &Deadline,
    mut with: impl FnMut(State<R>, usize, f64),
) -> Result<(), GaveUp> {
    each_step(game, state, |step, p| {
        let mut reached = at;
        let mut agrees = |event: Event| {
            let agrees = known.events.get(reached) == Some(&event);
            reached += 1;
            agrees
        };
        let inner = inside(step);
        // What it did is compared first: to find out what it saw may take long.
        let own = known.by.seat().and_then(|p| inner.action_of(p));
        if own.is_some_and(|action| !agrees(Event::Own(game.code(action)))) {
            return Ok(());
        }
        if until.has_passed() {
            return Err(GaveUp);
        }
        let seen = game.rules.observe(&state.inner, inner, known.by);
        if seen.is_some_and(|seen| !agrees(Event::Seen(seen))) {
            return Ok(());
        }
        let mut next = state.clone();
        game.apply(&mut next, step);
        with(next, reached, p);
        Ok(())
    })
}

/// Shows every step that can follow; joint moves in all combinations.
fn each_step<R: Rules>(
    game: &Tracked<R>,
    state: &State<R>,
    mut with: impl FnMut(Step<'_, Tracked<R>>, f64) -> Result<(), GaveUp>,
) -> Result<(), GaveUp> {
    let turn = game.turn(state);
    if turn == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chance(state, &mut outcomes);
        return outcomes.iter().try_for_each(|(outcome, p)| with(Step::Chance(outcome), *p));
    }
    let mut joint: Vec<Vec<(Player, R::Action)>> = vec![Vec::new()];
    for p in turn.players().iter() {
        let mut legal = Vec::new();
        game.actions(state, p, &mut legal);
        joint = joint.iter().flat_map(|m| legal.iter().map(|&a| [&m[..], &[(p, a)]].concat())).collect();
    }
    joint.iter().filter(|m| !m.is_empty()).try_for_each(|moves| with(Step::Moves(moves), 1.0))
}

/// Makes weights running totals.
pub(super) fn running_totals<S>(mut worlds: Vec<(S, f64)>) -> Vec<(S, f64)> {
    let mut total = 0.0;
    for (_, weight) in &mut worlds {
        total += *weight;
        *weight = total;
    }
    worlds
}

/// Draws one of some things with running totals.
pub(super) fn draw_one<'a, S>(worlds: &'a [(S, f64)], rng: &mut Rng) -> &'a S {
    let at = rng.unit() * worlds.last().map_or(0.0, |w| w.1);
    &worlds[worlds.partition_point(|w| w.1 <= at).min(worlds.len() - 1)].0
}

/// Follows worlds, each with the events it accounts for, through the rest of the history. A world goes on by one of
/// its agreeing steps, in proportion to their probabilities, and its weight is multiplied by their sum; after each step
/// the worlds are drawn anew in proportion to their weights. Worlds that arrive after different numbers of steps stand
/// for as much as the worlds of their step did on average, which is kept as a logarithm because it grows with every
/// step.
pub(super) fn particles<R: Rules>(
    game: &Tracked<R>,
    known: &TrackedInfo,
    mut running: Vec<(State<R>, usize)>,
    until: &Deadline,
) -> Result<Vec<(State<R>, f64)>, GaveUp> {
    let mut rng = seed_of(known).stream(Purpose::Sampling);
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
            each_agreeing_step(game, known, (&state, at), until, |s, at, p| options.push((s, at, p)))?;
            let total: f64 = options.iter().map(|o| o.2).sum();
            if total > 0.0 {
                let (state, at, _) = options.swap_remove(rng.weighted(options.iter().map(|o| o.2)));
                next.push(((state, at), total));
            }
        }
        let alive = next.len();
        let totals = running_totals(next);
        stands_for += (totals.last().map_or(0.0, |w| w.1) / alive as f64).ln();
        running = (0..alive).map(|_| draw_one(&totals, &mut rng).clone()).collect();
    }
    let most = arrived.iter().map(|w| w.1).fold(f64::NEG_INFINITY, f64::max);
    for (_, weight) in &mut arrived {
        *weight = (*weight - most).exp();
    }
    Ok(arrived)
}

/// Particles must be the same for the same knowledge, whoever prepares them.
pub(super) fn seed_of(known: &TrackedInfo) -> Seed {
    let key = known.events.iter().fold(crate::Key::root(known.by), |key, event: &Event| event.extend(key));
    Seed(key.0 as u64)
}

/// One world, by depth-first search in random order; `None` if there is none. Gives up after looking at `most` states.
/// States that differ only in what somebody remembers lead to a world all or none, so one of them is looked at.
pub(super) fn search<R: Rules>(
    game: &Tracked<R>,
    known: &TrackedInfo,
    rng: &mut Rng,
    most: usize,
    until: &Deadline,
) -> Result<Option<State<R>>, GaveUp> {
    let mut waiting = None;
    let mut met = HashSet::new();
    let mut stack = vec![(game.start(), 0)];
    while let Some((state, at)) = stack.pop() {
        if at == known.events.len() {
            if decides(game, &state, known.by) || known.by == Observer::Public {
                return Ok(Some(state));
            }
            waiting = waiting.or(Some(state.clone()));
        }
        if met.len() >= most {
            return Err(GaveUp);
        }
        if !met.insert((state.inner.clone(), at)) {
            continue;
        }
        let mut options = Vec::new();
        each_agreeing_step(game, known, (&state, at), until, |state, at, _| options.push((state, at)))?;
        rng.shuffle(&mut options);
        stack.extend(options);
    }
    Ok(waiting)
}
