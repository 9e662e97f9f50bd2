//! Kuhn poker: three cards, one bet, and already a reason to bluff.
//!
//! Jack, queen and king; each player antes 1 and is dealt a card. The first player checks or bets 1; a bet
//! is called or folded; after a check the second player may bet in turn. The higher card wins the pot.
//! Rules: H. W. Kuhn, *A simplified two-person poker* (1950); Whitehouse 2014, §4.2.14. In equilibrium the
//! first player loses 1/18 a game.

use arrayvec::ArrayVec;
use fogtree_core::{
    About, BadSpec, Chance, Facts, FastPlay, Game, HiddenPart, InfoExtras, Notation, Observation, Observer,
    Params, Player, Rewards, Rng, Rules, Scene, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

use crate::words::{mover, showdown, wins_pot};

mod scene;
mod tensors;

use scene::Seen;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "kuhn-poker",
    summary: "Three cards, one bet: the smallest poker in which bluffing pays",
    source: "Kuhn 1950; ismcts 4.13",
    params: &[],
    presets: &[],
    tiny: "",
};

/// The rules of Kuhn poker.
#[derive(Clone, Debug, Default)]
pub struct KuhnPoker;

impl KuhnPoker {
    /// The game a specification asks for.
    pub fn from_params(_params: &Params) -> Result<KuhnPoker, BadSpec> {
        Ok(KuhnPoker)
    }
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Stay in without betting.
    Check,
    /// Bet 1.
    Bet,
    /// Give up the pot.
    Fold,
    /// Match the bet.
    Call,
}

const NAMES: [(Action, &str); 4] =
    [(Action::Check, "check"), (Action::Bet, "bet"), (Action::Fold, "fold"), (Action::Call, "call")];
const CARDS: [&str; 3] = ["J", "Q", "K"];

/// Everything: the cards dealt so far and the betting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    cards: [Option<u8>; 2],
    betting: Betting,
}

/// What has been bet, which everybody sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Betting {
    /// Nothing yet.
    Open,
    /// The first player checked.
    Checked,
    /// The player bet, and the other has to answer.
    Bet(Player),
    /// Both checked, or a bet was called: the cards decide about this stake.
    Showdown(u8),
    /// The player folded.
    Folded(Player),
}

/// What an observer knows: its card, if it has one, and the betting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    card: Option<u8>,
    dealt: u8,
    betting: Betting,
}

impl Rules for KuhnPoker {
    type State = State;
    type Action = Action;
    type Outcome = u8;

    fn facts(&self) -> Facts {
        Facts {
            hidden: true,
            chance: Chance::Listed,
            utility: Utility::ZeroSum,
            utility_bounds: (-2.0, 2.0),
            ..Facts::open(2, 5)
        }
    }

    fn start(&self) -> State {
        State { cards: [None; 2], betting: Betting::Open }
    }

    fn turn(&self, s: &State) -> Turn {
        match s.betting {
            _ if s.cards[1].is_none() => Turn::Chance,
            Betting::Open => Turn::Player(Player(0)),
            Betting::Checked => Turn::Player(Player(1)),
            Betting::Bet(by) => Turn::Player(by.other()),
            Betting::Showdown(_) | Betting::Folded(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, _who: Player, out: &mut Vec<Action>) {
        out.extend(match s.betting {
            Betting::Bet(_) => [Action::Fold, Action::Call],
            _ => [Action::Check, Action::Bet],
        });
    }

    fn chance(&self, s: &State, out: &mut Vec<(u8, f64)>) {
        let left = (0..3).filter(|&c| s.cards[0] != Some(c));
        let p = if s.cards[0].is_none() { 1.0 / 3.0 } else { 0.5 };
        out.extend(left.map(|c| (c, p)));
    }

    fn sample_chance(&self, s: &State, rng: &mut Rng) -> u8 {
        match s.cards[0] {
            None => rng.below(3) as u8,
            Some(gone) => (gone + 1 + rng.below(2) as u8) % 3,
        }
    }

    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, action) = match step {
            Step::Chance(&card) => {
                let seat = usize::from(s.cards[0].is_some());
                s.cards[seat] = Some(card);
                return;
            }
            Step::Moves(moves) => moves[0],
        };
        s.betting = match (action, s.betting) {
            (Action::Check, Betting::Open) => Betting::Checked,
            (Action::Check, _) => Betting::Showdown(1),
            (Action::Bet, _) => Betting::Bet(who),
            (Action::Fold, _) => Betting::Folded(who),
            (Action::Call, _) => Betting::Showdown(2),
        };
    }

    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(&card) => {
                let to = Player(u8::from(before.cards[0].is_some()));
                Some(Observation::word(if by.is(to) { u64::from(card) } else { 3 }))
            }
            Step::Moves(&[(who, _), ..]) if by.is(who) => None,
            Step::Moves(_) => Some(Observation::word(4 + self.code(step.single().1))),
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        Rewards::zero_sum(match s.betting {
            Betting::Folded(who) => [-1.0, 1.0][who.index()],
            Betting::Showdown(stake) if s.cards[0] > s.cards[1] => f64::from(stake),
            Betting::Showdown(stake) => -f64::from(stake),
            _ => 0.0,
        })
    }

    fn code(&self, action: Action) -> u64 {
        action as u64
    }
}

