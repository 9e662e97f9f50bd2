//! Belief-state Monte Carlo tree search.
//!
//! A node is a *belief state*: a set of states, each with what came of every action in it, and with the
//! probability that it is the real one. Worlds are drawn from what the searcher knows and searched one after another,
//! all in one tree; whoever decides looks at the mean over all beliefs of the node, not at the world searched. The
//! probabilities are learned on the way. *Opponent Guessing* is for nodes of the searcher: the utility that a state
//! has shown says how likely it is. *Opponent Predicting* is for nodes of the others: good moves are likely but
//! not certain. Source: Wang, Zhu, Li, Hsueh and Wu, *Belief-state Monte-Carlo tree search for Phantom games* (CIG
//! 2015), and its use in Pipan 2021, §3.5 and appendix 1.6 (`tubstap/2.6`).
//!
//! # Variants
//!
//! [`Variant::Original`] has the published formulas as they are printed, [`Variant::Literal`] the listing in Pipan's
//! appendix with everything it does, and [`Variant::Corrected`], the usual one, differs from the original in this:
//! - where a belief has not tried an action, its utility there is left out of the mean, not taken for 0;
//! - beliefs count as often as the search met them, so that likely worlds weigh more ([`Prior::Factor`]): with the
//!   prior in the exponent, as printed, no guessing means that all worlds are equally likely, and a prior of
//!   one in many means no guessing;
//! - worlds are searched in turn ([`Order::InTurn`]), so that no action is judged by the first of them alone;
//! - nodes are what the searcher sees ([`Keys::Observation`]), not what was played;
//! - what the others have not tried is predicted to be worth as much as the mean of the node.
//!
//! Opponents maximise their own reward in all of them, unless [`View::Searcher`] is asked for.
//!
//! # How sharp opponents are
//!
//! The published constant of Opponent Predicting is 1, for which utilities 0 and 1 are chosen as 1 to 2.7: opponents are
//! taken for nearly random players, the more so the wider the rewards of a game spread. Against that the search finds
//! the best answer, which at Leduc poker loses more to a best response (2.9 a game) than random play does (2.5); with a
//! constant of 10 it loses 0.78, and with [`Keys::Observer`] and no guessing besides 0.67, where MO-ISMCTS loses 0.81
//! and PIMC 1.16 (1000 iterations; the test `exploitability_of_every_search` measures it). A very sharp softmax
//! never returns to a move that was unlucky once; [`Predict::Bound`] does.
//!
//! Any number of players can play, and players who choose at the same time choose one after another without
//! seeing it. Chance is drawn anew in every iteration.

mod belief_keys;
pub mod entry;
pub mod formulas;
mod index;
mod search;
mod store;
#[cfg(test)]
mod tests;
mod worlds;

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, InfoSet, Model, Move, MoveReport, PerPlayer, Player, Report,
    Rewards, Seed, Simulation, Utility, World,
};

use crate::kit::determinize::Determinizer;
use crate::kit::explanation::{Explanation, Words};
use crate::kit::root::RootTable;
use crate::{EXPLORATION, Scale};
pub use belief_keys::Keys;
use search::{Origin, Search};
use worlds::{Next, Plan, Worlds};

/// The worlds drawn per decision where no number is given (the public implementation `azbsmcts`).
pub const WORLDS: u64 = 64;
/// The iterations in each world where only the time is limited (from the same).
pub const PER_WORLD: u64 = 8;

/// Whose algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Wang and others 2015, as the formulas are printed.
    Original,
    /// With what had to be put right.
    Corrected,
    /// The listing of Pipan 2021, which looks one move ahead and makes `(T-1)(S-1)` iterations instead of `T S`. It
    /// does not say how to select: that is the original's.
    Literal,
}

/// In which order worlds are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// One after another, each until it has had its share of the iterations, as published. What looks bad in the first
    /// world may then never be tried in another.
    OneByOne,
    /// One iteration in each, again and again.
    InTurn,
}

/// Where the prior of a belief goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prior {
    /// `exp(lambda P U)`, as printed. P is the share of the draws that gave the state at the root, and 1 below.
    Exponent,
    /// `P exp(lambda U)`, where P is the share of the visits of the node in this state.
    Factor,
}

