//! Inference from search statistics, self-determinization and bluffing.
//!
//! In a game with a [hidden part](fogtree_core::HiddenPart) a search with one tree for each player *and each thing the player could know for itself*
//! ([`Trees::PerSecret`], MT-MO-ISMCTS) models what the others would do, depending on what they know. When the
//! others then really move, the iterations that foresaw that move say which values of the hidden part it speaks for:
//! a particle filter that needs no model but the search itself ([`infer`]). To judge what the others
//! may infer, the searcher also looks into worlds that it knows to be false and the others do not
//! ([`SelfDeterminization`]), drawn from what an outsider would believe. Source: Whitehouse 2014, chapter 7 (`icarus/1`).
//!
//! Other players can have their worlds drawn by what such a search infers beside them ([`WithInference`]).
//!
//! Without a hidden part, or with [`Trees::PerPlayer`], the search is MO-ISMCTS.

mod arm;
mod belief;
mod bluff;
mod counts;
mod engine;
pub mod entry;
mod filter;
mod player;
mod with_inference;

pub use arm::{Bound, Selection};
pub use belief::{Evidence, Rule, infer, log_loss, mean_log_loss, revive, summary};
pub use bluff::{Temptation, bluffing_scores, not_clearly_worse};
pub use counts::Mover;
pub use player::MtMoIsmcts;
pub use with_inference::WithInference;

use crate::ismcts::Simultaneous;
use crate::kit::final_move::Final;

/// How many trees a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trees {
    /// One for each thing it could know of the hidden part for itself.
    PerSecret,
    /// One, as in MO-ISMCTS.
    PerPlayer,
}

/// How worlds that the others hold possible enter a decision (Whitehouse 2014, §7.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelfDeterminization {
    /// Not at all: all worlds are possible for the searcher.
    True,
    /// All worlds are what an outsider holds possible.
    Pure,
    /// First those of an outsider, then the searcher's own, in the same trees.
    Split,
    /// The same, but in the second part the others play as often as they did at the end of the first part and
    /// learn nothing.
    TwoStep,
    /// As [`SelfDeterminization::Split`]; then, of the moves that are not clearly worse than the best, the one that is most popular
    /// whatever the searcher could be.
    Bluffing,
}

impl SelfDeterminization {
    /// Whether an outsider's worlds are looked into.
    pub fn looks_outside(self) -> bool {
        self != SelfDeterminization::True
    }
}

/// From which iterations it is learnt what an outsider believes and, for bluffing, which moves are popular whatever the
/// searcher could be. The source sums over all trees of the searcher and calls the result both the tree
/// of an outsider and the visits of all self-determinizations; where a search has a part in the searcher's own
/// worlds, that is not the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutsiderEvidence {
    /// From those in an outsider's worlds, which do not depend on the searcher's secret.
    Alone,
    /// From all, the searcher's own worlds included, which give its secret away.
    Merged,
}

/// By which value of the hidden part the visits to a place are counted (`icarus/AMB-2`). The same where the value never
/// changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// By the value there.
    Present,
    /// By the value with which the iteration began, as the source's text says; where the value changes, that mixes
    /// where somebody was with where it is.
    AtRoot,
}

/// What can be inferred, and from what.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Inference {
    /// How counts change a belief.
    pub rule: Rule,
    /// The share of a belief that goes back to what the rules alone make likely whenever it has changed, so
    /// that nothing possible stays improbable for ever; 0 in the source.
    pub revive: f64,
    /// Whether beliefs also change when simultaneous choices are disclosed (`icarus/AMB-5`).
    pub on_reveal: bool,
    /// Whether the outsider's belief also changes by the searcher's own moves (`icarus/AMB-7`).
    pub from_self: bool,
    /// By which value visits are counted.
    pub counted: Counted,
}

impl Default for Inference {
    fn default() -> Self {
        Inference {
            rule: Rule::default(),
            revive: 0.0,
            on_reveal: true,
            from_self: true,
            counted: Counted::Present,
        }
    }
}

/// What can be set about a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// How many trees a player has.
    pub trees: Trees,
    /// How moves are chosen in the trees.
    pub select: Selection,
    /// How players choose when they choose at the same time (`icarus/AMB-1`): by the same bound, or by EXP3.
    pub simultaneous: Simultaneous,
    /// How beliefs change; without it they only follow what the rules make certain.
    pub inference: Option<Inference>,
    /// How worlds that the others hold possible enter a decision.
    pub self_determinization: SelfDeterminization,
    /// The share of the budget that goes to an outsider's worlds, where there are two parts.
    pub self_share: f64,
    /// From which iterations the outsider's view is learnt.
    pub outsider_evidence: OutsiderEvidence,
    /// Which move is played after the search; [`SelfDeterminization::Bluffing`] has a rule of its own.
    pub last: Final,
    /// The most bytes for the trees; beyond them the search goes on without growing.
    pub memory: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            trees: Trees::PerSecret,
            select: Selection::Greatest(Bound::Ucb1Tuned),
            simultaneous: Simultaneous::Ucb1,
            inference: Some(Inference::default()),
            self_determinization: SelfDeterminization::True,
            self_share: 0.5,
            outsider_evidence: OutsiderEvidence::Alone,
            last: Final::Visits,
            memory: 1 << 30,
        }
    }
}
