//! Learning inside the search: information is captured from playouts in one part of the tree and used in others.
//!
//! ICARUS (information capture and reuse strategy; Whitehouse 2014, ch. 8) is a view of Monte Carlo tree search in
//! which all its usual enhancements are of one kind. *Records* are addresses, *information* is what is stored
//! there; a *policy* decides by it, in the tree and below it alike; a *capture* says which records a playout
//! changes, and how is *backpropagation*. Here
//!
//! - `records.rs` holds records and information: values of actions in contexts;
//! - `policy.rs` decides by them;
//! - `context.rs` knows what each player has seen, of which contexts are made;
//! - `values.rs` (MAST, NAST, PAST, FAST, tiles), `weights.rs` (FAST where games have features), `reply.rs` (LGR, LGRF),
//!   `epic.rs` and `guide.rs` (AMAF, RAVE, progressive bias and history) capture and learn;
//! - `learned.rs` combines them, as [`Enhance`] says and `text.rs` reads, or finds out which one to use;
//!
//! A search is generic over its `Knowledge`. `Plain` is none and compiles to nothing; `Learned` collects from a
//! playout only what its components ask for.

mod context;
mod enhance;
mod epic;
mod guide;
mod learned;
mod policy;
mod records;
mod reply;
mod text;
mod values;
mod weights;

pub use enhance::{
    Amaf, Auto, Capture, Component, Context, Enhance, Episodes, Explore, Fuzzy, LONGEST, Learning,
    MOST_TERMS, Mix, Operator, Policy, Reply, Term, Unprune, Values,
};
use fogtree_core::{Model, Move, Player, Rewards, Rng, Simulation, World, WorldStep};
pub(crate) use guide::Arm;
pub use guide::rave_weight;
pub(crate) use learned::Learned;
pub use text::{BadEnhance, COMPONENTS};

use crate::kit::scratch::Scratch;

/// How much one component has learnt.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) name: String,
    pub(crate) records: u64,
    /// How often the records were written all together, where that is counted.
    pub(crate) trials: Option<u64>,
    /// How well it foretold rewards, where that was measured.
    pub(crate) fitness: Option<Fitness>,
}

/// How well the records of a component foretold the rewards of random playouts, on all threads together.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Fitness {
    /// The sum of the correlations.
    pub(crate) correlation: f64,
    /// The sum of how many standard errors these are above 0.
    pub(crate) certainty: f64,
    /// How many threads chose it, of how many.
    pub(crate) chosen: u32,
    pub(crate) threads: u32,
}

impl Tally {
    /// Adds what the same component has learnt on another thread.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.name.clone_from(&other.name);
        self.records += other.records;
        self.trials = other.trials.map(|trials| trials + self.trials.unwrap_or(0));
        let sum = self.fitness.unwrap_or_default();
        self.fitness = other.fitness.map(|one| Fitness {
            correlation: sum.correlation + one.correlation,
            certainty: sum.certainty + one.certainty,
            chosen: sum.chosen + one.chosen,
            threads: sum.threads + one.threads,
        });
    }
}

/// A place in the tree where somebody decides.
pub(crate) struct Place<'a> {
    pub(crate) world: &'a dyn World,
    pub(crate) key: u64,
    pub(crate) who: Player,
    /// How often the search has decided there, this time included.
    pub(crate) visits: u32,
    pub(crate) untried: Untried,
}

/// How a tree without knowledge draws among untried moves at a node: whoever decides in its place draws in the same
/// order, so that the same random numbers give the same search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Untried {
    /// One of them, counted in the order of the actions.
    Actions,
    /// One of them, counted in the order of their codes.
    Codes,
    /// By their bounds, which are infinite, among those of all legal moves.
    Bounds,
}

/// What a search learns from playouts and uses in others.
pub(crate) trait Knowledge: Send {
    /// Whether there is anything to learn. Where not, nothing below is ever called but [`Knowledge::playout`].
    const LEARNS: bool;

    /// A new game: nothing is kept.
    fn forget(&mut self) {}

    /// A new decision; what belongs to the tree is kept if the tree is.
    fn begin(&mut self, _reuse: bool) {}

    /// There will be so many iterations, if that is known.
    fn plan(&mut self, _iterations: Option<u64>) {}

    /// A new iteration, from the root.
    fn restart(&mut self, _world: &dyn World) {}

    /// A player is to decide in the tree. Answers whether its legal actions have been listed.
    fn arrive(
        &mut self,
        _game: &dyn Model,
        _world: &dyn World,
        _who: Player,
        _scratch: &mut Scratch,
    ) -> bool {
        false
    }

    /// Whether choices in the tree are made by [`Knowledge::select`] rather than by the tree's statistics alone.
    fn guides(&self) -> bool {
        false
    }

    /// Which of the legal moves is made in the tree, by place.
    fn select(
        &mut self,
        _game: &dyn Model,
        _at: Place<'_>,
        _legal: &[Move],
        _arms: &[Arm],
        _: &mut Rng,
    ) -> usize {
        0
    }

    /// The player decided.
    fn made(&mut self, _game: &dyn Model, _who: Player, _action: Move) {}

    /// A step is about to be made.
    fn step(&mut self, _game: &dyn Model, _before: &dyn World, _step: WorldStep<'_>) {}

    /// A step has been made.
    fn enter(&mut self, _world: &dyn World) {}

    /// Plays to the end.
    fn playout(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Rewards;

    /// The playout is over.
    fn learn(&mut self, _rewards: &Rewards) {}

    /// How much was learnt.
    fn tallies(&self) -> Vec<Tally> {
        Vec::new()
    }

    /// The bytes in use.
    fn bytes(&self) -> u64 {
        0
    }
}

/// Nothing is learnt: playouts are as they were set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain(pub(crate) Simulation);

impl Knowledge for Plain {
    const LEARNS: bool = false;

    #[inline]
    fn playout(
        &mut self,
        _game: &dyn Model,
        world: &mut dyn World,
        rng: &mut Rng,
        _scratch: &mut Scratch,
    ) -> Rewards {
        world.playout(self.0, rng)
    }
}
