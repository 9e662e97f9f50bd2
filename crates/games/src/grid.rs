//! Boards on which two players try to make a row of marks: what the m,n,k games share.
//!
//! A [`Grid`] names its cells (`a1` is top left) and makes a board of them, [`Lines`] tell whether a set of marks holds
//! a row.

use fogtree_core::scene::{Board, Token};
use fogtree_core::{BadSpec, Params, Player};
use serde::{Deserialize, Serialize};

/// The most columns and the most rows: a Go board.
pub const LONGEST_SIDE: u16 = 19;

/// A cell, counted row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cell(pub u16);

impl Cell {
    /// The set that holds this cell alone, on a board of at most 64 cells.
    #[inline]
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The cells of a set, on a board of at most 64 cells, in rising order.
#[inline]
pub(crate) fn cells_of(mut set: u64) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| Cell(set.trailing_zeros() as u16));
        set &= set.wrapping_sub(1);
        cell
    })
}

/// How far a game has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It goes on.
    Playing,
    /// The last mark made a row.
    Won,
    /// The last mark filled the board without a row.
    Drawn,
}

/// The board of an m,n,k game and how long a row must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    columns: u16,
    rows: u16,
    in_row: u16,
}

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

impl Grid {
    /// The board that the parameters `m`, `n` and `k` ask for.
    pub fn from_params(params: &Params) -> Result<Grid, BadSpec> {
        let columns: u16 = params.number("m")?;
        let rows: u16 = params.number("n")?;
        let in_row = params.number_within("k", 2..=columns.max(rows).max(2))?;
        if in_row > columns.max(rows) {
            return Err(params.bad("m", "a board with room for a row of two"));
        }
        Ok(Grid { columns, rows, in_row })
    }

    /// A board on which there are no rows to make, only cells with names.
    pub(crate) const fn of_cells(columns: u16, rows: u16) -> Grid {
        Grid { columns, rows, in_row: LONGEST_SIDE + 1 }
    }

    /// How many cells there are.
    pub fn cells(&self) -> u16 {
        self.columns * self.rows
    }

    /// How many rows and columns there are.
    pub(crate) fn size(&self) -> [usize; 2] {
        [self.rows, self.columns].map(usize::from)
    }

    /// How long a row must be.
    pub(crate) fn in_row(&self) -> u16 {
        self.in_row
    }

    /// The cell in the middle, if there is one.
    pub fn centre(&self) -> Option<Cell> {
        (self.columns % 2 == 1 && self.rows % 2 == 1).then_some(Cell(self.cells() / 2))
    }

    /// Column letter and row number, `a1` at the top left.
    pub fn name(&self, cell: Cell) -> String {
        let column = char::from(b'a' + (cell.0 % self.columns) as u8);
        format!("{column}{}", cell.0 / self.columns + 1)
    }

    /// The cell with this name.
    pub fn parse(&self, name: &str) -> Option<Cell> {
        let (letter, row) = name.split_at_checked(1)?;
        let column = u16::from(letter.as_bytes()[0].checked_sub(b'a')?);
        let row: u16 = row.parse().ok().filter(|row| (1..=self.rows).contains(row))?;
        let cell = Cell((row - 1) * self.columns + column);
        (column < self.columns && self.name(cell) == name).then_some(cell)
    }

    /// The board as a picture, with nothing on its cells.
    pub(crate) fn board(&self) -> Board {
        let (columns, rows) = (usize::from(self.columns), usize::from(self.rows));
        Board {
            below: (0..self.columns).map(|x| char::from(b'a' + x as u8).to_string()).collect(),
            left: (1..=rows).map(|y| y.to_string()).collect(),
            ..Board::new(columns, rows, |x, y| self.name(Cell((y * columns + x) as u16)))
        }
    }

    /// The cell so many columns and rows away, if it is on the board.
    fn step(&self, from: Cell, (right, down): (i32, i32), steps: i32) -> Option<Cell> {
        let column = i32::from(from.0 % self.columns) + right * steps;
        let row = i32::from(from.0 / self.columns) + down * steps;
        let inside =
            (0..i32::from(self.columns)).contains(&column) && (0..i32::from(self.rows)).contains(&row);
        inside.then(|| Cell((row * i32::from(self.columns) + column) as u16))
    }

    /// Whether a mark on this cell stands in a row, found by walking from it in every direction.
    pub(crate) fn in_a_row(&self, cell: Cell, marked: impl Fn(Cell) -> bool) -> bool {
        DIRECTIONS.iter().any(|&direction| {
            let reach = |sign| {
                let more = (1..i32::from(self.in_row))
                    .take_while(|i| self.step(cell, direction, sign * i).is_some_and(&marked));
                more.count()
            };
            1 + reach(1) + reach(-1) >= usize::from(self.in_row)
        })
    }
}

/// Every row of a board of at most 64 cells, as sets of cells.
#[derive(Clone, Debug)]
pub struct Lines {
    all: Vec<u64>,
    /// The rows through each cell, one cell after the other, and where each cell's begin.
    by_cell: Vec<u64>,
    begin: Vec<u32>,
    /// For each direction: how far the next cell is, and the cells that have one.
    next: [(u16, u64); 4],
    in_row: u16,
    /// On boards of at most 16 cells: one bit for each set of marks, whether it holds a row.
    table: Vec<u64>,
}

