//! A game's own way of playing as a player: one of its named policies ([`fogtree_core::Policies`]).
//!
//! A policy acts in a state. The player has none, so it draws a world from what it knows and acts as the policy
//! would there: what a policy makes of hidden things, such as where to look for an enemy, is a guess.

use std::sync::Arc;

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Budget, Decision, Domain, InfoSet, Mixed, Model, Param, Player,
    Purpose, Report, Rng, Seed,
};

use crate::kit::determinize::Determinizer;
use crate::kit::params::{INFER, policy, without_inference};

/// A game's own policies, by name.
pub static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "policy",
        "Plays by one of the game's own policies, in a world drawn from the information set",
        "tubstap 2.8, 2.10",
        &[
            Param::new(
                "name",
                "uniform",
                Domain::Text,
                "uniform, or a policy of the game such as attack or max-act-eval",
            ),
            INFER,
        ],
    ),
    &|asked| {
        let policy = policy("name", asked)?;
        if policy.is_none() {
            without_inference(asked.params, "if moves are drawn without a world")?;
        }
        Ok((Box::new(PolicyPlayer::new(asked.game, policy)), Budget::default()))
    },
);

/// The player that follows a policy.
#[derive(Debug)]
pub struct PolicyPlayer {
    game: Arc<dyn Model>,
    policy: Option<usize>,
    sampling: Rng,
    ties: Rng,
}

impl PolicyPlayer {
    /// A player of a game by the policy at this place in its list; uniformly random if by none.
    pub fn new(game: &Arc<dyn Model>, policy: Option<usize>) -> PolicyPlayer {
        PolicyPlayer {
            game: Arc::clone(game),
            policy,
            sampling: Seed(0).stream(Purpose::Sampling),
            ties: Seed(0).stream(Purpose::Ties),
        }
    }
}

impl Agent for PolicyPlayer {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.ties = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        let Some(policy) = self.policy else {
            let report = Report { mixed: Some(Mixed::Uniform), ..Report::default() };
            return Ok(Decision { action: *self.ties.pick(&info.legal), report });
        };
        let game = &*self.game;
        let mut world = game.start();
        Determinizer::new(game, info).draw(&mut self.sampling, &mut *world);
        let action = world.policy_move(Some(policy), info.seat, &mut self.ties);
        Ok(Decision { action, report: Report::default() })
    }
}
