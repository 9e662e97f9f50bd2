//! Plain data between Rust and Python.

use fogtree_core::Player;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::{failed, input};

/// Plain data as Python values: dictionaries, with their fields in order, lists, numbers, texts.
pub(crate) fn to_python<'py>(py: Python<'py>, data: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(data).map_err(failed)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// Numbers in rows of the same length, as an array.
pub(crate) fn matrix<'py>(py: Python<'py>, rows: &[Vec<f64>]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray2::from_vec2(py, rows).map_err(failed)
}

/// Numbers as an array.
pub(crate) fn array<T: numpy::Element>(py: Python<'_>, numbers: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, numbers)
}

/// A seat that the game has.
pub(crate) fn seat(number: usize, players: usize) -> PyResult<Player> {
    if number >= players {
        return Err(input(format!(
            "there is no player {number}: the game has the players 0 to {}",
            players - 1
        )));
    }
    Ok(Player(number as u8))
}
