//! Online outcome sampling by name.

use fogtree_core::{About, AgentEntry, Domain, Needed, Param};

use super::{Aim, Expansion, Oos, Play, Settings, Weights};
use crate::is_mcts::entry::two_opposed;
use crate::kit::params::{ITERATIONS, MEMORY, SHARE, TIME, budget, memory};

/// Online outcome sampling, by name.
pub static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "oos",
        "Online outcome sampling: regret minimisation that approaches an equilibrium, for two players whose \
         rewards have a constant sum",
        "Lisý 2014, 3.2.4; equilibrium 2.5",
        &[
            Param {
                about: "pairs of samples per decision, one for each player; without a limit if only a time is given",
                ..ITERATIONS
            },
            TIME,
            Param::new(
                "gamma",
                "0.4",
                SHARE,
                "probability that the player whose regrets are updated explores",
            ),
            Param::new(
                "delta",
                "0.9",
                SHARE,
                "share of samples that aim at the target; with 1 the search need not converge",
            ),
            Param::new(
                "epsilon",
                "0.01",
                SHARE,
                "share of uniform play in every strategy, so that nothing is out of reach",
            ),
            Param::new(
                "target",
                "infoset",
                Domain::Choice(&["infoset", "public", "none"]),
                "what samples aim at: infoset (of the decision), public (all that looks alike to the public), none",
            ),
            Param::new(
                "reweight",
                "no",
                Domain::Flag,
                "yes = samples weigh as much after a change of target as before, where its histories can be listed",
            ),
            Param::new(
                "play",
                "average",
                Domain::Choice(&["average", "current"]),
                "which strategy is played: average, or current (of regret matching)",
            ),
            Param::new(
                "weights",
                "corrected",
                Domain::Choice(&["corrected", "printed", "half"]),
                "how chance enters the weights: corrected; printed and half are defective, to be studied",
            ),
            Param::new(
                "expand",
                "one",
                Domain::Choice(&["one", "all"]),
                "information sets that a sample adds: one (then random play) or all it meets",
            ),
            Param {
                about: "MiB for information sets; beyond them the search goes on without growing",
                ..MEMORY
            },
        ],
    ),
    &|asked| {
        let params = asked.params;
        let settings = Settings {
            gamma: params.number("gamma")?,
            delta: params.number("delta")?,
            epsilon: params.number("epsilon")?,
            aim: params.choice("target", &[Aim::InformationSet, Aim::PublicState, Aim::Nothing])?,
            reweight: params.flag("reweight")?,
            play: params.choice("play", &[Play::Average, Play::Current])?,
            weights: params.choice("weights", &[Weights::Corrected, Weights::Printed, Weights::Half])?,
            expansion: params.choice("expand", &[Expansion::One, Expansion::All])?,
            memory: memory(params)?,
        };
        Ok((Box::new(Oos::new(asked.game, settings)), budget(params)?))
    },
)
.with_needs(|_| {
    let listed = Needed::ListedChance.or(&["is-mcts", "mo-ismcts", "pimc"]);
    two_opposed().into_iter().chain([listed]).collect()
});
