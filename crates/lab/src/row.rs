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
    /// Its share of the first place: 1/k if its entrant is one of the k who got most, otherwise 0.
    pub score: f64,
    /// Its place, from 1; those who got the same share the mean of their places.
    pub place: f64,
    /// How it thought.
    pub effort: Effort,
    /// What was followed of its decisions, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<Followed>,
}

/// The score and the place of every seat, by what it got and whose it is. Seats of one entrant win together.
pub(crate) fn scores_and_places(seats: &[(f64, usize)]) -> Vec<(f64, f64)> {
    let best = seats.iter().map(|seat| seat.0).fold(f64::NEG_INFINITY, f64::max);
    let mut first: Vec<usize> = seats.iter().filter(|seat| seat.0 == best).map(|seat| seat.1).collect();
    first.sort_unstable();
    first.dedup();
    let result = |&(reward, _): &(f64, usize)| {
        let above = seats.iter().filter(|other| other.0 > reward).count();
        let level = seats.iter().filter(|other| other.0 == reward).count();
        let score = if reward == best { 1.0 / first.len() as f64 } else { 0.0 };
        (score, above as f64 + (level as f64 + 1.0) / 2.0)
    };
    seats.iter().map(result).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_places_are_shared() {
        let alone = |rewards: &[f64]| {
            let seats: Vec<_> = rewards.iter().copied().zip(0..).collect();
            scores_and_places(&seats)
        };
        assert_eq!(alone(&[1.0, -1.0]), [(1.0, 1.0), (0.0, 2.0)]);
        assert_eq!(alone(&[0.0, 0.0]), [(0.5, 1.5), (0.5, 1.5)]);
        assert_eq!(alone(&[7.0, 3.0, 7.0, 3.0]), [(0.5, 1.5), (0.0, 3.5), (0.5, 1.5), (0.0, 3.5)]);
        assert_eq!(alone(&[2.0; 4]), [(0.25, 2.5); 4]);
        // Two spies of one entrant beat three of another.
        let teams = [(1.0, 0), (0.0, 1), (1.0, 0), (0.0, 1), (0.0, 1)];
        assert_eq!(
            scores_and_places(&teams).iter().map(|s| s.0).collect::<Vec<_>>(),
            [1.0, 0.0, 1.0, 0.0, 0.0]
        );
    }
}
