//! Bars with confidence intervals: win rates of many agents.
//!
//! Bars lie on their sides, so that names of any length can be read without turning one's head, and thirty
//! bars make a long picture rather than a crowded one.

use super::axis::{Axis, Range, Scale};
use super::canvas::{Anchor, Canvas, FAINT, Font, GREY, INK};
use super::frame::{Across, WIDTH, below_title, draw_names_along, draw_title, placed, title_lines};
use super::legend::{Legend, Sample};
use super::style::Style;
use crate::text;

/// A value that is known more or less exactly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    /// The value.
    pub value: f64,
    /// The lowest and highest value that is still likely, if known.
    pub interval: Option<(f64, f64)>,
}

impl Bar {
    /// A value without an interval.
    pub fn new(value: f64) -> Bar {
        Bar { value, interval: None }
    }

    /// A value with its interval.
    pub fn between(value: f64, low: f64, high: f64) -> Bar {
        Bar { value, interval: Some((low, high)) }
    }
}

/// Bars that belong together, with a common name.
#[derive(Clone, PartialEq, Debug)]
pub struct BarGroup {
    /// What it is called.
    pub name: String,
    /// A bar per series; nothing where there is no result.
    pub bars: Vec<Option<Bar>>,
}

impl BarGroup {
    /// A group.
    pub fn new(name: &str, bars: Vec<Option<Bar>>) -> BarGroup {
        BarGroup { name: name.to_string(), bars }
    }
}

/// Bars in groups, each with its value written beside it. References of the axis are drawn as dashed lines:
/// `Axis::percent("win rate").with_reference(0.5, "even")`.
#[derive(Clone, PartialEq, Debug)]
pub struct Bars {
    /// What it shows.
    pub title: String,
    /// The axis of the values.
    pub axis: Axis,
    /// What the bars of a group are called, in order; may be empty if there is one per group. Up to seven can
    /// be told apart.
    pub series: Vec<String>,
    /// The groups from top to bottom.
    pub groups: Vec<BarGroup>,
}

/// The most room for names.
const NAMES: f64 = 270.0;
const LINE: f64 = 14.0;
const GAP: f64 = 9.0;

impl Bars {
    /// The picture as the text of an SVG file.
    pub fn svg(&self) -> String {
        let bars = || self.groups.iter().flat_map(|g| g.bars.iter().flatten());
        let ends = bars().flat_map(|b| b.interval.into_iter().flat_map(|(low, high)| [low, high]));
        // A bar begins at 0, or where the least value of a logarithmic axis still has some length.
        let least = bars().map(|b| b.value / 2.0).filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        let begin = if self.axis.scale == Scale::Log { least } else { 0.0 };
        let range = self.axis.fit(bars().map(|b| b.value).chain(ends).chain([begin]));

        let names: Vec<_> = self.groups.iter().map(|g| text::wrapped(&g.name, NAMES, 12)).collect();
        let left = 26.0 + text::widest(names.iter().flatten().map(String::as_str), 12);
        let written: Vec<_> = bars().map(|bar| self.written(bar)).collect();
        let values = text::widest(written.iter().map(|w| w.0.as_str()), 12);
        let intervals = text::widest(written.iter().map(|w| w.1.as_str()), 11);
        let right = WIDTH - 20.0 - values - if intervals > 0.0 { intervals + 8.0 } else { 0.0 } - 12.0;

        let references =
            Across::new(placed(&self.axis, &range).map(|(at, name)| (left + at * (right - left), name)));
        let title = title_lines(&self.title, WIDTH);
        let top = below_title(&title) + references.height();
        let thickness = if bars().count() > 12 { LINE } else { 18.0 };
        let heights: Vec<f64> =
            self.groups.iter().zip(&names).map(|(g, n)| height(g, n, thickness)).collect();
        let bottom = top + GAP + heights.iter().sum::<f64>();
        let label = text::wrapped(&self.axis.label, right - left, 13);
        let legend = Legend::new(self.series.iter().map(String::as_str), Sample::Box, WIDTH - 40.0);
        let end = bottom + 30.0 + 17.0 * label.len() as f64;
        let legend_height = if legend.len() > 0 { legend.height() + 8.0 } else { 0.0 };

        let mut canvas = Canvas::new(WIDTH, end + legend_height + 4.0);
        draw_title(&mut canvas, &title, WIDTH / 2.0);
        let marks = range.marks();
        for mark in marks.iter().filter(|m| !m.name.is_empty()) {
            let x = left + mark.at * (right - left);
            canvas.line((x, top), (x, bottom + 4.0), FAINT, 1.0);
        }
        draw_names_along(&mut canvas, &marks, |at| left + at * (right - left), bottom + 18.0);
        canvas.line((left, bottom), (right, bottom), "#444", 1.0);
        for (i, line) in label.iter().enumerate() {
            let y = bottom + 38.0 + 17.0 * i as f64;
            canvas.text(((left + right) / 2.0, y), Font::new(13, Anchor::Middle), line);
        }
        let place = Place { left, right, values: right + 12.0 + values, thickness, range };
        let mut y = top + GAP;
        for ((group, name), height) in self.groups.iter().zip(&names).zip(&heights) {
            let room = height - GAP;
            let first = y + (room - LINE * name.len() as f64) / 2.0 + 11.0;
            for (i, line) in name.iter().enumerate() {
                canvas.text((left - 10.0, first + LINE * i as f64), Font::new(12, Anchor::End), line);
            }
            let mut bar_y = y + (room - thickness * group.bars.len() as f64) / 2.0;
            for (number, bar) in group.bars.iter().enumerate() {
                if let Some(bar) = bar {
                    place.draw(&mut canvas, bar, bar_y, Style::of(number).colour);
                    let (value, interval) = self.written(bar);
                    let base = bar_y + thickness / 2.0 + 4.0;
                    canvas.text((place.values, base), Font::new(12, Anchor::End), &value);
                    if !interval.is_empty() {
                        let font = Font::new(11, Anchor::Start).colour(GREY);
                        canvas.text((place.values + 8.0, base), font, &interval);
                    }
                }
                bar_y += thickness;
            }
            y += height;
        }
        references.draw(&mut canvas, top, bottom);
        legend.draw(&mut canvas, (20.0, end + 8.0));
        canvas.finish(&self.title)
    }

