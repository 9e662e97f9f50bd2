//! The first legal move: what a manager of general game playing puts in the place of a player who does not answer.

use fogtree_core::{Agent, AgentFailure, Budget, Decision, InfoSet, Report};

/// Plays the first legal move.
#[derive(Clone, Copy, Default, Debug)]
pub struct FirstLegal;

impl Agent for FirstLegal {
    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        Ok(Decision { action: info.legal[0], report: Report::default() })
    }
}
