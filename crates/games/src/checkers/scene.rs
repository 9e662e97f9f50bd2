//! The board as a picture.

use fogtree_core::Player;
use fogtree_core::scene::{Board, Entry, Look, Scene, Table, Tint, Token, Zone};

use super::{BLACK, Checkers, Kind, Phase, State, bit};

impl Checkers {
    /// The board with the numbers that moves are named by.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let size = usize::from(self.size);
        let mut board = Board::new(size, size, |_, _| String::new()).chequered();
        for row in 0..self.size {
            for k in 0..self.squares_in_a_row() {
                let here = bit(4 * row + k);
                let column = 2 * k + u8::from(row % 2 == 0);
                let number = self.number(4 * row + k).to_string();
                let cell = board.cell(column.into(), row.into()).noted(&number);
                cell.place = number;
                for owner in Player::all(2).filter(|p| s.pieces[p.index()] & here != 0) {
                    cell.put(piece(owner, s.kings & here != 0));
                }
            }
        }
        let mut facts = Table::headed(["", "men", "kings"]);
        for p in Player::all(2) {
            let pieces = s.pieces[p.index()];
            let counts = [pieces & !s.kings, pieces & s.kings].map(|set| set.count_ones().to_string());
            facts.row([Entry::from(side(p)).of(p)].into_iter().chain(counts.map(Entry::from)));
        }
        Scene::new(self.caption(s))
            .tinted([Tint::Black, Tint::White])
            .with(Zone::board("board", board))
            .with(Zone::table("players", facts).beside())
    }

    fn caption(&self, s: &State) -> String {
        let mut text = match s.phase {
            Phase::ToMove(who) => match self.moves(s, who, u64::MAX).kind {
                Kind::Jump => format!("{} to move, and must jump.", side(who)),
                Kind::Step => format!("{} to move.", side(who)),
            },
            Phase::JumpingOn { who, square } => {
                return format!(
                    "{} must jump on with the piece on square {}.",
                    side(who),
                    self.number(square)
                );
            }
            Phase::Over(Some(who)) => {
                return format!("{} cannot move: {} wins.", side(who.other()), side(who));
            }
            Phase::Over(None) => return "The game is a draw.".to_string(),
        };
        if s.quiet >= self.quiet / 2 {
            text += &format!(
                " A draw after {} more moves without a capture or a man's move.",
                self.quiet - s.quiet
            );
        }
        text
    }
}

fn piece(owner: Player, king: bool) -> Token {
    let (look, kind) = if king { (Look::King, "king") } else { (Look::Disc, "man") };
    Token::new(look).of(owner).named(format!("{} {kind}", colour(owner)))
}

fn colour(of: Player) -> &'static str {
    if of == BLACK { "black" } else { "white" }
}

fn side(p: Player) -> String {
    format!("Player {p} ({})", colour(p))
}
