//! Arimaa: made to be easy for people and hard for programs, with four steps to a turn.
//!
//! Gold and Silver set up sixteen pieces each on their first two rows, Gold first: an elephant, a camel, two
//! horses, two dogs, two cats and eight rabbits, from the strongest to the weakest. A turn is one to four
//! steps to neighbouring squares, never diagonally; rabbits do not step backwards. A piece next to a stronger
//! enemy is frozen unless a friend stands beside it. A piece that is not frozen may move a weaker enemy beside
//! it, for two steps: push it to a free square and follow, or step away and pull it along. Four squares are
//! traps, where a piece without a friend beside it vanishes. A turn must change the position, and must not
//! bring about a position for the third time with the same side to move. After a turn, a rabbit on the far
//! row wins, that of the side that has moved first of all; then a side without rabbits loses; then a side
//! without a legal turn. Rules: O. and A. Syed, *Arimaa: a new game designed to be difficult for computers*
//! (ICGA Journal 26, 2003); the game is named in Whitehouse 2014, §4.2.14.
//!
//! Every step is a ply, and so is ending a turn early. A push is the enemy's step and then, at once, that of
//! the pusher; a pull is a step and then the enemy's into the square left. Legal are the steps from which a
//! legal turn can be completed, so that nobody is ever stuck within a turn.

use arrayvec::ArrayVec;
use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Notation, Observation, Observer, Param, Params,
    PerfectInformation, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Turn,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::mover;

mod board;
mod scene;
#[cfg(test)]
mod tests;

use board::{Board, Ground, KINDS, LETTERS, RABBIT, WAY_LETTERS, WAYS, ahead, back, neighbours};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "arimaa",
    summary: "Push, pull and trap weaker animals, four steps a turn, to bring a rabbit across the board",
    source: "ismcts 4.13",
    params: &[
        Param::new("size", "8", Domain::Integer(4, 8), "squares along a side, 4 to 8"),
        Param::new(
            "setup",
            "free",
            Domain::Text,
            "free: both place their pieces, one a ply, square by square; or the rows from the top, \
                    as in r.c./..../E.../R..., Gold in capitals",
        ),
        Param::new(
            "pieces",
            "EMHHDDCCRRRRRRRR",
            Domain::Text,
            "what each side places in a free setup, in any order; they fill whole rows",
        ),
        Param::new("steps", "4", Domain::Integer(1, 4), "the most steps of a turn, 1 to 4"),
        Param::new(
            "repetition",
            "yes",
            Domain::Flag,
            "whether a position may not come up for the third time: yes or no",
        ),
        Param::new(
            "turns",
            "200",
            Domain::Integer(1, MOST_TURNS as i128),
            "a draw after so many turns of both sides, 1 to 200",
        ),
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "size=4,setup=r.../rc../CE../R...,steps=2,turns=4",
};

const MOST_TURNS: usize = 200;
const GOLD: Player = Player(0);
const SILVER: Player = Player(1);

/// The rules of Arimaa on one board.
#[derive(Clone, Debug)]
pub struct Arimaa {
    ground: Ground,
    setup: Setup,
    steps: u8,
    repetition: bool,
    turns: u16,
    reward: Reward,
}

#[derive(Clone, Debug)]
enum Setup {
    /// How many pieces of each kind either side places.
    Free([u8; KINDS]),
    Given(Board),
}

