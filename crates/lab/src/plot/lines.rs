//! Lines over an axis: convergence over time, win rates over budgets.

use super::axis::{Axis, Range};
use super::canvas::{Anchor, Canvas};

/// One line.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its points from left to right.
    pub points: Vec<(f64, f64)>,
    /// At each point, the lowest and highest value that is still likely; empty if unknown.
    pub band: Vec<(f64, f64)>,
}

/// Lines over a common axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Lines {
    /// What it shows.
    pub title: String,
    /// The axis along.
    pub x: Axis,
    /// The axis up.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 46.0;
const BOTTOM: f64 = 58.0;
/// A series with more points than this is drawn without marks.
const MOST_MARKS: usize = 40;

/// Where the axes lie on the sheet.
struct Frame {
    x: Range,
    y: Range,
    right: f64,
    bottom: f64,
}

impl Frame {
    fn point(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let (x, y) = (self.x.place(x)?, self.y.place(y)?);
        Some((LEFT + x * (self.right - LEFT), self.bottom - y * (self.bottom - TOP)))
    }
}

impl Lines {
    /// The picture as the text of an SVG file.
    pub fn svg(&self) -> String {
        let legend = self.series.iter().map(|s| s.name.chars().count()).max().unwrap_or(0);
        let legend = if self.series.len() > 1 { 40.0 + 6.4 * legend as f64 } else { 0.0 };
        let mut canvas = Canvas::new(WIDTH + legend, HEIGHT);
        let points = || self.series.iter().flat_map(|s| &s.points);
        let bands = self.series.iter().flat_map(|s| &s.band).flat_map(|&(low, high)| [low, high]);
        let frame = Frame {
            x: self.x.fit(points().map(|p| p.0)),
            y: self.y.fit(points().map(|p| p.1).chain(bands)),
            right: WIDTH - RIGHT,
            bottom: HEIGHT - BOTTOM,
        };
        self.axes(&mut canvas, &frame);
        for (number, series) in self.series.iter().enumerate() {
            draw(&mut canvas, &frame, series, number);
            if legend > 0.0 {
                let (x, y) = (WIDTH, TOP + 10.0 + 20.0 * number as f64);
                let colour = super::COLOURS[number % super::COLOURS.len()];
                canvas.line((x, y), (x + 22.0, y), colour, 2.0);
                mark(&mut canvas, (x + 11.0, y), number);
                canvas.text((x + 28.0, y + 4.0), Anchor::Start, 12, &series.name);
            }
        }
        canvas.finish()
    }

    fn axes(&self, canvas: &mut Canvas, frame: &Frame) {
        let Frame { right, bottom, .. } = *frame;
        let (middle, height) = ((LEFT + right) / 2.0, (TOP + bottom) / 2.0);
        canvas.text((middle, 26.0), Anchor::Middle, 16, &self.title);
        for (value, name) in frame.x.marks() {
            let x = LEFT + frame.x.place(value).unwrap_or(0.0) * (right - LEFT);
            canvas.line((x, TOP), (x, bottom), "#e4e4e4", 1.0);
            canvas.text((x, bottom + 18.0), Anchor::Middle, 12, &name);
        }
        for (value, name) in frame.y.marks() {
            let y = bottom - frame.y.place(value).unwrap_or(0.0) * (bottom - TOP);
            canvas.line((LEFT, y), (right, y), "#e4e4e4", 1.0);
            canvas.text((LEFT - 8.0, y + 4.0), Anchor::End, 12, &name);
        }
        canvas.line((LEFT, bottom), (right, bottom), "#444", 1.0);
        canvas.line((LEFT, TOP), (LEFT, bottom), "#444", 1.0);
        canvas.text((middle, HEIGHT - 16.0), Anchor::Middle, 13, &self.x.label);
        canvas.turned_text((20.0, height), Anchor::Middle, 13, -90, &self.y.label);
    }
}

fn draw(canvas: &mut Canvas, frame: &Frame, series: &Series, number: usize) {
    let colour = super::COLOURS[number % super::COLOURS.len()];
    let text = |points: &[(f64, f64)]| {
        points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
    };
    if series.band.len() == series.points.len() {
        let edge = |take: fn(&(f64, f64)) -> f64| {
            let along = series.points.iter().zip(&series.band).map(move |(p, band)| (p.0, take(band)));
            along.filter_map(|p| frame.point(p)).collect::<Vec<_>>()
        };
        let (mut outline, low) = (edge(|b| b.1), edge(|b| b.0));
        outline.extend(low.into_iter().rev());
        canvas.element(format_args!(
            r#"<polygon points="{}" fill="{colour}" fill-opacity="0.15"/>"#,
            text(&outline)
        ));
    }
    let points: Vec<_> = series.points.iter().filter_map(|&p| frame.point(p)).collect();
    canvas.element(format_args!(
        r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"/>"#,
        text(&points)
    ));
    if points.len() <= MOST_MARKS {
        points.into_iter().for_each(|p| mark(canvas, p, number));
    }
}

/// A mark of a series: a circle, square, triangle or diamond.
fn mark(canvas: &mut Canvas, (x, y): (f64, f64), number: usize) {
    let colour = super::COLOURS[number % super::COLOURS.len()];
    match number % 4 {
        0 => canvas.element(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.2" fill="{colour}"/>"#)),
        1 => canvas.element(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="6" height="6" fill="{colour}"/>"#,
            x - 3.0,
            y - 3.0
        )),
        2 => canvas.element(format_args!(
            r#"<polygon points="{x:.1},{:.1} {:.1},{:.1} {:.1},{:.1}" fill="{colour}"/>"#,
            y - 4.0,
            x - 3.8,
            y + 3.0,
            x + 3.8,
            y + 3.0
        )),
        _ => canvas.element(format_args!(
            r#"<polygon points="{x:.1},{:.1} {:.1},{y:.1} {x:.1},{:.1} {:.1},{y:.1}" fill="{colour}"/>"#,
            y - 4.4,
            x + 4.4,
            y + 4.4,
            x - 4.4
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.to_string(), points: points.to_vec(), band: Vec::new() }
    }

    /// Every number in the picture lies on the sheet, and names cannot break out of their elements.
    #[test]
    fn pictures_are_well_formed() {
        let lines = Lines {
            title: "a < b & \"c\"".to_string(),
            x: Axis::log("iterations"),
            y: Axis::log("NashConv"),
            series: vec![
                series("one", &[(1.0, 2.0), (10.0, 0.5), (100.0, 0.0)]),
                series("<two>", &[(1.0, 1.0), (1000.0, 0.001)]),
            ],
        };
        let svg = lines.svg();
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;") && svg.contains("&lt;two&gt;"), "{svg}");
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn empty_pictures_can_be_drawn() {
        let lines = Lines { title: String::new(), x: Axis::log(""), y: Axis::linear(""), series: Vec::new() };
        assert!(lines.svg().ends_with("</svg>\n"));
    }
}
