//! Liar's dice: bids on what everybody's hidden dice show together, until somebody is not believed.
//!
//! Each player throws his dice under a cup. In turn, player 0 first, they bid "at least so many dice show
//! this face": a higher quantity than the bid before, or the same quantity and a higher face. Instead of
//! bidding, a player may call the bidder before him a liar. Then all dice are counted: if the bid holds, the
//! caller has lost, otherwise the bidder. The highest face is wild, if the players so agree: it counts as
//! every face. It may also be bid itself, and then only it counts. The highest bid of all can only be called.
//!
//! Rules: traditional, one round as in OpenSpiel's `liars_dice`, with which this agrees for two players. The
//! loser pays 1, which the others share. Nobody sees in which order a player's dice fell.
//!
//! Bidding and calling do not depend on what is thrown: [`crate::liars_coins`] is the same game with coins.

use std::collections::HashMap;

use arrayvec::ArrayVec;
use fogtree_core::text::{Colour, paint};
use fogtree_core::{
    About, BadSpec, Chance, Domain, Facts, FastPlay, Game, InfoExtras, Notation, Observation, Observer,
    Param, Params, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

use crate::words::does;
mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "liars-dice",
    summary: "Rising bids on what all hidden dice show together, or a challenge, for any dice and players",
    source: "traditional; OpenSpiel's liars_dice",
    params: &[
        Param::new("players", "2", Domain::Integer(2, MOST_PLAYERS as i128), "2 to 6"),
        Param::new("dice", "1", Domain::Integer(1, 5), "dice of each player, 1 to 5"),
        Param::new("faces", "6", Domain::Integer(2, 9), "faces of a die, 2 to 9"),
        Param::new("wild", "yes", Domain::Flag, "whether the highest face counts as every face: yes or no"),
    ],
    presets: &[],
    tiny: "dice=2,faces=2,wild=no",
};

const MOST_PLAYERS: usize = 6;
const MOST_BIDS: usize = 128;

/// The rules of one instance: what can be bid, and what can be thrown.
#[derive(Clone, Debug)]
pub struct LiarsDice {
    players: usize,
    bids: Vec<Bid>,
    hands: Vec<Hand>,
    /// The hand that each of the equally likely throws of one player gives.
    throws: Vec<u16>,
    /// What a hand's name counts, for people: `heads`; nothing if it shows the dice.
    counted: &'static str,
}

/// A bid: at least so many dice that count for a face.
#[derive(Clone, Debug)]
pub(crate) struct Bid {
    pub(crate) name: String,
    pub(crate) quantity: u8,
    pub(crate) face: usize,
}

/// What a player has thrown.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Hand {
    pub(crate) name: String,
    /// How many of its dice count for a bid on each face.
    pub(crate) counts: Vec<u8>,
}

impl LiarsDice {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<LiarsDice, BadSpec> {
        let players = params.number("players")?;
        let dice = params.number("dice")?;
        let faces: usize = params.number("faces")?;
        let wild = params.flag("wild")?;
        if players * dice * faces > MOST_BIDS {
            let expected = format!("fewer: players, dice and faces make at most {MOST_BIDS} bids");
            return Err(params.bad("dice", expected));
        }
        let bid = |quantity, face| Bid { name: format!("{quantity}-{}", face + 1), quantity, face };
        let bids = (1..=(players * dice) as u8).flat_map(|q| (0..faces).map(move |f| bid(q, f))).collect();
        let throws = (0..faces.pow(dice as u32)).map(|throw| {
            let mut shown: Vec<usize> = (0..dice).map(|die| throw / faces.pow(die as u32) % faces).collect();
            shown.sort_unstable();
            let counts_for = |die: usize, face: usize| die == face || wild && die == faces - 1;
            let count = |face| shown.iter().filter(|&&die| counts_for(die, face)).count() as u8;
            Hand {
                name: shown.iter().map(|die| (die + 1).to_string()).collect(),
                counts: (0..faces).map(count).collect(),
            }
        });
        Ok(LiarsDice::new(players, bids, throws, ""))
    }

    /// A game with these bids, lowest first, and equally likely throws. Throws that give the same hand cannot
    /// be told apart.
    pub(crate) fn new(
        players: usize,
        bids: Vec<Bid>,
        throws: impl Iterator<Item = Hand>,
        counted: &'static str,
    ) -> LiarsDice {
        let mut hands = Vec::new();
        let mut places: HashMap<Hand, u16> = HashMap::new();
        let throws = throws
            .map(|hand| {
                *places.entry(hand).or_insert_with_key(|hand| {
                    hands.push(hand.clone());
                    hands.len() as u16 - 1
                })
            })
            .collect();
        LiarsDice { players, bids, hands, throws, counted }
    }
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Bid; all bids are numbered from the lowest.
    Bid(u8),
    /// Call the last bid a lie.
    Liar,
}

/// Everything: the hands thrown and the bids made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    bids: Bids,
    hands: [Option<u16>; MOST_PLAYERS],
    phase: Phase,
}

