//! How worlds searched one by one agree on a move: the five rules of the sources (`ismcts/3.9`).

use std::time::Duration;

use fogtree_core::explain::MoveProgress;
use fogtree_core::{Decision, LineStep, Move, MoveReport, PerPlayer, Player, Progress, Report, Rng};

use crate::exact::minimax::first_best;
use crate::kit::explanation::Explanation;
use crate::kit::root::Z95;

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
pub struct Tally {
    seat: Player,
    worst: f64,
    moves: Vec<Count>,
    iterations: u64,
    nodes: u64,
    depth: u32,
    /// Bytes of all trees, moves made in them, nodes by depth and principal variations with the weights of their
    /// worlds, where the searches of the worlds tell.
    bytes: Option<u64>,
    made: Option<f64>,
    profile: Vec<u64>,
    lines: Vec<(Vec<LineStep>, f64)>,
    /// The place of the move chosen in each world that has a principal variation.
    chosen: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Count {
    action: Move,
    votes: f64,
    weighted_votes: f64,
    scores: f64,
    visits: u64,
    weighted_visits: f64,
    totals: PerPlayer<f64>,
    /// In how many worlds it was tried; over these the squares of the weighted visits, and these times the mean
    /// reward in the world and times its square.
    worlds: u64,
    squares: f64,
    square_means: PerPlayer<f64>,
    square_squares: PerPlayer<f64>,
}

impl Tally {
    /// Nothing said yet about the legal moves of a seat; `worst` is the least reward of the game.
    pub fn new(seat: Player, legal: &[Move], players: usize, worst: f64) -> Tally {
        let count = |&action: &Move| Count {
            action,
            votes: 0.0,
            weighted_votes: 0.0,
            scores: 0.0,
            visits: 0,
            weighted_visits: 0.0,
            totals: PerPlayer::from_fn(players, |_| 0.0),
            worlds: 0,
            squares: 0.0,
            square_means: PerPlayer::from_fn(players, |_| 0.0),
            square_squares: PerPlayer::from_fn(players, |_| 0.0),
        };
        Tally {
            seat,
            worst,
            moves: legal.iter().map(count).collect(),
            iterations: 0,
            nodes: 0,
            depth: 0,
            bytes: None,
            made: None,
            profile: Vec::new(),
            lines: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// Counts what was found out in a world of this weight.
    ///
    /// # Panics
    /// If the decision is about other moves.
    pub fn add(&mut self, world: &Decision, weight: f64) {
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
            count.worlds += u64::from(values.is_some());
            count.squares += values.map_or(0.0, |_| visits * visits);
            for (p, v) in values.into_iter().flat_map(|v| v.iter()).enumerate() {
                count.totals[Player(p as u8)] += visits * v;
                count.square_means[Player(p as u8)] += visits * visits * v;
                count.square_squares[Player(p as u8)] += visits * visits * v * v;
            }
        }
        let report = &world.report;
        self.bytes = report.bytes.map(|n| n + self.bytes.unwrap_or(0)).or(self.bytes);
        let made = report.mean_depth.map(|mean| mean * report.iterations as f64);
        self.made = made.map(|n| n + self.made.unwrap_or(0.0)).or(self.made);
        let mut told = Explanation { profile: std::mem::take(&mut self.profile), ..Explanation::default() };
        told.add_profile(&report.profile);
        self.profile = told.profile;
        if !report.line.is_empty() {
            self.lines.push((report.line.clone(), weight));
            self.chosen.extend(self.moves.iter().position(|m| m.action == world.action));
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
    pub fn choose(&self, vote: Vote, ties: &mut Rng) -> Move {
        let scores: Vec<f64> = (0..self.moves.len()).map(|i| self.score(vote, i)).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let tied: Vec<&Count> =
            self.moves.iter().zip(&scores).filter(|(_, s)| **s >= best).map(|(m, _)| m).collect();
        ties.pick(&tied).action
    }

    /// The first of the moves that a rule finds best.
    pub fn first(&self, vote: Vote) -> Move {
        self.moves[first_best((0..self.moves.len()).map(|i| self.score(vote, i)))].action
    }

    /// What was found out in all worlds together.
    pub fn report(&self) -> Report {
        let report =
            |m: &Count| MoveReport { margins: m.margins(), ..MoveReport::of(m.action, m.visits, m.means()) };
        Report {
            moves: self.moves.iter().map(report).collect(),
            iterations: self.iterations,
            nodes: self.nodes,
            depth: self.depth,
            bytes: self.bytes,
            mean_depth: self.made.filter(|_| self.iterations > 0).map(|n| n / self.iterations as f64),
            profile: self.profile.clone(),
            ..Report::default()
        }
    }

    /// The same with the principal variation: in the worlds whose own variations agree so far, beginning with the
    /// move chosen, the step that most of them by weight take next, as long as there are two.
    pub(crate) fn report_for(&self, chosen: Move) -> Report {
        let mut line: Vec<LineStep> = Vec::new();
        let first = self.moves.iter().position(|m| m.action == chosen);
        let mut agreeing: Vec<&(Vec<LineStep>, f64)> = Vec::new();
        if let Some(first) = first {
            agreeing
                .extend(self.lines.iter().zip(&self.chosen).filter(|(_, c)| **c == first).map(|(l, _)| l));
        }
        loop {
            let at = line.len();
            let mut steps: Vec<(&LineStep, f64, u32)> = Vec::new();
            for (step, weight) in agreeing.iter().filter_map(|(l, weight)| Some((l.get(at)?, weight))) {
                match steps.iter_mut().find(|s| s.0 == step) {
                    Some(known) => (known.1, known.2) = (known.1 + weight, known.2 + 1),
                    None => steps.push((step, *weight, 1)),
                }
            }
            let best = steps.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((step, _, _)) = best.filter(|s| at == 0 || s.2 > 1) else { break };
            let step = (*step).clone();
            agreeing.retain(|l| l.0.get(at) == Some(&step));
            line.push(step);
        }
        Report { line, ..self.report() }
    }

    /// How the moves stand so far.
    pub(crate) fn progress(&self, time: Duration) -> Progress {
        let of = |m: &Count| MoveProgress { visits: m.visits, values: m.means() };
        Progress {
            moves: self.moves.iter().map(of).collect(),
            iterations: self.iterations,
            nodes: self.nodes,
            depth: self.depth,
            time,
        }
    }
}

impl Count {
    fn means(&self) -> Option<PerPlayer<f64>> {
        (self.weighted_visits > 0.0).then(|| self.totals.iter().map(|t| t / self.weighted_visits).collect())
    }

    /// Half the width of the 95 % confidence interval of each mean, with the worlds as the independent draws: the
    /// mean is a ratio of sums over worlds, `sum W m / sum W`, and its standard error is
    /// `sqrt(k / (k - 1) sum W^2 (m - mean)^2) / sum W` with `k` worlds.
    fn margins(&self) -> Option<PerPlayer<f64>> {
        let k = self.worlds as f64;
        let means = self.means().filter(|_| self.worlds > 1)?;
        let margin = |p: Player| {
            let mean = means[p];
            let spread =
                self.square_squares[p] - 2.0 * mean * self.square_means[p] + mean * mean * self.squares;
            Z95 * (k / (k - 1.0) * spread.max(0.0)).sqrt() / self.weighted_visits
        };
        Some(PerPlayer::from_fn(means.len(), margin))
    }
}
