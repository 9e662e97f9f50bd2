//! The standard agents: what they are called, what they take, which games they refuse.
//!
//! This is the one place where every game meets every engine family.

use std::sync::Arc;
use std::time::Duration;

use fogtree_core::{About, Agent, BadSpec, Budget, Chance, CheatingAgent, Facts, Game, Param, Params};
use fogtree_search::minimax::Settings;
use fogtree_search::{Allocation, CheatingUct, FlatMc, Random, Uct};
use fogtree_search::{
    BeliefPlayer, Candidates, CheatingEnsemble, CheatingMinimax, Division, Expectimax, Minimax,
    MinimaxPlayer, Model, ModelKind, Pimc, UctSearch, Vote,
};

use crate::erased::{Mind, Typed};

/// A family of engines with its parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum Family {
    /// Uniformly random play.
    Random,
    /// Flat Monte Carlo.
    FlatMc(Allocation),
    /// UCT with this exploration constant.
    Uct(f64),
    /// UCT on the true state with this exploration constant.
    CheatingUct(f64),
    /// Minimax.
    Minimax(Settings),
    /// Minimax on the true state.
    CheatingMinimax(Settings),
    /// Worlds searched one by one.
    Pimc(Solving, Division, Vote),
    /// The same with the true state for every world and this exploration constant.
    CheatingEnsemble(f64, Division, Vote),
    /// Minimax in every world of the information set.
    PimcMinimax(Settings, Belief),
    /// Expectimax over information sets.
    IsExpectimax(Settings, Belief),
}

/// How a world is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Solving {
    /// UCT with this exploration constant.
    Uct(f64),
    /// Minimax.
    Minimax(Settings),
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

const ITERATIONS: Param = Param {
    name: "iterations",
    default: "10000",
    about: "playouts per decision; without a limit if only a time is given",
};
const TIME: Param = Param {
    name: "time",
    default: "none",
    about: "time per decision, as in 500ms or 1s; results are then not reproducible",
};
const C: Param = Param { name: "c", default: "0.7", about: "exploration constant, for rewards in [0, 1]" };

static RANDOM: About = About {
    name: "random",
    summary: "Plays uniformly at random",
    source: "ismcts 1.5",
    params: &[],
    presets: &[],
    tiny: "",
};
static FLAT_MC: About = About {
    name: "flat-mc",
    summary: "Averages random playouts after each move, over worlds drawn from the information set",
    source: "Whitehouse 2014, 3.2; ismcts 3.4",
    params: &[
        ITERATIONS,
        TIME,
        C,
        Param {
            name: "allocation",
            default: "ucb1",
            about: "which move gets the next playout: even (all in turn) or ucb1",
        },
    ],
    presets: &[],
    tiny: "",
};
static UCT: About = About {
    name: "uct",
    summary: "Monte Carlo tree search with UCB1, for games without hidden information",
    source: "Kocsis and Szepesvari 2006; Whitehouse 2014, 3.2.1; ismcts 3.5",
    params: &[ITERATIONS, TIME, C],
    presets: &[],
    tiny: "",
};
static CHEATING_UCT: About = About {
    name: "cheating-uct",
    summary: "UCT that looks at the true state: a yardstick, marked as cheating in every report",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.10",
    params: &[ITERATIONS, TIME, C],
    presets: &[],
    tiny: "",
};

const EPSILON: Param = Param {
    name: "epsilon",
    default: "0.001",
    about: "by how much minimax counts the mean of all moves, so that of equal moves it plays the one after \
            which the other may err; for rewards in [-1, 1]",
};
const NODES: Param = Param {
    name: "nodes",
    default: "1000000",
    about: "states an exact search may look into per decision; beyond these it guesses",
};
const DETERMINIZATIONS: Param = Param {
    name: "determinizations",
    default: "40",
    about: "worlds searched per decision; as many as fit if only a time is given",
};
const PER_WORLD: Param = Param { name: "iterations", default: "250", about: "playouts in each world" };
const SAMPLES: Param =
    Param { name: "samples", default: "100", about: "worlds drawn where they cannot be listed" };
const MODEL: Param = Param {
    name: "model",
    default: "none",
    about: "what the others are taken for: none, minimax (they know the state), pimc-minimax, is-expectimax; \
            worlds in which they would have played otherwise are left out",
};
const CANDIDATES: Param = Param {
    name: "candidates",
    default: "100000",
    about: "with a model: the most worlds followed through a game; if there are more, the model is left aside",
};

