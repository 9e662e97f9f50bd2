//! The methods of a game in Python, with what they return taken for what it has to be.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fogtree_core::{Chance, Facts, MAX_PLAYERS, Player, Players, Rewards, Rng, Turn, Utility};
use pyo3::exceptions::PyInterruptedError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};

use super::form::{Form, short};
use super::moves::Moves;
use super::stream::Streams;
use super::value::Value;
use crate::errors::{InputError, input};
use crate::worker::in_python;

/// What `turn` returns where chance draws, and at the end: the numbers that OpenSpiel has for them.
const CHANCE: i64 = -1;
const TERMINAL: i64 = -4;
/// How far probabilities may be off from 1 in sum.
const CLOSE: f64 = 1e-6;

/// How players come to know what they know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Knowing {
    /// Everybody sees everything.
    Open,
    /// By what they did and saw.
    History { particles: bool },
    /// As the author says.
    Author,
}

/// The methods that a game may leave out, bound.
struct Methods {
    start: Py<PyAny>,
    turn: Py<PyAny>,
    actions: Py<PyAny>,
    apply: Py<PyAny>,
    rewards: Py<PyAny>,
    chance: Option<Py<PyAny>>,
    sample_chance: Option<Py<PyAny>>,
    observe: Option<Py<PyAny>>,
    information: Option<Py<PyAny>>,
    sample: Option<Py<PyAny>>,
    show: Option<Py<PyAny>>,
}

/// A game in Python.
pub(crate) struct Author {
    /// What it is called: its class, with the attributes that its author gave it.
    pub(super) spec: String,
    pub(super) facts: Facts,
    pub(super) knowing: Knowing,
    pub(super) moves: Moves,
    methods: Methods,
    streams: Streams,
    /// Set while the game is being checked.
    pub(super) trial: Option<Arc<Notes>>,
}

/// What a check notes beside the laws that are broken.
#[derive(Default)]
pub(crate) struct Notes {
    /// Set to end the check.
    pub(super) stop: Arc<AtomicBool>,
    /// The first exception, and the history of moves after which it was raised.
    pub(super) first: Mutex<Option<(PyErr, String)>>,
}

impl Notes {
    fn note(&self, py: Python<'_>, error: &PyErr, state: Option<&Value>) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.is_none() {
            let steps = state.map(Value::history).unwrap_or_default();
            let at =
                if steps.is_empty() { "at the start".into() } else { format!("after '{}'", steps.join(" ")) };
            *first = Some((error.clone_ref(py), at));
        }
    }
}

impl Author {
    /// The game of an instance of a subclass of `PythonGame`.
    pub(super) fn new(instance: &Bound<'_, PyAny>, trial: Option<Arc<Notes>>) -> PyResult<Author> {
        let py = instance.py();
        let base = py.import("fogtree._games")?.getattr("PythonGame")?;
        let class = instance.get_type();
        let own = |name: &str| -> PyResult<Option<Py<PyAny>>> {
            let theirs = class.getattr(name)?;
            Ok(if theirs.is(base.getattr(name)?) { None } else { Some(instance.getattr(name)?.unbind()) })
        };
        let needed = |name: &str| -> PyResult<Py<PyAny>> {
            own(name)?.ok_or_else(|| input(format!("{} has no method {name}()", class_name(&class))))
        };
        let methods = Methods {
            start: needed("start")?,
            turn: needed("turn")?,
            actions: needed("actions")?,
            apply: needed("apply")?,
            rewards: needed("rewards")?,
            chance: own("chance")?,
            sample_chance: own("sample_chance")?,
            observe: own("observe")?,
            information: own("information")?,
            sample: own("sample")?,
            show: own("show")?,
        };
        let knowing = knowing_of(instance, &methods)?;
        let listed = instance.getattr("moves")?;
        let moves = Moves::new(own("name")?, if listed.is_none() { None } else { Some(listed) })?;
        let facts = facts_of(instance, &methods, knowing)?;
        Ok(Author {
            spec: spec_of(instance)?,
            facts,
            knowing,
            moves,
            methods,
            streams: Streams::default(),
            trial,
        })
    }