impl Lines {
    /// The rows of a board, which must not have more than 64 cells.
    pub fn of(grid: &Grid) -> Lines {
        let cells = || (0..grid.cells()).map(Cell);
        let row = |cell: Cell, direction| {
            let along = (0..i32::from(grid.in_row)).map(|i| grid.step(cell, direction, i));
            along.map(|c| c.map(Cell::bit)).try_fold(0, |row, bit| Some(row | bit?))
        };
        let all: Vec<u64> = cells().flat_map(|c| DIRECTIONS.iter().filter_map(move |&d| row(c, d))).collect();
        let mut by_cell = Vec::new();
        let mut begin = vec![0];
        for cell in cells() {
            by_cell.extend(all.iter().filter(|&line| line & cell.bit() != 0));
            begin.push(by_cell.len() as u32);
        }
        let next = DIRECTIONS.map(|direction| {
            let from = cells().filter_map(|c| grid.step(c, direction, 1).map(|next| (next.0 - c.0, c.bit())));
            from.fold((0, 0), |(_, set), (distance, bit)| (distance, set | bit))
        });
        let mut lines = Lines { all, by_cell, begin, next, in_row: grid.in_row, table: Vec::new() };
        if grid.cells() <= 16 {
            let word = |i: u64| (0..64).fold(0, |word, j| word | u64::from(lines.any(i * 64 + j)) << j);
            lines.table = (0..(1u64 << grid.cells()).div_ceil(64)).map(word).collect();
        }
        lines
    }

    /// All rows.
    pub fn all(&self) -> &[u64] {
        &self.all
    }

    /// The rows through a cell.
    #[inline]
    pub fn through(&self, cell: Cell) -> &[u64] {
        let at = usize::from(cell.0);
        &self.by_cell[self.begin[at] as usize..self.begin[at + 1] as usize]
    }

    /// Whether the marks hold a row.
    #[inline]
    pub fn any(&self, marks: u64) -> bool {
        match self.table.get((marks >> 6) as usize) {
            Some(word) => word >> (marks & 63) & 1 == 1,
            None => {
                let mut starts = [marks; 4];
                for _ in 1..self.in_row {
                    for (starts, (distance, inside)) in starts.iter_mut().zip(self.next) {
                        *starts &= *starts >> distance & inside;
                    }
                }
                starts.iter().any(|&starts| starts != 0)
            }
        }
    }
}

/// A player's mark: a cross for the first, a ring for the second.
pub(crate) fn mark_token(of: Player) -> Token {
    let token = if of.0 == 0 { Token::cross(of) } else { Token::ring(of) };
    token.named(mark_name(of))
}

/// What a player's mark is called.
pub(crate) fn mark_name(of: Player) -> &'static str {
    if of.0 == 0 { "cross" } else { "ring" }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn grid(columns: u16, rows: u16, in_row: u16) -> Grid {
        Grid { columns, rows, in_row }
    }

    #[test]
    fn cells_are_named_from_the_top_left() {
        let board = grid(19, 19, 5);
        assert_eq!([0, 1, 19, 360].map(|c| board.name(Cell(c))), ["a1", "b1", "a2", "s19"]);
        assert!((0..361).all(|c| board.parse(&board.name(Cell(c))) == Some(Cell(c))));
        let wide = grid(4, 2, 3);
        assert_eq!(wide.parse("d2"), Some(Cell(7)));
        for text in
            ["", "a", "1", "a0", "a3", "e1", "a01", "a+1", "A1", "a1 ", "a99999999999", "ä1", "é", "`1"]
        {
            assert_eq!(wide.parse(text), None, "{text}");
        }
    }

    /// A board has n(m-k+1) rows across, m(n-k+1) down and 2(m-k+1)(n-k+1) aslant.
    #[test]
    fn every_row_is_found_once() {
        for (m, n, k, rows) in
            [(3, 3, 3, 8), (4, 4, 4, 10), (5, 4, 3, 12 + 10 + 12), (8, 8, 2, 210), (7, 1, 4, 4)]
        {
            let mut lines = Lines::of(&grid(m, n, k)).all;
            assert_eq!(lines.len(), rows, "{m},{n},{k}");
            lines.sort_unstable();
            lines.dedup();
            assert_eq!(lines.len(), rows, "{m},{n},{k}");
            assert!(lines.iter().all(|line| line.count_ones() == u32::from(k)));
        }
    }

    /// Four ways to find a row agree: a table, shifts, the sets of cells, and walking from a mark.
    #[test]
    fn all_ways_to_find_a_row_agree() {
        for board in [grid(4, 4, 3), grid(5, 3, 3), grid(2, 8, 4), grid(1, 9, 2), grid(13, 1, 3)] {
            let with_table = Lines::of(&board);
            let without = Lines { table: Vec::new(), ..with_table.clone() };
            assert!(!with_table.table.is_empty());
            for marks in 0..1u64 << board.cells() {
                let walked = cells_of(marks).any(|c| board.in_a_row(c, |c| marks & c.bit() != 0));
                assert_eq!(with_table.any(marks), walked);
                assert_eq!(without.any(marks), walked);
                assert_eq!(without.all.iter().any(|line| marks & line == *line), walked);
            }
        }
    }
}
