//! What a publication claims, as statements that results can confirm or refute.
//!
//! A claim says that a number lies on one side of another: a share of wins above a half, a gain above 0, an
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

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::file::{BadFile, ExperimentFile};
use super::summary::{CellSummary, Entrant, SearchFigures};
use crate::series::Standing;
use crate::statistics::{CONFIDENCE, Estimate, Moments, clopper_pearson, newcombe, welch};

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
    /// The first agent wins more than half of its games against the second.
    pub stronger: Option<[Spanned<String>; 2]>,
    /// An agent's share of wins.
    pub share: Option<ShareClaim>,
    /// An agent's mean reward.
    pub reward: Option<ShareClaim>,
    /// What one agent wins more than another, each in cells of its own.
    pub gain: Option<GainClaim>,
    /// How an agent's share of wins changes with a value of the sweep.
    pub trend: Option<TrendClaim>,
    /// How an agent searches.
    pub search: Option<SearchClaim>,
    /// The final NashConv of a search.
    pub curve: Option<CurveClaim>,
    /// Searches in the order of their final NashConv, the nearest to equilibrium first.
    pub order: Option<Vec<Spanned<String>>>,
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
    /// Who wins more.
    pub agent: Spanned<String>,
    /// Than whom.
    pub over: Spanned<String>,
    /// In which role.
    pub role: Option<Spanned<String>>,
    /// Against whom.
    pub against: Option<Spanned<String>>,
    /// The difference of the shares is at least this,
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
    Trend(&'a TrendClaim),
    Search(&'a SearchClaim),
    Curve(&'a CurveClaim),
    Order(&'a [Spanned<String>]),
}

/// Which entrants are meant.
#[derive(Clone, Copy)]
struct Who<'a> {
    agent: &'a str,
    role: Option<&'a str>,
    against: Option<&'a str>,
}

impl<'a> Who<'a> {
    fn new(
        agent: &'a Spanned<String>,
        role: Option<&'a Spanned<String>>,
        against: Option<&'a Spanned<String>>,
    ) -> Who<'a> {
        let plain = |name: &'a Spanned<String>| name.get_ref().as_str();
        Who { agent: plain(agent), role: role.map(plain), against: against.map(plain) }
    }

    /// The entrants of a cell that are meant.
    fn among(self, cell: &CellSummary) -> impl Iterator<Item = &Entrant> {
        let Who { agent, role, against } = self;
        cell.entrants
            .iter()
            .enumerate()
            .filter(move |(place, entrant)| {
                let in_role = role.is_none_or(|role| entrant.standing.role.as_deref() == Some(role));
                let mut others = cell.entrants.iter().enumerate().filter(|(other, _)| other != place);
                let meets = against.is_none_or(|name| others.any(|(_, e)| e.name == name));
                entrant.name == agent && in_role && meets
            })
            .map(|(_, entrant)| entrant)
    }
}

/// A measured number.
struct Measured {
    estimate: Estimate,
    games: u64,
}

impl Measured {
    /// A number without an interval.
    fn point(value: f64, games: u64) -> Measured {
        Measured { estimate: Estimate { value, low: value, high: value }, games }
    }
}

impl ClaimTable {
    fn statement(&self) -> Option<Statement<'_>> {
        let all = [
            self.stronger.as_ref().map(Statement::Stronger),
            self.share.as_ref().map(Statement::Share),
            self.reward.as_ref().map(Statement::Reward),
            self.gain.as_ref().map(Statement::Gain),
            self.trend.as_ref().map(Statement::Trend),
            self.search.as_ref().map(Statement::Search),
            self.curve.as_ref().map(Statement::Curve),
            self.order.as_deref().map(Statement::Order),
        ];
        let mut given = all.into_iter().flatten();
        given.next().filter(|_| given.next().is_none())
    }

    /// Whether everything the claim names is in the file, whose text this is.
    pub(super) fn check(&self, file: &ExperimentFile, text: &str) -> Result<(), BadFile> {
        let bad = |at: &Spanned<String>, why: String| BadFile::at(text, at.span(), why);
        let one = "expected exactly one of stronger, share, reward, gain, trend, search, curve and order";
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
        type Bounds = (Option<f64>, Option<f64>);
        let (agents, role, bounds): (Vec<_>, Option<_>, Option<Bounds>) = match statement {
            Statement::Stronger(pair) => (pair.iter().collect(), None, None),
            Statement::Share(c) | Statement::Reward(c) => {
                let agents = std::iter::once(&c.agent).chain(&c.against);
                (agents.collect(), c.role.as_ref(), Some((c.at_least, c.at_most)))
            }
            Statement::Gain(c) => {
                let agents = [&c.agent, &c.over].into_iter().chain(&c.against);
                (agents.collect(), c.role.as_ref(), Some((c.at_least, c.at_most)))
            }
            Statement::Trend(c) => {
                let numbers = file.values(c.over.get_ref()).is_some_and(|values| {
                    values.iter().all(|value| value.parse().is_ok_and(|x: f64| !c.log || x > 0.0))
                });
                if !numbers {
                    let kind = if c.log { "positive numbers" } else { "numbers" };
                    return Err(bad(&c.over, format!("no {kind} called '{}' are swept", c.over.get_ref())));
                }
                let agents = std::iter::once(&c.agent).chain(&c.against);
                (agents.collect(), c.role.as_ref(), Some((c.at_least, c.at_most)))
            }
            Statement::Search(c) => {
                let agents = std::iter::once(&c.agent).chain(&c.per);
                (agents.collect(), None, Some((c.at_least, c.at_most)))
            }
            Statement::Curve(c) => (vec![&c.agent], None, Some((c.at_least, c.at_most))),
            Statement::Order(order) => (order.iter().collect(), None, None),
        };
        if let Some(name) = agents.iter().find(|name| !file.agents.contains_key(name.get_ref())) {
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
                (share(&cells, Who::new(agent, None, Some(other))), Some(0.5), None)
            }
            Statement::Share(c) => {
                let who = Who::new(&c.agent, c.role.as_ref(), c.against.as_ref());
                (share(&cells, who), c.at_least, c.at_most)
            }
            Statement::Reward(c) => {
                let who = Who::new(&c.agent, c.role.as_ref(), c.against.as_ref());
                (reward(&cells, who), c.at_least, c.at_most)
            }
            Statement::Gain(c) => {
                let counts = |agent| counts(&cells, Who::new(agent, c.role.as_ref(), c.against.as_ref()));
                let gain = counts(&c.agent).zip(counts(&c.over)).map(|(first, second)| Measured {
                    estimate: newcombe(first, second, CONFIDENCE),
                    games: first.1 + second.1,
                });
                (gain, c.at_least, c.at_most)
            }
            Statement::Trend(c) => (trend(&cells, c), c.at_least, c.at_most),
            Statement::Search(c) => (search(&cells, c), c.at_least, c.at_most),
            Statement::Curve(c) => (curve(&cells, c.agent.get_ref()), c.at_least, c.at_most),
            Statement::Order(order) => return self.in_order(&cells, order),
        };
        Ok(self.finding(measured.ok_or_else(|| self.nowhere())?, at_least, at_most))
    }

    fn bad(&self, why: &str) -> BadClaim {
        BadClaim { text: self.text.get_ref().clone(), why: why.to_string() }
    }

    fn nowhere(&self) -> BadClaim {
        self.bad("no cell of the experiment is about this")
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

/// The cells with each entrant that is meant and the number of seats it has.
fn entrants<'a>(
    cells: &'a [&CellSummary],
    who: Who<'a>,
) -> impl Iterator<Item = (&'a Standing, f64)> + use<'a> {
    cells.iter().flat_map(move |cell| {
        let seats = move |s: &Standing| (s.wins + s.draws + s.losses) as f64 / cell.done.max(1) as f64;
        who.among(cell).map(move |entrant| (&entrant.standing, seats(&entrant.standing).max(1.0)))
    })
}

/// Wins and half the draws, and games, of the entrants that are meant, if there are such entrants. One that has
/// several seats, whose results are not independent, counts once a game.
fn counts(cells: &[&CellSummary], who: Who<'_>) -> Option<(f64, u64)> {
    let found = entrants(cells, who).map(|(s, seats)| {
        let (points, results) = (s.wins as f64 + s.draws as f64 / 2.0, s.wins + s.draws + s.losses);
        (points / seats, results as f64 / seats)
    });
    found
        .reduce(|a, b| (a.0 + b.0, a.1 + b.1))
        .map(|(points, games)| (points.min(games), games.round() as u64))
}

fn share(cells: &[&CellSummary], who: Who<'_>) -> Option<Measured> {
    let (wins, games) = counts(cells, who)?;
    let share = clopper_pearson(wins, games);
    Some(Measured { estimate: Estimate { value: share.share, low: share.low, high: share.high }, games })
}

/// The quantile of the normal distribution for 95 %.
const NORMAL: f64 = 1.959_963_984_540_054;

/// The mean reward, with the normal interval from the standard errors of the cells.
fn reward(cells: &[&CellSummary], who: Who<'_>) -> Option<Measured> {
    let (mut games, mut sum, mut variance) = (0.0, 0.0, 0.0);
    let mut known = false;
    for (standing, seats) in entrants(cells, who) {
        let count = (standing.wins + standing.draws + standing.losses) as f64 / seats;
        known = true;
        games += count;
        sum += count * standing.mean_reward;
        variance += (count * standing.reward_error).powi(2) * seats;
    }
    let (value, half) = (sum / games, NORMAL * variance.sqrt() / games);
    let estimate = Estimate { value, low: value - half, high: value + half };
    known.then_some(Measured { estimate, games: games.round() as u64 })
}

/// The slope of the share over a value of the sweep.
fn trend(cells: &[&CellSummary], c: &TrendClaim) -> Option<Measured> {
    let who = Who::new(&c.agent, c.role.as_ref(), c.against.as_ref());
    let mut lines: BTreeMap<_, Vec<Point>> = BTreeMap::new();
    let mut games = 0;
    for &cell in cells {
        let mut others = cell.values.clone();
        let Some(x) = others.remove(c.over.get_ref()).and_then(|x| x.parse::<f64>().ok()) else { continue };
        if c.from.is_some_and(|from| x < from) || c.to.is_some_and(|to| x > to) {
            continue;
        }
        let Some((wins, count)) = counts(&[cell], who) else { continue };
        games += count;
        let x = if c.log { x.log2() } else { x };
        lines.entry((&cell.game, others)).or_default().push(Point::new(x, wins, count));
    }
    let (value, error) = common_slope(lines.values().map(Vec::as_slice))?;
    let half = NORMAL * error;
    Some(Measured { estimate: Estimate { value, low: value - half, high: value + half }, games })
}

/// A share at a place, weighing as much as it is sure.
struct Point {
    x: f64,
    share: f64,
    weight: f64,
}

impl Point {
    /// The weight is one over the variance of the share, which is taken with one more win and one more loss: of two
    /// games won the variance is not 0.
    fn new(x: f64, wins: f64, games: u64) -> Point {
        let n = games as f64;
        let likely = (wins + 1.0) / (n + 2.0);
        Point { x, share: if games == 0 { 0.5 } else { wins / n }, weight: n / (likely * (1.0 - likely)) }
    }
}

/// The slope that lines through these groups of points have in common, and its standard error. `None` if no group
/// has two places.
fn common_slope<'a>(lines: impl Iterator<Item = &'a [Point]>) -> Option<(f64, f64)> {
    let (mut across, mut up) = (0.0, 0.0);
    let mut places = false;
    for points in lines {
        places |= points.iter().any(|p| p.x != points[0].x);
        let sum = |of: fn(&Point) -> f64| points.iter().map(|p| p.weight * of(p)).sum::<f64>();
        let whole = sum(|_| 1.0).max(f64::MIN_POSITIVE);
        let (x, y) = (sum(|p| p.x) / whole, sum(|p| p.share) / whole);
        across += points.iter().map(|p| p.weight * (p.x - x).powi(2)).sum::<f64>();
        up += points.iter().map(|p| p.weight * (p.x - x) * (p.share - y)).sum::<f64>();
    }
    places.then(|| (up / across, across.sqrt().recip()))
}

