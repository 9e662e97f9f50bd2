//! What all pictures with two axes have around their data.

use super::axis::{Axis, Mark, Range};
use super::canvas::{Anchor, Canvas, FAINT, Font, GREY, INK};
use super::text;

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
    /// References of the axis along: place and name.
    across: Vec<(f64, String)>,
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
        let across: Vec<_> = placed(x_axis, &x).map(|(at, n)| (left + at * (right - left), n)).collect();
        let title = title_lines(title, WIDTH);
        let named = across.iter().any(|(_, name)| !name.is_empty());
        let top = below_title(&title) + if named { 16.0 } else { 0.0 };
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

    /// The height on the sheet of every reference of the axis up.
    pub(crate) fn reference_heights(&self) -> impl Iterator<Item = f64> {
        self.along.iter().map(|r| r.0)
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
        draw_references_across(canvas, &self.across, self.top, self.bottom);
    }
}

const REFERENCE_DASH: &str = "5 4";

/// The references of an axis that have a place.
pub(crate) fn placed<'a>(axis: &'a Axis, range: &'a Range) -> impl Iterator<Item = (f64, String)> + 'a {
    axis.references.iter().filter_map(|r| Some((range.place(r.value)?, r.name.clone())))
}

/// Upright lines at these places, with their names above them unless there is no room.
pub(crate) fn draw_references_across(canvas: &mut Canvas, lines: &[(f64, String)], top: f64, bottom: f64) {
    let mut lines: Vec<_> = lines.iter().collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = 0.0;
    for (x, name) in lines {
        canvas.polyline(&[(*x, top), (*x, bottom)], INK, 1.0, REFERENCE_DASH);
        let width = text::width(name, 11);
        let middle = x.min(WIDTH - 4.0 - width / 2.0).max(free + width / 2.0);
        if !name.is_empty() && (middle - x).abs() < width / 2.0 + 4.0 {
            canvas.text((middle, top - 5.0), Font::new(11, Anchor::Middle).colour(GREY), name);
            free = middle + width / 2.0 + 8.0;
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
