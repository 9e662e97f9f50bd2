//! Random play, 64 games at a time: every gate is evaluated for all of them by one operation on a word.

use fogtree_core::Rng;

use crate::propnet::State;
use crate::propnet::compiled::Compiled;
use crate::propnet::gates::Wire;
use crate::propnet::program;
use crate::propnet::simulator::{End, pick};

/// How many games are played at once.
const LANES: usize = 64;

/// Plays 64 random games at once, every role choosing uniformly among its legal moves.
#[derive(Clone, Debug)]
pub struct Batch<'a> {
    compiled: &'a Compiled,
    values: Box<[u64]>,
    /// Legal moves of one role: for each block of 64 moves, a word per game.
    legal: Vec<[u64; LANES]>,
    next: Vec<u64>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(compiled: &'a Compiled) -> Batch<'a> {
        Batch {
            compiled,
            values: program::values(compiled.network.inputs.len()),
            legal: Vec::new(),
            next: vec![0; compiled.layout.fluents],
        }
    }

    /// Plays games from a state, none for more than so many steps, and calls with each one's length, end and goals.
    /// A goal is `None` where there is not exactly one value from 0 to 100, and where the match did not end.
    pub fn playouts(
        &mut self,
        from: &State,
        games: usize,
        limit: usize,
        rng: &mut Rng,
        mut ended: impl FnMut(usize, End, &[Option<u8>]),
    ) {
        let Compiled { network, layout, settle, step, score, .. } = self.compiled;
        let holds = |at: usize| if from.words[at / 64] >> (at % 64) & 1 == 1 { u64::MAX } else { 0 };
        let started: Vec<u64> = (0..layout.fluents).map(holds).collect();
        for (at, &word) in started.iter().enumerate() {
            program::set(&mut self.values, 1 + at, word);
        }
        let mut live = if games >= LANES { u64::MAX } else { (1 << games) - 1 };
        let mut to_start = games - games.min(LANES);
        let mut steps = [0usize; LANES];
        let mut goals = Vec::with_capacity(network.roles.len());
        while live != 0 {
            settle.run(&mut self.values);
            let over = self.values[network.terminal.index() as usize] & live;
            if over != 0 {
                score.run(&mut self.values);
            }
            let long = lanes(live & !over).filter(|&l| steps[l] >= limit).fold(0, |word, l| word | 1 << l);
            let mut done = over | long;
            let stuck = self.choose(live & !done, rng);
            done |= stuck;
            for lane in lanes(done) {
                goals.clear();
                let end = match () {
                    () if over >> lane & 1 == 1 => End::Over,
                    () if stuck >> lane & 1 == 1 => End::Stuck,
                    () => End::TooLong,
                };
                goals.extend(self.compiled.values.iter().map(|values| {
                    let holds = |wire: Wire| self.value(wire) >> lane & 1 == 1;
                    let mut held = values.iter().filter(|v| holds(v.1)).map(|v| v.0);
                    let first = held.next().filter(|_| end == End::Over)?;
                    if held.next().is_some() { None } else { first }
                }));
                ended(steps[lane], end, &goals);
            }
            step.run(&mut self.values);
            for (next, &wire) in self.next.iter_mut().zip(&network.next) {
                *next = self.values[wire.index() as usize];
            }
            // Games that have ended begin anew, as long as there are more to play.
            let again: u64 = lanes(done).take(to_start).fold(0, |word, l| word | 1 << l);
            to_start -= again.count_ones() as usize;
            live &= !done | again;
            for (at, (&next, &start)) in self.next.iter().zip(&started).enumerate() {
                program::set(&mut self.values, 1 + at, next & !done | start & done);
            }
            for (lane, steps) in steps.iter_mut().enumerate() {
                *steps = if done >> lane & 1 == 1 { 0 } else { *steps + 1 };
            }
        }
    }

    fn value(&self, wire: Wire) -> u64 {
        self.values[wire.index() as usize]
    }

    /// Makes a random legal move for every role in the given games; those in which some role has none.
    fn choose(&mut self, games: u64, rng: &mut Rng) -> u64 {
        let Compiled { network, layout, .. } = self.compiled;
        let mut stuck = 0;
        for (role, wires) in network.legal.iter().enumerate() {
            let first = layout.first_moves[role];
            self.legal.clear();
            for wires in wires.chunks(64) {
                let mut block = [0; LANES];
                for (word, wire) in block.iter_mut().zip(wires) {
                    *word = self.values[wire.index() as usize];
                }
                transpose(&mut block);
                self.legal.push(block);
            }
            for node in first..first + wires.len() {
                program::set(&mut self.values, node, 0);
            }
            for lane in lanes(games) {
                let chosen = match &self.legal[..] {
                    [block] => pick(&[block[lane]], rng),
                    blocks => {
                        let words: smallvec::SmallVec<[u64; 16]> = blocks.iter().map(|b| b[lane]).collect();
                        pick(&words, rng)
                    }
                };
                match chosen {
                    None => stuck |= 1 << lane,
                    Some(bit) => {
                        let node = first + bit as usize;
                        let word = self.values[2 * node] | 1 << lane;
                        program::set(&mut self.values, node, word);
                    }
                }
            }
        }
        stuck
    }
}

fn lanes(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (word != 0).then_some(word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(lane)
    })
}

/// Turns rows of bits into columns (Hacker's Delight, 7-3).
fn transpose(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width != 0 {
        let mut at = 0;
        while at < 64 {
            let swapped = (rows[at] >> width ^ rows[at + width]) & mask;
            rows[at] ^= swapped << width;
            rows[at + width] ^= swapped;
            at = (at + width + 1) & !width;
        }
        width >>= 1;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_turns_rows_into_columns() {
        let mut rows: [u64; 64] = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let before = rows;
        transpose(&mut rows);
        for (i, row) in rows.iter().enumerate() {
            for (j, old) in before.iter().enumerate() {
                assert_eq!(row >> j & 1, old >> i & 1);
            }
        }
    }
}
