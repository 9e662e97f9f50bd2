//! Results of matches.

use fogtree_core::Seed;
use serde::{Deserialize, Serialize};

/// The result of a match.
///
/// Printed by `fogtree match --json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchResult {
    /// The game's specification.
    pub game: String,
    /// Games played.
    pub games: u64,
    /// From which deals and agents drew.
    pub seed: Seed,
    /// The mean number of moves in a game.
    pub moves_per_game: f64,
    /// How each entrant did.
    pub agents: Vec<Standing>,
    /// What the stopping rule settled, if there was one and it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
}

/// How one entrant did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standing {
    /// Its specification.
    pub agent: String,
    /// The part it played, where agents were assigned by role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Whether it looks at the true state.
    pub cheating: bool,
    /// Games in which it had a seat.
    pub games: u64,
    /// Results, one for each of its seats in a game, in which it alone had the first place.
    pub wins: u64,
    /// Results in which it shared the first place.
    pub draws: u64,
    /// Results in which somebody had more.
    pub losses: u64,
    /// The mean share of the first place: 1 for a win, 1/k for a first place that k entrants share. Over all
    /// entrants with one seat each they add up to 1.
    pub win_rate: f64,
    /// The lower end of its 95 % interval. Seats in the same game count once: they may win and lose together.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
    /// The mean place, from 1, in games for more than two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_place: Option<f64>,
    /// The mean reward.
    pub mean_reward: f64,
    /// The standard error of the mean reward, by games as well.
    pub reward_error: f64,
    /// Rating points above the opponent, in games for two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo: Option<f64>,
    /// The mean time per move.
    pub seconds_per_move: f64,
}

/// What a stopping rule settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settled {
    /// After this many games.
    pub games: u64,
    /// Whether the first entrant is stronger, as the alternative says.
    pub stronger: bool,
}
