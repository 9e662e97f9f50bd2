//! Backward induction layer by layer, for games whose positions can be numbered.
//!
//! [`crate::backward`] finds the value of one state and remembers the states below it in a hash table. Where
//! the caller can number the states, all states that are equally far from the end can be solved at once from
//! the values of those nearer to it, which are then looked up in a plain array. That gives the value of every
//! possible start together: pursuit and evasion on 10 by 10 cells, 15 moves of 495 000 states, takes seconds
//! (equilibrium 3.4, 7.2).

use std::num::NonZeroUsize;
use std::panic::resume_unwind;

use fogtree_core::{Chance, Player, Rules, Step, Turn, Utility};

use crate::backward::NotBackward;
use crate::lp::{Inexact, Matrix};

/// The values of the states of one layer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layer {
    /// What the first player gets from each state on, in the order the states were given.
    pub values: Vec<f64>,
    /// How many states have no saddle point.
    pub mixed: usize,
}

impl Layer {
    /// Solves each of the states, given what the first player gets from every state that may follow; `after`
    /// is not asked about states in which the game is over.
    pub fn solve<R: Rules>(
        rules: &R,
        states: &[R::State],
        after: impl Fn(&R::State) -> f64 + Sync,
        threads: NonZeroUsize,
    ) -> Result<Layer, NotBackward> {
        let facts = rules.facts();
        if facts.hidden {
            return Err(NotBackward::Hidden);
        }
        if facts.players != 2 || facts.utility == Utility::General {
            return Err(NotBackward::NotZeroSum);
        }
        if facts.chance == Chance::Sampled {
            return Err(NotBackward::SampledChance);
        }
        let share = states.len().div_ceil(threads.get()).max(1);
        let part = |states: &[R::State]| {
            let mut stage = Stage::default();
            let mut layer = Layer::default();
            for state in states {
                let (value, mixed) = stage.solve(rules, state, &after)?;
                layer.values.push(value);
                layer.mixed += usize::from(mixed);
            }
            Ok(layer)
        };
        let parts = std::thread::scope(|scope| {
            let running: Vec<_> = states.chunks(share).map(|states| scope.spawn(|| part(states))).collect();
            let done =
                running.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)));
            done.collect::<Result<Vec<Layer>, NotBackward>>()
        })?;
        Ok(Layer {
            mixed: parts.iter().map(|part| part.mixed).sum(),
            values: parts.into_iter().flat_map(|part| part.values).collect(),
        })
    }
}

/// Buffers for the matrix of one state: rows are the first player's actions, columns the second's. A player
/// who is not to move has one choice.
struct Stage<R: Rules> {
    legal: [Vec<R::Action>; 2],
    moves: Vec<(Player, R::Action)>,
    entries: Vec<f64>,
    /// The greatest entry of each column.
    most: Vec<f64>,
}

impl<R: Rules> Default for Stage<R> {
    fn default() -> Self {
        let (legal, moves) = ([Vec::new(), Vec::new()], Vec::with_capacity(2));
        Stage { legal, moves, entries: Vec::new(), most: Vec::new() }
    }
}

/// Entries are often values of other matrices: a saddle point may be off by their rounding, which is this
/// share of the largest.
const ROUNDING: f64 = 1e-11;

impl<R: Rules> Stage<R> {
    /// The value of a state, and whether it has no saddle point.
    fn solve(
        &mut self,
        rules: &R,
        state: &R::State,
        after: &impl Fn(&R::State) -> f64,
    ) -> Result<(f64, bool), Inexact> {
        let value = |step: Step<'_, R>| {
            let mut next = state.clone();
            rules.apply(&mut next, step);
            if rules.turn(&next) == Turn::Terminal { rules.rewards(&next)[Player(0)] } else { after(&next) }
        };
        Ok(match rules.turn(state) {
            Turn::Terminal => (rules.rewards(state)[Player(0)], false),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                rules.chance(state, &mut outcomes);
                (outcomes.iter().map(|(outcome, p)| p * value(Step::Chance(outcome))).sum(), false)
            }
            turn @ (Turn::Player(_) | Turn::Simultaneous(_)) => {
                for (p, legal) in [Player(0), Player(1)].into_iter().zip(&mut self.legal) {
                    legal.clear();
                    if turn.players().contains(p) {
                        rules.actions(state, p, legal);
                    }
                }
                let [rows, columns] = self.legal.each_ref().map(|legal| legal.len().max(1));
                self.entries.clear();
                for row in 0..rows {
                    for column in 0..columns {
                        self.moves.clear();
                        self.moves.extend(self.legal[0].get(row).map(|&action| (Player(0), action)));
                        self.moves.extend(self.legal[1].get(column).map(|&action| (Player(1), action)));
                        self.entries.push(value(Step::Moves(&self.moves)));
                    }
                }
                match self.saddle(columns) {
                    Some(value) => (value, false),
                    None => (Matrix::new(columns, self.entries.clone()).solve().exact()?.value, true),
                }
            }
        })
    }

    /// The entry at a saddle point, if there is one.
    fn saddle(&mut self, columns: usize) -> Option<f64> {
        self.most.clear();
        self.most.resize(columns, f64::NEG_INFINITY);
        let (mut maximin, mut largest) = (f64::NEG_INFINITY, 0.0_f64);
        for row in self.entries.chunks_exact(columns) {
            let mut least = f64::INFINITY;
            for (&entry, most) in row.iter().zip(&mut self.most) {
                least = least.min(entry);
                *most = most.max(entry);
                largest = largest.max(entry.abs());
            }
            maximin = maximin.max(least);
        }
        let minimax = self.most.iter().copied().fold(f64::INFINITY, f64::min);
        (maximin >= minimax - ROUNDING * largest).then_some((maximin + minimax) / 2.0)
    }
}
