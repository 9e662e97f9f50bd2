//! Goofspiel: three suits, one of them the prizes, and nothing but bidding.
//!
//! Each player holds one suit of cards and a third suit is the prizes. Every round a prize is turned up and
//! both players bid a card of their own at the same time; the higher bid wins the prize, a tie discards it.
//! Both cards are spent. Whoever has more points in the end wins. Rules: S. M. Ross, *Goofspiel: the game of
//! pure strategy* (1971); Lisý 2014, §4.1.1; Whitehouse 2014, §4.2.14.
//!
//! With hidden bids (Lanctot 2013; Lisý 2014, §4.1.2) the players learn only who won each bid, or that it was
//! a tie; nobody's cards are ever shown.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Evaluations, Extras, Facts, FastPlay, Notation, Observation, Observer,
    Param, Params, Player, Players, Rewards, Rng, Rules, Scene, Scratch, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

pub use known::{Info, Sampler};
use sequence::Sequence;

mod known;
mod scene;
mod sequence;
mod tensors;
#[cfg(test)]
mod tests;
mod worlds;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "goofspiel",
    summary: "Two players bid the cards of one suit for the prizes of another, both at once",
    source: "Ross 1971; equilibrium 3.1, 3.6; ismcts 4.13",
    params: &[
        Param::new("cards", "13", Domain::Integer(1, MOST_CARDS as i128), "cards in a suit, 1 to 13"),
        Param::new(
            "bids",
            "open",
            Domain::Choice(&["open", "hidden"]),
            "what is shown after a round: open = both bids, hidden = who won or that it was a tie",
        ),
        Param::new(
            "prizes",
            "descending",
            Domain::Text,
            "the order of the prizes: descending, ascending or a list such as [3,1,2], known to all; or \
                    random, drawn round by round",
        ),
        Param::new(
            "reward",
            "sign",
            Domain::Choice(&["sign", "points"]),
            "sign = 1, 0, -1 for a win, a draw, a loss; points = the difference in points",
        ),
        Param::new("lowest", "0", Domain::Integer(0, 1), "value of the lowest card, 0 or 1"),
        Param::new(
            "last",
            "played",
            Domain::Choice(&["played", "automatic"]),
            "the last card of each player: played like the others, or automatic, without a turn",
        ),
    ],
    presets: &[],
    tiny: "cards=4,bids=hidden,prizes=random,lowest=1",
};

/// The most cards in a suit.
const MOST_CARDS: usize = 13;

/// The rules of goofspiel in one of its variants.
#[derive(Clone, Debug)]
pub struct Goofspiel {
    cards: u8,
    bids: Bids,
    prizes: Prizes,
    reward: Reward,
    lowest: u8,
    last: Last,
}

/// What is shown after a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bids {
    Open,
    Hidden,
}

/// In which order the prizes come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Prizes {
    Random,
    Fixed(Sequence),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reward {
    Sign,
    Points,
}

/// How the last card of a hand is bid, when there is nothing left to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Played,
    Automatic,
}

impl Goofspiel {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Goofspiel, BadSpec> {
        let cards = params.number("cards")?;
        let lowest = params.number("lowest")?;
        let prizes = match params.text("prizes") {
            "random" => Prizes::Random,
            "ascending" => Prizes::Fixed((0..cards).collect()),
            "descending" => Prizes::Fixed((0..cards).rev().collect()),
            _ => {
                let each_once = || {
                    let names = format!("each of {lowest} to {} once, in a list", lowest + cards - 1);
                    params.bad("prizes", format!("descending, ascending, random, or {names}"))
                };
                let values: Vec<u8> = params.list("prizes").map_err(|_| each_once())?;
                let mut sorted = values.clone();
                sorted.sort_unstable();
                if !sorted.iter().copied().eq(lowest..lowest + cards) {
                    return Err(each_once());
                }
                Prizes::Fixed(values.iter().map(|value| value - lowest).collect())
            }
        };
        Ok(Goofspiel {
            cards,
            bids: params.choice("bids", &[Bids::Open, Bids::Hidden])?,
            prizes,
            reward: params.choice("reward", &[Reward::Sign, Reward::Points])?,
            lowest,
            last: params.choice("last", &[Last::Played, Last::Automatic])?,
        })
    }

