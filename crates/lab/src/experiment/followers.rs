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

use fogtree_table::wire::Settled;

use super::plan::{Cell, Plan, Unit};
use super::store::{Store, StoreError};
use super::work::Done;
use crate::row::GameRow;
use crate::until::{Scores, Until};

/// Follows the results of a match until its rule is satisfied.
struct Follower {
    until: Until,
    scores: Scores,
    /// The first game not counted yet.
    next: u64,
    early: BTreeMap<u64, (u64, Vec<f64>)>,
    settled: Option<Settled>,
}

impl Follower {
    fn new(until: Until, paired: bool) -> Follower {
        Follower { until, scores: Scores::new(paired), next: 0, early: BTreeMap::new(), settled: None }
    }

    fn add(&mut self, unit: &Unit, scores: Vec<f64>) {
        self.early.insert(unit.first, (unit.count, scores));
        while self.settled.is_none()
            && let Some((count, scores)) = self.early.remove(&self.next)
        {
            self.next += count;
            scores.into_iter().for_each(|score| self.scores.add(score));
            let settled = self.until.settled(&self.scores);
            self.settled = settled.map(|settled| Settled { games: self.next, ..settled });
        }
    }
}

/// Follows all matches of a plan that have a rule.
pub(super) struct Followers(Vec<Option<Follower>>);

impl Followers {
    /// Follows what is in the store so far.
    pub(super) fn new(plan: &Plan, store: &Store) -> Result<Followers, StoreError> {
        let follower = |cell: &Cell| Some(Follower::new(cell.until()?, cell.has_pairs()));
        let mut all = Followers(plan.cells.iter().map(follower).collect());
        for (number, follower) in all.0.iter_mut().enumerate() {
            if let Some(follower) = follower {
                store.results(number)?.into_iter().for_each(|(unit, scores)| follower.add(&unit, scores));
            }
        }
        Ok(all)
    }

    /// Takes in what came of a unit.
    pub(super) fn add(&mut self, done: &Done) {
        if let Some(Some(follower)) = self.0.get_mut(done.unit.cell) {
            let score = |game: &GameRow| {
                let own = game.seats.iter().filter(|seat| seat.entrant == 0).map(|seat| seat.score);
                own.clone().sum::<f64>() / own.count().max(1) as f64
            };
            follower.add(&done.unit, done.games.iter().map(score).collect());
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

#[cfg(test)]
mod tests {
    use super::*;

    const UNTIL: Until = Until { elo: [0.0, 50.0], alpha: 0.05, beta: 0.05 };

    #[test]
    fn units_count_in_the_order_of_their_games() {
        let unit = |first| Unit { cell: 0, first, count: 40 };
        let results = |wins: usize| [vec![1.0; wins], vec![0.0; 40 - wins]].concat();
        let mut forward = Follower::new(UNTIL, false);
        forward.add(&unit(0), results(38));
        assert_eq!(forward.settled, Some(Settled { games: 40, stronger: true }));

        let mut backward = Follower::new(UNTIL, false);
        backward.add(&unit(80), results(20));
        backward.add(&unit(40), results(38));
        assert_eq!(backward.settled, None, "the first games are missing");
        backward.add(&unit(0), results(20));
        assert_eq!(backward.settled, Some(Settled { games: 80, stronger: true }));
    }

    /// A pair whose games are in two units counts with the second.
    #[test]
    fn pairs_may_cross_units() {
        let mut follower = Follower::new(UNTIL, true);
        for first in (0..100).step_by(5) {
            follower.add(&Unit { cell: 0, first, count: 5 }, vec![1.0; 5]);
        }
        assert_eq!(follower.settled, Some(Settled { games: 50, stronger: true }));
    }
}
