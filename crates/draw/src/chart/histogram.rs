//! Histograms: how often which values occur.

use super::axis::{Axis, Scale, nice};
use super::canvas::Canvas;
use super::frame::{Frame, WIDTH};
use super::legend::{Legend, Sample};
use super::style::Style;

/// Values of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Values {
    /// What they are called.
    pub name: String,
    /// The values in any order.
    pub values: Vec<f64>,
}

impl Values {
    /// Values with a name.
    pub fn new(name: &str, values: Vec<f64>) -> Values {
        Values { name: name.to_string(), values }
    }
}

/// What the height of a bin stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heights {
    /// How many values are in it.
    #[default]
    Counts,
    /// The share of the values in it by its width, so that series of different sizes can be compared. On a
    /// logarithmic axis the width is in powers of ten.
    Densities,
}

/// How often which values occur. Values without a place on the axis are left out, and the picture says how
/// many they are.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    /// What it shows.
    pub title: String,
    /// The axis of the values.
    pub x: Axis,
    /// What heights stand for.
    pub heights: Heights,
    /// The series, all with the same bins.
    pub series: Vec<Values>,
}

const MOST_BINS: f64 = 60.0;

impl Histogram {
    /// The picture as the text of an SVG file.
    pub fn svg(&self) -> String {
        let bins = Bins::new(self.x.scale, self.series.iter().flat_map(|s| s.values.iter().copied()));
        let heights: Vec<Vec<f64>> = self.series.iter().map(|s| self.heights_of(s, &bins)).collect();
        let edges: Vec<f64> = (0..=bins.count).map(|i| bins.edge(i)).collect();
        let x = self.x.fit(edges.iter().copied());
        let up = match self.heights {
            Heights::Counts => "count",
            Heights::Densities => "density",
        };
        let up = Axis::linear(up).holding(0.0, if self.heights == Heights::Counts { 5.0 } else { 0.0 });
        let y = up.fit(heights.iter().flatten().copied());
        let mut along = self.x.clone();
        let out: usize =
            self.series.iter().flat_map(|s| &s.values).filter(|&&v| bins.of(v).is_none()).count();
        if out > 0 {
            along.label =
                format!("{} ({out} without a place left out)", along.label).trim_start().to_string();
        }
        let frame = Frame::new(&self.title, (&along, x), (&up, y));
        let names = self.series.iter().map(|s| s.name.as_str());
        let legend = Legend::new(names, Sample::Line, frame.right - frame.left);
        let below = if legend.len() > 0 { legend.height() + 10.0 } else { 0.0 };

        let mut canvas = Canvas::new(WIDTH, frame.end() + below + 4.0);
        frame.draw(&mut canvas);
        let place = |i: usize| frame.along_x(frame.x.clamped(edges[i]));
        let up = |height: f64| frame.along_y(frame.y.clamped(height));
        let alone = self.series.len() == 1;
        for (number, heights) in heights.iter().enumerate() {
            let colour = Style::of(number).colour;
            for (i, &height) in heights.iter().enumerate().filter(|(_, h)| **h > 0.0) {
                // A little space between the bars of a single series.
                let gap = if alone && place(i + 1) - place(i) > 4.0 { 0.5 } else { 0.0 };
                let (left, right) = (place(i) + gap, place(i + 1) - gap);
                let corners = [(left, up(0.0)), (left, up(height)), (right, up(height)), (right, up(0.0))];
                canvas.polygon(&corners, colour, if alone { 0.85 } else { 0.12 });
            }
        }
        if !alone {
            for (number, heights) in heights.iter().enumerate() {
                draw_steps(&mut canvas, number, heights, &place, &up);
            }
        }
        frame.draw_references(&mut canvas);
        legend.draw(&mut canvas, (frame.left, frame.end() + 10.0));
        canvas.finish(&self.title)
    }

    fn heights_of(&self, series: &Values, bins: &Bins) -> Vec<f64> {
        let mut counts = vec![0u32; bins.count];
        for bin in series.values.iter().filter_map(|&v| bins.of(v)) {
            counts[bin] += 1;
        }
        let total: u32 = counts.iter().sum();
        let unit = match self.heights {
            Heights::Counts => 1.0,
            Heights::Densities => f64::from(total.max(1)) * bins.width,
        };
        counts.into_iter().map(|count| f64::from(count) / unit).collect()
    }
}

/// The outline of a series, with marks in the middle of some bins so that dashes and colours are not alone in
/// telling series apart.
fn draw_steps(
    canvas: &mut Canvas,
    number: usize,
    heights: &[f64],
    place: &dyn Fn(usize) -> f64,
    up: &dyn Fn(f64) -> f64,
) {
    let style = Style::of(number);
    let (Some(first), Some(last)) =
        (heights.iter().position(|h| *h > 0.0), heights.iter().rposition(|h| *h > 0.0))
    else {
        return;
    };
    let mut outline = vec![(place(first), up(0.0))];
    for (i, &height) in heights.iter().enumerate().take(last + 1).skip(first) {
        outline.extend([(place(i), up(height)), (place(i + 1), up(height))]);
    }
    outline.push((place(last + 1), up(0.0)));
    canvas.polyline(&outline, style.colour, 2.0, style.dash);
    let every = ((last + 1 - first) / 6).max(1);
    for i in (first + number % every..=last).step_by(every).filter(|&i| heights[i] > 0.0) {
        style.mark(canvas, ((place(i) + place(i + 1)) / 2.0, up(heights[i])));
    }
}

