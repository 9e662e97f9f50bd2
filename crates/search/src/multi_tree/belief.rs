//! What is believed about the hidden part, and how counts of a search change it.

use fogtree_core::world::Beliefs;

/// How much the counts at an observed move change a belief.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    /// The belief moves by a share of `w = n(v) / N` towards the counts (Whitehouse 2014, Algorithm 7): a move that
    /// the search hardly looked at says little. A boost of `b` is as if the move had been seen `b` times,
    /// `1 - (1 - w)^b`; 1 is the source's.
    Particles {
        /// The boost.
        boost: f64,
    },
    /// Bayes' rule: each value is weighed by how often the search made the observed move when it had that value,
    /// `(c(v, h) + m p) / (c(u, h) + m)` with `p = n(v) / n(u)`. The greater `m`, the more visits it takes to
    /// move the belief. A search seldom tries what it thinks bad, which makes likelihoods extreme: with a small
    /// `m` beliefs become overconfident.
    Bayes {
        /// The weight of the prior guess that the move says nothing.
        m: f64,
    },
}

impl Default for Rule {
    fn default() -> Self {
        Rule::Particles { boost: 1.0 }
    }
}

/// The counts of a search at one observed move.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// How often each value was there before the move.
    pub before: &'a [u64],
    /// How often each value was there after it.
    pub after: &'a [u64],
    /// The iterations of the search.
    pub iterations: u64,
}

/// Changes a belief by what a search says about an observed move. What was thought impossible stays so by Bayes'
/// rule; no possibility is ever ruled out.
pub fn infer(belief: &mut [f64], evidence: Evidence<'_>, rule: Rule) {
    let n: u64 = evidence.after.iter().sum();
    if n == 0 || evidence.iterations == 0 {
        return;
    }
    match rule {
        Rule::Particles { boost } => {
            let once = (n as f64 / evidence.iterations as f64).min(1.0);
            let w = if boost == 1.0 { once } else { 1.0 - (1.0 - once).powf(boost) };
            for (mass, &count) in belief.iter_mut().zip(evidence.after) {
                *mass = (1.0 - w) * *mass + w * count as f64 / n as f64;
            }
        }
        Rule::Bayes { m } => {
            let before: u64 = evidence.before.iter().sum();
            let p = n as f64 / before.max(n) as f64;
            for ((mass, &was), &is) in belief.iter_mut().zip(evidence.before).zip(evidence.after) {
                let trials = was.max(is) as f64 + m;
                *mass *= if trials > 0.0 { (is as f64 + m * p) / trials } else { p };
            }
            scale(belief);
        }
    }
}

/// Gives a share of a belief back to what the rules alone make likely, `phi <- (1 - r) phi + r prior`.
pub fn revive(belief: &mut [f64], prior: &[f64], share: f64) {
    for (mass, prior) in belief.iter_mut().zip(prior) {
        *mass = (1.0 - share) * *mass + share * prior;
    }
}

/// Scales a belief to sum to 1; answers whether there was anything to scale.
pub(super) fn scale(belief: &mut [f64]) -> bool {
    let sum: f64 = belief.iter().sum();
    if sum > 0.0 {
        belief.iter_mut().for_each(|mass| *mass /= sum);
    }
    sum > 0.0
}

/// How badly a belief foresaw the truth: `-ln p`, 0 if it was certain of it. Summed over the decisions of a
/// game it scores the believer, whatever it used the belief for; less is better.
pub fn log_loss(belief: &[f64], truth: usize) -> f64 {
    -belief.get(truth).copied().unwrap_or(0.0).ln()
}

