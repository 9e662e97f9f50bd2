//! `fogtree state`: a position, for people and for scripts.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};

use fogtree_core::{Observer, Player, Seed, Turn};
use fogtree_table::wire::Position;
use fogtree_table::{AnyGame, AnyTable, Registry, after_moves};
use serde_json::json;

use crate::arguments::State;
use crate::failure::Failure;
use crate::output::{emit, emit_json};

/// The longest line that is read from the standard input.
const LONGEST_LINE: u64 = 1 << 20;

/// The most games that are kept for further lines of the standard input.
const MOST_GAMES: usize = 64;

/// Shows one position, or answers positions line by line.
pub(crate) fn run(registry: &Registry, arguments: &State, json: bool) -> Result<(), Failure> {
    if arguments.stdin {
        return answer_lines(registry);
    }
    let spec = arguments.game.as_deref().unwrap_or_default();
    let game = registry.game(spec)?;
    let table = after_moves(&*game, &arguments.moves, arguments.seed.map(Seed))?;
    if json {
        return emit_json(&Position::of(spec, game.facts().players, &*table));
    }
    emit(&for_people(game.facts().players, &*table))
}

/// The position as a person reads it.
pub(crate) fn for_people(players: usize, table: &dyn AnyTable) -> String {
    let mut text = String::new();
    for p in Player::all(players) {
        let by = Observer::Seat(p);
        text += &format!("player {p} sees:\n{}\ninformation set {}\n\n", table.view(by), table.key(by));
    }
    text += &match table.turn() {
        Turn::Terminal => {
            let rewards = table.rewards().unwrap_or_default();
            let rewards: Vec<_> = rewards.iter().map(f64::to_string).collect();
            format!("the game is over; rewards: {}\n", rewards.join(" "))
        }
        Turn::Chance => match table.chance() {
            None => "chance draws from more outcomes than can be listed\n".to_string(),
            Some(outcomes) => {
                let outcomes: Vec<_> = outcomes.iter().map(|(name, p)| format!("{name} ({p:.4})")).collect();
                format!("chance draws: {}\n", outcomes.join(" "))
            }
        },
        turn => turn
            .players()
            .iter()
            .map(|p| format!("player {p} to move: {}\n", table.legal(p).join(" ")))
            .collect(),
    };
    text
}

/// Answers every line with one line. Bad lines are answered with an error and make the exit code 2.
fn answer_lines(registry: &Registry) -> Result<(), Failure> {
    let mut input = BufReader::new(std::io::stdin().lock());
    let mut output = std::io::BufWriter::new(std::io::stdout().lock());
    let mut games: HashMap<String, Box<dyn AnyGame>> = HashMap::new();
    let (mut number, mut bad) = (0u64, None);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::Input(format!("cannot read the standard input: {error}")))? == 0 {
            break;
        }
        number += 1;
        let whole = line.last() == Some(&b'\n') || (line.len() as u64) < LONGEST_LINE;
        let answer = if whole {
            answer(registry, &mut games, &line)
        } else {
            skip_line(&mut input).map_err(|error| Failure::Input(error.to_string()))?;
            Err(Failure::Input(format!("the line is longer than {LONGEST_LINE} bytes")))
        };
        match answer {
            Ok(position) => serde_json::to_writer(&mut output, &position).map_err(std::io::Error::from)?,
            Err(failure) => {
                bad.get_or_insert((number, failure.to_string()));
                write!(output, "{}", json!({"error": failure.to_string()}))?;
            }
        }
        writeln!(output)?;
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()?;
    match bad {
        None => Ok(()),
        Some((line, why)) => Err(Failure::Input(format!("line {line}: {why}"))),
    }
}

fn skip_line(input: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}

fn answer(
    registry: &Registry,
    games: &mut HashMap<String, Box<dyn AnyGame>>,
    line: &[u8],
) -> Result<Position, Failure> {
    let text = std::str::from_utf8(line).map_err(|_| Failure::Input("the line is not text".to_string()))?;
    let (spec, words) = text.trim_end_matches(['\n', '\r']).split_once('\t').ok_or_else(|| {
        Failure::Input("expected GAME<TAB>moves, with a tab even if there are no moves".to_string())
    })?;
    if !games.contains_key(spec) {
        if games.len() >= MOST_GAMES {
            games.clear();
        }
        games.insert(spec.to_string(), registry.game(spec)?);
    }
    let game = &*games[spec];
    let table = after_moves(game, words, None)?;
    Ok(Position::of(spec, game.facts().players, &*table))
}
