//! Plans of both sides that evolve in a tree of turns: turn-based evolutionary tree search (TBETS).
//!
//! A node is a whole turn of one side, and its children are answers to it. An iteration goes down from the root by
//! UCB, stopping on the way with a probability that falls from one half to nothing as the search goes on. Where it stops at a
//! node without children it draws some; elsewhere it adds one, a mutation of a child or a mixture of two, chosen by
//! tournament. A node is worth what the side to move can get by its best child, a leaf what the game's evaluation says
//! after the turns that led there. Among the turns that were answered the best is played. Source: the public TUBSTAP
//! program of T. Neller; Neller, Huang and Cho (`tubstap/2.10`).
//!
//! There is one tree for all worlds, which are drawn once for the decision: a leaf is judged in each of them, after
//! the turns on its path as far as they can be made there.

use std::collections::HashSet;

use fogtree_core::{Budget, InfoSet, Move, Player, Report, Rewards, Rng, World};

use super::rhea::mix;
use super::turn::{Bench, Mean, Plan, report};
use crate::Scale;
use crate::kit::root::RootTable;

/// What can be set about the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tbets {
    /// The turns drawn at the root.
    pub initial: u32,
    /// The answers drawn at another node.
    pub answers: u32,
    /// How often a new turn is a mutation, and not a mixture.
    pub mutations: f64,
    /// The probability that a mutation draws a move anew.
    pub rate: f64,
    /// The exploration constant, for rewards scaled to [0, 1].
    pub c: f64,
}

impl Tbets {
    /// As in the source.
    pub const USUAL: Tbets = Tbets { initial: 20, answers: 5, mutations: 0.3, rate: 0.4, c: 1.414 };
}

/// How often the way down ends at a node with children, at first.
const STOP: f64 = 0.5;

/// A turn in the tree.
#[derive(Clone, Debug)]
struct Node {
    parent: usize,
    turn: Vec<Move>,
    children: Vec<usize>,
    /// Who makes the next turn, nobody if the game is over.
    mover: Option<Player>,
    value: Rewards,
    /// The nodes below, and this one.
    size: u32,
}

struct Tree {
    nodes: Vec<Node>,
    /// The turns that are there already, by parent.
    known: HashSet<(usize, Vec<Move>)>,
}

impl Tree {
    /// A node to go on at.
    fn descend(&self, c: f64, progress: f64, scale: Scale, rng: &mut Rng) -> usize {
        let mut at = 0;
        while let (Some(mover), [_, _, ..]) = (self.nodes[at].mover, &self.nodes[at].children[..]) {
            if rng.unit() < STOP * (1.0 - progress) {
                break;
            }
            let node = &self.nodes[at];
            let log = f64::from(node.size).ln();
            let bound = |&child: &usize| {
                let child = &self.nodes[child];
                scale.value(child.value[mover]) + c * (log / f64::from(child.size)).sqrt()
            };
            at = node.children[crate::exact::minimax::first_best(node.children.iter().map(bound))];
        }
        at
    }

    /// A child of a node, the best of some for whoever chooses.
    fn tournament(&self, at: usize, mover: Player, rng: &mut Rng) -> usize {
        let children = &self.nodes[at].children;
        let worth = |child: usize| self.nodes[child].value[mover];
        let mut best = *rng.pick(children);
        for _ in 1..(children.len() / 2).max(3) {
            let other = *rng.pick(children);
            if worth(other) > worth(best) {
                best = other;
            }
        }
        best
    }

    fn add(&mut self, parent: usize, turn: Vec<Move>, mover: Option<Player>, value: Rewards) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node { parent, turn, children: Vec::new(), mover, value, size: 1 });
        self.nodes[parent].children.push(at);
        let mut above = parent;
        loop {
            self.nodes[above].size += 1;
            if let Some(mover) = self.nodes[above].mover {
                let node = &self.nodes[above];
                let best = crate::exact::minimax::first_best(
                    node.children.iter().map(|&c| self.nodes[c].value[mover]),
                );
                self.nodes[above].value = self.nodes[node.children[best]].value.clone();
            }
            if above == 0 {
                return at;
            }
            above = self.nodes[above].parent;
        }
    }

    /// The turns from the root to a node.
    fn path(&self, mut at: usize) -> Vec<usize> {
        let mut path = Vec::new();
        while at != 0 {
            path.push(at);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }
}

/// What was counted.
struct Count {
    table: RootTable,
    depth: usize,
    moves: u64,
}

