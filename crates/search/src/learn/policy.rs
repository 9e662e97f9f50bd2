//! How the values of the legal actions decide.

use fogtree_core::Rng;

use super::enhance::{Explore, Policy};
use super::records::Evidence;
use crate::kit::selection::{Best, Roots};

/// What decisions by values need: roots of logarithms, and a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Scales {
    pub(crate) roots: Roots,
    /// `sqrt(ln n)` for large n, by the first bits of n as a float.
    large: Box<[f32]>,
    weights: Vec<f64>,
}

/// From here on roots of logarithms are rounded.
const LARGE: u32 = 1 << 14;
/// So many bits of the mantissa do not matter.
const COARSE: u32 = 16;

/// The bits of a number that matter.
#[inline]
fn coarse(n: u32) -> usize {
    ((n as f32).to_bits() >> COARSE) as usize
}

impl Default for Scales {
    fn default() -> Self {
        let middle = |i: usize| f32::from_bits((i as u32) << COARSE | 1 << (COARSE - 1));
        let large = (coarse(LARGE)..=coarse(u32::MAX)).map(|i| middle(i).ln().sqrt());
        Scales { roots: Roots::default(), large: large.collect(), weights: Vec::new() }
    }
}

impl Scales {
    /// `sqrt(ln n)`; for large n to within a part in 4000, since the records of a few actions are soon tried too often
    /// for a table of them all.
    #[inline]
    fn root(&self, n: u32) -> f32 {
        if n < LARGE { self.roots.of(n) } else { self.large[coarse(n) - coarse(LARGE)] }
    }
}

/// The place of the action that a policy takes, given what is known of each. An action never tried is worth
/// `untried`, but UCB1 tries it at once.
#[inline]
pub(crate) fn choose(
    policy: Policy,
    untried: f32,
    of: &[Evidence],
    scales: &mut Scales,
    rng: &mut Rng,
) -> usize {
    let value = |info: &Evidence| if info.n == 0 { untried } else { info.mean };
    match policy {
        Policy::Ucb1 { c } => ucb1(c, of.iter().copied(), scales, rng),
        Policy::Gibbs { tau } => {
            let greatest = of.iter().map(value).fold(f32::NEG_INFINITY, f32::max);
            scales.weights.clear();
            scales.weights.extend(of.iter().map(|info| f64::from(((value(info) - greatest) / tau).exp())));
            rng.weighted(scales.weights.iter().copied())
        }
        Policy::Roulette => {
            let weights = of.iter().map(|info| f64::from(value(info)));
            if weights.clone().any(|w| w > 0.0) { rng.weighted(weights) } else { any(of.len(), rng) }
        }
        Policy::Greedy { epsilon, explore } => {
            let greatest = of.iter().map(value).fold(f32::NEG_INFINITY, f32::max);
            let best = of.iter().filter(|info| value(info) == greatest).count();
            let exploring = epsilon > 0.0 && rng.unit() < f64::from(epsilon);
            match (exploring, explore) {
                (true, Explore::All) => any(of.len(), rng),
                (true, Explore::Others) if best == of.len() => any(of.len(), rng),
                (true, Explore::Others) => nth(of, any(of.len() - best, rng), |i| value(i) != greatest),
                (false, _) => nth(of, any(best, rng), |i| value(i) == greatest),
            }
        }
    }
}

fn any(n: usize, rng: &mut Rng) -> usize {
    if n == 1 { 0 } else { rng.below(n as u32) as usize }
}

/// The place of the n-th of those that qualify.
fn nth(of: &[Evidence], n: usize, qualifies: impl Fn(&Evidence) -> bool) -> usize {
    let mut places = (0..of.len()).filter(|&i| qualifies(&of[i]));
    places.nth(n).expect("as many qualify as were counted")
}

/// The greatest `mean + c sqrt(ln N / n)`; untried actions first, all equally likely.
#[inline]
pub(crate) fn ucb1(
    c: f32,
    of: impl Iterator<Item = Evidence> + Clone,
    scales: &Scales,
    rng: &mut Rng,
) -> usize {
    let (mut trials, mut untried) = (0u32, 0);
    for info in of.clone() {
        trials += info.n;
        untried += usize::from(info.n == 0);
    }
    if untried > 0 {
        return nth_untried(of, any(untried, rng));
    }
    let explore = c * scales.root(trials);
    let mut best = Best::default();
    for (i, info) in of.enumerate() {
        best.offer(i as u32, info.mean + explore * info.width, rng);
    }
    best.place as usize
}

#[inline(never)]
fn nth_untried(of: impl Iterator<Item = Evidence>, n: usize) -> usize {
    let mut untried = of.enumerate().filter(|(_, info)| info.n == 0);
    untried.nth(n).expect("as many are untried as were counted").0
}

