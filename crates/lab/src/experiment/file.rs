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
//! of a round robin, a gauntlet or a ladder; a `[[curves]]` table measures how a search converges, or how far from
//! equilibrium an agent plays; a `[[searches]]` table looks at the first decision of a game. `until` ends a match as soon as
//! a sequential test is settled ([`Until`]).

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::claim::ClaimTable;
use crate::deals::Deals;
use crate::until::Until;

/// What a file says, before it is checked against games and agents.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentFile {
    /// What it is about, in a line.
    pub title: String,
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
    /// What is followed from decision to decision ([`crate::follow`]).
    #[serde(default)]
    pub follow: Vec<String>,
    /// Agents by name.
    #[serde(default)]
    pub agents: BTreeMap<String, Spanned<String>>,
    /// What the names in braces stand for, one value after another; `"d,s" = [[1, 100], [4, 25]]` for names that
    /// change together, of which the first tells the cells apart.
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
    /// First decisions.
    #[serde(default)]
    pub searches: Vec<SearchTable>,
    /// How much larger or smaller it can be made.
    #[serde(default)]
    pub scales: BTreeMap<String, Scale>,
    /// What was published and what is claimed.
    #[serde(default)]
    pub claims: Vec<ClaimTable>,
    /// Tests that check what was published, where nothing is played: `path/of/file.rs::name`.
    #[serde(default)]
    pub tests: Vec<String>,
}

fn one() -> u64 {
    1
}

fn sixteen() -> u64 {
    16
}

/// What is different at a scale.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(from = "ScaleTable")]
pub struct Scale {
    /// By how much the numbers of games and iterations are multiplied.
    pub factor: f64,
    /// Other values of the sweep.
    pub sweep: BTreeMap<String, Vec<Value>>,
}

/// A scale as it is written: the factor alone, or a table.
#[derive(Deserialize)]
#[serde(untagged)]
enum ScaleTable {
    Factor(f64),
    Table {
        factor: f64,
        #[serde(default)]
        sweep: BTreeMap<String, Vec<Value>>,
    },
}

impl From<ScaleTable> for Scale {
    fn from(table: ScaleTable) -> Scale {
        match table {
            ScaleTable::Factor(factor) => Scale { factor, sweep: BTreeMap::new() },
            ScaleTable::Table { factor, sweep } => Scale { factor, sweep },
        }
    }
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
    /// A value for each of several names.
    Row(Vec<Value>),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Whole(n) => n.fmt(f),
            Value::Number(x) => x.fmt(f),
            Value::Word(word) => word.fmt(f),
            Value::Row(values) => values.first().map_or(Ok(()), |value| value.fmt(f)),
        }
    }
}

impl Value {
    /// One value for each of these names, if it has as many.
    pub(super) fn of<'a>(&self, names: &'a str) -> Option<Vec<(&'a str, String)>> {
        let values = match self {
            Value::Row(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        let is_plain = |value: &Value| !matches!(value, Value::Row(_));
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        (names.len() == values.len() && values.iter().all(is_plain))
            .then(|| names.into_iter().zip(values.iter().map(Value::to_string)).collect())
    }
}

/// One name or several, each with its place in the file: that of the whole list, if it is one.
#[derive(Clone, PartialEq, Debug)]
pub struct Names(Vec<Spanned<String>>);

impl Names {
    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Spanned<String>> {
        self.0.iter()
    }

    /// All of them.
    pub fn as_slice(&self) -> &[Spanned<String>] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum OneOrMore {
            One(String),
            More(Vec<String>),
        }
        let found = Spanned::<OneOrMore>::deserialize(deserializer)?;
        let place = found.span();
        let names = match found.into_inner() {
            OneOrMore::One(name) => vec![name],
            OneOrMore::More(names) => names,
        };
        Ok(Names(names.into_iter().map(|name| Spanned::new(place.clone(), name)).collect()))
    }
}

/// A match: one game, or each of several, between these agents.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellTable {
    /// The game or games.
    pub game: Names,
    /// An agent for every seat, by name or specification.
    pub seats: Option<Vec<Spanned<String>>>,
    /// Or for every role.
    pub roles: Option<BTreeMap<String, Spanned<String>>>,
    /// Who takes the place of the name `player`, one after another, each in a match of its own.
    pub player: Option<Vec<Spanned<String>>>,
    /// Whether seats rotate from game to game.
    #[serde(default = "yes")]
    pub rotate: bool,
    /// How many games, at most.
    pub games: Spanned<u64>,
    /// When to stop before.
    pub until: Option<Spanned<Until>>,
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
    /// Everybody sits alone at a table of which everybody else in turn has all other seats.
    OneAgainstField,
    /// Every choice of as many as the game has players, each deal in every order of them.
    AllSeatings,
}

