//! Regret matching for a learner that sees only its own reward.
//!
//! An arm is played in proportion to how much better it would have been so far, as estimated from the rewards
//! seen (Lisý 2014, Fig. 2.6; `equilibrium/2.1`). The source's equations 3.8 and 3.9 print this differently;
//! here the strategy sums to 1 (`equilibrium/ER-2`) and the reward is taken from the regret of every arm, the
//! chosen one included (`equilibrium/ER-3`).

use fogtree_core::Rng;

use super::mixed::Mixed;
use super::{Bandit, explore, normalise, strip_exploration};

/// The strategy of regret matching, exploration `gamma` included: positive regrets in proportion, or uniform if
/// there are none.
#[inline]
pub fn regret_matching(regrets: &[f64], gamma: f64, out: &mut [f64]) {
    out.iter_mut().zip(regrets).for_each(|(p, r)| *p = r.max(0.0));
    normalise(out);
    explore(out, gamma);
}

/// The regret-matching learner.
#[derive(Clone, Debug)]
pub struct RegretMatching {
    gamma: f64,
    regrets: Vec<f64>,
    mixed: Mixed,
}

impl RegretMatching {
    /// A learner of this many arms that explores with probability `gamma`.
    pub fn new(arms: usize, gamma: f64) -> RegretMatching {
        RegretMatching { gamma, regrets: vec![0.0; arms], mixed: Mixed::new(arms) }
    }

    /// The estimated regret for not having played each arm throughout.
    pub fn regrets(&self) -> &[f64] {
        &self.regrets
    }

    /// Learns what every arm would have paid beside the one chosen last, where the game is known: each regret grows
    /// by how much more its arm would have paid (Lisý 2014, eq. 2.5; `equilibrium/2.1`).
    pub fn update_known(&mut self, arm: usize, payoffs: &[f64]) {
        self.mixed.count(arm);
        let paid = payoffs[arm];
        self.regrets.iter_mut().zip(payoffs).for_each(|(regret, payoff)| *regret += payoff - paid);
    }

    /// The average strategy without its exploration.
    pub fn average_without_exploration(&self, out: &mut [f64]) {
        self.mixed.average(out);
        strip_exploration(out, self.gamma);
    }
}

impl Bandit for RegretMatching {
    fn select(&mut self, rng: &mut Rng) -> usize {
        let gamma = self.gamma;
        self.mixed.draw(&self.regrets, rng, |regrets, out| regret_matching(regrets, gamma, out))
    }

    /// The regrets of arms that are not available stay as they are.
    fn select_among(&mut self, available: &[usize], rng: &mut Rng) -> usize {
        let gamma = self.gamma;
        self.mixed
            .draw_among(available, &self.regrets, rng, |regrets, out| regret_matching(regrets, gamma, out))
    }

    fn update(&mut self, arm: usize, reward: f64) {
        let p = self.mixed.count(arm);
        self.mixed.last().for_each(|(i, _)| self.regrets[i] -= reward);
        self.regrets[arm] += reward / p;
    }

    fn visits(&self) -> &[u64] {
        &self.mixed.visits
    }

    fn strategy(&self, out: &mut [f64]) {
        regret_matching(&self.regrets, self.gamma, out);
    }

    fn average(&self, out: &mut [f64]) {
        self.mixed.average(out);
    }
}
