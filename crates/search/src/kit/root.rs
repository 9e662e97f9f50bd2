//! The statistics of the moves to decide between, and the choice among them.

use fogtree_core::explain::MoveProgress;
use fogtree_core::{Move, MoveReport, PerPlayer, Player, Progress, Rewards, Rng};

/// 95 % of a normal distribution lie within so many standard deviations of its mean.
pub(crate) const Z95: f64 = 1.96;

/// Visits and rewards of every move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootTable {
    moves: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    action: Move,
    visits: u64,
    /// The sum of the weights of the worlds it was tried in.
    weight: f64,
    /// The sum of the squares of these weights.
    weight_squares: f64,
    /// The weighted sums of the rewards, and of their squares.
    totals: PerPlayer<f64>,
    squares: PerPlayer<f64>,
}

impl RootTable {
    pub(crate) fn new(legal: &[Move], players: usize) -> RootTable {
        let zeros = || PerPlayer::from_fn(players, |_| 0.0);
        let entry = |&action| Entry {
            action,
            visits: 0,
            weight: 0.0,
            weight_squares: 0.0,
            totals: zeros(),
            squares: zeros(),
        };
        RootTable { moves: legal.iter().map(entry).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn action(&self, i: usize) -> Move {
        self.moves[i].action
    }

    pub(crate) fn visits(&self, i: usize) -> u64 {
        self.moves[i].visits
    }

    /// The mean of one player's rewards after a move that was tried.
    pub(crate) fn mean(&self, i: usize, who: Player) -> f64 {
        self.moves[i].totals[who] / self.moves[i].weight
    }

    /// The standard deviation of one player's rewards after a move that was tried.
    pub(crate) fn deviation(&self, i: usize, who: Player) -> f64 {
        let mean = self.mean(i, who);
        (self.moves[i].squares[who] / self.moves[i].weight - mean * mean).max(0.0).sqrt()
    }

    /// Counts what came of a move in a world of this weight.
    #[inline]
    pub(crate) fn add(&mut self, i: usize, rewards: &Rewards, weight: f64) {
        let entry = &mut self.moves[i];
        entry.visits += 1;
        entry.weight += weight;
        entry.weight_squares += weight * weight;
        for ((r, total), square) in rewards.iter().zip(entry.totals.iter_mut()).zip(entry.squares.iter_mut())
        {
            let weighted = weight * r;
            *total += weighted;
            *square += weighted * r;
        }
    }

    /// Adds what another table found out about the same moves.
    pub(crate) fn merge(&mut self, other: &RootTable) {
        for (mine, theirs) in self.moves.iter_mut().zip(&other.moves) {
            mine.visits += theirs.visits;
            mine.weight += theirs.weight;
            mine.weight_squares += theirs.weight_squares;
            for p in Player::all(theirs.totals.len()) {
                mine.totals[p] += theirs.totals[p];
                mine.squares[p] += theirs.squares[p];
            }
        }
    }

    pub(crate) fn index_of(&self, action: Move) -> usize {
        self.moves.iter().position(|m| m.action == action).expect("only legal moves are tried")
    }

    /// The move with the greatest score; ties are broken at random.
    pub(crate) fn best(&self, rng: &mut Rng, score: impl Fn(usize) -> f64) -> Move {
        let best = (0..self.len()).map(&score).fold(f64::NEG_INFINITY, f64::max);
        let tied: Vec<usize> = (0..self.len()).filter(|&i| score(i) >= best).collect();
        self.action(*rng.pick(&tied))
    }

    /// What was found out about each move.
    pub(crate) fn reports(&self) -> Vec<MoveReport> {
        let report =
            |m: &Entry| MoveReport { margins: m.margins(), ..MoveReport::of(m.action, m.visits, m.means()) };
        self.moves.iter().map(report).collect()
    }

    /// The same where the searcher could choose any of the moves whenever it decided here.
    pub(crate) fn reports_of_worlds(&self) -> Vec<MoveReport> {
        let decisions = self.moves.iter().map(|m| m.visits).sum();
        let report = |m| MoveReport { availability: Some(decisions), ..m };
        self.reports().into_iter().map(report).collect()
    }

    /// How each move stands while the search runs.
    pub(crate) fn progress(&self, nodes: u64, depth: usize) -> Progress {
        let of = |m: &Entry| MoveProgress { visits: m.visits, values: m.means() };
        let moves = self.moves.iter().map(of).collect();
        Progress { moves, nodes, depth: depth as u32, ..Progress::default() }
    }
}

impl Entry {
    fn means(&self) -> Option<PerPlayer<f64>> {
        (self.weight > 0.0).then(|| self.totals.iter().map(|t| t / self.weight).collect())
    }

    /// Half the width of the 95 % confidence interval of each mean. With unequal weights `n` is the number of
    /// equally weighted rewards that would be worth as much, `(sum w)^2 / sum w^2`.
    fn margins(&self) -> Option<PerPlayer<f64>> {
        let n = self.weight * self.weight / self.weight_squares;
        let margin = |(total, squares): (&f64, &f64)| {
            let mean = total / self.weight;
            let variance = (squares / self.weight - mean * mean).max(0.0) * n / (n - 1.0);
            Z95 * (variance / n).sqrt()
        };
        let enough = self.visits > 1 && n > 1.0 + 1e-9;
        enough.then(|| self.totals.iter().zip(self.squares.iter()).map(margin).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten rewards of which four are 1: the mean is 0.4, the variance of the sample 4 * 6 / (10 * 9), so that
    /// the half-width is 1.96 sqrt(0.2667 / 10) = 0.3201. Weights that are all alike change nothing.
    #[test]
    fn margins_follow_from_the_sample() {
        for weight in [1.0, 2.5] {
            let mut table = RootTable::new(&[0, 1], 1);
            for i in 0..10 {
                table.add(0, &[f64::from(i % 5 < 2)].into_iter().collect(), weight);
            }
            table.add(1, &[1.0].into_iter().collect(), weight);
            let moves = table.reports_of_worlds();
            let margin = moves[0].margins.as_ref().unwrap()[Player(0)];
            assert!((margin - 0.320_07).abs() < 1e-4, "{margin}");
            assert_eq!((&moves[1].margins, moves[1].availability), (&None, Some(11)));
        }
    }
}
