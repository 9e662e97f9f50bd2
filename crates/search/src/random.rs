//! Uniformly random play: the floor every other agent is measured from.

use std::sync::Arc;

use fogtree_core::{Agent, Budget, Decision, Game, InfoSet, Player, Purpose, Report, Rng, Seed};

/// Chooses uniformly among the legal actions.
#[derive(Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A random player of a game.
    pub fn new<G: Game>(_game: &Arc<G>) -> Random {
        Random { rng: Seed(0).stream(Purpose::Ties) }
    }
}

impl<G: Game> Agent<G> for Random {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.rng = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet<G>, _budget: &Budget) -> Decision<G::Action> {
        Decision { action: *self.rng.pick(&info.legal), report: Report::default() }
    }
}
