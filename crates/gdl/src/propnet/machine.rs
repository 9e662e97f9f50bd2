//! Evaluation of one game at a time, in two ways: all gates in order, or only those that what changed leads to.

use serde::Serialize;
use smallvec::SmallVec;

use crate::propnet::compiled::Compiled;
use crate::propnet::gates::Wire;
use crate::propnet::program::{self, Program};
use crate::propnet::wiring::Wiring;

/// How a network is evaluated, one game at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Evaluation {
    /// Every gate, in order.
    Forward,
    /// Only the gates with changed inputs.
    Differential,
}

/// The values of a network in one state, and with one joint move.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    evaluation: Evaluation,
    values: Box<[u8]>,
    /// The words of the state it is in (fluents, terminal bit, legal moves), then those of the fluents after the
    /// moves made.
    words: Vec<u64>,
    /// The nodes of the moves made.
    made: SmallVec<[u32; 4]>,
    /// Forward: whether the words of the next state are those of the moves made.
    stepped: bool,
    /// Differential: for each gate, how many of its inputs do not hold.
    missing: Vec<u32>,
    /// Differential: gates that may have changed.
    queue: Vec<u32>,
}

impl Machine {
    /// A machine in the initial state. Evaluation is forward if the network allows no other.
    pub(super) fn new(compiled: &Compiled, evaluation: Evaluation) -> Machine {
        let (network, layout) = (&compiled.network, &compiled.layout);
        let mut values = program::values::<u8>(network.inputs.len());
        let mut words = compiled.initial();
        words.resize(layout.words() + layout.fluent_words, 0);
        for at in 0..layout.fluents {
            program::set(&mut values, 1 + at, mask(words[at / 64] >> (at % 64) & 1 == 1));
        }
        let mut machine = Machine {
            evaluation: Evaluation::Forward,
            values,
            words,
            made: SmallVec::new(),
            stepped: false,
            missing: Vec::new(),
            queue: Vec::new(),
        };
        machine.settle(compiled);
        if compiled.wiring.is_some() && evaluation == Evaluation::Differential {
            machine.step(compiled);
            let missing = |inputs: &[Wire]| inputs.iter().filter(|&&w| !machine.holds(w)).count() as u32;
            machine.missing = network.inputs.iter().map(|i| missing(i)).collect();
            machine.evaluation = evaluation;
        }
        machine
    }

    /// The words of the state it is in, and more.
    #[inline]
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    #[inline]
    pub(super) fn holds(&self, wire: Wire) -> bool {
        self.values[wire.index() as usize] != 0
    }

    fn settle(&mut self, compiled: &Compiled) {
        let (network, layout) = (&compiled.network, &compiled.layout);
        compiled.settle.run(&mut self.values);
        for (wires, &start) in network.legal.iter().zip(&layout.legal) {
            gather(&self.values, wires, &mut self.words[start..]);
        }
        let end = &mut self.words[layout.fluents / 64];
        let bit = 1 << (layout.fluents % 64);
        *end = if self.values[network.terminal.index() as usize] != 0 { *end | bit } else { *end & !bit };
    }

    fn step(&mut self, compiled: &Compiled) {
        compiled.step.run(&mut self.values);
        gather(&self.values, &compiled.network.next, &mut self.words[compiled.layout.words()..]);
        self.stepped = true;
    }

    /// Goes to the state with these fluents; the bits after them are not looked at.
    pub(super) fn go(&mut self, compiled: &Compiled, fluents: &[u64]) {
        let layout = &compiled.layout;
        let mut any = 0;
        for (at, &target) in fluents.iter().enumerate().take(layout.fluent_words) {
            let mut changed = self.words[at] ^ target;
            if at == layout.fluents / 64 {
                changed &= (1 << (layout.fluents % 64)) - 1;
            }
            self.words[at] ^= changed;
            any |= changed;
            while changed != 0 {
                let node = 1 + at * 64 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                self.flip(compiled, node);
            }
        }
        if any != 0 {
            match self.evaluation {
                Evaluation::Forward => {
                    self.stepped = false;
                    self.settle(compiled);
                }
                Evaluation::Differential => self.propagate(compiled),
            }
        }
    }