    fn suit(&self) -> u16 {
        (1 << self.cards) - 1
    }

    fn value(&self, Card(card): Card) -> u8 {
        card + self.lowest
    }

    /// The sum of the values of a set of cards.
    fn worth(&self, cards: u16) -> u32 {
        Sequence::of(cards).iter().map(|card| u32::from(self.value(Card(card)))).sum()
    }

    /// The greatest possible difference in points. Unless all bids are ties somebody loses one: who wins all
    /// the others loses at best the lowest prize.
    fn widest(&self) -> f64 {
        let all = self.worth(self.suit());
        f64::from(all.saturating_sub(2 * u32::from(self.lowest)).max(1))
    }

    fn rounds_played(&self, s: &State) -> usize {
        usize::from(self.cards) - Sequence::of(s.hands[0]).len()
    }
}

/// A card of a suit, counted from the lowest, which is 0. Its name is its value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Card(u8);

/// Everything: the table, the hands and, with hidden bids, what was bid in which round. With open bids the
/// past does not matter, and positions that differ only in it are the same state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    table: Table,
    hands: [u16; 2],
    bids: [Sequence; 2],
}

/// What lies open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
struct Table {
    /// The prize to bid for.
    prize: Option<Card>,
    /// The prizes still to come, as a set.
    deck: u16,
    points: [u8; 2],
    /// Which prizes have been turned up, in order, where that is random and bids are hidden.
    turned_up: Sequence,
}

impl Table {
    #[inline]
    fn award(&mut self, prize: u8, first: u8, second: u8) {
        self.points[0] += prize * u8::from(first > second);
        self.points[1] += prize * u8::from(second > first);
    }
}

/// How the first player's bid compares with the second's, as a number.
fn result(first: u8, second: u8) -> u8 {
    (first.cmp(&second) as i8 + 1) as u8
}

impl Goofspiel {
    fn turn_up(&self, s: &mut State, card: Card) {
        s.table.prize = Some(card);
        s.table.deck &= !(1 << card.0);
        if self.prizes == Prizes::Random && self.bids == Bids::Hidden {
            s.table.turned_up.push(card.0);
        }
    }

    /// Plays one round.
    fn bid(&self, s: &mut State, bids: [Card; 2]) {
        let prize = s.table.prize.take().map_or(0, |card| self.value(card));
        s.table.award(prize, bids[0].0, bids[1].0);
        for (seat, bid) in bids.into_iter().enumerate() {
            s.hands[seat] &= !(1 << bid.0);
            if self.bids == Bids::Hidden {
                s.bids[seat].push(bid.0);
            }
        }
        if let Prizes::Fixed(order) = self.prizes
            && s.table.deck != 0
        {
            self.turn_up(s, Card(order.get(self.rounds_played(s))));
        }
    }

    /// The last bids, if they follow by themselves once these have been made.
    fn last_bids(&self, before: &State, bids: [Card; 2]) -> Option<[Card; 2]> {
        let left = [0, 1].map(|seat| before.hands[seat] & !(1 << bids[seat].0));
        let follow = self.last == Last::Automatic && left[0].is_power_of_two();
        follow.then(|| left.map(|hand| Card(hand.trailing_zeros() as u8)))
    }
}

impl Rules for Goofspiel {
    type State = State;
    type Action = Card;
    type Outcome = Card;

