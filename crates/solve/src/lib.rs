//! Whole games: everything that visits every history of a game rather than one decision.

pub mod merged;
pub mod walk;
