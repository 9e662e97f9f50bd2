//! Connect four: stones fall to the bottom of their column, and four in a line win.
//!
//! Two players drop stones in turn into the columns of an upright board; who first has four of his own in a
//! line, across, up or along a diagonal, wins; a full board without such a line is a draw. The usual board
//! has 7 columns and 6 rows; other boards and other lengths of the line are parameters. Rules: Whitehouse
//! 2014, §4.2.14. The first player wins with perfect play on the usual board (Allis, *A knowledge-based
//! approach of connect-four*, 1988).
//!
//! A board is two bit boards. A column takes `rows + 1` bits, the lowest cell first, and its topmost bit is
//! never occupied, so that no line runs from one column's top into the next column's bottom.

use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Notation, Observation, Observer, Param, Params,
    PerfectInformation, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors, Turn,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::mover;

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "connect-four",
    summary: "Stones dropped into columns; four in a line win",
    source: "Allis 1988; ismcts 4.13",
    params: &[
        Param::new("columns", "7", Domain::Integer(3, 32), "how many columns, from 3"),
        Param::new("rows", "6", Domain::Integer(1, 20), "how many rows; (rows + 1) * columns is at most 64"),
        Param::new("connect", "4", Domain::Integer(2, 32), "how many in a line win, from 2"),
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "columns=4,rows=3,connect=3",
};

/// The rules of connect four on one board.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    columns: u32,
    rows: u32,
    connect: u32,
    reward: Reward,
    /// All cells.
    board: u64,
}

impl ConnectFour {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<ConnectFour, BadSpec> {
        let columns: u32 = params.number("columns")?;
        let rows = params.number_within("rows", 1..=64 / columns - 1)?;
        let connect = params.number_within("connect", 2..=columns.max(rows))?;
        let reward = Reward::from_params(params)?;
        let board = (0..columns).fold(0, |board, c| board | ((1 << rows) - 1) << (c * (rows + 1)));
        Ok(ConnectFour { columns, rows, connect, reward, board })
    }

    /// The cell a stone falls to, given all stones; the bit above the column, off the board, if it is full.
    #[inline]
    fn landing(&self, all: u64, column: u32) -> u64 {
        (all + (1 << (column * (self.rows + 1)))) & !all
    }

    /// An open column, given all stones, which must leave one. Few columns are full in most games, so it is
    /// quick to try again.
    #[inline]
    fn random_column(&self, all: u64, rng: &mut Rng) -> u32 {
        loop {
            let column = rng.below(self.columns);
            if self.landing(all, column) & self.board != 0 {
                return column;
            }
        }
    }

    /// Whether there are enough stones in a line.
    #[inline]
    fn has_line(&self, stones: u64) -> bool {
        let in_direction = |shift: u32| {
            if self.connect == 4 {
                let pairs = stones & stones >> shift;
                pairs & pairs >> (2 * shift)
            } else {
                (1..self.connect).fold(stones, |lines, _| lines & lines >> shift)
            }
        };
        let up_and_diagonals = in_direction(1) | in_direction(self.rows) | in_direction(self.rows + 2);
        up_and_diagonals | in_direction(self.rows + 1) != 0
    }
}

/// A column, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Column(pub u8);

/// The stones of both players, and how far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    stones: [u64; 2],
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    ToMove(Player),
    Won(Player),
    Drawn,
}

impl Rules for ConnectFour {
    type State = State;
    type Action = Column;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts {
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, self.columns * self.rows)
        }
    }

    fn start(&self) -> State {
        State { stones: [0; 2], phase: Phase::ToMove(Player(0)) }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::ToMove(who) => Turn::Player(who),
            Phase::Won(_) | Phase::Drawn => Turn::Terminal,
        }
    }

    #[inline]
    fn actions(&self, s: &State, _who: Player, out: &mut Vec<Column>) {
        let all = s.stones[0] | s.stones[1];
        let open = (0..self.columns).filter(|&c| self.landing(all, c) & self.board != 0);
        out.extend(open.map(|c| Column(c as u8)));
    }

    #[inline(always)]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, Column(column)) = step.single();
        let all = s.stones[0] | s.stones[1];
        let stone = self.landing(all, u32::from(column));
        s.stones[who.index()] |= stone;
        s.phase = if self.has_line(s.stones[who.index()]) {
            Phase::Won(who)
        } else if all | stone == self.board {
            Phase::Drawn
        } else {
            Phase::ToMove(who.other())
        };
    }

    fn rewards(&self, s: &State) -> Rewards {
        let winner = match s.phase {
            Phase::Won(who) => Some(who),
            Phase::ToMove(_) | Phase::Drawn => None,
        };
        self.reward.of(winner)
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, column) = step.single();
        (!by.is(who)).then(|| Observation::word(self.code(column)))
    }

    fn code(&self, column: Column) -> u64 {
        u64::from(column.0)
    }
}

impl Notation for ConnectFour {
    fn action_name(&self, column: Column) -> String {
        (u32::from(column.0) + 1).to_string()
    }

