//! What the searches of this module tell about their trees.

use std::collections::HashMap;

use fogtree_core::{Explain, Model, Move, Observer, Player, World, WorldStep};

use super::partial::Label;
use crate::kit::explanation::{Explanation, Statistics, Trace, Words};
use crate::kit::store::{Form, NodeId, Store};

impl<L: Copy + Ord> Statistics<L> for Store<L> {
    fn visits(&self, node: NodeId) -> u64 {
        self.node(node).visits.into()
    }

    /// The searcher may always make all its moves; those of others are counted once they are ranked.
    fn moves(&self, node: NodeId, own: bool) -> Vec<(L, u64, Option<u64>)> {
        let visits = self.node(node).visits;
        let edges = self.edges(node);
        let counted = self.node(node).form == Form::Ranked;
        let available = |n: u32| match own {
            true => Some(visits.into()),
            false => counted.then_some(n.into()),
        };
        edges.iter().map(|e| (e.action, e.visits.into(), available(e.available))).collect()
    }
}

/// The account of a search, begun with what is left from earlier searches.
pub(super) fn trace<L: Copy + Ord>(
    explain: Option<Explain>,
    me: Player,
    players: usize,
    tree: usize,
    store: &Store<L>,
) -> Option<Box<Trace<L>>> {
    explain.map(|explain| {
        let mut trace = Box::new(Trace::new(me, players, explain));
        trace.keep(tree, (0..store.len()).map(|id| store.node(id as NodeId).parent));
        trace
    })
}

/// What a search of actions tells after it chose one.
pub(super) fn tell(trace: Option<&Trace<Move>>, game: &dyn Model, store: &Store, made: Move) -> Explanation {
    let words =
        Words { name: &|_, action| game.move_name(action), explain: &|seen, by| game.explain(seen, by) };
    trace.map_or_else(Explanation::default, |trace| trace.tell(store, trace.root(), made, words))
}

/// The account of a search whose moves are labels.
pub(super) struct Labels {
    pub(super) trace: Box<Trace<Label>>,
    names: HashMap<(Player, Label), String>,
}

impl Labels {
    pub(super) fn new(trace: Box<Trace<Label>>) -> Labels {
        Labels { trace, names: HashMap::new() }
    }

    /// A player decided at a node by making a move with this label.
    pub(super) fn pass(
        &mut self,
        game: &dyn Model,
        world: &dyn World,
        me: Player,
        (node, label, who): (NodeId, Label, Player),
        action: Move,
        by_sight: bool,
    ) {
        self.trace.pass(0, node, who, label);
        self.names.entry((who, label)).or_insert_with(|| match by_sight {
            false => game.move_name(action),
            true => {
                let by = Observer::Seat(me);
                let seen = world.observe(WorldStep::Moves(&[(who, action)]), by);
                seen.map_or_else(|| "(unseen)".to_string(), |seen| game.explain(&seen, by))
            }
        });
    }

    pub(super) fn tell(&self, game: &dyn Model, store: &Store<Label>, made: Label) -> Explanation {
        let unknown = |label| format!("#{label:x}");
        let name = |who, label| self.names.get(&(who, label)).cloned().unwrap_or_else(|| unknown(label));
        let words = Words { name: &name, explain: &|seen, by| game.explain(seen, by) };
        self.trace.tell(store, self.trace.root(), made, words)
    }
}
