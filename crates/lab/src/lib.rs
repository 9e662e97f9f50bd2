//! What is done with games by the thousand: matches, statistics, curves and pictures, benchmarks.

pub mod bench;
pub mod curve;
pub mod deals;
pub mod experiment;
pub mod follow;
pub mod html;
pub mod made;
pub mod row;
pub mod series;
pub mod statistics;
pub mod table;
pub mod until;
