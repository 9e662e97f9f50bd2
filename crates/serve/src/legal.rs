//! Players that play any legal move: the yardsticks, and enough to try out a manager.

use std::time::Instant;

use fogtree_core::{Budget, Purpose, Rng, Seed};
use fogtree_gdl::{AnyReasoner, Limits, Reasoner, any_reasoner, propnet};

use crate::follow::Follower;
use crate::player::{Learned, Player, PlayerMaker, Refusal, Start};

/// Which legal move is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The first in the order of terms.
    First,
    /// Any, all equally likely.
    Random,
}

/// Makes players of legal moves.
#[derive(Clone, Copy, Debug)]
pub struct LegalMoves {
    /// Which of them.
    pub choice: Choice,
    /// Decides random choices, together with the names of match and role.
    pub seed: Seed,
    /// How much work one question to the rules may take.
    pub limits: Limits,
}

impl LegalMoves {
    /// Players of this choice.
    pub fn new(choice: Choice, seed: Seed) -> LegalMoves {
        LegalMoves { choice, seed, limits: Limits { steps: 100_000_000, atoms: 2_000_000, until: None } }
    }
}

impl PlayerMaker for LegalMoves {
    fn name(&self) -> String {
        match self.choice {
            Choice::First => "first-legal".to_string(),
            Choice::Random => "random".to_string(),
        }
    }

    fn start(&self, start: &Start, budget: &Budget) -> Result<Box<dyn Player>, Refusal> {
        let (choice, compiling) = (any_reasoner::Choice::Interpreter, propnet::Budget::default());
        let limits =
            Limits { until: budget.time.and_then(|time| Instant::now().checked_add(time)), ..self.limits };
        let reasoner = AnyReasoner::new(&start.sheet, choice, &compiling, limits);
        let mut reasoner = reasoner.map_err(|wrong| Refusal(wrong.to_string()))?;
        reasoner.take_time();
        let follower = Follower::new(&reasoner, &start.role, self.seed)?;
        let rng = self.seed.named(&start.id).named(&start.role).stream(Purpose::Ties);
        Ok(Box::new(LegalPlayer { reasoner, follower, choice: self.choice, rng }))
    }
}

struct LegalPlayer {
    reasoner: AnyReasoner,
    follower: Follower,
    choice: Choice,
    rng: Rng,
}

impl Player for LegalPlayer {
    fn play(&mut self, learned: &Learned, budget: &Budget) -> Option<String> {
        self.follower.learn(&self.reasoner, learned, budget)?;
        let legal = self.follower.legal(&self.reasoner)?;
        let chosen = match self.choice {
            Choice::First => legal[0],
            Choice::Random => *self.rng.pick(&legal),
        };
        Some(self.reasoner.terms().show(chosen).to_string())
    }
}
