//! The board as a picture.

use fogtree_core::Player;
use fogtree_core::scene::{Board, Lattice, Scene, Token, Zone};

use super::{ConnectFour, Phase, State};

impl ConnectFour {
    /// The board from the front, its columns numbered; stones in a line that wins are noted.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let (columns, rows) = (self.columns as usize, self.rows as usize);
        let mut board = Board::new(columns, rows, |x, y| place(x, rows - 1 - y)).drawn_as(Lattice::Holes);
        board.below = (1..=columns).map(|x| x.to_string()).collect();
        let won = s.stones.map(|stones| self.in_lines(stones));
        for column in 0..columns {
            for row in 0..rows {
                let here = 1 << (column * (rows + 1) + row);
                let cell = board.cell(column, rows - 1 - row);
                for owner in Player::all(2).filter(|p| s.stones[p.index()] & here != 0) {
                    cell.put(Token::disc(owner).named(format!("stone of player {owner}")));
                    if won[owner.index()] & here != 0 {
                        cell.owned(owner);
                    }
                }
            }
        }
        Scene::new(self.caption(s)).with(Zone::board("board", board))
    }

    fn caption(&self, s: &State) -> String {
        let connect = self.connect;
        match s.phase {
            Phase::ToMove(who) => {
                format!("Player {who} to drop a stone into a column. {connect} in a line win.")
            }
            Phase::Won(who) => format!("Player {who} has {connect} in a line and wins."),
            Phase::Drawn => "The board is full without a line: a draw.".to_string(),
        }
    }

    /// The stones that stand in a line that wins.
    fn in_lines(&self, stones: u64) -> u64 {
        [1, self.rows, self.rows + 1, self.rows + 2].into_iter().fold(0, |all, shift| {
            let starts = (1..self.connect).fold(stones, |lines, _| stones & lines >> shift);
            (1..self.connect).fold(starts, |lines, _| lines | lines << shift) | all
        })
    }

    /// The spot at which a stone comes to lie.
    pub(super) fn spot(&self, s: &State, column: u8) -> String {
        let all = s.stones[0] | s.stones[1];
        let height = self.rows + 1;
        let row = self.landing(all, u32::from(column)).trailing_zeros() - u32::from(column) * height;
        format!("board/{}", place(column.into(), row as usize))
    }
}

/// A cell by column and row, both counted from 0, the lowest row first; its name counts from 1.
fn place(column: usize, row: usize) -> String {
    format!("{}.{}", column + 1, row + 1)
}
