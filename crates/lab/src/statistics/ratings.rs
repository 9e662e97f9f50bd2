//! Ratings of many players from a cross table.

use thiserror::Error;

use super::distributions::normal_quantile;
use super::elo::POINTS;
use super::intervals::{Estimate, tail};

/// Why a cross table has no ratings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unrated {
    /// The table is not square, or an entry is negative or not finite.
    #[error("a cross table is square and holds numbers that are not negative")]
    BadTable,
    /// These players took no point off any of the others, who are therefore infinitely better or were never
    /// met.
    #[error("players {0:?} took no point off any other, so no finite ratings fit")]
    Apart(Vec<usize>),
}

/// Ratings in points (400 for odds of ten to one), with mean 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// The rating of each player.
    pub elo: Vec<f64>,
    /// The covariances of the ratings.
    pub covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// The standard error of a player's rating against the mean of all.
    pub fn error(&self, player: usize) -> f64 {
        self.covariance[player][player].max(0.0).sqrt()
    }

    /// By how much one player is rated above another, with the normal interval at a confidence level.
    pub fn difference(&self, one: usize, other: usize, level: f64) -> Estimate {
        let c = &self.covariance;
        let variance = c[one][one] + c[other][other] - 2.0 * c[one][other];
        let quantile = normal_quantile(2.0 * tail(level));
        Estimate::around(self.elo[one] - self.elo[other], variance.max(0.0).sqrt(), quantile)
    }
}

/// The most likely ratings for a cross table: `points[i][j]` is what player `i` took off player `j`, a draw
/// being half a point for each. The diagonal is not looked at.
///
/// The Bradley-Terry model (Biometrika 39, 1952): `i` takes a point off `j` with probability `1 / (1 +
/// exp(r_j - r_i))`. Its likelihood is concave and has a maximum exactly if no group of players went without
/// a point against the rest (L. R. Ford, American Mathematical Monthly 64, 1957), which is checked; adding
/// half a point on both sides of every pairing that was played makes any connected table fit. The maximum is
/// found by Newton steps, halved where they overshoot; the standard errors come from the Fisher information,
/// a Laplacian matrix inverted on the ratings of sum 0. As draws vary less than wins and losses, errors are
/// on the wide side with many draws.
pub fn ratings(points: &[Vec<f64>]) -> Result<Ratings, Unrated> {
    let players = points.len();
    let fine = |row: &Vec<f64>| row.len() == players && row.iter().all(|x| x.is_finite() && *x >= 0.0);
    if !points.iter().all(fine) {
        return Err(Unrated::BadTable);
    }
    if let Some(group) = apart(points) {
        return Err(Unrated::Apart(group));
    }
    let mut strength = vec![0.0; players];
    let mut covariance = covariance_at(points, &strength);
    for _ in 0..200 {
        let slope = slope(points, &strength);
        let step: Vec<f64> =
            covariance.iter().map(|row| row.iter().zip(&slope).map(|(c, s)| c * s).sum()).collect();
        let before = likelihood(points, &strength);
        let moved =
            |scale: f64| -> Vec<f64> { strength.iter().zip(&step).map(|(r, s)| r + scale * s).collect() };
        let mut scale = 1.0;
        while scale > 1e-3 && likelihood(points, &moved(scale)) < before {
            scale /= 2.0;
        }
        strength = moved(scale);
        covariance = covariance_at(points, &strength);
        if step.iter().all(|s| s.abs() < 1e-12) {
            break;
        }
    }
    covariance.iter_mut().flatten().for_each(|c| *c *= POINTS * POINTS);
    Ok(Ratings { elo: strength.iter().map(|r| POINTS * r).collect(), covariance })
}

/// The probability that a player of one strength takes the point off one of another.
fn chance(one: f64, other: f64) -> f64 {
    1.0 / (1.0 + (other - one).exp())
}

/// The pairings `(i, j)`, `i != j`, both ways.
fn pairings(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |i| (0..players).filter(move |&j| j != i).map(move |j| (i, j)))
}

