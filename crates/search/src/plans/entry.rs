//! Agents that plan whole turns, by name.

use fogtree_core::{About, AgentEntry, Asked, BadSpec, Domain, Made, Param, Preset, Simulation};

use super::{Method, Planner, Replan, Rhea, Rivals, Settings, Tbets};
use crate::kit::narrow::Narrow;
use crate::kit::params::{
    C, COUNT, CUTOFF, EVALUATION, INFER, MILLION, OPEN, PLAYOUT, SHARE, TIME, WIDEN, budget, policy,
    simulation, widen,
};
use crate::uct;

const PLAN: Param = Param::new(
    "plan",
    "uniform",
    Domain::Text,
    "how moves of plans are drawn: uniform, or a policy of the game, such as always for attack action search",
);
const REPLAN: Param = Param::new(
    "replan",
    "surprised",
    Domain::Choice(&["surprised", "always"]),
    "when a plan is given up: surprised (something was seen that was not foreseen) or always",
);
const JUDGED: Param =
    Param::new("iterations", "150", COUNT, "plans judged per turn; without a limit if only a time is given");
const PLAYOUTS: Param =
    Param::new("playouts", "5", MILLION, "playouts that judge a plan, each in a world of its own");

/// Plans that are drawn, by name.
pub static DLMC: AgentEntry = AgentEntry::new(
    &About {
        presets: &[Preset {
            name: "m3-dlmc",
            params: "plan=uniform,playout=always,cutoff=2t,evaluation=weighted",
            about: "as in M3Lee: random plans, attack-first playouts of two turns, hit points weighted by kind",
        }],
        ..About::new(
            "dlmc",
            "Draws plans for the whole turn, judges each by short playouts, follows the best",
            "Fujiki et al. 2015; TUBSTAP's M3Lee; tubstap 2.8, 2.10",
            &[
                Param { about: "plans per turn; without a limit if only a time is given", ..JUDGED },
                TIME,
                Param { default: "50", about: "playouts that judge a plan", ..PLAYOUTS },
                PLAN,
                PLAYOUT,
                Param { default: "2t", ..CUTOFF },
                EVALUATION,
                REPLAN,
                INFER,
            ],
        )
    },
    &|asked| planner(asked, Method::Drawn),
);

/// Plans that are drawn against plans by UCT, by name.
pub static M3LEE: AgentEntry = AgentEntry::new(
    &About {
        presets: &[Preset {
            name: "m3lee-attack",
            params: "playout=always,cutoff=2t,evaluation=weighted",
            about: "as in TUBSTAP: attack-first playouts, hit points weighted by kind",
        }],
        ..About::new(
            "m3lee",
            "Plans a turn by short playouts and by UCT, plays the plan that does better when played out",
            "TUBSTAP's M3Lee; tubstap 2.10",
            &[
                Param {
                    about: "plans drawn per turn; without a limit if only a time is given, of which both sides get \
                            two fifths",
                    ..JUDGED
                },
                TIME,
                Param { default: "50", about: "short playouts that judge a drawn plan", ..PLAYOUTS },
                PLAN,
                PLAYOUT,
                Param { default: "2t", ..CUTOFF },
                EVALUATION,
                Param::new("tree", "20", MILLION, "playouts of UCT in the turn for each plan that is drawn"),
                Param::new(
                    "worlds",
                    "1",
                    Domain::Integer(1, 100_000),
                    "worlds in each of which UCT makes a plan",
                ),
                C,
                Param { default: "m3", ..WIDEN },
                Param { default: "yes", ..OPEN },
                Param::new("judges", "50", MILLION, "playouts to the end that judge each of the rivals"),
                REPLAN,
                INFER,
            ],
        )
    },
    &|asked| planner(asked, Method::Rivals(rivals(asked)?)),
);

