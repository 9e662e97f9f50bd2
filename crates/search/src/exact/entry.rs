//! Exact searches by name.

use fogtree_core::{About, AgentEntry, Asked, BadSpec, Budget, Domain, Made, Need, Needed, Param, Params};

use super::belief::{BeliefPlayer, Candidates, ModelKind, OpponentModel};
use super::expectimax::Expectimax;
use super::minimax::{Minimax, Settings};
use super::star_minimax::{self, Opponents, StarMinimax};
use crate::basic::known_state::KnownState;
use crate::kit::params::{EPSILON, INFER, MILLION, NODES, TIME, time, without_inference};

const SAMPLES: Param = Param::new("samples", "100", MILLION, "worlds drawn where they cannot be listed");
const MODEL: Param = Param::new(
    "model",
    "none",
    Domain::Choice(&["none", "minimax", "pimc-minimax", "is-expectimax"]),
    "what the others are taken for: none, minimax (they know the state), pimc-minimax, is-expectimax; \
     worlds in which they would have played otherwise are left out",
);
const CANDIDATES: Param = Param::new(
    "candidates",
    "100000",
    Domain::Integer(1, 100_000_000),
    "with a model: the most worlds followed through a game; if there are more, the model is left aside",
);
const INFER_UNMODELLED: Param =
    Param { about: "with model=none: iterations of a search that infers, as for mo-ismcts; or off", ..INFER };

/// Minimax, by name.
pub static MINIMAX: AgentEntry = AgentEntry::new(
    &About::new(
        "minimax",
        "Exact search for small games without hidden information; of equal moves it plays the trickier",
        "Whitehouse 2014, 5.1.2; ismcts 3.8",
        &[NODES, EPSILON],
    ),
    &minimax,
)
.with_needs(|_| known_state());

/// Minimax on the true state, by name.
pub static CHEATING_MINIMAX: AgentEntry = AgentEntry::new(
    &About::new(
        "cheating-minimax",
        "Minimax that looks at the true state: a yardstick, marked as cheating in every report",
        "Whitehouse 2014, 5.1.2; ismcts 3.8, 3.10",
        &[NODES, EPSILON],
    ),
    &minimax,
)
.with_needs(|_| vec![LISTED_CHANCE])
.cheating();

/// *-minimax, by name.
pub static STAR_MINIMAX: AgentEntry = AgentEntry::new(
    &About::new(
        "star-minimax",
        "Minimax that leaves out what cannot matter, deeper and deeper; *-minimax at chance, paranoid with several opponents",
        "Ballard 1983; Sturtevant and Korf 2000; Whitehouse 2014, 3.3.2; ismcts 3.8",
        &[
            NODES,
            TIME,
            Param::new(
                "depth",
                "1000",
                Domain::Integer(1, 1000),
                "the steps it looks ahead at most; below, the game's evaluation",
            ),
            Param::new(
                "others",
                "hostile",
                Domain::Choice(&["hostile", "random"]),
                "what the others are taken for: hostile, or random, which makes the search miximax",
            ),
        ],
    ),
    &|asked| {
        let params = asked.params;
        let settings = star_minimax::Settings {
            opponents: params.choice("others", &[Opponents::Hostile, Opponents::Random])?,
            depth: params.number("depth")?,
            nodes: params.number("nodes")?,
        };
        let search = StarMinimax::new(asked.game, settings);
        Ok((Box::new(KnownState::new(asked.game, search)), time(params)?))
    },
)
.with_needs(|_| known_state());

/// Minimax in every world of the information set, by name.
pub static PIMC_MINIMAX: AgentEntry = AgentEntry::new(
    &About::new(
        "pimc-minimax",
        "Minimax in every world of the information set, each with a vote of its weight",
        "Whitehouse 2014, 5.1.2; ismcts 3.11, 3.13",
        &[NODES, EPSILON, SAMPLES, MODEL, CANDIDATES, INFER_UNMODELLED],
    ),
    &|asked| {
        let (settings, candidates) = belief(asked)?;
        let agent = BeliefPlayer::new(candidates, Minimax::new(asked.game, settings));
        Ok((Box::new(agent), Budget::default()))
    },
)
.with_needs(|_| vec![LISTED_CHANCE_IN_WORLDS]);

/// Expectimax over information sets, by name.
pub static IS_EXPECTIMAX: AgentEntry = AgentEntry::new(
    &About::new(
        "is-expectimax",
        "Exact search over its information sets, against opponents who know the state",
        "Whitehouse 2014, 5.1.2; ismcts 3.12, 3.13",
        &[
            NODES,
            Param { about: "as for minimax, in models that play minimax", ..EPSILON },
            SAMPLES,
            MODEL,
            CANDIDATES,
            INFER_UNMODELLED,
        ],
    ),
    &|asked| {
        let (settings, candidates) = belief(asked)?;
        let agent = BeliefPlayer::new(candidates, Expectimax::new(asked.game, settings.nodes));
        Ok((Box::new(agent), Budget::default()))
    },
)
.with_needs(|_| vec![LISTED_CHANCE_IN_WORLDS]);

const LISTED_CHANCE: Need = Needed::ListedChance.or(&["cheating-uct", "pimc", "flat-mc"]);
/// What exact searches need that look into worlds.
pub(crate) const LISTED_CHANCE_IN_WORLDS: Need = Needed::ListedChance.or(&["pimc(search=uct)", "flat-mc"]);

/// What exact searches of known states need.
fn known_state() -> Vec<Need> {
    const INSTEAD: &[&str] = &["is-expectimax", "pimc-minimax", "pimc"];
    vec![Needed::PerfectInformation.or(INSTEAD), Needed::Turns.or(INSTEAD), LISTED_CHANCE]
}

/// What minimax is asked for.
pub(crate) fn settings(params: &Params) -> Result<Settings, BadSpec> {
    Ok(Settings { epsilon: params.number("epsilon")?, nodes: params.number("nodes")? })
}

fn minimax(asked: &Asked<'_>) -> Made {
    let search = Minimax::new(asked.game, settings(asked.params)?);
    Ok((Box::new(KnownState::new(asked.game, search)), Budget::default()))
}

/// Which worlds an exact player looks into.
fn belief(asked: &Asked<'_>) -> Result<(Settings, Candidates), BadSpec> {
    let params = asked.params;
    let settings = settings(params)?;
    let models =
        [None, Some(ModelKind::Minimax), Some(ModelKind::PimcMinimax), Some(ModelKind::IsExpectimax)];
    let model = params.choice("model", &models)?;
    let (samples, most) = (params.number("samples")?, params.number("candidates")?);
    if model.is_some() {
        without_inference(params, "if a model says which worlds are possible")?;
    }
    let model = model.map(|kind| OpponentModel::new(asked.game, kind, settings, samples));
    Ok((settings, Candidates::new(asked.game, model, samples, most)))
}
