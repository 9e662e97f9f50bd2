//! Our errors as Python exceptions.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

pyo3::create_exception!(
    fogtree,
    InputError,
    PyValueError,
    "What was asked for cannot be: the input is wrong."
);
pyo3::create_exception!(fogtree, RunError, PyRuntimeError, "What was asked for failed while it ran.");

/// The input is wrong, for the reason given.
pub(crate) fn input(why: impl Display) -> PyErr {
    InputError::new_err(why.to_string())
}

/// A run failed, for the reason given.
pub(crate) fn failed(why: impl Display) -> PyErr {
    RunError::new_err(why.to_string())
}
