//! Drawing from the strategies of learners whose numbers lie in a store.

use fogtree_core::Rng;

/// A move drawn: which, how likely it was, and how likely without exploration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Drawn {
    pub(super) arm: u32,
    pub(super) p: f64,
    pub(super) aim: f64,
}

impl Drawn {
    /// The only move.
    pub(super) const ONLY: Drawn = Drawn { arm: 0, p: 1.0, aim: 1.0 };

    /// Any of `k` moves.
    #[inline]
    pub(super) fn uniform(k: usize, rng: &mut Rng) -> Drawn {
        let p = 1.0 / k as f64;
        Drawn { arm: rng.below(k as u32), p, aim: p }
    }
}

/// How much of the strategies drawn from goes into their sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    /// The weight of this strategy,
    pub(super) weight: f64,
    /// in which this much exploration counts.
    pub(super) exploration: f64,
}

impl Share {
    /// Nothing goes into the sums.
    pub(super) const NOTHING: Share = Share { weight: 0.0, exploration: 0.0 };
}

/// Draws with a probability in proportion to the weights, which add up to `sum`, or with probability `gamma`
/// uniformly, and adds the strategy to `sums`.
#[inline]
fn draw(
    weight: impl Fn(usize) -> f64,
    sum: f64,
    sums: &mut [f64],
    gamma: f64,
    share: Share,
    rng: &mut Rng,
) -> Drawn {
    let k = sums.len();
    let uniform = 1.0 / k as f64;
    if share.weight > 0.0 {
        let factor = share.weight * (1.0 - share.exploration) / sum;
        let floor = share.weight * share.exploration * uniform;
        sums.iter_mut().enumerate().for_each(|(i, total)| *total += factor * weight(i) + floor);
    }
    let u = rng.unit();
    let arm = if u < gamma {
        ((u / gamma * k as f64) as usize).min(k - 1)
    } else {
        let mut left = (u - gamma) / (1.0 - gamma) * sum;
        let mut last = 0;
        for i in 0..k {
            let w = weight(i);
            if w > 0.0 {
                last = i;
                if left < w {
                    break;
                }
                left -= w;
            }
        }
        last
    };
    let aim = weight(arm) / sum;
    Drawn { arm: arm as u32, p: (1.0 - gamma) * aim + gamma * uniform, aim }
}

/// Draws by regret matching.
#[inline]
pub(super) fn by_regrets(
    regrets: &[f64],
    sums: &mut [f64],
    gamma: f64,
    share: Share,
    rng: &mut Rng,
) -> Drawn {
    let positive: f64 = regrets.iter().map(|r| r.max(0.0)).sum();
    if positive > f64::MIN_POSITIVE {
        draw(|i| regrets[i].max(0.0), positive, sums, gamma, share, rng)
    } else {
        let drawn = Drawn::uniform(sums.len(), rng);
        sums.iter_mut().for_each(|sum| *sum += share.weight * drawn.p);
        drawn
    }
}

/// Draws by EXP3; `odds` is room for as many numbers as there are moves.
#[inline]
pub(super) fn by_exponents(
    gains: &[f64],
    sums: &mut [f64],
    odds: &mut [f64],
    gamma: f64,
    share: Share,
    rng: &mut Rng,
) -> Drawn {
    let rate = gamma / gains.len() as f64;
    let greatest = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (odd, gain) in odds.iter_mut().zip(gains) {
        *odd = (rate * (gain - greatest)).exp();
        sum += *odd;
    }
    draw(|i| odds[i], sum, sums, gamma, share, rng)
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;
    use crate::bandit::{exp3_probabilities, regret_matching};

    /// Against the formulas of the learners that stand alone: what is drawn how often, with which probability, and
    /// what goes into the sums.
    #[test]
    fn draws_follow_the_learners() {
        let mut rng = Seed(1).stream(Purpose::Ties);
        for values in [vec![2.0, -5.0, 6.0, 0.0], vec![-1.0, 0.0], vec![0.1, 3.0, 40.0], vec![7.0]] {
            let k = values.len();
            for gamma in [0.05, 0.3, 1.0] {
                for exponents in [false, true] {
                    let (mut expected, mut free) = (vec![0.0; k], vec![0.0; k]);
                    if exponents {
                        exp3_probabilities(&values, gamma, &mut expected);
                        let floor = gamma / k as f64;
                        let strip =
                            |p: &f64| if gamma < 1.0 { (p - floor) / (1.0 - gamma) } else { f64::NAN };
                        free = expected.iter().map(strip).collect();
                    } else {
                        regret_matching(&values, gamma, &mut expected);
                        regret_matching(&values, 0.0, &mut free);
                    }
                    let (mut counts, mut odds) = (vec![0.0; k], vec![0.0; k]);
                    let (mut aimed, mut played) = (vec![0.0; k], vec![0.0; k]);
                    let n = 20_000;
                    for t in 0..n {
                        let exploration = if t % 2 == 0 { 0.0 } else { gamma };
                        let sums = if t % 2 == 0 { &mut aimed } else { &mut played };
                        let share = Share { weight: 2.0, exploration };
                        let drawn = if exponents {
                            by_exponents(&values, sums, &mut odds, gamma, share, &mut rng)
                        } else {
                            by_regrets(&values, sums, gamma, share, &mut rng)
                        };
                        let arm = drawn.arm as usize;
                        assert!((drawn.p - expected[arm]).abs() < 1e-12);
                        assert!((drawn.aim - free[arm]).abs() < 1e-12 || free[arm].is_nan());
                        counts[arm] += 1.0 / f64::from(n);
                    }
                    for i in 0..k {
                        let error = 4.0 * (expected[i] * (1.0 - expected[i]) / f64::from(n)).sqrt();
                        assert!(
                            (counts[i] - expected[i]).abs() <= error + 1e-9,
                            "{values:?}, {gamma}: {counts:?}"
                        );
                        assert!((played[i] / f64::from(n) - expected[i]).abs() < 1e-9);
                        assert!((aimed[i] / f64::from(n) - free[i]).abs() < 1e-9 || free[i].is_nan());
                    }
                }
            }
        }
    }
}
