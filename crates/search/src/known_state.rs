//! The player of games without hidden information: its information set holds one state, which a search of known states
//! decides in.

use std::sync::Arc;

use fogtree_core::{Agent, Budget, Decision, Game, InfoSet, Player, Purpose, Rng, Seed};

use crate::pimc::Solver;

/// Searches the one state it may be in.
#[derive(Debug)]
pub struct KnownState<G: Game, S> {
    game: Arc<G>,
    solver: S,
    sampling: Rng,
}

impl<G: Game, S: Solver<G>> KnownState<G, S> {
    /// A player of a game with perfect information.
    pub fn new(game: &Arc<G>, solver: S) -> KnownState<G, S> {
        KnownState { game: Arc::clone(game), solver, sampling: Seed(0).stream(Purpose::Sampling) }
    }
}

impl<G: Game, S: Solver<G>> Agent<G> for KnownState<G, S> {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.solver.start(seed);
        self.sampling = seed.stream(Purpose::Sampling);
    }

    fn act(&mut self, info: &InfoSet<G>, budget: &Budget) -> Decision<G::Action> {
        let mut state = self.game.start();
        let mut sampler = self.game.sampler(&info.known);
        self.game.sample(&mut sampler, &mut self.sampling, &mut state);
        self.solver.solve(&state, info.seat, &info.legal, budget)
    }
}
