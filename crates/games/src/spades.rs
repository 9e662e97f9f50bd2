//! Spades: two partnerships bid how many tricks they will take, and spades are always trumps.
//!
//! It is here as the game of partners who must not see each other's cards. North and South (players 0 and 2)
//! play against East and West. In turn everybody bids a number of tricks; 0 is *nil*, a bid to take none.
//! Suit is followed; spades may not be led until one was played, unless there is nothing else. A partnership
//! that takes at least as many tricks as both bid scores 10 for each bid trick, otherwise it loses as much;
//! tricks beyond the bid are *bags*, and ten bags cost 100. Each nil made scores 100, each nil failed costs
//! 100. The game ends after the round in which a partnership exceeds 500 points, and the higher score wins.
//!
//! Rules: Whitehouse 2014, §4.2.4; ismcts 4.4. What the source leaves open: bags give no points of their
//! own, a nil bidder's tricks count for the partner, and there is no blind nil. Bad bids make games that
//! never end, so there is a limit of rounds.
//!
//! Playouts stop at the end of the current round, because what comes after is a matter of deals nobody
//! knows, and value the scores by eq. 4.1 of the source (`Spades::margin`).

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Evaluations, Extras, Facts, FastPlay, Game, InfoExtras,
    Notation, Observation, Observer, Param, Params, Player, Preset, Rewards, Rng, Rules, Scene, Scratch,
    Step, Turn, Witnessed,
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
    name: "spades",
    summary: "Two partnerships bid tricks, nil and bags included, and play with spades as trumps",
    source: "Whitehouse 2014, 4.2.4; ismcts 4.4",
    params: &[
        Param::new("players", "4", Domain::Integer(2, SEATS as i128), "4 in partnerships, or 2 alone"),
        Param::new(
            "suits",
            "4",
            Domain::Integer(1, 4),
            "1 to 4: spades, then with hearts, with diamonds, with clubs",
        ),
        Param::new("ranks", "13", Domain::Integer(1, 13), "the highest 1 to 13 ranks of each suit"),
        Param::new(
            "hand",
            "13",
            Domain::Integer(1, 13),
            "cards each player gets, 1 to 13; the rest stay unseen",
        ),
        Param::new("to", "500", Domain::Integer(0, 1000), "points that have to be exceeded, 0 to 1000"),
        Param::new(
            "rounds",
            "30",
            Domain::Integer(1, 30),
            "rounds after which the game ends at the latest, 1 to 30",
        ),
        Param::new(
            "reward",
            "win",
            Domain::Choice(&["win", "margin"]),
            "win: 1, a draw 0.5, a loss 0; margin: 0.5 and eq. 4.1 of the source, within 0 and 1",
        ),
        Param::new(
            "rest",
            "valued",
            Domain::Choice(&["valued", "played"]),
            "how playouts go on after the round: valued (they stop, with the margin) or played",
        ),
    ],
    presets: &[Preset {
        name: "spades-round",
        params: "rounds=1,reward=margin",
        about: "one round, for the margin",
    }],
    tiny: "players=2,suits=2,ranks=3,hand=2,rounds=1",
};

const SEATS: usize = 4;
/// Deals and worlds are listed if there are no more than this.
const MOST_LISTED: f64 = 4000.0;
const NO_BID: u8 = u8::MAX;
const TRUMPS: Cards = Suit::Spades.cards();
/// What a made nil scores and a failed nil costs; and what ten bags cost.
const HUNDRED: i16 = 100;

/// The rules of one instance.
#[derive(Clone, Debug)]
pub struct Spades {
    tricks: TrickRules,
    deck: Cards,
    hand: usize,
    to: i16,
    rounds: u8,
    reward: Reward,
    rest: Rest,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reward {
    Win,
    Margin,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rest {
    Valued,
    Played,
}

impl Spades {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Spades, BadSpec> {
        let players = params.number("players")?;
        if players == 3 {
            return Err(params.bad("players", "2 or 4"));
        }
        const ORDER: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];
        let suits: usize = params.number("suits")?;
        let deck = deck(&ORDER[..suits], params.number("ranks")?);
        let hand = params.number("hand")?;
        if hand * players > deck.len() {
            return Err(
                params.bad("hand", format!("at most {} of {} cards", deck.len() / players, deck.len()))
            );
        }
        Ok(Spades {
            tricks: TrickRules { players, unled: TRUMPS, breaking: TRUMPS, ..TrickRules::default() },
            deck,
            hand,
            to: params.number("to")?,
            rounds: params.number("rounds")?,
            reward: params.choice("reward", &[Reward::Win, Reward::Margin])?,
            rest: params.choice("rest", &[Rest::Valued, Rest::Played])?,
        })
    }
}

/// Everything. Scores and bags are of the sides, each of every other player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    round: Round<SEATS>,
    bids: [u8; SEATS],
    taken: [u8; SEATS],
    scores: [i16; 2],
    bags: [u8; 2],
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
    /// A playout stopped here.
    Valued,
}

