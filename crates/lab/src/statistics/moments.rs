//! Count, mean and spread of numbers, gathered one by one and joined.

use super::distributions::student_quantile;
use super::intervals::{Estimate, tail};

/// Count, mean and sum of squared deviations, updated as in Welford (Technometrics 4, 1962) and joined as in
/// Chan, Golub and LeVeque (1979): no large squares that cancel.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// The moments of values that come many times: `(value, how often)`, such as points with their counts.
    pub fn counted(values: impl IntoIterator<Item = (f64, u64)>) -> Moments {
        let mut all = Moments::default();
        for (mean, count) in values {
            all.join(Moments { count: count as f64, mean, squares: 0.0 });
        }
        all
    }

    /// Adds one value.
    pub fn add(&mut self, value: f64) {
        self.join(Moments { count: 1.0, mean: value, squares: 0.0 });
    }

    /// Adds all values of another.
    pub fn join(&mut self, other: Moments) {
        if other.count == 0.0 {
            return;
        }
        let count = self.count + other.count;
        let apart = other.mean - self.mean;
        self.squares += other.squares + apart * apart * (self.count / count * other.count);
        self.mean += apart * (other.count / count);
        self.count = count;
    }

    /// How many values there were.
    pub fn count(&self) -> f64 {
        self.count
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The sum of squared deviations from the mean.
    pub fn squares(&self) -> f64 {
        self.squares
    }

    /// The unbiased variance, 0 of fewer than two.
    pub fn variance(&self) -> f64 {
        self.squares / (self.count - 1.0).max(1.0)
    }

    /// The standard error of the mean, infinite for fewer than two values.
    pub fn error(&self) -> f64 {
        if self.count < 2.0 { f64::INFINITY } else { (self.variance() / self.count).sqrt() }
    }

    /// The mean with its Student interval `mean +- t(level, n-1) s / sqrt(n)`. Fewer than two values say
    /// nothing about their spread: the interval is the whole line. Equal values give an interval of one
    /// point.
    pub fn interval(&self, level: f64) -> Estimate {
        Estimate::around(self.mean, self.error(), student_quantile(2.0 * tail(level), self.count - 1.0))
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Moments {
        let mut all = Moments::default();
        values.into_iter().for_each(|value| all.add(value));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_digits;
    use super::*;

    const VALUES: [f64; 8] = [1.5, 2.25, -0.5, 3.0, 0.75, 1.0, -1.25, 2.0];

    /// `scipy.stats.ttest_1samp(values, 0).confidence_interval(level)`.
    #[test]
    fn mean_interval_agrees_with_scipy() {
        let all: Moments = VALUES.into_iter().collect();
        let interval = all.interval(0.95);
        assert_eq!(interval.value, 1.09375);
        assert_digits(interval.low, -0.09350010688080612, 12);
        assert_digits(interval.high, 2.281000106880806, 13);
        assert_digits(all.interval(0.99).low, -0.6632995253139551, 12);
        assert_digits(all.interval(0.99).high, 2.8507995253139553, 13);
    }

    #[test]
    fn parts_join_to_the_whole() {
        let all: Moments = VALUES.into_iter().collect();
        let mut joined: Moments = VALUES[..3].iter().copied().collect();
        joined.join(Moments::default());
        joined.join(VALUES[3..].iter().copied().collect());
        assert_eq!(joined.count(), 8.0);
        assert_digits(joined.mean(), all.mean(), 15);
        assert_digits(joined.squares(), all.squares(), 14);
        let points = Moments::counted([(1.0, 2), (0.5, 0), (0.0, 1)]);
        assert_digits(points.mean(), 2.0 / 3.0, 15);
        assert_digits(points.variance(), 1.0 / 3.0, 15);
    }

    /// A large mean does not drown a small spread.
    #[test]
    fn spread_survives_a_large_mean() {
        let all: Moments = [1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0].into_iter().collect();
        assert_eq!((all.mean(), all.variance()), (1e9 + 10.0, 30.0));
    }

    #[test]
    fn few_or_equal_values() {
        let none = Moments::default().interval(0.95);
        assert_eq!((none.value, none.low, none.high), (0.0, f64::NEG_INFINITY, f64::INFINITY));
        let one: Moments = [3.0].into_iter().collect();
        assert_eq!((one.interval(0.95).value, one.interval(0.95).high), (3.0, f64::INFINITY));
        let equal: Moments = [0.1; 7].into_iter().collect();
        assert_eq!((equal.interval(0.95).low, equal.interval(0.95).high), (0.1, 0.1));
        let nan: Moments = [1.0, f64::NAN, 2.0].into_iter().collect();
        assert!(nan.mean().is_nan() && nan.interval(0.95).low.is_nan());
    }
}
