//! Observations for learning: what a player knows, as an array of numbers.
//!
//! A network that learns a game takes arrays of one shape. A game that has such arrays says so through
//! [`InfoExtras::tensors`](crate::InfoExtras::tensors), or
//! [`PerfectInformation::tensors`](crate::PerfectInformation::tensors) where nothing is hidden. They are made
//! from what a player knows, not from states, so nothing hidden leaks into them: equal information gives
//! equal numbers.

use crate::{Game, Player};

/// What a player knows, as numbers for learning.
///
/// Boards are `[planes, rows, columns]`, everything else is `[numbers]`; every number is within `-1.0..=1.0`.
pub trait Tensors<G: Game> {
    /// The lengths of the axes; the same for the whole game.
    fn shape(&self) -> Vec<usize>;

    /// Overwrites `out`, of as many numbers as the shape has and all zero, with what is known.
    ///
    /// `known` is what `seat` knows; where nothing is hidden it does not say whose it is, and `seat` tells
    /// from whose side to look.
    fn write(&self, known: &G::Info, seat: Player, out: &mut [f32]);
}