const START: State = State {
    round: Round::EMPTY,
    bids: [NO_BID; SEATS],
    taken: [0; SEATS],
    scores: [0; 2],
    bags: [0; 2],
    rounds: 0,
    phase: Phase::Deal,
};

/// The side a player is on.
#[inline]
fn side(p: Player) -> usize {
    p.index() % 2
}

impl Spades {
    #[inline]
    fn players(&self) -> usize {
        self.tricks.players
    }

    /// Who bids so many bids after the first. The first bid and the first lead go round from round to round.
    #[inline]
    fn bidder(&self, s: &State, made: u8) -> Player {
        Player((s.rounds + made) % self.players() as u8)
    }

    fn sizes(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        std::iter::repeat_n(self.hand, self.players())
    }

    fn is_listed(&self) -> bool {
        number_of_deals(self.deck.len(), self.sizes()) <= MOST_LISTED
    }

    fn deal(&self, s: &mut State, deal: &Deal) {
        for (p, &hand) in Player::all(self.players()).zip(deal.hands()) {
            s.round.held[p] = hand;
        }
        s.round.leader = self.bidder(s, 0);
        s.phase = Phase::Bid(0);
    }

    #[inline]
    fn bid(&self, s: &mut State, made: u8, bid: u8) {
        s.bids[self.bidder(s, made).index()] = bid;
        s.phase = if usize::from(made) + 1 < self.players() { Phase::Bid(made + 1) } else { Phase::Play };
    }

    /// Adds up a round and clears the table.
    fn score(&self, s: &mut State) {
        for side in 0..2 {
            let members = || (side..self.players()).step_by(2);
            let bid: u8 = members().map(|p| s.bids[p]).sum();
            let taken: u8 = members().map(|p| s.taken[p]).sum();
            let score = &mut s.scores[side];
            *score += 10 * i16::from(bid) * if taken >= bid { 1 } else { -1 };
            s.bags[side] += taken.saturating_sub(bid);
            if s.bags[side] >= 10 {
                s.bags[side] -= 10;
                *score -= HUNDRED;
            }
            for p in members().filter(|&p| s.bids[p] == 0) {
                *score += if s.taken[p] == 0 { HUNDRED } else { -HUNDRED };
            }
        }
        let rounds = s.rounds + 1;
        let over = rounds == self.rounds || s.scores.iter().any(|&score| score > self.to);
        let phase = if over { Phase::Over } else { Phase::Deal };
        *s = State { scores: s.scores, bags: s.bags, rounds, phase, ..START };
    }

    /// How far a side is ahead (Whitehouse 2014, eq. 4.1): `((s − 10b) − (s' − 10b')) / 200` for its score
    /// `s` and its bags `b`, and those of the others. In one round it changes by about 1 at most.
    fn margin(s: &State, side: usize) -> f64 {
        let value = |side: usize| f64::from(s.scores[side]) - 10.0 * f64::from(s.bags[side]);
        (value(side) - value(1 - side)) / 200.0
    }

    /// The margin on the scale of rewards.
    fn value(s: &State, side: usize) -> f64 {
        (0.5 + Spades::margin(s, side)).clamp(0.0, 1.0)
    }
}

impl Rules for Spades {
    type State = State;
    type Action = Action;
    type Outcome = Deal;

