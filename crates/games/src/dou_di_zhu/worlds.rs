//! Drawing hands that nobody but their owners can see.
//!
//! Everything that is played is open, and passing tells nothing, so all that is known of a hidden hand is its
//! size, what of the landlord's shown cards must still be in it and, while its owner chooses kickers, that there
//! are some. A shuffle of the unseen cards gives every hand `h` a weight of `1 / h!` (the product over ranks);
//! the deal gives it `1 / (h + p)!` where `p` has been played from it. For two hidden hands, which is all that a
//! player ever has to guess at, the second is drawn rank by rank from a table of sums; otherwise shuffled worlds
//! are given the weight that the deal would have.

use arrayvec::ArrayVec;
use fogtree_core::{Player, Rng};

use super::{DouDiZhu, Info, PLAYERS, Phase, State};
use crate::mini_dou_di_zhu::Worlds;
use crate::ranks::{Cards, count_ranks};

/// Draws worlds.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// What is the same in all worlds.
    fixed: State,
    /// The cards to be dealt out.
    unseen: Cards,
    hidden: ArrayVec<Hidden, 4>,
    /// For two hidden hands that are not simply shuffled.
    table: Option<Box<Table>>,
    /// Whether worlds have the weight of the deal.
    weighted: bool,
    /// Whose kickers are being chosen, if that is hidden.
    chooser: Option<Player>,
}

/// Cards that the observer does not see.
#[derive(Clone, Copy, Debug)]
struct Hidden {
    place: Place,
    /// How many there are, apart from those that are known.
    count: u32,
    /// What has been played from them, apart from what was shown.
    played: Cards,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Hand(Player),
    Extra,
}

impl Sampler {
    pub(super) fn new(game: &DouDiZhu, k: &Info) -> Sampler {
        let mut fixed = State {
            hands: [Cards::NONE; 3],
            played: k.played,
            extra: k.extra,
            top: k.top,
            mover: k.mover,
            landlord: k.landlord,
            passes: k.passes,
            phase: k.phase,
        };
        let mut hidden = ArrayVec::new();
        let mut unseen = k.played.iter().fold(game.deck, |left, &played| left.without(played));
        if k.phase == Phase::Deal {
            unseen = Cards::NONE;
        } else {
            for p in Player::all(PLAYERS) {
                let shown = if p == k.landlord { k.extra } else { Cards::NONE };
                let (sure, played) = match k.by.is(p) {
                    true => (k.hand, Cards::NONE),
                    false => (shown.beyond(k.played[p.index()]), k.played[p.index()].beyond(shown)),
                };
                fixed.hands[p.index()] = sure;
                unseen = unseen.without(sure);
                if !k.by.is(p) {
                    let count = u32::from(k.left[p.index()]) - sure.len();
                    hidden.push(Hidden { place: Place::Hand(p), count, played });
                }
            }
            if matches!(k.phase, Phase::Bidding(..)) {
                hidden.push(Hidden { place: Place::Extra, count: game.extra, played: Cards::NONE });
            }
        }
        let told = hidden.iter().any(|h| !h.played.is_empty());
        let weighted = game.worlds == Worlds::Deal && told;
        let table = match hidden[..] {
            [a, b] if weighted => Some(Box::new(Table::new(unseen, a, b))),
            _ => None,
        };
        let chooser = (k.phase == Phase::Kickers && !k.by.is(k.mover)).then_some(k.mover);
        Sampler { fixed, unseen, hidden, weighted: weighted && table.is_none(), table, chooser }
    }

