//! Small sound games to break: one with failed attempts nobody else notices, one with uneven chance and
//! weighted worlds, one with simultaneous moves.

use fogtree_core::{
    Chance, Facts, FastPlay, Game, HiddenPart, InfoExtras, Notation, Observation, Observer,
    PerfectInformation, Player, Players, Rewards, Rng, Rules, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

/// Two players take three cells in turn, in the dark. Trying a taken cell fails: the player learns so and
/// tries again, and the other notices nothing before a try succeeds. Whoever takes the middle wins.
#[derive(Default)]
pub(crate) struct Dark;

/// Cells are bits of a mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(crate) struct DarkState {
    /// The cells of each player.
    pub(crate) cells: [u8; 2],
    /// The cells each player found taken.
    pub(crate) failed: [u8; 2],
    /// The cell that was taken first: only that one can the second player have failed at.
    pub(crate) first: u8,
}

/// What is known: own cells, own failures, how many cells are taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct DarkInfo {
    by: Observer,
    cells: u8,
    failed: u8,
    first: u8,
    taken: u32,
}

impl DarkState {
    pub(crate) fn taken(&self) -> u32 {
        (self.cells[0] | self.cells[1]).count_ones()
    }
}

impl Rules for Dark {
    type State = DarkState;
    type Action = u8;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts { hidden: true, hidden_moves: true, ..Facts::open(2, 5) }
    }

    fn start(&self) -> DarkState {
        DarkState::default()
    }

    fn turn(&self, s: &DarkState) -> Turn {
        if s.taken() == 3 { Turn::Terminal } else { Turn::Player(Player(s.taken() as u8 % 2)) }
    }

    fn actions(&self, s: &DarkState, who: Player, out: &mut Vec<u8>) {
        let untried = !(s.cells[who.index()] | s.failed[who.index()]);
        out.extend((0..3).filter(|c| untried >> c & 1 == 1));
    }

    fn apply(&self, s: &mut DarkState, step: Step<'_, Self>) {
        let (who, cell) = step.single();
        if s.cells[who.other().index()] >> cell & 1 == 1 {
            s.failed[who.index()] |= 1 << cell;
            return;
        }
        s.cells[who.index()] |= 1 << cell;
        if s.taken() == 1 {
            s.first = 1 << cell;
        }
    }

    fn observe(&self, before: &DarkState, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, cell) = step.single();
        let failed = before.cells[who.other().index()] >> cell & 1 == 1;
        match (by.is(who), failed) {
            (true, failed) => Some(Observation::word(u64::from(failed))),
            (false, true) => None,
            (false, false) => Some(Observation::word(0)),
        }
    }

    fn rewards(&self, s: &DarkState) -> Rewards {
        Rewards::winner(2, Player::all(2).find(|p| s.cells[p.index()] & 2 == 2))
    }

    fn code(&self, cell: u8) -> u64 {
        cell.into()
    }
}

impl Notation for Dark {
    fn action_name(&self, cell: u8) -> String {
        ["left", "middle", "right"][usize::from(cell)].to_string()
    }

    fn parse_action(&self, name: &str) -> Option<u8> {
        (0..3).find(|&c| self.action_name(c) == name)
    }
}

impl FastPlay for Dark {
    fn codes(&self) -> Option<usize> {
        Some(3)
    }
}

impl Game for Dark {
    type Info = DarkInfo;
    type Sampler = Vec<DarkState>;

    fn info(&self, s: &DarkState, by: Observer) -> DarkInfo {
        let own = |masks: [u8; 2]| by.seat().map_or(0, |p| masks[p.index()]);
        DarkInfo {
            by,
            cells: own(s.cells),
            failed: own(s.failed),
            first: own([s.first, 0]),
            taken: s.taken(),
        }
    }
    /// All states that agree, out of all that can be reached.
    fn sampler(&self, known: &DarkInfo) -> Vec<DarkState> {
        let mut worlds = Vec::new();
        for bits in 0..1u32 << 15 {
            let mask = |at: u32| (bits >> at & 7) as u8;
            let s = DarkState { cells: [mask(0), mask(3)], failed: [mask(6), mask(9)], first: mask(12) };
            let taken = s.taken();
            let apart = s.cells[0] & s.cells[1] == 0;
            let counts = s.cells.map(u8::count_ones) == [taken.div_ceil(2), taken / 2];
            let first = s.first.count_ones() == taken.min(1) && s.first & !s.cells[0] == 0;
            let failed = s.failed[0] & !s.cells[1] == 0 && s.failed[1] & !s.first == 0;
            if apart && counts && first && failed && self.info(&s, known.by) == *known {
                worlds.push(s);
            }
        }
        worlds
    }
    fn sample(&self, worlds: &mut Vec<DarkState>, rng: &mut Rng, into: &mut DarkState) -> f64 {
        *into = *rng.pick(worlds);
        1.0
    }
}

