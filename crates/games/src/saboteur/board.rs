//! The cards on the table: one bit per cell, a plane of bits per open side.
//!
//! The table has 13 columns and 9 rows: two beyond the start, the goal column and the outer goals each way.

use serde::{Deserialize, Serialize};

use super::cards::{BOTTOM, LEFT, Openings, RIGHT, TOP, across};

pub(super) const COLUMNS: usize = 13;
pub(super) const ROWS: usize = 9;
/// How many cells there are.
pub(super) const CELLS: usize = COLUMNS * ROWS;
/// Where the start card lies.
pub(super) const START: u8 = cell(2, 4);

/// The cell in a column and a row, counted from the lower left corner.
pub(super) const fn cell(column: usize, row: usize) -> u8 {
    (row * COLUMNS + column) as u8
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(from = "[u32; 4]", into = "[u32; 4]")]
pub(super) struct Cells(pub(super) u128);

const ALL: u128 = (1 << CELLS) - 1;
const FIRST_COLUMN: u128 = {
    let (mut column, mut row) = (0, 0);
    while row < ROWS {
        column |= 1 << cell(0, row);
        row += 1;
    }
    column
};
const LAST_COLUMN: u128 = FIRST_COLUMN << (COLUMNS - 1);

impl Cells {
    #[inline]
    pub(super) const fn one(cell: u8) -> Cells {
        Cells(1 << cell)
    }

    #[inline]
    pub(super) const fn has(self, cell: u8) -> bool {
        self.0 >> cell & 1 == 1
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The cells in rising order.
    pub(super) fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let at = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (at < 128).then_some(at)
        })
    }

    /// The cell before which so many of the set lie.
    #[inline]
    pub(super) fn nth(self, mut n: u32) -> u8 {
        let low = (self.0 as u64).count_ones();
        let (mut half, base) = if n < low { (self.0 as u64, 0) } else { ((self.0 >> 64) as u64, 64) };
        if base > 0 {
            n -= low;
        }
        for _ in 0..n {
            half &= half.wrapping_sub(1);
        }
        base + half.trailing_zeros() as u8
    }

    /// The neighbours of these cells on one side.
    #[inline]
    pub(super) const fn step(self, side: usize) -> Cells {
        Cells(match side {
            TOP => self.0 << COLUMNS & ALL,
            RIGHT => (self.0 & !LAST_COLUMN) << 1,
            BOTTOM => self.0 >> COLUMNS,
            _ => (self.0 & !FIRST_COLUMN) >> 1,
        })
    }
}

impl From<[u32; 4]> for Cells {
    fn from(words: [u32; 4]) -> Cells {
        Cells(words.iter().rev().fold(0, |bits, &word| bits << 32 | u128::from(word)) & ALL)
    }
}

impl From<Cells> for [u32; 4] {
    fn from(cells: Cells) -> [u32; 4] {
        [0, 32, 64, 96].map(|shift| (cells.0 >> shift) as u32)
    }
}

/// The cells of a table with so many columns and rows less on every side.
pub(super) fn table(goal_column: usize, border: usize) -> Cells {
    let inside = |&at: &u8| {
        let (column, row) = (at as usize % COLUMNS, at as usize / COLUMNS);
        (2 - border..=goal_column + border).contains(&column) && (2 - border..=6 + border).contains(&row)
    };
    (0..CELLS as u8).filter(inside).fold(Cells::default(), |set, at| Cells(set.0 | 1 << at))
}

/// The cards that lie face up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Board {
    /// Where a card lies face up.
    pub(super) cards: Cells,
    /// The cards with an opening on each side.
    pub(super) open: [Cells; 4],
    /// Cards whose openings are not connected.
    pub(super) dead: Cells,
    /// Cards one can walk through, coming from the start.
    pub(super) reach: Cells,
}

impl Board {
    /// The start card alone.
    pub(super) fn new() -> Board {
        let start = Cells::one(START);
        Board { cards: start, open: [start; 4], dead: Cells::default(), reach: start }
    }

    /// The openings of the card in a cell; none if there is no card.
    pub(super) fn openings(&self, at: u8) -> Openings {
        (0..4).fold(0, |open, side| open | Openings::from(self.open[side].has(at)) << side)
    }

    /// Lays a card.
    #[inline]
    pub(super) fn lay(&mut self, at: u8, openings: Openings, dead: bool) {
        self.cards.0 |= 1 << at;
        for side in 0..4 {
            self.open[side].0 |= u128::from(openings >> side & 1) << at;
        }
        self.dead.0 |= u128::from(dead) << at;
        self.flood();
    }

    /// Takes a card away.
    #[inline]
    pub(super) fn remove(&mut self, at: u8) {
        let rest = !(1 << at);
        self.cards.0 &= rest;
        for side in &mut self.open {
            side.0 &= rest;
        }
        self.dead.0 &= rest;
        if self.reach.has(at) {
            self.reach = Cells::one(START);
            self.flood();
        }
    }

    /// Walks on from what is reached already.
    #[inline]
    fn flood(&mut self) {
        let mut edge = self.reach;
        loop {
            let entered =
                |side: usize| Cells(edge.0 & self.open[side].0).step(side).0 & self.open[across(side)].0;
            let entered = entered(TOP) | entered(RIGHT) | entered(BOTTOM) | entered(LEFT);
            edge = Cells(entered & !self.dead.0 & !self.reach.0);
            if edge.is_empty() {
                return;
            }
            self.reach.0 |= edge.0;
        }
    }

    /// The cells into which the tunnel opens that comes from the start, by the side they are entered from.
    #[inline]
    pub(super) fn mouths(&self) -> [Cells; 4] {
        [TOP, RIGHT, BOTTOM, LEFT]
            .map(|side| Cells(self.reach.0 & self.open[across(side)].0).step(across(side)))
    }

    /// What decides where cards fit.
    #[inline]
    pub(super) fn fits(&self) -> Fits {
        let sides = [TOP, RIGHT, BOTTOM, LEFT];
        let opens = sides.map(|side| self.open[across(side)].step(across(side)));
        Fits {
            mouths: self.mouths(),
            open: sides.map(|side| Cells(!self.cards.step(across(side)).0 | opens[side].0)),
            wall: opens.map(|cells| Cells(!cells.0)),
        }
    }
}

/// Where cards fit, by side.
pub(super) struct Fits {
    /// The tunnel from the start opens into the cell from this side.
    mouths: [Cells; 4],
    /// An opening on this side matches the neighbour.
    open: [Cells; 4],
    /// A wall on this side matches the neighbour.
    wall: [Cells; 4],
}

impl Fits {
    /// The cells in which a card matches all its neighbours and is connected with the start.
    #[inline]
    pub(super) fn places(&self, openings: Openings) -> Cells {
        let (mut matching, mut connected) = (u128::MAX, 0);
        for side in 0..4 {
            if openings >> side & 1 == 1 {
                matching &= self.open[side].0;
                connected |= self.mouths[side].0;
            } else {
                matching &= self.wall[side].0;
            }
        }
        Cells(matching & connected)
    }
}
