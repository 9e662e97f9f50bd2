//! Exp3.P: EXP3 with a bonus for uncertainty, whose regret is small with high probability and not only on average.
//!
//! Lisý 2014, Fig. 2.5 (`equilibrium/2.1`); Bubeck and Cesa-Bianchi 2012, §3.2.

use fogtree_core::Rng;

use super::mixed::Mixed;
use super::{Bandit, explore, softmax};

/// Which arms get the bonus after a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bonus {
    /// Every arm, as in the literature, where the bound is proved.
    All,
    /// The played arm, as Lisý's figure has it.
    Played,
}

/// The Exp3.P learner, for rewards in [0, 1].
#[derive(Clone, Debug)]
pub struct Exp3P {
    gamma: f64,
    rate: f64,
    bonus: f64,
    to: Bonus,
    sums: Vec<f64>,
    mixed: Mixed,
}

impl Exp3P {
    /// A learner of this many arms whose regret after `trials` trials is below
    /// `5.15 sqrt(trials K ln(K / risk))` with probability `1 - risk`.
    pub fn new(arms: usize, trials: u64, risk: f64, to: Bonus) -> Exp3P {
        let (k, n) = (arms as f64, trials.max(1) as f64);
        Exp3P {
            gamma: (1.05 * (k * k.ln() / n).sqrt()).min(1.0),
            rate: 0.95 * (k.ln() / (n * k)).sqrt(),
            bonus: ((k / risk).ln() / (n * k)).sqrt(),
            to,
            sums: vec![0.0; arms],
            mixed: Mixed::new(arms),
        }
    }
}

fn probabilities(sums: &[f64], rate: f64, gamma: f64, out: &mut [f64]) {
    softmax(sums, rate, out);
    explore(out, gamma);
}

impl Bandit for Exp3P {
    fn select(&mut self, rng: &mut Rng) -> usize {
        let (rate, gamma) = (self.rate, self.gamma);
        self.mixed.draw(&self.sums, rng, |sums, out| probabilities(sums, rate, gamma, out))
    }

    fn select_among(&mut self, available: &[usize], rng: &mut Rng) -> usize {
        let (rate, gamma) = (self.rate, self.gamma);
        self.mixed.draw_among(available, &self.sums, rng, |sums, out| probabilities(sums, rate, gamma, out))
    }

    fn update(&mut self, arm: usize, reward: f64) {
        let p = self.mixed.count(arm);
        self.sums[arm] += reward / p;
        match self.to {
            Bonus::Played => self.sums[arm] += self.bonus / p,
            Bonus::All => self.mixed.last().for_each(|(i, p)| self.sums[i] += self.bonus / p),
        }
    }

    fn visits(&self) -> &[u64] {
        &self.mixed.visits
    }

    fn strategy(&self, out: &mut [f64]) {
        probabilities(&self.sums, self.rate, self.gamma, out);
    }

    fn average(&self, out: &mut [f64]) {
        self.mixed.average(out);
    }
}
