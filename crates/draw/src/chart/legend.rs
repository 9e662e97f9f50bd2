//! Which series is which.

use super::canvas::{Anchor, Canvas, Font};
use super::style::Style;
use crate::text;

/// The names of the series, each beside a sample of how it looks.
pub(crate) struct Legend {
    /// Broken into lines.
    names: Vec<Vec<String>>,
    sample: Sample,
    columns: usize,
    column_width: f64,
}

/// What a series looks like in the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sample {
    Line,
    Box,
}

const SIZE: u32 = 12;
const LINE: f64 = 15.0;
const GAP: f64 = 5.0;
/// From the left end of an entry to its name.
const INDENT: f64 = 34.0;

impl Legend {
    /// A legend for a place of this width. One series needs none.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>, sample: Sample, width: f64) -> Legend {
        let widest = (width - INDENT - 16.0).max(40.0);
        let names: Vec<_> = names.map(|name| text::wrapped(name, widest, SIZE)).collect();
        let names = if names.len() > 1 { names } else { Vec::new() };
        let column_width = INDENT + 16.0 + text::widest(names.iter().flatten().map(String::as_str), SIZE);
        let columns = ((width / column_width).floor() as usize).clamp(1, names.len().max(1));
        // As many rows as needed, and no more columns than those rows need.
        let columns = names.len().div_ceil(names.len().div_ceil(columns).max(1)).max(1);
        Legend { names, sample, columns, column_width }
    }

    /// The same legend in one column.
    pub(crate) fn narrow(self) -> Legend {
        Legend { columns: 1, ..self }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn width(&self) -> f64 {
        self.columns as f64 * self.column_width
    }

    pub(crate) fn height(&self) -> f64 {
        let columns = self.names.chunks(self.rows());
        columns.map(|column| column.iter().map(|n| height(n)).sum::<f64>()).fold(0.0, f64::max)
    }

    fn rows(&self) -> usize {
        self.names.len().div_ceil(self.columns).max(1)
    }

    /// Draws it with its upper left corner here.
    pub(crate) fn draw(&self, canvas: &mut Canvas, (left, top): (f64, f64)) {
        let mut y = top;
        for (number, name) in self.names.iter().enumerate() {
            let (column, row) = (number / self.rows(), number % self.rows());
            y = if row == 0 { top } else { y };
            let (x, middle) = (left + column as f64 * self.column_width, y + LINE / 2.0);
            let style = Style::of(number);
            match self.sample {
                Sample::Line => {
                    canvas.polyline(&[(x, middle), (x + 28.0, middle)], style.colour, 2.0, style.dash);
                    style.mark(canvas, (x + 14.0, middle));
                }
                Sample::Box => canvas.rect((x + 8.0, middle - 6.0), (x + 28.0, middle + 6.0), style.colour),
            }
            for line in name {
                canvas.text((x + INDENT, y + LINE / 2.0 + 4.0), Font::new(SIZE, Anchor::Start), line);
                y += LINE;
            }
            y += GAP;
        }
    }
}

fn height(name: &[String]) -> f64 {
    LINE * name.len() as f64 + GAP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_share_rows_and_long_ones_are_broken() {
        let short = Legend::new(["a", "b", "c", "d"].into_iter(), Sample::Box, 700.0);
        assert_eq!((short.columns, short.height()), (4, LINE + GAP));
        let long = "x".repeat(200);
        let long = Legend::new([long.as_str(), "b"].into_iter(), Sample::Line, 700.0);
        assert_eq!((long.columns, long.names[0].len()), (1, 3));
        assert!(long.width() <= 700.0);
    }

    #[test]
    fn one_series_needs_no_legend() {
        for names in [vec![], vec!["alone"]] {
            let legend = Legend::new(names.into_iter(), Sample::Line, 700.0);
            assert_eq!((legend.len(), legend.height()), (0, 0.0));
        }
    }
}
