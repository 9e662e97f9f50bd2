//! MCTS-Solver: what is proven need not be sampled (Winands, Björnsson and Saito 2008; `icarus/2.4-mcts-solver`).
//!
//! A move that ends the game is worth what the game ends with. From there proofs rise. A decision is settled
//!
//! - as soon as one of its moves is proven to win all that can be won, whatever the others are worth, or
//! - once all its moves are proven: by the best of them for the player who decides. So draws and losses are
//!   proven too, and for any number of players as max^n has it; where several moves are best for the player, the first
//!   of them counts.
//!
//! What is proven is not tried again, unless everything is. Where a proven move looks better than all that are not, the search goes on below
//! the best of those, for its own sake: everything above is credited with what is proven instead. So means are as if
//! the proven move were made, and the rest comes to be proven too. The search ends when the root is settled. Proofs do not
//! pass chance, which would have to be proven in all its outcomes.

use std::ops::Range;

use fogtree_core::{Move, MoveReport, Player, Rewards};

use super::{NONE, UctSearch};
use crate::kit::root::RootTable;
use crate::kit::selection::Best;

/// What has been proven in a tree.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    /// Where the rewards of each proven edge are.
    of: Vec<u32>,
    rewards: Vec<Rewards>,
    /// Where the moves on the path were chosen.
    decisions: Vec<u32>,
    /// Above how many moves of the path something proven counts instead of what comes of the playout, and where that is.
    instead: Vec<(u32, u32)>,
    /// Whether nothing but the moves on the path has led to the present state.
    forced: bool,
    /// Whether the root is settled.
    settled: bool,
}

impl Proofs {
    /// What a move is proven to lead to.
    fn of(&self, edge: usize) -> Option<&Rewards> {
        self.of.get(edge).and_then(|&place| self.rewards.get(place as usize))
    }

    pub(super) fn bytes(&self) -> usize {
        self.of.len() * size_of::<u32>() + self.rewards.len() * size_of::<Rewards>()
    }

    /// A new tree.
    pub(super) fn clear(&mut self) {
        self.of.clear();
        self.rewards.clear();
        self.settled = false;
    }

    /// A new iteration.
    pub(super) fn restart(&mut self) {
        self.decisions.clear();
        self.instead.clear();
        self.forced = false;
    }

    /// The tree has so many edges now.
    pub(super) fn grow(&mut self, edges: usize) {
        self.of.resize(edges, NONE);
    }

    /// A move was chosen at this node.
    pub(super) fn chose(&mut self, at: u32) {
        self.decisions.push(at);
        self.forced = true;
    }

    /// For how many of the first moves on the path something counts instead of the playout, or of what was told before,
    /// and where that is.
    #[inline]
    pub(super) fn instead(&mut self) -> Option<(u32, u32)> {
        self.instead.pop()
    }

    /// The rewards in a place.
    pub(super) fn rewards(&self, place: u32) -> &Rewards {
        &self.rewards[place as usize]
    }

    /// Something happened that nobody chose in the tree.
    pub(super) fn doubt(&mut self) {
        self.forced = false;
    }
}

impl UctSearch {
    /// Whether there is nothing left to find out.
    pub(super) fn is_settled(&self) -> bool {
        self.proofs.as_ref().is_some_and(|proofs| proofs.settled)
    }

    /// The move with the greatest bound of those that are not proven; the best of the proven if it cannot be surpassed.
    #[inline(never)]
    pub(super) fn best_unproven(&mut self, range: Range<usize>, explore: f64, p: Player) -> usize {
        let Some(proofs) = &mut self.proofs else { return 0 };
        let mut best = Best::default();
        let mut sure: Option<(usize, f64)> = None;
        for (i, edge) in self.edges[range.clone()].iter().enumerate() {
            if let Some(rewards) = proofs.of(range.start + i) {
                let value = self.scale.value(rewards[p]);
                sure = sure.filter(|(_, other)| *other >= value).or(Some((i, value)));
                continue;
            }
            best.offer(i as u32, edge.bound(explore), &mut self.ties);
        }
        let Best { place, bound, .. } = best;
        match sure {
            Some((i, value)) if value >= bound.min(1.0) => {
                let settled = value >= 1.0 || bound == f64::NEG_INFINITY;
                let above = self.path.len() as u32 + u32::from(settled);
                proofs.instead.push((above, proofs.of[range.start + i]));
                if settled { i } else { place as usize }
            }
            _ => place as usize,
        }
    }

