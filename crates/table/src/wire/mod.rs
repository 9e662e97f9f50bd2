//! What leaves the process, as types with stable field names: commands with `--json`, the page and Python use
//! these.
//!
//! `docs/json.md` lists the fields; it is made from the comments here. Fields may be added, none is renamed.

mod about;
mod decision;
mod matches;
mod position;
mod session;
mod solve;
mod tree;

pub use about::{About, Domain, GameAbout, Param, Preset, Values};
pub use decision::{Asked, Belief, Decision, Findings, Held, MoveFindings, Step};
pub use fogtree_core::scene::{Beliefs, Scene};
pub use matches::{MatchResult, Settled, Standing};
pub use position::{Draw, Position, SeatInfoSet, SeatPosition, Shown, Turn, TurnKind, World};
pub use session::{LegalMove, Over, SeatView};
pub use solve::{CurvePoint, Done, Exploitability, LowerBound, Solution};
pub use tree::{Decider, Limits, Reached, SearchTree, SearchTrees, TreeNode};
