//! Matches of many games.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fogtree_core::{Record, Seed};
use fogtree_lab::deals::Deals;
use fogtree_lab::series::{Seats, Series, SeriesError};
use fogtree_table::wire;
use pyo3::prelude::*;

use crate::convert::to_python;
use crate::errors::{failed, input};
use crate::game::{Game, REGISTRY};
use crate::guarded;
use crate::python_agent::Entrant;
use crate::worker::{escape, interruptible, is_over};

/// The result of a match.
///
/// >>> import fogtree as ft
/// >>> result = ft.match(ft.game("kuhn-poker"), ["mo-ismcts(iterations=50)", "random"], games=20)
/// >>> result.games, [agent["agent"] for agent in result.agents]
/// (20, ['mo-ismcts(iterations=50)', 'random'])
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct MatchResult(wire::MatchResult);

#[pymethods]
impl MatchResult {
    /// The specification of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.0.game
    }

    /// Games played.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    /// How each entrant did: wins, draws, losses, win rate with its 95 % interval, mean reward, time per move.
    #[getter]
    fn agents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.agents)
    }

    /// Everything as plain data, as `fogtree match --json` prints it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0)
    }
}

/// The specification of an agent, and the object that plays if it is one in Python.
type Named = (String, Option<Py<PyAny>>);

/// The fields of a match, as Python gives them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    agents: Vec<Named>,
    roles: Option<Vec<(String, Named)>>,
    games: u64,
    seed: Option<u64>,
    threads: Option<usize>,
    record: Option<PathBuf>,
}

/// Plays a match; `progress` is called with the number of games played.
#[pyfunction]
#[pyo3(signature = (game, asked, progress))]
pub(crate) fn _match(
    py: Python<'_>,
    game: &Game,
    asked: Asked,
    progress: Option<Py<PyAny>>,
) -> PyResult<MatchResult> {
    let game = Arc::clone(&game.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let stop = Arc::<AtomicBool>::default();
    let mut entrants = Vec::new();
    let mut enter = |(name, who): Named| match who {
        None => name,
        Some(who) => {
            entrants.push(Entrant::new(name, who, &stop));
            entrants[entrants.len() - 1].spec()
        }
    };
    let seats = match asked.roles {
        Some(roles) => Seats::Roles(roles.into_iter().map(|(role, who)| (role, enter(who))).collect()),
        None => Seats::Rotated(asked.agents.into_iter().map(&mut enter).collect()),
    };
    let names: HashMap<String, String> = entrants.iter().map(|e| (e.spec(), e.name.clone())).collect();
    let called = move |spec: &mut String| {
        if let Some(name) = names.get(spec) {
            spec.clone_from(name);
        }
    };
    let series = Series {
        game: game.spec().to_string(),
        seats,
        games: asked.games,
        seed: asked.seed.map_or_else(Seed::unguessable, Seed),
        deals: Deals::Fresh,
        until: None,
        threads: asked.threads.unwrap_or(cores),
        follow: Vec::new(),
    };
    guarded(|| series.check(&REGISTRY, &*game).map_err(input))?;
    let open = |path: PathBuf| {
        File::create(&path).map_err(|why| input(format!("cannot write records to {}: {why}", path.display())))
    };
    let mut file = asked.record.map(open).transpose()?.map(BufWriter::new);
    let flag = Arc::clone(&stop);
    let work = move || {
        let mut written = Ok(());
        let mut done = |number: u64, record: &Record| {
            if let (Some(file), Ok(())) = (&mut file, &written) {
                let mut record = record.clone();
                record.header.agents.iter_mut().for_each(&called);
                written = file.write_all(record.to_lines().as_bytes()).and_then(|()| file.flush());
                flag.fetch_or(written.is_err(), Ordering::Relaxed);
            }
            if let Some(progress) = progress.as_ref().filter(|_| !is_over()) {
                Python::attach(|py| progress.call1(py, (number,))).unwrap_or_else(|error| escape(error));
            }
        };
        let mut result = series.run(&REGISTRY, &*game, &flag, &mut done);
        if let Ok(result) = &mut result {
            result.agents.iter_mut().for_each(|standing| called(&mut standing.agent));
        }
        (result, written)
    };
    let (result, written) = interruptible(py, &stop, work)?;
    written.map_err(|why| failed(format!("the records could not be written: {why}")))?;
    let result = result.map_err(|why| match why {
        SeriesError::Failed(_) | SeriesError::Illegal(_) => failed(why),
        _ => input(why),
    })?;
    Ok(MatchResult(result))
}
