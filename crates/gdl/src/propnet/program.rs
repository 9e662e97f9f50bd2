//! Straight-line programs: gates in an order in which every input is known, run over values of one game or of 64.
//!
//! Values lie in an array with two entries per node, the second one negated, so that a wire is an index.

use std::ops::{BitAnd, Not};

use crate::propnet::gates::{Circle, Wire};
use crate::propnet::network::Network;

/// The value of a node: in one game, or in each of 64 games.
pub(super) trait Lanes: Copy + Eq + BitAnd<Output = Self> + Not<Output = Self> {
    /// It does not hold in any.
    const NONE: Self;
}

impl Lanes for u8 {
    const NONE: u8 = 0;
}

impl Lanes for u64 {
    const NONE: u64 = 0;
}

/// Programs over so many values need no checks of bounds.
const NARROW: usize = 1 << 16;

/// Room for the values of all nodes, nothing holding but truth.
pub(super) fn values<V: Lanes>(nodes: usize) -> Box<[V]> {
    let mut values = vec![V::NONE; (2 * nodes).max(NARROW)].into_boxed_slice();
    for node in 0..nodes {
        values[2 * node + 1] = !V::NONE;
    }
    set(&mut values, 0, !V::NONE);
    values
}

/// Sets the value of a node.
#[inline]
pub(super) fn set<V: Lanes>(values: &mut [V], node: usize, value: V) {
    let pair = &mut values[2 * node..2 * node + 2];
    (pair[0], pair[1]) = (value, !value);
}

#[derive(Debug)]
enum Op {
    /// So many gates with so many inputs each: node, then inputs.
    Gates { inputs: u32, count: u32 },
    /// The next operations are repeated until the latches equal their definitions, which begin as false.
    Circle { latches: Vec<(u32, u32)>, operations: u32 },
}

#[derive(Debug)]
enum Code {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

/// A part of a network in the order of evaluation.
#[derive(Debug)]
pub(super) struct Program {
    operations: Vec<Op>,
    code: Code,
    gates: usize,
}

impl Program {
    /// The program for some nodes of a network, those marked.
    pub(super) fn new(network: &Network, marked: &[bool]) -> Program {
        let mut writer = Writer { network, operations: Vec::new(), code: Vec::new(), gates: 0 };
        let first = network.first_gate();
        let is_gate = |node: usize| marked[node] && !network.inputs[node].is_empty();
        let circles: Vec<&Circle> =
            network.circles.iter().filter(|c| c.latches.iter().any(|&(latch, _)| marked[latch])).collect();
        let mut at = first;
        for circle in &circles {
            let start = circle.latches.iter().map(|l| l.0).min().unwrap_or(at);
            writer.gates((at..start).filter(|&n| is_gate(n)).collect());
            writer.circle(circle, circle.gates.clone().filter(|&n| is_gate(n)).collect());
            at = circle.gates.end.max(start + circle.latches.len());
        }
        writer.gates((at..network.inputs.len()).filter(|&n| is_gate(n)).collect());
        let Writer { operations, code, gates, .. } = writer;
        let code = if 2 * network.inputs.len() <= NARROW {
            Code::Narrow(code.into_iter().map(|c| c as u16).collect())
        } else {
            Code::Wide(code)
        };
        Program { operations, code, gates }
    }

    /// How many gates it evaluates.
    pub(super) fn len(&self) -> usize {
        self.gates
    }

    /// Evaluates the gates.
    pub(super) fn run<V: Lanes>(&self, values: &mut [V]) {
        match &self.code {
            Code::Narrow(code) => {
                let values = values.first_chunk_mut::<NARROW>().expect("room for narrow programs");
                run(&self.operations, code, values);
            }
            Code::Wide(code) => run(&self.operations, code, values),
        }
    }
}

struct Writer<'a> {
    network: &'a Network,
    operations: Vec<Op>,
    code: Vec<u32>,
    gates: usize,
}

impl Writer<'_> {
    /// Writes gates level by level, those with equally many inputs together.
    fn gates(&mut self, nodes: Vec<usize>) {
        let Some((&first, &last)) = nodes.first().zip(nodes.last()) else {
            return;
        };
        let mut levels = vec![0u32; last - first + 1];
        for &node in &nodes {
            let below = self.network.inputs[node].iter().map(|w| w.node());
            let level = below.filter(|&n| n >= first && n < node).map(|n| levels[n - first] + 1).max();
            levels[node - first] = level.unwrap_or(1);
        }
        let mut nodes = nodes;
        nodes.sort_by_key(|&n| (levels[n - first], self.network.inputs[n].len()));
        self.gates += nodes.len();
        let same = |a: &usize, b: &usize| self.network.inputs[*a].len() == self.network.inputs[*b].len();
        for group in nodes.chunk_by(same) {
            let inputs = self.network.inputs[group[0]].len() as u32;
            self.operations.push(Op::Gates { inputs, count: group.len() as u32 });
            for &node in group {
                self.code.push(Wire::new(node).index());
                self.code.extend(self.network.inputs[node].iter().map(|w| w.index()));
            }
        }
    }

    fn circle(&mut self, circle: &Circle, nodes: Vec<usize>) {
        let at = self.operations.len();
        let latches =
            circle.latches.iter().map(|&(latch, definition)| (Wire::new(latch).index(), definition.index()));
        self.operations.push(Op::Circle { latches: latches.collect(), operations: 0 });
        self.gates(nodes);
        let inside = self.operations.len() - at - 1;
        if let Op::Circle { operations, .. } = &mut self.operations[at] {
            *operations = inside as u32;
        }
    }
}

