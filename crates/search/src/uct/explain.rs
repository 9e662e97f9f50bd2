//! What a search of a known state tells about its tree: it is walked after the search, state by state.

use std::ops::Range;

use arrayvec::ArrayVec;
use fogtree_core::explain::{Decider, Reached};
use fogtree_core::{
    Explain, LineStep, MAX_PLAYERS, Move, Player, Rewards, SearchTree, TreeLimits, TreeNode, Turn, World,
    WorldStep,
};

use super::{Draw, Edge, NONE, UctSearch};
use crate::kit::explanation::Explanation;
use crate::kit::insertion_sort;

/// Moves of a turn that is not complete.
type Pending = ArrayVec<(Player, Move), MAX_PLAYERS>;

/// A place in the tree with the state there.
struct Place {
    node: u32,
    state: Box<dyn World>,
    pending: Pending,
    /// Whether the searcher has yet to make the first move of all.
    first: bool,
}

impl Clone for Place {
    fn clone(&self) -> Self {
        Place { node: self.node, state: self.state.boxed(), pending: self.pending.clone(), first: self.first }
    }
}

/// Where a walk goes on: a place, how many moves lead there, and its entry in the written tree, if it has one.
struct Visit {
    place: Place,
    depth: usize,
    entry: Option<usize>,
}

impl UctSearch {
    /// Adds what some moves on the path were credited with to their sums.
    #[cold]
    pub(super) fn sum_up(&mut self, moves: Range<usize>, rewards: &Rewards) {
        let players = rewards.len();
        let Some(sums) = &mut self.sums else { return };
        sums.resize(self.edges.len() * players, 0.0);
        for &(edge, _) in &self.path[moves] {
            let sums = &mut sums[edge as usize * players..][..players];
            sums.iter_mut().zip(rewards.iter()).for_each(|(sum, r)| *sum += r);
        }
    }

    /// Who decides at a place; `None` if the game is over.
    fn decider(&self, place: &Place, who: Player) -> Option<Decider> {
        match place.state.turn() {
            Turn::Terminal => None,
            Turn::Chance => Some(Decider::Chance),
            Turn::Player(p) => Some(Decider::Player(p)),
            Turn::Simultaneous(_) if place.first => Some(Decider::Player(who)),
            Turn::Simultaneous(players) => {
                let chosen = |p: &Player| place.pending.iter().any(|m| m.0 == *p);
                players.iter().find(|p| !chosen(p)).map(Decider::Player)
            }
        }
    }

    /// The place after a move of a player to move.
    fn after_move(&self, mut place: Place, p: Player, edge: &Edge) -> Place {
        place.pending.push((p, edge.action));
        if place.pending.len() == place.state.turn().players().len() {
            insertion_sort::sort_by_key(&mut place.pending, |m| m.0);
            let moves = std::mem::take(&mut place.pending);
            place.state.apply(WorldStep::Moves(&moves));
            if let Some(open) = self.opened.as_deref().filter(|_| place.first) {
                open.reveal(&mut *place.state);
            }
        }
        Place { node: edge.child, first: false, ..place }
    }

    fn after_draw(&self, mut place: Place, draw: &Draw) -> Place {
        place.state.apply(WorldStep::Chance(&draw.outcome));
        Place { node: draw.child, ..place }
    }

    fn edges_of(&self, node: u32) -> std::ops::Range<usize> {
        let node = &self.nodes[node as usize];
        node.first as usize..(node.first + node.count) as usize
    }

