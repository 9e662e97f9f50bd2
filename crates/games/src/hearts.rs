//! Hearts: four players avoid taking hearts and the queen of spades.
//!
//! It is here as a game for more than two, each on its own, in which a whole deal is hidden and, when cards
//! are passed, moves are too. Every heart taken counts 1 point, the queen of spades 13; whoever takes all of
//! them *shoots the moon* and gives the points to everybody else instead. Before play each player passes
//! three cards to the left, in the next round to the right, then across, then not at all. Rounds are played
//! until somebody has 50 points; the fewest points win.
//!
//! Rules: Whitehouse 2014, §4.2.3. The two of clubs is led first. Suit is followed. Hearts may not be led
//! until one was played, nor penalty cards discarded on the first trick, unless there is nothing else. The
//! three passed cards are chosen one by one, in any order, by all players at the same time, and change hands
//! together.
//!
//! Playouts go to the end of the round and then add up rounds from a [database](rounds) until the game is
//! over, as the source's do.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Notation, Observation, Observer,
    Param, Params, Player, Players, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

use crate::cards::{Card, Cards, Deal, Round, Suit, TrickRules, deck, list_deals, number_of_deals};

mod known;
pub mod rounds;
mod scene;
mod tensors;

pub use known::{Info, Sampler};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "hearts",
    summary: "Four players pass cards in secret and avoid taking hearts and the queen of spades",
    source: "Whitehouse 2014, 4.2.3; ismcts 4.3",
    params: &[
        Param::new("players", "4", Domain::Integer(3, SEATS as i128), "3 or 4"),
        Param::new(
            "suits",
            "4",
            Domain::Integer(1, 4),
            "1 to 4: hearts, then with clubs, with spades, with diamonds",
        ),
        Param::new("ranks", "13", Domain::Integer(1, 13), "the highest 1 to 13 ranks of each suit"),
        Param::new("pass", "3", Domain::Integer(0, 3), "cards each player passes before a round, 0 to 3"),
        Param::new(
            "to",
            "50",
            Domain::Integer(1, 200),
            "points that end the game, 1 to 200; 1 is a single round",
        ),
        Param::new(
            "breaks",
            "hearts",
            Domain::Choice(&["hearts", "penalties"]),
            "after which cards hearts may be led: hearts, or penalties (the queen of spades too)",
        ),
        Param::new(
            "opening",
            "clean",
            Domain::Choice(&["clean", "any"]),
            "whether penalty cards are kept back in the first trick: clean or any",
        ),
        Param::new(
            "reward",
            "places",
            Domain::Choice(&["places", "points"]),
            "places: 1 for the first, 0 for the last, 0.5 between; points: the points not taken",
        ),
        Param::new(
            "rest",
            "database",
            Domain::Choice(&["database", "played"]),
            "how playouts go on after the round (four players, full deck): database or played",
        ),
    ],
    presets: &[Preset {
        name: "hearts-round",
        params: "pass=0,to=1,breaks=penalties,reward=points",
        about: "one round without passing, for points",
    }],
    tiny: "players=3,suits=2,ranks=3,pass=1,to=1",
};

const SEATS: usize = 4;
/// Deals and worlds are listed if there are no more than this.
const MOST_LISTED: f64 = 4000.0;
const QUEEN: Card = Card::new(Suit::Spades, 10);

