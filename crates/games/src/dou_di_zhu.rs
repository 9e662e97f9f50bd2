//! Dou Di Zhu, "fight the landlord": one against two who may not look at each other's cards.
//!
//! Of 54 cards the landlord gets 20 and leads, the two peasants get 17 each. Who leads plays any group of cards
//! (`groups`): one to three of a rank, runs of these, trios and four of a rank with kickers, bombs, the nuke. In
//! turn the others pass or play a higher group of the same kind and length; a bomb beats everything but higher
//! bombs and the nuke, and nothing beats the nuke. After two passes the third player leads again. The game ends
//! when somebody has no cards left: the landlord wins alone, the peasants win together. Suits do not matter, and
//! ranks go from three up to ace, two, black joker, red joker. Rules: Whitehouse 2014, §4.2.1.
//!
//! A group with kickers is played in two decisions: first the group, then the kickers that go with it, which must
//! be of different ranks. As in the source the first player is the landlord by default. With `bidding=yes` three
//! cards stay face down while everybody, once and in turn, passes or bids 1, 2 or 3, more than those before; the
//! highest bidder becomes landlord and takes them, the first player if nobody bids. `extra=shown` turns these
//! three cards up for all to see.
//!
//! How likely hidden hands are is a parameter, see [`crate::mini_dou_di_zhu`]; `worlds` draws them.

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Game, InfoExtras, Notation,
    Observation, Observer, Param, Params, Player, Rewards, Rng, Rules, Scene, Scratch, Step, Turn, Utility,
    Witnessed, random_step,
};
use serde::{Deserialize, Serialize};

use crate::mini_dou_di_zhu::Worlds;
use crate::ranks::{Cards, binomial};
use crate::reward::Reward;
use crate::words::{self, does, joined};

mod action;
mod groups;
mod kickers;
mod scene;
mod tensors;
#[cfg(test)]
mod tests;
mod worlds;

pub use action::Action;
use groups::{BLACK_JOKER, LETTERS, each_beating, each_lead, random_answer, random_lead};
pub use groups::{Class, Group, Kickers};
use kickers::{each_subset, gather, random_kickers};
use scene::Seen;
pub use worlds::Sampler;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "dou-di-zhu",
    summary: "The Chinese climbing game of a landlord against two peasants who cannot see each other's cards",
    source: "Whitehouse 2014, 4.2.1; ismcts 4.1",
    params: &[
        Param::new(
            "ranks",
            "13",
            Domain::Integer(2, 13),
            "ranks below the jokers, 2 to 13; the lowest are left out",
        ),
        Param::new("copies", "4", Domain::Integer(1, 4), "cards of each of these ranks, 1 to 4"),
        Param::new("jokers", "yes", Domain::Flag, "yes, or no: play without the two jokers"),
        Param::new(
            "hand",
            "17",
            Domain::Integer(0, 54),
            "cards of a peasant; the landlord gets the rest, 20 at most",
        ),
        Param::new("bidding", "no", Domain::Flag, "no, or yes: the highest bidder becomes landlord"),
        Param::new(
            "extra",
            "hidden",
            Domain::Choice(&["shown", "hidden"]),
            "shown, if all see what the landlord gets more, or hidden",
        ),
        Worlds::PARAM,
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "ranks=2,copies=3,hand=2",
};

const PLAYERS: usize = 3;
/// A landlord's hand has at most so many cards.
const LARGEST_HAND: u32 = 20;
/// The deals of packs of at most so many cards are listed.
const LISTED: u32 = 9;
const HIGHEST_BID: u8 = 3;

/// The rules.
#[derive(Clone, Debug)]
pub struct DouDiZhu {
    deck: Cards,
    hand: u32,
    /// How many cards the landlord gets more than a peasant.
    extra: u32,
    bidding: bool,
    shown: bool,
    worlds: Worlds,
    reward: Reward,
}

