//! Games written in Python, as games of Fogtree.
//!
//! States are Python objects that nobody changes: to copy one is to count a reference. Searches work without the
//! interpreter's lock and take it around the calls of the game's methods only. What a method raises leaves the search,
//! and is raised by whoever asked for it.

mod check;
mod form;
mod moves;
mod rules;
mod stream;
mod value;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use fogtree_core::{
    Chance, Deadline, Erased, Extras, Facts, FastPlay, Game, Memory, Method, Model, Notation, Observation,
    Observer, Player, Purpose, Rewards, Rng, Rules, Scene, Scratch, Seed, Step, Tracked, TrackedInfo,
    TrackedState, Turn, random_step,
};
use fogtree_table::{AnyGame, erase};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use check::_check;
use rules::{Author, Knowing, Notes};
use value::Value;

use crate::worker::{Asks, in_python, known_to_python};

/// The most worlds that are kept where all are followed.
const EXACT: usize = 20_000;
/// How many worlds are followed where some are.
const PARTICLES: usize = 500;

/// A game in Python, with what its players know.
pub(crate) struct PythonGame {
    rules: Tracked<PythonRules>,
}

/// The rules of a game in Python.
#[derive(Clone)]
pub(crate) struct PythonRules(Arc<Author>);

impl std::ops::Deref for PythonRules {
    type Target = Author;

    fn deref(&self) -> &Author {
        &self.0
    }
}

/// What chance draws.
#[derive(Clone)]
pub(crate) enum Drawn {
    /// One of those that the game lists.
    Listed(Value),
    /// The one of this name.
    Named(Arc<str>),
    /// What the game draws from the stream of this seed.
    Seeded(u64, Arc<OnceLock<Value>>),
}

/// An outcome of chance.
#[derive(Clone)]
pub(crate) struct Outcome {
    drawn: Drawn,
    name: Arc<OnceLock<String>>,
    game: PythonRules,
}

/// What an observer of a game in Python knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Known {
    /// What it did and saw.
    History(TrackedInfo),
    /// What the author says, or the whole state.
    Value(Observer, Value),
    /// Nothing.
    Nothing,
}

/// Draws worlds of a game in Python.
pub(crate) enum Source {
    /// Worlds that agree with a history.
    History(<Tracked<PythonRules> as Game>::Sampler),
    /// The state itself, or what the author draws.
    Value(Observer, Value),
    /// The start: whoever knows nothing cannot rule it out.
    Start,
}

impl Outcome {
    fn new(game: &PythonRules, drawn: Drawn) -> Outcome {
        Outcome { drawn, name: Arc::default(), game: game.clone() }
    }

    fn name(&self) -> &str {
        match &self.drawn {
            Drawn::Named(name) => name,
            _ if self.name.get().is_some() => self.name.get().expect("it was found out"),
            Drawn::Listed(value) => {
                let name = self.game.name_of(value);
                self.name.get_or_init(|| name)
            }
            Drawn::Seeded(seed, _) => self.name.get_or_init(|| format!("{seed:016x}")),
        }
    }

    /// What was drawn in a state.
    fn value(&self, state: &Value) -> Value {
        match &self.drawn {
            Drawn::Listed(value) => value.clone(),
            Drawn::Named(name) => {
                let mut listed = Vec::new();
                self.game.chance(state, &mut listed);
                let found = listed.into_iter().find(|(outcome, _)| outcome.name() == &**name);
                found.map(|(outcome, _)| outcome.value(state)).expect("an outcome that is possible")
            }
            Drawn::Seeded(seed, drawn) => {
                if let Some(value) = drawn.get() {
                    return value.clone();
                }
                let value = self.game.0.sample_chance(state, &mut Seed(*seed).stream(Purpose::Deal));
                drawn.get_or_init(|| value).clone()
            }
        }
    }
}

impl PartialEq for Outcome {
    fn eq(&self, other: &Outcome) -> bool {
        match (&self.drawn, &other.drawn) {
            (Drawn::Listed(a), Drawn::Listed(b)) => a == b,
            (Drawn::Seeded(a, _), Drawn::Seeded(b, _)) => a == b,
            _ => self.name() == other.name(),
        }
    }
}

