//! The formulas of BS-MCTS, by the numbers under which Wang and others (2015) give them (`tubstap/2.6.3`).
//!
//! Utilities are scaled to [0, 1].

/// (1) The bound of an action of the searcher: `U(B,a) + c sqrt(ln N(B) / N(B,a))`. What was never tried comes first.
#[inline]
pub fn bound(utility: f64, c: f64, visits: u32, tried: u32) -> f64 {
    match tried {
        0 => f64::INFINITY,
        _ => utility + c * (f64::from(visits.max(1)).ln() / f64::from(tried)).sqrt(),
    }
}

/// (3) The utility of an action in a belief state, `sum_i b_i U(g_i,a)`, from weights and utilities of the beliefs;
/// the weights need not sum to 1.
pub fn mean_utility(beliefs: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (w, u) in beliefs {
        sum += w * u;
        weight += w;
    }
    if weight > 0.0 { sum / weight } else { 0.0 }
}

/// (4) Opponent Guessing as it is printed, before the weights are divided by their sum: `exp(l P(g) U(g))`, here
/// times `exp(-max(l, 0))`, which keeps it at most 1 and leaves every quotient as it is.
#[inline]
pub fn guess_printed(lambda: f64, prior: f64, utility: f64) -> f64 {
    (lambda * prior * utility - lambda.max(0.0)).exp()
}

/// Opponent Guessing with the prior where Bayes' rule has it, `P(g) exp(l U(g))`, scaled in the same way.
#[inline]
pub fn guess_bayes(lambda: f64, prior: f64, utility: f64) -> f64 {
    prior * (lambda * utility - lambda.max(0.0)).exp()
}

/// (6) Opponent Predicting: turns the opponent's utilities into weights in proportion to `exp(l U)`.
pub fn predict(lambda: f64, utilities: &mut [f64]) {
    let greatest = utilities.iter().map(|u| lambda * u).fold(f64::NEG_INFINITY, f64::max);
    utilities.iter_mut().for_each(|u| *u = (lambda * *u - greatest).exp());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    fn shares(weights: &[f64]) -> Vec<f64> {
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|w| w / sum).collect()
    }

    /// 0.5 + 0.7 sqrt(ln 100 / 4) = 0.5 + 0.7 * 1.072983 = 1.251088.
    #[test]
    fn equation_1() {
        assert!((bound(0.5, 0.7, 100, 4) - 1.251_088).abs() < 1e-6);
        assert_eq!(bound(0.0, 0.7, 100, 0), f64::INFINITY);
        assert_eq!(bound(0.25, 0.7, 1, 1), 0.25, "ln 1 = 0");
    }

    /// 0.25 * 0.8 + 0.75 * 0.4 = 0.5.
    #[test]
    fn equation_3() {
        assert!(close(mean_utility([(0.25, 0.8), (0.75, 0.4)]), 0.5));
        assert!(close(mean_utility([(1.0, 0.8), (3.0, 0.4)]), 0.5));
        assert_eq!(mean_utility([]), 0.0);
    }

    /// Two beliefs of prior 1 worth 1 and 0 with l = ln 3 weigh 3 : 1; with priors 1/2 only sqrt(3) : 1, and
    /// with l = 0 the same, however likely they are.
    #[test]
    fn equation_4() {
        let l = 3f64.ln();
        let printed =
            |l: f64, p: [f64; 2]| shares(&[guess_printed(l, p[0], 1.0), guess_printed(l, p[1], 0.0)]);
        assert!(close(printed(l, [1.0; 2])[0], 0.75));
        assert!(close(printed(-l, [1.0; 2])[0], 0.25));
        assert!(close(printed(l, [0.5; 2])[0], 3f64.sqrt() / (3f64.sqrt() + 1.0)));
        assert!(close(printed(0.0, [0.9, 0.1])[0], 0.5));
        let bayes = |l: f64, p: [f64; 2]| shares(&[guess_bayes(l, p[0], 1.0), guess_bayes(l, p[1], 0.0)]);
        assert!(close(bayes(l, [0.5; 2])[0], 0.75));
        assert!(close(bayes(0.0, [0.9, 0.1])[0], 0.9));
        assert!(close(bayes(l, [0.25, 0.75])[0], 0.5), "3/4 against 3/4");
    }

    /// Utilities 0, 1/2, 1 with l = ln 4 weigh 1 : 2 : 4. Great numbers do not overflow.
    #[test]
    fn equation_6() {
        let mut u = [0.0, 0.5, 1.0];
        predict(4f64.ln(), &mut u);
        let p = shares(&u);
        assert!(close(p[0], 1.0 / 7.0) && close(p[1], 2.0 / 7.0) && close(p[2], 4.0 / 7.0));
        let mut u = [0.0, 1.0];
        predict(1e6, &mut u);
        assert_eq!(u, [0.0, 1.0]);
    }
}
