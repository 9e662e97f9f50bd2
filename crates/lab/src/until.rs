//! When a match has been played long enough: a sequential test as a stopping rule.
//!
//! With `elo = [0, 20]` a match is played until its first entrant is known to be stronger by 20 points rather than
//! not at all, or the other way round. Games count in the order of their numbers, so that the end does not depend on
//! which of several threads is the faster.

use serde::{Deserialize, Serialize};

use crate::statistics::{Sprt, Verdict};

/// The spread of results is learnt from the games themselves; before this many it is not.
const LEAST_GAMES: u64 = 20;

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

    /// What these wins, draws and losses of the first entrant settle, if anything.
    pub fn settled(&self, [wins, draws, losses]: [u64; 3]) -> Option<Settled> {
        let games = wins + draws + losses;
        if games < LEAST_GAMES {
            return None;
        }
        match self.test().verdict(self.test().wins_draws_losses(wins, draws, losses)) {
            Verdict::Continue => None,
            Verdict::AcceptNull => Some(Settled { games, stronger: false }),
            Verdict::RejectNull => Some(Settled { games, stronger: true }),
        }
    }
}

/// What a stopping rule settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Settled {
    /// After this many games.
    pub games: u64,
    /// Whether the first entrant is stronger, as the alternative says.
    pub stronger: bool,
}

#[cfg(test)]
mod tests {
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

    /// Few games settle nothing, however one-sided.
    #[test]
    fn a_test_waits_for_some_games() {
        assert_eq!(UNTIL.settled([19, 0, 0]), None);
        assert_eq!(UNTIL.settled([40, 0, 0]), Some(Settled { games: 40, stronger: true }));
        assert_eq!(UNTIL.settled([0, 0, 40]), Some(Settled { games: 40, stronger: false }));
    }
}