impl Eq for Outcome {}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PythonRules {
    /// What the game's methods are given for a step.
    fn done(&self, py: Python<'_>, state: &Value, step: Step<'_, PythonRules>) -> PyResult<Py<PyAny>> {
        let object = |code: u64| {
            self.moves.item(code).expect("moves are listed before they are made").object.clone_ref(py)
        };
        match step {
            Step::Chance(outcome) => Ok(outcome.value(state).object().clone_ref(py)),
            Step::Moves(moves) if matches!(self.turn(state), Turn::Simultaneous(_)) => {
                let joint = PyDict::new(py);
                for &(p, code) in moves {
                    joint.set_item(p.0, object(code))?;
                }
                Ok(joint.into_any().unbind())
            }
            Step::Moves(moves) => Ok(object(moves[0].1)),
        }
    }
}

impl Rules for PythonRules {
    type State = Value;
    type Action = u64;
    type Outcome = Outcome;

    fn facts(&self) -> Facts {
        self.facts.clone()
    }

    fn start(&self) -> Value {
        self.0.start()
    }

    fn turn(&self, state: &Value) -> Turn {
        self.0.turn(state)
    }

    fn actions(&self, state: &Value, who: Player, out: &mut Vec<u64>) {
        self.0.actions(state, who, out);
    }

    fn apply(&self, state: &mut Value, step: Step<'_, Self>) {
        let next = self.0.apply(state, &|py| self.done(py, state, step));
        *state = next;
    }

    fn observe(&self, before: &Value, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let seen = self.0.observe(before, &|py| self.done(py, before, step), by.seat())?;
        Some(form::observation(&seen))
    }

    fn rewards(&self, state: &Value) -> Rewards {
        self.0.rewards(state)
    }

    fn code(&self, action: u64) -> u64 {
        action
    }

    fn chance(&self, state: &Value, out: &mut Vec<(Outcome, f64)>) {
        if self.turn(state) == Turn::Chance {
            self.0.chance(state, |value| Outcome::new(self, Drawn::Listed(value)), out);
        }
    }

    fn sample_chance(&self, state: &Value, rng: &mut Rng) -> Outcome {
        if self.facts.chance == Chance::Sampled {
            return Outcome::new(self, Drawn::Seeded(rng.bits(), Arc::default()));
        }
        let mut listed = Vec::new();
        self.chance(state, &mut listed);
        let i = rng.weighted(listed.iter().map(|(_, p)| *p));
        listed.swap_remove(i).0
    }

    fn is_possible(&self, state: &Value, outcome: &Outcome) -> bool {
        if matches!(outcome.drawn, Drawn::Seeded(..)) {
            return true;
        }
        let mut listed = Vec::new();
        self.chance(state, &mut listed);
        listed.iter().any(|(other, _)| other == outcome)
    }
}

impl Notation for PythonRules {
    fn action_name(&self, action: u64) -> String {
        self.code_name(action).unwrap_or_else(|| format!("#{action}"))
    }

    fn parse_action(&self, name: &str) -> Option<u64> {
        in_python(|py| self.moves.named(py, name))
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        outcome.name().to_string()
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        let drawn = match self.facts.chance {
            Chance::Never => return None,
            Chance::Listed => {
                let is_word = !name.is_empty() && !name.chars().any(|c| c.is_whitespace() || c.is_control());
                is_word.then(|| Drawn::Named(name.into()))?
            }
            Chance::Sampled => {
                let seed = u64::from_str_radix(name, 16).ok()?;
                (format!("{seed:016x}") == name).then(|| Drawn::Seeded(seed, Arc::default()))?
            }
        };
        Some(Outcome::new(self, drawn))
    }

    fn code_name(&self, code: u64) -> Option<String> {
        Some(self.moves.item(code)?.name.clone())
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        form::in_words(seen).unwrap_or_else(|| format!("#{seen}"))
    }

    fn scene_of(&self, state: &Value) -> Scene {
        Scene::text(self.0.show(state, None))
    }
}

impl FastPlay for PythonRules {
    fn random_action(&self, state: &Value, who: Player, rng: &mut Rng, _: &mut Scratch<Self>) -> u64 {
        self.0.random_action(state, who, rng)
    }

    /// The interpreter's lock is taken once.
    fn playout(&self, state: &mut Value, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Rewards {
        in_python(|_| {
            while self.turn(state) != Turn::Terminal {
                random_step(self, state, rng, scratch);
            }
            Ok(self.rewards(state))
        })
    }

    fn codes(&self) -> Option<usize> {
        self.moves.listed()
    }
}

impl PythonGame {
    /// The game of an instance of a subclass of `PythonGame`.
    fn new(instance: &Bound<'_, PyAny>, trial: Option<Arc<Notes>>) -> PyResult<PythonGame> {
        let author = Author::new(instance, trial)?;
        let method = match author.knowing {
            Knowing::History { particles: true } => Method::Particles { count: PARTICLES },
            _ => Method::Exact { limit: EXACT },
        };
        Ok(PythonGame { rules: Tracked::new(PythonRules(Arc::new(author)), method) })
    }

