//! The rules of the game, chapter by chapter, on positions written down for the purpose.

use std::collections::BTreeSet;

use fogtree_core::play::{IllegalStep, play, read_ply};
use fogtree_core::{Purpose, Seed};

use super::*;

use crate::testing::legal;

mod cards;
mod characters;
mod endings;
mod knowledge;
mod movement;
mod setup;

fn try_game(params: &str) -> Result<Confrontation, BadSpec> {
    Confrontation::from_params(&crate::testing::params(&ABOUT, params)?)
}

fn game(params: &str) -> Confrontation {
    try_game(params).unwrap()
}

/// A position as in `frodo@shire orcs@gondor`, everybody else dead, with a player to move.
fn scene(rules: &Confrontation, pieces: &str, mover: Player) -> State {
    let mut s = rules.start();
    s.board.at = [DEAD; 2 * EACH];
    s.board.counts = [0; 2];
    for piece in pieces.split_whitespace() {
        let (who, at) = piece.split_once('@').unwrap();
        let (c, at) = (Character::parse(who).unwrap(), rules.map.parse(at).unwrap());
        s.board.at[c as usize] = at.0;
        s.board.counts[c.side()] += at.bit();
    }
    s.board.phase = Phase::Move(mover);
    s
}

/// Plays moves written as words.
fn go(rules: &Confrontation, s: &State, moves: &str) -> Result<State, IllegalStep> {
    let mut s = s.clone();
    let mut words = moves.split_whitespace();
    while let Some(ply) = read_ply(rules, &s, &mut words)? {
        play(rules, &mut s, ply.step())?;
    }
    Ok(s)
}

/// The position after some moves.
fn after(pieces: &str, mover: Player, moves: &str) -> State {
    let rules = game("");
    go(&rules, &scene(&rules, pieces, mover), moves).unwrap()
}

/// Where the living stand, as `frodo@shire`, sorted by character.
fn board(s: &State) -> String {
    let rules = game("");
    let living = Character::ALL.into_iter().filter(|c| s.board.lives(*c));
    let text: Vec<_> =
        living.map(|c| format!("{}@{}", c.name(), rules.map.name(s.board.region(c)))).collect();
    text.join(" ")
}

fn winner(s: &State) -> Option<Player> {
    match s.board.phase {
        Phase::Over(winner) => winner,
        _ => panic!("the game goes on: {:?}", s.board.phase),
    }
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_string).collect()
}
