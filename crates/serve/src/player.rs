//! Who plays: what a player of one match is told and asked, whoever conducts the match.

use std::time::Duration;

use fogtree_core::Budget;
use fogtree_gdl::Sheet;

/// A match that begins.
#[derive(Clone, Debug)]
pub struct Start {
    /// The name of the match.
    pub id: String,
    /// The role to play, as a term of the sheet.
    pub role: String,
    /// The rules, which have a meaning; whether they make a good game was not looked at.
    pub sheet: Sheet,
    /// The time until the match begins.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
}

/// What a player learns before it is asked, or at the end. Terms are texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Learned {
    /// Nothing has happened yet.
    Nothing,
    /// Plain GDL: everybody's move, in the order of the roles.
    Moves(Vec<String>),
    /// GDL-II: a step was made.
    Percepts {
        /// What the player did in it.
        own: Own,
        /// What it perceived of it, in any order; perhaps nothing.
        percepts: Vec<String>,
    },
}

/// What a player knows of its own last move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Own {
    /// The manager says that this was done.
    Told(String),
    /// This was answered in time. If it was not legal, something else was done.
    Sent(String),
    /// Nothing was answered in time, so anything may have been done.
    Unknown,
}

/// A player in one match. To drop it ends its part in the match, too.
pub trait Player: Send {
    /// The next move, a term of the sheet, after something was learned. `None` if it does not know any; then the
    /// manager chooses. The budget has the time that is left and a flag that is set when nobody waits any longer.
    fn play(&mut self, learned: &Learned, budget: &Budget) -> Option<String>;

    /// The match is over.
    fn stop(&mut self, _learned: &Learned) {}

    /// The match is broken off.
    fn abort(&mut self) {}
}

/// Why somebody will not play a match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// Makes players, one for each match.
pub trait PlayerMaker: Send + Sync {
    /// The name by which the players are known.
    fn name(&self) -> String;

    /// The player for a match. The budget is what the start clock leaves for preparations.
    fn start(&self, start: &Start, budget: &Budget) -> Result<Box<dyn Player>, Refusal>;
}
