//! Cards without suits: how many of each rank, packed into one word.
//!
//! Where suits do not matter a hand is a number of cards of each rank. With four bits a rank, up to sixteen
//! ranks of up to four cards fit into 64 bits: adding and taking away hands are single instructions, and so are
//! questions such as which ranks there are three of. The four bits of a rank can also stand for four single
//! cards, which is how cards are drawn at random.

use fogtree_core::Rng;
use serde::{Deserialize, Serialize};

pub(crate) mod scene;

/// The lowest bit of every rank.
const ONES: u64 = 0x1111_1111_1111_1111;
/// The highest bit of every rank.
const EIGHTS: u64 = ONES << 3;

/// At most four cards of each of sixteen ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cards(u64);

impl Cards {
    /// No cards.
    pub const NONE: Cards = Cards(0);

    /// So many cards of one rank.
    pub const fn of(rank: u32, count: u32) -> Cards {
        Cards((count as u64) << (4 * rank))
    }

    /// So many cards (at most four) of every rank in a set of ranks; see [`Cards::at_least`].
    #[inline]
    pub const fn of_each(ranks: u64, count: u32) -> Cards {
        Cards(ranks * count as u64)
    }

    /// These cards as a number, different for different cards.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The cards of this number, if it is one.
    pub fn from_bits(bits: u64) -> Option<Cards> {
        (0..16).all(|rank| bits >> (4 * rank) & 15 <= 4).then_some(Cards(bits))
    }

    /// How many cards of a rank there are.
    #[inline]
    pub const fn count(self, rank: u32) -> u32 {
        (self.0 >> (4 * rank) & 15) as u32
    }

    /// How many cards there are.
    #[inline]
    pub const fn len(self) -> u32 {
        const BYTES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let pairs = (self.0 & BYTES) + (self.0 >> 4 & BYTES);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of the other cards are among these.
    #[inline]
    pub const fn has(self, other: Cards) -> bool {
        (self.0 | EIGHTS).wrapping_sub(other.0) & EIGHTS == EIGHTS
    }

    /// These and other cards together, of which there must be no more than four of a rank.
    #[inline]
    #[must_use]
    pub const fn with(self, other: Cards) -> Cards {
        Cards(self.0 + other.0)
    }

    /// These cards less others, which must be among them.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Cards) -> Cards {
        Cards(self.0 - other.0)
    }

    /// Of each rank as many as there are here more than there.
    #[must_use]
    pub fn beyond(self, other: Cards) -> Cards {
        let more = |rank| Cards::of(rank, self.count(rank).saturating_sub(other.count(rank)));
        (0..16).map(more).fold(Cards::NONE, Cards::with)
    }

    /// The ranks of which there are at least so many (1 to 4), as a set: bit `4 * rank` for each.
    #[inline]
    pub const fn at_least(self, count: u32) -> u64 {
        let (ones, twos, fours) = (self.0, self.0 >> 1, self.0 >> 2);
        ONES & match count {
            1 => ones | twos | fours,
            2 => twos | fours,
            3 => ones & twos | fours,
            _ => fours,
        }
    }

    /// Every card by itself: as many of a rank's four bits as there are cards of it.
    #[inline]
    pub const fn singly(self) -> u64 {
        self.at_least(1) | self.at_least(2) << 1 | self.at_least(3) << 2 | self.at_least(4) << 3
    }

    /// So many of these cards, every single card as likely as every other.
    pub fn draw(self, count: u32, rng: &mut Rng) -> Cards {
        let all = self.singly();
        // Keep each card with about the right probability, then mend the number: all cards are treated alike.
        let size = self.len();
        let eighths = (8 * count + size / 2) / size.max(1);
        let mut kept = all
            & match eighths {
                0 => 0,
                1 => rng.bits() & rng.bits() & rng.bits(),
                2 => rng.bits() & rng.bits(),
                3 => rng.bits() & (rng.bits() | rng.bits()),
                4 => rng.bits(),
                5 => rng.bits() | rng.bits() & rng.bits(),
                6 => rng.bits() | rng.bits(),
                7 => rng.bits() | rng.bits() | rng.bits(),
                _ => u64::MAX,
            };
        let number = kept.count_ones();
        for _ in count..number {
            kept ^= 1 << rng.bit_of(kept);
        }
        for _ in number..count {
            kept |= 1 << rng.bit_of(all ^ kept);
        }
        let pairs = kept - (kept >> 1 & 0x5555_5555_5555_5555);
        Cards((pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333))
    }

    /// Every different choice of so many of these cards, in rising order.
    pub fn choices(self, count: u32) -> Vec<Cards> {
        let mut chosen = vec![(Cards::NONE, 0)];
        for rank in (0..16).rev() {
            let add = |&(cards, n): &(Cards, u32)| {
                let most = self.count(rank).min(count - n);
                (0..=most).map(move |c| (cards.with(Cards::of(rank, c)), n + c))
            };
            chosen = chosen.iter().flat_map(add).collect();
        }
        chosen.into_iter().filter(|&(_, n)| n == count).map(|(cards, _)| cards).collect()
    }

    /// In how many ways these single cards fall into two piles with so many of each rank, and a rest.
    pub fn ways(self, piles: [Cards; 2]) -> f64 {
        let ways = |rank| {
            let [all, a, b] = [self.count(rank), piles[0].count(rank), piles[1].count(rank)];
            binomial(all, a) * binomial(all - a, b)
        };
        (0..16).map(ways).product()
    }

    /// These cards as letters, one for each card, lowest first; `letters` has one for each rank.
    pub fn text(self, letters: &str) -> String {
        let of = |(rank, letter): (usize, char)| (0..self.count(rank as u32)).map(move |_| letter);
        letters.chars().enumerate().flat_map(of).collect()
    }

