//! Agents for one game that are asked move by move.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fogtree_core::{Budget, Event, Explain, InfoSet as Known, Player, Progress, Seed, TreeLimits, Watch};
use fogtree_table::{AnyGame, SeatAgent};
use pyo3::prelude::*;

use crate::decision::{Decision, Seen};
use crate::errors::{failed, input};
use crate::game::{Game, REGISTRY};
use crate::guarded;
use crate::infoset::InfoSet;
use crate::python_agent::seat_agent;
use crate::table::{Table, only_mover};
use crate::worker::{Signals, at_once, escape, interruptible, is_over};

/// An agent for one game, made by `fogtree.agent`.
///
/// It keeps what it has learned from one decision of a game to the next where it can; an information set of another
/// game or player makes it begin anew.
///
/// >>> import fogtree as ft
/// >>> game = ft.game("leduc-poker")
/// >>> agent = ft.agent("mo-ismcts(iterations=1000)", game, seed=1)
/// >>> agent.act(game.table(seed=1)).move in ("check", "bet2")
/// True
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct NativeAgent {
    game: Arc<dyn AnyGame>,
    spec: String,
    /// What plays, if it is an agent in Python.
    python: Option<Py<PyAny>>,
    cheats: bool,
    seed: Seed,
    /// What plays; nobody while it thinks, or after an error.
    inner: Mutex<State>,
}

enum State {
    Ready(Box<Seated>),
    Thinking,
    /// It was lost by an error; with as many games begun.
    Lost(u64),
}

struct Seated {
    agent: SeatAgent,
    /// The game it is in: for whom it plays and what it has been told.
    told: Option<(Player, Vec<Event>)>,
    /// How many games it has begun.
    games: u64,
}

impl Seated {
    /// Tells the agent what it has not been told yet, from the start if this is another game.
    fn follow(&mut self, info: &Known, seed: Seed) {
        let new = match &mut self.told {
            Some((seat, told)) if *seat == info.seat && info.events.starts_with(told) => told.len(),
            _ => {
                self.agent.start(info.seat, seed.number(self.games));
                self.games += 1;
                self.told = Some((info.seat, Vec::new()));
                0
            }
        };
        for event in &info.events[new..] {
            self.agent.observe(event);
            self.told.as_mut().expect("a game is going on").1.push(event.clone());
        }
    }
}

/// A time in seconds.
pub(crate) fn duration(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| input(format!("time={seconds}: expected seconds, not negative")))
}

/// The agent that a specification stands for, or an agent in Python of that name, for one game.
#[pyfunction]
pub(crate) fn _agent(
    py: Python<'_>,
    spec: String,
    python: Option<Py<PyAny>>,
    game: &Game,
    seed: Option<u64>,
) -> PyResult<NativeAgent> {
    let game = Arc::clone(&game.0);
    let agent = made(py, &spec, python.as_ref(), &game)?;
    let (spec, cheats) = (agent.spec.clone(), agent.cheats);
    let seed = seed.map_or_else(Seed::unguessable, Seed);
    let inner = Mutex::new(State::Ready(Box::new(Seated { agent, told: None, games: 0 })));
    Ok(NativeAgent { game, spec, python, cheats, seed, inner })
}

fn made(
    py: Python<'_>,
    spec: &str,
    python: Option<&Py<PyAny>>,
    game: &Arc<dyn AnyGame>,
) -> PyResult<SeatAgent> {
    match python {
        Some(who) => seat_agent(py, spec, who, game),
        None => guarded(|| REGISTRY.agent(spec, &**game).map_err(input)),
    }
}

impl NativeAgent {
    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the agent to think with; makes it anew if it was lost.
    fn take(&self, py: Python<'_>) -> PyResult<Box<Seated>> {
        let state = std::mem::replace(&mut *self.state(), State::Thinking);
        match state {
            State::Ready(seated) => Ok(seated),
            State::Thinking => Err(input("this agent is thinking in another thread")),
            State::Lost(games) => {
                let agent = made(py, &self.spec, self.python.as_ref(), &self.game);
                let agent = agent.inspect_err(|_| *self.state() = State::Lost(games))?;
                Ok(Box::new(Seated { agent, told: None, games }))
            }
        }
    }
}

#[pymethods]
impl NativeAgent {
    /// The specification.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The game it plays.
    #[getter]
    fn game(&self) -> Game {
        Game(Arc::clone(&self.game))
    }

