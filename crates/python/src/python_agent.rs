//! Agents written in Python.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Asked, Decision, Domain, Event, InfoSet as Known, Param, Player,
    Report, Rewards, Seed,
};
use fogtree_table::{AnyGame, SeatAgent};
use numpy::PyArray1;
use pyo3::intern;
use pyo3::prelude::*;

use crate::calls::{Stop, call};
use crate::errors::{InputError, failed};
use crate::game::{Game, REGISTRY};
use crate::infoset::{InfoSet, told_event};
use crate::worker::{Asks, escape};

/// How long an agent may think about a move: until the first of these is used up. What is None is not limited.
///
/// >>> import fogtree as ft
/// >>> budget = ft.Budget(time=0.5)
/// >>> budget.time, budget.iterations, budget.is_stopped
/// (0.5, None, False)
#[pyclass(frozen, module = "fogtree")]
pub(crate) struct Budget {
    /// Seconds.
    #[pyo3(get)]
    time: Option<f64>,
    /// Iterations, whatever the agent takes for one.
    #[pyo3(get)]
    iterations: Option<u64>,
    stop: Stop,
}

#[pymethods]
impl Budget {
    #[new]
    #[pyo3(signature = (*, time = None, iterations = None))]
    fn new(time: Option<f64>, iterations: Option<u64>) -> Budget {
        Budget { time, iterations, stop: Some(Arc::default()) }
    }

    /// Whether the agent has been told to answer at once.
    #[getter]
    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Tells the agent to answer at once.
    fn stop(&self) {
        if let Some(stop) = &self.stop {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn __repr__(&self) -> String {
        let limit = |n: Option<String>| n.unwrap_or_else(|| "None".to_string());
        let (time, iterations) = (self.time.map(|t| t.to_string()), self.iterations.map(|n| n.to_string()));
        format!("fogtree.Budget(time={}, iterations={})", limit(time), limit(iterations))
    }
}

/// An agent in a seat. `player` is a `_agents.Player`, which makes the agent and reads its answers.
struct PythonAgent {
    player: Py<PyAny>,
    /// The game as a player may know it, from when it is told which one it is.
    game: Arc<dyn AnyGame>,
    told: Option<Arc<dyn AnyGame>>,
    seat: Player,
    /// Whether it wants to hear of events.
    observes: bool,
    /// What stops the match that it plays in.
    stop: Stop,
}

/// The agent that a class, a factory or an instance in Python stands for.
pub(crate) fn python_agent(
    py: Python<'_>,
    who: &Py<PyAny>,
    game: &Arc<dyn AnyGame>,
    stop: Stop,
) -> PyResult<Box<dyn Agent>> {
    let player = py.import("fogtree._agents")?.getattr("Player")?.call1((who,))?.unbind();
    let game = Arc::clone(game);
    Ok(Box::new(PythonAgent { player, game, told: None, seat: Player(0), observes: false, stop }))
}

impl PythonAgent {
    /// The game without what other players alone know of its parameters.
    fn told(&self, seat: Player) -> PyResult<Arc<dyn AnyGame>> {
        let spec = self.game.spec();
        match REGISTRY.told(spec, seat) {
            Ok(told) if told != spec => Ok(REGISTRY.game(&told).map_err(failed)?.shared()),
            _ => Ok(Arc::clone(&self.game)),
        }
    }

    /// What the player knows, in the game as it may know it.
    fn shown(&self, info: &Known) -> PyResult<InfoSet> {
        let game = Arc::clone(self.told.as_ref().unwrap_or(&self.game));
        let info = if Arc::ptr_eq(game.model(), &info.game) {
            Known { belief: None, truth: None, ..info.clone() }
        } else {
            Known::from_json(game.model(), info.to_json()).map_err(failed)?
        };
        Ok(InfoSet { game, info })
    }
}

impl Agent for PythonAgent {
    fn start(&mut self, seat: Player, seed: Seed) {
        let told = self.told(seat).unwrap_or_else(|error| escape(error));
        let observes = call(&self.stop, |py| {
            let game = Game(Arc::clone(&told));
            self.player.call_method1(py, intern!(py, "start"), (game, seat.0, seed.0))?.extract(py)
        });
        (self.seat, self.told, self.observes) = (seat, Some(told), observes.unwrap_or(false));
    }

    fn observe(&mut self, event: &Event) {
        if self.observes {
            let event = told_event(&**self.game.model(), self.seat, event);
            call(&self.stop, |py| self.player.call_method1(py, intern!(py, "observe"), (event,)));
        }
    }

    fn act(&mut self, info: &Known, budget: &fogtree_core::Budget) -> Result<Decision, AgentFailure> {
        let began = Instant::now();
        let stop = budget.stop.clone().or_else(|| self.stop.clone());
        let time = budget.time.map(|time| time.as_secs_f64());
        let place: Option<usize> = call(&stop, |py| {
            let budget = Budget { time, iterations: budget.iterations, stop: stop.clone() };
            self.player.call_method1(py, intern!(py, "act"), (self.shown(info)?, budget))?.extract(py)
        });
        let place = place.ok_or_else(|| AgentFailure("it was stopped".to_string()))?;
        let report = Report { time: began.elapsed(), ..Report::default() };
        Ok(Decision { action: info.legal[place], report })
    }

    fn end(&mut self, rewards: &Rewards) {
        call(&self.stop, |py| {
            let rewards = PyArray1::from_iter(py, rewards.iter().copied());
            self.player.call_method1(py, intern!(py, "end"), (rewards,))
        });
    }
}

/// Agents in Python, by name.
pub(crate) static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "python",
        "An agent written in Python",
        "docs/python.md",
        &[Param::new(
            "agent",
            "none",
            Domain::Command,
            "its class, or a function that makes it, as in python(agent=my_agents:Timid)",
        )],
    ),
    &|asked| {
        let name = asked.params.text("agent");
        if !asked.params.is_given("agent") {
            return Err(asked.params.bad("agent", "module:Class, as in my_agents:Timid"));
        }
        let bad = |why: &str| asked.params.bad("agent", why);
        let made = Asks::new().and_then(|_asks| Python::try_attach(|py| entered(py, name, asked)));
        let agent = made.ok_or_else(|| bad("an interpreter that is not ending"))?;
        agent.map_or_else(|why| Err(bad(&why)), |agent| Ok((agent, fogtree_core::Budget::default())))
    },
)
.without_worlds();

