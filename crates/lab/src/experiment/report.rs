//! The report of an experiment: one page with tables, pictures, the claims and how it was made.

use fogtree_table::wire::Standing;

use super::claim::Finding;
use super::summary::CellSummary;
use crate::follow;
use crate::html::{Page, Part, Section};
use crate::made::Made;
use crate::table::{Align, Cell, Table};
use fogtree_draw::chart::{Axis, Bar, BarGroup, Bars, Heat, Lines, Series};

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What the experiment is about.
    pub title: &'a str,
    /// Where it was published.
    pub source: Option<&'a str>,
    /// Anything worth knowing.
    pub notes: Option<&'a str>,
    /// What is known of every cell.
    pub cells: &'a [CellSummary],
    /// Whether the claims hold.
    pub findings: &'a [Finding],
    /// The text of the experiment's file.
    pub file: &'a str,
    /// The command that made it.
    pub command: &'a str,
    /// The programs and machines that made the results.
    pub made: &'a [Made],
}

/// A picture of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// A name for its file, without an ending.
    pub name: String,
    /// Of which game it is, and what it shows of it in a word.
    pub title: String,
    /// The picture.
    pub svg: String,
    /// What it shows.
    pub caption: &'static str,
}

impl Report<'_> {
    /// The page as the text of an HTML file.
    pub fn html(&self) -> String {
        let mut sections = vec![self.about()];
        let tables = self.tables().into_iter();
        sections.extend(tables.map(|(title, table)| Section::new(title, vec![Part::Table(table)])));
        let pictures = self.pictures();
        if !pictures.is_empty() {
            let parts = pictures.into_iter().map(|p| Part::picture(p.svg, p.caption)).collect();
            let place = 1 + usize::from(!self.findings.is_empty());
            sections.insert(place, Section::new("Pictures", parts));
        }
        let mut made: Vec<String> = self.made.iter().map(|made| format!("results from {made}")).collect();
        made.push(format!("report by {}", Made::now()));
        let made = vec![
            Part::verbatim("program and machine", &made.join("\n")),
            Part::verbatim("command", self.command),
            Part::verbatim("file", self.file),
        ];
        sections.push(Section::new("How it was made", made));
        Page { title: self.title.to_string(), sections }.html()
    }

    /// The tables with their titles: the claims, the matches, the searches.
    pub fn tables(&self) -> Vec<(&'static str, Table)> {
        let mut tables = Vec::new();
        if !self.findings.is_empty() {
            tables.push(("Claims", findings(self.findings)));
        }
        if self.cells.iter().any(|cell| !cell.entrants.is_empty()) {
            tables.push(("Matches", matches(self.cells)));
        }
        if self.cells.iter().any(|cell| !cell.curve.is_empty()) {
            tables.push(("Searches", curves(self.cells)));
        }
        tables
    }

    fn about(&self) -> Section {
        let (done, of) = self.cells.iter().fold((0, 0), |(d, o), cell| (d + cell.done, o + cell.of));
        let mut text = format!("{done} of {of} games and runs.");
        for more in [self.source, self.notes].into_iter().flatten() {
            text += "\n\n";
            text += more.trim();
        }
        Section::new("", vec![Part::text(&text)])
    }

    /// Of each game: a heat map where many agents met in pairs, otherwise bars, lines over a swept number; and the
    /// curves.
    pub fn pictures(&self) -> Vec<Picture> {
        let mut games: Vec<&str> = Vec::new();
        for cell in self.cells {
            if !games.contains(&cell.game.as_str()) {
                games.push(&cell.game);
            }
        }
        let mut pictures = Vec::new();
        for game in games {
            let mut add = |svg: String, what: &str, caption: &'static str| {
                let name = format!("{}-{}-{what}", pictures.len() + 1, file_name(game));
                let title = format!("{game}: {}", what.replace('-', ", "));
                pictures.push(Picture { name, title, svg, caption });
            };
            let cells: Vec<&CellSummary> =
                self.cells.iter().filter(|c| c.game == game && c.done > 0).collect();
            let asked: Vec<&CellSummary> = cells.iter().copied().filter(|c| !c.entrants.is_empty()).collect();
            let played: Vec<&CellSummary> = asked.iter().copied().filter(|c| c.searcher.is_none()).collect();
            if let Some(heat) = heat(game, &played, Measure::WinRate) {
                add(heat.svg(), "pairs", "Wins and half the draws of the row against the column.");
            } else if !played.is_empty() {
                add(
                    bars(game, &played, Measure::WinRate).svg(),
                    "wins",
                    "With 95 % Clopper-Pearson intervals.",
                );
            }
            if played.iter().any(|cell| pays(cell)) {
                if let Some(heat) = heat(game, &played, Measure::Reward) {
                    add(heat.svg(), "pairs-rewards", "Mean rewards of the row against the column.");
                }
                let caption = "With 95 % intervals by the standard error of the mean.";
                add(bars(game, &played, Measure::Reward).svg(), "rewards", caption);
            }
            for (name, lines) in followed(game, &asked) {
                add(
                    lines.svg(),
                    &name,
                    "Means over the games that have so many decisions, while these are half of them.",
                );
            }
            let lines = converging(game, &cells);
            if !lines.series.is_empty() {
                add(lines.svg(), "convergence", "Means over the runs.");
            }
        }
        pictures
    }
}

