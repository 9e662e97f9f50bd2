//! The numbers that claims are about, measured in the cells of an experiment.

use std::collections::BTreeMap;

use fogtree_table::wire::Standing;
use toml::Spanned;

use super::{Draws, ExponentialClaim, FollowClaim, Place, SearchClaim, TrendClaim};
use crate::experiment::summary::{CellSummary, Entrant};
use crate::follow::{Followed, Trajectory};
use crate::statistics::{CONFIDENCE, Estimate, Moments, clopper_pearson, newcombe, welch};

/// Which entrants are meant.
#[derive(Clone, Copy)]
pub(super) struct Who<'a> {
    agents: &'a [Spanned<String>],
    role: Option<&'a str>,
    against: Option<&'a str>,
    draws: Draws,
}

impl<'a> Who<'a> {
    pub(super) fn new(
        agent: &'a Spanned<String>,
        role: Option<&'a Spanned<String>>,
        against: Option<&'a Spanned<String>>,
    ) -> Who<'a> {
        Who::all(std::slice::from_ref(agent), role, against)
    }

    /// Several agents taken together.
    pub(super) fn all(
        agents: &'a [Spanned<String>],
        role: Option<&'a Spanned<String>>,
        against: Option<&'a Spanned<String>>,
    ) -> Who<'a> {
        let plain = |name: &'a Spanned<String>| name.get_ref().as_str();
        Who { agents, role: role.map(plain), against: against.map(plain), draws: Draws::Half }
    }

    /// The same, with draws counting for this in their shares of wins.
    pub(super) fn counting(self, draws: Draws) -> Who<'a> {
        Who { draws, ..self }
    }

    /// The share of its results that an entrant has won.
    fn share_of(self, standing: &Standing) -> f64 {
        let Standing { wins, draws, losses, .. } = *standing;
        match self.draws {
            Draws::Half => standing.win_rate,
            Draws::Lost => wins as f64 / (wins + draws + losses).max(1) as f64,
        }
    }

    /// The entrants of a cell that are meant.
    fn among(self, cell: &CellSummary) -> impl Iterator<Item = &Entrant> {
        let Who { agents, role, against, .. } = self;
        cell.entrants
            .iter()
            .enumerate()
            .filter(move |(place, entrant)| {
                let in_role = role.is_none_or(|role| entrant.standing.role.as_deref() == Some(role));
                let mut others = cell.entrants.iter().enumerate().filter(|(other, _)| other != place);
                let meets = against.is_none_or(|name| others.any(|(_, e)| e.name == name));
                let is_meant = agents.iter().any(|name| *name.get_ref() == entrant.name);
                is_meant && in_role && meets
            })
            .map(|(_, entrant)| entrant)
    }
}

/// A measured number.
pub(super) struct Measured {
    pub(super) estimate: Estimate,
    pub(super) games: u64,
}

impl Measured {
    /// A number without an interval.
    fn point(value: f64, games: u64) -> Measured {
        Measured { estimate: Estimate { value, low: value, high: value }, games }
    }
}

/// How the entrants that are meant did, cell by cell.
fn standings<'a>(cells: &'a [&CellSummary], who: Who<'a>) -> impl Iterator<Item = &'a Standing> + use<'a> {
    cells.iter().flat_map(move |cell| who.among(cell)).map(|entrant| &entrant.standing)
}

/// Wins, with what draws count for, and games, of the entrants that are meant, if there are such entrants. One that has
/// several seats, whose results are not independent, counts once a game.
fn counts(cells: &[&CellSummary], who: Who<'_>) -> Option<(f64, u64)> {
    standings(cells, who)
        .map(|s| (who.share_of(s) * s.games as f64, s.games))
        .reduce(|a, b| (a.0 + b.0, a.1 + b.1))
        .map(|(points, games)| (points.min(games as f64), games))
}

/// The share of wins, with its Clopper-Pearson interval.
pub(super) fn share(cells: &[&CellSummary], who: Who<'_>) -> Option<Measured> {
    let (wins, games) = counts(cells, who)?;
    let share = clopper_pearson(wins, games);
    Some(Measured { estimate: Estimate { value: share.share, low: share.low, high: share.high }, games })
}

/// The share of wins of equals in the place of the entrants that are meant, if there are such entrants: the mean
/// over their games.
pub(super) fn even(cells: &[&CellSummary], who: Who<'_>) -> Option<f64> {
    let of = |cell: &&CellSummary| {
        let games: u64 = who.among(cell).map(|entrant| entrant.standing.games).sum();
        (cell.even.unwrap_or(HALF) * games as f64, games)
    };
    let meant = cells.iter().filter(|cell| who.among(cell).next().is_some());
    let (wins, games) = meant.map(of).reduce(|a, b| (a.0 + b.0, a.1 + b.1))?;
    Some(if games == 0 { HALF } else { wins / games as f64 })
}

