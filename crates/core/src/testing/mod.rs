//! The laws of games, checked on any game in one line.
//!
//! [`conformance`] plays random games of an instance of any size, walks every history of a tiny one,
//! compares the game with what brute force finds, and panics with the [`Law`]s it breaks and where:
//!
//! ```
//! use fogtree_core::*;
//!
//! /// Matching pennies: both choose at the same time, the first wins if the coins match.
//! struct Pennies;
//!
//! impl Rules for Pennies {
//!     type State = Option<[bool; 2]>;
//!     type Action = bool;
//!     type Outcome = std::convert::Infallible;
//!
//!     fn facts(&self) -> Facts {
//!         Facts {
//!             players: 2,
//!             hidden: false,
//!             hidden_moves: false,
//!             chance: Chance::Never,
//!             simultaneous: true,
//!             utility: Utility::ZeroSum,
//!             utility_bounds: (-1.0, 1.0),
//!             max_length: 1,
//!         }
//!     }
//!     fn start(&self) -> Self::State {
//!         None
//!     }
//!     fn turn(&self, state: &Self::State) -> Turn {
//!         if state.is_none() { Turn::Simultaneous(Players::first(2)) } else { Turn::Terminal }
//!     }
//!     fn actions(&self, _: &Self::State, _: Player, out: &mut Vec<bool>) {
//!         out.extend([false, true]);
//!     }
//!     fn apply(&self, state: &mut Self::State, step: Step<'_, Self>) {
//!         *state = Some([0, 1].map(|i| step.moves()[i].1));
//!     }
//!     fn observe(&self, _: &Self::State, step: Step<'_, Self>, _: Observer) -> Option<Observation> {
//!         Some(Observation::words(&[0, 1].map(|i| self.code(step.moves()[i].1))))
//!     }
//!     fn rewards(&self, state: &Self::State) -> Rewards {
//!         Rewards::zero_sum(if state.is_some_and(|[a, b]| a == b) { 1.0 } else { -1.0 })
//!     }
//!     fn code(&self, action: bool) -> u64 {
//!         action.into()
//!     }
//! }
//!
//! impl Notation for Pennies {
//!     fn action_name(&self, action: bool) -> String {
//!         if action { "heads" } else { "tails" }.to_string()
//!     }
//!     fn parse_action(&self, name: &str) -> Option<bool> {
//!         [true, false].into_iter().find(|&a| self.action_name(a) == name)
//!     }
//! }
//!
//! impl PerfectInformation for Pennies {}
//! impl FastPlay for Pennies {}
//!
//! // Both instances are the same here; a larger game gives the one it is played in, and a tiny one.
//! testing::conformance(&Pennies, &Pennies);
//! ```
//!
//! [`check`] answers with the [`Violation`]s instead, under [`Options`] of one's own; [`check_play`] and
//! [`check_tree`] are its halves, for callers who meet their instances one at a time. All randomness comes
//! from [`Options::seed`]: a game that passes always passes. Statistical tests are set so that one honest
//! game in a million would fail.
//!
//! What is compared on the tiny instance: for every observer, the histories in which it did and saw the same
//! are an *information set*. All over the set, what the observer knows, is shown and is sent must be the
//! same. Worlds drawn at a decision of a seat must be exactly the states of the set in which that seat is to
//! move; each weighs as much as the different sequences of chance outcomes that lead to it, whatever the
//! players chose. Where the observer does not choose, drawn worlds must lie in the set.

mod beliefs;
mod knowledge;
mod law;
mod notation;
mod play;
mod position;
mod random;
mod sampler;
mod statistics;
mod steps;
mod subject;
mod tensors;
mod tree;
mod trial;
mod written;

pub use law::{Law, Violation};

use crate::{Playable, Seed};
use subject::Numbered;
use trial::Trial;

/// How much is tested.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Where all randomness comes from.
    pub seed: Seed,
    /// How many random games are played on each instance.
    pub games: u32,
    /// No random game is begun after so many steps.
    pub steps: u64,
    /// At how many positions of the random games everything is tested that takes longer.
    pub looks: u32,
    /// The most histories of the tiny instance.
    pub nodes: u64,
    /// From how many information sets of the tiny instance worlds are drawn.
    pub sets: usize,
    /// How many worlds may be drawn to find all of them.
    pub draws: u64,
    /// In how many information sets worlds are drawn often enough to judge their frequencies.
    pub frequencies: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: Seed(1),
            games: 200,
            steps: 10_000,
            looks: 400,
            nodes: 1_000_000,
            sets: 20_000,
            draws: 3_000_000,
            frequencies: 60,
        }
    }
}

/// Panics if a game breaks a law. The tiny instance is one of at most 10^6 histories.
///
/// # Panics
/// With a report that lists every law that is broken, and where.
pub fn conformance<G: Playable>(game: &G, tiny: &G) {
    accept(&check(game, tiny, &Options::default()));
}

/// Panics if there is a violation.
///
/// # Panics
/// With a report that lists them all.
pub fn accept(violations: &[Violation]) {
    let lines: Vec<String> = violations.iter().map(|v| format!("\n  {v}")).collect();
    assert!(lines.is_empty(), "the game breaks {} laws:{}", lines.len(), lines.concat());
}

/// The laws a game breaks, found by random play of both instances and by enumeration of the tiny one. Each
/// law is listed at most once per instance.
pub fn check<G: Playable>(game: &G, tiny: &G, options: &Options) -> Vec<Violation> {
    let mut found = if std::ptr::eq(game, tiny) { Vec::new() } else { check_play(game, options) };
    found.extend(check_tree(tiny, options));
    found
}

/// The laws that an instance of any size breaks, found by random play.
pub fn check_play<G: Playable>(game: &G, options: &Options) -> Vec<Violation> {
    let game = Numbered::new(game);
    let mut trial = Trial::new(&game, "in play", options);
    trial.part("random games", play::laws);
    trial.part("names", notation::laws);
    trial.verdict()
}

/// The laws that a tiny instance breaks, found by random play and by enumeration.
pub fn check_tree<G: Playable>(tiny: &G, options: &Options) -> Vec<Violation> {
    let game = Numbered::new(tiny);
    let mut trial = Trial::new(&game, "in the tiny instance", options);
    trial.part("random games", play::laws);
    trial.part("every history", |t| {
        if t.has_broken(Law::FactsSane) {
            return;
        }
        let Some(tree) = tree::Tree::grow(t) else { return };
        random::ends(t, &tree);
        let knowledge = knowledge::laws(t, &tree);
        sampler::laws(t, &tree, &knowledge);
        beliefs::laws(t, &tree, &knowledge);
        tensors::laws(t, &tree, &knowledge);
    });
    trial.part("names", notation::laws);
    trial.verdict()
}