/// Matches between many: of two in games for two, otherwise of one against the field, or of all.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentTable {
    /// The game or games.
    pub game: Names,
    /// The agents by name.
    pub agents: Vec<Spanned<String>>,
    /// Those they meet, if others; for ordered pairs and one-against-field.
    pub against: Option<Vec<Spanned<String>>>,
    /// The roles of the first and the second agent of a pair instead of their seats; for ordered pairs.
    pub roles: Option<[String; 2]>,
    /// Who meets whom.
    pub pairing: Pairing,
    /// How many games in each match, at most.
    pub games: Spanned<u64>,
    /// When to stop a match before.
    pub until: Option<Spanned<Until>>,
    /// Which deals.
    #[serde(default)]
    pub deals: Deals,
}

/// Searches of the start of a game, whose average strategies are measured while they run; or agents that are asked
/// in every information set.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveTable {
    /// The game or games.
    pub game: Names,
    /// The agents by name.
    pub agents: Vec<Spanned<String>>,
    /// How many iterations of one search,
    pub iterations: Option<Spanned<u64>>,
    /// or how often an agent is asked in every information set.
    pub samples: Option<Spanned<u64>>,
    /// How often, with different seeds.
    #[serde(default = "one")]
    pub runs: u64,
}

/// The first decision of a game, again and again.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchTable {
    /// The game or games.
    pub game: Names,
    /// The agents by name.
    pub agents: Vec<Spanned<String>>,
    /// How often, with different deals and seeds.
    pub trials: Spanned<u64>,
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
        if let Some(names) =
            file.scales.values().flat_map(|s| s.sweep.keys()).find(|n| !file.sweep.contains_key(*n))
        {
            return Err(BadFile::at(text, 0..0, format!("scales: the sweep has no '{names}'")));
        }
        for (names, values) in file.scales.values().flat_map(|scale| &scale.sweep).chain(&file.sweep) {
            if let Some(value) = values.iter().find(|value| value.of(names).is_none()) {
                let why = format!("sweep: expected one value for each of '{names}', not {value:?}");
                return Err(BadFile::at(text, 0..0, why));
            }
        }
        file.claims.iter().try_for_each(|claim| claim.check(&file, text))?;
        Ok(file)
    }

    /// The values of a name by which the sweep tells cells apart.
    pub(super) fn values(&self, name: &str) -> Option<Vec<String>> {
        let first = |names: &str| names.split(',').next().is_some_and(|first| first.trim() == name);
        let (_, values) = self.sweep.iter().find(|(names, _)| first(names))?;
        Some(values.iter().map(Value::to_string).collect())
    }

    /// What to say of an agent that is not there.
    pub(super) fn no_agent(&self, name: &str) -> String {
        let known: Vec<&str> = self.agents.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none in [agents]".to_string() } else { known.join(", ") };
        format!("no agent is called '{name}'; there are: {known}")
    }

    /// Whether an agent of this name, or with this specification, is there.
    pub(super) fn has_agent(&self, name: &str) -> bool {
        let cells = self.cells.iter().flat_map(|table| {
            let roles = table.roles.iter().flat_map(BTreeMap::values);
            table.seats.iter().flatten().chain(roles).chain(table.player.iter().flatten())
        });
        let tournaments =
            self.tournaments.iter().flat_map(|t| t.agents.iter().chain(t.against.iter().flatten()));
        let curves = self.curves.iter().flat_map(|table| &table.agents);
        let searches = self.searches.iter().flat_map(|table| &table.agents);
        let mut all = cells.chain(tournaments).chain(curves).chain(searches);
        self.agents.contains_key(name) || all.any(|agent| agent.get_ref() == name)
    }

    /// The games as they are written, names in braces and all.
    pub(super) fn games(&self) -> impl Iterator<Item = &str> {
        let cells = self.cells.iter().map(|table| &table.game);
        let tournaments = self.tournaments.iter().map(|table| &table.game);
        let curves = self.curves.iter().map(|table| &table.game);
        let searches = self.searches.iter().map(|table| &table.game);
        let all = cells.chain(tournaments).chain(curves).chain(searches);
        all.flat_map(Names::iter).map(|game| game.get_ref().as_str())
    }

    /// Whether an agent is seated by this role anywhere.
    pub(super) fn has_role(&self, role: &str) -> bool {
        let in_cells = self.cells.iter().flat_map(|cell| &cell.roles).any(|roles| roles.contains_key(role));
        in_cells || self.tournaments.iter().flat_map(|t| &t.roles).flatten().any(|name| name == role)
    }
}
