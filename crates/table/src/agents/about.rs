//! What the standard agents are called and what they take.

use fogtree_core::{About, Param, Preset};

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
const EPSILON: Param = Param {
    name: "epsilon",
    default: "0.001",
    about: "by how much minimax counts the mean of all moves, so that of equal moves it plays the one after \
            which the other may err; for rewards in [-1, 1]",
};
const NODES: Param = Param {
    name: "nodes",
    default: "1000000",
    about: "states an exact search may look into per decision; beyond these it guesses",
};
const DETERMINIZATIONS: Param = Param {
    name: "determinizations",
    default: "40",
    about: "worlds searched per decision; as many as fit if only a time is given",
};
const PER_WORLD: Param = Param { name: "iterations", default: "250", about: "playouts in each world" };
const SAMPLES: Param =
    Param { name: "samples", default: "100", about: "worlds drawn where they cannot be listed" };
const MODEL: Param = Param {
    name: "model",
    default: "none",
    about: "what the others are taken for: none, minimax (they know the state), pimc-minimax, is-expectimax; \
            worlds in which they would have played otherwise are left out",
};
const CANDIDATES: Param = Param {
    name: "candidates",
    default: "100000",
    about: "with a model: the most worlds followed through a game; if there are more, the model is left aside",
};

const PLAYOUT: Param = Param {
    name: "playout",
    default: "uniform",
    about: "how games are played out: uniform, or a policy of the game such as attack",
};
const CUTOFF: Param = Param {
    name: "cutoff",
    default: "none",
    about: "after how many steps (as in 40) or turns (as in 2t) a playout ends with the game's evaluation",
};
const WIDEN: Param = Param {
    name: "widen",
    default: "none",
    about: "progressive widening: none, 40:1.4 (two moves, one more after 40 visits and after every 1.4 times as \
            many) or m3 (as in that program); promising moves first",
};
const PRUNE: Param = Param {
    name: "prune",
    default: "none",
    about: "moves left out: none, promising (all but the promising, where there are any) or how many are kept",
};
const FINAL: Param =
    Param { name: "final", default: "visits", about: "which move is played: by visits or by mean" };
const EXPAND_AFTER: Param = Param {
    name: "expand-after",
    default: "0",
    about: "the tree goes on below moves that were made more often than this",
};
const LOG: Param = Param {
    name: "log",
    default: "node",
    about: "what is counted under the logarithm of the bound: visits of the node, or total (all iterations)",
};
const OTHERS: Param = Param {
    name: "others",
    default: "own",
    about: "whose rewards the others choose by in the tree: their own, or the searcher's (a defect of M-UCT)",
};
const OPEN: Param = Param {
    name: "open",
    default: "no",
    about: "whether a world is searched with everything open to everybody, in games that can be: yes or no",
};