/// Values by index.
trait Cells<I, V> {
    fn get(&self, index: I) -> V;
    fn put(&mut self, index: I, value: V);
}

impl<V: Lanes> Cells<u16, V> for [V; NARROW] {
    #[inline(always)]
    fn get(&self, index: u16) -> V {
        self[index as usize]
    }

    #[inline(always)]
    fn put(&mut self, index: u16, value: V) {
        self[index as usize] = value;
        self[(index | 1) as usize] = !value;
    }
}

impl<V: Lanes> Cells<u32, V> for [V] {
    #[inline(always)]
    fn get(&self, index: u32) -> V {
        self[index as usize]
    }

    #[inline(always)]
    fn put(&mut self, index: u32, value: V) {
        let pair = &mut self[index as usize..index as usize + 2];
        (pair[0], pair[1]) = (value, !value);
    }
}

fn run<I: Copy + TryFrom<u32>, V: Lanes>(
    operations: &[Op],
    code: &[I],
    values: &mut (impl Cells<I, V> + ?Sized),
) {
    let mut code = code;
    let mut at = 0;
    while let Some(operation) = operations.get(at) {
        at += 1;
        match operation {
            Op::Gates { inputs, count } => {
                let (these, rest) = code.split_at((*inputs as usize + 1) * *count as usize);
                gates(*inputs as usize, these, values);
                code = rest;
            }
            Op::Circle { latches, operations: inside } => {
                let inside = &operations[at..at + *inside as usize];
                at += inside.len();
                let length: usize = inside.iter().map(length).sum();
                let (body, rest) = code.split_at(length);
                code = rest;
                let cell = |index: u32| I::try_from(index).ok().expect("an index of this program");
                latches.iter().for_each(|&(latch, _)| values.put(cell(latch), V::NONE));
                loop {
                    run(inside, body, values);
                    let mut changed = false;
                    for &(latch, definition) in latches {
                        let value = values.get(cell(definition));
                        if values.get(cell(latch)) != value {
                            values.put(cell(latch), value);
                            changed = true;
                        }
                    }
                    if !changed {
                        break;
                    }
                }
            }
        }
    }
}

fn length(operation: &Op) -> usize {
    match operation {
        Op::Gates { inputs, count } => (*inputs as usize + 1) * *count as usize,
        Op::Circle { .. } => 0,
    }
}

#[inline(always)]
fn gates<I: Copy, V: Lanes>(inputs: usize, code: &[I], values: &mut (impl Cells<I, V> + ?Sized)) {
    match inputs {
        2 => {
            for gate in code.as_chunks::<3>().0 {
                values.put(gate[0], values.get(gate[1]) & values.get(gate[2]));
            }
        }
        3 => {
            for gate in code.as_chunks::<4>().0 {
                values.put(gate[0], values.get(gate[1]) & values.get(gate[2]) & values.get(gate[3]));
            }
        }
        4 => {
            for gate in code.as_chunks::<5>().0 {
                let (left, right) =
                    (values.get(gate[1]) & values.get(gate[2]), values.get(gate[3]) & values.get(gate[4]));
                values.put(gate[0], left & right);
            }
        }
        _ => {
            for gate in code.chunks_exact(inputs + 1) {
                let first = values.get(gate[1]);
                let value = gate[2..].iter().fold(first, |value, &input| value & values.get(input));
                values.put(gate[0], value);
            }
        }
    }
}

/// The nodes that some wires depend on.
pub(super) fn cone(network: &Network, wires: impl Iterator<Item = Wire>) -> Vec<bool> {
    let mut marked = vec![false; network.inputs.len()];
    let mut circle_of = rustc_hash::FxHashMap::default();
    for (number, circle) in network.circles.iter().enumerate() {
        circle.latches.iter().for_each(|&(latch, _)| {
            circle_of.insert(latch, number);
        });
    }
    let mut todo: Vec<usize> = wires.map(Wire::node).collect();
    while let Some(node) = todo.pop() {
        if std::mem::replace(&mut marked[node], true) {
            continue;
        }
        todo.extend(network.inputs[node].iter().map(|w| w.node()));
        if let Some(&circle) = circle_of.get(&node) {
            let circle = &network.circles[circle];
            todo.extend(circle.latches.iter().flat_map(|&(latch, definition)| [latch, definition.node()]));
        }
    }
    marked
}