impl DouDiZhu {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<DouDiZhu, BadSpec> {
        let (ranks, copies) = (params.number::<u32>("ranks")?, params.number("copies")?);
        let jokers: u32 = if params.flag("jokers")? { 2 } else { 0 };
        let deck = (BLACK_JOKER - ranks..BLACK_JOKER).map(|r| Cards::of(r, copies));
        let deck = deck.chain((BLACK_JOKER..BLACK_JOKER + jokers).map(|r| Cards::of(r, 1)));
        let deck = deck.fold(Cards::NONE, Cards::with);
        let most = deck.len() / 3;
        let fewest = deck.len().saturating_sub(LARGEST_HAND).div_ceil(2).max(1);
        if most < fewest {
            return Err(params.bad("ranks", "at least three cards in the pack"));
        }
        let hand = params.number_within("hand", fewest..=most)?;
        Ok(DouDiZhu {
            deck,
            hand,
            extra: deck.len() - 3 * hand,
            bidding: params.flag("bidding")?,
            shown: params.choice("extra", &[true, false])?,
            worlds: Worlds::from_params(params)?,
            reward: Reward::from_params(params)?,
        })
    }

    /// Whether the cards that the landlord gets more are dealt apart.
    fn is_extra_apart(&self) -> bool {
        self.bidding || self.shown
    }

    /// The sizes of the hands and of what is dealt apart.
    fn sizes(&self) -> [u32; 4] {
        match self.is_extra_apart() {
            true => [self.hand, self.hand, self.hand, self.extra],
            false => [self.hand + self.extra, self.hand, self.hand, 0],
        }
    }
}

/// The hands and, where they are dealt apart, the cards that the landlord gets more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Deal {
    hands: [Cards; 3],
    extra: Cards,
}

/// How far the game has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    /// Cards are to be dealt.
    Deal,
    /// The landlord is being found: the highest bid so far, and whose it is.
    Bidding(u8, Player),
    /// The player to move leads, answers or passes.
    Play,
    /// The player to move chooses the kickers of the group it has just played.
    Kickers,
    /// The player who was to move has no cards left.
    Over,
}

/// Everything: who holds what, who has played what, and what is to be beaten.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    hands: [Cards; 3],
    played: [Cards; 3],
    /// The cards dealt apart: until the landlord takes them, and from then on if they are shown.
    extra: Cards,
    /// The group to beat, or that kickers are chosen for.
    top: Group,
    mover: Player,
    landlord: Player,
    passes: u8,
    phase: Phase,
}

/// What an observer knows: its own hand, if it has one, and all that happens openly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    by: Observer,
    hand: Cards,
    played: [Cards; 3],
    left: [u8; 3],
    /// The cards that the landlord got more, once and if they are shown.
    extra: Cards,
    top: Group,
    mover: Player,
    landlord: Player,
    passes: u8,
    phase: Phase,
}

fn next(p: Player) -> Player {
    Player(if p.0 == 2 { 0 } else { p.0 + 1 })
}

impl DouDiZhu {
    /// The landlord is found.
    fn begin(&self, s: &mut State, landlord: Player) {
        let hand = &mut s.hands[landlord.index()];
        *hand = hand.with(s.extra);
        if !self.shown {
            s.extra = Cards::NONE;
        }
        s.landlord = landlord;
        s.mover = landlord;
        s.phase = Phase::Play;
    }

    fn bid(&self, s: &mut State, bid: Option<u8>) {
        let Phase::Bidding(highest, by) = s.phase else { return };
        let (highest, by) = bid.map_or((highest, by), |bid| (bid, s.mover));
        if highest == HIGHEST_BID || s.mover == Player(2) {
            self.begin(s, by);
        } else {
            s.phase = Phase::Bidding(highest, by);
            s.mover = next(s.mover);
        }
    }

    #[inline]
    fn pass(&self, s: &mut State) {
        s.passes += 1;
        if s.passes == 2 {
            s.passes = 0;
            s.top = Group::NONE;
        }
        s.mover = next(s.mover);
    }

