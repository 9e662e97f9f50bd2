//! Whole games: everything that visits every history of a game rather than one decision.
//!
//! [`compiled`] turns any game whose tree fits into memory into flat arrays, on which most of the rest works:
//! [`best_response`] and exploitability, the family of [`cfr`], linear programmes ([`lp`]). [`backward`]
//! induction works on the states of games in which nothing is hidden, or on whole [`layers`] of them.
//! [`mod@solve`] runs any of the solvers by name and within limits, [`checkpoint`] lets long runs be stopped and
//! resumed. [`strategy`] keeps what they find, [`gathered`] puts together what searches know. [`walk`] and
//! [`merged`] count, and [`merged_response`] finds best responses where nothing else fits.

pub mod backward;
pub mod best_response;
pub mod cfr;
pub mod checkpoint;
pub mod compiled;
pub mod deep;
pub mod gathered;
mod iterative;
pub mod layers;
pub mod lp;
pub mod merged;
pub mod merged_response;
pub mod solve;
pub mod solver;
pub mod strategy;
pub mod walk;

pub use best_response::{BestResponse, Evaluation};
pub use checkpoint::{BadCheckpoint, Checkpoint};
pub use compiled::{Compiled, Refusal};
pub use gathered::Gathered;
pub use iterative::Iterative;
pub use solve::{Config, Outcome, Progress, Unsolved, solve};
pub use solver::Solver;
pub use strategy::{Profile, StrategyFile};