impl Arimaa {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Arimaa, BadSpec> {
        let ground = Ground::new(params.number("size")?);
        let setup = match params.text("setup") {
            "free" => Setup::Free(read_pieces(params.text("pieces"), &ground).ok_or_else(|| {
                let most = ground.size / 2 - 1;
                let expected = format!("letters of EMHDCR, one R or more, for 1 to {most} whole rows");
                params.bad("pieces", expected)
            })?),
            rows => Setup::Given(read_rows(rows, &ground).ok_or_else(|| {
                let expected = format!(
                    "free, or {0} rows of {0} letters of EMHDCR, emhdcr and '.', with rabbits of both sides \
                     that have not arrived, and nothing lost in a trap",
                    ground.size
                );
                params.bad("setup", expected)
            })?),
        };
        let game = Arimaa {
            ground,
            setup,
            steps: params.number("steps")?,
            repetition: params.flag("repetition")?,
            turns: params.number("turns")?,
            reward: Reward::from_params(params)?,
        };
        if game.turn(&game.start()) == Turn::Terminal {
            return Err(params.bad("setup", "a position in which Gold can move"));
        }
        Ok(game)
    }

    /// The square on which a side places its next piece.
    fn next_home(&self, who: Player, placed: u8) -> u64 {
        let (row, column) = (placed / self.ground.size, placed % self.ground.size);
        let row = if who == GOLD { row } else { self.ground.size - 1 - row };
        1 << (8 * row + column)
    }

    /// The steps that the pieces allow. Whether a legal turn follows from them is not asked.
    #[inline]
    fn possible(&self, m: &Moment) -> [u64; 4] {
        let board = &m.board;
        let [own, other] = [m.who, m.who.other()].map(|side| board.sides[side.index()]);
        let empty = self.ground.squares & !(own | other);
        if let Hand::Pushed { at, ways } = m.hand {
            return WAYS.map(|way| if ways >> way & 1 == 1 { back(1 << at, way) } else { 0 });
        }
        let free = board.free(m.who);
        let mut enemies = 0;
        if m.left >= 2 {
            enemies = board.overpowered(other, free);
        }
        let backwards = if m.who == GOLD { 2 } else { 0 };
        let mut from = WAYS.map(|way| {
            let steppers = if way == backwards { free & !board.kinds[RABBIT] } else { free };
            (steppers | enemies) & back(empty, way)
        });
        if let Hand::Stepped { from: left, kind } = m.hand {
            let weaker = board.kinds[..usize::from(kind)].iter().fold(0, |all, kind| all | kind) & other;
            WAYS.iter().for_each(|&way| from[way] |= weaker & back(1 << left, way));
        }
        from
    }

    /// Makes a step and answers whether a piece was lost.
    #[inline]
    fn step(&self, m: &mut Moment, square: u8, way: usize) -> bool {
        let from = 1 << square;
        let to = ahead(from, way);
        let kind = m.board.kind_at(from);
        let own = m.board.sides[m.who.index()] & from != 0;
        let pushers = |board: &Board| {
            let strong = board.free(m.who) & board.stronger(board.sides[m.who.index()])[kind];
            WAYS.iter().fold(0, |ways, &way| ways | u8::from(back(from, way) & strong != 0) << way)
        };
        m.hand = match m.hand {
            Hand::Stepped { from: left, kind: puller }
                if !own && to == 1 << left && kind < usize::from(puller) =>
            {
                Hand::Free
            }
            _ if !own => Hand::Pushed { at: square, ways: pushers(&m.board) },
            Hand::Pushed { .. } => Hand::Free,
            _ => Hand::Stepped { from: square, kind: kind as u8 },
        };
        m.left -= 1;
        let lost = m.board.step(&self.ground, from, to);
        if let Hand::Stepped { from: left, kind } = m.hand {
            let weaker = m.board.kinds[..usize::from(kind)].iter().fold(0, |all, kind| all | kind);
            if neighbours(1 << left) & weaker & m.board.sides[m.who.other().index()] == 0 {
                m.hand = Hand::Free;
            }
        }
        lost
    }

    /// Whether a turn may end in this position: it is new, and not there for the third time.
    #[inline]
    fn may_end(&self, m: &Moment, past: &[u64]) -> bool {
        if matches!(m.hand, Hand::Pushed { .. }) {
            return false;
        }
        let Some((&before, earlier)) = past.split_last() else { return true };
        let key = m.board.key();
        let same_side = earlier.iter().rev().step_by(2);
        key != before && (!self.repetition || same_side.filter(|&&k| k == key).count() < 2)
    }

