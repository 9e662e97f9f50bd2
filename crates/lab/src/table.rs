//! Tables of results: plain data, written as Markdown or into a page.

use std::fmt::Write;

/// What stands in a field of a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// A text.
    Text(String),
    /// A number with so many digits after the point.
    Number {
        /// The number.
        value: f64,
        /// Digits after the point.
        digits: usize,
    },
    /// A number with its confidence interval.
    Estimate {
        /// The number.
        value: f64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end of the interval.
        high: f64,
        /// Digits after the point.
        digits: usize,
    },
}

impl Cell {
    /// A text.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A whole number.
    pub fn count(count: u64) -> Cell {
        Cell::Text(count.to_string())
    }

    /// A share in percent, with its interval.
    pub fn percent(value: f64, low: f64, high: f64) -> Cell {
        Cell::Estimate { value: 100.0 * value, low: 100.0 * low, high: 100.0 * high, digits: 1 }
    }

    /// Its text; a dash for what is not a number.
    pub fn written(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Number { value, digits } => number(*value, *digits),
            Cell::Estimate { value, digits, .. } => {
                let interval = self.interval().unwrap_or_default();
                format!("{} {interval}", number(*value, *digits))
            }
        }
    }

    /// The text of its interval, if it has one.
    pub(crate) fn interval(&self) -> Option<String> {
        match self {
            Cell::Estimate { low, high, digits, .. } => {
                Some(format!("[{}, {}]", number(*low, *digits), number(*high, *digits)))
            }
            _ => None,
        }
    }
}

/// A number without a sign if nothing but zeros is written.
pub(crate) fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        _ if value.is_nan() => "–".to_string(),
        _ if value.is_infinite() => if value > 0.0 { "∞" } else { "−∞" }.to_string(),
        Some(zeros) if zeros.chars().all(|c| matches!(c, '0' | '.')) => zeros.to_string(),
        _ => text,
    }
}

/// Which way a column's fields lean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// To the left, as texts do.
    Left,
    /// To the right, as numbers do.
    Right,
}

/// A table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// What it shows; may be empty.
    pub caption: String,
    /// The names of the columns and which way they lean.
    pub columns: Vec<(String, Align)>,
    /// The fields row by row; those that a row lacks are empty.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: &str, columns: &[(&str, Align)]) -> Table {
        let columns = columns.iter().map(|(name, align)| (name.to_string(), *align)).collect();
        Table { caption: caption.to_string(), columns, rows: Vec::new() }
    }

    /// Its fields in this row, as many as there are columns.
    pub(crate) fn fields<'a>(&'a self, row: &'a [Cell]) -> impl Iterator<Item = (&'a Cell, Align)> {
        let cells = row.iter().chain(std::iter::repeat(&Cell::Empty));
        cells.zip(&self.columns).map(|(cell, column)| (cell, column.1))
    }

    /// The table as Markdown, its columns as wide as their widest fields.
    pub fn markdown(&self) -> String {
        let clean = |text: &str| text.replace('\\', r"\\").replace('|', r"\|").replace(['\n', '\r'], " ");
        let head: Vec<String> = self.columns.iter().map(|c| clean(&c.0)).collect();
        let body = self.rows.iter().map(|row| self.fields(row).map(|(c, _)| clean(&c.written())).collect());
        let lines: Vec<Vec<String>> = std::iter::once(head).chain(body).collect();
        let length =
            |column: usize| lines.iter().map(|l| l[column].chars().count()).max().unwrap_or(0).max(3);
        let lengths: Vec<usize> = (0..self.columns.len()).map(length).collect();
        let mut out = String::new();
        for (number, line) in lines.iter().enumerate() {
            for ((text, column), length) in line.iter().zip(&self.columns).zip(&lengths) {
                let _ = match column.1 {
                    Align::Left => write!(out, "| {text:<length$} "),
                    Align::Right => write!(out, "| {text:>length$} "),
                };
            }
            out.push_str("|\n");
            if number == 0 {
                for (column, length) in self.columns.iter().zip(&lengths) {
                    let end = if column.1 == Align::Right { ":" } else { "-" };
                    let _ = write!(out, "| {}{end} ", "-".repeat(length - 1));
                }
                out.push_str("|\n");
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_aligned_and_escaped() {
        let mut table = Table::new("", &[("agent", Align::Left), ("win rate, %", Align::Right)]);
        table.rows.push(vec![Cell::text("a|b"), Cell::percent(0.5321, 0.51, 0.554)]);
        table.rows.push(vec![Cell::text("random")]);
        let markdown = "| agent  |       win rate, % |\n\
                        | ------ | ----------------: |\n\
                        | a\\|b   | 53.2 [51.0, 55.4] |\n\
                        | random |                   |\n";
        assert_eq!(table.markdown(), markdown);
        assert_eq!(Table::default().markdown(), "|\n|\n");
    }

    #[test]
    fn fields_that_are_not_numbers_are_dashes() {
        let cell = |value| Cell::Number { value, digits: 2 }.written();
        assert_eq!(
            [f64::NAN, f64::INFINITY, -0.001, -1.0, 1e9].map(cell),
            ["–", "∞", "0.00", "-1.00", "1000000000.00"]
        );
        assert_eq!(Cell::Empty.written(), "");
    }
}
