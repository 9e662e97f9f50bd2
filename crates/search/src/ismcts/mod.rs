//! Information-set Monte Carlo tree search.
//!
//! One tree over information sets instead of one tree per determinization: every iteration draws a fresh world
//! from the searcher's information set and descends through nodes that many worlds share. With a single
//! observer there is one tree, in which the others' hidden moves are treated as if they were seen
//! ([`Observers::Single`], SO-ISMCTS) or as what the searcher sees of them ([`Observers::Partial`], SO-ISMCTS+POM); with several ([`Observers::Multiple`], MO-ISMCTS) each player has a tree of its own, in which
//! nodes are what that player knows. Sources: Cowling, Powley and Whitehouse, *Information set Monte Carlo tree
//! search* (2012); Whitehouse 2014, §5.2.3 and §6.3.1 (`ismcts/3.14`, `ismcts/3.16`).

mod acting;
mod choose;
mod engine;
pub mod entry;
mod explain;
mod guided;
mod informed;
mod narrowed;
mod partial;
mod search;

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use acting::ActingEngine;
use engine::Engine;
use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, Explain, InfoSet, Model, Move, Player, Progress, Purpose, Report,
    Rng, Seed, Simulation, TreeLimits, Watch, kept_figures,
};
use partial::PartialEngine;
use search::{Findings, Search};

use crate::EXPLORATION;
use crate::kit::explanation::{Explanation, merge_trees};
use crate::kit::final_move::Final;
use crate::kit::narrow::Narrow;
use crate::learn::{Enhance, Learned, Plain, Tally};

/// Whose information sets are the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observers {
    /// One tree: the searcher's, in which all moves are seen in full.
    Single,
    /// One tree: the searcher's, in which moves are seen as the searcher sees them.
    Partial,
    /// A tree for each player.
    Multiple,
    /// A tree for each player, who also draws the worlds in which its decisions are judged (RIS-MCTS).
    Acting,
}

/// How players choose when they choose at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simultaneous {
    /// Each by EXP3, which mixes.
    Exp3,
    /// Each by the same bound as elsewhere, one after the other: once one of them tries something new, the rest choose at
    /// random. If they tried new moves in the same iteration, players with equal rewards would choose alike for ever.
    Ucb1,
}

/// The bound by which moves are chosen in the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// UCB1 with the exploration constant.
    Ucb1,
    /// UCB1-Tuned, which estimates how much exploration is needed from the variance of the rewards.
    Tuned,
}

/// What the nodes of other players are told apart by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opponents {
    /// By what was done and seen since the root: a player decides for all that it could hold together.
    Published,
    /// Also by what the player knows in the world that was drawn. A node is split off from the one that all share at
    /// every `split`-th visit to that, and begins with what is known there; with 1, there is nothing shared.
    Informed {
        /// How many visits to the shared node split one off.
        split: u32,
    },
}

/// What can be set about a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Whose information sets are the nodes.
    pub observers: Observers,
    /// The exploration constant, for rewards scaled to [0, 1].
    pub c: f64,
    /// What the nodes of others are told apart by. With [`Observers::Acting`] they are always told apart by all that
    /// their players know.
    pub opponents: Opponents,
    /// How players choose when they choose at the same time.
    pub simultaneous: Simultaneous,
    /// Whether the searcher's own tree is kept from move to move (several observers only).
    pub reuse: bool,
    /// The most bytes for the trees of all threads; beyond them the search goes on without growing.
    pub memory: usize,
    /// Independent searches whose root statistics are added up. The result depends on their number.
    pub threads: usize,
    /// The bound in the tree (a single observer or several).
    pub select: Select,
    /// What is learnt from playouts, each component in a quarter of the memory. It can guide the tree with a single
    /// observer or several, below it with [`Observers::Partial`] too; [`Observers::Acting`] learns nothing.
    pub enhance: Enhance,
    /// How games are played out, as far as what was learnt does not decide.
    pub simulation: Simulation,
    /// Which moves are looked at (a single observer or several, where turns are taken one by one).
    pub narrow: Narrow,
    /// Which move is played.
    pub last: Final,
}

