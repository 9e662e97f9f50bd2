//! An agent for games that nobody has seen before: it looks at the game and then plays what suits it.
//!
//! A game that is small enough is solved: by minimax where nothing is hidden, else before the first move by regret
//! minimisation, the strategies found being played. Otherwise the facts of the game decide between searches: UCT
//! where nothing is hidden and players take turns, a search for simultaneous choices where these are all that is
//! hidden, information-set search for the rest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use fogtree_core::{
    About, Agent, AgentFailure, AverageStrategy, BadSpec, Budget, Chance, Decision, Event, Facts, InfoSet,
    Param, Params, Player, Rewards, Seed, Spec, Utility,
};
use fogtree_solve::cfr::{Updates, Variant};
use fogtree_solve::{Config, Solver, StrategyFile};

use crate::agents::{Family, Offers, time_from_text};
use crate::erased::AnyGame;
use crate::registry::AgentEntry;
use crate::strategy::StrategyPlayer;

static GGP: About = About {
    name: "ggp",
    summary: "Looks at a game first: solves it if it is small, and else plays the search that suits it",
    source: "gdl 5.4, 7 (L3, L7, L8)",
    params: &[
        Param {
            name: "iterations",
            default: "10000",
            about: "playouts per decision, where it searches; without a limit if only a time is given",
        },
        Param {
            name: "time",
            default: "none",
            about: "time per decision, as in 500ms or 1s; results are then not reproducible",
        },
        Param {
            name: "solve",
            default: "50000",
            about: "games of at most so many nodes are solved, before the first move if something is hidden; 0 for none",
        },
        Param { name: "sweeps", default: "1000", about: "iterations of the solver (cfr+), at most" },
        Param {
            name: "start",
            default: "none",
            about: "time for solving, as in 10s; results are then not reproducible",
        },
    ],
    presets: &[],
    tiny: "",
};

/// Solving stops here: nobody could gain a ten-thousandth of a reward on it.
const TARGET: f64 = 1e-4;

/// How a game is played.
#[derive(Clone)]
enum Plan {
    /// By strategies found beforehand.
    Strategies(Arc<StrategyFile>),
    /// By a search of this name, for a reason.
    Search(&'static str, &'static str),
}

/// Plans by everything that was asked for: a match asks for the same agent over and over.
type Plans = Mutex<HashMap<String, Plan>>;

/// The registry's entry.
pub(crate) fn entry() -> AgentEntry {
    let plans = Plans::default();
    AgentEntry::new(&GGP, move |game, params| match plan(game, params, &plans)? {
        Plan::Strategies(file) => {
            let agent = Box::new(StrategyPlayer::new((*file).clone()));
            Ok((told(agent, "solved beforehand".to_string()), Budget::default()))
        }
        Plan::Search(name, reason) => {
            let (family, budget) = family(name, params)?;
            let agent = family.agent_within(game.model(), &budget);
            Ok((told(agent, format!("{name}, since {reason}")), budget))
        }
    })
}

/// How to play a game of which nothing is known yet.
fn plan(game: &dyn AnyGame, params: &Params, plans: &Plans) -> Result<Plan, BadSpec> {
    let limit: usize = params.number("solve", 0..=1_000_000_000)?;
    let sweeps = params.number("sweeps", 1..=1_000_000_000)?;
    if params.is_given("time") && time_from_text(params.text("time")).is_none() {
        return Err(params.bad("time", "a time such as 500ms, 1s or 2m"));
    }
    let time = match params.text("start") {
        "none" => None,
        text => {
            Some(time_from_text(text).ok_or_else(|| params.bad("start", "a time such as 500ms, 1s or 2m"))?)
        }
    };
    let asked = format!("{} {limit} {sweeps} {time:?}", game.spec());
    let mut plans = plans.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = plans.get(&asked) {
        return Ok(known.clone());
    }
    let solver = Solver::Cfr(Variant::Plus, Updates::Alternating);
    let config =
        Config { iterations: Some(sweeps), time, target: Some(TARGET), limit, ..Config::new(solver) };
    let plan = make_plan(game, &config);
    // Without a specification nothing tells a game from another.
    if !game.spec().is_empty() {
        plans.insert(asked, plan.clone());
    }
    Ok(plan)
}

fn make_plan(game: &dyn AnyGame, config: &Config) -> Plan {
    let facts = game.facts();
    let (name, reason) = searching(facts);
    // Beyond two players with opposite interests an equilibrium promises nothing.
    let promising = facts.players == 1 || facts.players == 2 && facts.utility != Utility::General;
    if config.limit == 0 || !promising || facts.chance == Chance::Sampled {
        return Plan::Search(name, reason);
    }
    if !facts.hidden && !facts.simultaneous {
        return match game.compiled(config.limit) {
            Ok(_) => Plan::Search("minimax", "nothing is hidden and the game is small"),
            Err(_) => Plan::Search(name, reason),
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
fn family(name: &str, params: &Params) -> Result<(Family, Budget), BadSpec> {
    let about = Family::ALL.iter().find(|about| about.name == name).expect("the search is a standard one");
    let takes = |key: &&str| about.params.iter().any(|p| p.name == *key);
    let given = ["iterations", "time"].into_iter().filter(|key| params.is_given(key)).filter(takes);
    let given = given.map(|key| (key.to_string(), params.text(key).to_string()));
    let spec = Spec { name: name.to_string(), params: given.collect() };
    Family::read(name, &about.params(&spec)?, &Offers::default())
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

    fn prepare(&mut self, budget: &Budget) -> u64 {
        self.agent.prepare(budget)
    }

    fn observe(&mut self, event: &Event) {
        self.agent.observe(event);
    }

    fn average_strategies(&self, tell: &mut dyn FnMut(AverageStrategy<'_>)) {
        self.agent.average_strategies(tell);
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let mut decision = self.agent.act(info, budget)?;
        decision.report.remark = Some(self.how.clone());
        Ok(decision)
    }

    fn end(&mut self, rewards: &Rewards) {
        self.agent.end(rewards);
    }
}