static MINIMAX: About = About {
    name: "minimax",
    summary: "Exact search for small games without hidden information; of equal moves it plays the trickier",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.8",
    params: &[NODES, EPSILON],
    presets: &[],
    tiny: "",
};
static CHEATING_MINIMAX: About = About {
    name: "cheating-minimax",
    summary: "Minimax that looks at the true state: a yardstick, marked as cheating in every report",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.8, 3.10",
    params: &[NODES, EPSILON],
    presets: &[],
    tiny: "",
};
static PIMC: About = About {
    name: "pimc",
    summary: "Draws worlds from the information set, searches each as if nothing were hidden, lets them vote",
    source: "Whitehouse 2014, 3.3.1, 5.1; ismcts 3.9",
    params: &[
        DETERMINIZATIONS,
        PER_WORLD,
        TIME,
        C,
        Param {
            name: "vote",
            default: "auto",
            about: "majority, weighted-majority, sum-of-scores, averaged-rewards, summed-visits; auto is \
                    summed-visits for uct and weighted-majority for minimax",
        },
        Param { name: "search", default: "uct", about: "how a world is searched: uct or minimax" },
        Param {
            name: "nodes",
            default: "100000",
            about: "for minimax: states it may look into per world; beyond these it guesses",
        },
        EPSILON,
    ],
    presets: &[],
    tiny: "",
};
static CHEATING_ENSEMBLE: About = About {
    name: "cheating-ensemble",
    summary: "PIMC with the true state for every world: a yardstick, marked as cheating in every report",
    source: "Whitehouse 2014, 5.2.4; ismcts 3.10",
    params: &[
        DETERMINIZATIONS,
        PER_WORLD,
        TIME,
        C,
        Param {
            name: "vote",
            default: "summed-visits",
            about: "majority, weighted-majority, sum-of-scores, averaged-rewards, summed-visits",
        },
    ],
    presets: &[],
    tiny: "",
};
static PIMC_MINIMAX: About = About {
    name: "pimc-minimax",
    summary: "Minimax in every world of the information set, each with a vote of its weight",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.11, 3.13",
    params: &[NODES, EPSILON, SAMPLES, MODEL, CANDIDATES],
    presets: &[],
    tiny: "",
};
static IS_EXPECTIMAX: About = About {
    name: "is-expectimax",
    summary: "Exact search over its information sets, against opponents who know the state",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.12, 3.13",
    params: &[
        NODES,
        Param { name: "epsilon", default: "0.001", about: "as for minimax, in models that play minimax" },
        SAMPLES,
        MODEL,
        CANDIDATES,
    ],
    presets: &[],
    tiny: "",
};

const VOTES: [(&str, Vote); 5] = [
    ("majority", Vote::Majority),
    ("weighted-majority", Vote::WeightedMajority),
    ("sum-of-scores", Vote::SumOfScores),
    ("averaged-rewards", Vote::AveragedRewards),
    ("summed-visits", Vote::SummedVisits),
];

impl Family {
    /// What exists.
    pub const ALL: &[&About] = &[
        &RANDOM,
        &FLAT_MC,
        &UCT,
        &CHEATING_UCT,
        &MINIMAX,
        &CHEATING_MINIMAX,
        &PIMC,
        &CHEATING_ENSEMBLE,
        &PIMC_MINIMAX,
        &IS_EXPECTIMAX,
    ];

    /// The family and budget that a specification asks for.
    pub fn read(name: &str, params: &Params) -> Result<(Family, Budget), BadSpec> {
        let c = || params.number("c", 0.0..=1000.0);
        let family = match name {
            "random" => return Ok((Family::Random, Budget::default())),
            "flat-mc" => {
                let c = c()?;
                let choices = [("even", Allocation::Even), ("ucb1", Allocation::Ucb1(c))];
                Family::FlatMc(params.choice("allocation", &choices)?)
            }
            "uct" => Family::Uct(c()?),
            "cheating-uct" => Family::CheatingUct(c()?),
            "minimax" => return Ok((Family::Minimax(settings(params)?), Budget::default())),
            "cheating-minimax" => return Ok((Family::CheatingMinimax(settings(params)?), Budget::default())),
            "pimc" => {
                let (solving, vote) = solving(params)?;
                let (division, budget) = division(params)?;
                return Ok((Family::Pimc(solving, division, vote), budget));
            }
            "cheating-ensemble" => {
                let (division, budget) = division(params)?;
                let vote = params.choice("vote", &VOTES)?;
                return Ok((Family::CheatingEnsemble(c()?, division, vote), budget));
            }
            "pimc-minimax" => {
                return Ok((Family::PimcMinimax(settings(params)?, belief(params)?), Budget::default()));
            }
            "is-expectimax" => {
                return Ok((Family::IsExpectimax(settings(params)?, belief(params)?), Budget::default()));
            }
            name => unreachable!("{name} is listed but cannot be read"),
        };
        Ok((family, budget(params)?))
    }

