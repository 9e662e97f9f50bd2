//! The one erased interface: games, tables, information sets and agents without their types.
//!
//! A search pays for dynamic dispatch once per decision, never per node.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use fogtree_core::{
    Agent, BeliefReport, Budget, CheatingAgent, Event, Facts, Game, Habit, IllegalStep, InfoSet, Key,
    LineStep, Observer, PerPlayer, Player, Record, Rewards, Rng, Scratch, SearchTree, Seed, TrueState, Turn,
    record::BadRecord, record::Header,
};
use fogtree_games::tree::{BadTree, Tree};
use fogtree_solve::strategy::BadStrategy;
use fogtree_solve::{Compiled, Evaluation, StrategyFile};
use serde_json::Value;

use crate::agents::{Family, Offers};
use crate::table::Table;

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
    /// The [`InfoSet`] of the game's own type, to be downcast by agents written for that game.
    fn as_any(&self) -> &dyn Any;
}

/// The typed information set behind an [`AnyInfoSet`].
pub(crate) struct Erased<G: Game> {
    pub(crate) game: Arc<G>,
    pub(crate) info: InfoSet<G>,
}

impl<G: Game> AnyInfoSet for Erased<G> {
    fn seat(&self) -> Player {
        self.info.seat
    }

    fn legal(&self) -> Vec<String> {
        self.info.legal.iter().map(|&a| self.game.action_name(a)).collect()
    }

    fn events(&self) -> &[Event] {
        &self.info.events
    }

    fn key(&self) -> Key {
        self.info.key
    }

    fn view(&self) -> String {
        self.game.view(&self.info.known)
    }

    fn to_json(&self) -> Value {
        self.info.to_json(&self.game)
    }

    fn as_any(&self) -> &dyn Any {
        &self.info
    }
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
    /// Tells the average strategies that it holds, as [`Agent::habits`] does.
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

/// A typed agent behind the erased interface.
pub(crate) struct Typed<T>(pub(crate) T);

fn typed<G: Game>(info: &dyn AnyInfoSet) -> &InfoSet<G> {
    info.as_any().downcast_ref().expect("an agent is asked about its own game")
}

fn erase_decision<A: Eq>(legal: &[A], decision: fogtree_core::Decision<A>) -> AnyDecision {
    let place = |action: &A| legal.iter().position(|a| a == action);
    let report = decision.report;
    AnyDecision {
        choice: place(&decision.action).expect("agents choose among the legal moves"),
        moves: report
            .moves
            .into_iter()
            .map(|m| AnyMoveReport {
                visits: m.visits,
                availability: m.availability,
                values: m.values,
                margins: m.margins,
            })
            .collect(),
        iterations: report.iterations,
        nodes: report.nodes,
        depth: report.depth,
        time: report.time,
        tried: report.tried,
        bytes: report.bytes,
        mean_depth: report.mean_depth,
        profile: report.profile,
        line: report.line,
        trees: report.trees,
        beliefs: report.beliefs,
        figures: report.figures,
    }
}

impl<G: Game> AnyAgent for Typed<Box<dyn Agent<G>>> {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.0.start(seat, seed);
    }

    fn prepare(&mut self, budget: &Budget) -> u64 {
        self.0.prepare(budget)
    }

    fn observe(&mut self, event: &Event) {
        self.0.observe(event);
    }

    fn habits(&self, tell: &mut dyn FnMut(Habit<'_>)) {
        self.0.habits(tell);
    }

    fn act(&mut self, info: &dyn AnyInfoSet, budget: &Budget) -> Result<AnyDecision, AgentFailure> {
        let info = typed::<G>(info);
        Ok(erase_decision(&info.legal, self.0.act(info, budget)))
    }

    fn end(&mut self, rewards: &Rewards) {
        self.0.end(rewards);
    }
}

impl<G: Game> AnyCheatingAgent for Typed<Box<dyn CheatingAgent<G>>> {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.0.start(seat, seed);
    }

    fn act_on_true_state(
        &mut self,
        info: &dyn AnyInfoSet,
        state: &AnyTrueState<'_>,
        budget: &Budget,
    ) -> AnyDecision {
        let info = typed::<G>(info);
        let state = state.of::<G>().expect("an agent is shown its own game");
        erase_decision(&info.legal, self.0.act_on_true_state(info, &TrueState(state), budget))
    }
}

/// A typed game behind the erased interface.
struct Known<G: Game>(Arc<G>, String);

/// Hides the type of a game made from this specification.
pub fn erase<G: Game>(game: G, spec: &str) -> Box<dyn AnyGame> {
    erase_shared(Arc::new(game), spec)
}

/// The same for a game that others hold, too.
pub(crate) fn erase_shared<G: Game>(game: Arc<G>, spec: &str) -> Box<dyn AnyGame> {
    Box::new(Known(game, spec.to_string()))
}

