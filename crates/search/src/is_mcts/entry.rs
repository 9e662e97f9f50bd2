//! IS-MCTS and Smooth UCT by name.

use fogtree_core::{About, AgentEntry, Asked, BadSpec, Domain, Made, Need, Needed, Param, Params};

use super::{IsMcts, Play, Playout, Recall, Selection, Settings, Smooth};
use crate::kit::params::{
    C, GENERAL, INFER, ITERATIONS, MEMORY, MILLION, PLAYOUT, SHARE, TIME, budget, memory, policy,
    without_inference,
};

pub(crate) const ETA: Param = Param::new("eta", "0.9", SHARE, "probability of following the bound at first");
pub(crate) const GAMMA: Param = Param::new("gamma", "0.1", SHARE, "least probability of following the bound");
pub(crate) const D: Param =
    Param::new("d", "0.001", Domain::Real(0.0, 1e6), "how fast that probability falls with the visits");
const BELIEFS: Param = Param::new(
    "beliefs",
    "yes",
    Domain::Flag,
    "yes = track how likely each state is, no = draw worlds from what is known",
);
const PLAY: Param = Param::new(
    "play",
    "mix",
    Domain::Choice(&["max", "mix"]),
    "which move is played: max (the most visited) or mix (drawn in proportion to visits)",
);
const INFO_SETS: Param =
    Param { about: "MiB for information sets; beyond them the search goes on without growing", ..MEMORY };
const INFER_UNTRACKED: Param =
    Param { about: "with beliefs=no: iterations of a search that infers, as for mo-ismcts; or off", ..INFER };

/// IS-MCTS, by name.
pub static IS_MCTS: AgentEntry = AgentEntry::new(
    &About::new(
        "is-mcts",
        "Search on information sets in a hash table, for two players whose rewards have a constant sum",
        "Lisý 2014, 3.2.3; equilibrium 2.6.3, 2.6.4",
        &[
            ITERATIONS,
            TIME,
            Param::new(
                "selection",
                "ruct",
                Domain::Choice(&["uct", "ruct", "exp3", "rm"]),
                "how moves are chosen: uct (first greatest bound), ruct (random within tau), exp3 or rm",
            ),
            Param {
                default: "1",
                about: "exploration constant of uct and ruct, for rewards in [0, 1]",
                ..C
            },
            Param::new("tau", "0.01", SHARE, "how far below the greatest a bound counts as equal (ruct)"),
            Param::new(
                "gamma",
                "0.1",
                Domain::Real(0.000_001, 1.0),
                "probability of exploring (exp3, rm)",
            ),
            BELIEFS,
            PLAY,
            Param::new(
                "recall",
                "perfect",
                Domain::Choice(&["perfect", "abstract"]),
                "what players remember: perfect, or abstract in games that say what is worth remembering",
            ),
            PLAYOUT,
            Param::new(
                "cutoff",
                "none",
                Domain::Or("none", &MILLION),
                "so many turns from the root games are judged by the game's evaluation; none plays to the end",
            ),
            INFO_SETS,
            INFER_UNTRACKED,
        ],
    ),
    &|asked| {
        let params = asked.params;
        let (c, gamma) = (params.number("c")?, params.number("gamma")?);
        let selections = [
            Selection::Uct { c },
            Selection::Ruct { c, tau: params.number("tau")? },
            Selection::Exp3 { gamma },
            Selection::Rm { gamma },
        ];
        let settings = Settings {
            selection: params.choice("selection", &selections)?,
            recall: params.choice("recall", &[Recall::Perfect, Recall::Abstract])?,
            playout: Playout { policy: policy("playout", asked)?, cutoff: params.number_unless("cutoff")? },
            ..Settings::default()
        };
        make(asked, settings)
    },
)
.with_needs(|_| two_opposed());

/// Smooth UCT, by name.
pub static SMOOTH_UCT: AgentEntry = AgentEntry::new(
    &About::new(
        "smooth-uct",
        "IS-MCTS that follows bounds at first and more and more its own average play",
        "Heinrich and Silver 2015; ismcts 3.18",
        &[ITERATIONS, TIME, C, ETA, GAMMA, D, BELIEFS, PLAY, INFO_SETS, INFER_UNTRACKED],
    ),
    &|asked| {
        let selection = Selection::Smooth(smooth(asked.params)?);
        make(asked, Settings { selection, ..Settings::default() })
    },
)
.with_needs(|_| two_opposed());

/// What searches for an equilibrium need.
pub(crate) fn two_opposed() -> Vec<Need> {
    vec![Needed::TwoPlayers.or(GENERAL), Needed::ConstantSum.or(GENERAL)]
}

/// How much a player follows its average play.
pub(crate) fn smooth(params: &Params) -> Result<Smooth, BadSpec> {
    Ok(Smooth {
        c: params.number("c")?,
        gamma: params.number("gamma")?,
        eta: params.number("eta")?,
        d: params.number("d")?,
    })
}

fn make(asked: &Asked<'_>, settings: Settings) -> Made {
    let params = asked.params;
    let beliefs = params.flag("beliefs")?;
    if beliefs {
        without_inference(params, "if it tracks beliefs of its own (beliefs=yes)")?;
    }
    let play = params.choice("play", &[Play::Max, Play::Mix])?;
    let settings = Settings { beliefs, play, memory: memory(params)?, ..settings };
    Ok((Box::new(IsMcts::new(asked.game, settings)), budget(params)?))
}
