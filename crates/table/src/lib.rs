//! Where games meet agents.
//!
//! Games and searches are generic; programs choose them by name. This crate hides the types behind
//! [`AnyGame`] and [`AnyTable`], keeps the [`Registry`] of names, and drives games: the
//! [`AnyTable`] alone holds the true state, each seat's agent gets its information set and nothing else.
//!
//! ```
//! use fogtree_core::{Player, Seed};
//! use fogtree_table::{Moment, Registry, SeatAgent, play_game, roles};
//!
//! type Error = Box<dyn std::error::Error>;
//!
//! fn main() -> Result<(), Error> {
//!     let registry = Registry::standard();
//!     let spec = "phantom-mnk(m=3,n=3,k=3)";
//!     let game = registry.game(spec)?;
//!     let agents = ["flat-mc(iterations=200)", "random"];
//!     let mut wins = 0;
//!     for number in 0..20 {
//!         let mut seating = |seat: Player, _role: &str| -> Result<SeatAgent, Error> {
//!             Ok(registry.agent(agents[seat.index()], &*game)?)
//!         };
//!         let mut watch = |moment: &Moment<'_>| {
//!             if let [(seat, decision)] = moment.decisions {
//!                 assert!(seat.0 == 1 || decision.report.iterations <= 200);
//!             }
//!         };
//!         let played = play_game(&*game, spec, Seed(number), &mut seating, &mut watch)?;
//!         wins += u32::from(played.rewards[Player(0)] == 1.0);
//!     }
//!     assert!(wins > 10, "flat Monte Carlo won {wins} of 20 games against random play");
//!     Ok(())
//! }
//! ```

mod agent_strategy;
mod believed;
mod driver;
mod erased;
mod exec;
mod follow;
mod ggp;
mod local_response;
mod online;
mod position;
mod process;
pub mod protocol;
mod registry;
mod sandbox;
mod session;
mod strategy;
mod table;
mod typed;
pub mod wire;

pub use agent_strategy::{AgentStrategy, Asking, Found, NoAgentStrategy, agent_strategy, each_infoset};
pub use believed::{NoBelief, belief_of, believed_worlds};
pub use driver::{Moment, Played, Seeds, play_game, roles};
pub use erased::{AnyGame, AnyTable, Exploited, SeatAgent, Solved, Unexploited, erase};
pub use exec::{Exec, engine};
pub use fogtree_core::spec::time_from_text;
pub use follow::{follow_line, follow_path};
pub use local_response::{Local, LocalResponse, NoLocalResponse, local_response};
pub use online::{LEAST_VISITS, Matches, Point, Unmeasured, along_matches, converge};
pub use position::{after_moves, play_at_random, usual_agent};
pub use process::{Lost, Process};
pub use registry::{GameEntry, Registry, Unavailable};
pub use session::{
    BadSession, HintRefused, NoSession, Refused, Saved, Seat, Session, Stepped, Thinking, Thought,
};
pub use strategy::StrategyPlayer;
pub use typed::read_move;
