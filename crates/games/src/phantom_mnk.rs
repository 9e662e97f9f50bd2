//! Phantom m,n,k games: tic-tac-toe and its relatives in which nobody sees the other's marks.
//!
//! The rules are those of [`crate::mnk`], but a player sees only its own marks. Who tries a cell that the
//! other has marked is told that it is taken and tries again, without penalty. Whether the other is told of
//! failed attempts is a parameter: either nothing (`failed=hidden`), or that there was one, not where
//! (`failed=announced`). At the end both learn who won, not where the marks are. With `opening=centre` the
//! first attempt of both players must be the cell in the middle, so the second player's first one fails.
//! With `turn=abrupt` a failed attempt ends the turn; that game is a [`Dark`] one. Rules: Whitehouse 2014,
//! §4.2.7; Lisý 2014, §4.1.2, which hides failed attempts and has the forced opening.
//!
//! What a player knows is its marks, the cells it found taken, and how many marks the other has. The order of
//! all this matters only where failed attempts are announced; `attempts` says why, and `worlds` how the
//! other's marks are drawn.

use std::convert::Infallible;

use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Game, InfoExtras, Notation, Observation, Observer, Param,
    Params, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Turn,
};
use serde::{Deserialize, Serialize};

use crate::dark::{Dark, Rows, Turns};
use crate::grid::{Cell, Grid, LONGEST_SIDE, Lines, Phase, cells_of};
use crate::reward::Reward;

mod attempts;
mod scene;
mod tensors;
#[cfg(test)]
mod tests;
mod worlds;

pub use attempts::{Announced, Attempts, Hidden, Order};
pub use worlds::Worlds;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "phantom-mnk",
    summary: "An m,n,k game in which nobody sees the other's marks; who tries a taken cell tries again",
    source: "Whitehouse 2014, 4.2.7; Lisy 2014, 4.1.2; ismcts 4.6, equilibrium 3.8",
    params: &[
        Param::new(
            "m",
            "3",
            Domain::Integer(1, LONGEST_SIDE as i128),
            "columns; the board has at most 64 cells",
        ),
        Param::new("n", "3", Domain::Integer(1, LONGEST_SIDE as i128), "rows"),
        Param::new("k", "3", Domain::Integer(2, LONGEST_SIDE as i128), "marks in a row that win, at least 2"),
        Param::new(
            "failed",
            "hidden",
            Domain::Choice(&["hidden", "announced"]),
            "what the other learns of a failed attempt: hidden is nothing, announced that it failed",
        ),
        Param::new(
            "opening",
            "free",
            Domain::Choice(&["free", "centre"]),
            "free, or centre: both must first try the middle cell",
        ),
        Turns::PARAM,
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "m=3,n=2,k=3",
};

/// The rules; `A` says what becomes of failed attempts.
#[derive(Clone, Debug)]
pub struct PhantomMnk<A> {
    grid: Grid,
    lines: Lines,
    reward: Reward,
    /// The cell that both must try first.
    opening: Option<Cell>,
    board: u64,
    failed: std::marker::PhantomData<A>,
}

/// Whether the parameters ask for [`Announced`] rather than [`Hidden`] failed attempts.
pub fn is_announced(params: &Params) -> Result<bool, BadSpec> {
    params.choice("failed", &[false, true])
}

/// Whether the parameters ask for a failed attempt to end the turn.
pub fn is_abrupt(params: &Params) -> Result<bool, BadSpec> {
    Ok(Turns::from_params(params)? == Turns::Abrupt)
}

/// The game in which a failed attempt ends the turn.
pub fn abrupt(params: &Params) -> Result<Dark<Rows>, BadSpec> {
    let grid = small_grid(params)?;
    if is_announced(params)? {
        return Err(params.bad("failed", "hidden, where a failed attempt ends the turn"));
    }
    if params.choice("opening", &[false, true])? {
        return Err(params.bad("opening", "free, where a failed attempt ends the turn"));
    }
    Ok(Dark::new(grid, Rows::of(&grid), Turns::Abrupt, Reward::from_params(params)?))
}

/// The board, which fits into a set of cells.
fn small_grid(params: &Params) -> Result<Grid, BadSpec> {
    let grid = Grid::from_params(params)?;
    if grid.cells() > 64 {
        return Err(params.bad("m", "a board of at most 64 cells"));
    }
    Ok(grid)
}

