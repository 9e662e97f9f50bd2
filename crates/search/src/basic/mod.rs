//! Players without a tree, and wrappers around other players.

pub mod first;
pub mod flat;
pub mod in_time;
pub mod known_state;
pub mod per_turn;
pub mod policy;
pub mod random;
