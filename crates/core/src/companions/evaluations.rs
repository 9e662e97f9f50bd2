//! Guesses at the rewards of unfinished games.

use crate::{Player, Policy, Rewards, Rules};

/// Evaluations of unfinished games.
pub trait Evaluations<R: Rules> {
    /// The evaluations that the game offers by name besides the unnamed one.
    fn evaluations(&self) -> &'static [Policy] {
        &[]
    }

    /// A guess at a player's reward, on the scale of the rewards, by one of the named evaluations or the unnamed one.
    fn evaluate(&self, which: Option<usize>, state: &R::State, who: Player) -> Option<f64>;
}

/// What an unfinished game is worth to every player: what the evaluation says, or the middle of the range of rewards.
pub fn evaluate_leaf<R: Rules>(rules: &R, which: Option<usize>, state: &R::State) -> Rewards {
    let facts = rules.facts();
    let middle = (facts.utility_bounds.0 + facts.utility_bounds.1) / 2.0;
    let evaluations = rules.extras().evaluations;
    let guess = |p| evaluations.and_then(|known| known.evaluate(which, state, p));
    Rewards::from_fn(facts.players, |p| guess(p).unwrap_or(middle))
}
