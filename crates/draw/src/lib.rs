//! Pictures as SVG: of positions and of results.
//!
//! [`svg`] draws a [`Scene`](fogtree_core::Scene), [`tree`] draws search trees, [`chart`] draws numbers. A picture is
//! a text that we write ourselves: no fonts to load, nothing to install, and the same bytes on every machine. Colours are
//! those of Okabe and Ito (*Color universal design*, 2008), which people with any common form of colour blindness can tell
//! apart; nothing is told by colour alone.

pub mod chart;
#[cfg(feature = "png")]
mod png;
mod svg;
mod text;
pub mod tree;

#[cfg(feature = "png")]
pub use png::{PngError, to_png};
pub use svg::{Drawing, Theme, svg};
pub use tree::tree_svg;