/// What one of two equals wins.
const HALF: f64 = 0.5;

/// What the first wins more than the second, with Newcombe's interval.
pub(super) fn gain(cells: &[&CellSummary], first: Who<'_>, second: Who<'_>) -> Option<Measured> {
    let (first, second) = counts(cells, first).zip(counts(cells, second))?;
    Some(Measured { estimate: newcombe(first, second, CONFIDENCE), games: first.1 + second.1 })
}

/// The same game by game, where both played one with the same number in the same game with the same values, with
/// Student's interval.
pub(super) fn paired(cells: &[&CellSummary], first: Who<'_>, second: Who<'_>) -> Option<Measured> {
    let mut differences: Option<Vec<f64>> = None;
    for one in cells {
        let alike = |other: &&&CellSummary| (&other.game, &other.values) == (&one.game, &one.values);
        for (a, b) in first.among(one).flat_map(|a| {
            cells.iter().filter(alike).flat_map(move |other| second.among(other)).map(move |b| (a, b))
        }) {
            let theirs: BTreeMap<u64, f64> = b.scores.iter().copied().collect();
            let both = a.scores.iter().filter_map(|(number, score)| Some(score - theirs.get(number)?));
            differences.get_or_insert_default().extend(both);
        }
    }
    let moments: Moments = differences?.into_iter().collect();
    let games = moments.count() as u64;
    let estimate = match games {
        0 | 1 => Estimate { value: moments.mean(), low: -1.0, high: 1.0 },
        _ => moments.interval(CONFIDENCE),
    };
    Some(Measured { estimate, games })
}

/// The quantile of the normal distribution for 95 %.
const NORMAL: f64 = 1.959_963_984_540_054;

/// The mean reward, with the normal interval from the standard errors of the cells.
pub(super) fn reward(cells: &[&CellSummary], who: Who<'_>) -> Option<Measured> {
    let (mut games, mut sum, mut variance) = (0.0, 0.0, 0.0);
    let mut known = false;
    for standing in standings(cells, who) {
        let count = standing.games as f64;
        known = true;
        games += count;
        sum += count * standing.mean_reward;
        variance += (count * standing.reward_error).powi(2);
    }
    let (value, half) = (sum / games, NORMAL * variance.sqrt() / games);
    let estimate = Estimate { value, low: value - half, high: value + half };
    known.then_some(Measured { estimate, games: games.round() as u64 })
}

/// What is followed of an agent's decisions, or by how much it differs from another's.
pub(super) fn follow(cells: &[&CellSummary], c: &FollowClaim) -> Option<Measured> {
    let of = |agent| {
        let who = Who::new(agent, c.role.as_ref(), c.against.as_ref());
        let mut meant = cells.iter().flat_map(|cell| who.among(cell)).peekable();
        meant.peek()?;
        Some(meant.flat_map(|entrant| by_game(&entrant.trajectories, c)).collect::<Vec<f64>>())
    };
    let values = of(&c.agent)?;
    let games = values.len() as u64;
    let moments: Moments = values.iter().copied().collect();
    let Some(other) = &c.over else {
        let is_share = c.above.is_some() && values.iter().all(|&v| v == 0.0 || v == 1.0);
        if is_share {
            let share = clopper_pearson(values.iter().sum(), games);
            let estimate = Estimate { value: share.share, low: share.low, high: share.high };
            return Some(Measured { estimate, games });
        }
        return Some(Measured { estimate: moments.interval(CONFIDENCE), games });
    };
    let others: Moments = of(other)?.into_iter().collect();
    Some(Measured { estimate: apart(others, moments), games: games + others.count() as u64 })
}

/// How straight the logarithms of the means of what is followed lie over a value of the sweep; anything from 0 to 1 as
/// long as there are no three values with games.
pub(super) fn exponential(cells: &[&CellSummary], c: &ExponentialClaim) -> Option<Measured> {
    let who = Who::new(&c.agent, None, None);
    let (mut points, mut games) = (Vec::new(), 0);
    let mut meant = cells.iter().filter(|cell| who.among(cell).next().is_some()).peekable();
    meant.peek()?;
    for cell in meant {
        let value = cell.values.get(c.over.get_ref())?;
        let name = c.name_at(value);
        let trajectories = who.among(cell).flat_map(|entrant| &entrant.trajectories);
        let followed = trajectories.flat_map(|t| &t.followed).filter(|f| f.name == name);
        let moments: Moments = followed.map(|f| f.value).collect();
        if moments.count() > 0.0 && moments.mean() > 0.0 {
            points.push((value.parse().ok()?, moments.mean().ln()));
            games += cell.done;
        }
    }
    let nothing = Measured { estimate: Estimate { value: 0.0, low: 0.0, high: 1.0 }, games: 0 };
    Some(explained(&points).map_or(nothing, |value| Measured::point(value, games)))
}