/// A loaded die (0, 1 or 2 points) is rolled twice for the first player, who says a word about the sum; the
/// second player guesses the sum. The state keeps only the sum, which several rolls give.
#[derive(Default)]
pub(crate) struct Dice;

const DIE: [f64; 3] = [1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0];
/// The probability of each sum after no, one and two rolls, worked out by hand.
const SUMS: [&[f64]; 3] = [&[1.0], &DIE, &[1.0 / 4.0, 1.0 / 3.0, 5.0 / 18.0, 1.0 / 9.0, 1.0 / 36.0]];

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct DiceState {
    rolls: u8,
    sum: u8,
    word: Option<u8>,
    guess: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct DiceInfo {
    pub(crate) by: Observer,
    pub(crate) rolls: u8,
    pub(crate) sum: Option<u8>,
    pub(crate) word: Option<u8>,
    pub(crate) guess: Option<u8>,
}

impl Rules for Dice {
    type State = DiceState;
    type Action = u8;
    type Outcome = u8;

    fn facts(&self) -> Facts {
        Facts {
            hidden: true,
            chance: Chance::Listed,
            utility: Utility::ZeroSum,
            utility_bounds: (-1.0, 1.0),
            ..Facts::open(2, 4)
        }
    }

    fn start(&self) -> DiceState {
        DiceState::default()
    }

    fn turn(&self, s: &DiceState) -> Turn {
        match s {
            DiceState { rolls: 0 | 1, .. } => Turn::Chance,
            DiceState { word: None, .. } => Turn::Player(Player(0)),
            DiceState { guess: None, .. } => Turn::Player(Player(1)),
            _ => Turn::Terminal,
        }
    }

    fn actions(&self, _: &DiceState, who: Player, out: &mut Vec<u8>) {
        out.extend(0..[2, 5][who.index()]);
    }

    fn chance(&self, _: &DiceState, out: &mut Vec<(u8, f64)>) {
        out.extend((0..3).zip(DIE));
    }

    fn apply(&self, s: &mut DiceState, step: Step<'_, Self>) {
        match step {
            Step::Chance(points) => {
                s.rolls += 1;
                s.sum += points;
            }
            Step::Moves(&[(Player(0), word), ..]) => s.word = Some(word),
            Step::Moves(moves) => s.guess = Some(moves[0].1),
        }
    }

    fn observe(&self, _: &DiceState, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(&points) if by.is(Player(0)) => Some(Observation::word(points.into())),
            Step::Chance(_) => Some(Observation::words(&[])),
            Step::Moves(moves) => Some(Observation::word(moves[0].1.into())),
        }
    }

    fn rewards(&self, s: &DiceState) -> Rewards {
        Rewards::zero_sum(if s.guess == Some(s.sum) { -1.0 } else { 1.0 })
    }

    fn code(&self, action: u8) -> u64 {
        action.into()
    }
}

impl Notation for Dice {
    fn action_name(&self, action: u8) -> String {
        action.to_string()
    }

    fn parse_action(&self, name: &str) -> Option<u8> {
        (0..5).find(|&a| self.action_name(a) == name)
    }

    fn outcome_name(&self, points: &u8) -> String {
        points.to_string()
    }

    fn parse_outcome(&self, name: &str) -> Option<u8> {
        (0..3).find(|o| self.outcome_name(o) == name)
    }

    fn explain(&self, seen: &Observation, _: Observer) -> String {
        format!("{:?}", seen.as_words())
    }
}

impl FastPlay for Dice {}

impl Game for Dice {
    type Info = DiceInfo;
    type Sampler = DiceInfo;

    fn info(&self, s: &DiceState, by: Observer) -> DiceInfo {
        DiceInfo { by, rolls: s.rolls, sum: by.is(Player(0)).then_some(s.sum), word: s.word, guess: s.guess }
    }

    fn sampler(&self, known: &DiceInfo) -> DiceInfo {
        *known
    }

