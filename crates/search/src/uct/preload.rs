//! Virtual wins: what the game thinks of a move before it is tried counts as so many playouts that were won.
//!
//! This is F-UCT of TUBSTAP (Muto; `tubstap/2.10`), whose moves begin with `floor(10 v)` wins for a judgement `v` from
//! 0 to 1. Its judgement came from fuzzy tables that are not public, so it is the game's own here: how promising the
//! move is among the others, or what an evaluation says of the state after it. Moves without a virtual win are tried
//! first, as ever. The move that is played is chosen by playouts that were really made.

use fogtree_core::{Move, Player, World, WorldStep};

use super::UctSearch;

/// The virtual wins of the best move there can be.
const WINS: f64 = 10.0;

/// Whose opinion virtual wins are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Preload {
    /// There are none.
    #[default]
    Nothing,
    /// The share of the other moves that are less promising ([`World::move_prior`](fogtree_core::World::move_prior)).
    Promise,
    /// What the game says of the state after the move ([`World::evaluate`](fogtree_core::World::evaluate)), or one of its evaluations by place.
    Evaluation(Option<usize>),
}

/// How many virtual wins a judgement from 0 to 1 is worth.
fn wins(judgement: f64) -> u8 {
    (WINS * judgement.clamp(0.0, 1.0)) as u8
}

/// The share of the others that each number is greater than.
fn shares(numbers: &[f32]) -> impl Iterator<Item = f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f32::total_cmp);
    let others = numbers.len().saturating_sub(1).max(1) as f64;
    numbers.iter().map(move |n| sorted.partition_point(|other| other < n) as f64 / others)
}

impl UctSearch {
    /// Gives the moves of a node that was just expanded their virtual wins; those that have some come first, and count as
    /// tried.
    pub(super) fn preload(&mut self, at: u32, state: &dyn World, p: Player) {
        if self.settings.preload == Preload::Nothing {
            return;
        }
        let node = &self.nodes[at as usize];
        let range = node.first as usize..(node.first + node.count) as usize;
        let actions: Vec<Move> = self.edges[range.clone()].iter().map(|edge| edge.action).collect();
        let given: Vec<u8> = match self.settings.preload {
            Preload::Evaluation(evaluation) if state.turn().players().iter().count() == 1 => {
                let mut next = state.boxed();
                let after = |&action: &Move| {
                    next.copy_from(state);
                    next.apply(WorldStep::Moves(&[(p, action)]));
                    let over = next.turn() == fogtree_core::Turn::Terminal;
                    let rewards = if over { next.rewards() } else { next.evaluate_leaf(evaluation) };
                    wins(self.scale.value(rewards[p]))
                };
                actions.iter().map(after).collect()
            }
            Preload::Promise => {
                let mut promises = Vec::new();
                state.move_prior(p, &actions, &mut promises);
                promises.resize(actions.len(), 0.0);
                shares(&promises).map(wins).collect()
            }
            // What a move leads to is not known while others have yet to choose.
            _ => vec![0; actions.len()],
        };
        let edges = &mut self.edges[range.clone()];
        for (edge, given) in edges.iter_mut().zip(&given) {
            (edge.visits, edge.total) = (u32::from(*given), f64::from(*given));
        }
        edges.sort_by_key(|edge| edge.visits == 0);
        self.nodes[at as usize].tried = given.iter().filter(|given| **given > 0).count() as u32;
        self.given.resize(range.start, 0);
        self.given.extend(self.edges[range].iter().map(|edge| edge.visits as u8));
    }

    /// The playouts that were really made after a move.
    pub(super) fn real_visits(&self, edge: usize) -> u32 {
        self.edges[edge].visits - u32::from(self.given.get(edge).copied().unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten wins for the best of all, none for the worst; ties are equal.
    #[test]
    fn judgements_are_wins() {
        assert_eq!([0.0, 0.05, 0.1, 0.59, 1.0, 7.0, -1.0].map(wins), [0, 0, 1, 5, 10, 10, 0]);
        let shares = |numbers: &[f32]| shares(numbers).map(wins).collect::<Vec<_>>();
        assert_eq!(shares(&[3.0, -1.0, 3.0, 7.0, 0.0]), [5, 0, 5, 10, 2]);
        assert_eq!(shares(&[0.0]), [0]);
        assert_eq!(shares(&[1.0, 1.0]), [0, 0]);
    }
}
