//! A tree that grows where it promises most.

use fogtree_core::{Budget, Info, Move, Rng, world::InfoTrees};

use super::{Found, Leaf, Opponent, all_after, greatest};

/// A tree does not grow beyond this; information sets are then judged, but not kept.
const MOST_NODES: usize = 100_000;

/// How information sets are judged.
#[derive(Clone, Copy)]
pub(super) struct Judge {
    pub(super) leaf: Leaf,
    pub(super) evaluation: usize,
}

#[derive(Clone, Copy, Default)]
struct Count {
    visits: u32,
    total: f64,
}

impl Count {
    fn mean(self) -> f64 {
        self.total / f64::from(self.visits)
    }

    fn add(&mut self, value: f64) {
        self.visits += 1;
        self.total += value;
    }
}

/// A decision.
struct Node {
    known: Info,
    count: Count,
    /// None before it is first left.
    edges: Option<Vec<Edge>>,
}

/// An action, and the decisions it may lead to.
struct Edge {
    action: Move,
    count: Count,
    /// None before it is first taken.
    children: Option<Vec<usize>>,
}

pub(super) struct Search<'a> {
    tree: &'a dyn InfoTrees,
    opponent: Opponent,
    judge: Judge,
    c: f64,
    rng: &'a mut Rng,
    nodes: Vec<Node>,
    seen: Vec<Info>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        tree: &'a dyn InfoTrees,
        opponent: Opponent,
        judge: Judge,
        c: f64,
        rng: &'a mut Rng,
    ) -> Self {
        Search { tree, opponent, judge, c, rng, nodes: Vec::new(), seen: Vec::new() }
    }

    pub(super) fn run(mut self, root: &Info, budget: &Budget) -> Found {
        self.nodes.push(Node { known: root.clone(), count: Count::default(), edges: None });
        let mut clock = budget.start();
        let mut deepest = 0;
        let mut path = Vec::new();
        while clock.tick() {
            path.clear();
            let value = self.descend(&mut path);
            deepest = deepest.max(path.len() as u32);
            let mut at = 0;
            self.nodes[0].count.add(value);
            for &(edge, child) in &path {
                let edge = &mut self.nodes[at].edges.as_mut().expect("it was left by one of them")[edge];
                edge.count.add(value);
                if child == usize::MAX {
                    break;
                }
                at = child;
                self.nodes[at].count.add(value);
            }
        }
        let edges = self.nodes[0].edges.as_deref().unwrap_or_default();
        let moves = edges.iter().map(|e| (u64::from(e.count.visits), e.count.mean())).collect();
        let best = greatest(edges.iter().map(|e| f64::from(e.count.visits)));
        Found { moves, best, iterations: clock.done(), nodes: self.nodes.len() as u64, depth: deepest }
    }

    /// Goes down to an information set that was not judged before and judges it. The path holds the edges taken and the
    /// nodes they led to, [`usize::MAX`] for one that is not kept.
    fn descend(&mut self, path: &mut Vec<(usize, usize)>) -> f64 {
        let mut at = 0;
        loop {
            self.expand(at);
            let depth = path.len() as u32;
            let Some(edge) = self.choose_action(at) else {
                return self.judged(&self.nodes[at].known.clone(), depth);
            };
            if !self.observe(at, edge) {
                path.push((edge, usize::MAX));
                let drawn = self.rng.below(self.seen.len().max(1) as u32) as usize;
                let known = self.seen.swap_remove(drawn);
                return self.judged(&known, depth + 1);
            }
            let child = self.choose_observation(at, edge);
            path.push((edge, child));
            at = child;
            if self.nodes[at].count.visits == 0 {
                return self.judged(&self.nodes[at].known.clone(), depth + 1);
            }
        }
    }

    fn judged(&mut self, known: &Info, depth: u32) -> f64 {
        match self.judge.leaf {
            Leaf::Evaluate => self.tree.evaluate(self.judge.evaluation, known),
            Leaf::Simulate { which, depth: to } => {
                self.tree.simulate(which, known, to.saturating_sub(depth), self.rng)
            }
        }
    }

    fn expand(&mut self, at: usize) {
        if self.nodes[at].edges.is_none() {
            let mut legal = Vec::new();
            self.tree.moves(&self.nodes[at].known, &mut legal);
            let edge = |action| Edge { action, count: Count::default(), children: None };
            self.nodes[at].edges = Some(legal.into_iter().map(edge).collect());
        }
    }

    /// The edge of the greatest bound, those not yet taken first; none at the end of the game.
    fn choose_action(&self, at: usize) -> Option<usize> {
        let edges = self.nodes[at].edges.as_deref()?;
        if let Some(new) = edges.iter().position(|edge| edge.count.visits == 0) {
            return Some(new);
        }
        let log = f64::from(self.nodes[at].count.visits.max(1)).ln();
        let bound = |count: Count| count.mean() + self.c * (log / f64::from(count.visits)).sqrt();
        let mut best = None;
        for (i, edge) in edges.iter().enumerate() {
            let bound = bound(edge.count);
            if best.is_none_or(|(_, most)| bound > most) {
                best = Some((i, bound));
            }
        }
        best.map(|(i, _)| i)
    }

    /// Makes the nodes that an edge leads to; answers whether there are any. If there is no room for them they are left
    /// in `seen`.
    fn observe(&mut self, at: usize, edge: usize) -> bool {
        let taken = &self.nodes[at].edges.as_ref().expect("it was expanded")[edge];
        if taken.children.is_some() {
            return true;
        }
        self.seen.clear();
        all_after(self.tree, &self.nodes[at].known, taken.action, &mut self.seen);
        if self.nodes.len() + self.seen.len() > MOST_NODES {
            return false;
        }
        let first = self.nodes.len();
        let new = self.seen.drain(..).map(|known| Node { known, count: Count::default(), edges: None });
        self.nodes.extend(new);
        let children = (first..self.nodes.len()).collect();
        self.nodes[at].edges.as_mut().expect("it was expanded")[edge].children = Some(children);
        true
    }

    /// What is seen: the worst, as far as is known, those not yet seen first; or anything.
    fn choose_observation(&mut self, at: usize, edge: usize) -> usize {
        let edge = &self.nodes[at].edges.as_ref().expect("it was expanded")[edge];
        let children = edge.children.as_deref().expect("it was observed");
        if self.opponent == Opponent::Overconfident {
            return *self.rng.pick(children);
        }
        if let Some(&new) = children.iter().find(|&&child| self.nodes[child].count.visits == 0) {
            return new;
        }
        let log = f64::from(edge.count.visits.max(1)).ln();
        let bound = |child: usize| {
            let count = self.nodes[child].count;
            count.mean() - self.c * (log / f64::from(count.visits)).sqrt()
        };
        let mut best = (children[0], bound(children[0]));
        for &child in &children[1..] {
            let bound = bound(child);
            if bound < best.1 {
                best = (child, bound);
            }
        }
        best.0
    }
}
