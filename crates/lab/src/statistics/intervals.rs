//! Intervals for shares and their differences.

use super::distributions::{Side, beta_quantile, normal_quantile};

/// The confidence level of intervals unless another is asked for.
pub const CONFIDENCE: f64 = 0.95;

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

/// A number with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The best guess.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// `value +- quantile * error`; an infinite error is a whole line.
    pub(super) fn around(value: f64, error: f64, quantile: f64) -> Estimate {
        let half = if error == 0.0 || error.is_infinite() { error } else { quantile * error };
        Estimate { value, low: value - half, high: value + half }
    }
}

/// The probability left out on each side at a confidence level, which is taken into [0, 1].
pub(super) fn tail(level: f64) -> f64 {
    (1.0 - level.clamp(0.0, 1.0)) / 2.0
}

/// The share itself: `None` for impossible counts, a half without trials.
fn share(successes: f64, trials: u64) -> Option<f64> {
    let n = trials as f64;
    (0.0..=n).contains(&successes).then(|| if trials == 0 { 0.5 } else { successes / n })
}

const IMPOSSIBLE: Share = Share { share: f64::NAN, low: f64::NAN, high: f64::NAN };

/// The share of successes with its 95 % Clopper-Pearson interval:
/// `low = BetaInv(0.025; x, n-x+1)`, `high = BetaInv(0.975; x+1, n-x)` (Whitehouse 2014, §2.4; `ismcts/F31`).
///
/// A draw counts as half a success; the interval then errs on the wide side, since draws vary less than wins
/// and losses. Without trials nothing is known: the interval is [0, 1].
pub fn clopper_pearson(successes: f64, trials: u64) -> Share {
    clopper_pearson_at(successes, trials, CONFIDENCE)
}

/// [`clopper_pearson`] at any confidence level.
pub fn clopper_pearson_at(successes: f64, trials: u64, level: f64) -> Share {
    let Some(share) = share(successes, trials) else { return IMPOSSIBLE };
    let (failures, tail) = (trials as f64 - successes, tail(level));
    let low =
        if successes == 0.0 { 0.0 } else { beta_quantile(successes, failures + 1.0, tail, Side::Below).x };
    let high =
        if failures == 0.0 { 1.0 } else { beta_quantile(successes + 1.0, failures, tail, Side::Above).x };
    Share { share, low, high }
}

/// The share of successes with its 95 % Wilson interval (E. B. Wilson, JASA 22, 1927): the shares `p` that
/// the normal test `|s - p| <= z sqrt(p (1-p) / n)` does not reject. Closer to its level on average than
/// [`clopper_pearson`], which never falls below it.
pub fn wilson(successes: f64, trials: u64) -> Share {
    wilson_at(successes, trials, CONFIDENCE)
}

/// [`wilson`] at any confidence level.
pub fn wilson_at(successes: f64, trials: u64, level: f64) -> Share {
    let Some(share) = share(successes, trials) else { return IMPOSSIBLE };
    let (n, z) = (trials as f64, normal_quantile(2.0 * tail(level)));
    if trials == 0 || z.is_infinite() {
        return Share { share, low: 0.0, high: 1.0 };
    }
    // The roots of (n + z^2) p^2 - (2x + z^2) p + x^2/n = 0, the lower one from their product: nothing cancels.
    let (x, whole) = (successes, n + z * z);
    let high = (x + z * z / 2.0 + z * (x * (n - x) / n + z * z / 4.0).sqrt()) / whole;
    let low = if x == 0.0 { 0.0 } else { x / whole * (x / n) / high };
    Share { share, low, high: if x == n { 1.0 } else { high } }
}

