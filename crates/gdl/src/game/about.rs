//! Rule sheets among the games that can be asked for by name.

use std::time::Duration;

use fogtree_core::files::read_text;
use fogtree_core::spec::names;
use fogtree_core::{About, BadSpec, Domain, Method, Param, Params, Preset, Tracked};

use super::options::Options;
use super::{GdlGame, load_fastest};
use crate::any_reasoner::{AnyReasoner, Choice};
use crate::check::Level;
use crate::explore::Budget;
use crate::propnet;

/// Sheets longer than this are not read.
const LARGEST_FILE: u64 = 16 << 20;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "gdl",
    summary: "A game given by its rules: a sheet in GDL or GDL-II, from a file or of our own",
    source: "gdl 1, 3.1, 4.1; Love et al. 2008; Thielscher 2010",
    params: &[
        Param::new(
            "sheet",
            "latent-tic-tac-toe",
            Domain::Choice(&names::<_, { OWN.len() }>(OWN)),
            "a sheet that is built in: all-in-or-fold, blind-breakthrough, bomberman, breakthrough, \
                    connect-four, krieg-tic-tac-toe-3x3, -4x4 or -5x5, kuhn-poker, latent-tic-tac-toe, mastermind, \
                    meier, monty-hall, phantom-tic-tac-toe, tic-tac-toe",
        ),
        Param::new("file", "", Domain::File, "a file with the rule sheet"),
        Param::new(
            "reasoner",
            "auto",
            Domain::Choice(&names::<_, 3>(&Choice::ALL)),
            "propnet (the sheet is compiled), interpreter, or auto: compiled if that does not take too much",
        ),
        Param::new(
            "compiling",
            "10",
            Domain::Real(0.0, 3600.0),
            "the most seconds that compiling may take, up to 3600",
        ),
        Param::new(
            "facts",
            "2000000",
            Domain::Integer(1, 1_000_000_000),
            "the most facts that compiling may find, with twice as many instances of rules",
        ),
        Param::new(
            "level",
            "gdl-ii",
            Domain::Choice(&names::<_, 3>(&Level::ALL)),
            "how strictly the sheet is checked: strict, gdl-ii or lenient",
        ),
        Param::new(
            "steps",
            "500",
            Domain::Integer(1, 1_000_000),
            "the most joint moves of a match, if the rules are not known to end it before",
        ),
        Param::new(
            "states",
            "10000",
            Domain::Integer(1, 100_000_000),
            "how many states are looked at to find out for certain how long matches take",
        ),
        Param::new(
            "worlds",
            "2000",
            Domain::Integer(1, 100_000_000),
            "the most worlds that are listed for what a player has seen; larger sets are drawn from one by one",
        ),
    ],
    presets: &[
        Preset {
            name: "latent-tic-tac-toe",
            params: "sheet=latent-tic-tac-toe",
            about: "only own marks are seen; whoever tries an occupied cell tries again",
        },
        Preset { name: "meier", params: "sheet=meier", about: "dice under a cup, claims and doubts" },
        Preset {
            name: "all-in-or-fold",
            params: "sheet=all-in-or-fold",
            about: "one of three cards each, all in or fold without knowing what the other did",
        },
        Preset {
            name: "monty-hall",
            params: "sheet=monty-hall",
            about: "one door of three has the car behind it",
        },
    ],
    tiny: "sheet=kuhn-poker",
};

macro_rules! own {
    ($($name:literal),+ $(,)?) => {
        /// Our own sheets: names and texts.
        pub const OWN: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../../../games/gdl/", $name, ".kif")))),+];
    };
}

own![
    "all-in-or-fold",
    "blind-breakthrough",
    "bomberman",
    "breakthrough",
    "connect-four",
    "krieg-tic-tac-toe-3x3",
    "krieg-tic-tac-toe-4x4",
    "krieg-tic-tac-toe-5x5",
    "kuhn-poker",
    "latent-tic-tac-toe",
    "mastermind",
    "meier",
    "monty-hall",
    "phantom-tic-tac-toe",
    "tic-tac-toe",
];

/// The game that a specification asks for.
pub fn from_params(params: &Params) -> Result<Tracked<GdlGame<AnyReasoner>>, BadSpec> {
    let options = options(params)?;
    if params.is_given("file") {
        if params.is_given("sheet") {
            return Err(params.bad("file", "either a file or a sheet that is built in, not both"));
        }
        let expected = |why: String| params.bad("file", format!("a rule sheet that can be played: {why}"));
        let text = read_text(params.text("file"), LARGEST_FILE).map_err(expected)?;
        return Ok(load_fastest(&text, &options).map_err(|why| expected(why.brief()))?.tracked());
    }
    let text = params.named("sheet", OWN)?;
    let game = load_fastest(text, &options);
    Ok(game.map_err(|why| params.bad("sheet", format!("one that can be played: {}", why.brief())))?.tracked())
}

fn options(params: &Params) -> Result<Options, BadSpec> {
    let facts = params.number("facts")?;
    let states = params.number("states")?;
    Ok(Options {
        level: params.named("level", &Level::ALL)?,
        reasoner: params.named("reasoner", &Choice::ALL)?,
        compiling: propnet::Budget {
            time: Duration::from_secs_f64(params.number("compiling")?),
            facts,
            instances: facts.saturating_mul(2),
        },
        budget: Budget { states, transitions: states.saturating_mul(4) },
        steps: params.number("steps")?,
        method: Method::Exact { limit: params.number("worlds")? },
        ..Options::default()
    })
}
