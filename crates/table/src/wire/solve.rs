//! What solvers find, and how far from an equilibrium strategies are.

use fogtree_solve::Evaluation;
use serde::{Deserialize, Serialize};

use crate::agent_strategy::{AgentStrategy, Found};
use crate::erased::{Exploited, Solved};
use crate::local_response::LocalResponse;

/// What a solver has found.
///
/// Printed by `fogtree solve --json`, after the points of its curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Solution {
    /// The specification of the game.
    pub game: String,
    /// The specification of the solver.
    pub solver: String,
    /// What the first player earns.
    pub value: f64,
    /// What each player earns.
    pub values: Vec<f64>,
    /// What all players together would gain by best responses; null if that could not be found out.
    pub nash_conv: Option<f64>,
    /// NashConv divided by the number of players; null if that could not be found out.
    pub exploitability: Option<f64>,
    /// Iterations made, or matrices solved.
    pub iterations: u64,
    /// Seconds spent on solving.
    pub seconds: f64,
    /// Nodes of the tree; null if it was not looked at as a whole.
    pub nodes: Option<usize>,
    /// Information sets of all players; null if the tree was not looked at as a whole.
    pub infosets: Option<usize>,
}

/// How far from an equilibrium strategies are.
///
/// Printed by `fogtree exploit --json`, with `--by root` and `--by matches` after the points of a curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exploitability {
    /// The specification of the game.
    pub game: String,
    /// Who made the strategies, as their file says, or the agent that was asked everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<String>,
    /// The specification of the agent that holds the strategies, by `--by root` and `--by matches`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What it has done for them: `iterations` or `matches`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How many of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// What the first player earns.
    pub value: f64,
    /// What each player earns.
    pub values: Vec<f64>,
    /// What each player would earn by a best response.
    pub best_responses: Vec<f64>,
    /// What all players together would gain by best responses.
    pub nash_conv: f64,
    /// NashConv divided by the number of players.
    pub exploitability: f64,
    /// Information sets of the game; with `--by` root and matches, and in games too large to walk, those of which
    /// something is known.
    pub infosets: usize,
    /// How the probabilities of an agent's moves were found: `exact` (it said them), `own` (the mean of those from which
    /// several searches drew) or `counted` (shares of its choices, which overstate how exploitable an agent is that
    /// mixes).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Found>,
    /// How often the agent was asked in an information set, at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u32>,
    /// Of the sets of the game, how many the strategies say nothing of: there they were taken to be random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<usize>,
}

/// A lower bound on how far from an equilibrium an agent is, from games against a local best response.
///
/// Printed by `fogtree exploit --by lbr --json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LowerBound {
    /// The specification of the game.
    pub game: String,
    /// The specification of the agent.
    pub agent: String,
    /// How many games the local best response played in each seat.
    pub games: u64,
    /// What it earned in each seat on average.
    pub earned: Vec<f64>,
    /// Half the width of the 95 % confidence interval of each of these.
    pub margins: Vec<f64>,
    /// NashConv is at least this.
    pub nash_conv: f64,
    /// NashConv divided by the number of players is at least this.
    pub exploitability: f64,
    /// Half the width of the 95 % confidence interval of that.
    pub margin: f64,
    /// How the probabilities of the agent's moves were found, at worst.
    pub strategy: Found,
    /// How often the agent was asked in an information set, at most.
    pub samples: u32,
    /// In how many information sets the agent was asked.
    pub infosets: usize,
    /// At how many decisions no world was found that agrees with what was seen: there a random move was made.
    pub lost: u64,
}

impl LowerBound {
    /// What the games have shown.
    pub fn of(game: &str, agent: &str, found: &LocalResponse) -> LowerBound {
        LowerBound {
            game: game.to_string(),
            agent: agent.to_string(),
            games: found.games,
            earned: found.earned.clone(),
            margins: found.margins.clone(),
            nash_conv: found.nash_conv,
            exploitability: found.nash_conv / found.earned.len() as f64,
            margin: found.margin / found.earned.len() as f64,
            strategy: found.found,
            samples: found.samples,
            infosets: found.infosets,
            lost: found.lost,
        }
    }
}

/// A point of a curve that shows how strategies get nearer to an equilibrium.
///
/// Printed by `fogtree solve --json`, `fogtree exploit --by root --json` and
/// `fogtree exploit --by matches --json`, one line each.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurvePoint {
    /// What was done so far.
    #[serde(flatten)]
    pub done: Done,
    /// Seconds spent on it.
    pub seconds: f64,
    /// What the first player earns.
    pub value: f64,
    /// What all players together would gain by best responses.
    pub nash_conv: f64,
    /// NashConv divided by the number of players.
    pub exploitability: f64,
}

/// How much was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// So many iterations.
    Iterations(u64),
    /// So many matches.
    Matches(u64),
}

impl Solution {
    /// What a solver, given by its specification, has found in a game.
    pub fn of(game: &str, solver: &str, solved: &Solved) -> Solution {
        Solution {
            game: game.to_string(),
            solver: solver.to_string(),
            value: solved.values[0],
            values: solved.values.clone(),
            nash_conv: solved.nash_conv,
            exploitability: solved.exploitability,
            iterations: solved.iterations,
            seconds: solved.seconds,
            nodes: solved.nodes,
            infosets: solved.infosets,
        }
    }
}

impl Exploitability {
    fn new(game: &str, evaluation: &Evaluation, infosets: usize) -> Exploitability {
        Exploitability {
            game: game.to_string(),
            solver: None,
            agent: None,
            by: None,
            done: None,
            value: evaluation.values[0],
            values: evaluation.values.clone(),
            best_responses: evaluation.best.clone(),
            nash_conv: evaluation.nash_conv(),
            exploitability: evaluation.exploitability(),
            infosets,
            strategy: None,
            samples: None,
            missing: None,
        }
    }

    /// Of strategies that cover the whole game.
    pub fn of_strategies(game: &str, solver: &str, found: &Exploited) -> Exploitability {
        Exploitability {
            solver: Some(solver.to_string()),
            missing: found.missing,
            ..Exploitability::new(game, &found.evaluation, found.infosets)
        }
    }

    /// Of the strategy of an agent that was asked everywhere.
    pub fn of_asked(game: &str, asked: &AgentStrategy, found: &Exploited) -> Exploitability {
        Exploitability {
            strategy: Some(asked.found),
            samples: Some(asked.samples),
            ..Exploitability::of_strategies(game, &asked.file.solver, found)
        }
    }

    /// Of what an agent holds after so much work, counted in this unit.
    pub fn of_agent(game: &str, agent: &str, unit: &str, point: &crate::Point) -> Exploitability {
        Exploitability {
            agent: Some(agent.to_string()),
            by: Some(unit.to_string()),
            done: Some(point.done),
            strategy: Some(Found::Own),
            ..Exploitability::new(game, &point.evaluation, point.sets)
        }
    }
}
