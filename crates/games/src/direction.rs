//! Steps to the four neighbours of a cell, and sets of them: what the games on open grids share.

use fogtree_core::Rng;
use serde::{Deserialize, Serialize};

/// A step to a neighbouring cell. The order is that of the cells the steps lead to, read row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column before.
    Left,
    /// To the next column.
    Right,
    /// To the row below.
    Down,
}

impl Direction {
    /// All of them, in order.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Left, Direction::Right, Direction::Down];

    /// Its place in [`Direction::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        ["up", "left", "right", "down"][self.index()]
    }

    /// The direction with this name.
    pub fn parse(name: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.name() == name)
    }

    /// The direction with this place in [`Direction::ALL`].
    pub fn from_index(index: u64) -> Option<Direction> {
        Direction::ALL.get(usize::try_from(index).ok()?).copied()
    }
}

/// A set of directions: the lowest bit for the first of [`Direction::ALL`], and so on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct Directions(u8);

impl From<u8> for Directions {
    fn from(bits: u8) -> Directions {
        Directions::from_bits(bits)
    }
}

impl From<Directions> for u8 {
    fn from(set: Directions) -> u8 {
        set.0
    }
}

impl Directions {
    /// No direction.
    pub const NONE: Directions = Directions(0);

    /// The set of those directions whose bits are set; other bits do not matter.
    #[inline]
    pub const fn from_bits(bits: u8) -> Directions {
        Directions(bits & 15)
    }

    /// The steps that stay on a board of this size.
    pub fn on_board(column: usize, row: usize, columns: usize, rows: usize) -> Directions {
        let possible = [row > 0, column > 0, column + 1 < columns, row + 1 < rows];
        possible.into_iter().zip(Direction::ALL).filter(|(can, _)| *can).map(|(_, d)| d).collect()
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> usize {
        // The number of bits of each of 0 to 15, a digit each: not every processor counts bits by itself.
        (0x4332_3221_3221_2110_u64 >> (4 * self.0) & 15) as usize
    }

    /// Whether the direction is one of them.
    #[inline]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction.index() & 1 == 1
    }

    /// The directions in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Directions) -> Directions {
        Directions(self.0 & other.0)
    }

    /// The directions in rising order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Direction> + Clone {
        LISTS[usize::from(self.0 & 15)].iter().copied().take(self.len())
    }

    /// One of the directions, counted from 0. There must be so many.
    #[inline]
    pub fn nth(self, n: u32) -> Direction {
        debug_assert!((n as usize) < self.len());
        LISTS[usize::from(self.0 & 15)][n as usize & 3]
    }

    /// One of the directions, all equally likely. There must be at least one.
    #[inline]
    pub fn pick(self, rng: &mut Rng) -> Direction {
        self.nth(rng.below(self.len() as u32))
    }

    /// One direction of each set, all combinations equally likely, for one random number. No set may be
    /// empty.
    #[inline]
    pub fn pick_each<const N: usize>(sets: [Directions; N], rng: &mut Rng) -> [Direction; N] {
        let combinations = sets.iter().fold(1, |all, set| all * set.len() as u32);
        loop {
            // The whole part of a random fraction times the size of a set is a place in it, and what is left
            // is a fraction for the next set.
            let mut fraction = rng.bits() >> 32;
            let picked = sets.map(|set| {
                let places = fraction * set.len() as u64;
                fraction = places & u64::from(u32::MAX);
                set.nth((places >> 32) as u32)
            });
            // As in `Rng::below`, some fractions are left out so that no combination comes once too often.
            let rest = fraction as u32;
            if rest >= combinations || rest >= combinations.wrapping_neg() % combinations {
                return picked;
            }
        }
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Directions {
        Directions(directions.into_iter().fold(0, |bits, direction| bits | 1 << direction.index()))
    }
}

/// The members of every set, in rising order, and then anything.
static LISTS: [[Direction; 4]; 16] = lists();

const fn lists() -> [[Direction; 4]; 16] {
    let mut lists = [[Direction::Up; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut bit, mut n) = (0, 0);
        while bit < 4 {
            if set >> bit & 1 == 1 {
                lists[set][n] = Direction::ALL[bit];
                n += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    lists
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fogtree_core::{Purpose, Seed};

    use super::*;

    #[test]
    fn sets_list_their_members_in_order() {
        for bits in 0..16 {
            let set = Directions::from_bits(bits);
            let members: Vec<Direction> = Direction::ALL.into_iter().filter(|&d| set.contains(d)).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), members);
            assert_eq!(members.iter().copied().collect::<Directions>(), set);
            assert_eq!((set.len(), set.is_empty()), (members.len(), members.is_empty()));
            assert!((0..members.len()).all(|n| set.nth(n as u32) == members[n]));
        }
    }

    /// All 2 * 3 * 4 combinations come, and equally often.
    #[test]
    fn combinations_are_drawn_uniformly() {
        let mut rng = Seed(1).stream(Purpose::Playout);
        let sets = [0b1010, 0b1101, 0b1111].map(Directions::from_bits);
        let mut counts = HashMap::new();
        for _ in 0..24_000 {
            let picked = Directions::pick_each(sets, &mut rng);
            assert!(picked.iter().zip(sets).all(|(&direction, set)| set.contains(direction)));
            *counts.entry(picked).or_insert(0.0_f64) += 1.0;
        }
        assert_eq!(counts.len(), 24);
        let chi: f64 = counts.values().map(|n| (n - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 49.73, "chi-square {chi} is above the 0.1 % point for 23 degrees of freedom");
    }

    #[test]
    fn names_read_back() {
        for (index, direction) in (0..).zip(Direction::ALL) {
            assert_eq!(Direction::parse(direction.name()), Some(direction));
            assert_eq!(Direction::from_index(index), Some(direction));
        }
        assert_eq!([4, u64::MAX].map(Direction::from_index), [None; 2]);
        assert_eq!(["", "Up", "u", "upup"].map(Direction::parse), [None; 4]);
    }
}
