//! The solvers of whole games, in one program: every file with games in it takes long to build.

mod backward;
mod cfr;
mod checkpoints;
mod common;
mod compiled;
mod exploitability;
mod grids;
mod lp;
mod simultaneous;
mod solve;
mod speed;