impl Config {
    /// The usual settings.
    pub const fn new(observers: Observers) -> Config {
        Config {
            observers,
            c: EXPLORATION,
            opponents: Opponents::Published,
            simultaneous: Simultaneous::Exp3,
            reuse: false,
            memory: 1 << 30,
            threads: 1,
            select: Select::Ucb1,
            enhance: Enhance::BASE,
            simulation: Simulation::UNIFORM,
            narrow: Narrow::OFF,
            last: Final::Visits,
        }
    }
}

fn engine(game: &dyn Model, config: Config) -> Box<dyn Search> {
    let Config { select, enhance, c, memory, simulation, .. } = config;
    let learned = || Learned::new(game, &enhance, select, c, memory / 4).with_simulation(simulation);
    let plain = Plain(simulation);
    match (config.observers, enhance.is_base() && select == Select::Ucb1) {
        (Observers::Single | Observers::Multiple, true) => Box::new(Engine::new(game, config, plain)),
        (Observers::Single | Observers::Multiple, false) => Box::new(Engine::new(game, config, learned())),
        (Observers::Partial, true) => Box::new(PartialEngine::new(game, config, plain)),
        (Observers::Partial, false) => Box::new(PartialEngine::new(game, config, learned())),
        (Observers::Acting, _) => Box::new(ActingEngine::new(game, config)),
    }
}

/// The ISMCTS player.
pub struct Ismcts {
    game: Arc<dyn Model>,
    engines: Vec<Box<dyn Search>>,
    last: Final,
    reuse: bool,
    ties: Rng,
}

impl Ismcts {
    /// A player of a game.
    pub fn new(game: &Arc<dyn Model>, config: Config) -> Ismcts {
        let threads = config.threads.max(1);
        let share = Config { memory: config.memory / threads, ..config };
        Ismcts {
            game: Arc::clone(game),
            engines: (0..threads).map(|_| engine(&**game, share)).collect(),
            last: config.last,
            reuse: config.reuse,
            ties: Seed(0).stream(Purpose::Ties),
        }
    }

    /// Searches on all threads; the first engine searches on this one.
    fn search(&mut self, info: &InfoSet, budget: &Budget) -> Vec<Findings> {
        let game = &*self.game;
        let threads = self.engines.len() as u64;
        let watches = watches(budget, threads as usize);
        let share = |i: u64| Budget {
            iterations: budget.iterations.map(|n| (n / threads + u64::from(i < n % threads)).max(1)),
            watch: watches[i as usize].clone(),
            explain: budget.explain.map(|e| if threads == 1 { e } else { whole(e) }),
            ..budget.clone()
        };
        let (first, others) = self.engines.split_first_mut().expect("there is an engine");
        std::thread::scope(|scope| {
            let started: Vec<_> = others
                .iter_mut()
                .zip(1..)
                .map(|(engine, i)| {
                    let budget = share(i);
                    scope.spawn(move || {
                        let mut found = None;
                        game.on_thread(&mut || found = Some(engine.search(game, info, &budget)));
                        found
                    })
                })
                .collect();
            let mut findings = vec![first.search(game, info, &share(0))];
            let others = started.into_iter().map(|t| t.join().unwrap_or_else(|panic| resume_unwind(panic)));
            findings.extend(others.flatten());
            findings
        })
    }
}

/// For every thread a watch that notes how the thread stands; the first shows them all together.
fn watches(budget: &Budget, threads: usize) -> Vec<Option<Watch>> {
    let Some(watch) = budget.watch.as_ref().filter(|_| threads > 1) else {
        return vec![budget.watch.clone(); threads];
    };
    let all = Arc::new(Mutex::new(vec![Progress::default(); threads]));
    let of = |i: usize| {
        let (all, outer) = (Arc::clone(&all), watch.clone());
        Watch::every(watch.interval(), move |progress| {
            let mut noted = all.lock().unwrap_or_else(PoisonError::into_inner);
            noted[i] = progress.clone();
            if i == 0 {
                let mut sum = progress.clone();
                noted[1..].iter().for_each(|other| sum.merge(other));
                drop(noted);
                outer.show(&sum);
            }
        })
    };
    (0..threads).map(|i| Some(of(i))).collect()
}

/// What a thread explains whose tree is to be added to others: what it visited rarely others may have visited often.
fn whole(explain: Explain) -> Explain {
    Explain { tree: explain.tree.map(|limits| TreeLimits { visits: 0, ..limits }) }
}

