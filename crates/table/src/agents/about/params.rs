//! Parameters that several agents take.

use fogtree_core::Param;

pub(super) const ITERATIONS: Param = Param {
    name: "iterations",
    default: "10000",
    about: "playouts per decision; without a limit if only a time is given",
};
pub(super) const TIME: Param = Param {
    name: "time",
    default: "none",
    about: "time per decision, as in 500ms or 1s, or 10s/turn for all choices of a turn together; results are then \
            not reproducible",
};
pub(super) const C: Param =
    Param { name: "c", default: "0.7", about: "exploration constant, for rewards in [0, 1]" };
pub(super) const TOGETHER: Param = Param {
    name: "together",
    default: "exp3",
    about: "how players choose who choose at the same time: exp3 or ucb1",
};
pub(super) const MEMORY: Param = Param {
    name: "memory",
    default: "1024",
    about: "MiB for the trees; beyond them the search goes on without growing",
};
pub(super) const THREADS: Param =
    Param { name: "threads", default: "1", about: "searches side by side, whose results are added up" };
pub(super) const BELIEFS: Param = Param {
    name: "beliefs",
    default: "yes",
    about: "yes = track how likely each state is, no = draw worlds from what is known",
};
pub(super) const PLAY: Param = Param {
    name: "play",
    default: "mix",
    about: "which move is played: max (the most visited) or mix (drawn in proportion to visits)",
};
pub(super) const EPSILON: Param = Param {
    name: "epsilon",
    default: "0.001",
    about: "by how much minimax counts the mean of all moves, so that of equal moves it plays the one after \
            which the other may err; for rewards in [-1, 1]",
};
pub(super) const NODES: Param = Param {
    name: "nodes",
    default: "1000000",
    about: "states an exact search may look into per decision; beyond these it guesses",
};
pub(super) const DETERMINIZATIONS: Param = Param {
    name: "determinizations",
    default: "40",
    about: "worlds searched per decision; as many as fit if only a time is given",
};
pub(super) const PER_WORLD: Param =
    Param { name: "iterations", default: "250", about: "playouts in each world" };
pub(super) const SAMPLES: Param =
    Param { name: "samples", default: "100", about: "worlds drawn where they cannot be listed" };
pub(super) const MODEL: Param = Param {
    name: "model",
    default: "none",
    about: "what the others are taken for: none, minimax (they know the state), pimc-minimax, is-expectimax; \
            worlds in which they would have played otherwise are left out",
};
pub(super) const CANDIDATES: Param = Param {
    name: "candidates",
    default: "100000",
    about: "with a model: the most worlds followed through a game; if there are more, the model is left aside",
};

pub(super) const PLAYOUT: Param = Param {
    name: "playout",
    default: "uniform",
    about: "how games are played out: uniform, or a policy of the game such as attack",
};
pub(super) const CUTOFF: Param = Param {
    name: "cutoff",
    default: "none",
    about: "after how many steps (as in 40) or turns (as in 2t) a playout ends with the game's evaluation",
};
pub(super) const EVALUATION: Param = Param {
    name: "evaluation",
    default: "own",
    about: "what judges where playouts are cut off: the game's own opinion, or one of its evaluations by name",
};
pub(super) const WIDEN: Param = Param {
    name: "widen",
    default: "none",
    about: "progressive widening: none, 40:1.4 (two moves, one more after 40 visits and after every 1.4 times as \
            many) or m3 (as in that program); promising moves first",
};
pub(super) const PRUNE: Param = Param {
    name: "prune",
    default: "none",
    about: "moves left out: none, promising (all but the promising, where there are any) or how many are kept",
};
pub(super) const FINAL: Param = Param {
    name: "final",
    default: "visits",
    about: "which move is played: that with most visits, that with the best mean, or soft:0.5, any in proportion to \
            visits^(1/0.5), which is weaker and less predictable the greater the number",
};
pub(super) const PRELOAD: Param = Param {
    name: "preload",
    default: "none",
    about: "virtual wins that moves begin with, up to ten: none, promise (by how promising the game finds the move), \
            own (by the game's opinion of the state after it) or an evaluation of the game by name",
};
pub(super) const EXPAND_AFTER: Param = Param {
    name: "expand-after",
    default: "0",
    about: "the tree goes on below moves that were made more often than this",
};
pub(super) const LOG: Param = Param {
    name: "log",
    default: "node",
    about: "what is counted under the logarithm of the bound: visits of the node, or total (all iterations)",
};
pub(super) const JOINT: Param = Param {
    name: "together",
    default: "sequence",
    about: "simultaneous moves in a search: sequence, one seeing the other, or decoupled, each player by itself",
};
pub(super) const OTHERS: Param = Param {
    name: "others",
    default: "own",
    about: "whose rewards the others choose by in the tree: their own, or the searcher's (a defect of M-UCT)",
};
pub(super) const OPEN: Param = Param {
    name: "open",
    default: "no",
    about: "whether a world is searched with everything open to everybody, in games that can be: yes or no",
};
pub(super) const SOLVE: Param = Param {
    name: "solve",
    default: "no",
    about: "whether wins, draws and losses are proven as in MCTS-Solver, and the search ends with a proof: yes or no",
};

pub(super) const INFER: Param = Param {
    name: "infer",
    default: "off",
    about: "worlds drawn as the others' moves suggest, in games with a hidden part: how many iterations \
            mt-mo-ismcts makes beside each decision to infer it, on top of the other playouts and in a quarter \
            of the time at most; or off",
};
pub(super) const INFER_UNTRACKED: Param =
    Param { about: "with beliefs=no: iterations of a search that infers, as for mo-ismcts; or off", ..INFER };
pub(super) const INFER_UNMODELLED: Param =
    Param { about: "with model=none: iterations of a search that infers, as for mo-ismcts; or off", ..INFER };
pub(super) const SELECT: Param = Param {
    name: "select",
    default: "ucb1",
    about: "the bound in the tree: ucb1 (with c) or ucb1-tuned (which needs no constant)",
};
pub(super) const ENHANCE: Param = Param {
    name: "enhance",
    default: "-",
    about: "what is learnt from playouts: mast, nast(n=2), lgrf, epic, rave(k=250), history, ..., combined as in \
            epic+lgrf or rave>mast+lgrf; a name of Whitehouse 2014, Table 8.1 (E, RML, ...); auto finds out \
            while searching; - for nothing",
};
pub(super) const ENHANCE_BELOW: Param = Param {
    name: "enhance",
    default: "-",
    about: "what is learnt from playouts and used below the tree: mast, nast(n=2), lgrf, epic, ..., combined as in \
            epic+lgrf; - for nothing",
};
