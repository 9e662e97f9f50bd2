//! Axes: where values lie, and which of them are worth a mark.

/// How values are spread along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// Equal differences, equal distances.
    #[default]
    Linear,
    /// Equal ratios, equal distances; values of 0 and below have no place.
    Log,
}

/// How numbers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Numbers {
    /// As they are.
    #[default]
    Plain,
    /// A share as so many of a hundred.
    Percent,
}

impl Numbers {
    /// A value to be read off: three digits or so; a dash for what is not a number.
    pub(crate) fn write(self, value: f64) -> String {
        match self {
            _ if value.is_nan() => "–".to_string(),
            _ if value.is_infinite() => if value > 0.0 { "∞" } else { "−∞" }.to_string(),
            Numbers::Percent if value.abs() >= 1e4 => format!("{:.2e} %", 100.0 * value),
            Numbers::Percent => format!("{:.1} %", tidy(100.0 * value, 1)),
            Numbers::Plain => match value.abs() {
                0.0 => "0".to_string(),
                size if !(1e-3..1e6).contains(&size) => format!("{value:.2e}"),
                size if size < 1.0 => format!("{:.3}", tidy(value, 3)),
                size if size < 100.0 => format!("{:.2}", tidy(value, 2)),
                size if size < 1000.0 => format!("{:.1}", tidy(value, 1)),
                _ => format!("{:.0}", tidy(value, 0)),
            },
        }
    }
}

/// The value, or 0 instead of what would be written as -0.
fn tidy(value: f64, digits: i32) -> f64 {
    if value.abs() < 0.5 * 10f64.powi(-digits) { 0.0 } else { value }
}

/// A value to compare the others with, drawn as a dashed line across the picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// Where it is.
    pub value: f64,
    /// What it is; may be empty.
    pub name: String,
}

/// What an axis shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What the values are, with their unit.
    pub label: String,
    /// How they are spread.
    pub scale: Scale,
    /// How they are written.
    pub numbers: Numbers,
    /// Values that the axis holds whatever the data are.
    pub holds: Vec<f64>,
    /// Values to compare with.
    pub references: Vec<Reference>,
}

impl Axis {
    /// An axis with equal distances.
    pub fn linear(label: &str) -> Axis {
        Axis {
            label: label.to_string(),
            scale: Scale::Linear,
            numbers: Numbers::Plain,
            holds: Vec::new(),
            references: Vec::new(),
        }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Axis {
        Axis { scale: Scale::Log, ..Axis::linear(label) }
    }

    /// An axis from 0 to 1, as for beliefs.
    pub fn unit(label: &str) -> Axis {
        Axis::linear(label).holding(0.0, 1.0)
    }

    /// An axis from 0 % to 100 %, as for win rates.
    pub fn percent(label: &str) -> Axis {
        Axis { numbers: Numbers::Percent, ..Axis::unit(label) }
    }

    /// The same axis, at least from `low` to `high`.
    pub fn holding(mut self, low: f64, high: f64) -> Axis {
        self.holds.extend([low, high]);
        self
    }

    /// The same axis with a line at this value.
    pub fn with_reference(mut self, value: f64, name: &str) -> Axis {
        self.references.push(Reference { value, name: name.to_string() });
        self
    }

    /// The stretch of the axis that these values, those it must hold and the references take, rounded to
    /// marks. Values without a place are left out.
    pub(crate) fn fit(&self, values: impl Iterator<Item = f64>) -> Range {
        let always = self.holds.iter().copied().chain(self.references.iter().map(|r| r.value));
        let placed = values.chain(always).filter_map(|v| self.scale.of(v));
        let ends = placed.fold(None, |ends: Option<(f64, f64)>, v| match ends {
            None => Some((v, v)),
            Some((low, high)) => Some((low.min(v), high.max(v))),
        });
        let (low, high, step) = match (self.scale, ends) {
            (Scale::Linear, None) => (0.0, 1.0, 0.2),
            (Scale::Log, None) => (0.0, 1.0, 1.0),
            (Scale::Linear, Some((low, high))) => linear_ends(low, high),
            (Scale::Log, Some((low, high))) => log_ends(low, high),
        };
        Range { scale: self.scale, numbers: self.numbers, low, high, step }
    }
}

impl Scale {
    /// The value as distances count it; nothing for values without a place.
    pub(crate) fn of(self, value: f64) -> Option<f64> {
        match self {
            Scale::Linear => value.is_finite().then(|| value.clamp(-LARGEST, LARGEST)),
            Scale::Log => (value.is_finite() && value > 0.0).then(|| value.log10()),
        }
    }
}

/// Differences of larger values might be infinite.
const LARGEST: f64 = 1e300;

fn linear_ends(low: f64, high: f64) -> (f64, f64, f64) {
    let size = low.abs().max(high.abs());
    // Differences that are nothing but rounding are not worth an axis.
    let width = if high - low > 1e-12 * size { high - low } else { size.max(f64::MIN_POSITIVE) };
    let width = if size == 0.0 { 1.0 } else { width };
    let step = nice(width / 5.0);
    let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
    if last > first {
        (first * step, last * step, step)
    } else {
        ((first - 1.0) * step, (first + 1.0) * step, step)
    }
}

/// Whole powers of ten; 1, 2 or 5 times one if the values are close together.
fn log_ends(low: f64, high: f64) -> (f64, f64, f64) {
    let down = |v: f64, to: &[f64]| {
        let power = (v + 1e-9).floor();
        power + to.iter().copied().filter(|t| power + t <= v + 1e-9).fold(0.0, f64::max)
    };
    let up = |v: f64, to: &[f64]| {
        let power = (v - 1e-9).floor();
        power + to.iter().copied().filter(|t| power + t >= v - 1e-9).fold(1.0, f64::min)
    };
    let to: &[f64] = if high - low < 1.5 { &[LOG_2, LOG_5] } else { &[] };
    let (first, last) = (down(low, to), up(high, to));
    let (first, last) =
        if last - first > 0.1 { (first, last) } else { (down(low - 0.2, to), up(high + 0.2, to)) };
    (first, last, ((last - first) / 8.0).ceil())
}

const LOG_2: f64 = std::f64::consts::LOG10_2;
const LOG_5: f64 = 1.0 - LOG_2;

/// The least of 1, 2, 2.5 or 5 times a power of ten that is no smaller.
pub(crate) fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let fits = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * power >= step * (1.0 - 1e-9));
    fits.unwrap_or(10.0) * power
}

