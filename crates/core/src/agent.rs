//! Who plays: agents, what they are given, and what they answer.
//!
//! Nobody but the table holds the true state. An [`Agent`] gets an [`InfoSet`]: what its seat knows, did,
//! saw and may do. The sources use agents that look at the true state as yardsticks; those are entered as cheats,
//! find a [`TrueState`] in their information sets, and are marked in every report.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::explain::{Explain, LineStep, Progress, SearchTree, Watch};
use crate::history::Event;
use crate::{
    Deadline, Info, Key, Model, Move, Observer, PerPlayer, Player, Rewards, Rng, Scene, Seed, World,
};

/// All that a seat has to decide with.
#[derive(Clone)]
pub struct InfoSet {
    /// The game.
    pub game: Arc<dyn Model>,
    /// Whose information set it is.
    pub seat: Player,
    /// What the seat knows.
    pub known: Info,
    /// What the seat may do, in rising order.
    pub legal: Vec<Move>,
    /// What the seat did and saw so far.
    pub events: Vec<Event>,
    /// The key of that history.
    pub key: Key,
    /// How likely the seat takes each value of the game's [hidden part](crate::HiddenPart) to be, where
    /// somebody has drawn conclusions from what the others did: worlds are then drawn accordingly. The table
    /// draws none. It is an opinion of whoever asks, not knowledge, and is not written down with the rest.
    pub belief: Option<Arc<[f64]>>,
    /// The true state, which a table gives to agents that are marked as cheating and to nobody else.
    pub truth: Option<Arc<TrueState>>,
}

impl fmt::Debug for InfoSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InfoSet { seat, known, legal, key, .. } = self;
        f.debug_struct("InfoSet")
            .field("seat", seat)
            .field("known", known)
            .field("legal", legal)
            .field("key", key)
            .finish_non_exhaustive()
    }
}

/// The true state, for agents that cheat. Honest agents have no use for this type.
pub struct TrueState(Mutex<Box<dyn World>>);

impl TrueState {
    /// Wraps the true state: for tables only.
    pub fn new(world: Box<dyn World>) -> TrueState {
        TrueState(Mutex::new(world))
    }

    /// A world in the true state.
    pub fn world(&self) -> Box<dyn World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Why a text is not an information set of a game.
#[derive(Debug, thiserror::Error)]
pub enum BadInfoSet {
    /// Not the JSON of an information set.
    #[error("not an information set: {0}")]
    Json(#[from] serde_json::Error),
    /// An action that the game does not have.
    #[error("the game has no action '{0}'")]
    Action(String),
}

/// An information set as it is written down.
#[derive(Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) seat: Player,
    pub(crate) known: Value,
    pub(crate) legal: Vec<String>,
    pub(crate) events: Vec<Event>,
    pub(crate) key: Key,
}

impl InfoSet {
    /// The names of the legal moves.
    pub fn legal_names(&self) -> Vec<String> {
        self.legal.iter().map(|&m| self.game.move_name(m)).collect()
    }

    /// What is known, drawn as text.
    pub fn view(&self) -> String {
        self.game.view(&self.known)
    }

    /// What is known, as a picture.
    pub fn scene(&self) -> Scene {
        self.game.scene(&self.known)
    }

    /// The spots of the scene that are touched to choose a legal move; none if it is chosen from a list.
    pub fn spots(&self, mv: Move) -> Vec<String> {
        self.game.spots(&self.known, self.seat, mv)
    }

    /// Draws worlds that agree with this information set, with their weights; none if none was found in time.
    pub fn sample(&self, count: usize, rng: &mut Rng, until: &Deadline) -> Vec<(Box<dyn World>, f64)> {
        if !self.game.find_worlds(&self.known, None, until) {
            return Vec::new();
        }
        let mut sampler = self.game.sampler(&self.known);
        let mut world = self.game.start();
        let draw = |_| {
            let weight = sampler.sample(rng, &mut *world);
            (world.clone(), weight)
        };
        (0..count).map(draw).collect()
    }

    /// This information set as JSON, for engines and pages elsewhere.
    pub fn to_json(&self) -> Value {
        json!(Written {
            seat: self.seat,
            known: self.known.to_json(),
            legal: self.legal_names(),
            events: self.events.clone(),
            key: self.key,
        })
    }

    /// The information set that [`InfoSet::to_json`] wrote.
    pub fn from_json(game: &Arc<dyn Model>, value: Value) -> Result<InfoSet, BadInfoSet> {
        let written: Written = serde_json::from_value(value)?;
        let legal = written
            .legal
            .into_iter()
            .map(|name| game.parse_move(&name).ok_or(BadInfoSet::Action(name)))
            .collect::<Result<_, _>>()?;
        Ok(InfoSet {
            game: Arc::clone(game),
            seat: written.seat,
            known: game.info_from_json(written.known)?,
            legal,
            events: written.events,
            key: written.key,
            belief: None,
            truth: None,
        })
    }
}

/// How long an agent may think: until the first of these is used up.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The most iterations.
    pub iterations: Option<u64>,
    /// The most time. Results under a time budget cannot be reproduced.
    pub time: Option<Duration>,
    /// The most time for all of one's choices in a row, shared out between them by whoever asks the agent.
    pub turn: Option<Duration>,
    /// Ends the search early when set, within a few milliseconds.
    pub stop: Option<Arc<AtomicBool>>,
    /// Who is shown how the search stands while it runs.
    pub watch: Option<Watch>,
    /// What the report is to tell beyond the statistics of the moves.
    pub explain: Option<Explain>,
}

