//! Random play, one game at a time.

use std::time::{Duration, Instant};

use fogtree_core::{Purpose, Rng, Seed};
use smallvec::SmallVec;

use crate::propnet::State;
use crate::propnet::compiled::Compiled;
use crate::propnet::machine::{Evaluation, Machine};

/// Networks with more gates than this are not tried forward: differential evaluation would win.
const FORWARD_GATES: usize = 30_000;

/// How a simulated match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// In a terminal state.
    Over,
    /// Some role had no legal move.
    Stuck,
    /// It was broken off, being too long.
    TooLong,
}

/// Plays random games, every role choosing uniformly among its legal moves.
#[derive(Clone, Debug)]
pub struct Simulator<'a> {
    compiled: &'a Compiled,
    machine: Machine,
}

impl<'a> Simulator<'a> {
    pub(super) fn new(compiled: &'a Compiled, evaluation: Evaluation) -> Simulator<'a> {
        Simulator { compiled, machine: Machine::new(compiled, evaluation) }
    }

    /// Plays from a state to the end, or for at most so many steps. How many steps it was, and how it ended.
    pub fn playout(&mut self, from: &State, limit: usize, rng: &mut Rng) -> (usize, End) {
        play_out(self.compiled, &mut self.machine, from, limit, rng)
    }

    /// The state it has come to.
    pub fn state(&self) -> State {
        State { words: self.machine.words()[..self.compiled.layout.words()].into() }
    }

    /// The goal value of each role in the state it has come to, where there is exactly one from 0 to 100.
    pub fn goals(&mut self, out: &mut Vec<Option<u8>>) {
        self.machine.answer(&self.compiled.score);
        out.clear();
        out.extend(self.compiled.values.iter().map(|values| {
            let mut held = values.iter().filter(|v| self.machine.holds(v.1)).map(|v| v.0);
            let first = held.next()?;
            if held.next().is_some() { None } else { first }
        }));
    }
}

/// Plays at random on a machine, which is left where the match ends.
pub(super) fn play_out(
    compiled: &Compiled,
    machine: &mut Machine,
    from: &State,
    limit: usize,
    rng: &mut Rng,
) -> (usize, End) {
    machine.go(compiled, &from.words);
    let layout = &compiled.layout;
    let mut moves: SmallVec<[u32; 4]> = SmallVec::from_elem(0, layout.roles());
    for step in 0..=limit {
        let words = machine.words();
        if layout.is_terminal(words) {
            return (step, End::Over);
        }
        if step == limit {
            break;
        }
        for (role, chosen) in moves.iter_mut().enumerate() {
            let legal = &words[layout.legal[role]..layout.legal[role + 1]];
            let Some(bit) = pick(legal, rng) else {
                return (step, End::Stuck);
            };
            *chosen = layout.first_moves[role] as u32 + bit;
        }
        machine.make(compiled, &moves);
        machine.advance(compiled);
    }
    (limit, End::TooLong)
}

/// One of the set bits, all equally likely.
#[inline]
pub(super) fn pick(words: &[u64], rng: &mut Rng) -> Option<u32> {
    if let [word] = *words {
        return match word {
            0 => None,
            _ if word & (word - 1) == 0 => Some(word.trailing_zeros()),
            _ => Some(rng.bit_of(word)),
        };
    }
    let count: u32 = words.iter().map(|w| w.count_ones()).sum();
    let mut skipped = match count {
        0 => return None,
        1 => 0,
        _ => rng.below(count),
    };
    for (at, &word) in words.iter().enumerate() {
        let here = word.count_ones();
        if skipped < here {
            return Some(at as u32 * 64 + nth_bit(word, skipped));
        }
        skipped -= here;
    }
    None
}

/// The place of the set bit before which so many others are, without a loop of unknown length.
#[inline]
fn nth_bit(word: u64, skipped: u32) -> u32 {
    let (mut at, mut left) = (0, skipped);
    for width in [32, 16, 8, 4, 2, 1] {
        let low = (word >> at & ((1 << width) - 1)).count_ones();
        let beyond = u32::from(left >= low);
        at += width * beyond;
        left -= low * beyond;
    }
    at
}

/// The way of evaluation that is faster for a network, by trying both for a moment.
pub(super) fn faster(compiled: &Compiled) -> Evaluation {
    if compiled.wiring.is_none() {
        return Evaluation::Forward;
    }
    if compiled.settle.len() + compiled.step.len() > FORWARD_GATES {
        return Evaluation::Differential;
    }
    let mut trials = [Evaluation::Forward, Evaluation::Differential].map(|evaluation| {
        let simulator = Simulator::new(compiled, evaluation);
        Trial { start: simulator.state(), simulator, rng: Seed(0).stream(Purpose::Playout), best: 0.0 }
    });
    // Turn and turn about, the best of each: another program may take the processor at any time.
    for _ in 0..ROUNDS {
        trials.iter_mut().for_each(Trial::run);
    }
    let [forward, differential] = trials.map(|t| t.best);
    if differential > forward { Evaluation::Differential } else { Evaluation::Forward }
}

const ROUNDS: usize = 6;
const ROUND: Duration = Duration::from_micros(500);

struct Trial<'a> {
    start: State,
    simulator: Simulator<'a>,
    rng: Rng,
    /// Steps per second in the best round.
    best: f64,
}

impl Trial<'_> {
    fn run(&mut self) {
        let (mut steps, began) = (0, Instant::now());
        loop {
            steps += self.simulator.playout(&self.start, 200, &mut self.rng).0 + 1;
            let time = began.elapsed();
            if time > ROUND {
                self.best = self.best.max(steps as f64 / time.as_secs_f64());
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_bit_is_found() {
        for word in [1, 1 << 63, u64::MAX, 0x8000_0000_0000_0001, 0x0123_4567_89ab_cdef] {
            let all: Vec<u32> = (0..64).filter(|b| word >> b & 1 == 1).collect();
            let found: Vec<u32> = (0..word.count_ones()).map(|n| nth_bit(word, n)).collect();
            assert_eq!(found, all);
        }
    }
}
