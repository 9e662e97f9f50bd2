//! Decisions at play time. Nothing here knows any game.
//!
//! [`random`] and [`flat`] play every game; [`uct`] plays games without hidden information, and, looking at
//! the true state, serves as a yardstick for the others. [`pimc`] plays games with hidden information by
//! searching one world at a time; [`minimax`] and [`expectimax`] are exact, and [`belief`] says in which
//! worlds they look.

pub mod belief;
pub mod expectimax;
pub mod flat;
mod limit;
pub mod minimax;
pub mod pimc;
pub mod random;
mod root;
mod steps;
pub mod uct;
pub mod vote;

pub use belief::{BeliefPlayer, Candidates, Model, ModelKind};
pub use expectimax::Expectimax;
pub use flat::{Allocation, FlatMc};
pub use limit::NODES;
pub use minimax::{CheatingMinimax, Minimax, MinimaxPlayer};
pub use pimc::{CheatingEnsemble, Division, Pimc, Solver};
pub use random::Random;
pub use uct::{CheatingUct, Uct, UctSearch};
pub use vote::{Tally, Vote};

use fogtree_core::Facts;

/// The exploration constant for rewards scaled to [0, 1] where none is given (Whitehouse 2014, ch. 8).
pub const EXPLORATION: f64 = 0.7;

/// Scales rewards to [0, 1], the range exploration constants are meant for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    low: f64,
    factor: f64,
}

impl Scale {
    pub(crate) fn of(facts: &Facts) -> Scale {
        let (low, high) = facts.range;
        Scale { low, factor: if high > low { 1.0 / (high - low) } else { 1.0 } }
    }

    #[inline]
    pub(crate) fn value(self, reward: f64) -> f64 {
        (reward - self.low) * self.factor
    }
}
