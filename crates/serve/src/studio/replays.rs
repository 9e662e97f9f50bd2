//! Recorded games.

use std::sync::Arc;

use fogtree_table::{AnyGame, AnyTable};

use super::refusal::Refusal;

/// The records that were opened.
#[derive(Default)]
pub(crate) struct Replays {}

impl Replays {
    /// The position after so many steps of one of the games of a record: its specification, the game, the table.
    pub(crate) fn position(
        &self,
        replay: &str,
        number: usize,
        step: Option<usize>,
    ) -> Result<(String, Arc<dyn AnyGame>, Box<dyn AnyTable>), Refusal> {
        let _ = (number, step);
        Err(Refusal::not_found(format!("there is no replay {replay}")))
    }
}
