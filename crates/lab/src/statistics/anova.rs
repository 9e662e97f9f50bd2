//! Analysis of variance: which factors a result depends on.

use std::collections::BTreeMap;

use thiserror::Error;

use super::distributions::f_above;
use super::moments::Moments;

/// Which terms a model has besides the mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terms {
    /// Every factor on its own.
    Main,
    /// Every factor on its own and every pair of factors together.
    TwoWay,
}

/// A term of a model; factors are numbered as in the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// The effect of a factor on its own.
    Main(usize),
    /// What two factors do together beyond the sum of their own effects.
    Interaction(usize, usize),
}

impl Term {
    fn contains(self, factor: usize) -> bool {
        match self {
            Term::Main(one) => one == factor,
            Term::Interaction(one, other) => one == factor || other == factor,
        }
    }

    /// Whether a model that leaves this term out must leave the other out too.
    fn within(self, other: Term) -> bool {
        match self {
            Term::Main(factor) => other.contains(factor),
            Term::Interaction(..) => self == other,
        }
    }

    /// The level of the term that a cell has.
    fn level(self, levels: &[usize]) -> (usize, usize) {
        match self {
            Term::Main(factor) => (levels[factor], 0),
            Term::Interaction(one, other) => (levels[one], levels[other]),
        }
    }
}

/// A line of the table: what one term explains.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The term.
    pub term: Term,
    /// Its sum of squares.
    pub squares: f64,
    /// Its degrees of freedom.
    pub freedom: f64,
    /// Its mean square over that of the residuals.
    pub f: f64,
    /// How likely an `f` at least as large is when the term has no effect.
    pub p: f64,
}

/// The table of an analysis of variance.
#[derive(Clone, PartialEq, Debug)]
pub struct Anova {
    /// One line per term, main effects first.
    pub effects: Vec<Effect>,
    /// The sum of squares that the full model leaves.
    pub residual_squares: f64,
    /// Its degrees of freedom.
    pub residual_freedom: f64,
}

/// Cells that do not all have a level for the same number of factors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("every cell needs one level per factor, and there must be a factor")]
pub struct UnevenFactors;

/// The one-way analysis of variance: do the means of groups differ? For two groups `f` is the square of
/// Student's t with pooled variance.
///
/// Empty groups do not count. With fewer than two groups, no more values than groups, or equal values, there
/// is no evidence: f = 0, p = 1. Groups that differ without any spread within give an infinite f and p = 0.
pub fn one_way(groups: &[Moments]) -> Effect {
    let cells: Vec<_> = groups.iter().enumerate().map(|(i, &group)| ([i], group)).collect();
    let none = Effect { term: Term::Main(0), squares: 0.0, freedom: 0.0, f: 0.0, p: 1.0 };
    anova(&cells, Terms::Main).map_or(none, |table| table.effects[0])
}

/// The analysis of variance for any number of factors, in balanced and unbalanced designs.
///
/// A cell is the level of every factor and the values found there; levels are only names, and cells with the
/// same levels are put together. Sums of squares are of type II (F. Yates, JASA 29, 1934; `Anova` of R's
/// `car`): a term's is what it explains beyond all terms that do not contain it, `SS(A) = SS(A | B)`, `SS(AB)
/// = SS(AB | A, B)`. Each is tested against the residuals of the full model: `F = (SS / freedom) / (residual
/// SS / residual freedom)`. Where empty cells make a model overdetermined, the freedom is what is left of it.
///
/// The models are fitted to the means of the cells, weighted by their counts; the spread within the cells
/// goes to the residuals. Degenerate data are dealt with as in [`one_way`]; NaN gives NaN.
pub fn anova<L: AsRef<[usize]>>(cells: &[(L, Moments)], terms: Terms) -> Result<Anova, UnevenFactors> {
    let factors = cells.first().map_or(0, |(levels, _)| levels.as_ref().len());
    if factors == 0 || cells.iter().any(|(levels, _)| levels.as_ref().len() != factors) {
        return Err(UnevenFactors);
    }
    let data = Data::new(cells);
    let mut all: Vec<Term> = (0..factors).map(Term::Main).collect();
    if terms == Terms::TwoWay {
        all.extend((0..factors).flat_map(|i| (i + 1..factors).map(move |j| Term::Interaction(i, j))));
    }
    let full = data.fit(all.iter().copied());
    let residual_freedom = data.count - full.len() as f64;
    let residual_squares = data.residual(&full);
    let effects = all.iter().map(|&term| {
        let mut basis = data.fit(all.iter().copied().filter(|&other| !term.within(other)));
        let reduced = basis.len();
        data.extend(&mut basis, term);
        let squares = data.rounded(basis[reduced..].iter().map(|axis| dot(axis, &data.values).powi(2)).sum());
        let freedom = (basis.len() - reduced) as f64;
        let f = squares / freedom / (residual_squares / residual_freedom);
        let (f, p) = match f {
            _ if squares.is_nan() || residual_squares.is_nan() => (f64::NAN, f64::NAN),
            _ if squares == 0.0 || freedom == 0.0 || residual_freedom <= 0.0 => (0.0, 1.0),
            f => (f, f_above(f, freedom, residual_freedom)),
        };
        Effect { term, squares, freedom, f, p }
    });
    Ok(Anova { effects: effects.collect(), residual_squares, residual_freedom })
}

