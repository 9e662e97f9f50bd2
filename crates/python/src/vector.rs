//! Many tables of one game at once, as arrays: for learning.

mod lane;

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use fogtree_core::Seed;
use fogtree_table::AnyGame;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::array;
use crate::errors::input;
use crate::game::Game;
use crate::guarded;
use lane::{Lane, Rows, Shape, Work, run_in_threads};

/// More tables than anybody needs: a slip in a number should not fill the memory.
const MOST: usize = 1 << 20;
/// After about so many random moves Python is asked whether somebody has pressed Ctrl-C.
const LOOK: usize = 1 << 16;

/// Many tables of one game, made by `fogtree.vector`. What learners see of them are arrays that every step overwrites.
///
/// Where a game ends, `done` is set, `rewards` holds what everybody earned, and the next game begins at once:
/// all other arrays show its first position. `rewards` is 0 everywhere else. Copy what is to be kept.
///
/// In games in which players move at the same time, `legal_mask`, `observations` and the moves have a second axis, the
/// players; what is said there for a player who is not to move is ignored. With `serial=True` they choose one after
/// the other instead, nobody sees what others have chosen, and the arrays are those of any other game.
///
/// >>> import fogtree as ft
/// >>> tables = ft.vector(ft.game("kuhn-poker"), 3, seed=1)
/// >>> tables.current_player, tables.legal_mask.shape
/// (array([0, 0, 0], dtype=int8), (3, 4))
/// >>> tables.step(tables.random_moves())
/// >>> tables.current_player
/// array([1, 1, 1], dtype=int8)
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Vector {
    game: Arc<dyn AnyGame>,
    shape: Shape,
    threads: usize,
    /// The tables. An error inside a game leaves the lock poisoned.
    lanes: Mutex<Vec<Lane>>,
    /// The player to move at each table; -1 where several are.
    #[pyo3(get)]
    current_player: Py<PyArrayDyn<i8>>,
    /// Whether each player is to move, for each table.
    #[pyo3(get)]
    to_move: Py<PyArrayDyn<bool>>,
    /// Whether each move of the game is legal for the player to move, for each table.
    #[pyo3(get)]
    legal_mask: Py<PyArrayDyn<bool>>,
    /// What each player earned in the game that ended at each table with the last step; 0 where none did.
    #[pyo3(get)]
    rewards: Py<PyArrayDyn<f32>>,
    /// Whether a game ended at each table with the last step.
    #[pyo3(get)]
    done: Py<PyArrayDyn<bool>>,
    /// The seed of the game at each table: `game.table(seed=...)` deals the same.
    #[pyo3(get)]
    seeds: Py<PyArrayDyn<u64>>,
    seen: Py<PyArrayDyn<f32>>,
}

/// Many tables of a game that are stepped at once, as arrays for learning.
///
/// `observe` says whether to write observation tensors; if nothing is said, they are written in games that have them.
/// `serial` lets players who move at the same time choose one after the other, without seeing what others choose.
/// The same seed gives the same games with any number of threads.
///
/// >>> import fogtree as ft
/// >>> import numpy as np
/// >>> tables = ft.vector(ft.game("connect-four"), 100, seed=1)
/// >>> tables.step(np.full(100, 3))
/// >>> tables.step_random(50)  # the games that ended meanwhile
/// 198
#[pyfunction]
#[pyo3(signature = (game, count, seed = None, *, observe = None, serial = false, threads = 1))]
pub(crate) fn vector(
    py: Python<'_>,
    game: &Game,
    count: usize,
    seed: Option<u64>,
    observe: Option<bool>,
    serial: bool,
    threads: usize,
) -> PyResult<Vector> {
    let game = Arc::clone(&game.0);
    let (model, facts) = (game.model(), game.facts());
    if !(1..=MOST).contains(&count) {
        return Err(input(format!("count={count}: expected 1 to {MOST} tables")));
    }
    if !(1..=1024).contains(&threads) {
        return Err(input(format!("threads={threads}: expected 1 to 1024")));
    }
    let spec = game.spec();
    let moves =
        model.moves().ok_or_else(|| input(format!("{spec} has too many moves to number them all")))?;
    let tensor = guarded(|| Ok(model.tensor_shape()))?;
    if observe == Some(true) && tensor.is_none() {
        return Err(input(format!("{spec} has no observation tensors: leave out observe=True")));
    }
    let tensor = tensor.filter(|_| observe != Some(false));
    let joint = facts.simultaneous && facts.players > 1 && !serial;
    let shape = Shape {
        players: facts.players,
        places: if joint { facts.players } else { 1 },
        moves,
        numbers: tensor.as_ref().map_or(0, |axes| axes.iter().product()),
    };
    let each = |axes: &[usize]| {
        let players = joint.then_some(shape.players);
        [count].into_iter().chain(players).chain(axes.iter().copied()).collect::<Vec<_>>()
    };
    let vector = Vector {
        shape,
        threads,
        lanes: Mutex::default(),
        current_player: zeros(py, vec![count])?,
        to_move: zeros(py, vec![count, shape.players])?,
        legal_mask: zeros(py, each(&[moves]))?,
        rewards: zeros(py, vec![count, shape.players])?,
        done: zeros(py, vec![count])?,
        seeds: zeros(py, vec![count])?,
        seen: zeros(py, tensor.map_or_else(|| vec![0], |axes| each(&axes)))?,
        game,
    };
    vector.deal(py, seed.map_or_else(Seed::unguessable, Seed), count)?;
    Ok(vector)
}

