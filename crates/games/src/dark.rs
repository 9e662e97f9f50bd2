//! Games of marks on a board of which nobody sees the other's: what dark Hex and abrupt phantom m,n,k games
//! share.
//!
//! The players mark cells in turn, and who reaches its [`Goal`] first wins. A player sees only its own marks.
//! Who tries a cell that the other has marked is told that it is taken, and tries again
//! ([`Turns::Classical`]) or loses the turn ([`Turns::Abrupt`]); the other is told nothing of that. So in
//! classical games everybody knows how many marks there are, in abrupt games only how many attempts. At the
//! end both learn who won, not where the marks are.
//!
//! Whether a cell can have been found depends in abrupt games on when it was marked: there players know the
//! order of their attempts, in classical games it does not matter.

use std::convert::Infallible;
use std::fmt::Debug;
use std::hash::Hash;

use arrayvec::ArrayVec;
use fogtree_core::{
    BadSpec, Domain, Extras, Facts, FastPlay, Game, InfoExtras, Memory, Notation, Observation, Observer,
    Param, Params, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Turn,
};
use serde::{Deserialize, Serialize};

use crate::grid::{Cell, Grid, Phase, cells_of};
use crate::reward::Reward;

mod goal;
mod scene;
#[cfg(test)]
mod tests;
mod worlds;

pub use goal::{Goal, Hex, Rows};
pub use worlds::Worlds;

/// What comes after a failed attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turns {
    /// The player tries again.
    Classical,
    /// It is the other's turn.
    Abrupt,
}

impl Turns {
    /// The parameter by which a game lets one choose.
    pub const PARAM: Param = Param::new(
        "turn",
        "classical",
        Domain::Choice(&["classical", "abrupt"]),
        "after a failed attempt: classical is to try again, abrupt that the other is to move",
    );

    /// What the parameter asks for.
    pub fn from_params(params: &Params) -> Result<Turns, BadSpec> {
        params.choice("turn", &[Turns::Classical, Turns::Abrupt])
    }
}

/// The rules.
#[derive(Clone, Debug)]
pub struct Dark<G> {
    grid: Grid,
    goal: G,
    turns: Turns,
    reward: Reward,
    board: u64,
}

/// The cells that a player has tried, in order; none where the order does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tries {
    count: u8,
    cells: [u8; 64],
}

impl Tries {
    const NONE: Tries = Tries { count: 0, cells: [0; 64] };

    fn push(&mut self, cell: Cell) {
        self.cells[usize::from(self.count)] = cell.0 as u8;
        self.count += 1;
    }

    fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells[..usize::from(self.count)].iter().map(|&cell| Cell(cell.into()))
    }
}

/// Everything: the marks, those of the other that each player has found, and in what order, where that
/// matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    marks: [u64; 2],
    found: [u64; 2],
    phase: Phase,
    /// Who is to move or, at the end, made the last mark.
    mover: Player,
    /// At the end: the last mark, which nobody can have found.
    last: Option<Cell>,
    tries: [Tries; 2],
}

/// What an observer knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    marks: u64,
    found: u64,
    phase: Phase,
    mover: Player,
    /// The mark that ended the game, for the seat that made it.
    last: Option<Cell>,
    /// How many marks there are in classical games, how many attempts were made in abrupt ones.
    count: [u8; 2],
    /// The cells that the seat has tried, in order, where that matters.
    tries: ArrayVec<u8, 64>,
}

/// What comes of trying a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt {
    Failed,
    Placed(Phase),
}

impl<G: Goal> Dark<G> {
    /// The game on a board of at most 64 cells.
    pub(crate) fn new(grid: Grid, goal: G, turns: Turns, reward: Reward) -> Dark<G> {
        Dark { board: u64::MAX >> (64 - grid.cells()), grid, goal, turns, reward }
    }

    fn is_abrupt(&self) -> bool {
        self.turns == Turns::Abrupt
    }

    #[inline]
    fn attempt(&self, s: &State, who: Player, cell: Cell) -> Attempt {
        let (own, other) = (s.marks[who.index()] | cell.bit(), s.marks[who.other().index()]);
        if other & cell.bit() != 0 {
            Attempt::Failed
        } else if self.goal.is_reached(who, own) {
            Attempt::Placed(Phase::Won)
        } else if own | other == self.board {
            Attempt::Placed(Phase::Drawn)
        } else {
            Attempt::Placed(Phase::Playing)
        }
    }

    #[inline]
    fn try_cell(&self, s: &mut State, cell: Cell) {
        let who = s.mover;
        if self.is_abrupt() {
            s.tries[who.index()].push(cell);
        }
        match self.attempt(s, who, cell) {
            Attempt::Failed => {
                s.found[who.index()] |= cell.bit();
                if self.is_abrupt() {
                    s.mover = who.other();
                }
            }
            Attempt::Placed(phase) => {
                s.marks[who.index()] |= cell.bit();
                s.phase = phase;
                match phase {
                    Phase::Playing => s.mover = who.other(),
                    Phase::Won | Phase::Drawn => s.last = Some(cell),
                }
            }
        }
    }

    /// The cells a player may try: all that it does not know to be taken.
    #[inline]
    fn untried(&self, s: &State, who: Player) -> u64 {
        self.board & !(s.marks[who.index()] | s.found[who.index()])
    }
}

impl<G: Goal> Rules for Dark<G> {
    type State = State;
    type Action = Cell;
    type Outcome = Infallible;

