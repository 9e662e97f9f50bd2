//! UCT by name: for games without hidden information, and for the true state of any game.

use fogtree_core::{About, AgentEntry, Asked, BadSpec, Domain, Made, Needed, Param, Params, Preset};

use super::{Joint, Log, Others, Preload, Settings, Uct, UctSearch};
use crate::kit::params::{
    C, CUTOFF, EVALUATION, FINAL, GENERAL, ITERATIONS, MEMORY, OPEN, PLAYOUT, PRUNE, TIME, WIDEN, budget,
    last, memory, named_evaluation, narrow, simulation,
};

pub(crate) const EXPAND_AFTER: Param = Param::new(
    "expand-after",
    "0",
    Domain::Integer(0, 1_000_000),
    "the tree goes on below moves that were made more often than this",
);
pub(crate) const LOG: Param = Param::new(
    "log",
    "node",
    Domain::Choice(&["node", "total"]),
    "what is counted under the logarithm of the bound: visits of the node, or total (all iterations)",
);
pub(crate) const OTHERS: Param = Param::new(
    "others",
    "own",
    Domain::Choice(&["own", "searcher"]),
    "whose rewards the others choose by in the tree: their own, or the searcher's (a defect of M-UCT)",
);
pub(crate) const SIMULTANEOUS: Param = Param::new(
    "simultaneous",
    "sequence",
    Domain::Choice(&["sequence", "decoupled"]),
    "simultaneous moves in a search: sequence, one seeing the other, or decoupled, each player by itself",
)
.or(&["together"]);
pub(crate) const PRELOAD: Param = Param::new(
    "preload",
    "none",
    Domain::Text,
    "virtual wins that moves begin with, up to ten: none, promise (by how promising the game finds the move), \
     own (by the game's opinion of the state after it) or an evaluation of the game by name",
);
const SOLVE: Param = Param::new(
    "solve",
    "no",
    Domain::Flag,
    "whether wins, draws and losses are proven as in MCTS-Solver, and the search ends with a proof: yes or no",
);

const PARAMS: &[Param] = &[
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
    SIMULTANEOUS,
    PRELOAD,
    OPEN,
    SOLVE,
];

/// UCT, by name.
pub static UCT: AgentEntry = AgentEntry::new(
    &About {
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
        ..About::new(
            "uct",
            "Monte Carlo tree search with UCB1, for games without hidden information",
            "Kocsis and Szepesvari 2006; Whitehouse 2014, 3.2.1; ismcts 3.5; tubstap 2.3",
            PARAMS,
        )
    },
    &make,
)
.with_needs(|_| vec![Needed::PerfectInformation.or(GENERAL), Needed::Turns.or(GENERAL)]);

/// UCT on the true state, by name.
pub static CHEATING_UCT: AgentEntry = AgentEntry::new(
    &About::new(
        "cheating-uct",
        "UCT that looks at the true state: a yardstick, marked as cheating in every report",
        "Whitehouse 2014, 5.1.2; ismcts 3.10",
        PARAMS,
    ),
    &make,
)
.cheating();

fn make(asked: &Asked<'_>) -> Made {
    let params = asked.params;
    let settings = Settings { memory: memory(params)?, solve: params.flag("solve")?, ..in_worlds(asked)? };
    if settings.solve && settings.joint == Joint::Decoupled {
        return Err(params.bad("solve", format!("no, if {}", params.written("simultaneous"))));
    }
    if settings.solve && settings.others == Others::Searcher {
        return Err(params.bad("solve", "no, if others=searcher"));
    }
    Ok((Box::new(Uct::new(asked.game, UctSearch::with(asked.game, settings))), budget(params)?))
}

/// UCT as it searches one world of several.
pub(crate) fn in_worlds(asked: &Asked<'_>) -> Result<Settings, BadSpec> {
    let params = asked.params;
    Ok(Settings {
        c: params.number("c")?,
        simulation: simulation(asked)?,
        narrow: narrow(params)?,
        patience: params.number("expand-after")?,
        log: params.choice("log", &[Log::Node, Log::Total])?,
        joint: joint(params)?,
        others: params.choice("others", &[Others::Own, Others::Searcher])?,
        last: last(params)?,
        preload: match params.text("preload") {
            "none" => Preload::Nothing,
            "promise" => Preload::Promise,
            _ => Preload::Evaluation(named_evaluation("preload", &["none", "promise"], asked)?),
        },
        open: params.flag("open")?,
        ..Settings::USUAL
    })
}

/// How players choose who move at the same time.
pub(crate) fn joint(params: &Params) -> Result<Joint, BadSpec> {
    params.choice("simultaneous", &[Joint::Sequence, Joint::Decoupled])
}
