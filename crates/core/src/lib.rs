//! What a game with hidden information is.
//!
//! Start with [`game`]: [`Rules`] say what can happen and what is seen of it, [`Game`] adds what each
//! observer knows and how to draw worlds that agree with it. [`Notation`] is for people, [`FastPlay`] for speed, and
//! [`companions`] are for what only some games offer. [`history`] turns observations into
//! information-set keys, [`mod@play`] checks steps that come from outside, [`agent`] says what a player is given.

mod adapters;
pub mod agent;
pub mod companions;
mod deadline;
mod entry;
pub mod explain;
mod fast_play;
pub mod files;
pub mod game;
pub mod history;
mod key;
mod notation;
pub mod play;
mod player;
pub mod record;
mod rng;
pub mod scene;
#[cfg(feature = "schema")]
mod schema;
mod secret;
mod seen;
pub mod spec;
mod state_hash;
pub mod testing;
pub mod text;
mod told;
pub mod world;

pub use adapters::{
    Foreseen, ForeseenState, Method, Serial, SerialInfo, SerialState, Tracked, TrackedInfo, TrackedState,
    Trail, Worlds,
};
pub use agent::{
    Agent, AgentFailure, AverageStrategy, BeliefReport, Budget, Decision, InfoSet, Mixed, MoveReport, Report,
    TrueState, kept_figures,
};
pub use companions::{
    Episodes, Evaluations, Extras, HiddenPart, Horizon, InfoExtras, InfoTree, Memory, Metrics,
    PerfectInfoVariant, Policies, Policy, Selective, SelectiveSearch, Tensors, evaluate_leaf,
};
pub use deadline::Deadline;
pub use entry::{AgentEntry, Asked, Made, MakeAgent, Need, Needed};
pub use explain::{Explain, LineStep, Progress, SearchTree, TreeLimits, TreeNode, Watch};
pub use fast_play::{FastPlay, Scratch, random_step};
pub use game::{Chance, Facts, Game, PerfectInformation, Playable, Rules, Step, Turn, Utility, Witnessed};
pub use history::{Event, Keys};
pub use key::Key;
pub use notation::Notation;
pub use play::{IllegalStep, Line, Ply, play};
pub use player::{MAX_PLAYERS, Observer, PerPlayer, Player, Players, Rewards};
pub use record::Record;
pub use rng::{Purpose, Rng, Seed};
pub use scene::Scene;
pub use secret::{Commitment, Secret};
pub use seen::{BadObservation, Observation};
pub use spec::{About, BadSpec, Domain, Param, Params, Preset, Spec};
pub use state_hash::{StateHasher, StateMap, state_hash};
pub use told::Told;
pub use world::{Erased, Eyes, Info, Model, Move, Outcome, SearchKey, Simulation, World, WorldStep};
