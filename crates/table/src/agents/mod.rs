//! The standard agents: what they are called, what they take, which games they refuse.
//!
//! This is the one place where every game meets every engine family.

mod about;
mod infer;
mod read;

use std::sync::Arc;

use fogtree_core::{
    About, Agent, BadSpec, Budget, Chance, Facts, Model, Params, Policy, Simulation, Utility,
};
use fogtree_search::exact::minimax::Settings;
use fogtree_search::exact::{alpha_beta, star_minimax};
use fogtree_search::is_mcts::IsMcts;
use fogtree_search::ismcts::{self, Ismcts, Observers};
use fogtree_search::{
    Allocation, AlphaBeta, BeliefPlayer, BsMcts, Candidates, Division, Expectimax, FirstLegal, FlatMc,
    InfoTreePlayer, KnownState, Minimax, ModelKind, MtMoIsmcts, OneTree, Oos, OpponentModel, PerTurn, Pimc,
    Planner, PolicyPlayer, Random, SmMcts, StarMinimax, Tiigr, Uct, UctSearch, Vote, WithInference, bs_mcts,
    info_tree, is_mcts, multi_tree, oos, plans, sm_mcts, tiigr, uct,
};
pub use read::time_from_text;

/// A family of engines with its parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Family {
    /// Uniformly random play.
    Random,
    /// One of the game's policies, by place; uniformly random play if none.
    Policy(Option<usize>),
    /// The first legal move.
    FirstLegal,
    /// Flat Monte Carlo.
    FlatMc(Allocation, Simulation),
    /// UCT.
    Uct(uct::Settings),
    /// UCT on the true state.
    CheatingUct(uct::Settings),
    /// Whole turns, planned by one method or another.
    Plans(plans::Settings),
    /// Minimax.
    Minimax(Settings),
    /// Minimax on the true state.
    CheatingMinimax(Settings),
    /// *-minimax.
    StarMinimax(star_minimax::Settings),
    /// Worlds searched one by one.
    Pimc(Solving, Division, Vote),
    /// Worlds searched one iteration each, in one tree.
    OneTree(uct::Settings),
    /// PIMC with the true state for every world.
    CheatingEnsemble(uct::Settings, Division, Vote),
    /// The possible states followed through a game and searched one by one.
    Tiigr(tiigr::Settings),
    /// Minimax in every world of the information set.
    PimcMinimax(Settings, Belief),
    /// Expectimax over information sets.
    IsExpectimax(Settings, Belief),
    /// Information-set Monte Carlo tree search, by its observers.
    Ismcts(Box<ismcts::Config>),
    /// Information-set Monte Carlo tree search with several trees per player, which infers and bluffs.
    MtMoIsmcts(Inferring),
    /// The same, knowing everything but what it infers.
    CheatingMtMoIsmcts(Inferring),
    /// Belief-state Monte Carlo tree search.
    BsMcts(bs_mcts::Settings),
    /// IS-MCTS or Smooth UCT, by the selection.
    IsMcts(is_mcts::Settings),
    /// Search on what one player may know.
    InfoTree(OneView),
    /// Online outcome sampling.
    Oos(oos::Settings),
    /// Simultaneous-move MCTS or outcome sampling, by the method.
    SmMcts(sm_mcts::Settings),
    /// A family that draws worlds, as a search of so many iterations beside each decision infers.
    Believing(Box<Family>, u64),
}

/// How a world is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Solving {
    /// UCT.
    Uct(uct::Settings),
    /// Minimax.
    Minimax(Settings),
    /// Alpha-beta that looks at few moves.
    AlphaBeta(alpha_beta::Settings),
}

/// Which worlds an exact player looks into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Belief {
    /// What it takes the others for; then worlds in which they would have played otherwise are left out.
    pub model: Option<ModelKind>,
    /// How many worlds are drawn where they cannot be listed.
    pub samples: usize,
    /// The most worlds followed through a game, with a model.
    pub candidates: usize,
}

