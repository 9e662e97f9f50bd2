//! The first legal move: what a manager of general game playing puts in the place of a player who does not answer.

use fogtree_core::{Agent, Budget, Decision, Game, InfoSet, Report};

/// Plays the first legal move.
#[derive(Clone, Copy, Default, Debug)]
pub struct FirstLegal;

impl<G: Game> Agent<G> for FirstLegal {
    fn act(&mut self, info: &InfoSet<G>, _budget: &Budget) -> Decision<G::Action> {
        Decision { action: info.legal[0], report: Report::default() }
    }
}
