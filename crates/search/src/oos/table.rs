//! Regrets and average strategies of information sets, found by their keys.

use std::collections::hash_map::Entry;
use std::ops::Range;

use fogtree_core::{AverageStrategy, Key, Move, Player, World};

use crate::kit::keyed::KeyMap;

/// An information set, and where its actions lie: kept beside the key, so that finding one leads to them at
/// once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Set {
    number: u32,
    first: u32,
    count: u32,
}

impl Set {
    #[inline]
    fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// What else is known about an information set.
#[derive(Clone, Copy, Debug)]
struct Note {
    visits: u32,
    who: Player,
}

/// What is known about an action.
#[derive(Clone, Copy, Default, Debug)]
struct Arm {
    /// The sum of the sampled counterfactual regrets for not taking it.
    regret: f64,
    /// The weighted sum of its probabilities in the strategies played.
    sum: f64,
}

/// What is at an information set.
pub(super) enum Found {
    /// What was learnt there before.
    Info(Set),
    /// Nothing; a place for it has just been made.
    New(Set),
    /// Nothing, and there is no more room.
    Full,
}

/// The information sets of both players.
#[derive(Debug)]
pub(super) struct Table {
    memory: usize,
    places: KeyMap<Set>,
    notes: Vec<Note>,
    actions: Vec<Move>,
    arms: Vec<Arm>,
}

impl Table {
    /// A table that grows to so many bytes.
    pub(super) fn new(memory: usize) -> Table {
        Table { memory, places: KeyMap::default(), notes: Vec::new(), actions: Vec::new(), arms: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.notes.clear();
        self.actions.clear();
        self.arms.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.notes.len()
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.notes.len(), self.arms.len())
    }

    fn bytes_of(sets: usize, arms: usize) -> usize {
        sets * (size_of::<(Key, Set)>() + size_of::<Note>()) + arms * (size_of::<Move>() + size_of::<Arm>())
    }

    /// The place of an information set.
    pub(super) fn place(&self, key: Key) -> Option<Set> {
        self.places.get(&key).copied()
    }

    /// Looks an information set up; makes a place for it, with the legal actions of `who`, if there is none.
    #[inline]
    pub(super) fn find(&mut self, state: &dyn World, who: Player, key: Key) -> Found {
        match self.places.entry(key) {
            Entry::Occupied(place) => Found::Info(*place.get()),
            Entry::Vacant(place) => {
                let first = self.actions.len();
                let full = Self::bytes_of(self.notes.len(), first) >= self.memory;
                if full || first >= u32::MAX as usize / 2 {
                    return Found::Full;
                }
                state.legal(who, &mut self.actions);
                self.arms.resize(self.actions.len(), Arm::default());
                let count = (self.actions.len() - first) as u32;
                let set = Set { number: self.notes.len() as u32, first: first as u32, count };
                self.notes.push(Note { visits: 0, who });
                place.insert(set);
                Found::New(set)
            }
        }
    }

    /// Counts a visit.
    #[inline]
    pub(super) fn visit(&mut self, set: Set) {
        let visits = &mut self.notes[set.number as usize].visits;
        *visits = visits.saturating_add(1);
    }

    pub(super) fn actions(&self, set: Set) -> &[Move] {
        &self.actions[set.range()]
    }

    #[inline]
    pub(super) fn action(&self, set: Set, i: usize) -> Move {
        self.actions[set.first as usize + i]
    }

    /// Writes the current strategy: regret matching, mixed with a share `epsilon` of the uniform strategy.
    #[inline]
    pub(super) fn strategy(&self, set: Set, epsilon: f64, out: &mut Vec<f64>) {
        let arms = &self.arms[set.range()];
        out.clear();
        out.extend(arms.iter().map(|arm| arm.regret.max(0.0)));
        let sum: f64 = out.iter().sum();
        let uniform = 1.0 / arms.len() as f64;
        if sum > 0.0 {
            let (share, floor) = ((1.0 - epsilon) / sum, epsilon * uniform);
            out.iter_mut().for_each(|p| *p = *p * share + floor);
        } else {
            out.fill(uniform);
        }
    }

    /// Writes the average strategy; answers whether there is one.
    pub(super) fn average(&self, set: Set, out: &mut Vec<f64>) -> bool {
        let arms = &self.arms[set.range()];
        let sum: f64 = arms.iter().map(|arm| arm.sum).sum();
        out.clear();
        out.extend(arms.iter().map(|arm| if sum > 0.0 { arm.sum / sum } else { 1.0 / arms.len() as f64 }));
        sum > 0.0
    }

    /// Adds a strategy to the average with this weight.
    #[inline]
    pub(super) fn add_strategy(&mut self, set: Set, strategy: &[f64], weight: f64) {
        let arms = &mut self.arms[set.range()];
        for (arm, p) in arms.iter_mut().zip(strategy) {
            arm.sum += weight * p;
        }
    }

    /// Adds to the regret of the action taken what came of it, and takes from all what the strategy earned.
    #[inline]
    pub(super) fn add_regret(&mut self, set: Set, taken: u32, came: f64, earned: f64) {
        let arms = &mut self.arms[set.range()];
        for arm in arms.iter_mut() {
            arm.regret -= earned;
        }
        arms[taken as usize].regret += came;
    }

    /// The average strategies, wherever there is one.
    pub(super) fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        let mut strategy = Vec::new();
        for (&key, &place) in &self.places {
            if self.average(place, &mut strategy) {
                let note = self.notes[place.number as usize];
                tell(AverageStrategy {
                    key,
                    seat: note.who,
                    strategy: &strategy,
                    visits: note.visits.into(),
                });
            }
        }
    }
}

#[cfg(test)]
impl Table {
    /// The regrets and the sums of an information set.
    pub(super) fn learnt(&self, key: Key) -> Option<(Vec<f64>, Vec<f64>)> {
        let arms = &self.arms[self.place(key)?.range()];
        Some((arms.iter().map(|arm| arm.regret).collect(), arms.iter().map(|arm| arm.sum).collect()))
    }

    /// Sets the regrets of an information set and forgets its average.
    pub(super) fn teach(&mut self, key: Key, regrets: &[f64]) {
        let set = self.place(key).expect("the information set was met");
        let arms = &mut self.arms[set.range()];
        for (arm, &regret) in arms.iter_mut().zip(regrets) {
            *arm = Arm { regret, sum: 0.0 };
        }
    }
}
