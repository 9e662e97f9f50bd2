//! Cards in the order in which they were played, thirteen of them in one machine word.
//!
//! A state with hidden bids has to remember the order of all bids; packed like this it stays small and is
//! compared and hashed as a number.

use std::fmt;

use fogtree_core::Rng;
use serde::{Deserialize, Serialize};

use super::MOST_CARDS;

/// Up to thirteen small numbers in order: the n-th in the n-th four bits, how many in the topmost four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(into = "Vec<u8>", try_from = "Vec<u8>")]
pub(super) struct Sequence(u64);

const LENGTH_AT: u32 = 60;

/// The sequences of all sets of the seven lowest cards.
const HALF_HANDS: [u64; 128] = {
    let mut table = [0; 128];
    let mut hand = 0;
    while hand < 128 {
        let (mut card, mut len) = (0, 0);
        while card < 7 {
            if hand >> card & 1 == 1 {
                table[hand] |= card << (4 * len);
                len += 1;
            }
            card += 1;
        }
        table[hand] |= len << LENGTH_AT;
        hand += 1;
    }
    table
};

impl Sequence {
    #[inline]
    pub(super) fn len(self) -> usize {
        (self.0 >> LENGTH_AT) as usize
    }

    #[inline]
    pub(super) fn get(self, at: usize) -> u8 {
        (self.0 >> (4 * at)) as u8 & 15
    }

    #[inline]
    pub(super) fn push(&mut self, item: u8) {
        self.0 |= u64::from(item) << (4 * self.len());
        self.0 += 1 << LENGTH_AT;
    }

    /// The sequence of this many items that are all 0 until they are [`Sequence::fill`]ed in.
    #[inline]
    pub(super) fn blank(len: usize) -> Sequence {
        Sequence((len as u64) << LENGTH_AT)
    }

    /// Puts an item where there is a 0.
    #[inline]
    pub(super) fn fill(&mut self, at: u8, item: u8) {
        self.0 |= u64::from(item) << (4 * at);
    }

    #[inline]
    pub(super) fn iter(self) -> impl DoubleEndedIterator<Item = u8> + Clone {
        (0..self.len()).map(move |i| self.get(i))
    }

    /// The cards of a hand, the lowest first.
    #[inline]
    pub(super) fn of(hand: u16) -> Sequence {
        let low = Sequence(HALF_HANDS[usize::from(hand & 127)]);
        let high = Sequence(HALF_HANDS[usize::from(hand >> 7 & 127)]);
        low.then(Sequence(high.0 + (0x777_7777 & ((1 << (4 * high.len())) - 1))))
    }

    /// These items followed by others.
    #[inline]
    pub(super) fn then(self, next: Sequence) -> Sequence {
        let items = next.0 & ((1 << LENGTH_AT) - 1);
        Sequence((self.0 | items << (4 * self.len())) + (next.0 & !((1 << LENGTH_AT) - 1)))
    }

    /// The items from the n-th on.
    #[inline]
    pub(super) fn skip(self, n: usize) -> Sequence {
        let items = self.0 & ((1 << LENGTH_AT) - 1);
        Sequence(items >> (4 * n) | ((self.len() - n) as u64) << LENGTH_AT)
    }

    /// Takes out one of the items, all equally likely; the last one takes its place. There must be one.
    #[inline]
    pub(super) fn take_any(&mut self, rng: &mut Rng) -> u8 {
        let last = self.len() - 1;
        let chosen = rng.below(last as u32 + 1) as usize;
        let (taken, moved) = (self.get(chosen), self.get(last));
        self.0 ^= u64::from(taken ^ moved) << (4 * chosen);
        self.0 ^= u64::from(moved) << (4 * last);
        self.0 -= 1 << LENGTH_AT;
        taken
    }

    /// The items as a set.
    pub(super) fn mask(self) -> u16 {
        self.iter().fold(0, |mask, item| mask | 1 << item)
    }

    /// The same items in random order.
    ///
    /// One draw serves the whole shuffle: each choice takes the integral part of `draw * choices` and leaves
    /// the fraction to the next, so no order of n cards is favoured by more than n!/2^64.
    #[inline]
    pub(super) fn shuffled(mut self, rng: &mut Rng) -> Sequence {
        let mut draw = rng.bits();
        for last in (1..self.len()).rev() {
            let wide = u128::from(draw) * (last as u128 + 1);
            draw = wide as u64;
            let chosen = (wide >> 64) as usize;
            let change = u64::from(self.get(chosen) ^ self.get(last));
            self.0 ^= change << (4 * chosen);
            self.0 ^= change << (4 * last);
        }
        self
    }
}

impl FromIterator<u8> for Sequence {
    fn from_iter<I: IntoIterator<Item = u8>>(items: I) -> Sequence {
        let mut sequence = Sequence::default();
        items.into_iter().for_each(|item| sequence.push(item));
        sequence
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl From<Sequence> for Vec<u8> {
    fn from(sequence: Sequence) -> Vec<u8> {
        sequence.iter().collect()
    }
}

impl TryFrom<Vec<u8>> for Sequence {
    type Error = String;

    fn try_from(items: Vec<u8>) -> Result<Sequence, String> {
        if items.len() > MOST_CARDS || items.iter().any(|&item| usize::from(item) >= MOST_CARDS) {
            return Err(format!("expected at most {MOST_CARDS} numbers below {MOST_CARDS}"));
        }
        Ok(items.into_iter().collect())
    }
}