    fn parse_action(&self, name: &str) -> Option<Column> {
        (0..self.columns as u8).map(Column).find(|&c| self.action_name(c) == name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match seen.as_words() {
            &[column] if column < u64::from(self.columns) => {
                format!("{} drops a stone into column {}", mover(by), column + 1)
            }
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }
}

impl FastPlay for ConnectFour {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Column {
        Column(code as u8)
    }

    #[inline]
    fn random_action(&self, s: &State, _who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Column {
        Column(self.random_column(s.stones[0] | s.stones[1], rng) as u8)
    }

    fn codes(&self) -> Option<usize> {
        Some(self.columns as usize)
    }
}

impl PerfectInformation for ConnectFour {
    fn spots(&self, s: &State, _: Player, column: Column) -> Vec<String> {
        vec![self.spot(s, column.0)]
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {

    use fogtree_core::text::plain;
    use fogtree_core::{Purpose, Seed};

    use super::*;

    use crate::testing::after;

    fn game(params: &str) -> Result<ConnectFour, BadSpec> {
        ConnectFour::from_params(&crate::testing::params(&ABOUT, params)?)
    }

    #[test]
    fn lines_in_all_directions_win() {
        let game = game("").unwrap();
        for (moves, winner) in [
            ("1 1 2 2 3 3 4", 0),
            ("7 1 2 1 2 1 2 1", 1),
            ("1 2 2 3 3 4 3 4 4 6 4", 0),
            ("7 6 6 5 5 4 5 4 4 2 4", 0),
        ] {
            assert_eq!(after(&game, moves).phase, Phase::Won(Player(winner)), "{moves}");
        }
    }

    #[test]
    fn no_line_runs_over_the_top_into_the_next_column() {
        let game = game("columns=4,rows=4").unwrap();
        // X has the two topmost cells of column 1 and the two lowest of column 2.
        let s = after(&game, "2 1 2 1 1 4 1 4");
        assert_eq!(s.phase, Phase::ToMove(Player(0)));
        assert_eq!(s.stones[0].count_ones(), 4);
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let game = game("columns=3,rows=2,connect=3,reward=signed").unwrap();
        let s = after(&game, "1 2 3 1 2 3");
        assert_eq!((game.turn(&s), s.phase), (Turn::Terminal, Phase::Drawn));
        assert_eq!(game.rewards(&s).as_slice(), [0.0, 0.0]);
    }

    #[test]
    fn every_board_that_can_be_asked_for_can_be_played() {
        let mut rng = Seed(1).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        for columns in 3..=32 {
            for rows in 1..=64 / columns - 1 {
                for connect in 2..=columns.max(rows) {
                    let game = game(&format!("columns={columns},rows={rows},connect={connect}")).unwrap();
                    let mut s = game.start();
                    let rewards = game.playout(&mut s, &mut rng, &mut scratch);
                    assert_eq!(rewards.iter().sum::<f64>(), 1.0);
                    assert_eq!((s.stones[0] | s.stones[1]) & !game.board, 0);
                }
            }
        }
    }

    #[test]
    fn boards_that_do_not_fit_are_refused() {
        for params in [
            "columns=2",
            "columns=33",
            "rows=0",
            "rows=9",
            "columns=10,rows=6",
            "connect=1",
            "connect=8",
            "columns=99999999999",
            "rows=-1",
            "reward=points",
        ] {
            assert!(matches!(game(params), Err(BadSpec::Value { .. })), "{params}");
        }
    }

    #[test]
    fn names_read_back() {
        let game = game("columns=12,rows=4").unwrap();
        for column in (0..12).map(Column) {
            assert_eq!(game.parse_action(&game.action_name(column)), Some(column));
        }
        for name in ["", "0", "13", "+1", "01", "1 ", "a", "\u{661}", "99999999999999999999"] {
            assert_eq!(game.parse_action(name), None, "{name}");
        }
        for words in [&[][..], &[12], &[u64::MAX], &[1, 2]] {
            game.explain(&Observation::words(words), Observer::Public);
        }
    }

    #[test]
    fn the_board_is_drawn_as_it_stands() {
        let game = game("columns=4,rows=3,connect=3").unwrap();
        let picture = "· · · ·\n○ · · ·\n● ● · ○\n1 2 3 4\n";
        let asked = "Player 0 to drop a stone into a column. 3 in a line win.";
        assert_eq!(plain(&game.show(&after(&game, "1 1 2 4"))), format!("{picture}{asked}"));
    }

    #[test]
    fn boards_of_all_proportions_are_drawn() {
        for (params, play, owned) in [
            ("columns=3,rows=20", "1 2 1 2 1 2 1", 4),
            ("columns=3,rows=20,connect=20", "1 2", 0),
            ("columns=32,rows=1,connect=3", "1 32 2 31 3", 3),
            ("columns=4,rows=3,connect=3", "1 2 2 3 4 3 3", 3),
        ] {
            let game = game(params).unwrap();
            let scene = game.scene_of(&after(&game, play));
            let json = serde_json::to_string(&scene).unwrap();
            assert_eq!(
                json.matches("\"owner\":0").count() - play.split(' ').step_by(2).count(),
                owned,
                "{json}"
            );
        }
    }
}
