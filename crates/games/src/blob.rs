//! Blob, also called Oh Hell: say how many tricks you will take, and take exactly so many.
//!
//! It is here as a trick-taking game for any number of players in which most cards stay unseen. In each
//! round everybody is dealt some cards, first seven, then one fewer each time down to one, then up again; a
//! further card is turned and its suit is trumps. Starting left of the dealer everybody bids a number of
//! tricks, openly; the dealer, who bids last, may not make the bids add up to the number of tricks, so that
//! somebody must fail. Suit is followed, the highest trump or else the highest card of the suit led takes
//! the trick. An exact bid scores 10 and a point for each trick, any other only the points.
//!
//! Whitehouse 2014, §4.2.14, names the game among those of its framework; the rules are the usual ones
//! (ismcts 4.13). With one hand size, `reward=points` and three players it is the `oh_hell` of OpenSpiel.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Game, InfoExtras, Notation,
    Observation, Observer, Param, Params, Player, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Turn,
    Utility, Witnessed,
};
use serde::{Deserialize, Serialize};

pub use crate::cards::bidding::Action;
use crate::cards::bidding::{self, CHOICE};
use crate::cards::{Card, Cards, Deal, Dealer, Round, Suit, TrickRules, deck, list_deals, number_of_deals};
use crate::words::{does, joined};

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "blob",
    summary: "Oh Hell: bid how many tricks you will take and take exactly so many",
    source: "ismcts 4.13",
    params: &[
        Param::new("players", "4", Domain::Integer(2, SEATS as i128), "2 to 7"),
        Param::new("suits", "4", Domain::Integer(1, 4), "1 to 4"),
        Param::new("ranks", "13", Domain::Integer(1, 13), "the highest 1 to 13 ranks of each suit"),
        Param::new(
            "hands",
            "[7,6,5,4,3,2,1,2,3,4,5,6,7]",
            Domain::List,
            "cards each player gets in each round, up to 30 rounds",
        ),
        Param::new(
            "hook",
            "yes",
            Domain::Flag,
            "whether the dealer may not make the bids add up to the tricks: yes or no",
        ),
        Param::new(
            "missed",
            "tricks",
            Domain::Choice(&["tricks", "nothing"]),
            "what another number of tricks than bid scores: tricks (a point each) or nothing",
        ),
        Param::new(
            "reward",
            "winner",
            Domain::Choice(&["winner", "points"]),
            "winner: 1 for the highest score, shared by equals; points: the score",
        ),
    ],
    presets: &[Preset {
        name: "oh-hell",
        params: "players=3,hands=[5],reward=points",
        about: "three players, one round of five cards, for points",
    }],
    tiny: "players=2,suits=2,ranks=3,hands=[2]",
};

const SEATS: usize = 7;
/// Deals and worlds are listed if there are no more than this.
const MOST_LISTED: f64 = 4000.0;
const MOST_ROUNDS: usize = 30;
/// What an exact bid scores besides the tricks.
const BONUS: u16 = 10;
const NO_BID: u8 = u8::MAX;

/// The rules of one instance.
#[derive(Clone, Debug)]
pub struct Blob {
    tricks: TrickRules,
    deck: Cards,
    /// The number of cards each player gets in each round.
    hands: Vec<u8>,
    hook: bool,
    missed: Missed,
    reward: Reward,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Missed {
    Tricks,
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reward {
    Winner,
    Points,
}

impl Blob {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Blob, BadSpec> {
        let players = params.number("players")?;
        let suits: usize = params.number("suits")?;
        let deck = deck(&Suit::ALL[..suits], params.number("ranks")?);
        let hands: Vec<u8> = params.list("hands")?;
        let most = deck.len().saturating_sub(1) / players;
        if !(1..=MOST_ROUNDS).contains(&hands.len()) || hands.iter().any(|&n| n == 0 || usize::from(n) > most)
        {
            let expected = format!(
                "1 to {MOST_ROUNDS} numbers from 1 to {most}: {players} hands and the turned card come from {} cards",
                deck.len()
            );
            return Err(params.bad("hands", expected));
        }
        Ok(Blob {
            tricks: TrickRules { players, ..TrickRules::default() },
            deck,
            hands,
            hook: params.flag("hook")?,
            missed: params.choice("missed", &[Missed::Tricks, Missed::Nothing])?,
            reward: params.choice("reward", &[Reward::Winner, Reward::Points])?,
        })
    }
}

/// Everything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    round: Round<SEATS>,
    /// The card that was turned; its suit is trumps.
    turned: Option<Card>,
    bids: [u8; SEATS],
    taken: [u8; SEATS],
    scores: [u16; SEATS],
    /// How many rounds are over.
    rounds: u8,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    Deal,
    /// So many have bid.
    Bid(u8),
    Play,
    Over,
}

const START: State = State {
    round: Round::EMPTY,
    turned: None,
    bids: [NO_BID; SEATS],
    taken: [0; SEATS],
    scores: [0; SEATS],
    rounds: 0,
    phase: Phase::Deal,
};

/// Numbers of tricks, one bit each.
#[derive(Clone, Copy)]
struct Bids(u64);

impl Blob {
    #[inline]
    fn players(&self) -> usize {
        self.tricks.players
    }

