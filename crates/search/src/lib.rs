//! Decisions at play time. Nothing here knows any game.
//!
//! [`random`] and [`flat`] play every game; [`uct`] plays games without hidden information, and, looking at
//! the true state, serves as a yardstick for the others.

pub mod flat;
pub mod ismcts;
pub mod random;
mod root;
pub mod uct;

pub use flat::{Allocation, FlatMc};
pub use ismcts::Ismcts;
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
