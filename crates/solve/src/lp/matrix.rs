//! Matrix games: one player chooses a row and wants much, the other a column and wants little.
//!
//! `max v` such that the mixed row earns at least `v` against every column; the dual gives the mixed column
//! (equilibrium 2.7). A saddle point is looked for first. Otherwise all payoffs are made positive and the
//! column player's programme `max sum(w), M w <= 1, w >= 0` is solved by the simplex method in a condensed
//! tableau; the value is `1 / sum(w)`. What best responses gain over the solution is always looked at: where
//! it is more than rounding explains, an interior-point method is asked too and the better of the two
//! solutions taken.

use fogtree_core::Deadline;

use super::interior::Constraints;

/// The payoffs of the row player.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    columns: usize,
    entries: Vec<f64>,
}

/// Optimal mixed choices of both players.
#[derive(Clone, PartialEq, Debug)]
pub struct MatrixSolution {
    /// What the row player earns.
    pub value: f64,
    /// How likely each row is.
    pub rows: Vec<f64>,
    /// How likely each column is.
    pub columns: Vec<f64>,
    /// What best responses of both gain over the solution: how far from optimal it is at most.
    pub gap: f64,
    /// The row and the column of the saddle point, if one was found.
    pub saddle: Option<(usize, usize)>,
    /// The greatest gap that a solution may have.
    bearable: f64,
}

/// Below this a reduced cost, or the difference of two ratios, counts as 0; payoffs are scaled to between 1 and 2.
const TINY: f64 = 1e-11;
/// Below this a pivot is nothing but rounding.
const SMALLEST_PIVOT: f64 = 1e-9;
/// A gap beyond this share of the range of payoffs is more than rounding: another method is asked.
const DOUBTFUL: f64 = 1e-9;
/// A gap beyond this share of the range of payoffs makes a solution worthless.
const WORTHLESS: f64 = 1e-6;

impl Matrix {
    /// A matrix from its entries, row by row.
    ///
    /// # Panics
    /// If there is no row or no column, or the entries do not make whole rows.
    pub fn new(columns: usize, entries: Vec<f64>) -> Matrix {
        assert!(columns > 0 && !entries.is_empty() && entries.len().is_multiple_of(columns));
        Matrix { columns, entries }
    }

    /// A matrix with this entry for each row and column.
    pub fn from_fn(rows: usize, columns: usize, mut entry: impl FnMut(usize, usize) -> f64) -> Matrix {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Matrix::new(columns, all.map(|(row, column)| entry(row, column)).collect())
    }

