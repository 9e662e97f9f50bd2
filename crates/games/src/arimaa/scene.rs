//! The board as a picture.

use fogtree_core::Player;
use fogtree_core::scene::{self, Cards, Entry, Scene, Spread, Table, Tint, Token, Zone};

use super::board::{KINDS, LETTERS, ahead};
use super::{Arimaa, GOLD, Hand, Phase, Setup, State, What, square_name};
use crate::words::counted;

const NAMES: [&str; KINDS] = ["rabbit", "cat", "dog", "horse", "camel", "elephant"];

impl Arimaa {
    /// The board, the pieces of both sides by strength and, while pieces are placed, those still to come.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let scene = Scene::new(self.caption(s))
            .tinted([Tint::Gold, Tint::Silver])
            .with(Zone::board("board", self.draw_board(s)))
            .with(Zone::table("pieces", counts(s)).titled("Pieces by strength").beside());
        match s.phase {
            Phase::Setup { who, .. } => {
                scene.with(Zone::cards("hand", self.hand(s, who)).titled("Still to place").of(who))
            }
            _ => scene,
        }
    }

    /// Pieces that cannot move for a stronger enemy beside them are pale.
    fn draw_board(&self, s: &State) -> scene::Board {
        let size = self.ground.size;
        let next = match s.phase {
            Phase::Setup { who, placed } => self.next_home(who, placed),
            _ => 0,
        };
        let free = s.board.free(Player(0)) | s.board.free(Player(1));
        let mut board = scene::Board::lettered(size.into(), size.into());
        for row in 0..size {
            for column in 0..size {
                let at = 1 << (8 * row + column);
                let cell = board.cell(column.into(), (size - 1 - row).into());
                if self.ground.traps & at != 0 {
                    cell.made_of(scene::Ground::Marked);
                }
                if next == at {
                    cell.made_of(scene::Ground::Goal);
                }
                for owner in Player::all(2).filter(|p| s.board.sides[p.index()] & at != 0) {
                    cell.put(piece(owner, s.board.kind_at(at)).pale_if(free & at == 0));
                }
            }
        }
        board
    }

    fn hand(&self, s: &State, who: Player) -> Cards {
        let mut hand = Cards::new(Spread::Row);
        if let Setup::Free(all) = &self.setup {
            for kind in (0..KINDS).rev().filter(|&kind| self.has_in_hand(s, who, kind)) {
                let placed = (s.board.sides[who.index()] & s.board.kinds[kind]).count_ones();
                let left = u32::from(all[kind]) - placed;
                hand.put_noted(letter(kind), piece(who, kind), counted(left, NAMES[kind]));
            }
        }
        hand
    }

    fn caption(&self, s: &State) -> String {
        match s.phase {
            Phase::Setup { who, placed } => {
                let at = square_name(self.next_home(who, placed).trailing_zeros() as u8);
                format!("{} to place a piece on {at}.", side(who))
            }
            Phase::ToMove { who, hand: Hand::Pushed { at, .. }, .. } => {
                format!("{} has pushed a piece and must step to {}.", side(who), square_name(at))
            }
            Phase::ToMove { who, left, .. } => {
                let goal = if who == GOLD { self.ground.size } else { 1 };
                let frozen = s.board.sides[who.index()] & !s.board.free(who) != 0;
                let pale = if frozen { " Pale pieces cannot move." } else { "" };
                let steps = counted(left, "step");
                format!("{} to move, with {steps} left. A rabbit on row {goal} wins.{pale}", side(who))
            }
            Phase::Over(Some(who)) => format!("{} wins.", side(who)),
            Phase::Over(None) => format!("A draw after {}.", counted(s.turns, "turn")),
        }
    }
}

/// A piece and where it steps; a piece still to be placed; nothing for the end of a turn.
pub(super) fn spots(what: What) -> Vec<String> {
    match what {
        What::Step { square, way } => {
            let to = ahead(1 << square, way).trailing_zeros() as u8;
            [square, to].map(|square| format!("board/{}", square_name(square))).into()
        }
        What::Place(kind) => vec![format!("hand/{}", letter(kind))],
        What::End => Vec::new(),
    }
}

fn counts(s: &State) -> Table {
    let mut table = Table::headed(["", "player 0 (gold)", "player 1 (silver)"]);
    for kind in (0..KINDS).rev() {
        let count = |p: Player| {
            let pieces = s.board.sides[p.index()] & s.board.kinds[kind];
            Entry::from(pieces.count_ones().to_string()).with(piece(p, kind))
        };
        table.row([Entry::from(NAMES[kind]), count(Player(0)), count(Player(1))]);
    }
    table
}

fn letter(kind: usize) -> String {
    char::from(LETTERS[kind]).to_string()
}

/// Gold has capital letters.
fn piece(owner: Player, kind: usize) -> Token {
    let letter = if owner == GOLD { letter(kind) } else { letter(kind).to_lowercase() };
    Token::figure(owner, letter).named(format!("{} {}", colour(owner), NAMES[kind]))
}

fn colour(of: Player) -> &'static str {
    if of == GOLD { "gold" } else { "silver" }
}

fn side(p: Player) -> String {
    format!("Player {p} ({})", colour(p))
}
