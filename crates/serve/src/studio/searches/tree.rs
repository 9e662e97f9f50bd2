//! The trees of a search that are kept to be looked into, and parts of them.

use std::collections::BinaryHeap;

use fogtree_core::explain::{Reached, SearchTree, TreeNode};
use fogtree_core::{Player, Rewards};
use fogtree_draw::Theme;
use fogtree_draw::tree::{Branch, Children, Look, Part, reached_in_words, value_range};
use fogtree_draw::tree::{TreeDrawing, tree_svg};
use fogtree_table::wire;
use serde::Serialize;

/// A tree with one root.
pub(super) struct KeptTree {
    pub(super) tree: SearchTree,
    children: Children,
    /// What nodes are worth to the searcher.
    range: (f64, f64),
    searcher: Player,
}

/// A node on the way to another.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Waypoint {
    /// Its number.
    node: usize,
    /// What led there, in words.
    words: String,
}

/// A child of a node.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "TreeChild"))]
pub(super) struct Child {
    /// The child.
    node: wire::TreeNode,
    /// Of the visits of all children.
    share: f64,
    /// How many children it has itself.
    more: u64,
}

impl KeptTree {
    /// A tree of a search by this player, with at most so many nodes.
    pub(super) fn new(tree: SearchTree, searcher: Player, most: usize) -> KeptTree {
        let tree = pruned(with_one_root(tree), most);
        let (children, range) = (Children::of(&tree), value_range(&tree, searcher));
        KeptTree { tree, children, range, searcher }
    }

    /// The nodes from the root to this one.
    pub(super) fn path(&self, node: usize) -> Vec<usize> {
        let up = std::iter::successors(Some(node), |&id| self.tree.nodes[id].parent);
        let mut path: Vec<usize> = up.collect();
        path.reverse();
        path
    }

    /// The nodes from the root to this one, in words.
    pub(super) fn waypoints(&self, node: usize) -> Vec<Waypoint> {
        let words = |node: usize| reached_in_words(&self.tree.nodes[node].reached);
        self.path(node).into_iter().map(|node| Waypoint { node, words: words(node) }).collect()
    }

    /// The most visited children of a node, and how many more there are.
    pub(super) fn below(&self, node: usize, top: usize) -> (Vec<Child>, u64) {
        let below = self.children.below(node);
        let all: u64 = below.iter().map(|&id| self.tree.nodes[id].visits).sum();
        let child = |&id: &usize| {
            let node = &self.tree.nodes[id];
            Child {
                node: wire::TreeNode::of(id, node),
                share: node.visits as f64 / all.max(1) as f64,
                more: self.children.below(id).len() as u64 + u64::from(node.left_out),
            }
        };
        let shown: Vec<Child> = below.iter().take(top).map(child).collect();
        let rest = (below.len() - shown.len()) as u64 + u64::from(self.tree.nodes[node].left_out);
        (shown, rest)
    }

    /// The picture of a part.
    pub(super) fn svg(&self, part: Part, theme: Theme) -> String {
        let mut branches = part.branches(&self.tree, &self.children, self.searcher);
        // A root that stands for several has no words of its own.
        if let Some(Branch { look: Look::Place, label, .. }) = branches.first_mut().filter(|_| part.node == 0)
        {
            *label = "root".to_string();
        }
        tree_svg(&branches, &TreeDrawing { theme, player: self.searcher, range: self.range })
    }
}

/// Trees of others may begin at several places: then these hang below one root.
fn with_one_root(tree: SearchTree) -> SearchTree {
    let roots = || tree.nodes.iter().filter(|node| node.parent.is_none());
    if roots().count() < 2 {
        return tree;
    }
    let visits: u64 = roots().map(|node| node.visits).sum();
    let players = roots().find_map(|node| node.values.as_ref()).map_or(0, |values| values.len());
    let mean = |player: Player| {
        let of = |node: &TreeNode| node.values.as_ref().map_or(0.0, |v| v[player] * node.visits as f64);
        roots().map(of).sum::<f64>() / visits.max(1) as f64
    };
    let root = TreeNode {
        parent: None,
        depth: 0,
        reached: Reached::Root,
        turn: None,
        visits,
        available: None,
        values: (players > 0).then(|| Rewards::from_fn(players, mean)),
        left_out: 0,
    };
    let SearchTree { of, nodes } = tree;
    let below =
        nodes.into_iter().map(|node| TreeNode { parent: Some(node.parent.map_or(0, |p| p + 1)), ..node });
    SearchTree { of, nodes: std::iter::once(root).chain(below).collect() }
}

