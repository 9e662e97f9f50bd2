//! Counterfactual regret minimisation over a whole game (Zinkevich and others 2007; Lisý 2014, §2.5).
//!
//! In every information set `I` of player `i` the regret of an action is what the player would have gained
//! by always choosing it there: `r(I,a) = v(I,a) - v(I)`, with counterfactual values weighted by the
//! probability that chance and the others lead there. Regret matching then plays in proportion to the positive
//! parts of the summed regrets, and the average of the strategies so played approaches an equilibrium in
//! two-player games of opposite interests.
//!
//! [`Cfr`] works on the sequence form: the values of all leaves by one sparse matrix-vector product, then one
//! sweep from the last information set to the first for values and regrets, and one back for the new plan.
//! Regrets count only after the whole sweep (equilibrium 2.2). With alternating updates an iteration updates
//! every player in turn, each against the newest strategies of the others, as in OpenSpiel, with which the
//! average strategies of `cfr` and `cfr+` agree to the last digits.

use fogtree_core::Player;

use crate::checkpoint::Memory;
use crate::compiled::{Compiled, Treeplex};
use crate::iterative::Iterative;
use crate::strategy::Profile;

mod fictitious;
mod sampling;
#[cfg(test)]
mod tests;

pub use fictitious::FictitiousPlay;
pub use sampling::{Sampling, SamplingCfr};

/// Which regrets are summed how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Variant {
    /// Plain sums, plain average (Zinkevich and others 2007).
    Vanilla,
    /// Sums are kept from falling below 0; iteration `t` counts `t` times in the average (Tammelin 2014).
    Plus,
    /// Iteration `t` counts `t` times, in the regrets and in the average (Brown and Sandholm 2019).
    Linear,
    /// After iteration `t` positive sums are multiplied by `t^alpha / (t^alpha + 1)`, negative ones by
    /// `t^beta / (t^beta + 1)`, and iteration `t` counts `t^gamma` times in the average (Brown and Sandholm
    /// 2019).
    Discounted {
        /// For positive regrets, 1.5 by default.
        alpha: f64,
        /// For negative regrets, 0 by default.
        beta: f64,
        /// For the average, 2 by default.
        gamma: f64,
    },
    /// As `Plus`, but regret matching adds the latest regrets once more, as a prediction of the next ones, and
    /// iteration `t` counts `t^2` times in the average (Farina, Kroer and Sandholm 2021).
    PredictivePlus,
}

impl Variant {
    /// Discounted CFR with the published parameters.
    pub const DCFR: Variant = Variant::Discounted { alpha: 1.5, beta: 0.0, gamma: 2.0 };

    /// How often iteration `t` counts in the average.
    fn weight(self, t: f64) -> f64 {
        match self {
            Variant::Vanilla => 1.0,
            Variant::Plus | Variant::Linear => t,
            Variant::Discounted { gamma, .. } => t.powf(gamma),
            Variant::PredictivePlus => t * t,
        }
    }
}

/// When the players' strategies change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Updates {
    /// One after another, each against the newest strategies of the others.
    #[default]
    Alternating,
    /// All at once, against the strategies of the iteration before.
    Simultaneous,
}

/// Counterfactual regret minimisation on a compiled game.
#[derive(Clone, Debug)]
pub struct Cfr<'a> {
    game: &'a Compiled,
    variant: Variant,
    updates: Updates,
    iterations: u64,
    tables: Vec<Tables>,
    /// Every player's current plan.
    plans: Vec<Vec<f64>>,
}

/// What is kept of one player, by sequence.
#[derive(Clone, Debug)]
struct Tables {
    regrets: Vec<f64>,
    strategy: Vec<f64>,
    /// The sum of the plans so far.
    average: Vec<f64>,
    values: Vec<f64>,
}

