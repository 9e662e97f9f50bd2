//! The tree of one player's information sets, without the histories in them.
//!
//! A search from a single player's view goes from what the player knows, through what it does, to what it may know next:
//! one thing for every observation it can make. In some games that can be said without listing the states that are
//! possible, because what matters of an information set is short: where one stands, and where the others may be. Such a
//! game says so through [`InfoExtras::info_tree`](crate::InfoExtras::info_tree). The tree may forget what does not matter, so that
//! different information sets become one (Lisý 2014, §3.2.1, §3.2.2 and §5.3; `equilibrium/2.6.2`).

use std::ops::ControlFlow;

use crate::{Game, Player, Policy, Rng};

/// One player's information sets as a tree that can be searched.
pub trait InfoTree<G: Game> {
    /// The guesses at the worth of an information set that exist, by name.
    fn evaluations(&self) -> &'static [Policy];

    /// The ways of playing on from an information set that exist, by name.
    fn simulations(&self) -> &'static [Policy];

    /// What a search from here starts with: what is known, less what the tree forgets.
    fn root(&self, known: &G::Info) -> G::Info;

    /// Appends what the seat may do, in rising order; nothing once the game is over.
    fn actions(&self, known: &G::Info, out: &mut Vec<G::Action>);

    /// Shows what the seat may know after it has done this, once for every observation it can make, until the visitor
    /// has seen enough.
    fn after(&self, known: &G::Info, action: G::Action, visit: &mut dyn FnMut(&G::Info) -> ControlFlow<()>);

    /// A guess at the worth of an information set to its seat: the more the better.
    fn evaluate(&self, evaluation: usize, known: &G::Info) -> f64;

    /// Plays on for so many turns, or to the end of the game, and says what came of it: the more the better.
    fn simulate(&self, simulation: usize, known: &G::Info, turns: u32, rng: &mut Rng) -> f64;

    /// A number for the information set of a player in a game in which players remember less than they could: states
    /// with the same numbers for all players are alike in whatever still matters.
    fn abstracted(&self, state: &G::State, who: Player) -> u64;
}
