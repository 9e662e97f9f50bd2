//! The worlds of a decision: how many, how long each is searched, and what is told of them.

use fogtree_core::{BeliefReport, Game, Observer, Player};

use super::index::{Index, NONE};
use super::mark::mark_of;
use super::{PER_WORLD, Variant};
use crate::inference::summary;

/// States kept to be shown; a search may draw more.
const MOST_STATES: usize = 1 << 14;
/// States listed in a report where the game does not say what beliefs are about.
const LISTED: usize = 8;

/// How many iterations each world gets.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    variant: Variant,
    worlds: u64,
    iterations: Option<u64>,
    drawn: u64,
}

impl Plan {
    pub(super) fn new(variant: Variant, worlds: u64, iterations: Option<u64>) -> Plan {
        Plan { variant, worlds: worlds.max(1), iterations, drawn: 0 }
    }

    /// The worlds planned, or those drawn so far if that is more.
    pub(super) fn worlds(&self) -> u64 {
        self.worlds.max(self.drawn)
    }

    /// The iterations in the next world.
    pub(super) fn next(&mut self) -> Option<u64> {
        let at = self.drawn;
        self.drawn += 1;
        match (self.variant, self.iterations) {
            (Variant::Literal, Some(all)) => {
                let worlds = self.worlds.saturating_sub(1).max(1);
                (at < worlds).then_some((all / self.worlds).saturating_sub(1).max(1))
            }
            (_, Some(all)) => {
                let share = all / self.worlds + u64::from(at < all % self.worlds);
                (at < self.worlds).then_some(share).filter(|n| *n > 0)
            }
            (Variant::Literal, None) => Some(PER_WORLD - 1),
            (_, None) => Some(PER_WORLD),
        }
    }
}

/// The different worlds drawn for a decision.
#[derive(Debug)]
pub(super) struct Worlds<G: Game> {
    index: Index,
    /// The states by place, and how often each was drawn. Room for states is kept from decision to decision.
    states: Vec<G::State>,
    times: Vec<u64>,
}

impl<G: Game> Worlds<G> {
    pub(super) fn new() -> Worlds<G> {
        Worlds { index: Index::default(), states: Vec::new(), times: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.index.clear();
        self.times.clear();
    }

    /// A world was drawn: returns how often by now.
    pub(super) fn draw(&mut self, state: &G::State) -> u64 {
        let mark = mark_of(state);
        let found = self.index.find(mark);
        if found != NONE {
            self.times[found as usize] += 1;
            return self.times[found as usize];
        }
        let place = self.times.len();
        if place == MOST_STATES {
            return 1;
        }
        self.index.put(mark, place as u32);
        self.times.push(1);
        match self.states.get_mut(place) {
            Some(room) => room.clone_from(state),
            None => self.states.push(state.clone()),
        }
        1
    }

    /// The state with this mark, if it was drawn and kept.
    pub(super) fn state(&self, mark: u64) -> Option<&G::State> {
        let place = self.index.find(mark);
        (place != NONE).then(|| &self.states[place as usize])
    }

    /// How often the state with this mark was drawn.
    #[cfg(test)]
    pub(super) fn times(&self, mark: u64) -> u64 {
        self.times[self.index.find(mark) as usize]
    }

    /// What is believed, in words: of the hidden part of the state in games that have one, else, if it is asked for,
    /// of whole states, the likeliest only.
    pub(super) fn named<'a>(
        &self,
        game: &G,
        seat: Player,
        believed: impl Iterator<Item = (&'a G::State, f64)>,
        whole: bool,
    ) -> Vec<BeliefReport>
    where
        G::State: 'a,
    {
        let of = Observer::Seat(seat);
        if let Some(part) = game.hidden_part() {
            let mut belief = vec![0.0; part.values()];
            for (state, b) in believed {
                if let Some(mass) = part.value(state).and_then(|value| belief.get_mut(value)) {
                    *mass += b;
                }
            }
            return vec![BeliefReport { of, values: summary(part, &belief) }];
        }
        if !whole || !game.facts().hidden {
            return Vec::new();
        }
        let mut states: Vec<_> = believed.collect();
        states.sort_by(|a, b| b.1.total_cmp(&a.1));
        let name = |(state, b): &(&G::State, f64)| (one_line(&game.show(state)), *b);
        vec![BeliefReport { of, values: states.iter().take(LISTED).map(name).collect() }]
    }

    /// Numbers of worlds and beliefs; `1 / sum b^2` is how many equally likely worlds would say as little.
    pub(super) fn figures(&self, b: impl Iterator<Item = f64>, beliefs: usize) -> Vec<(String, f64)> {
        let squares: f64 = b.map(|b| b * b).sum();
        let figure = |name: &str, value: f64| (name.to_string(), value);
        vec![
            figure("worlds drawn", self.times.iter().sum::<u64>() as f64),
            figure("different worlds", self.times.len() as f64),
            figure("effective worlds", if squares > 0.0 { 1.0 / squares } else { 0.0 }),
            figure("beliefs in the tree", beliefs as f64),
        ]
    }
}

/// A drawing of a state without colours and line breaks.
fn one_line(drawing: &str) -> String {
    let plain = fogtree_core::text::plain(drawing);
    plain.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(variant: Variant, worlds: u64, iterations: u64) -> Vec<u64> {
        let mut plan = Plan::new(variant, worlds, Some(iterations));
        std::iter::from_fn(|| plan.next()).collect()
    }

    /// `tubstap/2.6.2`, defect 2: ten worlds of a hundred iterations become 9 of 99, which makes 891 and not 1000.
    #[test]
    fn the_listing_makes_fewer_iterations_than_it_is_given() {
        assert_eq!(lengths(Variant::Literal, 10, 1000), [99; 9]);
        assert_eq!(lengths(Variant::Literal, 10, 1000).iter().sum::<u64>(), 891);
        assert_eq!(lengths(Variant::Original, 10, 1000), [100; 10]);
        assert_eq!(lengths(Variant::Corrected, 10, 1000), [100; 10]);
    }

    /// No iteration is lost where the division leaves a remainder, or where there are more worlds than iterations.
    #[test]
    fn all_iterations_are_made() {
        assert_eq!(lengths(Variant::Corrected, 3, 11), [4, 4, 3]);
        assert_eq!(lengths(Variant::Corrected, 64, 5), [1; 5]);
        assert_eq!(lengths(Variant::Literal, 1, 1), [1]);
    }
}
