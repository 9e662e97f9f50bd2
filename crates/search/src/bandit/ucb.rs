//! Upper confidence bounds: UCB1, UCB1-Tuned, and their subset-armed forms.
//!
//! An arm's worth is its mean reward plus how much better it might be, given how rarely it was tried. Where
//! only some arms are available in each trial, an arm's bound counts the trials in which it was available, so
//! that rare arms are not tried whenever they come up (Whitehouse 2014, §5.2.1; `ismcts/3.2`). With all arms
//! always available this is UCB1 as Auer et al. (2002) give it.

use fogtree_core::Rng;

use super::{Bandit, Ties, greatest, normalise};

/// UCB1: the mean of `n` rewards that sum to `total`, plus `c sqrt(ln available / n)`, where `available` counts
/// the trials in which the arm could have been chosen. An arm never tried is worth infinitely much.
#[inline]
pub fn ucb1(total: f64, n: f64, available: f64, c: f64) -> f64 {
    if n == 0.0 { f64::INFINITY } else { total / n + c * (available.max(1.0).ln() / n).sqrt() }
}

/// UCB1-Tuned: as [`ucb1`], but the constant is an upper bound on the variance, from the sum of the squared
/// rewards. For rewards in [0, 1].
#[inline]
pub fn ucb1_tuned(total: f64, squares: f64, n: f64, available: f64) -> f64 {
    if n == 0.0 {
        return f64::INFINITY;
    }
    let mean = total / n;
    let rate = available.max(1.0).ln() / n;
    let variance = (squares / n - mean * mean).max(0.0) + (2.0 * rate).sqrt();
    mean + (rate * variance.min(0.25)).sqrt()
}

/// Which bound is used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// [`ucb1`] with this constant.
    Ucb1(f64),
    /// [`ucb1_tuned`].
    Tuned,
}

impl Bound {
    /// UCB1 with the constant for which its regret is proved, for rewards in [0, 1].
    pub const AUER: Bound = Bound::Ucb1(std::f64::consts::SQRT_2);
}

/// The learner that takes the arm with the greatest upper confidence bound.
#[derive(Clone, Debug)]
pub struct Ucb {
    bound: Bound,
    ties: Ties,
    visits: Vec<u64>,
    available: Vec<u64>,
    totals: Vec<f64>,
    squares: Vec<f64>,
    bounds: Vec<f64>,
}

impl Ucb {
    /// A learner of this many arms.
    pub fn new(arms: usize, bound: Bound, ties: Ties) -> Ucb {
        Ucb {
            bound,
            ties,
            visits: vec![0; arms],
            available: vec![0; arms],
            totals: vec![0.0; arms],
            squares: vec![0.0; arms],
            bounds: Vec::with_capacity(arms),
        }
    }

    /// In how many trials each arm was available.
    pub fn available(&self) -> &[u64] {
        &self.available
    }

    fn bound_of(&self, arm: usize) -> f64 {
        let (n, available) = (self.visits[arm] as f64, self.available[arm] as f64);
        match self.bound {
            Bound::Ucb1(c) => ucb1(self.totals[arm], n, available, c),
            Bound::Tuned => ucb1_tuned(self.totals[arm], self.squares[arm], n, available),
        }
    }

    fn choose(&mut self, arms: impl Iterator<Item = usize>, rng: &mut Rng) -> usize {
        let mut bounds = std::mem::take(&mut self.bounds);
        bounds.clear();
        for arm in arms {
            bounds.push(self.bound_of(arm));
            self.available[arm] += 1;
        }
        let place = greatest(&bounds, self.ties, rng);
        self.bounds = bounds;
        place
    }
}

impl Bandit for Ucb {
    fn select(&mut self, rng: &mut Rng) -> usize {
        self.choose(0..self.visits.len(), rng)
    }

    fn select_among(&mut self, available: &[usize], rng: &mut Rng) -> usize {
        available[self.choose(available.iter().copied(), rng)]
    }

    fn update(&mut self, arm: usize, reward: f64) {
        self.visits[arm] += 1;
        self.totals[arm] += reward;
        self.squares[arm] += reward * reward;
    }

    fn visits(&self) -> &[u64] {
        &self.visits
    }

    fn strategy(&self, out: &mut [f64]) {
        for (arm, p) in out.iter_mut().enumerate() {
            *p = self.bound_of(arm);
        }
        let best = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        match self.ties {
            Ties::Random(tolerance) => {
                out.iter_mut().for_each(|p| *p = f64::from(u8::from(*p >= best - tolerance)));
                normalise(out);
            }
            Ties::First | Ties::Last => {
                let is_best = |p: &f64| *p >= best;
                let first = self.ties == Ties::First;
                let chosen = if first { out.iter().position(is_best) } else { out.iter().rposition(is_best) };
                out.fill(0.0);
                out[chosen.unwrap_or(0)] = 1.0;
            }
        }
    }

    fn average(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.visits).for_each(|(p, &n)| *p = n as f64);
        normalise(out);
    }
}
