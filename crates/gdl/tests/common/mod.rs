//! Sheets for the tests.
#![allow(dead_code, reason = "not every test needs everything")]

use fogtree_gdl::{Interpreter, Limits, Reasoner, Sheet, TermId};

/// The names of our own sheets.
pub(crate) const OWN: [&str; 15] = [
    "all-in-or-fold",
    "blind-breakthrough",
    "bomberman",
    "breakthrough",
    "connect-four",
    "krieg-tic-tac-toe-3x3",
    "krieg-tic-tac-toe-4x4",
    "krieg-tic-tac-toe-5x5",
    "kuhn-poker",
    "latent-tic-tac-toe",
    "mastermind",
    "meier",
    "monty-hall",
    "phantom-tic-tac-toe",
    "tic-tac-toe",
];

/// The text of one of our own sheets.
pub(crate) fn own_text(name: &str) -> String {
    let path = format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The folder with public sheets, which are not ours to hand on, if the environment names one.
pub(crate) fn public_folder() -> Option<std::path::PathBuf> {
    std::env::var_os("FOGTREE_GDL_SHEETS").map(Into::into)
}

/// The text of one of the public sheets, if they are there.
pub(crate) fn public_text(name: &str) -> Option<String> {
    let path = public_folder()?.join(format!("{name}.gdl"));
    Some(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

pub(crate) fn interpret(text: &str) -> Interpreter {
    let sheet = Sheet::read(text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    Interpreter::new(&sheet, Limits::default()).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

pub(crate) fn own(name: &str) -> Interpreter {
    interpret(&own_text(name))
}

pub(crate) fn public(name: &str) -> Option<Interpreter> {
    public_text(name).map(|text| interpret(&text))
}

pub(crate) fn shown<R: Reasoner>(game: &R, ids: &[TermId]) -> Vec<String> {
    ids.iter().map(|&id| game.terms().show(id).to_string()).collect()
}

pub(crate) fn legal<R: Reasoner>(game: &R, state: &R::State, role: usize) -> Vec<String> {
    let mut out = Vec::new();
    game.legal(state, role, &mut out).unwrap();
    shown(game, &out)
}

pub(crate) fn percepts<R: Reasoner>(
    game: &R,
    state: &R::State,
    moves: &[TermId],
    role: usize,
) -> Vec<String> {
    let mut out = Vec::new();
    game.percepts(state, moves, role, &mut out).unwrap();
    shown(game, &out)
}

pub(crate) fn fluents<R: Reasoner>(game: &R, state: &R::State) -> Vec<String> {
    let mut out = Vec::new();
    game.fluents(state, &mut out);
    shown(game, &out)
}

/// The joint move that these texts are.
pub(crate) fn joint<R: Reasoner>(game: &R, moves: &[&str]) -> Vec<TermId> {
    moves.iter().map(|m| game.terms().parse(m).unwrap_or_else(|| panic!("{m}"))).collect()
}

/// Makes the joint moves, one after the other.
pub(crate) fn after<R: Reasoner>(game: &R, moves: &[&[&str]]) -> R::State {
    let first = game.initial().unwrap();
    moves.iter().fold(first, |state, m| game.next(&state, &joint(game, m)).unwrap())
}
