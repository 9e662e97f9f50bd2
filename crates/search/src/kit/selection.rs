//! The arithmetic of selection, made cheap.

use fogtree_core::Rng;

use super::store::{Edge, NodeId, Store};
use crate::bandit::{exp3_gamma, exp3_probabilities};

/// `sqrt(ln n)`, as bounds need it.
#[inline]
pub(crate) fn sqrt_ln(n: u32) -> f32 {
    (n.max(1) as f32).ln().sqrt()
}

/// A table of `sqrt(ln n)` for small n.
#[derive(Clone, Debug)]
pub(crate) struct Roots(Box<[f32]>);

const TABLE: u32 = 16_384;

impl Default for Roots {
    fn default() -> Self {
        Roots((0..TABLE).map(sqrt_ln).collect())
    }
}

impl Roots {
    #[inline]
    pub(crate) fn of(&self, n: u32) -> f32 {
        match self.0.get(n as usize) {
            Some(&root) => root,
            None => Roots::beyond(n),
        }
    }

    /// Kept out of the way of the loops over edges that ask for roots.
    #[cold]
    fn beyond(n: u32) -> f32 {
        sqrt_ln(n)
    }
}

/// The greatest bound so far; ties are broken at random.
pub(crate) struct Best<F = f32> {
    pub(crate) place: u32,
    pub(crate) bound: F,
    tied: u32,
}

impl<F: From<f32>> Default for Best<F> {
    fn default() -> Self {
        Best { place: 0, bound: f32::NEG_INFINITY.into(), tied: 0 }
    }
}

impl<F: PartialOrd> Best<F> {
    #[inline]
    pub(crate) fn offer(&mut self, place: u32, bound: F, ties: &mut Rng) {
        if bound > self.bound {
            *self = Best { place, bound, tied: 1 };
        } else if bound == self.bound {
            self.tied += 1;
            if ties.below(self.tied) == 0 {
                self.place = place;
            }
        }
    }
}

/// The place of the item with the greatest bound; ties are broken at random, as [`Best`] does it. Random numbers are out of
/// the way of the loop: only if there was a tie does it begin anew with them.
#[inline(always)]
pub(crate) fn greatest<T>(items: &[T], bound: impl Fn(&T) -> f32, ties: &mut Rng) -> u32 {
    let (mut place, mut best, mut tied) = (0, f32::NEG_INFINITY, false);
    for (i, item) in items.iter().enumerate() {
        let bound = bound(item);
        tied |= bound == best;
        if bound > best {
            (place, best) = (i as u32, bound);
        }
    }
    if tied { greatest_of_tied(items, bound, ties) } else { place }
}

#[inline(never)]
fn greatest_of_tied<T>(items: &[T], bound: impl Fn(&T) -> f32, ties: &mut Rng) -> u32 {
    let mut best = Best::default();
    for (i, item) in items.iter().enumerate() {
        best.offer(i as u32, bound(item), ties);
    }
    best.place
}

/// EXP3 at nodes of a tree (Auer and others 1995; Whitehouse 2014, eqs. 3.2 to 3.4; `ismcts/3.3`).
#[derive(Clone, Debug, Default)]
pub(crate) struct Exp3 {
    sums: Vec<f64>,
    strategy: Vec<f64>,
}

impl Exp3 {
    /// Draws one of the arms, given by their sums of rewards over probabilities, after this many trials. Also
    /// returns its probability.
    fn choose(&mut self, sums: impl Iterator<Item = f64>, trials: u32, rng: &mut Rng) -> (usize, f32) {
        self.sums.clear();
        self.sums.extend(sums);
        self.strategy.resize(self.sums.len(), 0.0);
        exp3_probabilities(&self.sums, exp3_gamma(self.sums.len(), trials.into()), &mut self.strategy);
        let arm = rng.weighted(self.strategy.iter().copied());
        (arm, self.strategy[arm] as f32)
    }

    /// Draws a legal move at a node of a simultaneous turn, and says how likely it was. A move that was never tried has
    /// won nothing yet.
    pub(crate) fn draw_at<L: Copy + Ord>(
        &mut self,
        store: &Store<L>,
        at: NodeId,
        legal: &[L],
        rng: &mut Rng,
    ) -> (L, f32) {
        let mut edges = store.edges(at).iter().peekable();
        let sums = legal.iter().map(|action| {
            while edges.next_if(|e| e.action < *action).is_some() {}
            f64::from(edges.next_if(|e| e.action == *action).map_or(0.0, |e| e.value))
        });
        let (drawn, probability) = self.choose(sums, store.node(at).visits, rng);
        (legal[drawn], probability)
    }

    /// The same, as the place of a move that is now tried. `None` if the memory is used up.
    pub(crate) fn choose_at<L: Copy + Ord>(
        &mut self,
        store: &mut Store<L>,
        at: NodeId,
        legal: &[L],
        rng: &mut Rng,
    ) -> Option<(u32, f32)> {
        let (action, probability) = self.draw_at(store, at, legal, rng);
        let place = match store.edges(at).binary_search_by(|e| e.action.cmp(&action)) {
            Ok(place) => place as u32,
            Err(_) => store.add_move(at, Edge::new(action))?,
        };
        store.node_mut(at).visits += 1;
        Some((place, probability))
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    #[test]
    fn the_table_agrees_with_the_formula() {
        let roots = Roots::default();
        for n in [1, 2, 100, 16_383, 16_384, 1_000_000] {
            assert!((roots.of(n) - (f64::from(n)).ln().sqrt() as f32).abs() < 1e-6, "{n}");
        }
    }

    /// One arm is certain; with sums far apart the better one gets all but the exploration.
    #[test]
    fn exp3_explores_and_exploits() {
        let (mut exp3, mut rng) = (Exp3::default(), Seed(1).stream(Purpose::Ties));
        assert_eq!(exp3.choose([3.0].into_iter(), 9, &mut rng), (0, 1.0));
        let counts = (0..2000).filter(|_| exp3.choose([0.0, 1e6].into_iter(), 10_000, &mut rng).0 == 1);
        let gamma = (2.0 * 2f64.ln() / ((std::f64::consts::E - 1.0) * 10_000.0)).sqrt();
        let share = counts.count() as f64 / 2000.0;
        assert!((share - (1.0 - gamma / 2.0)).abs() < 0.01, "{share}");
    }
}
