//! Growing-tree counterfactual regret minimisation by name.

use fogtree_core::{About, AgentEntry, Asked, Domain, Param, Spec};

use super::{Growth, GtCfr, Settings};
use crate::is_mcts::entry::two_opposed;
use crate::ismcts::entry::MO_ISMCTS;
use crate::kit::params::{C, ITERATIONS, MILLION, NODES, SHARE, TIME, budget};

/// Growing-tree counterfactual regret minimisation, by name.
pub static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "gt-cfr",
        "Growing-tree counterfactual regret minimisation: solves games that are small enough, searches a tree \
         from the start of others, for two players whose rewards have a constant sum",
        "Schmid and others 2023; Farina, Kroer and Sandholm 2021",
        &[
            Param {
                default: "1000",
                about: "updates of both players per decision; without a limit if only a time is given",
                ..ITERATIONS
            },
            TIME,
            Param {
                about: "games of at most so many nodes are solved as a whole, if they can be walked in time; \
                        other trees grow to as many",
                ..NODES
            },
            Param::new(
                "whole",
                "0.3",
                SHARE,
                "share of the time in which the whole game may be walked; 0 = a tree grows in any game",
            ),
            Param::new(
                "growth",
                "0.5",
                Domain::Real(0.0, 100.0),
                "by which part the tree grows between two updates",
            ),
            Param::new("polish", "0.5", SHARE, "share of the budget in which the tree does not grow"),
            Param::new("rollouts", "8", MILLION, "random playouts for a leaf of the tree"),
            Param { default: "0.5", ..C },
            Param::new(
                "purify",
                "0",
                SHARE,
                "moves less likely than this part of the likeliest are not played; 0 for none",
            ),
        ],
    ),
    &|asked| {
        let params = asked.params;
        let tree = Growth {
            rollouts: params.number("rollouts")?,
            c: params.number("c")?,
            nodes: params.number::<usize>("nodes")?,
        };
        let settings = Settings {
            whole: params.number("whole")?,
            growth: params.number("growth")?,
            polish: params.number("polish")?,
            purify: params.number("purify")?,
            tree,
        };
        let spec = Spec { name: MO_ISMCTS.about.name.to_string(), params: Vec::new() };
        let (fallback, _) = (MO_ISMCTS.make)(&Asked { params: &MO_ISMCTS.about.params(&spec)?, ..*asked })?;
        Ok((Box::new(GtCfr::new(asked.game, settings, fallback)), budget(params)?))
    },
)
.with_needs(|_| two_opposed());
