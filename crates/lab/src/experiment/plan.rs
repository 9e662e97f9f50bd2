//! From a file to cells and units of work.
//!
//! A [`Cell`] is one match or one curve, fully spelt out. A [`Unit`] is a part of a cell that is done in one go;
//! it says everything needed to do it, so that any machine that has the program gets the same result.

use std::collections::BTreeMap;

use fogtree_core::Seed;
use fogtree_table::Registry;
use serde::{Deserialize, Serialize};

use super::file::{BadFile, ExperimentFile};
use super::maker::Maker;
use crate::deals::Deals;
use crate::series::{Seats, Series};
use crate::until::Until;

/// Something to be measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// The game's specification.
    pub game: String,
    /// What the names in braces stood for.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// What is measured.
    pub work: Work,
}

/// An agent with the name it has in the file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The specification.
    pub agent: String,
}

/// What a cell measures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Games between agents.
    Match {
        /// Who sits where.
        seats: Seating,
        /// How many games.
        games: u64,
        /// Which deals.
        deals: Deals,
        /// When to stop before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<Until>,
    },
    /// A search that converges.
    Curve {
        /// Who searches.
        agent: Named,
        /// For how many iterations.
        iterations: u64,
        /// How often.
        runs: u64,
    },
    /// An agent that is asked in every information set.
    Asked {
        /// Who.
        agent: Named,
        /// How often in each.
        samples: u64,
        /// How often altogether.
        runs: u64,
    },
    /// The first decision of a game.
    Search {
        /// Who decides.
        agent: Named,
        /// How often.
        trials: u64,
    },
}

/// Who sits where.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// By seat, rotating.
    Rotated(Vec<Named>),
    /// By seat, in every order.
    Permuted(Vec<Named>),
    /// By seat.
    Fixed(Vec<Named>),
    /// By role.
    Roles(Vec<(String, Named)>),
}

impl Seating {
    /// The entrants in order, with their roles if they are seated by role.
    pub fn entrants(&self) -> Vec<(Option<&str>, &Named)> {
        match self {
            Seating::Rotated(agents) | Seating::Permuted(agents) | Seating::Fixed(agents) => {
                agents.iter().map(|a| (None, a)).collect()
            }
            Seating::Roles(roles) => roles.iter().map(|(role, agent)| (Some(role.as_str()), agent)).collect(),
        }
    }

    fn seats(&self) -> Seats {
        let specs = |agents: &[Named]| agents.iter().map(|a| a.agent.clone()).collect();
        match self {
            Seating::Rotated(agents) => Seats::Rotated(specs(agents)),
            Seating::Permuted(agents) => Seats::Permuted(specs(agents)),
            Seating::Fixed(agents) => Seats::Fixed(specs(agents)),
            Seating::Roles(roles) => {
                Seats::Roles(roles.iter().map(|(role, a)| (role.clone(), a.agent.clone())).collect())
            }
        }
    }
}

impl Cell {
    /// The match of a cell, if it is one, with the seed of the experiment and what is followed.
    pub fn series(&self, seed: Seed, follow: &[String]) -> Option<Series> {
        let Work::Match { seats, games, deals, .. } = &self.work else { return None };
        Some(Series {
            game: self.game.clone(),
            seats: seats.seats(),
            games: *games,
            seed,
            deals: deals.clone(),
            threads: 1,
            until: None,
            follow: follow.to_vec(),
        })
    }

    /// How many games, runs or trials.
    pub fn size(&self) -> u64 {
        match self.work {
            Work::Match { games, .. } => games,
            Work::Curve { runs, .. } | Work::Asked { runs, .. } => runs,
            Work::Search { trials, .. } => trials,
        }
    }

    /// When to stop before all of them are done.
    pub fn until(&self) -> Option<Until> {
        match self.work {
            Work::Match { until, .. } => until,
            _ => None,
        }
    }

    /// The same cell with so many games, runs or trials.
    fn sized(&self, size: u64) -> Cell {
        let mut cell = self.clone();
        match &mut cell.work {
            Work::Match { games, .. } => *games = size,
            Work::Curve { runs, .. } | Work::Asked { runs, .. } => *runs = size,
            Work::Search { trials, .. } => *trials = size,
        }
        cell
    }

    /// Whether two games in a row are of one deal, with seats exchanged.
    pub(super) fn has_pairs(&self) -> bool {
        matches!(&self.work, Work::Match { seats: Seating::Rotated(agents), .. } if agents.len() == 2)
    }

    /// Its entrants, or who searches.
    pub fn agents(&self) -> Vec<&Named> {
        match &self.work {
            Work::Match { seats, .. } => seats.entrants().into_iter().map(|(_, agent)| agent).collect(),
            Work::Curve { agent, .. } | Work::Asked { agent, .. } | Work::Search { agent, .. } => vec![agent],
        }
    }

