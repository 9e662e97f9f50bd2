//! What a publication claims, as statements that results can confirm or refute.
//!
//! A claim says that a number lies on one side of another: a share of wins above that of equals, a gain above 0, an
//! exploitability below a bound. The measured number comes with its 95 % interval. The claim is *reproduced* if the
//! whole interval lies on the claimed side, *not reproduced* if all of it lies on the other, and otherwise
//! *inconclusive*: then it is said about how many more games would decide it.
//!
//! ```toml
//! [[claims]]
//! text = "with more iterations it wins more, up to 10 000"
//! only = { game = "dou-di-zhu" }
//! trend = { agent = "so", role = "landlord", over = "n", log = true, to = 10000, at_least = 0 }
//! ```
//!
//! A file is checked when it is read: a claim about an agent, a role or a value that the file does not have is an
//! error, with its place.

mod measure;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use self::measure::{
    Measured, Who, apart, curve, earned, ends, even, exponential, follow, gain, paired, reward, search,
    share, trend,
};
use super::file::{BadFile, ExperimentFile, Names};
use super::summary::{CellSummary, SearchFigures};
use crate::statistics::{Estimate, Moments};

/// A claim as a file states it: the text, where to look, and exactly one statement.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimTable {
    /// The claim in words.
    pub text: Spanned<String>,
    /// The number that was published, if there is one; shown beside ours.
    pub published: Option<f64>,
    /// Only cells with this game, or with these values of the sweep.
    #[serde(default)]
    pub only: BTreeMap<String, Spanned<String>>,
    /// What a draw counts for in shares of wins.
    #[serde(default)]
    pub draws: Draws,
    /// The first agent wins more of its games against the second than equals would: half of them between two,
    /// a quarter among four. Where roles seat the agents it is half.
    pub stronger: Option<[Spanned<String>; 2]>,
    /// An agent's share of wins.
    pub share: Option<ShareClaim>,
    /// An agent's mean reward.
    pub reward: Option<ShareClaim>,
    /// What one agent wins more than another, each in cells of its own.
    pub gain: Option<GainClaim>,
    /// What one agent earns more than another: likewise, of mean rewards.
    pub earns: Option<GainClaim>,
    /// How an agent's share of wins changes with a value of the sweep.
    pub trend: Option<TrendClaim>,
    /// How an agent searches.
    pub search: Option<SearchClaim>,
    /// What is followed of an agent's decisions.
    pub follow: Option<FollowClaim>,
    /// How a number that is followed depends on a value of the sweep.
    pub exponential: Option<ExponentialClaim>,
    /// The final NashConv of a search.
    pub curve: Option<CurveClaim>,
    /// Searches in the order of their final NashConv, the nearest to equilibrium first.
    pub order: Option<Vec<Spanned<String>>>,
}

/// What a draw counts for in an agent's share of wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Draws {
    /// Half a win.
    #[default]
    Half,
    /// Nothing: it counts as lost (`icarus/2.10`).
    Lost,
}

/// An agent's share of wins or mean reward, in a role and against an agent if these are given.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareClaim {
    /// Whose.
    pub agent: Spanned<String>,
    /// In which role.
    pub role: Option<Spanned<String>>,
    /// Against whom.
    pub against: Option<Spanned<String>>,
    /// It is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// What one agent wins more than another in the same place.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GainClaim {
    /// Who wins more: one, or several taken together.
    pub agent: Names,
    /// Than whom.
    pub over: Names,
    /// In which role.
    pub role: Option<Spanned<String>>,
    /// Against whom.
    pub against: Option<Spanned<String>>,
    /// Whether games with the same number are compared one by one. All cells of an experiment deal alike and give the
    /// agents of a seat the same seeds, so where two agents decide alike their games are the same and tell nothing
    /// of a difference: the interval is that of what differs.
    #[serde(default)]
    pub paired: bool,
    /// The difference of the shares, or of the mean rewards, is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// By how much an agent's share of wins rises when a value of the sweep rises by 1, or doubles: the slope of the
