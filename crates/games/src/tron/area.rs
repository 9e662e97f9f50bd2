//! Sets of cells of a board of up to 16 rows and columns, a bit each, and the race for open cells.

use serde::{Deserialize, Serialize};

use crate::direction::{Direction, Directions};

/// The most rows and the most columns.
pub(super) const LONGEST_SIDE: u8 = 16;

/// A cell: 16 * row + column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Cell(pub(super) u8);

impl Cell {
    pub(super) const fn new(row: u8, column: u8) -> Cell {
        Cell(LONGEST_SIDE * row + column)
    }

    /// Row and column.
    pub(super) const fn place(self) -> (u8, u8) {
        (self.0 / LONGEST_SIDE, self.0 % LONGEST_SIDE)
    }

    /// The cell a step leads to; over the edge of the largest board, any cell.
    #[inline]
    pub(super) const fn beside(self, direction: Direction) -> Cell {
        const BY: [u8; 4] = [LONGEST_SIDE.wrapping_neg(), u8::MAX, 1, LONGEST_SIDE];
        Cell(self.0.wrapping_add(BY[direction.index()]))
    }
}

/// A set of cells: four words of four rows, 16 bits a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Area([u64; 4]);

const FIRST_COLUMN: u64 = 0x0001_0001_0001_0001;
const LAST_COLUMN: u64 = FIRST_COLUMN << 15;

impl Area {
    /// The cells that are not on a board of this size.
    pub(super) fn outside(rows: u8, columns: u8) -> Area {
        let mut area = Area::default();
        let all = (0..LONGEST_SIDE).flat_map(|row| (0..LONGEST_SIDE).map(move |column| (row, column)));
        for (row, column) in all.filter(|&(row, column)| row >= rows || column >= columns) {
            area.insert(Cell::new(row, column));
        }
        area
    }

    #[inline]
    pub(super) fn contains(&self, Cell(cell): Cell) -> bool {
        self.0[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, Cell(cell): Cell) {
        self.0[usize::from(cell >> 6)] |= 1 << (cell & 63);
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn with(&self, other: &Area) -> Area {
        Area(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline]
    fn without(&self, other: &Area) -> Area {
        Area(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// The cells one step away from a cell of this set.
    #[inline]
    fn neighbours(&self) -> Area {
        let word = |i: usize| self.0[i];
        Area(std::array::from_fn(|i| {
            let above = if i > 0 { word(i - 1) >> 48 } else { 0 };
            let below = if i < 3 { word(i + 1) << 48 } else { 0 };
            let across = (word(i) & !LAST_COLUMN) << 1 | (word(i) & !FIRST_COLUMN) >> 1;
            across | word(i) << 16 | above | word(i) >> 16 | below
        }))
    }

    /// The directions in which a cell has a neighbour that is not in this set, of those that stay on the
    /// board.
    #[inline]
    pub(super) fn ways_out(&self, of: Cell, on_board: Directions) -> Directions {
        let open = |direction: Direction| u8::from(!self.contains(of.beside(direction))) << direction.index();
        Directions::from_bits(Direction::ALL.into_iter().fold(0, |bits, direction| bits | open(direction)))
            .and(on_board)
    }

    /// How many cells outside this set each of two units reaches strictly before the other, when both spread
    /// in all directions at the same pace. What both reach at the same time belongs to nobody and is no way
    /// on.
    pub(super) fn race(&self, units: [Cell; 2]) -> [u32; 2] {
        let mut taken = *self;
        let mut fronts = units.map(|unit| {
            let mut front = Area::default();
            front.insert(unit);
            front
        });
        let mut owned = [0; 2];
        while !(fronts[0].is_empty() && fronts[1].is_empty()) {
            let reached = fronts.map(|front| front.neighbours().without(&taken));
            fronts = [reached[0].without(&reached[1]), reached[1].without(&reached[0])];
            for (owned, front) in owned.iter_mut().zip(&fronts) {
                *owned += front.len();
            }
            taken = taken.with(&reached[0]).with(&reached[1]);
        }
        owned
    }
}
