//! SM-MCTS and SM-OOS: convergence on matrix games and small trees, floors, bounds, and the agent itself.

mod agent;
mod common;
mod matrices;
mod trees;
