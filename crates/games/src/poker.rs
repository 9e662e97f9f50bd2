//! Poker with one private card, one public card and two betting rounds: Leduc hold'em and its larger kin.
//!
//! Both players ante and are dealt a private card. They bet, a public card is turned up, they bet again at
//! twice the stakes, and show. Who pairs the public card wins; otherwise the higher rank does, and equal
//! ranks split the pot. In each round player 0 opens: check, or bet one of several sizes. A bet or raise is
//! folded, called, or raised by one of the same sizes on top of the call, while the round has raises left.
//!
//! Rules: V. Lisý, *Monte Carlo Tree Search in Imperfect-Information Games* (2014), §4.1.2. Leduc hold'em:
//! F. Southey and others, *Bayes' Bluff* (2005); there cards of one rank are told apart by suit, here by
//! number (`J1`, `J2`), as in OpenSpiel. In equilibrium the first player loses 0.0856 chips a game of Leduc.

mod hidden;
mod scene;
mod tensors;
mod words;

use arrayvec::ArrayVec;
use fogtree_core::{
    About, BadSpec, Chance, Domain, Facts, FastPlay, Game, InfoExtras, Notation, Observation, Observer,
    Param, Params, Player, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "poker",
    summary: "Two-round poker with one private and one public card, of any size: Leduc hold'em and larger",
    source: "Lisý 2014, §4.1.2; equilibrium 3.7",
    params: &[
        Param::new("types", "3", Domain::Integer(2, 13), "ranks in the deck, 2 to 13"),
        Param::new("copies", "3", Domain::Integer(1, 9), "cards of each rank, 1 to 9"),
        Param::new("bets", "2", Domain::Integer(1, 12), "sizes a bet or a raise may have, 1 to 12"),
        Param::new("raises", "2", Domain::Integer(0, 7), "raises in a round after the bet, 0 to 7"),
        Param::new("suits", "no", Domain::Flag, "whether cards of one rank can be told apart: yes or no"),
        Param::new("ante", "1", Domain::Integer(1, 1000), "chips paid before the deal, 1 to 1000"),
        Param::new(
            "stake",
            "2",
            Domain::Integer(1, 100),
            "smallest bet of the first round, 1 to 100; then doubled",
        ),
    ],
    presets: &[
        Preset {
            name: "leduc-poker",
            params: "types=3,copies=2,bets=1,raises=1,suits=yes",
            about: "Leduc hold'em: 936 information sets, 288 with suits=no",
        },
        Preset {
            name: "small-poker",
            params: "types=3,copies=3,bets=2,raises=2",
            about: "The instance on which Lisý measures convergence: 7920 information sets",
        },
        Preset {
            name: "large-poker",
            params: "types=6,copies=4,bets=4,raises=4",
            about: "The instance on which Lisý plays matches",
        },
    ],
    tiny: "types=3,copies=2,bets=2,raises=1",
};

/// The rules of one instance.
#[derive(Clone, Debug)]
pub struct Poker {
    deck: Deck,
    types: u8,
    copies: u8,
    bets: u8,
    raises: u8,
    ante: u16,
    stake: u16,
}

impl Poker {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Poker, BadSpec> {
        let types = params.number("types")?;
        let copies = params.number("copies")?;
        if types * copies < 3 {
            return Err(params.bad("copies", "at least 2, for a deck of three cards"));
        }
        let suits = params.flag("suits")?;
        let copy_told = |copy: u8| if suits { copy } else { 0 };
        let cards_of = |rank| (1..=copies).map(move |copy| Card { rank, copy: copy_told(copy) });
        Ok(Poker {
            deck: (0..types).flat_map(cards_of).collect(),
            types,
            copies,
            bets: params.number("bets")?,
            raises: params.number("raises")?,
            ante: params.number("ante")?,
            stake: params.number("stake")?,
        })
    }
}

/// A card as the players know it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Card {
    rank: u8,
    /// Which of the cards of its rank, from 1; 0 where they cannot be told apart.
    copy: u8,
}

/// Cards in order: at most 13 ranks, 9 of each.
type Deck = ArrayVec<Card, { 13 * 9 }>;

/// What a player may do. Sizes are in stakes of the first round, and a raise's size is what it adds to the
/// call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Give up the pot.
    Fold,
    /// Stay in without betting.
    Check,
    /// Match the bet.
    Call,
    /// Bet this many stakes.
    Bet(u8),
    /// Match the bet and bet this many stakes more.
    Raise(u8),
}

