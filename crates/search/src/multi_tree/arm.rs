//! A move as the store of ISMCTS keeps it, with what UCB1-Tuned and the bluffing rule need beyond the mean,
//! and how moves are chosen by that.

use std::cmp::Ordering;

use fogtree_core::Rng;

use crate::is_mcts::Smooth;
use crate::kit::store::Edge;

/// An action with the mean of the squares of the rewards after it. Arms are told apart by the action alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm<A> {
    pub(super) action: A,
    square: f32,
}

impl<A> Arm<A> {
    pub(super) fn of(action: A) -> Arm<A> {
        Arm { action, square: 0.0 }
    }
}

impl<A: Eq> PartialEq for Arm<A> {
    fn eq(&self, other: &Self) -> bool {
        self.action == other.action
    }
}

impl<A: Eq> Eq for Arm<A> {}

impl<A: Ord> PartialOrd for Arm<A> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<A: Ord> Ord for Arm<A> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.action.cmp(&other.action)
    }
}

/// Adds a reward to the means.
#[inline]
pub(super) fn credit<A>(edge: &mut Edge<Arm<A>>, reward: f32) {
    edge.credit(reward);
    let square = &mut edge.action.square;
    *square += (reward * reward - *square) / edge.visits as f32;
}

/// Which moves look best.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bound {
    /// UCB1-Tuned, which explores the less the less the rewards of a move vary (Auer and others 2002). It
    /// has no constant; it is meant for rewards in [0, 1], to which all rewards are scaled.
    Ucb1Tuned,
    /// UCB1 with this exploration constant.
    Ucb1(f64),
}

/// How a player chooses in its trees. What it has never tried comes first in any case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// The move with the greatest bound.
    Greatest(Bound),
    /// With the probability [`Smooth::eta_after`] by UCB1, else as it has chosen so far: any legal move in
    /// proportion to its visits. The others then learn against average play, as in fictitious play, which is
    /// how an equilibrium is sought (Heinrich and Silver 2015; `icarus/4.2.2`).
    Smooth(Smooth),
}

impl Selection {
    /// The bound that is followed, always or from time to time.
    #[inline(always)]
    pub(super) fn bound(self) -> Bound {
        match self {
            Selection::Greatest(bound) => bound,
            Selection::Smooth(smooth) => Bound::Ucb1(smooth.c),
        }
    }

    /// Whether the average is played in place of the bound at a node visited so often before.
    #[inline(always)]
    pub(super) fn plays_average(self, visits: u32, rng: &mut Rng) -> bool {
        match self {
            Selection::Greatest(_) => false,
            Selection::Smooth(smooth) => rng.unit() >= smooth.eta_after(visits.into()),
        }
    }
}

/// A place drawn in proportion to visits; `None` if there are none.
#[inline]
pub(super) fn in_proportion(visits: impl Iterator<Item = u32> + Clone, rng: &mut Rng) -> Option<usize> {
    let sum: u32 = visits.clone().sum();
    if sum == 0 {
        return None;
    }
    let mut left = rng.below(sum);
    let passed = |visits: &u32| {
        let passed = left >= *visits;
        left = left.wrapping_sub(*visits * u32::from(passed));
        passed
    };
    Some(visits.take_while(passed).count())
}

/// The mean reward of a move and the mean of its square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) mean: f32,
    pub(super) square: f32,
}

impl Moments {
    #[inline]
    pub(super) fn of<A>(edge: &Edge<Arm<A>>) -> Moments {
        Moments { mean: edge.value, square: edge.action.square }
    }
}

