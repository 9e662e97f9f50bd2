//! What beliefs are about: the one part of a hidden state worth reasoning over.
//!
//! Who the spies are, where Mr X hides: in many games a single feature of the hidden state takes one of a few
//! values, and the moves of the others tell something about it. A game that has such a feature says so through
//! [`InfoExtras::hidden_part`](crate::InfoExtras::hidden_part); inference, self-determinization and displays of beliefs
//! then work on numbers `0..values()` and know nothing of the game (Whitehouse 2014, §7.3 and §7.4).
//!
//! A belief is a slice of probabilities, one per value.

use crate::{Game, Player, Rng};

/// A feature of the hidden state with finitely many values, numbered from 0.
pub trait HiddenPart<G: Game> {
    /// How many values there are.
    fn values(&self) -> usize;

    /// The name of a value: one word, without spaces.
    fn name(&self, value: usize) -> String;

    /// The value in a state, once it is settled.
    fn value(&self, state: &G::State) -> Option<usize>;

    /// Whether nothing else is hidden: two states with the same value are equal if the public knows the same of them.
    /// Then what a seat knows for itself, did and saw decides what it may do.
    fn is_whole(&self) -> bool {
        false
    }

    /// What `seat` knows of the value for itself: equal for two values between which its own secrets do not
    /// decide. It names the trees of a seat in a search with several per player.
    fn private(&self, value: usize, seat: Player) -> u64;

    /// The belief of somebody who knows this and has drawn no conclusion from the players' choices: how
    /// likely chance made each value. All zero while the value is not settled.
    fn prior(&self, known: &G::Info, belief: &mut [f64]);

    /// Carries a belief over one step that took the observer from knowing `before` to knowing `after`: a value
    /// that may have changed spreads its probability equally over what it may have become, values that `after`
    /// rules out get 0, and the rest is scaled to sum to 1. If nothing is left, the belief becomes the prior.
    fn propagate(&self, belief: &mut [f64], before: &G::Info, after: &G::Info);

    /// Overwrites `into` with a state that agrees with what the sampler's observer knows and has this value;
    /// answers whether there is one. Given the value, states are drawn as [`Game::sample`] draws them, weights
    /// counted in.
    fn sample(&self, from: &mut G::Sampler, value: usize, rng: &mut Rng, into: &mut G::State) -> bool;

    /// Gives the state this value and leaves everything else; answers whether the rest of the state allows it. For
    /// yardsticks that know all but the hidden part.
    fn put(&self, _state: &mut G::State, _value: usize) -> bool {
        false
    }
}