/// How an agent infers and bluffs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Inferring {
    /// The parameters of the search.
    pub settings: multi_tree::Settings,
    /// Whether inference or bluffing was asked for expressly, for which a game must say what beliefs are about.
    pub needs_hidden_part: bool,
}

/// A search from one player's view, with what it asks of games by name; nothing stands for the first.
#[derive(Clone, PartialEq, Debug)]
pub struct OneView {
    /// The parameters of the search, with numbers yet to be found by name.
    pub settings: info_tree::Settings,
    /// The evaluation.
    pub evaluation: Option<String>,
    /// The simulation.
    pub simulation: Option<String>,
}

impl OneView {
    /// The settings for a game.
    fn of(&self, game: &dyn Model) -> info_tree::Settings {
        let mut settings = self.settings;
        let Some(tree) = game.info_tree() else { return settings };
        let find = |all, name: &Option<String>| name.as_deref().and_then(|name| Policy::find(all, name));
        settings.evaluation = find(tree.evaluations(), &self.evaluation).unwrap_or(0);
        if let info_tree::Method::Uct { leaf: info_tree::Leaf::Simulate { which, .. }, .. } =
            &mut settings.method
        {
            *which = find(tree.simulations(), &self.simulation).unwrap_or(0);
        }
        settings
    }
}

/// What a game offers by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    /// Ways of playing out.
    pub policies: &'static [Policy],
    /// Ways of judging an unfinished game.
    pub evaluations: &'static [Policy],
    /// Evaluations and simulations of information sets, if it can tell what players may know next.
    pub info_tree: Option<[&'static [Policy]; 2]>,
}

impl Offers {
    /// What a game offers.
    pub fn of(game: &dyn Model) -> Offers {
        let info_tree = game.info_tree().map(|tree| [tree.evaluations(), tree.simulations()]);
        Offers { policies: game.policies(), evaluations: game.evaluations(), info_tree }
    }
}

/// Agents for games with hidden information or simultaneous moves.
const GENERAL: &[&str] = &["mo-ismcts", "pimc", "flat-mc"];

impl Family {
    /// What exists.
    pub const ALL: &[&About] = about::ALL;

    /// The family and budget that a specification asks for, for a game that offers this.
    pub fn read(name: &str, params: &Params, offers: &Offers) -> Result<(Family, Budget), BadSpec> {
        let read = Family::read_by_name(name, params, offers)?;
        match read {
            (
                Family::CheatingUct(_) | Family::CheatingEnsemble(..) | Family::CheatingMtMoIsmcts(_),
                budget,
            ) if budget.turn.is_some() => Err(params.bad("time", "a time for each decision, as in 500ms")),
            (family, budget) => Ok((infer::beside(family, params)?, budget)),
        }
    }

