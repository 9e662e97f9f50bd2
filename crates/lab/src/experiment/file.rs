//! Experiment files: what is to be played, in TOML.
//!
//! ```toml
//! title = "Who beats whom in phantom 4,4,4"
//! seed = 1
//!
//! [agents]
//! mo = "mo-ismcts(iterations={n})"
//! pimc = "pimc(determinizations=40,iterations=250)"
//!
//! [sweep]
//! n = [1000, 10000]
//!
//! [[cells]]
//! game = "phantom-mnk(m=4,n=4,k=4)"
//! seats = ["mo", "pimc"]
//! games = 200
//! ```
//!
//! Every cell is a match. `{n}` in games and agents stands for each value of the sweep in turn: a cell is played
//! for every combination of the values of the names that occur in it. A `[[tournaments]]` table makes the cells
//! of a round robin, a gauntlet or a ladder; a `[[curves]]` table measures how a search converges.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::claim::ClaimTable;
use crate::deals::Deals;

/// What a file says, before it is checked against games and agents.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentFile {
    /// What it is about, in a line.
    pub title: String,
    /// The id of the experiment in the specifications.
    pub id: Option<String>,
    /// Where the experiment was published.
    pub source: Option<String>,
    /// Anything worth knowing before reading the results.
    pub notes: Option<String>,
    /// What deals and agents draw from.
    #[serde(default = "one")]
    pub seed: u64,
    /// How many games make a unit of work.
    #[serde(default = "sixteen")]
    pub unit: u64,
    /// Agents by name.
    #[serde(default)]
    pub agents: BTreeMap<String, Spanned<String>>,
    /// What the names in braces stand for, one value after another.
    #[serde(default)]
    pub sweep: BTreeMap<String, Vec<Value>>,
    /// Matches.
    #[serde(default)]
    pub cells: Vec<CellTable>,
    /// Matches of many.
    #[serde(default)]
    pub tournaments: Vec<TournamentTable>,
    /// Searches that converge.
    #[serde(default)]
    pub curves: Vec<CurveTable>,
    /// By how much the numbers of games and iterations are multiplied at each scale.
    #[serde(default)]
    pub scales: BTreeMap<String, f64>,
    /// What was published and what is claimed.
    #[serde(default)]
    pub claims: Vec<ClaimTable>,
}

fn one() -> u64 {
    1
}

fn sixteen() -> u64 {
    16
}

/// A value of a sweep.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Whole(n) => n.fmt(f),
            Value::Number(x) => x.fmt(f),
            Value::Word(word) => word.fmt(f),
        }
    }
}

/// One or several of something.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore<T> {
    /// One.
    One(T),
    /// Several.
    More(Vec<T>),
}

impl<T> OneOrMore<T> {
    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        match self {
            OneOrMore::One(item) => std::slice::from_ref(item).iter(),
            OneOrMore::More(items) => items.iter(),
        }
    }
}

/// A match: one game, or each of several, between these agents.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellTable {
    /// The game or games.
    pub game: OneOrMore<Spanned<String>>,
    /// An agent for every seat, by name.
    pub seats: Option<Vec<Spanned<String>>>,
    /// Or for every role.
    pub roles: Option<BTreeMap<String, Spanned<String>>>,
    /// Whether seats rotate from game to game.
    #[serde(default = "yes")]
    pub rotate: bool,
    /// How many games.
    pub games: Spanned<u64>,
    /// Which deals.
    #[serde(default)]
    pub deals: Deals,
}

fn yes() -> bool {
    true
}

/// Which pairs of a tournament meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first meets everybody else.
    Gauntlet,
    /// Everybody meets the next.
    Ladder,
    /// Everybody meets everybody and itself, and seats do not rotate: the published cross tables.
    Ordered,
}

/// Matches of two between many.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentTable {
    /// The game or games, for two players.
    pub game: OneOrMore<Spanned<String>>,
    /// The agents by name.
    pub agents: Vec<Spanned<String>>,
    /// Who meets whom.
    pub pairing: Pairing,
    /// How many games in each match.
    pub games: Spanned<u64>,
    /// Which deals.
    #[serde(default)]
    pub deals: Deals,
}

/// Searches of the start of a game, whose average strategies are measured while they run.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveTable {
    /// The game or games.
    pub game: OneOrMore<Spanned<String>>,
    /// The agents by name.
    pub agents: Vec<Spanned<String>>,
    /// How many iterations.
    pub iterations: Spanned<u64>,
    /// How often, with different seeds.
    #[serde(default = "one")]
    pub runs: u64,
}

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {why}")]
pub struct BadFile {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub why: String,
}

impl BadFile {
    /// Something wrong at this stretch of a text.
    pub(crate) fn at(text: &str, span: Range<usize>, why: impl Into<String>) -> BadFile {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        BadFile { line, column, why: why.into() }
    }
}

impl ExperimentFile {
    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<ExperimentFile, BadFile> {
        let file: ExperimentFile = toml::from_str(text)
            .map_err(|why| BadFile::at(text, why.span().unwrap_or(0..0), why.message().to_string()))?;
        if file.unit == 0 {
            return Err(BadFile::at(text, 0..0, "unit: a unit of work has at least one game"));
        }
        if let Some((name, _)) = file.sweep.iter().find(|(_, values)| values.is_empty()) {
            return Err(BadFile::at(text, 0..0, format!("sweep: '{name}' has no values")));
        }
        Ok(file)
    }
}
