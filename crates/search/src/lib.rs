//! Decisions at play time. Nothing here knows any game: engines see worlds ([`fogtree_core::World`]) and moves.
//!
//! | family | plays |
//! |---|---|
//! | [`basic`] | random play, the first legal move, a game's own policies, flat Monte Carlo |
//! | [`uct`] | states that are known, by Monte Carlo tree search |
//! | [`exact`] | minimax, *-minimax, alpha-beta, expectimax over information sets |
//! | [`pimc`], [`tiigr`] | hidden information, one determinization at a time |
//! | [`ismcts`] | hidden information, in trees of information sets |
//! | [`multi_tree`] | the same with inference from the others' moves, and bluffing |
//! | [`bs_mcts`] | hidden information, in belief states whose probabilities are learned |
//! | [`is_mcts`], [`oos`] | two players, constant sum: average strategies in a table of information sets |
//! | [`gt_cfr`] | the same: equilibria of whole games, or of trees that grow from their starts |
//! | [`sm_mcts`] | simultaneous moves, nothing else hidden |
//! | [`info_tree`] | what one player may know next, in games that can say it |
//! | [`plans`] | whole turns of games in which a turn has many moves |
//!
//! [`learn`] is what searches learn from their playouts (ICARUS), [`bandit`] the bandits they are made of, [`kit`]
//! the parts that families share.

pub mod bandit;
pub mod basic;
pub mod bs_mcts;
mod entries;
pub mod exact;
pub mod gt_cfr;
pub mod info_tree;
pub mod is_mcts;
pub mod ismcts;
pub mod kit;
pub mod learn;
pub mod multi_tree;
pub mod oos;
pub mod pimc;
pub mod plans;
pub mod sm_mcts;
pub mod tiigr;
pub mod uct;

#[cfg(test)]
#[path = "../tests/common/table.rs"]
mod testing;
#[cfg(test)]
#[path = "../tests/common/letters.rs"]
mod testing_letters;

pub use basic::first::FirstLegal;
pub use basic::flat::{Allocation, FlatMc};
pub use basic::in_time::InTime;
pub use basic::known_state::KnownState;
pub use basic::per_turn::PerTurn;
pub use basic::policy::PolicyPlayer;
pub use basic::random::Random;
pub use bs_mcts::BsMcts;
pub use entries::entries;
pub use exact::alpha_beta::AlphaBeta;
pub use exact::belief::{BeliefPlayer, Candidates, ModelKind, OpponentModel};
pub use exact::expectimax::Expectimax;
pub use exact::minimax::Minimax;
pub use exact::star_minimax::StarMinimax;
pub use gt_cfr::{GtCfr, WholeGame};
pub use info_tree::InfoTreePlayer;
pub use is_mcts::IsMcts;
pub use ismcts::Ismcts;
pub use kit::determinize::Determinizer;
pub use kit::final_move::Final;
pub use kit::narrow::{Narrow, Prune, Widen};
pub use kit::node_budget::NODES;
pub use kit::vote::{Tally, Vote};
pub use multi_tree::{MtMoIsmcts, WithInference};
pub use oos::Oos;
pub use pimc::{Division, Pimc, Solver};
pub use plans::Planner;
pub use sm_mcts::SmMcts;
pub use tiigr::Tiigr;
pub use uct::{OneTree, Uct, UctSearch};

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