fn likelihood(points: &[Vec<f64>], strength: &[f64]) -> f64 {
    pairings(points.len()).map(|(i, j)| -points[i][j] * (strength[j] - strength[i]).exp().ln_1p()).sum()
}

/// Points taken beyond points expected.
fn slope(points: &[Vec<f64>], strength: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; points.len()];
    for (i, j) in pairings(points.len()) {
        slope[i] +=
            points[i][j] * chance(strength[j], strength[i]) - points[j][i] * chance(strength[i], strength[j]);
    }
    slope
}

/// The inverse of the Fisher information on vectors of sum 0: of `L + m J`, less `J / (m n^2)`, with `L` the
/// Laplacian of the pairings weighted by `games p (1-p)`, `J` all ones, and any `m > 0`.
fn covariance_at(points: &[Vec<f64>], strength: &[f64]) -> Vec<Vec<f64>> {
    let n = points.len();
    let mut information = vec![vec![0.0; n]; n];
    for (i, j) in pairings(n) {
        let games = points[i][j] + points[j][i];
        let weight = games * chance(strength[i], strength[j]) * chance(strength[j], strength[i]);
        information[i][i] += weight;
        information[i][j] -= weight;
    }
    let trace: f64 = (0..n).map(|i| information[i][i]).sum();
    let lift = if trace > 0.0 { trace / (n * n) as f64 } else { 1.0 };
    information.iter_mut().flatten().for_each(|x| *x += lift);
    let mut inverse = inverse(information);
    inverse.iter_mut().flatten().for_each(|x| *x -= 1.0 / (lift * (n * n) as f64));
    inverse
}

/// The inverse of a positive definite matrix, by Gauss-Jordan elimination down the diagonal.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for pivot in 0..n {
        let scale = std::mem::replace(&mut matrix[pivot][pivot], 1.0).recip();
        matrix[pivot].iter_mut().for_each(|x| *x *= scale);
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(i, _)| *i != pivot) {
            let factor = std::mem::take(&mut row[pivot]);
            row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
        }
    }
    matrix
}