    /// The longest game fills the board, and every mark but the last is found.
    fn facts(&self) -> Facts {
        Facts {
            hidden: true,
            hidden_moves: true,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, 2 * u32::from(self.grid.cells()) - 1)
        }
    }

    fn start(&self) -> State {
        State {
            marks: [0; 2],
            found: [0; 2],
            phase: Phase::Playing,
            mover: Player(0),
            last: None,
            tries: [Tries::NONE; 2],
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Playing => Turn::Player(s.mover),
            Phase::Won | Phase::Drawn => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Cell>) {
        out.extend(cells_of(self.untried(s, who)));
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        self.try_cell(s, step.single().1);
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of((s.phase == Phase::Won).then_some(s.mover))
    }

    /// The mover learns what came of its attempt; everybody learns whether it ended the game and, unless the
    /// player tries again, that it was made.
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, cell) = step.single();
        let word = match self.attempt(before, who, cell) {
            Attempt::Failed if by.is(who) => 0,
            Attempt::Failed if !self.is_abrupt() => return None,
            Attempt::Failed => 4,
            Attempt::Placed(Phase::Playing) if by.is(who) => 1,
            Attempt::Placed(Phase::Playing) if self.is_abrupt() => 4,
            Attempt::Placed(Phase::Playing) => 5,
            Attempt::Placed(Phase::Won) => {
                if by.is(who) {
                    2
                } else {
                    6
                }
            }
            Attempt::Placed(Phase::Drawn) => {
                if by.is(who) {
                    3
                } else {
                    7
                }
            }
        };
        Some(Observation::word(word))
    }

    fn code(&self, cell: Cell) -> u64 {
        u64::from(cell.0)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { memory: self.is_abrupt().then_some(self as _), ..Extras::NONE }
    }
}

impl<G: Goal> Memory<Dark<G>> for Dark<G> {
    fn drop_history(&self, s: &mut State) {
        s.tries = [Tries::NONE; 2];
    }

    fn fingerprint(&self, s: &State) -> u64 {
        use std::hash::{DefaultHasher, Hasher};
        let mut hasher = DefaultHasher::new();
        State { tries: [Tries::NONE; 2], ..*s }.hash(&mut hasher);
        hasher.finish()
    }
}

impl<G: Goal> Notation for Dark<G> {
    fn action_name(&self, cell: Cell) -> String {
        self.grid.name(cell)
    }

    fn parse_action(&self, name: &str) -> Option<Cell> {
        self.grid.parse(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let other = by.seat().map_or("the player to move", |_| "the other");
        match seen.first() {
            0 if self.is_abrupt() => "the cell is taken: you lose the turn".to_string(),
            0 => "the cell is taken: you try again".to_string(),
            1 => "your mark is made".to_string(),
            2 => "your mark wins".to_string(),
            3 => "your mark fills the board: a draw".to_string(),
            4 => format!("{other} tries a cell"),
            5 => format!("{other} makes a mark"),
            6 => format!("{other} makes a mark and wins"),
            7 => format!("{other} fills the board: a draw"),
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw_state(s)
    }
}

impl<G: Goal> FastPlay for Dark<G> {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Cell {
        Cell(code as u16)
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _: &mut Scratch<Self>) -> Cell {
        Cell(rng.bit_of(self.untried(s, who)) as u16)
    }

    /// Nobody is asked what it knows in the states of a playout, so no order is kept.
    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _: &mut Scratch<Self>) -> Rewards {
        while s.phase == Phase::Playing {
            s.tries = [Tries::NONE; 2];
            let cell = Cell(rng.bit_of(self.untried(s, s.mover)) as u16);
            self.try_cell(s, cell);
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(self.grid.cells()))
    }
}

impl<G: Goal> Game for Dark<G> {
    type Info = Info;
    type Sampler = Worlds;

    fn info(&self, s: &State, by: Observer) -> Info {
        let seat = by.seat().map(Player::index);
        Info {
            by,
            marks: seat.map_or(0, |p| s.marks[p]),
            found: seat.map_or(0, |p| s.found[p]),
            phase: s.phase,
            mover: s.mover,
            last: s.last.filter(|_| by.is(s.mover)),
            count: match self.turns {
                Turns::Classical => s.marks.map(|marks| marks.count_ones() as u8),
                Turns::Abrupt => s.tries.map(|tries| tries.count),
            },
            tries: seat.map_or(ArrayVec::new(), |p| s.tries[p].iter().map(|c| c.0 as u8).collect()),
        }
    }

    fn sampler(&self, k: &Info) -> Worlds {
        Worlds::of(self, k)
    }

    fn sample(&self, from: &mut Worlds, rng: &mut Rng, into: &mut State) -> f64 {
        from.draw(self, rng, into)
    }

    fn scene(&self, k: &Info) -> Scene {
        self.draw_info(k)
    }

    fn spots(&self, _k: &Info, _: Player, cell: Cell) -> Vec<String> {
        vec![format!("board/{}", self.grid.name(cell))]
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}

mod tensors {
    //! What a player knows, as numbers.

    use fogtree_core::Player;

    use super::{Dark, Goal, Info};
    use crate::tensors::{Listed, Numbers, impl_tensors};

    impl_tensors!(Dark<G>, G: Goal);

    impl<G: Goal> Listed for Dark<G> {
        fn board(&self) -> Option<[usize; 2]> {
            Some(self.grid.size())
        }

        /// Own marks, marks of the other that were found, cells of which nothing is known; whether the seat
        /// is to move, and the other's marks, in abrupt games its attempts, against the number of cells.
        fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
            let cells = usize::from(self.grid.cells());
            for set in [k.marks, k.found, self.board & !(k.marks | k.found)] {
                out.bits(set, cells);
            }
            out.plane(if k.mover == seat { 1.0 } else { 0.0 }, cells);
            out.plane(f32::from(k.count[seat.other().index()]) / cells as f32, cells);
        }
    }
}
