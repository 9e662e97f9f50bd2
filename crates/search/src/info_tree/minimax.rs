//! Every line to a depth, with alpha-beta pruning, deeper and deeper.

use std::ops::ControlFlow;

use fogtree_core::agent::Clock;
use fogtree_core::{Budget, Info, Move, world::InfoTrees};

use super::{Found, Opponent, greatest};

pub(super) struct Search<'a> {
    tree: &'a dyn InfoTrees,
    opponent: Opponent,
    evaluation: usize,
    clock: Clock<'a>,
    /// The information sets judged.
    leaves: u64,
    nodes: u64,
    /// Whether the budget was used up.
    out: bool,
    /// Whether some line was cut off before the end of the game.
    cut: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        tree: &'a dyn InfoTrees,
        opponent: Opponent,
        evaluation: usize,
        budget: &'a Budget,
    ) -> Self {
        let clock = budget.start();
        Search { tree, opponent, evaluation, clock, leaves: 0, nodes: 0, out: false, cut: false }
    }

    /// Searches to `least` turns, then one more, and so on, and answers from the last depth that was finished.
    pub(super) fn deepen(mut self, root: &Info, legal: &[Move], least: u32) -> Found {
        let mut found = Found { moves: Vec::new(), best: Vec::new(), iterations: 0, nodes: 0, depth: 0 };
        // The best moves of one depth come first in the next.
        let mut order: Vec<usize> = (0..legal.len()).collect();
        for depth in least.max(1).. {
            self.cut = false;
            let mut values = vec![f64::NEG_INFINITY; legal.len()];
            let mut best = f64::NEG_INFINITY;
            for &i in &order {
                // Moves as good as the best are wanted as well, hence a little less than it.
                let alpha = best - best.abs().max(1.0) * 1e-9;
                values[i] = self.observe(root, legal[i], depth, alpha, f64::INFINITY);
                best = best.max(values[i]);
                if self.out {
                    break;
                }
            }
            if self.out {
                break;
            }
            order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
            found.best = greatest(values.iter().copied());
            found.moves = values.into_iter().map(|value| (1, value)).collect();
            found.depth = depth;
            if !self.cut {
                break;
            }
        }
        Found { iterations: self.leaves, nodes: self.nodes, ..found }
    }

    /// The value of a decision with so many turns to go.
    fn decide(&mut self, known: &Info, depth: u32, alpha: f64, beta: f64) -> f64 {
        self.nodes += 1;
        let mut legal = Vec::new();
        self.tree.moves(known, &mut legal);
        if depth == 0 || legal.is_empty() {
            self.cut |= !legal.is_empty();
            self.leaves += 1;
            self.out |= !self.clock.tick();
            return self.tree.evaluate(self.evaluation, known);
        }
        let mut best = f64::NEG_INFINITY;
        for action in legal {
            best = best.max(self.observe(known, action, depth, alpha.max(best), beta));
            if best >= beta || self.out {
                break;
            }
        }
        best
    }

    /// The value of an action: of what is worst to see after it, or of everything on average.
    fn observe(&mut self, known: &Info, action: Move, depth: u32, alpha: f64, beta: f64) -> f64 {
        let tree = self.tree;
        let (mut worst, mut sum, mut count) = (f64::INFINITY, 0.0, 0u32);
        tree.after(known, action, &mut |next| {
            let enough = match self.opponent {
                Opponent::Paranoid => {
                    worst = worst.min(self.decide(next, depth - 1, alpha, beta.min(worst)));
                    worst <= alpha
                }
                Opponent::Overconfident => {
                    sum += self.decide(next, depth - 1, f64::NEG_INFINITY, f64::INFINITY);
                    count += 1;
                    false
                }
            };
            if enough || self.out { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match self.opponent {
            Opponent::Paranoid => worst,
            Opponent::Overconfident => sum / f64::from(count.max(1)),
        }
    }
}