/// The agent of this name, or why there is none; other exceptions leave the search.
fn entered(py: Python<'_>, name: &str, asked: &Asked<'_>) -> Result<Box<dyn Agent>, String> {
    found(py, name, asked).map_err(|error| {
        if error.is_instance_of::<InputError>(py) { error.value(py).to_string() } else { escape(error) }
    })
}

fn found(py: Python<'_>, name: &str, asked: &Asked<'_>) -> PyResult<Box<dyn Agent>> {
    let game = asked.host.downcast_ref::<Arc<dyn AnyGame>>().ok_or_else(|| failed("there is no game"))?;
    let of_match = name.parse().ok().map(|number: u64| {
        let entrants = entrants();
        let (who, stop) = entrants.get(&number).ok_or_else(|| failed("the match is over"))?;
        PyResult::Ok((who.clone_ref(py), Some(Arc::clone(stop))))
    });
    let (who, stop) = match of_match {
        Some(found) => found?,
        None => {
            let found = py.import("fogtree._agents")?.call_method1("resolve", (name,))?;
            (found.unbind(), None)
        }
    };
    python_agent(py, &who, game, stop)
}

/// An agent for `fogtree.agent`.
pub(crate) fn seat_agent(
    py: Python<'_>,
    spec: &str,
    who: &Py<PyAny>,
    game: &Arc<dyn AnyGame>,
) -> PyResult<SeatAgent> {
    let agent = python_agent(py, who, game, None)?;
    Ok(SeatAgent { spec: spec.to_string(), agent, cheats: false, budget: fogtree_core::Budget::default() })
}

/// The objects that play in matches now, by number, with what stops their match.
type Entrants = HashMap<u64, (Py<PyAny>, Arc<AtomicBool>)>;
static ENTRANTS: LazyLock<Mutex<Entrants>> = LazyLock::new(Mutex::default);
static NEXT: AtomicU64 = AtomicU64::new(0);

fn entrants() -> MutexGuard<'static, Entrants> {
    ENTRANTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An object that plays in a match under a specification that stands for it as long as this lives.
pub(crate) struct Entrant {
    number: u64,
    /// The specification that other people understand.
    pub(crate) name: String,
}

impl Entrant {
    pub(crate) fn new(name: String, who: Py<PyAny>, stop: &Arc<AtomicBool>) -> Entrant {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        entrants().insert(number, (who, Arc::clone(stop)));
        Entrant { number, name }
    }

    /// The specification that stands for it.
    pub(crate) fn spec(&self) -> String {
        format!("python(agent={})", self.number)
    }
}

impl Drop for Entrant {
    fn drop(&mut self) {
        let gone = entrants().remove(&self.number);
        drop(gone);
    }
}
