//! How information sets, decisions and tables are pickled: as JSON with a version.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::errors::{failed, input};
use crate::game::Game;

/// What is pickled: the function that restores it, and what that is given.
pub(crate) type Pickled = (Py<PyAny>, (Py<Game>, String));

/// The version of pickles.
const VERSION: u64 = 1;

/// Something of a game, to be restored by the function of this name.
pub(crate) fn pickled(py: Python<'_>, restore: &str, game: Game, data: &impl Serialize) -> PyResult<Pickled> {
    let restore = py.import("fogtree._fogtree")?.getattr(restore)?.unbind();
    let data = serde_json::to_value(data).map_err(failed)?;
    Ok((restore, (Py::new(py, game)?, json!({"version": VERSION, "data": data}).to_string())))
}

/// What was pickled of such a thing.
pub(crate) fn unpickled<T: DeserializeOwned>(text: &str, what: &str) -> PyResult<T> {
    let no = |why: &dyn std::fmt::Display| input(format!("this is not a pickled {what} of fogtree: {why}"));
    let mut written: Value = serde_json::from_str(text).map_err(|why| no(&why))?;
    match written.get("version").and_then(Value::as_u64) {
        Some(VERSION) => serde_json::from_value(written["data"].take()).map_err(|why| no(&why)),
        Some(other) => Err(input(format!(
            "this {what} was pickled by another version of fogtree: {other}, not {VERSION}"
        ))),
        None => Err(no(&"it has no version")),
    }
}
