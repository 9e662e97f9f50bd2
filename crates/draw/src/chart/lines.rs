//! Lines over an axis: convergence over time, win rates over budgets, beliefs over the moves of a game.

use super::axis::Axis;
use super::canvas::{Canvas, FAINT};
use super::frame::{Frame, WIDTH};
use super::legend::{Legend, Sample};
use super::style::Style;

/// One line. It has a gap where a point has no place: at what is not a number, or at 0 on a logarithmic axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its points from left to right.
    pub points: Vec<(f64, f64)>,
    /// At each point, the lowest and highest value that is still likely; empty if unknown.
    pub band: Vec<(f64, f64)>,
}

impl Series {
    /// A line without a band.
    pub fn new(name: &str, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.to_string(), points, band: Vec::new() }
    }

    /// A belief after every move, the first move being 1: a point of [0, 1] each.
    pub fn trajectory(name: &str, beliefs: &[f64]) -> Series {
        Series::new(name, beliefs.iter().enumerate().map(|(i, &belief)| ((i + 1) as f64, belief)).collect())
    }

    /// The same line with a band.
    pub fn with_band(self, band: Vec<(f64, f64)>) -> Series {
        Series { band, ..self }
    }
}

/// Lines over a common axis. References of the axes are drawn as dashed lines.
#[derive(Clone, PartialEq, Debug)]
pub struct Lines {
    /// What it shows.
    pub title: String,
    /// The axis along.
    pub x: Axis,
    /// The axis up.
    pub y: Axis,
    /// The lines; up to twelve can be told apart.
    pub series: Vec<Series>,
}

/// A series with more points than this has a mark at every so many of them.
const MOST_MARKS: usize = 40;
/// And this many marks.
const FEW_MARKS: usize = 10;
/// The distance of a legend among the data from everything else.
const CLEARANCE: f64 = 8.0;

impl Lines {
    /// The picture as the text of an SVG file.
    pub fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|s| &s.points);
        let bands = self.series.iter().flat_map(|s| &s.band).flat_map(|&(low, high)| [low, high]);
        let x = self.x.fit(points().map(|p| p.0));
        let y = self.y.fit(points().map(|p| p.1).chain(bands));
        let frame = Frame::new(&self.title, (&self.x, x), (&self.y, y));
        let shapes: Vec<Shape> = self.series.iter().map(|series| Shape::new(&frame, series)).collect();

        let names = || self.series.iter().map(|s| s.name.as_str());
        let inside = Legend::new(names(), Sample::Line, 0.45 * (frame.right - frame.left)).narrow();
        let corner = free_corner(&frame, &shapes, &inside);
        let below = Legend::new(names(), Sample::Line, frame.right - frame.left);
        let height = match corner {
            None if below.len() > 0 => frame.end() + 10.0 + below.height() + 4.0,
            _ => frame.end() + 4.0,
        };

        let mut canvas = Canvas::new(WIDTH, height);
        frame.draw(&mut canvas);
        // Bands first, so that none hides another's line.
        for (number, shape) in shapes.iter().enumerate() {
            shape
                .bands
                .iter()
                .for_each(|band| canvas.polygon(&outline(band), Style::of(number).colour, 0.15));
        }
        frame.draw_references(&mut canvas);
        for (number, shape) in shapes.iter().enumerate() {
            shape.draw(&mut canvas, number);
        }
        match corner {
            Some(at) => {
                let (right, bottom) = (at.0 + inside.width(), at.1 + inside.height());
                canvas.rect((at.0 - 7.0, at.1 - 5.0), (right - 3.0, bottom + 1.0), FAINT);
                canvas.rect((at.0 - 6.0, at.1 - 4.0), (right - 4.0, bottom), "#fff");
                inside.draw(&mut canvas, at);
            }
            None => below.draw(&mut canvas, (frame.left, frame.end() + 10.0)),
        }
        canvas.finish(&self.title)
    }
}

/// A series on the sheet: one run of points after another, with gaps between them.
struct Shape {
    runs: Vec<Vec<(f64, f64)>>,
    /// Runs of places along with the band's upper and lower edge there.
    bands: Vec<Vec<(f64, f64, f64)>>,
}

impl Shape {
    fn new(frame: &Frame, series: &Series) -> Shape {
        let runs = runs(series.points.iter().map(|&p| frame.point(p)));
        let band = series.points.iter().zip(&series.band).map(|(&(x, _), &(low, high))| {
            if low.is_nan() || high.is_nan() {
                return None;
            }
            let edge = |value| frame.along_y(frame.y.clamped(value));
            Some((frame.along_x(frame.x.place(x)?), edge(high), edge(low)))
        });
        Shape { runs, bands: runs_of_two(band) }
    }

