//! Games by name.

use std::sync::{Arc, LazyLock};

use fogtree_core::{Purpose, Seed};
use fogtree_games::tree::Tree;
use fogtree_table::{AnyGame, Registry, after_moves};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::to_python;
use crate::errors::input;
use crate::guarded;
use crate::python_game;
use crate::table::Table;
use crate::worker::interruptible;

/// All games and agents that can be asked for by name.
pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// A game: its rules and what can be said of it. Games are made by `fogtree.game`.
///
/// >>> import fogtree as ft
/// >>> game = ft.game("kuhn-poker")
/// >>> game.players, game.facts["hidden"]
/// (2, True)
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Game(pub(crate) Arc<dyn AnyGame>);

/// The game that a specification stands for: a name, perhaps with parameters. A subclass of `fogtree.PythonGame`, or an
/// instance of one, stands for the game that it describes.
///
/// >>> import fogtree as ft
/// >>> ft.game("phantom-mnk(m=3,n=3,k=3)").spec
/// 'phantom-mnk(m=3,n=3,k=3)'
/// >>> ft.game("chess")
/// Traceback (most recent call last):
/// ...
/// fogtree.InputError: ...
#[pyfunction]
pub(crate) fn game(spec: &Bound<'_, PyAny>) -> PyResult<Game> {
    match spec.extract::<String>() {
        Ok(spec) => Ok(Game(guarded(|| REGISTRY.game(&spec).map_err(input))?.shared())),
        Err(_) => guarded(|| python_game::of_python(spec)).map(Game),
    }
}

/// The names of the games that there are.
///
/// >>> import fogtree as ft
/// >>> "hearts" in ft.games()
/// True
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    REGISTRY.games().map(|about| about.name).collect()
}

/// The names of the agents that there are.
///
/// >>> import fogtree as ft
/// >>> "mo-ismcts" in ft.agents()
/// True
#[pyfunction]
pub(crate) fn agents() -> Vec<&'static str> {
    REGISTRY.agents().map(|about| about.name).collect()
}

/// What there is to say of a game or an agent: a summary, its parameters with their ranges and defaults, its source.
///
/// >>> import fogtree as ft
/// >>> [p["name"] for p in ft.about("kuhn-poker")["params"]]
/// [...]
#[pyfunction]
pub(crate) fn about<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let found = REGISTRY.games().chain(REGISTRY.agents()).find(|about| about.name == name);
    let found = found.ok_or_else(|| input(format!("there is no game or agent '{name}'")))?;
    to_python(py, &REGISTRY.offered(found))
}

/// The most nodes of a game that is written as a tree.
const MOST_NODES: usize = 1_000_000;

#[pymethods]
impl Game {
    /// The specification, by which the same game can be made again.
    #[getter]
    fn spec(&self) -> String {
        self.0.spec().to_string()
    }

    /// How many players.
    #[getter]
    fn players(&self) -> usize {
        self.0.facts().players
    }

    /// What can be said of the game without playing it: hidden information, chance, rewards, length.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.0.facts())
    }

    /// How many moves there are in all, if they are few enough to number them: then every move has a number below it.
    #[getter]
    fn num_moves(&self) -> Option<usize> {
        self.0.model().moves()
    }

    /// The name of the move with a number.
    fn move_name(&self, number: u32) -> PyResult<String> {
        if self.0.model().moves().is_some_and(|all| number as usize >= all) {
            return Err(input(format!("there is no move {number}")));
        }
        guarded(|| Ok(self.0.model().move_name(number)))
    }

    /// The number of the move with a name.
    fn move_number(&self, name: &str) -> PyResult<u32> {
        let found = guarded(|| Ok(self.0.model().parse_move(name)))?;
        found.ok_or_else(|| input(format!("the game has no move '{name}'")))
    }

    /// A table at which the game has just begun, or at which some moves have been made.
    ///
    /// Chance draws from the seed, or from the system's randomness if there is none; with `chance="manual"` it draws
    /// nothing by itself and its outcomes are among the moves.
    ///
    /// >>> import fogtree as ft
    /// >>> ft.game("kuhn-poker").table(moves="J Q check", chance="manual").to_move
    /// (1,)
    #[pyo3(signature = (seed = None, *, moves = "", chance = "auto"))]
    fn table(&self, seed: Option<u64>, moves: &str, chance: &str) -> PyResult<Table> {
        let manual = match chance {
            "auto" => false,
            "manual" => true,
            other => return Err(input(format!("chance='{other}': expected 'auto' or 'manual'"))),
        };
        let seed = seed.map_or_else(Seed::unguessable, Seed);
        guarded(|| {
            let game = Arc::clone(&self.0);
            if manual {
                let table = after_moves(&*game, moves, None).map_err(input)?;
                return Ok(Table::new(game, table, None, seed));
            }
            let mut table =
                Table::new(Arc::clone(&game), game.table(), Some(seed.stream(Purpose::Deal)), seed);
            table.play_words(&moves.split_whitespace().collect::<Vec<_>>())?;
            Ok(table)
        })
    }

    /// The lengths of the axes of observation tensors; None in games that have none.
    #[getter]
    fn tensor_shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.0.model().tensor_shape().map(|shape| PyTuple::new(py, shape)).transpose()
    }

    /// The whole game in Gambit's extensive game format (EFG), for small games.
    ///
    /// >>> import fogtree as ft
    /// >>> ft.game("kuhn-poker").to_efg()[:7]
    /// 'EFG 2 R'
    #[pyo3(signature = (*, nodes = MOST_NODES))]
    fn to_efg(&self, py: Python<'_>, nodes: usize) -> PyResult<String> {
        let (stop, model, spec) = (Arc::default(), Arc::clone(self.0.model()), self.0.spec().to_string());
        let tree = interruptible(py, &stop, move || {
            Tree::of(&*model, nodes).map(|tree| tree.with_title(&spec).to_efg())
        });
        tree?.map_err(|why| input(format!("{} cannot be written as a tree: {why}", self.0.spec())))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match python_game::author_of(py, &*self.0) {
            Some(_) => format!("fogtree.game({})", self.0.spec()),
            None => format!("fogtree.game({:?})", self.0.spec()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let from = match python_game::author_of(py, &*self.0) {
            Some(author) => author.into_bound(py),
            None => self.0.spec().into_bound_py_any(py)?,
        };
        Ok((py.import("fogtree")?.getattr("game")?, (from,)))
    }
}
