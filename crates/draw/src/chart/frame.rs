//! What all pictures with two axes have around their data.

use super::axis::{Axis, Mark, Range};
use super::canvas::{Anchor, Canvas, FAINT, Font, GREY, INK};
use crate::text;

/// The width of every such picture.
pub(crate) const WIDTH: f64 = 760.0;
/// The height of the part that holds data.
const DEPTH: f64 = 350.0;

/// Where the axes lie on the sheet.
pub(crate) struct Frame {
    pub(crate) x: Range,
    pub(crate) y: Range,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    title: Vec<String>,
    x_label: Vec<String>,
    y_label: Vec<String>,
    across: Across,
    /// References of the axis up: place and name.
    along: Vec<(f64, String)>,
}

impl Frame {
    pub(crate) fn new(title: &str, (x_axis, x): (&Axis, Range), (y_axis, y): (&Axis, Range)) -> Frame {
        let y_label = text::wrapped(&y_axis.label, DEPTH, 13);
        let y_marks = y.marks();
        let left = 14.0
            + 16.0 * y_label.len() as f64
            + text::widest(y_marks.iter().map(|m| m.name.as_str()), 12)
            + 10.0;
        let names = y_axis.references.iter().map(|r| r.name.as_str());
        let beside = text::widest(names, 11).min(180.0);
        let beside = if beside > 0.0 { beside + 12.0 } else { 24.0 };
        // The name of the last mark reaches beyond the axis.
        let last = x.marks().last().map_or(0.0, |m| text::width(&m.name, 12) / 2.0 + 4.0);
        let right = WIDTH - beside.max(last);
        let across = Across::new(placed(x_axis, &x).map(|(at, name)| (left + at * (right - left), name)));
        let title = title_lines(title, WIDTH);
        let top = below_title(&title) + across.height();
        let bottom = top + DEPTH;
        let along = placed(y_axis, &y).map(|(at, n)| (bottom - at * DEPTH, n)).collect();
        let x_label = text::wrapped(&x_axis.label, right - left, 13);
        Frame { x, y, left, right, top, bottom, title, x_label, y_label, across, along }
    }

    /// Where a point is drawn, if it has a place.
    pub(crate) fn point(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        Some((self.along_x(self.x.place(x)?), self.along_y(self.y.place(y)?)))
    }

    pub(crate) fn along_x(&self, at: f64) -> f64 {
        self.left + at * (self.right - self.left)
    }

    pub(crate) fn along_y(&self, at: f64) -> f64 {
        self.bottom - at * (self.bottom - self.top)
    }

    /// The lines of all references.
    pub(crate) fn reference_lines(&self) -> impl Iterator<Item = [(f64, f64); 2]> {
        let across = self.across.names.iter().map(|name| [(name.line, self.top), (name.line, self.bottom)]);
        across.chain(self.along.iter().map(|&(y, _)| [(self.left, y), (self.right, y)]))
    }

    /// Where what is below the axes and their labels may begin.
    pub(crate) fn end(&self) -> f64 {
        self.bottom + 28.0 + 17.0 * self.x_label.len() as f64
    }

    /// Title, marks and labels; to be drawn before the data.
    pub(crate) fn draw(&self, canvas: &mut Canvas) {
        let Frame { left, right, top, bottom, .. } = *self;
        draw_title(canvas, &self.title, WIDTH / 2.0);
        let x_marks = self.x.marks();
        for mark in &x_marks {
            let x = self.along_x(mark.at);
            if mark.name.is_empty() {
                canvas.line((x, bottom), (x, bottom + 3.0), GREY, 1.0);
            } else {
                canvas.line((x, top), (x, bottom), FAINT, 1.0);
                canvas.line((x, bottom), (x, bottom + 5.0), GREY, 1.0);
            }
        }
        draw_names_along(canvas, &x_marks, |at| self.along_x(at), bottom + 18.0);
        for mark in self.y.marks() {
            let y = self.along_y(mark.at);
            if mark.name.is_empty() {
                canvas.line((left - 3.0, y), (left, y), GREY, 1.0);
            } else {
                canvas.line((left, y), (right, y), FAINT, 1.0);
                canvas.line((left - 5.0, y), (left, y), GREY, 1.0);
                canvas.text((left - 8.0, y + 4.0), Font::new(12, Anchor::End), &mark.name);
            }
        }
        canvas.line((left, bottom), (right, bottom), "#444", 1.0);
        canvas.line((left, top), (left, bottom), "#444", 1.0);
        for (i, line) in self.x_label.iter().enumerate() {
            let y = bottom + 38.0 + 17.0 * i as f64;
            canvas.text(((left + right) / 2.0, y), Font::new(13, Anchor::Middle), line);
        }
        for (i, line) in self.y_label.iter().enumerate() {
            let at = (20.0 + 16.0 * i as f64, (top + bottom) / 2.0);
            canvas.text(at, Font::new(13, Anchor::Middle).turned(-90), line);
        }
    }

