//! Where the edges of legal actions are among those of a node.
//!
//! That is asked for every legal action of every decision. Edges are in order, as legal actions are, and most are found
//! near the last one; or, in games with few codes of actions, there is a table of places.

use fogtree_core::Move;

use super::store::Edge;

/// Finds the edges of actions that come in rising order.
pub(crate) trait Places<A = Move> {
    /// The place of an action's edge, if it has one.
    fn find(&mut self, edges: &[Edge<A>], action: &A) -> Option<usize>;
}

/// Goes through edges in order from one action to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InTurn {
    /// Edges before this are of actions before the next one.
    at: usize,
}

impl InTurn {
    /// Looks at so many edges one by one.
    const NEAR: usize = 8;
}

/// The place of an action from `from` on, or where it would be. It is rarely far, and kept out of the way of the loop.
#[cold]
fn find_far<A: Ord>(edges: &[Edge<A>], from: usize, action: &A) -> usize {
    from + edges[from..].partition_point(|e| e.action < *action)
}

impl<A: Ord> Places<A> for InTurn {
    #[inline(always)]
    fn find(&mut self, edges: &[Edge<A>], action: &A) -> Option<usize> {
        let (mut at, near) = (self.at, edges.len().min(self.at + InTurn::NEAR));
        while at < near && edges[at].action != *action {
            at += 1;
        }
        if at >= near {
            at = find_far(edges, self.at, action);
            self.at = at;
            edges.get(at).filter(|e| e.action == *action)?;
        }
        self.at = at + 1;
        Some(at)
    }
}

/// The places of a node's edges by code, in whatever order they came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table([u8; Table::CODES]);

impl Table {
    /// All codes must be below this.
    pub(crate) const CODES: usize = 64;
    const NOWHERE: u8 = u8::MAX;

    /// The table of these edges.
    pub(crate) fn of(edges: &[Edge]) -> Table {
        let mut table = Table([Table::NOWHERE; Table::CODES]);
        for (edge, place) in edges.iter().zip(0..) {
            table.put(edge.action, place);
        }
        table
    }

    #[inline]
    pub(crate) fn put(&mut self, mv: Move, place: u8) {
        self.0[mv as usize % Table::CODES] = place;
    }
}

/// Goes by the table of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByTable<'a>(pub(crate) &'a Table);

impl Places<Move> for ByTable<'_> {
    #[inline(always)]
    fn find(&mut self, edges: &[Edge], action: &Move) -> Option<usize> {
        let place = self.0.0[*action as usize % Table::CODES].into();
        (place < edges.len()).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Erased, Model, Purpose, Seed};
    use fogtree_games::kuhn_poker::KuhnPoker;

    use super::*;

    /// Against looking at every edge, near and far, with and without an edge.
    #[test]
    fn in_turn_finds_what_is_there() {
        let mut rng = Seed(3).stream(Purpose::Ties);
        for round in 0..500 {
            let mut some = |share| (0..200u32).filter(|_| rng.below(100) < share).collect::<Vec<_>>();
            let (there, legal) = (some(round % 90 + 5), some(97 - round % 90));
            let edges: Vec<Edge<u32>> = there.iter().map(|&action| Edge::new(action)).collect();
            let mut places = InTurn::default();
            for action in &legal {
                assert_eq!(places.find(&edges, action), there.iter().position(|a| a == action), "{there:?}");
            }
        }
    }

    /// Edges may come in any order.
    #[test]
    fn tables_know_where_edges_are() {
        let game = Erased::new(KuhnPoker);
        let [check, bet, fold] = ["check", "bet", "fold"].map(|name| game.parse_move(name).unwrap());
        let edges = [Edge::new(bet), Edge::new(check)];
        let mut table = Table::of(&edges[..1]);
        let find = |table: &Table, n, action| ByTable(table).find(&edges[..n], &action);
        assert_eq!([check, bet, fold].map(|a| find(&table, 1, a)), [None, Some(0), None]);
        table.put(check, 1);
        assert_eq!([check, bet, fold].map(|a| find(&table, 2, a)), [Some(1), Some(0), None]);
    }
}