    /// The cards of this text, if they stand in order.
    pub fn parse(text: &str, letters: &str) -> Option<Cards> {
        let mut cards = Cards::NONE;
        let mut lowest = 0;
        for c in text.chars() {
            let rank = letters.chars().position(|letter| letter == c)? as u32;
            if rank < lowest || cards.count(rank) == 4 {
                return None;
            }
            lowest = rank;
            cards = cards.with(Cards::of(rank, 1));
        }
        Some(cards)
    }
}

/// How many ranks there are in a set of at most fifteen with bit `4 * rank` for each.
#[inline]
pub const fn count_ranks(set: u64) -> u32 {
    (set.wrapping_mul(ONES) >> 60) as u32
}

/// The rank that comes after `n` others in such a set, which must have more than `n`.
#[inline]
pub const fn nth_rank(set: u64, n: u32) -> u32 {
    const BYTES: u64 = 0x0101_0101_0101_0101;
    const LOW: u64 = 15 * BYTES;
    // For every rank, how many up to it are in the set; the answer is the first where that is more than n.
    let running = set.wrapping_mul(ONES);
    let (even, odd) = (running & LOW, running >> 4 & LOW);
    let limit = (n as u64 + 128) * BYTES;
    let below = ((limit - even) >> 7 & BYTES) + ((limit - odd) >> 7 & BYTES);
    (below.wrapping_mul(BYTES) >> 56) as u32
}

/// One of the ranks of such a set, all equally likely. There must be at least one.
#[inline]
pub fn random_rank(set: u64, rng: &mut Rng) -> u32 {
    nth_rank(set, rng.below(count_ranks(set)))
}

/// How many ways there are to choose `k` of at most four cards.
pub fn binomial(n: u32, k: u32) -> f64 {
    const ROWS: [[f64; 5]; 5] = [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0, 0.0, 0.0],
        [1.0, 2.0, 1.0, 0.0, 0.0],
        [1.0, 3.0, 3.0, 1.0, 0.0],
        [1.0, 4.0, 6.0, 4.0, 1.0],
    ];
    ROWS[n as usize][k as usize]
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use fogtree_core::{Purpose, Seed};

    use super::*;

    const LETTERS: &str = "ABCDEFGHIJKLMNOP";

    fn cards(text: &str) -> Cards {
        Cards::parse(text, LETTERS).unwrap()
    }

    fn counts(cards: Cards) -> [u32; 16] {
        std::array::from_fn(|rank| cards.count(rank as u32))
    }

    /// Against arrays of numbers.
    #[test]
    fn packed_counts_do_what_counts_do() {
        let mut rng = Seed(1).stream(Purpose::Ties);
        for _ in 0..2000 {
            let [a, b] = [(); 2].map(|()| [(); 16].map(|()| rng.below(5)));
            let pack =
                |c: [u32; 16]| (0..16).map(|r| Cards::of(r, c[r as usize])).fold(Cards::NONE, Cards::with);
            let (x, y) = (pack(a), pack(b));
            assert_eq!(counts(x), a);
            assert_eq!(x.len(), a.iter().sum::<u32>());
            assert_eq!(x.has(y), a.iter().zip(b).all(|(&a, b)| a >= b));
            assert_eq!(counts(x.beyond(y)), std::array::from_fn(|i| a[i].saturating_sub(b[i])));
            for n in 1..=4 {
                let set = (0..16).filter(|&r| a[r as usize] >= n).fold(0, |set, r| set | 1 << (4 * r));
                assert_eq!(x.at_least(n), set);
                let set = set & u64::MAX >> 4;
                let members: Vec<u32> = (0..15).filter(|r| set >> (4 * r) & 1 == 1).collect();
                assert_eq!(count_ranks(set) as usize, members.len());
                let found: Vec<u32> = (0..count_ranks(set)).map(|i| nth_rank(set, i)).collect();
                assert_eq!(found, members);
            }
            assert_eq!(x.singly().count_ones(), x.len());
            assert_eq!(Cards::parse(&x.text(LETTERS), LETTERS), Some(x));
            assert_eq!(Cards::from_bits(x.bits()), Some(x));
        }
        assert_eq!(Cards::from_bits(0x50), None);
        for bad in ["BA", "AAAAA", "x", "A "] {
            assert_eq!(Cards::parse(bad, LETTERS), None, "{bad}");
        }
    }

    /// Of AABBBC, so many of six single cards: as often as a product of binomials says.
    #[test]
    fn cards_are_drawn_as_from_a_shuffled_pack() {
        let pack = cards("AABBBC");
        for count in 0..=6 {
            let choices = pack.choices(count);
            assert!(choices.is_sorted() && choices.iter().all(|c| pack.has(*c) && c.len() == count));
            let whole: f64 = choices.iter().map(|&c| pack.ways([c, Cards::NONE])).sum();
            let all: f64 = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0][count as usize];
            assert_eq!(whole, all);
            let mut rng = Seed(2).stream(Purpose::Deal);
            let mut drawn: HashMap<Cards, f64> = HashMap::new();
            for _ in 0..20_000 {
                *drawn.entry(pack.draw(count, &mut rng)).or_default() += 1.0;
            }
            assert_eq!(drawn.len(), choices.len());
            for c in choices {
                let share = pack.ways([c, Cards::NONE]) / all;
                let sigma = (20_000.0 * share * (1.0 - share)).sqrt();
                assert!((drawn[&c] - 20_000.0 * share).abs() <= 5.0 * sigma, "{} {share}", c.text(LETTERS));
            }
        }
    }
}
