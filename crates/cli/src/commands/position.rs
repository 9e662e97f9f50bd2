//! Positions from the command line: a game, moves, perhaps a seed; or a step of a record.

use std::path::Path;

use fogtree_core::files::read_text;
use fogtree_core::{Player, Purpose, Record, Seed, Turn};
use fogtree_table::{AnyGame, AnyTable, after_moves, play_at_random};

use crate::arguments::Position;
use crate::failure::Failure;

/// The position that somebody asks to see.
pub(crate) fn asked(game: &dyn AnyGame, position: &Position) -> Result<Box<dyn AnyTable>, Failure> {
    let nothing_given = position.moves.trim().is_empty() && game.table().turn() == Turn::Chance;
    let seed = position.seed.or((nothing_given || position.random > 0).then_some(1));
    let mut table = after_moves(game, &position.moves, seed.map(Seed))?;
    let mut rng = Seed(seed.unwrap_or(1)).named("random").stream(Purpose::Deal);
    play_at_random(&mut *table, position.random, &mut rng);
    Ok(table)
}

/// A seat of the game, if it has it.
pub(crate) fn seat_of(game: &dyn AnyGame, seat: u8) -> Result<Player, Failure> {
    let players = game.facts().players;
    let refusal = || Failure::Input(format!("--seat {seat}: the game has the seats 0 to {}", players - 1));
    Some(Player(seat)).filter(|p| p.index() < players).ok_or_else(refusal)
}

/// Larger files of records are not read.
const LARGEST_RECORDS: u64 = 1 << 30;

/// One game of a file of records, counted from 1.
pub(crate) fn read_record(path: &Path, number: usize) -> Result<Record, Failure> {
    let bad = |why: String| Failure::Input(format!("{}: {why}", path.display()));
    let text = read_text(path, LARGEST_RECORDS).map_err(bad)?;
    let records = Record::split(&text);
    let text = number
        .checked_sub(1)
        .and_then(|i| records.get(i))
        .ok_or_else(|| bad(format!("there is no game {number}; it holds {}", records.len())))?;
    Record::from_lines(text).map_err(|error| bad(error.to_string()))
}
