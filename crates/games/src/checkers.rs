//! Checkers (English draughts): men jump forward over men, kings both ways, and whoever can jump must.
//!
//! Black and White have twelve men each on the dark squares, Black moves first. A man steps diagonally
//! forward, or jumps forward over an adjacent enemy onto an empty square and takes it off. Jumps are forced,
//! though the player may choose among them, and a piece that can jump on must: every jump is a ply of its own,
//! made by the same player. A man that reaches the far row becomes a king, which ends its move; kings move
//! and jump both ways. Whoever cannot move has lost. Rules: Whitehouse 2014, §4.2.8; which draws there are it
//! does not say, so they are parameters.
//!
//! A board is a number of bits in the layout of A. L. Samuel (*Some studies in machine learning using the
//! game of checkers*, 1959): four bits for each row of dark squares, and after every second row one bit that
//! stands for no square. All neighbours are then 4 or 5 bits away, and whoever steps off the side of the
//! board lands on a bit that is never empty. A smaller board is the top left corner of the usual one.

use fogtree_core::{
    About, BadSpec, Domain, Episodes, Extras, Facts, FastPlay, Notation, Observation, Observer, Param,
    Params, PerfectInformation, Player, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors, Turn,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::mover;

mod scene;
mod tensors;
#[cfg(test)]
mod tests;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "checkers",
    summary: "English draughts: forced jumps over enemy men, kings on the far row; who cannot move loses",
    source: "ismcts 4.7, icarus 2.9",
    params: &[
        Param::new("size", "8", Domain::Choice(&["4", "6", "8"]), "squares along a side: 4, 6 or 8"),
        Param::new(
            "rows",
            "3",
            Domain::Integer(1, 3),
            "rows of men on each side, fewer than half of all rows",
        ),
        Param::new(
            "quiet",
            "40",
            Domain::Integer(1, 40),
            "a draw after so many moves of each side (1 to 40) without a capture or a man's move",
        ),
        Param::new(
            "repetition",
            "3",
            Domain::Choice(&["2", "3", "no"]),
            "a draw when a position comes up for the 2nd or 3rd time: 2, 3 or no",
        ),
        Param::new(
            "cap",
            "no",
            Domain::Or("no", &Domain::Integer(1, 10_000)),
            "a draw after so many plies (1 to 10000), or no",
        ),
        Reward::PARAM,
    ],
    presets: &[Preset {
        name: "icarus-checkers",
        params: "repetition=no,cap=200",
        about: "a draw after 200 plies or 40 quiet moves of each side, repetition or not",
    }],
    tiny: "size=4,rows=1,quiet=2,repetition=2",
};

/// The rules of checkers on one board.
#[derive(Clone, Debug)]
pub struct Checkers {
    size: u8,
    /// All squares.
    board: u64,
    men: [u64; 2],
    /// The rows on which men of each side are crowned.
    far: [u64; 2],
    /// The game is drawn after so many quiet plies.
    quiet: u8,
    repetition: Option<u8>,
    cap: Option<u16>,
    reward: Reward,
}

impl Checkers {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Checkers, BadSpec> {
        let size = params.choice("size", &[4, 6, 8])?;
        let rows = params.number_within("rows", 1..=size / 2 - 1)?;
        let quiet = 2 * params.number::<u8>("quiet")?;
        let repetition = params.choice("repetition", &[Some(2), Some(3), None])?;
        let cap = if params.text("cap") == "no" { None } else { Some(params.number("cap")?) };
        let reward = Reward::from_params(params)?;
        let rows_of = |rows: std::ops::Range<u8>| {
            let squares = rows.flat_map(|row| (0..size / 2).map(move |k| 4 * row + k));
            squares.fold(0, |board, square| board | bit(square))
        };
        Ok(Checkers {
            size,
            board: rows_of(0..size),
            men: [rows_of(0..rows), rows_of(size - rows..size)],
            far: [rows_of(size - 1..size), rows_of(0..1)],
            quiet,
            repetition,
            cap,
            reward,
        })
    }