    fn read_by_name(name: &str, params: &Params, offers: &Offers) -> Result<(Family, Budget), BadSpec> {
        let c = || params.number("c", 0.0..=1000.0);
        let unlimited = Budget::default;
        Ok(match name {
            "random" => (Family::Random, unlimited()),
            "policy" => (Family::Policy(read::policy("name", params, offers)?), unlimited()),
            "dlmc" | "m3lee" | "rhea" | "tbets" => {
                (Family::Plans(read::plans_settings(name, params, offers)?), read::budget(params)?)
            }
            "first-legal" => (Family::FirstLegal, unlimited()),
            "flat-mc" => {
                let c = c()?;
                let choices = [("even", Allocation::Even), ("ucb1", Allocation::Ucb1(c))];
                let simulation = read::simulation(params, offers)?;
                (Family::FlatMc(params.choice("allocation", &choices)?, simulation), read::budget(params)?)
            }
            "uct" => (Family::Uct(read::uct_settings(params, offers)?), read::budget(params)?),
            "cheating-uct" => {
                (Family::CheatingUct(read::uct_settings(params, offers)?), read::budget(params)?)
            }
            "minimax" => (Family::Minimax(read::settings(params)?), unlimited()),
            "cheating-minimax" => (Family::CheatingMinimax(read::settings(params)?), unlimited()),
            "star-minimax" => read::star_minimax(params)?,
            "pimc" => {
                let (solving, vote) = read::solving(params, offers)?;
                let (division, budget) = read::division(params)?;
                match (params.choice("trees", &[("worlds", false), ("one", true)])?, solving) {
                    (false, _) => (Family::Pimc(solving, division, vote), budget),
                    (true, Solving::Uct(settings)) if settings.preload != uct::Preload::Nothing => {
                        return Err(params.bad("preload", "none, if all worlds share a tree"));
                    }
                    (true, Solving::Uct(settings)) => {
                        let iterations =
                            division.determinizations.map(|n| n.saturating_mul(division.iterations));
                        (Family::OneTree(settings), Budget { iterations, ..budget })
                    }
                    (true, Solving::Minimax(_) | Solving::AlphaBeta(_)) => {
                        return Err(params.bad("trees", "worlds: only uct has a tree to share"));
                    }
                }
            }
            "tiigr" => read::tiigr(params)?,
            "cheating-ensemble" => {
                let (division, budget) = read::division(params)?;
                let settings = read::uct_in_worlds(params, offers)?;
                (Family::CheatingEnsemble(settings, division, params.choice("vote", &read::VOTES)?), budget)
            }
            "pimc-minimax" => {
                (Family::PimcMinimax(read::settings(params)?, read::belief(params)?), unlimited())
            }
            "is-expectimax" => {
                (Family::IsExpectimax(read::settings(params)?, read::belief(params)?), unlimited())
            }
            "so-ismcts" => Family::ismcts(Observers::Single, false, params, offers)?,
            "so-ismcts-pom" => Family::ismcts(Observers::Partial, false, params, offers)?,
            "mo-ismcts" => Family::ismcts(Observers::Multiple, params.flag("reuse")?, params, offers)?,
            "ris-mcts" => Family::ismcts(Observers::Acting, false, params, offers)?,
            "mt-mo-ismcts" => (Family::MtMoIsmcts(read::inferring(params)?), read::budget(params)?),
            "cheating-mt-mo-ismcts" => {
                (Family::CheatingMtMoIsmcts(read::inferring(params)?), read::budget(params)?)
            }
            "bs-mcts" => (Family::BsMcts(read::bs_mcts_settings(params, offers)?), read::budget(params)?),
            "is-mcts" | "smooth-uct" => {
                (Family::IsMcts(read::is_mcts_settings(name, params, offers)?), read::budget(params)?)
            }
            "ist-minimax" | "ist-uct" => {
                (Family::InfoTree(read::info_tree(name, params)?), read::budget(params)?)
            }
            "oos" => (Family::Oos(read::oos_settings(params)?), read::budget(params)?),
            "sm-mcts" => (Family::SmMcts(read::sm_mcts_settings(params)?), read::budget(params)?),
            "sm-oos" => (Family::SmMcts(read::sm_oos_settings(params)?), read::budget(params)?),
            name => unreachable!("{name} is listed but cannot be read"),
        })
    }

    fn ismcts(
        observers: Observers,
        reuse: bool,
        params: &Params,
        offers: &Offers,
    ) -> Result<(Family, Budget), BadSpec> {
        let config = read::ismcts_config(observers, reuse, params, offers)?;
        Ok((Family::Ismcts(Box::new(config)), read::budget(params)?))
    }

