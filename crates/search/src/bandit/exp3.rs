//! EXP3: exponential weights with uniform exploration.
//!
//! An arm's probability grows exponentially with the sum of its rewards, each divided by the probability with
//! which it was drawn (Auer et al. 2002; Lisý 2014, Fig. 2.4, `equilibrium/2.1`; `ismcts/3.3`). The sums are
//! shifted by the greatest before they are exponentiated: this gives the numbers of the sources' pairwise form
//! with K exponentials instead of K (K - 1), and nothing overflows.

use std::f64::consts::E;

use fogtree_core::Rng;

use super::mixed::Mixed;
use super::{Bandit, explore, strip_exploration};

/// `out[i] = exp(rate * values[i]) / sum of all`.
#[inline]
pub fn softmax(values: &[f64], rate: f64, out: &mut [f64]) {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (p, value) in out.iter_mut().zip(values) {
        *p = (rate * (value - greatest)).exp();
        sum += *p;
    }
    out.iter_mut().for_each(|p| *p /= sum);
}

/// The exploration for which the bound on the regret of `n` trials is least: `min(1, sqrt(K ln K / ((e-1) n)))`.
#[inline]
pub fn exp3_gamma(arms: usize, n: u64) -> f64 {
    let k = arms as f64;
    let gamma = (k * k.ln() / ((E - 1.0) * n.max(1) as f64)).sqrt();
    gamma.min(1.0)
}

/// The strategy of EXP3, exploration `gamma` included, from the weighted sums of rewards.
#[inline]
pub fn exp3_probabilities(sums: &[f64], gamma: f64, out: &mut [f64]) {
    softmax(sums, gamma / sums.len() as f64, out);
    explore(out, gamma);
}

/// How much EXP3 explores.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Exploration {
    /// Always this much.
    Fixed(f64),
    /// As [`exp3_gamma`] says for the trials made so far: everything at first.
    Running,
}

/// The EXP3 learner, for rewards in [0, 1].
#[derive(Clone, Debug)]
pub struct Exp3 {
    exploration: Exploration,
    sums: Vec<f64>,
    trials: u64,
    /// The sum of the exploration of all trials.
    explored: f64,
    mixed: Mixed,
}

impl Exp3 {
    /// A learner of this many arms.
    pub fn new(arms: usize, exploration: Exploration) -> Exp3 {
        Exp3 { exploration, sums: vec![0.0; arms], trials: 0, explored: 0.0, mixed: Mixed::new(arms) }
    }

    /// The sums of rewards, each divided by the probability of its arm.
    pub fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// The average strategy without its exploration, which changes the expected reward by at most that
    /// exploration.
    pub fn average_without_exploration(&self, out: &mut [f64]) {
        self.mixed.average(out);
        strip_exploration(out, self.explored / self.trials.max(1) as f64);
    }

    fn gamma(&self, arms: usize) -> f64 {
        match self.exploration {
            Exploration::Fixed(gamma) => gamma,
            Exploration::Running => exp3_gamma(arms, self.trials),
        }
    }

    fn begin(&mut self, arms: usize) -> f64 {
        let gamma = self.gamma(arms);
        self.trials += 1;
        self.explored += gamma;
        gamma
    }
}

impl Bandit for Exp3 {
    fn select(&mut self, rng: &mut Rng) -> usize {
        let gamma = self.begin(self.sums.len());
        self.mixed.draw(&self.sums, rng, |sums, out| exp3_probabilities(sums, gamma, out))
    }

    fn select_among(&mut self, available: &[usize], rng: &mut Rng) -> usize {
        let gamma = self.begin(available.len());
        self.mixed.draw_among(available, &self.sums, rng, |sums, out| exp3_probabilities(sums, gamma, out))
    }

    fn update(&mut self, arm: usize, reward: f64) {
        self.sums[arm] += reward / self.mixed.count(arm);
    }

    fn visits(&self) -> &[u64] {
        &self.mixed.visits
    }

    fn strategy(&self, out: &mut [f64]) {
        exp3_probabilities(&self.sums, self.gamma(self.sums.len()), out);
    }

    fn average(&self, out: &mut [f64]) {
        self.mixed.average(out);
    }
}
