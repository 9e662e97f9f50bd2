//! The board as a picture: points are places by the first player's numbers, and labelled with those of whoever moves.

use fogtree_core::Player;
use fogtree_core::scene::{Board, Cards, Entry, Ground, Scene, Spread, Table, Token, Zone};

use super::{Nannon, POINTS, State, mirrored};
use crate::words::counted;

impl Nannon {
    pub(super) fn draw(&self, s: &State) -> Scene {
        let mut facts = Table::headed(["", "at home", "on the board", "in safety"]);
        for p in Player::all(2) {
            let side = s.sides[p.index()];
            let counts = [side.home, side.points.count_ones() as u8, side.safe()];
            let name = Entry::from(format!("Player {p}, going {}", ["right", "left"][p.index()])).of(p);
            facts.row([name].into_iter().chain(counts.map(|n| Entry::from(n.to_string()))));
        }
        let scene = Scene::new(self.caption(s)).with(Zone::board("board", draw_board(s)));
        if let (Some(who), roll @ 1..) = (s.mover, s.roll) {
            let mut dice = Cards::new(Spread::Row);
            dice.put("roll", Token::die(roll).named(format!("a {roll} to play")));
            let scene = scene.with(Zone::cards("dice", dice).titled("Roll").of(who));
            return scene.with(Zone::table("players", facts).beside());
        }
        scene.with(Zone::table("players", facts))
    }

    fn caption(&self, s: &State) -> String {
        if let Some(winner) = Player::all(2).find(|p| s.sides[p.index()].is_done()) {
            return format!("Player {winner} has all checkers in safety and wins.");
        }
        match (s.mover, s.roll) {
            _ if s.turns == self.limit => format!("A draw after {}.", counted(s.turns, "turn")),
            (None, _) => "Both players roll; the higher begins with the difference.".to_string(),
            (Some(who), 0) => format!("Player {who} to roll the die."),
            (Some(who), roll) if s.movable(who) == 0 => {
                format!("Player {who} has rolled {roll}, cannot move and must pass.")
            }
            (Some(who), roll) => format!("Player {who} to move a checker by {roll}."),
        }
    }
}

/// The first player's home is at the left.
fn draw_board(s: &State) -> Board {
    let places = (1..=POINTS).map(|point| point.to_string());
    let places = [home(Player(0))].into_iter().chain(places).chain([home(Player(1))]);
    let mut board = Board::track(places).chequered();
    let number = |point: u8| if s.mover == Some(Player(1)) { POINTS + 1 - point } else { point };
    board.below = (0..=POINTS + 1).map(|x| number(x).to_string()).collect();
    for (p, x) in [(Player(0), 0), (Player(1), usize::from(POINTS) + 1)] {
        board.below[x] = "home".to_string();
        let cell = board.cell(x, 0).made_of(Ground::Grass);
        let count = s.sides[p.index()].home;
        if count > 0 {
            let label = if count > 1 { count.to_string() } else { String::new() };
            cell.put(checker(p).labelled(label));
        }
    }
    for (p, points) in Player::all(2).zip([s.sides[0].points, mirrored(s.sides[1].points)]) {
        for x in (1..=POINTS).filter(|x| points >> (x - 1) & 1 == 1) {
            board.cell(x.into(), 0).put(checker(p));
        }
    }
    board
}

/// The spot of a checker on this point of a player's; 0 is home.
pub(super) fn spot(who: Player, point: u8) -> String {
    let place = match (point, who) {
        (0, _) => home(who),
        (_, Player(0)) => point.to_string(),
        _ => (POINTS + 1 - point).to_string(),
    };
    format!("board/{place}")
}

fn home(of: Player) -> String {
    format!("home{of}")
}

fn checker(of: Player) -> Token {
    Token::disc(of).named(format!("checker of player {of}"))
}
