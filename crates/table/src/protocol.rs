//! What a table and an engine say to each other, one JSON object per line.
//!
//! `docs/engine-protocol.md` says what the messages mean; here they are types, which both sides and the
//! compliance check share.

use std::num::NonZeroU64;

use fogtree_core::{Decision, Event, InfoSet, LineStep, PerPlayer, Player, Progress, Rewards, Seed};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

/// What a search has found out. Nothing of it is required.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Findings {
    /// What was found out about moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveFindings>,
    /// Iterations made.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// The greatest depth reached in the tree.
    pub depth: u32,
    /// Milliseconds since the search began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
    /// Moves tried in the tree, where nodes are decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<u64>,
    /// The bytes of the tree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// How many moves an iteration made in the tree on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_depth: Option<f64>,
    /// How many nodes lie so many moves below their root.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profile: Vec<u64>,
    /// The principal variation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<Step>,
}

/// One step of a principal variation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// Who moves; nobody for chance and for what is only seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Player>,
    /// The name of the move, or words.
    pub name: String,
}

/// What a search has found out about one move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveFindings {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// How often it was tried.
    #[serde(default)]
    pub visits: u64,
    /// How often it was legal when the search decided, in searches of many worlds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub availability: Option<u64>,
    /// The mean reward of every player after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<PerPlayer<f64>>,
    /// Half the widths of the 95 % confidence intervals of these means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margins: Option<PerPlayer<f64>>,
    /// Whether the values are proven.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proven: bool,
}

impl Findings {
    /// Everything that was counted, with what it is.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let one = |count: Option<u64>, what| count.map(|count| (count, what));
        let whole = [
            one(Some(self.iterations), "iterations"),
            one(Some(self.nodes), "nodes"),
            one(self.tried, "moves tried"),
            one(self.bytes, "bytes"),
        ];
        let moves = self.moves.iter().flat_map(move |m| {
            [one(Some(m.visits), "visits"), one(m.availability, "times that a move was available")]
        });
        let nodes = self.profile.iter().map(|&nodes| (nodes, "nodes at one depth"));
        whole.into_iter().chain(moves).flatten().chain(nodes)
    }
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
        let moves = report.moves.iter().map(|m| MoveFindings {
            name: info.game.move_name(m.action),
            visits: m.visits,
            availability: m.availability,
            values: m.values.clone(),
            margins: m.margins.clone(),
            proven: m.proven,
        });
        let step = |LineStep { by, name }: &LineStep| Step { by: *by, name: name.clone() };
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
                line: report.line.iter().map(step).collect(),
            },
        }
    }

    /// The answer that says how a running search stands.
    pub fn info(legal: &[String], progress: &Progress) -> Answer {
        let moves = legal.iter().zip(&progress.moves).map(|(name, m)| MoveFindings {
            name: name.clone(),
            visits: m.visits,
            values: m.values.clone(),
            ..MoveFindings::default()
        });
        Answer::Info(Findings {
            moves: moves.collect(),
            iterations: progress.iterations,
            nodes: progress.nodes,
            depth: progress.depth,
            milliseconds: Some(u64::try_from(progress.time.as_millis()).unwrap_or(u64::MAX)),
            ..Findings::default()
        })
    }

    /// The message as a line, without its end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("answers serialise")
    }
}
