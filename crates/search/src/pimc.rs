//! Perfect-information Monte Carlo: draw worlds, search each as if nothing were hidden, let them vote.
//!
//! It plays well where what is hidden matters little, and has two known defects: it believes it may act
//! differently in worlds it cannot tell apart (*strategy fusion*), and it gives full weight to worlds that
//! sensible opponents would have avoided (*non-locality*). Source: Whitehouse 2014, §3.3.1 and §5.1
//! (`ismcts/2.5`, `ismcts/3.9`). With the true state in place of every world it is the cheating ensemble of
//! `ismcts/3.10`.

pub mod entry;

use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, Explain, InfoSet, Model, Move, Player, Purpose, Report, Rng, Seed,
    World,
};

use crate::exact::minimax::Minimax;
use crate::exact::star_minimax::StarMinimax;
use crate::kit::determinize::Determinizer;
use crate::kit::vote::{Tally, Vote};
use crate::uct::UctSearch;

/// The worlds searched per decision where no number is given.
pub const DETERMINIZATIONS: u64 = 40;
/// The iterations per world where no number is given.
pub const ITERATIONS: u64 = 250;

/// A search of a state that is known.
pub trait Solver: Send {
    /// A game begins; everything random must come from the seed.
    fn start(&mut self, seed: Seed);

    /// Searches for the move of `who` in a state where it is to move.
    fn solve(&mut self, root: &dyn World, who: Player, legal: &[Move], budget: &Budget) -> Decision;
}

impl Solver for UctSearch {
    fn start(&mut self, seed: Seed) {
        self.seed(seed);
    }

    fn solve(&mut self, root: &dyn World, who: Player, legal: &[Move], b: &Budget) -> Decision {
        self.search(root, who, legal, b)
    }
}

impl Solver for Minimax {
    fn start(&mut self, _seed: Seed) {
        self.clear();
    }

    fn solve(&mut self, root: &dyn World, who: Player, legal: &[Move], b: &Budget) -> Decision {
        self.search(root, who, legal, b)
    }
}

impl Solver for StarMinimax {
    fn start(&mut self, _seed: Seed) {}

    fn solve(&mut self, root: &dyn World, who: Player, legal: &[Move], b: &Budget) -> Decision {
        self.search(root, who, legal, b)
    }
}

/// How the work is divided between worlds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    /// The worlds per decision; `None` is as many as the time allows, or [`DETERMINIZATIONS`] if there is no
    /// limit of time.
    pub determinizations: Option<u64>,
    /// The iterations in each world. A search without iterations does what it always does.
    pub iterations: u64,
}

impl Default for Division {
    fn default() -> Self {
        Division { determinizations: None, iterations: ITERATIONS }
    }
}

/// Searches worlds one after another and counts what they say.
#[derive(Debug)]
struct Ensemble<S> {
    solver: S,
    division: Division,
    vote: Vote,
    ties: Rng,
}

impl<S> Ensemble<S> {
    fn new(solver: S, division: Division, vote: Vote) -> Ensemble<S> {
        Ensemble { solver, division, vote, ties: Seed(0).stream(Purpose::Ties) }
    }

    fn start(&mut self, seed: Seed)
    where
        S: Solver,
    {
        self.solver.start(seed);
        self.ties = seed.named("vote").stream(Purpose::Ties);
    }

    /// Decides by worlds that `draw` writes over the state it is given; it returns their weight.
    fn decide(
        &mut self,
        game: &dyn Model,
        info: &InfoSet,
        budget: &Budget,
        mut draw: impl FnMut(&mut dyn World) -> f64,
    ) -> Decision
    where
        S: Solver,
    {
        let began = Instant::now();
        let facts = game.facts();
        let mut tally = Tally::new(info.seat, &info.legal, facts.players, facts.utility_bounds.0);
        if info.legal.len() == 1 {
            return Decision { action: info.legal[0], report: tally.report() };
        }
        let most = self.division.determinizations.unwrap_or(if budget.time.is_some() {
            u64::MAX
        } else {
            DETERMINIZATIONS
        });
        let mut world = game.start();
        let mut done = 0;
        let mut shown = began;
        for searched in 0..most {
            let left = budget.after(done, began.elapsed());
            let used_up = left.iterations == Some(0) || left.time.is_some_and(|t| t.is_zero());
            if searched > 0 && (used_up || budget.is_stopped()) {
                break;
            }
            if let Some(watch) =
                budget.watch.as_ref().filter(|w| searched > 0 && shown.elapsed() >= w.interval())
            {
                shown = Instant::now();
                watch.show(&tally.progress(began.elapsed()));
            }
            let weight = draw(&mut *world);
            let iterations = Some(self.division.iterations.min(left.iterations.unwrap_or(u64::MAX)));
            let explain = budget.explain.map(|_| Explain::default());
            let budget = Budget { iterations, explain, ..left };
            let decision = self.solver.solve(&*world, info.seat, &info.legal, &budget);
            done += decision.report.iterations;
            tally.add(&decision, weight);
        }
        let action = tally.choose(self.vote, &mut self.ties);
        let report = Report { time: began.elapsed(), ..tally.report_for(action) };
        Decision { action, report }
    }
}

/// The player that searches worlds drawn from its information set.
#[derive(Debug)]
pub struct Pimc<S> {
    game: Arc<dyn Model>,
    ensemble: Ensemble<S>,
    sampling: Rng,
}

impl<S: Solver> Pimc<S> {
    /// A player of a game that searches each world with `solver`.
    pub fn new(game: &Arc<dyn Model>, solver: S, division: Division, vote: Vote) -> Pimc<S> {
        Pimc {
            game: Arc::clone(game),
            ensemble: Ensemble::new(solver, division, vote),
            sampling: Seed(0).stream(Purpose::Sampling),
        }
    }
}

impl<S: Solver> Agent for Pimc<S> {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.ensemble.start(seed);
        self.sampling = seed.stream(Purpose::Sampling);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let game = &*self.game;
        let mut worlds = Determinizer::new(game, info);
        let draw = |world: &mut dyn World| worlds.draw_weighed(&mut self.sampling, world);
        Ok(self.ensemble.decide(game, info, budget, draw))
    }
}
