//! The particle filter: beliefs about the hidden part, led along what the searcher does and sees.
//!
//! There are two beliefs: what the searcher believes, and what an outsider would who sees only what everybody
//! sees. At every observed step the rules speak first: a value that may have changed spreads, what has become
//! impossible is gone. Then, if players chose the step and it was not the only one possible, the counts of the
//! searcher's last search at that place change the beliefs (Whitehouse 2014, Algorithm 7).

use fogtree_core::history::Event;
use fogtree_core::{
    Info, InfoSet, Key, Model, Observation, Observer, Player, Purpose, Rng, Seed, Turn, World, world::Beliefs,
};

use super::Inference;
use super::belief::{Evidence, infer, revive};
use super::counts::{Counts, Mover};
use crate::exact::belief::own_action;
use crate::kit::keyed::key_of;
use crate::kit::steps::agreeing;
use crate::kit::steps::each_step;
use fogtree_core::SearchKey;

/// How many worlds are tried to find out what was known between two decisions,
const WORLDS: u32 = 32;
/// and how many steps in all of them.
const STEPS: u32 = 20_000;

/// Where a belief stands in the counts of the last search.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    /// What was done and seen since the root,
    key: SearchKey,
    /// and the last place on that way at which the search has been.
    place: SearchKey,
    /// The visits of the root.
    iterations: u64,
}

impl Cursor {
    fn at_root(root: SearchKey, counts: &Counts, values: usize) -> Cursor {
        Cursor { key: root, place: root, iterations: counts.at(root, values).iter().sum() }
    }
}

/// What was known after some of the events since the last decision.
struct Stage<K> {
    events: usize,
    own: K,
    public: K,
    /// What the public saw of the step that led here.
    seen: Option<Observation>,
}

/// How somebody learns from an observed move, and what the rules have to say to it; empty where nobody asks.
struct Lesson {
    inference: Inference,
    /// What the rules alone make likely.
    prior: Vec<f64>,
}

impl Lesson {
    /// For somebody who knows this after the move.
    fn of(part: &dyn Beliefs, known: &Info, inference: Inference) -> Lesson {
        let mut lesson = Lesson { inference, prior: Vec::new() };
        if inference.revive > 0.0 {
            lesson.prior.resize(part.values(), 0.0);
            part.prior(known, &mut lesson.prior);
        }
        lesson
    }

    /// Changes a belief by what a search says about the move.
    fn teach(&self, belief: &mut [f64], evidence: Evidence<'_>) {
        let Inference { rule, revive: share, .. } = self.inference;
        infer(belief, evidence, rule);
        if share > 0.0 && evidence.after.iter().any(|count| *count > 0) {
            revive(belief, &self.prior, share);
        }
    }
}

/// The lessons of the searcher and of the public.
struct Lessons {
    own: Lesson,
    public: Lesson,
}

/// The counts of the last search, by the searcher's way and by the public's.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) own: &'a Counts,
    pub(super) outside: &'a Counts,
}

/// The beliefs of one seat in one game.
pub(super) struct Filter {
    seat: Player,
    /// What the searcher believes, and what an outsider would.
    pub(super) phi: Vec<f64>,
    pub(super) psi: Vec<f64>,
    /// What the searcher and the public knew at the last decision.
    known: Info,
    pub(super) public: Info,
    /// The events taken into account, and the key after them.
    heard: usize,
    key: Key,
    own: Option<Cursor>,
    outside: Option<Cursor>,
}

impl Filter {
    /// The beliefs of somebody who has drawn no conclusions from what the others did.
    pub(super) fn new(game: &dyn Model, part: &dyn Beliefs, info: &InfoSet) -> Filter {
        let mut phi = vec![0.0; part.values()];
        let mut psi = phi.clone();
        let public = public_known(game, &info.known, &mut Seed(0).stream(Purpose::Sampling));
        part.prior(&info.known, &mut phi);
        part.prior(&public, &mut psi);
        Filter {
            seat: info.seat,
            phi,
            psi,
            known: info.known.clone(),
            public,
            heard: info.events.len(),
            key: info.key,
            own: None,
            outside: None,
        }
    }