/// A game's specification without what file names had better not have.
fn file_name(game: &str) -> String {
    let words: Vec<&str> =
        game.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.join("-").chars().take(80).collect()
}

/// The claims beside what was measured.
pub fn findings(findings: &[Finding]) -> Table {
    let columns = [
        ("claim", Align::Left),
        ("published", Align::Right),
        ("measured", Align::Right),
        ("games", Align::Right),
        ("verdict", Align::Left),
    ];
    let rows = findings.iter().map(|f| {
        let number = |value| Cell::Number { value, digits: 3 };
        let measured = match (f.measured, f.low, f.high) {
            (Some(value), Some(low), Some(high)) if low < high => {
                Cell::Estimate { value, low, high, digits: 3 }
            }
            (Some(value), ..) => number(value),
            _ => Cell::Empty,
        };
        vec![
            Cell::text(f.claim.as_str()),
            f.published.map_or(Cell::Empty, number),
            measured,
            Cell::count(f.games),
            Cell::text(f.verdict.to_string()),
        ]
    });
    Table { rows: rows.collect(), ..Table::new("", &columns) }
}

/// What is drawn of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    WinRate,
    Reward,
}

/// How far on both sides of a mean reward its 95 % interval reaches.
fn reward_half(s: &Standing) -> f64 {
    1.96 * s.reward_error
}

/// Whether rewards say more than who won: they are not 1 and 0, or 1 and -1.
fn pays(cell: &CellSummary) -> bool {
    cell.entrants.iter().map(|entrant| &entrant.standing).any(|s| {
        let is = |reward: f64| (s.mean_reward - reward).abs() < 1e-9;
        !is(s.win_rate) && !is(2.0 * s.win_rate - 1.0)
    })
}

/// How win rates are counted, for people who read a table.
pub const WIN_RATES: &str =
    "Win rate: the share of first places; k who share one have 1/k each. Place: the mean, from 1.";

fn matches(cells: &[CellSummary]) -> Table {
    let columns = [
        ("game", Align::Left),
        ("agent", Align::Left),
        ("against", Align::Left),
        ("games", Align::Right),
        ("win rate in %", Align::Right),
        ("place", Align::Right),
        ("mean reward", Align::Right),
        ("iterations a move", Align::Right),
        ("iterations/s", Align::Right),
        ("depth", Align::Right),
    ];
    let mut rows = Vec::new();
    for cell in cells {
        for (place, entrant) in cell.entrants.iter().enumerate() {
            let others = cell.entrants.iter().enumerate().filter(|(i, _)| *i != place);
            let against: Vec<String> = others.map(|(_, e)| e.label()).collect();
            let values = cell.values.iter().map(|(name, value)| format!(" {name}={value}"));
            let (s, search) = (&entrant.standing, &entrant.search);
            let mut row = vec![
                Cell::text(format!("{}{}", cell.game, values.collect::<String>())),
                Cell::text(format!("{}{}", entrant.label(), if s.cheating { " (cheating)" } else { "" })),
                Cell::text(against.join(", ")),
                Cell::count(s.games),
            ];
            if s.games > 0 {
                let half = reward_half(s);
                let (low, high) = (s.mean_reward - half, s.mean_reward + half);
                row.extend([
                    Cell::percent(s.win_rate, s.low, s.high),
                    s.mean_place.map_or(Cell::Empty, |value| Cell::Number { value, digits: 2 }),
                    Cell::Estimate { value: s.mean_reward, low, high, digits: 3 },
                    Cell::Number { value: search.iterations, digits: 0 },
                    Cell::Number { value: search.iterations_per_second, digits: 0 },
                    Cell::Number { value: search.depth, digits: 1 },
                ]);
            }
            row.resize(columns.len(), Cell::Empty);
            rows.push(row);
        }
    }
    Table { rows, ..Table::new(WIN_RATES, &columns) }
}

fn curves(cells: &[CellSummary]) -> Table {
    let columns = [
        ("search", Align::Left),
        ("runs", Align::Right),
        ("iterations", Align::Right),
        ("NashConv", Align::Right),
        ("iterations/s", Align::Right),
    ];
    let rows = cells.iter().filter_map(|cell| {
        let last = cell.curve.last()?;
        Some(vec![
            Cell::text(cell.label.as_str()),
            Cell::count(cell.done),
            Cell::count(last.done),
            Cell::Number { value: last.nash_conv, digits: 5 },
            Cell::Number { value: last.done as f64 / last.seconds.max(1e-9), digits: 0 },
        ])
    });
    Table { rows: rows.collect(), ..Table::new("", &columns) }
}