    /// The same game with all worlds followed.
    fn exact(self) -> PythonGame {
        PythonGame { rules: Tracked::new(self.rules.inner().clone(), Method::Exact { limit: usize::MAX }) }
    }

    fn author(&self) -> &Author {
        self.rules.inner()
    }
}

/// The same step, of the rules inside.
fn inside<'a>(step: Step<'a, PythonGame>) -> Step<'a, Tracked<PythonRules>> {
    match step {
        Step::Chance(outcome) => Step::Chance(outcome),
        Step::Moves(moves) => Step::Moves(moves),
    }
}

impl Rules for PythonGame {
    type State = TrackedState<Value>;
    type Action = u64;
    type Outcome = Outcome;

    fn facts(&self) -> Facts {
        self.rules.facts()
    }

    fn start(&self) -> Self::State {
        let mut start = self.rules.start();
        if !matches!(self.author().knowing, Knowing::History { .. }) {
            self.rules.drop_history(&mut start);
        }
        start
    }

    fn turn(&self, s: &Self::State) -> Turn {
        self.rules.turn(s)
    }

    fn actions(&self, s: &Self::State, who: Player, out: &mut Vec<u64>) {
        self.rules.actions(s, who, out);
    }

    fn apply(&self, s: &mut Self::State, step: Step<'_, Self>) {
        self.rules.apply(s, inside(step));
    }

    fn observe(&self, before: &Self::State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        self.rules.observe(before, inside(step), by)
    }

    fn rewards(&self, s: &Self::State) -> Rewards {
        self.rules.rewards(s)
    }

    fn code(&self, action: u64) -> u64 {
        action
    }

    fn chance(&self, s: &Self::State, out: &mut Vec<(Outcome, f64)>) {
        self.rules.chance(s, out);
    }

    fn sample_chance(&self, s: &Self::State, rng: &mut Rng) -> Outcome {
        self.rules.sample_chance(s, rng)
    }

    fn is_possible(&self, s: &Self::State, outcome: &Outcome) -> bool {
        self.rules.is_possible(s, outcome)
    }

    fn on_thread(&self, work: &mut (dyn FnMut() + Send)) {
        let _asks = Asks::new();
        known_to_python(work);
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { memory: Some(self), ..Extras::NONE }
    }
}

impl Memory<PythonGame> for PythonGame {
    fn drop_history(&self, s: &mut TrackedState<Value>) {
        self.rules.drop_history(s);
    }

    fn fingerprint(&self, s: &TrackedState<Value>) -> u64 {
        self.rules.fingerprint(s)
    }
}

impl Notation for PythonGame {
    fn action_name(&self, action: u64) -> String {
        self.rules.action_name(action)
    }

    fn parse_action(&self, name: &str) -> Option<u64> {
        self.rules.parse_action(name)
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        self.rules.outcome_name(outcome)
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        self.rules.parse_outcome(name)
    }

    fn code_name(&self, code: u64) -> Option<String> {
        self.rules.code_name(code)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.rules.explain(seen, by)
    }

    fn scene_of(&self, s: &Self::State) -> Scene {
        self.rules.scene_of(s)
    }
}

impl FastPlay for PythonGame {
    fn random_action(&self, s: &Self::State, who: Player, rng: &mut Rng, _: &mut Scratch<Self>) -> u64 {
        self.author().random_action(&s.inner, who, rng)
    }

    fn playout(&self, s: &mut Self::State, rng: &mut Rng, _: &mut Scratch<Self>) -> Rewards {
        self.rules.inner().playout(&mut s.inner, rng, &mut Scratch::default())
    }

    fn codes(&self) -> Option<usize> {
        self.rules.codes()
    }
}

impl Game for PythonGame {
    type Info = Known;
    type Sampler = Source;

    fn info(&self, s: &Self::State, by: Observer) -> Known {
        match (self.author().knowing, by) {
            (Knowing::Open, _) => Known::Value(by, s.inner.clone()),
            (_, Observer::Public) => Known::Nothing,
            (Knowing::History { .. }, Observer::Seat(_)) => Known::History(self.rules.info(s, by)),
            (Knowing::Author, Observer::Seat(p)) => Known::Value(by, self.author().information(&s.inner, p)),
        }
    }

    fn sampler(&self, known: &Known) -> Source {
        match known {
            Known::History(info) => Source::History(self.rules.sampler(info)),
            Known::Value(by, value) => Source::Value(*by, value.clone()),
            Known::Nothing => Source::Start,
        }
    }