    fn draw(&self, canvas: &mut Canvas, number: usize) {
        let style = Style::of(number);
        let count: usize = self.runs.iter().map(Vec::len).sum();
        let every = if count <= MOST_MARKS { 1 } else { count / FEW_MARKS };
        // Marks of different series are not at the same places, else they would hide each other.
        let mut until_mark = if every == 1 { 0 } else { every * (number % 6) / 6 };
        for run in &self.runs {
            if run.len() > 1 {
                canvas.polyline(run, style.colour, 2.0, style.dash);
            }
            for &point in run {
                if until_mark == 0 || run.len() == 1 {
                    style.mark(canvas, point);
                }
                until_mark = if until_mark == 0 { every - 1 } else { until_mark - 1 };
            }
        }
    }

    /// Segments that nothing may cover; those of bands close enough to leave no large hole.
    fn segments(&self) -> impl Iterator<Item = [(f64, f64); 2]> {
        let single = self.runs.iter().filter(|run| run.len() == 1).map(|run| [run[0], run[0]]);
        let lines = self.runs.iter().flat_map(|run| run.windows(2).map(|w| [w[0], w[1]]));
        let bands = self.bands.iter().flat_map(|band| band.windows(2)).flat_map(|pair| {
            let (a, b) = (pair[0], pair[1]);
            (0..=16).map(move |i| {
                let between = |a: f64, b: f64| a + (b - a) * f64::from(i) / 16.0;
                let x = between(a.0, b.0);
                [(x, between(a.1, b.1)), (x, between(a.2, b.2))]
            })
        });
        single.chain(lines).chain(bands)
    }
}

