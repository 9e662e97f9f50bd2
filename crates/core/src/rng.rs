//! Randomness that can be reproduced: named streams of a named, portable generator.
//!
//! A [`Seed`] is split by name (experiment, game number, seat) and by [`Purpose`], so that deals,
//! determinizations, playouts and tie-breaks never draw from one another's numbers: thinking harder
//! does not change the cards. The generator is xoshiro256++; a golden test pins its first outputs.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// What a stream of random numbers is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// The chance of the game itself: deals, dice.
    Deal,
    /// Drawing worlds from an information set.
    Sampling,
    /// Random play inside a search.
    Playout,
    /// Choosing among equals.
    Ties,
}

/// A source from which streams are derived by name.
///
/// Derived seeds are no secrets: [`Seed::named`] and [`Seed::number`] can be inverted, so whoever is given
/// one can find the seed it came from. Published results rest on these numbers, so they stay as they are, and
/// agents in the same process, which are trusted code, are given such seeds. What leaves the process goes
/// through a [`crate::Secret`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// The seed of a part of this one's work, by name.
    #[must_use]
    pub fn named(self, name: &str) -> Seed {
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3));
        self.number(hash)
    }

    /// The seed of a numbered part of this one's work.
    #[must_use]
    pub fn number(self, number: u64) -> Seed {
        let mut z = self.0.wrapping_mul(0xd134_2543_de82_ef95) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Seed(z ^ z >> 31)
    }

    /// The stream of this seed for one purpose.
    pub fn stream(self, purpose: Purpose) -> Rng {
        let name = match purpose {
            Purpose::Deal => "deal",
            Purpose::Sampling => "sampling",
            Purpose::Playout => "playout",
            Purpose::Ties => "ties",
        };
        Rng(Xoshiro256PlusPlus::seed_from_u64(self.named(name).0))
    }
}

/// A stream of random numbers. Written down and read again it goes on where it was.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..n`, all equally likely. `n` must not be 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0);
        let mut wide = (self.bits() >> 32) * u64::from(n);
        if (wide as u32) < n {
            // Lemire's method: the low half must not fall among the few values that come once too often.
            let bias = n.wrapping_neg() % n;
            while (wide as u32) < bias {
                wide = (self.bits() >> 32) * u64::from(n);
            }
        }
        (wide >> 32) as u32
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One of the items, all equally likely. There must be at least one.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// The index of one of the weights, drawn in proportion to them. At least one must be positive.
    pub fn weighted(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let mut left = self.unit() * weights.clone().sum::<f64>();
        let mut last = 0;
        for (i, w) in weights.enumerate() {
            if w > 0.0 {
                last = i;
                if left < w {
                    return i;
                }
                left -= w;
            }
        }
        last
    }

    /// One of the set bits of a mask, as a position, all equally likely. There must be at least one.
    ///
    /// There is no loop whose length nobody can predict: the byte is found from the running counts of all
    /// eight bytes at once, the bit within it from a table.
    #[inline]
    pub fn bit_of(&mut self, mask: u64) -> u32 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let pairs = mask - (mask >> 1 & 0x5555_5555_5555_5555);
        let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        let running = bytes.wrapping_mul(ONES);
        let skipped = u64::from(self.below((running >> 56) as u32));
        let full = ((skipped + 0x80) * ONES - running) >> 7 & ONES;
        let at = full.wrapping_mul(ONES) >> 56 << 3;
        let within = skipped - (running << 8 >> at & 0xff);
        at as u32 + u32::from(NTH_BIT[(mask >> at & 0xff) as usize][within as usize & 7])
    }

    /// Puts the items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// The position of the n-th set bit of a byte.
static NTH_BIT: [[u8; 8]; 256] = nth_bits();

const fn nth_bits() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records and experiments are named by their seeds: these numbers must never change.
    #[test]
    fn the_streams_are_pinned() {
        let seed = Seed(1).named("match").number(7);
        let first = |p| seed.stream(p).bits();
        assert_eq!(
            [Purpose::Deal, Purpose::Sampling, Purpose::Playout, Purpose::Ties].map(first),
            [1619545793279655549, 6651302531103903316, 10140743730389731929, 17770183459535427057]
        );
        let mut rng = Seed(0).stream(Purpose::Deal);
        assert_eq!([(); 6].map(|()| rng.below(52)), [27, 49, 14, 44, 5, 19]);
    }

    #[test]
    fn bounded_numbers_are_uniform() {
        let mut rng = Seed(3).stream(Purpose::Ties);
        let mut counts = [0f64; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1.0;
        }
        let chi: f64 = counts.iter().map(|c| (c - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 22.46, "chi-square {chi} is above the 0.1 % point for 6 degrees of freedom");
    }

    #[test]
    fn weighted_choice_never_takes_a_zero_weight() {
        let mut rng = Seed(4).stream(Purpose::Ties);
        let weights = [0.0, 0.25, 0.0, 0.75, 0.0];
        let picks = [(); 1000].map(|()| rng.weighted(weights.iter().copied()));
        assert!(picks.iter().all(|i| [1, 3].contains(i)));
        let share = picks.iter().filter(|&&i| i == 3).count() as f64 / 1000.0;
        assert!((share - 0.75).abs() < 0.06, "{share}");
    }

    /// Against the obvious way: leave out as many set bits as the generator says.
    #[test]
    fn bits_of_a_mask_are_found() {
        let mut rng = Seed(2).stream(Purpose::Ties);
        for i in 0..20_000 {
            let thinner = (0..i % 6).fold(u64::MAX, |m, _| m & rng.bits());
            let mask = thinner | 1 << rng.below(64);
            let skipped = rng.clone().below(mask.count_ones());
            let expected = (0..skipped).fold(mask, |m, _| m & (m - 1)).trailing_zeros();
            assert_eq!(rng.bit_of(mask), expected, "{mask:#x}");
        }
    }
}