    /// The rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> + Clone {
        self.entries.chunks_exact(self.columns)
    }

    /// A row and a column from which neither player gains by deviating alone, the first there is. Entries are
    /// often values of other matrices, so gains within their rounding do not count.
    pub fn saddle(&self) -> Option<(usize, usize)> {
        let mut most = vec![f64::NEG_INFINITY; self.columns];
        let (mut maximin, mut largest) = (f64::NEG_INFINITY, 0.0_f64);
        for row in self.rows() {
            let mut least = f64::INFINITY;
            for (&entry, most) in row.iter().zip(&mut most) {
                least = least.min(entry);
                *most = most.max(entry);
                largest = largest.max(entry.abs());
            }
            maximin = maximin.max(least);
        }
        let minimax = most.iter().copied().fold(f64::INFINITY, f64::min);
        let enough = minimax - TINY * largest;
        if maximin < enough {
            return None;
        }
        let row = self.rows().position(|row| row.iter().all(|&entry| entry >= enough))?;
        let column = most.iter().position(|&m| m == minimax)?;
        Some((row, column))
    }

    /// What the row player earns, and whether it takes mixed choices. Quicker than [`Matrix::solve`] where it does
    /// not.
    pub fn value(&self) -> Result<(f64, bool), Inexact> {
        match self.saddle() {
            Some((row, column)) => Ok((self.entries[row * self.columns + column], false)),
            None => Ok((self.mixed().exact()?.value, true)),
        }
    }

    /// What each row earns against a mixed column.
    pub fn against_columns(&self, mixed: &[f64]) -> Vec<f64> {
        self.rows().map(|row| row.iter().zip(mixed).map(|(m, p)| m * p).sum()).collect()
    }

    /// What the row player's mixed row earns against each column.
    pub fn against_rows(&self, mixed: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.columns];
        for (row, p) in self.rows().zip(mixed) {
            sums.iter_mut().zip(row).for_each(|(sum, m)| *sum += p * m);
        }
        sums
    }

    /// Optimal mixed choices.
    pub fn solve(&self) -> MatrixSolution {
        match self.saddle() {
            Some((row, column)) => {
                let pure = (pure(row, self.rows().len()), pure(column, self.columns));
                self.certified(pure, Some((row, column)))
            }
            None => self.mixed(),
        }
    }

    /// Optimal mixed choices where there is no saddle point.
    fn mixed(&self) -> MatrixSolution {
        let first = self.certified(self.simplex(), None);
        if first.gap <= DOUBTFUL * self.range() {
            return first;
        }
        let second = self.interior().map(|mixed| self.certified(mixed, None));
        second.filter(|second| second.gap < first.gap).unwrap_or(first)
    }

    fn certified(
        &self,
        (rows, columns): (Vec<f64>, Vec<f64>),
        saddle: Option<(usize, usize)>,
    ) -> MatrixSolution {
        let sure = self.against_rows(&rows).into_iter().fold(f64::INFINITY, f64::min);
        let most = self.against_columns(&columns).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let (value, gap) = ((sure + most) / 2.0, most - sure);
        // Weights that are no numbers leave both ends infinite.
        let gap = if gap.is_finite() { gap.max(0.0) } else { f64::INFINITY };
        MatrixSolution { value, rows, columns, gap, saddle, bearable: self.bearable() }
    }

    /// The least and the greatest entry.
    fn extremes(&self) -> (f64, f64) {
        let all = self.entries.iter();
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &e| (least.min(e), most.max(e)))
    }

    fn range(&self) -> f64 {
        let (least, most) = self.extremes();
        most - least
    }

    /// The greatest gap that a solution may have: a small share of the range, and the rounding of the
    /// entries.
    fn bearable(&self) -> f64 {
        let (least, most) = self.extremes();
        WORTHLESS * (most - least) + TINY * least.abs().max(most.abs())
    }

    fn simplex(&self) -> (Vec<f64>, Vec<f64>) {
        let (m, n) = (self.rows().len(), self.columns);
        let (least, most) = self.extremes();
        let scale = 1.0 / (most - least);
        let mut tableau =
            Tableau::new(m, n, |row, column| (self.entries[row * n + column] - least) * scale + 1.0);
        tableau.optimise();
        let (columns, rows) = tableau.solution();
        (cleaned(rows), cleaned(columns))
    }

    /// The row player's programme: a plan of sum 1, and a bound that no column goes below.
    fn interior(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let (m, n) = (self.rows().len(), self.columns);
        let (least, most) = self.extremes();
        let scale = 1.0 / (most - least);
        let mut constraints = Constraints::default();
        for row in 0..m {
            constraints.entry(0, row, 1.0);
            constraints.entry(1 + n + row, row, -1.0);
        }
        for column in 0..n {
            constraints.entry(1 + column, m, 1.0);
        }
        for (place, entry) in self.entries.iter().enumerate() {
            constraints.entry(1 + place % n, place / n, -(entry - least) * scale);
        }
        constraints.right = (0..=n + m).map(|row| if row == 0 { 1.0 } else { 0.0 }).collect();
        let mut objective = vec![0.0; m + 1];
        objective[m] = -1.0;
        let solution = constraints.minimise(&objective, 1, &Deadline::NEVER).ok()?;
        let (rows, columns) = (&solution.variables[..m], &solution.multipliers[1..][..n]);
        Some((cleaned(rows.to_vec()), cleaned(columns.to_vec())))
    }
}

impl MatrixSolution {
    /// This solution, unless best responses gain more than a millionth of the range of payoffs over it.
    pub fn exact(self) -> Result<MatrixSolution, Inexact> {
        if self.gap <= self.bearable { Ok(self) } else { Err(Inexact) }
    }
}

/// A matrix that no method here can solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("rounding keeps a matrix of payoffs from being solved by either linear programme; use cfr+")]
pub struct Inexact;

