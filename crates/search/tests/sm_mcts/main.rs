//! SM-MCTS and SM-OOS: convergence on matrix games and small trees, floors, bounds, and the agent itself.

mod agent;
mod common;
mod matrices;
#[path = "../common/mod.rs"]
mod tables;
mod trees;
