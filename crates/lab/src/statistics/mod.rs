//! How sure a result is: intervals, tests, ratings, analysis of variance and stopping rules on plain numbers.
//!
//! One convention holds everywhere. A test that has nothing to go on (no trials, one value, everything equal)
//! says statistic 0 and p = 1, an interval that has nothing to go on is as wide as can be, and NaN or an
//! impossible count (more successes than trials, fewer than none) gives NaN. Nothing panics.

mod anova;
mod distributions;
mod elo;
mod fisher;
mod hypothesis;
mod intervals;
mod moments;
mod multiple;
mod ratings;
mod sprt;

pub use anova::{Anova, Effect, Term, Terms, UnevenFactors, anova, one_way};
pub use elo::{elo, elo_difference, expected_share};
pub use fisher::fisher_exact;
pub use hypothesis::{TTest, Test, paired_t, sign_test, sign_test_of, two_proportions, welch};
pub use intervals::{
    CONFIDENCE, Estimate, Share, clopper_pearson, clopper_pearson_at, newcombe, wilson, wilson_at,
};
pub use moments::Moments;
pub use multiple::{benjamini_hochberg, holm};
pub use ratings::{Ratings, Unrated, ratings};
pub use sprt::{Sprt, Verdict};

#[cfg(test)]
mod testing {
    /// Asserts that `found` agrees with `expected` to `digits` significant digits.
    #[track_caller]
    pub(super) fn assert_digits(found: f64, expected: f64, digits: i32) {
        let close = (found - expected).abs() <= 10f64.powi(-digits) * expected.abs();
        assert!(close || found == expected, "{found:e} is not {expected:e} to {digits} digits");
    }
}