/// The means of the cells less the mean of all, and everything scaled by the roots of the counts.
struct Data {
    levels: Vec<Vec<usize>>,
    roots: Vec<f64>,
    values: Vec<f64>,
    count: f64,
    /// Squares within the cells, and in all.
    within: f64,
    total: f64,
}

impl Data {
    fn new<L: AsRef<[usize]>>(cells: &[(L, Moments)]) -> Data {
        let mut merged = BTreeMap::<&[usize], Moments>::new();
        for (levels, values) in cells.iter().filter(|(_, values)| values.count() > 0.0) {
            merged.entry(levels.as_ref()).or_default().join(*values);
        }
        let mut all = Moments::default();
        merged.values().for_each(|&cell| all.join(cell));
        let root = |cell: &Moments| cell.count().sqrt();
        Data {
            levels: merged.keys().map(|levels| levels.to_vec()).collect(),
            roots: merged.values().map(root).collect(),
            values: merged.values().map(|cell| (cell.mean() - all.mean()) * root(cell)).collect(),
            count: all.count(),
            within: merged.values().map(Moments::squares).sum(),
            total: all.squares(),
        }
    }

    /// An orthonormal basis of what the mean and these terms can express.
    fn fit(&self, terms: impl Iterator<Item = Term>) -> Vec<Vec<f64>> {
        let mut basis = Vec::new();
        push(&mut basis, self.roots.clone());
        terms.for_each(|term| self.extend(&mut basis, term));
        basis
    }

    /// Adds what a term expresses beyond the basis: one indicator per level, redundant ones falling away.
    fn extend(&self, basis: &mut Vec<Vec<f64>>, term: Term) {
        let mut columns = BTreeMap::<(usize, usize), Vec<f64>>::new();
        for (cell, (levels, root)) in self.levels.iter().zip(&self.roots).enumerate() {
            columns.entry(term.level(levels)).or_insert_with(|| vec![0.0; self.roots.len()])[cell] = *root;
        }
        columns.into_values().for_each(|column| push(basis, column));
    }

    /// The squares that a model leaves.
    fn residual(&self, basis: &[Vec<f64>]) -> f64 {
        let mut rest = self.values.clone();
        basis.iter().for_each(|axis| remove(&mut rest, axis));
        self.rounded(self.within + dot(&rest, &rest))
    }

