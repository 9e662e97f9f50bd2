//! What an observer sees of one step: a few machine words whose meaning the game defines.
//!
//! Observations are hashed into information-set keys millions of times a second and sent to remote
//! engines, so they are plain numbers: up to two words are stored in place. Their written form is
//! hexadecimal words joined by dots (`1f.0`), the same for every game; [`crate::Notation::explain`] says in
//! words what they mean.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// One observation. Nothing seen is `None` where an `Option<Observation>` is asked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Observation(SmallVec<[u64; 2]>);

impl Observation {
    /// An observation of one word.
    #[inline]
    pub fn word(word: u64) -> Observation {
        let mut words = SmallVec::new();
        words.push(word);
        Observation(words)
    }

    /// An observation of several words.
    #[inline]
    pub fn words(words: &[u64]) -> Observation {
        Observation(SmallVec::from_slice(words))
    }

    /// The words of this observation.
    #[inline]
    pub fn as_words(&self) -> &[u64] {
        &self.0
    }

    /// The first word, 0 if there is none.
    #[inline]
    pub fn first(&self) -> u64 {
        self.0.first().copied().unwrap_or(0)
    }

    /// This observation followed by another one.
    #[must_use]
    pub fn then(mut self, next: &Observation) -> Observation {
        self.0.extend_from_slice(&next.0);
        self
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, word) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            write!(f, "{word:x}")?;
        }
        Ok(())
    }
}

/// A text that is not an observation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not an observation: expected hexadecimal words joined by dots, as in 1f.0")]
pub struct BadObservation(pub String);

impl FromStr for Observation {
    type Err = BadObservation;

    fn from_str(text: &str) -> Result<Observation, BadObservation> {
        if text.is_empty() {
            return Ok(Observation::words(&[]));
        }
        text.split('.')
            .map(|word| {
                let plain = word.bytes().all(|b| b.is_ascii_hexdigit());
                u64::from_str_radix(word, 16).ok().filter(|_| plain)
            })
            .collect::<Option<_>>()
            .map(Observation)
            .ok_or_else(|| BadObservation(text.to_string()))
    }
}

impl Serialize for Observation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Observation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Observation, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_form_round_trips() {
        for words in [&[][..], &[0], &[31, 0], &[u64::MAX, 7, 1 << 63]] {
            let seen = Observation::words(words);
            assert_eq!(seen.to_string().parse(), Ok(seen));
        }
        for bad in [".", "x", "1..2", "+1", "11112222333344445"] {
            assert!(bad.parse::<Observation>().is_err(), "{bad}");
        }
    }
}
