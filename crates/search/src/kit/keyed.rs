//! What searches that find information sets by the keys of the core have in common.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use fogtree_core::Event;
use fogtree_core::world::key_after;
use fogtree_core::{Key, Model, Observer, Player, World, WorldStep};

/// A hash table by keys, which are hashes already.
pub(crate) type KeyMap<V> = HashMap<Key, V, BuildHasherDefault<KeyHasher>>;

#[derive(Clone, Default, Debug)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[inline]
    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64 ^ (key >> 64) as u64;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The keys of both seats of a two-player game before anything has happened.
pub(crate) fn start_keys() -> [Key; 2] {
    [0, 1].map(|seat| Key::root(Observer::Seat(Player(seat))))
}

/// The keys of both seats after a step about to be made.
#[inline]
pub(crate) fn keys_after(
    rules: &dyn Model,
    keys: [Key; 2],
    before: &dyn World,
    step: WorldStep<'_>,
) -> [Key; 2] {
    [0, 1].map(|i| key_after(rules, keys[i], before, step, Observer::Seat(Player(i as u8))))
}

/// The key of a seat after these events.
pub(crate) fn key_of(seat: Player, events: &[Event]) -> Key {
    events.iter().fold(Key::root(Observer::Seat(seat)), |key, event| event.extend(key))
}
