//! How often a search passed a place while the hidden part had each value: the particles of the filter.
//!
//! A place is what an observer did and saw since the root, named by its running key. Only what beliefs need is
//! counted, in one hash table apart from the statistics of the moves.

use fogtree_core::{Player, WorldStep};

use fogtree_core::SearchKey;

/// Names of the two entries that a place has beside one for each value.
const ORIGIN: u64 = u64::MAX;
const OUTSIDE: u64 = u64::MAX - 1;

/// Who made a step, seen by one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// Chance.
    Chance,
    /// The player itself, alone.
    Own,
    /// One other player.
    Other,
    /// Several at the same time, whose choices are disclosed together.
    Several,
}

impl Mover {
    pub(super) fn of(step: WorldStep<'_>, me: Player) -> Mover {
        match step {
            WorldStep::Chance(_) => Mover::Chance,
            WorldStep::Moves([(who, _)]) if *who == me => Mover::Own,
            WorldStep::Moves([_]) => Mover::Other,
            WorldStep::Moves(_) => Mover::Several,
        }
    }

    fn from_bits(bits: u64) -> Mover {
        match bits & 3 {
            0 => Mover::Chance,
            1 => Mover::Own,
            2 => Mover::Other,
            _ => Mover::Several,
        }
    }
}

/// What is written down about a place: who made the step to it (2 bits), whether it has been followed by
/// different things (1 bit), and a hash of the first thing that followed.
const SEVERAL: u64 = 4;
const FIRST: u64 = !7;

/// The counts of one observer.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    /// Key and count; a free slot has no key.
    slots: Vec<(u64, u64)>,
    used: usize,
    most: usize,
}

impl Counts {
    /// Counts that take no more than so many bytes.
    pub(super) fn new(bytes: usize) -> Counts {
        let most = (bytes / size_of::<(u64, u64)>()).max(1024);
        Counts { slots: vec![(0, 0); 256], used: 0, most }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill((0, 0));
        self.used = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u64, u64)>()
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].0 != 0 && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The entry with this name at a place; `None` if it is new and there is no room for another.
    #[inline]
    fn entry(&mut self, at: SearchKey, name: u64) -> Option<&mut u64> {
        let key = at.with(name).0 | 1;
        let mut slot = self.place(key);
        if self.slots[slot].0 == 0 {
            if 2 * (self.used + 1) > self.slots.len() {
                if !self.grow() {
                    return None;
                }
                slot = self.place(key);
            }
            self.used += 1;
            self.slots[slot].0 = key;
        }
        Some(&mut self.slots[slot].1)
    }

    #[cold]
    fn grow(&mut self) -> bool {
        if 3 * self.slots.len() > self.most {
            return false;
        }
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![(0, 0); 2 * old.len()];
        for slot in old.into_iter().filter(|slot| slot.0 != 0) {
            let place = self.place(slot.0);
            self.slots[place] = slot;
        }
        true
    }

    fn get(&self, at: SearchKey, name: u64) -> Option<u64> {
        let (key, count) = self.slots[self.place(at.with(name).0 | 1)];
        (key != 0).then_some(count)
    }

    /// An iteration passes a place while the hidden part has this value.
    #[inline]
    pub(super) fn pass(&mut self, at: SearchKey, value: usize) {
        if let Some(count) = self.entry(at, value as u64) {
            *count += 1;
        }
    }

    /// A step leads from one place to another.
    #[inline]
    pub(super) fn step(&mut self, from: SearchKey, to: SearchKey, by: Mover) {
        if let Some(origin) = self.entry(from, ORIGIN) {
            match *origin & FIRST {
                0 => *origin |= to.0 & FIRST,
                first => *origin |= SEVERAL * u64::from(first != to.0 & FIRST),
            }
        }
        if let Some(origin) = self.entry(to, ORIGIN) {
            *origin = *origin & !3 | by as u64;
        }
    }

    /// A place looks like this to the public.
    pub(super) fn link(&mut self, at: SearchKey, outside: SearchKey) {
        if let Some(link) = self.entry(at, OUTSIDE) {
            *link = outside.0;
        }
    }

    /// What a place looks like to the public.
    pub(super) fn linked(&self, at: SearchKey) -> Option<SearchKey> {
        self.get(at, OUTSIDE).map(SearchKey)
    }

    /// Who made the step to a place, if a search has been there.
    pub(super) fn mover(&self, to: SearchKey) -> Option<Mover> {
        self.get(to, ORIGIN).map(Mover::from_bits)
    }

    /// Whether the search saw different things follow a place.
    pub(super) fn has_alternatives(&self, from: SearchKey) -> bool {
        self.get(from, ORIGIN).is_some_and(|origin| origin & SEVERAL != 0)
    }

    /// How often each of so many values was there when the search passed a place.
    pub(super) fn at(&self, place: SearchKey, values: usize) -> Vec<u64> {
        (0..values as u64).map(|value| self.get(place, value).unwrap_or(0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_remember_values_movers_and_alternatives() {
        let mut counts = Counts::new(1 << 20);
        let root = SearchKey::root(1);
        let (left, right) = (root.own(1), root.own(2));
        for i in 0..300 {
            counts.pass(root, i % 3);
            counts.step(root, left, Mover::Other);
            counts.pass(left, i % 2);
        }
        assert_eq!(counts.at(root, 4), [100, 100, 100, 0]);
        assert_eq!(counts.at(left, 3), [150, 150, 0]);
        assert_eq!((counts.mover(left), counts.mover(right)), (Some(Mover::Other), None));
        assert!(!counts.has_alternatives(root));
        counts.step(root, right, Mover::Several);
        assert!(counts.has_alternatives(root) && !counts.has_alternatives(left));
        assert_eq!(counts.mover(right), Some(Mover::Several));
        counts.link(left, right);
        assert_eq!((counts.linked(left), counts.linked(right)), (Some(right), None));
        counts.clear();
        assert_eq!(counts.at(root, 1), [0]);
    }

    #[test]
    fn a_full_table_goes_on_counting_what_it_has() {
        let mut counts = Counts::new(1 << 14);
        let root = SearchKey::root(1);
        for i in 0..10_000 {
            counts.pass(root, 0);
            counts.pass(root.own(i), 0);
        }
        assert!(counts.bytes() <= 1 << 14);
        assert_eq!(counts.at(root, 1), [10_000]);
    }
}