    fn squares_in_a_row(&self) -> u8 {
        self.size / 2
    }

    /// The number of a square as draughts players count them: from 1, along the rows from the top left.
    fn number(&self, square: u8) -> u8 {
        square / 4 * self.squares_in_a_row() + square % 4 + 1
    }

    fn square(&self, number: &str) -> Option<u8> {
        let all = self.size * self.squares_in_a_row();
        let index = number.parse::<u8>().ok().filter(|n| (1..=all).contains(n))? - 1;
        Some(index / self.squares_in_a_row() * 4 + index % self.squares_in_a_row())
    }

    /// What a player may do with its pieces among `with`.
    #[inline]
    fn moves(&self, s: &State, who: Player, with: u64) -> Moves {
        let other = s.pieces[who.other().index()];
        let empty = self.board & !(s.pieces[0] | s.pieces[1]);
        let own = s.pieces[who.index()] & with;
        let forward = |way: usize| if way / 2 == who.index() { own } else { own & s.kings };
        let jumps = WAYS.map(|way| back(back(empty, way) & other, way) & forward(way));
        if jumps != [0; 4] {
            return Moves { from: jumps, kind: Kind::Jump };
        }
        Moves { from: WAYS.map(|way| back(empty, way) & forward(way)), kind: Kind::Step }
    }

    /// Makes a move and answers what may be done next.
    #[inline]
    fn advance(&self, s: &mut State, who: Player, action: Action) -> Moves {
        let (from, way) = (bit(action.square()), action.way());
        let man = from & s.kings == 0;
        let mut to = ahead(from, way);
        if action.kind() == Kind::Jump {
            s.pieces[who.other().index()] &= !to;
            s.kings &= !to;
            to = ahead(to, way);
        }
        s.pieces[who.index()] ^= from | to;
        let crowned = man && to & self.far[who.index()] != 0;
        if !man {
            s.kings ^= from | to;
        } else if crowned {
            s.kings |= to;
        }
        if man || action.kind() == Kind::Jump {
            s.clear_quiet();
        } else {
            s.quiet += 1;
            if self.repetition.is_some() {
                s.trail.set(s.quiet - 1, action);
            }
        }
        if self.cap.is_some() {
            s.plies += 1;
        }

        if action.kind() == Kind::Jump && !crowned {
            let more = self.moves(s, who, to);
            if more.kind == Kind::Jump {
                s.phase = Phase::JumpingOn { who, square: square_at(to.trailing_zeros()) };
                if Some(s.plies) == self.cap {
                    s.phase = Phase::Over(None);
                }
                return more;
            }
        }
        let next = self.moves(s, who.other(), u64::MAX);
        s.phase = if next.from == [0; 4] {
            Phase::Over(Some(who))
        } else if self.is_drawn(s) {
            Phase::Over(None)
        } else {
            Phase::ToMove(who.other())
        };
        next
    }

    #[inline]
    fn is_drawn(&self, s: &State) -> bool {
        s.quiet == self.quiet
            || Some(s.plies) == self.cap
            || self.repetition.is_some_and(|times| s.quiet >= 4 && s.trail.occurrences(s.quiet) >= times)
    }
}

/// The four ways to move: down to the left and to the right, then up to the right and to the left. Black moves
/// down, towards higher bits.
const WAYS: [usize; 4] = [0, 1, 2, 3];
const SHIFTS: [u32; 4] = [4, 5, 64 - 4, 64 - 5];

/// The squares one further on. Bits that leave the board at one end come back where it has no squares.
#[inline(always)]
fn ahead(squares: u64, way: usize) -> u64 {
    squares.rotate_left(SHIFTS[way])
}

/// The squares from which one gets to these.
#[inline(always)]
fn back(squares: u64, way: usize) -> u64 {
    squares.rotate_right(SHIFTS[way])
}

