//! Boards: cells in rows and columns.

use serde::{Deserialize, Serialize};

use super::Token;
use crate::Player;

/// Cells in rows and columns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Board {
    /// How many cells a row has.
    pub columns: usize,
    /// How the cells are drawn.
    pub lattice: Lattice,
    /// The cells row by row, the top row first.
    pub cells: Vec<Cell>,
    /// What stands above each column; nothing if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub above: Vec<String>,
    /// What stands below each column; nothing if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub below: Vec<String>,
    /// What stands to the left of each row; nothing if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<String>,
    /// Walls between neighbouring cells, by their numbers in `cells`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub walls: Vec<(usize, usize)>,
}

/// How the cells of a board are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Lattice {
    /// Squares side by side.
    #[default]
    Squares,
    /// Squares, every other row moved to the right by half a square: a board of hexagons.
    Hexagons,
    /// Round holes in a plate.
    Holes,
}

/// A cell of a board.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cell {
    /// Its name in spots; empty if it is none.
    pub place: String,
    /// What it is made of.
    #[serde(default, skip_serializing_if = "Ground::is_plain")]
    pub ground: Ground,
    /// Whose colour it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Player>,
    /// What stands on it, the lowest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Token>,
    /// A short remark in its corner.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Whether the observer knows the ground but does not see what stands there now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dim: bool,
}

/// What a cell is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// Nothing special.
    #[default]
    Plain,
    /// The darker squares of a chequered board.
    Dark,
    /// Meadows.
    Grass,
    /// Woods.
    Forest,
    /// Mountains.
    Mountain,
    /// A road.
    Road,
    /// A lake, a river, the sea.
    Water,
    /// A fortress, a town.
    Fort,
    /// Nobody can go here.
    Wall,
    /// Nobody knows what is here.
    Fog,
    /// A trap or another special place.
    Marked,
    /// Where somebody wants to go.
    Goal,
    /// Not part of the board: nothing is drawn.
    None,
}

impl Ground {
    fn is_plain(&self) -> bool {
        *self == Ground::Plain
    }
}

impl Board {
    /// A board of squares whose places are named by column and row, both counted from 0, the top row first.
    pub fn new(columns: usize, rows: usize, mut name: impl FnMut(usize, usize) -> String) -> Board {
        let cell = |i| Cell { place: name(i % columns, i / columns), ..Cell::default() };
        Board {
            columns,
            lattice: Lattice::Squares,
            cells: (0..columns * rows).map(cell).collect(),
            above: Vec::new(),
            below: Vec::new(),
            left: Vec::new(),
            walls: Vec::new(),
        }
    }

    /// A board with columns `a`, `b`, ... from the left and rows 1, 2, ... from the bottom, labelled so.
    pub fn lettered(columns: usize, rows: usize) -> Board {
        let letter = |x: usize| char::from(b'a' + x as u8);
        Board {
            below: (0..columns).map(|x| letter(x).to_string()).collect(),
            left: (0..rows).map(|y| (rows - y).to_string()).collect(),
            ..Board::new(columns, rows, |x, y| format!("{}{}", letter(x), rows - y))
        }
    }

    /// A board of one row.
    pub fn track(names: impl IntoIterator<Item = String>) -> Board {
        let cells: Vec<Cell> = names.into_iter().map(|place| Cell { place, ..Cell::default() }).collect();
        Board { columns: cells.len(), cells, ..Board::new(1, 0, |_, _| String::new()) }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.cells.len().checked_div(self.columns).unwrap_or(0)
    }

    /// The cell in this column and row, the top row being 0.
    pub fn cell(&mut self, column: usize, row: usize) -> &mut Cell {
        &mut self.cells[row * self.columns + column]
    }

    /// The board with every other square dark.
    #[must_use]
    pub fn chequered(mut self) -> Board {
        for (i, cell) in self.cells.iter_mut().enumerate() {
            if (i % self.columns + i / self.columns) % 2 == 1 {
                cell.ground = Ground::Dark;
            }
        }
        self
    }

    /// The board drawn in another way.
    #[must_use]
    pub fn drawn_as(mut self, lattice: Lattice) -> Board {
        self.lattice = lattice;
        self
    }
}

impl Cell {
    /// Puts a token on the cell.
    pub fn put(&mut self, token: Token) -> &mut Cell {
        self.tokens.push(token);
        self
    }

    /// Makes the cell of this.
    pub fn made_of(&mut self, ground: Ground) -> &mut Cell {
        self.ground = ground;
        self
    }

    /// Gives the cell somebody's colour.
    pub fn owned(&mut self, owner: Player) -> &mut Cell {
        self.owner = Some(owner);
        self
    }

    /// Puts the cell out of sight, if so.
    pub fn dim_if(&mut self, dim: bool) -> &mut Cell {
        self.dim = dim;
        self
    }

    /// Writes a short remark into the cell's corner.
    pub fn noted(&mut self, note: impl Into<String>) -> &mut Cell {
        self.note = note.into();
        self
    }
}