    /// A sum of squares, with what can only be the rounding error of 0 taken for it.
    fn rounded(&self, squares: f64) -> f64 {
        if squares < 1e-26 * self.total { 0.0 } else { squares }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Takes the part along a unit vector away.
fn remove(vector: &mut [f64], axis: &[f64]) {
    let along = dot(vector, axis);
    vector.iter_mut().zip(axis).for_each(|(x, a)| *x -= along * a);
}

/// Adds a vector to an orthonormal basis (Gram-Schmidt, twice over), unless it is already in its span.
fn push(basis: &mut Vec<Vec<f64>>, mut vector: Vec<f64>) {
    let before = dot(&vector, &vector).sqrt();
    for axis in basis.iter().chain(basis.iter()) {
        remove(&mut vector, axis);
    }
    let after = dot(&vector, &vector).sqrt();
    if after > 1e-9 * before {
        vector.iter_mut().for_each(|x| *x /= after);
        basis.push(vector);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_digits;
    use super::*;

    /// Values with the levels of three factors, unbalanced.
    const Y: [f64; 16] =
        [12.1, 11.4, 13.0, 9.8, 10.2, 14.5, 15.1, 13.7, 8.9, 9.4, 10.0, 16.2, 15.5, 11.1, 12.6, 10.9];
    const A: [usize; 16] = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2];
    const B: [usize; 16] = [0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1];
    const D: [usize; 16] = [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1];

    fn cells(factors: &[&[usize]], values: &[f64]) -> Vec<(Vec<usize>, Moments)> {
        let levels = |i: usize| factors.iter().map(|factor| factor[i]).collect();
        values.iter().enumerate().map(|(i, &y)| (levels(i), [y].into_iter().collect())).collect()
    }

    /// Checks a table against rows of sum of squares, freedom, F and p and the residual's first two.
    #[track_caller]
    fn check(found: &Anova, effects: &[[f64; 4]], [squares, freedom]: [f64; 2]) {
        assert_eq!(found.effects.len(), effects.len());
        for (effect, row) in found.effects.iter().zip(effects) {
            for (value, expected) in [effect.squares, effect.freedom, effect.f, effect.p].into_iter().zip(row)
            {
                assert_digits(value, *expected, 10);
            }
        }
        assert_digits(found.residual_squares, squares, 12);
        assert_eq!(found.residual_freedom, freedom);
    }

    /// `statsmodels.api.stats.anova_lm(ols(formula, data).fit(), typ=2)`, formula `y~C(A)+C(B)` and so on.
    #[test]
    fn unbalanced_agrees_with_statsmodels() {
        let table = |factors: &[&[usize]], terms| anova(&cells(factors, &Y), terms).unwrap();
        check(
            &table(&[&A], Terms::TwoWay),
            &[[10.054666666666602, 2.0, 0.9280088604479388, 0.42001628850104494]],
            [70.42533333333333, 13.0],
        );
        check(
            &table(&[&A, &B], Terms::Main),
            &[
                [10.941142857142873, 2.0, 1.4460934254748712, 0.2737389622326056],
                [25.029333333333465, 1.0, 6.616265750286404, 0.02444590134045262],
            ],
            [45.395999999999994, 12.0],
        );
        check(
            &table(&[&A, &B], Terms::TwoWay),
            &[
                [10.94114285714289, 2.0, 1.4486463311602382, 0.280225224467869],
                [25.029333333333234, 1.0, 6.62794597934502, 0.027677165642947237],
                [7.632666666666592, 2.0, 1.0105922852855407, 0.39834894718136055],
            ],
            [37.76333333333332, 10.0],
        );
        check(
            &table(&[&A, &B, &D], Terms::Main),
            &[
                [10.861176542464522, 2.0, 1.316806022801724, 0.3071140209849253],
                [24.84363746057865, 1.0, 6.024071390145964, 0.03199517524578588],
                [0.031329768270947446, 1.0, 0.007596824780606076, 0.9321109328531295],
            ],
            [45.364670231729036, 11.0],
        );
        check(
            &table(&[&A, &B, &D], Terms::TwoWay),
            &[
                [8.40590882021567, 2.0, 0.8647430023684184, 0.46773719366851],
                [23.58818181818114, 1.0, 4.853184968366753, 0.06981361050500032],
                [0.03666666666662418, 1.0, 0.007544036962162787, 0.9336117685757757],
                [8.462743221690529, 2.0, 0.8705897408972716, 0.4656207656584934],
                [3.866339181286525, 2.0, 0.39774280488978475, 0.6883229654160172],
                [5.0526566416040035, 1.0, 1.0395662307660563, 0.34725991049412863],
            ],
            [29.16210526315789, 6.0],
        );
    }

    /// As above, balanced: `y~C(A)*C(B)`.
    #[test]
    fn balanced_agrees_with_statsmodels() {
        let y = [4.0, 5.5, 6.0, 7.5, 8.0, 9.1, 3.2, 2.8, 6.6, 7.0, 9.9, 9.5];
        let (a, b) = ([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2]);
        check(
            &anova(&cells(&[&a, &b], &y), Terms::TwoWay).unwrap(),
            &[
                [0.10083333333332888, 1.0, 0.19547657512115452, 0.6738877965437396],
                [55.32666666666669, 2.0, 53.62843295638129, 0.00014868259510704567],
                [4.286666666666654, 2.0, 4.155088852988679, 0.07370868620978896],
            ],
            [3.0949999999999998, 6.0],
        );
    }

    /// As above on one row per game, `y` being 1 for a win: cells of wins and losses say the same.
    #[test]
    fn counted_games_agree_with_statsmodels() {
        let cell = |a, b, wins, games| ([a, b], Moments::counted([(1.0, wins), (0.0, games - wins)]));
        let games = [
            cell(0, 0, 531, 1000),
            cell(0, 1, 480, 900),
            cell(0, 2, 1203, 2000),
            cell(1, 0, 610, 1000),
            cell(1, 1, 533, 1000),
            cell(1, 2, 1300, 2000),
        ];
        check(
            &anova(&games, Terms::TwoWay).unwrap(),
            &[
                [3.90955929824573, 1.0, 16.29253499630955, 5.47902410129592e-05],
                [12.258237435896383, 2.0, 25.542234710064328, 8.767724885863218e-12],
                [1.5632433333331588, 2.0, 3.2572976610824704, 0.03854401889759808],
            ],
            [1894.2454999999948, 7894.0],
        );
    }

    /// `scipy.stats.f_oneway(...)`.
    #[test]
    fn one_way_agrees_with_scipy() {
        let groups = [&[1.5, 2.25, -0.5, 3.0][..], &[0.5, 1.0, -1.5], &[4.0, 5.0, 3.25, 6.0, 2.0]];
        let effect = one_way(&groups.map(|group| group.iter().copied().collect()));
        assert_digits(effect.f, 7.540623523854512, 13);
        assert_digits(effect.p, 0.011927128917492934, 13);
    }

    /// F of two groups is the square of Student's t, `scipy.stats.ttest_ind(first, second)`.
    #[test]
    fn two_groups_are_a_t_test() {
        let first: Moments = [1.5, 2.25, -0.5, 3.0, 0.75, 1.0, -1.25, 2.0].into_iter().collect();
        let second: Moments = [0.5, 1.0, -1.5, 0.25, 0.0, 2.5].into_iter().collect();
        let effect = one_way(&[first, second]);
        assert_digits(effect.f, 0.8560261865352807_f64.powi(2), 13);
        assert_digits(effect.p, 0.40875153182452906, 13);
        let pooled = (first.squares() + second.squares()) / 12.0 * (1.0 / 8.0 + 1.0 / 6.0);
        assert_digits(effect.f, (first.mean() - second.mean()).powi(2) / pooled, 13);
    }

    /// In a balanced design the sums of squares add up to the whole, whatever the names of the levels.
    #[test]
    fn balanced_squares_add_up() {
        let mut cells = Vec::new();
        let mut all = Moments::default();
        for i in 0..3 * 2 * 4 * 5_usize {
            let y = ((i * 37 + i * i * 11) % 101) as f64 / 7.0;
            all.add(y);
            cells.push(([i % 3 + 100, i / 3 % 2 * 9, i / 6 % 4], Moments::counted([(y, 1)])));
        }
        let table = anova(&cells, Terms::TwoWay).unwrap();
        let explained: f64 = table.effects.iter().map(|effect| effect.squares).sum();
        assert_digits(explained + table.residual_squares, all.squares(), 12);
        let freedom: f64 = table.effects.iter().map(|effect| effect.freedom).sum();
        assert_eq!(freedom + table.residual_freedom, all.count() - 1.0);
    }

    #[test]
    fn empty_cells_cost_freedom() {
        let cells = [
            ([0, 0], Moments::counted([(1.0, 3), (0.0, 2)])),
            ([0, 1], Moments::counted([(1.0, 1), (0.0, 4)])),
            ([1, 0], Moments::counted([(1.0, 2), (0.0, 2)])),
            ([1, 1], Moments::default()),
        ];
        let table = anova(&cells, Terms::TwoWay).unwrap();
        assert_eq!(table.residual_freedom, 14.0 - 3.0);
        let interaction = table.effects[2];
        assert_eq!((interaction.freedom, interaction.f, interaction.p), (0.0, 0.0, 1.0));
    }

    #[test]
    fn degenerate_data_are_defined() {
        let group = |value, count| Moments::counted([(value, count)]);
        for groups in [
            vec![],
            vec![group(1.0, 5)],
            vec![group(0.1, 5), group(0.1, 3)],
            vec![group(1.0, 1), group(2.0, 1)],
        ] {
            let effect = one_way(&groups);
            assert_eq!((effect.f, effect.p), (0.0, 1.0), "{groups:?}");
        }
        let apart = one_way(&[group(1.0, 5), group(2.0, 3)]);
        assert_eq!((apart.f, apart.p), (f64::INFINITY, 0.0));
        assert!(one_way(&[group(f64::NAN, 2), group(1.0, 3)]).p.is_nan());
        let none: [(Vec<usize>, Moments); 0] = [];
        assert_eq!(anova(&none, Terms::Main), Err(UnevenFactors));
        assert_eq!(
            anova(&[(vec![0], group(1.0, 2)), (vec![0, 1], group(1.0, 2))], Terms::Main),
            Err(UnevenFactors)
        );
        // Exactly additive without spread: both factors are certain, and there is no interaction.
        let additive: Vec<_> =
            (0..6).map(|i| ([i / 3, i % 3], group((i / 3) as f64 + 0.1 * (i % 3) as f64, 2))).collect();
        let table = anova(&additive, Terms::TwoWay).unwrap();
        assert_eq!((table.effects[0].p, table.effects[1].p, table.effects[2].p), (0.0, 0.0, 1.0));
    }
}