/// Opponent Guessing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guess {
    /// How strongly utilities are believed in. More than 0 takes the opponent to have left the searcher well off, less
    /// than 0 badly; 0 draws no conclusions.
    pub lambda: f64,
    /// Where the prior goes.
    pub prior: Prior,
}

/// Whose utility an opponent is taken to seek.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Its own.
    Own,
    /// The searcher's, as if it wished to help: an error that is easily made (`tubstap/H5`).
    Searcher,
}

/// How the others are taken to choose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Predict {
    /// Opponent Predicting: an action is as likely as `exp(lambda U)`.
    Softmax {
        /// How strongly they prefer what is good; at 0 they choose at random.
        lambda: f64,
        /// Whose utility is meant.
        view: View,
    },
    /// As the searcher chooses, by the greatest bound.
    Bound,
}

/// Which move is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// The one with the greatest utility.
    Value,
    /// The most visited.
    Visits,
}

/// The parameters of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Whose algorithm.
    pub variant: Variant,
    /// The exploration constant, for rewards scaled to [0, 1].
    pub c: f64,
    /// The worlds drawn per decision, T. A budget of iterations is divided among them; where only time is limited
    /// and they are searched one by one, each gets [`PER_WORLD`] and there are as many as the time allows.
    pub worlds: u64,
    /// In which order they are searched.
    pub order: Order,
    /// What tells belief states apart.
    pub keys: Keys,
    /// Opponent Guessing.
    pub guess: Guess,
    /// Opponent Predicting.
    pub predict: Predict,
    /// How games are played out.
    pub simulation: Simulation,
    /// Which move is played.
    pub play: Play,
    /// The most bytes for the tree; beyond them the search goes on without growing.
    pub memory: usize,
}

