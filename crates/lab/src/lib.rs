//! What is done with games by the thousand: matches, statistics, benchmarks.

pub mod bench;
pub mod series;
pub mod statistics;
