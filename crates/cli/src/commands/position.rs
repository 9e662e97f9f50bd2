//! Positions from the command line: a game, moves, perhaps a seed; or a step of a record.

use std::path::Path;

use fogtree_core::files::read_text;
use fogtree_core::{Purpose, Record, Seed, Turn};
use fogtree_table::{AnyGame, AnyTable};

use crate::failure::Failure;

/// The position after some moves. With a seed, chance draws from it and the words are the players' alone.
pub(crate) fn after_moves(
    game: &dyn AnyGame,
    words: &str,
    seed: Option<u64>,
) -> Result<Box<dyn AnyTable>, Failure> {
    let mut table = game.table();
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some(seed) = seed else {
        table.play_words(&words)?;
        return Ok(table);
    };
    let mut deal = Seed(seed).stream(Purpose::Deal);
    let mut left = &words[..];
    loop {
        while table.turn() == Turn::Chance {
            table.draw(&mut deal);
        }
        let needed = table.turn().players().len().max(1).min(left.len());
        if needed == 0 {
            return Ok(table);
        }
        table.play_words(&left[..needed])?;
        left = &left[needed..];
    }
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
