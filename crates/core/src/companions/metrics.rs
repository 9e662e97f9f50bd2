//! Statistics of games that are played.

use crate::{Player, Rules, Step};

/// What there is to count in a game.
pub trait Metrics<R: Rules> {
    /// Appends what there is to count in a step that is about to be made in `before`, by name, for whom and how much:
    /// statistics of games add these up. What is counted at all is appended for the last step, if only with 0. Asked
    /// about games that are played, not about those imagined in a search.
    fn metrics(&self, before: &R::State, step: Step<'_, R>, out: &mut Vec<(Player, &'static str, f64)>);
}
