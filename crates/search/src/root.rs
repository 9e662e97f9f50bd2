//! The statistics of the moves to decide between, and the choice among them.

use fogtree_core::{MoveReport, PerPlayer, Player, Rewards, Rng};

/// Visits and rewards of every move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootTable<A> {
    moves: Vec<Entry<A>>,
}

#[derive(Clone, Debug)]
struct Entry<A> {
    action: A,
    visits: u64,
    /// The sum of the weights of the worlds it was tried in.
    weight: f64,
    /// The weighted sums of the rewards.
    totals: PerPlayer<f64>,
}

impl<A: Copy + Eq> RootTable<A> {
    pub(crate) fn new(legal: &[A], players: usize) -> RootTable<A> {
        let zeros = || PerPlayer::from_fn(players, |_| 0.0);
        let entry = |&action| Entry { action, visits: 0, weight: 0.0, totals: zeros() };
        RootTable { moves: legal.iter().map(entry).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn action(&self, i: usize) -> A {
        self.moves[i].action
    }

    pub(crate) fn visits(&self, i: usize) -> u64 {
        self.moves[i].visits
    }

    /// The mean of one player's rewards after a move that was tried.
    pub(crate) fn mean(&self, i: usize, who: Player) -> f64 {
        self.moves[i].totals[who] / self.moves[i].weight
    }

    /// Counts what came of a move in a world of this weight.
    pub(crate) fn add(&mut self, i: usize, rewards: &Rewards, weight: f64) {
        let entry = &mut self.moves[i];
        entry.visits += 1;
        entry.weight += weight;
        for (p, r) in rewards.iter().enumerate() {
            entry.totals[Player(p as u8)] += weight * r;
        }
    }

    /// Adds what another table found out about the same moves.
    pub(crate) fn merge(&mut self, other: &RootTable<A>) {
        for (mine, theirs) in self.moves.iter_mut().zip(&other.moves) {
            mine.visits += theirs.visits;
            mine.weight += theirs.weight;
            for (p, total) in theirs.totals.iter().enumerate() {
                mine.totals[Player(p as u8)] += total;
            }
        }
    }

    pub(crate) fn index_of(&self, action: A) -> usize {
        self.moves.iter().position(|m| m.action == action).expect("only legal moves are tried")
    }

    /// The move with the greatest score; ties are broken at random.
    pub(crate) fn best(&self, rng: &mut Rng, score: impl Fn(usize) -> f64) -> A {
        let best = (0..self.len()).map(&score).fold(f64::NEG_INFINITY, f64::max);
        let tied: Vec<usize> = (0..self.len()).filter(|&i| score(i) >= best).collect();
        self.action(*rng.pick(&tied))
    }

    /// What was found out about each move.
    pub(crate) fn reports(&self) -> Vec<MoveReport<A>> {
        let report = |m: &Entry<A>| MoveReport {
            action: m.action,
            visits: m.visits,
            values: (m.visits > 0).then(|| m.totals.iter().map(|t| t / m.weight).collect()),
        };
        self.moves.iter().map(report).collect()
    }
}
