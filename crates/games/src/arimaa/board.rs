//! The pieces on the board, and what happens to them.

use fogtree_core::Player;
use serde::{Deserialize, Serialize};

/// How many kinds of pieces there are.
pub(super) const KINDS: usize = 6;
/// Their letters, from the weakest to the strongest: rabbit, cat, dog, horse, camel, elephant.
pub(super) const LETTERS: [u8; KINDS] = *b"RCDHME";
pub(super) const RABBIT: usize = 0;

/// The four ways to step: north, east, south, west. Gold goes north.
pub(super) const WAYS: [usize; 4] = [0, 1, 2, 3];
pub(super) const WAY_LETTERS: [u8; 4] = *b"nesw";

/// The squares one step on. A square is 8 * row + column; a1 is 0.
#[inline(always)]
pub(super) fn ahead(squares: u64, way: usize) -> u64 {
    const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
    match way {
        0 => squares << 8,
        1 => squares << 1 & !FIRST_COLUMN,
        2 => squares >> 8,
        _ => (squares & !FIRST_COLUMN) >> 1,
    }
}

/// The squares from which one step leads to these.
#[inline(always)]
pub(super) fn back(squares: u64, way: usize) -> u64 {
    ahead(squares, way ^ 2)
}

#[inline(always)]
pub(super) fn neighbours(squares: u64) -> u64 {
    WAYS.iter().fold(0, |all, &way| all | ahead(squares, way))
}

/// Which squares exist, and which of them are traps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub(super) size: u8,
    pub(super) squares: u64,
    pub(super) traps: u64,
}

impl Ground {
    /// The top row is the last one; the traps are in the third row and column from each corner.
    pub(super) fn new(size: u8) -> Ground {
        let row = (1 << size) - 1;
        let squares = (0..size).fold(0, |all, i| all | row << (8 * i));
        let lines = [2, size - 3];
        let traps = lines.iter().flat_map(|r| lines.map(|c| 1 << (8 * r + c))).fold(0, |all, at| all | at);
        Ground { size, squares, traps }
    }

    pub(super) fn row(&self, row: u8) -> u64 {
        self.squares & 0xff << (8 * row)
    }

    /// The row that a side's rabbits want to reach.
    pub(super) fn goal(&self, who: Player) -> u64 {
        self.row(if who.0 == 0 { self.size - 1 } else { 0 })
    }
}

/// The pieces of both sides, and of which kind each is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Board {
    pub(super) sides: [u64; 2],
    pub(super) kinds: [u64; KINDS],
}

impl Board {
    pub(super) fn put(&mut self, who: Player, kind: usize, at: u64) {
        self.sides[who.index()] |= at;
        self.kinds[kind] |= at;
    }

    pub(super) fn rabbits(&self, who: Player) -> u64 {
        self.sides[who.index()] & self.kinds[RABBIT]
    }

    /// The kind of the piece on a square.
    #[inline]
    pub(super) fn kind_at(&self, at: u64) -> usize {
        (0..KINDS).find(|&kind| self.kinds[kind] & at != 0).unwrap_or(RABBIT)
    }

    /// For each kind, those of `pieces` that are stronger.
    #[inline]
    pub(super) fn stronger(&self, pieces: u64) -> [u64; KINDS] {
        let mut stronger = [0; KINDS];
        for kind in (0..KINDS - 1).rev() {
            stronger[kind] = stronger[kind + 1] | pieces & self.kinds[kind + 1];
        }
        stronger
    }

    /// The pieces of one side next to one of `others` that is stronger than they are.
    #[inline]
    pub(super) fn overpowered(&self, side: u64, others: u64) -> u64 {
        let stronger = self.stronger(others);
        (0..KINDS).fold(0, |all, kind| all | side & self.kinds[kind] & neighbours(stronger[kind]))
    }

    /// The pieces of a side that are not frozen: next to a friend, or not next to a stronger enemy.
    #[inline]
    pub(super) fn free(&self, who: Player) -> u64 {
        let [own, other] = [self.sides[who.index()], self.sides[who.other().index()]];
        own & (neighbours(own) | !self.overpowered(own, other))
    }

    /// Moves the piece of `from` to the next square; pieces without a friend beside them vanish from the
    /// traps. Answers whether any did.
    #[inline]
    pub(super) fn step(&mut self, ground: &Ground, from: u64, to: u64) -> bool {
        for pieces in self.sides.iter_mut().chain(&mut self.kinds) {
            if *pieces & from != 0 {
                *pieces ^= from | to;
            }
        }
        let lost = self.sides.iter().fold(0, |lost, side| lost | side & ground.traps & !neighbours(*side));
        if lost != 0 {
            for pieces in self.sides.iter_mut().chain(&mut self.kinds) {
                *pieces &= !lost;
            }
        }
        lost != 0
    }

    /// A number that stands for the position in the record of past positions.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let words = self.sides.iter().chain(&self.kinds[1..]);
        words.fold(0, |key: u64, word| {
            let mixed = (key.rotate_left(25) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        })
    }
}
