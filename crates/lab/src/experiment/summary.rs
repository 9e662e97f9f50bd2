//! What the store says so far, cell by cell.

use std::collections::BTreeMap;

use fogtree_table::wire::{Settled, Standing};
use serde::Serialize;

use super::followers::Followers;
use super::plan::{Cell, Plan, Seating, Work};
use super::store::{Store, StoreError};
use crate::curve::CurvePoint;
use crate::follow::Trajectory;
use crate::series::Tally;
use crate::statistics::{holm, sign_test_of};

/// A cell with what is known of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CellSummary {
    /// Its number.
    pub cell: usize,
    /// What it is called.
    pub label: String,
    /// The game's specification.
    pub game: String,
    /// What the names in braces stood for.
    pub values: BTreeMap<String, String>,
    /// Games or runs that are there.
    pub done: u64,
    /// Games or runs in all.
    pub of: u64,
    /// The win rate of equals, where seats do not depend on roles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub even: Option<f64>,
    /// How each entrant did, if it is a match; or how the one searched whose decision it is. Where more than
    /// two rotate, those with the same name are taken together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entrants: Vec<Entrant>,
    /// Who searches, if it is a curve or a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searcher: Option<String>,
    /// The mean curve, if it is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<CurvePoint>,
    /// What its stopping rule settled, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settled>,
    /// How likely results at least as uneven are between equals, where two rotated: by the sign test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// The same, corrected for the number of such matches in the experiment by Holm's method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_of_all: Option<f64>,
    /// The final NashConv of every run, if it is a curve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<f64>,
}

/// How an entrant of a cell did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Entrant {
    /// Its name in the file.
    pub name: String,
    /// Its results.
    #[serde(flatten)]
    pub standing: Standing,
    /// How it searched.
    pub search: SearchFigures,
    /// What was followed of its decisions, game by game and seat by seat.
    #[serde(skip)]
    pub trajectories: Vec<Trajectory>,
    /// The mean of its scores in each game, by the game's number.
    #[serde(skip)]
    pub scores: Vec<(u64, f64)>,
}

impl Entrant {
    /// Its name, after its role if it was seated by role.
    pub fn label(&self) -> String {
        match &self.standing.role {
            Some(role) => format!("{role}={}", self.name),
            None => self.name.clone(),
        }
    }
}

/// How somebody searched, on average (`ismcts/F36`).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct SearchFigures {
    /// Iterations a decision.
    pub iterations: f64,
    /// Iterations a second.
    pub iterations_per_second: f64,
    /// Nodes of the largest tree of a game.
    pub nodes: f64,
    /// The greatest depth of a game.
    pub depth: f64,
    /// Moves an iteration makes in the tree.
    pub mean_depth: f64,
}

/// Sums over the games of a cell in which an entrant sat somewhere.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Sums {
    pub(super) cell: usize,
    pub(super) entrant: usize,
    pub(super) tally: Tally,
    pub(super) seats: u64,
    pub(super) iterations: f64,
    pub(super) nodes: f64,
    pub(super) depth: f64,
    pub(super) mean_depths: f64,
}

impl Sums {
    /// Adds those of another entrant of the same games.
    fn add(&mut self, other: &Sums) {
        self.tally.add_seats(&other.tally);
        self.seats += other.seats;
        self.iterations += other.iterations;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.mean_depths += other.mean_depths;
    }

    fn search(&self) -> SearchFigures {
        let (moves, seats) = (self.tally.moves.max(1) as f64, self.seats.max(1) as f64);
        SearchFigures {
            iterations: self.iterations / moves,
            iterations_per_second: self.iterations / (self.tally.micros as f64 * 1e-6).max(1e-9),
            nodes: self.nodes / seats,
            depth: self.depth / seats,
            mean_depth: self.mean_depths / moves,
        }
    }
}

