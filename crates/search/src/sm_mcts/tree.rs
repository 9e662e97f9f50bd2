//! The tree of one game: the nodes of a [`Store`] with their moves, and what chance drew in between.

use fogtree_core::{Move, Outcome, World};

use super::settings::{Average, Method, Selection};
use super::store::{DRAWS, NONE, Store};
use crate::bandit::normalise;

/// Where chance drew more than this many different outcomes, others lead out of the tree.
const MOST_DRAWS: u32 = 1 << 12;

/// What chance drew, and what follows.
#[derive(Clone, Debug)]
struct Draw {
    outcome: Outcome,
    child: u32,
    /// The next in the list.
    next: u32,
    /// How many are in the list from here on.
    listed: u32,
}

/// Where a child hangs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Link {
    /// It is the root.
    Root,
    /// Below a joint move.
    Slot(u32),
    /// Below a draw.
    Draw(u32),
}

/// A tree.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) store: Store,
    /// The moves of both players of every node.
    pub(super) actions: Vec<Move>,
    draws: Vec<Draw>,
    /// A node, or a list of draws.
    pub(super) root: u32,
    memory: usize,
}

impl Tree {
    pub(super) fn new(unvisited: f64, memory: usize) -> Tree {
        Tree { store: Store::new(unvisited), actions: Vec::new(), draws: Vec::new(), root: NONE, memory }
    }

    pub(super) fn clear(&mut self) {
        self.store.clear();
        self.actions.clear();
        self.draws.clear();
        self.root = NONE;
    }

    pub(super) fn len(&self) -> usize {
        self.store.nodes.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.actions.len() * size_of::<Move>() + self.draws.len() * size_of::<Draw>()
    }

    pub(super) fn is_full(&self) -> bool {
        // Growing a vector may take twice its length for a while.
        2 * self.bytes() > self.memory || self.store.is_beyond_counting()
    }

    /// What hangs there.
    #[inline]
    pub(super) fn child(&self, link: Link) -> u32 {
        match link {
            Link::Root => self.root,
            Link::Slot(slot) => self.store.slots[slot as usize].child,
            Link::Draw(draw) => self.draws[draw as usize].child,
        }
    }

    fn hang(&mut self, link: Link, child: u32) {
        match link {
            Link::Root => self.root = child,
            Link::Slot(slot) => self.store.slots[slot as usize].child = child,
            Link::Draw(draw) => self.draws[draw as usize].child = child,
        }
    }

    /// Makes the node of a state in which players choose; nothing if there is no more room.
    pub(super) fn grow(&mut self, state: &dyn World, link: Link) -> Option<u32> {
        if link != Link::Root && self.is_full() {
            return None;
        }
        let first = self.actions.len();
        let mut counts = [0; 2];
        for p in state.turn().players().iter() {
            let before = self.actions.len();
            state.legal(p, &mut self.actions);
            counts[p.index()] = (self.actions.len() - before) as u32;
        }
        let node = self.store.add(counts);
        match node {
            Some(node) => self.hang(link, node),
            None => self.actions.truncate(first),
        }
        node
    }

    /// The slot of a joint move; `NONE` if it was never made and there is no more room.
    #[inline]
    pub(super) fn slot(&mut self, node: u32, joint: u32) -> u32 {
        let found = self.store.find(&self.store.nodes[node as usize], joint);
        match found {
            Some(slot) => slot,
            None if self.is_full() => NONE,
            None => self.store.slot(node, joint),
        }
    }

    /// Where play goes on after chance drew this outcome; nothing if there is no more room.
    pub(super) fn draw(&mut self, link: Link, outcome: &Outcome) -> Option<Link> {
        let list = self.child(link);
        if let Some(found) = self.find_draw(list, outcome) {
            return Some(Link::Draw(found));
        }
        let next = if list == NONE { NONE } else { list & !DRAWS };
        let listed = self.draws.get(next as usize).map_or(0, |draw| draw.listed);
        if listed >= MOST_DRAWS || self.draws.len() >= DRAWS as usize - 1 || self.is_full() {
            return None;
        }
        let new = self.draws.len() as u32;
        self.draws.push(Draw { outcome: outcome.clone(), child: NONE, next, listed: listed + 1 });
        self.hang(link, DRAWS | new);
        Some(Link::Draw(new))
    }