    /// Calls Python about a state, which must stay as it is.
    fn ask<T>(&self, method: &str, state: &Value, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        in_python(|py| {
            let Some(trial) = &self.trial else { return call(py) };
            if trial.stop.load(Ordering::Relaxed) {
                return Err(PyInterruptedError::new_err("the check was ended"));
            }
            let done = state.unchanged(py).and_then(|_| call(py)).and_then(|done| {
                let changed = || {
                    input(format!("{method}() changed the state that it was given; states stay as they are"))
                };
                if state.unchanged(py)? { Ok(done) } else { Err(changed()) }
            });
            done.inspect_err(|error| trial.note(py, error, Some(state)))
        })
    }

    pub(super) fn has_show(&self) -> bool {
        self.methods.show.is_some()
    }

    pub(super) fn start(&self) -> Value {
        in_python(|py| {
            let started = self.methods.start.call0(py);
            if let (Some(trial), Err(error)) = (&self.trial, &started) {
                trial.note(py, error, None);
            }
            started.map(Value::new)
        })
    }

    pub(super) fn turn(&self, state: &Value) -> Turn {
        if let Some(turn) = state.turn().get() {
            return *turn;
        }
        let turn = self.ask("turn", state, |py| {
            let given = self.methods.turn.bind(py).call1((state.object(),))?;
            self.read_turn(&given)
        });
        *state.turn().get_or_init(|| turn)
    }

    fn read_turn(&self, given: &Bound<'_, PyAny>) -> PyResult<Turn> {
        let players = self.facts.players;
        let wrong = || {
            let most = players - 1;
            wrong("turn()", given, &format!("a player from 0 to {most}, several, ft.CHANCE or ft.TERMINAL"))
        };
        let seat =
            |number: i64| usize::try_from(number).ok().filter(|p| *p < players).map(|p| Player(p as u8));
        if let Ok(number) = given.extract::<i64>() {
            return match number {
                CHANCE if self.facts.chance == Chance::Never => {
                    Err(input("turn() returned ft.CHANCE, but the game has no method chance()"))
                }
                CHANCE => Ok(Turn::Chance),
                TERMINAL => Ok(Turn::Terminal),
                _ => seat(number).map(Turn::Player).ok_or_else(wrong),
            };
        }
        if given.is_instance_of::<PyString>() {
            return Err(wrong());
        }
        let several = given.try_iter().map_err(|_| wrong())?;
        let mut set = Players::default();
        for player in several {
            let player = player?.extract::<i64>().ok().and_then(seat).ok_or_else(wrong)?;
            set = set.with(player);
        }
        if set.is_empty() {
            return Err(wrong());
        }
        if !self.facts.simultaneous {
            return Err(input(format!(
                "turn() returned {}: games in which several players choose at the same time say `simultaneous = True`",
                short(given)
            )));
        }
        Ok(Turn::Simultaneous(set))
    }