/// What is known of every cell of a plan.
pub fn summarise(plan: &Plan, store: &Store) -> Result<Vec<CellSummary>, StoreError> {
    let (sums, followers) = (store.sums()?, Followers::new(plan, store)?);
    let mut scores = store.scores()?;
    let mut done = vec![0; plan.cells.len()];
    for unit in store.units()? {
        if let Some(done) = done.get_mut(unit.cell) {
            *done += unit.count;
        }
    }
    let summary = |(number, cell): (usize, &Cell)| {
        let mut ends = Vec::new();
        let settled = followers.settled(number);
        let of = settled.map_or(cell.size(), |settled| settled.games);
        let (entrants, searcher, curve) = match &cell.work {
            Work::Match { seats, .. } => {
                let mut followed: Vec<Vec<Trajectory>> = vec![Vec::new(); seats.entrants().len()];
                if !plan.follow.is_empty() {
                    for (entrant, trajectory) in store.trajectories(number)? {
                        followed[entrant].push(trajectory);
                    }
                }
                let entrants = seats.entrants();
                let two = entrants.len() == 2;
                let known = pools(seats).into_iter().map(|pool| {
                    let (role, agent) = entrants[pool[0]];
                    let (mut all, mut trajectories, mut of_games) = (Sums::default(), Vec::new(), Vec::new());
                    for entrant in pool {
                        let found = sums.iter().filter(|s| (s.cell, s.entrant) == (number, entrant));
                        found.for_each(|sums| all.add(sums));
                        trajectories.append(&mut followed[entrant]);
                        of_games.extend(scores.remove(&(number, entrant)).unwrap_or_default());
                    }
                    let standing = all.tally.standing(role.map(str::to_string), agent.agent.clone(), two);
                    let (name, search) = (agent.name.clone(), all.search());
                    Entrant { name, standing, search, trajectories, scores: by_game(of_games) }
                });
                let known: Vec<Entrant> = known.collect();
                (known, None, Vec::new())
            }
            Work::Search { agent, .. } => {
                let found = sums.iter().find(|s| s.cell == number).copied().unwrap_or_default();
                // Nothing was won or lost.
                let Tally { cheating, micros, moves, .. } = found.tally;
                let tally = Tally { cheating, micros, moves, ..Tally::default() };
                let standing = tally.standing(None, agent.agent.clone(), false);
                let (name, search) = (agent.name.clone(), found.search());
                let mut trajectories = Vec::new();
                if !plan.follow.is_empty() {
                    trajectories.extend(store.trajectories(number)?.into_iter().map(|(_, t)| t));
                }
                let entrant = Entrant { name, standing, search, trajectories, scores: Vec::new() };
                (vec![entrant], Some(agent.name.clone()), Vec::new())
            }
            Work::Curve { agent, .. } | Work::Asked { agent, .. } => {
                let runs = store.curves(number)?;
                ends.extend(runs.iter().filter_map(|run| run.last()).map(|point| point.nash_conv));
                (Vec::new(), Some(agent.name.clone()), mean_curve(&runs))
            }
        };
        Ok(CellSummary {
            cell: number,
            label: cell.label(),
            game: cell.game.clone(),
            values: cell.values.clone(),
            done: done[number].min(of),
            of,
            even: even(cell),
            settled,
            p: equals(cell, &entrants),
            p_of_all: None,
            entrants,
            searcher,
            curve,
            ends,
        })
    };
    let mut cells = plan.cells.iter().enumerate().map(summary).collect::<Result<Vec<_>, StoreError>>()?;
    let corrected = holm(&cells.iter().filter_map(|cell| cell.p).collect::<Vec<_>>());
    for (cell, p) in cells.iter_mut().filter(|cell| cell.p.is_some()).zip(corrected) {
        cell.p_of_all = Some(p);
    }
    Ok(cells)
}

/// The entrants by their places, those taken together that are the same agent. Of two that rotate nothing
/// would be left to compare.
fn pools(seats: &Seating) -> Vec<Vec<usize>> {
    let entrants = seats.entrants();
    let pooled = matches!(seats, Seating::Rotated(_) | Seating::Permuted(_)) && entrants.len() > 2;
    let mut pools: Vec<Vec<usize>> = Vec::new();
    for (place, entrant) in entrants.iter().enumerate() {
        match pools.iter_mut().find(|pool| pooled && entrants[pool[0]] == *entrant) {
            Some(pool) => pool.push(place),
            None => pools.push(vec![place]),
        }
    }
    pools
}

/// Mean scores by game, of several entrants of the same games.
fn by_game(scores: Vec<(u64, f64)>) -> Vec<(u64, f64)> {
    let mut games: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for (number, score) in scores {
        let (sum, count) = games.entry(number).or_default();
        *sum += score;
        *count += 1.0;
    }
    games.into_iter().map(|(number, (sum, count))| (number, sum / count)).collect()
}

fn even(cell: &Cell) -> Option<f64> {
    match &cell.work {
        Work::Match { seats: Seating::Rotated(a) | Seating::Permuted(a) | Seating::Fixed(a), .. } => {
            Some(1.0 / a.len() as f64)
        }
        _ => None,
    }
}

/// How likely so many wins and losses are between equals. Where seats or roles do not rotate, equals need not win
/// equally often.
fn equals(cell: &Cell, entrants: &[Entrant]) -> Option<f64> {
    let [first, _] = entrants.get(..2).filter(|_| cell.has_pairs())? else { return None };
    let Standing { wins, draws, losses, .. } = first.standing;
    (wins + draws + losses > 0).then(|| sign_test_of(wins, losses).p)
}

/// The mean of several runs at the points that all of them have.
fn mean_curve(runs: &[Vec<CurvePoint>]) -> Vec<CurvePoint> {
    let length = runs.iter().map(Vec::len).min().unwrap_or(0);
    let n = runs.len() as f64;
    let mean =
        |place: usize, of: fn(&CurvePoint) -> f64| runs.iter().map(|run| of(&run[place])).sum::<f64>() / n;
    let point = |place: usize| CurvePoint {
        done: runs[0][place].done,
        seconds: mean(place, |p| p.seconds),
        value: mean(place, |p| p.value),
        nash_conv: mean(place, |p| p.nash_conv),
        exploitability: mean(place, |p| p.exploitability),
    };
    (0..length).map(point).collect()
}
