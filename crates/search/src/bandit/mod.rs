//! Learners that choose among a fixed number of arms, trial by trial, from the rewards they get.
//!
//! Every tree search here is made of them: one learner per node or information set. The learners of this
//! module stand alone, to be tested against their regret bounds; searches, which pack the statistics of many
//! nodes together, use the formulas underneath: [`ucb1`], [`ucb1_tuned`], [`exp3_probabilities`],
//! [`regret_matching`] and [`greatest`].
//!
//! | learner | for | rewards |
//! |---|---|---|
//! | [`Ucb`] | arms that pay by chance; deterministic up to ties | any, the constant set to match |
//! | [`Exp3`] | an adversary that fixed its rewards beforehand | in [0, 1] |
//! | [`Exp3P`] | the same, with a bound that holds with high probability | in [0, 1] |
//! | [`RegretMatching`] | opponents that learn too: averages approach equilibria | any |
//!
//! Sources: Lisý 2014, §2.2 and §2.3 (`equilibrium/2.1`); Whitehouse 2014, §3.1 and §5.2.1 (`ismcts/3.1` to
//! `3.3`).

mod exp3;
mod exp3_p;
mod mixed;
mod regret_matching;
mod ucb;

pub use exp3::{Exp3, Exploration, exp3_gamma, exp3_probabilities, softmax};
pub use exp3_p::{Bonus, Exp3P};
pub use regret_matching::{RegretMatching, regret_matching};
pub use ucb::{Bound, Ucb, ucb1, ucb1_tuned};

use fogtree_core::Rng;

/// A learner of a fixed number of arms. Nothing is allocated after it was made.
pub trait Bandit {
    /// How many arms there are.
    fn arms(&self) -> usize {
        self.visits().len()
    }

    /// Chooses an arm.
    fn select(&mut self, rng: &mut Rng) -> usize;

    /// Chooses among the arms that are available in this trial: their numbers, at least one, each once.
    fn select_among(&mut self, available: &[usize], rng: &mut Rng) -> usize;

    /// Learns what came of the arm chosen last.
    fn update(&mut self, arm: usize, reward: f64);

    /// How often each arm was updated.
    fn visits(&self) -> &[u64];

    /// The probabilities with which the next arm will be chosen if all are available.
    fn strategy(&self, out: &mut [f64]);

    /// The average strategy: the mean of what was played where the learner mixes, otherwise how often each arm
    /// was chosen. Uniform before the first trial.
    fn average(&self, out: &mut [f64]);
}

/// Which of the arms with the greatest value is taken.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ties {
    /// The first.
    First,
    /// The last.
    Last,
    /// Any whose value is at most this far below the greatest, all equally likely. Two learners that play each
    /// other may stay in lock-step for ever if only exact ties are broken (`equilibrium/ER-9`).
    Random(f64),
}

impl Ties {
    /// Exact ties are broken at random.
    pub const EXACT: Ties = Ties::Random(0.0);
    /// What decoupled UCT needs to leave lock-step (`equilibrium/ER-9`).
    pub const LOOSE: Ties = Ties::Random(0.01);
}

/// The place of the greatest value. There must be at least one value.
#[inline]
pub fn greatest(values: &[f64], ties: Ties, rng: &mut Rng) -> usize {
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (least, random) = match ties {
        Ties::First | Ties::Last => (best, false),
        Ties::Random(tolerance) => (best - tolerance, true),
    };
    let (mut chosen, mut tied) = (0, 0);
    for (i, &value) in values.iter().enumerate() {
        if value >= least {
            tied += 1;
            if tied == 1 || ties == Ties::Last || random && rng.below(tied) == 0 {
                chosen = i;
            }
        }
    }
    chosen
}

/// Takes uniform exploration with probability `gamma` out of an average strategy (`equilibrium/2.3`, eq. 3.7).
pub fn strip_exploration(average: &mut [f64], gamma: f64) {
    let floor = gamma / average.len() as f64;
    average.iter_mut().for_each(|p| *p = (*p - floor).max(0.0));
    normalise(average);
}

/// Scales weights so that they sum to 1; uniform if all are 0.
pub(crate) fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    let uniform = 1.0 / weights.len() as f64;
    weights.iter_mut().for_each(|w| *w = if sum > 0.0 { *w / sum } else { uniform });
}

/// Mixes uniform exploration into a strategy: `(1 - gamma) p + gamma / K`.
#[inline]
fn explore(strategy: &mut [f64], gamma: f64) {
    let floor = gamma / strategy.len() as f64;
    strategy.iter_mut().for_each(|p| *p = (1.0 - gamma) * *p + floor);
}
