//! Decisions at play time. Nothing here knows any game.
//!
//! [`random`] and [`flat`] play every game. [`uct`] and [`minimax`] search states that are known: games without
//! hidden information, or, looking at the true state, yardsticks for the others. Under hidden information [`pimc`]
//! searches one world at a time, [`ismcts`] many at once in trees of information sets, [`is_mcts`] in a table
//! of them; [`oos`] approaches equilibria by regret minimisation in such a table; [`sm_mcts`] is for games in which
//! only simultaneous choices are hidden; [`inference`] adds what the others' moves give away, and what one's own do.
//! [`info_tree`] searches what one player may know, in games that can say it.
//! [`expectimax`] is exact, and [`belief`] says in which worlds exact players look. All sampling searches are
//! made of [`bandit`]s; [`icarus`] is what they learn from their playouts.

pub mod bandit;
pub mod belief;
pub mod expectimax;
pub mod flat;
pub mod icarus;
pub mod inference;
pub mod info_tree;
pub mod is_mcts;
pub mod ismcts;
mod keyed;
mod limit;
pub mod minimax;
pub mod oos;
pub mod pimc;
pub mod random;
mod root;
pub mod sm_mcts;
mod steps;
mod trace;
pub mod uct;
pub mod vote;

pub use belief::{BeliefPlayer, Candidates, Model, ModelKind};
pub use expectimax::Expectimax;
pub use flat::{Allocation, FlatMc};
pub use inference::MtMoIsmcts;
pub use info_tree::InfoTreePlayer;
pub use is_mcts::IsMcts;
pub use ismcts::Ismcts;
pub use limit::NODES;
pub use minimax::{CheatingMinimax, Minimax, MinimaxPlayer};
pub use oos::Oos;
pub use pimc::{CheatingEnsemble, Division, Pimc, Solver};
pub use random::Random;
pub use sm_mcts::SmMcts;
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

    /// The reward that was scaled.
    #[inline]
    pub(crate) fn reward(self, value: f64) -> f64 {
        self.low + value / self.factor
    }
}
