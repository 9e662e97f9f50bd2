//! Games with everything open.

use crate::Rules;

/// A variant with perfect information: what is played by a search that takes a world for the truth.
pub trait PerfectInfoVariant<R: Rules> {
    /// The same game with everything open to everybody; `None` if everything is.
    fn perfect_info_variant(&self) -> Option<R>;

    /// Makes a state of the game with hidden information one of this game, its variant.
    fn reveal(&self, state: &mut R::State);
}
