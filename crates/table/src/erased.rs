//! The one erased interface: games, tables, information sets and agents without their types.
//!
//! A search pays for dynamic dispatch once per decision, never per node.

use std::any::Any;
use std::time::Duration;

use fogtree_core::{
    BeliefReport, Budget, Event, Facts, Game, Habit, IllegalStep, Key, LineStep, Observer, PerPlayer, Player,
    Record, Rewards, Rng, SearchTree, Seed, Turn, record::BadRecord, record::Header,
};
use fogtree_games::tree::{BadTree, Tree};
use fogtree_solve::strategy::BadStrategy;
use fogtree_solve::{Compiled, Evaluation, StrategyFile};
use serde_json::Value;

use crate::agents::{Family, Offers};

mod known;
mod typed;

pub use known::erase;
pub(crate) use known::erase_shared;
pub(crate) use typed::{Erased, Typed};

/// A game of any type.
pub trait AnyGame: Send + Sync {
    /// The specification it was made from, by which others can make it too; empty if there is none.
    fn spec(&self) -> &str;
    /// What can be said of the game without playing it.
    fn facts(&self) -> Facts;
    /// What there is to say of how this very game came about, if anything.
    fn remark(&self) -> Option<String>;
    /// Whether the game says what beliefs are about ([`Game::hidden_part`]).
    fn has_hidden_part(&self) -> bool;
    /// What the game offers agents by name.
    fn offers(&self) -> Offers;
    /// A table at which the game has just started.
    fn table(&self) -> Box<dyn AnyTable>;
    /// A table at which the first `steps` steps of a record have been played again.
    fn replay(&self, record: &Record, steps: usize) -> Result<Box<dyn AnyTable>, BadRecord>;
    /// An agent of one of the standard families.
    fn mind(&self, family: &Family) -> Mind;
    /// The information set that [`AnyInfoSet::to_json`] wrote.
    fn infoset_from_json(&self, value: Value)
    -> Result<Box<dyn AnyInfoSet>, fogtree_core::agent::BadInfoSet>;
    /// What an observation means, in words.
    fn explain(&self, event: &Event, by: Observer) -> String;
    /// The whole game as a tree, if it has at most this many nodes.
    fn tree(&self, most: usize) -> Result<Tree, BadTree>;
    /// Solves the whole game; `tell` hears how it goes. With `keep`, the strategies come in the form of a file,
    /// which says that they were found so.
    fn solve(
        &self,
        config: &fogtree_solve::Config,
        keep: Option<&str>,
        tell: &mut dyn FnMut(&fogtree_solve::Progress),
    ) -> Result<Solved, fogtree_solve::Unsolved>;
    /// The whole game in flat arrays, if its tree has at most `limit` nodes.
    fn compiled(&self, limit: usize) -> Result<Compiled, fogtree_solve::Refusal>;
    /// How good the strategies of a file are in this game, if its tree has at most `limit` nodes.
    fn exploit(&self, file: &StrategyFile, limit: usize) -> Result<Exploited, Unexploited>;
    /// The bytes of a state in place.
    fn state_bytes(&self) -> usize;
    /// Plays this many random games from a position reached by letting chance draw first; returns the number
    /// of moves made (chance not counted, simultaneous moves counted one per player).
    fn playouts(&self, games: u64, seed: Seed) -> u64;
    /// Plays this many random games step by step without counting anything, as searches do.
    fn fast_playouts(&self, games: u64, seed: Seed);
    /// Clones a mid-game state this many times.
    fn clones(&self, times: u64, seed: Seed);
    /// Draws this many worlds from the information set of the player to move in a mid-game state.
    fn samples(&self, times: u64, seed: Seed);
}

/// What came of solving a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// What each player earns.
    pub values: Vec<f64>,
    /// What all players together would gain by best responses, if that could be found out.
    pub nash_conv: Option<f64>,
    /// NashConv divided by the number of players.
    pub exploitability: Option<f64>,
    /// Iterations made, or matrices solved.
    pub iterations: u64,
    /// Seconds spent on solving.
    pub seconds: f64,
    /// Nodes of the tree, if it was looked at as a whole.
    pub nodes: Option<usize>,
    /// Information sets of all players, likewise.
    pub infosets: Option<usize>,
    /// The strategies, if they were asked for and there are any.
    pub strategies: Option<StrategyFile>,
}

/// How good the strategies of a file are.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploited {
    /// What they earn, what best responses would.
    pub evaluation: Evaluation,
    /// Information sets of the game.
    pub infosets: usize,
    /// Of these, how many the file says nothing of; there, all actions were taken to be equally likely.
    pub missing: usize,
}

