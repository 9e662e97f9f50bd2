//! The results of an experiment as tables: at its end, and under the bar while it runs.

use std::time::{Duration, Instant};

use fogtree_lab::experiment::report::WIN_RATES;
use fogtree_lab::experiment::{CellSummary, Plan, Store, summarise};

use super::matches::time;
use crate::output::table;

/// The partial table shown while an experiment runs.
pub(super) struct Standings {
    /// The table, below a blank line.
    pub(super) text: String,
    next: Instant,
}

/// How many lines of a partial table are shown.
const LINES: usize = 20;

/// Results are summed up anew this often at most,
const PATIENCE: Duration = Duration::from_secs(2);

/// and never for more than one part in this many of the time.
const SHARE: u32 = 100;

impl Default for Standings {
    fn default() -> Self {
        Standings { text: String::new(), next: Instant::now() + PATIENCE }
    }
}

impl Standings {
    /// Sums up what is in the store, if it is time to.
    pub(super) fn update(&mut self, plan: &Plan, store: &Store) {
        let began = Instant::now();
        if began < self.next {
            return;
        }
        // What cannot be read now is read at the end, where an error is told.
        if let Ok(cells) = summarise(plan, store) {
            let begun = cells.iter().filter(|cell| cell.done > 0).cloned().collect::<Vec<_>>();
            let text = tables(&begun);
            let lines: Vec<&str> = text.lines().collect();
            let shown = match lines.len() > LINES {
                true => [&lines[..2], &lines[lines.len() - LINES..]].concat(),
                false => lines,
            };
            self.text = format!("\n\n{}", shown.join("\n"));
        }
        self.next = Instant::now() + PATIENCE.max(began.elapsed() * SHARE);
    }
}

/// Matches as one table, curves as another, decisions as a third.
pub(super) fn tables(cells: &[CellSummary]) -> String {
    let mut header = vec![
        "game",
        "agent",
        "against",
        "games",
        "win rate",
        "95 % interval",
        "mean reward",
        "time per move",
    ];
    let many = cells.iter().filter(|cell| cell.p.is_some()).count() > 1;
    let settled = cells.iter().any(|cell| cell.settled.is_some());
    let places = cells.iter().flat_map(|cell| &cell.entrants).any(|e| e.standing.mean_place.is_some());
    if places {
        header.insert(6, "place");
    }
    if many {
        header.push("p of all");
    }
    if settled {
        header.push("test");
    }
    let rows = cells.iter().filter(|cell| cell.searcher.is_none()).flat_map(|cell| {
        cell.entrants.iter().enumerate().map(move |(place, entrant)| {
            let others = cell.entrants.iter().enumerate().filter(move |(other, _)| *other != place);
            let against: Vec<String> = others.map(|(_, e)| e.label()).collect();
            let values = cell.values.iter().map(|(name, value)| format!(" {name}={value}"));
            let s = &entrant.standing;
            let mut row = vec![
                format!("{}{}", cell.game, values.collect::<String>()),
                format!("{}{}", entrant.label(), if s.cheating { " (cheating)" } else { "" }),
                against.join(" "),
                s.games.to_string(),
            ];
            row.extend(match s.games {
                0 => ["-"; 4].map(str::to_string),
                _ => [
                    format!("{:.1} %", 100.0 * s.win_rate),
                    format!("{:.1} % to {:.1} %", 100.0 * s.low, 100.0 * s.high),
                    format!("{:.3} ± {:.3}", s.mean_reward, 1.96 * s.reward_error),
                    time(s.seconds_per_move),
                ],
            });
            if places {
                row.insert(6, s.mean_place.map_or_else(|| "-".to_string(), |place| format!("{place:.2}")));
            }
            if many {
                row.push(cell.p_of_all.map_or_else(|| "-".to_string(), chance));
            }
            if settled {
                row.push(verdict(cell, place));
            }
            row
        })
    });
    let matches: Vec<Vec<String>> = rows.collect();
    let curves = cells.iter().filter_map(|cell| {
        let last = cell.curve.last()?;
        Some(vec![
            cell.label.clone(),
            cell.done.to_string(),
            last.done.to_string(),
            format!("{:.3e}", last.nash_conv),
            format!("{:.0}", last.done as f64 / last.seconds.max(1e-9)),
        ])
    });
    let curves: Vec<Vec<String>> = curves.collect();
    let decisions = cells.iter().filter(|cell| cell.searcher.is_some()).flat_map(|cell| {
        cell.entrants.iter().map(|entrant| {
            let search = &entrant.search;
            vec![
                cell.label.clone(),
                cell.done.to_string(),
                format!("{:.0}", search.iterations),
                format!("{:.0}", search.iterations_per_second),
                format!("{:.0}", search.nodes),
                format!("{:.1}", search.depth),
                format!("{:.1}", search.mean_depth),
            ]
        })
    });
    let decisions: Vec<Vec<String>> = decisions.collect();
    let mut text = String::new();
    if !matches.is_empty() {
        text += &table(&header, &matches);
        if places {
            text += &format!("\n{WIN_RATES}\n");
        }
    }
    if !curves.is_empty() {
        let header = ["search", "runs", "iterations", "NashConv", "iterations/s"];
        text += if text.is_empty() { "" } else { "\n" };
        text += &table(&header, &curves);
    }
    if !decisions.is_empty() {
        let header = ["decision", "trials", "iterations", "iterations/s", "nodes", "depth", "mean depth"];
        text += if text.is_empty() { "" } else { "\n" };
        text += &table(&header, &decisions);
    }
    text
}

/// A probability in three digits, however small.
fn chance(p: f64) -> String {
    if p >= 0.001 { format!("{p:.3}") } else { format!("{p:.0e}") }
}

/// What a stopping rule settled about an entrant.
fn verdict(cell: &CellSummary, place: usize) -> String {
    let word = match (cell.settled, place) {
        (None, _) => "open",
        (Some(settled), 0) if settled.stronger => "stronger",
        (Some(_), 0) => "not stronger",
        (Some(_), _) => "-",
    };
    word.to_string()
}
