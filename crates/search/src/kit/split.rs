//! Nodes of players who know what they hold, split off from those that all their possible holdings share.
//!
//! A search draws worlds in which another player holds now this and now that. If its decisions are found by what it did
//! and saw since the root alone, it has to choose for all of these together. Here each has a node of its own as soon as
//! there have been enough visits: of the visits to the shared node every `every`-th splits off a node for what the
//! player holds in that world, which from then on decides for it and learns. Where few holdings are possible the shared
//! node is soon left; where nearly every world has another, as in hands of 13 cards, it goes on deciding.

use super::store::{Edge, NodeId, Store};

/// As how many visits a split-off node counts, at most, what the shared one knows of a move.
const PRIOR: u32 = 1;

/// The node of a player who knows what it holds, if it has been split off; else the shared one, or a node split off now,
/// with what the shared one knows of these moves. Found or made; `None` if the memory is used up.
pub(crate) fn find_or_split<L: Copy + Ord>(
    store: &mut Store<L>,
    (shared, private): (u64, u64),
    parent: NodeId,
    moves: &[L],
    every: u32,
) -> Option<NodeId> {
    if let Some(node) = store.find(private) {
        return Some(node);
    }
    let from = store.find(shared);
    let visits = from.map_or(0, |node| store.node(node).visits) + 1;
    if !visits.is_multiple_of(every) {
        return from.or_else(|| store.insert(shared, parent));
    }
    let Some(node) = store.insert(private, parent) else { return from };
    if let Some(from) = from {
        store.node_mut(from).visits = visits;
        inherit(store, from, node, moves);
    }
    Some(node)
}

/// Gives a new node what another one knows of moves it has tried.
fn inherit<L: Copy + Ord>(store: &mut Store<L>, from: NodeId, to: NodeId, moves: &[L]) {
    let mut visits = 0;
    for &action in moves {
        let edges = store.edges(from);
        let Ok(place) = edges.binary_search_by(|e| e.action.cmp(&action)) else { continue };
        let known = edges[place];
        if known.visits == 0 || store.append_move(to, Edge::known(&known, PRIOR)).is_none() {
            continue;
        }
        visits += known.visits.min(PRIOR);
    }
    store.node_mut(to).visits = visits;
    store.edges_mut(to).iter_mut().for_each(|edge| edge.available = visits);
}

#[cfg(test)]
mod tests {
    use super::super::store::NONE;
    use super::*;

    /// Every third visit to what is shared splits a node off, which then decides for its holding; it begins with what
    /// was known of the moves that are legal there, each as one visit.
    #[test]
    fn nodes_split_off_at_every_third_visit() {
        let mut store: Store<u8> = Store::new(1 << 20);
        let mut visit = |holding: u64, moves: &[u8]| {
            let node = find_or_split(&mut store, (7, 100 + holding), NONE, moves, 3).unwrap();
            if store.key(node) == 7 {
                store.node_mut(node).visits += 1;
                store.admit(node, &[2, 5, 8], &mut Vec::new());
                store.edges_mut(node)[0].credit(0.25);
            }
            store.key(node)
        };
        assert_eq!([1, 2, 3, 1, 3, 2, 2, 2].map(|h| visit(h, &[2, 8])), [7, 7, 103, 7, 103, 7, 102, 102]);
        let own = store.find(103).unwrap();
        let edges: Vec<_> =
            store.edges(own).iter().map(|e| (e.action, e.visits, e.value, e.available)).collect();
        assert_eq!((edges, store.node(own).visits), (vec![(2, 1, 0.25, 1)], 1));
        assert_eq!(store.node(store.find(7).unwrap()).visits, 6);
    }

    /// With 1 nothing is shared.
    #[test]
    fn every_visit_may_split() {
        let mut store: Store<u8> = Store::new(1 << 20);
        for holding in 0..5 {
            let node = find_or_split(&mut store, (7, 100 + holding), NONE, &[1], 1).unwrap();
            assert_eq!((store.key(node), store.edges(node).len()), (100 + holding, 0));
        }
        assert_eq!(store.find(7), None);
    }
}
