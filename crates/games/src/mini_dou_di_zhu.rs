//! Mini Dou Di Zhu: a duel with seven cards each, small enough to be searched through.
//!
//! Four ranks of four cards and two different jokers, which rank above them; each of two players gets seven
//! cards and four are laid aside unseen. The first player leads one to four cards of one rank. The other plays
//! as many of a higher rank or passes, and so on in turn; after a pass the player who has not passed leads
//! again. Who leads may not pass. Who gets rid of all cards first wins. Four cards of a rank are no bomb, nor
//! are both jokers together. Rules: Whitehouse 2014, §4.2.2; there are 8832 different deals, at most 66 states
//! look the same to a player, and if all cards were open the first player would win 70.7 % of the games.
//!
//! Suits do not matter, so hands are numbers of cards of each rank and a deal is as likely as it has ways to
//! come about. `worlds` says what this means for a player's idea of the other's hand: with `deal` it is as
//! likely as the deal that led to it, with `shuffle` all unseen single cards are dealt anew, as the source
//! does it. The two differ because a player who has played one of two kings was dealt both of them more rarely
//! than a fresh shuffle of the rest would have it.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Facts, FastPlay, Game, InfoExtras, Notation, Observation, Observer,
    Param, Params, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Turn,
};
use serde::{Deserialize, Serialize};

use crate::ranks::{Cards, count_ranks, nth_rank};
use crate::reward::Reward;
use crate::words::mover;

mod scene;
mod tensors;

use scene::Seen;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "mini-dou-di-zhu",
    summary: "A climbing duel with seven cards each and four unseen, small enough for exact search",
    source: "Whitehouse 2014, 4.2.2; ismcts 4.2",
    params: &[
        Param::new("ranks", "4", Domain::Integer(1, 4), "ranks below the jokers, 1 to 4"),
        Param::new("copies", "4", Domain::Integer(1, 4), "cards of each of these ranks, 1 to 4"),
        Param::new("jokers", "2", Domain::Integer(0, 2), "jokers, each a rank of its own, 0 to 2"),
        Param::new("hand", "7", Domain::Integer(1, 9), "cards each player gets; the rest is laid aside"),
        Worlds::PARAM,
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "ranks=2,copies=2,jokers=1,hand=2",
};

/// How likely the states are that a player cannot tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worlds {
    /// As likely as the deal that led to them.
    Deal,
    /// As likely as a deal of the cards not seen so far.
    Shuffle,
}

impl Worlds {
    /// The parameter by which a game lets one choose.
    pub const PARAM: Param = Param::new(
        "worlds",
        "deal",
        Domain::Choice(&["deal", "shuffle"]),
        "how likely hidden hands are: deal is as dealt, shuffle is unseen cards dealt anew",
    );

    /// What the parameter asks for.
    pub fn from_params(params: &Params) -> Result<Worlds, BadSpec> {
        params.choice("worlds", &[Worlds::Deal, Worlds::Shuffle])
    }
}

/// The letters of the ranks.
const LETTERS: &str = "JQKABR";
const RANKS: u32 = 6;
const JOKERS: u32 = 4;

/// The rules, with the list of all deals.
#[derive(Clone, Debug)]
pub struct MiniDouDiZhu {
    deck: Cards,
    hand: u32,
    worlds: Worlds,
    reward: Reward,
    deals: Vec<Deal>,
    /// The probability of each deal and all before it.
    reach: Vec<f64>,
}

