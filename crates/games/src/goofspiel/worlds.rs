//! The worlds that agree with a sequence of won, lost and tied bids, counted and drawn.
//!
//! Whoever saw only who won each round knows of the other's bids that they are distinct and lie below, above
//! or at certain cards. Drawing them uniformly takes the number of ways to complete a half-made choice. The
//! cards are swept from the lowest to the highest, and a pair of bids is made when the sweep meets the higher
//! of the two: one's own card takes one of the other's unpaired lower cards (a bid won), or the other's card
//! takes one of one's own lower cards (a bid lost). What lies behind the sweep then matters only through the
//! number of pairs of each kind, so a small table of counts is enough: for a seat, which knows which of its
//! cards won and lost, as for the public, which knows no more than how many of each kind there were.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use fogtree_core::Rng;

use super::sequence::Sequence;

/// Draws pairs of bid sequences.
#[derive(Clone, Default, Debug)]
pub(super) struct Worlds {
    cards: usize,
    /// One's own bids, if they are known.
    own: Option<Own>,
    /// The rounds that were lost, tied and won.
    rounds: [Sequence; 3],
    /// How far apart in `odds` places lie that differ by one pair lost, tied or won.
    strides: [usize; 3],
    /// What to do at every place of the sweep, the places before one card together.
    odds: Vec<Odds>,
    places: usize,
    /// The number of ways to make the pairs that are left at every place, beyond the last card too.
    ways: Vec<u64>,
}

/// What a seat knows of its own cards.
#[derive(Clone, Debug)]
struct Own {
    bids: Sequence,
    /// For each card what came of it and in which round.
    fates: [Option<(Ordering, u8)>; 16],
}

/// What happens to the two cards of the value that the sweep has reached: with probability `tie` they meet,
/// otherwise with probability `wins` one's own takes a lower card of the other, and the other's takes a lower
/// one of one's own with a probability of `loses[0]` or, if one's own has won, `loses[1]`.
#[derive(Clone, Copy, Default, Debug)]
struct Odds {
    tie: f64,
    wins: f64,
    loses: [f64; 2],
}

fn kind(result: Ordering) -> usize {
    (result as i8 + 1) as usize
}

const LOST: usize = 0;
const TIED: usize = 1;
const WON: usize = 2;

impl Worlds {
    /// Turns to all worlds in which the rounds had these results, own bid against the other's, and in which one's own
    /// bids were these, if they are known.
    pub(super) fn turn_to(
        &mut self,
        cards: usize,
        own: Option<Sequence>,
        results: impl Iterator<Item = Ordering> + Clone,
    ) {
        let mut rounds = [Sequence::default(); 3];
        for (round, result) in results.clone().enumerate() {
            rounds[kind(result)].push(round as u8);
        }
        let own = own.map(|bids| {
            let mut fates = [None; 16];
            for (round, (card, result)) in bids.iter().zip(results).enumerate() {
                fates[usize::from(card)] = Some((result, round as u8));
            }
            Own { bids, fates }
        });
        let [lost, tied, won] = rounds.map(|r| r.len() + 1);
        // A seat knows at every card how many of its lower ones tied and won: only losses have to be told apart.
        let (strides, places) = match own {
            Some(_) => ([1, 0, 0], lost),
            None => ([1, lost, lost * tied], lost * tied * won),
        };
        (self.cards, self.own, self.rounds) = (cards, own, rounds);
        (self.strides, self.places) = (strides, places);
        self.odds.clear();
        self.odds.resize(places * cards, Odds::default());
        self.count();
    }

    /// How many worlds there are.
    pub(super) fn len(&self) -> u64 {
        // Any pair may belong to any round with its result, unless one's own bids say to which.
        let orders = |rounds: Sequence| (1..=rounds.len() as u64).product::<u64>();
        let orders = if self.own.is_some() { 1 } else { self.rounds.map(orders).iter().product() };
        self.ways[0].saturating_mul(orders)
    }

