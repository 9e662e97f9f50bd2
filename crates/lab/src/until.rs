//! When a match has been played long enough: a sequential test as a stopping rule.
//!
//! With `elo = [0, 20]` a match is played until its first entrant is known to be stronger by 20 points rather than
//! not at all, or the other way round. Games count in the order of their numbers, so that the end does not depend on
//! which of several threads is the faster.

use fogtree_table::wire::Settled;
use serde::{Deserialize, Serialize};

use crate::statistics::{Sprt, Verdict};

/// The spread of results is learnt from the results themselves; before this many, games or pairs, it is not.
const LEAST: u64 = 20;

/// The scores of the first entrant, game by game, as a test counts them.
///
/// Where seats rotate, two games in a row are of one deal, and what it gives to one agent in the first it
/// gives to the other in the second. Pairs count then, with five results from two losses to two wins: their
/// spread is smaller than that of games, so fewer settle a match, and games of a pair are not taken for
/// independent.
#[derive(Clone, PartialEq, Debug)]
pub struct Scores {
    paired: bool,
    games: u64,
    /// Results from the worst to the best: of games every other one, of pairs all.
    counts: [u64; 5],
    /// The score of a game whose pair is not complete.
    half: Option<f64>,
}

impl Scores {
    /// No scores yet, of pairs of games or of games.
    pub fn new(paired: bool) -> Scores {
        Scores { paired, games: 0, counts: [0; 5], half: None }
    }

    /// Adds the score of the next game: 0, 1/2 or 1.
    pub fn add(&mut self, score: f64) {
        self.games += 1;
        let sum = match (self.paired, self.half.take()) {
            (false, _) => 2.0 * score,
            (true, Some(first)) => first + score,
            (true, None) => {
                self.half = Some(score);
                return;
            }
        };
        self.counts[(2.0 * sum).round().clamp(0.0, 4.0) as usize] += 1;
    }

    /// Mean scores with how often they came.
    fn outcomes(&self) -> Vec<(f64, f64)> {
        let all = self.counts.iter().enumerate().step_by(if self.paired { 1 } else { 2 });
        all.map(|(place, &count)| (place as f64 / 4.0, count as f64)).collect()
    }
}

/// A rule for stopping.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Until {
    /// Rating points of the first entrant above the second: under the null hypothesis, and under the other.
    pub elo: [f64; 2],
    /// The accepted risk of rejecting a true null hypothesis.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The accepted risk of accepting a false one.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

fn five_percent() -> f64 {
    0.05
}

impl Until {
    /// The rule for these differences in rating points, with risks of 5 %.
    pub fn of_elo(elo: [f64; 2]) -> Until {
        Until { elo, alpha: five_percent(), beta: five_percent() }
    }

    /// What is wrong with it, if anything is.
    pub fn check(&self) -> Result<(), String> {
        let [null, other] = self.elo;
        if !(null.is_finite() && other.is_finite() && null < other) {
            return Err(format!("elo = [{null}, {other}]: expected two rising numbers"));
        }
        let risk = |name: &str, risk: f64| match risk > 0.0 && risk < 0.5 {
            true => Ok(()),
            false => Err(format!("{name} = {risk}: expected a risk above 0 and below 0.5")),
        };
        risk("alpha", self.alpha)?;
        risk("beta", self.beta)
    }

    fn test(&self) -> Sprt {
        Sprt::of_elo(self.elo[0], self.elo[1], self.alpha, self.beta)
    }

