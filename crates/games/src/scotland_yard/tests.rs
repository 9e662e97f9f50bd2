use fogtree_core::text::plain;
use fogtree_core::{Game, HiddenPart, Purpose, Seed, random_step};

use super::*;

use crate::testing::{self, after};

mod boards;
mod knowledge;
mod play;

const LONDON: &str = include_str!("../../data/boards/london.txt");

const SEEKING: Observer = Observer::Seat(SEEKERS);

fn try_game(params: &str) -> Result<ScotlandYard, BadSpec> {
    ScotlandYard::from_params(&crate::testing::params(&ABOUT, params)?)
}

fn game(params: &str) -> ScotlandYard {
    try_game(params).unwrap()
}

/// A game on a board of one's own.
fn game_on(board: &str, params: &str) -> ScotlandYard {
    ScotlandYard { board: Board::read(board).unwrap(), ..game(params) }
}

fn legal(rules: &ScotlandYard, s: &State) -> String {
    testing::legal(rules, s).join(" ")
}

/// The stations where the seekers think Mr X may be, with the ways to get there, as people number them.
fn worlds(rules: &ScotlandYard, s: &State) -> Vec<(u32, u32)> {
    let known = rules.info(s, SEEKING);
    rules.worlds(&known.seen).into_iter().map(|(station, ways)| (u32::from(station) + 1, ways)).collect()
}
