//! What searches have in common: the parts from which every family is made.
//!
//! Nothing here imports from a family.

pub(crate) mod chance;
pub(crate) mod codes;
pub mod determinize;
pub(crate) mod explanation;
pub mod final_move;
pub(crate) mod insertion_sort;
pub(crate) mod keyed;
pub mod narrow;
pub(crate) mod node_budget;
pub mod params;
pub(crate) mod places;
pub(crate) mod root;
pub(crate) mod scratch;
pub(crate) mod selection;
pub(crate) mod split;
pub(crate) mod steps;
pub(crate) mod store;
pub mod vote;