impl MiniDouDiZhu {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<MiniDouDiZhu, BadSpec> {
        let (ranks, copies) = (params.number("ranks")?, params.number("copies")?);
        let jokers: u32 = params.number("jokers")?;
        let deck = (0..ranks).map(|r| Cards::of(r, copies));
        let deck = deck.chain((JOKERS..JOKERS + jokers).map(|r| Cards::of(r, 1)));
        let deck = deck.fold(Cards::NONE, Cards::with);
        if deck.len() < 2 {
            return Err(params.bad("copies", "at least two cards in the pack"));
        }
        let hand = params.number_within("hand", 1..=deck.len() / 2)?;
        let mut deals = Vec::new();
        for first in deck.choices(hand) {
            deals.extend(deck.without(first).choices(hand).into_iter().map(|second| Deal([first, second])));
        }
        let mut reach: Vec<f64> = Vec::with_capacity(deals.len());
        let mut ways = 0.0;
        for deal in &deals {
            ways += deck.ways(deal.0);
            reach.push(ways);
        }
        reach.iter_mut().for_each(|r| *r /= ways);
        Ok(MiniDouDiZhu {
            deck,
            hand,
            worlds: Worlds::from_params(params)?,
            reward: Reward::from_params(params)?,
            deals,
            reach,
        })
    }

    /// Every deal.
    pub fn deals(&self) -> &[Deal] {
        &self.deals
    }

    /// The probability of a deal.
    pub fn probability(&self, deal: &Deal) -> f64 {
        let i = self.deals.binary_search(deal);
        i.map_or(0.0, |i| self.reach[i] - if i > 0 { self.reach[i - 1] } else { 0.0 })
    }
}

/// The hands of both players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Deal(pub [Cards; 2]);

/// Passing, or playing so many cards of one rank. Fewer cards come first, then lower ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Action(u8);

impl Action {
    /// Passing; as the play to beat: none, the player to move leads.
    pub const PASS: Action = Action(0);
    const ALL: u32 = 1 + 4 * RANKS;

    const fn play(rank: u32, count: u32) -> Action {
        Action((1 + (count - 1) * RANKS + rank) as u8)
    }

    fn is_pass(self) -> bool {
        self == Action::PASS
    }

    fn rank(self) -> u32 {
        (u32::from(self.0) - 1) % RANKS
    }

    fn count(self) -> u32 {
        u32::from(self.0).div_ceil(RANKS)
    }

    fn cards(self) -> Cards {
        if self.is_pass() { Cards::NONE } else { Cards::of(self.rank(), self.count()) }
    }
}

/// Everything: the hands, what was played, and what is to be beaten.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    hands: [Cards; 2],
    /// What each player has played. Where it does not matter who played what ([`Worlds::Shuffle`]), all of it
    /// is put down to the first.
    played: [Cards; 2],
    mover: Player,
    /// The play to beat.
    top: Action,
    dealt: bool,
}

impl State {
    /// The cards of both players, the play to beat and the player to move: all that matters once nothing is
    /// hidden.
    pub fn open(&self) -> ([Cards; 2], Action, Player) {
        (self.hands, self.top, self.mover)
    }
}

/// What an observer knows: its own cards and those played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    hand: Cards,
    played: [Cards; 2],
    left: [u8; 2],
    mover: Player,
    top: Action,
    dealt: bool,
}

impl MiniDouDiZhu {
    /// The ranks that may be played in so many cards, as bits `4 * rank`.
    fn playable(hand: Cards, count: u32, top: Action) -> u64 {
        match top.count() {
            0 => hand.at_least(count),
            n if n == count => hand.at_least(count) & (u64::MAX << (4 * (top.rank() + 1))),
            _ => 0,
        }
    }
}

