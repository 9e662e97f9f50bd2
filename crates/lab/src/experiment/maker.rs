//! Cells out of the tables of a file.

use std::collections::BTreeMap;

use fogtree_core::Seed;
use fogtree_core::spec::Spec;
use fogtree_table::Registry;
use toml::Spanned;

use super::file::{BadFile, CellTable, CurveTable, ExperimentFile, Pairing, SearchTable, TournamentTable};
use super::plan::{Cell, Named, Seating, Work};
use crate::series::SeriesError;
use crate::until::Until;

/// Experiments of more cells than this are refused.
const MOST_CELLS: usize = 100_000;

/// More agents than this are not seated in every order,
const MOST_PERMUTED: usize = 8;

/// nor chosen from more than this.
const MOST_CHOSEN: usize = 16;

/// Makes cells out of the tables of a file.
pub(super) struct Maker<'a> {
    text: &'a str,
    file: &'a ExperimentFile,
    registry: &'a Registry,
    factor: f64,
    cells: Vec<Cell>,
}

impl<'a> Maker<'a> {
    /// The cells of a file, with numbers of games and iterations multiplied by a factor.
    pub(super) fn cells(
        text: &'a str,
        file: &'a ExperimentFile,
        registry: &'a Registry,
        factor: f64,
    ) -> Result<Vec<Cell>, BadFile> {
        let mut maker = Maker { text, file, registry, factor, cells: Vec::new() };
        file.cells.iter().try_for_each(|table| maker.cell(table))?;
        file.tournaments.iter().try_for_each(|table| maker.tournament(table))?;
        file.curves.iter().try_for_each(|table| maker.curve(table))?;
        file.searches.iter().try_for_each(|table| maker.search(table))?;
        if maker.cells.is_empty() {
            let why = "nothing to do: give [[cells]], [[tournaments]], [[curves]] or [[searches]]";
            return Err(BadFile::at(text, 0..0, why));
        }
        Ok(maker.cells)
    }

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

    /// The agent of this name, or with this specification.
    fn agent(&self, name: &Spanned<String>) -> Result<Named, BadFile> {
        let text = name.get_ref();
        if let Some(found) = self.file.agents.get(text) {
            return Ok(Named { name: text.clone(), agent: found.get_ref().clone() });
        }
        let spec =
            text.parse::<Spec>().ok().filter(|s| self.registry.agents().any(|about| about.name == s.name));
        match spec {
            Some(_) => Ok(Named { name: text.clone(), agent: text.clone() }),
            None => {
                let why = format!("{}; and those of `fogtree agents`", self.file.no_agent(text));
                Err(self.bad(name, why))
            }
        }
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
        let pairing = table.pairing;
        let meets_others = matches!(pairing, Pairing::Ordered | Pairing::OneAgainstField);
        if (!meets_others && table.against.is_some())
            || (pairing != Pairing::Ordered && table.roles.is_some())
        {
            let why =
                "only ordered pairs have roles; they and one-against-field have others to meet (against)";
            return Err(self.bad(&table.games, why));
        }
        if agents.len() < 2 && table.against.is_none() {
            return Err(self.bad(&table.games, "a tournament needs at least two agents"));
        }
        let games = self.scaled(&table.games)?;
        let meets = |i: usize, j: usize| match pairing {
            Pairing::RoundRobin => i < j,
            Pairing::Gauntlet => i == 0 && j > 0,
            Pairing::Ladder => j == i + 1,
            Pairing::OneAgainstField => agents[i] != against[j],
            Pairing::Ordered => true,
            Pairing::AllSeatings => false,
        };
        let (n, m) = (agents.len(), against.len());
        let pairs = || (0..n).flat_map(|i| (0..m).map(move |j| (i, j))).filter(|&(i, j)| meets(i, j));
        for game in table.game.iter() {
            let players = self.players(game)?;
            let seatings: Vec<Seating> = match (pairing, &table.roles) {
                (Pairing::AllSeatings, _) if players > MOST_PERMUTED || n < players || n > MOST_CHOSEN => {
                    let why = format!(
                        "all-seatings: expected {players} to {MOST_CHOSEN} agents and at most \
                         {MOST_PERMUTED} players, not {n} agents and {players} players"
                    );
                    return Err(self.bad(&table.games, why));
                }
                (Pairing::AllSeatings, _) => {
                    choices(&agents, players).into_iter().map(Seating::Permuted).collect()
                }
                (Pairing::OneAgainstField, _) => pairs()
                    .map(|(i, j)| {
                        let field = std::iter::repeat_n(&against[j], players.saturating_sub(1));
                        Seating::Rotated(std::iter::once(&agents[i]).chain(field).cloned().collect())
                    })
                    .collect(),
                (_, Some(roles)) => pairs()
                    .map(|(i, j)| [agents[i].clone(), against[j].clone()])
                    .map(|pair| Seating::Roles(roles.iter().cloned().zip(pair).collect()))
                    .collect(),
                _ if players != 2 => {
                    let why = format!(
                        "the game is for {players} players; pairing: one-against-field or all-seatings"
                    );
                    return Err(self.bad(game, why));
                }
                _ => pairs()
                    .map(|(i, j)| vec![agents[i].clone(), against[j].clone()])
                    .map(if pairing == Pairing::Ordered { Seating::Fixed } else { Seating::Rotated })
                    .collect(),
            };
            for seats in seatings {
                let until = self.until(table.until.as_ref(), seats.entrants().len())?;
                self.swept(game, Work::Match { seats, games, deals: table.deals.clone(), until })?;
            }
        }
        Ok(())
    }

    /// How many players a game has, with the first value of everything that is swept.
    fn players(&self, game: &Spanned<String>) -> Result<usize, BadFile> {
        let mut text = game.get_ref().clone();
        for (names, rows) in &self.file.sweep {
            for (name, value) in rows.first().and_then(|row| row.of(names)).unwrap_or_default() {
                text = text.replace(&format!("{{{name}}}"), &value);
            }
        }
        let made = self.registry.game(&text).map_err(|why| self.bad(game, why.to_string()))?;
        Ok(made.facts().players)
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
        let swept = self.file.sweep.iter().filter(|(names, _)| any_occurs(names));
        let count = swept.map(|(_, rows)| rows.len()).fold(1, usize::saturating_mul);
        if count.saturating_add(self.cells.len()) > MOST_CELLS {
            let why = format!("the sweep makes more than {MOST_CELLS} cells; sweep fewer values");
            return Err(self.bad(game, why));
        }
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
            (_, Some(series)) => series.check(self.registry, &*game).map_err(|why| match why {
                SeriesError::Agents { game, players, given } => {
                    let why = format!("{game} is for {players} players, but there are {given} seats");
                    self.bad(at, why)
                }
                why => self.bad(at, why.to_string()),
            }),
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
                Seating::Permuted(agents) => Seating::Permuted(all(agents)),
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

/// Every choice of so many agents, each in the order of the list.
fn choices(agents: &[Named], count: usize) -> Vec<Vec<Named>> {
    let Some((first, rest)) = agents.split_first().filter(|_| count > 0) else {
        return if count == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let with_first = choices(rest, count - 1).into_iter().map(|rest| [vec![first.clone()], rest].concat());
    with_first.chain(choices(rest, count)).collect()
}
