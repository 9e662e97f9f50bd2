//! A game's own way of playing as a player: one of its named policies ([`fogtree_core::Rules::policies`]).
//!
//! A policy acts in a state. The player has none, so it draws a world from what it knows and acts as the policy
//! would there: what a policy makes of hidden things, such as where to look for an enemy, is a guess.

use std::sync::Arc;

use fogtree_core::{Agent, Budget, Decision, Game, InfoSet, Player, Purpose, Report, Rng, Scratch, Seed};

use crate::worlds::Draws;

/// The player that follows a policy.
#[derive(Debug)]
pub struct PolicyPlayer<G: Game> {
    game: Arc<G>,
    policy: Option<usize>,
    sampling: Rng,
    ties: Rng,
    scratch: Scratch<G>,
}

impl<G: Game> PolicyPlayer<G> {
    /// A player of a game by the policy at this place in its list; uniformly random if by none.
    pub fn new(game: &Arc<G>, policy: Option<usize>) -> PolicyPlayer<G> {
        PolicyPlayer {
            game: Arc::clone(game),
            policy,
            sampling: Seed(0).stream(Purpose::Sampling),
            ties: Seed(0).stream(Purpose::Ties),
            scratch: Scratch::default(),
        }
    }
}

impl<G: Game> Agent<G> for PolicyPlayer<G> {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.ties = seed.stream(Purpose::Ties);
    }

    fn act(&mut self, info: &InfoSet<G>, _budget: &Budget) -> Decision<G::Action> {
        let Some(policy) = self.policy else {
            return Decision { action: *self.ties.pick(&info.legal), report: Report::default() };
        };
        let game = &*self.game;
        let mut world = game.start();
        Draws::new(game, info).draw(game, &mut self.sampling, &mut world);
        let action = game.policy_action(policy, &world, info.seat, &mut self.ties, &mut self.scratch);
        Decision { action, report: Report::default() }
    }
}
