//! 128-bit keys of information sets, hashed along the way.
//!
//! An observer's key is a running hash of everything it chose and saw, in order, so two histories have
//! equal keys exactly when the observer cannot tell them apart (up to collisions of a 128-bit hash).
//! Games do not compute keys; whoever drives a game does, with [`crate::Keys`]. Strategy files persist
//! keys, so the hash is fixed: a golden test pins it.
//!
//! Each event is exclusive-or'ed into the key and mixed by two rounds of multiplication by an odd constant
//! and a folding shift. Every round is a permutation of the 128-bit numbers, hence two different events of
//! at most one word after the same history never collide.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Observation, Observer};

/// The running hash of what one observer has chosen and seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u128);

const OWN: u64 = 1;
const SEEN: u64 = 2;
const SEAT: u64 = 3;

impl Key {
    /// The key of an observer before anything has happened.
    pub fn root(by: Observer) -> Key {
        let seat = match by {
            Observer::Seat(p) => u64::from(p.0),
            Observer::Public => u64::MAX,
        };
        Key(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d).absorb(SEAT, seat)
    }

    /// The key after the observer's own action with this code ([`crate::Rules::code`]).
    #[inline]
    #[must_use]
    pub fn own(self, code: u64) -> Key {
        self.absorb(OWN, code)
    }

    /// The key after seeing something.
    #[inline]
    #[must_use]
    pub fn seen(self, seen: &Observation) -> Key {
        let words = seen.as_words();
        let tag = SEEN | (words.len() as u64) << 32;
        match words {
            [] => self.absorb(tag, 0),
            _ => words.iter().enumerate().fold(self, |key, (i, &w)| key.absorb(tag | (i as u64) << 8, w)),
        }
    }

    #[inline]
    fn absorb(self, tag: u64, word: u64) -> Key {
        let mut x = self.0 ^ (u128::from(tag) << 64 | u128::from(word));
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        x ^= x >> 67;
        x = x.wrapping_mul(0xd6e8_feb8_6659_fd93_2545_f491_4f6c_dd1d);
        x ^= x >> 61;
        Key(x)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self})")
    }
}

impl FromStr for Key {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Key, Self::Err> {
        u128::from_str_radix(text, 16).map(Key)
    }
}

impl Serialize for Key {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Player;

    /// Strategy files hold keys: a change here makes every one of them unreadable.
    #[test]
    fn the_hash_is_pinned() {
        let root = Key::root(Observer::Seat(Player(0)));
        assert_eq!(root.to_string(), "c44465095333f525619b9626ac6234b9");
        assert_eq!(
            root.own(1).seen(&Observation::words(&[2, 3])).to_string(),
            "ab4d31273557cdd28fac453dd303db2a"
        );
        assert_eq!(
            Key::root(Observer::Public).seen(&Observation::words(&[])).to_string(),
            "de00db4858b8392d9696920f84a027dc"
        );
    }

    #[test]
    fn short_event_sequences_have_distinct_keys() {
        let mut keys = HashSet::new();
        let mut layer = vec![Key::root(Observer::Seat(Player(0))), Key::root(Observer::Seat(Player(1)))];
        for _ in 0..5 {
            let grow = |key: &Key| {
                let key = *key;
                (0..4)
                    .map(move |c| key.own(c))
                    .chain((0..4).map(move |w| key.seen(&Observation::word(w))))
                    .chain([key.seen(&Observation::words(&[])), key.seen(&Observation::words(&[0, 0]))])
            };
            layer = layer.iter().flat_map(grow).collect();
            keys.extend(layer.iter().copied());
        }
        assert_eq!(keys.len(), 2 * (10 + 100 + 1000 + 10_000 + 100_000));
    }

    #[test]
    fn every_bit_of_an_event_reaches_both_halves() {
        let root = Key::root(Observer::Public);
        for bit in 0..64 {
            let changed = root.own(0).0 ^ root.own(1 << bit).0;
            assert!((changed as u64).count_ones() > 8 && (changed >> 64).count_ones() > 8, "bit {bit}");
        }
    }

    #[test]
    fn written_keys_read_back() {
        let key = Key::root(Observer::Public).own(7);
        assert_eq!(key.to_string().parse(), Ok(key));
        assert!("xyz".parse::<Key>().is_err());
    }
}
