//! What a search is to learn from its playouts, as plain data.
//!
//! An [`Enhance`] says which policy decides where: at *selection* nodes of the tree, at *expansion* nodes, and in
//! the *simulation* below the tree. Each is a [`Mix`] of [`Component`]s. [`Enhance::from_str`] reads the text form
//! (see `text.rs`).

use std::fmt;

use crate::EXPLORATION;
use crate::kit::narrow::Widen;

/// The most components that one mix may have.
pub const MOST_TERMS: usize = 6;
/// The longest n-grams.
pub const LONGEST: u8 = 8;

/// Which policy decides in which part of a playout (`icarus/2.6`). Whatever appears in one of them learns from
/// every playout.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Enhance {
    /// In the tree, where every legal move has been tried.
    pub select: Mix,
    /// In the tree, among the moves that have not.
    pub expand: Mix,
    /// Below the tree.
    pub simulate: Mix,
}

impl Enhance {
    /// Nothing: upper confidence bounds in the tree, uniformly random below it.
    pub const BASE: Enhance = Enhance { select: Mix::BASE, expand: Mix::BASE, simulate: Mix::BASE };

    /// Whether there is nothing to learn. `base^base` is not nothing: it is the baseline by way of its values, with
    /// the same decisions.
    pub fn is_base(&self) -> bool {
        let nothing = |mix: &Mix| mix.terms().iter().all(|t| t.component == Component::Base);
        self.mixes().all(|mix| mix.operator == Operator::Linear && nothing(mix))
    }

    /// Whether the tree is searched as without any enhancement, whatever happens below it.
    pub fn leaves_tree(&self) -> bool {
        self.select.is_base() && self.expand.is_base()
    }

    /// All components that are written.
    pub fn components(&self) -> impl Iterator<Item = Component> + Clone {
        self.mixes().flat_map(|mix| mix.terms()).map(|t| t.component)
    }

    pub(crate) fn mixes(&self) -> impl Iterator<Item = &Mix> + Clone {
        [&self.select, &self.expand, &self.simulate].into_iter()
    }
}

/// How the components of a mix decide together (`icarus/2.6`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// One of them, drawn by weight for each move, decides.
    Linear,
    /// Their values are added up by weight; the greatest decides. For components that have values.
    Maxilinear,
    /// Each votes with its weight for every move that it finds best; most votes decide, and where several moves have
    /// as many, one of them at random (`icarus/4.2`). Who has no opinion does not vote.
    Majority,
}

/// A component with its share of a mix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// Its share, 0 to 1.
    pub weight: f32,
    /// What it is.
    pub component: Component,
}

/// A policy made of several.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mix {
    /// How they decide together.
    pub operator: Operator,
    terms: [Term; MOST_TERMS],
    len: u8,
}

impl Default for Mix {
    fn default() -> Self {
        Mix::BASE
    }
}

impl Mix {
    /// The baseline alone.
    pub const BASE: Mix = Mix {
        operator: Operator::Linear,
        terms: [Term { weight: 1.0, component: Component::Base }; MOST_TERMS],
        len: 1,
    };

    /// A mix of these components, whose weights are scaled to a sum of 1. `None` if there are too many, or none
    /// that counts.
    pub fn new(operator: Operator, terms: &[(f64, Component)]) -> Option<Mix> {
        let sum: f64 = terms.iter().map(|t| t.0).sum();
        let fits = terms.len() <= MOST_TERMS && terms.iter().all(|t| t.0 >= 0.0);
        (fits && sum > 0.0 && sum.is_finite()).then(|| {
            let mut mix = Mix { operator, len: terms.len() as u8, ..Mix::BASE };
            for (to, &(weight, component)) in mix.terms.iter_mut().zip(terms) {
                *to = Term { weight: (weight / sum) as f32, component };
            }
            mix
        })
    }

    /// One component alone.
    pub fn of(component: Component) -> Mix {
        Mix::new(Operator::Linear, &[(1.0, component)]).expect("one is not too many")
    }

    /// Components of equal weight, one of which decides.
    pub fn even(components: &[Component]) -> Option<Mix> {
        Mix::new(Operator::Linear, &components.iter().map(|&c| (1.0, c)).collect::<Vec<_>>())
    }

    /// The components.
    pub fn terms(&self) -> &[Term] {
        &self.terms[..self.len.into()]
    }

    /// Whether only the baseline ever decides here.
    pub fn is_base(&self) -> bool {
        self.terms().iter().all(|t| t.weight == 0.0 || t.component == Component::Base)
    }
}

