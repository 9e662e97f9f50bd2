//! Where games meet agents.
//!
//! Games and searches are generic; programs choose them by name. This crate hides the types behind
//! [`AnyGame`], [`AnyTable`] and [`AnyAgent`], keeps the [`Registry`] of names, and drives games: the
//! [`AnyTable`] alone holds the true state, each seat's agent gets its information set and nothing else.

mod agents;
mod describe;
mod driver;
mod erased;
mod registry;
mod table;

pub use agents::{Family, time_from_text};
pub use describe::describe;
pub use driver::{Moment, Played, play_game};
pub use erased::{
    AnyAgent, AnyCheatingAgent, AnyDecision, AnyGame, AnyInfoSet, AnyMoveReport, AnyTable, AnyTrueState,
    Mind, SeatAgent, erase,
};
pub use registry::{AgentEntry, GameEntry, Registry, Unavailable};