impl Ismcts {
    /// What all threads have to tell after a move was chosen; the line is that of the thread which tried it most.
    fn tell(&self, action: Move, explain: Explain, most: usize) -> Explanation {
        let mut all: Vec<Explanation> = self.engines.iter().map(|e| e.tell(&*self.game, action)).collect();
        let mut told = Explanation { line: std::mem::take(&mut all[most].line), ..Explanation::default() };
        all.iter().for_each(|t| told.add_profile(&t.profile));
        told.trees = match (explain.tree, &mut all[..]) {
            (None, _) => Vec::new(),
            (_, [one]) => std::mem::take(&mut one.trees),
            (Some(limits), _) => merge_trees(all.into_iter().map(|t| t.trees).collect(), limits),
        };
        told
    }
}

/// Searches with some knowledge from what a seat knows and may do; returns the knowledge afterwards.
#[cfg(test)]
pub(crate) fn search_once<K: crate::learn::Knowledge>(
    config: Config,
    knowledge: K,
    info: &InfoSet,
    iterations: u64,
) -> K {
    let mut engine = Engine::new(&*info.game, config, knowledge);
    engine.seed(Seed(1));
    engine.search(&*info.game, info, &Budget::iterations(iterations));
    engine.knowledge
}

/// How much all threads have learnt: records, and how often each was written on average (what threads share
/// counts on each of them); where one of several was to be chosen, also the mean correlation of each, its
/// mean certainty and the share of the threads that chose it.
fn figures<'a>(threads: impl Iterator<Item = &'a [Tally]>) -> Vec<(String, f64)> {
    let mut sums: Vec<Tally> = Vec::new();
    for thread in threads {
        sums.resize_with(thread.len(), Tally::default);
        for (sum, one) in sums.iter_mut().zip(thread) {
            sum.add(one);
        }
    }
    let of = |t: &Tally| {
        let records = (format!("{} records", t.name), t.records as f64);
        let trials = t.trials.map(|n| (format!("{} trials", t.name), n as f64 / t.records.max(1) as f64));
        let fitness = t.fitness.into_iter().flat_map(|fit| {
            let threads = f64::from(fit.threads);
            let correlation = (format!("auto correlation {}", t.name), fit.correlation / threads);
            let certainty = (format!("auto certainty {}", t.name), fit.certainty / threads);
            [correlation, certainty, (format!("auto chose {}", t.name), f64::from(fit.chosen) / threads)]
        });
        std::iter::once(records).chain(trials).chain(fitness).collect::<Vec<_>>()
    };
    sums.iter().flat_map(of).collect()
}

impl Agent for Ismcts {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.ties = seed.stream(Purpose::Ties);
        for (engine, i) in self.engines.iter_mut().zip(0..) {
            engine.seed(seed.named("thread").number(i));
        }
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        if let [action] = info.legal[..] {
            return Ok(Decision { action, report: Report::default() });
        }
        let began = Instant::now();
        let findings = self.search(info, budget);
        let time = began.elapsed();
        let mut all = findings[0].table.clone();
        findings[1..].iter().for_each(|more| all.merge(&more.table));
        let action = self.last.of(&all, info.seat, &mut self.ties);
        let told = budget.explain.map(|explain| {
            let tries = |f: &Findings| f.table.visits(f.table.index_of(action));
            let most = (0..findings.len()).rev().max_by_key(|&i| tries(&findings[i]));
            self.tell(action, explain, most.expect("there is an engine"))
        });
        let told = told.unwrap_or_default();
        let sum = |of: fn(&Findings) -> u64| findings.iter().map(of).sum::<u64>();
        let iterations = sum(|f| f.iterations);
        let mut figures = figures(findings.iter().map(|f| &f.learnt[..]));
        if self.reuse {
            figures.extend(kept_figures(sum(|f| f.kept.0), sum(|f| f.kept.1)));
        }
        let report = Report {
            moves: all.reports_of_worlds(),
            iterations,
            nodes: sum(|f| f.nodes),
            depth: findings.iter().map(|f| f.depth).max().unwrap_or(0),
            time,
            tried: Some(sum(|f| f.tried)),
            bytes: Some(sum(|f| f.bytes)),
            mean_depth: Some(sum(|f| f.made) as f64 / iterations.max(1) as f64),
            profile: told.profile,
            line: told.line,
            trees: told.trees,
            figures,
            ..Report::default()
        };
        Ok(Decision { action, report })
    }
}