    /// Draws the bids of oneself and of the other, all possible ones equally likely. `None` if there are none.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<[Sequence; 2]> {
        (self.ways[0] > 0).then(|| match &self.own {
            Some(own) => [own.bids, self.draw_other(own, rng)],
            None => self.draw_both(rng),
        })
    }

    fn draw_other(&self, own: &Own, rng: &mut Rng) -> Sequence {
        let mut bids = Sequence::blank(own.bids.len());
        // The other's unpaired cards below the sweep, and the lost rounds with one's own unpaired ones.
        let (mut free, mut losing) = (Sequence::default(), Sequence::default());
        let mut lost = 0;
        for card in 0..self.cards {
            let wins = match own.fates[card] {
                Some((Ordering::Equal, round)) => {
                    bids.fill(round, card as u8);
                    continue;
                }
                Some((Ordering::Greater, round)) => {
                    bids.fill(round, free.take_any(rng));
                    true
                }
                Some((Ordering::Less, _)) | None => false,
            };
            let loses = self.odds[card * self.places + lost].loses[usize::from(wins)];
            if loses > 0.0 && rng.unit() < loses {
                bids.fill(losing.take_any(rng), card as u8);
                lost += 1;
            } else {
                free.push(card as u8);
            }
            if let Some((Ordering::Less, round)) = own.fates[card] {
                losing.push(round);
            }
        }
        bids
    }

    fn draw_both(&self, rng: &mut Rng) -> [Sequence; 2] {
        let mut rounds = self.rounds;
        let length = rounds.iter().map(|r| r.len()).sum();
        let mut bids = [Sequence::blank(length); 2];
        let mut pair = |first: u8, second: u8, rng: &mut Rng| {
            let round = rounds[kind(first.cmp(&second))].take_any(rng);
            bids[0].fill(round, first);
            bids[1].fill(round, second);
        };
        let mut free = [Sequence::default(); 2];
        let mut at = 0;
        for card in 0..self.cards {
            let odds = self.odds[card * self.places + at];
            let card = card as u8;
            if rng.unit() < odds.tie {
                pair(card, card, rng);
                at += self.strides[TIED];
                continue;
            }
            let wins = rng.unit() < odds.wins;
            let loses = rng.unit() < odds.loses[usize::from(wins)];
            let lower = [loses.then(|| free[0].take_any(rng)), wins.then(|| free[1].take_any(rng))];
            match lower[1] {
                Some(second) => {
                    pair(card, second, rng);
                    at += self.strides[WON];
                }
                None => free[0].push(card),
            }
            match lower[0] {
                Some(first) => {
                    pair(first, card, rng);
                    at += self.strides[LOST];
                }
                None => free[1].push(card),
            }
        }
        bids
    }

    /// Counts backwards, from the sweep's end to its start.
    fn count(&mut self) {
        let places = self.places;
        self.ways.clear();
        self.ways.resize(places * (self.cards + 1), 0);
        self.ways[places * (self.cards + 1) - 1] = 1;
        for card in (0..self.cards).rev() {
            for lost in self.possible(LOST, card) {
                for tied in self.possible(TIED, card) {
                    for won in self.possible(WON, card) {
                        let made = [lost, tied, won];
                        let at = self.index(made);
                        let (ways, odds) = self.weigh(card, made);
                        self.ways[card * places + at] = ways;
                        self.odds[card * places + at] = odds;
                    }
                }
            }
        }
    }

    /// The ways to go on from a place and how they divide, from the ways to go on after the next card.
    fn weigh(&self, card: usize, made: [usize; 3]) -> (u64, Odds) {
        let ahead = &self.ways[(card + 1) * self.places..];
        let free = card.saturating_sub(made.iter().sum());
        let losers = match self.own {
            Some(_) => self.below(card, Ordering::Less).saturating_sub(made[LOST]),
            None => free,
        };
        let after = |more: [usize; 3]| {
            let made = [0, 1, 2].map(|kind| made[kind] + more[kind]);
            let fits = (0..3).all(|kind| made[kind] <= self.rounds[kind].len());
            if fits { ahead[self.index(made)] } else { 0 }
        };
        let may = |fate| self.own.as_ref().is_none_or(|own| own.fates[card].map(|f| f.0) == fate);
        let tie = if may(Some(Ordering::Equal)) { after([0, 1, 0]) } else { 0 };
        let stay = if may(None) || may(Some(Ordering::Less)) { 1 } else { 0 };
        let win = if may(Some(Ordering::Greater)) { free as u64 } else { 0 };
        let keep = [stay * after([0, 0, 0]), win * after([0, 0, 1])];
        let lose = [stay * losers as u64 * after([1, 0, 0]), win * losers as u64 * after([1, 0, 1])];
        let share = |part: u64, rest: u64| if part == 0 { 0.0 } else { part as f64 / (part + rest) as f64 };
        let [stays, wins] = [keep[0] + lose[0], keep[1] + lose[1]];
        let odds = Odds {
            tie: share(tie, stays + wins),
            wins: share(wins, stays),
            loses: [share(lose[0], keep[0]), share(lose[1], keep[1])],
        };
        (tie + stays + wins, odds)
    }

    /// The numbers of pairs of one kind that can have been made before a card.
    fn possible(&self, kind: usize, card: usize) -> RangeInclusive<usize> {
        let exactly = |n| n..=n;
        match (&self.own, kind) {
            (Some(_), TIED) => exactly(self.below(card, Ordering::Equal)),
            (Some(_), WON) => exactly(self.below(card, Ordering::Greater)),
            _ => 0..=self.rounds[kind].len(),
        }
    }

    /// How many of one's own lower cards had this result.
    fn below(&self, card: usize, result: Ordering) -> usize {
        let fates = self.own.iter().flat_map(|own| &own.fates[..card]);
        fates.flatten().filter(|fate| fate.0 == result).count()
    }

    #[inline]
    fn index(&self, made: [usize; 3]) -> usize {
        (0..3).map(|kind| made[kind] * self.strides[kind]).sum()
    }
}