fn pure(choice: usize, count: usize) -> Vec<f64> {
    (0..count).map(|i| if i == choice { 1.0 } else { 0.0 }).collect()
}

fn cleaned(mut weights: Vec<f64>) -> Vec<f64> {
    weights.iter_mut().for_each(|w| *w = w.max(0.0));
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|w| *w /= sum);
    weights
}

/// The condensed simplex tableau of `max sum(w), M w <= 1, w >= 0`: a row for each basic variable, a column
/// for each other one. Variables `0..n` are the columns of the game, `n..n + m` the slacks of its rows.
struct Tableau {
    m: usize,
    n: usize,
    /// `m + 1` rows of `n + 1` numbers; the last row are reduced costs, the last column right-hand sides.
    cells: Vec<f64>,
    basic: Vec<usize>,
    free: Vec<usize>,
}

impl Tableau {
    fn new(m: usize, n: usize, entry: impl Fn(usize, usize) -> f64) -> Tableau {
        let cell = |(row, column)| match (row < m, column < n) {
            (true, true) => entry(row, column),
            (true, false) => 1.0,
            (false, true) => -1.0,
            (false, false) => 0.0,
        };
        let places = (0..=m).flat_map(|row| (0..=n).map(move |column| (row, column)));
        Tableau {
            m,
            n,
            cells: places.map(cell).collect(),
            basic: (n..n + m).collect(),
            free: (0..n).collect(),
        }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * (self.n + 1) + column]
    }

    /// Pivots until no reduced cost is negative: the most negative first, and after many pivots, in case they
    /// go in circles, by Bland's rule.
    fn optimise(&mut self) {
        let patience = 20 * (self.m + self.n);
        for pivot in 0..50 * patience {
            let improving = (0..self.n).filter(|&c| self.at(self.m, c) < -TINY);
            let entering = if pivot < patience {
                improving.min_by(|&a, &b| self.at(self.m, a).total_cmp(&self.at(self.m, b)))
            } else {
                improving.min_by_key(|&c| self.free[c])
            };
            let Some(column) = entering else { return };
            let leaving = self.leaving(column, pivot < patience);
            let Some(row) = leaving else { return };
            self.pivot(row, column);
        }
    }

    /// The row whose right-hand side limits most how far a variable can enter. Of several that limit it alike the
    /// one with the largest pivot, which rounding harms least; in Bland's rule that of the first variable.
    fn leaving(&self, column: usize, largest: bool) -> Option<usize> {
        let ratio = |row: usize| self.at(row, self.n).max(0.0) / self.at(row, column);
        let limiting = (0..self.m).filter(|&row| self.at(row, column) > SMALLEST_PIVOT);
        let least = limiting.clone().map(ratio).min_by(f64::total_cmp)?;
        let alike = limiting.filter(|&row| ratio(row) <= least + TINY);
        if largest {
            alike.max_by(|&a, &b| self.at(a, column).total_cmp(&self.at(b, column)))
        } else {
            alike.min_by_key(|&row| self.basic[row])
        }
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.n + 1;
        let inverse = 1.0 / self.at(row, column);
        let mut pivot_row: Vec<f64> =
            self.cells[row * width..][..width].iter().map(|cell| cell * inverse).collect();
        pivot_row[column] = inverse;
        for (r, cells) in self.cells.chunks_exact_mut(width).enumerate() {
            if r == row {
                cells.copy_from_slice(&pivot_row);
                continue;
            }
            let factor = cells[column];
            cells[column] = 0.0;
            cells.iter_mut().zip(&pivot_row).for_each(|(cell, p)| *cell -= factor * p);
        }
        std::mem::swap(&mut self.basic[row], &mut self.free[column]);
    }

    /// The weights of the game's columns and, as dual values, of its rows.
    fn solution(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut columns, mut rows) = (vec![0.0; self.n], vec![0.0; self.m]);
        for (row, &variable) in self.basic.iter().enumerate().filter(|(_, v)| **v < self.n) {
            columns[variable] = self.at(row, self.n);
        }
        for (column, &variable) in self.free.iter().enumerate().filter(|(_, v)| **v >= self.n) {
            rows[variable - self.n] = self.at(self.m, column);
        }
        (columns, rows)
    }
}
