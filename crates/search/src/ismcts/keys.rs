//! 64-bit keys of information sets for use inside a search, cheaper than the persistent 128-bit ones.

use fogtree_core::{Event, Seen};

const OWN: u64 = 0x9e6c_63d0_876a_9a47;
const SEEN: u64 = 0xd1b5_4a32_d192_ed03;

/// A running hash of what an observer did and saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SearchKey(pub(crate) u64);

impl SearchKey {
    /// The key of a tree before anything has happened in it.
    pub(crate) fn root(tree: u64) -> SearchKey {
        SearchKey(0x2545_f491_4f6c_dd1d).absorb(tree)
    }

    #[inline]
    fn absorb(self, word: u64) -> SearchKey {
        let product = u128::from(self.0 ^ word) * 0xa076_1d64_78bd_642f_u128;
        SearchKey((product as u64) ^ (product >> 64) as u64 ^ word.rotate_left(23))
    }

    /// The key after an action with this code by the observer itself.
    #[inline]
    pub(crate) fn own(self, code: u64) -> SearchKey {
        self.absorb(code ^ OWN)
    }

    /// The key after seeing something; the same if nothing was seen.
    #[inline]
    pub(crate) fn seen(self, seen: Option<&Seen>) -> SearchKey {
        let Some(seen) = seen else { return self };
        match seen.as_words() {
            [] => self.absorb(SEEN),
            [word] => self.absorb(*word ^ SEEN.rotate_left(8)),
            words => {
                let tag = SEEN.rotate_left(16) ^ words.len() as u64;
                words.iter().fold(self.absorb(tag), |key, &w| key.absorb(w))
            }
        }
    }

    /// The key after everything an observer did and saw.
    pub(crate) fn after(self, events: &[Event]) -> SearchKey {
        events.iter().fold(self, |key, event| match event {
            Event::Own(code) => key.own(*code),
            Event::Seen(seen) => key.seen(Some(seen)),
        })
    }

    /// A key for one of several decisions at the same place.
    #[inline]
    pub(crate) fn with(self, number: u64) -> SearchKey {
        self.absorb(number.wrapping_mul(0xff51_afd7_ed55_8ccd))
    }
}
