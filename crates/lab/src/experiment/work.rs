//! Doing a unit of work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use fogtree_core::Budget;
use fogtree_table::{AnyGame, Point, Registry, converge};
use serde::{Deserialize, Serialize};

use super::plan::{Plan, Unit, Work};
use crate::curve::CurvePoint;
use crate::row::GameRow;

/// What came of a unit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Done {
    /// Which unit.
    pub unit: Unit,
    /// Its games, if it was part of a match.
    pub games: Vec<GameRow>,
    /// Its curve, if it was one.
    pub points: Vec<CurvePoint>,
}

/// Does units of a plan; games are made once and kept.
pub struct Worker<'a> {
    plan: &'a Plan,
    registry: &'a Registry,
    games: Mutex<HashMap<usize, Arc<dyn AnyGame>>>,
}

/// The largest tree whose strategies are measured.
const MOST_NODES: usize = 20_000_000;

impl<'a> Worker<'a> {
    /// A worker on this plan.
    pub fn new(plan: &'a Plan, registry: &'a Registry) -> Worker<'a> {
        Worker { plan, registry, games: Mutex::new(HashMap::new()) }
    }

    fn game(&self, cell: usize) -> Result<Arc<dyn AnyGame>, String> {
        let mut games = self.games.lock().expect("no thread panics holding the games");
        if let Some(game) = games.get(&cell) {
            return Ok(Arc::clone(game));
        }
        let game = self.registry.game(&self.plan.cells[cell].game).map_err(|why| why.to_string())?;
        let game: Arc<dyn AnyGame> = Arc::from(game);
        games.insert(cell, Arc::clone(&game));
        Ok(game)
    }

    /// Does a unit. The same unit of the same plan always comes out the same but for the clocks, unless an
    /// agent's budget is a time.
    pub fn run(&self, unit: &Unit) -> Result<Done, String> {
        Ok(self.run_until(unit, &|| false)?.expect("nothing stops it"))
    }

    /// The same, unless it is told between two games to stop: then nothing comes of it.
    pub fn run_until(&self, unit: &Unit, stop: &dyn Fn() -> bool) -> Result<Option<Done>, String> {
        let cell =
            self.plan.cells.get(unit.cell).ok_or_else(|| format!("the plan has no cell {}", unit.cell))?;
        let game = self.game(unit.cell)?;
        let numbers = unit.first..unit.first.saturating_add(unit.count).min(cell.size());
        let mut done = Done { unit: unit.clone(), games: Vec::new(), points: Vec::new() };
        if let Some(series) = cell.series(self.plan.seed) {
            for number in numbers {
                if stop() {
                    return Ok(None);
                }
                let (row, _) = series.play(self.registry, &*game, number).map_err(|why| why.to_string())?;
                done.games.push(row);
            }
        } else if let Work::Curve { agent, iterations, .. } = &cell.work {
            for run in numbers {
                if stop() {
                    return Ok(None);
                }
                let mut searcher =
                    self.registry.agent(&agent.agent, &*game).map_err(|why| why.to_string())?;
                let seed = self.plan.seed.named("curve").number(run);
                let budget = Budget::iterations(*iterations);
                let mut tell = |point: &Point| done.points.push(curve_point(point));
                converge(&*game, &mut searcher, &budget, seed, MOST_NODES, &mut tell)
                    .map_err(|why| why.to_string())?;
            }
        }
        Ok(Some(done))
    }
}

fn curve_point(point: &Point) -> CurvePoint {
    let Point { done, seconds, ref evaluation, .. } = *point;
    let (nash_conv, exploitability) = (evaluation.nash_conv(), evaluation.exploitability());
    CurvePoint { done, seconds, value: evaluation.values[0], nash_conv, exploitability }
}