/// The values by which UCB1 decides; infinite for untried actions.
pub(crate) fn bounds(c: f32, of: &[Evidence], scales: &Scales, out: &mut Vec<f32>) {
    let explore = c * scales.root(of.iter().map(|info| info.n).sum());
    let bound = |info: &Evidence| if info.n == 0 { f32::INFINITY } else { info.mean + explore * info.width };
    out.extend(of.iter().map(bound));
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    fn info(n: u32, mean: f32) -> Evidence {
        Evidence { n, mean, width: 1.0 / (n.max(1) as f32).sqrt() }
    }

    fn shares<const N: usize>(policy: Policy, of: &[Evidence; N]) -> [f64; N] {
        const DRAWS: usize = 40_000;
        let (mut scales, mut rng) = (Scales::default(), Seed(1).stream(Purpose::Playout));
        let mut counts = [0.0; N];
        for _ in 0..DRAWS {
            counts[choose(policy, 1.0, of, &mut scales, &mut rng)] += 1.0 / DRAWS as f64;
        }
        counts
    }

    fn close<const N: usize>(policy: Policy, of: [Evidence; N], expected: [f64; N]) {
        let got = shares(policy, &of);
        assert!(got.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 0.01), "{policy:?}: {got:?}");
    }

    /// `icarus/3.2`: exp(0.2), exp(0.5), exp(1) at temperature 1; greedy as it falls, uniform as it rises.
    #[test]
    fn gibbs_goes_from_greedy_to_uniform() {
        let of = [info(5, 0.2), info(5, 0.5), info(0, 0.3)];
        let sum = 0.2f64.exp() + 0.5f64.exp() + 1f64.exp();
        close(Policy::Gibbs { tau: 1.0 }, of, [0.2f64.exp() / sum, 0.5f64.exp() / sum, 1f64.exp() / sum]);
        close(Policy::Gibbs { tau: 1e-4 }, of, [0.0, 0.0, 1.0]);
        close(Policy::Gibbs { tau: 1e5 }, of, [1.0 / 3.0; 3]);
        close(Policy::Gibbs { tau: 1e-4 }, [info(1, 0.4), info(3, 0.4), info(9, 0.1)], [0.5, 0.5, 0.0]);
    }

    /// `icarus/AMB-22`: exploration over the others, or over all.
    #[test]
    fn greedy_explores_in_both_ways() {
        let of = [info(5, 0.2), info(5, 0.5), info(5, 0.5), info(5, 0.1)];
        let greedy = |epsilon, explore| Policy::Greedy { epsilon, explore };
        close(greedy(0.2, Explore::Others), of, [0.1, 0.4, 0.4, 0.1]);
        close(greedy(0.2, Explore::All), of, [0.05, 0.45, 0.45, 0.05]);
        for explore in [Explore::Others, Explore::All] {
            close(greedy(0.0, explore), of, [0.0, 0.5, 0.5, 0.0]);
            close(greedy(0.6, explore), [info(2, 0.3); 4], [0.25; 4]);
        }
    }

    #[test]
    fn roulette_is_proportional() {
        close(
            Policy::Roulette,
            [info(1, 0.1), info(1, 0.3), info(0, 0.0)],
            [0.1 / 1.4, 0.3 / 1.4, 1.0 / 1.4],
        );
        close(Policy::Roulette, [info(1, 0.0), info(1, 0.0)], [0.5, 0.5]);
    }

    #[test]
    fn roots_of_logarithms_are_near_enough() {
        let scales = Scales::default();
        for n in (0..32).flat_map(|bit| [1u32 << bit, (1 << bit) + (1 << bit) / 3, u32::MAX >> bit]) {
            let exact = f64::from(n.max(1)).ln().sqrt();
            assert!((f64::from(scales.root(n)) - exact).abs() <= exact / 4000.0 + 1e-6, "{n}");
        }
    }

    /// The bounds by hand: ln 10 = 2.3026, so 0.5 + 0.7 sqrt(2.3026 / 8) = 0.8755 and 0.2 + 0.7 sqrt(2.3026 / 2)
    /// = 0.9511.
    #[test]
    fn ucb1_takes_the_greatest_bound_and_the_untried_first() {
        let of = [info(8, 0.5), info(2, 0.2)];
        let mut out = Vec::new();
        bounds(0.7, &of, &Scales::default(), &mut out);
        assert!((out[0] - 0.8755).abs() < 1e-4 && (out[1] - 0.9511).abs() < 1e-4, "{out:?}");
        close(Policy::Ucb1 { c: 0.7 }, of, [0.0, 1.0]);
        close(Policy::Ucb1 { c: 0.0 }, of, [1.0, 0.0]);
        close(Policy::Ucb1 { c: 0.7 }, [info(8, 1.0), info(0, 0.0), info(0, 0.0)], [0.0, 0.5, 0.5]);
    }
}
