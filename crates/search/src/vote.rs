//! How worlds searched one by one agree on a move: the five rules of the sources (`ismcts/3.9`).

use fogtree_core::{Decision, MoveReport, PerPlayer, Player, Report, Rng};

use crate::minimax::first_best;

/// What decides between the moves once every world has been searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// Every world has one vote for the move chosen in it, whatever its weight.
    Majority,
    /// Every world's vote for the move chosen in it counts by the world's weight.
    WeightedMajority,
    /// The sum of what the move is worth in every world (GIB); where it was not tried, the least reward.
    SumOfScores,
    /// The mean reward over all playouts of all worlds, so that a world counts by how often the move was tried
    /// in it (ensemble UCT).
    AveragedRewards,
    /// The sum of the visits in every world.
    SummedVisits,
}

/// What the worlds searched so far say about each move.
#[derive(Clone, Debug)]
pub struct Tally<A> {
    seat: Player,
    worst: f64,
    moves: Vec<Count<A>>,
    iterations: u64,
    nodes: u64,
    depth: u32,
}

#[derive(Clone, Debug)]
struct Count<A> {
    action: A,
    votes: f64,
    weighted_votes: f64,
    scores: f64,
    visits: u64,
    weighted_visits: f64,
    totals: PerPlayer<f64>,
}

impl<A: Copy + Eq> Tally<A> {
    /// Nothing said yet about the legal moves of a seat; `worst` is the least reward of the game.
    pub fn new(seat: Player, legal: &[A], players: usize, worst: f64) -> Tally<A> {
        let count = |&action: &A| Count {
            action,
            votes: 0.0,
            weighted_votes: 0.0,
            scores: 0.0,
            visits: 0,
            weighted_visits: 0.0,
            totals: PerPlayer::from_fn(players, |_| 0.0),
        };
        Tally { seat, worst, moves: legal.iter().map(count).collect(), iterations: 0, nodes: 0, depth: 0 }
    }

    /// Counts what was found out in a world of this weight.
    ///
    /// # Panics
    /// If the decision is about other moves.
    pub fn add(&mut self, world: &Decision<A>, weight: f64) {
        for (count, found) in self.moves.iter_mut().zip(&world.report.moves) {
            assert!(count.action == found.action, "all worlds have the same legal moves in the same order");
            if found.action == world.action {
                count.votes += 1.0;
                count.weighted_votes += weight;
            }
            let visits = weight * found.visits as f64;
            count.visits += found.visits;
            count.weighted_visits += visits;
            let values = found.values.as_ref();
            count.scores += weight * values.map_or(self.worst, |v| v[self.seat]);
            for (p, v) in values.into_iter().flat_map(|v| v.iter()).enumerate() {
                count.totals[Player(p as u8)] += visits * v;
            }
        }
        self.iterations += world.report.iterations;
        self.nodes += world.report.nodes;
        self.depth = self.depth.max(world.report.depth);
    }

    /// The score of the `i`-th move under a rule.
    pub fn score(&self, vote: Vote, i: usize) -> f64 {
        let count = &self.moves[i];
        match vote {
            Vote::Majority => count.votes,
            Vote::WeightedMajority => count.weighted_votes,
            Vote::SumOfScores => count.scores,
            Vote::AveragedRewards if count.weighted_visits > 0.0 => {
                count.totals[self.seat] / count.weighted_visits
            }
            Vote::AveragedRewards => f64::NEG_INFINITY,
            Vote::SummedVisits => count.weighted_visits,
        }
    }

    /// The move that a rule chooses; ties are broken at random.
    pub fn choose(&self, vote: Vote, ties: &mut Rng) -> A {
        let scores: Vec<f64> = (0..self.moves.len()).map(|i| self.score(vote, i)).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tied: Vec<&Count<A>> =
            self.moves.iter().zip(&scores).filter(|(_, s)| **s >= best).map(|(m, _)| m).collect();
        ties.pick(&tied).action
    }

    /// The first of the moves that a rule finds best.
    pub fn first(&self, vote: Vote) -> A {
        self.moves[first_best((0..self.moves.len()).map(|i| self.score(vote, i)))].action
    }

    /// What was found out in all worlds together.
    pub fn report(&self) -> Report<A> {
        let report = |m: &Count<A>| MoveReport {
            action: m.action,
            visits: m.visits,
            values: (m.weighted_visits > 0.0)
                .then(|| m.totals.iter().map(|t| t / m.weighted_visits).collect()),
        };
        Report {
            moves: self.moves.iter().map(report).collect(),
            iterations: self.iterations,
            nodes: self.nodes,
            depth: self.depth,
            ..Report::default()
        }
    }
}