impl Notation for KuhnPoker {
    fn action_name(&self, action: Action) -> String {
        NAMES[action as usize].1.to_string()
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        NAMES.iter().find(|(_, n)| *n == name).map(|&(a, _)| a)
    }

    fn outcome_name(&self, &card: &u8) -> String {
        CARDS[card as usize].to_string()
    }

    fn parse_outcome(&self, name: &str) -> Option<u8> {
        CARDS.iter().position(|c| *c == name).map(|i| i as u8)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match seen.first() {
            card @ 0..3 => format!("you are dealt {}", CARDS[card as usize]),
            3 => "the other is dealt a card".to_string(),
            code => format!("{} {}s", mover(by), NAMES[(code as usize - 4) % NAMES.len()].1),
        }
    }

    fn ending(&self, end: &State, by: Observer) -> Option<String> {
        let [Some(first), Some(second)] = end.cards else { return None };
        let highest = Player(u8::from(second > first));
        match end.betting {
            Betting::Folded(who) => Some(wins_pot(who.other(), by, 3)),
            Betting::Showdown(stake) => {
                let shown = showdown([first, second].map(|card| CARDS[card as usize].to_string()), by);
                Some(format!("{shown}; {}", wins_pot(highest, by, 2 * u16::from(stake))))
            }
            _ => None,
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(&Seen::whole(s))
    }
}

impl FastPlay for KuhnPoker {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        NAMES[code as usize].0
    }

    fn codes(&self) -> Option<usize> {
        Some(NAMES.len())
    }
}

/// The states that an observer may be in, at most as many as there are deals.
type Worlds = ArrayVec<State, 6>;

impl KuhnPoker {
    fn worlds(&self, k: &Info) -> impl Iterator<Item = State> {
        let cards = |dealt: bool| if dealt { &[Some(0), Some(1), Some(2)][..] } else { &[None] };
        let deals =
            cards(k.dealt > 0).iter().flat_map(move |&a| cards(k.dealt > 1).iter().map(move |&b| [a, b]));
        let deals = deals.filter(|[a, b]| a != b || a.is_none());
        deals.map(|cards| State { cards, betting: k.betting }).filter(|s| self.info(s, k.by) == *k)
    }
}

impl Game for KuhnPoker {
    type Info = Info;
    type Sampler = Worlds;

    fn info(&self, s: &State, by: Observer) -> Info {
        Info {
            by,
            card: by.seat().and_then(|p| s.cards[p.index()]),
            dealt: s.cards.iter().flatten().count() as u8,
            betting: s.betting,
        }
    }

    fn sampler(&self, k: &Info) -> Worlds {
        self.worlds(k).collect()
    }

    fn sample(&self, worlds: &mut Worlds, rng: &mut Rng, into: &mut State) -> f64 {
        *into = *rng.pick(worlds);
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        out.extend(self.worlds(k).map(|s| (s, 1.0)));
        true
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn(&Seen::known(k))
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { hidden_part: Some(self), tensors: Some(self), ..InfoExtras::NONE }
    }
}

/// The deals by value, the card of player 0 first.
const DEALS: [[u8; 2]; 6] = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];

/// Beliefs are about the deal. Nothing else is hidden.
impl HiddenPart<KuhnPoker> for KuhnPoker {
    fn values(&self) -> usize {
        DEALS.len()
    }

    fn name(&self, value: usize) -> String {
        DEALS[value].map(|card| CARDS[card as usize]).concat()
    }

    fn value(&self, s: &State) -> Option<usize> {
        let [Some(first), Some(second)] = s.cards else { return None };
        DEALS.iter().position(|deal| *deal == [first, second])
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        DEALS[value][seat.index()].into()
    }

    fn prior(&self, k: &Info, belief: &mut [f64]) {
        belief.fill(0.0);
        let possible: Worlds = self.worlds(k).collect();
        for value in possible.iter().filter_map(|s| self.value(s)) {
            belief[value] = 1.0 / possible.len() as f64;
        }
    }

    fn propagate(&self, belief: &mut [f64], _before: &Info, after: &Info) {
        let mut left = [0.0; DEALS.len()];
        for value in self.worlds(after).filter_map(|s| self.value(&s)) {
            left[value] = belief[value];
        }
        let sum: f64 = left.iter().sum();
        if sum > 0.0 {
            belief.iter_mut().zip(left).for_each(|(mass, left)| *mass = left / sum);
        } else {
            self.prior(after, belief);
        }
    }

    fn sample(&self, worlds: &mut Worlds, value: usize, _rng: &mut Rng, into: &mut State) -> bool {
        let world = worlds.iter().find(|s| self.value(s) == Some(value));
        world.inspect(|world| *into = **world).is_some()
    }

    fn put(&self, state: &mut State, value: usize) -> bool {
        state.cards = DEALS[value].map(Some);
        true
    }
}
