//! Ending the matches of an experiment that are settled.
//!
//! ```toml
//! [[cells]]
//! game = "phantom-mnk(m=4,n=4,k=4)"
//! seats = ["new", "old"]
//! games = 20000
//! until = { elo = [0.0, 20.0] }
//! ```
//!
//! is played until the rule is satisfied ([`Until`]), at most 20000 games. It is asked after every unit of work, in
//! the order of the games, and what was played beyond the unit that settles it is thrown away: the result does not
//! depend on how many threads or machines played, or on when a run was interrupted.

use std::collections::BTreeMap;

use super::plan::{Plan, Unit};
use super::store::{Store, StoreError};
use super::work::Done;
use crate::until::{Settled, Until};

/// Follows the results of a match until its rule is satisfied.
struct Follower {
    until: Until,
    results: [u64; 3],
    /// The first game not counted yet.
    next: u64,
    early: BTreeMap<u64, (u64, [u64; 3])>,
    settled: Option<Settled>,
}

impl Follower {
    fn add(&mut self, unit: &Unit, results: [u64; 3]) {
        self.early.insert(unit.first, (unit.count, results));
        while self.settled.is_none()
            && let Some((count, results)) = self.early.remove(&self.next)
        {
            self.next += count;
            self.results.iter_mut().zip(results).for_each(|(sum, n)| *sum += n);
            self.settled = self.until.settled(self.results);
        }
    }
}

/// Follows all matches of a plan that have a rule.
pub(super) struct Followers(Vec<Option<Follower>>);

impl Followers {
    /// Follows what is in the store so far.
    pub(super) fn new(plan: &Plan, store: &Store) -> Result<Followers, StoreError> {
        let follower =
            |until| Follower { until, results: [0; 3], next: 0, early: BTreeMap::new(), settled: None };
        let mut all = Followers(plan.cells.iter().map(|cell| cell.until().map(follower)).collect());
        for (number, follower) in all.0.iter_mut().enumerate() {
            if let Some(follower) = follower {
                store.results(number)?.iter().for_each(|(unit, results)| follower.add(unit, *results));
            }
        }
        Ok(all)
    }

    /// Takes in what came of a unit.
    pub(super) fn add(&mut self, done: &Done) {
        if let Some(Some(follower)) = self.0.get_mut(done.unit.cell) {
            let mut results = [0; 3];
            for seat in done.games.iter().flat_map(|game| &game.seats).filter(|seat| seat.entrant == 0) {
                results[place_of(seat.score)] += 1;
            }
            follower.add(&done.unit, results);
        }
    }

    /// What is settled in a cell.
    pub(super) fn settled(&self, cell: usize) -> Option<Settled> {
        self.0.get(cell)?.as_ref()?.settled
    }

    /// Throws away what was played beyond the games that settled a match.
    pub(super) fn cut(&self, store: &Store) -> Result<(), StoreError> {
        let settled =
            |(cell, follower): (usize, &Option<Follower>)| Some((cell, follower.as_ref()?.settled?));
        self.0.iter().enumerate().filter_map(settled).try_for_each(|(cell, s)| store.cut(cell, s.games))
    }
}

fn place_of(score: f64) -> usize {
    match score {
        1.0 => 0,
        0.5 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNTIL: Until = Until { elo: [0.0, 50.0], alpha: 0.05, beta: 0.05 };

    #[test]
    fn units_count_in_the_order_of_their_games() {
        let unit = |first| Unit { cell: 0, first, count: 40 };
        let new =
            || Follower { until: UNTIL, results: [0; 3], next: 0, early: BTreeMap::new(), settled: None };
        let (good, even) = ([38, 0, 2], [20, 0, 20]);
        let mut forward = new();
        forward.add(&unit(0), good);
        assert_eq!(forward.settled, Some(Settled { games: 40, stronger: true }));

        let mut backward = new();
        backward.add(&unit(80), even);
        backward.add(&unit(40), good);
        assert_eq!(backward.settled, None, "the first games are missing");
        backward.add(&unit(0), even);
        assert_eq!(backward.settled, Some(Settled { games: 80, stronger: true }));
    }
}