    /// The value and the interval of a bar.
    fn written(&self, bar: &Bar) -> (String, String) {
        let numbers = self.axis.numbers;
        let bare = |value| numbers.write(value).trim_end_matches(" %").to_string();
        let interval = bar.interval.map(|(low, high)| format!("[{}, {}]", bare(low), bare(high)));
        (numbers.write(bar.value), interval.unwrap_or_default())
    }
}

fn height(group: &BarGroup, name: &[String], thickness: f64) -> f64 {
    (thickness * group.bars.len() as f64).max(LINE * name.len() as f64) + GAP
}

/// Where bars are drawn.
struct Place {
    left: f64,
    right: f64,
    /// Where values end.
    values: f64,
    thickness: f64,
    range: Range,
}

impl Place {
    fn draw(&self, canvas: &mut Canvas, bar: &Bar, y: f64, colour: &str) {
        let x = |value: f64| self.left + self.range.clamped(value) * (self.right - self.left);
        let middle = y + self.thickness / 2.0;
        if bar.value.is_finite() {
            canvas.rect((x(0.0), y + 1.0), (x(bar.value), y + self.thickness - 1.0), colour);
        }
        if let Some((low, high)) = bar.interval.filter(|(low, high)| !low.is_nan() && !high.is_nan()) {
            let (low, high) = (x(low), x(high));
            // White around the line keeps it visible on a dark bar.
            for (ink, width) in [("#fff", 4.0), (INK, 1.5)] {
                canvas.line((low, middle), (high, middle), ink, width);
                for end in [low, high] {
                    canvas.line((end, middle - 4.0), (end, middle + 4.0), ink, width);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::check::{assert_well_formed, texts};

    fn bars(groups: Vec<BarGroup>) -> Bars {
        let axis = Axis::percent("win rate").with_reference(0.5, "even");
        Bars { title: "Bars".to_string(), axis, series: Vec::new(), groups }
    }

    #[test]
    fn values_and_intervals_are_written_beside_the_bars() {
        let svg = bars(vec![BarGroup::new("<ismcts>", vec![Some(Bar::between(0.532, 0.51, 0.554))])]).svg();
        assert_well_formed(&svg);
        let texts = texts(&svg);
        for text in ["<ismcts>", "53.2 %", "[51.0, 55.4]", "even", "win rate", "100 %"] {
            assert!(texts.iter().any(|t| t == text), "{text} in {texts:?}");
        }
    }

    /// With the axis from 0 to 100 %, a bar of 25 % is a quarter as long as the axis.
    #[test]
    fn bars_are_as_long_as_their_values() {
        let svg = bars(vec![BarGroup::new("a", vec![Some(Bar::new(0.25)), Some(Bar::new(1.0))])]).svg();
        let lengths: Vec<f64> = (svg.lines().filter(|l| l.starts_with("<rect x")))
            .map(|l| l.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
            .collect();
        assert!((lengths[1] - 4.0 * lengths[0]).abs() < 0.3, "{lengths:?}");
    }

    #[test]
    fn even_the_least_bar_of_a_logarithmic_axis_has_a_length() {
        let group = BarGroup::new("a", vec![Some(Bar::new(1000.0)), Some(Bar::new(100.0))]);
        let svg = Bars { axis: Axis::log("x"), ..bars(vec![group]) }.svg();
        assert_well_formed(&svg);
        assert!(!svg.contains(r#"width="0.0""#), "{svg}");
    }

    #[test]
    fn odd_data_can_be_drawn() {
        let odd = [0.0, -3.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 1e-9, 1e9];
        let long = "parameter=1,".repeat(5);
        for value in odd {
            for bar in
                [Bar::new(value), Bar::between(value, value - 1.0, f64::NAN), Bar::between(value, -1.0, 2.0)]
            {
                let group = BarGroup::new(&long, vec![Some(bar), None, Some(Bar::new(0.5))]);
                for axis in [Axis::linear(""), Axis::log("x"), Axis::percent("y")] {
                    let series = vec!["a".to_string(), long.clone(), String::new()];
                    let bars = Bars { title: long.repeat(4), axis, series, groups: vec![group.clone(); 3] };
                    assert_well_formed(&bars.svg());
                }
            }
        }
        assert_well_formed(&bars(Vec::new()).svg());
        assert_well_formed(&bars(vec![BarGroup::new("", Vec::new())]).svg());
    }

    #[test]
    fn thirty_names_of_sixty_characters_are_whole() {
        let name = |i: usize| format!("so-ismcts(iterations=10000,exploration=0.7,seed={i:013})");
        let groups =
            (0..30).map(|i| BarGroup::new(&name(i), vec![Some(Bar::new(i as f64 / 30.0))])).collect();
        let svg = bars(groups).svg();
        assert_well_formed(&svg);
        let all = texts(&svg).concat().replace("%", "");
        assert!((0..30).all(|i| all.contains(&name(i))), "{all}");
    }
}
