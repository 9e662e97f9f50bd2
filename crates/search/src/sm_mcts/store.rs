//! The nodes of the tree, with all that is learnt about them packed into a few vectors.
//!
//! A node has two numbers for each move of each player, and a block of slots for joint moves. Where joint moves
//! are many a block begins as a small hash table and doubles as they are tried; once it would take a quarter of
//! the room it is laid out in full. Children hang on slots, or, where chance draws in between, on draws.

/// No node, no slot.
pub(super) const NONE: u32 = u32::MAX;
/// A child with this bit is a list of draws.
pub(super) const DRAWS: u32 = 1 << 31;

/// Blocks with so few joint moves are laid out at once,
const SMALL: u32 = 16;
/// others begin with so many slots.
const FIRST: u32 = 4;

/// A state in which players choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Where its moves begin, the first player's before the second's.
    pub(super) first: u32,
    /// How many moves each player has; none if it is not to move.
    pub(super) counts: [u32; 2],
    pub(super) visits: u32,
    /// The sum of the first player's rewards.
    pub(super) total: f64,
    /// The slots of its joint moves.
    block: u32,
    size: u32,
    used: u32,
}

impl Node {
    /// The moves of both players.
    #[inline]
    pub(super) fn arms(&self) -> u32 {
        self.counts[0] + self.counts[1]
    }

    /// How many columns the table of joint moves has.
    #[inline]
    pub(super) fn columns(&self) -> u32 {
        self.counts[1].max(1)
    }

    #[inline]
    fn joints(&self) -> u32 {
        self.counts[0].max(1) * self.columns()
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.size == self.joints()
    }

    /// Where the slots are.
    #[inline]
    pub(super) fn block(&self) -> std::ops::Range<usize> {
        self.block as usize..(self.block + self.size) as usize
    }

    /// Where the numbers of a player's moves are: those it chooses by, and those its average comes from.
    #[inline]
    pub(super) fn numbers(&self, seat: usize) -> [std::ops::Range<usize>; 2] {
        let count = self.counts[seat] as usize;
        let values = 2 * self.first as usize + if seat == 1 { self.counts[0] as usize } else { 0 };
        let sums = values + self.arms() as usize;
        [values..values + count, sums..sums + count]
    }
}

/// What came of a joint move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The first player's mean reward; what is expected of it if it was never made.
    pub(super) mean: f64,
    pub(super) visits: u32,
    pub(super) child: u32,
}

/// All nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub(super) nodes: Vec<Node>,
    /// Two per move.
    pub(super) numbers: Vec<f64>,
    pub(super) slots: Vec<Slot>,
    /// Which joint move a slot is for.
    pub(super) joints: Vec<u32>,
    /// What joint moves never made are taken to be worth.
    pub(super) unvisited: f64,
}

impl Store {
    pub(super) fn new(unvisited: f64) -> Store {
        Store { unvisited, ..Store::default() }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.numbers.clear();
        self.slots.clear();
        self.joints.clear();
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.numbers.len() * size_of::<f64>()
            + self.slots.len() * (size_of::<Slot>() + size_of::<u32>())
    }

    /// Whether there are more moves or slots than can be counted.
    pub(super) fn is_beyond_counting(&self) -> bool {
        const MOST: usize = 1 << 31;
        self.nodes.len() >= MOST - 2 || self.numbers.len() >= 2 * MOST || self.slots.len() >= MOST
    }

    /// Makes a node; `None` if its joint moves are too many.
    pub(super) fn add(&mut self, counts: [u32; 2]) -> Option<u32> {
        let joints = u64::from(counts[0].max(1)) * u64::from(counts[1].max(1));
        if joints > 1 << 30 {
            return None;
        }
        let first = (self.numbers.len() / 2) as u32;
        let node = Node { first, counts, visits: 0, total: 0.0, block: 0, size: 0, used: 0 };
        self.numbers.resize(self.numbers.len() + 2 * node.arms() as usize, 0.0);
        self.nodes.push(node);
        Some(self.nodes.len() as u32 - 1)
    }

    /// The slot of a joint move, if there is one.
    #[inline]
    pub(super) fn find(&self, node: &Node, joint: u32) -> Option<u32> {
        if node.is_full() {
            return Some(node.block + joint);
        }
        if node.size == 0 {
            return None;
        }
        let (found, known) = self.probe(node.block, node.size, joint);
        known.then_some(found)
    }

    /// Where a joint move is in a hash table, or would be.
    #[inline]
    fn probe(&self, block: u32, size: u32, joint: u32) -> (u32, bool) {
        let mut at = joint.wrapping_mul(0x9e37_79b9) >> (32 - size.trailing_zeros());
        loop {
            let held = self.joints[(block + at) as usize];
            if held == joint || held == NONE {
                return (block + at, held == joint);
            }
            at = (at + 1) & (size - 1);
        }
    }

