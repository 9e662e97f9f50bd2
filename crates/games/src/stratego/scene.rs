//! Stratego as a picture: the board, and what is left of both armies.

use fogtree_core::Player;
use fogtree_core::scene::{Board, Entry, Ground, Scene, Table, Token, Zone};

use super::army::Kind;
use super::board::{Phase, Square, bit};
use super::worlds::Info;
use super::{Stratego, words};

/// In the corner of a hidden piece that has moved.
const MOVED: &str = "→";
/// In the corner of a piece that both players know.
const SHOWN: &str = "*";

impl Stratego {
    pub(super) fn draw(&self, k: &Info) -> Scene {
        let notes = format!(
            "{} of at most {} moves made.\n{MOVED} has moved: neither bomb nor flag.\n{SHOWN} known to both.",
            k.plies, self.plies
        );
        Scene::new(self.caption(k))
            .with(Zone::board("board", self.board(k)))
            .with(Zone::table("armies", self.armies(k)).titled("Pieces left").beside())
            .with(Zone::text("notes", notes))
    }

    fn board(&self, k: &Info) -> Board {
        let mut board = Board::lettered(usize::from(self.columns), usize::from(self.rows));
        for at in 0..self.cells() {
            let (column, row) = (at % self.columns, at / self.columns);
            let cell = board.cell(usize::from(column), usize::from(self.rows - 1 - row));
            let square = k.squares.0[usize::from(at)];
            if self.land & bit(at) == 0 {
                cell.made_of(Ground::Water);
            }
            if let Some(owner) = square.owner() {
                cell.put(token(owner, square)).noted(match (square.is_revealed(), square.has_moved()) {
                    (true, _) => SHOWN,
                    (false, true) => MOVED,
                    (false, false) => "",
                });
            }
        }
        board
    }

    /// How many of each kind are left, and how many of the other's have not been shown.
    fn armies(&self, k: &Info) -> Table {
        let seat = k.by.seat();
        let sides = seat.map_or([Player(0), Player(1)], |own| [own, own.other()]);
        let mut table = Table::default();
        let names = sides.map(|side| words::name(side, k.by));
        table.head = ["piece", "rank", &names[0], &names[1]].map(str::to_string).to_vec();
        table.head.extend(seat.map(|_| "not shown".to_string()));
        for kind in Kind::ALL.into_iter().rev().filter(|kind| self.army[*kind as usize] > 0) {
            let all = self.army[kind as usize];
            let left = |side: Player| all - k.lost[side.index()][kind as usize];
            let count = |side: Player| Entry::from(format!("{} of {all}", left(side))).of(side);
            let row = table.row([kind.name(), kind.symbol().to_string()]);
            row.extend(sides.map(count));
            if let Some(own) = seat {
                let other = own.other();
                let shown = |square: &&Square| square.owner() == Some(other) && square.kind() == Some(kind);
                let shown = k.squares.0.iter().filter(shown).count();
                row.push((usize::from(left(other)) - shown).to_string().into());
            }
        }
        table
    }

    fn caption(&self, k: &Info) -> String {
        match k.phase {
            Phase::Setup(_) => "The armies are set up in secret.".to_string(),
            Phase::Move(who) if k.by.is(who) => {
                "Your turn: move a piece by one square, or a scout along a free line. Find and take the flag."
                    .to_string()
            }
            Phase::Move(who) => words::asked(who, k.by, "move"),
            Phase::Over(None) => words::won(&[], k.by, &format!("after {} moves", self.plies)),
            Phase::Over(Some(winner)) => {
                let flag = k.lost[winner.other().index()][Kind::Flag as usize] > 0;
                let how = if flag { "by taking the flag" } else { "because the other cannot move" };
                words::won(&[winner], k.by, how)
            }
        }
    }
}

fn token(owner: Player, square: Square) -> Token {
    match square.kind() {
        Some(kind) => {
            let name = format!("{} of player {owner}", kind.name());
            Token::block(owner, kind.symbol().to_string()).named(name)
        }
        None => Token::unknown().of(owner).named(format!(
            "hidden piece of player {owner}{}",
            if square.has_moved() { " that has moved" } else { "" }
        )),
    }
}
