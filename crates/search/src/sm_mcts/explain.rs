//! The account of a tree: how deep its nodes lie, the principal variation, and the tree written out. Players who
//! choose at the same time stand below one another there, at the root the searcher first.

use fogtree_core::explain::{Decider, Reached};
use fogtree_core::{
    Explain, LineStep, Model, Move, PerPlayer, Player, Rewards, SearchTree, TreeLimits, TreeNode, World,
    WorldStep,
};

use super::store::{DRAWS, NONE};
use super::tree::{Link, Tree};
use crate::Scale;
use crate::kit::explanation::Explanation;
use crate::kit::insertion_sort;

/// Tells about a tree.
pub(super) struct Account<'a> {
    pub(super) rules: &'a dyn Model,
    /// The state at the root of the tree.
    pub(super) start: &'a dyn World,
    pub(super) tree: &'a Tree,
    pub(super) me: Player,
    pub(super) scale: Scale,
    /// What both players get together.
    pub(super) sum: f64,
}

impl Account<'_> {
    /// What there is to tell after a search that made the searcher's move with this number.
    pub(super) fn tell(&self, made: usize, explain: Explain) -> Explanation {
        let mut telling = Explanation { line: self.line(made), ..Explanation::default() };
        self.count(self.tree.root, 0, &mut telling);
        if let Some(limits) = explain.tree.filter(|_| self.tree.root != NONE) {
            let root = self.tree_node(None, 0, Reached::Root, self.tree.root, self.here(self.tree.root));
            let mut nodes = vec![root];
            self.write(&mut nodes, 0, self.tree.root, self.start, limits);
            telling.trees = vec![SearchTree { of: self.me, nodes }];
        }
        telling
    }

    fn count(&self, child: u32, depth: usize, telling: &mut Explanation) {
        if child == NONE {
            return;
        }
        if child & DRAWS != 0 {
            for (draw, _) in self.tree.listed(child) {
                self.count(self.tree.child(Link::Draw(draw)), depth, telling);
            }
            return;
        }
        telling.count(depth);
        for (_, slot) in self.tree.store.tried(child) {
            self.count(self.tree.child(Link::Slot(slot)), depth + 1, telling);
        }
    }

    /// The players who choose at a node, the searcher first.
    fn order(&self, node: u32) -> impl Iterator<Item = Player> {
        let counts = self.tree.store.nodes[node as usize].counts;
        [self.me, self.me.other()].into_iter().filter(move |p| counts[p.index()] > 0)
    }

    fn arms(&self, node: u32, joint: u32) -> [u32; 2] {
        let columns = self.tree.store.nodes[node as usize].columns();
        [joint / columns, joint % columns]
    }

    fn name(&self, node: u32, who: Player, arms: [u32; 2]) -> String {
        let arm = arms[who.index()] as usize;
        self.rules.move_name(self.tree.actions_of(node, who.index())[arm])
    }

    /// Makes the joint move of these arms at a node.
    fn play(&self, world: &mut dyn World, node: u32, arms: [u32; 2]) {
        let chosen = |p: Player| (p, self.tree.actions_of(node, p.index())[arms[p.index()] as usize]);
        let mut moves: Vec<(Player, Move)> = self.order(node).map(chosen).collect();
        insertion_sort::sort_by_key(&mut moves, |m| m.0);
        world.apply(WorldStep::Moves(&moves));
    }

    /// The moves most often made, one after the other, beginning with the one made.
    fn line(&self, made: usize) -> Vec<LineStep> {
        let mut line = Vec::new();
        let mut at = self.tree.root;
        let mut world = self.start.boxed();
        while at != NONE {
            if at & DRAWS != 0 {
                let visits = |draw: u32| self.here(self.tree.child(Link::Draw(draw))).0;
                let listed = self.tree.listed(at);
                let Some((draw, outcome)) = listed.max_by_key(|(draw, _)| visits(*draw)) else { break };
                line.push(LineStep { by: None, name: world.outcome_name(outcome) });
                world.apply(WorldStep::Chance(outcome));
                at = self.tree.child(Link::Draw(draw));
                continue;
            }
            let is_first = line.is_empty();
            let visits = |slot: u32| self.tree.store.slots[slot as usize].visits;
            let tried = self.tree.store.tried(at).filter(|&(joint, slot)| {
                let own = self.arms(at, joint)[self.me.index()] as usize;
                visits(slot) > 0 && (!is_first || own == made)
            });
            let most = tried.max_by_key(|&(joint, slot)| (visits(slot), std::cmp::Reverse(joint)));
            let Some((joint, slot)) = most else { break };
            let arms = self.arms(at, joint);
            let mut players: Vec<Player> = self.order(at).collect();
            if !is_first {
                insertion_sort::sort_by_key(&mut players, |&p| p);
            }
            line.extend(players.into_iter().map(|p| LineStep { by: Some(p), name: self.name(at, p, arms) }));
            self.play(&mut *world, at, arms);
            at = self.tree.child(Link::Slot(slot));
        }
        line
    }

    /// The visits of a node and the sum of the first player's rewards there; nothing is kept about chance.
    fn here(&self, child: u32) -> (u64, f64) {
        let node = self.tree.store.nodes.get(child as usize);
        node.map_or((0, 0.0), |node| (node.visits.into(), node.total))
    }

    fn rewards(&self, visits: u64, total: f64) -> Option<PerPlayer<f64>> {
        (visits > 0).then(|| {
            let first = self.scale.reward(total / visits as f64);
            Rewards::from_fn(2, |p| if p.0 == 0 { first } else { self.sum - first })
        })
    }

    /// A place above `child`, which so many iterations passed with rewards of this sum.
    fn tree_node(
        &self,
        parent: Option<usize>,
        depth: u32,
        reached: Reached,
        child: u32,
        (visits, total): (u64, f64),
    ) -> TreeNode {
        let turn = match child {
            NONE => None,
            child if child & DRAWS != 0 => Some(Decider::Chance),
            node => self.order(node).next().map(Decider::Player),
        };
        let values = self.rewards(visits, total);
        TreeNode { parent, depth, reached, turn, visits, available: None, values, left_out: 0 }
    }

    /// Writes what hangs below a place.
    fn write(
        &self,
        nodes: &mut Vec<TreeNode>,
        parent: usize,
        child: u32,
        world: &dyn World,
        limits: TreeLimits,
    ) {
        if child == NONE {
            return;
        }
        let depth = nodes[parent].depth;
        if child & DRAWS != 0 {
            for (draw, outcome) in self.tree.listed(child) {
                let next = self.tree.child(Link::Draw(draw));
                let reached = Reached::Chance(world.outcome_name(outcome));
                let node = self.tree_node(Some(parent), depth, reached, next, self.here(next));
                if let Some(at) = put(nodes, node, limits) {
                    let after = world.after(WorldStep::Chance(outcome));
                    self.write(nodes, at, next, &*after, limits);
                }
            }
            return;
        }
        let players: Vec<Player> = self.order(child).collect();
        let mut made: Vec<_> = self.tree.store.tried(child).collect();
        made.retain(|&(_, slot)| self.tree.store.slots[slot as usize].visits > 0);
        insertion_sort::sort_by_key(&mut made, |&(joint, _)| {
            let arms = self.arms(child, joint);
            [arms[players[0].index()], arms[players[0].other().index()]]
        });
        for group in made.chunk_by(|a, b| {
            let lead = players[0].index();
            self.arms(child, a.0)[lead] == self.arms(child, b.0)[lead]
        }) {
            let sums = |slots: &[(u32, u32)]| {
                slots.iter().fold((0, 0.0), |(visits, total), &(_, slot)| {
                    let slot = &self.tree.store.slots[slot as usize];
                    (visits + u64::from(slot.visits), total + slot.mean * f64::from(slot.visits))
                })
            };
            let arms = self.arms(child, group[0].0);
            let next = self.tree.child(Link::Slot(group[0].1));
            let alone = players.len() == 1;
            let reached = Reached::Move(players[0], self.name(child, players[0], arms));
            let mut node = self.tree_node(Some(parent), depth + 1, reached, next, sums(group));
            if !alone {
                node.turn = Some(Decider::Player(players[1]));
            }
            let Some(at) = put(nodes, node, limits) else { continue };
            if alone {
                let mut after = world.boxed();
                self.play(&mut *after, child, arms);
                self.write(nodes, at, next, &*after, limits);
                continue;
            }
            for one in group {
                let next = self.tree.child(Link::Slot(one.1));
                let name = self.name(child, players[1], self.arms(child, one.0));
                let reached = Reached::Move(players[1], name);
                let node = self.tree_node(Some(at), depth + 2, reached, next, sums(&[*one]));
                if let Some(below) = put(nodes, node, limits) {
                    let mut after = world.boxed();
                    self.play(&mut *after, child, self.arms(child, one.0));
                    self.write(nodes, below, next, &*after, limits);
                }
            }
        }
    }
}

/// Writes a node, within the limits; returns its place.
fn put(nodes: &mut Vec<TreeNode>, node: TreeNode, limits: TreeLimits) -> Option<usize> {
    if limits.admit(node.depth, node.visits) {
        nodes.push(node);
        return Some(nodes.len() - 1);
    }
    if let Some(parent) = node.parent {
        nodes[parent].left_out += 1;
    }
    None
}