/// Bins of equal width, as the axis counts distances.
#[derive(Clone, PartialEq, Debug)]
struct Bins {
    scale: Scale,
    low: f64,
    width: f64,
    count: usize,
}

impl Bins {
    /// A bin for each whole number if the values are whole and close together; otherwise so many bins as
    /// Freedman and Diaconis (1981) would have, their width and ends being round numbers.
    fn new(scale: Scale, values: impl Iterator<Item = f64>) -> Bins {
        let mut values: Vec<f64> = values.filter_map(|v| scale.of(v)).collect();
        values.sort_by(f64::total_cmp);
        let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
            return Bins { scale, low: 0.0, width: 1.0, count: 1 };
        };
        let whole = scale == Scale::Linear && values.iter().all(|v| v.fract() == 0.0 && v.abs() < 1e9);
        if whole && high - low < MOST_BINS {
            return Bins { scale, low: low - 0.5, width: 1.0, count: (high - low) as usize + 1 };
        }
        let size = low.abs().max(high.abs());
        let spread = high - low;
        if spread <= 1e-12 * size || spread == 0.0 {
            let width = nice(if size > 0.0 { size / 10.0 } else { 1.0 });
            return Bins { scale, low: low - width / 2.0, width, count: 1 };
        }
        let quantile = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        let wanted = 2.0 * (quantile(0.75) - quantile(0.25)) / (values.len() as f64).cbrt();
        let width = nice(wanted.clamp(spread / MOST_BINS, spread / 5.0));
        // Bins of whole numbers must not hold different numbers of them.
        let (width, shift) = if whole { (width.ceil(), 0.5) } else { (width, 0.0) };
        let first = ((low + shift) / width).floor() * width - shift;
        let count = ((high - first) / width).floor() as usize + 1;
        Bins { scale, low: first, width, count }
    }

    /// The bin of a value. Edges belong to the bin above them.
    fn of(&self, value: f64) -> Option<usize> {
        let at = (self.scale.of(value)? - self.low) / self.width;
        (at >= -1e-9).then(|| ((at + 1e-9).max(0.0).floor() as usize).min(self.count - 1))
    }

    /// The lower end of a bin.
    fn edge(&self, bin: usize) -> f64 {
        let edge = self.low + bin as f64 * self.width;
        match self.scale {
            Scale::Linear => edge,
            Scale::Log => 10f64.powf(edge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::check::{assert_well_formed, texts};

    fn histogram(x: Axis, heights: Heights, series: Vec<Values>) -> Histogram {
        Histogram { title: "Histogram".to_string(), x, heights, series }
    }

    #[test]
    fn whole_numbers_have_a_bin_each() {
        let bins = Bins::new(Scale::Linear, [3.0, 5.0, 5.0, 9.0].into_iter());
        assert_eq!((bins.edge(0), bins.width, bins.count), (2.5, 1.0, 7));
        let values = Values::new("", vec![3.0, 5.0, 5.0, 9.0]);
        let histogram = histogram(Axis::linear(""), Heights::Counts, vec![values.clone()]);
        assert_eq!(histogram.heights_of(&values, &bins), [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0]);
    }

    /// Values 0 to 999 by thousandths: quartiles half a unit apart and a thousand values give a width of 0.1.
    #[test]
    fn bins_are_round_and_hold_everything() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) / 1000.0).collect();
        let bins = Bins::new(Scale::Linear, values.iter().copied());
        assert!((bins.width - 0.1).abs() < 1e-12 && bins.count == 10, "{bins:?}");
        let values = Values::new("", values);
        let counts = histogram(Axis::linear(""), Heights::Counts, vec![]).heights_of(&values, &bins);
        assert_eq!(counts, [100.0; 10]);
        let densities = histogram(Axis::linear(""), Heights::Densities, vec![]).heights_of(&values, &bins);
        assert!(densities.iter().all(|d| (d - 1.0).abs() < 1e-9), "{densities:?}");
    }

    #[test]
    fn no_value_is_lost_unless_it_has_no_place() {
        let odd = vec![0.3, -2.0, f64::NAN, 7.0, f64::INFINITY, 1e-9, 0.0];
        let all = histogram(Axis::linear("seconds"), Heights::Counts, vec![Values::new("", odd.clone())]);
        let bins = Bins::new(Scale::Linear, odd.iter().copied());
        assert_eq!(all.heights_of(&all.series[0], &bins).iter().sum::<f64>(), 5.0);
        assert!(texts(&all.svg()).iter().any(|t| t == "seconds (2 without a place left out)"));
    }

    #[test]
    fn odd_data_can_be_drawn() {
        let decades: Vec<f64> = (-4..=4).map(|p| 10f64.powi(p)).collect();
        let odd = [
            vec![],
            vec![5.0; 9],
            vec![0.3],
            vec![f64::NAN],
            decades,
            vec![f64::MIN, f64::MAX],
            vec![1e17, 1e17 + 16.0],
            vec![0.0, 1e-300],
            (0..5000).map(f64::from).collect(),
        ];
        for x in [Axis::linear("x"), Axis::log(""), Axis::percent("").with_reference(0.5, "even")] {
            for heights in [Heights::Counts, Heights::Densities] {
                for values in &odd {
                    let one = vec![Values::new("one", values.clone())];
                    assert_well_formed(&histogram(x.clone(), heights, one.clone()).svg());
                    let several =
                        [one, odd.iter().map(|v| Values::new("more", v.clone())).collect()].concat();
                    assert_well_formed(&histogram(x.clone(), heights, several).svg());
                }
                assert_well_formed(&histogram(x.clone(), heights, Vec::new()).svg());
            }
        }
    }
}