/// Where the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    /// The player throws.
    Throw(Player),
    /// The player bids or calls.
    Bid(Player),
    /// The player has called the last bid a lie.
    Called(Player),
}

/// The bids made, one bit each. They rise and go round, so the set tells who bid what and when.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(from = "[u32; 4]", into = "[u32; 4]")]
struct Bids(u128);

impl Bids {
    /// The lowest bid that may follow.
    #[inline]
    fn next(self) -> u32 {
        u128::BITS - self.0.leading_zeros()
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        (0..MOST_BIDS).filter(move |i| self.0 >> i & 1 == 1)
    }
}

impl From<[u32; 4]> for Bids {
    fn from(words: [u32; 4]) -> Bids {
        Bids(words.iter().rev().fold(0, |bits, &word| bits << 32 | u128::from(word)))
    }
}

impl From<Bids> for [u32; 4] {
    fn from(bids: Bids) -> [u32; 4] {
        [0, 32, 64, 96].map(|shift| (bids.0 >> shift) as u32)
    }
}

impl LiarsDice {
    #[inline]
    fn after(&self, who: Player) -> Player {
        Player(if who.index() + 1 < self.players { who.0 + 1 } else { 0 })
    }

    #[inline]
    fn before(&self, who: Player) -> Player {
        Player(who.0.checked_sub(1).unwrap_or(self.players as u8 - 1))
    }

    /// Whether the last bid holds.
    #[inline]
    fn holds(&self, s: &State) -> bool {
        let last = self.last_bid(s);
        self.count(s, last) >= last.quantity
    }

    fn last_bid(&self, s: &State) -> &Bid {
        &self.bids[s.bids.next() as usize - 1]
    }

    /// How many dice count for a bid.
    #[inline]
    fn count(&self, s: &State, bid: &Bid) -> u8 {
        s.hands.iter().flatten().map(|&hand| self.hands[hand as usize].counts[bid.face]).sum()
    }

    /// Who has lost by calling.
    #[inline]
    fn loser(&self, s: &State, caller: Player) -> Player {
        if self.holds(s) { caller } else { self.before(caller) }
    }
}

impl Rules for LiarsDice {
    type State = State;
    type Action = Action;
    type Outcome = u16;

    fn facts(&self) -> Facts {
        Facts {
            hidden: true,
            chance: Chance::Listed,
            utility: Utility::ZeroSum,
            utility_bounds: (-1.0, 1.0 / (self.players - 1) as f64),
            ..Facts::open(self.players, (self.players + self.bids.len() + 1) as u32)
        }
    }

    fn start(&self) -> State {
        State { bids: Bids::default(), hands: [None; MOST_PLAYERS], phase: Phase::Throw(Player(0)) }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Throw(_) => Turn::Chance,
            Phase::Bid(who) => Turn::Player(who),
            Phase::Called(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, _who: Player, out: &mut Vec<Action>) {
        let next = s.bids.next();
        out.extend((next as u8..self.bids.len() as u8).map(Action::Bid));
        out.extend((next > 0).then_some(Action::Liar));
    }

    fn chance(&self, _state: &State, out: &mut Vec<(u16, f64)>) {
        let first = out.len();
        out.extend((0..self.hands.len() as u16).map(|hand| (hand, 0.0)));
        let hands = &mut out[first..];
        for &hand in &self.throws {
            hands[hand as usize].1 += 1.0;
        }
        hands.iter_mut().for_each(|(_, ways)| *ways /= self.throws.len() as f64);
    }

    #[inline]
    fn sample_chance(&self, _state: &State, rng: &mut Rng) -> u16 {
        *rng.pick(&self.throws)
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        s.phase = match (step, s.phase) {
            (Step::Chance(&hand), Phase::Throw(who)) => {
                s.hands[who.index()] = Some(hand);
                match self.after(who) {
                    Player(0) => Phase::Bid(Player(0)),
                    next => Phase::Throw(next),
                }
            }
            (Step::Moves(&[(who, Action::Bid(bid)), ..]), _) => {
                s.bids.0 |= 1 << bid;
                Phase::Bid(self.after(who))
            }
            (Step::Moves(&[(who, Action::Liar), ..]), _) => Phase::Called(who),
            (_, phase) => phase,
        };
    }

    #[inline]
    fn rewards(&self, s: &State) -> Rewards {
        let Phase::Called(who) = s.phase else { return Rewards::from_fn(self.players, |_| 0.0) };
        let loser = self.loser(s, who);
        let share = 1.0 / (self.players - 1) as f64;
        Rewards::from_fn(self.players, |p| if p == loser { -1.0 } else { share })
    }

    #[inline]
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let word = match (step, before.phase) {
            (Step::Chance(&hand), Phase::Throw(who)) if by.is(who) => 1 + u64::from(hand),
            (Step::Chance(_), _) => 0,
            (Step::Moves(_), _) => {
                let (who, action) = step.single();
                if by.is(who) {
                    return None;
                }
                let moves = self.bids.len() as u64 + 1;
                1 + self.hands.len() as u64 + u64::from(who.0) * moves + self.code(action)
            }
        };
        Some(Observation::word(word))
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Bid(bid) => u64::from(bid),
            Action::Liar => self.bids.len() as u64,
        }
    }
}