    fn sample(&self, from: &mut Source, rng: &mut Rng, into: &mut Self::State) -> f64 {
        match from {
            Source::History(worlds) => return self.rules.sample(worlds, rng, into),
            Source::Value(Observer::Seat(p), value) if self.author().knowing == Knowing::Author => {
                into.inner = self.author().sample(value, *p, rng);
            }
            Source::Value(_, value) => into.inner = value.clone(),
            Source::Start => *into = self.start(),
        }
        1.0
    }

    fn enumerate(&self, known: &Known, out: &mut Vec<(Self::State, f64)>) -> bool {
        match known {
            Known::History(info) => self.rules.enumerate(info, out),
            Known::Value(_, value) if self.author().knowing == Knowing::Open => {
                let mut state = self.start();
                state.inner = value.clone();
                out.push((state, 1.0));
                true
            }
            Known::Value(..) | Known::Nothing => false,
        }
    }

    fn find_worlds(&self, known: &Known, before: Option<&Known>, until: &Deadline) -> bool {
        let Known::History(info) = known else { return true };
        let before =
            before.and_then(|known| if let Known::History(info) = known { Some(info) } else { None });
        self.rules.find_worlds(info, before, until)
    }

    /// What the author shows of a world that agrees with what is known; without such a method, what was done and seen.
    fn scene(&self, known: &Known) -> Scene {
        match known {
            Known::History(info) if !self.author().has_show() => self.rules.scene(info),
            Known::Value(_, value) if !self.author().has_show() => Scene::text(format!("{value:?}")),
            Known::History(TrackedInfo { by, .. }) | Known::Value(by, _) => {
                let (mut world, mut rng) = (self.start(), Seed(0).stream(Purpose::Sampling));
                self.sample(&mut self.sampler(known), &mut rng, &mut world);
                Scene::text(self.author().show(&world.inner, by.seat()))
            }
            Known::Nothing => Scene::text("nothing seen yet".to_string()),
        }
    }
}

/// What is known goes between processes as a pickle.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = in_python(|py| {
            let bytes = py.import("pickle")?.call_method1("dumps", (self.object(),))?;
            Ok(bytes
                .cast::<PyBytes>()?
                .as_bytes()
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>())
        });
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits =
            |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|d| u8::from_str_radix(d, 16).ok());
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(digits).collect();
        let bytes =
            bytes.ok_or_else(|| serde::de::Error::custom("expected a pickle in hexadecimal digits"))?;
        let read = in_python(|py| {
            let read = py
                .import("pickle")
                .and_then(|pickle| pickle.call_method1("loads", (PyBytes::new(py, &bytes),)));
            Ok(read.map(|object| Value::new(object.unbind())).map_err(|error| error.to_string()))
        });
        read.map_err(serde::de::Error::custom)
    }
}

/// The games in Python that are in use, with what they were made from.
static GAMES: Mutex<Vec<InUse>> = Mutex::new(Vec::new());

/// A model and the game in Python that it was made from.
type InUse = (Weak<dyn Model>, Py<PyAny>);

/// An instance of a game, made from its class if that is given.
fn instance_of<'py>(game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let base = game.py().import("fogtree._games")?.getattr("PythonGame")?;
    let instance = if game.is_instance_of::<pyo3::types::PyType>() { game.call0()? } else { game.clone() };
    if !instance.is_instance(&base)? {
        let what = form::short(&instance);
        return Err(crate::errors::input(format!(
            "{what} is no game: expected a name or a subclass of ft.PythonGame"
        )));
    }
    Ok(instance)
}

/// The game that a subclass of `PythonGame` stands for, or an instance of one.
pub(crate) fn of_python(game: &Bound<'_, PyAny>) -> PyResult<Arc<dyn AnyGame>> {
    let instance = instance_of(game)?;
    let made = PythonGame::new(&instance, None)?;
    let spec = made.author().spec.clone();
    let any = erase(Erased::new(made), &spec).shared();
    let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
    games.retain(|(model, _)| model.strong_count() > 0);
    games.push((Arc::downgrade(any.model()), instance.unbind()));
    Ok(any)
}

/// What a game in Python was made from.
pub(crate) fn author_of(py: Python<'_>, game: &dyn AnyGame) -> Option<Py<PyAny>> {
    let wanted = Arc::as_ptr(game.model()).cast::<()>();
    let games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
    games
        .iter()
        .find(|(model, _)| model.as_ptr().cast::<()>() == wanted)
        .map(|(_, author)| author.clone_ref(py))
}
