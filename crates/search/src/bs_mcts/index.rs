//! Where something with a 64-bit key is kept.

/// No place.
pub(super) const NONE: u32 = u32::MAX;
/// The place of a belief state that was met once, and is not kept before it is met again.
pub(super) const ONCE: u32 = u32::MAX - 1;

/// Places by key: open addressing, a power of two in length, at most half full.
#[derive(Clone, Debug)]
pub(super) struct Index {
    slots: Vec<(u64, u32)>,
    used: usize,
}

impl Default for Index {
    fn default() -> Self {
        Index { slots: vec![(0, NONE); 256], used: 0 }
    }
}

impl Index {
    /// Forgets everything, keeping the room.
    pub(super) fn clear(&mut self) {
        if self.used > 0 {
            self.slots.fill((0, NONE));
            self.used = 0;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u64, u32)>()
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].1 != NONE && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The place kept for a key, [`NONE`] if there is none.
    #[inline]
    pub(super) fn find(&self, key: u64) -> u32 {
        self.slots[self.slot(key)].1
    }

    /// Keeps a place for a key, instead of the one before if there was one.
    pub(super) fn put(&mut self, key: u64, place: u32) {
        let mut at = self.slot(key);
        if self.slots[at].1 == NONE {
            self.used += 1;
            if 2 * self.used > self.slots.len() {
                self.grow();
                at = self.slot(key);
            }
        }
        self.slots[at] = (key, place);
    }

    #[cold]
    fn grow(&mut self) {
        let double = vec![(0, NONE); 2 * self.slots.len()];
        for (key, place) in std::mem::replace(&mut self.slots, double) {
            if place != NONE {
                let at = self.slot(key);
                self.slots[at] = (key, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_after_growth() {
        let mut index = Index::default();
        for key in 0..5000u64 {
            index.put(key << 7, key as u32);
        }
        index.put(7 << 7, ONCE);
        assert!((0..5000).filter(|&key| key != 7).all(|key| index.find(key << 7) == key as u32));
        assert_eq!((index.find(7 << 7), index.find(1)), (ONCE, NONE));
        index.clear();
        assert_eq!(index.find(7 << 7), NONE);
    }
}
