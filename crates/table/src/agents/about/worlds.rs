//! Agents that need nothing but the rules, and those that look into one world after another.

use fogtree_core::{About, Param, Preset};

use super::params::{
    C, CANDIDATES, CUTOFF, DETERMINIZATIONS, EPSILON, EVALUATION, EXPAND_AFTER, FINAL, INFER,
    INFER_UNMODELLED, ITERATIONS, JOINT, LOG, MEMORY, MODEL, NODES, OPEN, OTHERS, PER_WORLD, PLAYOUT,
    PRELOAD, PRUNE, SAMPLES, SOLVE, TIME, WIDEN,
};

pub(super) static RANDOM: About = About {
    name: "random",
    summary: "Plays uniformly at random",
    source: "ismcts 1.5",
    params: &[],
    presets: &[],
    tiny: "",
};
pub(super) static POLICY: About = About {
    name: "policy",
    summary: "Plays by one of the game's own policies, in a world drawn from the information set",
    source: "tubstap 2.8, 2.10",
    params: &[
        Param {
            name: "name",
            default: "uniform",
            about: "uniform, or a policy of the game such as attack or max-act-eval",
        },
        INFER,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static FIRST_LEGAL: About = About {
    name: "first-legal",
    summary: "Plays the first legal move, as managers do in the place of players who do not answer",
    source: "gdl 2.4, F10",
    params: &[],
    presets: &[],
    tiny: "",
};
pub(super) static FLAT_MC: About = About {
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
        PLAYOUT,
        CUTOFF,
        EVALUATION,
        INFER,
    ],
    presets: &[],
    tiny: "",
};
const OF_UCT: &[Param] = &[
    ITERATIONS,
    TIME,
    C,
    MEMORY,
    PLAYOUT,
    CUTOFF,
    EVALUATION,
    WIDEN,
    PRUNE,
    FINAL,
    EXPAND_AFTER,
    LOG,
    OTHERS,
    JOINT,
    PRELOAD,
    OPEN,
    SOLVE,
];
pub(super) static UCT: About = About {
    name: "uct",
    summary: "Monte Carlo tree search with UCB1, for games without hidden information",
    source: "Kocsis and Szepesvari 2006; Whitehouse 2014, 3.2.1; ismcts 3.5; tubstap 2.3",
    params: OF_UCT,
    presets: &[
        Preset {
            name: "m-uct",
            params: "iterations=2000,c=0.15,playout=attack,expand-after=10,log=total,final=mean",
            about: "M-UCT of TUBSTAP 1.08, with opponents who choose for themselves",
        },
        Preset {
            name: "m-uct-stock",
            params: "iterations=2000,c=0.15,playout=attack,expand-after=10,log=total,final=mean,others=searcher",
            about: "M-UCT as it is shipped: opponents in the tree help the searcher",
        },
        Preset {
            name: "f-uct",
            params: "iterations=2000,c=0.15,playout=attack,expand-after=10,log=total,final=mean,preload=promise",
            about: "F-UCT: M-UCT with virtual wins; its fuzzy tables are not public, so they are the game's own",
        },
    ],
    tiny: "",
};
pub(super) static CHEATING_UCT: About = About {
    name: "cheating-uct",
    summary: "UCT that looks at the true state: a yardstick, marked as cheating in every report",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.10",
    params: OF_UCT,
    presets: &[],
    tiny: "",
};
pub(super) static MINIMAX: About = About {
    name: "minimax",
    summary: "Exact search for small games without hidden information; of equal moves it plays the trickier",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.8",
    params: &[NODES, EPSILON],
    presets: &[],
    tiny: "",
};
pub(super) static CHEATING_MINIMAX: About = About {
    name: "cheating-minimax",
    summary: "Minimax that looks at the true state: a yardstick, marked as cheating in every report",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.8, 3.10",
    params: &[NODES, EPSILON],
    presets: &[],
    tiny: "",
};
pub(super) static STAR_MINIMAX: About = About {
    name: "star-minimax",
    summary: "Minimax that leaves out what cannot matter, deeper and deeper; *-minimax at chance, paranoid with several opponents",
    source: "Ballard 1983; Sturtevant and Korf 2000; Whitehouse 2014, 3.3.2; ismcts 3.8",
    params: &[
        NODES,
        TIME,
        Param {
            name: "depth",
            default: "1000",
            about: "the steps it looks ahead at most; below, the game's evaluation",
        },
        Param {
            name: "others",
            default: "hostile",
            about: "what the others are taken for: hostile, or random, which makes the search miximax",
        },
    ],
    presets: &[],
    tiny: "",
};
pub(super) static PIMC: About = About {
    name: "pimc",
    summary: "Draws worlds from the information set, searches each as if nothing were hidden, lets them vote",
    source: "Whitehouse 2014, 3.3.1, 5.1; ismcts 3.9; tubstap 2.4",
    params: &[
        DETERMINIZATIONS,
        PER_WORLD,
        TIME,
        C,
        Param {
            name: "vote",
            default: "auto",
            about: "majority, weighted-majority, sum-of-scores, averaged-rewards, summed-visits; auto is \
                    summed-visits for uct and weighted-majority for the others",
        },
        Param {
            name: "search",
            default: "uct",
            about: "how a world is searched: uct, minimax, or alpha-beta, which looks at few moves of whole turns",
        },
        Param {
            name: "nodes",
            default: "100000",
            about: "for minimax and alpha-beta: states they may look into per world",
        },
        Param { name: "turns", default: "2", about: "for alpha-beta: how many turns it looks ahead" },
        EPSILON,
        Param {
            name: "trees",
            default: "worlds",
            about: "worlds (a tree for each) or one: every iteration draws a world and goes down the same tree",
        },
        PLAYOUT,
        CUTOFF,
        EVALUATION,
        WIDEN,
        PRUNE,
        FINAL,
        EXPAND_AFTER,
        LOG,
        OTHERS,
        JOINT,
        PRELOAD,
        OPEN,
        INFER,
    ],
    presets: &[
        Preset {
            name: "pimc-m-uct",
            params: "determinizations=1,iterations=1000,vote=averaged-rewards,c=0.15,playout=attack,\
                     expand-after=10,log=total,final=mean,open=yes",
            about: "TUBSTAP's M-UCT in every world, with opponents who choose for themselves",
        },
        Preset {
            name: "pimc-m-uct-stock",
            params: "determinizations=1,iterations=1000,vote=averaged-rewards,c=0.15,playout=attack,\
                     expand-after=10,log=total,final=mean,others=searcher,open=yes",
            about: "the same as it is shipped: what Pipan 2021 calls PIMC",
        },
        Preset {
            name: "pimc-f-uct",
            params: "determinizations=1,iterations=1000,vote=averaged-rewards,c=0.15,playout=attack,\
                     expand-after=10,log=total,final=mean,preload=promise,open=yes",
            about: "TUBSTAP's F-UCT in every world, with the game's own judgement of moves for its fuzzy tables",
        },
        Preset {
            name: "sat-d2",
            params: "search=alpha-beta,determinizations=5,turns=2,evaluation=exchanges,open=yes",
            about: "SatD2 of TUBSTAP: alpha-beta over a turn and the answer, five units, answers that attack",
        },
    ],
    tiny: "",
};
pub(super) static TIIGR: About = About {
    name: "tiigr",
    summary: "Keeps all states it could be in, searches some of them by UCT and plays the move visited most",
    source: "Motal 2011, ch. 6; gdl 3",
    params: &[
        Param {
            name: "states",
            default: "5",
            about: "states searched per decision, or all; the clock is shared evenly between them",
        },
        Param {
            name: "iterations",
            default: "100",
            about: "playouts in each state; without a limit if only a time is given",
        },
        TIME,
        Param {
            name: "per-state",
            default: "none",
            about: "time for each state: then as many states are searched as fit into the time of the decision",
        },
        Param {
            name: "c",
            default: "1.5",
            about: "exploration constant, for rewards in [0, 1]; 1.5 is the source's 150 for goals up to 100",
        },
        Param {
            name: "outlook",
            default: "overconfident",
            about: "which states are searched: overconfident (any) or paranoid (those found best for the others)",
        },
        Param {
            name: "vote",
            default: "mean",
            about: "what decides: mean (of the visits), plurality (of the best moves) or highest (visits in any state)",
        },
        Param {
            name: "repeated",
            default: "merged",
            about: "states reached in several ways: merged (kept once) or kept (once for every way)",
        },
        Param { default: "decoupled", ..JOINT },
        Param {
            name: "most",
            default: "20000",
            about: "the most states kept; if there are more, states are drawn from the information set",
        },
        MEMORY,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static CHEATING_ENSEMBLE: About = About {
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
        PLAYOUT,
        CUTOFF,
        EVALUATION,
        WIDEN,
        PRUNE,
        FINAL,
        EXPAND_AFTER,
        LOG,
        OTHERS,
        JOINT,
        PRELOAD,
        OPEN,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static PIMC_MINIMAX: About = About {
    name: "pimc-minimax",
    summary: "Minimax in every world of the information set, each with a vote of its weight",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.11, 3.13",
    params: &[NODES, EPSILON, SAMPLES, MODEL, CANDIDATES, INFER_UNMODELLED],
    presets: &[],
    tiny: "",
};
pub(super) static IS_EXPECTIMAX: About = About {
    name: "is-expectimax",
    summary: "Exact search over its information sets, against opponents who know the state",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.12, 3.13",
    params: &[
        NODES,
        Param { name: "epsilon", default: "0.001", about: "as for minimax, in models that play minimax" },
        SAMPLES,
        MODEL,
        CANDIDATES,
        INFER_UNMODELLED,
    ],
    presets: &[],
    tiny: "",
};
