//! The m,n,k games: tic-tac-toe and all its relatives up to Go-Moku, with everything in the open.
//!
//! Two players take turns to mark a cell of a board with m columns and n rows; the first with k marks in a
//! row, orthogonal or diagonal, wins, and a full board without a row is a draw. More than k in a row win
//! too. Rules: Whitehouse 2014, §4.2.7, where these are the games behind the phantom ones
//! ([`crate::phantom_mnk`]).

use std::convert::Infallible;

use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Notation, Observation, Observer, Param, Params,
    PerfectInformation, Player, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors, Turn,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::grid::{Cell, Grid, LONGEST_SIDE, Lines, Phase, cells_of};
use crate::reward::Reward;
use crate::words::mover;

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "mnk",
    summary: "Mark cells of an m by n board in turn; the first with k in a row wins",
    source: "Whitehouse 2014, 4.2.7; ismcts 4.6",
    params: &[
        Param::new("m", "3", Domain::Integer(1, LONGEST_SIDE as i128), "columns, 1 to 19"),
        Param::new("n", "3", Domain::Integer(1, LONGEST_SIDE as i128), "rows, 1 to 19"),
        Param::new("k", "3", Domain::Integer(2, LONGEST_SIDE as i128), "marks in a row that win, at least 2"),
        Reward::PARAM,
    ],
    presets: &[
        Preset { name: "tic-tac-toe", params: "m=3,n=3,k=3", about: "noughts and crosses" },
        Preset { name: "gomoku", params: "m=19,n=19,k=5", about: "five in a row on a Go board" },
    ],
    tiny: "m=4,n=2,k=3",
};

/// The rules on boards of up to 64 `W` cells.
#[derive(Clone, Debug)]
pub struct Mnk<const W: usize> {
    grid: Grid,
    reward: Reward,
    /// Where one word holds the board: its rows.
    lines: Option<Lines>,
}

/// The rules on boards of at most 64 cells.
pub type SmallMnk = Mnk<1>;

/// The rules on all boards.
pub type LargeMnk = Mnk<6>;

/// Whether [`SmallMnk`] can play on the board that the parameters ask for.
pub fn is_small(params: &Params) -> Result<bool, BadSpec> {
    Ok(Grid::from_params(params)?.cells() <= 64)
}

impl<const W: usize> Mnk<W> {
    /// The game a specification asks for, on a board that must fit.
    pub fn from_params(params: &Params) -> Result<Mnk<W>, BadSpec> {
        let grid = Grid::from_params(params)?;
        if usize::from(grid.cells()) > 64 * W {
            return Err(params.bad("m", format!("a board of at most {} cells", 64 * W)));
        }
        let lines = (W == 1).then(|| Lines::of(&grid));
        Ok(Mnk { grid, reward: Reward::from_params(params)?, lines })
    }

    /// The empty cells among the 64 of one word.
    #[inline]
    fn empty(&self, s: &State<W>, word: usize) -> u64 {
        let cells = usize::from(self.grid.cells()).saturating_sub(64 * word).min(64);
        let board = if cells == 0 { 0 } else { u64::MAX >> (64 - cells) };
        board & !(s.marks[0].0[word] | s.marks[1].0[word])
    }

    #[inline]
    fn place(&self, s: &mut State<W>, cell: Cell) {
        let marks = &mut s.marks[usize::from(s.placed % 2)];
        marks.insert(cell);
        s.placed += 1;
        let row = match &self.lines {
            Some(lines) => lines.any(marks.0[0]),
            None => self.grid.in_a_row(cell, |c| marks.contains(c)),
        };
        if row {
            s.phase = Phase::Won;
        } else if s.placed == self.grid.cells() {
            s.phase = Phase::Drawn;
        }
    }
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cells<const W: usize>([u64; W]);

impl<const W: usize> Cells<W> {
    #[inline]
    fn contains(&self, cell: Cell) -> bool {
        self.0[usize::from(cell.0 / 64)] >> (cell.0 % 64) & 1 == 1
    }

    #[inline]
    fn insert(&mut self, cell: Cell) {
        self.0[usize::from(cell.0 / 64)] |= 1 << (cell.0 % 64);
    }
}

impl<const W: usize> Serialize for Cells<W> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(to)
    }
}

impl<'de, const W: usize> Deserialize<'de> for Cells<W> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let words: Vec<u64> = Vec::deserialize(from)?;
        words
            .try_into()
            .map(Cells)
            .map_err(|_| serde::de::Error::custom(format!("expected {W} words of cells")))
    }
}

/// The marks of both players, how many there are, and whether the last one ended the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State<const W: usize> {
    marks: [Cells<W>; 2],
    placed: u16,
    phase: Phase,
}

