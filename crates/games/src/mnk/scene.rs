//! The board as a picture.

use fogtree_core::Player;
use fogtree_core::scene::{Scene, Zone};

use super::{Mnk, State};
use crate::grid::{Cell, Phase, mark_name, mark_token};

impl<const W: usize> Mnk<W> {
    /// The marks; those that make the row at the end are in their owner's colour.
    pub(super) fn draw(&self, s: &State<W>) -> Scene {
        let mut board = self.grid.board();
        for (i, drawn) in (0..).zip(&mut board.cells) {
            let cell = Cell(i);
            for owner in Player::all(2).filter(|p| s.marks[p.index()].contains(cell)) {
                drawn.put(mark_token(owner));
                let own = |c| s.marks[owner.index()].contains(c);
                if s.phase == Phase::Won && self.grid.in_a_row(cell, own) {
                    drawn.owned(owner);
                }
            }
        }
        Scene::new(self.caption(s)).with(Zone::board("board", board))
    }

    fn caption(&self, s: &State<W>) -> String {
        let side = |p: Player| format!("Player {p} ({})", mark_name(p));
        let [next, last] = [s.placed, s.placed + 1].map(|n| Player((n % 2) as u8));
        let row = self.grid.in_row();
        match s.phase {
            Phase::Playing => format!("{} to mark a cell. {row} in a row win.", side(next)),
            Phase::Won => format!("{} has {row} in a row and wins.", side(last)),
            Phase::Drawn => "The board is full without a row: a draw.".to_string(),
        }
    }
}