/// weighted least squares line. Cells that differ in anything else have lines of their own with one common slope.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrendClaim {
    /// Whose.
    pub agent: Spanned<String>,
    /// In which role.
    pub role: Option<Spanned<String>>,
    /// Against whom.
    pub against: Option<Spanned<String>>,
    /// The name in the sweep.
    pub over: Spanned<String>,
    /// Whether the slope is that of a doubling.
    #[serde(default)]
    pub log: bool,
    /// Only values from this on,
    pub from: Option<f64>,
    /// and up to this.
    pub to: Option<f64>,
    /// The slope is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// How an agent searches. How much that differs from game to game is not kept, so the interval is a point.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchClaim {
    /// Whose search.
    pub agent: Spanned<String>,
    /// As a multiple of whose, if the claim is about a ratio.
    pub per: Option<Spanned<String>>,
    /// What of it.
    pub figure: Figure,
    /// It is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// One of the [`SearchFigures`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Iterations a decision.
    Iterations,
    /// Iterations a second.
    IterationsPerSecond,
    /// Nodes of the largest tree of a game.
    Nodes,
    /// The greatest depth of a game.
    Depth,
    /// Moves an iteration makes in the tree.
    MeanDepth,
}

impl Figure {
    fn of(self, search: &SearchFigures) -> f64 {
        match self {
            Figure::Iterations => search.iterations,
            Figure::IterationsPerSecond => search.iterations_per_second,
            Figure::Nodes => search.nodes,
            Figure::Depth => search.depth,
            Figure::MeanDepth => search.mean_depth,
        }
    }
}

/// What is followed of an agent's decisions: the mean over games of one number a game, that of its seats on average.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowClaim {
    /// Whose decisions.
    pub agent: Spanned<String>,
    /// In which role.
    pub role: Option<Spanned<String>>,
    /// Against whom.
    pub against: Option<Spanned<String>>,
    /// Which number.
    pub name: Spanned<String>,
    /// Which of a game's numbers counts.
    pub at: Place,
    /// As the difference to this agent's, if given.
    pub over: Option<Spanned<String>>,
    /// Only up to this step of the game.
    pub to_step: Option<u64>,
    /// Only from this episode on.
    pub from_episode: Option<u32>,
    /// Only up to this episode.
    pub to_episode: Option<u32>,
    /// Only games that were won, or were not.
    pub won: Option<bool>,
    /// Instead of the number: the share of games in which it is above this.
    pub above: Option<f64>,
    /// It is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

/// The logarithm of the mean of what is followed is a straight line over a value of the sweep: how much of its variance
/// such a line explains, R^2. The interval is a point.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExponentialClaim {
    /// Whose decisions.
    pub agent: Spanned<String>,
    /// Which number; `{x}` stands for the value of `x` in the sweep.
    pub name: Spanned<String>,
    /// The name in the sweep.
    pub over: Spanned<String>,
    /// R^2 is at least this,
    pub at_least: Option<f64>,
    /// and at most this.
    pub at_most: Option<f64>,
}

impl ExponentialClaim {
    /// The number that is meant where the sweep has this value.
    fn name_at(&self, value: &str) -> String {
        self.name.get_ref().replace(&format!("{{{}}}", self.over.get_ref()), value)
    }
}

/// Which of the numbers of a game counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// The first.
    First,
    /// The last.
    Last,
    /// By how much the last is above the first.
    Rise,
    /// The greatest.
    Highest,
    /// The smallest.
    Lowest,
    /// The mean.
    Mean,
}

/// The final NashConv of a search.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurveClaim {
    /// Whose.
    pub agent: Spanned<String>,
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