impl Budget {
    /// A budget of iterations only.
    pub fn iterations(n: u64) -> Budget {
        Budget { iterations: Some(n), ..Budget::default() }
    }

    /// Starts the clock.
    pub fn start(&self) -> Clock<'_> {
        let began = Instant::now();
        let timed = self.time.is_some() || self.stop.is_some() || self.watch.is_some();
        Clock {
            budget: self,
            began,
            done: 0,
            most: self.iterations.unwrap_or(u64::MAX).max(1),
            look: if timed { 1 } else { u64::MAX },
            stride: 1,
            looked: began,
            shown: began,
            due: false,
        }
    }

    /// Whether the search has been told to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|s| s.load(Ordering::Relaxed))
    }

    /// When the time is up that starts now, or the search is told to end.
    pub fn deadline(&self) -> Deadline {
        Deadline::after(self.time, self.stop.clone())
    }

    /// What is left of it after so many iterations and so much time, for a search that is part of another:
    /// nobody watches it, but the same flag stops it.
    pub fn after(&self, iterations: u64, time: Duration) -> Budget {
        Budget {
            iterations: self.iterations.map(|n| n.saturating_sub(iterations)),
            time: self.time.map(|t| t.saturating_sub(time)),
            turn: None,
            stop: self.stop.clone(),
            watch: None,
            explain: self.explain,
        }
    }
}

/// A budget being used up.
///
/// The time, the flag that stops a search and the watch are looked at only every so many iterations: as many as
/// take some fraction of a millisecond.
#[derive(Debug)]
pub struct Clock<'a> {
    budget: &'a Budget,
    began: Instant,
    done: u64,
    most: u64,
    /// The iteration before which to look next, the iterations between two looks, and when the last one was.
    look: u64,
    stride: u64,
    looked: Instant,
    /// When the watch was shown something, and whether it is due again.
    shown: Instant,
    due: bool,
}

/// Two looks are at least this far apart where iterations are short,
const LOOK_LEAST: Duration = Duration::from_micros(200);
/// and at most this far where they are not too long.
const LOOK_MOST: Duration = Duration::from_micros(800);
/// However short iterations are, no more are made between two looks.
const MOST_STRIDE: u64 = 4096;

impl Clock<'_> {
    /// Whether another iteration may be made; counts it. There is always a first one.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.done >= self.most || self.done == self.look && self.is_late() {
            return false;
        }
        self.done += 1;
        true
    }

    #[cold]
    fn is_late(&mut self) -> bool {
        let now = Instant::now();
        if self.budget.is_stopped() || self.budget.time.is_some_and(|t| now - self.began >= t) {
            return true;
        }
        let gap = now - self.looked;
        if gap < LOOK_LEAST {
            self.stride = (2 * self.stride).min(MOST_STRIDE);
        } else if gap > LOOK_MOST {
            self.stride = (self.stride / 2).max(1);
        }
        self.looked = now;
        self.look = self.done + self.stride;
        if self.budget.watch.as_ref().is_some_and(|w| now - self.shown >= w.interval()) {
            self.shown = now;
            self.due = true;
        }
        false
    }

    /// Shows the watch how the search stands, if there is one and it is time to.
    #[inline]
    pub fn show(&mut self, progress: impl FnOnce() -> Progress) {
        if self.due {
            self.due = false;
            self.show_now(progress());
        }
    }

    #[cold]
    fn show_now(&self, progress: Progress) {
        if let Some(watch) = &self.budget.watch {
            watch.show(&Progress { iterations: self.done, time: self.elapsed(), ..progress });
        }
    }

    /// The iterations made.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The time since the clock was started.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }
}

/// What an agent found out about one of its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReport {
    /// The move.
    pub action: Move,
    /// How often it was tried.
    pub visits: u64,
    /// How often it was legal when the search decided here, in searches of many worlds.
    pub availability: Option<u64>,
    /// The mean reward of every player after it, where it was tried and kept.
    pub values: Option<PerPlayer<f64>>,
    /// Half the width of the 95 % confidence interval of each of these means by the normal approximation,
    /// `1.96 s / sqrt(n)` with the standard deviation `s` of the `n` rewards; where worlds were searched one by
    /// one, of the means of the worlds. A search prefers good moves and learns, so its rewards are not
    /// independent: this says how far the mean may be off, it does not promise to. `None` where rewards
    /// were not sampled, or fewer than twice.
    pub margins: Option<PerPlayer<f64>>,
    /// Whether the values are proven, by a search that samples and proves.
    pub proven: bool,
}

impl MoveReport {
    /// A move with the rewards that are expected after it, and no statistics.
    pub fn of(action: Move, visits: u64, values: Option<PerPlayer<f64>>) -> MoveReport {
        MoveReport { action, visits, availability: None, values, margins: None, proven: false }
    }
}