    /// The place of an outcome in a list of draws.
    pub(super) fn find_draw(&self, list: u32, outcome: &Outcome) -> Option<u32> {
        self.listed(list).find(|(_, drawn)| *drawn == outcome).map(|(at, _)| at)
    }

    /// The draws of a list.
    pub(super) fn listed(&self, list: u32) -> impl Iterator<Item = (u32, &Outcome)> {
        let mut at = if list == NONE { NONE } else { list & !DRAWS };
        std::iter::from_fn(move || {
            let draw = self.draws.get(at as usize)?;
            let here = at;
            at = draw.next;
            Some((here, &draw.outcome))
        })
    }

    /// What follows a draw from a list.
    pub(super) fn after_draw(&self, list: u32, outcome: &Outcome) -> u32 {
        self.find_draw(list, outcome).map_or(NONE, |draw| self.draws[draw as usize].child)
    }

    /// What follows a joint move at a node.
    pub(super) fn after_moves(&self, node: u32, [row, column]: [usize; 2]) -> u32 {
        let at = &self.store.nodes[node as usize];
        let slot = self.store.find(at, row as u32 * at.columns() + column as u32);
        slot.map_or(NONE, |slot| self.store.slots[slot as usize].child)
    }

    /// The moves of a player at a node.
    #[inline]
    pub(super) fn actions_of(&self, node: u32, seat: usize) -> &[Move] {
        let node = &self.store.nodes[node as usize];
        let first = node.first as usize + if seat == 1 { node.counts[0] as usize } else { 0 };
        &self.actions[first..first + node.counts[seat] as usize]
    }

    /// A move of a player at a node.
    #[inline]
    pub(super) fn action(&self, node: u32, seat: usize, arm: u32) -> Move {
        let node = &self.store.nodes[node as usize];
        let first = node.first + if seat == 1 { node.counts[0] } else { 0 };
        self.actions[(first + arm) as usize]
    }

    /// The average strategy of a player at a node.
    pub(super) fn average(&self, method: &Method, node: u32, seat: usize, out: &mut Vec<f64>) {
        let counted = matches!(method, Method::Mcts(mcts)
            if matches!(mcts.selection, Selection::Duct { .. }) && mcts.average == Average::Played);
        if counted {
            self.store.visits(node, seat, out);
        } else {
            let [_, sums] = self.store.nodes[node as usize].numbers(seat);
            out.clear();
            out.extend_from_slice(&self.store.numbers[sums]);
        }
        normalise(out);
    }

    /// How often a player made each of its moves at a node, as shares.
    pub(super) fn frequencies(&self, node: u32, seat: usize, out: &mut Vec<f64>) {
        self.store.visits(node, seat, out);
        normalise(out);
    }

    /// Keeps what hangs there and drops the rest; `spare` lends its room.
    pub(super) fn keep(&mut self, child: u32, spare: &mut Tree) {
        spare.clear();
        spare.root = self.copy(child, spare);
        let mut next = 0;
        // Children are copied after their parents, and parents then point to them.
        let mut drawn = 0;
        while next < spare.store.nodes.len() || drawn < spare.draws.len() {
            if drawn < spare.draws.len() {
                spare.draws[drawn].child = self.copy(spare.draws[drawn].child, spare);
                drawn += 1;
                continue;
            }
            for slot in spare.store.nodes[next].block() {
                spare.store.slots[slot].child = self.copy(spare.store.slots[slot].child, spare);
            }
            next += 1;
        }
        std::mem::swap(self, spare);
        spare.clear();
    }

    /// Copies a node or a list of draws, without what hangs below it; returns the place of the copy.
    fn copy(&self, child: u32, to: &mut Tree) -> u32 {
        if child == NONE {
            return NONE;
        }
        if child & DRAWS == 0 {
            let node = &self.store.nodes[child as usize];
            let first = node.first as usize;
            to.actions.extend_from_slice(&self.actions[first..first + node.arms() as usize]);
            return to.store.copy_from(&self.store, child);
        }
        let first = to.draws.len() as u32;
        let mut at = child & !DRAWS;
        while let Some(draw) = self.draws.get(at as usize) {
            at = draw.next;
            let next = if at == NONE { NONE } else { to.draws.len() as u32 + 1 };
            to.draws.push(Draw { next, ..draw.clone() });
        }
        DRAWS | first
    }
}