/// The bit of a square, counted along the rows, four to a row.
#[inline(always)]
const fn bit(square: u8) -> u64 {
    1 << (square + square / 8)
}

#[inline(always)]
const fn square_at(bit: u32) -> u8 {
    (bit - bit / 9) as u8
}

/// A step or a jump of one piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Action(u8);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Step,
    Jump,
}

impl Action {
    #[inline(always)]
    fn new(square: u8, kind: Kind, way: usize) -> Action {
        Action(square << 3 | (kind as u8) << 2 | way as u8)
    }

    #[inline(always)]
    fn square(self) -> u8 {
        self.0 >> 3
    }

    #[inline(always)]
    fn kind(self) -> Kind {
        if self.0 & 4 == 0 { Kind::Step } else { Kind::Jump }
    }

    #[inline(always)]
    fn way(self) -> usize {
        usize::from(self.0 & 3)
    }

    /// Where the piece lands, as a bit.
    fn to(self) -> u64 {
        let next = ahead(bit(self.square()), self.way());
        if self.kind() == Kind::Jump { ahead(next, self.way()) } else { next }
    }
}

/// The pieces that may move, for each of the four ways.
#[derive(Clone, Copy)]
struct Moves {
    from: [u64; 4],
    kind: Kind,
}

impl Moves {
    /// One of them, all equally likely.
    #[inline]
    fn pick(&self, rng: &mut Rng) -> Action {
        let counts = self.from.map(u64::count_ones);
        let mut skip = rng.below(counts.iter().sum());
        let mut way = 0;
        while skip >= counts[way] {
            skip -= counts[way];
            way += 1;
        }
        let mut from = self.from[way];
        for _ in 0..skip {
            from &= from - 1;
        }
        Action::new(square_at(from.trailing_zeros()), self.kind, way)
    }
}

/// The pieces of both sides, and how far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pieces: [u64; 2],
    /// Those of them that are kings.
    kings: u64,
    phase: Phase,
    /// Plies since a man moved or a piece was taken.
    quiet: u8,
    /// All plies, if they matter.
    plies: u16,
    /// The quiet plies, if they matter.
    trail: Trail,
}

impl State {
    #[inline]
    fn clear_quiet(&mut self) {
        if self.quiet != 0 {
            self.quiet = 0;
            self.trail = Trail::default();
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    ToMove(Player),
    /// The piece on this square jumped and must jump on.
    JumpingOn {
        who: Player,
        square: u8,
    },
    /// Somebody has won, or nobody.
    Over(Option<Player>),
}

/// The kings' steps since the last move that cannot be undone, a byte each: where a position was before is
/// found by taking them back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
struct Trail([u64; 10]);

impl Trail {
    #[inline]
    fn set(&mut self, ply: u8, step: Action) {
        self.0[usize::from(ply / 8)] |= u64::from(step.0) << (ply % 8 * 8);
    }

    #[inline]
    fn get(&self, ply: u8) -> Action {
        Action((self.0[usize::from(ply / 8)] >> (ply % 8 * 8)) as u8)
    }

    /// How often the position after so many plies has come up, this time included.
    fn occurrences(&self, plies: u8) -> u8 {
        // Where the two sides' pieces differ from those of now.
        let mut changed = [0; 2];
        let mut times = 1;
        for ply in (0..plies).rev() {
            let step = self.get(ply);
            changed[usize::from(ply % 2)] ^= bit(step.square()) | step.to();
            times += u8::from((plies - ply).is_multiple_of(2) && changed == [0; 2]);
        }
        times
    }
}

const BLACK: Player = Player(0);

impl Rules for Checkers {
    type State = State;
    type Action = Action;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let men = 2 * self.men[0].count_ones();
        // What cannot be undone: each man's way to the far row, and each capture.
        let progress = men * (u32::from(self.size) - 1) + men;
        let longest = (progress + 1) * u32::from(self.quiet);
        Facts {
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, self.cap.map_or(longest, |cap| longest.min(u32::from(cap))))
        }
    }

