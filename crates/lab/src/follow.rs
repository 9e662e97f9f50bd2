//! Numbers that are followed through a game, from decision to decision: how much an agent believes the truth, how many
//! worlds it holds possible.
//!
//! An experiment names them (`follow = ["truth"]`). `truth` is the probability that the agent's own belief gives to
//! the true value of the game's hidden part, and `log-loss` what a forecaster is charged for it, -ln p (p at least
//! 10^-9); `chosen` is the share of the visits that went to the chosen move; every other name is that of a figure in the agent's report, or of something the game counts
//! ([`Rules::counts`](fogtree_core::Metrics)), whose sum over the game is kept at its end. A number is kept with the step and the episode
//! of the game it belongs to, so that games of different lengths can be laid side by side.

use std::collections::BTreeMap;

use fogtree_core::{Decision, Turn};
use fogtree_table::{AnyGame, AnyTable, Moment};
use serde::{Deserialize, Serialize};

/// The probability of the truth.
pub const TRUTH: &str = "truth";
/// What that costs a forecaster.
pub const LOG_LOSS: &str = "log-loss";

/// The share of the visits that went to the chosen move.
pub const CHOSEN: &str = "chosen";

/// The smallest probability that is told apart from 0.
const LEAST: f64 = 1e-9;

/// A number that came with a decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Followed {
    /// What it is called.
    pub name: String,
    /// The steps of the game before the decision, chance's included.
    pub step: u64,
    /// The episode of the game, if it has labelled ones ([`Rules::episode`](fogtree_core::Episodes::episode)).
    pub episode: Option<u32>,
    /// The number.
    pub value: f64,
}

/// Follows numbers through one game.
#[derive(Debug)]
pub(crate) struct Follower<'a> {
    names: &'a [String],
    seats: Vec<Vec<Followed>>,
    /// How the game stood before the step that comes next.
    before: Standing,
}

#[derive(Debug, Default)]
struct Standing {
    truth: Option<String>,
    step: u64,
    episode: Option<u32>,
}

impl Standing {
    /// How a game stands that stood like this before.
    fn then(&self, table: &dyn AnyTable) -> Standing {
        let episode = table.episode().or(self.episode);
        Standing { truth: table.hidden_truth(), step: table.steps() as u64, episode }
    }
}

impl<'a> Follower<'a> {
    pub(crate) fn new(names: &'a [String], game: &dyn AnyGame) -> Follower<'a> {
        let nothing = Standing::default();
        let before = if names.is_empty() { nothing } else { nothing.then(&*game.table()) };
        Follower { names, seats: vec![Vec::new(); game.facts().players], before }
    }

    /// Takes note of a step.
    pub(crate) fn watch(&mut self, moment: &Moment<'_>) {
        if self.names.is_empty() {
            return;
        }
        for (seat, decision) in moment.decisions {
            self.seats[seat.index()].extend(self.before.figures(self.names, decision));
        }
        self.before = self.before.then(moment.table);
        if moment.table.turn() == Turn::Terminal {
            let Standing { step, episode, .. } = self.before;
            for (who, counted, value) in moment.table.counts() {
                let name = self.names.iter().filter(|name| *name == counted);
                self.seats[who.index()].extend(name.map(|name| Followed {
                    name: name.clone(),
                    step,
                    episode,
                    value,
                }));
            }
        }
    }

    /// What was followed, by seat.
    pub(crate) fn seats(self) -> Vec<Vec<Followed>> {
        self.seats
    }
}

/// What is followed of a single decision, at a table where it is still to be made.
pub(crate) fn of_decision(names: &[String], table: &dyn AnyTable, decision: &Decision) -> Vec<Followed> {
    Standing::default().then(table).figures(names, decision).collect()
}

impl Standing {
    /// All that is followed of a decision made from here.
    fn figures(&self, names: &[String], decision: &Decision) -> impl Iterator<Item = Followed> {
        let &Standing { step, episode, .. } = self;
        names.iter().filter_map(move |name| {
            let value = self.figure(name, decision)?;
            Some(Followed { name: name.clone(), step, episode, value })
        })
    }

    fn figure(&self, name: &str, decision: &Decision) -> Option<f64> {
        let truth = || {
            let (truth, belief) = (self.truth.as_ref()?, decision.report.beliefs.first()?);
            Some(belief.values.iter().find(|(name, _)| name == truth).map_or(0.0, |(_, p)| *p))
        };
        match name {
            TRUTH => truth(),
            LOG_LOSS => truth().map(|p| -p.max(LEAST).ln()),
            CHOSEN => {
                let all: u64 = decision.report.moves.iter().map(|m| m.visits).sum();
                let chosen = decision.report.moves.iter().find(|m| m.action == decision.action)?.visits;
                (all > 0).then(|| chosen as f64 / all as f64)
            }
            _ => decision.report.figures.iter().find(|(figure, _)| figure == name).map(|(_, value)| *value),
        }
    }
}

/// What was followed in one seat of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct Trajectory {
    /// The number of the game.
    pub game: u64,
    /// Whether the seat won.
    pub won: bool,
    /// The numbers in the order of decisions.
    pub followed: Vec<Followed>,
}

/// The mean over trajectories of what is followed under a name, decision by decision, as long as at least half of them
/// go on.
pub(crate) fn means(trajectories: &[Trajectory], name: &str) -> Vec<f64> {
    let mut by_decision: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
    let mut all = 0;
    for trajectory in trajectories {
        let values = trajectory.followed.iter().filter(|f| f.name == name).map(|f| f.value);
        for (decision, value) in values.enumerate() {
            let (sum, count) = by_decision.entry(decision).or_default();
            *sum += value;
            *count += 1;
            all += usize::from(decision == 0);
        }
    }
    by_decision.values().take_while(|(_, n)| 2 * n >= all).map(|&(sum, n)| sum / n as f64).collect()
}
