//! The checkers of one side, as planes of bits.

use serde::{Deserialize, Serialize};

/// The checkers of one side on its points (bits 1 and up) and on the bar (the bit after them): each point's
/// number in binary, a plane for each digit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Checkers([u32; 4]);

impl Checkers {
    #[inline(always)]
    pub(super) fn occupied(self) -> u32 {
        self.0[0] | self.paired()
    }

    /// Where there are two or more.
    #[inline(always)]
    pub(super) fn paired(self) -> u32 {
        self.0[1] | self.0[2] | self.0[3]
    }

    #[inline(always)]
    pub(super) fn add(&mut self, mut carry: u32) {
        for plane in &mut self.0 {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, mut borrow: u32) {
        for plane in &mut self.0 {
            (*plane, borrow) = (*plane ^ borrow, !*plane & borrow);
        }
    }

    /// Moves a checker and answers where to: nowhere, if it is borne off.
    #[inline(always)]
    pub(super) fn advance(&mut self, from: u32, die: u8) -> u32 {
        self.remove(from);
        let to = from >> die & !1;
        self.add(to);
        to
    }

    pub(super) fn at(self, point: u8) -> u32 {
        (0..4).map(|digit| (self.0[digit] >> point & 1) << digit).sum()
    }

    pub(super) fn count(self) -> u32 {
        (0..4).map(|digit| self.0[digit].count_ones() << digit).sum()
    }
}