    /// Writes a world and returns its weight.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng, into: &mut State) -> f64 {
        loop {
            *into = self.fixed;
            let weight = match (&self.table, &self.hidden[..]) {
                (Some(table), [a, b]) => {
                    let drawn = table.draw(rng);
                    give(into, a.place, drawn);
                    give(into, b.place, self.unseen.without(drawn));
                    1.0
                }
                _ => self.shuffle(rng, into),
            };
            let able = |p: Player| {
                let ranks = into.top.kicker_ranks(into.hands[p.index()]);
                count_ranks(ranks) >= into.top.kickers()
            };
            if self.chooser.is_none_or(able) {
                return weight;
            }
        }
    }

    fn shuffle(&self, rng: &mut Rng, into: &mut State) -> f64 {
        let mut left = self.unseen;
        let mut weight = 1.0;
        for (i, hidden) in self.hidden.iter().enumerate() {
            let drawn = if i + 1 == self.hidden.len() { left } else { left.draw(hidden.count, rng) };
            left = left.without(drawn);
            give(into, hidden.place, drawn);
            if self.weighted {
                weight *= as_dealt(drawn, hidden.played);
            }
        }
        weight
    }
}

#[inline]
fn give(state: &mut State, place: Place, cards: Cards) {
    match place {
        Place::Hand(p) => state.hands[p.index()] = state.hands[p.index()].with(cards),
        Place::Extra => state.extra = cards,
    }
}

/// The weight of a hand by the deal over that by a shuffle: `h! / (h + p)!` for every rank.
fn as_dealt(hand: Cards, played: Cards) -> f64 {
    let ratio = |rank| {
        let n = hand.count(rank);
        FACTORIAL[n as usize] / FACTORIAL[(n + played.count(rank)) as usize]
    };
    (0..16).map(ratio).product()
}

/// Of the numbers of cards that a rank may have.
const FACTORIAL: [f64; 5] = [1.0, 1.0, 2.0, 6.0, 24.0];

/// How many cards of each rank the first of two hands gets, given how many it still lacks.
#[derive(Clone, Debug)]
struct Table {
    count: usize,
    ranks: ArrayVec<Row, 15>,
}

#[derive(Clone, Debug)]
struct Row {
    rank: u32,
    /// For every number of cards lacking: it gets more than `i` cards if 64 random bits exceed the `i`-th.
    bounds: [[u64; 4]; MOST + 1],
}

/// 64 random bits make a number below this.
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// No hand has more cards.
const MOST: usize = super::LARGEST_HAND as usize;

impl Table {
    fn new(unseen: Cards, a: Hidden, b: Hidden) -> Table {
        let mut ranks = ArrayVec::new();
        // The sum of the weights of all ways to give so many cards of the ranks looked at so far.
        let mut sums = [0.0; MOST + 1];
        sums[0] = 1.0;
        for rank in 0..super::groups::RANKS {
            let all = unseen.count(rank);
            if all == 0 {
                continue;
            }
            let dealt = |n: u32, of: Hidden| FACTORIAL[(n + of.played.count(rank)) as usize];
            let weight = |n: u32| 1.0 / (dealt(n, a) * dealt(all - n, b));
            let mut next = [0.0; MOST + 1];
            let mut bounds = [[u64::MAX; 4]; MOST + 1];
            for lacking in 0..=MOST {
                let way = |n: u32| {
                    let before = lacking.checked_sub(n as usize).map_or(0.0, |before| sums[before]);
                    weight(n) * before
                };
                next[lacking] = (0..=all).map(way).sum();
                let last = (0..=all).rev().find(|&n| way(n) > 0.0).unwrap_or(0);
                let mut sum = 0.0;
                for n in 0..last {
                    sum += way(n);
                    bounds[lacking][n as usize] = (sum / next[lacking] * TWO_TO_64) as u64;
                }
            }
            ranks.push(Row { rank, bounds });
            sums = next;
        }
        // The last rank knows the sums of all before it: it is drawn first.
        ranks.reverse();
        Table { count: a.count as usize, ranks }
    }

    #[inline]
    fn draw(&self, rng: &mut Rng) -> Cards {
        let mut lacking = self.count;
        let mut drawn = Cards::NONE;
        for row in &self.ranks {
            let bits = rng.bits() | 1;
            let n: u32 = row.bounds[lacking].iter().map(|&bound| u32::from(bits > bound)).sum();
            drawn = drawn.with(Cards::of(row.rank, n));
            lacking -= n as usize;
        }
        drawn
    }
}