/// The mean of [`log_loss`] over beliefs held one after the other; `None` if there were none.
pub fn mean_log_loss<'a>(beliefs: impl IntoIterator<Item = &'a [f64]>, truth: usize) -> Option<f64> {
    let (sum, n) = beliefs.into_iter().fold((0.0, 0u32), |(sum, n), b| (sum + log_loss(b, truth), n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

/// The values a belief holds possible, by name, the likeliest first.
pub fn summary(part: &dyn Beliefs, belief: &[f64]) -> Vec<(String, f64)> {
    let mut named: Vec<(String, f64)> =
        belief.iter().enumerate().filter(|(_, p)| **p > 0.0).map(|(v, &p)| (part.name(v), p)).collect();
    likeliest_first(&mut named);
    named
}

fn likeliest_first(named: &mut [(String, f64)]) {
    named.sort_by(|a, b| b.1.total_cmp(&a.1));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    /// `icarus/ORACLE-9`, first half: w = 0.25, (0.5, 0.5) and counts (30, 10) give (0.5625, 0.4375).
    #[test]
    fn a_belief_moves_by_the_share_of_visits() {
        let mut phi = [0.5, 0.5];
        let evidence = Evidence { before: &[80, 80], after: &[30, 10], iterations: 160 };
        infer(&mut phi, evidence, Rule::default());
        assert!(close(&phi, &[0.5625, 0.4375]), "{phi:?}");
    }

    /// Observation twice: w = 1 - 0.75^2 = 0.4375, so 0.5625 * 0.5 + 0.4375 * 0.75 = 0.609375.
    #[test]
    fn a_boost_counts_a_move_several_times() {
        let mut phi = [0.5, 0.5];
        let evidence = Evidence { before: &[80, 80], after: &[30, 10], iterations: 160 };
        infer(&mut phi, evidence, Rule::Particles { boost: 2.0 });
        assert!(close(&phi, &[0.609_375, 0.390_625]), "{phi:?}");
    }

    /// Without smoothing this is Bayes' rule: 0.2 * 30/40 against 0.8 * 10/40 is 3 : 4. With much smoothing the
    /// belief stays.
    #[test]
    fn bayes_rule_weighs_by_likelihoods() {
        let evidence = Evidence { before: &[40, 40], after: &[30, 10], iterations: 160 };
        let mut phi = [0.2, 0.8];
        infer(&mut phi, evidence, Rule::Bayes { m: 0.0 });
        assert!(close(&phi, &[3.0 / 7.0, 4.0 / 7.0]), "{phi:?}");
        let mut phi = [0.2, 0.8];
        infer(&mut phi, evidence, Rule::Bayes { m: 1e12 });
        assert!((phi[0] - 0.2).abs() < 1e-9);
    }

    /// A tenth of (0.5625, 0.4375, 0) goes back to (0.25, 0.5, 0.25): 0.9 * 0.5625 + 0.1 * 0.25 = 0.53125,
    /// and so on. Again and again it comes to the prior: the difference shrinks by 0.9 each time.
    #[test]
    fn nothing_stays_improbable_for_ever() {
        let (mut phi, prior) = ([0.5625, 0.4375, 0.0], [0.25, 0.5, 0.25]);
        revive(&mut phi, &prior, 0.1);
        assert!(close(&phi, &[0.531_25, 0.443_75, 0.025]), "{phi:?}");
        (1..20).for_each(|_| revive(&mut phi, &prior, 0.1));
        let left = 0.9f64.powi(20);
        assert!(close(&phi, &[0.25 + 0.3125 * left, 0.5 - 0.0625 * left, 0.25 - 0.25 * left]), "{phi:?}");
    }

    #[test]
    fn moves_never_searched_say_nothing_and_nothing_is_ruled_out() {
        for rule in [Rule::default(), Rule::Particles { boost: 8.0 }, Rule::Bayes { m: 1.0 }] {
            let mut phi = [0.25, 0.75];
            infer(&mut phi, Evidence { before: &[9, 9], after: &[0, 0], iterations: 18 }, rule);
            assert_eq!(phi, [0.25, 0.75]);
            infer(&mut phi, Evidence { before: &[9, 9], after: &[9, 0], iterations: 18 }, rule);
            assert!(phi[0] > 0.25 && phi[1] > 0.0 && (phi[0] + phi[1] - 1.0).abs() < 1e-12, "{phi:?}");
        }
    }

    #[test]
    fn losses_are_logarithms() {
        assert_eq!(log_loss(&[0.0, 1.0], 1), 0.0);
        assert_eq!(log_loss(&[0.0, 1.0], 0), f64::INFINITY);
        let mean = mean_log_loss([&[0.5, 0.5][..], &[0.25, 0.75][..]], 0).unwrap();
        assert!((mean - (2f64.ln() + 4f64.ln()) / 2.0).abs() < 1e-12);
        assert_eq!(mean_log_loss([], 0), None);
    }
}
