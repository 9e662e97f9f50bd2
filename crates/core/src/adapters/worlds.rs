//! Worlds that agree with an observer's history, found by replaying the rules against it.
//!
//! Where worlds cannot be listed, each is searched for. A search that takes too long is not repeated: worlds followed
//! together through the history (particles) are drawn from instead.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::replay::{GaveUp, State, draw_one, list, particles, running_totals, search, seed_of};
use super::tracked::{Method, Tracked, TrackedInfo};
use crate::{Deadline, Purpose, Rng, Rules};

/// The most states that one world is searched in, where there is no clock.
const MOST_STATES: usize = 20_000;
/// How many worlds are followed together: more and more, as long as there is time.
const COUNTS: [usize; 3] = [16, 128, 1024];
/// The most worlds that are remembered.
const REMEMBERED: usize = 512;

/// A source of worlds for one decision.
#[derive(Debug)]
pub struct Worlds<R: Rules> {
    known: TrackedInfo,
    found: Arc<Found<R>>,
}

/// What was found out about the worlds of an information set.
#[derive(Debug)]
pub(super) struct Found<R: Rules> {
    until: Deadline,
    /// Worlds with their running totals of weight; where there are none, each is searched for.
    listed: Vec<(State<R>, f64)>,
    /// Worlds of the same observer at an earlier time, and the events they account for.
    earlier: Option<(Arc<Found<R>>, usize)>,
    /// Worlds that were searched for, and some more.
    met: Mutex<Vec<State<R>>>,
    /// Likewise followed together, after a search took too long.
    particles: OnceLock<Vec<(State<R>, f64)>>,
}

impl<R: Rules> Worlds<R> {
    /// The worlds in which this is known: what was found of them, or else prepared by the game's method.
    pub(super) fn of(game: &Tracked<R>, known: &TrackedInfo) -> Worlds<R> {
        let found = known.found.get().unwrap_or_else(|| {
            Arc::new(Found::new(list_by_method(game, known, &Deadline::NEVER), Deadline::NEVER))
        });
        Worlds { known: known.clone(), found }
    }

    /// Whether the worlds are at hand; otherwise each is searched for.
    pub fn is_listed(&self) -> bool {
        !self.found.listed.is_empty()
    }

    /// Overwrites `into` with a world and returns its weight.
    pub(super) fn draw(&mut self, game: &Tracked<R>, rng: &mut Rng, into: &mut State<R>) -> f64 {
        self.found.draw(game, &self.known, rng, into);
        1.0
    }
}

fn list_by_method<R: Rules>(
    game: &Tracked<R>,
    known: &TrackedInfo,
    until: &Deadline,
) -> Vec<(State<R>, f64)> {
    let worlds = match game.method {
        Method::Exact { limit } => list(game, known, limit, until),
        Method::Particles { count } => particles(game, known, vec![(game.start(), 0); count], until),
        Method::Backtracking => Err(GaveUp),
    };
    running_totals(worlds.unwrap_or_default())
}

impl<R: Rules> Found<R> {
    fn new(listed: Vec<(State<R>, f64)>, until: Deadline) -> Found<R> {
        Found { until, listed, earlier: None, met: Mutex::default(), particles: OnceLock::new() }
    }

    /// Worlds that somebody else has found.
    pub(super) fn offered(worlds: Vec<State<R>>) -> Found<R> {
        Found { met: Mutex::new(worlds), ..Found::new(Vec::new(), Deadline::NEVER) }
    }

    /// All worlds with their weights, if they can be listed in time.
    pub(super) fn list(game: &Tracked<R>, known: &TrackedInfo) -> Option<Vec<(State<R>, f64)>> {
        let found = known.found.get::<Found<R>>();
        let until = found.as_ref().map_or(&Deadline::NEVER, |found| &found.until);
        list(game, known, usize::MAX, until).ok()
    }

