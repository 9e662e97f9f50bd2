//! 64-bit keys of information sets for use inside a search, cheaper than the persistent 128-bit ones.

use fogtree_core::{Event, Game, Observation, Player};

const OWN: u64 = 0x9e6c_63d0_876a_9a47;
const SEEN: u64 = 0xd1b5_4a32_d192_ed03;

/// What everybody sees of a step reaches these keys, of all players: their own actions first. Who moves alone sees nothing
/// more (see [`Rules::seen_by_all`](fogtree_core::Rules::seen_by_all)).
#[inline]
pub(crate) fn see_alike<G: Game>(
    keys: &mut [SearchKey],
    game: &G,
    moves: &[(Player, G::Action)],
    seen: &Observation,
) {
    for &(p, action) in moves {
        let key = &mut keys[p.index()];
        *key = key.own(game.code(action));
    }
    let alone = if let [(p, _)] = moves { Some((p.index(), keys[p.index()])) } else { None };
    match seen.as_words() {
        &[word] => keys.iter_mut().for_each(|key| *key = key.saw(&[word])),
        words => keys.iter_mut().for_each(|key| *key = key.saw(words)),
    }
    if let Some((p, own)) = alone {
        keys[p] = own;
    }
}

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
    pub(crate) fn seen(self, seen: Option<&Observation>) -> SearchKey {
        seen.map_or(self, |seen| self.saw(seen.as_words()))
    }

    /// The key after seeing something of these words.
    #[inline]
    pub(crate) fn saw(self, words: &[u64]) -> SearchKey {
        match words {
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