/// A new array of zeros.
fn zeros<T: Element>(py: Python<'_>, axes: Vec<usize>) -> PyResult<Py<PyArrayDyn<T>>> {
    let made = py.import("numpy")?.call_method1("zeros", (PyTuple::new(py, axes)?, numpy::dtype::<T>(py)))?;
    Ok(made.cast_into::<PyArrayDyn<T>>()?.unbind())
}

/// An array of ours, to be written to.
fn open<'py, T: Element>(
    py: Python<'py>,
    array: &Py<PyArrayDyn<T>>,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.bind(py).try_readwrite().map_err(|why| input(format!("an array cannot be written to: {why}")))
}

/// The numbers of an array of ours, of which there must be as many as there were.
fn slice<'a, T: Element>(array: &'a mut PyReadwriteArrayDyn<'_, T>, length: usize) -> PyResult<&'a mut [T]> {
    let numbers = array.as_slice_mut().ok().filter(|numbers| numbers.len() == length);
    numbers.ok_or_else(|| input("somebody has changed the shape of an array"))
}

impl Vector {
    /// The tables, unless another thread uses them.
    fn lanes(&self) -> PyResult<MutexGuard<'_, Vec<Lane>>> {
        match self.lanes.try_lock() {
            Ok(lanes) => Ok(lanes),
            Err(TryLockError::Poisoned(_)) => Err(input("an earlier step failed: call reset first")),
            Err(TryLockError::WouldBlock) => Err(input("the tables are in use in another thread")),
        }
    }

    /// New tables, at which games begin.
    fn deal(&self, py: Python<'_>, seed: Seed, count: usize) -> PyResult<()> {
        let mut lanes = match self.lanes.try_lock() {
            Ok(lanes) => lanes,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(input("the tables are in use in another thread")),
        };
        let start = guarded(|| Ok(self.game.model().start()))?;
        *lanes = (0..count).map(|i| Lane::new(&*start, seed, i as u64, self.shape)).collect();
        drop(start);
        self.lanes.clear_poison();
        self.run(py, lanes, Work::Restart)?;
        Ok(())
    }

    /// Does some work at all tables away from the interpreter's lock; answers how many games ended.
    fn run(&self, py: Python<'_>, lanes: MutexGuard<'_, Vec<Lane>>, work: Work<'_>) -> PyResult<u64> {
        let (shape, threads, tables) = (self.shape, self.threads, lanes.len());
        let (mut current_player, mut to_move) = (open(py, &self.current_player)?, open(py, &self.to_move)?);
        let (mut legal_mask, mut seen) = (open(py, &self.legal_mask)?, open(py, &self.seen)?);
        let (mut rewards, mut done) = (open(py, &self.rewards)?, open(py, &self.done)?);
        let mut seeds = open(py, &self.seeds)?;
        let rows = Rows {
            current_player: slice(&mut current_player, tables)?,
            to_move: slice(&mut to_move, tables * shape.players)?,
            legal_mask: slice(&mut legal_mask, tables * shape.places * shape.moves)?,
            observations: slice(&mut seen, tables * shape.places * shape.numbers)?,
            rewards: slice(&mut rewards, tables * shape.players)?,
            done: slice(&mut done, tables)?,
            seeds: slice(&mut seeds, tables)?,
        };
        let model = self.game.model();
        guarded(move || {
            // It is dropped while a panic unwinds, which poisons the lock: some tables may be half-way in a step then.
            let mut lanes = lanes;
            let lanes = &mut lanes[..];
            Ok(py.detach(|| run_in_threads(work, lanes, rows, &**model, shape, threads)))
        })
    }

    /// Moves as Python gives them: whole numbers in an array or anything that can be made one.
    fn read(&self, py: Python<'_>, moves: &Bound<'_, PyAny>, tables: usize) -> PyResult<Vec<i64>> {
        let numpy = py.import("numpy")?;
        let given = numpy.call_method1("asarray", (moves,))?;
        let kind: String = given.getattr("dtype")?.getattr("kind")?.extract()?;
        let expected = if self.is_joint() { vec![tables, self.shape.players] } else { vec![tables] };
        let shape: Vec<usize> = given.getattr("shape")?.extract()?;
        if kind != "i" && kind != "u" {
            let dtype = given.getattr("dtype")?.str()?;
            return Err(input(format!("moves: expected whole numbers, not an array of {dtype}")));
        }
        if shape != expected {
            return Err(input(format!("moves: expected an array of shape {expected:?}, not {shape:?}")));
        }
        let given = given.call_method1("astype", (numpy::dtype::<i64>(py),))?;
        let given: PyReadonlyArrayDyn<'_, i64> = given.extract()?;
        Ok(given.as_array().iter().copied().collect())
    }

    fn is_joint(&self) -> bool {
        self.shape.places > 1
    }

    /// What is wrong with a move.
    fn illegal(&self, table: usize, lane: &Lane, place: usize, who: u8, mv: i64) -> PyErr {
        let model = self.game.model();
        let name = |mv: u32| guarded(|| Ok(model.move_name(mv))).unwrap_or_default();
        let legal: Vec<String> = lane.legal(place).iter().map(|&mv| format!("{mv} ({})", name(mv))).collect();
        let met = u32::try_from(mv).ok().filter(|&mv| (mv as usize) < self.shape.moves);
        let met = met.filter(|&mv| model.move_of_code(mv.into()).is_some()).map(name);
        let met = met.filter(|name| !name.is_empty()).map_or_else(String::new, |name| format!(" ({name})"));
        input(format!(
            "table {table}: player {who} may not make move {mv}{met}; legal are {}; no move was made",
            legal.join(", ")
        ))
    }
}

