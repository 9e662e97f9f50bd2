//! Which move is played after a search.

use fogtree_core::{Move, Player, Rng};

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
        let most = (0..table.len()).map(|i| table.visits(i)).max().filter(|most| *most > 0);
        let weight =
            |i| most.map_or(1.0, |most| (table.visits(i) as f64 / most as f64).powf(1.0 / temperature));
        table.action(ties.weighted((0..table.len()).map(weight)))
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