/// A stretch of an axis; ends and step as distances count them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Range {
    scale: Scale,
    numbers: Numbers,
    low: f64,
    high: f64,
    /// Between two marks.
    step: f64,
}

/// A mark on an axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Mark {
    /// Where, from 0 to 1.
    pub(crate) at: f64,
    /// Empty for a minor mark.
    pub(crate) name: String,
}

impl Range {
    /// Where a value lies, from 0 to 1; nothing for values without a place.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        self.scale.of(value).map(|v| self.at(v))
    }

    /// Where a value is drawn that has a place or lies beyond an end: on the axis in any case.
    pub(crate) fn clamped(&self, value: f64) -> f64 {
        match self.place(value) {
            Some(at) => at.clamp(0.0, 1.0),
            None if value == f64::INFINITY => 1.0,
            None => 0.0,
        }
    }

    fn at(&self, v: f64) -> f64 {
        (v - self.low) / (self.high - self.low)
    }

    /// The values worth a mark.
    pub(crate) fn marks(&self) -> Vec<Mark> {
        match self.scale {
            Scale::Linear => self.linear_marks(),
            Scale::Log => self.log_marks(),
        }
    }

    fn linear_marks(&self) -> Vec<Mark> {
        let (factor, unit) = match self.numbers {
            Numbers::Plain => (1.0, ""),
            Numbers::Percent => (100.0, " %"),
        };
        let step = self.step * factor;
        let largest = self.low.abs().max(self.high.abs()) * factor;
        let digits = (0..8).find(|&d| {
            let scaled = step * 10f64.powi(d);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        });
        let count = ((self.high - self.low) / self.step).round() as i64;
        let mark = |i: i64| {
            let value = (self.low + i as f64 * self.step) * factor;
            let name = match digits {
                _ if value.abs() < step * 1e-9 => "0".to_string(),
                Some(digits) if largest < 1e7 => format!("{value:.*}", digits as usize),
                _ => {
                    let digits = (largest / step).log10().ceil().max(0.0) as usize + 1;
                    shortest(&format!("{value:.digits$e}"))
                }
            };
            Mark { at: i as f64 / count as f64, name: name + unit }
        };
        (0..=count).map(mark).collect()
    }

    /// Powers of ten with their names, and the multiples between them: named if there are few powers.
    fn log_marks(&self) -> Vec<Mark> {
        let decades = self.high - self.low;
        let step = self.step as i32;
        let mut marks = Vec::new();
        for power in self.low.floor() as i32..=self.high.ceil() as i32 {
            for multiple in 1..10 {
                let v = f64::from(power) + f64::from(multiple).log10();
                if v < self.low - 1e-9 || v > self.high + 1e-9 {
                    continue;
                }
                let named = match multiple {
                    1 => (power - self.low.ceil() as i32) % step == 0,
                    2 | 5 => decades <= 2.0,
                    3 | 7 => decades <= 0.8,
                    _ => false,
                };
                if named || multiple == 1 || step == 1 {
                    let name = if named { self.power_name(multiple, power) } else { String::new() };
                    marks.push(Mark { at: self.at(v), name });
                }
            }
        }
        marks
    }

    fn power_name(&self, multiple: i32, power: i32) -> String {
        let (power, unit) = match self.numbers {
            Numbers::Plain => (power, ""),
            Numbers::Percent => (power + 2, " %"),
        };
        match power {
            0..=5 => format!("{}{unit}", multiple * 10i32.pow(power as u32)),
            -3..0 => format!("{:.*}{unit}", -power as usize, f64::from(multiple) * 10f64.powi(power)),
            power => format!("{multiple}e{power}{unit}"),
        }
    }
}

