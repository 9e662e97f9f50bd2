//! Nannon: the smallest backgammon, six points and three checkers a side, small enough to be solved by hand.
//!
//! Each player has three checkers and runs them over six points in opposite directions. A turn is a roll of
//! one die and a move of one checker, from home onto the board, along it, or off it to safety, for which
//! any roll that is high enough will do. No point holds two checkers. A single enemy checker is hit and goes back
//! home; two or more of a player's checkers next to each other are safe from being hit. Who can move must, who
//! cannot loses the turn. Both start with one checker at home and one on each of their first two points; both
//! roll, and the higher roller begins with the difference. Who first has all checkers in safety wins.
//!
//! Rules: J. B. Pollack, *Nannon: A Nano Backgammon for Machine Learning Research* (2005), and nannon.com;
//! Whitehouse 2014, §4.2.14. There are 2530 ways for the checkers to stand.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Notation, Observation, Observer,
    Param, Params, PerfectInformation, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Tensors, Turn,
};
use serde::{Deserialize, Serialize};

use crate::reward::Reward;
use crate::words::mover;

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "nannon",
    summary: "The smallest backgammon: six points, three checkers a side, one die",
    source: "Pollack 2005; ismcts 4.13",
    params: &[
        Param::new(
            "limit",
            "500",
            Domain::Integer(1, 10_000),
            "turns after which the game is drawn, 1 to 10000",
        ),
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "limit=4",
};

const POINTS: u8 = 6;
const CHECKERS: u8 = 3;

/// The rules of one instance.
#[derive(Clone, Debug)]
pub struct Nannon {
    limit: u16,
    reward: Reward,
}

impl Nannon {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Nannon, BadSpec> {
        Ok(Nannon { limit: params.number("limit")?, reward: Reward::from_params(params)? })
    }
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Lose the turn, which one must and may only do if no checker can move.
    Pass,
    /// Move the checker on this point by the roll; 0 is home, and points count from the player's own side.
    Move(u8),
}

/// What chance rolls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// Both roll: who begins, and with what.
    Opening(Player, u8),
    /// The roll of the player to move.
    Roll(u8),
}

/// The checkers, and what the player to move has rolled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    sides: [Side; 2],
    /// Nobody before the opening roll.
    mover: Option<Player>,
    /// 0 if the roll is still to come.
    roll: u8,
    turns: u16,
}

/// The checkers of one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Side {
    home: u8,
    /// The points held, one bit each, from the player's own side.
    points: u8,
}

impl Side {
    const START: Side = Side { home: 1, points: 0b11 };

    fn is_done(self) -> bool {
        self.home == 0 && self.points == 0
    }

    fn safe(self) -> u8 {
        CHECKERS - self.home - self.points.count_ones() as u8
    }
}

/// The points as the other player counts them.
#[inline]
const fn mirrored(points: u8) -> u8 {
    points.reverse_bits() >> (8 - POINTS)
}

impl State {
    /// The points from which the mover may move, one bit each; bit 0 is home.
    #[inline]
    fn movable(&self, who: Player) -> u8 {
        let (own, theirs) = (self.sides[who.index()], self.sides[who.other().index()]);
        let enemy = mirrored(theirs.points);
        let prime = enemy & (enemy << 1 | enemy >> 1);
        let blocked = u16::from(own.points | prime) << 1;
        // What lies beyond the last point is safety, which is never blocked.
        let from = own.points << 1 | u8::from(own.home > 0);
        from & !((blocked >> self.roll) as u8)
    }
}

impl Rules for Nannon {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn facts(&self) -> Facts {
        Facts {
            chance: Chance::Listed,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            ..Facts::open(2, 2 * u32::from(self.limit))
        }
    }