    /// Whether a legal turn can be completed from here.
    fn can_complete(&self, m: &Moment, past: &[u64]) -> bool {
        m.left < self.steps && self.may_end(m, past) || m.left > 0 && self.has_legal_step(m, past)
    }

    fn has_legal_step(&self, m: &Moment, past: &[u64]) -> bool {
        let from = self.possible(m);
        WAYS.iter().any(|&way| squares(from[way]).any(|square| self.is_legal_step(m, past, square, way)))
    }

    #[inline]
    fn is_legal_step(&self, m: &Moment, past: &[u64], square: u8, way: usize) -> bool {
        let mut next = *m;
        let lost = self.step(&mut next, square, way);
        self.can_complete(&next, if lost { &[] } else { past })
    }

    /// Ends a turn: somebody has won, or the other side goes on.
    fn end_turn(&self, s: &mut State, m: &Moment) {
        let (who, other) = (m.who, m.who.other());
        let board = m.board;
        s.board = board;
        s.turns += 1;
        let arrived = |side| board.rabbits(side) & self.ground.goal(side) != 0;
        let winner = if arrived(who) || !arrived(other) && board.rabbits(other) == 0 {
            Some(who)
        } else if arrived(other) || board.rabbits(who) == 0 {
            Some(other)
        } else {
            if !self.repetition {
                s.past.clear();
            }
            if usize::from(s.turns) < MOST_TURNS {
                s.past.push(board.key());
            }
            let next = Moment { board, who: other, left: self.steps, hand: Hand::Free };
            (!self.has_legal_step(&next, &s.past)).then_some(who)
        };
        s.phase = if winner.is_some() || s.turns == self.turns {
            s.past.clear();
            Phase::Over(winner)
        } else {
            Phase::ToMove { who: other, left: self.steps, hand: Hand::Free }
        };
    }
}

/// How many pieces of each kind there are, if they fill whole rows.
fn read_pieces(text: &str, ground: &Ground) -> Option<[u8; KINDS]> {
    let size = usize::from(ground.size);
    let mut counts = [0; KINDS];
    if !text.len().is_multiple_of(size) || !(1..size / 2).contains(&(text.len() / size)) {
        return None;
    }
    for letter in text.bytes() {
        counts[LETTERS.iter().position(|&l| l == letter)?] += 1;
    }
    (counts[RABBIT] > 0).then_some(counts)
}

/// The position drawn by rows from the top.
fn read_rows(text: &str, ground: &Ground) -> Option<Board> {
    let mut board = Board::default();
    let rows: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
    let size = usize::from(ground.size);
    if rows.len() != size || rows.iter().any(|row| row.len() != size) {
        return None;
    }
    for (row, letters) in rows.iter().rev().enumerate() {
        for (column, letter) in letters.iter().enumerate().filter(|(_, letter)| **letter != b'.') {
            let kind = LETTERS.iter().position(|l| l.eq_ignore_ascii_case(letter))?;
            let who = if letter.is_ascii_uppercase() { GOLD } else { SILVER };
            board.put(who, kind, 1 << (8 * row + column));
        }
    }
    let sound = |who: Player| {
        let (own, rabbits) = (board.sides[who.index()], board.rabbits(who));
        rabbits != 0 && rabbits & ground.goal(who) == 0 && own & ground.traps & !neighbours(own) == 0
    };
    (sound(GOLD) && sound(SILVER)).then_some(board)
}

/// The squares of a set, in rising order.
fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        next
    })
}

/// What a player may do: a step of some piece (its square times four plus the way), the end of the turn, or the
/// kind of the next piece placed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Action(u16);

const END: Action = Action(256);

impl Action {
    fn step(square: u8, way: usize) -> Action {
        Action(u16::from(square) << 2 | way as u16)
    }

