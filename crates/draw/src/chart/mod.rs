//! Pictures of results: lines, bars, histograms, heat maps.
//!
//! Series differ by colour, by the form of their marks and by dashes. Whatever the data are, there is a picture: values
//! that are not numbers have no place in it, long names are broken into lines, and nothing lies outside the sheet.

mod axis;
mod bars;
pub(crate) mod canvas;
#[cfg(test)]
pub(crate) mod check;
mod frame;
mod heat;
mod histogram;
mod legend;
mod lines;
mod style;
mod themed;

pub use axis::{Axis, Numbers, Reference, Scale};
pub use bars::{Bar, BarGroup, Bars};
pub use canvas::escaped;
pub use heat::Heat;
pub use histogram::{Heights, Histogram, Values};
pub use lines::{Lines, Series};
pub use themed::themed;