    fn facts(&self) -> Facts {
        let players = self.players();
        Facts {
            hidden: players > 2 || 2 * self.hand < self.deck.len(),
            chance: if self.is_listed() { Chance::Listed } else { Chance::Sampled },
            ..Facts::open(players, u32::from(self.rounds) * (1 + players * (1 + self.hand)) as u32)
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
            Phase::Over | Phase::Valued => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        match s.phase {
            Phase::Bid(_) => out.extend((0..=self.hand as u8).map(Action::Bid)),
            _ => out.extend(self.tricks.legal(&s.round, who).iter().map(Action::Play)),
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Deal, f64)>) {
        if s.phase == Phase::Deal && self.is_listed() {
            list_deals(self.deck, self.sizes(), out);
        }
    }

    #[inline]
    fn sample_chance(&self, _state: &State, rng: &mut Rng) -> Deal {
        Deal::random(self.deck, self.sizes(), rng)
    }

    fn is_possible(&self, s: &State, deal: &Deal) -> bool {
        s.phase == Phase::Deal && deal.is_possible(self.deck, self.sizes())
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match (step, s.phase) {
            (Step::Chance(deal), _) => self.deal(s, deal),
            (Step::Moves(&[(_, Action::Bid(bid)), ..]), Phase::Bid(made)) => self.bid(s, made, bid),
            (Step::Moves(&[(p, Action::Play(card)), ..]), _) => {
                if let Some((by, _)) = self.tricks.play(&mut s.round, p, card, TRUMPS) {
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
        let decided = s.phase == Phase::Over && self.reward == Reward::Win;
        Rewards::from_fn(self.players(), |p| {
            let (own, other) = (s.scores[side(p)], s.scores[1 - side(p)]);
            match own.cmp(&other) {
                _ if !decided => Spades::value(s, side(p)),
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            }
        })
    }

    #[inline]
    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match (step, by) {
            (Step::Chance(deal), Observer::Seat(p)) => {
                Some(Observation::words(&[0, deal.hands()[p.index()].bits()]))
            }
            (Step::Chance(_), Observer::Public) => Some(Observation::word(0)),
            (Step::Moves(_), _) => {
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
        Extras { evaluations: Some(self), episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Spades {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Play(card) => card.to_string(),
            Action::Bid(0) => "nil".to_string(),
            Action::Bid(bid) => format!("bid-{bid}"),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let mut bids = (0..=self.hand as u8).map(Action::Bid);
        let bid = bids.find(|&bid| self.action_name(bid) == name);
        bid.or_else(|| Card::parse(name).map(Action::Play))
    }

    fn outcome_name(&self, deal: &Deal) -> String {
        deal.name()
    }

    fn parse_outcome(&self, name: &str) -> Option<Deal> {
        Deal::parse(name)
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        let (who, code) = (seen.first() / CHOICE, seen.first() % CHOICE);
        let own = seen.as_words().get(1).map(|&bits| Cards::from_bits(bits).painted());
        match (who.checked_sub(1), Card::numbered(code), own) {
            (Some(who), Some(card), _) => format!("player {who} plays {}", card.painted()),
            (Some(who), None, _) => format!("player {who} bids {}", code - Card::COUNT as u64),
            (None, _, Some(own)) => format!("you are dealt {own}"),
            (None, _, None) => "the cards are dealt".to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s, Observer::Public, true)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if self.players() == 2 {
            return ["first", "second"][side(seat)].to_string();
        }
        ["north-south", "east-west"][side(seat)].to_string()
    }
}

impl FastPlay for Spades {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        Action::decode(code)
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        match s.phase {
            Phase::Bid(_) => Action::Bid(rng.below(self.hand as u32 + 1) as u8),
            _ => Action::Play(self.tricks.legal(&s.round, who).random(rng)),
        }
    }

    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        loop {
            match s.phase {
                Phase::Over | Phase::Valued => return self.rewards(s),
                Phase::Deal => {
                    let deal = self.sample_chance(s, rng);
                    self.deal(s, &deal);
                }
                Phase::Bid(made) => {
                    let bid = rng.below(self.hand as u32 + 1) as u8;
                    self.bid(s, made, bid);
                }
                Phase::Play => {
                    let mut taken = s.taken;
                    self.tricks.play_out(&mut s.round, TRUMPS, rng, |p, _| taken[p.index()] += 1);
                    s.taken = taken;
                    self.score(s);
                    if s.phase == Phase::Deal && self.rest == Rest::Valued {
                        s.phase = Phase::Valued;
                    }
                }
            }
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(Card::COUNT + self.hand + 1)
    }
}

impl Evaluations<Spades> for Spades {
    /// The margin of the rounds that are over.
    fn evaluate(&self, _: Option<usize>, s: &State, who: Player) -> Option<f64> {
        Some(Spades::value(s, side(who)))
    }
}

impl Episodes<Spades> for Spades {
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

/// Deals the unseen cards.
#[derive(Clone, Debug)]
pub struct Sampler {
    seen: State,
    dealer: Option<Dealer>,
}

impl Game for Spades {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        Info { by, seen: State { round: s.round.seen_by(by), ..*s } }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        let dealt = matches!(k.seen.phase, Phase::Bid(_) | Phase::Play);
        let dealer = dealt.then(|| {
            let dealer = k.seen.round.dealer(self.deck, self.players(), self.hand);
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
            let deck = self.deck;
            k.seen.round.each_completion(deck, self.players(), self.hand, |round| {
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
        let trick = bidding::card_of(&step).and_then(|card| self.tricks.taken(&before.round, card, TRUMPS));
        let taken = trick.map(|(by, _)| format!("{} the trick", does(by, step.by, "takes")));
        let over = (after.rounds > before.rounds).then(|| {
            let scores: Vec<String> = after.scores.iter().map(ToString::to_string).collect();
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