    fn start(&self) -> State {
        State {
            pieces: self.men,
            kings: 0,
            phase: Phase::ToMove(BLACK),
            quiet: 0,
            plies: 0,
            trail: Trail::default(),
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::ToMove(who) | Phase::JumpingOn { who, .. } => Turn::Player(who),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let moves = self.moves_now(s, who);
        let mut left = moves.from.iter().fold(0, |all, from| all | from);
        while left != 0 {
            let at = left.trailing_zeros();
            let ways = WAYS.into_iter().filter(|&way| moves.from[way] >> at & 1 == 1);
            out.extend(ways.map(|way| Action::new(square_at(at), moves.kind, way)));
            left &= left - 1;
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, action) = step.single();
        self.advance(s, who, action);
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(if let Phase::Over(winner) = s.phase { winner } else { None })
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, action) = step.single();
        (!by.is(who)).then(|| Observation::word(self.code(action)))
    }

    fn code(&self, action: Action) -> u64 {
        u64::from(action.0)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Checkers {
    fn action_name(&self, action: Action) -> String {
        let to = self.number(square_at(action.to().trailing_zeros()));
        let how = if action.kind() == Kind::Jump { 'x' } else { '-' };
        format!("{}{how}{to}", self.number(action.square()))
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let kind = if name.contains('x') { Kind::Jump } else { Kind::Step };
        let (from, to) = name.split_once(['x', '-'])?;
        let (from, to) = (self.square(from)?, self.square(to)?);
        let action = WAYS.map(|way| Action::new(from, kind, way)).into_iter().find(|a| a.to() == bit(to))?;
        (self.action_name(action) == name).then_some(action)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match *seen.as_words() {
            [code @ 0..256] if Action(code as u8).to() & self.board != 0 => {
                let action = Action(code as u8);
                let what = if action.kind() == Kind::Jump { "jumps" } else { "steps" };
                format!("{} {what} {}", mover(by), self.action_name(action))
            }
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if seat == BLACK { "black".to_string() } else { "white".to_string() }
    }
}

impl FastPlay for Checkers {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        Action(code as u8)
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        self.moves_now(s, who).pick(rng)
    }

    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        if let Turn::Player(who) = self.turn(s) {
            let mut moves = self.moves_now(s, who);
            while let Phase::ToMove(who) | Phase::JumpingOn { who, .. } = s.phase {
                moves = self.advance(s, who, moves.pick(rng));
            }
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(256)
    }
}

impl Episodes<Checkers> for Checkers {
    /// An episode begins where a player can capture and is not in the middle of a capture; its label is the
    /// player (Whitehouse 2014, §8.3.2).
    fn episode(&self, s: &State) -> Option<u32> {
        let Phase::ToMove(who) = s.phase else { return None };
        (self.moves(s, who, u64::MAX).kind == Kind::Jump).then_some(u32::from(who.0))
    }

    /// Which kind of piece stands where: men and kings of the first player, then those of the second.
    fn features(&self, s: &State, _by: Player, out: &mut Vec<u32>) {
        let kinds = s.pieces.into_iter().flat_map(|all| [all & !s.kings, all & s.kings]);
        for (kind, mut squares) in (0..).zip(kinds) {
            while squares != 0 {
                out.push(64 * kind + squares.trailing_zeros());
                squares &= squares - 1;
            }
        }
    }
}

impl Checkers {
    /// What the player to move may do.
    #[inline]
    fn moves_now(&self, s: &State, who: Player) -> Moves {
        let with = if let Phase::JumpingOn { square, .. } = s.phase { bit(square) } else { u64::MAX };
        self.moves(s, who, with)
    }
}

impl PerfectInformation for Checkers {
    /// The piece, and where it lands.
    fn spots(&self, _s: &State, _: Player, action: Action) -> Vec<String> {
        let squares = [action.square(), square_at(action.to().trailing_zeros())];
        squares.map(|square| format!("board/{}", self.number(square))).into()
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}