    /// Chooses a move: in an information set, or for a player at a table.
    ///
    /// `time` (seconds) and `iterations` take the place of the agent's own budget. `watch` is called about ten times a
    /// second with how the search stands; `trace` keeps that for `Decision.convergence`. `tree` asks for the search
    /// tree: True for all of it, or a number for so many moves. `player` is needed at a table at which several are to
    /// move. Ctrl-C ends the search.
    ///
    /// >>> import fogtree as ft
    /// >>> game = ft.game("connect-four")
    /// >>> decision = ft.agent("uct", game, seed=1).act(game.table(moves="4 1 4 1 4 1"), iterations=500)
    /// >>> decision.move
    /// '4'
    #[pyo3(signature = (position, *, player = None, time = None, iterations = None, watch = None, trace = false, tree = None))]
    #[allow(clippy::too_many_arguments, reason = "the options of a search, by name")]
    fn act(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        player: Option<usize>,
        time: Option<f64>,
        iterations: Option<u64>,
        watch: Option<Py<PyAny>>,
        trace: bool,
        tree: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Decision> {
        let info = self.known(position, player)?;
        let limits = tree.map(tree_limits).transpose()?.flatten();
        let time = time.map(duration).transpose()?;
        if iterations == Some(0) {
            return Err(input("iterations=0: expected at least 1"));
        }
        let mut seated = self.take(py)?;
        let (stop, seen) = (Arc::<AtomicBool>::default(), Arc::new(Mutex::new(Vec::new())));
        let mut budget = seated.agent.budget.clone();
        if time.is_some() || iterations.is_some() {
            (budget.time, budget.turn, budget.iterations) = (time, None, iterations);
        }
        budget.stop = Some(Arc::clone(&stop));
        budget.explain = limits.map(|tree| Explain { tree: Some(tree) });
        let in_python = self.python.is_some() || self.spec.starts_with("python(");
        let quick = in_python || watch.is_none() && !trace && is_short(&budget);
        let signals = Signals::default();
        if quick {
            budget.watch = Some(signals.watch(&stop));
        } else if watch.is_some() || trace {
            let names = guarded(|| Ok(info.legal_names()))?;
            budget.watch = Some(shown_to(watch, trace.then(|| Arc::clone(&seen)), names, &stop));
        }
        let (seed, games, asked) = (self.seed, seated.games, info.clone());
        let work = move || {
            seated.follow(&asked, seed);
            let decision = seated.agent.agent.act(&asked, &budget);
            (seated, decision)
        };
        let done = if quick { at_once(py, &stop, &signals, work) } else { interruptible(py, &stop, work) };
        let (seated, decision) = match done {
            Ok(done) => done,
            Err(error) => {
                *self.state() = State::Lost(games + 1);
                return Err(error);
            }
        };
        *self.state() = State::Ready(seated);
        let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
        let decision = decision.map_err(failed)?;
        guarded(|| Ok(Decision::new(&self.game, &self.spec, self.cheats, &info, decision, seen)))
    }

    fn __repr__(&self) -> String {
        format!("fogtree.agent({:?}, {:?})", self.spec, self.game.spec())
    }
}

impl NativeAgent {
    /// What the agent may know of a position, with the legal moves of whoever is to decide.
    fn known(&self, position: &Bound<'_, PyAny>, player: Option<usize>) -> PyResult<Known> {
        let (game, info) = if let Ok(table) = position.cast::<Table>() {
            let table = table.get();
            let seated = guarded(|| {
                let inner = table.inner()?;
                let seat = match player {
                    Some(number) => crate::convert::seat(number, table.any_game().facts().players)?,
                    None => only_mover(&*inner.table)?,
                };
                let truth = self.cheats.then(|| inner.table.truth());
                Ok(Known { truth, ..inner.table.infoset(seat) })
            })?;
            (table.any_game(), seated)
        } else {
            let info = position.cast::<InfoSet>().map_err(|_| input("expected an InfoSet or a Table"))?.get();
            if self.cheats {
                return Err(input(format!("{} looks at the true state: ask it at a table", self.spec)));
            }
            (&info.game, info.info.clone())
        };
        let info =
            if Arc::ptr_eq(game.model(), self.game.model()) { info } else { self.adopted(game, &info)? };
        if info.legal.is_empty() {
            return Err(input(format!("player {} is not to move", info.seat)));
        }
        Ok(info)
    }
}

impl NativeAgent {
    /// What was known in a game that was made from the same specification, for this one.
    fn adopted(&self, game: &Arc<dyn AnyGame>, info: &Known) -> PyResult<Known> {
        let (ours, theirs) = (self.game.spec(), game.spec());
        if ours != theirs || self.cheats {
            return Err(input(format!(
                "the agent was made for {ours}, this position is of another game ({theirs})"
            )));
        }
        guarded(|| Known::from_json(self.game.model(), info.to_json()).map_err(input))
    }
}

/// Whether a search with this budget is over soon.
fn is_short(budget: &Budget) -> bool {
    budget.iterations.is_some_and(|n| n <= 10_000)
        || budget.time.is_some_and(|t| t <= Duration::from_millis(50))
}

/// How much of the tree is asked for.
fn tree_limits(asked: &Bound<'_, PyAny>) -> PyResult<Option<TreeLimits>> {
    if let Ok(wanted) = asked.extract::<bool>() {
        return Ok(wanted.then_some(TreeLimits::NONE));
    }
    let depth =
        asked.extract::<u32>().map_err(|_| input("tree: expected True, False or a number of moves"))?;
    Ok(Some(TreeLimits { depth, ..TreeLimits::NONE }))
}

/// A watch that shows a search to Python, and keeps what it shows. An exception there ends the search.
fn shown_to(
    call: Option<Py<PyAny>>,
    keep: Option<Arc<Mutex<Vec<Seen>>>>,
    names: Vec<String>,
    stop: &Arc<AtomicBool>,
) -> Watch {
    let stop = Arc::clone(stop);
    let every = if keep.is_some() { 10 } else { 100 };
    Watch::every(Duration::from_millis(every), move |progress: &Progress| {
        if let Some(keep) = &keep {
            keep.lock().unwrap_or_else(PoisonError::into_inner).push(Seen::of(progress));
        }
        let Some(call) = &call else { return };
        if is_over() {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            return;
        }
        Python::attach(|py| {
            let told = fogtree_table::wire::Findings::so_far(&names, progress);
            let shown = crate::convert::to_python(py, &told).and_then(|told| call.call1(py, (told,)));
            if let Err(error) = shown {
                escape(error);
            }
        });
    })
}
