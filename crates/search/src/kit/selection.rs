//! The arithmetic of selection, made cheap.

use fogtree_core::Rng;

/// `sqrt(ln n)`, as bounds need it.
#[inline]
pub(crate) fn sqrt_ln(n: u32) -> f32 {
    (n.max(1) as f32).ln().sqrt()
}

/// A table of `sqrt(ln n)` for small n.
#[derive(Clone, Debug)]
pub(crate) struct Roots(Box<[f32]>);

const TABLE: u32 = 16_384;

impl Default for Roots {
    fn default() -> Self {
        Roots((0..TABLE).map(sqrt_ln).collect())
    }
}

impl Roots {
    #[inline]
    pub(crate) fn of(&self, n: u32) -> f32 {
        match self.0.get(n as usize) {
            Some(&root) => root,
            None => Roots::beyond(n),
        }
    }

    /// Kept out of the way of the loops over edges that ask for roots.
    #[cold]
    fn beyond(n: u32) -> f32 {
        sqrt_ln(n)
    }
}

/// The greatest bound so far; ties are broken at random.
pub(crate) struct Best<F = f32> {
    pub(crate) place: u32,
    pub(crate) bound: F,
    tied: u32,
}

impl<F: From<f32>> Default for Best<F> {
    fn default() -> Self {
        Best { place: 0, bound: f32::NEG_INFINITY.into(), tied: 0 }
    }
}

impl<F: PartialOrd> Best<F> {
    #[inline]
    pub(crate) fn offer(&mut self, place: u32, bound: F, ties: &mut Rng) {
        if bound > self.bound {
            *self = Best { place, bound, tied: 1 };
        } else if bound == self.bound {
            self.tied += 1;
            if ties.below(self.tied) == 0 {
                self.place = place;
            }
        }
    }
}

/// The place of the item with the greatest bound; ties are broken at random, as [`Best`] does it. Random numbers are out of
/// the way of the loop: only if there was a tie does it begin anew with them.
#[inline(always)]
pub(crate) fn greatest<T>(items: &[T], bound: impl Fn(&T) -> f32, ties: &mut Rng) -> u32 {
    let (mut place, mut best, mut tied) = (0, f32::NEG_INFINITY, false);
    for (i, item) in items.iter().enumerate() {
        let bound = bound(item);
        tied |= bound == best;
        if bound > best {
            (place, best) = (i as u32, bound);
        }
    }
    if tied { greatest_of_tied(items, bound, ties) } else { place }
}

#[inline(never)]
fn greatest_of_tied<T>(items: &[T], bound: impl Fn(&T) -> f32, ties: &mut Rng) -> u32 {
    let mut best = Best::default();
    for (i, item) in items.iter().enumerate() {
        best.offer(i as u32, bound(item), ties);
    }
    best.place
}

/// EXP3 over packed moves (Auer and others 1995; Whitehouse 2014, eqs. 3.2 to 3.4; `ismcts/3.3`).
#[derive(Clone, Debug, Default)]
pub(crate) struct Exp3 {
    arms: Vec<(u32, f64)>,
    weights: Vec<f64>,
}

impl Exp3 {
    /// Draws one of the arms, given by place and sum of rewards over probabilities, after this many trials.
    /// Also returns its probability.
    pub(crate) fn choose(
        &mut self,
        arms: impl Iterator<Item = (u32, f64)>,
        trials: u32,
        rng: &mut Rng,
    ) -> (u32, f32) {
        self.arms.clear();
        self.arms.extend(arms);
        let k = self.arms.len() as f64;
        let gamma = (k * k.ln() / ((std::f64::consts::E - 1.0) * f64::from(trials.max(1)))).sqrt().min(1.0);
        let greatest = self.arms.iter().map(|a| a.1).fold(f64::NEG_INFINITY, f64::max);
        self.weights.clear();
        self.weights.extend(self.arms.iter().map(|a| ((a.1 - greatest) * gamma / k).exp()));
        let total: f64 = self.weights.iter().sum();
        for w in &mut self.weights {
            *w = gamma / k + (1.0 - gamma) * *w / total;
        }
        let i = rng.weighted(self.weights.iter().copied());
        (self.arms[i].0, self.weights[i] as f32)
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    #[test]
    fn the_table_agrees_with_the_formula() {
        let roots = Roots::default();
        for n in [1, 2, 100, 16_383, 16_384, 1_000_000] {
            assert!((roots.of(n) - (f64::from(n)).ln().sqrt() as f32).abs() < 1e-6, "{n}");
        }
    }

    /// One arm is certain; with sums far apart the better one gets all but the exploration.
    #[test]
    fn exp3_explores_and_exploits() {
        let (mut exp3, mut rng) = (Exp3::default(), Seed(1).stream(Purpose::Ties));
        assert_eq!(exp3.choose([(4, 3.0)].into_iter(), 9, &mut rng), (4, 1.0));
        let counts =
            (0..2000).filter(|_| exp3.choose([(0, 0.0), (1, 1e6)].into_iter(), 10_000, &mut rng).0 == 1);
        let gamma = (2.0 * 2f64.ln() / ((std::f64::consts::E - 1.0) * 10_000.0)).sqrt();
        let share = counts.count() as f64 / 2000.0;
        assert!((share - (1.0 - gamma / 2.0)).abs() < 0.01, "{share}");
    }
}