    fn place(kind: usize) -> Action {
        Action(END.0 + 1 + kind as u16)
    }

    #[inline]
    fn what(self) -> What {
        match self.0 {
            0..256 => What::Step { square: (self.0 >> 2) as u8, way: usize::from(self.0 & 3) },
            256 => What::End,
            _ => What::Place(usize::from(self.0 - 257) % KINDS),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Step { square: u8, way: usize },
    End,
    Place(usize),
}

/// The pieces, whose turn it is, and the positions that must not come up again.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    board: Board,
    phase: Phase,
    /// Turns that are over.
    turns: u16,
    /// The positions after each turn since the last loss of a piece; the last is that before this turn.
    past: ArrayVec<u64, MOST_TURNS>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    Setup {
        who: Player,
        placed: u8,
    },
    ToMove {
        who: Player,
        /// How many steps are left.
        left: u8,
        hand: Hand,
    },
    /// Somebody has won, or nobody.
    Over(Option<Player>),
}

/// What the last step leaves to be done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Hand {
    /// Nothing.
    Free,
    /// An enemy was pushed away from this square; a piece that steps there in one of these ways must follow.
    Pushed { at: u8, ways: u8 },
    /// A piece of this kind left this square; a weaker enemy may be pulled there.
    Stepped { from: u8, kind: u8 },
}

/// A position within a turn.
#[derive(Clone, Copy, Debug)]
struct Moment {
    board: Board,
    who: Player,
    left: u8,
    hand: Hand,
}

impl State {
    #[inline]
    fn moment(&self) -> Option<Moment> {
        match self.phase {
            Phase::ToMove { who, left, hand } => Some(Moment { board: self.board, who, left, hand }),
            _ => None,
        }
    }
}

impl Rules for Arimaa {
    type State = State;
    type Action = Action;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let placements = match &self.setup {
            Setup::Free(counts) => 2 * counts.iter().map(|&n| u32::from(n)).sum::<u32>(),
            Setup::Given(_) => 0,
        };
        Facts {
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, placements + u32::from(self.turns) * u32::from(self.steps))
        }
    }

    fn start(&self) -> State {
        let mut s = State {
            board: Board::default(),
            phase: Phase::Setup { who: GOLD, placed: 0 },
            turns: 0,
            past: ArrayVec::new(),
        };
        if let Setup::Given(board) = self.setup {
            s.board = board;
            s.past.push(board.key());
            let first = Moment { board, who: GOLD, left: self.steps, hand: Hand::Free };
            s.phase = if self.has_legal_step(&first, &s.past) {
                Phase::ToMove { who: GOLD, left: self.steps, hand: Hand::Free }
            } else {
                Phase::Over(Some(SILVER))
            };
        }
        s
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Setup { who, .. } | Phase::ToMove { who, .. } => Turn::Player(who),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let Some(m) = s.moment() else {
            out.extend((0..KINDS).filter(|&kind| self.has_in_hand(s, who, kind)).map(Action::place));
            return;
        };
        let from = self.possible(&m);
        for square in squares(from.iter().fold(0, |all, set| all | set)) {
            let ways = WAYS.into_iter().filter(|&way| from[way] >> square & 1 == 1);
            let legal = ways.filter(|&way| self.is_legal_step(&m, &s.past, square, way));
            out.extend(legal.map(|way| Action::step(square, way)));
        }
        if m.left < self.steps && self.may_end(&m, &s.past) {
            out.push(END);
        }
    }

    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, action) = step.single();
        match (action.what(), s.moment()) {
            (What::Step { square, way }, Some(mut m)) => {
                if self.step(&mut m, square, way) {
                    s.past.clear();
                }
                if m.left == 0 {
                    self.end_turn(s, &m);
                } else {
                    s.board = m.board;
                    s.phase = Phase::ToMove { who, left: m.left, hand: m.hand };
                }
            }
            (What::End, Some(m)) => self.end_turn(s, &m),
            (What::Place(kind), None) => self.place(s, who, kind),
            _ => debug_assert!(false, "an action of another phase"),
        }
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
}

