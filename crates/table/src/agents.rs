//! The standard agents: what they are called, what they take, which games they refuse.
//!
//! This is the one place where every game meets every engine family.

use std::sync::Arc;
use std::time::Duration;

use fogtree_core::{About, Agent, BadSpec, Budget, CheatingAgent, Facts, Game, Param, Params, Utility};
use fogtree_search::is_mcts::{IsMcts, Play, Selection, Settings, Smooth};
use fogtree_search::{Allocation, CheatingUct, FlatMc, Random, Uct};

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
    /// IS-MCTS or Smooth UCT, by the selection.
    IsMcts(Settings),
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

const BELIEFS: Param = Param {
    name: "beliefs",
    default: "yes",
    about: "yes = track how likely each state is, no = draw worlds from what is known",
};
const PLAY: Param = Param {
    name: "play",
    default: "mix",
    about: "which move is played: max (the most visited) or mix (drawn in proportion to visits)",
};
static IS_MCTS: About = About {
    name: "is-mcts",
    summary: "Search on information sets in a hash table, for two players whose rewards have a constant sum",
    source: "Lisý 2014, 3.2.3; equilibrium 2.6.3, 2.6.4",
    params: &[
        ITERATIONS,
        TIME,
        Param {
            name: "selection",
            default: "ruct",
            about: "how moves are chosen: uct (first greatest bound), ruct (random within tau), exp3 or rm",
        },
        Param {
            name: "c",
            default: "1",
            about: "exploration constant of uct and ruct, for rewards in [0, 1]",
        },
        Param {
            name: "tau",
            default: "0.01",
            about: "how far below the greatest a bound counts as equal (ruct)",
        },
        Param { name: "gamma", default: "0.1", about: "probability of exploring (exp3, rm)" },
        BELIEFS,
        PLAY,
    ],
    presets: &[],
    tiny: "",
};
static SMOOTH_UCT: About = About {
    name: "smooth-uct",
    summary: "IS-MCTS that follows bounds at first and more and more its own average play",
    source: "Heinrich and Silver 2015; ismcts 3.18",
    params: &[
        ITERATIONS,
        TIME,
        C,
        Param { name: "eta", default: "0.9", about: "probability of following the bound at first" },
        Param { name: "gamma", default: "0.1", about: "least probability of following the bound" },
        Param { name: "d", default: "0.001", about: "how fast that probability falls with the visits" },
        BELIEFS,
        PLAY,
    ],
    presets: &[],
    tiny: "",
};

/// What an IS-MCTS agent is asked for.
fn is_mcts(name: &str, params: &Params) -> Result<Settings, BadSpec> {
    let c = params.number("c", 0.0..=1000.0)?;
    let selection = if name == "smooth-uct" {
        Selection::Smooth(Smooth {
            c,
            gamma: params.number("gamma", 0.0..=1.0)?,
            eta: params.number("eta", 0.0..=1.0)?,
            d: params.number("d", 0.0..=1e6)?,
        })
    } else {
        let gamma = params.number("gamma", 0.000_001..=1.0)?;
        let choices = [
            ("uct", Selection::Uct { c }),
            ("ruct", Selection::Ruct { c, tau: params.number("tau", 0.0..=1.0)? }),
            ("exp3", Selection::Exp3 { gamma }),
            ("rm", Selection::Rm { gamma }),
        ];
        params.choice("selection", &choices)?
    };
    let play = params.choice("play", &[("max", Play::Max), ("mix", Play::Mix)])?;
    Ok(Settings { selection, beliefs: params.flag("beliefs")?, play })
}

impl Family {
    /// What exists.
    pub const ALL: &[&About] = &[&RANDOM, &FLAT_MC, &UCT, &CHEATING_UCT, &IS_MCTS, &SMOOTH_UCT];

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
            "is-mcts" | "smooth-uct" => Family::IsMcts(is_mcts(name, params)?),
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
            Family::IsMcts(_) if facts.players != 2 => {
                Some(("it is not for two players", &["flat-mc", "cheating-uct", "random"]))
            }
            Family::IsMcts(_) if facts.utility == Utility::General => {
                Some(("what one player wins the other need not lose", &["flat-mc", "cheating-uct", "random"]))
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
            Family::IsMcts(settings) => honest(IsMcts::new(game, settings)),
        }
    }
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
    fn is_mcts_refuses_what_it_cannot_play() {
        let family = Family::IsMcts(Settings::default());
        let facts = |players, utility| Facts {
            players,
            hidden: true,
            chance: fogtree_core::Chance::Never,
            simultaneous: false,
            utility,
            range: (0.0, 1.0),
            longest: 1,
        };
        assert_eq!(family.refusal(&facts(2, Utility::ZeroSum)), None);
        assert_eq!(family.refusal(&facts(2, Utility::ConstantSum)), None);
        assert!(family.refusal(&facts(2, Utility::General)).is_some());
        assert!(family.refusal(&facts(3, Utility::ZeroSum)).is_some());
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
