//! 64-bit marks by which states are told apart inside a search.

use std::hash::{Hash, Hasher};

/// The mark of anything that can be hashed: the same in every run.
#[inline]
pub(super) fn mark_of(value: &impl Hash) -> u64 {
    let mut hasher = Folding(0x243f_6a88_85a3_08d3);
    value.hash(&mut hasher);
    hasher.finish()
}

/// Multiplies and folds word after word.
struct Folding(u64);

impl Folding {
    #[inline]
    fn word(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * 0xa076_1d64_78bd_642f_u128;
        self.0 = (product as u64) ^ (product >> 64) as u64 ^ word.rotate_left(23);
    }
}

impl Hasher for Folding {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.word(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        let rest = words.remainder();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last) ^ (rest.len() as u64) << 56);
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.word(n.into());
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.word(n.into());
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.word(n.into());
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
        let product = u128::from(self.0 ^ 0x1319_8a2e_0370_7344) * 0xe703_7ed1_a0b4_28db_u128;
        (product as u64) ^ (product >> 64) as u64
    }
}