    /// The game ended with these rewards after the path: proves what follows from that.
    pub(super) fn prove(&mut self, rewards: &Rewards) {
        let Some(mut proofs) = self.proofs.take_if(|proofs| proofs.forced) else { return };
        let mut proven = rewards.clone();
        for (i, &(edge, p)) in self.path.iter().enumerate().rev() {
            if proofs.of(edge as usize).is_none() {
                proofs.of[edge as usize] = proofs.rewards.len() as u32;
                proofs.rewards.push(proven);
            }
            let at = proofs.decisions[i];
            let Some(best) = self.settle(&proofs, at, p) else { break };
            proven = best;
            match i.checked_sub(1).map(|before| self.edges[self.path[before].0 as usize].child) {
                Some(child) if child == at => {}
                Some(_) => break,
                None => proofs.settled = at == 0,
            }
        }
        self.proofs = Some(proofs);
    }

    /// What a decision of a player is worth, if that is proven.
    fn settle(&self, proofs: &Proofs, at: u32, p: Player) -> Option<Rewards> {
        let node = &self.nodes[at as usize];
        let moves = node.first as usize..(node.first + node.count) as usize;
        let value = |rewards: &&Rewards| self.scale.value(rewards[p]);
        let best = |a, b| if value(&b) > value(&a) { b } else { a };
        let known = || moves.clone().filter_map(|edge| proofs.of(edge));
        let best = known().reduce(best)?;
        let all = || self.settings.narrow.is_off() && known().count() == moves.len();
        (value(&best) >= 1.0 || all()).then(|| best.clone())
    }

    /// Puts what is proven in the place of means.
    pub(super) fn report_proofs(&self, moves: &mut [MoveReport]) {
        for report in moves {
            if let Some(rewards) = self.proven_at_root(report.action) {
                (report.values, report.margins, report.proven) = (Some(rewards.clone()), None, true);
            }
        }
    }

    /// What a move at the root is proven to lead to.
    fn proven_at_root(&self, action: Move) -> Option<&Rewards> {
        let (proofs, root) = (self.proofs.as_ref()?, &self.nodes[0]);
        let mut moves = root.first as usize..(root.first + root.count) as usize;
        moves.find(|&edge| self.edges[edge].action == action).and_then(|edge| proofs.of(edge))
    }

    /// The move to play: one that is proven, if that is not the worst there can be and none of those that are not proven
    /// has a better mean; else as ever among these.
    pub(super) fn decide(&mut self, table: &RootTable, who: Player) -> Move {
        let last = self.settings.last;
        let proven = |i: &usize| self.proven_at_root(table.action(*i)).map(|r| self.scale.value(r[who]));
        let sure = (0..table.len()).filter_map(|i| proven(&i)).reduce(f64::max);
        let Some(sure) = sure else { return last.of(table, who, &mut self.ties) };
        let unproven = || (0..table.len()).filter(|i| proven(i).is_none());
        let score = |i: &usize| last.score(table, *i, who);
        let tried = unproven().filter(|&i| table.visits(i) > 0);
        let best = tried.reduce(|a, b| if score(&b) > score(&a) { b } else { a });
        let better = best.is_some_and(|i| self.scale.value(table.mean(i, who)) > sure);
        let open = !self.is_settled() && (better || (sure <= 0.0 && unproven().next().is_some()));
        let among = |i: usize| match proven(&i) {
            Some(value) if !open => value,
            None if open => score(&i),
            _ => f64::NEG_INFINITY,
        };
        let scores: Vec<f64> = (0..table.len()).map(among).collect();
        table.best(&mut self.ties, |i| scores[i])
    }
}
