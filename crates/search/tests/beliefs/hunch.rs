//! A game of one guess about a card, for which all expectations are known.

use fogtree_core::{
    Chance, Extras, Facts, FastPlay, Game, HiddenPart, InfoExtras, Notation, Observation, Observer, Player,
    Policies, Policy, Rewards, Rng, Rules, Scratch, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

/// How likely chance deals each of the three cards,
const CARDS: [f64; 3] = [0.5, 0.25, 0.25];
/// and that the card is marked.
pub(crate) const MARKED: [f64; 3] = [0.25, 0.5, 0.75];
/// What the first player gets for not guessing.
pub(crate) const PASS: f64 = 0.6;
/// The bets on the cards come first, then the bet on the mark, then the pass.
const BET_ON_MARK: u8 = 3;

/// The second player is dealt a card that may be marked; the first bets on the card, on the mark, or passes.
/// Beliefs are about the card and not about the mark.
#[derive(Default)]
pub(crate) struct Hunch {
    /// Whether the worlds of an information set can be listed.
    pub(crate) listed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Table {
    card: Option<(u8, bool)>,
    choice: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Seat {
    card: Option<(u8, bool)>,
    dealt: bool,
    choice: Option<u8>,
}

impl Seat {
    fn allows(self, card: (u8, bool)) -> bool {
        self.card.is_none_or(|own| own == card)
    }
}

/// All cards with their probabilities.
fn deals() -> impl Iterator<Item = ((u8, bool), f64)> {
    (0..3u8).flat_map(|card| {
        let (p, marked) = (CARDS[usize::from(card)], MARKED[usize::from(card)]);
        [((card, false), p * (1.0 - marked)), ((card, true), p * marked)]
    })
}

impl Rules for Hunch {
    type State = Table;
    type Action = u8;
    type Outcome = (u8, bool);

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            hidden: true,
            hidden_moves: false,
            chance: Chance::Listed,
            simultaneous: false,
            utility: Utility::ConstantSum,
            // Nobody ever gets as much as 2: some searches end when they have seen the best there is.
            utility_bounds: (0.0, 2.0),
            max_length: 2,
        }
    }
    fn start(&self) -> Table {
        Table::default()
    }
    fn turn(&self, s: &Table) -> Turn {
        match (s.card, s.choice) {
            (None, _) => Turn::Chance,
            (_, None) => Turn::Player(Player(0)),
            _ => Turn::Terminal,
        }
    }
    fn actions(&self, _: &Table, _: Player, out: &mut Vec<u8>) {
        out.extend(0..5);
    }
    fn chance(&self, _: &Table, out: &mut Vec<((u8, bool), f64)>) {
        out.extend(deals());
    }
    fn apply(&self, s: &mut Table, step: Step<'_, Self>) {
        match step {
            Step::Chance(&card) => s.card = Some(card),
            Step::Moves(moves) => s.choice = Some(moves[0].1),
        }
    }
    fn observe(&self, _: &Table, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(&(card, marked)) if by.is(Player(1)) => {
                Some(Observation::words(&[card.into(), marked.into()]))
            }
            Step::Chance(_) => Some(Observation::words(&[])),
            Step::Moves(moves) => Some(Observation::word(moves[0].1.into())),
        }
    }
    fn rewards(&self, s: &Table) -> Rewards {
        let won = match (s.choice, s.card) {
            (Some(BET_ON_MARK), Some((_, marked))) => f64::from(u8::from(marked)),
            (Some(bet @ 0..3), Some((card, _))) => f64::from(u8::from(bet == card)),
            _ => PASS,
        };
        Rewards::from_fn(2, |p| if p == Player(0) { won } else { 1.0 - won })
    }
    fn code(&self, action: u8) -> u64 {
        action.into()
    }
    fn extras(&self) -> Extras<'_, Hunch> {
        Extras { policies: Some(self), ..Extras::NONE }
    }
}

