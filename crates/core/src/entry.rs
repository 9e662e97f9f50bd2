//! Agents that can be asked for by name: what they take, what they need of a game, how they are made.
//!
//! An [`AgentEntry`] stands beside its algorithm, in this workspace or in any other crate. Registries list entries;
//! help, refusals and reading all come from them.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use crate::{About, Agent, BadSpec, Budget, Chance, Model, Params, Player, Policy, Utility};

/// An agent that can be asked for by name.
#[derive(Clone, Copy)]
pub struct AgentEntry {
    /// What there is to say of it.
    pub about: &'static About,
    /// What it needs of a game, with these parameters.
    pub needs: fn(&Params) -> Vec<Need>,
    /// Whether it is given the true state.
    pub cheats: bool,
    /// Whether it draws worlds of what it knows.
    pub draws: bool,
    /// Makes it; what it needs is there.
    pub make: &'static MakeAgent,
}

/// Makes an agent with its budget.
pub type MakeAgent = dyn Fn(&Asked<'_>) -> Made + Send + Sync;

/// An agent with its budget, or why its parameters cannot be.
pub type Made = Result<(Box<dyn Agent>, Budget), BadSpec>;

impl AgentEntry {
    /// An honest agent for all games.
    pub const fn new(about: &'static About, make: &'static MakeAgent) -> AgentEntry {
        AgentEntry { about, needs: |_| Vec::new(), cheats: false, draws: true, make }
    }

    /// The same agent, which needs something of a game.
    #[must_use]
    pub const fn with_needs(self, needs: fn(&Params) -> Vec<Need>) -> AgentEntry {
        AgentEntry { needs, ..self }
    }

    /// The same agent, which draws no worlds.
    #[must_use]
    pub const fn without_worlds(self) -> AgentEntry {
        AgentEntry { draws: false, ..self }
    }

    /// The same agent, given the true state.
    #[must_use]
    pub const fn cheating(self) -> AgentEntry {
        AgentEntry { cheats: true, ..self }
    }
}

impl fmt::Debug for AgentEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AgentEntry { about, cheats, .. } = self;
        f.debug_struct("AgentEntry").field("about", about).field("cheats", cheats).finish_non_exhaustive()
    }
}

/// What somebody asks for: an agent for this game with these parameters.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The game.
    pub game: &'a Arc<dyn Model>,
    /// The specification that the game was made from; empty if there is none.
    pub spec: &'a str,
    /// That specification as a seat may know it.
    pub told: &'a dyn Fn(Player) -> String,
    /// The parameters.
    pub params: &'a Params,
    /// What else the program that asks has to offer, to entries that come with it.
    pub host: &'a dyn Any,
}

/// Something that an agent needs of a game, and which agents do without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// What is needed.
    pub what: Needed,
    /// Agents to use instead, in games that do not have it.
    pub instead: &'static [&'static str],
}

/// What an agent may need of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Needed {
    /// Nothing but simultaneous moves is hidden from anybody.
    PerfectInformation,
    /// No two players ever move at the same time.
    Turns,
    /// All outcomes of chance can be listed.
    ListedChance,
    /// There are two players.
    TwoPlayers,
    /// All rewards of a game add up to the same.
    ConstantSum,
    /// There is a hidden part that beliefs are about, for this purpose.
    HiddenPart(&'static str),
    /// The game can tell what a player may know next.
    InfoTree,
    /// It has an evaluation of information sets of this name.
    Evaluation(String),
    /// It has a simulation of information sets of this name.
    Simulation(String),
}

impl Needed {
    /// The need, with the agents to use instead.
    pub const fn or(self, instead: &'static [&'static str]) -> Need {
        Need { what: self, instead }
    }

    /// Why a game does not have it, if it does not.
    pub fn refusal(&self, game: &dyn Model) -> Option<String> {
        let facts = game.facts();
        let of_trees = |kind, name: &str, all: fn(&dyn crate::world::InfoTrees) -> &'static [Policy]| {
            let all = game.info_tree().map_or(&[][..], all);
            let names: Vec<&str> = all.iter().map(|policy| policy.name).collect();
            let listed = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            (names.contains(&name), format!("it has no {kind} '{name}' (it has {listed})"))
        };
        let is = |has: bool, why: &str| (has, why.to_string());
        let (has, why) = match self {
            Needed::PerfectInformation => is(!facts.hidden, "it has hidden information"),
            Needed::Turns => is(!facts.simultaneous, "it has simultaneous moves"),
            Needed::ListedChance => is(facts.chance != Chance::Sampled, "its chance cannot be listed"),
            Needed::TwoPlayers => is(facts.players == 2, "it is not for two players"),
            Needed::ConstantSum => {
                is(facts.utility != Utility::General, "what one player wins the other need not lose")
            }
            Needed::HiddenPart(purpose) => {
                (game.hidden_part().is_some(), format!("it has no hidden part {purpose}"))
            }
            Needed::InfoTree => is(game.info_tree().is_some(), "it cannot tell what a player may know next"),
            Needed::Evaluation(name) => of_trees("evaluation", name, |tree| tree.evaluations()),
            Needed::Simulation(name) => of_trees("simulation", name, |tree| tree.simulations()),
        };
        (!has).then_some(why)
    }
}

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Needed::PerfectInformation => "no hidden information",
            Needed::Turns => "no simultaneous moves",
            Needed::ListedChance => "chance that can be listed",
            Needed::TwoPlayers => "two players",
            Needed::ConstantSum => "rewards of a constant sum",
            Needed::HiddenPart(_) => "a hidden part",
            Needed::InfoTree => "trees of information sets",
            Needed::Evaluation(name) => return write!(f, "the evaluation '{name}'"),
            Needed::Simulation(name) => return write!(f, "the simulation '{name}'"),
        })
    }
}
