//! Othello: a disc that closes a line of enemy discs turns them over, so a lead lasts until the last move.
//!
//! Black and White place discs in turn, Black first, on a board that starts with two of each in its centre.
//! A placement must close at least one straight line of enemy discs between itself and another own disc, and
//! turns over every disc so closed. A player without a placement must pass, which is a step of its own; the
//! game is over as soon as neither side has a placement, and most discs win. Rules: Whitehouse 2014, §4.2.9.
//! Boards of 4 and 6 squares a side are the smaller ones usually studied.
//!
//! A board is two bit boards, one byte a row, the top left square in the lowest bit. A smaller board is the
//! top left corner of the usual one.

use std::cmp::Ordering;

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Notation, Observation, Observer,
    Param, Params, PerfectInformation, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors, Turn,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::mover;

mod scene;
mod tensors;

use scene::square_name;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "othello",
    summary: "Discs that close a line of enemy discs turn them over; most discs win",
    source: "ismcts 4.8",
    params: &[
        Param::new("size", "8", Domain::Choice(&["4", "6", "8"]), "squares along a side: 4, 6 or 8"),
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "size=4",
};

/// The rules of Othello on one board.
#[derive(Clone, Debug)]
pub struct Othello {
    size: u32,
    reward: Reward,
    /// All squares.
    board: u64,
}

impl Othello {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Othello, BadSpec> {
        let size = params.choice("size", &[4, 6, 8])?;
        let reward = Reward::from_params(params)?;
        let board = (0..size).fold(0, |board, row| board | ((1 << size) - 1) << (8 * row));
        Ok(Othello { size, reward, board })
    }

    /// The squares on which the owner of `own` may place a disc.
    #[inline]
    fn placements(&self, own: u64, other: u64) -> u64 {
        Lines::new(own, other).ends() & self.board & !(own | other)
    }
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Place a disc on a square: 8 * row + column, both counted from 0 at the top left.
    Place(u8),
    /// Leave the turn to the other side, for want of a placement.
    Pass,
}

const PASS: u64 = 64;

/// The discs of both players, and how far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    discs: [u64; 2],
    phase: Phase,
    /// The game goes on after a disc on the edge: an episode begins.
    edge: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    ToMove(Player),
    Over,
}

const BLACK: Player = Player(0);
const WHITE: Player = Player(1);

/// The distances between neighbours in bits: along a row, an antidiagonal, a column and a diagonal.
const SHIFTS: [u32; 4] = [1, 7, 8, 9];

/// The enemy discs in an unbroken line behind an own disc, for each of the [`SHIFTS`]: first the lines that
/// run towards higher bits, then those towards lower. The square beyond a line, if it is empty, is a legal
/// placement, and the line is what it turns over.
struct Lines([(u64, u64); 4]);

impl Lines {
    /// All lines of one side. They grow by parallel prefixes to 1, 2, 4 and 6 discs.
    #[inline(always)]
    fn new(own: u64, other: u64) -> Lines {
        const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;
        Lines(SHIFTS.map(|shift| {
            let other = if shift == 8 { other } else { other & INNER_COLUMNS };
            let (mut up, mut down) = (other & own << shift, other & own >> shift);
            up |= other & up << shift;
            down |= other & down >> shift;
            let upper_of_two = other & other << shift;
            let lower_of_two = upper_of_two >> shift;
            for _ in 0..2 {
                up |= upper_of_two & up << (2 * shift);
                down |= lower_of_two & down >> (2 * shift);
            }
            (up, down)
        }))
    }

    /// The squares just beyond the lines.
    #[inline(always)]
    fn ends(&self) -> u64 {
        SHIFTS.iter().zip(&self.0).fold(0, |ends, (shift, (up, down))| ends | up << shift | down >> shift)
    }

    /// The discs turned over by a disc placed on a square: the lines that end there.
    #[inline(always)]
    fn turned(&self, square: u32) -> u64 {
        let mut turned = 0;
        for (i, (up, down)) in self.0.iter().enumerate() {
            // Above the square, the carry of an addition runs through the line and clears it.
            let above = UP[i][square as usize];
            let line = above & down;
            turned |= line & !(line | !above).wrapping_add(1 << square << SHIFTS[i]);
            // Below it, the line reaches down to the highest square that does not belong to it.
            let below = DOWN[i][square as usize];
            let end = (below & !up | 1).ilog2();
            turned |= below & (2_u64 << end).wrapping_neg();
        }
        turned
    }
}

/// The squares from each square to the edge, towards higher bits and towards lower ones. (By direction
/// first: loaded side by side they tempt the compiler into vectors, which are slower here.)
static UP: [[u64; 64]; 4] = rays(1);
static DOWN: [[u64; 64]; 4] = rays(-1);