/// Who won how much against whom, if at least three agents met in pairs, or one against the field, and
/// nothing was swept.
fn heat(game: &str, cells: &[&CellSummary], measure: Measure) -> Option<Heat> {
    let mut names: Vec<String> = Vec::new();
    let even = cells.first()?.even?;
    for cell in cells {
        if cell.entrants.len() != 2 || !cell.values.is_empty() || cell.even != Some(even) {
            return None;
        }
        for entrant in &cell.entrants {
            if !names.contains(&entrant.name) {
                names.push(entrant.name.clone());
            }
        }
    }
    if names.len() < 3 {
        return None;
    }
    let place = |name: &str| names.iter().position(|n| n == name);
    let mut sums = vec![vec![(0.0, 0.0); names.len()]; names.len()];
    for cell in cells {
        // At a table of more the first sits alone, and what the field wins there is another number.
        for (one, other) in [(0, 1), (1, 0)].into_iter().take(if even == 0.5 { 2 } else { 1 }) {
            let (row, column) = (place(&cell.entrants[one].name)?, place(&cell.entrants[other].name)?);
            let s = &cell.entrants[one].standing;
            let value = if measure == Measure::WinRate { s.win_rate } else { s.mean_reward };
            let results = (s.wins + s.draws + s.losses) as f64;
            sums[row][column].0 += value * results;
            sums[row][column].1 += results;
        }
    }
    let mean = |&(sum, games): &(f64, f64)| (games > 0.0).then_some(sum / games);
    let means: Vec<Vec<Option<f64>>> = sums.iter().map(|row| row.iter().map(mean).collect()).collect();
    Some(match measure {
        Measure::WinRate => Heat {
            middle: even,
            reach: even.max(1.0 - even),
            ..Heat::win_rates(game, names.clone(), names, means)
        },
        Measure::Reward => Heat::rewards(game, names.clone(), names, means),
    })
}

/// A bar for every first entrant of a cell. Where all cells have as many players, a line says what is even.
fn bars(game: &str, cells: &[&CellSummary], measure: Measure) -> Bars {
    let group = |cell: &&CellSummary| {
        let s = &cell.entrants[0].standing;
        let label = cell.label.strip_prefix(&format!("{game}: ")).unwrap_or(&cell.label);
        let bar = match measure {
            Measure::WinRate => Bar::between(s.win_rate, s.low, s.high),
            Measure::Reward => {
                let half = reward_half(s);
                Bar::between(s.mean_reward, s.mean_reward - half, s.mean_reward + half)
            }
        };
        BarGroup::new(label, vec![Some(bar)])
    };
    let (name, axis) = match measure {
        Measure::WinRate => ("win rate", Axis::percent("win rate")),
        Measure::Reward => ("mean reward", Axis::linear("mean reward")),
    };
    let even = cells.first().and_then(|cell| cell.even);
    let even = even.filter(|_| measure == Measure::WinRate && cells.iter().all(|cell| cell.even == even));
    Bars {
        title: format!("{game}: {name} of the first named"),
        axis: even.into_iter().fold(axis, |axis, even| axis.with_reference(even, "even")),
        series: Vec::new(),
        groups: cells.iter().map(group).collect(),
    }
}

/// What was followed, decision by decision: a picture for each name, a line for each entrant in games won and lost.
fn followed(game: &str, cells: &[&CellSummary]) -> Vec<(String, Lines)> {
    let mut names: Vec<&str> = Vec::new();
    for f in cells.iter().flat_map(|c| &c.entrants).flat_map(|e| &e.trajectories).flat_map(|t| &t.followed) {
        if !names.contains(&f.name.as_str()) {
            names.push(&f.name);
        }
    }
    let picture = |name: &str| {
        let mut series = Vec::new();
        for (cell, entrant) in cells.iter().flat_map(|cell| cell.entrants.iter().map(move |e| (cell, e))) {
            for (won, word) in [(true, "won"), (false, "lost")] {
                let some: Vec<_> = entrant.trajectories.iter().filter(|t| t.won == won).cloned().collect();
                let values = follow::means(&some, name);
                // Who knows from the start has nothing to show.
                let changes = values.len() == 1 || values.windows(2).any(|pair| pair[0] != pair[1]);
                if changes {
                    let others = cell.entrants.iter().filter(|e| !std::ptr::eq(*e, entrant));
                    let others: Vec<String> = others.map(|e| e.label()).collect();
                    let label = format!("{} against {}, {word}", entrant.label(), others.join(", "));
                    series.push(Series::trajectory(&label, &values));
                }
            }
        }
        let y = if name == follow::TRUTH { Axis::unit(name) } else { Axis::linear(name) };
        (name.to_string(), Lines { title: game.to_string(), x: Axis::linear("decision"), y, series })
    };
    names.into_iter().map(picture).collect()
}

fn converging(game: &str, cells: &[&CellSummary]) -> Lines {
    let series = cells.iter().filter(|cell| !cell.curve.is_empty()).map(|cell| {
        let points = cell.curve.iter().map(|p| (p.done as f64, p.nash_conv)).collect();
        let label = cell.label.strip_prefix(&format!("{game}: ")).unwrap_or(&cell.label);
        Series::new(label, points)
    });
    let series = series.collect();
    Lines { title: game.to_string(), x: Axis::log("iterations"), y: Axis::log("NashConv"), series }
}

#[cfg(test)]
mod tests;
