//! The engine's side of the engine protocol, as far as `fogtree.engine` needs it (docs/engine-protocol.md).

use fogtree_core::Event;
use fogtree_table::protocol::Request;
use pyo3::prelude::*;
use serde_json::Value;

use crate::convert::{seat, to_python};
use crate::errors::{failed, input};
use crate::game::Game;
use crate::guarded;
use crate::infoset::{InfoSet, told_event};

/// A request as a dictionary; what only a game can read (`events`, `infoset`) as JSON.
#[pyfunction]
pub(crate) fn _request<'py>(py: Python<'py>, line: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let request: Request = serde_json::from_slice(line).map_err(input)?;
    let mut request = serde_json::to_value(request).map_err(failed)?;
    for name in ["events", "infoset"] {
        if let Some(value) = request.get_mut(name) {
            *value = Value::String(value.to_string());
        }
    }
    to_python(py, &request)
}

/// The information set that a table has sent.
#[pyfunction]
pub(crate) fn _asked(game: &Game, text: &str) -> PyResult<InfoSet> {
    let written: Value = serde_json::from_str(text).map_err(input)?;
    let info = InfoSet::read(game, written)?;
    if info.info.legal.is_empty() {
        return Err(input("no move is legal"));
    }
    Ok(info)
}

/// What a player did and saw, as `InfoSet.events` has it.
#[pyfunction]
pub(crate) fn _heard(game: &Game, player: usize, text: &str) -> PyResult<Vec<(&'static str, String)>> {
    let events: Vec<Event> = serde_json::from_str(text).map_err(input)?;
    let player = seat(player, game.0.facts().players)?;
    guarded(|| Ok(events.iter().map(|event| told_event(&**game.0.model(), player, event)).collect()))
}