const fn rays(sense: i32) -> [[u64; 64]; 4] {
    let steps = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut rays = [[0; 64]; 4];
    let mut i = 0;
    while i < 4 * 64 {
        let (dx, dy) = steps[i / 64];
        let (mut x, mut y) = (i as i32 % 8, i as i32 / 8 % 8);
        loop {
            (x, y) = (x + sense * dx, y + sense * dy);
            if x < 0 || x > 7 || y < 0 || y > 7 {
                break;
            }
            rays[i / 64][i % 64] |= 1 << (8 * y + x);
        }
        i += 1;
    }
    rays
}

impl Rules for Othello {
    type State = State;
    type Action = Action;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let placements = self.size * self.size - 4;
        Facts {
            players: 2,
            hidden: false,
            hidden_moves: false,
            chance: Chance::Never,
            simultaneous: false,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            // At most one pass between two placements, none before the first or after the last.
            max_length: 2 * placements - 1,
        }
    }

    fn start(&self) -> State {
        let diagonal = 1 | 1 << 9;
        let antidiagonal = 1 << 1 | 1 << 8;
        let corner = 9 * (self.size / 2 - 1);
        State {
            discs: [antidiagonal << corner, diagonal << corner],
            phase: Phase::ToMove(BLACK),
            edge: false,
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::ToMove(who) => Turn::Player(who),
            Phase::Over => Turn::Terminal,
        }
    }

    #[inline]
    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let mut left = self.placements(s.discs[who.index()], s.discs[who.other().index()]);
        if left == 0 {
            out.push(Action::Pass);
        }
        while left != 0 {
            out.push(Action::Place(left.trailing_zeros() as u8));
            left &= left - 1;
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, action) = step.single();
        s.phase = Phase::ToMove(who.other());
        s.edge = false;
        if let Action::Place(square) = action {
            let (own, other) = (s.discs[who.index()], s.discs[who.other().index()]);
            let turned = Lines::new(own, other).turned(u32::from(square));
            let (own, other) = (own | turned | 1 << square, other & !turned);
            s.discs[who.index()] = own;
            s.discs[who.other().index()] = other;
            if self.placements(other, own) == 0 && self.placements(own, other) == 0 {
                s.phase = Phase::Over;
            } else {
                let last = self.size as u8 - 1;
                s.edge = [square % 8, square / 8].iter().any(|&x| x == 0 || x == last);
            }
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        let [black, white] = s.discs.map(u64::count_ones);
        let winner = match black.cmp(&white) {
            Ordering::Greater => Some(BLACK),
            Ordering::Less => Some(WHITE),
            Ordering::Equal => None,
        };
        self.reward.of(winner)
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, action) = step.single();
        (!by.is(who)).then(|| Observation::word(self.code(action)))
    }

    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Place(square) => u64::from(square),
            Action::Pass => PASS,
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Othello {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Place(square) => square_name(square),
            Action::Pass => "pass".to_string(),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let line = |c: u8, first: u8| c.checked_sub(first).filter(|&i| u32::from(i) < self.size);
        match *name.as_bytes() {
            [column, row] => Some(Action::Place(line(column, b'a')? + 8 * line(row, b'1')?)),
            _ => (name == "pass").then_some(Action::Pass),
        }
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match *seen.as_words() {
            [PASS] => format!("{} passes", mover(by)),
            [square @ 0..PASS] => {
                format!("{} puts a disc on {}", mover(by), self.action_name(Action::Place(square as u8)))
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

impl FastPlay for Othello {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        if code == PASS { Action::Pass } else { Action::Place(code as u8) }
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        match self.placements(s.discs[who.index()], s.discs[who.other().index()]) {
            0 => Action::Pass,
            legal => Action::Place(rng.bit_of(legal) as u8),
        }
    }

    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        if let Phase::ToMove(mut who) = s.phase {
            let (mut own, mut other) = (s.discs[who.index()], s.discs[who.other().index()]);
            let mut passed = false;
            loop {
                let lines = Lines::new(own, other);
                let legal = lines.ends() & self.board & !(own | other);
                if legal != 0 {
                    let square = rng.bit_of(legal);
                    let turned = lines.turned(square);
                    (own, other) = (own | turned | 1 << square, other & !turned);
                } else if passed {
                    break;
                }
                passed = legal == 0;
                (own, other) = (other, own);
                who = who.other();
            }
            s.discs[who.index()] = own;
            s.discs[who.other().index()] = other;
            s.phase = Phase::Over;
            s.edge = false;
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(PASS as usize + 1)
    }
}

impl Episodes<Othello> for Othello {
    /// After a disc on one of the edge squares (28 of them on the usual board), by who is to move.
    fn episode(&self, s: &State) -> Option<u32> {
        match s.phase {
            Phase::ToMove(who) if s.edge => Some(u32::from(who.0)),
            _ => None,
        }
    }

    /// Whose disc is where.
    fn features(&self, s: &State, _by: Player, out: &mut Vec<u32>) {
        for (colour, mut discs) in (0..).zip(s.discs) {
            while discs != 0 {
                out.push(64 * colour + discs.trailing_zeros());
                discs &= discs - 1;
            }
        }
    }
}

impl PerfectInformation for Othello {
    fn spots(&self, _s: &State, _: Player, action: Action) -> Vec<String> {
        Self::spot(action).into_iter().collect()
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    use crate::testing::{after, first_zone, playout_is_random_steps};

    fn game(params: &str) -> Result<Othello, BadSpec> {
        Othello::from_params(&crate::testing::params(&ABOUT, params)?)
    }

    #[test]
    fn black_opens_with_one_of_four_moves() {
        let game = game("").unwrap();
        let mut legal = Vec::new();
        game.actions(&game.start(), BLACK, &mut legal);
        let names: Vec<_> = legal.iter().map(|&a| game.action_name(a)).collect();
        assert_eq!(names, ["d3", "c4", "f5", "e6"]);
    }

    #[test]
    fn episodes_begin_after_discs_on_the_edge() {
        let small = game("size=4").unwrap();
        assert_eq!(small.episode(&small.start()), None);
        assert_eq!(small.episode(&after(&small, "b1")), Some(1), "all other squares of this board are edge");
        let usual = game("").unwrap();
        assert_eq!(usual.episode(&after(&usual, "d3 c3 b3 b2")), None);
        assert_eq!(usual.episode(&after(&usual, "d3 c3 b3 b2 b1")), Some(1));
        assert_eq!(usual.episode(&after(&usual, "e6 f4 e3 f6 g5 d6 e7 f5 c5")), None, "the game is over");
    }

    /// The shortest game: nine moves, after which White has no disc.
    #[test]
    fn a_side_without_discs_ends_the_game() {
        let s = after(&game("").unwrap(), "e6 f4 e3 f6 g5 d6 e7 f5 c5");
        assert_eq!((s.phase, s.discs[1]), (Phase::Over, 0));
        assert_eq!(game("").unwrap().rewards(&s).as_slice(), [1.0, 0.0]);
        assert_eq!(game("reward=signed").unwrap().rewards(&s).as_slice(), [1.0, -1.0]);
    }

    /// The second player wins on 4 by 4 squares (11 discs to 3), as on 6 by 6 (20 to 16; Feinstein 1993).
    #[test]
    fn white_wins_on_the_smallest_board() {
        fn value(game: &Othello, s: &State) -> f64 {
            let Turn::Player(who) = game.turn(s) else { return game.rewards(s)[BLACK] };
            let mut legal = Vec::new();
            game.actions(s, who, &mut legal);
            let values = legal.into_iter().map(|action| {
                let mut next = *s;
                game.apply(&mut next, Step::Moves(&[(who, action)]));
                value(game, &next)
            });
            if who == BLACK { values.fold(-1.0, f64::max) } else { values.fold(1.0, f64::min) }
        }
        let game = game("size=4,reward=signed").unwrap();
        assert_eq!(value(&game, &game.start()), -1.0);
    }

    #[test]
    fn a_playout_is_random_steps_to_the_end() {
        for (seed, size) in (0..300).zip([4, 6, 8].into_iter().cycle()) {
            let game = game(&format!("size={size}")).unwrap();
            playout_is_random_steps(&game, seed);
        }
    }

    #[test]
    fn other_boards_are_refused() {
        for params in ["size=5", "size=10", "size=0", "size=x", "reward=discs"] {
            assert!(matches!(game(params), Err(BadSpec::Value { .. })), "{params}");
        }
    }

    #[test]
    fn names_read_back() {
        let game = game("size=6").unwrap();
        for row in 0..6 {
            for column in 0..6 {
                let action = Action::Place(8 * row + column);
                assert_eq!(game.parse_action(&game.action_name(action)), Some(action));
            }
        }
        assert_eq!(game.parse_action("pass"), Some(Action::Pass));
        for name in ["", "a", "a0", "a7", "g1", "A1", "a11", "Pass", "é", "99999999999999999999"] {
            assert_eq!(game.parse_action(name), None, "{name}");
        }
        for words in [&[][..], &[63], &[65], &[u64::MAX], &[1, 2]] {
            game.explain(&Observation::words(words), Observer::Public);
        }
    }

    #[test]
    fn the_board_is_drawn_with_the_legal_squares() {
        let game = game("size=4").unwrap();
        let picture = "1 x ● x ·\n2 · ● ● ·\n3 x ● ○ ·\n4 · · · ·\n  a b c d";
        let scene = game.scene_of(&after(&game, "b1"));
        assert_eq!(scene.caption, "Player 1 (white) to place a disc on a marked square.");
        assert_eq!(first_zone(scene), picture);
    }
}