/// Everything: the cards dealt, what was paid, and every move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    betting: [Betting; 2],
    paid: [u16; 2],
    hands: [Option<Card>; 2],
    board: Option<Card>,
    phase: Phase,
}

/// Where the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    /// The player is dealt a card.
    Deal(Player),
    /// Player 0 opens a round.
    Open,
    /// Player 0 has checked.
    Checked,
    /// The player has to answer a bet, and may raise if raises are left.
    Facing { who: Player, raises: u8 },
    /// The public card is turned up.
    Board,
    /// The player gave up the pot.
    Folded(Player),
    /// The cards decide.
    Showdown,
}

/// The moves of one round: their codes, each plus 1, in six bits, the latest lowest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
struct Betting(u64);

impl Betting {
    #[inline]
    fn push(&mut self, code: u64) {
        self.0 = self.0 << 6 | (code + 1);
    }

    fn codes(self) -> impl Iterator<Item = u64> {
        (0..10).rev().map(move |i| self.0 >> (6 * i) & 63).filter(|&digit| digit > 0).map(|digit| digit - 1)
    }
}

impl State {
    /// The cards nobody can be dealt any more.
    fn dealt(&self) -> impl Iterator<Item = Card> {
        self.hands.into_iter().flatten().chain(self.board)
    }
}

impl Poker {
    /// The stakes of the first round that the smallest bet costs now.
    #[inline]
    fn unit(&self, s: &State) -> u8 {
        1 + u8::from(s.board.is_some())
    }

    /// How many sizes the player to move may bet or raise by.
    #[inline]
    fn sizes(&self, s: &State) -> u8 {
        if matches!(s.phase, Phase::Facing { raises: 0, .. }) { 0 } else { self.bets }
    }

    /// The place in the deck of the first card that looks like this one.
    #[inline]
    fn place(&self, card: Card) -> u32 {
        u32::from(card.rank) * u32::from(self.copies) + u32::from(card.copy.saturating_sub(1))
    }

    /// The cards still in the deck; those that cannot be told apart lie together.
    fn left(&self, s: &State) -> Deck {
        let mut left = self.deck.clone();
        for gone in s.dealt() {
            if let Some(i) = left.iter().position(|&card| card == gone) {
                left.remove(i);
            }
        }
        left
    }

    fn card_name(&self, card: Card) -> String {
        const RANKS: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"];
        let above = if self.types <= 3 { &RANKS[9..12] } else { &RANKS[..] };
        let rank = above[above.len() - usize::from(self.types) + usize::from(card.rank)];
        if card.copy == 0 { rank.to_string() } else { format!("{rank}{}", card.copy) }
    }

    /// The action with this code.
    fn action(&self, code: u64) -> Option<Action> {
        let sizes = 2 * u64::from(self.bets);
        match code {
            0 => Some(Action::Fold),
            1 => Some(Action::Check),
            2 => Some(Action::Call),
            _ if code - 2 <= sizes => Some(Action::Bet((code - 2) as u8)),
            _ if code - 2 <= 2 * sizes => Some(Action::Raise((code - 2 - sizes) as u8)),
            _ => None,
        }
    }

    fn chips(&self, size: u8) -> u16 {
        u16::from(size) * self.stake
    }
}

impl Rules for Poker {
    type State = State;
    type Action = Action;
    type Outcome = Card;

    fn facts(&self) -> Facts {
        let (bets, raises) = (u32::from(self.bets), u32::from(self.raises));
        let most = u32::from(self.ante) + 3 * u32::from(self.stake) * bets * (1 + raises);
        Facts {
            players: 2,
            hidden: true,
            hidden_moves: false,
            chance: Chance::Listed,
            simultaneous: false,
            utility: Utility::ZeroSum,
            utility_bounds: (-f64::from(most), f64::from(most)),
            // Three cards; in each round a check, a bet, the raises and a call.
            max_length: 3 + 2 * (3 + raises),
        }
    }