/// Rolling horizon evolution, by name.
pub static RHEA: AgentEntry = AgentEntry::new(
    &About {
        presets: &[Preset {
            name: "rhea-attack",
            params: "plan=attack,playout=attack,evaluation=values,replan=always",
            about: "as in TUBSTAP: plans and answers that attack if they can, units by their values",
        }],
        ..About::new(
            "rhea",
            "Plans whole turns that evolve: rolling horizon evolution, in sampled worlds",
            "T. Neller's TUBSTAP programs; tubstap 2.10",
            &[
                Param { default: "630", ..JUDGED },
                TIME,
                PLAYOUTS,
                PLAN,
                PLAYOUT,
                Param { default: "1t", ..CUTOFF },
                EVALUATION,
                Param::new("population", "30", Domain::Integer(2, 1_000_000), "plans of a generation"),
                Param::new("mutation", "0.4", SHARE, "probability that a move is drawn anew"),
                Param::new("crossover", "0.8", SHARE, "probability that a plan has two parents"),
                Param::new("tournament", "3", MILLION, "a parent is the fittest of so many"),
                Param::new("elite", "3", MILLION, "the fittest plans that live on"),
                REPLAN,
                INFER,
            ],
        )
    },
    &|asked| {
        let params = asked.params;
        let population = params.number("population")?;
        let rhea = Rhea {
            population,
            mutation: params.number("mutation")?,
            crossover: params.number("crossover")?,
            tournament: params.number("tournament")?,
            elite: params.number_within("elite", 1..=population - 1)?,
        };
        planner(asked, Method::Rhea(rhea))
    },
);

/// Plans of both sides that evolve, by name.
pub static TBETS: AgentEntry = AgentEntry::new(
    &About {
        presets: &[Preset {
            name: "tbets-attack",
            params: "plan=attack,playout=attack,evaluation=values,replan=always",
            about: "as in TUBSTAP: plans that attack if they can, units by their values",
        }],
        ..About::new(
            "tbets",
            "Plans of both sides evolve in a tree of whole turns, in sampled worlds",
            "T. Neller's TUBSTAP programs; tubstap 2.10",
            &[
                Param { default: "500", ..JUDGED },
                TIME,
                PLAYOUTS,
                PLAN,
                PLAYOUT,
                Param { default: "0t", ..CUTOFF },
                EVALUATION,
                Param::new("initial", "20", MILLION, "plans drawn at first"),
                Param::new("answers", "5", MILLION, "answers drawn to a plan, and to an answer"),
                Param::new("mutations", "0.3", SHARE, "share of new plans with one parent, which is changed"),
                Param::new("mutation", "0.4", SHARE, "probability that a move of such a plan is drawn anew"),
                Param { default: "1.414", ..C },
                REPLAN,
                INFER,
            ],
        )
    },
    &|asked| {
        let params = asked.params;
        let tbets = Tbets {
            initial: params.number("initial")?,
            answers: params.number("answers")?,
            mutations: params.number("mutations")?,
            rate: params.number("mutation")?,
            c: params.number("c")?,
        };
        planner(asked, Method::Tbets(tbets))
    },
);

fn rivals(asked: &Asked<'_>) -> Result<Rivals, BadSpec> {
    let params = asked.params;
    Ok(Rivals {
        uct: uct::Settings {
            c: params.number("c")?,
            narrow: Narrow { widen: widen(params)?, ..Narrow::OFF },
            simulation: Simulation { horizon: None, ..simulation(asked)? },
            open: params.flag("open")?,
            ..Rivals::M3LEE.uct
        },
        per_plan: params.number("tree")?,
        worlds: params.number("worlds")?,
        judges: params.number("judges")?,
    })
}

fn planner(asked: &Asked<'_>, method: Method) -> Made {
    let params = asked.params;
    let settings = Settings {
        method,
        policy: policy("plan", asked)?,
        playouts: params.number("playouts")?,
        simulation: simulation(asked)?,
        replan: params.choice("replan", &[Replan::Surprised, Replan::Always])?,
    };
    Ok((Box::new(Planner::new(asked.game, settings)), budget(params)?))
}