impl Notation for Hunch {
    fn action_name(&self, action: u8) -> String {
        ["first", "second", "third", "marked", "pass"][usize::from(action)].to_string()
    }
    fn parse_action(&self, name: &str) -> Option<u8> {
        (0..5).find(|&a| self.action_name(a) == name)
    }
    fn outcome_name(&self, &(card, marked): &(u8, bool)) -> String {
        format!("{}{card}", if marked { "x" } else { "o" })
    }
    fn parse_outcome(&self, name: &str) -> Option<(u8, bool)> {
        deals().map(|(card, _)| card).find(|card| self.outcome_name(card) == name)
    }
}

impl FastPlay for Hunch {
    fn codes(&self) -> Option<usize> {
        Some(5)
    }
}

impl Policies<Hunch> for Hunch {
    fn policies(&self) -> &'static [Policy] {
        &[Policy { name: "peek", about: "bets on the card" }]
    }
    fn policy_action(&self, _: usize, s: &Table, _: Player, _: &mut Rng, _: &mut Scratch<Hunch>) -> u8 {
        s.card.map_or(0, |(card, _)| card)
    }
}

impl Game for Hunch {
    type Info = Seat;
    type Sampler = Seat;

    fn info(&self, s: &Table, by: Observer) -> Seat {
        Seat { card: s.card.filter(|_| by.is(Player(1))), dealt: s.card.is_some(), choice: s.choice }
    }
    fn sampler(&self, known: &Seat) -> Seat {
        *known
    }
    /// All six cards are drawn equally often; the weight makes up for it.
    fn sample(&self, k: &mut Seat, rng: &mut Rng, into: &mut Table) -> f64 {
        *into = Table { card: None, choice: k.choice };
        if !k.dealt {
            return 1.0;
        }
        let possible: Vec<_> = deals().filter(|(card, _)| k.allows(*card)).collect();
        let (card, weight) = possible[rng.below(possible.len() as u32) as usize];
        into.card = Some(card);
        weight
    }
    fn enumerate(&self, k: &Seat, out: &mut Vec<(Table, f64)>) -> bool {
        let world = |(card, p)| (Table { card: Some(card), choice: k.choice }, p);
        out.extend(deals().filter(|(card, _)| self.listed && k.allows(*card)).map(world));
        self.listed
    }
    fn view(&self, known: &Seat) -> String {
        format!("{known:?}")
    }
    fn info_extras(&self) -> InfoExtras<'_, Hunch> {
        InfoExtras { hidden_part: Some(self), ..InfoExtras::NONE }
    }
}

impl HiddenPart<Hunch> for Hunch {
    fn values(&self) -> usize {
        3
    }
    fn name(&self, value: usize) -> String {
        self.action_name(value as u8)
    }
    fn value(&self, s: &Table) -> Option<usize> {
        s.card.map(|(card, _)| card.into())
    }
    fn private(&self, value: usize, seat: Player) -> u64 {
        if seat == Player(1) { value as u64 } else { 0 }
    }
    fn prior(&self, k: &Seat, belief: &mut [f64]) {
        belief.fill(0.0);
        match k.card {
            _ if !k.dealt => {}
            Some((card, _)) => belief[usize::from(card)] = 1.0,
            None => belief.copy_from_slice(&CARDS),
        }
    }
    fn propagate(&self, belief: &mut [f64], _: &Seat, after: &Seat) {
        if belief.iter().sum::<f64>() == 0.0 {
            self.prior(after, belief);
        }
    }
    fn sample(&self, k: &mut Seat, value: usize, rng: &mut Rng, into: &mut Table) -> bool {
        let weight = |marked| {
            let p = if marked { MARKED[value] } else { 1.0 - MARKED[value] };
            if k.dealt && k.allows((value as u8, marked)) { p } else { 0.0 }
        };
        let weights = [weight(false), weight(true)];
        if weights == [0.0; 2] {
            return false;
        }
        let marked = rng.weighted(weights.into_iter()) == 1;
        *into = Table { card: Some((value as u8, marked)), choice: k.choice };
        true
    }
}