    fn start(&self) -> State {
        State { sides: [Side::START; 2], mover: None, roll: 0, turns: 0 }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.mover {
            None => Turn::Chance,
            Some(_) if s.turns == self.limit || s.sides[0].is_done() || s.sides[1].is_done() => {
                Turn::Terminal
            }
            Some(_) if s.roll == 0 => Turn::Chance,
            Some(who) => Turn::Player(who),
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let from = s.movable(who);
        out.extend((from == 0).then_some(Action::Pass));
        out.extend((0..=POINTS).filter(|point| from >> point & 1 == 1).map(Action::Move));
    }

    fn chance(&self, s: &State, out: &mut Vec<(Outcome, f64)>) {
        if s.mover.is_none() {
            // Of 30 rolls without a tie, 6 - d have either player ahead by d.
            let lead = |who| (1..POINTS).map(move |d| (Outcome::Opening(who, d), f64::from(6 - d) / 30.0));
            out.extend(Player::all(2).flat_map(lead));
        } else if self.turn(s) == Turn::Chance {
            out.extend((1..=6).map(|roll| (Outcome::Roll(roll), 1.0 / 6.0)));
        }
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Outcome {
        if s.mover.is_some() {
            return Outcome::Roll(1 + rng.below(6) as u8);
        }
        loop {
            let [a, b] = [rng.below(6) as u8, rng.below(6) as u8];
            if a != b {
                return Outcome::Opening(Player(u8::from(b > a)), a.abs_diff(b));
            }
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match step {
            Step::Chance(&Outcome::Opening(who, roll)) => (s.mover, s.roll) = (Some(who), roll),
            Step::Chance(&Outcome::Roll(roll)) => s.roll = roll,
            Step::Moves(_) => {
                let (who, action) = step.single();
                if let Action::Move(from) = action {
                    let own = &mut s.sides[who.index()];
                    match from {
                        0 => own.home -= 1,
                        _ => own.points &= !(1 << (from - 1)),
                    }
                    let to = from + s.roll;
                    if to <= POINTS {
                        own.points |= 1 << (to - 1);
                        let other = &mut s.sides[who.other().index()];
                        let hit = other.points & mirrored(1 << (to - 1));
                        other.points ^= hit;
                        other.home += u8::from(hit != 0);
                    }
                }
                (s.mover, s.roll, s.turns) = (Some(who.other()), 0, s.turns + 1);
            }
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(Player::all(2).find(|p| s.sides[p.index()].is_done()))
    }

    #[inline]
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(&Outcome::Roll(roll)) => Some(Observation::word(u64::from(roll))),
            Step::Chance(&Outcome::Opening(who, roll)) => {
                Some(Observation::word(8 + 8 * u64::from(who.0) + u64::from(roll)))
            }
            Step::Moves(&[(who, _), ..]) if by.is(who) => None,
            Step::Moves(_) => Some(Observation::word(24 + self.code(step.single().1))),
        }
    }

    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Pass => 0,
            Action::Move(from) => 1 + u64::from(from),
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Nannon {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Pass => "pass".to_string(),
            Action::Move(0) => "home".to_string(),
            Action::Move(from) => from.to_string(),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        std::iter::once(Action::Pass)
            .chain((0..=POINTS).map(Action::Move))
            .find(|&action| self.action_name(action) == name)
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Opening(who, roll) => format!("player-{who}-by-{roll}"),
            Outcome::Roll(roll) => roll.to_string(),
        }
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        let opening = |who| (1..POINTS).map(move |roll| Outcome::Opening(who, roll));
        Player::all(2)
            .flat_map(opening)
            .chain((1..=6).map(Outcome::Roll))
            .find(|outcome| self.outcome_name(outcome) == name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match seen.first() {
            roll @ 1..=6 => format!("the roll is {roll}"),
            word @ 8..24 => {
                format!("player {} rolled {} more and begins with that", (word - 8) / 8, word % 8)
            }
            24 => format!("{} cannot move", mover(by)),
            25 => format!("{} moves a checker from home", mover(by)),
            word => format!("{} moves the checker on point {}", mover(by), word.saturating_sub(25)),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw(s)
    }
}

impl FastPlay for Nannon {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        match code {
            0 => Action::Pass,
            _ => Action::Move(code as u8 - 1),
        }
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        match s.movable(who) {
            0 => Action::Pass,
            from => Action::Move(rng.bit_of(u64::from(from)) as u8),
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(2 + usize::from(POINTS))
    }
}

impl Episodes<Nannon> for Nannon {
    /// Every roll begins an episode, as in backgammon.
    fn episode(&self, s: &State) -> Option<u32> {
        (s.roll == 0).then_some(0)
    }
}

impl PerfectInformation for Nannon {
    fn spots(&self, s: &State, _: Player, action: Action) -> Vec<String> {
        match (action, s.mover) {
            (Action::Move(from), Some(who)) => vec![scene::spot(who, from)],
            _ => Vec::new(),
        }
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use fogtree_core::{Purpose, Seed};

    use super::*;

    fn nannon() -> Nannon {
        Nannon { limit: 500, reward: Reward::Unit }
    }

    fn actions(s: &State) -> Vec<Action> {
        let mut out = Vec::new();
        nannon().actions(s, s.mover.unwrap(), &mut out);
        out
    }

    fn after(mut s: State, action: Action) -> State {
        let who = s.mover.unwrap();
        nannon().apply(&mut s, Step::Moves(&[(who, action)]));
        State { turns: 0, ..s }
    }

    /// A position of player 0, who is to move: own points and home, the other's points as player 0 counts them.
    fn position(own: u8, home: u8, theirs: u8, their_home: u8, roll: u8) -> State {
        let other = Side { home: their_home, points: mirrored(theirs) };
        State { sides: [Side { home, points: own }, other], mover: Some(Player(0)), roll, turns: 0 }
    }

    /// The examples of the rules page: a prime blocks, a checker on point 4 from the end leaves with 4 and more.
    #[test]
    fn primes_block_and_high_rolls_bear_off() {
        // Home and points 1, 2 against a prime on 4, 5: a 3 from home lands on 3, from 1 and 2 on the prime.
        assert_eq!(actions(&position(0b11, 1, 0b011000, 1, 3)), [Action::Move(0)]);
        assert_eq!(actions(&position(0b111, 0, 0b011000, 1, 2)), [Action::Pass]);
        // A lone checker is hit.
        let hit = after(position(0b11, 1, 0b010000, 1, 3), Action::Move(2));
        assert_eq!((hit.sides[0].points, hit.sides[1].points, hit.sides[1].home), (0b10001, 0, 2));
        for roll in 1..=6 {
            let s = after(position(0b100, 0, 0, 3, roll), Action::Move(3));
            assert_eq!(s.sides[0].is_done(), roll >= 4, "{roll}");
        }
    }

    /// All positions that can be reached, whoever is to move, with the mover as player 0. Published: checkers
    /// stand in 2530 ways, which is also the sum over numbers of checkers on the board.
    #[test]
    fn there_are_2530_positions() {
        let ways = |i: u32, j: u32| {
            let choose = |n: u32, k: u32| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
            choose(6, i) * choose(6 - i, j) * (4 - i) * (4 - j)
        };
        assert_eq!((0..=3).flat_map(|i| (0..=3).map(move |j| ways(i, j))).sum::<u32>(), 2530);
        let all = (0..64u8).flat_map(|own| (0..64u8).map(move |theirs| (own, theirs)));
        let fits = |&(own, theirs): &(u8, u8)| {
            own & theirs == 0 && own.count_ones() <= 3 && theirs.count_ones() <= 3
        };
        let spread = |(own, theirs): (u8, u8)| (4 - own.count_ones()) * (4 - theirs.count_ones());
        assert_eq!(all.filter(fits).map(spread).sum::<u32>(), 2530);
        let reached = reachable();
        assert!(reached.len() < 2530 && reached.len() > 1000, "{}", reached.len());
        for s in reached {
            assert_eq!(s.sides[0].points & mirrored(s.sides[1].points), 0);
        }
    }

    /// Positions before a roll, the mover as player 0.
    fn reachable() -> HashSet<State> {
        let game = nannon();
        let mut open: Vec<State> = (1..6)
            .flat_map(|roll| {
                let s = State { sides: [Side::START; 2], mover: Some(Player(0)), roll, turns: 0 };
                actions(&s).into_iter().map(move |a| turned(after(s, a)))
            })
            .collect();
        let mut reached = HashSet::new();
        while let Some(s) = open.pop() {
            if !reached.insert(s) || game.turn(&s) == Turn::Terminal {
                continue;
            }
            for roll in 1..=6 {
                let s = State { roll, ..s };
                open.extend(actions(&s).into_iter().map(|a| turned(after(s, a))));
            }
        }
        reached
    }

    fn turned(s: State) -> State {
        State { sides: [s.sides[1], s.sides[0]], mover: Some(Player(0)), ..s }
    }

    /// The mover's chance to win in every position, by value iteration.
    fn values(best: fn(&[f64]) -> f64) -> HashMap<State, f64> {
        let mut value: HashMap<State, f64> = reachable().into_iter().map(|s| (s, 0.5)).collect();
        let states: Vec<State> = value.keys().copied().collect();
        loop {
            let mut change = 0.0_f64;
            for s in &states {
                let new = if s.sides[1].is_done() {
                    0.0
                } else {
                    let rolled = (1..=6).map(|roll| {
                        let s = State { roll, ..*s };
                        let wins: Vec<f64> =
                            actions(&s).into_iter().map(|a| 1.0 - value[&turned(after(s, a))]).collect();
                        best(&wins)
                    });
                    rolled.sum::<f64>() / 6.0
                };
                change = change.max((new - value[s]).abs());
                value.insert(*s, new);
            }
            if change < 1e-12 {
                return value;
            }
        }
    }

    /// Who wins the opening roll wins as often, when both play at random, as the equations for it say.
    #[test]
    fn random_play_wins_as_often_as_the_equations_say() {
        let value = values(|wins| wins.iter().sum::<f64>() / wins.len() as f64);
        let opening: f64 = (1..6)
            .map(|roll| {
                let s = State { sides: [Side::START; 2], mover: Some(Player(0)), roll, turns: 0 };
                let wins: Vec<f64> =
                    actions(&s).into_iter().map(|a| 1.0 - value[&turned(after(s, a))]).collect();
                f64::from(6 - roll) / 15.0 * wins.iter().sum::<f64>() / wins.len() as f64
            })
            .sum();
        let game = nannon();
        let (mut rng, mut scratch) = (Seed(1).stream(Purpose::Playout), Scratch::default());
        let (games, mut won) = (100_000, 0.0);
        for _ in 0..games {
            let mut s = game.start();
            let outcome = game.sample_chance(&s, &mut rng);
            game.apply(&mut s, Step::Chance(&outcome));
            let first = s.mover.unwrap();
            won += game.playout(&mut s, &mut rng, &mut scratch)[first];
        }
        let share = won / f64::from(games);
        let error = (share * (1.0 - share) / f64::from(games)).sqrt();
        assert!((share - opening).abs() < 5.0 * error, "{share} played, {opening} computed");
    }

    /// Races of one checker each, worked by hand. From point p a roll of 7 - p or more wins; the checkers have passed.
    #[test]
    fn short_races_are_worth_what_a_hand_calculation_says() {
        let value = values(|wins| wins.iter().copied().fold(0.0, f64::max));
        let race = |mine: u8, yours: u8| {
            let side = |point: u8| Side { home: 0, points: 1 << (point - 1) };
            value[&State { sides: [side(mine), side(yours)], mover: Some(Player(0)), roll: 0, turns: 0 }]
        };
        // Who stands on point 6 wins with any roll.
        let expected = [
            (6, 6, 1.0),
            (5, 6, 5.0 / 6.0),
            (4, 6, 4.0 / 6.0),
            // A 1 leads to point 6; then the other must roll a 1 as well.
            (5, 5, 5.0 / 6.0 + 1.0 / 36.0),
            // A 1 or a 2 is followed by a win at the next turn, if the other rolls a 1.
            (4, 5, 4.0 / 6.0 + 1.0 / 6.0 * 1.0 / 6.0 + 1.0 / 6.0 * 1.0 / 6.0 * 5.0 / 6.0),
        ];
        for (mine, yours, chance) in expected {
            let found = race(mine, yours);
            assert!((found - chance).abs() < 1e-9, "{mine} against {yours}: {found}");
        }
    }
}
