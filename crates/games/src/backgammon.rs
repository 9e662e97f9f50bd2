//! Backgammon: a race of checkers around the board, at the mercy of two dice.
//!
//! Each side moves its checkers from its 24-point towards its 1-point and then off the board; the points are
//! numbered oppositely for the two sides. A roll of two dice gives one move for each die, or four moves after
//! a double, and the same checker may make several of them. No checker lands on a point held by two or more
//! enemies; a single enemy is hit and goes to the bar, from which it must enter before anything else of its
//! side moves. With all checkers on the six home points they may be borne off, by the exact number, or by a
//! larger one from the highest point in use. As many dice must be played as can be, and the larger if either
//! can be played but not both. Whoever has borne off all checkers wins. Rules: Whitehouse 2014, §4.2.10.
//!
//! Every checker's move is a ply of its own, so a legal ply is one that leads to a turn that plays as many
//! dice as possible. A roll that cannot be played passes at once to the other side. There is no doubling cube.
//! Both sides may shuffle about for ever, so a game is drawn after a certain number of turns.
//!
//! The checkers of a side are four planes of bits: the counts of all points in binary.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Notation, Observation, Observer,
    Param, Params, PerfectInformation, Player, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors,
    Turn,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::mover;

mod checkers;
mod scene;
mod tensors;
#[cfg(test)]
mod tests;

use checkers::Checkers;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "backgammon",
    summary: "Race your checkers around the board and off it as the dice allow, and hit single enemies",
    source: "ismcts 4.9, icarus 2.9",
    params: &[
        Param::new(
            "points",
            "24",
            Domain::Integer(4, 24),
            "points of the board: 4, 8, ... 24; a quarter is home",
        ),
        Param::new(
            "start",
            "[24:2,13:5,8:3,6:5]",
            Domain::List,
            "where the checkers start, as point:number for each side, at most 15 checkers",
        ),
        Param::new("sides", "6", Domain::Integer(2, 6), "numbers on a die: 2 to 6, at most half the points"),
        Param::new(
            "opening",
            "dice",
            Domain::Choice(&["dice", "first"]),
            "dice: both throw a die, the higher starts and plays both; first: the first player rolls",
        ),
        Param::new(
            "scoring",
            "win",
            Domain::Choice(&["win", "gammon", "full"]),
            "points for a win: win = 1; gammon = 2 if the loser has borne off nothing; full = 3 if \
                    moreover a checker is left on the bar or in the winner's home",
        ),
        Param::new(
            "turns",
            "1000",
            Domain::Integer(1, 10_000),
            "a draw after so many turns of both sides (1 to 10000)",
        ),
        Param::new(
            "reward",
            Reward::PARAM.default,
            Reward::PARAM.domain,
            "signed: the points won or lost; unit: the same scaled to 0..1; a draw is in the middle",
        ),
    ],
    presets: &[
        Preset {
            name: "hyper-backgammon",
            params: "start=[24:1,23:1,22:1]",
            about: "three checkers a side, on the farthest points",
        },
        Preset {
            name: "nackgammon",
            params: "start=[24:2,23:2,13:4,8:3,6:4]",
            about: "four checkers a side to bring home from the other end",
        },
    ],
    tiny: "points=4,start=[4:1,2:1],sides=2,turns=6",
};

const MOST_CHECKERS: u8 = 15;

/// The rules of backgammon on one board.
#[derive(Clone, Debug)]
pub struct Backgammon {
    points: u8,
    sides: u8,
    start: Checkers,
    opening: Opening,
    /// The most points one can win.
    most: u8,
    turns: u16,
    reward: Reward,
    /// All points, as bits 1 and up.
    board: u32,
    home: u32,
    bar: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Opening {
    Dice,
    First,
}

/// Some checkers on one point, as in `24:2`.
struct Stack {
    point: u8,
    checkers: u8,
}

impl std::str::FromStr for Stack {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Stack, Self::Err> {
        let (point, checkers) = text.split_once(':').unwrap_or((text, "1"));
        Ok(Stack { point: point.parse()?, checkers: checkers.parse()? })
    }
}

impl Backgammon {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Backgammon, BadSpec> {
        let points = params.number::<u8>("points")?;
        if !points.is_multiple_of(4) {
            return Err(params.bad("points", "one of 4, 8, 12, 16, 20, 24"));
        }
        let stacks: Vec<Stack> = params.list("start")?;
        let total = stacks.iter().map(|stack| u32::from(stack.checkers)).sum::<u32>();
        let fits = |stack: &Stack| stack.checkers > 0 && (1..=points).contains(&stack.point);
        if !(1..=u32::from(MOST_CHECKERS)).contains(&total) || !stacks.iter().all(fits) {
            let expected = format!("1 to {MOST_CHECKERS} checkers on points from 1 to {points}");
            return Err(params.bad("start", expected));
        }
        let meet = |a: &Stack| stacks.iter().any(|b| a.point + b.point == points + 1);
        if stacks.iter().any(meet) {
            return Err(params.bad("start", "points that the other side does not start on"));
        }
        let mut start = Checkers::default();
        for stack in stacks {
            (0..stack.checkers).for_each(|_| start.add(1 << stack.point));
        }
        Ok(Backgammon {
            points,
            sides: params.number_within("sides", 2..=6.min(points / 2))?,
            start,
            opening: params.choice("opening", &[Opening::Dice, Opening::First])?,
            most: params.choice("scoring", &[1, 2, 3])?,
            turns: params.number("turns")?,
            reward: Reward::from_params(params)?,
            board: (1 << (points + 1)) - 2,
            home: (1 << (points / 4 + 1)) - 2,
            bar: 1 << (points + 1),
        })
    }

