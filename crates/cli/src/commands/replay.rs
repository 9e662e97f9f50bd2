//! `fogtree replay`: a recorded game again.

use fogtree_core::record::Header;
use fogtree_core::{Observer, Player};
use fogtree_table::{AnyTable, Registry, describe};
use serde_json::json;

use super::position::read_record;
use crate::arguments::Replay;
use crate::failure::Failure;
use crate::output::{emit, emit_line};

/// Shows every position of a recorded game, or one of them.
pub(crate) fn run(registry: &Registry, arguments: &Replay, json: bool) -> Result<(), Failure> {
    let record = read_record(&arguments.record, arguments.number)?;
    let spec = &record.header.game;
    let game = registry.game(spec)?;
    let players = game.facts().players;
    let seat = arguments.seat.map(Player);
    if let Some(seat) = seat.filter(|s| s.index() >= players) {
        return Err(Failure::Input(format!("--seat {seat}: the game has the seats 0 to {}", players - 1)));
    }
    let last = record.steps.len();
    let steps = match arguments.at {
        None => 0..=last,
        Some(at) if at <= last => at..=at,
        Some(at) => return Err(Failure::Input(format!("--at {at}: the record has {last} steps"))),
    };
    let whole = game.replay(&record, last)?;
    if !json {
        emit(&format!("{spec}, played by {}\n", played_by(&record.header)))?;
    }
    for at in steps {
        let mut table = whole.fork();
        table.wind_back(at);
        if json {
            let mut value = describe(spec, players, &*table);
            value["step"] = json!(at);
            emit_line(&value.to_string())?;
        } else {
            emit(&shown(at, &*table, seat))?;
        }
    }
    if !json && let Some(rewards) = &record.rewards {
        emit(&format!("\nrewards: {rewards:?}\n"))?;
    }
    Ok(())
}

/// The agents by seat, cheats marked.
fn played_by(header: &Header) -> String {
    let name = |(agent, seat): (&String, u8)| match header.cheating.contains(&seat) {
        true => format!("{agent} (cheating)"),
        false => agent.clone(),
    };
    header.agents.iter().zip(0..).map(name).collect::<Vec<_>>().join(" and ")
}

fn shown(at: usize, table: &dyn AnyTable, seat: Option<Player>) -> String {
    match seat {
        None => {
            let names = table.last_names();
            let what = if names.is_empty() { "start".to_string() } else { names.join(" ") };
            format!("\n{at}. {what}\n{}\n", table.show())
        }
        Some(seat) => format!("\n{at}.\n{}\n", table.view(Observer::Seat(seat))),
    }
}
