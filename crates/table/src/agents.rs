//! The standard agents: what they are called, what they take, which games they refuse.
//!
//! This is the one place where every game meets every engine family.

use std::sync::Arc;
use std::time::Duration;

use fogtree_core::{About, Agent, BadSpec, Budget, CheatingAgent, Facts, Game, Param, Params};
use fogtree_search::ismcts::{self, Observers, Together};
use fogtree_search::{Allocation, CheatingUct, FlatMc, Ismcts, Random, Uct};

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
    /// Information-set Monte Carlo tree search.
    Ismcts(ismcts::Config),
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

const TOGETHER: Param = Param {
    name: "together",
    default: "exp3",
    about: "how players choose who choose at the same time: exp3 or ucb1",
};
const MEMORY: Param = Param {
    name: "memory",
    default: "1024",
    about: "MiB for the trees; beyond them the search goes on without growing",
};
const THREADS: Param =
    Param { name: "threads", default: "1", about: "searches side by side, whose results are added up" };
static SO_ISMCTS: About = About {
    name: "so-ismcts",
    summary: "Information-set MCTS with one tree: the others' hidden moves count as seen",
    source: "Cowling, Powley and Whitehouse 2012; ismcts 3.14",
    params: &[ITERATIONS, TIME, C, TOGETHER, MEMORY, THREADS],
    presets: &[],
    tiny: "",
};
static SO_ISMCTS_POM: About = About {
    name: "so-ismcts-pom",
    summary: "Information-set MCTS with one tree over what the searcher sees of the others' moves",
    source: "Cowling, Powley and Whitehouse 2012; Whitehouse 2014, 6.3.1; ismcts 3.15",
    params: &[ITERATIONS, TIME, C, TOGETHER, MEMORY, THREADS],
    presets: &[],
    tiny: "",
};
static MO_ISMCTS: About = About {
    name: "mo-ismcts",
    summary: "Information-set MCTS with a tree for each player, over what that player knows",
    source: "Cowling, Powley and Whitehouse 2012; Whitehouse 2014, 6.3.1; ismcts 3.16",
    params: &[
        ITERATIONS,
        TIME,
        C,
        TOGETHER,
        MEMORY,
        THREADS,
        Param { name: "reuse", default: "no", about: "keep the own tree from move to move: yes or no" },
    ],
    presets: &[],
    tiny: "",
};

impl Family {
    /// What exists.
    pub const ALL: &[&About] =
        &[&RANDOM, &FLAT_MC, &UCT, &CHEATING_UCT, &SO_ISMCTS, &SO_ISMCTS_POM, &MO_ISMCTS];

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
            "so-ismcts" => Family::Ismcts(ismcts_config(Observers::Single, false, params)?),
            "so-ismcts-pom" => Family::Ismcts(ismcts_config(Observers::Partial, false, params)?),
            "mo-ismcts" => Family::Ismcts(ismcts_config(Observers::Multiple, params.flag("reuse")?, params)?),
            name => unreachable!("{name} is listed but cannot be read"),
        };
        Ok((family, budget(params)?))
    }

    /// Why this family cannot play a game with these facts, and which agents can.
    pub fn refusal(&self, facts: &Facts) -> Option<(&'static str, &'static [&'static str])> {
        match self {
            Family::Uct(_) if facts.hidden => {
                Some(("it has hidden information", &["mo-ismcts", "so-ismcts", "flat-mc"]))
            }
            Family::Uct(_) if facts.simultaneous => {
                Some(("it has simultaneous moves", &["mo-ismcts", "so-ismcts", "flat-mc"]))
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
            Family::Ismcts(config) => honest(Ismcts::new(game, config)),
        }
    }
}

fn ismcts_config(observers: Observers, reuse: bool, params: &Params) -> Result<ismcts::Config, BadSpec> {
    Ok(ismcts::Config {
        observers,
        c: params.number("c", 0.0..=1000.0)?,
        together: params.choice("together", &[("exp3", Together::Exp3), ("ucb1", Together::Ucb1)])?,
        reuse,
        memory: params.number::<usize>("memory", 1..=1 << 20)? << 20,
        threads: params.number("threads", 1..=256)?,
    })
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
