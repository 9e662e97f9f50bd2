//! Tests of two samples against each other. All are two-sided.

use super::distributions::{Point, beta_tails, normal_beyond, student_beyond, student_quantile};
use super::intervals::{Estimate, tail};
use super::moments::Moments;

/// What a test says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Test {
    /// The number the test is made on: z, an odds ratio, a count.
    pub statistic: f64,
    /// How likely a result at least as extreme is when nothing differs.
    pub p: f64,
}

impl Test {
    pub(super) const NO_EVIDENCE: Test = Test { statistic: 0.0, p: 1.0 };
    pub(super) const IMPOSSIBLE: Test = Test { statistic: f64::NAN, p: f64::NAN };
}

/// What a t test says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TTest {
    /// The difference of the means with its interval.
    pub difference: Estimate,
    /// The difference over its standard error.
    pub t: f64,
    /// Degrees of freedom.
    pub freedom: f64,
    /// How likely a `t` at least as far from 0 is when the means do not differ.
    pub p: f64,
}

impl TTest {
    fn new(difference: f64, error: f64, freedom: f64, level: f64) -> TTest {
        let quantile = student_quantile(2.0 * tail(level), freedom);
        let (t, p) = match difference / error {
            t if difference.is_nan() => (t, t),
            _ if difference == 0.0 || error.is_infinite() => (0.0, 1.0),
            t => (t, if error == 0.0 { 0.0 } else { student_beyond(t, freedom) }),
        };
        TTest { difference: Estimate::around(difference, error, quantile), t, freedom, p }
    }
}

/// Whether two shares differ, each `(successes, trials)`: the pooled z test,
/// `z = (s1 - s2) / sqrt(s (1-s) (1/n1 + 1/n2))` with `s` the share of both together.
///
/// Without trials on a side, or with only successes or only failures, there is no evidence: z = 0, p = 1.
pub fn two_proportions(first: (f64, u64), second: (f64, u64)) -> Test {
    let ((x1, n1), (x2, n2)) = ((first.0, first.1 as f64), (second.0, second.1 as f64));
    if !((0.0..=n1).contains(&x1) && (0.0..=n2).contains(&x2)) {
        return Test::IMPOSSIBLE;
    }
    let both = (x1 + x2) * (n1 - x1 + (n2 - x2));
    if n1 == 0.0 || n2 == 0.0 || both == 0.0 {
        return Test::NO_EVIDENCE;
    }
    let statistic = (x1 * (n2 - x2) - x2 * (n1 - x1)) * ((n1 + n2) / (n1 * n2) / both).sqrt();
    Test { statistic, p: normal_beyond(statistic) }
}

/// Whether the mean of per-deal differences is 0: Student's t test for pairs,
/// `t = mean / (s / sqrt(n))` with `n - 1` degrees of freedom.
///
/// One number per deal: the reward of one player less that of the other on the same deal. Fewer than two
/// deals, or no difference in any, are no evidence: t = 0, p = 1. Equal differences other than 0 have no
/// spread: t is infinite, p = 0.
pub fn paired_t(differences: &[f64], level: f64) -> TTest {
    let all: Moments = differences.iter().copied().collect();
    TTest::new(all.mean(), all.error(), (all.count() - 1.0).max(0.0), level)
}

/// Whether per-deal differences are as often positive as negative: the exact sign test, the binomial
/// distribution with p = 1/2, both tails. The statistic is the number of positive differences.
///
/// Deals without a difference are left out. If none is left, p = 1.
pub fn sign_test(differences: &[f64]) -> Test {
    if differences.iter().any(|d| d.is_nan()) {
        return Test::IMPOSSIBLE;
    }
    let positive = differences.iter().filter(|&&d| d > 0.0).count();
    let negative = differences.iter().filter(|&&d| d < 0.0).count();
    sign_test_of(positive as u64, negative as u64)
}

/// The same, of so many positive and so many negative differences: wins and losses.
pub fn sign_test_of(positive: u64, negative: u64) -> Test {
    let (positive, negative) = (positive as f64, negative as f64);
    let (few, many) = (positive.min(negative), positive.max(negative));
    // P(X <= few) = I_1/2(many, few + 1).
    let p = if few == many { 1.0 } else { 2.0 * beta_tails(many, few + 1.0, Point { x: 0.5, y: 0.5 }).below };
    Test { statistic: positive, p: p.min(1.0) }
}

