//! Inference for searches that do not infer themselves.
//!
//! Only the counts of a search that follows the hidden part say what an observed move speaks for. So beside
//! each decision of another player a small MT-MO-ISMCTS search is made from the same information set, which
//! decides nothing: it learns what the others' next moves would say, and leads the belief on. The player then
//! gets its information set with that belief and draws its worlds accordingly
//! ([`Determinizer`](crate::kit::determinize::Determinizer)), so that worlds count less which sensible opponents would have avoided:
//! the cure for the non-locality of determinized searches (Whitehouse 2014, §7.3; `icarus/4.1`, H2).
//!
//! What is inferred is worth as much as the search foresaw: moves of the player that the search beside it
//! hardly looks at are followed by moves of the others that it hardly counted, and these change the belief
//! little.

use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{Agent, AgentFailure, Budget, Decision, InfoSet, Model, Player, Seed, hand_on_to};

use super::{MtMoIsmcts, Settings};

/// Under a limit of time one part in so many goes to the search that infers, at most.
const TIME_SHARE: u32 = 4;

/// A player whose worlds are drawn as a search beside it infers. Searches that draw no worlds are not helped
/// by it.
pub struct WithInference {
    mind: MtMoIsmcts,
    iterations: u64,
    agent: Box<dyn Agent>,
}

impl WithInference {
    /// The same player with beliefs from a search of so many iterations beside each of its decisions, in a
    /// game with a hidden part. They come on top of the player's own; under a limit of time they take a
    /// quarter of it at most.
    pub fn new(
        game: &Arc<dyn Model>,
        agent: Box<dyn Agent>,
        settings: Settings,
        iterations: u64,
    ) -> WithInference {
        WithInference { mind: MtMoIsmcts::new(game, settings), iterations, agent }
    }

    /// How likely it thought each value of the hidden part at its last decision, as [`MtMoIsmcts::belief`].
    pub fn belief(&self) -> Option<&[f64]> {
        self.mind.belief()
    }
}

impl Agent for WithInference {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.mind.start(seat, seed.named("inference"));
        self.agent.start(seat, seed);
    }

    hand_on_to!(agent);

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        let beside = Budget {
            iterations: Some(self.iterations),
            time: budget.time.map(|t| t / TIME_SHARE),
            stop: budget.stop.clone(),
            ..Budget::default()
        };
        let inferred = self.mind.act(info, &beside)?.report;
        let info = InfoSet { belief: self.mind.belief().map(Arc::from), ..info.clone() };
        let spent = began.elapsed();
        let rest = Budget { time: budget.time.map(|t| t.saturating_sub(spent)), ..budget.clone() };
        let mut decision = self.agent.act(&info, &rest)?;
        let report = &mut decision.report;
        report.time += spent;
        report.beliefs.splice(0..0, inferred.beliefs);
        report.figures.extend([
            ("inference iterations".to_string(), inferred.iterations as f64),
            ("inference nodes".to_string(), inferred.nodes as f64),
        ]);
        Ok(decision)
    }
}