/// The rules of one instance.
#[derive(Clone, Debug)]
pub struct Hearts {
    players: usize,
    deck: Cards,
    hand: usize,
    pass: usize,
    to: u8,
    reward: Reward,
    tricks: TrickRules,
    /// All the points of a round.
    total: u8,
    /// The rounds that playouts draw from.
    database: Option<rounds::Variant>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reward {
    Places,
    Points,
}

impl Hearts {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Hearts, BadSpec> {
        let players = params.number("players")?;
        let suits = match params.number("suits")? {
            1 => &[Suit::Hearts][..],
            2 => &[Suit::Clubs, Suit::Hearts],
            3 => &[Suit::Clubs, Suit::Hearts, Suit::Spades],
            _ => &Suit::ALL,
        };
        let deck = deck(suits, params.number("ranks")?);
        if !deck.len().is_multiple_of(players) {
            return Err(params.bad("ranks", format!("a deck of which {players} players get equal hands")));
        }
        let hand = deck.len() / players;
        let pass = params.number("pass")?;
        if pass > hand {
            return Err(params.bad("pass", format!("at most the {hand} cards of a hand")));
        }
        let queen_breaks = params.choice("breaks", &[false, true])?;
        let clean = params.choice("opening", &[true, false])?;
        let penalties = (Suit::Hearts.cards() | QUEEN.alone()) & deck;
        let is_full = players == SEATS && deck == Cards::ALL;
        let from_database = params.choice("rest", &[true, false])?;
        Ok(Hearts {
            players,
            deck,
            hand,
            pass,
            to: params.number("to")?,
            reward: params.choice("reward", &[Reward::Places, Reward::Points])?,
            tricks: TrickRules {
                players,
                opening: deck.lowest(),
                kept: if clean { penalties } else { Cards::NONE },
                unled: Suit::Hearts.cards(),
                breaking: if queen_breaks { penalties } else { Suit::Hearts.cards() },
            },
            total: points(deck),
            database: (is_full && from_database).then_some(rounds::Variant { queen_breaks, clean }),
        })
    }
}

/// What the cards cost whoever takes them.
#[inline]
fn points(cards: Cards) -> u8 {
    (cards & Suit::Hearts.cards()).len() as u8 + if cards.contains(QUEEN) { 13 } else { 0 }
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Play a card to a trick.
    Play(Card),
    /// Choose a card to be passed on.
    Pass(Card),
}

/// Everything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    round: Round<SEATS>,
    /// The cards chosen to be passed, and after the pass those that were: all players' together.
    passed: Cards,
    /// What each player has taken in this round.
    taken: [u8; SEATS],
    /// The points of the rounds before.
    scores: [u8; SEATS],
    /// How many rounds are over.
    rounds: u8,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    Deal,
    /// So many cards are chosen to be passed.
    Pass(u8),
    Play,
    Over,
}

impl Hearts {
    /// How far cards are passed to the left in this round; 0 if they are not.
    #[inline]
    fn distance(&self, rounds: u8) -> usize {
        let turns: &[usize] = if self.players == 4 { &[1, 3, 2, 0] } else { &[1, 2, 0] };
        if self.pass == 0 { 0 } else { turns[usize::from(rounds) % turns.len()] }
    }

    /// Who gets the cards this player passes.
    #[inline]
    fn receiver(&self, rounds: u8, from: Player) -> Player {
        Player(((from.index() + self.distance(rounds)) % self.players) as u8)
    }

    #[inline]
    fn seats(&self) -> impl Iterator<Item = Player> + use<> {
        Player::all(self.players)
    }

    #[inline]
    fn legal(&self, s: &State, who: Player) -> Cards {
        match s.phase {
            Phase::Pass(_) => s.round.held[who] - s.passed,
            _ => self.tricks.legal(&s.round, who),
        }
    }

    fn sizes(&self) -> impl Iterator<Item = usize> + Clone + use<> {
        std::iter::repeat_n(self.hand, self.players)
    }

    fn is_listed(&self) -> bool {
        number_of_deals(self.deck.len(), self.sizes()) <= MOST_LISTED
    }

    fn deal(&self, s: &mut State, deal: &Deal) {
        for (p, &hand) in self.seats().zip(deal.hands()) {
            s.round.held[p] = hand;
        }
        s.phase = if self.distance(s.rounds) == 0 { Phase::Play } else { Phase::Pass(0) };
    }

    /// Everybody chooses one more card to be passed.
    fn choose(&self, s: &mut State, moves: &[(Player, Action)]) {
        for (_, action) in moves {
            let (Action::Pass(card) | Action::Play(card)) = action;
            s.passed |= card.alone();
        }
        if let Phase::Pass(chosen) = s.phase {
            s.phase = Phase::Pass(chosen + 1);
            if usize::from(chosen) + 1 == self.pass {
                self.exchange(s);
            }
        }
    }

    #[inline]
    fn play(&self, s: &mut State, p: Player, card: Card) {
        if let Some((by, trick)) = self.tricks.play(&mut s.round, p, card, Cards::NONE) {
            s.taken[by.index()] += points(trick);
            if s.round.played == self.deck {
                self.score(s, s.taken);
            }
        }
    }

    /// The chosen cards change hands.
    fn exchange(&self, s: &mut State) {
        let held = s.round.held;
        for p in self.seats() {
            s.round.held[p] -= s.passed;
        }
        for p in self.seats() {
            s.round.held[self.receiver(s.rounds, p)] |= held[p] & s.passed;
        }
        s.phase = Phase::Play;
    }

    /// What the others see of a card that is played.
    #[inline]
    fn seen_play(&self, who: Player, action: Action) -> Observation {
        Observation::word(seen::PLAY * (1 + u64::from(who.0)) + self.code(action))
    }