    /// All sums are drawn equally often; the weight makes up for it.
    fn sample(&self, k: &mut DiceInfo, rng: &mut Rng, into: &mut DiceState) -> f64 {
        let sums = SUMS[usize::from(k.rolls)];
        let sum = k.sum.unwrap_or_else(|| rng.below(sums.len() as u32) as u8);
        *into = DiceState { rolls: k.rolls, sum, word: k.word, guess: k.guess };
        sums[usize::from(sum)]
    }

    fn enumerate(&self, k: &DiceInfo, out: &mut Vec<(DiceState, f64)>) -> bool {
        for (sum, &share) in (0..).zip(SUMS[usize::from(k.rolls)]) {
            if k.sum.is_none_or(|s| s == sum) {
                out.push((DiceState { rolls: k.rolls, sum, word: k.word, guess: k.guess }, share));
            }
        }
        true
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { hidden_part: Some(self), ..InfoExtras::NONE }
    }
}

/// Beliefs are about whether the sum is low (0 or 1), middling (2 or 3) or high (4).
impl HiddenPart<Dice> for Dice {
    fn values(&self) -> usize {
        3
    }
    fn name(&self, value: usize) -> String {
        ["low", "middling", "high"][value].to_string()
    }
    fn value(&self, s: &DiceState) -> Option<usize> {
        (s.rolls == 2).then_some(usize::from(s.sum) / 2)
    }
    fn private(&self, value: usize, seat: Player) -> u64 {
        if seat == Player(0) { value as u64 } else { 0 }
    }
    fn prior(&self, k: &DiceInfo, belief: &mut [f64]) {
        belief.fill(0.0);
        if k.rolls == 2 {
            match k.sum {
                Some(sum) => belief[usize::from(sum) / 2] = 1.0,
                None => belief.copy_from_slice(&[7.0 / 12.0, 7.0 / 18.0, 1.0 / 36.0]),
            }
        }
    }
    /// Nothing that happens later rules anything out.
    fn propagate(&self, belief: &mut [f64], _: &DiceInfo, after: &DiceInfo) {
        if belief.iter().sum::<f64>() == 0.0 {
            self.prior(after, belief);
        }
    }
    fn sample(&self, k: &mut DiceInfo, value: usize, rng: &mut Rng, into: &mut DiceState) -> bool {
        let weight = |sum: usize| match k.sum {
            Some(own) if usize::from(own) != sum => 0.0,
            _ => SUMS[usize::from(k.rolls)].get(sum).copied().unwrap_or(0.0),
        };
        let weights = [weight(2 * value), weight(2 * value + 1)];
        if weights == [0.0; 2] {
            return false;
        }
        let sum = (2 * value + rng.weighted(weights.into_iter())) as u8;
        *into = DiceState { rolls: k.rolls, sum, word: k.word, guess: k.guess };
        true
    }
}

/// Matching pennies: both choose at the same time.
#[derive(Default)]
pub(crate) struct Pennies;

impl Rules for Pennies {
    type State = Option<[bool; 2]>;
    type Action = bool;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        Facts {
            simultaneous: true,
            utility: Utility::ZeroSum,
            utility_bounds: (-1.0, 1.0),
            ..Facts::open(2, 1)
        }
    }

    fn start(&self) -> Self::State {
        None
    }

    fn turn(&self, state: &Self::State) -> Turn {
        if state.is_none() { Turn::Simultaneous(Players::first(2)) } else { Turn::Terminal }
    }

    fn actions(&self, _: &Self::State, _: Player, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }

    fn apply(&self, state: &mut Self::State, step: Step<'_, Self>) {
        *state = Some([0, 1].map(|i| step.moves()[i].1));
    }

    fn observe(&self, _: &Self::State, step: Step<'_, Self>, _: Observer) -> Option<Observation> {
        Some(Observation::words(&[0, 1].map(|i| self.code(step.moves()[i].1))))
    }

    fn rewards(&self, state: &Self::State) -> Rewards {
        Rewards::zero_sum(if state.is_some_and(|[a, b]| a == b) { 1.0 } else { -1.0 })
    }

    fn code(&self, action: bool) -> u64 {
        action.into()
    }
}

impl Notation for Pennies {
    fn action_name(&self, action: bool) -> String {
        if action { "heads" } else { "tails" }.to_string()
    }

    fn parse_action(&self, name: &str) -> Option<bool> {
        [true, false].into_iter().find(|&a| self.action_name(a) == name)
    }
}

impl FastPlay for Pennies {}

impl PerfectInformation for Pennies {}
