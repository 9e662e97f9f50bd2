//! What is kept of a game: who sat where, what came of it, and how hard everybody thought.

use std::time::Duration;

use fogtree_core::Decision;
use fogtree_core::Seed;
use serde::{Deserialize, Serialize};

use crate::follow::Followed;

/// One game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRow {
    /// Which game of its match, from 0.
    pub number: u64,
    /// From what chance drew.
    pub deal: Seed,
    /// From what the agents drew.
    pub agents: Seed,
    /// Steps of the game, chance's included.
    pub steps: u64,
    /// What is kept of each seat.
    pub seats: Vec<SeatRow>,
}

/// One seat in one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatRow {
    /// Which entrant of the match sat there.
    pub entrant: usize,
    /// The part it played.
    pub role: String,
    /// Whether it looks at the true state.
    pub cheating: bool,
    /// What it got.
    pub reward: f64,
    /// 1 if nobody got more, 0.5 if all got the same, otherwise 0.
    pub score: f64,
    /// How it thought.
    pub effort: Effort,
    /// What was followed of its decisions, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<Followed>,
}

/// How hard somebody thought in the course of a game (`ismcts/F36`).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Decisions made.
    pub moves: u64,
    /// Time taken for them. Like everything that depends on the clock it differs from run to run.
    pub micros: u64,
    /// Iterations of all searches together.
    pub iterations: u64,
    /// Nodes of the largest tree.
    pub nodes: u64,
    /// The greatest depth of a tree.
    pub depth: u32,
    /// The sum over decisions of the mean depth of iterations, where that is known.
    pub mean_depths: f64,
}

impl Effort {
    /// Counts a decision.
    pub fn add(&mut self, decision: &Decision) {
        self.moves += 1;
        self.iterations += decision.report.iterations;
        self.nodes = self.nodes.max(decision.report.nodes);
        self.depth = self.depth.max(decision.report.depth);
        self.mean_depths += decision.report.mean_depth.unwrap_or(0.0);
    }

    /// Sets the time taken.
    #[must_use]
    pub fn taking(self, time: Duration) -> Effort {
        Effort { micros: time.as_micros().try_into().unwrap_or(u64::MAX), ..self }
    }
}