    /// Adds up a round, clears the table, and sees whether the game is over.
    #[inline]
    fn score(&self, s: &mut State, taken: [u8; SEATS]) {
        let shooter = taken.iter().position(|&points| points == self.total);
        for (p, score) in s.scores[..self.players].iter_mut().enumerate() {
            *score += match shooter {
                None => taken[p],
                Some(shooter) if shooter == p => 0,
                Some(_) => self.total,
            };
        }
        let over = s.scores.iter().any(|&score| score >= self.to);
        *s = State {
            scores: s.scores,
            rounds: s.rounds + 1,
            phase: if over { Phase::Over } else { Phase::Deal },
            ..START
        };
    }

    /// Plays the rest of a round at random.
    #[inline]
    fn finish(&self, s: &mut State, rng: &mut Rng) {
        let mut tricks = [Cards::NONE; SEATS];
        self.tricks.play_out(&mut s.round, Cards::NONE, rng, |p, trick| tricks[p.index()] |= trick);
        let mut taken = s.taken;
        for (taken, tricks) in taken.iter_mut().zip(tricks) {
            *taken += points(tricks);
        }
        self.score(s, taken);
    }
}

const START: State = State {
    round: Round::EMPTY,
    passed: Cards::NONE,
    taken: [0; SEATS],
    scores: [0; SEATS],
    rounds: 0,
    phase: Phase::Deal,
};

/// The first word of an observation that is not of a played card.
mod seen {
    pub(super) const DEAL: u64 = 0;
    pub(super) const CHOICE: u64 = 1;
    pub(super) const PASS: u64 = 2;
    /// From here on: who plays, times 64, and the card.
    pub(super) const PLAY: u64 = 64;
}

impl Rules for Hearts {
    type State = State;
    type Action = Action;
    type Outcome = Deal;

    fn facts(&self) -> Facts {
        let rounds = self.players as u32 * (u32::from(self.to) - 1) / u32::from(self.total) + 1;
        let most = f64::from(self.to) - 1.0 + f64::from(self.total);
        Facts {
            players: self.players,
            hidden: true,
            hidden_moves: self.pass > 0 && self.hand > 1,
            chance: if self.is_listed() { Chance::Listed } else { Chance::Sampled },
            simultaneous: self.pass > 0,
            utility: match self.reward {
                Reward::Places => Utility::ConstantSum,
                Reward::Points => Utility::General,
            },
            utility_bounds: match self.reward {
                Reward::Places => (0.0, 1.0),
                Reward::Points => (0.0, most),
            },
            max_length: rounds * (1 + self.pass + self.deck.len()) as u32,
        }
    }

