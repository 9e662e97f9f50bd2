//! Rating points between two players.

use super::intervals::{Estimate, Share};

/// Rating points per unit of log-odds: `400 / ln 10`.
pub(super) const POINTS: f64 = 400.0 * std::f64::consts::LOG10_E;

/// The difference in rating points that a share of wins stands for, `400 log10(s / (1-s))`. Infinite for 0
/// and 1.
pub fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of points expected from a difference in rating points, `1 / (1 + 10^(-elo/400))`.
pub fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in rating points with its interval. [`elo`] rises with the share, so the ends of the
/// share's interval are carried over and keep their level; they are infinite where the share reaches 0 or 1.
/// For a share of points that counts draws exactly, take the interval of
/// [`Moments::counted`](super::Moments::counted).
pub fn elo_difference(share: Share) -> Estimate {
    let [value, low, high] = [share.share, share.low, share.high].map(|s| elo(s.clamp(0.0, 1.0)));
    Estimate { value, low, high }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_digits;
    use super::super::{clopper_pearson, wilson};
    use super::*;

    #[test]
    fn rating_differences() {
        assert_eq!(elo(0.5), 0.0);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert_digits(expected_share(400.0), 10.0 / 11.0, 14);
        for share in [1e-9, 0.2, 0.5, 0.75] {
            assert_digits(expected_share(elo(share)), share, 12);
        }
    }

    #[test]
    fn the_interval_of_the_share_is_carried_over() {
        let share = wilson(531.0, 1000);
        let difference = elo_difference(share);
        assert_eq!(difference.value, elo(0.531));
        assert_digits(expected_share(difference.low), share.low, 13);
        assert_digits(expected_share(difference.high), share.high, 13);
        let all = elo_difference(clopper_pearson(20.0, 20));
        assert_eq!((all.value, all.high), (f64::INFINITY, f64::INFINITY));
        assert!(all.low > 0.0 && all.low.is_finite());
        let none = elo_difference(clopper_pearson(0.0, 0));
        assert_eq!((none.value, none.low, none.high), (0.0, f64::NEG_INFINITY, f64::INFINITY));
        assert!(elo_difference(clopper_pearson(f64::NAN, 3)).value.is_nan());
    }
}