    /// The number of cards in a hand in this round; 0 when the game is over.
    #[inline]
    fn hand(&self, s: &State) -> u8 {
        self.hands.get(usize::from(s.rounds)).copied().unwrap_or(0)
    }

    /// Who bids and leads first: whoever sits left of the dealer, one further each round.
    #[inline]
    fn first(&self, s: &State) -> Player {
        Player(s.rounds % self.players() as u8)
    }

    #[inline]
    fn bidder(&self, s: &State, made: u8) -> Player {
        Player((self.first(s).0 + made) % self.players() as u8)
    }

    #[inline]
    fn trumps(s: &State) -> Cards {
        s.turned.map_or(Cards::NONE, |card| card.suit().cards())
    }

    /// The sizes of the hands, and of the turned card.
    fn sizes(&self, hand: u8) -> impl Iterator<Item = usize> + Clone + use<> {
        std::iter::repeat_n(usize::from(hand), self.players()).chain([1])
    }

    fn is_listed(&self) -> bool {
        let deals = |&hand: &u8| number_of_deals(self.deck.len(), self.sizes(hand));
        self.hands.iter().map(deals).all(|deals| deals <= MOST_LISTED)
    }

    /// The bids that may be made after so many others.
    #[inline]
    fn legal_bids(&self, s: &State, made: u8) -> Bids {
        let hand = self.hand(s);
        let all = (1 << (hand + 1)) - 1;
        if !self.hook || usize::from(made) + 1 < self.players() {
            return Bids(all);
        }
        let sum: u32 =
            s.bids[..self.players()].iter().filter(|&&bid| bid != NO_BID).map(|&b| u32::from(b)).sum();
        Bids(u32::from(hand).checked_sub(sum).map_or(all, |hooked| all & !(1 << hooked)))
    }

    fn deal(&self, s: &mut State, deal: &Deal) {
        for (p, &hand) in Player::all(self.players()).zip(deal.hands()) {
            s.round.held[p] = hand;
        }
        s.turned = deal.hands().last().and_then(|turned| turned.lowest());
        s.round.leader = self.first(s);
        s.phase = Phase::Bid(0);
    }

    #[inline]
    fn bid(&self, s: &mut State, made: u8, bid: u8) {
        s.bids[self.bidder(s, made).index()] = bid;
        s.phase = if usize::from(made) + 1 < self.players() { Phase::Bid(made + 1) } else { Phase::Play };
    }

    /// Adds up a round and clears the table.
    fn score(&self, s: &mut State) {
        for p in 0..self.players() {
            s.scores[p] += match self.missed {
                _ if s.taken[p] == s.bids[p] => BONUS + u16::from(s.taken[p]),
                Missed::Tricks => u16::from(s.taken[p]),
                Missed::Nothing => 0,
            };
        }
        let rounds = s.rounds + 1;
        let phase = if usize::from(rounds) == self.hands.len() { Phase::Over } else { Phase::Deal };
        *s = State { scores: s.scores, rounds, phase, ..START };
    }
}

impl Rules for Blob {
    type State = State;
    type Action = Action;
    type Outcome = Deal;

