//! What only some games offer: knowledge of playing them, of their states, and of what is hidden in them.
//!
//! Each companion is a small trait over the type of the game, most often implemented by the game itself. A game lists
//! those that it has in [`Rules::extras`], as in `Extras { evaluations: Some(self), ..Extras::NONE }`, and those about
//! what its players know in [`Game::info_extras`].

mod episodes;
mod evaluations;
mod hidden_part;
mod info_tree;
mod memory;
mod metrics;
mod perfect_info_variant;
mod policies;
mod selective_search;
mod tensors;

pub use episodes::Episodes;
pub use evaluations::{Evaluations, evaluate_leaf};
pub use hidden_part::HiddenPart;
pub use info_tree::InfoTree;
pub use memory::{Memory, fingerprint};
pub use metrics::Metrics;
pub use perfect_info_variant::PerfectInfoVariant;
pub use policies::{Horizon, Policies, Policy, playout_to};
pub use selective_search::{Selective, SelectiveSearch};
pub use tensors::Tensors;

use crate::{Game, Rules};

/// The companions of a game that are about its states.
pub struct Extras<'a, R: Rules> {
    /// Guesses at the rewards of unfinished games.
    pub evaluations: Option<&'a dyn Evaluations<R>>,
    /// Ways of playing it out.
    pub policies: Option<&'a dyn Policies<R>>,
    /// Which moves look promising before any search.
    pub selective_search: Option<&'a dyn SelectiveSearch<R>>,
    /// The same game with everything open.
    pub perfect_info_variant: Option<&'a dyn PerfectInfoVariant<R>>,
    /// Episodes, and features of states.
    pub episodes: Option<&'a dyn Episodes<R>>,
    /// What there is to count in games that are played.
    pub metrics: Option<&'a dyn Metrics<R>>,
    /// What of a state is only memory.
    pub memory: Option<&'a dyn Memory<R>>,
}

impl<R: Rules> Extras<'_, R> {
    /// No companion at all.
    pub const NONE: Self = Extras {
        evaluations: None,
        policies: None,
        selective_search: None,
        perfect_info_variant: None,
        episodes: None,
        metrics: None,
        memory: None,
    };
}

/// The companions of a game that are about what its players know.
pub struct InfoExtras<'a, G: Game> {
    /// The part of the hidden state that beliefs are about.
    pub hidden_part: Option<&'a dyn HiddenPart<G>>,
    /// The trees of the players' information sets.
    pub info_tree: Option<&'a dyn InfoTree<G>>,
    /// What a player knows, as numbers for learning.
    pub tensors: Option<&'a dyn Tensors<G>>,
}

impl<G: Game> InfoExtras<'_, G> {
    /// No companion at all.
    pub const NONE: Self = InfoExtras { hidden_part: None, info_tree: None, tensors: None };
}