    /// Makes a joint move, one node per role, without leaving the state.
    #[inline]
    pub(super) fn make(&mut self, compiled: &Compiled, moves: &[u32]) {
        if self.made[..] == *moves {
            return;
        }
        for (at, &new) in moves.iter().enumerate() {
            let old = self.made.get(at).copied();
            if old != Some(new) {
                if let Some(old) = old {
                    self.flip(compiled, old as usize);
                }
                self.flip(compiled, new as usize);
            }
        }
        self.made.clear();
        self.made.extend_from_slice(moves);
        self.stepped = false;
        if self.evaluation == Evaluation::Differential {
            self.propagate(compiled);
        }
    }

    /// Goes to the state after the moves made.
    #[inline]
    pub(super) fn advance(&mut self, compiled: &Compiled) {
        if self.evaluation == Evaluation::Forward && !self.stepped {
            self.step(compiled);
        }
        // A copy, since the words of the next state may change while the machine goes there.
        let next: SmallVec<[u64; 8]> = self.words[compiled.layout.words()..].into();
        self.go(compiled, &next);
    }

    /// Evaluates percepts or goals.
    pub(super) fn answer(&mut self, program: &Program) {
        program.run(&mut self.values);
    }

    /// Turns over the value of a fluent or move.
    #[inline]
    fn flip(&mut self, compiled: &Compiled, node: usize) {
        let value = self.values[2 * node + 1];
        program::set(&mut self.values, node, value);
        if let (Evaluation::Differential, Some(wiring)) = (self.evaluation, &compiled.wiring) {
            turn(wiring, node, &mut self.words);
            tell(wiring, node, value != 0, &mut self.missing, &mut self.queue);
        }
    }

    fn propagate(&mut self, compiled: &Compiled) {
        let Some(wiring) = &compiled.wiring else {
            return;
        };
        let mut at = 0;
        while let Some(&gate) = self.queue.get(at) {
            at += 1;
            let gate = gate as usize;
            let holds = self.missing[gate] == 0;
            if holds != (self.values[2 * gate] != 0) {
                program::set(&mut self.values, gate, mask(holds));
                turn(wiring, gate, &mut self.words);
                tell(wiring, gate, holds, &mut self.missing, &mut self.queue);
            }
        }
        self.queue.clear();
    }
}

/// Turns over the bits that a node is.
#[inline]
fn turn(wiring: &Wiring, node: usize, words: &mut [u64]) {
    for &(word, bit) in wiring.outputs(node) {
        words[word as usize] ^= 1 << bit;
    }
}

/// Tells the gates that a node feeds that it has changed.
#[inline]
fn tell(wiring: &Wiring, node: usize, holds: bool, missing: &mut [u32], queue: &mut Vec<u32>) {
    let plain = Wire::new(node);
    let (on, off) = if holds { (plain, !plain) } else { (!plain, plain) };
    for &gate in wiring.fed_by(on) {
        let count = &mut missing[gate as usize];
        *count -= 1;
        if *count == 0 {
            queue.push(gate);
        }
    }
    for &gate in wiring.fed_by(off) {
        let count = &mut missing[gate as usize];
        if *count == 0 {
            queue.push(gate);
        }
        *count += 1;
    }
}

#[inline]
fn mask(holds: bool) -> u8 {
    if holds { u8::MAX } else { 0 }
}

#[inline]
fn gather(values: &[u8], wires: &[Wire], words: &mut [u64]) {
    for (word, wires) in words.iter_mut().zip(wires.chunks(64)) {
        let bit = |(bit, wire): (usize, &Wire)| u64::from(values[wire.index() as usize] & 1) << bit;
        *word = wires.iter().enumerate().map(bit).fold(0, |a, b| a | b);
    }
}