impl Bound {
    /// The bound of a move with these moments and `1 / sqrt(visits)` as width; `root` is `sqrt(ln n)` if it was legal `n`
    /// times before.
    #[inline(always)]
    pub(super) fn bound(self, moments: Moments, width: f32, root: f32) -> f32 {
        match self {
            Bound::Ucb1(c) => moments.mean + c as f32 * root * width,
            Bound::Ucb1Tuned => {
                let spread = root * width;
                let variance = moments.square - moments.mean * moments.mean;
                let bound = variance + std::f32::consts::SQRT_2 * spread;
                // Rewards vary so much, or are known so little, nearly always.
                let root = if bound >= 0.25 { 0.5 } else { bound.max(0.0).sqrt() };
                moments.mean + spread * root
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;
    use crate::kit::selection::Roots;

    /// The formula of icarus 0.2 with ten rewards of which four are 1, legal 50 times:
    /// V = 0.4 - 0.16 + sqrt(2 ln 50 / 10) = 1.1245 > 1/4, so 0.4 + sqrt(ln 50 / 10 / 4) = 0.71273.
    /// With 1000 such rewards, legal 5000 times: V = 0.24 + sqrt(2 ln 5000 / 1000) = 0.3705 > 1/4; with
    /// rewards that are all 0.4, V = 0.13052 and 0.4 + sqrt(0.0085172 * 0.13052) = 0.43334.
    #[test]
    fn tuned_bounds_follow_the_formula() {
        let roots = Roots::default();
        let filled = |rewards: &mut dyn Iterator<Item = f32>| {
            let mut edge = Edge::new(Arm::of(0u8));
            rewards.for_each(|r| credit(&mut edge, r));
            edge
        };
        let bound = |edge: Edge<Arm<u8>>, available| {
            Bound::Ucb1Tuned.bound(Moments::of(&edge), edge.width(), roots.of(available))
        };
        let mixed = filled(&mut (0..10).map(|i| f32::from(u8::from(i % 5 < 2))));
        assert!((bound(mixed, 50) - 0.712_73).abs() < 1e-4, "{}", bound(mixed, 50));
        let even = filled(&mut std::iter::repeat_n(0.4, 1000));
        assert!((bound(even, 5000) - 0.433_34).abs() < 1e-4, "{}", bound(even, 5000));
        assert!(
            (Bound::Ucb1(0.7).bound(Moments::of(&mixed), mixed.width(), roots.of(50)) - 0.837_82).abs()
                < 1e-4
        );
        assert_eq!(bound(filled(&mut [1.0].into_iter()), 1), 1.0);
    }

    /// Of 6, 0, 3 and 1 visits the shares are 0.6, 0, 0.3 and 0.1; 20 000 draws have a standard deviation of
    /// at most 0.0035.
    #[test]
    fn averages_are_drawn_in_proportion() {
        let mut rng = Seed(3).stream(Purpose::Ties);
        let mut drawn = [0; 4];
        for _ in 0..20_000 {
            drawn[in_proportion([6, 0, 3, 1].into_iter(), &mut rng).unwrap()] += 1;
        }
        for (drawn, share) in drawn.into_iter().zip([0.6, 0.0, 0.3, 0.1]) {
            assert!((f64::from(drawn) / 20_000.0 - share).abs() <= 0.014_f64.min(share), "{drawn}");
        }
        assert_eq!(in_proportion([0, 0].into_iter(), &mut rng), None);
    }

    /// With eta = 0.9, d = 0.1 and gamma = 0.2 the bound is followed in 0.9 / (1 + 0.1 * 10) = 0.45 of the
    /// visits after 100, and after a million in 0.2 of them, not in 0.9 / 101.
    #[test]
    fn the_average_is_played_more_and_more() {
        let mut rng = Seed(4).stream(Purpose::Ties);
        let smooth = Selection::Smooth(Smooth { c: 0.7, gamma: 0.2, eta: 0.9, d: 0.1 });
        for (visits, averages) in [(0, 0.1), (100, 0.55), (1_000_000, 0.8)] {
            let played = (0..20_000).filter(|_| smooth.plays_average(visits, &mut rng)).count();
            assert!((played as f64 / 20_000.0 - averages).abs() < 0.015, "{played} after {visits}");
        }
        assert!((0..100).all(|n| !Selection::Greatest(Bound::Ucb1Tuned).plays_average(n, &mut rng)));
        assert_eq!(smooth.bound(), Bound::Ucb1(0.7));
    }
}
