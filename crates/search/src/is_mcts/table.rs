//! Statistics of information sets in a hash table, and the choice and learning rules that work on them.

use std::collections::hash_map::Entry;

use fogtree_core::{AverageStrategy, Key, Move, Player, Rng, World};

use super::{Selection, Smooth};
use crate::bandit::{Ties, exp3_probabilities, greatest, regret_matching, ucb1};
use crate::kit::explanation::Statistics;
use crate::kit::keyed::KeyMap;

/// Beyond this many moves no further information sets are kept.
const MOST_MOVES: usize = 1 << 24;

/// Where the moves of an information set lie.
#[derive(Clone, Copy, Debug)]
struct Set {
    first: u32,
    count: u32,
    visits: u32,
    who: Player,
}

impl Set {
    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A move chosen in an information set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Where.
    pub(super) set: u32,
    arm: u32,
    /// The probability with which it was drawn, where the rule draws.
    p: f64,
    /// Who chose.
    pub(super) who: Player,
}

/// What is at an information set.
pub(super) enum Found {
    /// Statistics from before.
    Info(u32),
    /// They have just been made.
    New(u32),
    /// There is no more room.
    Full,
}

/// The statistics of all information sets of both players.
#[derive(Debug)]
pub(super) struct Table {
    selection: Selection,
    places: KeyMap<u32>,
    sets: Vec<Set>,
    actions: Vec<Move>,
    visits: Vec<u32>,
    /// The sum of rewards for bounds, of weighted rewards for EXP3, of regrets for regret matching.
    values: Vec<f64>,
    scores: Vec<f64>,
    /// The most bytes to have in use: vectors and maps hold twice as much when they have just grown.
    most: usize,
}

impl Table {
    /// An empty table that takes up to so many bytes.
    pub(super) fn new(selection: Selection, memory: usize) -> Table {
        Table {
            selection,
            most: memory / 2,
            places: KeyMap::default(),
            sets: Vec::new(),
            actions: Vec::new(),
            visits: Vec::new(),
            values: Vec::new(),
            scores: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.sets.clear();
        self.actions.clear();
        self.visits.clear();
        self.values.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.places.len() * size_of::<(Key, u32)>()
            + self.sets.len() * size_of::<Set>()
            + self.actions.len() * (size_of::<Move>() + size_of::<u32>() + size_of::<f64>())
    }

    /// Whether no further information sets are kept; there is always a first one.
    pub(super) fn is_full(&self) -> bool {
        self.actions.len() >= MOST_MOVES || self.bytes() >= self.most.max(1)
    }

    /// The place of an information set.
    pub(super) fn place(&self, key: Key) -> Option<u32> {
        self.places.get(&key).copied()
    }

    /// The moves of an information set with their visits; none if it was never visited.
    pub(super) fn counts(&self, key: Key) -> Option<impl Iterator<Item = (Move, u32)>> {
        let set = self.sets[*self.places.get(&key)? as usize];
        let range = set.range();
        let visits = self.visits[range.clone()].iter().copied();
        (set.visits > 0).then(|| self.actions[range].iter().copied().zip(visits))
    }

    /// How often each move was chosen wherever the search has been.
    pub(super) fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        let mut strategy = Vec::new();
        for (&key, &place) in &self.places {
            let set = self.sets[place as usize];
            if set.visits > 0 {
                strategy.clear();
                strategy
                    .extend(self.visits[set.range()].iter().map(|&n| f64::from(n) / f64::from(set.visits)));
                tell(AverageStrategy { key, seat: set.who, strategy: &strategy, visits: set.visits.into() });
            }
        }
    }

