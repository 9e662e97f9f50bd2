//! Sums that tell damaged results.

/// A sum over numbers and texts. Every step can be undone, so that a single change always shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum(u64);

impl Sum {
    /// Adds a number.
    pub(super) fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    /// Adds bytes and their number.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The sum so far.
    pub(super) fn value(self) -> u64 {
        self.0
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
