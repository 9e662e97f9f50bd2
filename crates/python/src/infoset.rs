//! What a player knows, and worlds that agree with it.

use std::sync::{Arc, Mutex};

use fogtree_core::{Deadline, Event, Model, Observer, Player, Purpose, Seed, Turn};
use fogtree_table::AnyGame;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::Value;

use crate::convert::{array, seat};
use crate::errors::{failed, input};
use crate::game::Game;
use crate::guarded;
use crate::pickled::{Pickled, pickled, unpickled};
use crate::scene::Scene;

/// All that a player has to decide with: what it did and saw, what it knows, what it may do.
///
/// Information sets can be pickled, and two of them are equal exactly if the player cannot tell them apart.
///
/// >>> import fogtree as ft
/// >>> info = ft.game("leduc-poker").table(seed=1).infoset(0)
/// >>> info.player, info.legal
/// (0, ['check', 'bet2'])
/// >>> import pickle
/// >>> pickle.loads(pickle.dumps(info)) == info
/// True
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct InfoSet {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) info: fogtree_core::InfoSet,
}

/// What a player did or saw, in words.
pub(crate) fn told_event(model: &dyn Model, player: Player, event: &Event) -> (&'static str, String) {
    match event {
        Event::Own(code) => {
            let name = model.move_of_code(*code).map(|mv| model.move_name(mv));
            ("did", name.unwrap_or_else(|| format!("#{code}")))
        }
        Event::Seen(seen) => ("saw", fogtree_core::text::plain(&model.explain(seen, Observer::Seat(player)))),
    }
}

impl InfoSet {
    /// The information set that [`fogtree_core::InfoSet::to_json`] wrote.
    pub(crate) fn read(game: &Game, written: Value) -> PyResult<InfoSet> {
        let game = Arc::clone(&game.0);
        let info = guarded(|| fogtree_core::InfoSet::from_json(game.model(), written).map_err(input))?;
        seat(info.seat.index(), game.facts().players)?;
        Ok(InfoSet { game, info })
    }
}

#[pymethods]
impl InfoSet {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// Whose information set it is.
    #[getter]
    fn player(&self) -> u8 {
        self.info.seat.0
    }

    /// The names of the legal moves; none if it is not the player's turn.
    #[getter]
    fn legal(&self) -> PyResult<Vec<String>> {
        guarded(|| Ok(self.info.legal_names()))
    }