/// Why it could not be found out how good strategies are.
#[derive(Debug, thiserror::Error)]
pub enum Unexploited {
    /// The game is too large.
    #[error(transparent)]
    Refusal(#[from] fogtree_solve::Refusal),
    /// The strategies are not of this game.
    #[error(transparent)]
    Strategy(#[from] BadStrategy),
}

/// A game being played. It alone holds the true state.
pub trait AnyTable: Send {
    /// Whose turn it is.
    fn turn(&self) -> Turn;
    /// The names of a player's legal moves, if it is to move.
    fn legal(&self, who: Player) -> Vec<String>;
    /// What chance may draw, with probabilities; `None` where that can only be sampled.
    fn chance(&self) -> Option<Vec<(String, f64)>>;
    /// Reads and makes steps until the words run out; on error the steps before it stand.
    fn play_words(&mut self, words: &[&str]) -> Result<(), IllegalStep>;
    /// Makes a step of the players to move, each choice by its place among the legal moves.
    fn choose(&mut self, choices: &[(Player, usize)]) -> Result<(), IllegalStep>;
    /// Lets chance draw once, if it is its turn.
    fn draw(&mut self, rng: &mut Rng);
    /// What an observer knows, drawn as text.
    fn view(&self, by: Observer) -> String;
    /// The whole state, drawn as text, for somebody who may see everything.
    fn show(&self) -> String;
    /// An observer's information-set key.
    fn key(&self, by: Observer) -> Key;
    /// The rewards, once the game is over.
    fn rewards(&self) -> Option<Rewards>;
    /// The part a seat plays.
    fn role(&self, seat: Player) -> String;
    /// The name of the true value of the hidden part, if the game has one and it is settled.
    fn hidden_truth(&self) -> Option<String>;
    /// The label of the episode that begins here, if one does.
    fn episode(&self) -> Option<u32>;
    /// What was counted so far of what the game counts, by seat and name ([`fogtree_core::Rules::counts`]).
    fn counts(&self) -> Vec<(Player, &'static str, f64)>;
    /// The names of all that was played.
    fn names(&self) -> Vec<String>;
    /// The names of the moves of the last step, or of what chance drew in it.
    fn last_names(&self) -> Vec<String>;
    /// How many steps were made.
    fn steps(&self) -> usize;
    /// Goes back to the position after the first `steps` steps.
    fn wind_back(&mut self, steps: usize);
    /// What a seat has done and seen.
    fn events(&self, seat: Player) -> &[Event];
    /// All that a seat has to decide with.
    fn infoset(&self, seat: Player) -> Box<dyn AnyInfoSet>;
    /// Asks an agent for a move.
    fn ask(&self, seat: Player, agent: &mut SeatAgent) -> Result<AnyDecision, AgentFailure>;
    /// The record of what was played.
    fn record(&self, header: Header) -> Record;
    /// An independent copy of this table.
    fn fork(&self) -> Box<dyn AnyTable>;
}

/// An information set of any game.
pub trait AnyInfoSet: Any + Send {
    /// Whose it is.
    fn seat(&self) -> Player;
    /// The names of the legal moves.
    fn legal(&self) -> Vec<String>;
    /// What the seat did and saw.
    fn events(&self) -> &[Event];
    /// The key.
    fn key(&self) -> Key;
    /// What is known, drawn as text.
    fn view(&self) -> String;
    /// The information set as JSON.
    fn to_json(&self) -> Value;
    /// The [`InfoSet`](fogtree_core::InfoSet) of the game's own type, to be downcast by agents written for that
    /// game.
    fn as_any(&self) -> &dyn Any;
}

/// What an agent found out about one move, as in [`fogtree_core::MoveReport`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnyMoveReport {
    /// How often it was tried.
    pub visits: u64,
    /// How often it was legal when the search decided, in searches of many worlds.
    pub availability: Option<u64>,
    /// The mean reward of every player after it.
    pub values: Option<PerPlayer<f64>>,
    /// Half the widths of the 95 % confidence intervals of these means.
    pub margins: Option<PerPlayer<f64>>,
    /// Whether the values are proven.
    pub proven: bool,
}

/// An agent's answer: a choice by its place among the legal moves, and how it came about.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AnyDecision {
    /// The place of the move among the legal moves.
    pub choice: usize,
    /// What was found out about each legal move, in their order; empty if nothing was kept.
    pub moves: Vec<AnyMoveReport>,
    /// Iterations made.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// The greatest depth reached in the tree.
    pub depth: u32,
    /// Time taken.
    pub time: Duration,
    /// Moves tried in the tree, where nodes are decisions.
    pub tried: Option<u64>,
    /// The bytes of the tree.
    pub bytes: Option<u64>,
    /// How many moves an iteration made in the tree on average.
    pub mean_depth: Option<f64>,
    /// How many nodes lie so many moves below their root; empty if it was not asked for or there is no tree.
    pub profile: Vec<u64>,
    /// The principal variation; empty likewise.
    pub line: Vec<LineStep>,
    /// The trees, the searcher's first; empty likewise.
    pub trees: Vec<SearchTree>,
    /// What was believed about the hidden part, by agents that hold beliefs: first the agent's own belief.
    pub beliefs: Vec<BeliefReport>,
    /// Whatever else there is to count, by name.
    pub figures: Vec<(String, f64)>,
    /// What there is to say of how the move was found, if anything.
    pub remark: Option<String>,
}

/// Why an agent made no decision: a program that plays for it did not do its part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an engine failed: {0}")]
pub struct AgentFailure(pub String);

/// An agent of any game, as outside crates may write them: everything it needs is in the information set.
pub trait AnyAgent: Send {
    /// A game begins.
    fn start(&mut self, _seat: Player, _seed: Seed) {}
    /// Thinks ahead from the very start of the game, before anybody has moved; returns the iterations made.
    fn prepare(&mut self, _budget: &Budget) -> u64 {
        0
    }
    /// The seat did or saw something.
    fn observe(&mut self, _event: &Event) {}
    /// Tells the average strategies that it holds, as [`Agent::habits`](fogtree_core::Agent::habits) does.
    fn habits(&self, _tell: &mut dyn FnMut(Habit<'_>)) {}
    /// Chooses a move.
    fn act(&mut self, info: &dyn AnyInfoSet, budget: &Budget) -> Result<AnyDecision, AgentFailure>;
    /// The game has ended.
    fn end(&mut self, _rewards: &Rewards) {}
}

/// The true state of any game, for agents that cheat.
pub struct AnyTrueState<'a>(pub(crate) &'a dyn Any);

impl<'a> AnyTrueState<'a> {
    /// The state, if it is one of this game.
    pub fn of<G: Game>(&self) -> Option<&'a G::State> {
        self.0.downcast_ref()
    }
}

/// A yardstick of any game: a player that looks at the true state.
pub trait AnyCheatingAgent: Send {
    /// A game begins.
    fn start(&mut self, _seat: Player, _seed: Seed) {}
    /// Chooses a move, knowing everything.
    fn act_on_true_state(
        &mut self,
        info: &dyn AnyInfoSet,
        state: &AnyTrueState<'_>,
        budget: &Budget,
    ) -> AnyDecision;
}

/// What plays: honest, or cheating and marked as such in every report.
pub enum Mind {
    /// Knows what its seat knows.
    Honest(Box<dyn AnyAgent>),
    /// Looks at the true state.
    Cheating(Box<dyn AnyCheatingAgent>),
}

/// An agent in a seat, with its budget.
pub struct SeatAgent {
    /// The specification it was made from.
    pub spec: String,
    /// What plays.
    pub mind: Mind,
    /// How long it may think about a move.
    pub budget: Budget,
}

impl SeatAgent {
    /// Whether the agent looks at the true state.
    pub fn cheats(&self) -> bool {
        matches!(self.mind, Mind::Cheating(_))
    }

    /// A game begins.
    pub fn start(&mut self, seat: Player, seed: Seed) {
        match &mut self.mind {
            Mind::Honest(agent) => agent.start(seat, seed),
            Mind::Cheating(agent) => agent.start(seat, seed),
        }
    }

    /// Thinks ahead from the very start of the game within this budget; returns the iterations made.
    pub fn prepare(&mut self, budget: &Budget) -> u64 {
        match &mut self.mind {
            Mind::Honest(agent) => agent.prepare(budget),
            Mind::Cheating(_) => 0,
        }
    }

    /// Tells the average strategies that the agent holds.
    pub fn habits(&self, tell: &mut dyn FnMut(Habit<'_>)) {
        if let Mind::Honest(agent) = &self.mind {
            agent.habits(tell);
        }
    }

    /// The seat did or saw something.
    pub fn observe(&mut self, event: &Event) {
        if let Mind::Honest(agent) = &mut self.mind {
            agent.observe(event);
        }
    }

    /// The game has ended.
    pub fn end(&mut self, rewards: &Rewards) {
        if let Mind::Honest(agent) = &mut self.mind {
            agent.end(rewards);
        }
    }
}
