//! Equilibria by linear programming: exact up to the rounding of floating-point numbers.
//!
//! [`matrix`] solves matrix games by a small dense simplex, [`sequence`] two-player games of opposite interests
//! in sequence form by an interior-point method. Both clean what the method returns (no negative
//! probabilities, sums of 1) and certify it: the gap they report is what best responses to the cleaned
//! strategies gain, not what the method believes.

pub mod matrix;
pub mod sequence;

pub use matrix::{Matrix, MatrixSolution};
pub use sequence::{NoSolution, SequenceSolution, solve_sequence_form};
