//! A quick hash for tables of states: states are our own, nobody chooses them to collide.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A table of states.
pub type StateMap<K, V> = HashMap<K, V, BuildHasherDefault<StateHasher>>;

/// The hash of a state or of what is known of one, the same in every run.
#[inline]
pub fn state_hash(value: &impl Hash) -> u64 {
    let mut hasher = StateHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Every word is mixed in by a multiplication to 128 bits whose halves are added without carry.
#[derive(Clone, Copy, Default, Debug)]
pub struct StateHasher(u64);

impl StateHasher {
    #[inline]
    fn word(&mut self, word: u64) {
        let wide = u128::from(self.0.rotate_left(23) ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd134_2543_de82_ef95;
        self.0 = wide as u64 ^ (wide >> 64) as u64;
    }
}

impl Hasher for StateHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.word(u64::from_le_bytes(word)));
        if !rest.is_empty() {
            self.word(rest.iter().fold(rest.len() as u64, |word, &byte| word << 8 | u64::from(byte)));
        }
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.word(u64::from(n));
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.word(u64::from(n));
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.word(u64::from(n));
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }

    #[inline]
    fn write_u128(&mut self, n: u128) {
        self.word(n as u64);
        self.word((n >> 64) as u64);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::*;

    fn hash(value: impl Hash) -> u64 {
        BuildHasherDefault::<StateHasher>::default().hash_one(value)
    }

    /// A table takes its places from the low bits and its tags from the high ones: in both, small numbers that
    /// differ little must fall like random ones. Of `n` thrown into `n` places, `1 - 1/e` are hit.
    #[test]
    fn small_states_spread_over_low_and_high_bits() {
        let states =
            || (0..64u8).flat_map(|a| (0..64u8).flat_map(move |b| (-8..8i8).map(move |c| ([a, b], c))));
        let n = states().count();
        let all: HashSet<u64> = states().map(hash).collect();
        assert_eq!(all.len(), n);
        for shift in [0, 64 - n.ilog2()] {
            let hit: HashSet<u64> = all.iter().map(|h| h >> shift & (n as u64 - 1)).collect();
            let share = hit.len() as f64 / n as f64;
            assert!((share - 0.632).abs() < 0.01, "shift {shift}: {share}");
        }
    }

    #[test]
    fn bytes_of_every_length_differ() {
        let long: Vec<u8> = (0..40).collect();
        let mut all: HashSet<u64> = (0..=40).map(|n| hash(&long[..n])).collect();
        all.extend((2..20).map(|zeros| hash(vec![0u8; zeros])));
        assert_eq!(all.len(), 41 + 18);
    }
}