impl<'a> Cfr<'a> {
    /// Before the first iteration: everybody plays uniformly at random.
    pub fn new(game: &'a Compiled, variant: Variant, updates: Updates) -> Cfr<'a> {
        let uniform = Profile::uniform(game);
        let tables = |who: Player| {
            let zeros = vec![0.0; game.treeplex(who).sequences()];
            let strategy = uniform.of(who).to_vec();
            Tables { regrets: zeros.clone(), strategy, average: zeros.clone(), values: zeros }
        };
        let tables = Player::all(game.players()).map(tables).collect();
        Cfr { game, variant, updates, iterations: 0, tables, plans: uniform.plans(game) }
    }

    /// The values of a player's leaves under the current plans of the others.
    fn look(&mut self, who: Player) {
        self.game.values_of_sequences(who, &self.plans, &mut self.tables[who.index()].values);
    }

    fn learn(&mut self, who: Player, t: f64) {
        let treeplex = self.game.treeplex(who);
        let tables = &mut self.tables[who.index()];
        let plan = &mut self.plans[who.index()];
        let weight = self.variant.weight(t);
        for (sum, reach) in tables.average.iter_mut().zip(plan.iter()) {
            *sum += weight * reach;
        }
        match self.variant {
            Variant::Vanilla => tables.sweep(treeplex, |sum, regret| {
                *sum += regret;
                *sum
            }),
            Variant::Linear => tables.sweep(treeplex, |sum, regret| {
                *sum += t * regret;
                *sum
            }),
            Variant::Plus => tables.sweep(treeplex, |sum, regret| {
                *sum = (*sum + regret).max(0.0);
                *sum
            }),
            Variant::Discounted { alpha, beta, .. } => {
                let share = |exponent: f64| {
                    let power = t.powf(exponent);
                    power / (power + 1.0)
                };
                let (gains, losses) = (share(alpha), share(beta));
                tables.sweep(treeplex, |sum, regret| {
                    let new = *sum + regret;
                    *sum = new * if new > 0.0 { gains } else { losses };
                    *sum
                });
            }
            Variant::PredictivePlus => tables.sweep(treeplex, |sum, regret| {
                *sum = (*sum + regret).max(0.0);
                *sum + regret
            }),
        }
        treeplex.plan_of(&tables.strategy, plan);
    }

    /// What would be played in the next iteration.
    pub fn current(&self) -> Profile {
        let strategies: Vec<Vec<f64>> = self.tables.iter().map(|t| t.strategy.clone()).collect();
        Profile::from_weights(self.game, &strategies)
    }

    /// The summed regrets of a player by sequence, discounted as the variant does.
    pub fn regrets(&self, who: Player) -> &[f64] {
        &self.tables[who.index()].regrets
    }
}

impl Iterative for Cfr<'_> {
    fn iterate(&mut self) {
        self.iterations += 1;
        let t = self.iterations as f64;
        let players = Player::all(self.game.players());
        match self.updates {
            Updates::Alternating => {
                for who in players {
                    self.look(who);
                    self.learn(who, t);
                }
            }
            Updates::Simultaneous => {
                players.clone().for_each(|who| self.look(who));
                players.for_each(|who| self.learn(who, t));
            }
        }
    }

    fn iterations(&self) -> u64 {
        self.iterations
    }

    fn average(&self) -> Profile {
        let sums: Vec<Vec<f64>> = self.tables.iter().map(|t| t.average.clone()).collect();
        Profile::from_weights(self.game, &sums)
    }

    fn memory(&self) -> Memory {
        let tables = self.tables.iter().flat_map(|t| [&t.regrets, &t.strategy, &t.average]);
        Memory { iterations: self.iterations, rng: None, tables: tables.cloned().collect() }
    }

    fn restore(&mut self, memory: Memory) {
        self.iterations = memory.iterations;
        let mut saved = memory.tables.into_iter();
        for (who, tables) in self.tables.iter_mut().enumerate() {
            for table in [&mut tables.regrets, &mut tables.strategy, &mut tables.average] {
                *table = saved.next().expect("a memory holds all tables");
            }
            self.game.treeplexes()[who].plan_of(&tables.strategy, &mut self.plans[who]);
        }
    }
}

impl Tables {
    /// Goes from the last information set to the first: turns the values of leaves into values of actions,
    /// hands each regret to `learn`, which changes the sum and returns what to match, and matches.
    #[inline]
    fn sweep(&mut self, treeplex: &Treeplex, learn: impl Fn(&mut f64, f64) -> f64) {
        for (parent, actions) in treeplex.iter().rev() {
            let (before, here) = self.values.split_at_mut(actions.start);
            let values = &here[..actions.len()];
            let strategy = &mut self.strategy[actions.clone()];
            let regrets = &mut self.regrets[actions];
            let value: f64 = strategy.iter().zip(values).map(|(p, v)| p * v).sum();
            before[parent] += value;
            let mut sum = 0.0;
            for ((p, regret), v) in strategy.iter_mut().zip(regrets).zip(values) {
                *p = learn(regret, v - value).max(0.0);
                sum += *p;
            }
            match_regrets(strategy, sum);
        }
    }
}

/// Turns positive parts of regrets, whose sum is given, into probabilities; equal ones if there are none.
#[inline]
fn match_regrets(strategy: &mut [f64], sum: f64) {
    if sum > 0.0 {
        let scale = 1.0 / sum;
        strategy.iter_mut().for_each(|p| *p *= scale);
    } else {
        let share = 1.0 / strategy.len() as f64;
        strategy.fill(share);
    }
}
