//! The laws of games, checked on a game in Python.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

use fogtree_core::Seed;
use fogtree_core::testing::{Law, Options, Violation, check_play, check_tree};
use pyo3::prelude::*;

use super::rules::{Notes, is_ours};
use super::{PythonGame, instance_of};
use crate::errors::input;
use crate::guarded;
use crate::worker::interruptible;

/// The most histories that are walked.
const HISTORIES: u64 = 30_000;

/// Checks a game; returns what was checked, and the laws that it breaks in words.
#[pyfunction]
pub(crate) fn _check(
    py: Python<'_>,
    game: &Bound<'_, PyAny>,
    tiny: Option<&Bound<'_, PyAny>>,
    games: u32,
    seed: u64,
) -> PyResult<(String, Vec<String>)> {
    if games == 0 {
        return Err(input("games=0: expected at least 1"));
    }
    let notes = Arc::new(Notes::default());
    let options = Options {
        seed: Seed(seed),
        games,
        steps: 50 * u64::from(games),
        looks: games / 2 + 1,
        nodes: HISTORIES,
        sets: 300,
        draws: 200_000,
        frequencies: 6,
    };
    let instance = instance_of(game)?;
    let made = guarded(|| PythonGame::new(&instance, Some(Arc::clone(&notes))))?;
    let (spec, silent) = (made.author().spec.clone(), silent_laws(&instance)?);
    let is_given = tiny.is_some();
    let tiny = match tiny {
        Some(tiny) => instance_of(tiny)?,
        None => instance,
    };
    let tiny = guarded(|| PythonGame::new(&tiny, Some(Arc::clone(&notes))))?.exact();
    let stop: Arc<AtomicBool> = Arc::clone(&notes.stop);
    let work = move || {
        let mut found = check_play(&made, &options);
        if found.is_empty() {
            found = check_tree(&tiny, &options);
        }
        found
    };
    let mut found = interruptible(py, &stop, work)?;
    if let Some((error, at)) = notes.first.lock().unwrap_or_else(PoisonError::into_inner).take() {
        if is_ours(py, &error) {
            return Ok((spec, vec![format!("{} ({at})", error.value(py))]));
        }
        if error.value(py).hasattr("add_note")? {
            error.value(py).call_method1("add_note", (format!("raised by {spec} {at}"),))?;
        }
        return Err(error);
    }
    let size = found.len();
    found.retain(|violation| is_given || violation.law != Law::TooLarge);
    let whole = found.len() == size;
    found.retain(|violation| !silent.contains(&violation.law));
    let done = match (whole, is_given) {
        (true, false) => "random games and every history",
        (true, true) => "random games, and every history of the tiny one",
        (false, _) => {
            "random games; it is too large to look at every history: give a tiny one to check that too"
        }
    };
    let text = |Violation { law, what }: Violation| format!("{}\n    {what}", law.statement());
    Ok((format!("{spec}: {done}"), found.into_iter().map(text).collect()))
}

/// Laws about what the author left to us to say.
fn silent_laws(instance: &Bound<'_, PyAny>) -> PyResult<Vec<Law>> {
    let mut silent = Vec::new();
    for (name, law) in [("hidden", Law::FactsHidden), ("hidden_moves", Law::FactsHiddenMoves)] {
        if instance.getattr(name)?.is_none() {
            silent.push(law);
        }
    }
    if silent.contains(&Law::FactsHidden) {
        silent.push(Law::Vacuous);
    }
    Ok(silent)
}
