//! What a publication claims, as statements that results can confirm or refute.
//!
//! A claim says that a number lies on one side of another: a share of wins above a half, a gain above 0, an
//! exploitability below a bound. The measured number comes with its 95 % interval. The claim is *reproduced* if the
//! whole interval lies on the claimed side, *not reproduced* if all of it lies on the other, and otherwise
//! *inconclusive*: then it is said about how many more games would decide it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::summary::{CellSummary, Entrant};
use crate::statistics::{Estimate, clopper_pearson, newcombe};

/// A claim as a file states it: the text, where to look, and exactly one statement.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimTable {
    /// The claim in words.
    pub text: String,
    /// The number that was published, if there is one; shown beside ours.
    pub published: Option<f64>,
    /// Only cells with this game, or with these values of the sweep.
    #[serde(default)]
    pub only: BTreeMap<String, String>,
    /// The first agent wins more than half of its games against the second.
    pub stronger: Option<[String; 2]>,
    /// An agent's share of wins.
    pub share: Option<ShareClaim>,
    /// What one agent wins more than another, each in cells of its own.
    pub gain: Option<GainClaim>,
    /// The final NashConv of a search.
    pub curve: Option<CurveClaim>,
    /// Searches in the order of their final NashConv, the nearest to equilibrium first.
    pub order: Option<Vec<String>>,
}

/// An agent's share of wins, in a role and against an agent if these are given.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareClaim {
    /// Whose.
    pub agent: String,
    /// In which role.
    pub role: Option<String>,
    /// Against whom.
    pub against: Option<String>,
    /// It is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// What one agent wins more than another in the same place.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GainClaim {
    /// Who wins more.
    pub agent: String,
    /// Than whom.
    pub over: String,
    /// In which role.
    pub role: Option<String>,
    /// Against whom.
    pub against: Option<String>,
    /// The difference of the shares is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// The final NashConv of a search.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveClaim {
    /// Whose.
    pub agent: String,
    /// It is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// Whether a claim holds here.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Reproduced,
    /// It does not.
    NotReproduced,
    /// The results do not say; this many games more would, if the measured number is right.
    Inconclusive {
        /// How many.
        more: Option<u64>,
    },
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::Reproduced => f.pad("reproduced"),
            Verdict::NotReproduced => f.pad("not reproduced"),
            Verdict::Inconclusive { more: None } => f.pad("inconclusive"),
            Verdict::Inconclusive { more: Some(n) } => f.pad(&format!("inconclusive (about {n} more games)")),
        }
    }
}

/// A claim beside what was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The claim in words.
    pub claim: String,
    /// What was published.
    pub published: Option<f64>,
    /// What was measured, with its 95 % interval.
    pub measured: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// On how many games or runs that rests.
    pub games: u64,
    /// Whether the claim holds.
    pub verdict: Verdict,
}

/// Why a claim cannot be looked at.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the claim '{text}': {why}")]
pub struct BadClaim {
    /// The claim in words.
    pub text: String,
    /// Why.
    pub why: String,
}

/// A measured number.
struct Measured {
    estimate: Estimate,
    games: u64,
}

impl ClaimTable {
    /// Whether the claim holds, given what is known of the cells.
    pub fn judge(&self, cells: &[CellSummary]) -> Result<Finding, BadClaim> {
        let cells: Vec<&CellSummary> = cells.iter().filter(|cell| self.is_about(cell)).collect();
        match (&self.stronger, &self.share, &self.gain, &self.curve, &self.order) {
            (Some([agent, other]), None, None, None, None) => {
                let measured = share(&cells, agent, None, Some(other));
                Ok(self.finding(measured.ok_or_else(|| self.nowhere())?, Some(0.5), None))
            }
            (None, Some(c), None, None, None) => {
                let measured = share(&cells, &c.agent, c.role.as_deref(), c.against.as_deref());
                self.bounded(measured, c.at_least, c.at_most)
            }
            (None, None, Some(c), None, None) => {
                let counts = |agent: &str| counts(&cells, agent, c.role.as_deref(), c.against.as_deref());
                let (first, second) = (counts(&c.agent), counts(&c.over));
                let known = first.1 > 0 && second.1 > 0;
                let measured = known
                    .then(|| Measured { estimate: newcombe(first, second, 0.95), games: first.1 + second.1 });
                self.bounded(measured, c.at_least, c.at_most)
            }
            (None, None, None, Some(c), None) => {
                let found = curve(&cells, &c.agent);
                self.bounded(found, c.at_least, c.at_most)
            }
            (None, None, None, None, Some(order)) => self.in_order(&cells, order),
            _ => Err(self.bad("expected exactly one of stronger, share, gain, curve and order")),
        }
    }