    /// Looks for worlds; answers whether there is one. A quarter of the time is for listing them all, another for the
    /// search for one.
    pub(super) fn find(
        game: &Tracked<R>,
        known: &TrackedInfo,
        before: Option<&TrackedInfo>,
        until: &Deadline,
    ) -> bool {
        let there = known.found.get::<Found<R>>().map(|found| found.all()).unwrap_or_default();
        let whole = until.share(0.5);
        let mut found = Found::new(list_by_method(game, known, &whole.share(0.25)), until.clone());
        if found.listed.is_empty() {
            let earlier =
                before.filter(|before| known.events.starts_with(&before.events) && until.is_timed());
            let earlier = earlier.and_then(|info| Some((info.found.get::<Found<R>>()?, info.events.len())));
            found.earlier = earlier.map(|(found, at)| (found.without_earlier(), at));
            found.met = Mutex::new(there.into_iter().map(|w| w.0).take(REMEMBERED).collect());
            let mut rng = seed_of(known).named("first").stream(Purpose::Sampling);
            match search(game, known, &mut rng, MOST_STATES, &whole.share(1.0 / 3.0)) {
                Ok(Some(world)) => found.remember(&world),
                Ok(None) => {}
                Err(GaveUp) => _ = found.particles.set(found.follow(game, known, &whole)),
            }
            if found.remembered().is_empty() && found.particles.get().is_none_or(Vec::is_empty) {
                match search(game, known, &mut rng, usize::MAX, &whole) {
                    Ok(Some(world)) => found.remember(&world),
                    Ok(None) | Err(GaveUp) => return false,
                }
            }
        }
        known.found.put(Arc::new(found));
        true
    }

    fn draw(&self, game: &Tracked<R>, known: &TrackedInfo, rng: &mut Rng, into: &mut State<R>) {
        if !self.listed.is_empty() {
            into.clone_from(draw_one(&self.listed, rng));
            return;
        }
        if self.particles.get().is_none() {
            let most = if self.until.is_timed() { 64 + 16 * known.events.len() } else { MOST_STATES };
            match search(game, known, rng, most, &self.until) {
                Ok(world) => {
                    *into = world.expect("what is known happened in some world");
                    return self.remember(into);
                }
                Err(GaveUp) => {
                    self.particles.get_or_init(|| self.follow(game, known, &self.until.share(0.25)));
                }
            }
        }
        let followed = self.particles.get().filter(|followed| !followed.is_empty());
        match followed {
            Some(followed) => into.clone_from(draw_one(followed, rng)),
            None => match &self.remembered()[..] {
                [] => {
                    let world = search(game, known, rng, usize::MAX, &Deadline::NEVER).ok().flatten();
                    *into = world.expect("what is known happened in some world");
                    self.remember(into);
                }
                worlds => into.clone_from(rng.pick(worlds)),
            },
        }
    }

    /// Worlds followed together: from those of an earlier time, if some get here, else from the start.
    fn follow(&self, game: &Tracked<R>, known: &TrackedInfo, until: &Deadline) -> Vec<(State<R>, f64)> {
        let mut rng = seed_of(known).named("earlier").stream(Purpose::Sampling);
        let start = [(game.start(), 1.0)];
        let earlier = self.earlier.as_ref().map(|(found, at)| (found.all(), *at));
        let earlier = earlier.as_ref().map(|(worlds, at)| (&worlds[..], *at)).filter(|e| !e.0.is_empty());
        for (worlds, at) in earlier.into_iter().chain([(&start[..], 0)]) {
            let mut best = Vec::new();
            for count in COUNTS {
                let running = (0..count).map(|_| (draw_one(worlds, &mut rng).clone(), at)).collect();
                match particles(game, known, running, until) {
                    Ok(arrived) if arrived.is_empty() => {}
                    Ok(arrived) => best = arrived,
                    Err(GaveUp) => break,
                }
            }
            if !best.is_empty() {
                return running_totals(best);
            }
        }
        Vec::new()
    }

    fn remember(&self, world: &State<R>) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        if met.len() < REMEMBERED {
            met.push(world.clone());
        }
    }

    fn remembered(&self) -> Vec<State<R>> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All worlds that are at hand, with running totals.
    fn all(&self) -> Vec<(State<R>, f64)> {
        if !self.listed.is_empty() {
            return self.listed.clone();
        }
        match self.particles.get() {
            Some(followed) if !followed.is_empty() => followed.clone(),
            _ => running_totals(self.remembered().into_iter().map(|world| (world, 1.0)).collect()),
        }
    }

    /// The worlds alone: a chain of earlier times would keep a whole match.
    fn without_earlier(&self) -> Arc<Found<R>> {
        Arc::new(Found::new(self.all(), self.until.clone()))
    }
}

/// What was found about the worlds of an information set, which is no part of what is known.
#[derive(Default)]
pub(super) struct Kept(Mutex<Option<Arc<dyn Any + Send + Sync>>>);

impl Kept {
    fn whatever(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.whatever()?.downcast().ok()
    }

    pub(super) fn put<T: Send + Sync + 'static>(&self, found: Arc<T>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
    }
}

impl Clone for Kept {
    fn clone(&self) -> Kept {
        Kept(Mutex::new(self.whatever()))
    }
}

impl PartialEq for Kept {
    fn eq(&self, _: &Kept) -> bool {
        true
    }
}

impl Eq for Kept {}

impl Hash for Kept {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}