    #[inline]
    fn play(&self, s: &mut State, cards: Cards, kickers_follow: bool) {
        let me = s.mover.index();
        s.hands[me] = s.hands[me].without(cards);
        s.played[me] = s.played[me].with(cards);
        if kickers_follow {
            s.phase = Phase::Kickers;
        } else if s.hands[me].is_empty() {
            s.phase = Phase::Over;
        } else {
            s.phase = Phase::Play;
            s.mover = next(s.mover);
        }
    }
}

impl Rules for DouDiZhu {
    type State = State;
    type Action = Action;
    type Outcome = Deal;

    fn facts(&self) -> Facts {
        Facts {
            players: PLAYERS,
            hidden: true,
            hidden_moves: false,
            chance: if self.deck.len() <= LISTED { Chance::Listed } else { Chance::Sampled },
            simultaneous: false,
            utility: Utility::General,
            utility_bounds: self.reward.range(),
            // A play takes no more steps than it has cards, and two may pass it.
            max_length: 1 + if self.bidding { 3 } else { 0 } + 3 * (self.deck.len() - 2),
        }
    }

    fn start(&self) -> State {
        State {
            hands: [Cards::NONE; 3],
            played: [Cards::NONE; 3],
            extra: Cards::NONE,
            top: Group::NONE,
            mover: Player(0),
            landlord: Player(0),
            passes: 0,
            phase: Phase::Deal,
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Deal => Turn::Chance,
            Phase::Over => Turn::Terminal,
            Phase::Bidding(..) | Phase::Play | Phase::Kickers => Turn::Player(s.mover),
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        let hand = s.hands[who.index()];
        match s.phase {
            Phase::Deal | Phase::Over => {}
            Phase::Bidding(highest, _) => {
                out.push(Action::PASS);
                out.extend((highest + 1..=HIGHEST_BID).map(|bid| Action::Bid(bid.into())));
            }
            Phase::Play if s.top == Group::NONE => each_lead(hand, |group| out.push(Action::Play(group))),
            Phase::Play => {
                out.push(Action::PASS);
                each_beating(hand, s.top, |group| out.push(Action::Play(group)));
            }
            Phase::Kickers => {
                let kickers = Action::kickers_of(s.top);
                let ranks = gather(s.top.kicker_ranks(hand));
                each_subset(ranks, s.top.kickers(), |set| out.push(kickers(set)));
            }
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Deal, f64)>) {
        if s.phase != Phase::Deal || self.deck.len() > LISTED {
            return;
        }
        let from = out.len();
        let [first, second, third, _] = self.sizes();
        for a in self.deck.choices(first) {
            let rest = self.deck.without(a);
            for b in rest.choices(second) {
                let rest = rest.without(b);
                for c in rest.choices(third) {
                    out.push((Deal { hands: [a, b, c], extra: rest.without(c) }, self.ways([a, b, c])));
                }
            }
        }
        let whole: f64 = out[from..].iter().map(|o| o.1).sum();
        out[from..].iter_mut().for_each(|o| o.1 /= whole);
    }

    fn sample_chance(&self, _s: &State, rng: &mut Rng) -> Deal {
        let [_, second, third, extra] = self.sizes();
        let b = self.deck.draw(second, rng);
        let rest = self.deck.without(b);
        let c = rest.draw(third, rng);
        let rest = rest.without(c);
        let extra = if extra == 0 { Cards::NONE } else { rest.draw(extra, rng) };
        Deal { hands: [rest.without(extra), b, c], extra }
    }

    fn is_possible(&self, s: &State, deal: &Deal) -> bool {
        let Deal { hands: [a, b, c], extra } = *deal;
        let count = |rank| [a, b, c, extra].iter().map(|pile| pile.count(rank)).sum::<u32>();
        s.phase == Phase::Deal
            && [a.len(), b.len(), c.len(), extra.len()] == self.sizes()
            && (0..16).all(|rank| count(rank) == self.deck.count(rank))
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let action = match step {
            Step::Chance(deal) => {
                s.hands = deal.hands;
                s.extra = deal.extra;
                match self.bidding {
                    true => s.phase = Phase::Bidding(0, Player(0)),
                    false => self.begin(s, Player(0)),
                }
                return;
            }
            Step::Moves(moves) => moves[0].1,
        };
        match action {
            Action::PASS if s.phase == Phase::Play => self.pass(s),
            Action::PASS => self.bid(s, None),
            Action::Bid(bid) => self.bid(s, Some(bid as u8)),
            Action::Play(group) => {
                s.top = group;
                s.passes = 0;
                self.play(s, group.cards(), group.kickers() > 0);
            }
            Action::Solos(_) | Action::Pairs(_) => self.play(s, action.kickers(), false),
        }
    }

    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let (who, action) = match step {
            Step::Chance(deal) => {
                let own = by.seat().map_or(Cards::NONE, |p| deal.hands[p.index()]);
                // Without bidding the landlord takes what is shown at once.
                let extra = if self.shown && !self.bidding { deal.extra } else { Cards::NONE };
                return Some(Observation::words(&[Action::CODES, own.bits(), extra.bits()]));
            }
            Step::Moves(moves) => moves[0],
        };
        let code = self.code(action);
        if let Phase::Bidding(..) = before.phase {
            let mut after = *before;
            self.apply(&mut after, step);
            let found = after.phase == Phase::Play;
            if found && (self.shown || by.is(after.landlord)) {
                return Some(Observation::words(&[code, before.extra.bits()]));
            }
        }
        (!by.is(who)).then(|| Observation::word(code))
    }

