//! From a file to cells and units of work.
//!
//! A [`Cell`] is one match or one curve, fully spelt out. A [`Unit`] is a part of a cell that is done in one go;
//! it says everything needed to do it, so that any machine that has the program gets the same result.

use std::collections::BTreeMap;

use fogtree_core::Seed;
use fogtree_table::Registry;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::file::{BadFile, CellTable, CurveTable, ExperimentFile, Pairing, SearchTable, TournamentTable};
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
    /// By seat.
    Fixed(Vec<Named>),
    /// By role.
    Roles(Vec<(String, Named)>),
}

impl Seating {
    /// The entrants in order, with their roles if they are seated by role.
    pub fn entrants(&self) -> Vec<(Option<&str>, &Named)> {
        match self {
            Seating::Rotated(agents) | Seating::Fixed(agents) => agents.iter().map(|a| (None, a)).collect(),
            Seating::Roles(roles) => roles.iter().map(|(role, agent)| (Some(role.as_str()), agent)).collect(),
        }
    }

    fn seats(&self) -> Seats {
        let specs = |agents: &[Named]| agents.iter().map(|a| a.agent.clone()).collect();
        match self {
            Seating::Rotated(agents) => Seats::Rotated(specs(agents)),
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

    /// How many of them are done in one go, where games are done `games` at a time.
    fn unit(&self, games: u64) -> u64 {
        match self.work {
            Work::Match { .. } | Work::Search { .. } => games.max(1),
            Work::Curve { .. } | Work::Asked { .. } => 1,
        }
    }

    /// The names of its entrants, or of who searches.
    pub fn names(&self) -> Vec<&str> {
        match &self.work {
            Work::Match { seats, .. } => {
                seats.entrants().into_iter().map(|(_, agent)| agent.name.as_str()).collect()
            }
            Work::Curve { agent, .. } | Work::Asked { agent, .. } | Work::Search { agent, .. } => {
                vec![agent.name.as_str()]
            }
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
                BadFile::at(text, 0..0, format!("no scale '{name}'; there are: {}", known.join(", ")))
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
        let mut maker = Maker { text, file: &file, registry, factor, cells: Vec::new() };
        file.cells.iter().try_for_each(|table| maker.cell(table))?;
        file.tournaments.iter().try_for_each(|table| maker.tournament(table))?;
        file.curves.iter().try_for_each(|table| maker.curve(table))?;
        file.searches.iter().try_for_each(|table| maker.search(table))?;
        let cells = maker.cells;
        let units = cells.iter().map(|cell| cell.size().div_ceil(cell.unit(file.unit)));
        let units = units.fold(0, u64::saturating_add);
        if units > MOST_UNITS {
            let why = format!(
                "{units} units of work are more than {MOST_UNITS}; ask for fewer games, or more in a unit (unit = 1000)"
            );
            return Err(BadFile::at(text, 0..0, why));
        }
        if cells.is_empty() {
            return Err(BadFile::at(
                text,
                0..0,
                "nothing to do: give [[cells]], [[tournaments]], [[curves]] or [[searches]]",
            ));
        }
        let ExperimentFile { title, seed, unit, follow, .. } = file;
        Ok(Plan { title, seed: Seed(seed), unit, cells, follow })
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

/// Makes cells out of the tables of a file.
struct Maker<'a> {
    text: &'a str,
    file: &'a ExperimentFile,
    registry: &'a Registry,
    factor: f64,
    cells: Vec<Cell>,
}

impl Maker<'_> {
    fn bad<T>(&self, at: &Spanned<T>, why: impl Into<String>) -> BadFile {
        BadFile::at(self.text, at.span(), why)
    }

    /// A number of games or iterations at the scale.
    fn scaled(&self, number: &Spanned<u64>) -> Result<u64, BadFile> {
        match *number.get_ref() {
            0 => Err(self.bad(number, "expected at least 1")),
            n => Ok(((n as f64 * self.factor).round() as u64).max(1)),
        }
    }

    /// A stopping rule that can be followed.
    fn until(&self, until: Option<&Spanned<Until>>, entrants: usize) -> Result<Option<Until>, BadFile> {
        let Some(until) = until else { return Ok(None) };
        if entrants != 2 {
            return Err(self.bad(until, "until: only matches between two players can be stopped by a test"));
        }
        until.get_ref().check().map_err(|why| self.bad(until, format!("until: {why}")))?;
        Ok(Some(*until.get_ref()))
    }

    fn agent(&self, name: &Spanned<String>) -> Result<Named, BadFile> {
        let found = self.file.agents.get(name.get_ref());
        let found = found.ok_or_else(|| self.bad(name, self.file.no_agent(name.get_ref())))?;
        Ok(Named { name: name.get_ref().clone(), agent: found.get_ref().clone() })
    }

    fn cell(&mut self, table: &CellTable) -> Result<(), BadFile> {
        match &table.player {
            None => self.cell_with(table, None),
            Some(players) => players.iter().try_for_each(|player| self.cell_with(table, Some(player))),
        }
    }

    /// The cells of a table with this agent in the place of the player.
    fn cell_with(&mut self, table: &CellTable, player: Option<&Spanned<String>>) -> Result<(), BadFile> {
        let agent = |name: &Spanned<String>| match player {
            Some(player) if name.get_ref() == "player" => self.agent(player),
            _ => self.agent(name),
        };
        let seats = match (&table.seats, &table.roles) {
            (Some(seats), None) => {
                let agents = seats.iter().map(agent).collect::<Result<_, _>>()?;
                if table.rotate { Seating::Rotated(agents) } else { Seating::Fixed(agents) }
            }
            (None, Some(roles)) => {
                let named = |(role, name): (&String, &Spanned<String>)| Ok((role.clone(), agent(name)?));
                Seating::Roles(roles.iter().map(named).collect::<Result<_, _>>()?)
            }
            _ => return Err(self.bad(&table.games, "a cell has either seats or roles")),
        };
        let games = self.scaled(&table.games)?;
        let until = self.until(table.until.as_ref(), seats.entrants().len())?;
        for game in table.game.iter() {
            let work = Work::Match { seats: seats.clone(), games, deals: table.deals.clone(), until };
            self.swept(game, work)?;
        }
        Ok(())
    }

    fn tournament(&mut self, table: &TournamentTable) -> Result<(), BadFile> {
        let all = |names: &[Spanned<String>]| {
            names.iter().map(|name| self.agent(name)).collect::<Result<Vec<_>, _>>()
        };
        let agents = all(&table.agents)?;
        let against = table.against.as_deref().map_or_else(|| Ok(agents.clone()), all)?;
        let ordered = table.pairing == Pairing::Ordered;
        if !ordered && (table.against.is_some() || table.roles.is_some()) {
            return Err(self.bad(&table.games, "only ordered pairs have roles, or others to meet"));
        }
        if agents.len() < 2 && table.against.is_none() {
            return Err(self.bad(&table.games, "a tournament needs at least two agents"));
        }
        let games = self.scaled(&table.games)?;
        let until = self.until(table.until.as_ref(), 2)?;
        let (n, m) = (agents.len(), against.len());
        let meets = |i: usize, j: usize| match table.pairing {
            Pairing::RoundRobin => i < j,
            Pairing::Gauntlet => i == 0 && j > 0,
            Pairing::Ladder => j == i + 1,
            Pairing::Ordered => true,
        };
        for game in table.game.iter() {
            for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))).filter(|&(i, j)| meets(i, j)) {
                let pair = [agents[i].clone(), against[j].clone()];
                let seats = match &table.roles {
                    Some(roles) => Seating::Roles(roles.iter().cloned().zip(pair).collect()),
                    None if ordered => Seating::Fixed(pair.to_vec()),
                    None => Seating::Rotated(pair.to_vec()),
                };
                self.swept(game, Work::Match { seats, games, deals: table.deals.clone(), until })?;
            }
        }
        Ok(())
    }