    fn start(&self) -> State {
        State {
            betting: [Betting::default(); 2],
            paid: [self.ante; 2],
            hands: [None; 2],
            board: None,
            phase: Phase::Deal(Player(0)),
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Deal(_) | Phase::Board => Turn::Chance,
            Phase::Open => Turn::Player(Player(0)),
            Phase::Checked => Turn::Player(Player(1)),
            Phase::Facing { who, .. } => Turn::Player(who),
            Phase::Folded(_) | Phase::Showdown => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, _who: Player, out: &mut Vec<Action>) {
        let sizes = (1..=self.sizes(s)).map(|i| i * self.unit(s));
        if matches!(s.phase, Phase::Facing { .. }) {
            out.extend([Action::Fold, Action::Call]);
            out.extend(sizes.map(Action::Raise));
        } else {
            out.push(Action::Check);
            out.extend(sizes.map(Action::Bet));
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Card, f64)>) {
        let gone = [s.hands[0], s.hands[1], s.board];
        let left = (self.deck.len() - gone.iter().flatten().count()) as f64;
        let alike = if self.deck[0].copy > 0 { 1 } else { usize::from(self.copies) };
        out.reserve(self.deck.len());
        for &card in self.deck.iter().step_by(alike) {
            let count = alike - gone.iter().filter(|gone| **gone == Some(card)).count();
            if count > 0 {
                out.push((card, count as f64 / left));
            }
        }
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Card {
        let gone = s.hands.iter().flatten().count();
        let mut i = rng.below((self.deck.len() - gone) as u32);
        // Steps over the places of the cards gone, the lower one first; two that look alike lie side by side.
        match s.hands.map(|hand| hand.map(|card| self.place(card))) {
            [Some(a), Some(b)] => {
                i += u32::from(i >= a.min(b));
                i += u32::from(i >= a.max(b) + u32::from(a == b));
            }
            [Some(a), None] => i += u32::from(i >= a),
            _ => {}
        }
        self.deck[i as usize]
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, action) = match step {
            Step::Chance(&card) => {
                match s.phase {
                    Phase::Deal(to) => s.hands[to.index()] = Some(card),
                    _ => s.board = Some(card),
                }
                s.phase =
                    if s.phase == Phase::Deal(Player(0)) { Phase::Deal(Player(1)) } else { Phase::Open };
                return;
            }
            Step::Moves(moves) => moves[0],
        };
        let (mine, owed) = (who.index(), s.paid[who.other().index()]);
        let facing = |raises| Phase::Facing { who: who.other(), raises };
        let round_over = if s.board.is_none() { Phase::Board } else { Phase::Showdown };
        s.betting[usize::from(s.board.is_some())].push(self.code(action));
        s.phase = match (action, s.phase) {
            (Action::Fold, _) => Phase::Folded(who),
            (Action::Check, Phase::Open) => Phase::Checked,
            (Action::Check, _) => round_over,
            (Action::Call, _) => {
                s.paid[mine] = owed;
                round_over
            }
            (Action::Bet(size) | Action::Raise(size), before) => {
                s.paid[mine] = owed + self.chips(size);
                match before {
                    Phase::Facing { raises, .. } => facing(raises - 1),
                    _ => facing(self.raises),
                }
            }
        };
    }

    #[inline]
    fn rewards(&self, s: &State) -> Rewards {
        let strength = |hand: Option<Card>| {
            let rank = hand.map(|card| card.rank);
            (rank == s.board.map(|card| card.rank), rank)
        };
        let [first, second] = s.paid.map(f64::from);
        Rewards::zero_sum(match s.phase {
            Phase::Folded(Player(0)) => -first,
            Phase::Folded(_) => second,
            _ => match strength(s.hands[0]).cmp(&strength(s.hands[1])) {
                std::cmp::Ordering::Less => -first,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => second,
            },
        })
    }

    #[inline]
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        Some(match (step, before.phase) {
            (Step::Chance(&card), Phase::Deal(to)) if by.is(to) => Sight::Own.of(u64::from(self.place(card))),
            (Step::Chance(_), Phase::Deal(_)) => Sight::Hidden.of(0),
            (Step::Chance(&card), _) => Sight::Board.of(u64::from(self.place(card))),
            (Step::Moves(_), _) => {
                let (who, action) = step.single();
                if by.is(who) {
                    return None;
                }
                Sight::Move.of(self.code(action) << 1 | u64::from(who.0))
            }
        })
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Fold => 0,
            Action::Check => 1,
            Action::Call => 2,
            Action::Bet(size) => 2 + u64::from(size),
            Action::Raise(size) => 2 + 2 * u64::from(self.bets) + u64::from(size),
        }
    }
}

