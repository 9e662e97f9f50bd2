//! Information-set Monte Carlo tree search.
//!
//! One tree over information sets instead of one tree per determinization: every iteration draws a fresh world
//! from the searcher's information set and descends through nodes that many worlds share. With a single
//! observer there is one tree, in which the others' hidden moves are treated as if they were seen
//! ([`Observers::Single`], SO-ISMCTS) or as what the searcher sees of them ([`Observers::Partial`], SO-ISMCTS+POM); with several ([`Observers::Multiple`], MO-ISMCTS) each player has a tree of its own, in which
//! nodes are what that player knows. Sources: Cowling, Powley and Whitehouse, *Information set Monte Carlo tree
//! search* (2012); Whitehouse 2014, §5.2.3 and §6.3.1 (`ismcts/3.14`, `ismcts/3.16`).

mod acting;
mod chance;
mod engine;
mod keys;
mod partial;
mod select;
mod store;
mod worlds;

use std::sync::Arc;
use std::time::Instant;

use acting::ActingEngine;
use engine::{Engine, Findings, Search};
use fogtree_core::{Agent, Budget, Decision, Game, InfoSet, Player, Purpose, Report, Rng, Seed};
use partial::PartialEngine;

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
pub enum Together {
    /// Each by EXP3, which mixes.
    Exp3,
    /// Each by the same bound as elsewhere.
    Ucb1,
}

/// What can be set about a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Config {
    /// Whose information sets are the nodes.
    pub observers: Observers,
    /// The exploration constant, for rewards scaled to [0, 1].
    pub c: f64,
    /// How players choose when they choose at the same time.
    pub together: Together,
    /// Whether the searcher's own tree is kept from move to move (several observers only).
    pub reuse: bool,
    /// The most bytes for the trees of all threads; beyond them the search goes on without growing.
    pub memory: usize,
    /// Independent searches whose root statistics are added up. The result depends on their number.
    pub threads: usize,
}

fn engine<G: Game>(game: &G, config: Config) -> Box<dyn Search<G>> {
    match config.observers {
        Observers::Single | Observers::Multiple => Box::new(Engine::new(game, config)),
        Observers::Partial => Box::new(PartialEngine::new(game, config)),
        Observers::Acting => Box::new(ActingEngine::new(game, config)),
    }
}

/// The ISMCTS player.
pub struct Ismcts<G: Game> {
    game: Arc<G>,
    engines: Vec<Box<dyn Search<G>>>,
    ties: Rng,
}

impl<G: Game> Ismcts<G> {
    /// A player of a game.
    pub fn new(game: &Arc<G>, config: Config) -> Ismcts<G> {
        let threads = config.threads.max(1);
        let share = Config { memory: config.memory / threads, ..config };
        Ismcts {
            game: Arc::clone(game),
            engines: (0..threads).map(|_| engine(&**game, share)).collect(),
            ties: Seed(0).stream(Purpose::Ties),
        }
    }

    /// Searches on all threads; the first engine searches on this one.
    fn search(&mut self, info: &InfoSet<G>, budget: &Budget) -> Vec<Findings<G::Action>> {
        let game = &*self.game;
        let threads = self.engines.len() as u64;
        let share = |i: u64| Budget {
            iterations: budget.iterations.map(|n| (n / threads + u64::from(i < n % threads)).max(1)),
            ..budget.clone()
        };
        let (first, others) = self.engines.split_first_mut().expect("there is an engine");
        std::thread::scope(|scope| {
            let started: Vec<_> = others
                .iter_mut()
                .zip(1..)
                .map(|(engine, i)| {
                    let budget = share(i);
                    scope.spawn(move || engine.search(game, info, &budget))
                })
                .collect();
            let mut findings = vec![first.search(game, info, &share(0))];
            findings.extend(started.into_iter().map(|t| t.join().expect("a search does not panic")));
            findings
        })
    }
}

impl<G: Game> Agent<G> for Ismcts<G> {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.ties = seed.stream(Purpose::Ties);
        for (engine, i) in self.engines.iter_mut().zip(0..) {
            engine.seed(seed.named("thread").number(i));
        }
    }

    fn act(&mut self, info: &InfoSet<G>, budget: &Budget) -> Decision<G::Action> {
        if let [action] = info.legal[..] {
            return Decision { action, report: Report::default() };
        }
        let began = Instant::now();
        let mut findings = self.search(info, budget).into_iter();
        let mut all = findings.next().expect("there is an engine");
        for more in findings {
            all.table.merge(&more.table);
            all.iterations += more.iterations;
            all.nodes += more.nodes;
            all.depth = all.depth.max(more.depth);
            all.kept.0 += more.kept.0;
            all.kept.1 += more.kept.1;
        }
        let table = all.table;
        let action = table.best(&mut self.ties, |i| table.visits(i) as f64);
        let report = Report {
            moves: table.reports(),
            iterations: all.iterations,
            nodes: all.nodes,
            depth: all.depth,
            time: began.elapsed(),
            kept_nodes: all.kept.0,
            kept_visits: all.kept.1,
        };
        Decision { action, report }
    }
}