    fn rewards(&self, s: &State) -> Rewards {
        let (low, high) = self.reward.range();
        let landlord_won = s.mover == s.landlord;
        Rewards::from_fn(PLAYERS, |p| if (p == s.landlord) == landlord_won { high } else { low })
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        action.code()
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), ..Extras::NONE }
    }
}

impl Notation for DouDiZhu {
    fn action_name(&self, action: Action) -> String {
        action.name()
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        Action::parse(name)
    }

    fn outcome_name(&self, deal: &Deal) -> String {
        let [a, b, c] = deal.hands.map(|hand| hand.text(LETTERS));
        format!("{a}/{b}/{c}/{}", deal.extra.text(LETTERS))
    }

    fn parse_outcome(&self, name: &str) -> Option<Deal> {
        let mut piles = name.split('/').map(|pile| Cards::parse(pile, LETTERS));
        let mut pile = || piles.next().flatten();
        let deal = Deal { hands: [pile()?, pile()?, pile()?], extra: pile()? };
        piles.next().is_none().then_some(deal)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let text = |bits: u64| Cards::from_bits(bits).unwrap_or_default().text(LETTERS);
        match *seen.as_words() {
            [Action::CODES, hand, extra] => {
                let dealt = match by {
                    Observer::Seat(_) => format!("you are dealt {}", text(hand)),
                    Observer::Public => "cards are dealt".to_string(),
                };
                if extra == 0 { dealt } else { format!("{dealt}; player 0 takes {}", text(extra)) }
            }
            [code] => Action::told(code),
            [code, extra] => format!("{}; the landlord takes {}", Action::told(code), text(extra)),
            _ => seen.to_string(),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(&Seen::whole(s, self.info(s, Observer::Public)))
    }

    fn role(&self, s: &State, seat: Player) -> String {
        let role = match s.phase {
            Phase::Bidding(..) | Phase::Deal if self.bidding => "bidder",
            _ if seat == s.landlord => "landlord",
            _ => "peasants",
        };
        role.to_string()
    }
}

impl FastPlay for DouDiZhu {
    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Action {
        let hand = s.hands[who.index()];
        match s.phase {
            Phase::Play if s.top == Group::NONE => Action::Play(random_lead(hand, rng)),
            Phase::Play => random_answer(hand, s.top, rng).map_or(Action::PASS, Action::Play),
            Phase::Kickers => Action::kickers_of(s.top)(gather(random_kickers(hand, s.top, rng))),
            Phase::Deal | Phase::Bidding(..) | Phase::Over => {
                scratch.actions.clear();
                self.actions(s, who, &mut scratch.actions);
                *rng.pick(&scratch.actions)
            }
        }
    }