    /// How many of them are done in one go, where games are done `games` at a time.
    fn unit(&self, games: u64) -> u64 {
        match self.work {
            Work::Match { .. } | Work::Search { .. } => games.max(1),
            Work::Curve { .. } | Work::Asked { .. } => 1,
        }
    }

    /// What the cell is called in reports.
    pub fn label(&self) -> String {
        let who = match &self.work {
            Work::Match { seats, .. } => {
                let entrants = seats.entrants().into_iter().map(|(role, agent)| match role {
                    Some(role) => format!("{role}={}", agent.name),
                    None => agent.name.clone(),
                });
                entrants.collect::<Vec<_>>().join(" - ")
            }
            Work::Curve { agent, .. } | Work::Asked { agent, .. } | Work::Search { agent, .. } => {
                agent.name.clone()
            }
        };
        let values = self.values.iter().map(|(name, value)| format!(", {name}={value}"));
        format!("{}: {who}{}", self.game, values.collect::<String>())
    }
}

/// A part of a cell: some of its games or runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the cell.
    pub cell: usize,
    /// The first game or run.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// Experiments of more units than this are refused.
const MOST_UNITS: u64 = 10_000_000;

/// A whole experiment, spelt out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// What it is about.
    pub title: String,
    /// What deals and agents draw from, in all cells alike: agents meet the same deals in every one.
    pub seed: Seed,
    /// How many games make a unit.
    pub unit: u64,
    /// What is measured.
    pub cells: Vec<Cell>,
    /// What is followed from decision to decision in all matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follow: Vec<String>,
}

impl Plan {
    /// The cells of a file at a scale, each checked against the games and agents that exist.
    pub fn of(text: &str, scale: Option<&str>, registry: &Registry) -> Result<Plan, BadFile> {
        let mut file = ExperimentFile::read(text)?;
        let mut factor = 1.0;
        if let Some(name) = scale {
            let found = file.scales.get(name).ok_or_else(|| {
                let known: Vec<&str> = file.scales.keys().map(String::as_str).collect();
                let why = match known.is_empty() {
                    true => format!("no scale '{name}'; the file has no [scales]"),
                    false => format!("no scale '{name}'; there are: {}", known.join(", ")),
                };
                BadFile::at(text, 0..0, why)
            })?;
            factor = found.factor;
            file.sweep.extend(found.sweep.clone());
        }
        if !(factor > 0.0 && factor.is_finite()) {
            let name = scale.unwrap_or_default();
            return Err(BadFile::at(
                text,
                0..0,
                format!("scale '{name}': expected a number above 0, not {factor}"),
            ));
        }
        let cells = Maker::cells(text, &file, registry, factor)?;
        let units = cells.iter().map(|cell| cell.size().div_ceil(cell.unit(file.unit)));
        let units = units.fold(0, u64::saturating_add);
        if units > MOST_UNITS {
            let why = format!(
                "{units} units of work are more than {MOST_UNITS}; ask for fewer games, or more in a unit (unit = 1000)"
            );
            return Err(BadFile::at(text, 0..0, why));
        }
        let ExperimentFile { title, seed, unit, follow, .. } = file;
        Ok(Plan { title, seed: Seed(seed), unit, cells, follow })
    }

    /// Whether this is one of the units of work.
    pub(super) fn has_unit(&self, unit: &Unit) -> bool {
        self.cells.get(unit.cell).is_some_and(|cell| {
            let (size, length) = (cell.size(), cell.unit(self.unit));
            unit.first < size
                && unit.first.is_multiple_of(length)
                && unit.count == length.min(size - unit.first)
        })
    }

    /// The numbers that the cells of an earlier plan have in this one, if it holds all of them with no fewer
    /// games; otherwise what is different.
    pub(super) fn grown_from(&self, earlier: &Plan) -> Result<Vec<usize>, String> {
        let common = |plan: &Plan| (plan.seed, plan.unit, plan.follow.clone());
        if common(self) != common(earlier) {
            return Err("its seed, its unit or what it follows is different".to_string());
        }
        let mut numbers: Vec<usize> = Vec::new();
        let mut taken = vec![false; self.cells.len()];
        for cell in &earlier.cells {
            let next = numbers.last().map_or(0, |last| last + 1);
            let same = |&number: &usize| {
                let new = &self.cells[number];
                !taken[number] && new.size() >= cell.size() && cell.sized(new.size()) == *new
            };
            let found = (next..self.cells.len()).chain(0..next).find(same);
            let number =
                found.ok_or_else(|| format!("the cell '{}' is missing, changed or smaller", cell.label()))?;
            taken[number] = true;
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// All units of work, in order.
    pub fn units(&self) -> Vec<Unit> {
        let of_cell = |(cell, work): (usize, &Cell)| {
            let size = work.size();
            let length = work.unit(self.unit);
            let starts = (0..size).step_by(length as usize);
            starts.map(move |first| Unit { cell, first, count: length.min(size - first) }).collect::<Vec<_>>()
        };
        self.cells.iter().enumerate().flat_map(of_cell).collect()
    }
}
