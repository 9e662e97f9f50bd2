//! Searches that look at every line as far as they may: minimax and its kin, alone and over the worlds of an
//! information set.

pub mod alpha_beta;
pub mod belief;
pub mod entry;
pub mod expectimax;
pub mod minimax;
pub mod star_minimax;
