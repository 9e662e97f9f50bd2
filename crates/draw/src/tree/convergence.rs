//! How the values of moves settled while a search ran.

use crate::Theme;
use crate::chart::{Axis, Lines, Series, themed};

/// How a search stood at some time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// Iterations made.
    pub iterations: u64,
    /// The visits and the value of each move, in the order of the moves.
    pub moves: Vec<(u64, Option<f64>)>,
}

/// How a search stood from time to time.
#[derive(Clone, PartialEq, Debug)]
pub struct Convergence<'a> {
    /// What was searched, by whom.
    pub title: &'a str,
    /// The names of the moves.
    pub names: &'a [String],
    /// How the search stood, from the first time to the last.
    pub points: &'a [Found],
}

impl Convergence<'_> {
    /// The values of the moves that were visited most in the end, over iterations.
    pub fn svg(&self, top: usize, theme: Theme) -> String {
        let last = self.points.last();
        let visits = |i: usize| last.and_then(|found| found.moves.get(i)).map_or(0, |&(visits, _)| visits);
        let mut order: Vec<usize> = (0..self.names.len()).filter(|&i| visits(i) > 0).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(visits(i)));
        let line = |&i: &usize| {
            let value = |found: &Found| found.moves.get(i).and_then(|&(_, value)| value).unwrap_or(f64::NAN);
            let points = self.points.iter().map(|found| (found.iterations as f64, value(found)));
            Series::new(&self.names[i], points.collect())
        };
        let series: Vec<Series> = order.iter().take(top).map(line).collect();
        let (x, y) = (Axis::linear("iterations"), Axis::linear("value"));
        // A legend names one line, too.
        let title = match &series[..] {
            [only] => format!("{}: {}", self.title, only.name),
            _ => self.title.to_string(),
        };
        themed(Lines { title, x, y, series }.svg(), theme)
    }
}