#[pymethods]
impl Vector {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// How many threads step the tables.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// What the player to move knows at each table, as numbers; None if they are not written.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Option<Py<PyArrayDyn<f32>>> {
        (self.shape.numbers > 0).then(|| self.seen.clone_ref(py))
    }

    /// Begins new games at all tables: those that follow from the seed, or the next ones if there is none.
    ///
    /// >>> import fogtree as ft
    /// >>> tables = ft.vector(ft.game("kuhn-poker"), 2, seed=1)
    /// >>> first = tables.seeds.copy()
    /// >>> tables.reset(seed=1)
    /// >>> (tables.seeds == first).all()
    /// np.True_
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let count = self.__len__(py);
        if seed.is_none() && !self.lanes.is_poisoned() {
            return self.run(py, self.lanes()?, Work::Restart).map(|_| ());
        }
        self.deal(py, seed.map_or_else(Seed::unguessable, Seed), count)
    }

    /// Makes one move at each table, by number. An illegal one is an `InputError`, and no move is made at any table.
    ///
    /// >>> import fogtree as ft
    /// >>> tables = ft.vector(ft.game("rock-paper-scissors"), 2, seed=1)
    /// >>> tables.step([[0, 1], [0, 2]])
    /// >>> tables.rewards
    /// array([[-1.,  1.],
    ///        [ 1., -1.]], dtype=float32)
    fn step(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        let lanes = self.lanes()?;
        let moves = self.read(py, moves, lanes.len())?;
        for (table, (lane, given)) in lanes.iter().zip(moves.chunks_exact(self.shape.places)).enumerate() {
            if let Err((place, who)) = lane.check(given) {
                return Err(self.illegal(table, lane, place, who.0, given[place]));
            }
        }
        self.run(py, lanes, Work::Step(&moves)).map(|_| ())
    }

    /// Draws a legal move for each table, all equally likely; -1 for players who are not to move.
    ///
    /// >>> import fogtree as ft
    /// >>> ft.vector(ft.game("kuhn-poker"), 4, seed=1).random_moves().shape
    /// (4,)
    fn random_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut lanes = self.lanes()?;
        let (places, joint) = (self.shape.places, self.is_joint());
        let mut moves = vec![0; lanes.len() * places];
        let tables = lanes.len();
        guarded(|| {
            let drawn = lanes.iter_mut().zip(moves.chunks_exact_mut(places));
            drawn.for_each(|(lane, moves)| lane.draw(moves));
            Ok(())
        })?;
        let drawn = array(py, moves).into_any();
        if joint { drawn.call_method1("reshape", ((tables, places),)) } else { Ok(drawn) }
    }

    /// Makes so many random moves at each table, as `random_moves` draws them; returns how many games ended. The
    /// arrays show how the tables stand after the last one.
    #[pyo3(signature = (steps = 1))]
    fn step_random(&self, py: Python<'_>, steps: u64) -> PyResult<u64> {
        let (mut left, mut over) = (steps, 0);
        while left > 0 {
            let lanes = self.lanes()?;
            let now = left.min((LOOK / lanes.len()).max(1) as u64);
            over += self.run(py, lanes, Work::Random(now))?;
            left -= now;
            py.check_signals()?;
        }
        Ok(over)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.done.bind(py).len().unwrap_or(0)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("fogtree.vector({:?}, {})", self.game.spec().to_string(), self.__len__(py))
    }
}