/// The statement of a claim.
enum Statement<'a> {
    Stronger(&'a [Spanned<String>; 2]),
    Share(&'a ShareClaim),
    Reward(&'a ShareClaim),
    Gain(&'a GainClaim),
    Earns(&'a GainClaim),
    Trend(&'a TrendClaim),
    Search(&'a SearchClaim),
    Follow(&'a FollowClaim),
    Exponential(&'a ExponentialClaim),
    Curve(&'a CurveClaim),
    Order(&'a [Spanned<String>]),
}

/// The values of a sweep, which must be numbers.
fn check_numbers(
    file: &ExperimentFile,
    name: &Spanned<String>,
    positive: bool,
) -> Result<Vec<String>, String> {
    let is_number = |value: &String| value.parse().is_ok_and(|x: f64| !positive || x > 0.0);
    let values = file.values(name.get_ref()).filter(|values| values.iter().all(is_number));
    let kind = if positive { "positive numbers" } else { "numbers" };
    values.ok_or_else(|| format!("no {kind} called '{}' are swept", name.get_ref()))
}

impl ClaimTable {
    fn statement(&self) -> Option<Statement<'_>> {
        let all = [
            self.stronger.as_ref().map(Statement::Stronger),
            self.share.as_ref().map(Statement::Share),
            self.reward.as_ref().map(Statement::Reward),
            self.gain.as_ref().map(Statement::Gain),
            self.earns.as_ref().map(Statement::Earns),
            self.trend.as_ref().map(Statement::Trend),
            self.search.as_ref().map(Statement::Search),
            self.follow.as_ref().map(Statement::Follow),
            self.exponential.as_ref().map(Statement::Exponential),
            self.curve.as_ref().map(Statement::Curve),
            self.order.as_deref().map(Statement::Order),
        ];
        let mut given = all.into_iter().flatten();
        given.next().filter(|_| given.next().is_none())
    }

    /// Whether everything the claim names is in the file, whose text this is.
    pub(super) fn check(&self, file: &ExperimentFile, text: &str) -> Result<(), BadFile> {
        let bad = |at: &Spanned<String>, why: String| BadFile::at(text, at.span(), why);
        let one = "expected exactly one of stronger, share, reward, gain, earns, trend, search, follow, exponential, curve and order";
        let statement = self.statement().ok_or_else(|| bad(&self.text, one.to_string()))?;
        for (name, value) in &self.only {
            let known: Vec<String> = match (name.as_str(), file.values(name)) {
                ("game", _) if file.games().any(|game| game.contains('{')) => continue,
                ("game", _) => file.games().map(str::to_string).collect(),
                (_, Some(values)) => values,
                _ => return Err(bad(value, format!("nothing is swept that is called '{name}'"))),
            };
            if !known.contains(value.get_ref()) {
                return Err(bad(value, format!("'{name}' is never this; its values: {}", known.join(", "))));
            }
        }
        let by_share = match statement {
            Statement::Stronger(_) | Statement::Share(_) | Statement::Trend(_) => true,
            Statement::Gain(c) => !c.paired,
            _ => false,
        };
        if self.draws != Draws::Half && !by_share {
            let why =
                "draws can count otherwise only in stronger, share, trend and gains that are not paired";
            return Err(bad(&self.text, why.to_string()));
        }
        type Bounds = (Option<f64>, Option<f64>);
        let (agents, role, bounds): (Vec<_>, Option<_>, Option<Bounds>) = match statement {
            Statement::Stronger(pair) => (pair.iter().collect(), None, None),
            Statement::Share(c) | Statement::Reward(c) => {
                let agents = std::iter::once(&c.agent).chain(&c.against);
                (agents.collect(), c.role.as_ref(), Some((c.at_least, c.at_most)))
            }
            Statement::Gain(c) | Statement::Earns(c) => {
                let agents = c.agent.iter().chain(c.over.iter()).chain(&c.against);
                (agents.collect(), c.role.as_ref(), Some((c.at_least, c.at_most)))
            }
            Statement::Trend(c) => {
                check_numbers(file, &c.over, c.log).map_err(|why| bad(&c.over, why))?;
                let agents = std::iter::once(&c.agent).chain(&c.against);
                (agents.collect(), c.role.as_ref(), Some((c.at_least, c.at_most)))
            }
            Statement::Search(c) => {
                let agents = std::iter::once(&c.agent).chain(&c.per);
                (agents.collect(), None, Some((c.at_least, c.at_most)))
            }
            Statement::Exponential(c) => {
                let values = check_numbers(file, &c.over, false).map_err(|why| bad(&c.over, why))?;
                let mut names = values.iter().map(|value| c.name_at(value));
                if let Some(name) = names.find(|name| !file.follow.contains(name)) {
                    return Err(bad(&c.name, format!("nothing is followed that is called '{name}'")));
                }
                (vec![&c.agent], None, Some((c.at_least, c.at_most)))
            }
            Statement::Follow(c) => {
                if !file.follow.contains(c.name.get_ref()) {
                    let why = format!("nothing is followed that is called '{}'", c.name.get_ref());
                    return Err(bad(&c.name, why));
                }
                let agents = std::iter::once(&c.agent).chain(&c.against).chain(&c.over);
                (agents.collect(), c.role.as_ref(), Some((c.at_least, c.at_most)))
            }
            Statement::Curve(c) => (vec![&c.agent], None, Some((c.at_least, c.at_most))),
            Statement::Order(order) => (order.iter().collect(), None, None),
        };
        if let Some(name) = agents.iter().find(|name| !file.has_agent(name.get_ref())) {
            return Err(bad(name, file.no_agent(name.get_ref())));
        }
        if let Some(role) = role.filter(|role| !file.has_role(role.get_ref())) {
            return Err(bad(role, format!("nobody is seated by the role '{}'", role.get_ref())));
        }
        match bounds {
            Some((None, None)) => Err(bad(&self.text, "expected at_least, at_most or both".to_string())),
            _ => Ok(()),
        }
    }

    /// Whether the claim holds, given what is known of the cells.
    pub fn judge(&self, cells: &[CellSummary]) -> Result<Finding, BadClaim> {
        let cells: Vec<&CellSummary> = cells.iter().filter(|cell| self.is_about(cell)).collect();
        let statement = self.statement().ok_or_else(|| self.bad("it does not say exactly one thing"))?;
        let (measured, at_least, at_most) = match statement {
            Statement::Stronger([agent, other]) => {
                let who = Who::new(agent, None, Some(other)).counting(self.draws);
                (share(&cells, who), even(&cells, who), None)
            }
            Statement::Share(c) => {
                let who = Who::new(&c.agent, c.role.as_ref(), c.against.as_ref()).counting(self.draws);
                (share(&cells, who), c.at_least, c.at_most)
            }
            Statement::Reward(c) => {
                let who = Who::new(&c.agent, c.role.as_ref(), c.against.as_ref());
                (reward(&cells, who), c.at_least, c.at_most)
            }
            Statement::Gain(c) => {
                let who = |agents| Who::all(agents, c.role.as_ref(), c.against.as_ref()).counting(self.draws);
                let of = if c.paired { paired } else { gain };
                (of(&cells, who(c.agent.as_slice()), who(c.over.as_slice())), c.at_least, c.at_most)
            }
            Statement::Earns(c) => {
                let who = |agents| Who::all(agents, c.role.as_ref(), c.against.as_ref());
                (earned(&cells, who(c.agent.as_slice()), who(c.over.as_slice())), c.at_least, c.at_most)
            }
            Statement::Trend(c) => (trend(&cells, c, self.draws), c.at_least, c.at_most),
            Statement::Search(c) => (search(&cells, c), c.at_least, c.at_most),
            Statement::Follow(c) => (follow(&cells, c), c.at_least, c.at_most),
            Statement::Exponential(c) => (exponential(&cells, c), c.at_least, c.at_most),
            Statement::Curve(c) => (curve(&cells, c.agent.get_ref()), c.at_least, c.at_most),
            Statement::Order(_) if cells.is_empty() && !self.only.is_empty() => return Ok(self.unseen()),
            Statement::Order(order) => return self.in_order(&cells, order),
        };
        match measured {
            Some(measured) => Ok(self.finding(measured, at_least, at_most)),
            None if cells.is_empty() && !self.only.is_empty() => Ok(self.unseen()),
            None => Err(self.nowhere()),
        }
    }

    fn bad(&self, why: &str) -> BadClaim {
        BadClaim { text: self.text.get_ref().clone(), why: why.to_string() }
    }

    fn nowhere(&self) -> BadClaim {
        self.bad("no cell of the experiment is about this")
    }

    /// Nothing is known, because the scale leaves out what the claim is about.
    fn unseen(&self) -> Finding {
        Finding {
            claim: self.text.get_ref().clone(),
            published: self.published,
            measured: None,
            low: None,
            high: None,
            games: 0,
            verdict: Verdict::Inconclusive { more: None },
        }
    }

    fn is_about(&self, cell: &CellSummary) -> bool {
        self.only.iter().all(|(name, value)| match name.as_str() {
            "game" => cell.game == *value.get_ref(),
            name => cell.values.get(name) == Some(value.get_ref()),
        })
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
        Finding {
            claim: self.text.get_ref().clone(),
            published: self.published,
            measured,
            low,
            high,
            games,
            verdict,
        }
    }

    /// The curves end in this order: each significantly nearer to equilibrium than the next, or simply nearer where
    /// there is a single run.
    fn in_order(&self, cells: &[&CellSummary], order: &[Spanned<String>]) -> Result<Finding, BadClaim> {
        let ends: Option<Vec<Moments>> = order.iter().map(|agent| ends(cells, agent.get_ref())).collect();
        let ends = ends.ok_or_else(|| self.nowhere())?;
        let apart: Vec<Estimate> = ends.windows(2).map(|pair| apart(pair[0], pair[1])).collect();
        let verdict = if apart.iter().all(|e| e.low > 0.0) {
            Verdict::Reproduced
        } else if apart.iter().any(|e| e.high < 0.0) {
            Verdict::NotReproduced
        } else {
            Verdict::Inconclusive { more: None }
        };
        let games = ends.iter().map(|e| e.count() as u64).sum();
        let (claim, published) = (self.text.get_ref().clone(), self.published);
        Ok(Finding { claim, published, measured: None, low: None, high: None, games, verdict })
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
