//! MT-MO-ISMCTS by name: inference, self-determinization and bluffing.

use fogtree_core::{About, AgentEntry, Asked, Domain, Made, Needed, Param};

use super::{
    Bound, Counted, Inference, MtMoIsmcts, OutsiderEvidence, Rule, Selection, SelfDeterminization, Settings,
    Trees,
};
use crate::is_mcts::entry::{D, ETA, GAMMA, smooth};
use crate::ismcts::Simultaneous;
use crate::kit::final_move::Final;
use crate::kit::params::{C, FINAL, ITERATIONS, MEMORY, SHARE, TIME, budget, last, memory};

const ON_OFF: Domain = Domain::Choice(&["on", "off"]);

const PARAMS: &[Param] = &[
    Param {
        default: "20000",
        about: "playouts per decision, all parts together; without a limit if only a time is given",
        ..ITERATIONS
    },
    TIME,
    Param::new(
        "infer",
        "auto",
        Domain::Choice(&["auto", "on", "off"]),
        "whether beliefs follow what the others do: on, off, or auto (where the game has a hidden part)",
    ),
    Param::new(
        "self-determinization",
        "true",
        Domain::Choice(&["true", "pure", "split", "two-step", "bluffing"]),
        "worlds that only the others hold possible: true (none), pure, split, two-step, bluffing",
    )
    .or(&["self"]),
    Param::new("self-share", "0.5", SHARE, "share of the budget for such worlds, where there are two parts")
        .or(&["split"]),
    Param::new(
        "select",
        "ucb1-tuned",
        Domain::Choice(&["ucb1-tuned", "ucb1", "smooth"]),
        "how moves are chosen in the trees: ucb1-tuned, ucb1, or smooth (ucb1 at first, and more and more in \
         proportion to visits, which seeks an equilibrium)",
    ),
    Param { about: "exploration constant of ucb1 and smooth, for rewards in [0, 1]", ..C },
    Param { about: "smooth: probability of following the bound at first", ..ETA },
    Param { about: "smooth: least probability of following the bound", ..GAMMA },
    Param { about: "smooth: how fast that probability falls with the visits", ..D },
    Param::new(
        "simultaneous",
        "bound",
        Domain::Choice(&["exp3", "bound"]),
        "how players choose who choose at the same time: bound (as elsewhere, one after the other) or exp3",
    )
    .or(&["together"]),
    Param::new(
        "infer-on-reveal",
        "on",
        ON_OFF,
        "whether beliefs change when simultaneous choices are disclosed: on or off",
    )
    .or(&["reveal"]),
    Param::new(
        "update",
        "particles",
        Domain::Choice(&["particles", "bayes"]),
        "how beliefs change: particles (by the share of visits) or bayes (by likelihoods)",
    )
    .or(&["rule"]),
    Param::new(
        "weight",
        "1",
        Domain::Real(0.01, 1000.0),
        "particles: how often a move counts as seen; more than 1 is bolder than the source",
    )
    .or(&["boost"]),
    Param::new(
        "prior-visits",
        "10",
        Domain::Real(0.001, 1e9),
        "bayes: visits that the guess weighs that a move says nothing",
    )
    .or(&["m"]),
    Param::new(
        "revive",
        "0",
        SHARE,
        "share of a belief that goes back to what the rules make likely whenever it has changed",
    ),
    Param::new(
        "others-infer",
        "on",
        ON_OFF,
        "whether others are taken to learn from the own moves: on or off",
    )
    .or(&["from-self"]),
    Param::new(
        "visits-by",
        "present",
        Domain::Choice(&["present", "root"]),
        "by which value of what is hidden visits are counted: present, or root, as the source's text says",
    )
    .or(&["counted"]),
    Param::new(
        "outsider-evidence",
        "alone",
        Domain::Choice(&["alone", "merged"]),
        "what others believe is learnt in worlds they hold possible (alone), or in all (merged)",
    )
    .or(&["outside"]),
    Param::new(
        "trees",
        "secret",
        Domain::Choice(&["secret", "player"]),
        "secret = a tree for all that a player could know for itself, player = one, as mo-ismcts",
    ),
    FINAL,
    MEMORY,
];

/// MT-MO-ISMCTS, by name.
pub static MT_MO_ISMCTS: AgentEntry = AgentEntry::new(
    &About::new(
        "mt-mo-ismcts",
        "Information-set MCTS with a tree for all that each player could know, which infers and bluffs",
        "Whitehouse 2014, chapter 7; icarus 1",
        PARAMS,
    ),
    &make,
)
.with_needs(|params| {
    let asked = params.text("infer") == "on" || params.text("self-determinization") != "true";
    let need = Needed::HiddenPart("to infer or to bluff about").or(&["mt-mo-ismcts", "mo-ismcts"]);
    if asked { vec![need] } else { Vec::new() }
});

/// MT-MO-ISMCTS that knows everything but what it infers, by name.
pub static CHEATING_MT_MO_ISMCTS: AgentEntry = AgentEntry::new(
    &About::new(
        "cheating-mt-mo-ismcts",
        "The same, knowing the true state but for what it infers: a yardstick, marked as cheating in every report",
        "Whitehouse 2014, 7.5.5; icarus EXP-7.7",
        PARAMS,
    ),
    &make,
)
.with_needs(|_| vec![Needed::HiddenPart("to be left out").or(&["cheating-uct", "cheating-ensemble"])])
.cheating();

fn make(asked: &Asked<'_>) -> Made {
    let params = asked.params;
    let c = params.number("c")?;
    let particles = Rule::Particles { boost: params.number("weight")? };
    let bayes = Rule::Bayes { m: params.number("prior-visits")? };
    let inference = Inference {
        rule: params.choice("update", &[particles, bayes])?,
        revive: params.number("revive")?,
        on_reveal: params.choice("infer-on-reveal", &[true, false])?,
        from_self: params.choice("others-infer", &[true, false])?,
        counted: params.choice("visits-by", &[Counted::Present, Counted::AtRoot])?,
    };
    let ways = [
        SelfDeterminization::True,
        SelfDeterminization::Pure,
        SelfDeterminization::Split,
        SelfDeterminization::TwoStep,
        SelfDeterminization::Bluffing,
    ];
    let way = params.choice("self-determinization", &ways)?;
    let trees = params.choice("trees", &[Trees::PerSecret, Trees::PerPlayer])?;
    if way.looks_outside() && trees == Trees::PerPlayer {
        let expected = format!("secret, which {} needs", params.written("self-determinization"));
        return Err(params.bad("trees", expected));
    }
    let selections = [
        Selection::Greatest(Bound::Ucb1Tuned),
        Selection::Greatest(Bound::Ucb1(c)),
        Selection::Smooth(smooth(params)?),
    ];
    let last = last(params)?;
    if way == SelfDeterminization::Bluffing && last != Final::Visits {
        let way = params.written("self-determinization");
        return Err(params.bad("final", format!("visits, if {way}, which has a rule of its own")));
    }
    let settings = Settings {
        trees,
        select: params.choice("select", &selections)?,
        simultaneous: params.choice("simultaneous", &[Simultaneous::Exp3, Simultaneous::Ucb1])?,
        inference: params.choice("infer", &[Some(inference), Some(inference), None])?,
        self_determinization: way,
        self_share: params.number("self-share")?,
        outsider_evidence: params
            .choice("outsider-evidence", &[OutsiderEvidence::Alone, OutsiderEvidence::Merged])?,
        last,
        memory: memory(params)?,
    };
    Ok((Box::new(MtMoIsmcts::new(asked.game, settings)), budget(params)?))
}
