//! Chance inside a tree (`ismcts/3.6`): of k equally likely outcomes, each block of k visits to a chance node
//! uses every outcome once, in random order. Outcomes that are not equally likely are drawn.
//!
//! The source gives chance a tree of its own that sees everything; here a chance node is named by a hash of
//! all moves since the root and of the places of earlier outcomes in their lists. It remembers which places
//! are left in the present block, nothing more.

use fogtree_core::{Eyes, Outcome, Rng, Turn, World};

/// The chance nodes of a search.
#[derive(Clone, Debug)]
pub(crate) struct ChanceNodes {
    /// Key and places left, as bits; a free slot has neither.
    slots: Vec<(u64, u64)>,
    used: usize,
    most: usize,
}

impl ChanceNodes {
    pub(crate) fn new(most: usize) -> ChanceNodes {
        ChanceNodes { slots: vec![(0, 0); 256], used: 0, most }
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill((0, 0));
        self.used = 0;
    }

    /// Lets chance draw at the node with this key; returns the place of the outcome in the list, 0 if it was drawn
    /// freely, and whose turn it is then.
    #[inline]
    pub(crate) fn play(
        &mut self,
        world: &mut dyn World,
        key: u64,
        rng: &mut Rng,
        eyes: Eyes<'_>,
    ) -> (u64, Turn) {
        let Some(slot) = self.slot(key) else { return (0, world.play_chance(rng, eyes)) };
        let mut left = slot.1;
        let (place, turn) = world.play_chance_in_turn(&mut left, rng, eyes);
        if place.is_some() {
            *slot = (key, left);
        }
        (place.map_or(0, u64::from), turn)
    }

    /// What chance draws at the node with this key, for those who look at it before the step is made; also the place
    /// of the outcome in the list, 0 if it was drawn freely.
    pub(crate) fn draw(&mut self, world: &dyn World, key: u64, rng: &mut Rng) -> (Outcome, u64) {
        match self.slot(key).zip(world.even_chances()) {
            None => (world.sample_chance(rng), 0),
            Some((slot, k)) => {
                let all = u64::MAX >> (64 - k);
                let left = if slot.1 & all == 0 { all } else { slot.1 & all };
                let place = rng.bit_of(left);
                *slot = (key, left & !(1 << place));
                (Outcome::Listed(place), u64::from(place))
            }
        }
    }

    /// The slot of a node; `None` if there is no room for another.
    #[inline]
    fn slot(&mut self, key: u64) -> Option<&mut (u64, u64)> {
        if 2 * (self.used + 1) > self.slots.len() {
            if 2 * self.slots.len() > self.most {
                return None;
            }
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![(0, 0); 2 * old.len()];
            for slot in old.into_iter().filter(|s| s.0 != 0) {
                let at = self.place(slot.0);
                self.slots[at] = slot;
            }
        }
        let at = self.place(key);
        self.used += usize::from(self.slots[at].0 == 0);
        Some(&mut self.slots[at])
    }

    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].0 != 0 && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Erased, Model, Purpose, Seed};
    use fogtree_games::kuhn_poker::KuhnPoker;

    use super::*;

    /// After j k visits each of the k outcomes has come up exactly j times (`icarus/ORACLE-14`).
    #[test]
    fn equally_likely_outcomes_take_turns() {
        let game = Erased::new(KuhnPoker);
        let mut nodes = ChanceNodes::new(1 << 16);
        let mut rng = Seed(1).stream(Purpose::Playout);
        for node in 1..500 {
            let mut counts = [0; 3];
            for visit in 1..=12 {
                let (card, _) = nodes.draw(&*game.start(), node, &mut rng);
                let Outcome::Listed(card) = card else { panic!("the cards are listed") };
                counts[card as usize] += 1;
                if visit % 3 == 0 {
                    assert_eq!(counts, [visit / 3; 3]);
                }
            }
        }
    }
}