    /// What these scores of the first entrant settle, if anything.
    pub fn settled(&self, scores: &Scores) -> Option<Settled> {
        if scores.counts.iter().sum::<u64>() < LEAST {
            return None;
        }
        let games = scores.games;
        match self.test().verdict(self.test().generalised(&scores.outcomes())) {
            Verdict::Continue => None,
            Verdict::AcceptNull => Some(Settled { games, stronger: false }),
            Verdict::RejectNull => Some(Settled { games, stronger: true }),
        }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    const UNTIL: Until = Until { elo: [0.0, 50.0], alpha: 0.05, beta: 0.05 };

    #[test]
    fn rules_that_make_no_sense_are_refused() {
        assert!(UNTIL.check().is_ok());
        for elo in [[10.0, 10.0], [20.0, 0.0], [f64::NAN, 1.0], [0.0, f64::INFINITY]] {
            assert!(Until { elo, ..UNTIL }.check().is_err(), "{elo:?}");
        }
        assert!(Until { alpha: 0.0, ..UNTIL }.check().unwrap_err().contains("alpha"));
        assert!(Until { beta: 0.6, ..UNTIL }.check().unwrap_err().contains("beta"));
    }

    fn scores(paired: bool, all: &[f64]) -> Scores {
        let mut scores = Scores::new(paired);
        all.iter().for_each(|&score| scores.add(score));
        scores
    }

    /// Few games settle nothing, however one-sided.
    #[test]
    fn a_test_waits_for_some_games() {
        let settled = |paired, games, score| UNTIL.settled(&scores(paired, &vec![score; games]));
        assert_eq!(settled(false, 19, 1.0), None);
        assert_eq!(settled(false, 40, 1.0), Some(Settled { games: 40, stronger: true }));
        assert_eq!(settled(false, 40, 0.0), Some(Settled { games: 40, stronger: false }));
        assert_eq!(settled(true, 39, 1.0), None);
        assert_eq!(settled(true, 46, 1.0), Some(Settled { games: 46, stronger: true }));
    }

    /// The normal approximation of the likelihood ratio, from the mean and the variance of pairs:
    /// N (s1 - s0) (2 mean - s0 - s1) / (2 variance).
    #[test]
    fn pairs_have_the_ratio_of_their_own_variance() {
        let mut pairs = scores(true, &[]);
        pairs.counts = [300, 2500, 5000, 2900, 400];
        let outcomes = pairs.outcomes();
        let n: f64 = outcomes.iter().map(|o| o.1).sum();
        let mean = outcomes.iter().map(|(x, c)| x * c).sum::<f64>() / n;
        let variance = outcomes.iter().map(|(x, c)| (x - mean).powi(2) * c).sum::<f64>() / n;
        let test = Until::of_elo([0.0, 5.0]).test();
        let (s0, s1) = (test.null, test.alternative);
        let closed = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = test.generalised(&outcomes);
        assert!((ratio / closed - 1.0).abs() < 0.01, "{ratio} {closed}");
    }

    /// Deals that favour a seat by 0.3: the share of matches in which the null hypothesis is rejected, and
    /// how many games they take on average.
    fn rejected(paired: bool, share: f64) -> (f64, f64) {
        const MATCHES: u64 = 600;
        let (mut rejected, mut games) = (0, 0);
        for number in 0..MATCHES {
            let mut rng = Seed(5).number(number).stream(Purpose::Deal);
            let mut scores = Scores::new(paired);
            let settled = loop {
                let luck = if rng.unit() < 0.5 { 0.3 } else { -0.3 };
                for luck in [luck, -luck] {
                    scores.add(f64::from(u8::from(rng.unit() < share + luck)));
                }
                if let Some(settled) = UNTIL.settled(&scores) {
                    break settled;
                }
            };
            rejected += u64::from(settled.stronger);
            games += settled.games;
        }
        (rejected as f64 / MATCHES as f64, games as f64 / MATCHES as f64)
    }

    /// Both risks are kept where games of a pair depend on each other, and pairs take fewer games.
    #[test]
    fn pairs_keep_the_risks_with_fewer_games() {
        let test = UNTIL.test();
        // Three standard errors are 0.027.
        let ((alpha, games), (power, more)) = (rejected(true, test.null), rejected(true, test.alternative));
        assert!(
            (0.015..0.078).contains(&alpha) && (0.015..0.078).contains(&(1.0 - power)),
            "{alpha} {power}"
        );
        let (alone, alone_more) = (rejected(false, test.null).1, rejected(false, test.alternative).1);
        assert!(games < 0.8 * alone && more < 0.8 * alone_more, "{games} {alone} {more} {alone_more}");
    }
}