    /// Why this family cannot play a game with these facts, with or without a hidden part that beliefs could be about,
    /// and which agents can.
    pub fn refusal(
        &self,
        facts: &Facts,
        has_hidden_part: bool,
    ) -> Option<(&'static str, &'static [&'static str])> {
        const EXACT: &[&str] = &["is-expectimax", "pimc-minimax", "pimc"];
        match self {
            Family::Uct(_) if facts.hidden => Some(("it has hidden information", GENERAL)),
            Family::Uct(_) if facts.simultaneous => Some(("it has simultaneous moves", GENERAL)),
            Family::Minimax(_) | Family::StarMinimax(_) if facts.hidden => {
                Some(("it has hidden information", EXACT))
            }
            Family::Minimax(_) | Family::StarMinimax(_) if facts.simultaneous => {
                Some(("it has simultaneous moves", EXACT))
            }
            Family::Minimax(_) | Family::StarMinimax(_) | Family::CheatingMinimax(_)
                if facts.chance == Chance::Sampled =>
            {
                Some(("its chance cannot be listed", &["cheating-uct", "pimc", "flat-mc"]))
            }
            Family::PimcMinimax(..) | Family::IsExpectimax(..) | Family::Pimc(Solving::Minimax(_), ..)
                if facts.chance == Chance::Sampled =>
            {
                Some(("its chance cannot be listed", &["pimc(search=uct)", "flat-mc"]))
            }
            Family::Believing(..) if !has_hidden_part => {
                Some(("it has no hidden part to infer", &["mo-ismcts(infer=off)", "pimc(infer=off)"]))
            }
            Family::Believing(family, _) => family.refusal(facts, has_hidden_part),
            Family::MtMoIsmcts(config) if config.needs_hidden_part && !has_hidden_part => {
                Some(("it has no hidden part to infer or to bluff about", &["mt-mo-ismcts", "mo-ismcts"]))
            }
            Family::CheatingMtMoIsmcts(_) if !has_hidden_part => {
                Some(("it has no hidden part to be left out", &["cheating-uct", "cheating-ensemble"]))
            }
            Family::SmMcts(_) if facts.hidden && facts.players == 2 && facts.utility != Utility::General => {
                Some(("it has hidden information", &["oos", "is-mcts", "mo-ismcts"]))
            }
            Family::IsMcts(_) | Family::Oos(_) | Family::SmMcts(_) if facts.players != 2 => {
                Some(("it is not for two players", GENERAL))
            }
            Family::IsMcts(_) | Family::Oos(_) | Family::SmMcts(_) if facts.utility == Utility::General => {
                Some(("what one player wins the other need not lose", GENERAL))
            }
            Family::Oos(_) if facts.chance == Chance::Sampled => {
                Some(("its chance cannot be listed", &["is-mcts", "mo-ismcts", "pimc"]))
            }
            _ => None,
        }
    }

    /// What this family asks of a game that does not offer it, and which agents ask for less.
    pub fn missing(&self, offers: &Offers) -> Option<(String, &'static [&'static str])> {
        let lacks = |kind: &str, all: &[Policy], name: &Option<String>| {
            let name = name.as_deref().filter(|name| Policy::find(all, name).is_none())?;
            let names: Vec<&str> = all.iter().map(|policy| policy.name).collect();
            let names = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            Some(format!("it has no {kind} '{name}' (it has {names})"))
        };
        match self {
            Family::InfoTree(view) => {
                let Some([evaluations, simulations]) = offers.info_tree else {
                    return Some(("it cannot tell what a player may know next".to_string(), GENERAL));
                };
                let why = lacks("evaluation", evaluations, &view.evaluation);
                let why = why.or_else(|| lacks("simulation", simulations, &view.simulation));
                why.map(|why| (why, &["ist-minimax", "ist-uct"][..]))
            }
            Family::Believing(family, _) => family.missing(offers),
            _ => None,
        }
    }

    /// Whether agents of this family are given the true state.
    pub fn cheats(&self) -> bool {
        matches!(
            self,
            Family::CheatingUct(_)
                | Family::CheatingMinimax(_)
                | Family::CheatingEnsemble(..)
                | Family::CheatingMtMoIsmcts(_)
        )
    }