/// How much of the variance of `y` the least squares line over `x` explains; `None` with fewer than three points, through
/// which a line need not go, or if all have the same `x`.
fn explained(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|p| of(p.0 - x, p.1 - y)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    let explained = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
    (points.len() > 2 && xx > 0.0).then_some(explained)
}

/// The number of each game that a claim is about.
fn by_game(trajectories: &[Trajectory], c: &FollowClaim) -> Vec<f64> {
    let mut games: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for trajectory in trajectories.iter().filter(|t| c.won.is_none_or(|won| won == t.won)) {
        let is_meant = |f: &&Followed| {
            f.name == *c.name.get_ref()
                && c.to_step.is_none_or(|step| f.step <= step)
                && c.from_episode.is_none_or(|from| f.episode.is_some_and(|e| e >= from))
                && c.to_episode.is_none_or(|to| f.episode.is_some_and(|e| e <= to))
        };
        let values: Vec<f64> = trajectory.followed.iter().filter(is_meant).map(|f| f.value).collect();
        let (Some(first), Some(last)) = (values.first(), values.last()) else { continue };
        let value = match c.at {
            Place::First => *first,
            Place::Last => *last,
            Place::Rise => last - first,
            Place::Highest => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Place::Lowest => values.iter().copied().fold(f64::INFINITY, f64::min),
            Place::Mean => values.iter().sum::<f64>() / values.len() as f64,
        };
        let value = c.above.map_or(value, |bound| f64::from(u8::from(value > bound)));
        games.entry(trajectory.game).or_default().push(value);
    }
    games.into_values().map(|seats| seats.iter().sum::<f64>() / seats.len() as f64).collect()
}

/// What the first earns more than the second, with the normal interval.
pub(super) fn earned(cells: &[&CellSummary], first: Who<'_>, second: Who<'_>) -> Option<Measured> {
    let (first, second) = reward(cells, first).zip(reward(cells, second))?;
    let half = |m: &Measured| m.estimate.high - m.estimate.value;
    let (value, half) = (first.estimate.value - second.estimate.value, half(&first).hypot(half(&second)));
    let estimate = Estimate { value, low: value - half, high: value + half };
    Some(Measured { estimate, games: first.games + second.games })
}

/// The slope of the share over a value of the sweep.
pub(super) fn trend(cells: &[&CellSummary], c: &TrendClaim, draws: Draws) -> Option<Measured> {
    let who = Who::new(&c.agent, c.role.as_ref(), c.against.as_ref()).counting(draws);
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
pub(super) fn search(cells: &[&CellSummary], c: &SearchClaim) -> Option<Measured> {
    let mean = |agent: &Spanned<String>| {
        let found = cells.iter().flat_map(|cell| {
            let figure = |entrant: &Entrant| (c.figure.of(&entrant.search), cell.done);
            Who::new(agent, None, None).among(cell).map(figure)
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
pub(super) fn ends(cells: &[&CellSummary], agent: &str) -> Option<Moments> {
    let mut found = cells.iter().filter(|cell| cell.searcher.as_deref() == Some(agent)).peekable();
    found.peek()?;
    Some(found.flat_map(|cell| cell.ends.iter().copied()).collect())
}

/// The mean final NashConv of a search with its Student interval, or the only one.
pub(super) fn curve(cells: &[&CellSummary], agent: &str) -> Option<Measured> {
    let ends = ends(cells, agent)?;
    let games = ends.count() as u64;
    Some(match games {
        0 | 1 => Measured::point(ends.mean(), games),
        _ => Measured { estimate: ends.interval(CONFIDENCE), games },
    })
}

/// How far the second mean lies above the first.
pub(super) fn apart(first: Moments, second: Moments) -> Estimate {
    let value = second.mean() - first.mean();
    match first.count().min(second.count()) {
        0.0 => Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY },
        1.0 => Estimate { value, low: value, high: value },
        _ => welch(second, first, CONFIDENCE).difference,
    }
}