impl Rules for MiniDouDiZhu {
    type State = State;
    type Action = Action;
    type Outcome = Deal;

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            hidden: self.is_hidden(),
            hidden_moves: false,
            chance: Chance::Listed,
            simultaneous: false,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            // The winner plays all its cards, the other keeps one; every play but the last may be passed.
            max_length: 4 * self.hand - 2,
        }
    }

    fn start(&self) -> State {
        State {
            hands: [Cards::NONE; 2],
            played: [Cards::NONE; 2],
            mover: Player(0),
            top: Action::PASS,
            dealt: false,
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if !s.dealt {
            Turn::Chance
        } else if s.hands.iter().any(|h| h.is_empty()) {
            Turn::Terminal
        } else {
            Turn::Player(s.mover)
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        if !s.top.is_pass() {
            out.push(Action::PASS);
        }
        for count in 1..=4 {
            let mut ranks = MiniDouDiZhu::playable(s.hands[who.index()], count, s.top);
            while ranks != 0 {
                out.push(Action::play(ranks.trailing_zeros() / 4, count));
                ranks &= ranks - 1;
            }
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Deal, f64)>) {
        if !s.dealt {
            out.extend(self.deals.iter().map(|&deal| (deal, self.probability(&deal))));
        }
    }

    fn sample_chance(&self, _s: &State, rng: &mut Rng) -> Deal {
        self.deals[draw(&self.reach, rng)]
    }

    fn is_possible(&self, s: &State, deal: &Deal) -> bool {
        !s.dealt && self.deals.binary_search(deal).is_ok()
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let (who, action) = match step {
            Step::Chance(deal) => {
                s.hands = deal.0;
                s.dealt = true;
                return;
            }
            Step::Moves(moves) => moves[0],
        };
        let cards = action.cards();
        let owner = if self.worlds == Worlds::Deal { who.index() } else { 0 };
        s.hands[who.index()] = s.hands[who.index()].without(cards);
        s.played[owner] = s.played[owner].with(cards);
        s.top = action;
        s.mover = who.other();
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(deal) => {
                let own = by.seat().map_or(Cards::NONE, |p| deal.0[p.index()]);
                Some(Observation::words(&[Action::ALL.into(), own.bits()]))
            }
            Step::Moves(&[(who, _), ..]) if by.is(who) => None,
            Step::Moves(_) => Some(Observation::word(self.code(step.single().1))),
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.reward.of(Some(Player(u8::from(!s.hands[0].is_empty()))))
    }

    fn code(&self, action: Action) -> u64 {
        action.0.into()
    }
}

impl Notation for MiniDouDiZhu {
    fn action_name(&self, action: Action) -> String {
        if action.is_pass() { "pass".to_string() } else { action.cards().text(LETTERS) }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        if name == "pass" {
            return Some(Action::PASS);
        }
        let cards = Cards::parse(name, LETTERS)?;
        let rank = (0..RANKS).find(|&r| cards.count(r) > 0)?;
        (cards.count(rank) == cards.len()).then(|| Action::play(rank, cards.len()))
    }

    fn outcome_name(&self, deal: &Deal) -> String {
        deal.0.map(|hand| hand.text(LETTERS)).join("/")
    }

    fn parse_outcome(&self, name: &str) -> Option<Deal> {
        let (first, second) = name.split_once('/')?;
        Some(Deal([Cards::parse(first, LETTERS)?, Cards::parse(second, LETTERS)?]))
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        match *seen.as_words() {
            [_, hand, ..] => match Cards::from_bits(hand) {
                Some(hand) if !hand.is_empty() => format!("you are dealt {}", hand.text(LETTERS)),
                _ => "cards are dealt".to_string(),
            },
            [code] if code < Action::ALL.into() => match Action(code as u8) {
                Action::PASS => format!("{} passes", mover(by)),
                action => format!("{} plays {}", mover(by), self.action_name(action)),
            },
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(&Seen::whole(s))
    }
}

impl FastPlay for MiniDouDiZhu {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        Action(code as u8)
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let hand = s.hands[who.index()];
        if s.top.is_pass() {
            // Of the four bits of a rank, the first stands for one card of it, the second for two, and so on.
            let bit = rng.bit_of(hand.singly());
            return Action::play(bit / 4, bit % 4 + 1);
        }
        let count = s.top.count();
        let ranks = MiniDouDiZhu::playable(hand, count, s.top);
        match rng.below(count_ranks(ranks) + 1) {
            0 => Action::PASS,
            n => Action::play(nth_rank(ranks, n - 1), count),
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(Action::ALL as usize)
    }
}

impl MiniDouDiZhu {
    /// The cards not played so far.
    fn unseen(&self, played: [Cards; 2]) -> Cards {
        self.deck.without(played[0]).without(played[1])
    }

    /// Whether some hand leaves more than one hand for the other.
    fn is_hidden(&self) -> bool {
        let same = |pair: &[Deal]| pair[0].0[0] == pair[1].0[0];
        self.deals.windows(2).any(same)
    }
}

/// The place of a number drawn between 0 and the last of rising numbers.
fn draw(reach: &[f64], rng: &mut Rng) -> usize {
    let drawn = rng.unit() * reach.last().copied().unwrap_or(0.0);
    reach.partition_point(|&r| r <= drawn).min(reach.len() - 1)
}

/// All states that look the same, and the weight of each and all before it.
#[derive(Clone, Debug)]
pub struct Sampler {
    states: Vec<State>,
    reach: Vec<f64>,
}

impl Game for MiniDouDiZhu {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        Info {
            by,
            hand: by.seat().map_or(Cards::NONE, |p| s.hands[p.index()]),
            played: s.played,
            left: s.hands.map(|hand| hand.len() as u8),
            mover: s.mover,
            top: s.top,
            dealt: s.dealt,
        }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        let mut worlds = Vec::new();
        self.enumerate(k, &mut worlds);
        let mut weight = 0.0;
        let mut add = |w: f64| {
            weight += w;
            weight
        };
        Sampler {
            reach: worlds.iter().map(|w| add(w.1)).collect(),
            states: worlds.iter().map(|w| w.0).collect(),
        }
    }

    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        *into = from.states[draw(&from.reach, rng)];
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        let mut state =
            State { hands: [k.hand; 2], played: k.played, mover: k.mover, top: k.top, dealt: k.dealt };
        let unseen = self.unseen(k.played);
        let hands = |seat: Player, left: Cards| match k.by.is(seat) {
            true => vec![k.hand],
            false => left.choices(k.left[seat.index()].into()),
        };
        // The seat's own hand is taken out before the other's is looked for.
        let [near, far] = if k.by.is(Player(1)) { [1, 0] } else { [0, 1] };
        for own in hands(Player(near), unseen) {
            for other in hands(Player(far), unseen.without(own)) {
                (state.hands[near as usize], state.hands[far as usize]) = (own, other);
                let weight = match self.worlds {
                    Worlds::Shuffle => unseen.ways(state.hands),
                    Worlds::Deal => self.deck.ways([0, 1].map(|i| state.hands[i].with(k.played[i]))),
                };
                out.push((state, weight));
            }
        }
        true
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn(&Seen::known(k))
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        self.touched(k.by, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use fogtree_core::{Purpose, Seed, random_step};

    use super::*;

    fn game(text: &str) -> MiniDouDiZhu {
        MiniDouDiZhu::from_params(&crate::testing::params(&ABOUT, text).unwrap()).unwrap()
    }

    fn dealt(game: &MiniDouDiZhu, deal: &Deal) -> State {
        let mut s = game.start();
        game.apply(&mut s, Step::Chance(deal));
        s
    }

    /// `ismcts/4.2`: 8832 deals, 268 different hands of seven cards.
    #[test]
    fn there_are_8832_deals_of_268_hands() {
        let game = game("");
        assert_eq!(game.deals().len(), 8832);
        let hands: HashSet<Cards> = game.deals().iter().map(|d| d.0[0]).collect();
        assert_eq!(hands.len(), 268);
        let whole: f64 = game.deals().iter().map(|d| game.probability(d)).sum();
        assert!((whole - 1.0).abs() < 1e-12);
        // All of one player's cards and none of another rank: 1 way in 18! / (7! 7! 4!).
        let deal = game.parse_outcome("JJJJQQQ/KKKKAAA").unwrap();
        let ways = 18.0 * 17.0 * 16.0 * 15.0 * 14.0 * 13.0 * 12.0 / 5040.0 * 330.0;
        assert!((game.probability(&deal) * ways - 4.0 * 4.0).abs() < 1e-9);
    }

    /// `ismcts/4.2`: at most 66 states in an information set.
    #[test]
    fn an_information_set_has_at_most_66_states() {
        let game = game("");
        let mut sizes: HashMap<Info, usize> = HashMap::new();
        let mut most = 0;
        for deal in game.deals() {
            let s = dealt(&game, deal);
            for by in [Player(0), Player(1)].map(Observer::Seat) {
                let known = game.info(&s, by);
                *sizes.entry(known).or_default() += 1;
                let mut worlds = Vec::new();
                game.enumerate(&known, &mut worlds);
                most = most.max(worlds.len());
            }
        }
        assert_eq!((sizes.values().copied().max(), most), (Some(66), 66));
        let mut rng = Seed(1).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        for _ in 0..300 {
            let mut s = game.start();
            while game.turn(&s) != Turn::Terminal {
                random_step(&game, &mut s, &mut rng, &mut scratch);
                for by in [Player(0), Player(1)].map(Observer::Seat) {
                    let mut worlds = Vec::new();
                    game.enumerate(&game.info(&s, by), &mut worlds);
                    assert!(worlds.len() <= 66 && worlds.iter().any(|w| w.0 == s));
                }
            }
        }
    }

    /// A player's cards, the other's, and the number and rank to beat.
    type Open = ([u8; 6], [u8; 6], Option<(u8, usize)>);

    /// Whether the player to move wins when all cards are open, on counts of six ranks and nothing else.
    fn wins(position: Open, memo: &mut HashMap<Open, bool>) -> bool {
        if let Some(&known) = memo.get(&position) {
            return known;
        }
        let (own, other, top) = position;
        let mut won = false;
        for rank in 0..6 {
            for count in 1..=own[rank] {
                if top.is_some_and(|(n, r)| n != count || r >= rank) {
                    continue;
                }
                let mut left = own;
                left[rank] -= count;
                won |= left == [0; 6] || !wins((other, left, Some((count, rank))), memo);
            }
        }
        won |= top.is_some() && !wins((other, own, None), memo);
        memo.insert(position, won);
        won
    }

    /// `ismcts/4.2`: 70.714 % of deals by probability, 72.8 % of deals counted once each.
    #[test]
    fn the_first_player_wins_70_7_percent_with_open_cards() {
        let game = game("");
        let counts = |hand: Cards| std::array::from_fn(|r| hand.count(r as u32) as u8);
        let mut memo = HashMap::new();
        let (mut weighted, mut plain) = (0.0, 0.0);
        for deal in game.deals() {
            let [first, second] = deal.0.map(counts);
            if wins((first, second, None), &mut memo) {
                weighted += game.probability(deal);
                plain += 1.0 / game.deals().len() as f64;
            }
        }
        assert!((weighted - 0.70714).abs() < 5e-6, "{weighted}");
        assert!((plain - 0.728).abs() < 5e-4, "{plain}");
    }

    /// I hold JJ, the other has played one queen and has one card left of QKK. It was dealt QQ in one way and
    /// QK in four; a shuffle of QKK gives it a king in two of three.
    #[test]
    fn worlds_weigh_as_the_parameter_says() {
        for (worlds, king) in [("deal", 4.0 / 5.0), ("shuffle", 2.0 / 3.0)] {
            let game = game(&format!("ranks=3,copies=2,jokers=0,hand=2,worlds={worlds}"));
            let mut s = dealt(&game, &game.parse_outcome("QK/JJ").unwrap());
            game.apply(&mut s, Step::Moves(&[(Player(0), Action::play(1, 1))]));
            let mut listed = Vec::new();
            game.enumerate(&game.info(&s, Observer::Seat(Player(1))), &mut listed);
            let whole: f64 = listed.iter().map(|w| w.1).sum();
            let share = listed.iter().find(|w| w.0 == s).unwrap().1 / whole;
            assert!((share - king).abs() < 1e-12, "{worlds}: {share}");
        }
    }

    #[test]
    fn bad_parameters_are_refused() {
        for text in
            ["ranks=0", "ranks=5", "copies=5", "jokers=3", "hand=10", "worlds=x", "ranks=1,copies=1,jokers=0"]
        {
            assert!(
                MiniDouDiZhu::from_params(&crate::testing::params(&ABOUT, text).unwrap()).is_err(),
                "{text}"
            );
        }
    }
}
