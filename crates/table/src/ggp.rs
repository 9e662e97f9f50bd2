//! An agent for games that nobody has seen before: it looks at the game and then plays what suits it.
//!
//! A game that is small enough is solved: by minimax where nothing is hidden, else before the first move by regret
//! minimisation, the strategies found being played. Otherwise the facts of the game decide between searches: UCT
//! where nothing is hidden and players take turns, a search for simultaneous choices where these are all that is
//! hidden, information-set search for the rest.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Asked, BadSpec, Budget, Chance, Deadline, Decision, Domain,
    Facts, InfoSet, Made, Param, Player, Seed, Spec, Utility, hand_on_to,
};
use fogtree_search::kit::params::ITERATIONS;
use fogtree_solve::cfr::{Updates, Variant};
use fogtree_solve::{Config, Solver, StrategyFile};

use crate::erased::AnyGame;
use crate::strategy::StrategyPlayer;

/// The general player, by name.
pub(crate) static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "ggp",
        "Looks at a game first: solves it if it is small, and else plays the search that suits it",
        "gdl 5.4, 7 (L3, L7, L8)",
        &[
            Param {
                about: "playouts per decision, where it searches; without a limit if only a time is given",
                ..ITERATIONS
            },
            Param::new(
                "time",
                "none",
                Domain::Time,
                "time per decision, as in 500ms or 1s; results are then not reproducible",
            ),
            Param::new(
                "solve",
                "50000",
                Domain::Integer(0, 1_000_000_000),
                "games of at most so many nodes are solved, before the first move if something is hidden; 0 for none",
            ),
            Param::new(
                "sweeps",
                "1000",
                Domain::Integer(1, 1_000_000_000),
                "iterations of the solver (cfr+), at most",
            ),
            Param::new(
                "start",
                "none",
                Domain::Time,
                "time for solving, as in 10s; results are then not reproducible",
            ),
        ],
    ),
    &|asked| match plan(asked)? {
        Plan::Strategies(file) => {
            let agent = Box::new(StrategyPlayer::new((*file).clone()));
            Ok((told(agent, "solved beforehand".to_string()), Budget::default()))
        }
        Plan::Search(name, reason) => {
            let (agent, budget) = search(name, asked)?;
            Ok((told(agent, format!("{name}, since {reason}")), budget))
        }
    },
);

/// Solving stops here: nobody could gain a ten-thousandth of a reward on it.
const TARGET: f64 = 1e-4;

/// Minimax goes no deeper: its stack is that of whoever plays.
const DEEPEST: usize = 1_000;

/// How a game is played.
#[derive(Clone)]
enum Plan {
    /// By strategies found beforehand.
    Strategies(Arc<StrategyFile>),
    /// By a search of this name, for a reason.
    Search(&'static str, &'static str),
}

/// So many plans are kept: programs that run for long meet many games.
const MOST_PLANS: usize = 64;

/// Plans by everything that was asked for: a match asks for the same agent over and over.
static PLANS: LazyLock<Mutex<HashMap<String, Plan>>> = LazyLock::new(Mutex::default);

/// How to play a game of which nothing is known yet.
fn plan(asked: &Asked<'_>) -> Result<Plan, BadSpec> {
    let params = asked.params;
    let limit: usize = params.number("solve")?;
    let sweeps = params.number("sweeps")?;
    params.time("time")?;
    let time = params.time("start")?;
    // To put a tree together takes its time, too.
    let hurried = time.filter(|_| !params.is_given("solve")).map(|time| 4 * time.as_millis() as usize);
    let limit = hurried.map_or(limit, |most| limit.min(most));
    let wanted = format!("{} {limit} {sweeps} {time:?}", asked.spec);
    let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = plans.get(&wanted) {
        return Ok(known.clone());
    }
    let solver = Solver::Cfr(Variant::Plus, Updates::Alternating);
    let config =
        Config { iterations: Some(sweeps), time, target: Some(TARGET), limit, ..Config::new(solver) };
    let plan = make_plan(asked, &config);
    // Without a specification nothing tells a game from another.
    if !asked.spec.is_empty() {
        if plans.len() >= MOST_PLANS {
            plans.clear();
        }
        plans.insert(wanted, plan.clone());
    }
    Ok(plan)
}

fn make_plan(asked: &Asked<'_>, config: &Config) -> Plan {
    let facts = asked.game.facts();
    let (name, reason) = searching(facts);
    // Only a registry of this crate knows how to solve games.
    let Some(game) = asked.host.downcast_ref::<Arc<dyn AnyGame>>() else {
        return Plan::Search(name, reason);
    };
    // Beyond two players with opposite interests an equilibrium promises nothing.
    let promising = facts.players == 1 || facts.players == 2 && facts.utility != Utility::General;
    if config.limit == 0 || !promising || facts.chance == Chance::Sampled {
        return Plan::Search(name, reason);
    }
    if !facts.hidden && !facts.simultaneous {
        return match game.compiled(config.limit, &Deadline::NEVER) {
            Ok(tree) if tree.depth() <= DEEPEST => {
                Plan::Search("minimax", "nothing is hidden and the game is small")
            }
            Ok(_) | Err(_) => Plan::Search(name, reason),
        };
    }
    let solved = game.solve(config, Some("ggp"), &mut |_| {});
    match solved.ok().and_then(|found| found.strategies) {
        Some(file) => Plan::Strategies(Arc::new(file)),
        None => Plan::Search(name, reason),
    }
}

/// The search for games with these facts, and why.
fn searching(facts: &Facts) -> (&'static str, &'static str) {
    let opposed = facts.players == 2 && facts.utility != Utility::General;
    match (facts.hidden, facts.simultaneous) {
        (true, _) => ("mo-ismcts", "something is hidden"),
        (false, true) if opposed => ("sm-mcts", "choices are simultaneous and nothing else is hidden"),
        (false, true) => ("mo-ismcts", "choices are simultaneous"),
        (false, false) => ("uct", "nothing is hidden"),
    }
}

/// A search with the budget asked for, if it takes one, and its own defaults for the rest.
fn search(name: &str, asked: &Asked<'_>) -> Made {
    let entry =
        fogtree_search::entries().find(|e| e.about.name == name).expect("the search is a standard one");
    let takes = |key: &&str| asked.params.is_given(key) && entry.about.param(key).is_some();
    let given = ["iterations", "time"].into_iter().filter(takes);
    let given = given.map(|key| (key.to_string(), asked.params.text(key).to_string()));
    let spec = Spec { name: name.to_string(), params: given.collect() };
    (entry.make)(&Asked { params: &entry.about.params(&spec)?, ..*asked })
}

fn told(agent: Box<dyn Agent>, how: String) -> Box<dyn Agent> {
    Box::new(Told { agent, how })
}

/// An agent whose decisions tell how they were found.
struct Told {
    agent: Box<dyn Agent>,
    how: String,
}

impl Agent for Told {
    fn start(&mut self, seat: Player, seed: Seed) {
        self.agent.start(seat, seed);
    }

    hand_on_to!(agent);

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let mut decision = self.agent.act(info, budget)?;
        decision.report.remark = Some(self.how.clone());
        Ok(decision)
    }
}
