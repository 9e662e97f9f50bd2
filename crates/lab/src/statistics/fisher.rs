//! Fisher's exact test.

use super::hypothesis::Test;

/// How far above the observed probability another may lie and still count as equal: room for rounding between
/// the two sides of a symmetric table.
const EQUAL: f64 = 1.0 + 1e-11;

/// Fisher's exact test of the table `[[a, b], [c, d]]`, for instance wins and losses of two players.
///
/// Two-sided as in SciPy and R: with all margins fixed, the probability of all tables that are not more
/// likely than the one observed. The statistic is the odds ratio of the sample, `ad / bc`. A table with an
/// empty row or column is no evidence: p = 1 (and an odds ratio of 1, where SciPy says NaN).
///
/// The hypergeometric weights are taken relative to the most likely table and follow from one another by
/// `w(k+1) / w(k) = (r-k)(s-k) / ((k+1)(N-r-s+k+1))`, `r` and `s` being the first row and column and `N` the
/// whole; no factorials, so nothing cancels at 10^7 trials.
pub fn fisher_exact([[a, b], [c, d]]: [[u64; 2]; 2]) -> Test {
    let [a, b, c, d] = [a, b, c, d].map(|count| count as f64);
    let (row, column, all) = (a + b, a + c, a + b + c + d);
    if row == 0.0 || column == 0.0 || row == all || column == all {
        return Test { statistic: 1.0, p: 1.0 };
    }
    let ratio = |k: f64| (row - k) / (k + 1.0) * ((column - k) / (d - a + k + 1.0));
    let (least, most) = ((row + column - all).max(0.0), row.min(column));
    let mode = ((row + 1.0) / (all + 2.0) * (column + 1.0)).floor().clamp(least, most);

    let below = || walk(|step| if mode - step < least { 0.0 } else { ratio(mode - step).recip() });
    let above = || walk(|step| if mode + step > most { 0.0 } else { ratio(mode + step - 1.0) });
    let observed = match a - mode {
        0.0 => Some(1.0),
        away if away < 0.0 => below().nth(-away as usize - 1),
        away => above().nth(away as usize - 1),
    };
    let limit = observed.unwrap_or(0.0) * EQUAL;
    let unlikely = |weight: &f64| *weight <= limit;
    let whole = 1.0 + below().sum::<f64>() + above().sum::<f64>();
    let tails = below().filter(unlikely).sum::<f64>() + above().filter(unlikely).sum::<f64>();
    Test { statistic: a * d / (b * c), p: if limit >= 1.0 { 1.0 } else { tails / whole } }
}

/// The weights on one side of the mode, whose own is 1, from it outwards until they vanish.
fn walk(ratio: impl Fn(f64) -> f64) -> impl Iterator<Item = f64> {
    let (mut weight, mut step) = (1.0, 0.0);
    std::iter::from_fn(move || {
        step += 1.0;
        weight *= ratio(step);
        // Below the normal numbers rounding holds weights up, and they would never get to 0.
        (weight >= f64::MIN_POSITIVE).then_some(weight)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_digits;
    use super::*;

    /// mpmath, 40 digits, summing the definition; `scipy.stats.fisher_exact(table)` agrees to 13 digits but
    /// for the tables of millions, where it keeps nine.
    #[test]
    fn agrees_with_the_definition() {
        for (table, ratio, p) in [
            ([[8, 2], [1, 5]], 20.0, 0.03496503496503497),
            ([[3, 1], [1, 3]], 9.0, 0.4857142857142857),
            ([[10, 0], [0, 10]], f64::INFINITY, 1.082508822446903e-05),
            ([[0, 5], [7, 0]], 0.0, 0.0012626262626262627),
            ([[100, 200], [150, 160]], 0.5333333333333333, 0.0002052106760269605),
            ([[1, 9], [11, 3]], 0.030303030303030304, 0.0027594561852200836),
            ([[12, 5], [5, 12]], 5.76, 0.038084343124522524),
            ([[5, 5], [5, 5]], 1.0, 1.0),
            ([[5, 999_995], [15, 999_985]], 0.33332999998333324, 0.041388467295530286),
            ([[1, 10_000_000], [12, 10_000_000]], 0.08333333333333333, 0.003417959228586798),
            ([[5_000_123, 4_999_877], [4_990_000, 5_010_000]], 1.0040574144416539, 5.991229693145212e-06),
        ] {
            let test = fisher_exact(table);
            assert_digits(test.statistic, ratio, 14);
            assert_digits(test.p, p, 12);
        }
    }

    #[test]
    fn symmetric_in_rows_columns_and_transposition() {
        for (a, b, c, d) in
            [(8, 2, 1, 5), (0, 4, 9, 3), (17, 30, 22, 11), (3, 3, 3, 3), (1, 0, 0, 1), (40, 3, 900, 8)]
        {
            let p = fisher_exact([[a, b], [c, d]]).p;
            for other in [[[b, a], [d, c]], [[c, d], [a, b]], [[a, c], [b, d]]] {
                assert_digits(fisher_exact(other).p, p, 13);
            }
        }
    }

    /// The definition has no closed form here; the normal approximation with Yates's correction is this good.
    #[test]
    fn a_thousand_million_games_take_no_time() {
        let p = fisher_exact([[250_000_000, 250_000_000], [250_010_000, 249_990_000]]).p;
        let corrected = super::super::distributions::normal_beyond((5_000.0 - 0.5) / 1e9_f64.sqrt() * 4.0);
        assert_digits(p, corrected, 6);
    }

    #[test]
    fn empty_margins_are_no_evidence() {
        for table in [[[0, 0], [0, 0]], [[3, 4], [0, 0]], [[0, 4], [0, 7]], [[4, 0], [7, 0]]] {
            assert_eq!(fisher_exact(table), Test { statistic: 1.0, p: 1.0 });
        }
    }
}
