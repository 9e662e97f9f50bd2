//! How games are played out below a tree: uniformly at random to the end, or by one of the game's own policies, or
//! only so far, with the game's evaluation for a result.

use fogtree_core::{Horizon, Policy, Rewards, Rng, Rules, Scratch, Turn, judged_by};

/// A way of playing out. The default is uniformly random to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Simulation {
    /// One of the game's [`Rules::policies`] by place; uniformly random if there is none.
    pub policy: Option<usize>,
    /// Where the game's evaluation takes over.
    pub horizon: Option<Horizon>,
    /// Which of the game's [`Rules::evaluations`] that is, by place; [`Rules::evaluate`] if none.
    pub evaluation: Option<usize>,
}

impl Simulation {
    /// Uniformly random play to the end.
    pub const UNIFORM: Simulation = Simulation { policy: None, horizon: None, evaluation: None };

    /// To the end by the policy of this name, if there is one among these.
    pub fn named(policies: &[Policy], name: &str) -> Option<Simulation> {
        Some(Simulation { policy: Some(Policy::find(policies, name)?), ..Simulation::UNIFORM })
    }

    /// The same as far as the horizon.
    #[must_use]
    pub const fn to(self, horizon: Horizon) -> Simulation {
        Simulation { horizon: Some(horizon), ..self }
    }

    /// The same judged by this evaluation at the horizon.
    #[must_use]
    pub const fn judged(self, evaluation: Option<usize>) -> Simulation {
        Simulation { evaluation, ..self }
    }

    /// Plays out.
    #[inline]
    pub(crate) fn run<R: Rules>(
        self,
        rules: &R,
        state: &mut R::State,
        rng: &mut Rng,
        scratch: &mut Scratch<R>,
    ) -> Rewards {
        match self {
            Simulation { policy: None, horizon: None, .. } => rules.playout(state, rng, scratch),
            Simulation { policy: Some(policy), horizon: None, .. } => {
                rules.policy_playout(policy, state, rng, scratch)
            }
            Simulation { policy, horizon: Some(horizon), evaluation } => {
                let rewards = rules.playout_to(policy, horizon, state, rng, scratch);
                match evaluation.filter(|_| rules.turn(state) != Turn::Terminal) {
                    Some(_) => judged_by(rules, evaluation, state),
                    None => rewards,
                }
            }
        }
    }
}
