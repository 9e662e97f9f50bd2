//! Games being played.

use std::sync::{Arc, Mutex, MutexGuard};

use fogtree_core::record::Header;
use fogtree_core::{Move, Observer, Player, Purpose, Rng, Seed, Turn};
use fogtree_table::{AnyGame, AnyTable};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::{Deserialize, Serialize};

use crate::convert::{array, seat};
use crate::errors::input;
use crate::game::Game;
use crate::guarded;
use crate::infoset::InfoSet;
use crate::pickled::{Pickled, pickled, unpickled};
use crate::scene::Scene;

/// A game being played. It alone holds the true state: agents get the information set of their player.
/// It can be pickled.
///
/// >>> import fogtree as ft
/// >>> table = ft.game("kuhn-poker").table(seed=1)
/// >>> table.to_move
/// (0,)
/// >>> table.legal()
/// ['check', 'bet']
/// >>> table.play("bet").play("fold").rewards
/// array([ 1., -1.])
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Table {
    game: Arc<dyn AnyGame>,
    seed: Seed,
    inner: Mutex<Inner>,
}

pub(crate) struct Inner {
    pub(crate) table: Box<dyn AnyTable>,
    /// What chance draws from, if it draws by itself.
    deal: Option<Rng>,
}

/// A move as Python gives it.
#[derive(FromPyObject)]
enum Choice {
    Number(Move),
    Name(String),
}

impl Inner {
    /// Makes one step of the players to move, or of chance.
    fn make(&mut self, given: &[Choice]) -> PyResult<()> {
        let names: Vec<&str> = given.iter().filter_map(Choice::name).collect();
        if names.len() == given.len() {
            return self.table.play_words(&names).map_err(input);
        }
        let turn = self.table.turn();
        if turn == Turn::Terminal {
            return Err(input("the game is over"));
        }
        let mut choices = Vec::with_capacity(given.len());
        for (who, choice) in turn.players().iter().zip(given) {
            let Choice::Number(mv) = *choice else {
                return Err(input("players who move at once: give all moves by name or all by number"));
            };
            choices.push((who, mv));
        }
        if choices.is_empty() {
            return Err(input("it is chance's turn, whose outcomes have names only"));
        }
        self.table.choose(&choices).map_err(input)
    }

    fn draw(&mut self) {
        if let Some(deal) = &mut self.deal {
            while self.table.turn() == Turn::Chance {
                self.table.draw(deal);
            }
        }
    }
}

impl Choice {
    fn name(&self) -> Option<&str> {
        match self {
            Choice::Number(_) => None,
            Choice::Name(name) => Some(name),
        }
    }
}

impl Table {
    pub(crate) fn new(
        game: Arc<dyn AnyGame>,
        table: Box<dyn AnyTable>,
        deal: Option<Rng>,
        seed: Seed,
    ) -> Table {
        let mut inner = Inner { table, deal };
        inner.draw();
        Table { game, seed, inner: Mutex::new(inner) }
    }

    pub(crate) fn any_game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    /// The table, unless another thread uses it: waiting for that one could go on for ever.
    pub(crate) fn inner(&self) -> PyResult<MutexGuard<'_, Inner>> {
        match self.inner.try_lock() {
            Ok(inner) => Ok(inner),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => Err(input("the table is in use in another thread")),
        }
    }

    pub(crate) fn play_words(&mut self, words: &[&str]) -> PyResult<()> {
        let mut inner = self.inner()?;
        let mut left = words;
        while !left.is_empty() {
            let needed = inner.table.turn().players().len().max(1).min(left.len());
            inner.table.play_words(&left[..needed]).map_err(input)?;
            inner.draw();
            left = &left[needed..];
        }
        Ok(())
    }

    /// The player asked about: the one to move, if none is named.
    fn player(&self, inner: &Inner, player: Option<usize>) -> PyResult<Player> {
        match player {
            Some(number) => seat(number, self.game.facts().players),
            None => only_mover(&*inner.table),
        }
    }

    fn observer(&self, player: Option<usize>) -> PyResult<Observer> {
        player.map_or(Ok(Observer::Public), |p| seat(p, self.game.facts().players).map(Observer::Seat))
    }
}

/// The one player to move.
pub(crate) fn only_mover(table: &dyn AnyTable) -> PyResult<Player> {
    match table.turn() {
        Turn::Player(p) => Ok(p),
        Turn::Terminal => Err(input("the game is over")),
        Turn::Chance => Err(input("it is chance's turn")),
        Turn::Simultaneous(_) => Err(input("several players are to move: say which one is meant")),
    }
}