    fn facts(&self) -> Facts {
        let (chance, steps) = match self.prizes {
            Prizes::Random => (Chance::Listed, 2),
            Prizes::Fixed(_) => (Chance::Never, 1),
        };
        let rounds = match self.last {
            Last::Played => self.cards,
            Last::Automatic => (self.cards - 1).max(1),
        };
        let most = match self.reward {
            Reward::Sign => 1.0,
            Reward::Points => self.widest(),
        };
        Facts {
            players: 2,
            // With two cards a player can tell the other's bid from the result.
            hidden: self.bids == Bids::Hidden && self.cards > 2,
            hidden_moves: self.bids == Bids::Hidden && self.cards > 2,
            chance,
            simultaneous: true,
            utility: Utility::ZeroSum,
            utility_bounds: (-most, most),
            max_length: u32::from(rounds) * steps,
        }
    }

    fn start(&self) -> State {
        let table = Table { prize: None, deck: self.suit(), points: [0; 2], turned_up: Sequence::default() };
        let mut s = State { table, hands: [self.suit(); 2], bids: [Sequence::default(); 2] };
        if let Prizes::Fixed(order) = self.prizes {
            self.turn_up(&mut s, Card(order.get(0)));
        }
        s
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.table.prize {
            Some(_) => Turn::Simultaneous(Players::first(2)),
            None if s.table.deck != 0 => Turn::Chance,
            None => Turn::Terminal,
        }
    }

    #[inline]
    fn actions(&self, s: &State, who: Player, out: &mut Vec<Card>) {
        out.extend(Sequence::of(s.hands[who.index()]).iter().map(Card));
    }

    fn chance(&self, s: &State, out: &mut Vec<(Card, f64)>) {
        let p = 1.0 / f64::from(s.table.deck.count_ones());
        out.extend(Sequence::of(s.table.deck).iter().map(|card| (Card(card), p)));
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Card {
        Card(Sequence::of(s.table.deck).take_any(rng))
    }

    fn is_possible(&self, s: &State, outcome: &Card) -> bool {
        s.table.prize.is_none() && s.table.deck >> outcome.0 & 1 == 1
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match step {
            Step::Chance(&card) => self.turn_up(s, card),
            Step::Moves(moves) => {
                let bids = [moves[0].1, moves[1].1];
                let last = self.last_bids(s, bids);
                self.bid(s, bids);
                if let Some(last) = last {
                    if self.prizes == Prizes::Random {
                        self.turn_up(s, Card(s.table.deck.trailing_zeros() as u8));
                    }
                    self.bid(s, last);
                }
            }
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        let lead = f64::from(s.table.points[0]) - f64::from(s.table.points[1]);
        Rewards::zero_sum(match self.reward {
            Reward::Points => lead,
            Reward::Sign if lead == 0.0 => 0.0,
            Reward::Sign => lead.signum(),
        })
    }

    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let bids = match step {
            Step::Chance(&Card(card)) => return Some(Observation::word(PRIZE + u64::from(card))),
            Step::Moves(moves) => [moves[0].1, moves[1].1],
        };
        let [first, second] = bids.map(|bid| u64::from(bid.0));
        Some(match (self.bids, by) {
            (Bids::Open, Observer::Seat(Player(0))) => Observation::word(second),
            (Bids::Open, Observer::Seat(_)) => Observation::word(first),
            (Bids::Open, Observer::Public) => Observation::words(&[first, second]),
            (Bids::Hidden, _) => {
                let word = |[a, b]: [Card; 2]| RESULT + u64::from(result(a.0, b.0));
                match self.last_bids(before, bids) {
                    None => Observation::word(word(bids)),
                    Some(last) => Observation::words(&[word(bids), word(last)]),
                }
            }
        })
    }

    fn code(&self, action: Card) -> u64 {
        u64::from(action.0)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), ..Extras::NONE }
    }
}

impl Notation for Goofspiel {
    fn action_name(&self, action: Card) -> String {
        self.value(action).to_string()
    }