impl<const W: usize> Rules for Mnk<W> {
    type State = State<W>;
    type Action = Cell;
    type Outcome = Infallible;

    fn facts(&self) -> Facts {
        Facts {
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, u32::from(self.grid.cells()))
        }
    }

    fn start(&self) -> State<W> {
        State { marks: [Cells([0; W]); 2], placed: 0, phase: Phase::Playing }
    }

    #[inline]
    fn turn(&self, s: &State<W>) -> Turn {
        match s.phase {
            Phase::Playing => Turn::Player(Player((s.placed % 2) as u8)),
            Phase::Won | Phase::Drawn => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State<W>, _who: Player, out: &mut Vec<Cell>) {
        for word in 0..W {
            out.extend(cells_of(self.empty(s, word)).map(|c| Cell((64 * word) as u16 + c.0)));
        }
    }

    #[inline]
    fn apply(&self, s: &mut State<W>, step: Step<'_, Self>) {
        self.place(s, step.single().1);
    }

    fn rewards(&self, s: &State<W>) -> Rewards {
        let last = Player(((s.placed + 1) % 2) as u8);
        self.reward.of((s.phase == Phase::Won).then_some(last))
    }

    fn observe(&self, _before: &State<W>, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, cell) = step.single();
        (!by.is(who)).then(|| Observation::word(self.code(cell)))
    }

    fn code(&self, cell: Cell) -> u64 {
        u64::from(cell.0)
    }
}

impl<const W: usize> Notation for Mnk<W> {
    fn action_name(&self, cell: Cell) -> String {
        self.grid.name(cell)
    }

    fn parse_action(&self, name: &str) -> Option<Cell> {
        self.grid.parse(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let cell = u16::try_from(seen.first()).ok().filter(|&c| c < self.grid.cells());
        cell.map_or_else(|| seen.to_string(), |c| format!("{} marks {}", mover(by), self.grid.name(Cell(c))))
    }

    fn scene_of(&self, s: &State<W>) -> Scene {
        self.draw(s)
    }
}

impl<const W: usize> FastPlay for Mnk<W> {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Cell {
        Cell(code as u16)
    }

    #[inline]
    fn random_action(&self, s: &State<W>, _who: Player, rng: &mut Rng, _: &mut Scratch<Self>) -> Cell {
        let mut skip = rng.below(u32::from(self.grid.cells() - s.placed));
        for word in 0..W {
            let mut empty = self.empty(s, word);
            if skip >= empty.count_ones() {
                skip -= empty.count_ones();
                continue;
            }
            for _ in 0..skip {
                empty &= empty - 1;
            }
            return Cell((64 * word) as u16 + empty.trailing_zeros() as u16);
        }
        unreachable!("a game that goes on has an empty cell")
    }

    /// Draws from a list of the empty cells instead of listing them again for every move.
    #[inline]
    fn playout(&self, s: &mut State<W>, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Rewards {
        scratch.actions.clear();
        self.actions(s, Player(0), &mut scratch.actions);
        while s.phase == Phase::Playing {
            let at = rng.below(scratch.actions.len() as u32);
            self.place(s, scratch.actions.swap_remove(at as usize));
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(self.grid.cells()))
    }
}

impl<const W: usize> PerfectInformation for Mnk<W> {
    fn spots(&self, _s: &State<W>, _: Player, cell: Cell) -> Vec<String> {
        vec![format!("board/{}", self.grid.name(cell))]
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Game, Line, Purpose, Seed};

    use super::*;

    fn game<const W: usize>(spec: &str) -> Result<Mnk<W>, BadSpec> {
        let (about, spec) = About::find([&ABOUT].into_iter(), "game", &spec.parse()?)?;
        assert_eq!(about, &ABOUT);
        Mnk::from_params(&ABOUT.params(&spec)?)
    }

    /// Plays the words and answers how the game stands.
    fn after(spec: &str, words: &str) -> Phase {
        let rules: LargeMnk = game(spec).unwrap();
        let mut line = Line::start(&rules);
        line.play_words(&rules, words.split_whitespace()).unwrap();
        line.state().phase
    }

