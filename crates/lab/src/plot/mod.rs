//! Pictures of results as SVG files, written by hand: no fonts to load, nothing to install, and a picture is
//! the same bytes on every machine.
//!
//! Colours are those of Okabe and Ito (*Color universal design*, 2008), which people with any common form of
//! colour blindness can tell apart; series also differ by the form of their marks.

mod axis;
mod canvas;
mod lines;

pub use axis::{Axis, Scale};
pub use lines::{Lines, Series};

/// Blue, vermilion, bluish green, reddish purple, orange, sky blue, black, yellow.
pub(crate) const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#f0e442"];