    /// Why this family cannot play a game with these facts, and which agents can.
    pub fn refusal(&self, facts: &Facts) -> Option<(&'static str, &'static [&'static str])> {
        match self {
            Family::Uct(_) if facts.hidden => {
                Some(("it has hidden information", &["flat-mc", "cheating-uct", "random"]))
            }
            Family::Uct(_) if facts.simultaneous => {
                Some(("it has simultaneous moves", &["flat-mc", "cheating-uct", "random"]))
            }
            Family::Minimax(_) if facts.hidden => {
                Some(("it has hidden information", &["is-expectimax", "pimc-minimax", "pimc"]))
            }
            Family::Minimax(_) if facts.simultaneous => {
                Some(("it has simultaneous moves", &["is-expectimax", "pimc-minimax", "pimc"]))
            }
            Family::Minimax(_) | Family::CheatingMinimax(_) if facts.chance == Chance::Sampled => {
                Some(("its chance cannot be listed", &["cheating-uct", "pimc", "flat-mc"]))
            }
            Family::PimcMinimax(..) | Family::IsExpectimax(..) | Family::Pimc(Solving::Minimax(_), ..)
                if facts.chance == Chance::Sampled =>
            {
                Some(("its chance cannot be listed", &["pimc(search=uct)", "flat-mc"]))
            }
            _ => None,
        }
    }

    /// An agent of this family for a game.
    pub(crate) fn mind<G: Game>(&self, game: &Arc<G>) -> Mind {
        fn honest<G: Game>(agent: impl Agent<G> + 'static) -> Mind {
            Mind::Honest(Box::new(Typed(Box::new(agent) as Box<dyn Agent<G>>)))
        }
        fn cheating<G: Game>(agent: impl CheatingAgent<G> + 'static) -> Mind {
            Mind::Cheating(Box::new(Typed(Box::new(agent) as Box<dyn CheatingAgent<G>>)))
        }
        match *self {
            Family::Random => honest::<G>(Random::new(game)),
            Family::FlatMc(allocation) => honest(FlatMc::new(game, allocation)),
            Family::Uct(c) => honest(Uct::new(game, c)),
            Family::CheatingUct(c) => cheating(CheatingUct::new(game, c)),
            Family::Minimax(settings) => honest(MinimaxPlayer::new(game, settings)),
            Family::CheatingMinimax(settings) => cheating(CheatingMinimax::new(game, settings)),
            Family::Pimc(Solving::Uct(c), division, vote) => {
                honest(Pimc::new(game, UctSearch::new(game, c), division, vote))
            }
            Family::Pimc(Solving::Minimax(settings), division, vote) => {
                honest(Pimc::new(game, Minimax::new(game, settings), division, vote))
            }
            Family::CheatingEnsemble(c, division, vote) => {
                cheating(CheatingEnsemble::new(game, UctSearch::new(game, c), division, vote))
            }
            Family::PimcMinimax(settings, belief) => {
                honest(BeliefPlayer::new(belief.of(game, settings), Minimax::new(game, settings)))
            }
            Family::IsExpectimax(settings, belief) => {
                honest(BeliefPlayer::new(belief.of(game, settings), Expectimax::new(game, settings.nodes)))
            }
        }
    }
}

impl Belief {
    fn of<G: Game>(self, game: &Arc<G>, settings: Settings) -> Candidates<G> {
        let model = self.model.map(|kind| Model::new(game, kind, settings, self.samples));
        Candidates::new(game, model, self.samples, self.candidates)
    }
}

fn settings(params: &Params) -> Result<Settings, BadSpec> {
    Ok(Settings {
        epsilon: params.number("epsilon", 0.0..=1.0)?,
        nodes: params.number("nodes", 1..=1_000_000_000_000)?,
    })
}

fn belief(params: &Params) -> Result<Belief, BadSpec> {
    let models = [
        ("none", None),
        ("minimax", Some(ModelKind::Minimax)),
        ("pimc-minimax", Some(ModelKind::PimcMinimax)),
        ("is-expectimax", Some(ModelKind::IsExpectimax)),
    ];
    Ok(Belief {
        model: params.choice("model", &models)?,
        samples: params.number("samples", 1..=1_000_000)?,
        candidates: params.number("candidates", 1..=100_000_000)?,
    })
}

/// How worlds are searched and how they vote.
fn solving(params: &Params) -> Result<(Solving, Vote), BadSpec> {
    let uct = Solving::Uct(params.number("c", 0.0..=1000.0)?);
    let minimax = Solving::Minimax(settings(params)?);
    let solving = params.choice("search", &[("uct", uct), ("minimax", minimax)])?;
    let vote = match (params.text("vote"), solving) {
        ("auto", Solving::Uct(_)) => Vote::SummedVisits,
        ("auto", Solving::Minimax(_)) => Vote::WeightedMajority,
        ("summed-visits", Solving::Minimax(_)) => {
            return Err(params.bad("vote", "another rule: minimax visits every move once"));
        }
        _ => params
            .choice("vote", &[("auto", Vote::SummedVisits)].into_iter().chain(VOTES).collect::<Vec<_>>())?,
    };
    Ok((solving, vote))
}

/// The worlds and the iterations in each; under a limit of time as many worlds as fit.
fn division(params: &Params) -> Result<(Division, Budget), BadSpec> {
    let budget = Budget { iterations: None, ..budget(params)? };
    let unlimited = budget.time.is_some() && !params.is_given("determinizations");
    let determinizations = params.number("determinizations", 1..=1_000_000_000)?;
    let iterations = params.number("iterations", 1..=1_000_000_000_000)?;
    Ok((Division { determinizations: (!unlimited).then_some(determinizations), iterations }, budget))
}

/// The budget that the keys `iterations` and `time` describe.
fn budget(params: &Params) -> Result<Budget, BadSpec> {
    let time = match params.text("time") {
        "none" => None,
        text => {
            Some(time_from_text(text).ok_or_else(|| params.bad("time", "a time such as 500ms, 1s or 2m"))?)
        }
    };
    let unlimited = time.is_some() && !params.is_given("iterations");
    let iterations = if unlimited { None } else { Some(params.number("iterations", 1..=1_000_000_000_000)?) };
    Ok(Budget { iterations, time, stop: None })
}

/// A time such as `500ms`, `1.5s` or `2m`, up to a day.
pub fn time_from_text(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * scale;
    (seconds > 0.0 && seconds <= 86_400.0).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    /// What is wrong with an agent for a game; nothing if it can be had.
    fn trouble(game: &str, agent: &str) -> String {
        let registry = Registry::standard();
        let game = registry.game(game).expect("the game exists");
        registry.agent(agent, &*game).err().map_or_else(String::new, |e| e.to_string())
    }

    #[test]
    fn exact_searches_refuse_what_they_cannot_play() {
        let instead = "use is-expectimax or pimc-minimax or pimc instead";
        assert!(trouble("kuhn-poker", "minimax").ends_with(&format!("hidden information; {instead}")));
        assert!(trouble("goofspiel(cards=3)", "minimax").ends_with(instead));
        for agent in ["cheating-minimax", "pimc", "pimc(search=minimax)", "pimc-minimax", "is-expectimax"] {
            assert_eq!(trouble("goofspiel(cards=3)", agent), "");
        }
    }

    #[test]
    fn votes_and_budgets_of_pimc_are_read() {
        let read = |text: &str| {
            let (about, spec) = About::find(Family::ALL.iter().copied(), "agent", &text.parse()?)?;
            let about = Family::ALL.iter().find(|a| a.name == about.name).expect("found by name");
            Family::read(about.name, &about.params(&spec)?)
        };
        let pimc = |text| match read(text).expect("a specification of PIMC") {
            (Family::Pimc(_, division, vote), _) => (division.determinizations, division.iterations, vote),
            other => panic!("{other:?}"),
        };
        assert_eq!(pimc("pimc"), (Some(40), 250, Vote::SummedVisits));
        assert_eq!(pimc("pimc(search=minimax)"), (Some(40), 250, Vote::WeightedMajority));
        assert_eq!(pimc("pimc(time=1s,vote=majority)"), (None, 250, Vote::Majority));
        assert_eq!(
            pimc("pimc(time=1s,determinizations=10,iterations=1000)"),
            (Some(10), 1000, Vote::SummedVisits)
        );
        let error = read("pimc(search=minimax,vote=summed-visits)").expect_err("minimax has no visits");
        assert!(error.to_string().contains("minimax visits every move once"), "{error}");
        assert!(read("pimc(vote=x)").is_err() && read("pimc-minimax(model=x)").is_err());
    }

    #[test]
    fn times_are_read() {
        assert_eq!(time_from_text("500ms"), Some(Duration::from_millis(500)));
        assert_eq!(time_from_text("1.5s"), Some(Duration::from_millis(1500)));
        assert_eq!(time_from_text("2m"), Some(Duration::from_secs(120)));
        for bad in ["", "1", "s", "-1s", "0s", "1h", "1e9s", "nans", "infs", "1 s x", "é"] {
            assert_eq!(time_from_text(bad), None, "{bad}");
        }
    }
}
