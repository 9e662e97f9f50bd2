//! The board as a picture.

use std::cmp::Ordering;

use fogtree_core::Player;
use fogtree_core::scene::{Entry, Ground, Scene, Table, Tint, Token, Zone};

use super::{Action, BLACK, Othello, Phase, State, WHITE};
use crate::grid::Grid;

impl Othello {
    /// The discs, and the squares on which the player to move may place one.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let legal = match s.phase {
            Phase::ToMove(who) => self.placements(s.discs[who.index()], s.discs[who.other().index()]),
            Phase::Over => 0,
        };
        let mut board = Grid::of_cells(self.size as u16, self.size as u16).board();
        for row in 0..self.size as usize {
            for column in 0..self.size as usize {
                let square = 8 * row + column;
                let cell = board.cell(column, row).made_of(Ground::Grass);
                for owner in Player::all(2).filter(|p| s.discs[p.index()] >> square & 1 == 1) {
                    cell.put(Token::disc(owner).named(format!("{} disc", colour(owner))));
                }
                if legal >> square & 1 == 1 {
                    cell.made_of(Ground::Goal);
                }
            }
        }
        let mut facts = Table::headed(["", "discs"]);
        for p in Player::all(2) {
            let name = Entry::from(side(p)).of(p);
            facts.row([name, s.discs[p.index()].count_ones().to_string().into()]);
        }
        Scene::new(caption(s, legal))
            .tinted([Tint::Black, Tint::White])
            .with(Zone::board("board", board))
            .with(Zone::table("players", facts).beside())
    }

    /// The square a disc is placed on; nothing for a pass.
    pub(super) fn spot(action: Action) -> Option<String> {
        match action {
            Action::Place(square) => Some(format!("board/{}", square_name(square))),
            Action::Pass => None,
        }
    }
}

/// Column letter and row number, `a1` at the top left.
pub(super) fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

fn colour(of: Player) -> &'static str {
    if of == BLACK { "black" } else { "white" }
}

fn side(p: Player) -> String {
    format!("Player {p} ({})", colour(p))
}

fn caption(s: &State, legal: u64) -> String {
    let [black, white] = s.discs.map(u64::count_ones);
    match s.phase {
        Phase::ToMove(who) if legal == 0 => format!("{} cannot place a disc and must pass.", side(who)),
        Phase::ToMove(who) => format!("{} to place a disc on a marked square.", side(who)),
        Phase::Over => match black.cmp(&white) {
            Ordering::Greater => format!("{} has most discs and wins, {black} to {white}.", side(BLACK)),
            Ordering::Less => format!("{} has most discs and wins, {white} to {black}.", side(WHITE)),
            Ordering::Equal => format!("Both have {black} discs: a draw."),
        },
    }
}