impl Notation for Arimaa {
    fn action_name(&self, action: Action) -> String {
        match action.what() {
            What::Step { square, way } => {
                format!("{}{}", square_name(square), char::from(WAY_LETTERS[way]))
            }
            What::End => "end".to_string(),
            What::Place(kind) => char::from(LETTERS[kind]).to_string(),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let line = |c: u8, first: u8| c.checked_sub(first).filter(|&i| i < self.ground.size);
        match *name.as_bytes() {
            [letter] => LETTERS.iter().position(|&l| l == letter).map(Action::place),
            [b'e', b'n', b'd'] => Some(END),
            [column, row, way] => {
                let square = 8 * line(row, b'1')? + line(column, b'a')?;
                let way = WAY_LETTERS.iter().position(|&l| l == way)?;
                (ahead(1 << square, way) & self.ground.squares != 0).then(|| Action::step(square, way))
            }
            _ => None,
        }
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let codes = u64::from(Action::place(KINDS).0);
        let &[code] = seen.as_words() else { return seen.to_string() };
        let Some(action) = (code < codes).then_some(Action(code as u16)) else { return seen.to_string() };
        match action.what() {
            What::Step { .. } => format!("{} steps {}", mover(by), self.action_name(action)),
            What::End => format!("{} ends the turn", mover(by)),
            What::Place(_) => format!("{} places {}", mover(by), self.action_name(action)),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if seat == GOLD { "gold".to_string() } else { "silver".to_string() }
    }
}

impl FastPlay for Arimaa {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        Action(code as u16)
    }

    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Action {
        let Some(m) = s.moment() else {
            scratch.actions.clear();
            self.actions(s, who, &mut scratch.actions);
            return *rng.pick(&scratch.actions);
        };
        let mut from = self.possible(&m);
        let end = u32::from(m.left < self.steps && self.may_end(&m, &s.past));
        // Draw among what is possible, and again where no legal turn would follow.
        loop {
            let counts = from.map(u64::count_ones);
            let mut skip = rng.below(counts.iter().sum::<u32>() + end);
            let Some(way) = WAYS.into_iter().find(|&way| {
                let here = skip < counts[way];
                skip -= if here { 0 } else { counts[way] };
                here
            }) else {
                return END;
            };
            let square = squares(from[way]).nth(skip as usize).expect("so many squares were counted");
            if self.is_legal_step(&m, &s.past, square, way) {
                return Action::step(square, way);
            }
            from[way] ^= 1 << square;
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(Action::place(KINDS).0))
    }
}

impl Arimaa {
    fn has_in_hand(&self, s: &State, who: Player, kind: usize) -> bool {
        let Setup::Free(counts) = &self.setup else { return false };
        let placed = s.board.sides[who.index()] & s.board.kinds[kind];
        placed.count_ones() < u32::from(counts[kind])
    }

    fn place(&self, s: &mut State, who: Player, kind: usize) {
        let Phase::Setup { placed, .. } = s.phase else { return };
        s.board.put(who, kind, self.next_home(who, placed));
        let more = (0..KINDS).any(|kind| self.has_in_hand(s, who, kind));
        s.phase = match who {
            _ if more => Phase::Setup { who, placed: placed + 1 },
            GOLD => Phase::Setup { who: SILVER, placed: 0 },
            _ => {
                s.past.push(s.board.key());
                Phase::ToMove { who: GOLD, left: self.steps, hand: Hand::Free }
            }
        };
    }
}

fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), square / 8 + 1)
}

impl PerfectInformation for Arimaa {
    fn spots(&self, _s: &State, _: Player, action: Action) -> Vec<String> {
        scene::spots(action.what())
    }
}