    fn parse_action(&self, name: &str) -> Option<Card> {
        (0..self.cards).map(Card).find(|&card| self.action_name(card) == name)
    }

    fn outcome_name(&self, outcome: &Card) -> String {
        self.action_name(*outcome)
    }

    fn parse_outcome(&self, name: &str) -> Option<Card> {
        self.parse_action(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let value = |word: u64| (word % PRIZE + u64::from(self.lowest)).to_string();
        let tell = |(at, &word): (usize, &u64)| match (word, by) {
            (..PRIZE, Observer::Public) => format!("player {at} bids {}", value(word)),
            (..PRIZE, Observer::Seat(_)) => format!("the other bids {}", value(word)),
            (PRIZE..RESULT, _) => format!("the prize is {}", value(word)),
            (FIRST_LOST, _) => "player 1 wins the bid".to_string(),
            (FIRST_WON, _) => "player 0 wins the bid".to_string(),
            _ => "the bids are equal".to_string(),
        };
        seen.as_words().iter().enumerate().map(tell).collect::<Vec<_>>().join(", then ")
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(&self.whole(s))
    }
}

impl FastPlay for Goofspiel {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Card {
        Card(code as u8)
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Card {
        Card(Sequence::of(s.hands[who.index()]).take_any(rng))
    }

    /// Random bids are two shuffled hands, random prizes a shuffled deck.
    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        let bids = s.hands.map(|hand| Sequence::of(hand).shuffled(rng));
        let up: Sequence = s.table.prize.iter().map(|card| card.0).collect();
        let prizes = match self.prizes {
            Prizes::Random => up.then(Sequence::of(s.table.deck).shuffled(rng)),
            Prizes::Fixed(order) => order.skip(self.rounds_played(s)),
        };
        for round in 0..prizes.len() {
            s.table.award(self.value(Card(prizes.get(round))), bids[0].get(round), bids[1].get(round));
        }
        s.table.prize = None;
        s.table.deck = 0;
        s.hands = [0; 2];
        if self.bids == Bids::Hidden {
            s.bids = [s.bids[0].then(bids[0]), s.bids[1].then(bids[1])];
            if self.prizes == Prizes::Random {
                s.table.turned_up = s.table.turned_up.then(prizes.skip(up.len()));
            }
        }
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(usize::from(self.cards))
    }
}

impl Evaluations<Goofspiel> for Goofspiel {
    /// Lisý 2014, §4.1.1: the lead so far counts more with every round, the better hand by what is left to win.
    /// The prize to bid for is counted among those left.
    fn evaluate(&self, _: Option<usize>, s: &State, who: Player) -> Option<f64> {
        let mine = who.index();
        let share = |[a, b]: [f64; 2]| if a + b > 0.0 { (a - b) / (a + b) } else { 0.0 };
        let points = [mine, 1 - mine].map(|seat| f64::from(s.table.points[seat]));
        let hands = [mine, 1 - mine].map(|seat| f64::from(self.worth(s.hands[seat])));
        let up = s.table.prize.map_or(0, |card| 1 << card.0);
        let left = f64::from(self.worth(s.table.deck | up));
        let decided = (points[0] - points[1]).abs() > left;
        if hands == [0.0; 2] || decided && self.reward == Reward::Sign {
            return Some(self.rewards(s)[who]);
        }
        if points == [0.0; 2] {
            return Some(0.0);
        }
        let cards = f64::from(self.cards);
        let progress = self.rounds_played(s) as f64 / cards;
        let guess = share(points) * progress + share(hands) * left / (0.5 * cards * (cards + 1.0));
        Some(self.facts().utility_bounds.1 * guess.tanh())
    }
}

/// What the words of an observation mean: below this a bid, from here on a prize.
const PRIZE: u64 = 16;
/// From here on how the bids compared.
const RESULT: u64 = 32;
const FIRST_LOST: u64 = RESULT;
const FIRST_WON: u64 = RESULT + 2;