    /// The same points in the other side's numbers.
    #[inline(always)]
    fn mirrored(&self, points: u32) -> u32 {
        points.reverse_bits() >> (30 - self.points)
    }

    /// The points on which a player must not land, in its own numbers.
    #[inline(always)]
    fn blocked(&self, s: &State, who: Player) -> u32 {
        self.mirrored(s.checkers[who.other().index()].paired())
    }

    /// The points from which a checker may move by one die.
    #[inline]
    fn sources(&self, own: Checkers, blocked: u32, die: u8) -> u32 {
        let all = own.occupied();
        let landing = (self.board & !blocked) << die;
        if all & self.bar != 0 {
            return self.bar & landing;
        }
        let mut sources = all & landing;
        if all & !self.home == 0 && all != 0 {
            let exact = 1 << die;
            sources |= if all >= exact { all & exact } else { 1 << all.ilog2() };
        }
        sources
    }

    /// Those of the points from which a checker may move by one die, after which another die can be played.
    #[inline]
    fn followed(
        &self,
        own: Checkers,
        blocked: u32,
        (first, die): (u32, u8),
        (second, next): (u32, u8),
    ) -> u32 {
        // A checker that can make the second move still can after another one has made the first.
        let untouched = second & !first | second & own.paired();
        if untouched != 0 || second.count_ones() > 1 {
            return first;
        }
        let mut in_doubt = if second == 0 { first } else { second };
        let mut followed = first & !in_doubt;
        while in_doubt != 0 {
            let from = in_doubt & in_doubt.wrapping_neg();
            let mut after = own;
            after.advance(from, die);
            if self.sources(after, blocked, next) != 0 {
                followed |= from;
            }
            in_doubt ^= from;
        }
        followed
    }

    /// The legal moves: in the lower half the points from which the smaller die, or the only one, may be
    /// played; in the upper half those for the larger.
    #[inline]
    fn legal(&self, s: &State, who: Player, dice: Dice) -> u64 {
        let own = s.checkers[who.index()];
        let blocked = self.blocked(s, who);
        match dice {
            Dice::Same { die, .. } => u64::from(self.sources(own, blocked, die)),
            Dice::Both { high, low } => {
                let with_high = (self.sources(own, blocked, high), high);
                let with_low = (self.sources(own, blocked, low), low);
                let both = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
                let first_high = self.followed(own, blocked, with_high, with_low);
                let first_low = self.followed(own, blocked, with_low, with_high);
                match both(first_high, first_low) {
                    0 if with_high.0 != 0 => both(with_high.0, 0),
                    0 => both(0, with_low.0),
                    legal => legal,
                }
            }
        }
    }

    #[inline(always)]
    fn action(dice: Dice, place: u32) -> Action {
        let die = match dice {
            Dice::Same { die, .. } => die,
            Dice::Both { high, .. } if place >= 32 => high,
            Dice::Both { low, .. } => low,
        };
        Action { die, from: (place % 32) as u8 }
    }

    /// Draws the dice.
    #[inline]
    fn draw(&self, s: &State, rng: &mut Rng) -> Roll {
        let sides = u32::from(self.sides);
        if s.phase == Phase::Opening {
            let i = rng.below(sides * (sides - 1));
            let (first, gap) = (i / (sides - 1), 1 + i % (sides - 1));
            return Roll { first: first as u8 + 1, second: ((first + gap) % sides) as u8 + 1 };
        }
        let i = rng.below(sides * sides);
        let (a, b) = ((i / sides) as u8 + 1, (i % sides) as u8 + 1);
        Roll { first: a.max(b), second: a.min(b) }
    }

