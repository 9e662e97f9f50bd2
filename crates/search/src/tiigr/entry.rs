//! TIIGR by name.

use fogtree_core::spec::time_from_text;
use fogtree_core::{About, AgentEntry, Asked, Budget, Domain, Made, Param};

use super::{Confidence, Number, Outlook, Repeated, Settings, Tiigr};
use crate::kit::params::{C, COUNT, MEMORY, MILLION, TIME, budget, memory};
use crate::uct::entry::{SIMULTANEOUS, joint};

/// TIIGR, by name.
pub static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "tiigr",
        "Keeps all states it could be in, searches some of them by UCT and plays the move visited most",
        "Motal 2011, ch. 6; gdl 3",
        &[
            Param::new(
                "states",
                "5",
                Domain::Or("all", &MILLION),
                "states searched per decision, or all; the clock is shared evenly between them",
            ),
            Param::new(
                "iterations",
                "100",
                COUNT,
                "playouts in each state; without a limit if only a time is given",
            ),
            TIME,
            Param::new(
                "per-state",
                "none",
                Domain::Time,
                "time for each state: then as many states are searched as fit into the time of the decision",
            ),
            Param {
                default: "1.5",
                about: "exploration constant, for rewards in [0, 1]; 1.5 is the source's 150 for goals up to 100",
                ..C
            },
            Param::new(
                "outlook",
                "overconfident",
                Domain::Choice(&["overconfident", "paranoid"]),
                "which states are searched: overconfident (any) or paranoid (those found best for the others)",
            ),
            Param::new(
                "vote",
                "mean",
                Domain::Choice(&["mean", "plurality", "highest"]),
                "what decides: mean (of the visits), plurality (of the best moves) or highest (visits in any state)",
            ),
            Param::new(
                "repeated",
                "merged",
                Domain::Choice(&["merged", "kept"]),
                "states reached in several ways: merged (kept once) or kept (once for every way)",
            ),
            Param { default: "decoupled", ..SIMULTANEOUS },
            Param::new(
                "most",
                "20000",
                Domain::Integer(1, 100_000_000),
                "the most states kept; if there are more, states are drawn from the information set",
            ),
            MEMORY,
        ],
    ),
    &make,
);

/// Iterations are those in each state, and without a limit if only a time is given.
fn make(asked: &Asked<'_>) -> Made {
    let params = asked.params;
    let Budget { iterations, time, turn, .. } = budget(params)?;
    if turn.is_some() {
        return Err(params.bad("time", "a time for each decision, as in 500ms"));
    }
    let number = match params.text("per-state") {
        "none" => params.number_unless("states")?.map_or(Number::All, Number::Fixed),
        each => {
            let each = time_from_text(each).ok_or_else(|| params.bad("per-state", "a time such as 100ms"))?;
            if time.is_none() {
                let expected = "none, or a time for the whole decision as well (time=...)";
                return Err(params.bad("per-state", expected));
            }
            Number::Clocked(each)
        }
    };
    let settings = Settings {
        c: params.number("c")?,
        number,
        iterations,
        outlook: params.choice("outlook", &[Outlook::Overconfident, Outlook::Paranoid])?,
        confidence: params.choice("vote", &[Confidence::Mean, Confidence::Plurality, Confidence::Highest])?,
        repeated: params.choice("repeated", &[Repeated::Merged, Repeated::Kept])?,
        most: params.number("most")?,
        memory: memory(params)?,
        joint: joint(params)?,
    };
    Ok((Box::new(Tiigr::new(asked.game, settings)), Budget { time, ..Budget::default() }))
}