impl Notation for LiarsDice {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Bid(bid) => self.bids[bid as usize].name.clone(),
            Action::Liar => "liar".to_string(),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let bid = self.bids.iter().position(|bid| bid.name == name);
        bid.map(|i| Action::Bid(i as u8)).or((name == "liar").then_some(Action::Liar))
    }

    fn outcome_name(&self, &hand: &u16) -> String {
        self.hands[hand as usize].name.clone()
    }

    fn parse_outcome(&self, name: &str) -> Option<u16> {
        self.hands.iter().position(|hand| hand.name == name).map(|i| i as u16)
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        let (hands, moves) = (self.hands.len() as u64, self.bids.len() as u64 + 1);
        match seen.first() {
            0 => "somebody throws out of sight".to_string(),
            own if own <= hands => format!("you throw {}", self.face(Some((own - 1) as u16))),
            word => {
                let (who, code) = ((word - 1 - hands) / moves, (word - 1 - hands) % moves);
                match self.bids.get(code as usize) {
                    Some(bid) => format!("player {who} bids {}", bid.name),
                    None => format!("player {who} says liar"),
                }
            }
        }
    }

    fn ending(&self, end: &State, by: Observer) -> Option<String> {
        let Phase::Called(caller) = end.phase else { return None };
        let shows = |p: Player| format!("{} {}", does(p, by, "shows"), self.face(end.hands[p.index()]));
        let shown = Player::all(self.players).map(shows).collect::<Vec<_>>().join(", ");
        let bid = self.last_bid(end);
        let holds = if self.holds(end) { "holds" } else { "does not hold" };
        let (count, loses) = (self.count(end, bid), does(self.loser(end, caller), by, "loses"));
        Some(format!("{shown}; {count} count for the bid {}, which {holds}; {loses}", bid.name))
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s, Observer::Public)
    }
}

impl FastPlay for LiarsDice {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        if code < self.bids.len() as u64 { Action::Bid(code as u8) } else { Action::Liar }
    }

    #[inline]
    fn random_action(&self, s: &State, _who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let (next, bids) = (s.bids.next(), self.bids.len() as u32);
        let i = next + rng.below(bids - next + u32::from(next > 0));
        if i < bids { Action::Bid(i as u8) } else { Action::Liar }
    }

    fn codes(&self) -> Option<usize> {
        Some(self.bids.len() + 1)
    }
}

/// What an observer knows: the state without the hands it does not see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    seen: State,
}

impl Info {
    /// The players who have thrown what the observer does not see.
    fn hidden(&self, players: usize) -> impl Iterator<Item = usize> + Clone {
        let thrown = match self.seen.phase {
            Phase::Throw(who) => who.index(),
            _ => players,
        };
        let hands = self.seen.hands;
        (0..thrown).filter(move |&p| hands[p].is_none())
    }
}

/// Throws for everybody whose hand is hidden: no bid rules out a hand.
#[derive(Clone, Debug)]
pub struct Sampler {
    seen: State,
    hidden: ArrayVec<usize, MOST_PLAYERS>,
}

impl Game for LiarsDice {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        let mut seen = *s;
        for p in Player::all(self.players).filter(|&p| !by.is(p)) {
            seen.hands[p.index()] = None;
        }
        Info { by, seen }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        Sampler { seen: k.seen, hidden: k.hidden(self.players).collect() }
    }

    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        *into = from.seen;
        for &p in &from.hidden {
            into.hands[p] = Some(*rng.pick(&self.throws));
        }
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        const MOST_LISTED: usize = 1 << 17;
        let hidden = k.hidden(self.players);
        let worlds = self.hands.len().saturating_pow(hidden.clone().count() as u32);
        if worlds > MOST_LISTED {
            return false;
        }
        let mut hands = Vec::new();
        self.chance(&k.seen, &mut hands);
        let mut worlds = vec![(k.seen, 1.0)];
        for thrower in hidden {
            let throw = |(mut world, weight): (State, f64)| {
                hands.iter().map(move |&(hand, p)| {
                    world.hands[thrower] = Some(hand);
                    (world, weight * p)
                })
            };
            worlds = worlds.into_iter().flat_map(throw).collect();
        }
        out.append(&mut worlds);
        true
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn(&k.seen, k.by)
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        self.touched(&k.seen, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}

impl LiarsDice {
    fn face(&self, hand: Option<u16>) -> String {
        let Some(hand) = hand else { return "not thrown yet".to_string() };
        let name = paint(Colour::Yellow, &self.hands[hand as usize].name);
        if self.counted.is_empty() { name } else { format!("{name} {}", self.counted) }
    }
}

#[cfg(test)]
mod tests;
