//! Equilibria by linear programming: exact up to the rounding of floating-point numbers.
//!
//! [`matrix`] solves matrix games by a small dense simplex, and by an interior-point method where rounding
//! defeats that; [`sequence`] two-player games of opposite interests in sequence form by the latter. Both
//! clean what the method returns (no negative probabilities, sums of 1) and certify it: the gap they report
//! is what best responses to the cleaned strategies gain, not what the method believes.

mod interior;
pub mod matrix;
pub mod sequence;

pub use interior::NoSolution;
pub use matrix::{Inexact, Matrix, MatrixSolution};
pub(crate) use sequence::solve_in_time;
pub use sequence::{SequenceSolution, solve_sequence_form};