impl<A: Attempts> PhantomMnk<A> {
    /// The game a specification asks for, apart from what becomes of failed attempts.
    pub fn from_params(params: &Params) -> Result<PhantomMnk<A>, BadSpec> {
        let grid = small_grid(params)?;
        let middle =
            || grid.centre().ok_or_else(|| params.bad("opening", "free, as the board has no centre"));
        let opening = match params.choice("opening", &[false, true])? {
            true => Some(middle()?),
            false => None,
        };
        Ok(PhantomMnk {
            lines: Lines::of(&grid),
            reward: Reward::from_params(params)?,
            opening,
            board: u64::MAX >> (64 - grid.cells()),
            failed: std::marker::PhantomData,
            grid,
        })
    }
}

/// Everything: the marks, and the marks of the other that each player has found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State<A> {
    marks: [u64; 2],
    found: [u64; 2],
    phase: Phase,
    /// Who is to move or, at the end, made the last mark.
    mover: Player,
    /// At the end: the last mark, which nobody can have found.
    last: Option<Cell>,
    attempts: A,
}

/// What an observer knows: a seat's own marks and those it found, and how many marks there are.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Info<A: Attempts> {
    by: Observer,
    marks: u64,
    found: u64,
    placed: [u8; 2],
    phase: Phase,
    mover: Player,
    /// The mark that ended the game, for the seat that made it.
    last: Option<Cell>,
    order: A::Info,
}

/// What comes of trying a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt {
    Failed,
    Placed(Phase),
}

impl<A: Attempts> PhantomMnk<A> {
    /// What would come of trying a cell.
    #[inline]
    fn attempt(&self, s: &State<A>, who: Player, cell: Cell) -> Attempt {
        let (own, other) = (s.marks[who.index()] | cell.bit(), s.marks[who.other().index()]);
        if other & cell.bit() != 0 {
            Attempt::Failed
        } else if self.lines.any(own) {
            Attempt::Placed(Phase::Won)
        } else if own | other == self.board {
            Attempt::Placed(Phase::Drawn)
        } else {
            Attempt::Placed(Phase::Playing)
        }
    }

