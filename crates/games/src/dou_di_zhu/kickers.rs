//! Sets of ranks as kickers: which there are, one of them at random, and the two ways to write them.

use arrayvec::ArrayVec;
use fogtree_core::Rng;

use super::groups::Group;
use crate::ranks::{Cards, random_rank};

/// A set of ranks with bit `rank` for each, as one with bit `4 * rank` for each.
#[inline]
pub(super) fn spread(ranks: u16) -> u64 {
    let mut x = u64::from(ranks);
    x = (x | x << 24) & 0x0000_00ff_0000_00ff;
    x = (x | x << 12) & 0x000f_000f_000f_000f;
    x = (x | x << 6) & 0x0303_0303_0303_0303;
    (x | x << 3) & 0x1111_1111_1111_1111
}

/// The other way round.
#[inline]
pub(super) fn gather(mut x: u64) -> u16 {
    x = (x | x >> 3) & 0x0303_0303_0303_0303;
    x = (x | x >> 6) & 0x000f_000f_000f_000f;
    x = (x | x >> 12) & 0x0000_00ff_0000_00ff;
    (x | x >> 24) as u16
}

/// Hands over every subset of a set with so many members, in rising order.
pub(super) fn each_subset(set: u16, members: u32, mut each: impl FnMut(u16)) {
    let places: ArrayVec<u16, 16> = (0..16).map(|i| 1 << i).filter(|bit| set & bit != 0).collect();
    let end = 1u32 << places.len();
    let mut chosen = (1u32 << members) - 1;
    while chosen < end {
        let bits = places.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, bit)| bit);
        each(bits.sum());
        // The next number with as many bits (Gosper).
        let low = chosen & chosen.wrapping_neg();
        let ripple = chosen + low;
        chosen = ripple | ((chosen ^ ripple) / low) >> 2;
    }
}

/// Ranks of kickers for a group that has left the hand, every set of them equally likely.
#[inline]
pub(super) fn random_kickers(hand: Cards, group: Group, rng: &mut Rng) -> u64 {
    let mut left = group.kicker_ranks(hand);
    let mut chosen = 0;
    for _ in 0..group.kickers() {
        let bit = 1 << (4 * random_rank(left, rng));
        left ^= bit;
        chosen |= bit;
    }
    chosen
}
