//! The first legal move: what a manager of general game playing puts in the place of a player who does not answer.

use fogtree_core::{About, Agent, AgentEntry, AgentFailure, Budget, Decision, InfoSet, Mixed, Report};

/// The first legal move, by name.
pub static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "first-legal",
        "Plays the first legal move, as managers do in the place of players who do not answer",
        "gdl 2.4, F10",
        &[],
    ),
    &|_| Ok((Box::new(FirstLegal), Budget::default())),
);

/// Plays the first legal move.
#[derive(Clone, Copy, Default, Debug)]
pub struct FirstLegal;

impl Agent for FirstLegal {
    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        let certain = (0..info.legal.len()).map(|place| if place == 0 { 1.0 } else { 0.0 }).collect();
        let report = Report { mixed: Some(Mixed::Fixed(certain)), ..Report::default() };
        Ok(Decision { action: info.legal[0], report })
    }
}
