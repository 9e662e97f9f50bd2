//! Searches of simultaneous moves by name.

use fogtree_core::{About, AgentEntry, Asked, Domain, Made, Need, Needed, Param};

use super::{
    Average, Expand, Leaf, Mcts, Method, Oos, Play, Progress, Propagate, Selection, Settings, SmMcts, Weights,
};
use crate::bandit::Ties;
use crate::is_mcts::entry::two_opposed;
use crate::kit::params::{C, ITERATIONS, MEMORY, SHARE, TIME, budget, memory};

const EXPLORING: Domain = Domain::Real(0.000_001, 1.0);
const LEAF: Param = Param::new(
    "leaf",
    "rollout",
    Domain::Choice(&["rollout", "evaluation"]),
    "how the game is judged where the tree ends: rollout (random play) or evaluation (by the game)",
);
const PLAY: Param = Param::new(
    "play",
    "mix",
    Domain::Choice(&["max", "mix"]),
    "which move is played: mix (drawn from the average strategy) or max (its likeliest)",
);

/// Simultaneous-move MCTS, by name.
pub static SM_MCTS: AgentEntry = AgentEntry::new(
    &About::new(
        "sm-mcts",
        "Tree search for two players who choose at the same time and otherwise see everything",
        "Lisý 2014, 3.1.1; equilibrium 2.3",
        &[
            ITERATIONS,
            TIME,
            Param::new(
                "select",
                "rm",
                Domain::Choice(&["duct", "exp3", "drm", "rm"]),
                "how players choose in the tree: duct (decoupled UCT), exp3, drm (regret matching on own \
                 rewards) or rm (coupled regret matching)",
            ),
            Param {
                default: "1",
                about: "exploration constant of duct, for rewards in [0, 1]: half of one for rewards in [-1, 1]",
                ..C
            },
            Param::new(
                "tau",
                "0.005",
                SHARE,
                "duct: how far below the greatest a bound counts as equal, likewise",
            ),
            Param::new("gamma", "0.1", EXPLORING, "probability of exploring (exp3, drm, rm)"),
            Param::new(
                "unvisited",
                "0.5",
                SHARE,
                "rm: what joint moves never made are worth to the first player, 0 to 1",
            ),
            Param::new(
                "forced",
                "0",
                Domain::Real(0.0, 0.999_999),
                "probability with which a player chooses uniformly and does not learn (algorithm A*)",
            ),
            Param::new(
                "propagate",
                "sample",
                Domain::Choice(&["sample", "mean", "joint-mean"]),
                "what is passed up: sample, mean (SM-MCTS-A) or joint-mean (learners get means of joint moves)",
            ),
            Param::new(
                "expand",
                "choose",
                Domain::Choice(&["choose", "leave"]),
                "in a new node players choose and learn at once, or it is left empty: choose or leave",
            ),
            Param::new(
                "average",
                "stripped",
                Domain::Choice(&["stripped", "played"]),
                "of which strategies: stripped (of exploration) or played",
            ),
            LEAF,
            PLAY,
            MEMORY,
        ],
    ),
    &|asked| {
        let params = asked.params;
        let gamma = params.number("gamma")?;
        let selections = [
            Selection::Duct { c: params.number("c")?, ties: Ties::Random(params.number("tau")?) },
            Selection::Exp3 { gamma },
            Selection::Drm { gamma },
            Selection::Rm { gamma, unvisited: params.number("unvisited")? },
        ];
        let propagate = [Propagate::Sample, Propagate::Mean, Propagate::JointMean];
        let mcts = Mcts {
            selection: params.choice("select", &selections)?,
            forced: params.number("forced")?,
            propagate: params.choice("propagate", &propagate)?,
            expand: params.choice("expand", &[Expand::Choose, Expand::Leave])?,
            average: params.choice("average", &[Average::Stripped, Average::Played])?,
        };
        make(asked, Method::Mcts(mcts))
    },
)
.with_needs(|_| needs());

/// Online outcome sampling for simultaneous moves, by name.
pub static SM_OOS: AgentEntry = AgentEntry::new(
    &About::new(
        "sm-oos",
        "Online outcome sampling for two players who choose at the same time and otherwise see everything",
        "Lisý 2014, 3.1.3; equilibrium 2.4",
        &[
            ITERATIONS,
            TIME,
            Param::new("gamma", "0.6", EXPLORING, "probability with which the player who learns explores"),
            Param::new(
                "weights",
                "path",
                Domain::Choice(&["path", "local"]),
                "how an iteration counts at a node: path (by the inverse of the way there) or local",
            ),
            Param::new(
                "progress",
                "restart",
                Domain::Choice(&["restart", "reach"]),
                "after a real move: restart (the state is a new start) or reach (iterations count by how likely \
                 it was)",
            ),
            LEAF,
            PLAY,
            MEMORY,
        ],
    ),
    &|asked| {
        let params = asked.params;
        let oos = Oos {
            gamma: params.number("gamma")?,
            weights: params.choice("weights", &[Weights::Path, Weights::Local])?,
            progress: params.choice("progress", &[Progress::Restart, Progress::Reach])?,
        };
        make(asked, Method::Oos(oos))
    },
)
.with_needs(|_| needs());

fn needs() -> Vec<Need> {
    let known = Needed::PerfectInformation.or(&["oos", "is-mcts", "mo-ismcts"]);
    two_opposed().into_iter().chain([known]).collect()
}

fn make(asked: &Asked<'_>, method: Method) -> Made {
    let params = asked.params;
    let settings = Settings {
        method,
        leaf: params.choice("leaf", &[Leaf::Rollout, Leaf::Evaluation])?,
        play: params.choice("play", &[Play::Max, Play::Mix])?,
        memory: memory(params)?,
    };
    Ok((Box::new(SmMcts::new(asked.game, settings)), budget(params)?))
}