    fn facts(&self) -> Facts {
        let (players, cards) = (self.players(), self.deck.len());
        let points = self.hands.iter().map(|&hand| f64::from(BONUS) + f64::from(hand)).sum();
        let is_open = |&hand: &u8| players == 2 && 2 * usize::from(hand) + 1 == cards;
        Facts {
            hidden: !self.hands.iter().all(is_open),
            chance: if self.is_listed() { Chance::Listed } else { Chance::Sampled },
            utility: if self.reward == Reward::Winner { Utility::ConstantSum } else { Utility::General },
            utility_bounds: (0.0, if self.reward == Reward::Winner { 1.0 } else { points }),
            ..Facts::open(
                players,
                self.hands.iter().map(|&hand| 1 + players as u32 * (1 + u32::from(hand))).sum(),
            )
        }
    }

    fn start(&self) -> State {
        START
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Deal => Turn::Chance,
            Phase::Bid(made) => Turn::Player(self.bidder(s, made)),
            Phase::Play => Turn::Player(self.tricks.to_play(&s.round)),
            Phase::Over => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        match s.phase {
            Phase::Bid(made) => {
                let Bids(legal) = self.legal_bids(s, made);
                out.extend((0..64).filter(|bid| legal >> bid & 1 == 1).map(Action::Bid));
            }
            _ => out.extend(self.tricks.legal(&s.round, who).iter().map(Action::Play)),
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Deal, f64)>) {
        if s.phase == Phase::Deal && self.is_listed() {
            list_deals(self.deck, self.sizes(self.hand(s)), out);
        }
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Deal {
        Deal::random(self.deck, self.sizes(self.hand(s)), rng)
    }

    fn is_possible(&self, s: &State, deal: &Deal) -> bool {
        s.phase == Phase::Deal && deal.is_possible(self.deck, self.sizes(self.hand(s)))
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match (step, s.phase) {
            (Step::Chance(deal), _) => self.deal(s, deal),
            (Step::Moves(&[(_, Action::Bid(bid)), ..]), Phase::Bid(made)) => self.bid(s, made, bid),
            (Step::Moves(&[(p, Action::Play(card)), ..]), _) => {
                let trumps = Blob::trumps(s);
                if let Some((by, _)) = self.tricks.play(&mut s.round, p, card, trumps) {
                    s.taken[by.index()] += 1;
                    if s.round.hand(by).is_empty() {
                        self.score(s);
                    }
                }
            }
            _ => {}
        }
    }

    #[inline]
    fn rewards(&self, s: &State) -> Rewards {
        let scores = &s.scores[..self.players()];
        let best = scores.iter().copied().max().unwrap_or(0);
        let winners = scores.iter().filter(|&&score| score == best).count() as f64;
        Rewards::from_fn(self.players(), |p| match self.reward {
            Reward::Points => f64::from(scores[p.index()]),
            Reward::Winner if scores[p.index()] == best => 1.0 / winners,
            Reward::Winner => 0.0,
        })
    }

    #[inline]
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(deal) => {
                let turned = deal.hands()[self.players()].lowest().map_or(0, |card| card.number() as u64);
                Some(match by {
                    Observer::Seat(p) => Observation::words(&[turned, deal.hands()[p.index()].bits()]),
                    Observer::Public => Observation::word(turned),
                })
            }
            Step::Moves(_) => {
                let (who, action) = step.single();
                action.seen(who, by)
            }
        }
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        action.code()
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Blob {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Play(card) => card.to_string(),
            Action::Bid(bid) => format!("bid-{bid}"),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let bid = |text: &str| {
            let bid: u8 = text.parse().ok()?;
            let most = self.hands.iter().copied().max()?;
            (bid <= most && bid.to_string() == text).then_some(Action::Bid(bid))
        };
        name.strip_prefix("bid-").map_or_else(|| Card::parse(name).map(Action::Play), bid)
    }

    fn outcome_name(&self, deal: &Deal) -> String {
        deal.name()
    }

