//! How much an exact search may look at, and what it does about the rest.
//!
//! A search first tries to see everything. If that takes more nodes than it may open, it starts again and
//! shares them out: every child of a node gets the same part of what is left, so that all moves are looked at
//! about equally deep, and what lies below is guessed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use fogtree_core::{Budget, Facts, Player, World};

/// The nodes an exact search may open per decision where no number is given.
pub const NODES: u64 = 1_000_000;

/// The clock is looked at once per so many nodes.
const LOOK: u64 = 256;

/// No line is followed further than this, because searches follow lines by calling themselves.
const DEEPEST: u32 = 1000;

/// The nodes that a search may open, as it opens them.
#[derive(Debug, Default)]
pub(crate) struct NodeBudget {
    opened: u64,
    guesses: u64,
    depth: u32,
    sharing: bool,
    /// The nodes asked about so far, and at how many to look at the clock again.
    asked: u64,
    look: u64,
    late: bool,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
}

impl NodeBudget {
    /// A node_budget for one search with all of the time.
    pub(crate) fn of(budget: &Budget) -> NodeBudget {
        let deadline = budget.time.map(|t| Instant::now() + t);
        NodeBudget { deadline, stop: budget.stop.clone(), ..NodeBudget::default() }
    }

    /// Looks for an answer without guesses, and if there are too many nodes for one with guesses.
    pub(crate) fn spend<T>(budget: &Budget, mut search: impl FnMut(&mut NodeBudget) -> T) -> (T, NodeBudget) {
        let began = Instant::now();
        let node_budget = |sharing, time| NodeBudget {
            sharing,
            deadline: budget.time.map(|t| began + t * time / 2),
            stop: budget.stop.clone(),
            ..NodeBudget::default()
        };
        let mut whole = node_budget(false, 1);
        let answer = search(&mut whole);
        if whole.guesses == 0 || budget.is_stopped() {
            return (answer, whole);
        }
        let mut shared = node_budget(true, 2);
        let answer = search(&mut shared);
        shared.opened += whole.opened;
        (answer, shared)
    }

    /// Whether `nodes` more nodes may be opened at this depth; counts them, or counts a guess.
    pub(crate) fn open(&mut self, nodes: u64, limit: u64, depth: u32) -> bool {
        let allowed = self.opened + nodes <= limit && depth < DEEPEST && !self.is_late(nodes);
        if allowed {
            self.opened += nodes;
            self.depth = self.depth.max(depth);
        } else {
            self.guesses += 1;
        }
        allowed
    }

    /// The limit for the next of `children` children of a node with this limit.
    pub(crate) fn share(&self, limit: u64, children: usize) -> u64 {
        if self.sharing {
            self.opened + limit.saturating_sub(self.opened) / children.max(1) as u64
        } else {
            limit
        }
    }

    /// Whether the time is over or the search was stopped, seen a little later; `nodes` are about to be looked at.
    pub(crate) fn is_late(&mut self, nodes: u64) -> bool {
        if self.asked >= self.look {
            self.look = self.asked + LOOK;
            self.late |= self.deadline.is_some_and(|at| Instant::now() >= at)
                || self.stop.as_ref().is_some_and(|s| s.load(Ordering::Relaxed));
        }
        self.asked += nodes;
        self.late
    }

    /// Whether it is known to be late.
    pub(crate) fn was_late(&self) -> bool {
        self.late
    }

    /// Counts a guess made for another reason than want of nodes.
    pub(crate) fn guessed(&mut self) {
        self.guesses += 1;
    }

    /// The nodes opened.
    pub(crate) fn opened(&self) -> u64 {
        self.opened
    }

    /// The guesses made.
    pub(crate) fn guesses(&self) -> u64 {
        self.guesses
    }

    /// The greatest depth of an opened node.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }
}

/// What a player may expect in a state that is not looked into: what the game thinks, or the middle of the
/// range of rewards.
pub(crate) fn guess(facts: &Facts, state: &dyn World, who: Player) -> f64 {
    state.evaluate(None, who).unwrap_or((facts.utility_bounds.0 + facts.utility_bounds.1) / 2.0)
}
