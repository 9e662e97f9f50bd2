//! Many tests at once. Both adjustments give for every p-value the level at which it is just significant
//! among all of them; NaN stays NaN and does not count as a test (as in R's `p.adjust`).

/// P-values adjusted so that the risk of even one false alarm is kept: the step-down method of S. Holm
/// (Scandinavian Journal of Statistics 6, 1979), `max over j <= i of (m - j + 1) p(j)`, rising order, at most
/// 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let order = rising(p);
    let mut adjusted = vec![f64::NAN; p.len()];
    let mut level = 0.0_f64;
    for (rank, &i) in order.iter().enumerate() {
        level = level.max(p[i] * (order.len() - rank) as f64).min(1.0);
        adjusted[i] = level;
    }
    adjusted
}

/// P-values adjusted so that the expected share of false alarms among the alarms is kept: the step-up method
/// of Y. Benjamini and Y. Hochberg (JRSS B 57, 1995), `min over j >= i of m p(j) / j`, rising order, at most
/// 1.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let order = rising(p);
    let mut adjusted = vec![f64::NAN; p.len()];
    let mut level = 1.0_f64;
    for (rank, &i) in order.iter().enumerate().rev() {
        level = level.min(p[i] * order.len() as f64 / (rank + 1) as f64);
        adjusted[i] = level;
    }
    adjusted
}

/// The places of the p-values in rising order, without NaN.
fn rising(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).filter(|&i| !p[i].is_nan()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    order
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_digits;
    use super::*;

    const P: [f64; 8] = [0.01, 0.04, 0.03, 0.005, 0.5, 0.04, 1e-9, 0.9];

    /// `statsmodels.stats.multitest.multipletests(p, method='holm')[1]` and `method='fdr_bh'`.
    #[test]
    fn adjustments_agree_with_statsmodels() {
        let fdr = [
            0.02666666666666667,
            0.05333333333333334,
            0.05333333333333334,
            0.02,
            0.5714285714285714,
            0.05333333333333334,
            8e-09,
            0.9,
        ];
        for (found, expected) in holm(&P).into_iter().zip([0.06, 0.16, 0.15, 0.035, 1.0, 0.16, 8e-9, 1.0]) {
            assert_digits(found, expected, 14);
        }
        for (found, expected) in benjamini_hochberg(&P).into_iter().zip(fdr) {
            assert_digits(found, expected, 14);
        }
    }

    #[test]
    fn adjusting_keeps_the_order_and_never_lowers() {
        for adjusted in [holm(&P), benjamini_hochberg(&P)] {
            for i in 0..P.len() {
                assert!(P[i] <= adjusted[i] && adjusted[i] <= 1.0);
                assert!((0..P.len()).all(|j| P[i] > P[j] || adjusted[i] <= adjusted[j]));
            }
        }
        let (fdr, fwer) = (benjamini_hochberg(&P), holm(&P));
        assert!(fdr.iter().zip(&fwer).all(|(d, w)| d <= w));
    }

    #[test]
    fn nan_does_not_count() {
        for adjust in [holm, benjamini_hochberg] {
            assert_eq!(adjust(&[]), [0.0; 0]);
            assert_eq!(adjust(&[0.03]), [0.03]);
            let with = adjust(&[0.01, f64::NAN, 0.02]);
            assert!(with[1].is_nan());
            assert_eq!([with[0], with[2]], *adjust(&[0.01, 0.02]));
        }
    }
}