    /// Makes a roll and answers the moves it allows.
    #[inline]
    fn rolled(&self, s: &mut State, roll: Roll) -> u64 {
        let who = match s.phase {
            Phase::ToRoll(who) => who,
            _ => Player(u8::from(roll.first < roll.second)),
        };
        let (high, low) = (roll.first.max(roll.second), roll.first.min(roll.second));
        let dice = if high == low { Dice::Same { die: high, times: 4 } } else { Dice::Both { high, low } };
        self.go_on(s, who, Some(dice))
    }

    /// Moves a checker and answers the moves its side has left.
    #[inline]
    fn moved(&self, s: &mut State, who: Player, action: Action) -> u64 {
        let Phase::ToMove { dice, .. } = s.phase else { return 0 };
        let own = &mut s.checkers[who.index()];
        let to = own.advance(1 << action.from, action.die);
        let other = &mut s.checkers[who.other().index()];
        let hit = self.mirrored(to) & other.occupied() & self.board;
        if hit != 0 {
            other.remove(hit);
            other.add(self.bar);
        }
        if s.checkers[who.index()].occupied() == 0 {
            s.phase = Phase::Over(Some(who));
            return 0;
        }
        self.go_on(s, who, dice.without(action.die))
    }

    /// Lets a player go on if it has dice that it can play, otherwise the other one roll.
    #[inline]
    fn go_on(&self, s: &mut State, who: Player, dice: Option<Dice>) -> u64 {
        if let Some(dice) = dice {
            let legal = self.legal(s, who, dice);
            if legal != 0 {
                s.phase = Phase::ToMove { who, dice };
                return legal;
            }
        }
        s.turns += 1;
        s.phase = if s.turns == self.turns { Phase::Over(None) } else { Phase::ToRoll(who.other()) };
        0
    }

    /// What a win is worth in points.
    fn points_won(&self, s: &State, winner: Player) -> u8 {
        let loser = s.checkers[winner.other().index()];
        if loser.count() < self.start.count() {
            1
        } else if loser.occupied() & (self.mirrored(self.home) | self.bar) == 0 {
            self.most.min(2)
        } else {
            self.most
        }
    }
}

/// A move of one checker by one die.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Action {
    die: u8,
    from: u8,
}

/// Two dice, the higher first; in the opening the first player's and the second player's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Roll {
    first: u8,
    second: u8,
}

/// The checkers of both sides, and how far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    checkers: [Checkers; 2],
    /// Turns that are over.
    turns: u16,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    Opening,
    ToRoll(Player),
    ToMove {
        who: Player,
        dice: Dice,
    },
    /// Somebody has won, or nobody.
    Over(Option<Player>),
}

/// The dice that are still to be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Dice {
    Both { high: u8, low: u8 },
    Same { die: u8, times: u8 },
}

impl Dice {
    #[inline]
    fn without(self, die: u8) -> Option<Dice> {
        match self {
            Dice::Both { high, low } => Some(Dice::Same { die: high ^ low ^ die, times: 1 }),
            Dice::Same { times: 1, .. } => None,
            Dice::Same { die, times } => Some(Dice::Same { die, times: times - 1 }),
        }
    }
}

const CODES_PER_DIE: u64 = 32;

impl Rules for Backgammon {
    type State = State;
    type Action = Action;
    type Outcome = Roll;

    fn facts(&self) -> Facts {
        let most = f64::from(self.most);
        Facts {
            players: 2,
            hidden: false,
            hidden_moves: false,
            chance: Chance::Listed,
            simultaneous: false,
            utility: self.reward.utility(),
            utility_bounds: if self.reward == Reward::Signed { (-most, most) } else { (0.0, 1.0) },
            // A roll and at most four moves.
            max_length: 5 * u32::from(self.turns),
        }
    }