/// How an agent searches, on average over its games, or how many times as much as another.
fn search(cells: &[&CellSummary], c: &SearchClaim) -> Option<Measured> {
    let mean = |agent: &Spanned<String>| {
        let found = cells.iter().flat_map(|cell| Who::new(agent, None, None).among(cell)).map(|entrant| {
            let s = &entrant.standing;
            (c.figure.of(&entrant.search), s.wins + s.draws + s.losses)
        });
        let found: Vec<_> = found.collect();
        (!found.is_empty()).then(|| Moments::counted(found))
    };
    let of = mean(&c.agent)?;
    let (other, games) = match &c.per {
        Some(agent) => mean(agent).map(|m| (m.mean(), of.count() + m.count()))?,
        None => (1.0, of.count()),
    };
    Some(Measured::point(of.mean() / other, games as u64))
}

/// The final NashConv of every run of a search.
fn ends(cells: &[&CellSummary], agent: &str) -> Option<Moments> {
    let mut found = cells.iter().filter(|cell| cell.searcher.as_deref() == Some(agent)).peekable();
    found.peek()?;
    Some(found.flat_map(|cell| cell.ends.iter().copied()).collect())
}

/// The mean final NashConv of a search with its Student interval, or the only one.
fn curve(cells: &[&CellSummary], agent: &str) -> Option<Measured> {
    let ends = ends(cells, agent)?;
    let games = ends.count() as u64;
    Some(match games {
        0 | 1 => Measured::point(ends.mean(), games),
        _ => Measured { estimate: ends.interval(CONFIDENCE), games },
    })
}

/// How far the second mean lies above the first.
fn apart(first: Moments, second: Moments) -> Estimate {
    let value = second.mean() - first.mean();
    match first.count().min(second.count()) {
        0.0 => Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY },
        1.0 => Estimate { value, low: value, high: value },
        _ => welch(second, first, CONFIDENCE).difference,
    }
}
