//! Games made from games: simultaneous turns one after another, chance fixed in advance, information sets
//! defined by history.

mod foreseen;
mod replay;
mod serial;
mod tracked;
mod trail;
mod worlds;

pub use foreseen::{Foreseen, ForeseenState};
pub use serial::{Serial, SerialInfo, SerialState};
pub use tracked::{Method, Tracked, TrackedInfo, TrackedState};
pub use trail::Trail;
pub use worlds::Worlds;
