//! Which states the game may be in, and how likely each is, tracked from move to move.
//!
//! Between two of its decisions the searcher follows every continuation that it cannot tell from what happened;
//! chance weighs by its probabilities, the opponent by how often the searcher's own search let it choose the
//! same (Lisý 2014, Fig. 3.5; `equilibrium/2.6.4`, read in the information set in which the opponent acts,
//! `equilibrium/ER-11`), or by a model of it that was given.
//!
//! If nothing that is followed agrees with what happened, the history that was told cannot have come about
//! by the rules; the searcher then gives up tracking and draws worlds from what it knows
//! (`equilibrium/7.1.8`; the source plays at random to the end of the match).

use std::collections::HashMap;

use fogtree_core::Event;
use fogtree_core::world::events_of;
use fogtree_core::{Deadline, InfoSet, Key, Model, Move, Observer, Player, Turn, World, WorldStep};

use super::table::Table;
use crate::kit::insertion_sort;
use crate::kit::keyed::{KeyMap, key_of, keys_after, start_keys};

/// More states than this are not tracked,
const MOST_STATES: usize = 200_000;
/// nor are those that take more steps to find.
const MOST_STEPS: u32 = 1_000_000;
/// Fewer where tracking can go on from worlds that are drawn.
const MOST_STEPS_ABSTRACTED: u32 = 30_000;
/// After so many steps the clock is looked at.
const LOOK: u32 = 16;

/// What the opponent is expected to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opponent<'a> {
    /// Its choices in the search so far.
    pub(super) table: &'a Table,
    /// Its strategies, where they are known: how likely each legal action is, in their order.
    pub(super) model: &'a KeyMap<Vec<f64>>,
}

/// The keys of both seats in a state, where players remember less than they could.
pub(super) type Abstracted<'a> = Option<&'a dyn Fn(&dyn World) -> [Key; 2]>;

/// A state the game may be in, with the keys of both seats.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) state: Box<dyn World>,
    pub(super) keys: [Key; 2],
    pub(super) p: f64,
}

/// How tracking went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tracked {
    /// The candidates are known.
    Fully,
    /// Some information sets of the opponent were never searched: it was taken to choose uniformly there.
    Guessing,
    /// There are too many candidates or none, chance cannot be listed, the history is not given, or time is up.
    Lost,
}

/// The states the game may be in.
#[derive(Debug)]
pub(super) struct Beliefs {
    seat: Player,
    candidates: Vec<Candidate>,
    /// The events taken into account, and the seat's key after them.
    taken: usize,
    key: Key,
    fresh: bool,
    lost: bool,
}

impl Beliefs {
    /// At the start of a game there is only one state.
    pub(super) fn start(rules: &dyn Model, seat: Player) -> Beliefs {
        let candidate = start_of(rules);
        let key = candidate.keys[seat.index()];
        Beliefs { seat, candidates: vec![candidate], taken: 0, key, fresh: true, lost: false }
    }

    pub(super) fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// Goes on from these candidates, which agree with these events.
    pub(super) fn replace(&mut self, candidates: Vec<Candidate>, taken: usize, key: Key) {
        self.candidates = candidates;
        (self.taken, self.key) = (taken, key);
        (self.fresh, self.lost) = (false, false);
    }

    /// Gives the candidates the keys of players who remember less than they could.
    pub(super) fn abstracted(mut self, keys: Abstracted<'_>) -> Self {
        if let Some(keys) = keys {
            self.candidates.iter_mut().for_each(|c| c.keys = keys(&*c.state));
        }
        self
    }

    /// Lends the candidates out, to be put back.
    pub(super) fn take(&mut self) -> Vec<Candidate> {
        std::mem::take(&mut self.candidates)
    }

    pub(super) fn put_back(&mut self, candidates: Vec<Candidate>) {
        self.candidates = candidates;
    }

    /// Whether no decision has been made from them so far.
    pub(super) fn are_fresh(&self) -> bool {
        self.fresh
    }

    /// Whether these are beliefs about an earlier point of the same game.
    pub(super) fn lead_to(&self, info: &InfoSet) -> bool {
        let taken = info.events.get(..self.taken);
        self.seat == info.seat && taken.is_some_and(|events| key_of(self.seat, events) == self.key)
    }

    /// Takes what the seat did and saw since into account, if that can be done in time.
    pub(super) fn progress(
        &mut self,
        rules: &dyn Model,
        opponent: Opponent<'_>,
        abstracted: Abstracted<'_>,
        (events, key): (&[Event], Key),
        until: &Deadline,
    ) -> Tracked {
        self.fresh = false;
        if self.lost || key_of(self.seat, events) != key {
            self.lost = true;
            return Tracked::Lost;
        }
        let mut walk = Walk {
            rules,
            opponent,
            abstracted,
            events,
            until,
            seat: self.seat,
            found: Vec::new(),
            places: HashMap::new(),
            steps: 0,
            guessing: false,
        };
        for candidate in &self.candidates {
            if walk.follow(candidate, self.taken).is_none() {
                // Where it was only stopped, the next decision goes on from the same candidates.
                self.lost = !until.is_stopped();
                if self.lost {
                    self.candidates = Vec::new();
                }
                return Tracked::Lost;
            }
        }
        let Walk { mut found, guessing, .. } = walk;
        if found.is_empty() {
            self.lost = true;
            self.candidates = Vec::new();
            return Tracked::Lost;
        }
        let sum: f64 = found.iter().map(|c| c.p).sum();
        let uniform = 1.0 / found.len() as f64;
        found.iter_mut().for_each(|c| c.p = if sum > 0.0 { c.p / sum } else { uniform });
        self.candidates = found;
        self.taken = events.len();
        self.key = key;
        if guessing { Tracked::Guessing } else { Tracked::Fully }
    }
}