#[pymethods]
impl Table {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// The seed that chance draws from.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed.0
    }

    /// The players who choose now: none at the end and where chance draws, several where moves are simultaneous.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let turn = guarded(|| Ok(self.inner()?.table.turn()))?;
        PyTuple::new(py, turn.players().iter().map(|p| p.0).collect::<Vec<_>>())
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> PyResult<bool> {
        guarded(|| Ok(self.inner()?.table.turn() == Turn::Terminal))
    }

    /// Whether chance is to draw, at tables where it does not by itself.
    #[getter]
    fn is_chance(&self) -> PyResult<bool> {
        guarded(|| Ok(self.inner()?.table.turn() == Turn::Chance))
    }

    /// The names of a player's legal moves; of the player to move, if none is named.
    #[pyo3(signature = (player = None))]
    fn legal(&self, player: Option<usize>) -> PyResult<Vec<String>> {
        guarded(|| {
            let inner = self.inner()?;
            Ok(inner.table.legal(self.player(&inner, player)?))
        })
    }

    /// What chance may draw now, with probabilities; None where that can only be sampled.
    fn chance_outcomes(&self) -> PyResult<Option<Vec<(String, f64)>>> {
        guarded(|| Ok(self.inner()?.table.chance()))
    }

    /// Makes moves, by name or number, one after the other; returns the table. Where several players are to move, their
    /// moves follow in the order of the players, or come as one dictionary by player. Without any move it asks a person
    /// for them, as `fogtree.play` does.
    ///
    /// >>> import fogtree as ft
    /// >>> ft.game("rock-paper-scissors").table().play({0: "rock", 1: "paper"}).rewards
    /// array([-1.,  1.])
    /// >>> ft.game("rock-paper-scissors").table().play(0, 1).rewards
    /// array([-1.,  1.])
    #[pyo3(signature = (*moves))]
    fn play<'py>(slf: Bound<'py, Table>, moves: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, Table>> {
        if moves.is_empty() {
            slf.py().import("fogtree")?.call_method1("play", (&slf,))?;
            return Ok(slf);
        }
        let table = slf.get();
        let mut given = Vec::new();
        for moves in moves {
            match moves.cast::<PyDict>() {
                Ok(joint) => {
                    let mut joint: Vec<(usize, Choice)> = joint
                        .iter()
                        .map(|(p, m)| Ok((p.extract()?, m.extract()?)))
                        .collect::<PyResult<_>>()?;
                    joint.sort_by_key(|(player, _)| *player);
                    let turn = guarded(|| Ok(table.inner()?.table.turn()))?;
                    let expected: Vec<usize> = turn.players().iter().map(Player::index).collect();
                    let got: Vec<usize> = joint.iter().map(|(p, _)| *p).collect();
                    if got != expected {
                        return Err(input(format!("players {expected:?} are to move, not {got:?}")));
                    }
                    given.extend(joint.into_iter().map(|(_, choice)| choice));
                }
                Err(_) => match moves.extract()? {
                    Choice::Number(number) => given.push(Choice::Number(number)),
                    Choice::Name(names) => {
                        given.extend(names.split_whitespace().map(|name| Choice::Name(name.into())));
                    }
                },
            }
        }
        guarded(|| {
            let mut inner = table.inner()?;
            let mut left = &given[..];
            while !left.is_empty() {
                let needed = inner.table.turn().players().len().max(1);
                if left.len() < needed {
                    return Err(input(format!(
                        "{needed} players are to move, but {} moves are left",
                        left.len()
                    )));
                }
                inner.make(&left[..needed])?;
                inner.draw();
                left = &left[needed..];
            }
            Ok(())
        })?;
        Ok(slf)
    }

    /// Makes so many steps at random, or plays to the end; returns the table.
    #[pyo3(signature = (steps = None, *, seed = None))]
    fn play_random<'py>(
        slf: Bound<'py, Table>,
        steps: Option<usize>,
        seed: Option<u64>,
    ) -> PyResult<Bound<'py, Table>> {
        let table = slf.get();
        let mut rng = seed.map_or_else(Seed::unguessable, Seed).stream(Purpose::Deal);
        guarded(|| {
            let mut inner = table.inner()?;
            let most = steps.unwrap_or(self::ENDLESS);
            for _ in 0..most {
                if inner.table.turn() == Turn::Terminal {
                    break;
                }
                fogtree_table::play_at_random(&mut *inner.table, 1, &mut rng);
                inner.draw();
            }
            Ok(())
        })?;
        Ok(slf)
    }

    /// The rewards of all players at the end of the game; None before.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let rewards = guarded(|| Ok(self.inner()?.table.rewards()))?;
        Ok(rewards.map(|rewards| array(py, rewards.iter().copied().collect())))
    }

    /// All that a player knows: what it did and saw, and what it may do now.
    #[pyo3(signature = (player = None))]
    fn infoset(&self, player: Option<usize>) -> PyResult<InfoSet> {
        guarded(|| {
            let inner = self.inner()?;
            let info = inner.table.infoset(self.player(&inner, player)?);
            Ok(InfoSet { game: Arc::clone(&self.game), info })
        })
    }

    /// The position as a picture: as a player sees it, or the whole of it if none is named.
    #[pyo3(signature = (player = None))]
    fn scene(&self, player: Option<usize>) -> PyResult<Scene> {
        let by = self.observer(player)?;
        guarded(|| {
            let inner = self.inner()?;
            Ok(Scene(if player.is_none() { inner.table.true_scene() } else { inner.table.scene(by) }))
        })
    }

    /// The position as text: as a player sees it, or the whole of it if none is named.
    #[pyo3(signature = (player = None))]
    fn view(&self, player: Option<usize>) -> PyResult<String> {
        let by = self.observer(player)?;
        guarded(|| {
            let inner = self.inner()?;
            let text = if player.is_none() { inner.table.show() } else { inner.table.view(by) };
            Ok(fogtree_core::text::plain(&text))
        })
    }

    /// The key of a player's information set, or of what everybody has seen: equal exactly for histories that it
    /// cannot tell apart.
    #[pyo3(signature = (player = None))]
    fn key(&self, player: Option<usize>) -> PyResult<String> {
        let by = self.observer(player)?;
        guarded(|| Ok(self.inner()?.table.key(by).to_string()))
    }

    /// The last step as a player is told of it, in words; None if it noticed nothing.
    #[pyo3(signature = (player = None))]
    fn told(&self, player: Option<usize>) -> PyResult<Option<String>> {
        let by = self.observer(player)?;
        guarded(|| Ok(self.inner()?.table.told(by)))
    }

    /// The names of all moves and outcomes so far.
    #[getter]
    fn history(&self) -> PyResult<Vec<String>> {
        guarded(|| Ok(self.inner()?.table.names()))
    }

    /// How many steps were made, those of chance included.
    #[getter]
    fn steps(&self) -> PyResult<usize> {
        guarded(|| Ok(self.inner()?.table.steps()))
    }

    /// The part that a player plays.
    fn role(&self, player: usize) -> PyResult<String> {
        let player = seat(player, self.game.facts().players)?;
        guarded(|| Ok(self.inner()?.table.role(player)))
    }

    /// A table of its own in the same position. At both, chance goes on with the same numbers.
    fn fork(&self) -> PyResult<Table> {
        guarded(|| {
            let inner = self.inner()?;
            let (table, deal) = (inner.table.fork(), inner.deal.clone());
            Ok(Table {
                game: Arc::clone(&self.game),
                seed: self.seed,
                inner: Mutex::new(Inner { table, deal }),
            })
        })
    }

    /// The record of the game: JSON lines that `fogtree replay` reads.
    #[pyo3(signature = (agents = Vec::new()))]
    fn record(&self, agents: Vec<String>) -> PyResult<String> {
        let header = Header::new(self.game.spec(), agents, self.seed);
        guarded(|| Ok(self.inner()?.table.record(header).to_lines()))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<Pickled> {
        let inner = self.inner()?;
        let history = guarded(|| Ok(inner.table.names()))?;
        let written = Written { seed: self.seed, draws: inner.deal.is_some(), history };
        pickled(py, "_table", Game(Arc::clone(&self.game)), &written)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(self.scene(None)?._repr_svg_())
    }

    fn __str__(&self) -> PyResult<String> {
        self.view(None)
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<fogtree.Table of {} after {} steps>", self.game.spec(), self.steps()?))
    }
}

/// A table as it is pickled: chance draws the same again from the seed.
#[derive(Serialize, Deserialize)]
struct Written {
    seed: Seed,
    /// Whether chance draws by itself.
    draws: bool,
    history: Vec<String>,
}

/// The table that was pickled.
#[pyfunction]
pub(crate) fn _table(game: &Game, text: &str) -> PyResult<Table> {
    let Written { seed, draws, history } = unpickled(text, "table")?;
    let damaged = || input("this is not a pickled table of fogtree: its history cannot have been played");
    guarded(|| {
        let deal = draws.then(|| seed.stream(Purpose::Deal));
        let table = Table::new(Arc::clone(&game.0), game.0.table(), deal, seed);
        let mut inner = table.inner()?;
        loop {
            let made = inner.table.names();
            let left = history.strip_prefix(&made[..]).ok_or_else(damaged)?;
            if left.is_empty() {
                break;
            }
            let needed = inner.table.turn().players().len().max(1);
            let now: Vec<&str> = left.iter().take(needed).map(String::as_str).collect();
            inner.table.play_words(&now).map_err(|_| damaged())?;
            inner.draw();
        }
        drop(inner);
        Ok(table)
    })
}

/// More steps than any game has.
const ENDLESS: usize = usize::MAX;