    /// The references; to be drawn after the data.
    pub(crate) fn draw_references(&self, canvas: &mut Canvas) {
        for &(y, _) in &self.along {
            canvas.polyline(&[(self.left, y), (self.right, y)], INK, 1.0, REFERENCE_DASH);
        }
        let named = self.along.iter().filter(|(_, name)| !name.is_empty());
        let mut names: Vec<_> = named.map(|(y, name)| (*y, text::wrapped(name, 180.0, 11))).collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = self.top - 10.0;
        for (y, lines) in names {
            let mut at = (y + 4.0).max(free);
            for line in lines {
                canvas.text((self.right + 6.0, at), Font::new(11, Anchor::Start).colour(GREY), &line);
                at += 13.0;
            }
            free = at;
        }
        self.across.draw(canvas, self.top, self.bottom);
    }
}

const REFERENCE_DASH: &str = "5 4";

/// The references of an axis that have a place.
pub(crate) fn placed<'a>(axis: &'a Axis, range: &'a Range) -> impl Iterator<Item = (f64, String)> + 'a {
    axis.references.iter().filter_map(|r| Some((range.place(r.value)?, r.name.clone())))
}

/// Upright lines with their names above them, one above another where there is no room beside.
pub(crate) struct Across {
    names: Vec<Name>,
    /// Rows that the names take.
    rows: usize,
}

struct Name {
    /// Where its line is.
    line: f64,
    middle: f64,
    text: Vec<String>,
    /// The row of its last line of text, the lowest being 0.
    row: usize,
}

const NAME_ROW: f64 = 13.0;

impl Across {
    /// Lines at these places with these names.
    pub(crate) fn new(lines: impl Iterator<Item = (f64, String)>) -> Across {
        let mut lines: Vec<_> = lines.collect();
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Where the last name of each row ends.
        let mut ends: Vec<f64> = Vec::new();
        let place = |(line, name): (f64, String)| {
            let text = if name.is_empty() { Vec::new() } else { text::wrapped(&name, 300.0, 11) };
            let half = text::widest(text.iter().map(String::as_str), 11) / 2.0;
            let middle = line.clamp(4.0 + half, WIDTH - 4.0 - half);
            let free = |row: usize| ends.iter().skip(row).take(text.len()).all(|&end| end <= middle - half);
            let row = (0..ends.len()).find(|&row| free(row)).unwrap_or(ends.len());
            ends.resize(ends.len().max(row + text.len()), 0.0);
            ends[row..row + text.len()].fill(middle + half + 8.0);
            Name { line, middle, text, row }
        };
        let names = lines.into_iter().map(place).collect();
        Across { names, rows: ends.len() }
    }

    /// The room for names.
    pub(crate) fn height(&self) -> f64 {
        if self.rows > 0 { NAME_ROW * self.rows as f64 + 3.0 } else { 0.0 }
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas, top: f64, bottom: f64) {
        for name in &self.names {
            canvas.polyline(&[(name.line, top), (name.line, bottom)], INK, 1.0, REFERENCE_DASH);
            for (i, text) in name.text.iter().rev().enumerate() {
                let y = top - 5.0 - NAME_ROW * (name.row + i) as f64;
                canvas.text((name.middle, y), Font::new(11, Anchor::Middle).colour(GREY), text);
            }
        }
    }
}

/// The names of marks under an axis, but for those that would touch the one before.
pub(crate) fn draw_names_along(canvas: &mut Canvas, marks: &[Mark], place: impl Fn(f64) -> f64, y: f64) {
    let mut free = f64::NEG_INFINITY;
    for mark in marks.iter().filter(|m| !m.name.is_empty()) {
        let (x, half) = (place(mark.at), text::width(&mark.name, 12) / 2.0);
        if x - half >= free {
            canvas.text((x, y), Font::new(12, Anchor::Middle), &mark.name);
            free = x + half + 6.0;
        }
    }
}

/// A title for a sheet of this width.
pub(crate) fn title_lines(title: &str, width: f64) -> Vec<String> {
    if title.trim().is_empty() { Vec::new() } else { text::wrapped(title, width - 40.0, 16) }
}

/// Where what is below the title may begin.
pub(crate) fn below_title(title: &[String]) -> f64 {
    22.0 + 21.0 * title.len() as f64
}

pub(crate) fn draw_title(canvas: &mut Canvas, title: &[String], middle: f64) {
    for (i, line) in title.iter().enumerate() {
        canvas.text((middle, 26.0 + 21.0 * i as f64), Font::new(16, Anchor::Middle), line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_close_references_stand_one_above_another() {
        let lines = [(300.0, "budget of the thesis"), (310.0, "ours"), (320.0, ""), (600.0, "all")];
        let across = Across::new(lines.into_iter().map(|(at, name)| (at, name.to_string())));
        assert_eq!(across.names.iter().map(|n| n.row).collect::<Vec<_>>(), [0, 1, 0, 0]);
        assert_eq!(across.rows, 2);
        let long = Across::new([(10.0, "word ".repeat(30)), (15.0, "short".to_string())].into_iter());
        assert_eq!(long.names[1].row, long.names[0].text.len());
        assert!(long.names[0].middle > 100.0, "not beyond the sheet");
        assert_eq!(Across::new(std::iter::empty()).height(), 0.0);
    }
}
