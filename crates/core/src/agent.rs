//! Who plays: agents, what they are given, and what they answer.
//!
//! Nobody but the table holds the true state. An [`Agent`] gets an [`InfoSet`]: what its seat knows, did,
//! saw and may do. The sources use agents that look at the true state as yardsticks; those implement
//! [`CheatingAgent`] instead, whose every decision takes a [`TrueState`], and reports mark them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::history::Event;
use crate::{Game, Key, PerPlayer, Player, Rewards, Seed};

/// All that a seat has to decide with.
#[derive(Debug)]
pub struct InfoSet<G: Game> {
    /// Whose information set it is.
    pub seat: Player,
    /// What the seat knows.
    pub known: G::Known,
    /// What the seat may do, in rising order.
    pub legal: Vec<G::Action>,
    /// What the seat did and saw so far.
    pub events: Vec<Event>,
    /// The key of that history.
    pub key: Key,
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

#[derive(Serialize, Deserialize)]
struct Written {
    seat: Player,
    known: Value,
    legal: Vec<String>,
    events: Vec<Event>,
    key: Key,
}

impl<G: Game> Clone for InfoSet<G> {
    fn clone(&self) -> Self {
        InfoSet {
            seat: self.seat,
            known: self.known.clone(),
            legal: self.legal.clone(),
            events: self.events.clone(),
            key: self.key,
        }
    }
}

impl<G: Game> InfoSet<G> {
    /// This information set as JSON, for engines and pages elsewhere.
    pub fn to_json(&self, game: &G) -> Value {
        json!(Written {
            seat: self.seat,
            known: serde_json::to_value(&self.known).expect("what is known serialises"),
            legal: self.legal.iter().map(|&a| game.action_name(a)).collect(),
            events: self.events.clone(),
            key: self.key,
        })
    }

    /// The information set that [`InfoSet::to_json`] wrote.
    pub fn from_json(game: &G, value: Value) -> Result<InfoSet<G>, BadInfoSet> {
        let written: Written = serde_json::from_value(value)?;
        let legal = written
            .legal
            .into_iter()
            .map(|name| game.parse_action(&name).ok_or(BadInfoSet::Action(name)))
            .collect::<Result<_, _>>()?;
        Ok(InfoSet {
            seat: written.seat,
            known: serde_json::from_value(written.known)?,
            legal,
            events: written.events,
            key: written.key,
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
    /// Ends the search early when set.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// A budget of iterations only.
    pub fn iterations(n: u64) -> Budget {
        Budget { iterations: Some(n), ..Budget::default() }
    }

    /// Starts the clock.
    pub fn start(&self) -> Clock<'_> {
        Clock { budget: self, began: Instant::now(), done: 0 }
    }
}

/// A budget being used up.
#[derive(Debug)]
pub struct Clock<'a> {
    budget: &'a Budget,
    began: Instant,
    done: u64,
}

impl Clock<'_> {
    /// Whether another iteration may be made; counts it. There is always a first one.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.done > 0 {
            if self.budget.iterations.is_some_and(|n| self.done >= n) {
                return false;
            }
            if self.done.is_multiple_of(32) && self.is_late() {
                return false;
            }
        }
        self.done += 1;
        true
    }

    #[cold]
    fn is_late(&self) -> bool {
        self.budget.time.is_some_and(|t| self.began.elapsed() >= t)
            || self.budget.stop.as_ref().is_some_and(|s| s.load(Ordering::Relaxed))
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
pub struct MoveReport<A> {
    /// The move.
    pub action: A,
    /// How often it was tried.
    pub visits: u64,
    /// The mean reward of every player after it, where it was tried and kept.
    pub values: Option<PerPlayer<f64>>,
}

/// How a decision came about.
#[derive(Clone, PartialEq, Debug)]
pub struct Report<A> {
    /// What was found out about each move, in the order of the legal moves.
    pub moves: Vec<MoveReport<A>>,
    /// Iterations made.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// The greatest depth reached in the tree.
    pub depth: u32,
    /// Time taken.
    pub time: Duration,
    /// Nodes kept from earlier decisions.
    pub kept_nodes: u64,
    /// Visits of the root kept from earlier decisions.
    pub kept_visits: u64,
}

impl<A> Default for Report<A> {
    fn default() -> Self {
        Report {
            moves: Vec::new(),
            iterations: 0,
            nodes: 0,
            depth: 0,
            time: Duration::ZERO,
            kept_nodes: 0,
            kept_visits: 0,
        }
    }
}

/// An agent's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision<A> {
    /// The move it makes.
    pub action: A,
    /// How it came about.
    pub report: Report<A>,
}

/// A player of one game that knows no more than its seat does.
pub trait Agent<G: Game>: Send {
    /// A game begins; everything random must come from the seed.
    fn start(&mut self, _seat: Player, _seed: Seed) {}

    /// The seat did or saw something.
    fn observe(&mut self, _event: &Event) {}

    /// Chooses one of the legal actions.
    fn act(&mut self, info: &InfoSet<G>, budget: &Budget) -> Decision<G::Action>;

    /// The game has ended.
    fn end(&mut self, _rewards: &Rewards) {}
}

/// The true state, for agents that cheat. Honest agents have no use for this type.
#[derive(Debug)]
pub struct TrueState<'a, G: Game>(pub &'a G::State);

/// A yardstick: a player that looks at the true state.
pub trait CheatingAgent<G: Game>: Send {
    /// A game begins; everything random must come from the seed.
    fn start(&mut self, _seat: Player, _seed: Seed) {}

    /// Chooses one of the legal actions, knowing everything.
    fn act_on_true_state(
        &mut self,
        info: &InfoSet<G>,
        state: &TrueState<'_, G>,
        budget: &Budget,
    ) -> Decision<G::Action>;
}
