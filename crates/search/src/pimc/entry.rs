//! PIMC by name, in worlds that are drawn and in the true state.

use fogtree_core::{About, AgentEntry, Asked, BadSpec, Budget, Domain, Made, Param, Params, Preset};

use super::{Division, Pimc};
use crate::exact::alpha_beta::{self, AlphaBeta};
use crate::exact::entry::{LISTED_CHANCE_IN_WORLDS, settings as minimax_settings};
use crate::exact::minimax::Minimax;
use crate::kit::params::{
    C, COUNT, CUTOFF, EPSILON, EVALUATION, FINAL, INFER, OPEN, PLAYOUT, PRUNE, TIME, WIDEN, budget,
    evaluation,
};
use crate::kit::vote::Vote;
use crate::uct::entry::{EXPAND_AFTER, LOG, OTHERS, PRELOAD, SIMULTANEOUS, in_worlds};
use crate::uct::{OneTree, Preload, UctSearch};

const DETERMINIZATIONS: Param = Param::new(
    "determinizations",
    "40",
    Domain::Integer(1, 1_000_000_000),
    "worlds searched per decision; as many as fit if only a time is given",
);
const ITERATIONS: Param = Param::new("iterations", "250", COUNT, "playouts in each world");

/// Perfect-information Monte Carlo, by name.
pub static PIMC: AgentEntry = AgentEntry::new(
    &About {
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
        ..About::new(
            "pimc",
            "Draws worlds from the information set, searches each as if nothing were hidden, lets them vote",
            "Whitehouse 2014, 3.3.1, 5.1; ismcts 3.9; tubstap 2.4",
            &[
                DETERMINIZATIONS,
                ITERATIONS,
                TIME,
                C,
                Param::new(
                    "vote",
                    "auto",
                    Domain::Choice(&[
                        "auto",
                        "majority",
                        "weighted-majority",
                        "sum-of-scores",
                        "averaged-rewards",
                        "summed-visits",
                    ]),
                    "majority, weighted-majority, sum-of-scores, averaged-rewards, summed-visits; auto is \
                     summed-visits for uct and weighted-majority for the others",
                ),
                Param::new(
                    "search",
                    "uct",
                    Domain::Choice(&["uct", "minimax", "alpha-beta"]),
                    "how a world is searched: uct, minimax, or alpha-beta, which looks at few moves of whole turns",
                ),
                Param::new(
                    "nodes",
                    "100000",
                    COUNT,
                    "for minimax and alpha-beta: states they may look into per world",
                ),
                Param::new(
                    "turns",
                    "2",
                    Domain::Integer(1, 1000),
                    "for alpha-beta: how many turns it looks ahead",
                ),
                EPSILON,
                Param::new(
                    "trees",
                    "worlds",
                    Domain::Choice(&["worlds", "one"]),
                    "worlds (a tree for each) or one: every iteration draws a world and goes down the same tree",
                ),
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
                INFER,
            ],
        )
    },
    &make,
)
.with_needs(|params| match params.text("search") {
    "minimax" => vec![LISTED_CHANCE_IN_WORLDS],
    _ => Vec::new(),
});

/// PIMC with the true state for every world, by name.
pub static CHEATING_ENSEMBLE: AgentEntry = AgentEntry::new(
    &About::new(
        "cheating-ensemble",
        "PIMC with the true state for every world: a yardstick, marked as cheating in every report",
        "Whitehouse 2014, 5.2.4; ismcts 3.10",
        &[
            DETERMINIZATIONS,
            ITERATIONS,
            TIME,
            C,
            Param::new(
                "vote",
                "summed-visits",
                Domain::Choice(&[
                    "majority",
                    "weighted-majority",
                    "sum-of-scores",
                    "averaged-rewards",
                    "summed-visits",
                ]),
                "majority, weighted-majority, sum-of-scores, averaged-rewards, summed-visits",
            ),
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
        ],
    ),
    &|asked| {
        let (division, budget) = division(asked.params)?;
        let search = UctSearch::with(asked.game, in_worlds(asked)?);
        let vote = asked.params.choice("vote", &VOTES)?;
        Ok((Box::new(Pimc::new(asked.game, search, division, vote)), budget))
    },
)
.cheating();

const VOTES: [Vote; 5] =
    [Vote::Majority, Vote::WeightedMajority, Vote::SumOfScores, Vote::AveragedRewards, Vote::SummedVisits];

/// How a world is searched.
#[derive(Clone, Copy, PartialEq)]
enum Search {
    Uct,
    Minimax,
    AlphaBeta,
}

fn make(asked: &Asked<'_>) -> Made {
    let (game, params) = (asked.game, asked.params);
    let (uct, minimax) = (in_worlds(asked)?, minimax_settings(params)?);
    let selective = alpha_beta::Settings {
        turns: params.number("turns")?,
        nodes: minimax.nodes,
        evaluation: evaluation(asked)?,
        open: uct.open,
    };
    let search = params.choice("search", &[Search::Uct, Search::Minimax, Search::AlphaBeta])?;
    let auto = if search == Search::Uct { Vote::SummedVisits } else { Vote::WeightedMajority };
    let [a, b, c, d, e] = VOTES;
    let vote = params.choice("vote", &[auto, a, b, c, d, e])?;
    if search == Search::Minimax && vote == Vote::SummedVisits {
        return Err(params.bad("vote", "another rule: minimax visits every move once"));
    }
    let (division, budget) = division(params)?;
    if params.choice("trees", &[false, true])? {
        if search != Search::Uct {
            return Err(params.bad("trees", "worlds: only uct has a tree to share"));
        }
        if uct.preload != Preload::Nothing {
            return Err(params.bad("preload", "none, if all worlds share a tree"));
        }
        let iterations = division.determinizations.map(|n| n.saturating_mul(division.iterations));
        let agent = OneTree::new(game, UctSearch::with(game, uct));
        return Ok((Box::new(agent), Budget { iterations, ..budget }));
    }
    Ok((
        match search {
            Search::Uct => Box::new(Pimc::new(game, UctSearch::with(game, uct), division, vote)),
            Search::Minimax => Box::new(Pimc::new(game, Minimax::new(game, minimax), division, vote)),
            Search::AlphaBeta => Box::new(Pimc::new(game, AlphaBeta::new(game, selective), division, vote)),
        },
        budget,
    ))
}

/// The worlds and the iterations in each; under a limit of time as many worlds as fit.
fn division(params: &Params) -> Result<(Division, Budget), BadSpec> {
    let budget = Budget { iterations: None, ..budget(params)? };
    let timed = budget.time.or(budget.turn).is_some();
    let unlimited = timed && !params.is_given("determinizations");
    let determinizations = params.number("determinizations")?;
    let iterations = params.number("iterations")?;
    Ok((Division { determinizations: (!unlimited).then_some(determinizations), iterations }, budget))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_have_no_limit_where_only_time_has() {
        let of = |text: &str| {
            let params = PIMC.about.params(&text.parse().unwrap()).unwrap();
            let (division, _) = division(&params).unwrap();
            (division.determinizations, division.iterations)
        };
        assert_eq!(of("pimc"), (Some(40), 250));
        assert_eq!((of("pimc(time=1s)"), of("pimc(time=1s/turn)")), ((None, 250), (None, 250)));
        assert_eq!(of("pimc(time=1s,determinizations=10,iterations=1000)"), (Some(10), 1000));
    }
}