/// A group of players that took no point off any other, if there is one: whom a player beat, and whom those
/// beat and so on, must be everybody; and so must those who beat it.
fn apart(points: &[Vec<f64>]) -> Option<Vec<usize>> {
    let reached = |beat: &dyn Fn(usize, usize) -> bool| {
        let mut seen = vec![false; points.len()];
        let mut open: Vec<usize> = (0..points.len().min(1)).collect();
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                open.extend((0..points.len()).filter(|&j| j != i && beat(i, j)));
            }
        }
        seen
    };
    let group =
        |seen: Vec<bool>, member: bool| (0..seen.len()).filter(|&i| seen[i] == member).collect::<Vec<_>>();
    let beaten = group(reached(&|i, j| points[i][j] > 0.0), true);
    let out_of_reach = group(reached(&|i, j| points[j][i] > 0.0), false);
    if beaten.len() < points.len() {
        Some(beaten)
    } else {
        Some(out_of_reach).filter(|group| !group.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::super::elo::elo;
    use super::super::testing::assert_digits;
    use super::*;

    fn table() -> Vec<Vec<f64>> {
        vec![
            vec![0.0, 7.0, 8.5, 9.0],
            vec![3.0, 0.0, 6.0, 7.5],
            vec![1.5, 4.0, 0.0, 5.0],
            vec![1.0, 2.5, 5.0, 0.0],
        ]
    }

    /// `statsmodels.api.GLM(points, design, family=Binomial()).fit(tol=1e-15)`, one row per pairing with its
    /// points both ways, the columns coding ratings of sum 0; errors from `cov_params()`; times `400 / ln
    /// 10`.
    #[test]
    fn agrees_with_statsmodels() {
        let ratings = ratings(&table()).unwrap();
        let elo = [201.04503621316053, 26.506636609807998, -92.88370694852556, -134.66796587444296];
        let errors = [62.61304471751708, 52.26737966923526, 53.720643642144154, 55.824052852111755];
        for player in 0..4 {
            assert_digits(ratings.elo[player], elo[player], 11);
            assert_digits(ratings.error(player), errors[player], 11);
        }
        let best = ratings.difference(0, 3, 0.95);
        assert_digits(best.value, elo[0] - elo[3], 11);
        assert_digits((best.high - best.low) / 2.0, 100.61963046016898 * 1.959963984540054, 11);
    }

    /// Two players: the rating difference of their share, and the error of the delta method.
    #[test]
    fn two_players() {
        for (won, lost) in [(3.0, 1.0), (999_999.0, 1.0), (1.0, 1e9)] {
            let ratings = ratings(&[vec![0.0, won], vec![lost, 0.0]]).unwrap();
            let difference = ratings.difference(0, 1, 0.95);
            assert_digits(difference.value, elo(won / (won + lost)), 9);
            let error = (1.0 / won + 1.0 / lost).sqrt() * POINTS;
            assert_digits((difference.high - difference.low) / 2.0, error * 1.959963984540054, 6);
        }
    }

    /// At the maximum everybody has taken the points expected of it.
    #[test]
    fn points_equal_expectations() {
        let n = 12;
        let points: Vec<Vec<f64>> =
            (0..n).map(|i| (0..n).map(|j| ((i * 7 + j * 5 + i * j) % 11) as f64).collect()).collect();
        let ratings = ratings(&points).unwrap();
        assert!(ratings.elo.iter().sum::<f64>().abs() < 1e-9);
        for (i, own) in points.iter().enumerate() {
            let others = || (0..n).filter(move |&j| j != i);
            let taken: f64 = others().map(|j| own[j]).sum();
            let chance = |j: usize| super::super::expected_share(ratings.elo[i] - ratings.elo[j]);
            let expected: f64 = others().map(|j| (own[j] + points[j][i]) * chance(j)).sum();
            assert_digits(expected, taken, 11);
        }
    }

    /// A long chain of players who met only their neighbours still converges.
    #[test]
    fn chains_converge() {
        let n = 40;
        let mut points = vec![vec![0.0; n]; n];
        for i in 1..n {
            (points[i][i - 1], points[i - 1][i]) = (3.0, 1.0);
        }
        let ratings = ratings(&points).unwrap();
        for i in 1..n {
            assert_digits(ratings.difference(i, i - 1, 0.95).value, elo(0.75), 9);
        }
    }

    #[test]
    fn tables_without_finite_ratings_are_refused() {
        let loser = vec![vec![0.0, 1.0, 2.0], vec![3.0, 0.0, 1.0], vec![0.0, 0.0, 0.0]];
        assert_eq!(ratings(&loser), Err(Unrated::Apart(vec![2])));
        let winner = vec![vec![0.0, 0.0, 0.0], vec![3.0, 0.0, 1.0], vec![1.0, 1.0, 0.0]];
        assert_eq!(ratings(&winner), Err(Unrated::Apart(vec![0])));
        let strangers = vec![
            vec![0.0, 1.0, 0.0, 0.0],
            vec![1.0, 0.0, 0.0, 0.0],
            vec![0.0, 0.0, 0.0, 1.0],
            vec![0.0, 0.0, 1.0, 0.0],
        ];
        assert_eq!(ratings(&strangers), Err(Unrated::Apart(vec![0, 1])));
        for bad in [
            vec![vec![0.0, 1.0]],
            vec![vec![0.0, f64::NAN], vec![1.0, 0.0]],
            vec![vec![0.0, -1.0], vec![1.0, 0.0]],
        ] {
            assert_eq!(ratings(&bad), Err(Unrated::BadTable));
        }
        assert!(ratings(&[]).unwrap().elo.is_empty());
        let alone = ratings(&[vec![5.0]]).unwrap();
        assert_eq!((alone.elo[0], alone.error(0)), (0.0, 0.0));
    }
}