/// The difference of two shares, first less second, with Newcombe's interval from the two Wilson intervals
/// (R. G. Newcombe, Statistics in Medicine 17, 1998, method 10):
/// `low = d - sqrt((s1 - l1)^2 + (h2 - s2)^2)`, `high = d + sqrt((h1 - s1)^2 + (s2 - l2)^2)`.
///
/// Each side is `(successes, trials)`. A side without trials counts as a half within [0, 1].
pub fn newcombe(first: (f64, u64), second: (f64, u64), level: f64) -> Estimate {
    let a = wilson_at(first.0, first.1, level);
    let b = wilson_at(second.0, second.1, level);
    let value = a.share - b.share;
    Estimate {
        value,
        low: value - (a.share - a.low).hypot(b.high - b.share),
        high: value + (a.high - a.share).hypot(b.share - b.low),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_digits;
    use super::*;

    /// mpmath, 40 digits: the roots of `log(P(X >= x) / tail)` and `log(P(X <= x) / tail)` with `tail = (1 -
    /// mpf(level)) / 2` and `P` summed from binomial terms, `exp(loggamma(n+1) - loggamma(k+1) -
    /// loggamma(n-k+1) + k*log(p) + (n-k)*log(1-p))`. `scipy.stats.binomtest(x, n).proportion_ci(level,
    /// 'exact')` agrees to 12 digits for the moderate ones only and loses all for (1, 10^9);
    /// `scipy.stats.beta.ppf` keeps nine there.
    #[test]
    fn clopper_pearson_agrees_with_mpmath() {
        for (x, n, level, low, high) in [
            (3.0, 10, 0.95, 0.0667395111777345, 0.6524528500599972),
            (531.0, 1000, 0.95, 0.4995171444366948, 0.5622998579509862),
            (53_210.0, 100_000, 0.95, 0.5290015243048097, 0.5351966135936483),
            // The three counts of `icarus/ORACLE-5`.
            (549.0, 1000, 0.95, 0.5175533349524325, 0.5801573934646367),
            (250.0, 1000, 0.95, 0.22343040626468037, 0.27805000622375554),
            (500.0, 1000, 0.95, 0.46854917297179195, 0.531450827028208),
            (0.0, 20, 0.95, 0.0, 0.1684334709830853),
            (20.0, 20, 0.95, 0.8315665290169147, 1.0),
            (5.0, 1_000_000, 0.95, 1.6234883192411703e-06, 1.1668293175208817e-05),
            (1.0, 10_000_000, 0.95, 2.531780795224033e-09, 5.57164211736073e-07),
            (1.0, 1_000_000_000, 0.95, 2.5317807983969402e-11, 5.571643378203114e-09),
            (5.0, 10_000_000, 0.95, 1.623486583030336e-07, 1.166832818890744e-06),
            (0.0, 1_000_000_000, 0.95, 0.0, 3.6888794473100194e-09),
            (5_000_123.0, 10_000_000, 0.95, 0.4997023525179041, 0.5003222474749743),
            (9_999_995.0, 10_000_000, 0.95, 0.9999988331671811, 0.9999998376513417),
            (1.0, 1, 0.95, 0.025000000000000022, 1.0),
            (3.0, 10, 0.99, 0.0370072210962321, 0.7351139852871308),
            (531.0, 1000, 0.99, 0.4897809990070871, 0.571919784297236),
            (53_210.0, 100_000, 0.99, 0.5280292063289785, 0.5361677347712794),
            (0.0, 20, 0.99, 0.0, 0.23272950098907447),
            (20.0, 20, 0.99, 0.7672704990109256, 1.0),
            (5.0, 1_000_000, 0.99, 1.0779298155476232e-06, 1.4149694677698257e-05),
            (1.0, 10_000_000, 0.99, 5.012541822288007e-10, 7.430127111445835e-07),
            (1.0, 1_000_000_000, 0.99, 5.012541823531724e-12, 7.430129476391774e-09),
            (5.0, 10_000_000, 0.99, 1.0779283981415379e-07, 1.414975293767952e-06),
            (0.0, 1_000_000_000, 0.99, 0.0, 5.298317352511952e-09),
            (5_000_123.0, 10_000_000, 0.99, 0.49960497569888185, 0.5004196242894149),
            (9_999_995.0, 10_000_000, 0.99, 0.9999985850247062, 0.9999998922071602),
            (1.0, 1, 0.99, 0.0050000000000000044, 1.0),
            (3.0, 10, 0.999999999, 0.00016096023051639458, 0.9761116646556135),
            (531.0, 1000, 0.999999999, 0.4342361836731726, 0.6262068379684345),
            (53_210.0, 100_000, 0.999999999, 0.5224479252783726, 0.5417358751420276),
            (0.0, 20, 0.999999999, 0.0, 0.6572728578349871),
            (20.0, 20, 0.999999999, 0.34272714216501293, 1.0),
            (5.0, 1_000_000, 0.999999999, 3.6161583249756326e-08, 3.448199608198632e-05),
            (1.0, 10_000_000, 0.999999999, 4.999999859840342e-17, 2.466137182602419e-06),
            (1.0, 1_000_000_000, 0.999999999, 4.999999859840343e-19, 2.466140071040516e-08),
            (5.0, 10_000_000, 0.999999999, 3.6161518747303556e-09, 3.4482453561419903e-06),
            (0.0, 1_000_000_000, 0.999999999, 0.0, 2.1416412816456918e-08),
            (5_000_123.0, 10_000_000, 0.999999999, 0.4990462683238314, 0.5009783316141311),
            (9_999_995.0, 10_000_000, 0.999999999, 0.9999965517546439, 0.9999999963838482),
            (1.0, 1, 0.999999999, 4.999999858590343e-10, 1.0),
        ] {
            let share = clopper_pearson_at(x, n, level);
            assert_digits(share.low, low, 13);
            assert_digits(share.high, high, 13);
            assert_digits(share.share, x / n as f64, 15);
        }
        assert_eq!(clopper_pearson(3.0, 10), clopper_pearson_at(3.0, 10, 0.95));
    }

    /// mpmath, 40 digits, of Wilson's formula; `statsmodels.stats.proportion.proportion_confint(x, n, 1 -
    /// level, 'wilson')` agrees to 14 digits.
    #[test]
    fn wilson_agrees_with_mpmath() {
        for (x, n, level, low, high) in [
            (3.0, 10, 0.95, 0.10779126740630104, 0.6032218525388546),
            (531.0, 1000, 0.95, 0.5000102483912816, 0.561752492582614),
            (53_210.0, 100_000, 0.95, 0.5290062439543918, 0.5351912899237804),
            (0.0, 20, 0.95, 0.0, 0.16112515805281932),
            (20.0, 20, 0.95, 0.8388748419471806, 1.0),
            (5.0, 1_000_000, 0.95, 2.1357029684685586e-06, 1.1705702681035743e-05),
            (1.0, 1_000_000_000, 0.95, 1.765245549569632e-10, 5.664934243297438e-09),
            (5_000_123.0, 10_000_000, 0.95, 0.49970240253873943, 0.5003221974518106),
            (9_999_995.0, 10_000_000, 0.95, 0.9999988294247817, 0.999999786429868),
            (3.0, 10, 0.99, 0.07956631652306578, 0.6799753207988974),
            (531.0, 1000, 0.99, 0.49028025872858155, 0.5713110890474072),
            (53_210.0, 100_000, 0.99, 0.5280336627337724, 0.5361620779452113),
            (0.0, 20, 0.99, 0.0, 0.24910540109875343),
            (20.0, 20, 0.99, 0.7508945989012465, 1.0),
            (5.0, 1_000_000, 0.99, 1.670649995070867e-06, 1.4964136235863724e-05),
            (1.0, 1_000_000_000, 0.99, 1.1740546412304547e-10, 8.517491079606523e-09),
            (5_000_123.0, 10_000_000, 0.99, 0.4996050257539224, 0.5004195742297557),
            (9_999_995.0, 10_000_000, 0.99, 0.9999985035763177, 0.9999998329351258),
        ] {
            let share = wilson_at(x, n, level);
            assert_digits(share.low, low, 13);
            assert_digits(share.high, high, 13);
        }
        assert_eq!(wilson(3.0, 10), wilson_at(3.0, 10, 0.95));
    }

    /// `statsmodels.stats.proportion.confint_proportions_2indep(a, n, b, k, method='newcomb',
    /// compare='diff')`.
    #[test]
    fn newcombe_agrees_with_statsmodels() {
        for (a, n, b, k, low, high) in [
            (56.0, 70, 48.0, 80, 0.05243147240236498, 0.33387265403690614),
            (9.0, 10, 3.0, 10, 0.1705227239345029, 0.809017973535488),
            (0.0, 10, 0.0, 20, -0.1611251580528194, 0.27753279986288926),
            (10.0, 10, 0.0, 20, 0.6790860371419145, 1.0),
            (5.0, 1_000_000, 15.0, 1_000_000, -2.0162711766525494e-05, -1.0620284259524092e-06),
            (531.0, 1000, 497.0, 1000, -0.009791897826047918, 0.07760803914324163),
        ] {
            let difference = newcombe((a, n), (b, k), CONFIDENCE);
            assert_digits(difference.low, low, 12);
            assert_digits(difference.high, high, 12);
            let turned = newcombe((b, k), (a, n), CONFIDENCE);
            assert_digits(turned.low, -high, 12);
        }
    }

    #[test]
    fn intervals_contain_the_share_and_are_monotone() {
        for n in [1_u64, 2, 7, 30, 1000] {
            for at in [clopper_pearson_at, wilson_at] {
                for level in [0.5, 0.95, 0.999] {
                    let all: Vec<Share> = (0..=2 * n.min(40)).map(|x| at(x as f64 / 2.0, n, level)).collect();
                    for pair in all.windows(2) {
                        assert!(pair[0].low <= pair[1].low && pair[0].high <= pair[1].high, "{n}: {pair:?}");
                    }
                    for (x, s) in all.iter().enumerate() {
                        assert!(
                            0.0 <= s.low && s.low <= s.share && s.share <= s.high && s.high <= 1.0,
                            "{s:?}"
                        );
                        let wider = at(x as f64 / 2.0, n, (1.0 + level) / 2.0);
                        assert!(wider.low <= s.low && s.high <= wider.high, "{s:?} {wider:?}");
                        let mirrored = at(n as f64 - x as f64 / 2.0, n, level);
                        assert!((mirrored.low - (1.0 - s.high)).abs() < 1e-14, "{s:?} {mirrored:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn more_trials_make_shares_surer() {
        for at in [clopper_pearson, wilson] {
            let widths = [10_u64, 100, 10_000, 10_000_000]
                .map(|n| at(n as f64 * 0.3, n).high - at(n as f64 * 0.3, n).low);
            assert!(widths.is_sorted_by(|a, b| a > b), "{widths:?}");
        }
    }

    #[test]
    fn degenerate_shares_are_defined() {
        for at in [clopper_pearson_at, wilson_at] {
            assert_eq!(at(0.0, 0, 0.95), Share { share: 0.5, low: 0.0, high: 1.0 });
            assert_eq!(at(3.0, 10, 1.0), Share { share: 0.3, low: 0.0, high: 1.0 });
            assert_eq!(at(3.0, 10, 7.0), at(3.0, 10, 1.0));
            assert_eq!(at(3.0, 10, -1.0), at(3.0, 10, 0.0));
            for x in [f64::NAN, -1.0, 10.5, f64::INFINITY] {
                let share = at(x, 10, 0.95);
                assert!(share.share.is_nan() && share.low.is_nan() && share.high.is_nan());
            }
            assert!(at(3.0, 10, f64::NAN).low.is_nan());
        }
        assert_eq!(newcombe((0.0, 0), (0.0, 0), 0.95).value, 0.0);
        assert!(newcombe((2.0, 1), (0.0, 1), 0.95).low.is_nan());
    }
}
