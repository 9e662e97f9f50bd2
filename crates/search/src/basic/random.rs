//! Uniformly random play: the floor every other agent is measured from.

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Budget, Decision, InfoSet, Mixed, Player, Purpose, Report, Rng,
    Seed,
};

/// Uniformly random play, by name.
pub static ENTRY: AgentEntry =
    AgentEntry::new(&About::new("random", "Plays uniformly at random", "ismcts 1.5", &[]), &|_| {
        Ok((Box::new(Random::default()), Budget::default()))
    })
    .without_worlds();

/// Chooses uniformly among the legal actions.
#[derive(Debug)]
pub struct Random(Rng);

impl Default for Random {
    fn default() -> Random {
        Random(Seed(0).stream(Purpose::Ties))
    }
}

impl Agent for Random {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.0 = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        let report = Report { mixed: Some(Mixed::Uniform), ..Report::default() };
        Ok(Decision { action: *self.0.pick(&info.legal), report })
    }
}
