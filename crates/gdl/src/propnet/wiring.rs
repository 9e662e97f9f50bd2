//! Who feeds whom: what differential evaluation needs to know of a network.

use crate::propnet::compiled::Compiled;
use crate::propnet::gates::Wire;

/// The gates that each wire feeds, and the bits of answers that each node is.
#[derive(Debug)]
pub(super) struct Wiring {
    fed: Lists<u32>,
    outputs: Lists<(u32, u32)>,
}

/// Many lists in one vector.
#[derive(Debug)]
struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    fn new(lists: Vec<Vec<T>>) -> Lists<T> {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend(list);
            starts.push(items.len() as u32);
        }
        Lists { starts, items }
    }

    #[inline]
    fn get(&self, at: usize) -> &[T] {
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

impl Wiring {
    /// `None` if there are facts that depend on themselves: what supports itself would never be withdrawn.
    pub(super) fn new(compiled: &Compiled) -> Option<Wiring> {
        if compiled.is_circular() {
            return None;
        }
        let (network, layout) = (&compiled.network, &compiled.layout);
        let nodes = network.inputs.len();
        let mut fed = vec![Vec::new(); 2 * nodes];
        for gate in (network.first_gate()..nodes).filter(|&g| compiled.live[g]) {
            for wire in &network.inputs[gate] {
                fed[wire.index() as usize].push(gate as u32);
            }
        }
        let mut outputs = vec![Vec::new(); nodes];
        for (wires, &start) in network.legal.iter().zip(&layout.legal) {
            for (at, wire) in wires.iter().enumerate() {
                outputs[wire.node()].push(((start + at / 64) as u32, at as u32 % 64));
            }
        }
        outputs[network.terminal.node()].push((layout.fluents as u32 / 64, layout.fluents as u32 % 64));
        for (at, wire) in network.next.iter().enumerate() {
            outputs[wire.node()].push(((layout.words() + at / 64) as u32, at as u32 % 64));
        }
        Some(Wiring { fed: Lists::new(fed), outputs: Lists::new(outputs) })
    }

    /// The gates with this wire among their inputs.
    #[inline]
    pub(super) fn fed_by(&self, wire: Wire) -> &[u32] {
        self.fed.get(wire.index() as usize)
    }

    /// The words and bits that turn over with this node: those of a state, then those of the next one.
    #[inline]
    pub(super) fn outputs(&self, node: usize) -> &[(u32, u32)] {
        self.outputs.get(node)
    }
}
