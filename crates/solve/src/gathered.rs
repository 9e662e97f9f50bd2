//! Strategies gathered piece by piece, from searches that know a part of the game each.
//!
//! A search that plays holds average strategies of the information sets it has been to. Added up over many
//! searches, each with a weight, they make a strategy for the whole game, whose exploitability says how good
//! the searches are together (Lisý 2014, §4.3.1; equilibrium 6.2).

use fogtree_core::AverageStrategy;

use crate::compiled::Compiled;
use crate::strategy::Profile;

/// Weighted sums of strategies by information set.
#[derive(Clone, Debug)]
pub struct Gathered<'a> {
    game: &'a Compiled,
    /// Of each player, by sequence.
    weights: Vec<Vec<f64>>,
}

impl<'a> Gathered<'a> {
    /// Nothing so far.
    pub fn new(game: &'a Compiled) -> Gathered<'a> {
        let zeros = game.treeplexes().iter().map(|treeplex| vec![0.0; treeplex.sequences()]);
        Gathered { game, weights: zeros.collect() }
    }

    /// Adds what is done in an information set, with this weight. Information sets that the game does not
    /// have are left out: searches that lost track make some up.
    pub fn add(&mut self, habit: &AverageStrategy<'_>, weight: f64) {
        let Some(treeplex) = self.game.treeplexes().get(habit.seat.index()) else { return };
        let Some(set) = treeplex.find(habit.key) else { return };
        let sums = &mut self.weights[habit.seat.index()][treeplex.actions(set)];
        if sums.len() == habit.strategy.len() {
            sums.iter_mut().zip(habit.strategy).for_each(|(sum, p)| *sum += weight * p);
        }
    }

    /// In how many information sets something was added.
    pub fn sets(&self) -> usize {
        let known = |(treeplex, weights): (&crate::compiled::Treeplex, &Vec<f64>)| {
            treeplex.iter().filter(|(_, actions)| weights[actions.clone()].iter().any(|&w| w > 0.0)).count()
        };
        self.game.treeplexes().iter().zip(&self.weights).map(known).sum()
    }

    /// The weighted means; where nothing was added, all actions are equally likely.
    pub fn profile(&self) -> Profile {
        Profile::from_weights(self.game, &self.weights)
    }
}
