//! What searches find out: while they run, and about a decision.

use std::collections::BTreeMap;

use fogtree_core::{
    BeliefReport, Key, LineStep, MoveReport, Observer, PerPlayer, Player, Progress, Report, text,
};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

/// A decision of an agent, explained. What the agent does not know is null, or an empty list.
///
/// Printed by `fogtree analyse --json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decision {
    /// Which decision it is.
    #[serde(flatten)]
    pub asked: Asked,
    /// The move chosen.
    #[serde(rename = "move")]
    pub name: String,
    /// What was found out about each legal move, unknown fields as null.
    #[serde(serialize_with = "moves_in_full")]
    pub moves: Vec<MoveFindings>,
    /// The principal variation, unknown fields as null.
    #[serde(serialize_with = "line_in_full")]
    pub line: Vec<Step>,
    /// Iterations made.
    pub iterations: Option<u64>,
    /// Nodes in the tree.
    pub nodes: Option<u64>,
    /// Moves tried in the tree, where nodes are decisions.
    pub tried: Option<u64>,
    /// The bytes of the tree.
    pub bytes: Option<u64>,
    /// Bytes by node of the textbook's tree: where nodes are decisions, every move tried counts as one.
    pub bytes_per_node: Option<f64>,
    /// The greatest depth reached in the tree.
    pub depth: Option<u32>,
    /// How many moves an iteration made in the tree on average.
    pub mean_depth: Option<f64>,
    /// How many nodes lie so many moves below their root.
    pub profile: Vec<u64>,
    /// Seconds spent.
    pub seconds: f64,
    /// Iterations per second, of searches whose iterations sample.
    pub iterations_per_second: Option<f64>,
    /// What the agent believes, and what it takes others to believe.
    pub beliefs: Vec<Belief>,
    /// Whatever else was counted, by name.
    pub figures: BTreeMap<String, Option<f64>>,
    /// What there is to say of how the move was found.
    pub remark: Option<String>,
}

/// Who was asked for a decision, and where.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Asked {
    /// The specification of the game.
    pub game: String,
    /// The specification of the agent.
    pub agent: String,
    /// Whether it looks at the true state.
    pub cheating: bool,
    /// The seat that decides.
    pub seat: Player,
    /// Its information-set key.
    pub infoset: Key,
    /// The seed that chance drew from; null if it was given or none was needed.
    pub seed: Option<u64>,
}

/// What a search has found out. Engines may leave out any of it.
///
/// Printed by `fogtree engine`, in `info` as progress and in `bestmove`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// What a search has found out about one move.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Its share of all visits, where visits say what the search prefers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
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

/// One step of a principal variation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Who moves; nobody for chance and for what is only seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Player>,
    /// The name of the move, or words.
    pub name: String,
}

/// What somebody believes about the hidden part of a state.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Belief {
    /// Who: `player N` or `an outsider`.
    pub of: String,
    /// The values held possible, the likeliest first.
    pub values: Vec<Held>,
}

/// A value that is held possible.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// Its name.
    pub value: String,
    /// Its probability.
    pub probability: f64,
}

impl Decision {
    /// The decision for a move, in a position with these legal moves, by what the agent reports.
    pub fn of(asked: Asked, names: &[String], chosen: String, report: &Report) -> Decision {
        let moves = MoveFindings::listed(names, report);
        let (seconds, nodes) = (report.time.as_secs_f64(), report.tried.unwrap_or(report.nodes));
        let samples = moves.iter().any(|m| m.share.is_some());
        Decision {
            asked,
            name: chosen,
            moves,
            line: report.line.iter().map(Step::from).collect(),
            iterations: Some(report.iterations).filter(|&n| n > 0),
            nodes: Some(report.nodes).filter(|&n| n > 0),
            tried: report.tried,
            bytes: report.bytes,
            bytes_per_node: report.bytes.filter(|_| nodes > 0).map(|bytes| bytes as f64 / nodes as f64),
            depth: Some(report.depth).filter(|&n| n > 0),
            mean_depth: report.mean_depth,
            profile: report.profile.clone(),
            seconds,
            iterations_per_second: (samples && seconds > 0.0).then(|| report.iterations as f64 / seconds),
            beliefs: report.beliefs.iter().map(Belief::from).collect(),
            figures: report
                .figures
                .iter()
                .map(|(name, x)| (name.clone(), Some(*x).filter(|x| x.is_finite())))
                .collect(),
            remark: report.remark.clone(),
        }
    }
}

impl MoveFindings {
    /// What is known about a move of this name.
    pub fn of(name: String, report: &MoveReport) -> MoveFindings {
        MoveFindings {
            name,
            visits: report.visits,
            availability: report.availability,
            share: None,
            values: report.values.clone(),
            margins: report.margins.clone(),
            proven: report.proven,
        }
    }

    /// What is known about each of the legal moves, with shares where visits say what the search prefers.
    pub fn listed(names: &[String], report: &Report) -> Vec<MoveFindings> {
        let moves = &report.moves;
        let total: u64 = moves.iter().map(|m| m.visits).sum();
        let sampled = moves.iter().any(|m| m.margins.is_some());
        let differ = moves.windows(2).any(|w| w[0].visits != w[1].visits);
        let share = |visits: u64| (total > 0 && (sampled || differ)).then(|| visits as f64 / total as f64);
        let one = |(name, m): (&String, &MoveReport)| MoveFindings {
            share: share(m.visits),
            ..MoveFindings::of(name.clone(), m)
        };
        names.iter().zip(moves).map(one).collect()
    }
}

impl Findings {
    /// How a running search of these legal moves stands.
    pub fn so_far(legal: &[String], progress: &Progress) -> Findings {
        let moves = legal.iter().zip(&progress.moves).map(|(name, m)| MoveFindings {
            name: name.clone(),
            visits: m.visits,
            values: m.values.clone(),
            ..MoveFindings::default()
        });
        Findings {
            moves: moves.collect(),
            iterations: progress.iterations,
            nodes: progress.nodes,
            depth: progress.depth,
            milliseconds: Some(u64::try_from(progress.time.as_millis()).unwrap_or(u64::MAX)),
            ..Findings::default()
        }
    }

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

impl From<&LineStep> for Step {
    fn from(LineStep { by, name }: &LineStep) -> Step {
        Step { by: *by, name: text::plain(name) }
    }
}

impl From<&BeliefReport> for Belief {
    fn from(belief: &BeliefReport) -> Belief {
        let of = match belief.of {
            Observer::Seat(seat) => format!("player {seat}"),
            Observer::Public => "an outsider".to_string(),
        };
        let held =
            |(value, probability): &(String, f64)| Held { value: value.clone(), probability: *probability };
        Belief { of, values: belief.values.iter().map(held).collect() }
    }
}

fn moves_in_full<S: Serializer>(moves: &[MoveFindings], serializer: S) -> Result<S::Ok, S::Error> {
    let unknown =
        json!({"availability": null, "share": null, "values": null, "margins": null, "proven": false});
    in_full(moves, &unknown, serializer)
}

fn line_in_full<S: Serializer>(line: &[Step], serializer: S) -> Result<S::Ok, S::Error> {
    in_full(line, &json!({"by": null}), serializer)
}

/// Writes objects with the fields that they leave out themselves.
fn in_full<T: Serialize, S: Serializer>(
    all: &[T],
    unknown: &Value,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().map(|one| {
        let mut full = unknown.clone();
        let known = serde_json::to_value(one).expect("plain data");
        if let (Value::Object(full), Value::Object(known)) = (&mut full, known) {
            full.extend(known);
        }
        full
    }))
}
