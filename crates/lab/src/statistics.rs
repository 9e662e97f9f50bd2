//! How sure a result is.

use statrs::distribution::{Beta, ContinuousCDF};

/// A share with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// Successes among the trials.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The share of successes with its 95 % Clopper-Pearson interval:
/// `low = BetaInv(0.025; x, n-x+1)`, `high = BetaInv(0.975; x+1, n-x)` (Whitehouse 2014, §2.4; `ismcts/F31`).
///
/// A draw counts as half a success; the interval then errs on the wide side, since draws vary less than wins
/// and losses. Without trials nothing is known: the interval is [0, 1].
pub fn clopper_pearson(successes: f64, trials: u64) -> Share {
    let n = trials as f64;
    let inverse = |a: f64, b: f64, p: f64| Beta::new(a, b).map_or(f64::NAN, |beta| beta.inverse_cdf(p));
    let share = if trials == 0 { 0.5 } else { successes / n };
    let low = if successes <= 0.0 { 0.0 } else { inverse(successes, n - successes + 1.0, 0.025) };
    let high = if successes >= n { 1.0 } else { inverse(successes + 1.0, n - successes, 0.975) };
    Share { share, low, high }
}

/// The difference in rating points that a share of wins stands for, `400 log10(s / (1-s))`. Infinite for 0
/// and 1.
pub fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles from SciPy: `beta.ppf([.025, .975], ...)`.
    #[test]
    fn intervals_agree_with_scipy() {
        for (x, n, low, high) in [
            (3.0, 10, 0.06673951117773447, 0.6524528500599973),
            (531.0, 1000, 0.49951714443669487, 0.5622998579509862),
            (53_210.0, 100_000, 0.5290015243048098, 0.5351966135936483),
            (0.0, 20, 0.0, 0.1684334709830853),
            (20.0, 20, 0.8315665290169146, 1.0),
        ] {
            let share = clopper_pearson(x, n);
            assert!((share.low - low).abs() < 1e-9 && (share.high - high).abs() < 1e-9, "{x}/{n}: {share:?}");
        }
    }

    #[test]
    fn rating_differences() {
        assert_eq!(elo(0.5), 0.0);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
    }
}
