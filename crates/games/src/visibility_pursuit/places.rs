//! Sets of places, and how they grow with every step.
//!
//! A set is a row of bits. Where many links lead from a place to the one so many numbers further on, as between
//! neighbouring cells of a grid or along a road, one shift moves all of them at once; the other links are
//! followed one by one. So a step costs about as much on a map of thousands of places as on a small one.

use serde::{Deserialize, Serialize};

const WORDS: usize = 40;

/// The most places of a map.
pub const MOST_PLACES: usize = WORDS * 64;

/// A set of places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<u16>", into = "Vec<u16>")]
pub struct Places([u64; WORDS]);

impl Places {
    /// No place.
    pub const NONE: Places = Places([0; WORDS]);

    /// This place alone.
    #[inline]
    pub fn only(place: u16) -> Places {
        let mut set = Places::NONE;
        set.insert(place);
        set
    }

    /// Adds a place.
    #[inline]
    pub fn insert(&mut self, place: u16) {
        self.0[usize::from(place) / 64] |= 1 << (place % 64);
    }

    /// Whether a place is in the set.
    #[inline]
    pub fn contains(&self, place: u16) -> bool {
        self.0[usize::from(place) / 64] >> (place % 64) & 1 == 1
    }

    /// How many places there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is no place.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The places, in rising order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..).step_by(64).zip(self.0).flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let place = (word != 0).then(|| first + word.trailing_zeros() as u16);
                word &= word.wrapping_sub(1);
                place
            })
        })
    }

    /// The places of either set.
    #[inline]
    #[must_use]
    pub fn or(mut self, other: &Places) -> Places {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        self
    }

    /// The places of both sets.
    #[inline]
    #[must_use]
    pub fn and(mut self, other: &Places) -> Places {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }

    /// The places that are not in the other set.
    #[inline]
    #[must_use]
    pub fn without(mut self, other: &Places) -> Places {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }
}

impl FromIterator<u16> for Places {
    fn from_iter<T: IntoIterator<Item = u16>>(places: T) -> Places {
        let mut set = Places::NONE;
        places.into_iter().for_each(|place| set.insert(place));
        set
    }
}

impl From<Places> for Vec<u16> {
    fn from(set: Places) -> Vec<u16> {
        set.iter().collect()
    }
}

impl TryFrom<Vec<u16>> for Places {
    type Error = String;

    fn try_from(places: Vec<u16>) -> Result<Places, String> {
        match places.iter().find(|&&place| usize::from(place) >= MOST_PLACES) {
            Some(place) => Err(format!("there is no place {place}")),
            None => Ok(places.into_iter().collect()),
        }
    }
}

/// Links between places, arranged so that a whole set follows them at once.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    /// The words that the places of the map take.
    words: usize,
    /// For a distance between numbers, the lower ends of the links that are so long.
    shifts: Vec<(usize, Places)>,
    /// The other links.
    links: Vec<(u16, u16)>,
    /// Whether one may stay.
    pub(super) stay: bool,
}

impl Spread {
    /// The links, each from the lower to the higher place.
    pub(super) fn new(places: usize, links: &[(u16, u16)], stay: bool) -> Spread {
        let words = places.div_ceil(64);
        let mut by_length: Vec<(u16, u16)> = links.to_vec();
        by_length.sort_unstable_by_key(|&(a, b)| (b - a, a));
        let (mut shifts, mut rest) = (Vec::new(), Vec::new());
        for alike in by_length.chunk_by(|x, y| x.1 - x.0 == y.1 - y.0) {
            if alike.len() > 2 * words {
                let length = usize::from(alike[0].1 - alike[0].0);
                shifts.push((length, alike.iter().map(|link| link.0).collect()));
            } else {
                rest.extend_from_slice(alike);
            }
        }
        Spread { words, shifts, links: rest, stay }
    }

    /// Where one may be a step after being somewhere in a set.
    #[inline]
    pub(super) fn step(&self, from: &Places) -> Places {
        let mut to = if self.stay { *from } else { Places::NONE };
        for (length, lower) in &self.shifts {
            let (whole, bits) = (length / 64, length % 64);
            for i in 0..self.words {
                let up = from.0[i] & lower.0[i];
                if up != 0 {
                    to.0[i + whole] |= up << bits;
                    if bits > 0 && i + whole + 1 < WORDS {
                        to.0[i + whole + 1] |= up >> (64 - bits);
                    }
                }
                if i + whole < self.words {
                    let mut down = from.0[i + whole] >> bits;
                    if bits > 0 && i + whole + 1 < self.words {
                        down |= from.0[i + whole + 1] << (64 - bits);
                    }
                    to.0[i] |= down & lower.0[i];
                }
            }
        }
        for &(a, b) in &self.links {
            if from.contains(a) {
                to.insert(b);
            }
            if from.contains(b) {
                to.insert(a);
            }
        }
        to
    }
}
