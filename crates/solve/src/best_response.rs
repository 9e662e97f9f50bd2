//! Best responses, and by how much they beat a strategy: exploitability.
//!
//! Against fixed strategies of the others a player's best choice in an information set is the action whose
//! leaves and later information sets are worth most, each leaf weighted with the probability that chance and
//! the others lead there (Lisý 2014, §2.1.4; equilibrium 1.6). *NashConv* is what all players together would
//! gain if each answered best to the others: for two players with opposite interests
//! `u1(br(s2), s2) - u1(s1, br(s1))`, never negative (equilibrium ER-4). *Exploitability* is NashConv divided
//! by the number of players.

use fogtree_core::Player;

use crate::compiled::Compiled;
use crate::strategy::Profile;

/// A best response of one player.
#[derive(Clone, PartialEq, Debug)]
pub struct BestResponse {
    /// What it earns on average.
    pub value: f64,
    /// Of each information set, the sequence that ends in the chosen action; the first of several as good.
    pub choices: Vec<usize>,
}

impl BestResponse {
    /// Against the plans of the others.
    pub fn to(game: &Compiled, who: Player, plans: &[Vec<f64>]) -> BestResponse {
        let treeplex = game.treeplex(who);
        let mut values = vec![0.0; treeplex.sequences()];
        game.values_of_sequences(who, plans, &mut values);
        let mut choices = vec![0; treeplex.sets()];
        for (choice, (parent, actions)) in choices.iter_mut().zip(treeplex.iter()).rev() {
            let (first, rest) = (actions.start, actions.start + 1..actions.end);
            let best = rest.fold(first, |best, s| if values[s] > values[best] { s } else { best });
            *choice = best;
            values[parent] += values[best];
        }
        BestResponse { value: values[0], choices }
    }

    /// The plan of always making these choices.
    pub fn plan(&self, game: &Compiled, who: Player) -> Vec<f64> {
        let treeplex = game.treeplex(who);
        let mut plan = vec![0.0; treeplex.sequences()];
        plan[0] = 1.0;
        for ((parent, _), &choice) in treeplex.iter().zip(&self.choices) {
            plan[choice] = plan[parent];
        }
        plan
    }
}

/// What a best response would earn: [`BestResponse::to`] without the choices.
pub(crate) fn best_value(game: &Compiled, who: Player, plans: &[Vec<f64>], values: &mut [f64]) -> f64 {
    game.values_of_sequences(who, plans, values);
    for (parent, actions) in game.treeplex(who).iter().rev() {
        let best = values[actions].iter().fold(f64::NEG_INFINITY, |best, &v| best.max(v));
        values[parent] += best;
    }
    values[0]
}

/// How good the strategies of a profile are.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    /// What each player earns if all keep to the profile.
    pub values: Vec<f64>,
    /// What each player would earn by a best response, the others keeping to the profile.
    pub best: Vec<f64>,
}

impl Evaluation {
    /// Evaluates a profile.
    pub fn of(game: &Compiled, profile: &Profile) -> Evaluation {
        Evaluation::of_plans(game, &profile.plans(game))
    }

    /// Evaluates plans.
    pub fn of_plans(game: &Compiled, plans: &[Vec<f64>]) -> Evaluation {
        let best = |p| best_value(game, p, plans, &mut vec![0.0; game.treeplex(p).sequences()]);
        Evaluation { values: game.expected(plans), best: Player::all(game.players()).map(best).collect() }
    }

    /// What all players together would gain by best responses.
    pub fn nash_conv(&self) -> f64 {
        self.best.iter().zip(&self.values).map(|(best, value)| best - value).sum()
    }

    /// NashConv divided by the number of players.
    pub fn exploitability(&self) -> f64 {
        self.nash_conv() / self.values.len() as f64
    }
}