/// A number like `1.500e6` without the zeros that say nothing.
fn shortest(number: &str) -> String {
    match number.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(range: &Range) -> Vec<String> {
        range.marks().into_iter().map(|m| m.name).filter(|n| !n.is_empty()).collect()
    }

    #[test]
    fn marks_are_round_and_hold_all_values() {
        let range = Axis::linear("").fit([0.13, 0.88].into_iter());
        assert_eq!(names(&range), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let range = Axis::log("").fit([0.003, 0.0, -1.0, 700.0].into_iter());
        assert_eq!(names(&range), ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!((range.place(0.001), range.place(0.0)), (Some(0.0), None));
        assert!((range.place(1.0).unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_axis_holds_its_references_and_what_it_is_told_to() {
        let range = Axis::percent("").fit([0.61, 0.64].into_iter());
        assert_eq!(names(&range), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
        let range = Axis::linear("").with_reference(0.0, "nothing").fit([3.1, 4.9].into_iter());
        assert_eq!(names(&range), ["0", "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn close_values_on_a_log_axis_have_named_marks() {
        let range = Axis::log("").fit([900.0, 1100.0].into_iter());
        assert_eq!(names(&range), ["500", "700", "1000", "2000"]);
        let range = Axis::log("").fit([12.0, 310.0].into_iter());
        assert_eq!(names(&range), ["10", "20", "50", "100", "200", "500"]);
        assert_eq!(names(&Axis::log("").fit([5.0, 5.0].into_iter())), ["2", "3", "5", "7", "10"]);
    }

    #[test]
    fn powers_of_ten_have_minor_marks_between_them() {
        let marks = Axis::log("").fit([1.0, 1000.0].into_iter()).marks();
        assert_eq!(marks.len(), 28);
        assert_eq!(marks.iter().filter(|m| !m.name.is_empty()).count(), 4);
        // Nine powers: every second one is named, and the others are minor.
        let range = Axis::log("").fit([1e-6, 1e3].into_iter());
        assert_eq!(names(&range), ["1e-6", "1e-4", "0.01", "1", "100"]);
        assert_eq!(range.marks().len(), 10);
    }

    #[test]
    fn large_and_small_numbers_have_short_names() {
        assert_eq!(names(&Axis::linear("").fit([0.0, 4e7].into_iter()))[1], "1e7");
        assert_eq!(names(&Axis::linear("").fit([0.0, 1e-9].into_iter()))[1], "2e-10");
        assert_eq!(names(&Axis::linear("").fit([1e9 + 1.0, 1e9 + 6.0].into_iter()))[0], "1.000000001e9");
    }

    #[test]
    fn odd_values_have_an_axis_too() {
        let odd: [&[f64]; 9] = [
            &[],
            &[0.0],
            &[5.0, 5.0],
            &[-2.0],
            &[f64::NAN, f64::INFINITY],
            &[-3.0, 1e300],
            &[f64::MIN, f64::MAX],
            &[5e-324, f64::MAX],
            &[1e17, 1e17 + 16.0],
        ];
        for values in odd {
            for axis in [Axis::linear(""), Axis::log(""), Axis::percent("")] {
                let range = axis.fit(values.iter().copied());
                let names = names(&range);
                assert!(names.len() >= 2 && names.len() <= 12, "{values:?} {names:?}");
                assert!(names.iter().all(|n| n.len() < 14 && !n.contains("inf")), "{values:?} {names:?}");
                let inside = |at: f64| (-0.01..=1.01).contains(&at);
                assert!(range.marks().iter().all(|m| inside(m.at)), "{values:?} {range:?}");
                assert!(values.iter().filter_map(|&v| range.place(v)).all(inside), "{values:?} {range:?}");
            }
        }
    }

    #[test]
    fn values_are_written_to_three_digits() {
        let plain = [0.0, 0.12345, 12.345, 345.67, 98_765.4, 2e-7, f64::NAN, f64::NEG_INFINITY, -0.0001];
        let written = plain.map(|v| Numbers::Plain.write(v));
        assert_eq!(written, ["0", "0.123", "12.35", "345.7", "98765", "2.00e-7", "–", "−∞", "-1.00e-4"]);
        assert_eq!([0.5321, 1.0, -1e-9].map(|v| Numbers::Percent.write(v)), ["53.2 %", "100.0 %", "0.0 %"]);
    }
}
