//! Whole turns, planned: for games in which a player makes many choices in a row.
//!
//! A plan is what to do in one's own turn up to its end. The best plan found is followed as long as what is seen is
//! what was foreseen; a surprise makes a new plan. Where turns have one choice, a plan is a move. How plans are found:
//!
//! - [`Method::Drawn`], depth-limited Monte Carlo (DLMC): plans are drawn by a policy, each in a world drawn from the
//!   information set; so many playouts, each up to a horizon, say what it is worth. A plan that wins at once is played
//!   without looking further. Sources: Fujiki and others 2015; the public TUBSTAP program M3Lee, with 150 plans of 50
//!   playouts of two turns (`tubstap/2.8`, `tubstap/2.10`). With a policy that attacks whenever it can, plans are those
//!   of attack action search.
//! - [`Method::Rivals`], the whole of M3Lee: the plan of DLMC against one that UCT makes move by move ([`rivals`]).
//! - [`Method::Rhea`]: plans evolve ([`rhea`]). [`Method::Tbets`]: plans of both sides evolve in a tree ([`tbets`]).
//!
//! All but the first judge a plan in several worlds. What cannot be done in one of them is left out there, and what is
//! then left to do is drawn.

mod drawn;
pub mod entry;
pub mod rhea;
pub mod rivals;
pub mod tbets;
mod turn;

use std::sync::Arc;

use fogtree_core::{
    Agent, AgentFailure, Budget, Decision, InfoSet, Model, Move, Player, Report, Seed, Simulation,
};

pub use rhea::Rhea;
pub use rivals::Rivals;
pub use tbets::Tbets;

use crate::UctSearch;
use turn::{Bench, Plan};

/// When a plan is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replan {
    /// After something was seen that was not foreseen.
    #[default]
    Surprised,
    /// After every move.
    Always,
}

/// How plans are found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Drawn by the policy (DLMC).
    Drawn,
    /// Drawn, and rivalled by a plan of UCT (M3Lee).
    Rivals(Rivals),
    /// Evolved (RHEA).
    Rhea(Rhea),
    /// Evolved in a tree of turns (TBETS).
    Tbets(Tbets),
}

/// What can be set about planning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How plans are found.
    pub method: Method,
    /// By which of the game's policies moves of plans are drawn; uniformly if by none.
    pub policy: Option<usize>,
    /// The playouts that judge a plan: all in the world in which it was drawn (DLMC), or each in another.
    pub playouts: u32,
    /// How games are played out. In a game that cannot judge a state, to the end whatever the horizon.
    pub simulation: Simulation,
    /// When a plan is given up.
    pub replan: Replan,
}

impl Settings {
    /// DLMC as in M3Lee, with uniformly random plans and playouts.
    pub const DLMC: Settings = Settings {
        method: Method::Drawn,
        policy: None,
        playouts: 50,
        simulation: Simulation::UNIFORM.to(fogtree_core::Horizon::Turns(2)),
        replan: Replan::Surprised,
    };
}

/// The player that plans turns. Its budget counts plans that are judged.
#[derive(Debug)]
pub struct Planner {
    bench: Bench,
    method: Method,
    replan: Replan,
    plan: Plan,
    uct: Option<Box<UctSearch>>,
}

impl Planner {
    /// A player of a game.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> Planner {
        let uct = match settings.method {
            Method::Rivals(rivals) => Some(Box::new(UctSearch::with(game, rivals.uct))),
            _ => None,
        };
        Planner {
            bench: Bench::new(game, &settings),
            method: settings.method,
            replan: settings.replan,
            plan: Plan::new(),
            uct,
        }
    }

    fn find(&mut self, info: &InfoSet, budget: &Budget) -> (Plan, Report) {
        self.bench.until = budget.deadline();
        let before: Vec<Move> = self.plan.iter().rev().map(|step| step.1).collect();
        match self.method {
            Method::Drawn => drawn::find(&mut self.bench, info, budget),
            Method::Rivals(rivals) => {
                let uct = self.uct.as_mut().expect("a tree search was made for it");
                rivals::find(rivals, &mut self.bench, uct, info, budget)
            }
            Method::Rhea(rhea) => rhea::find(rhea, &mut self.bench, &before, info, budget),
            Method::Tbets(tbets) => tbets::find(tbets, &mut self.bench, &before, info, budget),
        }
    }
}

impl Agent for Planner {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.bench.seed(seed);
        if let Some(uct) = &mut self.uct {
            uct.seed(seed.named("tree"));
        }
        self.plan.clear();
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        if let [action] = info.legal[..] {
            // What was planned for this moment is done.
            self.plan.pop();
            return Ok(Decision { action, report: Report::default() });
        }
        let foreseen = self.plan.last().is_some_and(|(key, _)| *key == info.key);
        if let Some((_, action)) = self.plan.pop_if(|_| foreseen && self.replan == Replan::Surprised) {
            return Ok(Decision { action, report: Report::default() });
        }
        let (plan, report) = self.find(info, budget);
        self.plan = plan;
        let planned = self.plan.pop().map(|step| step.1);
        let action = planned.filter(|action| info.legal.contains(action)).unwrap_or(info.legal[0]);
        Ok(Decision { action, report })
    }
}