    /// The numbers of the legal moves, in the same order.
    #[getter]
    fn legal_numbers<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        array(py, self.info.legal.clone())
    }

    /// What the player did and saw, in order: `("did", move)` or `("saw", what, in words)`.
    #[getter]
    fn events(&self) -> PyResult<Vec<(&'static str, String)>> {
        let event = |event| told_event(&*self.info.game, self.info.seat, event);
        guarded(|| Ok(self.info.events.iter().map(event).collect()))
    }

    /// The key of what the player did and saw: equal exactly for histories that it cannot tell apart.
    #[getter]
    fn key(&self) -> String {
        self.info.key.to_string()
    }

    /// What the player knows, as text.
    #[getter]
    fn view(&self) -> PyResult<String> {
        guarded(|| Ok(fogtree_core::text::plain(&self.info.view())))
    }

    /// What the player knows, as a picture.
    #[getter]
    fn scene(&self) -> PyResult<Scene> {
        guarded(|| Ok(Scene(self.info.scene())))
    }

    /// What the player knows as an array of numbers for learning, of the shape `game.tensor_shape`.
    fn tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let model = self.game.model();
        let none = || input(format!("{} has no observation tensors", self.game.spec()));
        let shape = model.tensor_shape().ok_or_else(none)?;
        let mut numbers = vec![0.0f32; shape.iter().product()];
        guarded(|| {
            model.tensor(&self.info.known, self.info.seat, &mut numbers);
            Ok(())
        })?;
        array(py, numbers).call_method1("reshape", (PyTuple::new(py, shape)?,))
    }

    /// Draws worlds that agree with what the player knows, each with its weight.
    ///
    /// Counted by weight they are as likely as chance made them; nothing is inferred from the moves of others.
    ///
    /// >>> import fogtree as ft
    /// >>> worlds = ft.game("kuhn-poker").table(seed=1).infoset(0).sample(100, seed=1)
    /// >>> len(worlds), worlds[0].weight
    /// (100, 1.0)
    #[pyo3(signature = (count = 1, *, seed = None, time = None))]
    fn sample(
        &self,
        py: Python<'_>,
        count: usize,
        seed: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Vec<World>> {
        let mut rng = seed.map_or_else(Seed::unguessable, Seed).stream(Purpose::Sampling);
        let stop = Arc::default();
        let time = time.map(crate::agent::duration).transpose()?;
        let until = Deadline::after(time, Some(Arc::clone(&stop)));
        let info = self.info.clone();
        let worlds = crate::worker::interruptible(py, &stop, move || info.sample(count, &mut rng, &until))?;
        if worlds.is_empty() && count > 0 {
            return Err(failed("no world was found in time"));
        }
        let model = self.game.model();
        let world = |(world, weight)| World { model: Arc::clone(model), world: Mutex::new(world), weight };
        Ok(worlds.into_iter().map(world).collect())
    }

    /// What the player knows as JSON, as engines get it.
    fn to_json(&self) -> PyResult<String> {
        guarded(|| Ok(self.info.to_json().to_string()))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(self.scene()?._repr_svg_())
    }

    fn __str__(&self) -> PyResult<String> {
        self.view()
    }

    fn __repr__(&self) -> String {
        format!(
            "<fogtree.InfoSet of player {} in {}, key {}>",
            self.info.seat,
            self.game.spec(),
            self.info.key
        )
    }

    fn __eq__(&self, other: &InfoSet) -> bool {
        self.info.key == other.info.key
            && self.info.seat == other.info.seat
            && self.game.spec() == other.game.spec()
    }

    fn __hash__(&self) -> u64 {
        self.info.key.0 as u64
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<Pickled> {
        pickled(py, "_infoset", self.game(), &guarded(|| Ok(self.info.to_json()))?)
    }
}

/// The information set that was pickled.
#[pyfunction]
pub(crate) fn _infoset(game: &Game, text: &str) -> PyResult<InfoSet> {
    InfoSet::read(game, unpickled(text, "information set")?)
}

/// A world: a state of the game that agrees with what somebody knows.
///
/// >>> import fogtree as ft
/// >>> world = ft.game("kuhn-poker").table(seed=1).infoset(0).sample(1, seed=1)[0]
/// >>> world.to_move, world.legal(0)
/// ((0,), ['check', 'bet'])
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct World {
    model: Arc<dyn Model>,
    world: Mutex<Box<dyn fogtree_core::World>>,
    /// How much the world counts among those drawn with it.
    #[pyo3(get)]
    weight: f64,
}

impl World {
    fn with<T>(&self, look: impl FnOnce(&mut dyn fogtree_core::World) -> PyResult<T>) -> PyResult<T> {
        let mut world = self.world.try_lock().map_err(|_| input("the world is in use in another thread"))?;
        guarded(|| look(&mut **world))
    }
}

#[pymethods]
impl World {
    /// The players who choose now.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let turn = self.with(|world| Ok(world.turn()))?;
        PyTuple::new(py, turn.players().iter().map(|p| p.0).collect::<Vec<_>>())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        self.with(|world| Ok(world.turn() == Turn::Terminal))
    }

    /// The names of the legal moves of a player to move.
    fn legal(&self, player: usize) -> PyResult<Vec<String>> {
        let player = seat(player, self.model.facts().players)?;
        self.with(|world| {
            let mut moves = Vec::new();
            if world.turn().players().contains(player) {
                world.legal(player, &mut moves);
            }
            Ok(moves.into_iter().map(|mv| self.model.move_name(mv)).collect())
        })
    }

    /// Plays at random to the end; returns the rewards of all players. The world stays as it is.
    #[pyo3(signature = (seed = None))]
    fn playout<'py>(&self, py: Python<'py>, seed: Option<u64>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut rng = seed.map_or_else(Seed::unguessable, Seed).stream(Purpose::Playout);
        let rewards = self.with(|world| {
            let mut world = world.boxed();
            Ok(world.playout(fogtree_core::Simulation::UNIFORM, &mut rng))
        })?;
        Ok(array(py, rewards.iter().copied().collect()))
    }

    /// The whole state as a picture.
    #[getter]
    fn scene(&self) -> PyResult<Scene> {
        self.with(|world| Ok(Scene(world.scene())))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(self.scene()?._repr_svg_())
    }

    fn __str__(&self) -> PyResult<String> {
        self.with(|world| Ok(fogtree_core::text::plain(&world.show())))
    }

    fn __eq__(&self, other: &World) -> PyResult<bool> {
        let other = other.with(|world| Ok(world.boxed()))?;
        self.with(|world| Ok(world.same(&*other)))
    }

    fn __hash__(&self) -> PyResult<u64> {
        self.with(|world| Ok(world.state_hash()))
    }
}