    fn parse_outcome(&self, name: &str) -> Option<Deal> {
        Deal::parse(name)
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        let (who, code) = (seen.first() / CHOICE, seen.first() % CHOICE);
        let own = seen.as_words().get(1).map(|&bits| Cards::from_bits(bits));
        match (who.checked_sub(1), Card::numbered(code)) {
            (Some(who), Some(card)) => format!("player {who} plays {}", card.painted()),
            (Some(who), None) => format!("player {who} bids {}", code - Card::COUNT as u64),
            (None, Some(turned)) => {
                let dealt = own.map_or_else(
                    || "the cards are dealt".to_string(),
                    |own| format!("you are dealt {}", own.painted()),
                );
                format!("{dealt}, {} is turned", turned.painted())
            }
            (None, None) => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s, Observer::Public, true)
    }
}

impl FastPlay for Blob {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        Action::decode(code)
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        match s.phase {
            Phase::Bid(made) => Action::Bid(rng.bit_of(self.legal_bids(s, made).0) as u8),
            _ => Action::Play(self.tricks.legal(&s.round, who).random(rng)),
        }
    }

    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        loop {
            match s.phase {
                Phase::Over => return self.rewards(s),
                Phase::Deal => {
                    let deal = self.sample_chance(s, rng);
                    self.deal(s, &deal);
                }
                Phase::Bid(made) => {
                    let bid = rng.bit_of(self.legal_bids(s, made).0) as u8;
                    self.bid(s, made, bid);
                }
                Phase::Play => {
                    let mut taken = s.taken;
                    let trumps = Blob::trumps(s);
                    self.tricks.play_out(&mut s.round, trumps, rng, |p, _| taken[p.index()] += 1);
                    s.taken = taken;
                    self.score(s);
                }
            }
        }
    }

    fn codes(&self) -> Option<usize> {
        let most = self.hands.iter().copied().max().unwrap_or(0);
        Some(Card::COUNT + usize::from(most) + 1)
    }
}

impl Episodes<Blob> for Blob {
    /// The deal of a new round, or whoever leads to a trick.
    fn episode(&self, s: &State) -> Option<u32> {
        match s.phase {
            Phase::Deal => Some(0),
            Phase::Play if s.round.trick.is_empty() => Some(1 + u32::from(s.round.leader.0)),
            _ => None,
        }
    }
}

/// What an observer knows: the state without the cards it has not seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    seen: State,
}

/// Deals the unseen cards over the other hands and the stock.
#[derive(Clone, Debug)]
pub struct Sampler {
    seen: State,
    dealer: Option<Dealer>,
}

impl Game for Blob {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        Info { by, seen: State { round: s.round.seen_by(by), ..*s } }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        let dealer = k.seen.turned.map(|turned| {
            let deck = self.deck - turned.alone();
            let dealer = k.seen.round.dealer(deck, self.players(), usize::from(self.hand(&k.seen)));
            dealer.expect("what is known happened in some world")
        });
        Sampler { seen: k.seen, dealer }
    }

    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        *into = from.seen;
        if let Some(dealer) = &from.dealer {
            into.round.complete(self.players(), dealer, rng);
        }
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        let Some(dealer) = self.sampler(k).dealer else {
            out.push((k.seen, 1.0));
            return true;
        };
        let few = dealer.deals() <= MOST_LISTED;
        if few {
            let deck = self.deck - k.seen.turned.map_or(Cards::NONE, Card::alone);
            k.seen.round.each_completion(deck, self.players(), usize::from(self.hand(&k.seen)), |round| {
                out.push((State { round, ..k.seen }, 1.0));
            });
        }
        few
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn(&k.seen, k.by, false)
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        action.spots(k.by)
    }

    fn tell(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        let (before, after) = (&step.before.seen, &step.after.seen);
        let trick = bidding::card_of(&step)
            .and_then(|card| self.tricks.taken(&before.round, card, Blob::trumps(before)));
        let taken = trick.map(|(by, _)| format!("{} the trick", does(by, step.by, "takes")));
        let over = (after.rounds > before.rounds).then(|| {
            let scores: Vec<String> =
                after.scores[..self.players()].iter().map(ToString::to_string).collect();
            format!("the round is over, points {}", scores.join(" "))
        });
        joined([step.words, taken, over])
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}

#[cfg(test)]
mod tests;
