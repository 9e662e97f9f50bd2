//! Where a unit can go, and by which way.
//!
//! Prices are one or two points, so the cells within `d` points are those within `d - 1`, and of their
//! neighbours the cheap ones, and of the neighbours of the cells within `d - 2` the dear ones: a few shifts of
//! whole sets.

use arrayvec::ArrayVec;

use super::map::Map;
use super::terrain::Terrain;
use super::units::Kind;

/// The most move points of any unit, and the start.
const LEVELS: usize = 10;

/// A way: the cells entered, in order.
pub(super) type Way = ArrayVec<u8, { LEVELS - 1 }>;

/// What movement needs to know of a map.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) columns: u32,
    pub(super) all: u64,
    /// The cells that are not in the first column, and not in the last.
    not_first: u64,
    not_last: u64,
    /// For each kind: the cells it enters for one point, and for two.
    price: [[u64; 2]; 6],
    pub(super) stars: [u8; 64],
}

impl Ground {
    pub(super) fn of(map: &Map) -> Ground {
        let all = u64::MAX >> (64 - map.cells());
        let columns = u32::from(map.columns);
        let set = |of: &dyn Fn(usize, Terrain) -> bool| {
            let cells = map.terrain.iter().enumerate().filter(|(cell, t)| of(*cell, **t));
            cells.fold(0, |set, (cell, _)| set | 1 << cell)
        };
        let mut stars = [0; 64];
        for (stars, terrain) in stars.iter_mut().zip(&map.terrain) {
            *stars = terrain.stars() as u8;
        }
        Ground {
            columns,
            all,
            not_first: set(&|cell, _| cell % columns as usize != 0),
            not_last: set(&|cell, _| (cell + 1) % columns as usize != 0),
            price: Kind::ALL.map(|kind| [1, 2].map(|points| set(&|_, t| t.cost(kind) == Some(points)))),
            stars,
        }
    }

    /// The cells a kind can stand on.
    #[inline]
    pub(super) fn enterable(&self, kind: Kind) -> u64 {
        let [cheap, dear] = self.price[kind as usize];
        cheap | dear
    }

    /// The neighbours of a set of cells, and perhaps some of the set.
    #[inline]
    pub(super) fn around(&self, set: u64) -> u64 {
        // A map of 64 columns has one row, and shifting by 0 does no harm.
        let columns = self.columns & 63;
        ((set & self.not_last) << 1 | (set & self.not_first) >> 1 | set << columns | set >> columns)
            & self.all
    }

    /// The cells a unit can get to from any cell of a set without entering the blocked ones, those it starts
    /// from included.
    #[inline]
    pub(super) fn reach(&self, kind: Kind, from: u64, blocked: u64) -> u64 {
        let [cheap, dear] = self.price[kind as usize].map(|set| set & !blocked);
        let (mut around_before, mut within) = (0, from);
        for _ in 0..kind.speed() {
            let around = self.around(within);
            let next = within | around & cheap | around_before & dear;
            if next == within && around == around_before {
                break;
            }
            (around_before, within) = (around, next);
        }
        within
    }

    /// The cheapest way to a cell. Ties are settled from the end: the last step goes east if it can, else
    /// north, west, south, and so on back to the start. Nothing if there is no way.
    pub(super) fn way(&self, kind: Kind, from: u8, to: u8, blocked: u64) -> Way {
        let [cheap, dear] = self.price[kind as usize].map(|set| set & !blocked);
        let mut levels = [0u64; LEVELS];
        levels[0] = 1 << from;
        for d in 1..=kind.speed() {
            let before = if d > 1 { self.around(levels[d - 2]) } else { 0 };
            levels[d] = levels[d - 1] | self.around(levels[d - 1]) & cheap | before & dear;
        }
        let within = |cell: u8, d: usize| levels[d] >> cell & 1 == 1;
        let mut way = Way::new();
        let Some(mut left) = (0..=kind.speed()).find(|&d| within(to, d)) else { return way };
        let mut at = to;
        while left > 0 {
            way.push(at);
            left -= if dear >> at & 1 == 1 { 2 } else { 1 };
            let cell: u64 = 1 << at;
            let columns = self.columns & 63;
            let before = [
                (cell & self.not_first) >> 1,
                cell << columns & self.all,
                (cell & self.not_last) << 1,
                cell >> columns,
            ];
            let from = before.into_iter().find(|set| set & levels[left] != 0);
            at = from.expect("some neighbour is that much nearer").trailing_zeros() as u8;
        }
        way.reverse();
        way
    }
}