    /// The slot of a joint move, made if need be.
    #[inline]
    pub(super) fn slot(&mut self, node: u32, joint: u32) -> u32 {
        let at = self.nodes[node as usize];
        if at.is_full() {
            return at.block + joint;
        }
        if at.size > 0 {
            let (found, known) = self.probe(at.block, at.size, joint);
            if known {
                return found;
            }
            if at.used < at.size - at.size / 4 {
                self.joints[found as usize] = joint;
                self.nodes[node as usize].used += 1;
                return found;
            }
        }
        self.grow(node);
        self.slot(node, joint)
    }

    /// Gives a node more slots.
    fn grow(&mut self, node: u32) {
        let old = self.nodes[node as usize];
        let joints = old.joints();
        let doubled = (2 * old.size).max(FIRST);
        let size =
            if joints <= SMALL || 4 * u64::from(doubled) >= u64::from(joints) { joints } else { doubled };
        let block = self.slots.len() as u32;
        let empty = Slot { mean: self.unvisited, visits: 0, child: NONE };
        self.slots.resize(self.slots.len() + size as usize, empty);
        self.joints.resize(self.slots.len(), NONE);
        let new = &mut self.nodes[node as usize];
        (new.block, new.size) = (block, size);
        for from in old.block() {
            let joint = self.joints[from];
            if joint != NONE {
                let to = if size == joints { block + joint } else { self.probe(block, size, joint).0 };
                self.slots[to as usize] = self.slots[from];
                self.joints[to as usize] = joint;
            }
        }
    }

    /// The joint moves of a node that have slots, and these.
    pub(super) fn tried(&self, node: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let node = &self.nodes[node as usize];
        let full = node.is_full();
        let range = node.block();
        let first = node.block;
        range.filter_map(move |slot| {
            let joint = if full { slot as u32 - first } else { self.joints[slot] };
            (joint != NONE).then_some((joint, slot as u32))
        })
    }

    /// How often a player made each of its moves.
    pub(super) fn visits(&self, node: u32, seat: usize, out: &mut Vec<f64>) {
        let at = &self.nodes[node as usize];
        out.clear();
        out.resize(at.counts[seat] as usize, 0.0);
        if out.is_empty() {
            return;
        }
        for (joint, slot) in self.tried(node) {
            let arms = [joint / at.columns(), joint % at.columns()];
            out[arms[seat] as usize] += f64::from(self.slots[slot as usize].visits);
        }
    }

    /// Copies a node of another store to the end of this one; its children are still those of the other.
    pub(super) fn copy_from(&mut self, other: &Store, node: u32) -> u32 {
        let old = &other.nodes[node as usize];
        let first = (self.numbers.len() / 2) as u32;
        let block = self.slots.len() as u32;
        let numbers = 2 * old.first as usize;
        self.numbers.extend_from_slice(&other.numbers[numbers..numbers + 2 * old.arms() as usize]);
        self.slots.extend_from_slice(&other.slots[old.block()]);
        self.joints.extend_from_slice(&other.joints[old.block()]);
        self.nodes.push(Node { first, block, ..*old });
        self.nodes.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    /// Slots keep what was put into them while blocks grow from nothing to all joint moves, against a plain
    /// table.
    #[test]
    fn blocks_grow_without_losing_anything() {
        let mut rng = Seed(1).stream(Purpose::Ties);
        for counts in [[1, 1], [3, 5], [4, 4], [5, 5], [13, 13], [51, 51], [0, 7], [60, 0], [1, 2000]] {
            let mut store = Store::new(0.5);
            store.add([2, 2]);
            let node = store.add(counts).unwrap();
            let joints = counts[0].max(1) * counts[1].max(1);
            let mut plain = vec![0; joints as usize];
            for round in 0..4 * joints {
                let joint = rng.below(joints);
                let slot = store.slot(node, joint) as usize;
                assert_eq!(store.slots[slot].visits, plain[joint as usize], "{counts:?}, round {round}");
                store.slots[slot].visits += 1;
                plain[joint as usize] += 1;
                let other = rng.below(joints);
                let found = store.find(&store.nodes[node as usize], other);
                let visits = found.map_or(0, |slot| store.slots[slot as usize].visits);
                assert_eq!(visits, plain[other as usize]);
            }
            let mut sums = Vec::new();
            for (seat, count) in counts.into_iter().enumerate() {
                store.visits(node, seat, &mut sums);
                let total = if count > 0 { f64::from(4 * joints) } else { 0.0 };
                assert_eq!(sums.iter().sum::<f64>(), total);
            }
        }
    }

    /// A node of 51 by 51 moves that was visited a few times takes a few slots.
    #[test]
    fn wide_nodes_begin_small() {
        let mut store = Store::new(0.5);
        let node = store.add([51, 51]).unwrap();
        for joint in [5, 700, 2600] {
            store.slot(node, joint);
        }
        assert!(store.bytes() < 3000, "{}", store.bytes());
        assert!(store.add([1 << 20, 1 << 20]).is_none());
    }
}
