//! States that remember how they came about.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::Rules;

/// What of a state is only memory, and does not decide how the game can go on.
pub trait Memory<R: Rules> {
    /// Leaves out of a state what only decides what players know, for whoever has no use for that and steps through
    /// many states. Nobody may be asked any more what it knows there.
    fn drop_history(&self, state: &mut R::State);

    /// A number that is equal for states that differ only in what players remember.
    fn fingerprint(&self, state: &R::State) -> u64;
}

/// A number that says how a game can go on: equal for equal states, and for states that differ only in what players
/// remember.
pub fn fingerprint<R: Rules>(rules: &R, state: &R::State) -> u64 {
    match rules.extras().memory {
        Some(memory) => memory.fingerprint(state),
        None => {
            let mut hasher = DefaultHasher::new();
            state.hash(&mut hasher);
            hasher.finish()
        }
    }
}
