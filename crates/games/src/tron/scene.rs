//! The board as a picture.

use fogtree_core::Player;
use fogtree_core::scene::{Ground, Scene, Zone};

use super::area::Cell;
use super::{State, Tron};
use crate::direction::Directions;
use crate::grid::{self, Grid, mark_name, mark_token};

impl Tron {
    /// The units and the walls they have left.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let mut board = self.grid().board();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let cell = Cell::new(row, column);
                let drawn = board.cell(column.into(), row.into());
                for unit in Player::all(2).filter(|p| s.units[p.index()] == cell) {
                    drawn.put(mark_token(unit));
                }
                if drawn.tokens.is_empty() && s.walls.contains(cell) {
                    drawn.made_of(Ground::Wall);
                }
            }
        }
        Scene::new(caption(s)).with(Zone::board("board", board))
    }

    fn grid(&self) -> Grid {
        Grid::of_cells(u16::from(self.columns), u16::from(self.rows))
    }

    /// The spot of a cell.
    pub(super) fn spot(&self, cell: Cell) -> String {
        let (row, column) = cell.place();
        let cell = grid::Cell(u16::from(row) * u16::from(self.columns) + u16::from(column));
        format!("board/{}", self.grid().name(cell))
    }
}

fn caption(s: &State) -> String {
    let side = |p: u8| format!("Player {p} ({})", mark_name(Player(p)));
    match s.exits.map(Directions::is_empty) {
        [false, false] => {
            format!("{} and {} step at the same time. Who is shut in loses.", side(0), side(1))
        }
        [true, false] => format!("{} is shut in: {} wins.", side(0), side(1)),
        [false, true] => format!("{} is shut in: {} wins.", side(1), side(0)),
        [true, true] if s.units[0] == s.units[1] => "They have run into each other: a draw.".to_string(),
        [true, true] => "Both are shut in: a draw.".to_string(),
    }
}
