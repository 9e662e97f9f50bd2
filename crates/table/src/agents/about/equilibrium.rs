//! Agents that came with the search for equilibria: for two players, or for what one of them may know.

use fogtree_core::{About, Param};

use super::params::{BELIEFS, C, INFER_UNTRACKED, ITERATIONS, MEMORY, PLAY, PLAYOUT, TIME};

pub(super) static IS_MCTS: About = About {
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
        Param {
            name: "recall",
            default: "perfect",
            about: "what players remember: perfect, or abstract in games that say what is worth remembering",
        },
        PLAYOUT,
        Param {
            name: "cutoff",
            default: "none",
            about: "so many turns from the root games are judged by the game's evaluation; none plays to the end",
        },
        INFER_UNTRACKED,
    ],
    presets: &[],
    tiny: "",
};
const EVALUATION: Param = Param {
    name: "evaluation",
    default: "auto",
    about: "how information sets are judged: the name of one of the game's evaluations; auto is its first",
};
const OPPONENT: Param = Param {
    name: "opponent",
    default: "paranoid",
    about: "what is seen after a move: paranoid, the worst; overconfident, anything with equal probability",
};
pub(super) static IST_MINIMAX: About = About {
    name: "ist-minimax",
    summary: "Minimax on what one player may know, deeper and deeper, in games that can tell what that is",
    source: "Lisý 2014, 3.2.2 and 5.5.1; equilibrium 2.6.2, 2.6.5",
    params: &[
        Param { name: "iterations", default: "10000", about: "information sets judged per decision" },
        TIME,
        Param {
            name: "depth",
            default: "3",
            about: "the first depth in turns; if the budget is too small for it, the move is random",
        },
        EVALUATION,
        OPPONENT,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static IST_UCT: About = About {
    name: "ist-uct",
    summary: "UCT on what one player may know, in games that can tell what that is",
    source: "Lisý 2014, 3.2.2 and 5.5.1; equilibrium 2.6.2, 2.6.5",
    params: &[
        ITERATIONS,
        TIME,
        Param { name: "c", default: "2", about: "exploration constant, for values as the game gives them" },
        EVALUATION,
        Param {
            name: "simulation",
            default: "none",
            about: "the name of one of the game's simulations, which then takes the place of the evaluation",
        },
        Param { name: "horizon", default: "30", about: "how many turns from the root simulations end" },
        OPPONENT,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static SMOOTH_UCT: About = About {
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
        INFER_UNTRACKED,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static OOS: About = About {
    name: "oos",
    summary: "Online outcome sampling: regret minimisation that approaches an equilibrium, for two players whose \
              rewards have a constant sum",
    source: "Lisý 2014, 3.2.4; equilibrium 2.5",
    params: &[
        Param {
            name: "iterations",
            default: "10000",
            about: "pairs of samples per decision, one for each player; without a limit if only a time is given",
        },
        TIME,
        Param {
            name: "gamma",
            default: "0.4",
            about: "probability that the player whose regrets are updated explores",
        },
        Param {
            name: "delta",
            default: "0.9",
            about: "share of samples that aim at the target; with 1 the search need not converge",
        },
        Param {
            name: "epsilon",
            default: "0.01",
            about: "share of uniform play in every strategy, so that nothing is out of reach",
        },
        Param {
            name: "target",
            default: "infoset",
            about: "what samples aim at: infoset (of the decision), public (all that looks alike to the public), none",
        },
        Param {
            name: "reweight",
            default: "no",
            about: "yes = samples weigh as much after a change of target as before, where its histories can be listed",
        },
        Param {
            name: "play",
            default: "average",
            about: "which strategy is played: average, or current (of regret matching)",
        },
        Param {
            name: "weights",
            default: "corrected",
            about: "how chance enters the weights: corrected; printed and half are defective, to be studied",
        },
        Param {
            name: "expand",
            default: "one",
            about: "information sets that a sample adds: one (then random play) or all it meets",
        },
        Param {
            name: "memory",
            default: "1024",
            about: "MiB for information sets; beyond them the search goes on without growing",
        },
    ],
    presets: &[],
    tiny: "",
};
const LEAF: Param = Param {
    name: "leaf",
    default: "rollout",
    about: "how the game is judged where the tree ends: rollout (random play) or evaluation (by the game)",
};
const PLAY_AVERAGE: Param = Param {
    name: "play",
    default: "mix",
    about: "which move is played: mix (drawn from the average strategy) or max (its likeliest)",
};
pub(super) static SM_MCTS: About = About {
    name: "sm-mcts",
    summary: "Tree search for two players who choose at the same time and otherwise see everything",
    source: "Lisý 2014, 3.1.1; equilibrium 2.3",
    params: &[
        ITERATIONS,
        TIME,
        Param {
            name: "select",
            default: "rm",
            about: "how players choose in the tree: duct (decoupled UCT), exp3, drm (regret matching on own \
                    rewards) or rm (coupled regret matching)",
        },
        Param {
            name: "c",
            default: "1",
            about: "exploration constant of duct, for rewards in [0, 1]: half of one for rewards in [-1, 1]",
        },
        Param {
            name: "tau",
            default: "0.005",
            about: "duct: how far below the greatest a bound counts as equal, likewise",
        },
        Param { name: "gamma", default: "0.1", about: "probability of exploring (exp3, drm, rm)" },
        Param {
            name: "unvisited",
            default: "0.5",
            about: "rm: what joint moves never made are worth to the first player, 0 to 1",
        },
        Param {
            name: "forced",
            default: "0",
            about: "probability with which a player chooses uniformly and does not learn (algorithm A*)",
        },
        Param {
            name: "propagate",
            default: "sample",
            about: "what is passed up: sample, mean (SM-MCTS-A) or joint-mean (learners get means of joint moves)",
        },
        Param {
            name: "expand",
            default: "choose",
            about: "in a new node players choose and learn at once, or it is left empty: choose or leave",
        },
        Param {
            name: "average",
            default: "stripped",
            about: "of which strategies: stripped (of exploration) or played",
        },
        LEAF,
        PLAY_AVERAGE,
        MEMORY,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static SM_OOS: About = About {
    name: "sm-oos",
    summary: "Online outcome sampling for two players who choose at the same time and otherwise see everything",
    source: "Lisý 2014, 3.1.3; equilibrium 2.4",
    params: &[
        ITERATIONS,
        TIME,
        Param {
            name: "gamma",
            default: "0.6",
            about: "probability with which the player who learns explores",
        },
        Param {
            name: "weights",
            default: "path",
            about: "how an iteration counts at a node: path (by the inverse of the way there) or local",
        },
        Param {
            name: "progress",
            default: "restart",
            about: "after a real move: restart (the state is a new start) or reach (iterations count by how likely \
                    it was)",
        },
        LEAF,
        PLAY_AVERAGE,
        MEMORY,
    ],
    presets: &[],
    tiny: "",
};
