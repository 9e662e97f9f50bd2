//! What is done with games by the thousand: matches, statistics, curves and pictures, benchmarks.

pub mod bench;
pub mod curve;
pub mod plot;
pub mod series;
pub mod statistics;