    /// Appends the codes of the legal moves, in rising order.
    pub(super) fn actions(&self, state: &Value, who: Player, out: &mut Vec<u64>) {
        self.ask("actions", state, |py| {
            let given = self.methods.actions.bind(py).call1((state.object(), who.0))?;
            let wrong = || wrong("actions()", &given, "a list of moves");
            if given.is_instance_of::<PyString>() {
                return Err(wrong());
            }
            let from = out.len();
            for object in given.try_iter().map_err(|_| wrong())? {
                out.push(self.moves.code(&object?)?);
            }
            let codes = &mut out[from..];
            codes.sort_unstable();
            if codes.is_empty() {
                return Err(wrong_for(&given, who, "at least one move"));
            }
            if codes.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(wrong_for(&given, who, "every move once"));
            }
            Ok(())
        });
    }

    /// The code of a legal move, all equally likely.
    pub(super) fn random_action(&self, state: &Value, who: Player, rng: &mut Rng) -> u64 {
        let picked = self.ask("actions", state, |py| {
            let given = self.methods.actions.bind(py).call1((state.object(), who.0))?;
            let Ok(list) = given.cast_into::<PyList>() else { return Ok(None) };
            if list.is_empty() {
                return Err(wrong_for(&list, who, "at least one move"));
            }
            self.moves.code(&list.get_item(rng.below(list.len() as u32) as usize)?).map(Some)
        });
        picked.unwrap_or_else(|| {
            let mut all = Vec::new();
            self.actions(state, who, &mut all);
            *rng.pick(&all)
        })
    }

    /// Appends what chance may draw, with probabilities.
    pub(super) fn chance<O>(&self, state: &Value, outcome: impl Fn(Value) -> O, out: &mut Vec<(O, f64)>) {
        let Some(chance) = &self.methods.chance else { return };
        self.ask("chance", state, |py| {
            let given = chance.bind(py).call1((state.object(),))?;
            let wrong = |expected: &str| wrong("chance()", &given, expected);
            let pairs = || wrong("a list of (outcome, probability)");
            if given.is_instance_of::<PyString>() {
                return Err(pairs());
            }
            let mut sum = 0.0;
            for pair in given.try_iter().map_err(|_| pairs())? {
                let (drawn, p): (Bound<'_, PyAny>, f64) = pair?.extract().map_err(|_| pairs())?;
                if !(p > 0.0 && p <= 1.0 + CLOSE) {
                    return Err(wrong("probabilities above 0 and up to 1"));
                }
                sum += p;
                out.push((outcome(Value::new(drawn.unbind())), p));
            }
            if (sum - 1.0).abs() > CLOSE {
                return Err(wrong(&format!("probabilities that sum to 1, not to {sum}")));
            }
            Ok(())
        });
    }

    /// What chance draws from a stream, in games that draw by themselves.
    pub(super) fn sample_chance(&self, state: &Value, rng: &mut Rng) -> Value {
        self.ask("sample_chance", state, |py| {
            let method =
                self.methods.sample_chance.as_ref().ok_or_else(|| input("nothing can be drawn here"))?;
            let drawn =
                self.streams.lend(py, rng, |random| method.bind(py).call1((state.object(), random)))?;
            Ok(Value::new(drawn.unbind()))
        })
    }

    /// The state after a step.
    pub(super) fn apply(&self, state: &Value, step: &dyn Fn(Python<'_>) -> PyResult<Py<PyAny>>) -> Value {
        self.ask("apply", state, |py| {
            let done = step(py)?;
            let next = self.methods.apply.bind(py).call1((state.object(), &done))?;
            if next.is_none() {
                return Err(wrong("apply()", &next, "the next state"));
            }
            if self.trial.is_none() {
                return Ok(Value::new(next.unbind()));
            }
            let what = match done.bind(py).cast::<PyDict>() {
                Ok(joint) if matches!(state.turn().get(), Some(Turn::Simultaneous(_))) => {
                    let names = joint.values().iter().map(|mv| self.moves.name_of(&mv));
                    names.collect::<PyResult<Vec<_>>>()?.join(" ")
                }
                _ => self.moves.name_of(done.bind(py))?,
            };
            Ok(Value::after(next.unbind(), state, what))
        })
    }

    /// The form of what a player sees of a step, if it sees anything.
    pub(super) fn observe(
        &self,
        state: &Value,
        step: &dyn Fn(Python<'_>) -> PyResult<Py<PyAny>>,
        player: Option<Player>,
    ) -> Option<Vec<u8>> {
        let Some(observe) = &self.methods.observe else {
            return self.ask("observe", state, |py| Form::plain(step(py)?.bind(py)).map(Some));
        };
        // Nothing is shown to those who only watch.
        let player = player?;
        self.ask("observe", state, |py| {
            let seen = observe.bind(py).call1((state.object(), step(py)?, player.0))?;
            if seen.is_none() { Ok(None) } else { Form::plain(&seen).map(Some) }
        })
    }

    pub(super) fn rewards(&self, state: &Value) -> Rewards {
        self.ask("rewards", state, |py| {
            let players = self.facts.players;
            let given = self.methods.rewards.bind(py).call1((state.object(),))?;
            let wrong = || wrong("rewards()", &given, &format!("{players} numbers"));
            let numbers: Vec<f64> = given
                .try_iter()
                .map_err(|_| wrong())?
                .map(|number| number?.extract::<f64>().map_err(|_| wrong()))
                .collect::<PyResult<_>>()?;
            if numbers.len() != players || numbers.iter().any(|number| !number.is_finite()) {
                return Err(wrong());
            }
            Ok(Rewards::from_fn(players, |p| numbers[p.index()]))
        })
    }

    /// What a player knows, as the author says.
    pub(super) fn information(&self, state: &Value, player: Player) -> Value {
        self.ask("information", state, |py| {
            let method =
                self.methods.information.as_ref().ok_or_else(|| input("there is no information()"))?;
            Ok(Value::new(method.bind(py).call1((state.object(), player.0))?.unbind()))
        })
    }

    /// A state that agrees with what a player knows.
    pub(super) fn sample(&self, known: &Value, player: Player, rng: &mut Rng) -> Value {
        self.ask("sample", known, |py| {
            let method = self.methods.sample.as_ref().ok_or_else(|| input("there is no sample()"))?;
            let call = |random: &Bound<'_, PyAny>| {
                method.bind(py).call1((known.object(), player.0, random)).map(Bound::unbind)
            };
            let state = self.streams.lend(py, rng, call)?;
            if state.is_none(py) {
                return Err(wrong("sample()", state.bind(py), "a state"));
            }
            Ok(Value::new(state))
        })
    }

    /// A state as text for a player, or for somebody who may see everything.
    pub(super) fn show(&self, state: &Value, player: Option<Player>) -> String {
        self.ask("show", state, |py| {
            let Some(show) = &self.methods.show else { return Ok(short(state.object().bind(py))) };
            let text = show.bind(py).call1((state.object(), player.map(|p| p.0)))?;
            Ok(text.str()?.to_str()?.to_string())
        })
    }

    /// The name of a move or an outcome.
    pub(super) fn name_of(&self, value: &Value) -> String {
        self.ask("name", value, |py| self.moves.name_of(value.object().bind(py)))
    }
}

/// What a method returned is not what it has to be.
fn wrong(method: &str, given: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    input(format!("{method} returned {}: expected {expected}", short(given)))
}

fn wrong_for(given: &Bound<'_, PyAny>, who: Player, expected: &str) -> PyErr {
    input(format!("actions() returned {} for player {who}: expected {expected}", short(given)))
}

fn class_name(class: &Bound<'_, PyType>) -> String {
    class.name().map_or_else(|_| "the game".to_string(), |name| name.to_string())
}

/// The class of a game with the attributes of the instance: the same for games that play alike.
fn spec_of(instance: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = class_name(&instance.get_type());
    let mut given = Vec::new();
    if let Ok(attributes) = instance.getattr("__dict__") {
        for (key, value) in attributes.cast_into::<PyDict>()? {
            let key: String = key.extract()?;
            if !key.starts_with('_') && is_small(&value) {
                let value: String = value.str()?.to_str()?.split_whitespace().collect();
                given.push(format!("{key}={value}"));
            }
        }
    }
    Ok(if given.is_empty() { name } else { format!("{name}({})", given.join(",")) })
}

/// Whether a value can stand in a specification.
fn is_small(value: &Bound<'_, PyAny>) -> bool {
    let container = value.is_instance_of::<PyList>() || value.is_instance_of::<PyDict>();
    !container && !value.is_instance_of::<PyTuple>() && Form::plain(value).is_ok_and(|form| form.len() <= 40)
}

fn knowing_of(instance: &Bound<'_, PyAny>, methods: &Methods) -> PyResult<Knowing> {
    let worlds = instance.getattr("worlds")?;
    match (&methods.information, &methods.sample) {
        (Some(_), Some(_)) => return Ok(Knowing::Author),
        (None, None) => {}
        (Some(_), None) => return Err(input("a game with information() needs sample() too")),
        (None, Some(_)) => return Err(input("a game with sample() needs information() too")),
    }
    let hidden: Option<bool> = instance.getattr("hidden")?.extract()?;
    if methods.observe.is_none() {
        if hidden == Some(true) {
            return Err(input("a game with hidden = True needs observe(), or information() and sample()"));
        }
        return Ok(Knowing::Open);
    }
    match worlds.extract::<String>().as_deref() {
        Ok("exact") => Ok(Knowing::History { particles: false }),
        Ok("particles") => Ok(Knowing::History { particles: true }),
        _ => Err(input(format!("worlds = {}: expected 'exact' or 'particles'", short(&worlds)))),
    }
}

fn facts_of(instance: &Bound<'_, PyAny>, methods: &Methods, knowing: Knowing) -> PyResult<Facts> {
    let class = class_name(&instance.get_type());
    let given = |name: &str, expected: &str| -> PyResult<Bound<'_, PyAny>> {
        let value = instance.getattr(name)?;
        if value.is_none() {
            Err(input(format!("{class}.{name} is not given: expected {expected}")))
        } else {
            Ok(value)
        }
    };
    let bad = |name: &str, value: &Bound<'_, PyAny>, expected: &str| {
        input(format!("{class}.{name} = {}: expected {expected}", short(value)))
    };
    let expected = format!("how many players, 1 to {MAX_PLAYERS}");
    let value = given("players", &expected)?;
    let players = value.extract::<usize>().ok().filter(|n| (1..=MAX_PLAYERS).contains(n));
    let players = players.ok_or_else(|| bad("players", &value, &expected))?;
    let expected = "the most steps of a game, those of chance included";
    let value = given("max_length", expected)?;
    let max_length =
        value.extract::<u32>().ok().filter(|n| *n > 0).ok_or_else(|| bad("max_length", &value, expected))?;
    let expected = "the least and the greatest reward";
    let value = given("utility_bounds", expected)?;
    let bounds = value.extract::<(f64, f64)>().ok().filter(|(a, b)| a.is_finite() && b.is_finite() && a <= b);
    let utility_bounds = bounds.ok_or_else(|| bad("utility_bounds", &value, expected))?;
    let value = instance.getattr("utility")?;
    let utility = match value.extract::<String>().as_deref() {
        Ok("zero-sum") => Utility::ZeroSum,
        Ok("constant-sum") => Utility::ConstantSum,
        Ok("general") => Utility::General,
        _ => return Err(bad("utility", &value, "'zero-sum', 'constant-sum' or 'general'")),
    };
    let chance = match (&methods.chance, &methods.sample_chance) {
        (Some(_), _) => Chance::Listed,
        (None, Some(_)) => Chance::Sampled,
        (None, None) => Chance::Never,
    };
    let flag = |name: &str| -> PyResult<Option<bool>> {
        let value = instance.getattr(name)?;
        value.extract().map_err(|_| bad(name, &value, "True or False"))
    };
    let hidden = flag("hidden")?.unwrap_or(knowing != Knowing::Open);
    Ok(Facts {
        players,
        hidden,
        hidden_moves: flag("hidden_moves")?.unwrap_or(hidden && players > 1),
        chance,
        simultaneous: flag("simultaneous")?.unwrap_or(false),
        utility,
        utility_bounds,
        max_length,
    })
}

/// Whether an error is about what a game returned, and not raised by it.
pub(super) fn is_ours(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<InputError>(py) && error.traceback(py).is_none()
        || error.is_instance_of::<pyo3::exceptions::PyTypeError>(py) && error.traceback(py).is_none()
}
