//! Information sets defined by history.
//!
//! In some games the state does not say what the players have seen: rule sheets in GDL-II, for one. A
//! [`Tracked`] state carries the history of every observer along, so that it determines what each of them
//! knows, and worlds are drawn by replaying the rules against an observer's history ([`Worlds`]).

use std::mem::take;
use std::sync::Arc;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::trail::Trail;
use super::worlds::{Found, Kept, Worlds};
use crate::companions::fingerprint;
use crate::history::events_of;
use crate::{
    Deadline, Episodes, Evaluations, Event, Extras, Facts, FastPlay, Game, MAX_PLAYERS, Memory, Notation,
    Observation, Observer, Player, Policy, Rewards, Rng, Rules, Scene, Scratch, Step, Turn,
};

/// How to find worlds that agree with a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// List them all, and fall back on `Backtracking` if there are more than this many at some point.
    Exact {
        /// The most worlds to keep.
        limit: usize,
    },
    /// Follow this many of them, drawn in proportion to their number (a particle filter).
    Particles {
        /// How many.
        count: usize,
    },
    /// Find one at a time by depth-first search in random order. Never misses one that exists, but some come
    /// up more often than others.
    Backtracking,
}

/// Rules whose states carry what every observer has been through.
#[derive(Clone, Debug)]
pub struct Tracked<R> {
    pub(super) rules: R,
    pub(super) method: Method,
}

/// A state and the history of every observer, the public last; or of nobody, once that is forgotten.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TrackedState<S> {
    /// The state of the rules inside.
    pub inner: S,
    trails: ArrayVec<Trail, { MAX_PLAYERS + 1 }>,
}

/// What an observer knows: what it did and saw.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TrackedInfo {
    /// Who knows it.
    pub by: Observer,
    /// What it did and saw.
    pub events: Vec<Event>,
    /// What was found of the worlds in which this is known.
    #[serde(skip)]
    pub(super) found: Kept,
}

impl TrackedInfo {
    /// What an observer knows who did and saw this.
    pub fn new(by: Observer, events: Vec<Event>) -> TrackedInfo {
        TrackedInfo { by, events, found: Kept::default() }
    }
}

impl<R: Rules> Tracked<R> {
    /// The rules with worlds found by this method.
    pub fn new(rules: R, method: Method) -> Tracked<R> {
        Tracked { rules, method }
    }

    /// Offers worlds that agree with what is known, for a decision in which none is found in time.
    pub fn offer(&self, known: &TrackedInfo, worlds: Vec<TrackedState<R::State>>) {
        known.found.put(Arc::new(Found::<R>::offered(worlds)));
    }

    /// The rules inside.
    pub fn inner(&self) -> &R {
        &self.rules
    }
}

impl<S> TrackedState<S> {
    /// A state of a game for so many players in which nobody remembers anything.
    pub fn forgotten(inner: S, players: usize) -> TrackedState<S> {
        TrackedState { inner, trails: Observer::all(players).map(Trail::start).collect() }
    }

    /// What an observer did and saw.
    pub fn events(&self, by: Observer) -> Vec<Event> {
        self.trail(by).events()
    }

    /// Gives an observer this history for its own.
    pub fn remember(&mut self, by: Observer, events: &[Event]) {
        let mut trail = Trail::start(by);
        for event in events {
            trail.push(event.clone());
        }
        let last = self.trails.len() - 1;
        self.trails[by.seat().map_or(last, Player::index)] = trail;
    }

    fn trail(&self, by: Observer) -> &Trail {
        match by {
            Observer::Seat(p) => &self.trails[p.index()],
            Observer::Public => &self.trails[self.trails.len() - 1],
        }
    }
}

/// The same step, of the rules inside.
pub(super) fn inside<'a, R: Rules>(step: Step<'a, Tracked<R>>) -> Step<'a, R> {
    match step {
        Step::Chance(outcome) => Step::Chance(outcome),
        Step::Moves(moves) => Step::Moves(moves),
    }
}

impl<R: Rules> Rules for Tracked<R> {
    type State = TrackedState<R::State>;
    type Action = R::Action;
    type Outcome = R::Outcome;

    fn facts(&self) -> Facts {
        self.rules.facts()
    }

    fn start(&self) -> Self::State {
        TrackedState::forgotten(self.rules.start(), self.facts().players)
    }

    fn turn(&self, s: &Self::State) -> Turn {
        self.rules.turn(&s.inner)
    }

    fn actions(&self, s: &Self::State, who: Player, out: &mut Vec<R::Action>) {
        self.rules.actions(&s.inner, who, out);
    }

    fn chance(&self, s: &Self::State, out: &mut Vec<(R::Outcome, f64)>) {
        self.rules.chance(&s.inner, out);
    }

    fn sample_chance(&self, s: &Self::State, rng: &mut Rng) -> R::Outcome {
        self.rules.sample_chance(&s.inner, rng)
    }

    fn is_possible(&self, s: &Self::State, outcome: &R::Outcome) -> bool {
        self.rules.is_possible(&s.inner, outcome)
    }

