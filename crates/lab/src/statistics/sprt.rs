//! When to stop a match: sequential probability ratio tests.

use super::elo::expected_share;

/// What a sequential test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Neither is settled: play on.
    Continue,
    /// Stop: the null hypothesis is accepted.
    AcceptNull,
    /// Stop: the null hypothesis is rejected in favour of the alternative.
    RejectNull,
}

/// A sequential test of one expected share of points against another (A. Wald, *Sequential Analysis*, 1947).
///
/// The log-likelihood ratio of the alternative against the null hypothesis is followed until it leaves
/// `(ln(beta / (1-alpha)), ln((1-beta) / alpha))`. Then the null hypothesis is rejected wrongly with a
/// probability of about `alpha` and accepted wrongly with about `beta`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The share of the null hypothesis.
    pub null: f64,
    /// The share of the alternative.
    pub alternative: f64,
    /// The accepted risk of rejecting a true null hypothesis.
    pub alpha: f64,
    /// The accepted risk of accepting a false one.
    pub beta: f64,
}

/// What an outcome never seen counts for, so that the ratio stays finite.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// The test of one difference in rating points against another.
    pub fn of_elo(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Sprt {
        Sprt { null: expected_share(elo0), alternative: expected_share(elo1), alpha, beta }
    }

    /// The ends of the band in which the test goes on.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of successes and failures, `x ln(p1/p0) + y ln((1-p1)/(1-p0))`.
    pub fn bernoulli(&self, successes: f64, failures: f64) -> f64 {
        let term = |count: f64, ratio: f64| if count == 0.0 { 0.0 } else { count * ratio.ln() };
        term(successes, self.alternative / self.null)
            + term(failures, (1.0 - self.alternative) / (1.0 - self.null))
    }

    /// The generalised log-likelihood ratio of wins, draws and losses, as chess engines are tested.
    pub fn wins_draws_losses(&self, wins: u64, draws: u64, losses: u64) -> f64 {
        self.generalised(&[(1.0, wins as f64), (0.5, draws as f64), (0.0, losses as f64)])
    }

    /// The generalised log-likelihood ratio of any outcomes `(points, count)`, for instance of pairs of games
    /// on the same deal: each hypothesis fixes only the mean, and takes the distribution of that mean under
    /// which the counts are most likely (M. Van den Bergh, *The generalized maximum likelihood ratio for the
    /// expectation value of a distribution*, 2019). That is `q_i = p_i / (1 + t (a_i - s))` with `p` the
    /// shares counted and `t` such that the mean is `s`. An outcome never seen counts for 0.001 of a game. 0
    /// without games; NaN if a hypothesis is not within the points or a count is negative.
    ///
    /// The spread is learnt from the games themselves, so the promised risks hold only if the first verdict
    /// is asked for after some twenty of them.
    pub fn generalised(&self, outcomes: &[(f64, f64)]) -> f64 {
        if outcomes.iter().all(|&(_, count)| count == 0.0) {
            return 0.0;
        }
        if outcomes.iter().any(|&(_, count)| count.is_nan() || count < 0.0) {
            return f64::NAN;
        }
        let counts = || outcomes.iter().map(|&(points, count)| (points, count.max(UNSEEN)));
        let tilt = |mean: f64| tilt(|| counts().map(move |(points, count)| (points - mean, count)));
        let (null, alternative) = (tilt(self.null), tilt(self.alternative));
        let ratio = |points: f64| {
            (null * (points - self.null)).ln_1p() - (alternative * (points - self.alternative)).ln_1p()
        };
        counts().map(|(points, count)| count * ratio(points)).sum()
    }

    /// What a log-likelihood ratio settles. NaN settles nothing.
    pub fn verdict(&self, ratio: f64) -> Verdict {
        let (low, high) = self.bounds();
        if ratio <= low {
            Verdict::AcceptNull
        } else if ratio >= high {
            Verdict::RejectNull
        } else {
            Verdict::Continue
        }
    }
}