    /// Looks an information set up; makes it, with the legal actions of `who`, if it is not there.
    pub(super) fn find(&mut self, state: &dyn World, who: Player, key: Key) -> Found {
        let full = self.is_full();
        match self.places.entry(key) {
            Entry::Occupied(place) => Found::Info(*place.get()),
            Entry::Vacant(_) if full => Found::Full,
            Entry::Vacant(place) => {
                let first = self.actions.len();
                state.legal(who, &mut self.actions);
                let count = self.actions.len() - first;
                self.visits.resize(self.actions.len(), 0);
                self.values.resize(self.actions.len(), 0.0);
                self.scores.resize(self.scores.len().max(count), 0.0);
                let set = self.sets.len() as u32;
                self.sets.push(Set { first: first as u32, count: count as u32, visits: 0, who });
                place.insert(set);
                Found::New(set)
            }
        }
    }

    /// Chooses a move in an information set.
    pub(super) fn select(&mut self, set: u32, who: Player, rng: &mut Rng) -> (Move, Choice) {
        let at = self.sets[set as usize];
        let (arm, p) = match self.selection {
            Selection::Uct { c } => (self.best_bound(at, c, Ties::First, rng), 1.0),
            Selection::Ruct { c, tau } => (self.best_bound(at, c, Ties::Random(tau), rng), 1.0),
            Selection::Exp3 { gamma } => {
                let scores = &mut self.scores[..at.count as usize];
                exp3_probabilities(&self.values[at.range()], gamma, scores);
                let arm = rng.weighted(scores.iter().copied());
                (arm, scores[arm])
            }
            Selection::Rm { gamma } => {
                let scores = &mut self.scores[..at.count as usize];
                regret_matching(&self.values[at.range()], gamma, scores);
                let arm = rng.weighted(scores.iter().copied());
                (arm, scores[arm])
            }
            Selection::Smooth(smooth) => (self.smooth(at, smooth, rng), 1.0),
        };
        (self.actions[at.first as usize + arm], Choice { set, arm: arm as u32, p, who })
    }

    /// The move that was chosen.
    pub(super) fn action(&self, choice: Choice) -> Move {
        self.actions[(self.sets[choice.set as usize].first + choice.arm) as usize]
    }

    fn best_bound(&mut self, at: Set, c: f64, ties: Ties, rng: &mut Rng) -> usize {
        let scores = &mut self.scores[..at.count as usize];
        let total = f64::from(at.visits);
        for (score, arm) in scores.iter_mut().zip(at.range()) {
            *score = ucb1(self.values[arm], f64::from(self.visits[arm]), total, c);
        }
        greatest(scores, ties, rng)
    }

    fn smooth(&mut self, at: Set, smooth: Smooth, rng: &mut Rng) -> usize {
        if at.visits == 0 || rng.unit() < smooth.eta_after(at.visits.into()) {
            self.best_bound(at, smooth.c, Ties::EXACT, rng)
        } else {
            rng.weighted(self.visits[at.range()].iter().map(|&n| f64::from(n)))
        }
    }

    /// Learns what came of a choice, as a reward in [0, 1] of the player who made it.
    pub(super) fn update(&mut self, choice: Choice, reward: f64) {
        let set = &mut self.sets[choice.set as usize];
        set.visits = set.visits.saturating_add(1);
        let arm = (set.first + choice.arm) as usize;
        self.visits[arm] = self.visits[arm].saturating_add(1);
        match self.selection {
            Selection::Uct { .. } | Selection::Ruct { .. } | Selection::Smooth(_) => {
                self.values[arm] += reward;
            }
            Selection::Exp3 { .. } => self.values[arm] += reward / choice.p,
            Selection::Rm { .. } => {
                self.values[set.range()].iter_mut().for_each(|regret| *regret -= reward);
                self.values[arm] += reward / choice.p;
            }
        }
    }
}

/// A player may always choose any of the moves of its information set.
impl Statistics for Table {
    fn visits(&self, set: u32) -> u64 {
        self.sets[set as usize].visits.into()
    }

    fn moves(&self, set: u32, _own: bool) -> Vec<(Move, u64, Option<u64>)> {
        let set = self.sets[set as usize];
        let moves = self.actions[set.range()].iter().zip(&self.visits[set.range()]);
        moves.map(|(&a, &n)| (a, n.into(), Some(set.visits.into()))).collect()
    }
}
