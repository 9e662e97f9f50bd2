//! The board as a picture.
//!
//! The first player's home is at the bottom right, its checkers come in at the top right. Places are called by the
//! first player's numbers whoever is to move; the numbers along the board are those of the side to move, by which
//! moves are named.

use fogtree_core::Player;
use fogtree_core::scene::{Board, Cards, Entry, Ground, Scene, Spread, Table, Token, Zone};

use super::{Action, Backgammon, Dice, Phase, State};
use crate::words::counted;

/// What is in a column of the board.
#[derive(Clone, Copy)]
enum Column {
    /// A point in each row, by the first player's numbers: in the upper row and in the lower.
    Points(u8, u8),
    Bar,
    Off,
}

impl Backgammon {
    pub(super) fn picture(&self, s: &State) -> Scene {
        let scene = Scene::new(caption(s)).with(Zone::board("board", self.draw_board(s)));
        let mut facts = Table::headed(["", "on the bar", "borne off", "pips to go"]);
        for p in Player::all(2) {
            let own = s.checkers[p.index()];
            let pips: u32 = (1..=self.points + 1).map(|point| u32::from(point) * own.at(point)).sum();
            let bar = own.at(self.points + 1);
            let counts = [bar, self.start.count() - own.count(), pips].map(|n| Entry::from(n.to_string()));
            facts.row([Entry::from(format!("Player {p}")).of(p)].into_iter().chain(counts));
        }
        if let Phase::ToMove { who, dice } = s.phase {
            let mut cards = Cards::new(Spread::Row);
            for (i, die) in (1..).zip(dice.left()) {
                cards.put(i.to_string(), Token::die(die).named(format!("a {die} to play")));
            }
            let scene = scene.with(Zone::cards("dice", cards).titled("Dice to play").of(who));
            return scene.with(Zone::table("players", facts).beside());
        }
        scene.with(Zone::table("players", facts))
    }

    /// The columns from the left: half of the points, the bar, the other half, and where checkers are borne off.
    fn columns(&self) -> impl Iterator<Item = Column> {
        let (half, quarter) = (self.points / 2, self.points / 4);
        let points =
            move |columns: std::ops::Range<u8>| columns.map(move |x| Column::Points(half + 1 + x, half - x));
        points(0..quarter).chain([Column::Bar]).chain(points(quarter..half)).chain([Column::Off])
    }

    fn draw_board(&self, s: &State) -> Board {
        let mover = match s.phase {
            Phase::ToRoll(who) | Phase::ToMove { who, .. } => who,
            Phase::Opening | Phase::Over(_) => Player(0),
        };
        let columns: Vec<Column> = self.columns().collect();
        let mut board = Board::new(columns.len(), 2, |_, _| String::new()).chequered();
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for (x, column) in columns.into_iter().enumerate() {
            let (labels, cells) = match column {
                Column::Points(upper, lower) => (
                    [upper, lower].map(|point| self.number(mover, point).to_string()),
                    [upper, lower].map(|point| self.on_point(s, point)),
                ),
                // Checkers come in from the bar into the other's home, so that each has its row.
                Column::Bar => (["bar"; 2].map(str::to_string), [self.on_bar(s, 0), self.on_bar(s, 1)]),
                Column::Off => (["off"; 2].map(str::to_string), [self.borne_off(s, 1), self.borne_off(s, 0)]),
            };
            for (y, (place, token)) in cells.into_iter().enumerate() {
                let cell = board.cell(x, y);
                cell.place = place;
                cell.tokens.extend(token);
                match column {
                    Column::Points(..) => cell,
                    Column::Bar => cell.made_of(Ground::Grass),
                    Column::Off => cell.made_of(Ground::Goal),
                };
            }
            let [upper, lower] = labels;
            above.push(upper);
            below.push(lower);
        }
        Board { above, below, ..board }
    }

    /// What a player calls the point with this number of the first player's, and the other way round.
    fn number(&self, who: Player, point: u8) -> u8 {
        if who.0 == 0 { point } else { self.points + 1 - point }
    }

    fn on_point(&self, s: &State, point: u8) -> (String, Option<Token>) {
        let mut here =
            Player::all(2).filter_map(|p| checkers(p, s.checkers[p.index()].at(self.number(p, point))));
        (point.to_string(), here.next())
    }

    fn on_bar(&self, s: &State, seat: u8) -> (String, Option<Token>) {
        let count = s.checkers[usize::from(seat)].at(self.points + 1);
        (format!("bar{seat}"), checkers(Player(seat), count))
    }

    fn borne_off(&self, s: &State, seat: u8) -> (String, Option<Token>) {
        let count = self.start.count() - s.checkers[usize::from(seat)].count();
        (format!("off{seat}"), checkers(Player(seat), count))
    }

    /// Where a checker is and where it goes; then the die, if either die would bear it off.
    pub(super) fn draw_move(&self, s: &State, Action { die, from }: Action) -> Vec<String> {
        let Phase::ToMove { who, dice } = s.phase else { return Vec::new() };
        let point = |number: u8| format!("board/{}", self.number(who, number));
        let start = if from > self.points { format!("board/bar{who}") } else { point(from) };
        let end = if from > die { point(from - die) } else { format!("board/off{who}") };
        let mut spots = vec![start, end];
        if let Dice::Both { high, low } = dice {
            let legal = self.legal(s, who, dice);
            if from <= low && legal >> from & legal >> (from + 32) & 1 == 1 {
                spots.push(format!("dice/{}", if die == high { 1 } else { 2 }));
            }
        }
        spots
    }
}

impl Dice {
    /// What the dice show that are still to be played.
    fn left(self) -> Vec<u8> {
        match self {
            Dice::Both { high, low } => vec![high, low],
            Dice::Same { die, times } => vec![die; times.into()],
        }
    }
}

/// Some checkers of a side on one heap.
fn checkers(of: Player, count: u32) -> Option<Token> {
    let label = if count > 1 { count.to_string() } else { String::new() };
    let name = format!("{} of player {of}", counted(count, "checker"));
    (count > 0).then(|| Token::disc(of).labelled(label).named(name))
}

fn caption(s: &State) -> String {
    match s.phase {
        Phase::Opening => "Both players throw a die; the higher begins.".to_string(),
        Phase::ToRoll(who) => format!("Player {who} to roll the dice."),
        Phase::ToMove { who, dice } => {
            let dice: Vec<String> = dice.left().iter().map(u8::to_string).collect();
            format!("Player {who} to move a checker; still to play: {}.", dice.join(" and "))
        }
        Phase::Over(Some(who)) => format!("Player {who} has borne off all checkers and wins."),
        Phase::Over(None) => format!("A draw after {}.", counted(s.turns, "turn")),
    }
}