impl<G: Game> Known<G> {
    /// A state of a random game about half way through in which a player is to move.
    fn midgame(&self, seed: Seed) -> G::State {
        let mut rng = seed.stream(fogtree_core::Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut states = Vec::new();
        let mut state = self.0.start();
        while self.0.turn(&state) != Turn::Over {
            if !self.0.turn(&state).players().is_empty() {
                states.push(state.clone());
            }
            fogtree_core::random_step(&*self.0, &mut state, &mut rng, &mut scratch);
        }
        states.swap_remove(states.len() / 2)
    }
}

impl<G: Game> AnyGame for Known<G> {
    fn spec(&self) -> &str {
        &self.1
    }

    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn remark(&self) -> Option<String> {
        self.0.remark()
    }

    fn has_hidden_part(&self) -> bool {
        self.0.hidden_part().is_some()
    }

    fn offers(&self) -> Offers {
        Offers::of(&*self.0)
    }

    fn table(&self) -> Box<dyn AnyTable> {
        Box::new(Table::start(&self.0))
    }

    fn replay(&self, record: &Record, steps: usize) -> Result<Box<dyn AnyTable>, BadRecord> {
        let line = record.replay(&*self.0, steps)?;
        let mut table = Table::start(&self.0);
        for ply in line.plies() {
            table.play(ply.clone()).expect("a replayed step is legal");
        }
        Ok(Box::new(table))
    }

    fn mind(&self, family: &Family) -> Mind {
        family.mind(&self.0)
    }

    fn infoset_from_json(
        &self,
        value: Value,
    ) -> Result<Box<dyn AnyInfoSet>, fogtree_core::agent::BadInfoSet> {
        let info = InfoSet::from_json(&*self.0, value)?;
        Ok(Box::new(Erased { game: Arc::clone(&self.0), info }))
    }

    fn explain(&self, event: &Event, by: Observer) -> String {
        match event {
            Event::Own(code) => format!("own action #{code}"),
            Event::Seen(seen) => self.0.explain(seen, by),
        }
    }

    fn tree(&self, most: usize) -> Result<Tree, BadTree> {
        Tree::of(&*self.0, most)
    }

    fn solve(
        &self,
        config: &fogtree_solve::Config,
        keep: Option<&str>,
        tell: &mut dyn FnMut(&fogtree_solve::Progress),
    ) -> Result<Solved, fogtree_solve::Unsolved> {
        let outcome = fogtree_solve::solve(&*self.0, config, tell)?;
        let found = outcome.strategies.as_ref();
        let file = |solver: &str| {
            found.map(|(game, profile)| StrategyFile::new(&*self.0, &self.1, solver, game, profile))
        };
        Ok(Solved {
            exploitability: outcome.exploitability(),
            nash_conv: outcome.nash_conv,
            iterations: outcome.iterations,
            seconds: outcome.seconds,
            nodes: found.map(|(game, _)| game.nodes().len()),
            infosets: found.map(|(game, _)| game.sets()),
            strategies: keep.and_then(file),
            values: outcome.values,
        })
    }

    fn compiled(&self, limit: usize) -> Result<Compiled, fogtree_solve::Refusal> {
        Compiled::of(&*self.0, limit)
    }

    fn exploit(&self, file: &StrategyFile, limit: usize) -> Result<Exploited, Unexploited> {
        let game = self.compiled(limit)?;
        let (profile, missing) = file.profile(&*self.0, &game)?;
        Ok(Exploited { evaluation: Evaluation::of(&game, &profile), infosets: game.sets(), missing })
    }

    fn state_bytes(&self) -> usize {
        size_of::<G::State>()
    }

    fn playouts(&self, games: u64, seed: Seed) -> u64 {
        let mut rng = seed.stream(fogtree_core::Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut moves = 0;
        for _ in 0..games {
            let mut state = self.0.start();
            loop {
                let turn = self.0.turn(&state);
                if turn == Turn::Over {
                    break;
                }
                moves += turn.players().len() as u64;
                fogtree_core::random_step(&*self.0, &mut state, &mut rng, &mut scratch);
            }
        }
        moves
    }

    fn fast_playouts(&self, games: u64, seed: Seed) {
        let mut rng = seed.stream(fogtree_core::Purpose::Playout);
        let mut scratch = Scratch::default();
        let start = self.0.start();
        let mut state = start.clone();
        for _ in 0..games {
            state.clone_from(&start);
            std::hint::black_box(self.0.playout(&mut state, &mut rng, &mut scratch));
        }
    }

    fn clones(&self, times: u64, seed: Seed) {
        let state = self.midgame(seed);
        let mut copy = state.clone();
        for _ in 0..times {
            copy.clone_from(std::hint::black_box(&state));
            std::hint::black_box(&copy);
        }
    }

    fn samples(&self, times: u64, seed: Seed) {
        let state = self.midgame(seed);
        let who = self.0.turn(&state).players().iter().next().expect("a player is to move half way through");
        let mut sampler = self.0.sampler(&self.0.known(&state, Observer::Seat(who)));
        let mut rng = seed.stream(fogtree_core::Purpose::Sampling);
        let mut world = self.0.start();
        for _ in 0..times {
            std::hint::black_box(self.0.sample(&mut sampler, &mut rng, &mut world));
        }
    }
}