    /// Whether these are beliefs about an earlier point of the same game, or the same.
    pub(super) fn leads_to(&self, info: &InfoSet) -> bool {
        let heard = info.events.get(..self.heard);
        self.seat == info.seat && heard.is_some_and(|events| key_of(self.seat, events) == self.key)
    }

    /// A search has begun anew at the last decision: its counts tell about what comes.
    pub(super) fn follow(&mut self, roots: (SearchKey, SearchKey), found: Found<'_>) {
        self.own = Some(Cursor::at_root(roots.0, found.own, self.phi.len()));
        self.outside = Some(Cursor::at_root(roots.1, found.outside, self.psi.len()));
    }

    /// What the searcher knows of the hidden part for itself.
    pub(super) fn private(&self, part: &dyn Beliefs) -> Option<u64> {
        self.phi.iter().position(|p| *p > 0.0).map(|value| part.private(value, self.seat))
    }

    /// Takes into account what the seat did and saw since the last decision.
    pub(super) fn update(
        &mut self,
        game: &dyn Model,
        part: &dyn Beliefs,
        info: &InfoSet,
        inference: Option<Inference>,
        found: Found<'_>,
    ) {
        let events = &info.events[self.heard..];
        if events.is_empty() {
            return;
        }
        let after = info.known.clone();
        let public = public_known(game, &after, &mut Seed(0).stream(Purpose::Sampling));
        let lessons = |own: &Info, public: &Info| {
            let of = |known, inference| Lesson::of(part, known, inference);
            inference.map(|inference| Lessons { own: of(own, inference), public: of(public, inference) })
        };
        match stages(game, &self.known, self.seat, events) {
            Some(stages) => {
                let mut heard = 0;
                for stage in stages {
                    part.propagate(&mut self.phi, &self.known, &stage.own);
                    part.propagate(&mut self.psi, &self.public, &stage.public);
                    if let Some(lessons) = lessons(&stage.own, &stage.public) {
                        self.hear(&events[heard..stage.events], &lessons, found, false);
                        self.hear_outside(stage.seen.as_ref(), &lessons.public, found.outside);
                    }
                    heard = stage.events;
                    (self.known, self.public) = (stage.own, stage.public);
                }
            }
            None => {
                part.propagate(&mut self.phi, &self.known, &after);
                part.propagate(&mut self.psi, &self.public, &public);
                if let Some(lessons) = lessons(&after, &public) {
                    self.hear(events, &lessons, found, true);
                }
            }
        }
        // Whatever was inferred, what is known now has the last word.
        part.propagate(&mut self.phi, &after, &after);
        part.propagate(&mut self.psi, &public, &public);
        (self.known, self.public) = (after, public);
        (self.heard, self.key) = (info.events.len(), info.key);
    }

    /// Leads the searcher's cursor along events and changes its belief by the counts found on the way; also the
    /// outsider's, if what the public saw must be found out from the search.
    fn hear(&mut self, events: &[Event], lessons: &Lessons, found: Found<'_>, both: bool) {
        let Some(mut cursor) = self.own else { return };
        for event in events {
            cursor.key = cursor.key.after(std::slice::from_ref(event));
            let Some(mover) = found.own.mover(cursor.key) else { continue };
            let learns = match mover {
                Mover::Other => true,
                Mover::Several => lessons.own.inference.on_reveal,
                Mover::Chance | Mover::Own => false,
            };
            advance(&mut self.phi, &mut cursor, found.own, learns, &lessons.own);
            if let Some(public) = found.own.linked(cursor.key).filter(|_| both) {
                self.arrive_outside(public, &lessons.public, found.outside);
            }
        }
        self.own = Some(cursor);
    }