/// One way of capturing and reusing information.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Component {
    /// The statistics of the tree; below it, nothing: uniformly random.
    Base,
    /// Values of actions in a context (MAST, NAST, PAST, FAST, tiles).
    Values(Values),
    /// Last good reply (Spec. 4).
    Reply(Reply),
    /// Episodic information capture and reuse (Spec. 7).
    Episodes(Episodes),
    /// All moves as first (Spec. 2), in the tree.
    Amaf(Amaf),
    /// All moves as first, less and less as a node is visited (eqs. 8.2 and 8.3), in the tree.
    Rave {
        /// The number of visits at which both count the same.
        k: f64,
        /// The values that fade.
        amaf: Amaf,
    },
    /// The baseline's bound plus `weight * h / (n + 1)`, where `h` is what the game thinks of the state after
    /// the move ([`evaluate`](fogtree_core::World::evaluate); 0 if it has no opinion), in the tree.
    Bias {
        /// How much that counts.
        weight: f64,
    },
    /// Only some of the moves are considered, and more the oftener a node is visited (progressive unpruning), in the
    /// tree. Among these it decides as the baseline does; whoever else decides in the tree considers the same.
    Unprune(Unprune),
    /// The baseline's bound plus `weight * h / (losses + 1)`, where `h` is the mean reward after the action
    /// anywhere (progressive history; Nijssen and Winands 2011), in the tree.
    History {
        /// How much that counts.
        weight: f64,
    },
    /// The baseline's bound with a mean that narrows from what is known of the action anywhere, over what is known after
    /// the moves before, to what is known at the node: a boundary of the tree that is not sharp (Powley and others
    /// 2013), in the tree. From nothing known, `v = 1/2`, each step is `v = (n q + k v) / (n + k)`, where `n` and `q` are
    /// the trials and the mean of the n-gram of length 1, 2, ..., and at last those of the move at the node. Of untried moves
    /// that with the greatest `v` comes first.
    Fuzzy(Fuzzy),
    /// Whichever of several foretells rewards best, below the tree. It stands alone.
    Auto(Auto),
}

/// A boundary of the tree that is not sharp.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fuzzy {
    /// The length of the longest n-grams, 1 to [`LONGEST`].
    pub n: u8,
    /// How many trials a wider context counts as.
    pub k: f32,
}

impl Fuzzy {
    /// The n-grams of all lengths that it looks at, as simulations with back-off have them.
    pub(crate) fn grams(self) -> Values {
        Values {
            context: Context::Grams { n: self.n, backoff: 1 },
            policy: Policy::Ucb1 { c: EXPLORATION as f32 },
            learning: Learning::Mean,
            capture: Capture::Playout,
            untried: 1.0,
            keep: false,
        }
    }
}

impl Component {
    /// Whether it looks at the moves before, as a player saw them.
    pub(crate) fn looks_back(&self) -> bool {
        match self {
            Component::Values(values) => matches!(values.context, Context::Grams { .. }),
            Component::Fuzzy(_) | Component::Reply(_) | Component::Episodes(_) => true,
            _ => false,
        }
    }

    /// Whether it decides by the greatest of some values, so that these can be added to others.
    pub fn has_values(&self) -> bool {
        match self {
            Component::Values(values) => matches!(values.policy, Policy::Ucb1 { .. }),
            Component::Reply(_) | Component::Auto(_) => false,
            _ => true,
        }
    }

    /// Whether it makes sense only in the tree.
    pub fn is_for_tree(&self) -> bool {
        use Component::{Amaf, Bias, Fuzzy, History, Rave, Unprune};
        matches!(self, Amaf(_) | Rave { .. } | Bias { .. } | Unprune(_) | History { .. } | Fuzzy(_))
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Component::Base => f.write_str("base"),
            Component::Values(Values { learning: Learning::Td { .. }, .. }) => f.write_str("fast"),
            Component::Values(values) => match values.context {
                Context::Nothing => f.write_str("mast"),
                Context::Grams { n, .. } => write!(f, "nast-{n}"),
                Context::Predicates { .. } => f.write_str("past"),
                Context::Own => f.write_str("tiles"),
            },
            Component::Reply(Reply { forget: true, .. }) => f.write_str("lgrf"),
            Component::Reply(_) => f.write_str("lgr"),
            Component::Episodes(_) => f.write_str("epic"),
            Component::Amaf(_) => f.write_str("amaf"),
            Component::Rave { .. } => f.write_str("rave"),
            Component::Bias { .. } => f.write_str("bias"),
            Component::Unprune(_) => f.write_str("unprune"),
            Component::History { .. } => f.write_str("history"),
            Component::Fuzzy(Fuzzy { n, .. }) => write!(f, "fuzzy-{n}"),
            Component::Auto(_) => f.write_str("auto"),
        }
    }
}

/// Values of actions: a record for each action of a player in each context.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Values {
    /// What else a record's address says.
    pub context: Context,
    /// How the values decide.
    pub policy: Policy,
    /// How a value is learnt.
    pub learning: Learning,
    /// Which moves of a playout are learnt from.
    pub capture: Capture,
    /// What an action never tried is worth, if the policy does not try it at once (`icarus/AMB-22`).
    pub untried: f32,
    /// Whether records outlive a decision.
    pub keep: bool,
}