    fn start(&self) -> State {
        let phase = match self.opening {
            Opening::Dice => Phase::Opening,
            Opening::First => Phase::ToRoll(Player(0)),
        };
        State { checkers: [self.start; 2], turns: 0, phase }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Opening | Phase::ToRoll(_) => Turn::Chance,
            Phase::ToMove { who, .. } => Turn::Player(who),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let Phase::ToMove { dice, .. } = s.phase else { return };
        let mut left = self.legal(s, who, dice);
        while left != 0 {
            out.push(Self::action(dice, left.trailing_zeros()));
            left &= left - 1;
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Roll, f64)>) {
        let sides = f64::from(self.sides);
        for first in 1..=self.sides {
            for second in 1..=self.sides {
                let roll = Roll { first, second };
                if self.is_possible(s, &roll) {
                    let p = match s.phase {
                        Phase::Opening => 1.0 / (sides * (sides - 1.0)),
                        _ if first == second => 1.0 / (sides * sides),
                        _ => 2.0 / (sides * sides),
                    };
                    out.push((roll, p));
                }
            }
        }
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Roll {
        self.draw(s, rng)
    }

    fn is_possible(&self, s: &State, &Roll { first, second }: &Roll) -> bool {
        let dice = 1..=self.sides;
        let allowed = match s.phase {
            Phase::Opening => first != second,
            Phase::ToRoll(_) => first >= second,
            _ => false,
        };
        allowed && dice.contains(&first) && dice.contains(&second)
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match step {
            Step::Chance(&roll) => self.rolled(s, roll),
            Step::Moves(moves) => self.moved(s, moves[0].0, moves[0].1),
        };
    }

    fn rewards(&self, s: &State) -> Rewards {
        let Phase::Over(Some(winner)) = s.phase else { return self.reward.of(None) };
        let points = f64::from(self.points_won(s, winner));
        let first = if winner == Player(0) { points } else { -points };
        match self.reward {
            Reward::Signed => Rewards::zero_sum(first),
            Reward::Unit => {
                let share = 0.5 + first / f64::from(2 * self.most);
                [share, 1.0 - share].into_iter().collect()
            }
        }
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(roll) => Some(Observation::words(&[roll.first, roll.second].map(u64::from))),
            Step::Moves(moves) => (!by.is(moves[0].0)).then(|| Observation::word(self.code(moves[0].1))),
        }
    }

    fn code(&self, action: Action) -> u64 {
        u64::from(action.die - 1) * CODES_PER_DIE + u64::from(action.from)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Backgammon {
    fn action_name(&self, Action { die, from }: Action) -> String {
        let start = if from > self.points { "bar".to_string() } else { from.to_string() };
        match from.checked_sub(die) {
            None => format!("{start}/off:{die}"),
            Some(0) => format!("{start}/off"),
            Some(to) => format!("{start}/{to}"),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let (from, to) = name.split_once('/')?;
        let from = if from == "bar" { self.points + 1 } else { from.parse().ok()? };
        let die = match to.strip_prefix("off") {
            Some("") => from,
            Some(die) => die.strip_prefix(':')?.parse().ok()?,
            None => from.checked_sub(to.parse().ok()?)?,
        };
        let fits = (1..=self.points + 1).contains(&from) && (1..=self.sides).contains(&die);
        let action = Action { die, from };
        (fits && self.action_name(action) == name).then_some(action)
    }

    fn outcome_name(&self, roll: &Roll) -> String {
        format!("{}-{}", roll.first, roll.second)
    }

    fn parse_outcome(&self, name: &str) -> Option<Roll> {
        let (first, second) = name.split_once('-')?;
        let die = |text: &str| text.parse().ok().filter(|die| (1..=self.sides).contains(die));
        let roll = Roll { first: die(first)?, second: die(second)? };
        (self.outcome_name(&roll) == name).then_some(roll)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let most = u64::from(self.sides);
        match *seen.as_words() {
            [first, second] if (1..=most).contains(&first) && (1..=most).contains(&second) => {
                format!("the dice show {first} and {second}")
            }
            [code] if code < most * CODES_PER_DIE => {
                let (die, from) = ((code / CODES_PER_DIE) as u8 + 1, (code % CODES_PER_DIE) as u8);
                format!("{} moves {}", mover(by), self.action_name(Action { die, from }))
            }
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.picture(s)
    }
}

impl FastPlay for Backgammon {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        Action { die: (code / CODES_PER_DIE) as u8 + 1, from: (code % CODES_PER_DIE) as u8 }
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let Phase::ToMove { dice, .. } = s.phase else {
            unreachable!("nobody moves before the dice are cast")
        };
        Self::action(dice, rng.bit_of(self.legal(s, who, dice)))
    }

    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        let mut legal = match s.phase {
            Phase::ToMove { who, dice } => self.legal(s, who, dice),
            _ => 0,
        };
        loop {
            legal = match s.phase {
                Phase::Opening | Phase::ToRoll(_) => {
                    let roll = self.draw(s, rng);
                    self.rolled(s, roll)
                }
                Phase::ToMove { who, dice } => self.moved(s, who, Self::action(dice, rng.bit_of(legal))),
                Phase::Over(_) => return self.rewards(s),
            };
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(self.sides) * CODES_PER_DIE as usize)
    }
}

impl Episodes<Backgammon> for Backgammon {
    /// An episode begins where the dice are about to be rolled (Whitehouse 2014, §8.3.2).
    fn episode(&self, s: &State) -> Option<u32> {
        matches!(s.phase, Phase::Opening | Phase::ToRoll(_)).then_some(0)
    }
}

impl PerfectInformation for Backgammon {
    fn spots(&self, s: &State, _: Player, action: Action) -> Vec<String> {
        self.draw_move(s, action)
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}
