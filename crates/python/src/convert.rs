//! Plain data between Rust and Python.

use fogtree_core::Player;
use numpy::{PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

use crate::errors::{failed, input};

/// Plain data as Python values: dictionaries, lists, numbers, texts.
pub(crate) fn to_python<'py>(py: Python<'py>, data: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    from_json(py, &serde_json::to_value(data).map_err(failed)?)
}

/// JSON as Python values.
pub(crate) fn from_json<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(is) => is.into_bound_py_any(py),
        Value::Number(n) => match (n.as_u64(), n.as_i64()) {
            (Some(n), _) => n.into_bound_py_any(py),
            (_, Some(n)) => n.into_bound_py_any(py),
            _ => n.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let items = items.iter().map(|item| from_json(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_bound_py_any(py)
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, from_json(py, value)?)?;
            }
            dict.into_bound_py_any(py)
        }
    }
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