/// What a record's address says beyond the action and its player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    /// Nothing (MAST).
    Nothing,
    /// The `n - 1` moves before, as the player who acts saw them (NAST).
    /// States have a record in common only if their player cannot tell them apart by these moves.
    Grams {
        /// The length, with the action itself.
        n: u8,
        /// If above 0: contexts whose legal actions have fewer trials than this, all together, give way to those
        /// of the next shorter n-grams.
        backoff: u32,
    },
    /// A predicate that holds in the state (PAST; Finnsson and Björnsson, AAAI 2010): one of the game's
    /// [`features`](fogtree_core::World::features). There is a record for every predicate and action, and one for the
    /// action whatever holds. An action is worth the greatest of the means that it has with the predicates of the
    /// state, of those with which it was tried more than `least` times; if there is none, its mean anywhere. Where a
    /// game has no features the label of the present episode is the one predicate, and always counts.
    Predicates {
        /// So many trials are too few.
        least: u32,
    },
    /// The player's own action before this one; a playout counts for all its pairs (tiles).
    Own,
}

/// How a value is learnt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Learning {
    /// It is the mean of the rewards.
    Mean,
    /// By temporal differences, TD(lambda) with this step size (FAST; Finnsson and Björnsson, AAAI 2010). Where the
    /// game has [`features`](fogtree_core::World::features), a weight is learnt for each, from a state that a player
    /// moved to, to the next one; an action is worth what the weights of the state after it add up to. Where it has
    /// none, and where others choose at the same time, the values are those of actions.
    Td {
        /// How far rewards reach back.
        lambda: f32,
        /// The least step size; the first trials count fully, as in a mean.
        step: f32,
    },
}

/// Which moves of a playout are learnt from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Capture {
    /// All.
    Playout,
    /// Those in the tree (TO-MAST).
    Tree,
}

/// How values decide (`icarus/2.4`, `icarus/3.2`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Policy {
    /// The greatest `value + c sqrt(ln N / n)`, where `N` counts the trials of all legal actions; untried ones first.
    Ucb1 {
        /// The exploration constant.
        c: f32,
    },
    /// In proportion to `exp(value / tau)`.
    Gibbs {
        /// The temperature.
        tau: f32,
    },
    /// With probability `epsilon` some action, otherwise one of the best.
    Greedy {
        /// The probability of exploring.
        epsilon: f32,
        /// Among which actions.
        explore: Explore,
    },
    /// In proportion to the values.
    Roulette,
}

/// Among which actions epsilon-greedy explores (`icarus/AMB-22`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explore {
    /// Those that are not best (Powley and others 2013).
    Others,
    /// All (Whitehouse 2014).
    All,
}

/// The last good reply to each move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reply {
    /// Whether a reply that failed is forgotten (LGRF).
    pub forget: bool,
    /// A playout was good with a reward above this, on the scale from 0 to 1 (`icarus/AMB-18`).
    pub good: f32,
    /// Whether replies outlive a decision.
    pub keep: bool,
}

/// Progressive unpruning (Chaslot and others 2008): the moves that the game's own evaluation of the state after them
/// ([`evaluate`](fogtree_core::World::evaluate)) finds best are considered first. Where the game has no opinion, or the
/// same of all moves, all are considered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unprune {
    /// How many moves are considered from the beginning.
    pub first: u32,
    /// There is one more whenever the visits beyond this have grown ...
    pub after: f64,
    /// ... by this factor.
    pub factor: f64,
}

impl Unprune {
    /// How many moves are considered at a node with so many visits.
    pub fn width(self, visits: u32) -> usize {
        let Unprune { first, after, factor } = self;
        // What widening begins with are two.
        first as usize + Widen::Log { after, factor }.allowed(visits) - 2
    }
}

/// Trees of episodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Episodes {
    /// The exploration constant.
    pub c: f32,
    /// Whether records outlive a decision.
    pub keep: bool,
}

/// All moves as first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Amaf {
    /// The exploration constant (`icarus/AMB-16`).
    pub c: f32,
    /// Whether the move played at a node counts there as well as those played later.
    pub played: bool,
}

/// How it is found out which component to use (`icarus/4.2.11`): in the first part of a decision all candidates
/// learn and none is used, until it is clear of one that random playouts end better for whoever happens to play what
/// its records praise. What was found out is kept for the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Auto {
    /// The largest share of the iterations in which none is used, below 1.
    pub watch: f32,
    /// The least correlation with which a candidate is used, between how far playouts were tilted towards its records
    /// and their rewards.
    pub least: f32,
    /// Whether records outlive a decision.
    pub keep: bool,
}

impl Auto {
    /// What there is to choose from: values of actions wherever they are played, after the move before, and in the
    /// game's episodes. Where the game has none, all is one episode and its records foretell nothing.
    pub fn candidates(&self) -> [Component; 3] {
        let values = |context| {
            Component::Values(Values {
                context,
                policy: Policy::Ucb1 { c: EXPLORATION as f32 },
                learning: Learning::Mean,
                capture: Capture::Playout,
                untried: 1.0,
                keep: self.keep,
            })
        };
        let episodes = Episodes { c: EXPLORATION as f32, keep: self.keep };
        let grams = Context::Grams { n: 2, backoff: 0 };
        [values(Context::Nothing), values(grams), Component::Episodes(episodes)]
    }
}