/// The `t` with `sum of count d / (1 + t d) = 0` over deviations `d`, by Newton steps within the interval in
/// which all denominators are positive; the sum falls from infinity to minus infinity there.
fn tilt<I: Iterator<Item = (f64, f64)>>(deviations: impl Fn() -> I) -> f64 {
    let (least, most) = deviations().fold((0.0, 0.0), |(l, m), (d, _)| (d.min(l), d.max(m)));
    if !(least < 0.0 && most > 0.0) {
        return f64::NAN;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut t = 0.0;
    for _ in 0..200 {
        let (sum, slope) = deviations().fold((0.0, 0.0), |(sum, slope), (d, count)| {
            let part = d / (1.0 + t * d);
            (sum + count * part, slope - count * part * part)
        });
        if sum > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - sum / slope;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        if (next - t).abs() <= 1e-15 * (high - low).max(t.abs()) {
            return next;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Rng, Seed};

    use super::super::testing::assert_digits;
    use super::*;

    /// mpmath, 30 digits: the best likelihood of wins, draws and losses at a given mean by bisection on the
    /// derivative by the share of draws, `best(w, d, l, s1) - best(w, d, l, s0)`.
    #[test]
    fn ratios_agree_with_direct_maximisation() {
        for (wins, draws, losses, elo0, elo1, ratio) in [
            (120, 200, 100, 0.0, 5.0, 0.46669012106178853),
            (1000, 3000, 900, 0.0, 2.0, 1.2754462006371725),
            (10, 0, 5, 0.0, 10.0, 0.13770807354548945),
            (0, 3, 0, -3.0, 1.0, 0.016314525582388266),
            (250_000, 500_000, 249_000, 0.0, 2.0, -21.612017273087964),
        ] {
            let test = Sprt::of_elo(elo0, elo1, 0.05, 0.05);
            assert_digits(test.wins_draws_losses(wins, draws, losses), ratio, 9);
        }
    }

    /// With two outcomes a mean fixes the distribution, and the generalised ratio is the plain one.
    #[test]
    fn two_outcomes_are_the_plain_form() {
        let test = Sprt { null: 0.5, alternative: 0.55, alpha: 0.05, beta: 0.1 };
        for (x, y) in [(1.0, 1.0), (30.0, 20.0), (5.0, 999_995.0)] {
            let plain = test.bernoulli(x, y);
            assert_digits(plain, x * 1.1_f64.ln() + y * 0.9_f64.ln(), 13);
            assert_digits(test.generalised(&[(1.0, x), (0.0, y)]), plain, 9);
        }
    }

    #[test]
    fn verdicts() {
        let test = Sprt::of_elo(0.0, 5.0, 0.05, 0.1);
        let (low, high) = test.bounds();
        assert_digits(low, (0.1_f64 / 0.95).ln(), 15);
        assert_digits(high, 18_f64.ln(), 15);
        assert_eq!(test.verdict(low), Verdict::AcceptNull);
        assert_eq!(test.verdict(0.0), Verdict::Continue);
        assert_eq!(test.verdict(high), Verdict::RejectNull);
        assert_eq!(test.verdict(f64::NAN), Verdict::Continue);
    }

    #[test]
    fn degenerate_counts_are_defined() {
        let test = Sprt::of_elo(0.0, 5.0, 0.05, 0.05);
        assert_eq!(test.wins_draws_losses(0, 0, 0), 0.0);
        assert_eq!(test.bernoulli(0.0, 0.0), 0.0);
        assert_eq!(test.generalised(&[]), 0.0);
        assert!(
            test.wins_draws_losses(1_000, 0, 0).is_finite()
                && test.wins_draws_losses(0, 0, 1_000).is_finite()
        );
        assert!(test.generalised(&[(0.9, 3.0), (0.8, 4.0)]).is_nan());
        assert!(test.generalised(&[(1.0, f64::NAN), (0.0, 4.0)]).is_nan());
        assert!(test.generalised(&[(1.0, -1.0), (0.0, 4.0)]).is_nan());
        let same = Sprt::of_elo(3.0, 3.0, 0.05, 0.05);
        assert_eq!(same.wins_draws_losses(7, 8, 9), 0.0);
    }

    /// The share of runs, each with random numbers of its own, in which the null hypothesis is rejected.
    fn rejected(runs: u64, settle: impl Fn(Rng) -> Verdict) -> f64 {
        let rng = |run| Seed(71).number(run).stream(Purpose::Deal);
        (0..runs).filter(|&run| settle(rng(run)) == Verdict::RejectNull).count() as f64 / runs as f64
    }

    /// Wald's bounds keep both risks; overshoot makes the test a little better than asked.
    #[test]
    fn plain_errors_are_as_promised() {
        let test = Sprt { null: 0.5, alternative: 0.6, alpha: 0.05, beta: 0.1 };
        let rejected_at = |share: f64| {
            rejected(4_000, |mut rng| {
                let (mut won, mut lost) = (0.0, 0.0);
                loop {
                    if rng.unit() < share {
                        won += 1.0;
                    } else {
                        lost += 1.0;
                    }
                    match test.verdict(test.bernoulli(won, lost)) {
                        Verdict::Continue => {}
                        settled => return settled,
                    }
                }
            })
        };
        // Three standard errors are 0.010 and 0.014.
        let (alpha, beta) = (rejected_at(0.5), 1.0 - rejected_at(0.6));
        assert!((0.03..0.06).contains(&alpha), "{alpha}");
        assert!((0.06..0.114).contains(&beta), "{beta}");
    }

    /// The generalised test keeps them too, whatever the share of draws, which it is not told.
    #[test]
    fn generalised_errors_are_as_promised() {
        let test = Sprt::of_elo(0.0, 50.0, 0.05, 0.05);
        for draws in [0.2, 0.6] {
            let rejected_at = |share: f64| {
                rejected(1_000, |mut rng| {
                    let (mut won, mut drawn, mut lost) = (0, 0, 0);
                    loop {
                        match rng.unit() {
                            r if r < draws => drawn += 1,
                            r if r < draws + share - draws / 2.0 => won += 1,
                            _ => lost += 1,
                        }
                        match test.verdict(test.wins_draws_losses(won, drawn, lost)) {
                            _ if won + drawn + lost < 20 => {}
                            Verdict::Continue => {}
                            settled => return settled,
                        }
                    }
                })
            };
            // Three standard errors are 0.021.
            let (alpha, beta) = (rejected_at(test.null), 1.0 - rejected_at(test.alternative));
            assert!((0.02..0.071).contains(&alpha), "{draws}: {alpha}");
            assert!((0.02..0.071).contains(&beta), "{draws}: {beta}");
        }
    }
}
