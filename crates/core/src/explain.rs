//! What a search tells about itself: while it runs, to a [`Watch`], and afterwards, if asked to [`Explain`].
//!
//! Both are asked for in the [`Budget`](crate::Budget), neither changes what a search does, and what costs time
//! is collected only if asked for.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::{PerPlayer, Player};

/// How a running search stands.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Progress {
    /// What is known about each move so far, in the order of the legal moves.
    pub moves: Vec<MoveProgress>,
    /// Iterations made.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// The greatest depth reached in the tree.
    pub depth: u32,
    /// Time taken.
    pub time: Duration,
}

/// How one move stands in a running search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveProgress {
    /// How often it was tried.
    pub visits: u64,
    /// The mean reward of every player after it, where it was tried.
    pub values: Option<PerPlayer<f64>>,
}

impl Progress {
    /// Adds what another search of the same moves has done at the same time.
    pub fn merge(&mut self, other: &Progress) {
        self.moves.resize(self.moves.len().max(other.moves.len()), MoveProgress::default());
        for (mine, theirs) in self.moves.iter_mut().zip(&other.moves) {
            let visits = mine.visits + theirs.visits;
            mine.values = match (mine.values.take(), &theirs.values) {
                (Some(a), Some(b)) => {
                    let share = theirs.visits as f64 / visits.max(1) as f64;
                    Some(a.iter().zip(b.iter()).map(|(a, b)| a + (b - a) * share).collect())
                }
                (mine, theirs) => mine.or_else(|| theirs.clone()),
            };
            mine.visits = visits;
        }
        self.iterations += other.iterations;
        self.nodes += other.nodes;
        self.depth = self.depth.max(other.depth);
        self.time = self.time.max(other.time);
    }
}

/// Somebody who is shown from time to time how a search stands.
///
/// It is called by the searching thread, which waits for it; a search that ends sooner never calls it.
#[derive(Clone)]
pub struct Watch {
    show: Arc<dyn Fn(&Progress) + Send + Sync>,
    every: Duration,
}

impl Watch {
    /// Shown about ten times a second.
    pub fn new(show: impl Fn(&Progress) + Send + Sync + 'static) -> Watch {
        Watch::every(Duration::from_millis(100), show)
    }

    /// Shown as soon as the search looks at its clock and this much time has passed since the last time.
    pub fn every(time: Duration, show: impl Fn(&Progress) + Send + Sync + 'static) -> Watch {
        Watch { show: Arc::new(show), every: time }
    }

    /// How much time passes at least between two calls.
    pub fn interval(&self) -> Duration {
        self.every
    }

    /// Shows how the search stands.
    pub fn show(&self, progress: &Progress) {
        (self.show)(progress);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("every", &self.every).finish_non_exhaustive()
    }
}

/// Asks a search for more than the statistics of the moves: the depths of its nodes, the principal variation and,
/// within limits, its tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Explain {
    /// How much of the tree is wanted; none of it by default.
    pub tree: Option<TreeLimits>,
}

/// How much of a tree is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeLimits {
    /// Nothing below so many moves.
    pub depth: u32,
    /// Nothing that was visited less often.
    pub visits: u64,
}

impl TreeLimits {
    /// The whole tree.
    pub const NONE: TreeLimits = TreeLimits { depth: u32::MAX, visits: 0 };

    /// Whether something after so many moves with so many visits is wanted.
    pub fn admit(&self, depth: u32, visits: u64) -> bool {
        depth <= self.depth && visits >= self.visits
    }
}

/// One step of a principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineStep {
    /// Who moves; `None` for chance, and for what the searcher sees without knowing who did what.
    pub by: Option<Player>,
    /// The name of the move or outcome, or what the searcher sees, in words.
    pub name: String,
}

/// A search tree, written out.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchTree {
    /// Whose tree it is: the player in whose place decisions of this tree are told apart.
    pub of: Player,
    /// The nodes; parents come before their children.
    pub nodes: Vec<TreeNode>,
}

/// A place in a [`SearchTree`].
#[derive(Clone, PartialEq, Debug)]
pub struct TreeNode {
    /// The place of the parent in the list; none for a root.
    pub parent: Option<usize>,
    /// How many moves of players lead here.
    pub depth: u32,
    /// What led here from the parent.
    pub reached: Reached,
    /// Who decides here, if it is known and the same in all worlds.
    pub turn: Option<Decider>,
    /// How often the search passed.
    pub visits: u64,
    /// Of a move, how often it was legal when the search decided at the parent, in searches of many worlds.
    pub available: Option<u64>,
    /// The mean reward of every player in the iterations that passed.
    pub values: Option<PerPlayer<f64>>,
    /// How many children the limits left out.
    pub left_out: u32,
}

/// What leads from one node of a tree to the next.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reached {
    /// Nothing: here the tree begins.
    Root,
    /// A player's move, by name; or, where the tree does not tell moves apart, what is seen of it, in words.
    Move(Player, String),
    /// What chance drew, by name.
    Chance(String),
    /// What the tree's player learned since the move above, in words; nothing if it learned nothing.
    Seen(Vec<String>),
}

/// Who decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decider {
    /// A player.
    Player(Player),
    /// Chance.
    Chance,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_of_two_threads_adds_up() {
        let one = |visits, value: f64| MoveProgress { visits, values: Some(PerPlayer::zero_sum(value)) };
        let mut a =
            Progress { moves: vec![one(1, 1.0), MoveProgress::default()], depth: 3, ..Progress::default() };
        let b = Progress { moves: vec![one(3, 0.0), one(2, -1.0)], iterations: 5, depth: 2, ..a.clone() };
        a.merge(&b);
        assert_eq!(a.moves, [one(4, 0.25), one(2, -1.0)]);
        assert_eq!((a.iterations, a.depth), (5, 3));
    }
}
