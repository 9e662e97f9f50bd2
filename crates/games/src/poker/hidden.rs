//! Beliefs are about the private cards of both players. Nothing else is hidden.

use fogtree_core::{Game, HiddenPart, Player, Rng};

use super::{Card, Info, Poker, Sampler, State};

impl Poker {
    /// The cards that can be told apart, by number.
    pub(super) fn kinds(&self) -> usize {
        if self.suits() { self.deck.len() } else { self.types.into() }
    }

    fn suits(&self) -> bool {
        self.deck.iter().any(|card| card.copy > 0)
    }

    pub(super) fn kind(&self, card: Card) -> usize {
        if self.suits() { self.place(card) as usize } else { card.rank.into() }
    }

    /// The card of a kind.
    fn of_kind(&self, kind: usize) -> Card {
        self.deck[if self.suits() { kind } else { kind * usize::from(self.copies) }]
    }

    /// The private cards by value.
    fn hands_of(&self, value: usize) -> [Card; 2] {
        [value / self.kinds(), value % self.kinds()].map(|kind| self.of_kind(kind))
    }

    /// Adds what each value weighs in an information set, times what it is worth.
    fn weigh(&self, k: &Info, belief: &mut [f64], worth: impl Fn(usize) -> f64) {
        let mut worlds = Vec::new();
        self.enumerate(k, &mut worlds);
        belief.fill(0.0);
        for (world, weight) in worlds {
            if let Some(value) = self.value(&world) {
                belief[value] += weight * worth(value);
            }
        }
        let sum: f64 = belief.iter().sum();
        if sum > 0.0 {
            belief.iter_mut().for_each(|mass| *mass /= sum);
        }
    }
}

impl HiddenPart<Poker> for Poker {
    fn values(&self) -> usize {
        self.kinds() * self.kinds()
    }

    fn name(&self, value: usize) -> String {
        self.hands_of(value).map(|card| self.card_name(card)).concat()
    }

    fn value(&self, s: &State) -> Option<usize> {
        let [Some(first), Some(second)] = s.hands else { return None };
        Some(self.kind(first) * self.kinds() + self.kind(second))
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        self.kind(self.hands_of(value)[seat.index()]) as u64
    }

    fn prior(&self, k: &Info, belief: &mut [f64]) {
        self.weigh(k, belief, |_| 1.0);
    }

    /// A public card makes deals that would have left more of its kind likelier, as chance does.
    fn propagate(&self, belief: &mut [f64], before: &Info, after: &Info) {
        let mut prior = vec![0.0; belief.len()];
        self.prior(before, &mut prior);
        let old = belief.to_vec();
        let believed = |value: usize| if prior[value] > 0.0 { old[value] / prior[value] } else { 0.0 };
        self.weigh(after, belief, believed);
        if belief.iter().all(|mass| *mass == 0.0) {
            self.prior(after, belief);
        }
    }

    fn sample(&self, from: &mut Sampler, value: usize, _rng: &mut Rng, into: &mut State) -> bool {
        let mut left = from.left.clone();
        let mut possible = true;
        let hands = self.hands_of(value);
        for (seat, card) in hands.into_iter().enumerate() {
            possible &= match left.iter().position(|c| *c == card).filter(|_| from.hidden[seat]) {
                Some(place) => left.remove(place) == card,
                None => from.seen.hands[seat] == Some(card),
            };
        }
        if possible {
            *into = State { hands: hands.map(Some), ..from.seen };
        }
        possible
    }

    fn put(&self, state: &mut State, value: usize) -> bool {
        let table = State { hands: [None; 2], ..*state };
        let [first, second] = self.hands_of(value);
        let left = self.left(&table);
        let copies = |card| left.iter().filter(|c| **c == card).count();
        let possible = copies(first) > 0 && copies(second) > usize::from(first == second);
        if possible {
            state.hands = [first, second].map(Some);
        }
        possible
    }
}