    fn playout(&self, s: &mut State, rng: &mut Rng, scratch: &mut Scratch<Self>) -> Rewards {
        while !matches!(s.phase, Phase::Play | Phase::Over) {
            random_step(self, s, rng, scratch);
        }
        while s.phase != Phase::Over {
            let hand = s.hands[s.mover.index()];
            let group = match s.top {
                Group::NONE => random_lead(hand, rng),
                top => match random_answer(hand, top, rng) {
                    Some(group) => group,
                    None => {
                        self.pass(s);
                        continue;
                    }
                },
            };
            s.top = group;
            s.passes = 0;
            let mut cards = group.cards();
            if group.kickers() > 0 {
                let kickers = random_kickers(hand.without(cards), group, rng);
                cards = cards.with(Cards::of_each(kickers, group.kicker_width()));
            }
            self.play(s, cards, false);
        }
        self.rewards(s)
    }

    /// All that is played, and passes.
    #[inline]
    fn seen_by_all(&self, before: &State, step: Step<'_, Self>) -> Option<Observation> {
        match (step, before.phase) {
            (Step::Moves(&[(_, action)]), Phase::Play | Phase::Kickers) => {
                Some(Observation::word(self.code(action)))
            }
            _ => None,
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(Action::CODES as usize)
    }
}

impl Episodes<DouDiZhu> for DouDiZhu {
    /// An episode begins wherever somebody leads (Whitehouse 2014, §8.3.2).
    fn episode(&self, s: &State) -> Option<u32> {
        (s.phase == Phase::Play && s.top == Group::NONE).then_some(s.mover.0.into())
    }

    /// Whether somebody is to lead, or else whose group is on top: that of the player to move, or of one before it;
    /// and how many cards each player has left.
    fn features(&self, s: &State, _by: Player, out: &mut Vec<u32>) {
        const CONTROL: u32 = 4;
        out.push(match s.phase {
            Phase::Deal | Phase::Bidding(..) | Phase::Over => return,
            Phase::Play if s.top == Group::NONE => 0,
            Phase::Kickers => 1,
            Phase::Play => 2 + u32::from(s.passes.min(1)),
        });
        out.extend((0..).zip(s.hands).map(|(p, hand)| CONTROL + 64 * p + hand.len().min(63)));
    }
}

impl DouDiZhu {
    /// In how many ways the single cards of the pack fall into these hands and a rest.
    fn ways(&self, [a, b, c]: [Cards; 3]) -> f64 {
        let rest = self.deck.without(a).without(b);
        let last: f64 = (0..16).map(|r| binomial(rest.count(r), c.count(r))).product();
        self.deck.ways([a, b]) * last
    }
}

impl Game for DouDiZhu {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        let apart = matches!(s.phase, Phase::Bidding(..));
        Info {
            by,
            hand: by.seat().map_or(Cards::NONE, |p| s.hands[p.index()]),
            played: s.played,
            left: s.hands.map(|hand| hand.len() as u8),
            extra: if apart { Cards::NONE } else { s.extra },
            top: s.top,
            mover: s.mover,
            landlord: s.landlord,
            passes: s.passes,
            phase: s.phase,
        }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        Sampler::new(self, k)
    }

    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        from.draw(rng, into)
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn(&Seen::known(k))
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        self.touched(k, action)
    }

    fn tell(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        let (before, after) = (step.before, step.after);
        let who = match before.phase {
            Phase::Deal => String::new(),
            _ => format!("{} ", words::name(before.mover, step.by)),
        };
        let words = step.words.map(|words| who + &words);
        let playing = before.phase == Phase::Play && after.phase == Phase::Play;
        let free = (playing && before.top != Group::NONE && after.top == Group::NONE)
            .then(|| format!("{} to a new round", does(after.mover, step.by, "leads")));
        let over = (after.phase == Phase::Over)
            .then(|| format!("{} out of cards", does(after.mover, step.by, "runs")));
        joined([words, free, over])
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}
