//! The native part of the Python package: games, tables, agents, matches, solvers and experiments.
//!
//! What Python programs see is in `crates/python/python/fogtree`; what stands here are the classes and functions
//! that it is made of. Everything that takes long runs without the interpreter's lock ([`worker`]).

mod agent;
mod convert;
mod decision;
mod errors;
mod experiment;
mod game;
mod infoset;
mod matches;
mod python_game;
mod scene;
mod solve;
mod table;
mod vector;
mod worker;

use pyo3::prelude::*;

/// Games with hidden information and uncertainty, natively.
#[pymodule]
mod _fogtree {
    #[pymodule_export]
    use super::agent::{Agent, agent};
    #[pymodule_export]
    use super::decision::{Decision, SearchTree};
    #[pymodule_export]
    use super::errors::{InputError, RunError};
    #[pymodule_export]
    use super::experiment::Experiment;
    #[pymodule_export]
    use super::game::{Game, about, agents, game, games};
    #[pymodule_export]
    use super::infoset::{_infoset, InfoSet, World};
    #[pymodule_export]
    use super::matches::{_match, MatchResult};
    #[pymodule_export]
    use super::python_game::_check;
    #[pymodule_export]
    use super::scene::Scene;
    #[pymodule_export]
    use super::solve::{_exploit, _infosets, _solve, _strategy, Exploitability, Solution, Strategy, solvers};
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::vector::{Vector, vector};
    #[pymodule_export]
    use super::worker::_shut_down;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(m: &Bound<'_, PyModule>) -> PyResult<()> {
        m.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Runs code that knows no exceptions; what a game in Python raises in it is raised.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(worker::raised(panic)))
}
