//! Agents with trees of information sets and of belief states.

use fogtree_core::{About, Param};

use super::params::{
    C, CUTOFF, ENHANCE, ENHANCE_BELOW, EVALUATION, FINAL, INFER, ITERATIONS, MEMORY, PLAYOUT, PRUNE, SELECT,
    THREADS, TIME, TOGETHER, WIDEN,
};

pub(super) static SO_ISMCTS: About = About {
    name: "so-ismcts",
    summary: "Information-set MCTS with one tree: the others' hidden moves count as seen",
    source: "Cowling, Powley and Whitehouse 2012; ismcts 3.14",
    params: &[
        ITERATIONS, TIME, C, SELECT, ENHANCE, TOGETHER, MEMORY, THREADS, PLAYOUT, CUTOFF, EVALUATION, WIDEN,
        PRUNE, FINAL, INFER,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static SO_ISMCTS_POM: About = About {
    name: "so-ismcts-pom",
    summary: "Information-set MCTS with one tree over what the searcher sees of the others' moves",
    source: "Cowling, Powley and Whitehouse 2012; Whitehouse 2014, 6.3.1; ismcts 3.15",
    params: &[
        ITERATIONS,
        TIME,
        C,
        ENHANCE_BELOW,
        TOGETHER,
        MEMORY,
        THREADS,
        PLAYOUT,
        CUTOFF,
        EVALUATION,
        FINAL,
        INFER,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static MO_ISMCTS: About = About {
    name: "mo-ismcts",
    summary: "Information-set MCTS with a tree for each player, over what that player knows",
    source: "Cowling, Powley and Whitehouse 2012; Whitehouse 2014, 6.3.1; ismcts 3.16",
    params: &[
        ITERATIONS,
        TIME,
        C,
        SELECT,
        ENHANCE,
        TOGETHER,
        MEMORY,
        THREADS,
        Param { name: "reuse", default: "no", about: "keep the own tree from move to move: yes or no" },
        PLAYOUT,
        CUTOFF,
        EVALUATION,
        WIDEN,
        PRUNE,
        FINAL,
        INFER,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static RIS_MCTS: About = About {
    name: "ris-mcts",
    summary: "Information-set MCTS in which each decision is judged in worlds its own player thinks possible",
    source: "Goodman 2019; Whitehouse 2014, 7.1, on the leak it avoids",
    params: &[ITERATIONS, TIME, C, TOGETHER, MEMORY, THREADS, PLAYOUT, CUTOFF, EVALUATION, FINAL, INFER],
    presets: &[],
    tiny: "",
};
const INFERRING: &[Param] = &[
    Param {
        name: "iterations",
        default: "20000",
        about: "playouts per decision, all parts together; without a limit if only a time is given",
    },
    TIME,
    Param {
        name: "infer",
        default: "auto",
        about: "whether beliefs follow what the others do: on, off, or auto (where the game has a hidden part)",
    },
    Param {
        name: "self",
        default: "true",
        about: "worlds that only the others hold possible: true (none), pure, split, two-step, bluffing",
    },
    Param {
        name: "split",
        default: "0.5",
        about: "share of the budget for such worlds, where there are two parts",
    },
    Param {
        name: "select",
        default: "ucb1-tuned",
        about: "how moves are chosen in the trees: ucb1-tuned, ucb1, or smooth (ucb1 at first, and more and more in \
                proportion to visits, which seeks an equilibrium)",
    },
    Param {
        name: "c",
        default: "0.7",
        about: "exploration constant of ucb1 and smooth, for rewards in [0, 1]",
    },
    Param { name: "eta", default: "0.9", about: "smooth: probability of following the bound at first" },
    Param { name: "gamma", default: "0.1", about: "smooth: least probability of following the bound" },
    Param { name: "d", default: "0.001", about: "smooth: how fast that probability falls with the visits" },
    Param {
        name: "together",
        default: "bound",
        about: "how players choose who choose at the same time: bound (as elsewhere, one after the other) or exp3",
    },
    Param {
        name: "reveal",
        default: "on",
        about: "whether beliefs change when simultaneous choices are disclosed: on or off",
    },
    Param {
        name: "rule",
        default: "particles",
        about: "how beliefs change: particles (by the share of visits) or bayes (by likelihoods)",
    },
    Param {
        name: "boost",
        default: "1",
        about: "particles: how often a move counts as seen; more than 1 is bolder than the source",
    },
    Param { name: "m", default: "10", about: "bayes: visits that the guess weighs that a move says nothing" },
    Param {
        name: "revive",
        default: "0",
        about: "share of a belief that goes back to what the rules make likely whenever it has changed",
    },
    Param {
        name: "from-self",
        default: "on",
        about: "whether others are taken to learn from the own moves: on or off",
    },
    Param {
        name: "counted",
        default: "present",
        about: "by which value of what is hidden visits are counted: present, or root, as the source's text says",
    },
    Param {
        name: "outside",
        default: "alone",
        about: "what others believe is learnt in worlds they hold possible (alone), or in all (merged)",
    },
    Param {
        name: "trees",
        default: "secret",
        about: "secret = a tree for all that a player could know for itself, player = one, as mo-ismcts",
    },
    FINAL,
    MEMORY,
];
pub(super) static MT_MO_ISMCTS: About = About {
    name: "mt-mo-ismcts",
    summary: "Information-set MCTS with a tree for all that each player could know, which infers and bluffs",
    source: "Whitehouse 2014, chapter 7; icarus 1",
    params: INFERRING,
    presets: &[],
    tiny: "",
};
pub(super) static CHEATING_MT_MO_ISMCTS: About = About {
    name: "cheating-mt-mo-ismcts",
    summary: "The same, knowing the true state but for what it infers: a yardstick, marked as cheating in every report",
    source: "Whitehouse 2014, 7.5.5; icarus EXP-7.7",
    params: INFERRING,
    presets: &[],
    tiny: "",
};
pub(super) static BS_MCTS: About = About {
    name: "bs-mcts",
    summary: "Belief-state MCTS: nodes are sets of states whose probabilities are learned on the way",
    source: "Wang, Zhu, Li, Hsueh and Wu 2015; Pipan 2021, 3.5; tubstap 2.6",
    params: &[
        ITERATIONS,
        TIME,
        Param {
            name: "variant",
            default: "corrected",
            about: "corrected, original (the formulas as published) or literal (Pipan's listing, defects and all)",
        },
        C,
        Param {
            name: "worlds",
            default: "64",
            about: "worlds drawn per decision, among which the playouts are divided",
        },
        Param {
            name: "order",
            default: "auto",
            about: "how worlds are searched: in-turn (auto if corrected) or one-by-one, as published",
        },
        Param {
            name: "keys",
            default: "auto",
            about: "what names a node: observation (all the searcher sees; auto if corrected), action (all moves, seen \
                    or not, as published) or observer (what its player knows)",
        },
        Param {
            name: "guess",
            default: "1",
            about: "opponent guessing: how far worlds are likelier that are good for the searcher; below 0 less likely",
        },
        Param {
            name: "prior",
            default: "auto",
            about: "the prior of a world in guessing: factor (auto if corrected) or exponent, as published",
        },
        Param {
            name: "predict",
            default: "1",
            about: "opponent predicting: how strongly others prefer good moves (0 = at random), or bound (as the searcher)",
        },
        Param {
            name: "opponent",
            default: "own",
            about: "whose reward the others seek: own, or searcher, an error to be studied",
        },
        PLAYOUT,
        CUTOFF,
        EVALUATION,
        Param {
            name: "play",
            default: "value",
            about: "which move is played: value (the greatest utility) or visits (the most visited)",
        },
        MEMORY,
        INFER,
    ],
    presets: &[],
    tiny: "",
};