    /// The public has seen a step.
    fn hear_outside(&mut self, seen: Option<&Observation>, lesson: &Lesson, counts: &Counts) {
        if let Some(cursor) = self.outside {
            self.arrive_outside(cursor.key.seen(seen), lesson, counts);
        }
    }

    /// Leads the outsider's cursor to a place, and its belief.
    fn arrive_outside(&mut self, to: SearchKey, lesson: &Lesson, counts: &Counts) {
        let Some(cursor) = self.outside.as_mut().filter(|cursor| cursor.key != to) else { return };
        cursor.key = to;
        let Some(mover) = counts.mover(to) else { return };
        let learns = match mover {
            Mover::Other => true,
            Mover::Several => lesson.inference.on_reveal,
            Mover::Own => lesson.inference.from_self,
            Mover::Chance => false,
        };
        advance(&mut self.psi, cursor, counts, learns, lesson);
    }
}

/// Moves a cursor to the place its key names, and the belief with it.
fn advance(belief: &mut [f64], cursor: &mut Cursor, counts: &Counts, learns: bool, lesson: &Lesson) {
    if learns && counts.has_alternatives(cursor.place) {
        let before = counts.at(cursor.place, belief.len());
        let after = counts.at(cursor.key, belief.len());
        lesson.teach(belief, Evidence { before: &before, after: &after, iterations: cursor.iterations });
    }
    cursor.place = cursor.key;
}

/// What a seat and the public knew after each step of which the seat noticed something: taken from any line of
/// play from a world of the information set `from` that looks the same to the seat. `None` if none was found.
fn stages(game: &dyn Model, from: &Info, seat: Player, events: &[Event]) -> Option<Vec<Stage<Info>>> {
    let mut rng = Seed(events.len() as u64).stream(Purpose::Sampling);
    let mut sampler = game.sampler(from);
    let mut world = game.start();
    let mut walk = Walk { game, seat, events, left: STEPS, stages: Vec::new() };
    for _ in 0..WORLDS {
        sampler.sample(&mut rng, &mut *world);
        if walk.arrives(&*world, 0) {
            walk.stages.reverse();
            return Some(walk.stages);
        }
        if walk.left == 0 {
            break;
        }
    }
    None
}

/// What the public knows in the worlds of an information set, the same in all of them.
fn public_known(game: &dyn Model, known: &Info, rng: &mut Rng) -> Info {
    let mut world = game.start();
    (game.sampler(known)).sample(rng, &mut *world);
    world.info(Observer::Public)
}

struct Walk<'a> {
    game: &'a dyn Model,
    seat: Player,
    events: &'a [Event],
    left: u32,
    /// The last first.
    stages: Vec<Stage<Info>>,
}

impl Walk<'_> {
    /// Whether all events from this one on can come about from a state.
    fn arrives(&mut self, state: &dyn World, at: usize) -> bool {
        if at == self.events.len() {
            return true;
        }
        let game = self.game;
        let turn = state.turn();
        let own = match self.events[at] {
            Event::Own(code) if turn.players().contains(self.seat) => {
                own_action(game, state, self.seat, code)
            }
            _ => None,
        };
        if turn == Turn::Terminal || own.is_none() && turn.players().contains(self.seat) {
            return false;
        }
        let mut arrived = false;
        each_step(state, own.map(|a| (self.seat, a)), |step, _| {
            if arrived || self.left == 0 {
                return;
            }
            self.left -= 1;
            let Some(events) = agreeing(game, state, step, self.seat, self.events, at) else { return };
            let after = state.after(step);
            arrived = self.arrives(&*after, events);
            if arrived && events > at {
                let known = |by| after.info(by);
                let (own, public) = (known(Observer::Seat(self.seat)), known(Observer::Public));
                let seen = state.observe(step, Observer::Public);
                self.stages.push(Stage { events, own, public, seen });
            }
        });
        arrived
    }
}
