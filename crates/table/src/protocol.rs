//! What a table and an engine say to each other, one JSON object per line.
//!
//! `docs/engine-protocol.md` says what the messages mean; here they are types, which both sides and the
//! compliance check share.

use std::num::NonZeroU64;

use fogtree_core::{Decision, Event, InfoSet, Player, Progress, Rewards, Seed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{Findings, MoveFindings, Step};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The longest line that an engine may write, in bytes.
pub const LONGEST_ANSWER: usize = 1 << 20;

/// The longest line that an engine must be able to read, in bytes.
pub const LONGEST_REQUEST: usize = 16 << 20;

/// From the table to the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Request {
    /// Who are you? Answered by [`Answer::Ready`].
    Hello {
        /// The version that the table speaks.
        protocol: u32,
    },
    /// A game begins. Answered by [`Answer::Ready`], or by [`Answer::Error`] if the engine cannot play it.
    NewGame {
        /// The game's specification.
        game: String,
        /// The engine's seat.
        seat: Player,
        /// All that is random in the engine comes from this.
        seed: Seed,
    },
    /// What the seat did and saw since the last time. Not answered.
    Observe {
        /// In the order in which it happened.
        events: Vec<Event>,
    },
    /// Choose a move. Answered by any number of [`Answer::Info`] and one [`Answer::BestMove`].
    Go {
        /// What the seat knows, did, saw and may do, as [`fogtree_core::InfoSet::to_json`] writes it.
        infoset: Value,
        /// The most iterations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        iterations: Option<NonZeroU64>,
        /// The most time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        milliseconds: Option<NonZeroU64>,
        /// Whether the answer is to tell about the tree as well.
        #[serde(default, skip_serializing_if = "is_false")]
        explain: bool,
    },
    /// Answer the running search at once. Not answered itself.
    Stop,
    /// The game is over. Not answered.
    End {
        /// What it was worth to every seat.
        rewards: Rewards,
    },
    /// Exit.
    Quit,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

/// From the engine to the table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Answer {
    /// To [`Request::Hello`], with name and version, and to [`Request::NewGame`].
    Ready {
        /// What the engine is called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The version that the engine speaks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<u32>,
    },
    /// How a running search stands.
    Info(Findings),
    /// The move.
    BestMove {
        /// One of the legal moves, by name.
        #[serde(rename = "move")]
        name: String,
        /// How it came about.
        #[serde(flatten)]
        findings: Findings,
    },
    /// A request that could not be understood or fulfilled.
    Error {
        /// Why.
        message: String,
        /// The line of the request, counted from 1 since the engine started.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
    },
}

impl Request {
    /// The message as a line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("requests serialise")
    }
}

impl Answer {
    /// The answer that says which of the legal moves was chosen.
    pub fn best_move(info: &InfoSet, decision: &Decision) -> Answer {
        let report = &decision.report;
        let moves = report.moves.iter().map(|m| MoveFindings::of(info.game.move_name(m.action), m));
        Answer::BestMove {
            name: info.game.move_name(decision.action),
            findings: Findings {
                moves: moves.collect(),
                iterations: report.iterations,
                nodes: report.nodes,
                depth: report.depth,
                milliseconds: None,
                tried: report.tried,
                bytes: report.bytes,
                mean_depth: report.mean_depth,
                profile: report.profile.clone(),
                line: report.line.iter().map(Step::from).collect(),
            },
        }
    }

    /// The answer that says how a running search stands.
    pub fn info(legal: &[String], progress: &Progress) -> Answer {
        Answer::Info(Findings::so_far(legal, progress))
    }

    /// The message as a line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("answers serialise")
    }
}