    fn bad(&self, why: &str) -> BadClaim {
        BadClaim { text: self.text.clone(), why: why.to_string() }
    }

    fn nowhere(&self) -> BadClaim {
        self.bad("no cell of the experiment has these agents")
    }

    fn is_about(&self, cell: &CellSummary) -> bool {
        self.only.iter().all(|(name, value)| match name.as_str() {
            "game" => cell.game == *value,
            name => cell.values.get(name) == Some(value),
        })
    }

    fn bounded(
        &self,
        measured: Option<Measured>,
        at_least: Option<f64>,
        at_most: Option<f64>,
    ) -> Result<Finding, BadClaim> {
        if at_least.is_none() && at_most.is_none() {
            return Err(self.bad("expected at_least, at_most or both"));
        }
        Ok(self.finding(measured.ok_or_else(|| self.nowhere())?, at_least, at_most))
    }

    fn finding(&self, measured: Measured, at_least: Option<f64>, at_most: Option<f64>) -> Finding {
        let Measured { estimate: Estimate { value, low, high }, games } = measured;
        let (least, most) = (at_least.unwrap_or(f64::NEG_INFINITY), at_most.unwrap_or(f64::INFINITY));
        let verdict = if games == 0 {
            Verdict::Inconclusive { more: None }
        } else if low >= least && high <= most {
            Verdict::Reproduced
        } else if high < least || low > most {
            Verdict::NotReproduced
        } else {
            Verdict::Inconclusive { more: more(value, (low, high), (least, most), games) }
        };
        let (measured, low, high) = (Some(value), Some(low), Some(high));
        Finding { claim: self.text.clone(), published: self.published, measured, low, high, games, verdict }
    }

    /// The curves end in this order.
    fn in_order(&self, cells: &[&CellSummary], order: &[String]) -> Result<Finding, BadClaim> {
        let ends: Option<Vec<f64>> =
            order.iter().map(|agent| curve(cells, agent).map(|m| m.estimate.value)).collect();
        let ends = ends.ok_or_else(|| self.nowhere())?;
        let runs = cells.iter().map(|cell| cell.done).sum();
        let verdict = match ends.is_sorted() {
            _ if runs == 0 => Verdict::Inconclusive { more: None },
            true => Verdict::Reproduced,
            false => Verdict::NotReproduced,
        };
        Ok(Finding {
            claim: self.text.clone(),
            published: self.published,
            measured: None,
            low: None,
            high: None,
            games: runs,
            verdict,
        })
    }
}

/// About how many games more it takes until an interval around the same value, which shrinks with the root of the
/// games, lies clear of the bounds. `None` if there is no telling.
fn more(value: f64, (low, high): (f64, f64), (least, most): (f64, f64), games: u64) -> Option<u64> {
    let half = (high - low) / 2.0;
    let clear = (value - least).abs().min((value - most).abs());
    let factor = (half / clear).powi(2);
    (factor.is_finite() && factor < 1e6).then(|| (games as f64 * (factor - 1.0)).ceil().max(1.0) as u64)
}

/// Wins and half the draws, and games, of an agent in the cells where it plays that role against that agent.
fn counts(cells: &[&CellSummary], agent: &str, role: Option<&str>, against: Option<&str>) -> (f64, u64) {
    let in_role = |e: &Entrant| role.is_none_or(|role| e.standing.role.as_deref() == Some(role));
    let mut sum = (0.0, 0);
    for cell in cells {
        for (place, entrant) in cell.entrants.iter().enumerate() {
            let others = || cell.entrants.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, e)| e);
            let meets = against.is_none_or(|name| others().any(|e| e.name == name));
            if entrant.name == agent && in_role(entrant) && meets {
                let s = &entrant.standing;
                sum.0 += s.wins as f64 + s.draws as f64 / 2.0;
                sum.1 += s.wins + s.draws + s.losses;
            }
        }
    }
    sum
}

fn share(cells: &[&CellSummary], agent: &str, role: Option<&str>, against: Option<&str>) -> Option<Measured> {
    let known = cells.iter().any(|cell| cell.entrants.iter().any(|e| e.name == agent));
    let (wins, games) = counts(cells, agent, role, against);
    let share = clopper_pearson(wins, games);
    let estimate = Estimate { value: share.share, low: share.low, high: share.high };
    known.then_some(Measured { estimate, games })
}

/// The final NashConv of a search; how much it differs from run to run is not kept, so the interval is a point.
fn curve(cells: &[&CellSummary], agent: &str) -> Option<Measured> {
    let cell = cells.iter().find(|cell| cell.searcher.as_deref() == Some(agent))?;
    let end = cell.curve.last().map_or(f64::NAN, |point| point.nash_conv);
    Some(Measured { estimate: Estimate { value: end, low: end, high: end }, games: cell.done })
}
