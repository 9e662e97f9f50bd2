//! The player of games without hidden information: its information set holds one state, which a search of known states
//! decides in.

use std::sync::Arc;

use fogtree_core::{Agent, AgentFailure, Budget, Decision, InfoSet, Model, Player, Purpose, Rng, Seed};

use crate::kit::determinize::Determinizer;
use crate::pimc::Solver;

/// Searches the one state it may be in.
#[derive(Debug)]
pub struct KnownState<S> {
    game: Arc<dyn Model>,
    solver: S,
    sampling: Rng,
}

impl<S: Solver> KnownState<S> {
    /// A player of a game with perfect information.
    pub fn new(game: &Arc<dyn Model>, solver: S) -> KnownState<S> {
        KnownState { game: Arc::clone(game), solver, sampling: Seed(0).stream(Purpose::Sampling) }
    }
}

impl<S: Solver> Agent for KnownState<S> {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.solver.start(seed);
        self.sampling = seed.stream(Purpose::Sampling);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let mut state = self.game.start();
        Determinizer::new(&*self.game, info).draw_weighed(&mut self.sampling, &mut *state);
        Ok(self.solver.solve(&*state, info.seat, &info.legal, budget))
    }
}