    /// An agent of this family for a game that keeps to a time per turn, if the budget has one.
    pub(crate) fn agent_within(&self, game: &Arc<dyn Model>, budget: &Budget) -> Box<dyn Agent> {
        let agent = self.agent(game);
        if budget.turn.is_some() { Box::new(PerTurn::new(game, agent)) } else { agent }
    }

    /// An agent of this family for a game.
    pub(crate) fn agent(&self, game: &Arc<dyn Model>) -> Box<dyn Agent> {
        match *self {
            Family::Random => Box::new(Random::new(game)),
            Family::Policy(policy) => Box::new(PolicyPlayer::new(game, policy)),
            Family::FlatMc(allocation, simulation) => {
                Box::new(FlatMc::new(game, allocation).with_simulation(simulation))
            }
            Family::Uct(settings) => Box::new(Uct::new(game, UctSearch::with(game, settings))),
            Family::CheatingUct(settings) => Box::new(Uct::new(game, UctSearch::with(game, settings))),
            Family::Plans(settings) => Box::new(Planner::new(game, settings)),
            Family::FirstLegal => Box::new(FirstLegal),
            Family::Minimax(settings) => Box::new(KnownState::new(game, Minimax::new(game, settings))),
            Family::StarMinimax(settings) => {
                Box::new(KnownState::new(game, StarMinimax::new(game, settings)))
            }
            Family::CheatingMinimax(settings) => {
                Box::new(KnownState::new(game, Minimax::new(game, settings)))
            }
            Family::Pimc(Solving::Uct(settings), division, vote) => {
                Box::new(Pimc::new(game, UctSearch::with(game, settings), division, vote))
            }
            Family::OneTree(settings) => Box::new(OneTree::new(game, UctSearch::with(game, settings))),
            Family::Pimc(Solving::Minimax(settings), division, vote) => {
                Box::new(Pimc::new(game, Minimax::new(game, settings), division, vote))
            }
            Family::Pimc(Solving::AlphaBeta(settings), division, vote) => {
                Box::new(Pimc::new(game, AlphaBeta::new(game, settings), division, vote))
            }
            Family::CheatingEnsemble(settings, division, vote) => {
                Box::new(Pimc::new(game, UctSearch::with(game, settings), division, vote))
            }
            Family::Tiigr(settings) => Box::new(Tiigr::new(game, settings)),
            Family::PimcMinimax(settings, belief) => {
                Box::new(BeliefPlayer::new(belief.of(game, settings), Minimax::new(game, settings)))
            }
            Family::IsExpectimax(settings, belief) => {
                Box::new(BeliefPlayer::new(belief.of(game, settings), Expectimax::new(game, settings.nodes)))
            }
            Family::Ismcts(ref config) => Box::new(Ismcts::new(game, **config)),
            Family::MtMoIsmcts(config) => Box::new(MtMoIsmcts::new(game, config.settings)),
            Family::CheatingMtMoIsmcts(config) => Box::new(MtMoIsmcts::new(game, config.settings)),
            Family::BsMcts(settings) => Box::new(BsMcts::new(game, settings)),
            Family::IsMcts(settings) => Box::new(IsMcts::new(game, settings)),
            Family::InfoTree(ref view) => Box::new(InfoTreePlayer::new(game, view.of(&**game))),
            Family::Oos(settings) => Box::new(Oos::new(game, settings)),
            Family::SmMcts(settings) => Box::new(SmMcts::new(game, settings)),
            Family::Believing(ref family, iterations) => {
                let settings = multi_tree::Settings::default();
                Box::new(WithInference::new(game, family.agent(game), settings, iterations))
            }
        }
    }
}

impl Belief {
    fn of(self, game: &Arc<dyn Model>, settings: Settings) -> Candidates {
        let model = self.model.map(|kind| OpponentModel::new(game, kind, settings, self.samples));
        Candidates::new(game, model, self.samples, self.candidates)
    }
}
