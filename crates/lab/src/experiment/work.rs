//! Doing a unit of work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use fogtree_core::{Budget, Deadline, Player, Purpose, Seed, Turn};
use fogtree_table::{AnyGame, Asking, Point, Registry, agent_strategy, converge};
use serde::{Deserialize, Serialize};

use super::plan::{Plan, Unit, Work};
use crate::curve::CurvePoint;
use crate::deals::Deals;
use crate::follow::of_decision;
use crate::row::{Effort, GameRow, SeatRow};

/// What came of a unit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Done {
    /// Which unit.
    pub unit: Unit,
    /// Its games, if it was part of a match, or decisions.
    pub games: Vec<GameRow>,
    /// Its curve, if it was one.
    pub points: Vec<CurvePoint>,
}

impl Done {
    /// Whether this can have come of a unit of the plan.
    pub(super) fn is_of(&self, plan: &Plan) -> bool {
        let Unit { cell, first, count } = self.unit;
        let entrants = plan.cells.get(cell).map_or(0, |cell| cell.agents().len());
        let numbers = first..first.saturating_add(count);
        let fits = |game: &GameRow| {
            numbers.contains(&game.number) && game.seats.iter().all(|seat| seat.entrant < entrants)
        };
        plan.has_unit(&self.unit) && self.games.iter().all(fits)
    }
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
        let series = cell.series(self.plan.seed, &self.plan.follow);
        for number in numbers {
            if stop() {
                return Ok(None);
            }
            let seed = self.plan.seed.named("curve").number(number);
            match (&cell.work, &series) {
                (Work::Match { .. }, Some(series)) => {
                    let row = series.play(self.registry, &*game, number).map_err(|why| why.to_string())?.0;
                    done.games.push(row);
                }
                (Work::Match { .. }, None) => {}
                (Work::Curve { agent, iterations, .. }, _) => {
                    let mut searcher =
                        self.registry.agent(&agent.agent, &*game).map_err(|why| why.to_string())?;
                    let budget = Budget::iterations(*iterations);
                    let mut tell = |point: &Point| done.points.push(point.into());
                    converge(&*game, &mut searcher, &budget, seed, MOST_NODES, &mut tell)
                        .map_err(|why| why.to_string())?;
                }
                (Work::Asked { agent, samples, .. }, _) => {
                    done.points.push(self.ask_everywhere(&*game, &agent.agent, *samples, seed)?);
                }
                (Work::Search { agent, .. }, _) => {
                    done.games.push(self.first_decision(&*game, &agent.agent, number)?);
                }
            }
        }
        Ok(Some(done))
    }

    /// How far from equilibrium an agent plays, by what it does in every information set.
    fn ask_everywhere(
        &self,
        game: &dyn AnyGame,
        agent: &str,
        samples: u64,
        seed: Seed,
    ) -> Result<CurvePoint, String> {
        let began = Instant::now();
        let times = u32::try_from(samples).unwrap_or(u32::MAX);
        let asking = Asking { samples: times, count: false, seed };
        let mut make = || self.registry.agent(agent, game);
        let asked = agent_strategy(game, &mut make, asking, MOST_NODES, &Deadline::NEVER);
        let file = asked.map_err(|why| why.to_string())?.file;
        let seconds = began.elapsed().as_secs_f64();
        let evaluation =
            game.exploit(&file, MOST_NODES, &Deadline::NEVER).map_err(|why| why.to_string())?.evaluation;
        Ok(CurvePoint {
            done: samples,
            seconds,
            value: evaluation.values[0],
            nash_conv: evaluation.nash_conv(),
            exploitability: evaluation.exploitability(),
        })
    }

    /// How an agent thinks about the first move of a game; of several who move together, the first decides.
    fn first_decision(&self, game: &dyn AnyGame, agent: &str, number: u64) -> Result<GameRow, String> {
        let deal = Deals::Fresh.seed(self.plan.seed, number);
        let agents = self.plan.seed.named("agents").number(number);
        let mut table = game.table();
        let mut chance = deal.stream(Purpose::Deal);
        while table.turn() == Turn::Chance {
            table.draw(&mut chance);
        }
        let mover: Option<Player> = table.turn().players().iter().next();
        let seat = mover.ok_or("the game is over before anybody decides")?;
        let mut agent = self.registry.agent(agent, game).map_err(|why| why.to_string())?;
        agent.start(seat, agents.named("agent").number(u64::from(seat.0)));
        table.events(seat).iter().for_each(|event| agent.observe(event));
        let began = Instant::now();
        let decision = table.ask(seat, &mut agent).map_err(|why| why.to_string())?;
        let time = began.elapsed();
        let mut effort = Effort::default();
        effort.add(&decision);
        let (role, cheating) = (table.role(seat), agent.cheats);
        let row = SeatRow {
            entrant: 0,
            role,
            cheating,
            reward: 0.0,
            score: 0.5,
            place: 1.0,
            effort: effort.taking(time),
            followed: of_decision(&self.plan.follow, &*table, &decision),
        };
        Ok(GameRow { number, deal, agents, steps: table.steps() as u64, seats: vec![row] })
    }
}