    fn curve(&mut self, table: &CurveTable) -> Result<(), BadFile> {
        let runs = table.runs.max(1);
        for game in table.game.iter() {
            for name in &table.agents {
                let agent = self.agent(name)?;
                let work = match (&table.iterations, &table.samples) {
                    (Some(n), None) => Work::Curve { agent, iterations: self.scaled(n)?, runs },
                    (None, Some(n)) => Work::Asked { agent, samples: self.scaled(n)?, runs },
                    _ => return Err(self.bad(game, "a curve has either iterations or samples")),
                };
                self.swept(game, work)?;
            }
        }
        Ok(())
    }

    fn search(&mut self, table: &SearchTable) -> Result<(), BadFile> {
        let trials = self.scaled(&table.trials)?;
        for game in table.game.iter() {
            for name in &table.agents {
                let agent = self.agent(name)?;
                self.swept(game, Work::Search { agent, trials })?;
            }
        }
        Ok(())
    }

    /// Adds the cell once for every combination of the values of the names that occur in it.
    fn swept(&mut self, game: &Spanned<String>, work: Work) -> Result<(), BadFile> {
        let text = serde_json::to_string(&work).expect("work is plain data");
        let occurs = |name: &str| {
            let braced = format!("{{{name}}}");
            game.get_ref().contains(&braced) || text.contains(&braced)
        };
        let any_occurs = |names: &str| names.split(',').any(|name| occurs(name.trim()));
        let mut combinations = vec![Vec::new()];
        for (names, rows) in self.file.sweep.iter().filter(|(names, _)| any_occurs(names)) {
            let rows: Vec<_> = rows.iter().filter_map(|row| row.of(names)).collect();
            let with = |before: &Vec<_>| {
                let more = rows.iter().map(|row| [before.as_slice(), std::slice::from_ref(row)].concat());
                more.collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(with).collect();
        }
        for rows in combinations {
            let fill = |text: &str| {
                let pairs = rows.iter().flatten();
                pairs.fold(text.to_string(), |t, (name, value)| t.replace(&format!("{{{name}}}"), value))
            };
            let firsts = rows.iter().filter_map(|row| row.first());
            let values: BTreeMap<_, _> =
                firsts.map(|(name, value)| (name.to_string(), value.clone())).collect();
            let work = fill_work(&work, &fill);
            let cell = Cell { game: fill(game.get_ref()), values, work };
            self.check(game, &cell)?;
            self.cells.push(cell);
        }
        Ok(())
    }

    /// Makes the game and every agent once, so that an experiment that cannot be done fails before it begins.
    fn check(&self, at: &Spanned<String>, cell: &Cell) -> Result<(), BadFile> {
        let game = self.registry.game(&cell.game).map_err(|why| self.bad(at, why.to_string()))?;
        match (&cell.work, cell.series(Seed(self.file.seed), &[])) {
            (_, Some(series)) => {
                series.check(self.registry, &*game).map_err(|why| self.bad(at, why.to_string()))
            }
            (Work::Curve { agent, .. } | Work::Asked { agent, .. } | Work::Search { agent, .. }, _) => {
                let made = self.registry.agent(&agent.agent, &*game);
                made.map(|_| ()).map_err(|why| self.bad(at, why.to_string()))
            }
            (Work::Match { .. }, None) => Ok(()),
        }
    }
}

/// The work with every agent's specification filled in.
fn fill_work(work: &Work, fill: &dyn Fn(&str) -> String) -> Work {
    let named = |a: &Named| Named { name: fill(&a.name), agent: fill(&a.agent) };
    let all = |agents: &[Named]| agents.iter().map(named).collect();
    match work {
        Work::Match { seats, games, deals, until } => {
            let seats = match seats {
                Seating::Rotated(agents) => Seating::Rotated(all(agents)),
                Seating::Fixed(agents) => Seating::Fixed(all(agents)),
                Seating::Roles(roles) => {
                    Seating::Roles(roles.iter().map(|(role, a)| (role.clone(), named(a))).collect())
                }
            };
            Work::Match { seats, games: *games, deals: deals.clone(), until: *until }
        }
        Work::Curve { agent, iterations, runs } => {
            Work::Curve { agent: named(agent), iterations: *iterations, runs: *runs }
        }
        Work::Asked { agent, samples, runs } => {
            Work::Asked { agent: named(agent), samples: *samples, runs: *runs }
        }
        Work::Search { agent, trials } => Work::Search { agent: named(agent), trials: *trials },
    }
}
