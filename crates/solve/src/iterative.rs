//! What solvers that go on iteration by iteration have in common.

use crate::checkpoint::Memory;
use crate::strategy::Profile;

/// A solver that gets nearer to an equilibrium with every iteration, in games in which it does.
pub trait Iterative {
    /// Makes one iteration: every player is updated once.
    fn iterate(&mut self);
    /// Iterations made.
    fn iterations(&self) -> u64;
    /// The average of the strategies played, which approaches the equilibrium.
    fn average(&self) -> Profile;
    /// Everything it has learnt.
    fn memory(&self) -> Memory;
    /// Goes on from what another of the same kind had learnt about the same game.
    ///
    /// # Panics
    /// If the memory is of another kind of solver or of another game.
    fn restore(&mut self, memory: Memory);
}
