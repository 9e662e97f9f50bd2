//! Curves on the terminal while they grow, and in files when they are complete.

use std::path::PathBuf;

use fogtree_lab::curve::{Curve, CurveFormat, CurvePoint};

use crate::failure::Failure;
use crate::output::{check_place, emit, emit_json};

/// A curve that is shown point by point and written to files at the end.
pub(super) struct CurveFiles {
    curve: Curve,
    files: Vec<(PathBuf, CurveFormat)>,
    json: bool,
    /// Whether the terminal has taken all points so far.
    shown: Result<(), Failure>,
}

impl CurveFiles {
    /// A curve for these files, whose names say what they are to be.
    pub(super) fn new(
        files: &[PathBuf],
        title: String,
        unit: &'static str,
        json: bool,
    ) -> Result<Self, Failure> {
        let with_format = |path: &PathBuf| match CurveFormat::of(path) {
            Some(format) => Ok((path.clone(), format)),
            None => Err(Failure::Input(format!(
                "--curve {}: expected a file name that ends in .csv or .svg",
                path.display()
            ))),
        };
        let files = files.iter().map(with_format).collect::<Result<Vec<_>, _>>()?;
        files.iter().try_for_each(|(path, _)| check_place("curve", path))?;
        Ok(CurveFiles { curve: Curve { title, unit, points: Vec::new() }, files, json, shown: Ok(()) })
    }

    /// Adds a point and shows it.
    pub(super) fn add(&mut self, point: CurvePoint) {
        if self.shown.is_ok() {
            self.shown = self.show(&point);
        }
        self.curve.points.push(point);
    }

    fn show(&self, point: &CurvePoint) -> Result<(), Failure> {
        let unit = self.curve.unit;
        if self.json {
            return emit_json(&point.counted_in(unit));
        }
        let CurvePoint { done, seconds, value, exploitability, .. } = *point;
        if self.curve.points.is_empty() {
            emit(&format!("{unit:>12} {:>10} {:>14} {:>14}\n", "seconds", "value", "exploitability"))?;
        }
        emit(&format!("{done:>12} {seconds:>10.3} {value:>14.6} {exploitability:>14.3e}\n"))
    }

    /// Writes the files, also if nobody could be shown the points.
    pub(super) fn write(self) -> Result<(), Failure> {
        for (path, format) in &self.files {
            self.curve.write(path, *format).map_err(Failure::Run)?;
        }
        self.shown
    }
}
