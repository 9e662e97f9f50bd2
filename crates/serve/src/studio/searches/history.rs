//! How a search stood from time to time, in no more than a few hundred points.

use fogtree_core::Player;
use fogtree_draw::tree::Found;
use fogtree_table::wire::MoveFindings;

/// More points are not kept.
const MOST_POINTS: usize = 200;

/// How a search stood from time to time.
#[derive(Clone, Debug)]
pub(super) struct History {
    points: Vec<Found>,
    /// Only every so many points are kept,
    every: u64,
    /// and so many have come.
    met: u64,
}

impl Default for History {
    fn default() -> History {
        History { points: Vec::new(), every: 1, met: 0 }
    }
}

impl History {
    /// Adds how a search stands, by what it is worth to a seat.
    pub(super) fn add(&mut self, iterations: u64, moves: &[MoveFindings], seat: Player) {
        self.met += 1;
        if self.points.len() >= MOST_POINTS {
            // Every other point goes; those that stay are as far apart as those that come.
            let mut number = 0;
            self.points.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.every *= 2;
        }
        if self.met.is_multiple_of(self.every) {
            self.points.push(point(iterations, moves, seat));
        }
    }

    /// Adds how the search has ended.
    pub(super) fn end(&mut self, iterations: u64, moves: &[MoveFindings], seat: Player) {
        if self.points.last().is_some_and(|last| last.iterations >= iterations) {
            self.points.pop();
        }
        self.points.push(point(iterations, moves, seat));
    }

    /// The points from the first to the last.
    pub(super) fn points(&self) -> &[Found] {
        &self.points
    }
}

fn point(iterations: u64, moves: &[MoveFindings], seat: Player) -> Found {
    let one = |found: &MoveFindings| {
        let value = found.values.as_ref().and_then(|values| values.iter().nth(seat.index()).copied());
        (found.visits, value)
    };
    Found { iterations, moves: moves.iter().map(one).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_search_has_a_few_hundred_points_from_its_beginning_to_its_end() {
        let mut history = History::default();
        for i in 1..=10_000 {
            history.add(i, &[], Player(0));
        }
        history.end(10_001, &[], Player(0));
        let at: Vec<u64> = history.points().iter().map(|p| p.iterations).collect();
        assert!((100..=MOST_POINTS + 1).contains(&at.len()), "{}", at.len());
        assert!(at.windows(2).all(|w| w[0] < w[1]), "{at:?}");
        let gaps: Vec<u64> = at.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(gaps[..gaps.len() - 1].iter().all(|gap| *gap == gaps[0]), "{gaps:?}");
        assert_eq!(at.last(), Some(&10_001));
    }
}
