//! Chance inside a tree (`ismcts/3.6`): of k equally likely outcomes, each block of k visits to a chance node
//! uses every outcome once, in random order. Outcomes that are not equally likely are drawn.
//!
//! The source gives chance a tree of its own that sees everything; here a chance node is named by a hash of
//! all moves since the root and of the places of earlier outcomes in their lists. It remembers its visits
//! alone: the order within a block follows from key and block.

use fogtree_core::{Purpose, Rng, Rules, Seed};

/// The visits of chance nodes.
#[derive(Clone, Debug)]
pub(crate) struct ChanceNodes<O> {
    slots: Vec<(u64, u32)>,
    used: usize,
    most: usize,
    listed: Vec<(O, f64)>,
    /// Makes the orders of one search different from those of another.
    salt: u64,
}

/// Beyond so many outcomes taking turns is not worth the list.
const MANY: usize = 64;

impl<O: Clone> ChanceNodes<O> {
    pub(crate) fn new(most: usize) -> ChanceNodes<O> {
        ChanceNodes { slots: vec![(0, 0); 256], used: 0, most, listed: Vec::new(), salt: 0 }
    }

    pub(crate) fn seed(&mut self, seed: Seed) {
        self.salt = seed.named("chance").0;
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill((0, 0));
        self.used = 0;
    }

    /// Draws an outcome at the chance node with this key; also returns its place in the list, 0 if it was
    /// drawn freely.
    pub(crate) fn draw<R: Rules<Outcome = O>>(
        &mut self,
        rules: &R,
        state: &R::State,
        key: u64,
        rng: &mut Rng,
    ) -> (O, u64) {
        self.listed.clear();
        rules.chance(state, &mut self.listed);
        let k = self.listed.len();
        let even = k > 0 && k <= MANY && self.listed.windows(2).all(|w| (w[0].1 - w[1].1).abs() < 1e-12);
        let visits = if even { self.visit(key) } else { None };
        let Some(visits) = visits else { return (rules.sample_chance(state, rng), 0) };
        let (block, within) = (visits / k as u32, visits as usize % k);
        let mut order = Seed(key ^ self.salt).number(u64::from(block)).stream(Purpose::Ties);
        let mut places: [u8; MANY] = std::array::from_fn(|i| i as u8);
        for i in 0..=within {
            places.swap(i, i + order.below((k - i) as u32) as usize);
        }
        let place = places[within] as usize;
        (self.listed[place].0.clone(), place as u64)
    }

    /// Counts a visit and returns how many came before; `None` if there is no room for another node.
    fn visit(&mut self, key: u64) -> Option<u32> {
        if 2 * (self.used + 1) > self.slots.len() {
            if 2 * self.slots.len() > self.most {
                return None;
            }
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![(0, 0); 2 * old.len()];
            for (key, visits) in old.into_iter().filter(|s| s.1 > 0) {
                let at = self.place(key);
                self.slots[at] = (key, visits);
            }
        }
        let at = self.place(key);
        self.used += usize::from(self.slots[at].1 == 0);
        let before = self.slots[at].1;
        self.slots[at] = (key, before + 1);
        Some(before)
    }

    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].1 > 0 && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }
}
