//! Which move is played after a search.

use fogtree_core::{Mixed, Move, Player, Rng};

use super::root::RootTable;

/// Which move is played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Final {
    /// The most visited.
    #[default]
    Visits,
    /// That with the best mean.
    Mean,
    /// Any, with a probability in proportion to `visits^(1/t)` for this temperature `t` above 0. A search tries what
    /// looks nearly as good nearly as often, and what is hopeless hardly ever: so a player becomes weaker by mistakes
    /// that one could make, and less predictable (`icarus/4.2.14`).
    Soft(f64),
}

impl Final {
    /// The move to play of a player; ties are broken at random.
    pub(crate) fn of(self, table: &RootTable, who: Player, ties: &mut Rng) -> Move {
        let Final::Soft(temperature) = self else { return table.best(ties, |i| self.score(table, i, who)) };
        table.action(ties.weighted((0..table.len()).map(|i| weight(table, i, temperature))))
    }

    /// The probabilities with which moves are drawn, if they are.
    pub(crate) fn mixed(self, table: &RootTable) -> Option<Mixed> {
        let Final::Soft(temperature) = self else { return None };
        let mut odds: Vec<f64> = (0..table.len()).map(|i| weight(table, i, temperature)).collect();
        let sum: f64 = odds.iter().sum();
        odds.iter_mut().for_each(|odds| *odds /= sum);
        Some(Mixed::Found(odds))
    }

    /// How much speaks for a move.
    pub(crate) fn score(self, table: &RootTable, i: usize, who: Player) -> f64 {
        match (self, table.visits(i)) {
            (Final::Visits | Final::Soft(_), visits) => visits as f64,
            (Final::Mean, 0) => f64::NEG_INFINITY,
            (Final::Mean, _) => table.mean(i, who),
        }
    }
}

/// How likely a move is to be drawn at a temperature, against the others.
fn weight(table: &RootTable, i: usize, temperature: f64) -> f64 {
    let most = (0..table.len()).map(|i| table.visits(i)).max().filter(|most| *most > 0);
    most.map_or(1.0, |most| (table.visits(i) as f64 / most as f64).powf(1.0 / temperature))
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Rewards, Seed};

    use super::*;

    /// Of 9, 4 and 1 visits the weights are as the visits at a temperature of 1, as their roots at 2 and as their
    /// squares at 1/2; what was never tried is never played.
    #[test]
    fn soft_choices_follow_the_visits() {
        let mut table = RootTable::new(&[0, 1, 2, 3], 1);
        for (place, visits) in [9, 4, 0, 1].into_iter().enumerate() {
            (0..visits).for_each(|_| table.add(place, &Rewards::from_fn(1, |_| 0.5), 1.0));
        }
        let mut ties = Seed(5).stream(Purpose::Ties);
        for (temperature, weights) in
            [(1.0, [9.0, 4.0, 0.0, 1.0]), (2.0, [3.0, 2.0, 0.0, 1.0]), (0.5, [81.0, 16.0, 0.0, 1.0])]
        {
            let mut played = [0; 4];
            for _ in 0..10_000 {
                played[Final::Soft(temperature).of(&table, Player(0), &mut ties) as usize] += 1;
            }
            let sum: f64 = weights.iter().sum();
            for (played, weight) in played.into_iter().zip(weights) {
                let expected = 10_000.0 * weight / sum;
                assert!(
                    (f64::from(played) - expected).abs() <= 200.0_f64.min(expected),
                    "{played} for {expected}"
                );
            }
        }
        let untried = RootTable::new(&[0, 1], 1);
        let played: Vec<Move> =
            (0..50).map(|_| Final::Soft(1.0).of(&untried, Player(0), &mut ties)).collect();
        assert!(played.contains(&0) && played.contains(&1));
    }
}
