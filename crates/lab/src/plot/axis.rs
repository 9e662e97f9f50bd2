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

/// What an axis shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What the values are, with their unit.
    pub label: String,
    /// How they are spread.
    pub scale: Scale,
}

impl Axis {
    /// An axis with equal distances.
    pub fn linear(label: &str) -> Axis {
        Axis { label: label.to_string(), scale: Scale::Linear }
    }

    /// A logarithmic axis.
    pub fn log(label: &str) -> Axis {
        Axis { label: label.to_string(), scale: Scale::Log }
    }

    /// The stretch of the axis that these values take, rounded to marks. Values without a place are left out.
    pub(crate) fn fit(&self, values: impl Iterator<Item = f64>) -> Range {
        let placed = values.filter(|&v| v.is_finite() && (self.scale == Scale::Linear || v > 0.0));
        let ends = placed.fold(None, |ends: Option<(f64, f64)>, v| match ends {
            None => Some((v, v)),
            Some((low, high)) => Some((low.min(v), high.max(v))),
        });
        match (self.scale, ends) {
            (Scale::Linear, None) => Range { scale: Scale::Linear, low: 0.0, high: 1.0, step: 0.2 },
            (Scale::Log, None) => Range { scale: Scale::Log, low: 1.0, high: 10.0, step: 1.0 },
            (Scale::Linear, Some((low, high))) => {
                let width = if high > low { high - low } else { high.abs().max(1.0) };
                let step = nice(width / 5.0);
                let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
                let high = if high > low { high } else { low + step };
                Range { scale: Scale::Linear, low, high, step }
            }
            (Scale::Log, Some((low, high))) => {
                let (first, last) = (low.log10().floor(), high.log10().ceil());
                let last = if last > first { last } else { first + 1.0 };
                let step = ((last - first) / 8.0).ceil();
                Range { scale: Scale::Log, low: 10f64.powf(first), high: 10f64.powf(last), step }
            }
        }
    }
}

/// The least of 1, 2, 2.5 or 5 times a power of ten that is no smaller.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let fits = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * power >= step * (1.0 - 1e-9));
    fits.unwrap_or(10.0) * power
}

/// A stretch of an axis.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Range {
    scale: Scale,
    low: f64,
    high: f64,
    /// Between two marks: a difference, or so many powers of ten.
    step: f64,
}

impl Range {
    /// Where a value lies, from 0 to 1; nothing for values without a place.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        match self.scale {
            _ if !value.is_finite() => None,
            Scale::Linear => Some((value - self.low) / (self.high - self.low)),
            Scale::Log if value <= 0.0 => None,
            Scale::Log => {
                let (low, high) = (self.low.log10(), self.high.log10());
                Some((value.log10() - low) / (high - low))
            }
        }
    }

    /// The values worth a mark, with their names.
    pub(crate) fn marks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => {
                let count = ((self.high - self.low) / self.step).round() as i64;
                let digits = (0..8).find(|&d| {
                    let scaled = self.step * 10f64.powi(d);
                    (scaled - scaled.round()).abs() < 1e-6 * scaled
                });
                let mark = |i: i64| {
                    let value = self.low + i as f64 * self.step;
                    let value = if value.abs() < self.step * 1e-9 { 0.0 } else { value };
                    (value, format!("{value:.*}", digits.unwrap_or(8) as usize))
                };
                (0..=count).map(mark).collect()
            }
            Scale::Log => {
                let (first, last) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
                let mark = |power: i32| {
                    let name = match power {
                        0 => "1".to_string(),
                        1 => "10".to_string(),
                        2 => "100".to_string(),
                        -1 => "0.1".to_string(),
                        -2 => "0.01".to_string(),
                        power => format!("1e{power}"),
                    };
                    (10f64.powi(power), name)
                };
                (first..=last).step_by(self.step as usize).map(mark).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_hold_all_values() {
        let range = Axis::linear("").fit([0.13, 0.88].into_iter());
        let names: Vec<String> = range.marks().into_iter().map(|m| m.1).collect();
        assert_eq!(names, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let range = Axis::log("").fit([0.003, 0.0, -1.0, 700.0].into_iter());
        let names: Vec<String> = range.marks().into_iter().map(|m| m.1).collect();
        assert_eq!(names, ["1e-3", "0.01", "0.1", "1", "10", "100", "1e3"]);
        assert_eq!((range.place(0.001), range.place(0.0)), (Some(0.0), None));
        assert!((range.place(1.0).unwrap() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn odd_values_have_an_axis_too() {
        for values in [vec![], vec![0.0], vec![5.0, 5.0], vec![f64::NAN, f64::INFINITY], vec![-3.0, 1e300]] {
            for scale in [Scale::Linear, Scale::Log] {
                let range = Axis { label: String::new(), scale }.fit(values.iter().copied());
                let marks = range.marks();
                assert!(marks.len() >= 2 && marks.len() <= 12, "{values:?} {marks:?}");
                assert!(
                    marks.iter().all(|(v, _)| range.place(*v).is_some_and(|p| (-0.01..=1.01).contains(&p)))
                );
            }
        }
    }
}
