//! Flat Monte Carlo: average the results of random playouts after each move, play the best average.
//!
//! Each playout starts in a fresh world drawn from the information set, so it plays every game; it
//! looks one move ahead only (Whitehouse 2014, §3.2; `ismcts/3.4`).

use std::sync::Arc;

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Budget, Decision, Domain, InfoSet, Model, Param, Player, Purpose,
    Report, Rng, Seed, Simulation,
};

use crate::kit::determinize::Determinizer;
use crate::kit::params::{C, CUTOFF, EVALUATION, INFER, ITERATIONS, PLAYOUT, TIME, budget, simulation};
use crate::kit::root::RootTable;
use crate::{EXPLORATION, Scale};

/// Flat Monte Carlo, by name.
pub static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "flat-mc",
        "Averages random playouts after each move, over worlds drawn from the information set",
        "Whitehouse 2014, 3.2; ismcts 3.4",
        &[
            ITERATIONS,
            TIME,
            C,
            Param::new(
                "allocation",
                "ucb1",
                Domain::Choice(&["even", "ucb1"]),
                "which move gets the next playout: even (all in turn) or ucb1",
            ),
            PLAYOUT,
            CUTOFF,
            EVALUATION,
            INFER,
        ],
    ),
    &|asked| {
        let bound = Allocation::Ucb1(asked.params.number("c")?);
        let simulation = simulation(asked)?;
        let allocation = asked.params.choice("allocation", &[Allocation::Even, bound])?;
        let agent = FlatMc::new(asked.game, allocation).with_simulation(simulation);
        Ok((Box::new(agent), budget(asked.params)?))
    },
);

/// Which move gets the next playout.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Allocation {
    /// All moves in turn.
    Even,
    /// The move with the greatest upper confidence bound (UCB1 with this constant).
    Ucb1(f64),
}

impl Default for Allocation {
    fn default() -> Self {
        Allocation::Ucb1(EXPLORATION)
    }
}

/// The flat Monte Carlo player.
#[derive(Debug)]
pub struct FlatMc {
    game: Arc<dyn Model>,
    allocation: Allocation,
    simulation: Simulation,
    sampling: Rng,
    playout: Rng,
    ties: Rng,
}

impl FlatMc {
    /// A player of a game.
    pub fn new(game: &Arc<dyn Model>, allocation: Allocation) -> FlatMc {
        let stream = |purpose| Seed(0).stream(purpose);
        FlatMc {
            game: Arc::clone(game),
            allocation,
            simulation: Simulation::UNIFORM,
            sampling: stream(Purpose::Sampling),
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
        }
    }

    /// The same player with another way of playing out.
    #[must_use]
    pub fn with_simulation(self, simulation: Simulation) -> FlatMc {
        FlatMc { simulation, ..self }
    }

    fn next(&mut self, table: &RootTable, done: u64, seat: Player, scale: Scale) -> usize {
        let moves = table.len() as u64;
        match self.allocation {
            Allocation::Even => (done % moves) as usize,
            Allocation::Ucb1(_) if done < moves => done as usize,
            Allocation::Ucb1(c) => {
                let log = (done as f64).ln();
                let bound = |i: usize| {
                    let mean = scale.value(table.mean(i, seat));
                    mean + c * (log / table.visits(i) as f64).sqrt()
                };
                let mut best = (f64::NEG_INFINITY, 0);
                let mut tied = 0;
                for i in 0..table.len() {
                    let bound = bound(i);
                    if bound > best.0 {
                        best = (bound, i);
                        tied = 1;
                    } else if bound == best.0 {
                        tied += 1;
                        if self.ties.below(tied) == 0 {
                            best.1 = i;
                        }
                    }
                }
                best.1
            }
        }
    }
}

impl Agent for FlatMc {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let game = Arc::clone(&self.game);
        let facts = game.facts();
        let scale = Scale::of(facts);
        let mut table = RootTable::new(&info.legal, facts.players);
        let mut worlds = Determinizer::new(&*game, info);
        let mut world = game.start();
        let itself = worlds.prepare(&info.known, &mut *world);
        let mut joint = Vec::with_capacity(facts.players);
        let mut clock = budget.start();
        while info.legal.len() > 1 && clock.tick() {
            clock.show(|| table.progress(table.len() as u64, 1));
            let i = self.next(&table, clock.done() - 1, info.seat, scale);
            let (weight, turn) = if itself {
                world.draw(&mut self.sampling)
            } else {
                (worlds.draw_weighed(&mut self.sampling, &mut *world), world.turn())
            };
            joint.clear();
            for p in turn.players().iter() {
                let own = p == info.seat;
                let mv = if own { table.action(i) } else { world.random_move(p, &mut self.playout) };
                joint.push((p, mv));
            }
            let rewards = world.play_out(&joint, self.simulation, &mut self.playout);
            table.add(i, &rewards, weight);
        }
        let report = Report {
            iterations: clock.done(),
            nodes: table.len() as u64,
            depth: 1,
            time: clock.elapsed(),
            moves: table.reports(),
            ..Report::default()
        };
        let mean = |i| if table.visits(i) > 0 { table.mean(i, info.seat) } else { f64::NEG_INFINITY };
        Ok(Decision { action: table.best(&mut self.ties, mean), report })
    }
}