    fn apply(&self, s: &mut Self::State, step: Step<'_, Self>) {
        let step = inside(step);
        let TrackedState { inner, trails } = s;
        if let Some(players) = trails.len().checked_sub(1) {
            for (by, trail) in Observer::all(players).zip(trails) {
                for event in events_of(&self.rules, inner, step, by) {
                    trail.push(event);
                }
            }
        }
        self.rules.apply(inner, step);
    }

    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        self.rules.observe(&before.inner, inside(step), by)
    }

    fn rewards(&self, s: &Self::State) -> Rewards {
        self.rules.rewards(&s.inner)
    }

    fn code(&self, action: R::Action) -> u64 {
        self.rules.code(action)
    }

    fn extras(&self) -> Extras<'_, Self> {
        let inner = self.rules.extras();
        Extras {
            evaluations: inner.evaluations.map(|_| self as _),
            episodes: inner.episodes.map(|_| self as _),
            memory: Some(self),
            ..Extras::NONE
        }
    }
}

impl<R: Notation> Notation for Tracked<R> {
    fn action_name(&self, action: R::Action) -> String {
        self.rules.action_name(action)
    }

    fn parse_action(&self, name: &str) -> Option<R::Action> {
        self.rules.parse_action(name)
    }

    fn outcome_name(&self, outcome: &R::Outcome) -> String {
        self.rules.outcome_name(outcome)
    }

    fn parse_outcome(&self, name: &str) -> Option<R::Outcome> {
        self.rules.parse_outcome(name)
    }

    fn code_name(&self, code: u64) -> Option<String> {
        self.rules.code_name(code)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.rules.explain(seen, by)
    }

    fn ending(&self, end: &Self::State, by: Observer) -> Option<String> {
        self.rules.ending(&end.inner, by)
    }

    fn scene_of(&self, s: &Self::State) -> Scene {
        self.rules.scene_of(&s.inner)
    }

    fn role(&self, s: &Self::State, seat: Player) -> String {
        self.rules.role(&s.inner, seat)
    }
}

impl<R: FastPlay> FastPlay for Tracked<R> {
    /// The rules inside are played out; nobody remembers how.
    fn playout(&self, s: &mut Self::State, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Rewards {
        let (actions, moves) = (take(&mut scratch.actions), take(&mut scratch.moves));
        let mut inner = Scratch { actions, moves };
        let rewards = self.rules.playout(&mut s.inner, rng, &mut inner);
        (scratch.actions, scratch.moves) = (inner.actions, inner.moves);
        rewards
    }

    fn codes(&self) -> Option<usize> {
        self.rules.codes()
    }
}

impl<R: Notation> Game for Tracked<R> {
    type Info = TrackedInfo;
    type Sampler = Worlds<R>;

    fn info(&self, s: &Self::State, by: Observer) -> TrackedInfo {
        TrackedInfo::new(by, s.trail(by).events())
    }

    fn sampler(&self, known: &TrackedInfo) -> Worlds<R> {
        Worlds::of(self, known)
    }

    fn sample(&self, from: &mut Worlds<R>, rng: &mut Rng, into: &mut Self::State) -> f64 {
        from.draw(self, rng, into)
    }

    fn find_worlds(&self, known: &TrackedInfo, before: Option<&TrackedInfo>, until: &Deadline) -> bool {
        Found::find(self, known, before, until)
    }

    fn enumerate(&self, known: &TrackedInfo, out: &mut Vec<(Self::State, f64)>) -> bool {
        Found::list(self, known).map(|worlds| out.extend(worlds)).is_some()
    }

    fn spots(&self, known: &TrackedInfo, _: Player, action: R::Action) -> Vec<String> {
        self.rules.spots_after(known.by, &known.events, action)
    }

    fn scene(&self, known: &TrackedInfo) -> Scene {
        if let Some(scene) = self.rules.scene_after(known.by, &known.events) {
            return scene;
        }
        let lines = known.events.iter().map(|event| match event {
            Event::Own(code) => {
                format!("you: {}", self.rules.code_name(*code).unwrap_or_else(|| format!("#{code}")))
            }
            Event::Seen(seen) => self.rules.explain(seen, known.by),
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        Scene::text(if text.is_empty() { "nothing seen yet".to_string() } else { text })
    }
}

impl<R: Rules> Evaluations<Tracked<R>> for Tracked<R> {
    fn evaluations(&self) -> &'static [Policy] {
        self.rules.extras().evaluations.map_or(&[], Evaluations::evaluations)
    }

    fn evaluate(&self, which: Option<usize>, s: &TrackedState<R::State>, who: Player) -> Option<f64> {
        self.rules.extras().evaluations?.evaluate(which, &s.inner, who)
    }
}

impl<R: Rules> Episodes<Tracked<R>> for Tracked<R> {
    fn episode(&self, s: &TrackedState<R::State>) -> Option<u32> {
        self.rules.extras().episodes?.episode(&s.inner)
    }

    fn features(&self, s: &TrackedState<R::State>, by: Player, out: &mut Vec<u32>) {
        if let Some(episodes) = self.rules.extras().episodes {
            episodes.features(&s.inner, by, out);
        }
    }
}

impl<R: Rules> Memory<Tracked<R>> for Tracked<R> {
    fn drop_history(&self, s: &mut TrackedState<R::State>) {
        s.trails.clear();
        if let Some(memory) = self.rules.extras().memory {
            memory.drop_history(&mut s.inner);
        }
    }

    fn fingerprint(&self, s: &TrackedState<R::State>) -> u64 {
        fingerprint(&self.rules, &s.inner)
    }
}