pub(super) fn find(
    tbets: Tbets,
    bench: &mut Bench,
    before: &[Move],
    info: &InfoSet,
    budget: &Budget,
) -> (Plan, Report) {
    let worlds = bench.worlds(info, bench.playouts);
    let scale = Scale::of(&bench.facts);
    let mut count = Count { table: bench.table(info), depth: 0, moves: 0 };
    let value = Rewards::from_fn(bench.facts.players, |_| bench.facts.utility_bounds.0);
    let root =
        Node { parent: 0, turn: Vec::new(), children: Vec::new(), mover: Some(info.seat), value, size: 1 };
    let mut tree = Tree { nodes: vec![root], known: HashSet::new() };
    let mut clock = budget.start();
    let mut drawing = Some((0, tbets.initial.max(1)));
    while clock.tick() {
        clock.show(|| count.table.progress(count.moves, count.depth));
        let spent = budget.iterations.map_or(0.0, |n| clock.done() as f64 / n.max(1) as f64);
        let late = budget.time.map_or(0.0, |t| clock.elapsed().as_secs_f64() / t.as_secs_f64());
        let at = match drawing {
            Some((at, _)) => at,
            None => tree.descend(tbets.c, spent.max(late).min(1.0), scale, &mut bench.ties),
        };
        if tree.nodes[at].children.is_empty() && drawing.is_none() {
            drawing = Some((at, tbets.answers.max(1)));
        }
        let Some(mover) = tree.nodes[at].mover else {
            drawing = None;
            continue;
        };
        let (asked, wild) = match drawing {
            Some(_) if at == 0 && tree.nodes[0].children.is_empty() => (before.to_vec(), 0.0),
            Some(_) => (Vec::new(), 0.0),
            None => vary(tbets, &tree, (at, mover), &mut bench.ties),
        };
        grow(bench, &mut tree, at, (&asked, wild), &worlds, info, &mut count);
        if bench.until.has_passed() {
            break;
        }
        drawing = drawing.filter(|left| left.1 > 1).map(|(at, left)| (at, left - 1));
    }
    let children = &tree.nodes[0].children;
    let answered =
        |child: &usize| !tree.nodes[*child].children.is_empty() || tree.nodes[*child].mover.is_none();
    let any = children.iter().any(answered);
    let worth = |child: &usize| match !any || answered(child) {
        true => tree.nodes[*child].value[info.seat],
        false => f64::NEG_INFINITY,
    };
    let best = children.get(crate::exact::minimax::first_best(children.iter().map(worth)));
    let plan = best.map(|&best| bench.plan(&tree.nodes[best].turn, &worlds, info)).unwrap_or_default();
    (plan, report(&count.table, clock.done(), (count.moves, count.depth), clock.elapsed()))
}

/// A new turn from those that are there, and how wildly to change it.
fn vary(tbets: Tbets, tree: &Tree, (at, mover): (usize, Player), rng: &mut Rng) -> (Vec<Move>, f64) {
    let one = &tree.nodes[tree.tournament(at, mover, rng)].turn;
    if rng.unit() < tbets.mutations || tree.nodes[at].children.len() < 2 {
        return (one.clone(), tbets.rate);
    }
    let other = &tree.nodes[tree.tournament(at, mover, rng)].turn;
    let mut mixed = Vec::new();
    mix(one, other, rng, &mut mixed);
    (mixed, 0.0)
}

/// Takes a turn in a world, the first or that of whoever is next. Returns the moves, none if the game is over.
fn take(
    bench: &mut Bench,
    state: &mut dyn World,
    first: bool,
    (asked, wild): (&[Move], f64),
    info: &InfoSet,
) -> Vec<Move> {
    let who = if first { Some(info.seat) } else { bench.settle(state) };
    who.map_or_else(Vec::new, |who| bench.play(state, (who, info.key), asked, wild).moves())
}

/// Makes a turn in a world and, if it is new, judges it in all of them and adds it to the tree.
fn grow(
    bench: &mut Bench,
    tree: &mut Tree,
    at: usize,
    (asked, wild): (&[Move], f64),
    worlds: &[Box<dyn World>],
    info: &InfoSet,
    count: &mut Count,
) {
    let path = tree.path(at);
    let mut state = bench.sampling.pick(worlds).clone();
    for (i, &step) in path.iter().enumerate() {
        if take(bench, &mut *state, i == 0, (&tree.nodes[step].turn, 0.0), info).is_empty() {
            return;
        }
    }
    let turn = take(bench, &mut *state, path.is_empty(), (asked, wild), info);
    if turn.is_empty() || !tree.known.insert((at, turn.clone())) {
        return;
    }
    let mut mean = Mean::new(bench.facts.players);
    let mut mover = None;
    for world in worlds {
        state.clone_from(world);
        for (i, step) in path.iter().map(|&step| &tree.nodes[step].turn).chain([&turn]).enumerate() {
            take(bench, &mut *state, i == 0, (step, 0.0), info);
        }
        let next = bench.settle(&mut *state);
        mover = mover.or(next);
        mean.add(&bench.judge(&mut *state));
        if bench.until.has_passed() {
            break;
        }
    }
    if mean.count < worlds.len() as f64 && !tree.nodes[0].children.is_empty() {
        return;
    }
    let rewards = mean.rewards();
    let first = path.first().map_or(turn[0], |&child| tree.nodes[child].turn[0]);
    count.table.add(count.table.index_of(first), &rewards, 1.0);
    count.moves += turn.len() as u64;
    count.depth = count.depth.max(path.len() + 1);
    tree.add(at, turn, mover, rewards);
}