/// The start of the game.
pub(super) fn start_of(rules: &dyn Model) -> Candidate {
    Candidate { state: rules.start(), keys: start_keys(), p: 1.0 }
}

/// What makes two candidates the same.
#[derive(PartialEq, Eq, Hash)]
enum Place<S> {
    /// The state, and what the opponent did and saw.
    Exactly(S, Key),
    /// What both players remember.
    Remembered([Key; 2]),
}

/// A walk over all continuations that agree with the events of a seat.
struct Walk<'a> {
    rules: &'a dyn Model,
    opponent: Opponent<'a>,
    abstracted: Abstracted<'a>,
    events: &'a [Event],
    until: &'a Deadline,
    seat: Player,
    found: Vec<Candidate>,
    places: HashMap<Place<Box<dyn World>>, usize>,
    steps: u32,
    guessing: bool,
}

impl Walk<'_> {
    /// Goes on from a state in which `taken` events have happened; `None` if that is too much work, or no
    /// time is left.
    fn follow(&mut self, from: &Candidate, taken: usize) -> Option<()> {
        let _rules = self.rules;
        let turn = from.state.turn();
        let players = turn.players();
        match turn {
            Turn::Terminal => Some(()),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                from.state.chances(&mut outcomes);
                if outcomes.is_empty() {
                    return None;
                }
                let mut listed = outcomes.iter();
                listed.try_for_each(|(outcome, p)| self.step(from, taken, WorldStep::Chance(outcome), *p))
            }
            _ if players.contains(self.seat) && taken == self.events.len() => self.keep(from),
            _ => {
                let own = players.contains(self.seat).then(|| self.own(from, taken));
                let other = self.seat.other();
                let theirs = players.contains(other).then(|| self.theirs(from, other));
                let own: Vec<_> = own.map_or_else(|| vec![None], |a| a.into_iter().map(Some).collect());
                let theirs = theirs.map_or_else(
                    || vec![(None, 1.0)],
                    |t| t.into_iter().map(|(a, p)| (Some(a), p)).collect(),
                );
                let mut moves = Vec::with_capacity(2);
                for &mine in &own {
                    for &(its, p) in &theirs {
                        moves.clear();
                        moves.extend(mine.map(|a| (self.seat, a)));
                        moves.extend(its.map(|a| (other, a)));
                        insertion_sort::sort_by_key(&mut moves, |m| m.0);
                        self.step(from, taken, WorldStep::Moves(&moves), p)?;
                    }
                }
                Some(())
            }
        }
    }

    /// What the seat did here: one action, or none if it did something else before.
    fn own(&self, from: &Candidate, taken: usize) -> Option<Move> {
        let mut legal = Vec::new();
        from.state.legal(self.seat, &mut legal);
        legal.into_iter().find(|&a| self.events[taken] == Event::Own(self.rules.code(a)))
    }

    /// What the opponent may do, and how often it does.
    fn theirs(&mut self, from: &Candidate, who: Player) -> Vec<(Move, f64)> {
        let key = from.keys[who.index()];
        let mut legal = Vec::new();
        if let Some(strategy) = self.opponent.model.get(&key) {
            from.state.legal(who, &mut legal);
            if legal.len() == strategy.len() {
                return legal.into_iter().zip(strategy.iter().copied()).collect();
            }
            legal.clear();
        }
        if let Some(counts) = self.opponent.table.counts(key) {
            let counts: Vec<_> = counts.map(|(a, n)| (a, f64::from(n))).collect();
            let sum: f64 = counts.iter().map(|(_, n)| n).sum();
            return counts.into_iter().map(|(a, n)| (a, n / sum)).collect();
        }
        self.guessing = true;
        from.state.legal(who, &mut legal);
        let p = 1.0 / legal.len() as f64;
        legal.into_iter().map(|a| (a, p)).collect()
    }

    fn step(&mut self, from: &Candidate, taken: usize, step: WorldStep<'_>, p: f64) -> Option<()> {
        self.steps += 1;
        let most = if self.abstracted.is_some() { MOST_STEPS_ABSTRACTED } else { MOST_STEPS };
        if self.steps > most || self.steps.is_multiple_of(LOOK) && self.until.has_passed() {
            return None;
        }
        let mut after = taken;
        for event in events_of(self.rules, &*from.state, step, Observer::Seat(self.seat)) {
            if self.events.get(after) != Some(&event) {
                return Some(());
            }
            after += 1;
        }
        let mut next = Candidate { state: from.state.boxed(), keys: from.keys, p: from.p * p };
        if self.abstracted.is_none() {
            next.keys = keys_after(self.rules, from.keys, &*from.state, step);
        }
        next.state.apply(step);
        if let Some(keys) = self.abstracted {
            next.keys = keys(&*next.state);
        }
        self.follow(&next, after)
    }

    /// Adds a state in which the seat is to decide.
    fn keep(&mut self, candidate: &Candidate) -> Option<()> {
        let place = match self.abstracted {
            None => Place::Exactly(candidate.state.boxed(), candidate.keys[self.seat.other().index()]),
            Some(_) => Place::Remembered(candidate.keys),
        };
        let next = self.found.len();
        let at = *self.places.entry(place).or_insert(next);
        if at < next {
            self.found[at].p += candidate.p;
        } else if next < MOST_STATES {
            self.found.push(candidate.clone());
        } else {
            return None;
        }
        Some(())
    }
}