impl Settings {
    /// The usual settings of a variant.
    pub fn of(variant: Variant) -> Settings {
        let (keys, prior, order) = match variant {
            Variant::Corrected => (Keys::Observation, Prior::Factor, Order::InTurn),
            Variant::Original | Variant::Literal => (Keys::Action, Prior::Exponent, Order::OneByOne),
        };
        Settings {
            variant,
            c: EXPLORATION,
            worlds: WORLDS,
            order,
            keys,
            guess: Guess { lambda: 1.0, prior },
            predict: Predict::Softmax { lambda: 1.0, view: View::Own },
            simulation: Simulation::UNIFORM,
            play: Play::Value,
            memory: 1 << 30,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings::of(Variant::Corrected)
    }
}

/// The BS-MCTS player.
pub struct BsMcts {
    game: Arc<dyn Model>,
    settings: Settings,
    search: Search,
    worlds: Worlds,
    world: Box<dyn World>,
    scale: Scale,
}

impl fmt::Debug for BsMcts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BsMcts").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl BsMcts {
    /// A player of a game.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> BsMcts {
        let facts = game.facts();
        BsMcts {
            game: Arc::clone(game),
            search: Search::new(facts, &settings),
            worlds: Worlds::new(),
            world: game.start(),
            scale: Scale::of(facts),
            settings,
        }
    }

    /// The states held possible at the last decision, as far as they were searched, with their probabilities.
    pub fn believed(&self) -> impl Iterator<Item = (&dyn World, f64)> {
        let root = self.search.root();
        root.into_iter().flat_map(move |root| {
            let weight = self.search.store.node(root).weight;
            let beliefs = self.search.store.beliefs_of(root);
            beliefs.filter_map(move |b| Some((self.worlds.state(b.mark)?, b.weight / weight)))
        })
    }

    /// The utility of each legal move at the root, scaled to [0, 1], where it was tried.
    fn utilities(&self, legal: &[Move]) -> Vec<Option<f64>> {
        let Some(root) = self.search.root() else { return vec![None; legal.len()] };
        let (store, node) = (&self.search.store, self.search.store.node(root));
        let mut utilities = vec![None; legal.len()];
        for arm in store.arms_of(root).filter(|arm| arm.visits > 0) {
            if let Ok(i) = legal.binary_search(&arm.action) {
                utilities[i] = Some(self.search.utility(node, arm));
            }
        }
        utilities
    }

    /// Searches until the budget is used up; returns the iterations, the greatest depth and the sum of all depths.
    fn run(&mut self, info: &InfoSet, budget: &Budget, table: &mut RootTable) -> (u64, usize, u64) {
        let game = Arc::clone(&self.game);
        let mut draws = Determinizer::new(&*game, info);
        let mut drawn = self.world.boxed();
        let (mut depth, mut made) = (0, 0);
        let mut clock = budget.start();
        let Settings { variant, order, worlds, .. } = self.settings;
        let mut plan = Plan::new(variant, order, worlds, budget.iterations);
        loop {
            let next = plan.next(&mut self.worlds.turns, &mut self.search.sampling);
            if next == Next::End || !clock.tick() {
                break;
            }
            clock.show(|| table.progress(self.search.store.len() as u64, depth));
            let number = match next {
                Next::Again(number) => number,
                _ => {
                    draws.draw(&mut self.search.sampling, &mut *drawn);
                    self.worlds.draw(&*drawn, || self.search.belief_keys.roots(&*drawn))
                }
            };
            let (state, times, roots) = self.worlds.get(number);
            self.world.copy_from(state);
            let prior = times as f64 / plan.worlds() as f64;
            let (first, rewards) =
                self.search.iterate(&*game, &mut *self.world, Origin { number, prior, roots });
            if let Some(first) = first {
                table.add(table.index_of(first), &rewards, 1.0);
            }
            depth = depth.max(self.search.path.len());
            made += self.search.path.len() as u64;
        }
        if let Some(root) = self.search.root() {
            self.search.store.refresh(root);
        }
        (clock.done(), depth, made)
    }

    /// What was found out about each move, with the utility that decides in place of the mean reward.
    fn moves(&self, seat: Player, table: &RootTable, utilities: &[Option<f64>]) -> Vec<MoveReport> {
        let facts = self.game.facts();
        let opposed = facts.players == 2 && facts.utility != Utility::General;
        let value = |means: &Rewards, utility: f64| {
            let own = self.scale.reward(utility);
            let sum: f64 = means.iter().sum();
            PerPlayer::from_fn(means.len(), |p| match p {
                p if p == seat => own,
                _ if opposed => sum - own,
                p => means[p],
            })
        };
        let report = |(report, utility): (MoveReport, &Option<f64>)| MoveReport {
            values: report.values.as_ref().zip(*utility).map(|(means, u)| value(means, u)),
            ..report
        };
        table.reports_of_worlds().into_iter().zip(utilities).map(report).collect()
    }
}

impl Agent for BsMcts {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.search.seed(seed);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        if let [action] = info.legal[..] {
            return Ok(Decision { action, report: Report::default() });
        }
        let began = Instant::now();
        let game = Arc::clone(&self.game);
        let players = game.facts().players;
        let mut table = RootTable::new(&info.legal, players);
        self.worlds.clear();
        self.search.begin(info.seat, players, budget.explain);
        let (iterations, depth, made) = self.run(info, budget, &mut table);
        let utilities = self.utilities(&info.legal);
        let action = table.best(&mut self.search.ties, |i| match self.settings.play {
            Play::Value => utilities[i].unwrap_or(-1.0),
            Play::Visits => table.visits(i) as f64,
        });
        let moves = self.moves(info.seat, &table, &utilities);
        let words =
            Words { name: &|_, action| game.move_name(action), explain: &|seen, by| game.explain(seen, by) };
        let store = &self.search.store;
        let told = self.search.trace.take().map(|trace| trace.tell(store, self.search.root(), action, words));
        let Explanation { profile, line, trees } = told.unwrap_or_default();
        let report = Report {
            moves,
            iterations,
            nodes: store.len() as u64,
            depth: depth as u32,
            time: began.elapsed(),
            tried: Some(store.tried()),
            bytes: Some(store.bytes() as u64),
            mean_depth: Some(made as f64 / iterations.max(1) as f64),
            profile,
            line,
            trees,
            beliefs: self.worlds.named(&*game, info.seat, self.believed(), budget.explain.is_some()),
            figures: self.worlds.figures(self.believed().map(|(_, b)| b), store.beliefs_len()),
            ..Report::default()
        };
        Ok(Decision { action, report })
    }
}
