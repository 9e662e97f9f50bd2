//! Agents that plan whole turns.

use fogtree_core::{About, Param, Preset};

use super::params::{C, CUTOFF, EVALUATION, INFER, OPEN, PLAYOUT, TIME, WIDEN};

const PLAN: Param = Param {
    name: "plan",
    default: "uniform",
    about: "how moves of plans are drawn: uniform, or a policy of the game, such as always for attack action search",
};
const REPLAN: Param = Param {
    name: "replan",
    default: "surprised",
    about: "when a plan is given up: surprised (something was seen that was not foreseen) or always",
};
const WORLDS: Param =
    Param { name: "playouts", default: "5", about: "playouts that judge a plan, each in a world of its own" };

pub(super) static DLMC: About = About {
    name: "dlmc",
    summary: "Draws plans for the whole turn, judges each by short playouts, follows the best",
    source: "Fujiki et al. 2015; TUBSTAP's M3Lee; tubstap 2.8, 2.10",
    params: &[
        Param {
            name: "iterations",
            default: "150",
            about: "plans per turn; without a limit if only a time is given",
        },
        TIME,
        Param { name: "playouts", default: "50", about: "playouts that judge a plan" },
        PLAN,
        PLAYOUT,
        Param { default: "2t", ..CUTOFF },
        EVALUATION,
        REPLAN,
        INFER,
    ],
    presets: &[Preset {
        name: "m3-dlmc",
        params: "plan=uniform,playout=always,cutoff=2t,evaluation=weighted",
        about: "as in M3Lee: random plans, attack-first playouts of two turns, hit points weighted by kind",
    }],
    tiny: "",
};
pub(super) static M3LEE: About = About {
    name: "m3lee",
    summary: "Plans a turn by short playouts and by UCT, plays the plan that does better when played out",
    source: "TUBSTAP's M3Lee; tubstap 2.10",
    params: &[
        Param {
            name: "iterations",
            default: "150",
            about: "plans drawn per turn; without a limit if only a time is given, of which both sides get two fifths",
        },
        TIME,
        Param { name: "playouts", default: "50", about: "short playouts that judge a drawn plan" },
        PLAN,
        PLAYOUT,
        Param { default: "2t", ..CUTOFF },
        EVALUATION,
        Param {
            name: "tree",
            default: "20",
            about: "playouts of UCT in the turn for each plan that is drawn",
        },
        Param { name: "worlds", default: "1", about: "worlds in each of which UCT makes a plan" },
        C,
        Param { default: "m3", ..WIDEN },
        Param { default: "yes", ..OPEN },
        Param { name: "judges", default: "50", about: "playouts to the end that judge each of the rivals" },
        REPLAN,
        INFER,
    ],
    presets: &[Preset {
        name: "m3lee-attack",
        params: "playout=always,cutoff=2t,evaluation=weighted",
        about: "as in TUBSTAP: attack-first playouts, hit points weighted by kind",
    }],
    tiny: "",
};
pub(super) static RHEA: About = About {
    name: "rhea",
    summary: "Plans whole turns that evolve: rolling horizon evolution, in sampled worlds",
    source: "T. Neller's TUBSTAP programs; tubstap 2.10",
    params: &[
        Param {
            name: "iterations",
            default: "630",
            about: "plans judged per turn; without a limit if only a time is given",
        },
        TIME,
        WORLDS,
        PLAN,
        PLAYOUT,
        Param { default: "1t", ..CUTOFF },
        EVALUATION,
        Param { name: "population", default: "30", about: "plans of a generation" },
        Param { name: "mutation", default: "0.4", about: "probability that a move is drawn anew" },
        Param { name: "crossover", default: "0.8", about: "probability that a plan has two parents" },
        Param { name: "tournament", default: "3", about: "a parent is the fittest of so many" },
        Param { name: "elite", default: "3", about: "the fittest plans that live on" },
        REPLAN,
        INFER,
    ],
    presets: &[Preset {
        name: "rhea-attack",
        params: "plan=attack,playout=attack,evaluation=values,replan=always",
        about: "as in TUBSTAP: plans and answers that attack if they can, units by their values",
    }],
    tiny: "",
};
pub(super) static TBETS: About = About {
    name: "tbets",
    summary: "Plans of both sides evolve in a tree of whole turns, in sampled worlds",
    source: "T. Neller's TUBSTAP programs; tubstap 2.10",
    params: &[
        Param {
            name: "iterations",
            default: "500",
            about: "plans judged per turn; without a limit if only a time is given",
        },
        TIME,
        WORLDS,
        PLAN,
        PLAYOUT,
        Param { default: "0t", ..CUTOFF },
        EVALUATION,
        Param { name: "initial", default: "20", about: "plans drawn at first" },
        Param { name: "answers", default: "5", about: "answers drawn to a plan, and to an answer" },
        Param {
            name: "mutations",
            default: "0.3",
            about: "share of new plans with one parent, which is changed",
        },
        Param {
            name: "mutation",
            default: "0.4",
            about: "probability that a move of such a plan is drawn anew",
        },
        Param { name: "c", default: "1.414", about: "exploration constant, for rewards in [0, 1]" },
        REPLAN,
        INFER,
    ],
    presets: &[Preset {
        name: "tbets-attack",
        params: "plan=attack,playout=attack,evaluation=values,replan=always",
        about: "as in TUBSTAP: plans that attack if they can, units by their values",
    }],
    tiny: "",
};