    #[inline]
    fn try_cell(&self, s: &mut State<A>, cell: Cell) {
        let who = s.mover;
        let (me, other) = (who.index(), who.other().index());
        match self.attempt(s, who, cell) {
            Attempt::Failed => {
                s.attempts.failed(cell, s.marks[other]);
                s.found[me] |= cell.bit();
            }
            Attempt::Placed(phase) => {
                s.attempts.placed(cell, s.found[other]);
                s.marks[me] |= cell.bit();
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
    fn untried(&self, s: &State<A>, who: Player) -> u64 {
        let tried = s.marks[who.index()] | s.found[who.index()];
        match self.opening {
            Some(centre) if tried == 0 => centre.bit(),
            _ => self.board & !tried,
        }
    }

    /// The first player's first mark, where it is fixed.
    fn first_mark(&self) -> u64 {
        self.opening.map_or(0, Cell::bit)
    }
}

impl<A: Attempts> Rules for PhantomMnk<A> {
    type State = State<A>;
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

    fn start(&self) -> State<A> {
        State {
            marks: [0; 2],
            found: [0; 2],
            phase: Phase::Playing,
            mover: Player(0),
            last: None,
            attempts: A::default(),
        }
    }

    #[inline]
    fn turn(&self, s: &State<A>) -> Turn {
        match s.phase {
            Phase::Playing => Turn::Player(s.mover),
            Phase::Won | Phase::Drawn => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State<A>, who: Player, out: &mut Vec<Cell>) {
        out.extend(cells_of(self.untried(s, who)));
    }

    #[inline]
    fn apply(&self, s: &mut State<A>, step: Step<'_, Self>) {
        self.try_cell(s, step.single().1);
    }

    fn rewards(&self, s: &State<A>) -> Rewards {
        self.reward.of((s.phase == Phase::Won).then_some(s.mover))
    }

    /// The mover learns what came of its attempt; everybody learns that a mark was made, whether it ended the
    /// game, and, where that is announced, that an attempt failed.
    fn observe(&self, before: &State<A>, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, cell) = step.single();
        let word = match self.attempt(before, who, cell) {
            Attempt::Failed if !A::ANNOUNCED && !by.is(who) => return None,
            Attempt::Failed => 0,
            Attempt::Placed(Phase::Playing) => 1,
            Attempt::Placed(Phase::Won) => 2,
            Attempt::Placed(Phase::Drawn) => 3,
        };
        Some(Observation::word(if by.is(who) { word } else { word + 4 }))
    }

    fn code(&self, cell: Cell) -> u64 {
        u64::from(cell.0)
    }
}

impl<A: Attempts> Notation for PhantomMnk<A> {
    fn action_name(&self, cell: Cell) -> String {
        self.grid.name(cell)
    }

    fn parse_action(&self, name: &str) -> Option<Cell> {
        self.grid.parse(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let other = by.seat().map_or("the player to move", |_| "the other");
        match seen.first() {
            0 => "the cell is taken: you try again".to_string(),
            1 => "your mark is made".to_string(),
            2 => "your mark makes a row: you win".to_string(),
            3 => "your mark fills the board: a draw".to_string(),
            4 => format!("{other} tries a taken cell and tries again"),
            5 => format!("{other} makes a mark"),
            6 => format!("{other} makes a row and wins"),
            7 => format!("{other} fills the board: a draw"),
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State<A>) -> Scene {
        self.draw_state(s)
    }
}

impl<A: Attempts> FastPlay for PhantomMnk<A> {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Cell {
        Cell(code as u16)
    }

    #[inline]
    fn random_action(&self, s: &State<A>, who: Player, rng: &mut Rng, _: &mut Scratch<Self>) -> Cell {
        Cell(rng.bit_of(self.untried(s, who)) as u16)
    }

    /// Each player draws from a list of the cells it has not tried; a cell leaves it whatever comes of it.
    #[inline]
    fn playout(&self, s: &mut State<A>, rng: &mut Rng, _: &mut Scratch<Self>) -> Rewards {
        if let Some(centre) = self.opening {
            while s.phase == Phase::Playing && s.marks[s.mover.index()] | s.found[s.mover.index()] == 0 {
                self.try_cell(s, centre);
            }
        }
        let mut untried = [[0u8; 64]; 2];
        let mut left = [0; 2];
        for p in Player::all(2) {
            for cell in cells_of(self.untried(s, p)) {
                untried[p.index()][left[p.index()]] = cell.0 as u8;
                left[p.index()] += 1;
            }
        }
        while s.phase == Phase::Playing {
            let (cells, left) = (&mut untried[s.mover.index()], &mut left[s.mover.index()]);
            let at = rng.below(*left as u32) as usize;
            let cell = cells[at];
            *left -= 1;
            cells[at] = cells[*left];
            self.try_cell(s, Cell(cell.into()));
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(self.grid.cells()))
    }
}

impl<A: Attempts> Game for PhantomMnk<A> {
    type Info = Info<A>;
    type Sampler = Worlds<A>;

    fn info(&self, s: &State<A>, by: Observer) -> Info<A> {
        let seat = by.seat().map(Player::index);
        Info {
            by,
            marks: seat.map_or(0, |p| s.marks[p]),
            found: seat.map_or(0, |p| s.found[p]),
            placed: s.marks.map(|marks| marks.count_ones() as u8),
            phase: s.phase,
            mover: s.mover,
            last: s.last.filter(|_| by.is(s.mover)),
            order: A::info(s, by),
        }
    }

    fn sampler(&self, k: &Info<A>) -> Worlds<A> {
        Worlds::of(k, self.board, self.first_mark(), &self.lines)
    }

    fn reuse_sampler(&self, sampler: &mut Worlds<A>, k: &Info<A>) {
        sampler.turn_to(k, self.board, self.first_mark(), &self.lines);
    }

    #[inline]
    fn sample(&self, from: &mut Worlds<A>, rng: &mut Rng, into: &mut State<A>) -> f64 {
        let k = &from.known;
        let drawn = from.draw_marks(&self.lines, rng);
        into.marks = drawn.marks;
        into.phase = k.phase;
        into.mover = k.mover;
        into.last = match k.phase {
            Phase::Playing => None,
            Phase::Won => k.last.or(drawn.last),
            Phase::Drawn => k.last.or_else(|| {
                let maybe = drawn.marks[k.mover.index()] & !(k.found | self.first_mark());
                Some(Cell(rng.bit_of(maybe) as u16))
            }),
        };
        A::draw(k, self.first_mark(), rng, into);
        drawn.weight
    }

    fn scene(&self, k: &Info<A>) -> Scene {
        self.draw_info(k)
    }

    fn spots(&self, _k: &Info<A>, _: Player, cell: Cell) -> Vec<String> {
        vec![format!("board/{}", self.grid.name(cell))]
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}