    fn start(&self) -> State {
        START
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Deal => Turn::Chance,
            Phase::Pass(_) => Turn::Simultaneous(Players::first(self.players)),
            Phase::Play => Turn::Player(self.tricks.to_play(&s.round)),
            Phase::Over => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let legal = self.legal(s, who).iter();
        match s.phase {
            Phase::Pass(_) => out.extend(legal.map(Action::Pass)),
            _ => out.extend(legal.map(Action::Play)),
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
        match step {
            Step::Chance(deal) => self.deal(s, deal),
            Step::Moves(&[(p, Action::Play(card))]) => self.play(s, p, card),
            Step::Moves(moves) => self.choose(s, moves),
        }
    }

    #[inline]
    fn rewards(&self, s: &State) -> Rewards {
        let scores = &s.scores[..self.players];
        Rewards::from_fn(self.players, |p| {
            let own = scores[p.index()];
            if self.reward == Reward::Points {
                return f64::from(self.to) - 1.0 + f64::from(self.total) - f64::from(own);
            }
            // Players with the same score share the rewards of their places.
            let better = scores.iter().filter(|&&score| score < own).count();
            let equal = scores.iter().filter(|&&score| score == own).count();
            let first = if better == 0 { 0.5 } else { 0.0 };
            let last = if better + equal == self.players { 0.5 } else { 0.0 };
            0.5 + (first - last) / equal as f64
        })
    }

    #[inline]
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let moves = match (step, by) {
            (Step::Chance(deal), Observer::Seat(p)) => {
                return Some(Observation::words(&[seen::DEAL, deal.hands()[p.index()].bits()]));
            }
            (Step::Chance(_), Observer::Public) => return Some(Observation::word(seen::DEAL)),
            (Step::Moves(moves), _) => moves,
        };
        let Phase::Pass(chosen) = before.phase else {
            let (who, action) = step.single();
            return (!by.is(who)).then(|| self.seen_play(who, action));
        };
        let last = usize::from(chosen) + 1 == self.pass;
        match by.seat() {
            None => Some(Observation::word(if last { seen::PASS } else { seen::CHOICE })),
            Some(_) if !last => None,
            Some(to) => {
                let from = moves.iter().find(|(p, _)| self.receiver(before.rounds, *p) == to)?;
                let (Action::Play(card) | Action::Pass(card)) = from.1;
                let received = before.round.held[from.0] & before.passed | card.alone();
                Some(Observation::words(&[seen::PASS, received.bits()]))
            }
        }
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        match action {
            Action::Play(card) => card.number() as u64,
            Action::Pass(card) => (Card::COUNT + card.number()) as u64,
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for Hearts {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Play(card) => card.to_string(),
            Action::Pass(card) => format!("pass-{card}"),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        match name.strip_prefix("pass-") {
            Some(card) => Card::parse(card).map(Action::Pass),
            None => Card::parse(name).map(Action::Play),
        }
    }

    fn outcome_name(&self, deal: &Deal) -> String {
        deal.name()
    }

    fn parse_outcome(&self, name: &str) -> Option<Deal> {
        Deal::parse(name)
    }

    fn explain(&self, seen: &Observation, _by: Observer) -> String {
        let cards = seen.as_words().get(1).map(|&bits| Cards::from_bits(bits).painted());
        match (seen.first(), cards) {
            (seen::DEAL, Some(cards)) => format!("you are dealt {cards}"),
            (seen::DEAL, None) => "the cards are dealt".to_string(),
            (seen::CHOICE, _) => "everybody chooses a card to pass".to_string(),
            (seen::PASS, Some(cards)) => format!("you are passed {cards}"),
            (seen::PASS, None) => "the chosen cards are passed".to_string(),
            (word, _) => match Card::numbered(word % seen::PLAY) {
                Some(card) => format!("player {} plays {}", (word / seen::PLAY).max(1) - 1, card.painted()),
                None => seen.to_string(),
            },
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s, Observer::Public, true)
    }
}

impl FastPlay for Hearts {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        match Card::numbered(code) {
            Some(card) => Action::Play(card),
            None => Action::Pass(Card::numbered(code - Card::COUNT as u64).expect("a code of this game")),
        }
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let card = self.legal(s, who).random(rng);
        if matches!(s.phase, Phase::Pass(_)) { Action::Pass(card) } else { Action::Play(card) }
    }

    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        if let Phase::Pass(chosen) = s.phase {
            for p in self.seats() {
                let rest = self.legal(s, p).random_subset(self.pass - usize::from(chosen), rng);
                s.passed |= rest;
            }
            self.exchange(s);
        }
        if s.phase == Phase::Play {
            self.finish(s, rng);
        }
        // Passing at random makes no difference to hands that were dealt at random.
        while s.phase == Phase::Deal {
            match self.database {
                Some(variant) if s.rounds > 0 => {
                    let mut taken = *rng.pick(rounds::database(self, variant));
                    rng.shuffle(&mut taken);
                    self.score(s, taken);
                }
                _ => {
                    let deal = self.sample_chance(s, rng);
                    self.deal(s, &deal);
                    s.phase = Phase::Play;
                    self.finish(s, rng);
                }
            }
        }
        self.rewards(s)
    }

    /// A card that is played.
    #[inline]
    fn seen_by_all(&self, before: &State, step: Step<'_, Self>) -> Option<Observation> {
        match step {
            Step::Moves(&[(who, action)]) if before.phase == Phase::Play => Some(self.seen_play(who, action)),
            _ => None,
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(if self.pass > 0 { 2 * Card::COUNT } else { Card::COUNT })
    }
}

impl Episodes<Hearts> for Hearts {
    /// The deal of a new round, or whoever leads to a trick (Whitehouse 2014, §8.3.2).
    fn episode(&self, s: &State) -> Option<u32> {
        match s.phase {
            Phase::Deal => Some(0),
            Phase::Play if s.round.trick.is_empty() => Some(1 + u32::from(self.tricks.to_play(&s.round).0)),
            _ => None,
        }
    }

    /// In play: how many cards are in the trick, whether hearts are broken, and where the queen of spades is: played,
    /// in this trick, or in the player's hand.
    fn features(&self, s: &State, by: Player, out: &mut Vec<u32>) {
        if s.phase != Phase::Play {
            return;
        }
        const BROKEN: u32 = SEATS as u32;
        out.push(s.round.trick.len() as u32);
        let holds = [
            !(s.round.played & Suit::Hearts.cards()).is_empty(),
            s.round.played.contains(QUEEN),
            s.round.trick.contains(QUEEN),
            s.round.hand(by).contains(QUEEN),
        ];
        out.extend((BROKEN..).zip(holds).filter_map(|(feature, holds)| holds.then_some(feature)));
    }
}

#[cfg(test)]
mod tests;
