//! Pictures of results as SVG files, written by hand: no fonts to load, nothing to install, and a picture is
//! the same bytes on every machine.
//!
//! Colours are those of Okabe and Ito (*Color universal design*, 2008), which people with any common form of
//! colour blindness can tell apart; series also differ by the form of their marks and by dashes. Whatever the
//! data are, there is a picture: values that are not numbers have no place in it, long names are broken into
//! lines, and nothing lies outside the sheet.

mod axis;
mod bars;
mod canvas;
#[cfg(test)]
mod check;
mod frame;
mod heat;
mod histogram;
mod legend;
mod lines;
#[cfg(feature = "png")]
mod png;
mod style;
mod text;

pub use axis::{Axis, Numbers, Reference, Scale};
pub use bars::{Bar, BarGroup, Bars};
pub(crate) use canvas::escaped;
pub use heat::Heat;
pub use histogram::{Heights, Histogram, Values};
pub use lines::{Lines, Series};
#[cfg(feature = "png")]
pub use png::{PngError, to_png};