/// Whether two means differ, with unequal variances: Welch's t test (B. L. Welch, Biometrika 34, 1947),
/// `t = (m1 - m2) / sqrt(e1^2 + e2^2)` with `(e1^2 + e2^2)^2 / (e1^4 / (n1-1) + e2^4 / (n2-1))` degrees of
/// freedom, `e` the standard error of each mean.
///
/// Fewer than two values on a side, or no difference, are no evidence: t = 0, p = 1. Unequal means without
/// any spread give an infinite t and p = 0.
pub fn welch(first: Moments, second: Moments, level: f64) -> TTest {
    let (e1, e2) = (first.error().powi(2), second.error().powi(2));
    let error = (e1 + e2).sqrt();
    let freedom =
        match (e1 + e2).powi(2) / (e1 * e1 / (first.count() - 1.0) + e2 * e2 / (second.count() - 1.0)) {
            _ if error.is_infinite() => 0.0,
            _ if error == 0.0 => first.count() + second.count() - 2.0,
            freedom => freedom,
        };
    TTest::new(first.mean() - second.mean(), error, freedom, level)
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_digits;
    use super::*;

    const FIRST: [f64; 8] = [1.5, 2.25, -0.5, 3.0, 0.75, 1.0, -1.25, 2.0];
    const SECOND: [f64; 6] = [0.5, 1.0, -1.5, 0.25, 0.0, 2.5];

    /// `statsmodels.stats.proportion.proportions_ztest([a, b], [n, k])`.
    #[test]
    fn two_proportions_agree_with_statsmodels() {
        for (a, n, b, k, z, p) in [
            (56.0, 70, 48.0, 80, 2.6501719512585336, 0.00804508136819656),
            (9.0, 10, 3.0, 10, 2.738612787525831, 0.006169899320544151),
            (5.0, 1_000_000, 15.0, 1_000_000, -2.2360791579235304, 0.02534658643200142),
            (531.0, 1000, 497.0, 1000, 1.5211226216842877, 0.12822906859406877),
            (5_000_123.0, 10_000_000, 4_990_000.0, 10_000_000, 4.527145435477746, 5.978579568465019e-06),
        ] {
            let test = two_proportions((a, n), (b, k));
            assert_digits(test.statistic, z, 12);
            assert_digits(test.p, p, 11);
            assert_digits(two_proportions((b, k), (a, n)).statistic, -z, 12);
        }
    }

    /// `scipy.stats.ttest_1samp(first, 0)`, also its `confidence_interval()`.
    #[test]
    fn paired_t_agrees_with_scipy() {
        let test = paired_t(&FIRST, 0.95);
        assert_digits(test.t, 2.1784018044643223, 13);
        assert_digits(test.p, 0.06579577682470175, 13);
        assert_eq!(test.freedom, 7.0);
        assert_digits(test.difference.high, 2.281000106880806, 13);
    }

    /// `scipy.stats.ttest_ind(first, second, equal_var=False)`, also its `confidence_interval()`.
    #[test]
    fn welch_agrees_with_scipy() {
        let test = welch(FIRST.into_iter().collect(), SECOND.into_iter().collect(), 0.95);
        assert_digits(test.t, 0.8669737120494082, 13);
        assert_digits(test.p, 0.4038502318678232, 13);
        assert_digits(test.freedom, 11.390643679658341, 13);
        assert_digits(test.difference.low, -0.9709908034976207, 13);
        assert_digits(test.difference.high, 2.241824136830954, 13);
    }

    /// `scipy.stats.binomtest(k, n).pvalue`; 4500 of 10000 from mpmath, `2*fsum(binomial(n, j) for j in
    /// range(k+1))/mpf(2)**n`, as SciPy is off in the 14th digit there.
    #[test]
    fn sign_test_agrees_with_scipy() {
        for (positive, negative, p) in [
            (3, 7, 0.34375),
            (5, 5, 1.0),
            (0, 10, 0.001953125),
            (4500, 5500, 1.5510640568246042e-23),
            (499_000, 501_000, 0.0456082998653896),
            (99, 1, 1.5934990285464438e-28),
        ] {
            let differences = [vec![0.25; positive], vec![-3.0; negative], vec![0.0; 5]].concat();
            let test = sign_test(&differences);
            assert_eq!(test.statistic, positive as f64);
            assert_digits(test.p, p, 12);
        }
    }

    /// A test rejects exactly when the interval of the difference leaves out 0.
    #[test]
    fn intervals_and_tests_agree() {
        for shift in 0..40 {
            let shifted: Vec<f64> = FIRST.iter().map(|x| x - f64::from(shift) / 10.0).collect();
            let test = paired_t(&shifted, 0.9);
            let outside = test.difference.low > 0.0 || test.difference.high < 0.0;
            assert_eq!(outside, test.p < 0.1, "{test:?}");
        }
    }

    #[test]
    fn nothing_to_go_on_is_no_evidence() {
        for (first, second) in [((0.0, 0), (3.0, 5)), ((5.0, 5), (7.0, 7)), ((0.0, 5), (0.0, 7))] {
            assert_eq!(two_proportions(first, second), Test { statistic: 0.0, p: 1.0 });
        }
        assert!(
            two_proportions((6.0, 5), (1.0, 5)).p.is_nan()
                && two_proportions((f64::NAN, 5), (1.0, 5)).p.is_nan()
        );
        for few in [&[][..], &[2.0], &[0.0, 0.0, 0.0]] {
            let test = paired_t(few, 0.95);
            assert_eq!((test.t, test.p), (0.0, 1.0));
        }
        assert_eq!((paired_t(&[-2.0; 5], 0.95).t, paired_t(&[-2.0; 5], 0.95).p), (f64::NEG_INFINITY, 0.0));
        assert!(paired_t(&[f64::NAN], 0.95).p.is_nan() && paired_t(&[f64::NAN, 1.0], 0.95).p.is_nan());
        assert_eq!(sign_test(&[0.0, 0.0]), Test { statistic: 0.0, p: 1.0 });
        assert!(sign_test(&[f64::NAN, 1.0]).p.is_nan());
        let (none, ones, twos) =
            (Moments::default(), Moments::counted([(1.0, 4)]), Moments::counted([(2.0, 4)]));
        assert_eq!((welch(none, ones, 0.95).t, welch(none, ones, 0.95).p), (0.0, 1.0));
        assert_eq!((welch(ones, ones, 0.95).t, welch(ones, ones, 0.95).p), (0.0, 1.0));
        assert_eq!((welch(twos, ones, 0.95).t, welch(twos, ones, 0.95).p), (f64::INFINITY, 0.0));
    }
}
