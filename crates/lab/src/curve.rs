//! Convergence: how far from equilibrium strategies are after so much work, as a table and as a picture.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use fogtree_core::files::write_whole;
use fogtree_solve::Progress;
use fogtree_table::{Point, wire};
use serde::{Deserialize, Serialize};

use fogtree_draw::chart::{Axis, Lines, Series};

/// A point of a curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Iterations, or matches.
    pub done: u64,
    /// Seconds spent on them.
    pub seconds: f64,
    /// What the first player earns.
    pub value: f64,
    /// What all players together would gain by best responses.
    pub nash_conv: f64,
    /// NashConv divided by the number of players.
    pub exploitability: f64,
}

impl From<&Progress> for CurvePoint {
    fn from(progress: &Progress) -> CurvePoint {
        let Progress { iterations, seconds, value, nash_conv, exploitability } = *progress;
        CurvePoint { done: iterations, seconds, value, nash_conv, exploitability }
    }
}

impl From<&Point> for CurvePoint {
    fn from(point: &Point) -> CurvePoint {
        let Point { done, seconds, ref evaluation, .. } = *point;
        let (nash_conv, exploitability) = (evaluation.nash_conv(), evaluation.exploitability());
        CurvePoint { done, seconds, value: evaluation.values[0], nash_conv, exploitability }
    }
}

impl CurvePoint {
    /// The point as it leaves the process, where `unit` was done: "iterations" or "matches".
    pub fn counted_in(&self, unit: &str) -> wire::CurvePoint {
        let CurvePoint { done, seconds, value, nash_conv, exploitability } = *self;
        let done = if unit == "matches" { wire::Done::Matches(done) } else { wire::Done::Iterations(done) };
        wire::CurvePoint { done, seconds, value, nash_conv, exploitability }
    }
}

/// How somebody got nearer to an equilibrium.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Of what, for the picture.
    pub title: String,
    /// What was done: "iterations" or "matches".
    pub unit: &'static str,
    /// The points in order.
    pub points: Vec<CurvePoint>,
}

/// What a curve may be written as, by the ending of the file's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CurveFormat {
    /// A table of numbers.
    Csv,
    /// A picture.
    Svg,
}

impl CurveFormat {
    /// The format for a file of this name.
    pub fn of(path: &Path) -> Option<CurveFormat> {
        match path.extension()?.to_str()? {
            "csv" => Some(CurveFormat::Csv),
            "svg" => Some(CurveFormat::Svg),
            _ => None,
        }
    }
}

impl Curve {
    /// The points as comma-separated values under a line of names.
    pub fn csv(&self) -> String {
        let mut text = format!("{},seconds,value,nash_conv,exploitability\n", self.unit);
        for CurvePoint { done, seconds, value, nash_conv, exploitability } in &self.points {
            writeln!(text, "{done},{seconds},{value},{nash_conv},{exploitability}").expect("text takes text");
        }
        text
    }

    /// NashConv over what was done, both logarithmic.
    pub fn svg(&self) -> String {
        let points = self.points.iter().map(|p| (p.done as f64, p.nash_conv)).collect();
        let series = Series { name: "NashConv".to_string(), points, band: Vec::new() };
        let (x, y) = (Axis::log(self.unit), Axis::log("NashConv"));
        Lines { title: self.title.clone(), x, y, series: vec![series] }.svg()
    }

    /// Writes the curve to a file.
    pub fn write(&self, path: &Path, format: CurveFormat) -> Result<(), String> {
        let text = match format {
            CurveFormat::Csv => self.csv(),
            CurveFormat::Svg => self.svg(),
        };
        write_whole(path, |out| out.write_all(text.as_bytes()))
    }
}
