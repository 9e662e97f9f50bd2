//! Decisions at play time. Nothing here knows any game.
//!
//! [`random`], [`first`], [`policy`] and [`flat`] play every game, [`plans`] those with long turns. [`uct`],
//! [`minimax`] and [`star_minimax`] search states that are known: games without hidden information, or, looking at
//! the true state, yardsticks for the others; [`alpha_beta`] looks at few moves of long turns. Under hidden information
//! [`pimc`] and [`tiigr`] search one world at a time, [`ismcts`] many
//! at once in trees of information sets, [`is_mcts`] in a table of them, [`bs_mcts`] in belief states whose probabilities
//! are learned; [`oos`] approaches equilibria by regret minimisation in such a table; [`sm_mcts`] is for games in which
//! only simultaneous choices are hidden; [`inference`] adds what the others' moves give away, and what one's own do.
//! Worlds come from one place, [`worlds`], so that any search can have them drawn as a belief says.
//! [`info_tree`] searches what one player may know, in games that can say it.
//! [`expectimax`] is exact, and [`belief`] says in which worlds exact players look. All sampling searches are
//! made of [`bandit`]s; [`icarus`] is what they learn from their playouts. What a game knows about playing itself
//! they use by name: its policies in playouts ([`simulation`]), its opinion of moves to look at few of them
//! ([`narrow`]).

pub mod alpha_beta;
pub mod bandit;
pub mod belief;
pub mod bs_mcts;
pub mod expectimax;
pub mod first;
pub mod flat;
pub mod icarus;
pub mod inference;
pub mod info_tree;
pub mod is_mcts;
pub mod ismcts;
mod keyed;
pub mod known_state;
mod limit;
pub mod minimax;
pub mod narrow;
pub mod oos;
pub mod per_turn;
pub mod pimc;
pub mod plans;
pub mod policy;
pub mod properties;
pub mod random;
mod root;
mod scratch;
mod short;
pub mod sm_mcts;
pub mod star_minimax;
mod steps;
pub mod tiigr;
mod trace;
pub mod uct;
pub mod vote;
pub mod worlds;

pub use alpha_beta::AlphaBeta;
pub use belief::{BeliefPlayer, Candidates, ModelKind, OpponentModel};
pub use bs_mcts::BsMcts;
pub use expectimax::Expectimax;
pub use first::FirstLegal;
pub use flat::{Allocation, FlatMc};
pub use inference::{Believer, MtMoIsmcts};
pub use info_tree::InfoTreePlayer;
pub use is_mcts::IsMcts;
pub use ismcts::Ismcts;
pub use known_state::KnownState;
pub use limit::NODES;
pub use minimax::Minimax;
pub use narrow::{Narrow, Prune, Widen};
pub use oos::Oos;
pub use per_turn::PerTurn;
pub use pimc::{Division, Pimc, Solver};
pub use plans::Planner;
pub use policy::PolicyPlayer;
pub use random::Random;
pub use fogtree_core::Simulation;
pub use sm_mcts::SmMcts;
pub use star_minimax::StarMinimax;
pub use tiigr::Tiigr;
pub use uct::{OneTree, Uct, UctSearch};
pub use vote::{Tally, Vote};
pub use worlds::Draws;

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
        let (low, high) = facts.utility_bounds;
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
