//! Decisions at play time. Nothing here knows any game.
//!
//! [`random`] and [`flat`] play every game; [`uct`] plays games without hidden information, and, looking at
//! the true state, serves as a yardstick for the others.
//! [`is_mcts`] plays two-player games with hidden information in which what one wins the other loses. All of
//! them are made of [`bandit`]s.

pub mod bandit;
pub mod flat;
pub mod is_mcts;
pub mod random;
mod root;
pub mod uct;

pub use flat::{Allocation, FlatMc};
pub use is_mcts::{IsMcts, Play, Selection, Settings, Smooth};
pub use random::Random;
pub use uct::{CheatingUct, Uct, UctSearch};

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
