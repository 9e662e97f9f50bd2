//! Whether frequencies agree with probabilities: chi-square tests that almost never raise a false alarm.
//!
//! A test fails below [`LEVEL`]. A run makes a few hundred tests, so that one in ten million honest games
//! would be accused; cells expected to be hit less than [`LEAST`] times are pooled, because the chi-square
//! distribution is a poor guide to their tails.

/// A result less likely than this is no accident.
const LEVEL: f64 = 1e-10;
/// The fewest expected hits of a cell that stands alone.
const LEAST: f64 = 20.0;

/// What is wrong with these counts if cells are hit in proportion to `shares`.
pub(super) fn misfit(counts: &[f64], shares: &[f64]) -> Option<String> {
    let hits: f64 = counts.iter().sum();
    let whole: f64 = shares.iter().sum();
    let (mut cells, small): (Vec<_>, Vec<_>) =
        counts.iter().zip(shares).map(|(&c, &s)| (c, hits * s / whole)).partition(|cell| cell.1 >= LEAST);
    let pool = small.into_iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    if pool.1 >= LEAST {
        cells.push(pool);
    } else if let Some(least) = cells.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) {
        *least = (least.0 + pool.0, least.1 + pool.1);
    }
    if cells.len() < 2 {
        return None;
    }
    let x: f64 = cells.iter().map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    let freedom = cells.len() - 1;
    let p = chi_square_tail(x, freedom as f64);
    (p < LEVEL).then(|| format!("chi-square {x:.1} with {freedom} degrees of freedom after {hits} draws"))
}

/// How often something was drawn and with what weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) count: f64,
    weight: f64,
    squares: f64,
}

impl Tally {
    pub(super) fn add(&mut self, weight: f64) {
        self.count += 1.0;
        self.weight += weight;
        self.squares += weight * weight;
    }

    /// Whether every draw had the same weight.
    fn is_even(&self) -> bool {
        (self.count * self.squares / (self.weight * self.weight) - 1.0).abs() < 1e-9
    }
}

/// What is wrong with these draws if, counted by weight, they come in proportion to `shares`. Everything
/// must have been drawn at least once.
pub(super) fn weighted_misfit(tallies: &[Tally], shares: &[f64]) -> Option<String> {
    if tallies.iter().all(Tally::is_even) {
        let counts: Vec<f64> = tallies.iter().map(|t| t.count).collect();
        let drawn: Vec<f64> = tallies.iter().zip(shares).map(|(t, s)| s * t.count / t.weight).collect();
        return misfit(&counts, &drawn);
    }
    // The weights of one state differ from draw to draw: each weighted sum, less what is expected of it, is
    // nearly normal with the variance that the squares of the weights give.
    let whole: f64 = shares.iter().sum();
    let weight: f64 = tallies.iter().map(|t| t.weight).sum();
    let squares: f64 = tallies.iter().map(|t| t.squares).sum();
    tallies.iter().zip(shares).find_map(|(t, share)| {
        let q = share / whole;
        let variance = t.squares * (1.0 - 2.0 * q) + q * q * squares;
        let x = (t.weight - q * weight).powi(2) / variance;
        let far = chi_square_tail(x, 1.0) < LEVEL / shares.len() as f64;
        far.then(|| format!("a share of {:.4} where {q:.4} is expected", t.weight / weight))
    })
}

/// The probability that a chi-square variable with so many degrees of freedom is at least `x`: the upper
/// regularised incomplete gamma function Q(freedom / 2, x / 2).
fn chi_square_tail(x: f64, freedom: f64) -> f64 {
    let (a, x) = (freedom / 2.0, x / 2.0);
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        // Series: P(a, x) = scale * sum of x^n / (a (a+1) ... (a+n)).
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-16 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - scale * sum;
    }
    // Continued fraction, evaluated from the front (Lentz).
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut fraction = d;
    for i in 1..100_000 {
        let n = f64::from(i);
        let numerator = -n * (n - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    scale * fraction
}

/// The logarithm of the gamma function, by Stirling's series.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 12.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let tail = (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r / 1680.0))) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Purpose, Seed};

    /// Quantiles from printed tables (NIST/SEMATECH e-Handbook 1.3.6.7.4); the exact ones follow from
    /// exp(-x/2) for two degrees of freedom and exp(-x/2) (1 + x/2) for four.
    #[test]
    fn tails_agree_with_tables_and_closed_forms() {
        for (freedom, x, p) in [
            (1.0, 3.841, 0.05),
            (1.0, 10.828, 0.001),
            (6.0, 22.458, 0.001),
            (10.0, 2.558, 0.99),
            (10.0, 23.209, 0.01),
            (30.0, 43.773, 0.05),
            (100.0, 124.342, 0.05),
            (100.0, 149.449, 0.001),
        ] {
            let got = chi_square_tail(x, freedom);
            assert!((got / p - 1.0).abs() < 2e-3, "{freedom} {x}: {got} is not {p}");
        }
        for x in [0.1, 1.0, 2.9, 3.1, 20.0, 60.0, 200.0_f64] {
            let two = (-x / 2.0).exp();
            assert!((chi_square_tail(x, 2.0) / two - 1.0).abs() < 1e-10, "{x}");
            let four = two * (1.0 + x / 2.0);
            assert!((chi_square_tail(x, 4.0) / four - 1.0).abs() < 1e-10, "{x}");
        }
    }

    #[test]
    fn the_gamma_function_knows_factorials_and_the_root_of_pi() {
        assert!((ln_gamma(11.0) - 3_628_800_f64.ln()).abs() < 1e-11);
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-11);
    }

    #[test]
    fn honest_dice_pass_and_loaded_ones_do_not() {
        let shares = [0.5, 0.3, 0.19, 0.01];
        for (drawn, passes) in [(shares, true), ([0.45, 0.35, 0.19, 0.01], false)] {
            let verdicts = (0..40).map(|run| {
                let mut rng = Seed(run).stream(Purpose::Ties);
                let mut counts = [0.0; 4];
                for _ in 0..20_000 {
                    counts[rng.weighted(drawn.iter().copied())] += 1.0;
                }
                misfit(&counts, &shares).is_none()
            });
            assert!(verdicts.into_iter().all(|v| v == passes));
        }
    }

    #[test]
    fn weights_make_up_for_a_crooked_draw() {
        let shares = [3.0, 2.0, 1.0];
        let tally = |weight: fn(usize, &mut crate::Rng) -> f64| {
            let mut rng = Seed(1).stream(Purpose::Ties);
            let mut tallies = [Tally::default(); 3];
            for _ in 0..20_000 {
                let i = rng.below(3) as usize;
                tallies[i].add(weight(i, &mut rng));
            }
            weighted_misfit(&tallies, &shares)
        };
        assert_eq!(tally(|i, _| [3.0, 2.0, 1.0][i]), None);
        assert_eq!(tally(|i, rng| [3.0, 2.0, 1.0][i] * (0.5 + rng.unit())), None);
        assert!(tally(|_, _| 1.0).is_some());
        assert!(tally(|_, rng| 0.5 + rng.unit()).is_some());
    }

    #[test]
    fn rare_cells_are_pooled() {
        assert_eq!(misfit(&[1000.0, 3.0, 0.0], &[1000.0, 1.0, 2.0]), None);
        assert!(misfit(&[1000.0, 300.0, 0.0], &[1000.0, 1.0, 2.0]).is_none(), "one cell is no distribution");
        assert!(misfit(&[1000.0, 900.0, 300.0, 0.0], &[1000.0, 900.0, 1.0, 2.0]).is_some());
    }
}
