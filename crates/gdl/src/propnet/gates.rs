//! Gates under construction: each is a conjunction of literals, and equal gates are one gate.
//!
//! A disjunction is a negated conjunction. Since every role makes exactly one move, most of a role's moves or'ed
//! together are replaced by "none of the others", and two moves of one role never go together.

use rustc_hash::FxHashMap;

/// A node or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Wire(u32);

impl Wire {
    pub(super) const TRUE: Wire = Wire(0);
    pub(super) const FALSE: Wire = Wire(1);

    pub(super) fn new(node: usize) -> Wire {
        Wire((node as u32) << 1)
    }

    #[inline]
    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub(super) fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Its place in an array with two entries per node.
    #[inline]
    pub(super) fn index(self) -> u32 {
        self.0
    }

    /// The same sign on another node.
    pub(super) fn on(self, node: usize) -> Wire {
        Wire((node as u32) << 1 | self.0 & 1)
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// Facts that depend on one another: their values are found by going round until nothing changes.
#[derive(Clone, Debug)]
pub(super) struct Circle {
    /// Each with what defines it.
    pub(super) latches: Vec<(usize, Wire)>,
    /// The gates made for the definitions.
    pub(super) gates: std::ops::Range<usize>,
}

/// The nodes: 0 is truth, then fluents, then moves by role, then latches and gates.
#[derive(Debug)]
pub(super) struct Gates {
    /// What each gate is the conjunction of; nothing for other nodes.
    pub(super) inputs: Vec<Box<[Wire]>>,
    pub(super) circles: Vec<Circle>,
    known: FxHashMap<Box<[Wire]>, u32>,
    first_move: usize,
    /// The first node after each role's moves.
    move_ends: Vec<usize>,
}

impl Gates {
    pub(super) fn new(fluents: usize, moves: &[usize]) -> Gates {
        let first_move = 1 + fluents;
        let mut end = first_move;
        let move_ends: Vec<usize> = moves
            .iter()
            .map(|m| {
                end += m;
                end
            })
            .collect();
        let inputs = vec![Box::default(); end];
        Gates { inputs, circles: Vec::new(), known: FxHashMap::default(), first_move, move_ends }
    }

    pub(super) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// A node whose value comes from a [`Circle`].
    pub(super) fn latch(&mut self) -> Wire {
        self.inputs.push(Box::default());
        Wire::new(self.inputs.len() - 1)
    }

    /// The nodes of the moves of the role that this move is one of.
    fn moves_with(&self, node: usize) -> Option<(usize, usize)> {
        if node < self.first_move || self.move_ends.last().is_none_or(|&end| node >= end) {
            return None;
        }
        let role = self.move_ends.partition_point(|&end| end <= node);
        let start = if role == 0 { self.first_move } else { self.move_ends[role - 1] };
        Some((start, self.move_ends[role]))
    }

    /// Every one of them.
    pub(super) fn all(&mut self, mut wires: Vec<Wire>) -> Wire {
        wires.sort_unstable();
        wires.dedup();
        wires.retain(|&w| w != Wire::TRUE);
        let clash = |wires: &[Wire]| {
            wires.first() == Some(&Wire::FALSE) || wires.windows(2).any(|w| w[0].node() == w[1].node())
        };
        if clash(&wires) || !self.one_move_per_role(&mut wires) || clash(&wires) {
            return Wire::FALSE;
        }
        match wires[..] {
            [] => Wire::TRUE,
            [one] => one,
            _ => {
                let wires: Box<[Wire]> = wires.into();
                if let Some(&node) = self.known.get(&wires) {
                    return Wire::new(node as usize);
                }
                self.known.insert(wires.clone(), self.inputs.len() as u32);
                self.inputs.push(wires);
                Wire::new(self.inputs.len() - 1)
            }
        }
    }

    /// At least one of them.
    pub(super) fn any(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        !self.all(wires.into_iter().map(|w| !w).collect())
    }

    /// Simplifies a sorted conjunction by what is known of moves; false if it cannot be satisfied.
    fn one_move_per_role(&mut self, wires: &mut Vec<Wire>) -> bool {
        let mut at = 0;
        while at < wires.len() {
            let Some((start, end)) = self.moves_with(wires[at].node()) else {
                at += 1;
                continue;
            };
            let here = at..at + wires[at..].iter().take_while(|w| w.node() < end).count();
            let mut done = wires[here.clone()].iter().filter(|w| !w.negated());
            if let Some(&done_one) = done.next() {
                if done.next().is_some() {
                    return false;
                }
                wires.splice(here, [done_one]);
                at += 1;
                continue;
            }
            let (excluded, all) = (here.len(), end - start);
            if excluded == all {
                return false;
            }
            if 2 * excluded <= all {
                at = here.end;
                continue;
            }
            let others: Vec<Wire> = (start..end)
                .map(Wire::new)
                .filter(|&w| wires[here.clone()].binary_search(&!w).is_err())
                .collect();
            let one_of_others = self.any(others);
            wires.splice(here, [one_of_others]);
            wires.sort_unstable();
            wires.dedup();
            // The new wire is no move, or the only one left of this role: what precedes it stays simplified.
            at = wires.iter().take_while(|w| w.node() < end).count();
        }
        true
    }

    /// One of several conjunctions, with what they share taken out.
    pub(super) fn sum(&mut self, mut products: Vec<Vec<Wire>>) -> Wire {
        products.iter_mut().for_each(|p| {
            p.sort_unstable();
            p.dedup();
        });
        products.sort_unstable();
        products.dedup();
        if products.iter().any(Vec::is_empty) {
            return Wire::TRUE;
        }
        let mut counts: FxHashMap<Wire, u32> = FxHashMap::default();
        for &wire in products.iter().flatten() {
            *counts.entry(wire).or_default() += 1;
        }
        // What stands alone absorbs every conjunction that it is in.
        let alone: Vec<Wire> = products.iter().filter(|p| p.len() == 1).map(|p| p[0]).collect();
        let mut groups: Vec<(Wire, Vec<Vec<Wire>>)> = Vec::new();
        let mut group_of: FxHashMap<Wire, usize> = FxHashMap::default();
        let mut terms = alone.clone();
        for product in products.into_iter().filter(|p| p.len() > 1) {
            if !alone.is_empty() && product.iter().any(|w| alone.binary_search(w).is_ok()) {
                continue;
            }
            let shared = product.iter().copied().max_by_key(|w| (counts[w], std::cmp::Reverse(*w)));
            match shared.filter(|w| counts[w] > 1) {
                None => terms.push(self.all(product)),
                Some(wire) => {
                    let group = *group_of.entry(wire).or_insert_with(|| {
                        groups.push((wire, Vec::new()));
                        groups.len() - 1
                    });
                    groups[group].1.push(product);
                }
            }
        }
        for (wire, mut products) in groups {
            products.iter_mut().for_each(|p| p.retain(|&w| w != wire));
            let rest = if products.len() == 1 {
                let mut product = products.swap_remove(0);
                product.push(wire);
                self.all(product)
            } else {
                let rest = self.sum(products);
                self.all(vec![wire, rest])
            };
            terms.push(rest);
        }
        self.any(terms)
    }
}