const SELECT: Param = Param {
    name: "select",
    default: "ucb1",
    about: "the bound in the tree: ucb1 (with c) or ucb1-tuned (which needs no constant)",
};
const ENHANCE: Param = Param {
    name: "enhance",
    default: "-",
    about: "what is learnt from playouts: mast, nast(n=2), lgrf, epic, rave(k=250), history, ..., combined as in \
            epic+lgrf or rave>mast+lgrf; a name of Whitehouse 2014, Table 8.1 (E, RML, ...); - for nothing",
};
const ENHANCE_BELOW: Param = Param {
    name: "enhance",
    default: "-",
    about: "what is learnt from playouts and used below the tree: mast, nast(n=2), lgrf, epic, ..., combined as in \
            epic+lgrf; - for nothing",
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
    params: &[Param {
        name: "name",
        default: "uniform",
        about: "uniform, or a policy of the game such as attack or max-act-eval",
    }],
    presets: &[],
    tiny: "",
};
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
        Param {
            name: "plan",
            default: "uniform",
            about: "how plans are drawn: uniform, or a policy of the game, such as always for attack action search",
        },
        PLAYOUT,
        Param { default: "2t", ..CUTOFF },
        Param {
            name: "replan",
            default: "surprised",
            about: "when a plan is given up: surprised (something was seen that was not foreseen) or always",
        },
    ],
    presets: &[Preset {
        name: "m3-dlmc",
        params: "plan=uniform,playout=always,cutoff=2t",
        about: "as in M3Lee: random plans, attack-first playouts of two turns (with evaluation=weighted)",
    }],
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
    ],
    presets: &[],
    tiny: "",
};
pub(super) static UCT: About = About {
    name: "uct",
    summary: "Monte Carlo tree search with UCB1, for games without hidden information",
    source: "Kocsis and Szepesvari 2006; Whitehouse 2014, 3.2.1; ismcts 3.5; tubstap 2.3",
    params: &[
        ITERATIONS,
        TIME,
        C,
        MEMORY,
        PLAYOUT,
        CUTOFF,
        WIDEN,
        PRUNE,
        FINAL,
        EXPAND_AFTER,
        LOG,
        OTHERS,
        OPEN,
    ],
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
    ],
    tiny: "",
};
pub(super) static CHEATING_UCT: About = About {
    name: "cheating-uct",
    summary: "UCT that looks at the true state: a yardstick, marked as cheating in every report",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.10",
    params: &[
        ITERATIONS,
        TIME,
        C,
        MEMORY,
        PLAYOUT,
        CUTOFF,
        WIDEN,
        PRUNE,
        FINAL,
        EXPAND_AFTER,
        LOG,
        OTHERS,
        OPEN,
    ],
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
                    summed-visits for uct and weighted-majority for minimax",
        },
        Param { name: "search", default: "uct", about: "how a world is searched: uct or minimax" },
        Param {
            name: "nodes",
            default: "100000",
            about: "for minimax: states it may look into per world; beyond these it guesses",
        },
        EPSILON,
        Param {
            name: "trees",
            default: "worlds",
            about: "worlds (a tree for each) or one: every iteration draws a world and goes down the same tree",
        },
        PLAYOUT,
        CUTOFF,
        WIDEN,
        PRUNE,
        FINAL,
        EXPAND_AFTER,
        LOG,
        OTHERS,
        OPEN,
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
        WIDEN,
        PRUNE,
        FINAL,
        EXPAND_AFTER,
        LOG,
        OTHERS,
        OPEN,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static PIMC_MINIMAX: About = About {
    name: "pimc-minimax",
    summary: "Minimax in every world of the information set, each with a vote of its weight",
    source: "Whitehouse 2014, 5.1.2; ismcts 3.11, 3.13",
    params: &[NODES, EPSILON, SAMPLES, MODEL, CANDIDATES],
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
    ],
    presets: &[],
    tiny: "",
};
pub(super) static SO_ISMCTS: About = About {
    name: "so-ismcts",
    summary: "Information-set MCTS with one tree: the others' hidden moves count as seen",
    source: "Cowling, Powley and Whitehouse 2012; ismcts 3.14",
    params: &[
        ITERATIONS, TIME, C, SELECT, ENHANCE, TOGETHER, MEMORY, THREADS, PLAYOUT, CUTOFF, WIDEN, PRUNE, FINAL,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static SO_ISMCTS_POM: About = About {
    name: "so-ismcts-pom",
    summary: "Information-set MCTS with one tree over what the searcher sees of the others' moves",
    source: "Cowling, Powley and Whitehouse 2012; Whitehouse 2014, 6.3.1; ismcts 3.15",
    params: &[ITERATIONS, TIME, C, ENHANCE_BELOW, TOGETHER, MEMORY, THREADS, PLAYOUT, CUTOFF, FINAL],
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
        WIDEN,
        PRUNE,
        FINAL,
    ],
    presets: &[],
    tiny: "",
};
pub(super) static RIS_MCTS: About = About {
    name: "ris-mcts",
    summary: "Information-set MCTS in which each decision is judged in worlds its own player thinks possible",
    source: "Goodman 2019; Whitehouse 2014, 7.1, on the leak it avoids",
    params: &[ITERATIONS, TIME, C, MEMORY, THREADS, PLAYOUT, CUTOFF, FINAL],
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
    Param { name: "select", default: "ucb1-tuned", about: "how moves are chosen: ucb1-tuned or ucb1" },
    Param { name: "c", default: "0.7", about: "exploration constant of ucb1, for rewards in [0, 1]" },
    Param {
        name: "together",
        default: "bound",
        about: "how players choose who choose at the same time: bound (as elsewhere) or exp3",
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
    Param {
        name: "share",
        default: "0",
        about: "how many visits the statistics of all trees of a player weigh in each of them",
    },
    Param {
        name: "coarse",
        default: "0",
        about: "visits of another player's decision before it has a tree for each secret, not one for all",
    },
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
        Param {
            name: "play",
            default: "value",
            about: "which move is played: value (the greatest utility) or visits (the most visited)",
        },
        MEMORY,
    ],
    presets: &[],
    tiny: "",
};
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

/// What exists.
pub(super) const ALL: &[&About] = &[
    &RANDOM,
    &POLICY,
    &FIRST_LEGAL,
    &FLAT_MC,
    &UCT,
    &CHEATING_UCT,
    &DLMC,
    &MINIMAX,
    &CHEATING_MINIMAX,
    &PIMC,
    &TIIGR,
    &CHEATING_ENSEMBLE,
    &PIMC_MINIMAX,
    &IS_EXPECTIMAX,
    &SO_ISMCTS,
    &SO_ISMCTS_POM,
    &MO_ISMCTS,
    &RIS_MCTS,
    &MT_MO_ISMCTS,
    &CHEATING_MT_MO_ISMCTS,
    &BS_MCTS,
    &IS_MCTS,
    &IST_MINIMAX,
    &IST_UCT,
    &SMOOTH_UCT,
    &OOS,
    &SM_MCTS,
    &SM_OOS,
];