impl Notation for Poker {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Fold => "fold".to_string(),
            Action::Check => "check".to_string(),
            Action::Call => "call".to_string(),
            Action::Bet(size) => format!("bet{}", self.chips(size)),
            Action::Raise(size) => format!("raise{}", self.chips(size)),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        (0..3 + 4 * u64::from(self.bets))
            .filter_map(|c| self.action(c))
            .find(|&a| self.action_name(a) == name)
    }

    fn outcome_name(&self, &card: &Card) -> String {
        self.card_name(card)
    }

    fn parse_outcome(&self, name: &str) -> Option<Card> {
        self.deck.iter().copied().find(|&card| self.card_name(card) == name)
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        let value = seen.first() >> 2;
        let card = || {
            let card = usize::try_from(value).ok().and_then(|i| self.deck.get(i));
            card.map_or_else(|| "an unknown card".to_string(), |&card| self.card_name(card))
        };
        match Sight::KINDS[(seen.first() & 3) as usize] {
            Sight::Hidden => "a card is dealt face down".to_string(),
            Sight::Own => format!("you are dealt {}", card()),
            Sight::Board => format!("{} is turned up", card()),
            Sight::Move => {
                let does = self.action(value >> 1).map(|action| self.told(action));
                let does = does.unwrap_or_else(|| "makes an unknown move".to_string());
                format!("player {} {does}", value & 1)
            }
        }
    }

    fn ending(&self, end: &State, by: Observer) -> Option<String> {
        self.told_ending(end, by)
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s, Observer::Public)
    }
}

impl FastPlay for Poker {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        let bets = 2 + 2 * u64::from(self.bets);
        match code {
            0 => Action::Fold,
            1 => Action::Check,
            2 => Action::Call,
            _ if code <= bets => Action::Bet((code - 2) as u8),
            _ => Action::Raise((code - bets) as u8),
        }
    }

    #[inline]
    fn random_action(&self, s: &State, _who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let sizes = u32::from(self.sizes(s));
        if matches!(s.phase, Phase::Facing { .. }) {
            match rng.below(2 + sizes) {
                0 => Action::Fold,
                1 => Action::Call,
                i => Action::Raise((i - 1) as u8 * self.unit(s)),
            }
        } else {
            match rng.below(1 + sizes) {
                0 => Action::Check,
                i => Action::Bet(i as u8 * self.unit(s)),
            }
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(3 + 4 * usize::from(self.bets))
    }
}

/// What kind of thing is seen: the low two bits of the word.
#[derive(Clone, Copy)]
enum Sight {
    /// A card dealt to somebody else.
    Hidden,
    /// The observer's card, by its place in the deck.
    Own,
    /// The public card, by its place in the deck.
    Board,
    /// Somebody's move: its code, and in the lowest bit who.
    Move,
}

impl Sight {
    const KINDS: [Sight; 4] = [Sight::Hidden, Sight::Own, Sight::Board, Sight::Move];

    #[inline]
    fn of(self, value: u64) -> Observation {
        Observation::word(value << 2 | self as u64)
    }
}

/// What an observer knows: the state without the cards it does not see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    seen: State,
}

impl Info {
    /// The seats that hold a card which the observer does not see.
    fn hidden(&self) -> [bool; 2] {
        let has_card = match self.seen.phase {
            Phase::Deal(to) => [to.0 > 0, false],
            _ => [true; 2],
        };
        [0, 1].map(|i| has_card[i] && self.seen.hands[i].is_none())
    }
}

/// Deals the hidden cards from those that may be there: as many of each as there are in the deck.
#[derive(Clone, Debug)]
pub struct Sampler {
    seen: State,
    hidden: [bool; 2],
    left: Deck,
}

impl Game for Poker {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        let mut seen = *s;
        for p in Player::all(2).filter(|&p| !by.is(p)) {
            seen.hands[p.index()] = None;
        }
        Info { by, seen }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        Sampler { seen: k.seen, hidden: k.hidden(), left: self.left(&k.seen) }
    }

    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        *into = from.seen;
        match from.hidden {
            [false, false] => {}
            [true, false] => into.hands[0] = Some(*rng.pick(&from.left)),
            [false, true] => into.hands[1] = Some(*rng.pick(&from.left)),
            [true, true] => {
                let first = rng.below(from.left.len() as u32);
                let second = rng.below(from.left.len() as u32 - 1);
                let second = second + u32::from(second >= first);
                into.hands = [first, second].map(|i| Some(from.left[i as usize]));
            }
        }
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        let mut worlds = vec![(k.seen, 1.0)];
        for to in (0..2).filter(|&to| k.hidden()[to]) {
            let mut dealt = Vec::new();
            for (mut world, weight) in worlds {
                let mut cards = Vec::new();
                self.chance(&world, &mut cards);
                dealt.extend(cards.into_iter().map(|(card, p)| {
                    world.hands[to] = Some(card);
                    (world, weight * p)
                }));
            }
            worlds = dealt;
        }
        out.append(&mut worlds);
        true
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn(&k.seen, k.by)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { hidden_part: Some(self), tensors: Some(self), ..InfoExtras::NONE }
    }
}

#[cfg(test)]
mod tests;