/// The tree without the nodes that were visited least, if it has too many.
fn pruned(mut tree: SearchTree, most: usize) -> SearchTree {
    if tree.nodes.len() <= most {
        return tree;
    }
    // Nodes are taken from the root on, the most visited first; of equals those that were written first.
    let children = Children::of(&tree);
    let mut wanted = vec![false; tree.nodes.len()];
    let mut open = BinaryHeap::from([(u64::MAX, std::cmp::Reverse(0))]);
    for _ in 0..most {
        let Some((_, std::cmp::Reverse(id))) = open.pop() else { break };
        wanted[id] = true;
        open.extend(children.below(id).iter().map(|&id| (tree.nodes[id].visits, std::cmp::Reverse(id))));
    }
    let mut places = vec![0; tree.nodes.len()];
    let mut kept: Vec<TreeNode> = Vec::with_capacity(most);
    for (id, node) in std::mem::take(&mut tree.nodes).into_iter().enumerate() {
        let parent = node.parent.map(|parent| (wanted[parent], places[parent]));
        match parent {
            _ if wanted[id] => {
                places[id] = kept.len();
                kept.push(TreeNode { parent: parent.map(|(_, place)| place), ..node });
            }
            Some((true, place)) => kept[place].left_out += 1,
            _ => {}
        }
    }
    tree.nodes = kept;
    tree
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, visits: u64) -> TreeNode {
        TreeNode {
            parent,
            depth: 0,
            reached: Reached::Seen(vec![format!("{visits}")]),
            turn: None,
            visits,
            available: None,
            values: Some(Rewards::zero_sum(visits as f64)),
            left_out: 0,
        }
    }

    #[test]
    fn several_roots_hang_below_one() {
        let nodes = vec![node(None, 1), node(Some(0), 1), node(None, 3)];
        let kept = KeptTree::new(SearchTree { of: Player(1), nodes }, Player(0), 100);
        let parents: Vec<_> = kept.tree.nodes.iter().map(|n| n.parent).collect();
        assert_eq!(parents, [None, Some(0), Some(1), Some(0)]);
        assert_eq!(kept.tree.nodes[0].visits, 4);
        assert_eq!(kept.tree.nodes[0].values.as_ref().unwrap()[Player(0)], 2.5);
        assert_eq!(kept.path(2), [0, 1, 2]);
        let (children, rest) = kept.below(0, 1);
        assert_eq!((children[0].node.id, children[0].share, children[0].more, rest), (3, 0.75, 0, 1));
    }

    /// The most visited nodes stay, each with its parents, and what goes is counted.
    #[test]
    fn a_large_tree_keeps_what_was_visited_most() {
        let mut nodes = vec![node(None, 1000)];
        for i in 0..100u64 {
            nodes.push(node(Some(0), 100 - i));
            nodes.push(node(Some(nodes.len() - 1), 50 - i / 2));
        }
        let kept = pruned(SearchTree { of: Player(0), nodes }, 61);
        assert_eq!(kept.nodes.len(), 61);
        assert!(kept.nodes.iter().enumerate().all(|(i, n)| n.parent.is_none_or(|p| p < i)));
        let least = kept.nodes.iter().map(|n| n.visits).min().unwrap();
        let (top, left_out): (Vec<_>, Vec<_>) =
            kept.nodes.iter().partition(|n| n.parent.is_some_and(|p| p == 0) || n.parent.is_none());
        assert!(left_out.iter().all(|n| n.visits >= least) && top.len() > 40, "{} {least}", top.len());
        assert_eq!(kept.nodes[0].left_out as usize, 100 - (top.len() - 1));
    }
}
