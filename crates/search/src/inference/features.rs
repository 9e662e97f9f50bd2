//! Inference from evidence about classes of values: feature by feature, or bucket by bucket.
//!
//! Where values are many, each is met too seldom to say much of it. Then counts are added up over classes of
//! values that have something in common. A feature, such as whether one player is a spy, is one way to sort
//! the values; the update is done on what is believed about each feature for itself, as if one said nothing
//! about the others. Buckets are a single way to sort them (Whitehouse 2014, §7.5.5; `icarus/4.2.4`).
//!
//! With `m_f` for the belief about the classes of a feature `f`, the sums of the belief over values, and
//! `m'_f` for what the rule makes of it given the counts, added up in the same way, the new belief is the one
//! nearest to the old one, in relative entropy, of those that believe `m'_f` about every feature. It is found
//! by scaling again and again,
//!
//! ```text
//! phi(h) <- phi(h) * product over f of (m'_f(f(h)) / m_f(f(h)))^(1 / number of features)
//! ```
//!
//! until all sums fit (Darroch and Ratcliff, *Generalized iterative scaling for log-linear models*, 1972).
//! With one feature once is enough: values of one class keep their proportions. What was impossible stays so.

use super::belief::{Evidence, Rule, infer, scale};

/// How often a belief is scaled at most, and when its sums fit. [`Rule::Bayes`] may ask for sums which no
/// belief has; the scaling then ends between them.
const ROUNDS: u32 = 200;
const CLOSE: f64 = 1e-9;

/// What there is in each class.
fn pooled<T: Copy + Default + std::ops::AddAssign>(classes: &[usize], of: &[T]) -> Vec<T> {
    let mut sums = vec![T::default(); classes.iter().max().map_or(0, |most| most + 1)];
    classes.iter().zip(of).for_each(|(&class, &mass)| sums[class] += mass);
    sums
}

/// Changes a belief by what a search says about an observed move, learning about features apart: for each of
/// them the class of every value.
pub fn infer_by(belief: &mut [f64], evidence: Evidence<'_>, rule: Rule, features: &[Vec<usize>]) {
    let learnt = |classes: &Vec<usize>| {
        let mut about = pooled(classes, belief);
        let (before, after) = (pooled(classes, evidence.before), pooled(classes, evidence.after));
        infer(&mut about, Evidence { before: &before, after: &after, ..evidence }, rule);
        about
    };
    let learnt: Vec<Vec<f64>> = features.iter().map(learnt).collect();
    let old = belief.to_vec();
    for _ in 0..ROUNDS {
        let furthest = fit(belief, features, &learnt);
        if !scale(belief) {
            return belief.copy_from_slice(&old);
        }
        if features.len() < 2 || furthest < CLOSE {
            return;
        }
    }
}