/// What lies between gaps.
fn runs<T>(items: impl Iterator<Item = Option<T>>) -> Vec<Vec<T>> {
    let mut runs = vec![Vec::new()];
    for item in items {
        match item {
            Some(item) => runs.last_mut().expect("never empty").push(item),
            None => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// A band of one place has no area.
fn runs_of_two<T>(items: impl Iterator<Item = Option<T>>) -> Vec<Vec<T>> {
    let mut runs = runs(items);
    runs.retain(|run| run.len() > 1);
    runs
}

/// Along the upper edge and back along the lower.
fn outline(band: &[(f64, f64, f64)]) -> Vec<(f64, f64)> {
    let upper = band.iter().map(|&(x, high, _)| (x, high));
    upper.chain(band.iter().rev().map(|&(x, _, low)| (x, low))).collect()
}

/// The upper left corner of a place for the legend in a corner of the frame where no data are.
fn free_corner(frame: &Frame, shapes: &[Shape], legend: &Legend) -> Option<(f64, f64)> {
    let (width, height) = (legend.width(), legend.height());
    if legend.len() == 0 || height > 0.45 * (frame.bottom - frame.top) {
        return None;
    }
    let (left, right) = (frame.left + 14.0, frame.right - 8.0 - width);
    let (top, bottom) = (frame.top + 10.0, frame.bottom - 10.0 - height);
    [(right, top), (left, top), (right, bottom), (left, bottom)].into_iter().find(|&(x, y)| {
        let low = (x - CLEARANCE, y - CLEARANCE);
        let high = (x + width + CLEARANCE, y + height + CLEARANCE);
        let mut segments = shapes.iter().flat_map(Shape::segments).chain(frame.reference_lines());
        !segments.any(|segment| touches(segment, low, high))
    })
}

/// Whether a segment has a point in a rectangle (Liang and Barsky 1984).
fn touches([a, b]: [(f64, f64); 2], low: (f64, f64), high: (f64, f64)) -> bool {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (start, end, low, high) in [(a.0, b.0, low.0, high.0), (a.1, b.1, low.1, high.1)] {
        let step = end - start;
        if step == 0.0 {
            if start < low || start > high {
                return false;
            }
            continue;
        }
        let (one, other) = ((low - start) / step, (high - start) / step);
        from = from.max(one.min(other));
        to = to.min(one.max(other));
    }
    from <= to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::check::{assert_well_formed, texts};

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series::new(name, points.to_vec())
    }

    fn lines(series: Vec<Series>) -> Lines {
        Lines { title: "Lines".to_string(), x: Axis::linear("x"), y: Axis::linear("y"), series }
    }

    /// Every number in the picture lies on the sheet, and names cannot break out of their elements.
    #[test]
    fn pictures_are_well_formed() {
        let lines = Lines {
            title: "a < b & \"c\"".to_string(),
            x: Axis::log("iterations"),
            y: Axis::log("NashConv").with_reference(0.01, "good <enough>"),
            series: vec![
                series("one", &[(1.0, 2.0), (10.0, 0.5), (100.0, 0.0)]),
                series("<two>", &[(1.0, 1.0), (1000.0, 0.001)])
                    .with_band(vec![(0.5, 2.0), (0.0, f64::INFINITY)]),
            ],
        };
        let svg = lines.svg();
        assert_well_formed(&svg);
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;") && svg.contains("&lt;two&gt;"), "{svg}");
        assert!(svg.contains("good &lt;enough&gt;"), "{svg}");
    }

    #[test]
    fn empty_pictures_can_be_drawn() {
        let lines = Lines { title: String::new(), x: Axis::log(""), y: Axis::linear(""), series: Vec::new() };
        assert_well_formed(&lines.svg());
        assert_well_formed(&self::lines(vec![Series::default(), series("", &[(f64::NAN, 1.0)])]).svg());
    }

    #[test]
    fn a_line_has_a_gap_where_a_value_is_missing() {
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 2.0), (4.0, 1.0), (5.0, 1.0)];
        let frame_x = Axis::linear("").fit([0.0, 5.0].into_iter());
        let frame_y = Axis::linear("").fit([1.0, 2.0].into_iter());
        let frame = Frame::new("", (&Axis::linear(""), frame_x), (&Axis::linear(""), frame_y));
        let shape = Shape::new(&frame, &series("", &points));
        assert_eq!(shape.runs.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
    }

    /// A band that reaches below 0 ends at the lower end of a logarithmic axis rather than having a hole.
    #[test]
    fn bands_end_at_the_axis() {
        let series = series("", &[(1.0, 1.0), (2.0, 0.1)]).with_band(vec![(0.5, 2.0), (-0.1, 0.3)]);
        let axes = (Axis::linear(""), Axis::log(""));
        let ranges = (axes.0.fit([1.0, 2.0].into_iter()), axes.1.fit([0.1, 1.0].into_iter()));
        let frame = Frame::new("", (&axes.0, ranges.0), (&axes.1, ranges.1));
        let shape = Shape::new(&frame, &series);
        assert_eq!(shape.bands[0].len(), 2);
        assert_eq!(shape.bands[0][1].2, frame.bottom);
    }

    #[test]
    fn the_legend_stands_where_no_data_are() {
        let height =
            |svg: &str| svg.split("height=\"").nth(1).unwrap().split('"').next().unwrap().to_string();
        let falling =
            lines(vec![series("a", &[(0.0, 1.0), (1.0, 0.0)]), series("b", &[(0.0, 0.9), (1.0, 0.0)])]);
        let plain = lines(vec![series("a", &[(0.0, 1.0), (1.0, 0.0)])]);
        assert_eq!(height(&falling.svg()), height(&plain.svg()), "inside: the upper right corner is free");
        let zigzag: Vec<_> = (0..40).map(|i| (f64::from(i), f64::from(i % 2))).collect();
        let full = lines(vec![series("a", &zigzag), series("b", &zigzag)]);
        assert_ne!(height(&full.svg()), height(&plain.svg()), "below: no corner is free");
    }

    #[test]
    fn segments_that_pass_a_rectangle_touch_it() {
        let (low, high) = ((1.0, 1.0), (2.0, 2.0));
        assert!(touches([(0.0, 0.0), (3.0, 3.0)], low, high));
        assert!(touches([(1.5, 1.5), (1.5, 1.5)], low, high));
        assert!(touches([(0.0, 1.5), (9.0, 1.5)], low, high));
        assert!(!touches([(0.0, 2.5), (3.0, 2.5)], low, high));
        assert!(!touches([(0.0, 1.9), (1.1, 3.0)], low, high));
        assert!(!touches([(0.0, 0.0), (0.9, 0.9)], low, high));
    }

    #[test]
    fn many_series_with_long_names_are_all_named() {
        let name = |i: usize| format!("agent-{i}({})", "parameter=1,".repeat(5));
        let all = (0..12).map(|i| series(&name(i), &[(0.0, i as f64), (1.0, 12.0 - i as f64)])).collect();
        let svg = lines(all).svg();
        assert_well_formed(&svg);
        let names = texts(&svg).concat();
        assert!((0..12).all(|i| names.contains(&name(i))), "{names}");
    }

    #[test]
    fn beliefs_are_numbered_by_moves() {
        assert_eq!(Series::trajectory("spy", &[0.5, 0.25]).points, [(1.0, 0.5), (2.0, 0.25)]);
    }
}
