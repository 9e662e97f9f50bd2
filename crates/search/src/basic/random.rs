//! Uniformly random play: the floor every other agent is measured from.

use std::sync::Arc;

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Budget, Decision, InfoSet, Model, Player, Purpose, Report, Rng,
    Seed,
};

/// Uniformly random play, by name.
pub static ENTRY: AgentEntry =
    AgentEntry::new(&About::new("random", "Plays uniformly at random", "ismcts 1.5", &[]), &|asked| {
        Ok((Box::new(Random::new(asked.game)), Budget::default()))
    })
    .without_worlds();

/// Chooses uniformly among the legal actions.
#[derive(Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A random player of a game.
    pub fn new(_game: &Arc<dyn Model>) -> Random {
        Random { rng: Seed(0).stream(Purpose::Ties) }
    }
}

impl Agent for Random {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.rng = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        Ok(Decision { action: *self.rng.pick(&info.legal), report: Report::default() })
    }
}