/// Scales a belief towards what was learnt about each feature; answers how far it was from that.
fn fit(belief: &mut [f64], features: &[Vec<usize>], learnt: &[Vec<f64>]) -> f64 {
    let power = 1.0 / features.len() as f64;
    let mut furthest: f64 = 0.0;
    let mut factors = vec![1.0; belief.len()];
    for (classes, learnt) in features.iter().zip(learnt) {
        let mut sums = pooled(classes, belief);
        for (sum, to) in sums.iter_mut().zip(learnt) {
            furthest = furthest.max((*to - *sum).abs());
            *sum = if *sum > 0.0 { (to / *sum).powf(power) } else { 1.0 };
        }
        factors.iter_mut().zip(classes).for_each(|(factor, &class)| *factor *= sums[class]);
    }
    belief.iter_mut().zip(factors).for_each(|(mass, factor)| *mass *= factor);
    furthest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    /// Buckets {0, 1} and {2}: of (0.1, 0.3, 0.6) they have 0.4 and 0.6, of the counts (30, 0, 10) 30 and 10,
    /// w = 40/160. So they get 0.75 * 0.4 + 0.25 * 0.75 = 0.4875 and 0.5125, and the first two stay as 1 to
    /// 3: (0.121875, 0.365625, 0.5125).
    #[test]
    fn values_of_a_bucket_keep_their_proportions() {
        let evidence = Evidence { before: &[40, 40, 80], after: &[30, 0, 10], iterations: 160 };
        let mut phi = [0.1, 0.3, 0.6];
        infer_by(&mut phi, evidence, Rule::default(), &[vec![0, 0, 1]]);
        assert!(close(&phi, &[0.121_875, 0.365_625, 0.5125]), "{phi:?}");
        // By Bayes' rule 0.4 * 30/80 against 0.6 * 10/80 is 2 : 1.
        let mut phi = [0.1, 0.3, 0.6];
        infer_by(&mut phi, evidence, Rule::Bayes { m: 0.0 }, &[vec![0, 0, 1]]);
        assert!(close(&phi, &[1.0 / 6.0, 0.5, 1.0 / 3.0]), "{phi:?}");
    }

    /// Two features that are independent stay so: values 0 to 3 are two bits, all equally likely; the counts
    /// (40, 0, 0, 0) with w = 1/2 make the first bit 0 with 3/4 and the second as well, the values 9/16,
    /// 3/16, 3/16 and 1/16. Value by value it would have been 5/8 and three times 1/8.
    #[test]
    fn independent_features_stay_independent() {
        let evidence = Evidence { before: &[20; 4], after: &[40, 0, 0, 0], iterations: 80 };
        let mut phi = [0.25; 4];
        infer_by(&mut phi, evidence, Rule::default(), &[vec![0, 1, 0, 1], vec![0, 0, 1, 1]]);
        assert!(close(&phi, &[9.0 / 16.0, 3.0 / 16.0, 3.0 / 16.0, 1.0 / 16.0]), "{phi:?}");
        // The same by Bayes' rule: each bit has the likelihoods 40/40 and 0/40, with m = 20 and p = 1/2 they
        // are 50/60 and 10/60, so that 0 gets 5/6.
        let mut phi = [0.25; 4];
        infer_by(&mut phi, evidence, Rule::Bayes { m: 20.0 }, &[vec![0, 1, 0, 1], vec![0, 0, 1, 1]]);
        assert!(close(&phi, &[25.0 / 36.0, 5.0 / 36.0, 5.0 / 36.0, 1.0 / 36.0]), "{phi:?}");
    }

    /// One spy among three: who each of them is tells all, so that features say what values do. Two values:
    /// the same, and a value that is impossible stays so to the last bit though it was counted.
    #[test]
    fn features_that_tell_all_say_what_values_say() {
        let spies: Vec<Vec<usize>> =
            (0..3).map(|player| (0..3).map(|spy| usize::from(player == spy)).collect()).collect();
        let evidence = Evidence { before: &[30, 30, 40], after: &[20, 5, 15], iterations: 100 };
        let (mut by_values, mut by_features) = ([0.3, 0.5, 0.2], [0.3, 0.5, 0.2]);
        infer(&mut by_values, evidence, Rule::default());
        infer_by(&mut by_features, evidence, Rule::default(), &spies);
        assert!(close(&by_values, &by_features), "{by_values:?} {by_features:?}");
        let mut phi = [0.4, 0.6, 0.0];
        infer_by(&mut phi, evidence, Rule::default(), &spies);
        assert!(phi[2] == 0.0 && (phi.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{phi:?}");
    }

    /// Two spies among four, as one who is none of five sees them, all six pairs equally likely; the counts
    /// speak for the pair (0, 1) with w = 1/2. Each of the two is a spy with 3/4. The nearest belief has
    /// weights 1, x and x^2 for pairs with two, one and none of them: (1 + 2x) / (1 + 4x + x^2) = 3/4, so 3
    /// x^2 + 4 x - 1 = 0 and x = (sqrt(7) - 2) / 3.
    #[test]
    fn the_nearest_belief_with_these_suspicions_is_held() {
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let spies: Vec<Vec<usize>> = (0..4)
            .map(|player| pairs.iter().map(|&(a, b)| usize::from(a == player || b == player)).collect())
            .collect();
        let mut phi = [1.0 / 6.0; 6];
        let evidence = Evidence { before: &[20; 6], after: &[60, 0, 0, 0, 0, 0], iterations: 120 };
        infer_by(&mut phi, evidence, Rule::default(), &spies);
        let x = (7f64.sqrt() - 2.0) / 3.0;
        let all = 1.0 + 4.0 * x + x * x;
        assert!(close(&phi, &[1.0, x, x, x, x, x * x].map(|weight| weight / all)), "{phi:?}");
    }
}
