//! The one erased interface: games and tables without their types.

use std::sync::Arc;

use fogtree_core::{
    Agent, AgentFailure, AverageStrategy, Budget, Deadline, Decision, Event, Facts, IllegalStep, InfoSet,
    Key, Model, Move, Observer, Player, Record, Rewards, Rng, Scene, Seed, TrueState, Turn,
    record::BadRecord, record::Header,
};
use fogtree_solve::merged_response::Unevaluated;
use fogtree_solve::strategy::BadStrategy;
use fogtree_solve::{Compiled, Evaluation, StrategyFile};

mod known;

pub use known::erase;
pub(crate) use known::erase_with_remark;

/// A game of any type.
pub trait AnyGame: Send + Sync {
    /// The specification it was made from, by which others can make it too; empty if there is none.
    fn spec(&self) -> &str;
    /// The same game, for whoever outlives this one.
    fn shared(&self) -> Arc<dyn AnyGame>;
    /// The game as engines see it.
    fn model(&self) -> &Arc<dyn Model>;
    /// What can be said of the game without playing it.
    fn facts(&self) -> &Facts {
        self.model().facts()
    }
    /// What there is to say of how this very game came about, if anything.
    fn remark(&self) -> Option<String>;
    /// A table at which the game has just started.
    fn table(&self) -> Box<dyn AnyTable>;
    /// A table at which the first `steps` steps of a record have been played again.
    fn replay(&self, record: &Record, steps: usize) -> Result<Box<dyn AnyTable>, BadRecord>;
    /// Solves the whole game; `tell` hears how it goes. With `keep`, the strategies come in the form of a file,
    /// which says that they were found so.
    fn solve(
        &self,
        config: &fogtree_solve::Config,
        keep: Option<&str>,
        tell: &mut dyn FnMut(&fogtree_solve::Progress),
    ) -> Result<Solved, fogtree_solve::Unsolved>;
    /// The whole game in flat arrays, if its tree has at most `limit` nodes.
    fn compiled(&self, limit: usize, until: &Deadline) -> Result<Compiled, fogtree_solve::Refusal>;
    /// How good the strategies of a file are in this game. A tree of more than `limit` nodes is not walked: histories
    /// are merged instead ([`fogtree_solve::merged_response`]).
    fn exploit(&self, file: &StrategyFile, limit: usize, until: &Deadline) -> Result<Exploited, Unexploited>;
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
    /// Of these, how many the file says nothing of; there, all actions were taken to be equally likely. Unknown where the
    /// game was too large to walk: then `infosets` are those of the file.
    pub missing: Option<usize>,
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

impl From<Unevaluated> for Unexploited {
    fn from(why: Unevaluated) -> Unexploited {
        match why {
            Unevaluated::Refusal(why) => why.into(),
            Unevaluated::Strategy(why) => why.into(),
        }
    }
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
    /// A player's legal moves, if it is to move, in the order of their names.
    fn moves(&self, who: Player) -> Vec<Move>;
    /// Makes a step of the players to move.
    fn choose(&mut self, choices: &[(Player, Move)]) -> Result<(), IllegalStep>;
    /// Lets chance draw once, if it is its turn.
    fn draw(&mut self, rng: &mut Rng);
    /// What an observer knows, drawn as text.
    fn view(&self, by: Observer) -> String;
    /// What an observer knows, as a picture.
    fn scene(&self, by: Observer) -> Scene;
    /// The whole state as a picture, for somebody who may see everything.
    fn true_scene(&self) -> Scene;
    /// The last step as an observer is told of it, in words: what it saw and what came of it, if it noticed anything.
    fn told(&self, by: Observer) -> Option<String>;
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
    /// What was counted so far of what the game counts, by seat and name ([`fogtree_core::Metrics`]).
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
    fn infoset(&self, seat: Player) -> InfoSet;
    /// The true state, for agents that cheat.
    fn truth(&self) -> Arc<TrueState>;
    /// Asks an agent for a move.
    fn ask(&self, seat: Player, agent: &mut SeatAgent) -> Result<Decision, AgentFailure> {
        agent.act(&InfoSet { truth: agent.cheats.then(|| self.truth()), ..self.infoset(seat) })
    }
    /// The record of what was played.
    fn record(&self, header: Header) -> Record;
    /// An independent copy of this table.
    fn fork(&self) -> Box<dyn AnyTable>;
}

/// An agent in a seat, with its budget.
pub struct SeatAgent {
    /// The specification it was made from.
    pub spec: String,
    /// What plays.
    pub agent: Box<dyn Agent>,
    /// Whether it is given the true state, and marked in every report.
    pub cheats: bool,
    /// How long it may think about a move.
    pub budget: Budget,
}

impl SeatAgent {
    /// A game begins.
    pub fn start(&mut self, seat: Player, seed: Seed) {
        self.agent.start(seat, seed);
    }

    /// Thinks ahead from the very start of the game within this budget; returns the iterations made.
    pub fn prepare(&mut self, budget: &Budget) -> u64 {
        self.agent.prepare(budget)
    }

    /// Tells the average strategies that the agent holds.
    pub fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        self.agent.average_strategies(tell);
    }

    /// The seat did or saw something.
    pub fn observe(&mut self, event: &Event) {
        self.agent.observe(event);
    }

    /// Chooses a move within its own budget.
    pub fn act(&mut self, info: &InfoSet) -> Result<Decision, AgentFailure> {
        self.agent.act(info, &self.budget)
    }

    /// The game has ended.
    pub fn end(&mut self, rewards: &Rewards) {
        self.agent.end(rewards);
    }
}