    /// All there is to tell after the move `made` was chosen in the state `root`.
    pub(super) fn tell(&self, root: &dyn World, who: Player, made: Move, explain: Explain) -> Explanation {
        let root = Place { node: 0, state: root.boxed(), pending: Pending::new(), first: true };
        let mut telling = Explanation { line: self.line(root.clone(), who, made), ..Explanation::default() };
        let mut nodes: Vec<TreeNode> = Vec::new();
        if explain.tree.is_some() {
            let visits = self.nodes[0].visits.into();
            let values = self.sums.as_ref().and_then(|_| self.means(self.edges_of(0)));
            nodes.push(TreeNode {
                parent: None,
                depth: 0,
                reached: Reached::Root,
                turn: self.decider(&root, who),
                visits,
                available: None,
                values,
                left_out: 0,
            });
        }
        let entry = explain.tree.map(|_| 0);
        let mut stack = vec![Visit { place: root, depth: 0, entry }];
        while let Some(Visit { place, depth, entry }) = stack.pop() {
            telling.count(depth);
            let write = entry.zip(explain.tree);
            match self.decider(&place, who) {
                None => {}
                Some(Decider::Chance) => {
                    for draw in self.draws_of(place.node) {
                        let name = || Reached::Chance(place.state.outcome_name(&draw.outcome));
                        let next = self.after_draw(place.clone(), draw);
                        let node = |turn| self.entry(depth, name(), turn, draw.visits, None);
                        let turn = self.decider(&next, who);
                        let entry = write.and_then(|(at, limits)| put(&mut nodes, at, limits, node(turn)));
                        if draw.child != NONE {
                            stack.push(Visit { place: next, depth, entry });
                        }
                    }
                }
                Some(Decider::Player(p)) => {
                    let mut edges: Vec<usize> = self.edges_of(place.node).collect();
                    insertion_sort::sort_by_key(&mut edges, |&e| {
                        (std::cmp::Reverse(self.real_visits(e)), self.edges[e].action)
                    });
                    for e in edges.into_iter().filter(|&e| self.real_visits(e) > 0) {
                        let edge = &self.edges[e];
                        let next = self.after_move(place.clone(), p, edge);
                        let entry = write.and_then(|(at, limits)| {
                            let name = Reached::Move(p, self.rules.move_name(edge.action));
                            let values = self.means(e..e + 1);
                            let turn = self.decider(&next, who);
                            put(
                                &mut nodes,
                                at,
                                limits,
                                self.entry(depth + 1, name, turn, self.real_visits(e), values),
                            )
                        });
                        if edge.child != NONE {
                            stack.push(Visit { place: next, depth: depth + 1, entry });
                        }
                    }
                }
            }
        }
        telling.trees = explain.tree.map(|_| SearchTree { of: who, nodes }).into_iter().collect();
        telling
    }

    fn entry(
        &self,
        depth: usize,
        reached: Reached,
        turn: Option<Decider>,
        visits: u32,
        values: Option<Rewards>,
    ) -> TreeNode {
        let (depth, visits) = (depth as u32, visits.into());
        TreeNode { parent: None, depth, reached, turn, visits, available: None, values, left_out: 0 }
    }

    /// The mean rewards after some moves taken together.
    fn means(&self, edges: std::ops::Range<usize>) -> Option<Rewards> {
        let players = self.rules.facts().players;
        let sums = self.sums.as_ref()?;
        let visits: u32 = edges.clone().map(|e| self.real_visits(e)).sum();
        let sum = |p: Player| {
            let of = |e: usize| sums.get(e * players + p.index()).copied().unwrap_or(0.0);
            edges.clone().map(of).sum::<f64>()
        };
        (visits > 0).then(|| Rewards::from_fn(players, |p| sum(p) / f64::from(visits)))
    }

    /// The principal variation.
    fn line(&self, root: Place, who: Player, made: Move) -> Vec<LineStep> {
        let mut line = Vec::new();
        let mut place = root;
        while place.node != NONE {
            place = match self.decider(&place, who) {
                None => break,
                Some(Decider::Chance) => {
                    let most =
                        self.draws_of(place.node).reduce(|a, b| if b.visits > a.visits { b } else { a });
                    let Some(draw) = most else { break };
                    line.push(LineStep { by: None, name: place.state.outcome_name(&draw.outcome) });
                    self.after_draw(place, draw)
                }
                Some(Decider::Player(p)) => {
                    let edges = self.edges_of(place.node).filter(|&e| self.real_visits(e) > 0);
                    let chosen = |&e: &usize| !place.first || self.edges[e].action == made;
                    let rank = |&e: &usize| (self.real_visits(e), std::cmp::Reverse(self.edges[e].action));
                    let Some(best) = edges.filter(chosen).max_by_key(rank) else { break };
                    let edge = &self.edges[best];
                    line.push(LineStep { by: Some(p), name: self.rules.move_name(edge.action) });
                    self.after_move(place, p, edge)
                }
            };
        }
        line
    }
}

/// Writes a node below another, within the limits; returns its place.
fn put(nodes: &mut Vec<TreeNode>, parent: usize, limits: TreeLimits, node: TreeNode) -> Option<usize> {
    if !limits.admit(node.depth, node.visits) {
        nodes[parent].left_out += 1;
        return None;
    }
    nodes.push(TreeNode { parent: Some(parent), ..node });
    Some(nodes.len() - 1)
}