    #[test]
    fn rows_win_in_every_direction() {
        assert_eq!(after("tic-tac-toe", "a1 b1 a2 b2 a3"), Phase::Won);
        assert_eq!(after("tic-tac-toe", "a1 a2 b1 b2 c1"), Phase::Won);
        assert_eq!(after("tic-tac-toe", "a1 b1 b2 c1 c3"), Phase::Won);
        assert_eq!(after("tic-tac-toe", "c1 b1 b2 a1 a3"), Phase::Won);
        assert_eq!(after("tic-tac-toe", "a1 b2 c3 a3 c1 b1 b3 c2"), Phase::Playing);
        assert_eq!(after("tic-tac-toe", "a1 b2 c3 a3 c1 b1 b3 c2 a2"), Phase::Drawn);
        // Five in a row at the far corner; then the second player's row round the edge, which is none.
        assert_eq!(after("gomoku", "s19 a1 s18 b1 s17 c1 s16 d1 s15"), Phase::Won);
        assert_eq!(after("gomoku", "a9 r1 c9 s1 e9 a2 g9 b2 i9 c2"), Phase::Playing);
        // Six in a row by filling a gap count as five.
        assert_eq!(after("gomoku", "a1 a5 b1 b5 c1 c5 e1 e5 f1 g5 d1"), Phase::Won);
    }

    #[test]
    fn one_word_and_six_make_the_same_game() {
        let (small, large): (SmallMnk, LargeMnk) =
            (game("mnk(m=7,n=6,k=4)").unwrap(), game("mnk(m=7,n=6,k=4)").unwrap());
        let mut rng = Seed(1).stream(Purpose::Playout);
        for _ in 0..500 {
            let (mut s, mut l) = (small.start(), large.start());
            while let Turn::Player(p) = small.turn(&s) {
                let cell = large.random_action(&l, p, &mut rng, &mut Scratch::default());
                small.apply(&mut s, Step::Moves(&[(p, cell)]));
                large.apply(&mut l, Step::Moves(&[(p, cell)]));
                assert_eq!(
                    (s.phase, s.marks[0].0[0], s.marks[1].0[0]),
                    (l.phase, l.marks[0].0[0], l.marks[1].0[0])
                );
            }
            assert_eq!(small.rewards(&s), large.rewards(&l));
        }
    }

    #[test]
    fn random_moves_and_playouts_reach_every_cell_of_a_large_board() {
        let rules: LargeMnk = game("mnk(m=19,n=19,k=19,reward=signed)").unwrap();
        let mut rng = Seed(2).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut s = rules.start();
        while rules.turn(&s) != Turn::Terminal {
            fogtree_core::random_step(&rules, &mut s, &mut rng, &mut scratch);
        }
        assert_eq!((s.phase, s.placed), (Phase::Drawn, 361));
        let mut s = rules.start();
        assert_eq!(rules.playout(&mut s, &mut rng, &mut scratch).as_slice(), [0.0, 0.0]);
        assert_eq!(s.placed, 361);
    }

    /// Of all orders of nine marks, 212 256 / 104 544 / 46 080 of 9! are won by the first player, the second
    /// player, nobody: 737/1260, 121/420 and 8/63.
    #[test]
    fn random_games_of_tic_tac_toe_end_as_often_as_derived() {
        let rules: SmallMnk = game("tic-tac-toe").unwrap();
        let mut rng = Seed(3).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        let games = 100_000;
        let mut counts = [0.0; 3];
        for _ in 0..games {
            let rewards = rules.playout(&mut rules.start(), &mut rng, &mut scratch);
            counts[(rewards[Player(1)] * 2.0) as usize] += 1.0 / f64::from(games);
        }
        for (got, expected) in counts.iter().zip([737.0 / 1260.0, 8.0 / 63.0, 121.0 / 420.0]) {
            assert!((got - expected).abs() < 0.007, "{counts:?}");
        }
    }

    #[test]
    fn boards_that_cannot_be_are_refused() {
        for spec in [
            "mnk(m=20)",
            "mnk(n=0)",
            "mnk(k=4)",
            "mnk(k=1)",
            "mnk(m=1,n=1,k=2)",
            "mnk(m=-3)",
            "mnk(reward=3)",
        ] {
            assert!(matches!(game::<6>(spec), Err(BadSpec::Value { .. })), "{spec}");
        }
        assert!(game::<1>("gomoku").is_err());
        assert!(game::<1>("mnk(m=8,n=8,k=8)").is_ok());
    }

    #[test]
    fn what_is_known_is_the_state_and_is_written_and_read() {
        let rules: LargeMnk = game("gomoku").unwrap();
        let mut line = Line::start(&rules);
        line.play_words(&rules, ["s19", "a1", "j10"]).unwrap();
        let known = rules.info(line.state(), Observer::Public);
        let text = serde_json::to_string(&known).unwrap();
        assert_eq!(serde_json::from_str::<State<6>>(&text).unwrap(), known);
        assert!(serde_json::from_str::<State<1>>(&text).is_err());
        assert_eq!(fogtree_core::text::plain(&rules.view(&known)).matches('X').count(), 2);
    }
}
