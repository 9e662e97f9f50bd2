//! Information-set MCTS by name, one entry for each way of observing.

use fogtree_core::{About, AgentEntry, Asked, BadSpec, Domain, Made, Param, Params, Simulation};

use super::{Config, Ismcts, Observers, Opponents, Select, Simultaneous};
use crate::kit::params::{
    C, CUTOFF, EVALUATION, FINAL, INFER, ITERATIONS, MEMORY, PLAYOUT, PRUNE, TIME, WIDEN, budget, last,
    memory, narrow, simulation,
};
use crate::learn::{BadEnhance, Enhance};

const SIMULTANEOUS: Param = Param::new(
    "simultaneous",
    "exp3",
    Domain::Choice(&["exp3", "ucb1"]),
    "how players choose who choose at the same time: exp3 or ucb1",
)
.or(&["together"]);
const OPPONENTS: Param = Param::new(
    "opponents",
    "published",
    Domain::Choice(&["published", "informed"]),
    "what nodes of other players are told apart by: published (what was done and seen since the root) or informed \
     (also what the player knows in the world that was drawn)",
);
const SPLIT: Param = Param::new(
    "split",
    "64",
    Domain::Integer(1, 1_000_000),
    "informed: every how many visits to a node that all holdings of a player share one is split off for one of them; \
     with 1, nothing is shared",
);
const THREADS: Param =
    Param::new("threads", "1", Domain::Integer(1, 256), "searches side by side, whose results are added up");
const SELECT: Param = Param::new(
    "select",
    "ucb1",
    Domain::Choice(&["ucb1", "ucb1-tuned"]),
    "the bound in the tree: ucb1 (with c) or ucb1-tuned (which needs no constant)",
);
const ENHANCE: Param = Param::new(
    "enhance",
    "-",
    Domain::Text,
    "what is learnt from playouts: mast, nast(n=2), lgrf, epic, rave(k=250), history, ..., combined as in \
     epic+lgrf or rave>mast+lgrf; a name of Whitehouse 2014, Table 8.1 (E, RML, ...); auto finds out \
     while searching; - for nothing",
);
const ENHANCE_BELOW: Param = Param {
    about: "what is learnt from playouts and used below the tree: mast, nast(n=2), lgrf, epic, ..., combined as in \
            epic+lgrf; - for nothing",
    ..ENHANCE
};

/// One tree in which all moves are seen, by name.
pub static SO_ISMCTS: AgentEntry = AgentEntry::new(
    &About::new(
        "so-ismcts",
        "Information-set MCTS with one tree: the others' hidden moves count as seen",
        "Cowling, Powley and Whitehouse 2012; ismcts 3.14",
        &[
            ITERATIONS,
            TIME,
            C,
            OPPONENTS,
            SPLIT,
            SELECT,
            ENHANCE,
            SIMULTANEOUS,
            MEMORY,
            THREADS,
            PLAYOUT,
            CUTOFF,
            EVALUATION,
            WIDEN,
            PRUNE,
            FINAL,
            INFER,
        ],
    ),
    &|asked| make(asked, wide(asked, Observers::Single)?),
);

/// One tree in which moves are seen as the searcher sees them, by name.
pub static SO_ISMCTS_POM: AgentEntry = AgentEntry::new(
    &About::new(
        "so-ismcts-pom",
        "Information-set MCTS with one tree over what the searcher sees of the others' moves",
        "Cowling, Powley and Whitehouse 2012; Whitehouse 2014, 6.3.1; ismcts 3.15",
        &[
            ITERATIONS,
            TIME,
            C,
            OPPONENTS,
            SPLIT,
            ENHANCE_BELOW,
            SIMULTANEOUS,
            MEMORY,
            THREADS,
            PLAYOUT,
            CUTOFF,
            EVALUATION,
            FINAL,
            INFER,
        ],
    ),
    &|asked| {
        let config = enhanced(asked, Observers::Partial)?;
        if !config.enhance.leaves_tree() {
            return Err(asked.params.bad("enhance", "what is used below the tree only"));
        }
        make(asked, config)
    },
);

/// A tree for each player, by name.
pub static MO_ISMCTS: AgentEntry = AgentEntry::new(
    &About::new(
        "mo-ismcts",
        "Information-set MCTS with a tree for each player, over what that player knows",
        "Cowling, Powley and Whitehouse 2012; Whitehouse 2014, 6.3.1; ismcts 3.16",
        &[
            ITERATIONS,
            TIME,
            C,
            OPPONENTS,
            SPLIT,
            SELECT,
            ENHANCE,
            SIMULTANEOUS,
            MEMORY,
            THREADS,
            Param::new("reuse", "no", Domain::Flag, "keep the own tree from move to move: yes or no"),
            PLAYOUT,
            CUTOFF,
            EVALUATION,
            WIDEN,
            PRUNE,
            FINAL,
            INFER,
        ],
    ),
    &|asked| {
        let reuse = asked.params.flag("reuse")?;
        make(asked, Config { reuse, ..wide(asked, Observers::Multiple)? })
    },
);

/// A tree for each player, who draws worlds of its own, by name.
pub static RIS_MCTS: AgentEntry = AgentEntry::new(
    &About::new(
        "ris-mcts",
        "Information-set MCTS in which each decision is judged in worlds its own player thinks possible",
        "Goodman 2019; Whitehouse 2014, 7.1, on the leak it avoids",
        &[ITERATIONS, TIME, C, SIMULTANEOUS, MEMORY, THREADS, PLAYOUT, CUTOFF, EVALUATION, FINAL, INFER],
    ),
    &|asked| make(asked, config(asked, Observers::Acting)?),
);

fn make(asked: &Asked<'_>, config: Config) -> Made {
    Ok((Box::new(Ismcts::new(asked.game, config)), budget(asked.params)?))
}

/// What all take.
fn config(asked: &Asked<'_>, observers: Observers) -> Result<Config, BadSpec> {
    let params = asked.params;
    Ok(Config {
        c: params.number("c")?,
        simultaneous: params.choice("simultaneous", &[Simultaneous::Exp3, Simultaneous::Ucb1])?,
        memory: memory(params)?,
        threads: params.number("threads")?,
        simulation: simulation(asked)?,
        last: last(params)?,
        ..Config::new(observers)
    })
}

fn opponents(params: &Params) -> Result<Opponents, BadSpec> {
    let split = params.number("split")?;
    params.choice("opponents", &[Opponents::Published, Opponents::Informed { split }])
}

/// The same for a search that has nodes of players who may not know what they hold, and learns from its playouts.
fn enhanced(asked: &Asked<'_>, observers: Observers) -> Result<Config, BadSpec> {
    let params = asked.params;
    let enhance: Enhance = params.text("enhance").parse().map_err(|e: BadEnhance| {
        params.bad("enhance", format!("what to learn, as in mast or rave>epic+lgrf ({e})"))
    })?;
    let config = config(asked, observers)?;
    if config.simulation != Simulation::UNIFORM && !enhance.is_base() {
        return Err(params.bad("playout", "uniform, without a cutoff, if playouts are learnt from"));
    }
    Ok(Config { enhance, opponents: opponents(params)?, ..config })
}

/// The same for a search that has a choice of bounds and of moves to look at.
fn wide(asked: &Asked<'_>, observers: Observers) -> Result<Config, BadSpec> {
    let select = asked.params.choice("select", &[Select::Ucb1, Select::Tuned])?;
    Ok(Config { narrow: narrow(asked.params)?, select, ..enhanced(asked, observers)? })
}
