//! Searches on what one player may know, by name.

use fogtree_core::{About, AgentEntry, Asked, Domain, Made, Need, Needed, Param, Params, Policy};

use super::{InfoTreePlayer, Leaf, Method, Opponent, Settings};
use crate::kit::params::{C, GENERAL, ITERATIONS, TIME, budget};

const EVALUATION: Param = Param::new(
    "evaluation",
    "auto",
    Domain::Text,
    "how information sets are judged: the name of one of the game's evaluations; auto is its first",
);
const OPPONENT: Param = Param::new(
    "opponent",
    "paranoid",
    Domain::Choice(&["paranoid", "overconfident"]),
    "what is seen after a move: paranoid, the worst; overconfident, anything with equal probability",
);

/// Minimax on what one player may know, by name.
pub static IST_MINIMAX: AgentEntry = AgentEntry::new(
    &About::new(
        "ist-minimax",
        "Minimax on what one player may know, deeper and deeper, in games that can tell what that is",
        "Lisý 2014, 3.2.2 and 5.5.1; equilibrium 2.6.2, 2.6.5",
        &[
            Param { about: "information sets judged per decision", ..ITERATIONS },
            TIME,
            Param::new(
                "depth",
                "3",
                Domain::Integer(1, 1000),
                "the first depth in turns; if the budget is too small for it, the move is random",
            ),
            EVALUATION,
            OPPONENT,
        ],
    ),
    &|asked| make(asked, Method::Minimax { least: asked.params.number("depth")? }),
)
.with_needs(|params| needs(named(params, "evaluation", "auto"), None));

/// UCT on what one player may know, by name.
pub static IST_UCT: AgentEntry = AgentEntry::new(
    &About::new(
        "ist-uct",
        "UCT on what one player may know, in games that can tell what that is",
        "Lisý 2014, 3.2.2 and 5.5.1; equilibrium 2.6.2, 2.6.5",
        &[
            ITERATIONS,
            TIME,
            Param {
                default: "2",
                domain: Domain::Real(0.0, 1e6),
                about: "exploration constant, for values as the game gives them",
                ..C
            },
            EVALUATION,
            Param::new(
                "simulation",
                "none",
                Domain::Text,
                "the name of one of the game's simulations, which then takes the place of the evaluation",
            ),
            Param::new(
                "horizon",
                "30",
                Domain::Integer(0, 10_000),
                "how many turns from the root simulations end",
            ),
            OPPONENT,
        ],
    ),
    &|asked| {
        let params = asked.params;
        let (c, depth) = (params.number("c")?, params.number("horizon")?);
        let simulations = asked.game.info_tree().map_or(&[][..], |tree| tree.simulations());
        let leaf = match named(params, "simulation", "none") {
            None => Leaf::Evaluate,
            Some(name) => Leaf::Simulate { which: Policy::find(simulations, &name).unwrap_or(0), depth },
        };
        make(asked, Method::Uct { c, leaf })
    },
)
.with_needs(|params| needs(named(params, "evaluation", "auto"), named(params, "simulation", "none")));

/// The name of something that games have, unless it is the word that stands for none of them.
fn named(params: &Params, key: &str, none: &str) -> Option<String> {
    Some(params.text(key)).filter(|name| *name != none).map(str::to_string)
}

fn needs(evaluation: Option<String>, simulation: Option<String>) -> Vec<Need> {
    let (evaluation, simulation) = (evaluation.map(Needed::Evaluation), simulation.map(Needed::Simulation));
    let named = evaluation.into_iter().chain(simulation).map(|name| name.or(&["ist-minimax", "ist-uct"]));
    std::iter::once(Needed::InfoTree.or(GENERAL)).chain(named).collect()
}

fn make(asked: &Asked<'_>, method: Method) -> Made {
    let params = asked.params;
    let opponent = params.choice("opponent", &[Opponent::Paranoid, Opponent::Overconfident])?;
    let evaluations = asked.game.info_tree().map_or(&[][..], |tree| tree.evaluations());
    let evaluation = Policy::find(evaluations, params.text("evaluation")).unwrap_or(0);
    let settings = Settings { method, opponent, evaluation };
    Ok((Box::new(InfoTreePlayer::new(asked.game, settings)), budget(params)?))
}