/// How a decision came about.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// What was found out about each move, in the order of the legal moves.
    pub moves: Vec<MoveReport>,
    /// Iterations made.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// The greatest depth reached in the tree.
    pub depth: u32,
    /// Time taken.
    pub time: Duration,
    /// Moves tried in the tree where nodes are decisions: each is a node of the textbook's tree.
    pub tried: Option<u64>,
    /// The bytes of the tree, of all trees together if there were several.
    pub bytes: Option<u64>,
    /// How many moves an iteration made in the tree on average.
    pub mean_depth: Option<f64>,
    /// How many nodes lie so many moves below the root of their tree; they add up to `nodes`. Like what follows
    /// it is empty unless it was asked for ([`Budget::explain`]) and the search has a tree.
    pub profile: Vec<u64>,
    /// The principal variation: the moves most often tried, one after the other, beginning with the move made.
    pub line: Vec<LineStep>,
    /// The trees, the searcher's first.
    pub trees: Vec<SearchTree>,
    /// What was believed about the hidden part of the state when the decision was made, by agents that hold beliefs:
    /// first the agent's own belief, then what it takes others to believe.
    pub beliefs: Vec<BeliefReport>,
    /// From which probabilities the move was drawn, by agents that can tell.
    pub mixed: Option<Mixed>,
    /// Whatever else there is to count, by name.
    pub figures: Vec<(String, f64)>,
    /// What there is to say of how the move was found, if anything.
    pub remark: Option<String>,
}

/// From which probabilities an agent drew its move.
#[derive(Clone, PartialEq, Debug)]
pub enum Mixed {
    /// All legal moves are equally likely, here and in every other information set.
    Uniform,
    /// These, in the order of the legal moves, whenever it is asked here.
    Fixed(Vec<f64>),
    /// These, in the order of the legal moves, by this search; another search may find others.
    Found(Vec<f64>),
}

impl Report {
    /// The figure with this name.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.0 == name).map(|figure| figure.1)
    }
}

/// The nodes of a tree, and the visits of its root, that a search has kept from earlier decisions, as figures.
pub fn kept_figures(nodes: u64, visits: u64) -> [(String, f64); 2] {
    [("kept nodes".to_string(), nodes as f64), ("kept visits".to_string(), visits as f64)]
}

/// What somebody believes about the [hidden part](crate::HiddenPart) of a state.
#[derive(Clone, PartialEq, Debug)]
pub struct BeliefReport {
    /// Who is taken to believe this: a seat, or somebody who knows what everybody knows.
    pub of: Observer,
    /// The values held possible, by name, with their probabilities, the likeliest first.
    pub values: Vec<(String, f64)>,
}

/// An agent's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The move it makes.
    pub action: Move,
    /// How it came about.
    pub report: Report,
}

/// Why an agent made no decision: a program that plays for it did not do its part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an engine failed: {0}")]
pub struct AgentFailure(pub String);

/// What an agent has come to do on average in an information set, its own or another seat's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AverageStrategy<'a> {
    /// The key of the information set.
    pub key: Key,
    /// Whose it is.
    pub seat: Player,
    /// How likely each legal move is, in their rising order.
    pub strategy: &'a [f64],
    /// How often the search has been there.
    pub visits: u64,
}

/// A player of any game. It knows no more than its seat does, unless it is given the true state.
pub trait Agent: Send {
    /// A game begins; everything random must come from the seed.
    fn start(&mut self, _seat: Player, _seed: Seed) {}

    /// Thinks ahead from the very start of the game, before anybody has moved; returns the iterations made.
    /// Agents that keep nothing from one decision to the next have no use for it.
    fn prepare(&mut self, _budget: &Budget) -> u64 {
        0
    }

    /// The seat did or saw something.
    fn observe(&mut self, _event: &Event) {}

    /// Chooses one of the legal moves. Asked again in the same information set, it goes on from what it has.
    /// Agents of this program always decide; those that ask another one may fail.
    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure>;

    /// Tells the average strategies that it holds, of any seat, in no particular order. Searches that
    /// keep none tell nothing.
    fn average_strategies(&self, _tell: &mut dyn FnMut(AverageStrategy<'_>)) {}

    /// The game has ended.
    fn end(&mut self, _rewards: &Rewards) {}
}

/// Hands on, within `impl Agent` of a wrapper, what it has nothing to add to, to the agent in this field: all methods
/// but `start` and `act`.
#[macro_export]
macro_rules! hand_on_to {
    ($agent:ident) => {
        fn prepare(&mut self, budget: &$crate::Budget) -> u64 {
            self.$agent.prepare(budget)
        }

        fn observe(&mut self, event: &$crate::Event) {
            self.$agent.observe(event);
        }

        fn average_strategies(&self, tell: &mut dyn FnMut($crate::AverageStrategy<'_>)) {
            self.$agent.average_strategies(tell);
        }

        fn end(&mut self, rewards: &$crate::Rewards) {
            self.$agent.end(rewards);
        }
    };
}
