//! `fogtree replay`: a recorded game again.

use fogtree_core::record::Header;
use fogtree_core::{Observer, Player, Turn};
use fogtree_table::wire::{Position, SeatPosition};
use fogtree_table::{AnyTable, Registry};

use super::position::read_record;
use super::show;
use crate::arguments::{Picture, Replay};
use crate::failure::Failure;
use crate::output::{emit, emit_json};

/// Shows every position of a recorded game, or one of them. For a seat these are the positions that it can
/// tell apart, counted by themselves: it may not even notice that others have moved.
pub(crate) fn run(registry: &Registry, arguments: &Replay, json: bool) -> Result<(), Failure> {
    let record = read_record(&arguments.record, arguments.number)?;
    let game = registry.game(&record.header.game)?;
    let players = game.facts().players;
    let seat = arguments.seat.map(Player);
    if let Some(seat) = seat.filter(|s| s.index() >= players) {
        return Err(Failure::Input(format!("--seat {seat}: the game has the seats 0 to {}", players - 1)));
    }
    let spec = match seat {
        Some(seat) => registry.told(&record.header.game, seat)?,
        None => record.header.game.clone(),
    };
    let whole = game.replay(&record, record.steps.len())?;
    let positions = match seat {
        Some(seat) => told_apart(&*whole, seat),
        None => (0..=whole.steps()).collect(),
    };
    let last = positions.len() - 1;
    let numbers = match arguments.at {
        None => 0..=last,
        Some(at) if at <= last => at..=at,
        Some(at) => return Err(Failure::Input(format!("--at {at}: there are {last} steps"))),
    };
    if !json {
        emit(&format!("{spec}, played by {}\n", played_by(&record.header)))?;
    }
    let to_the_end = *numbers.end() == last;
    for at in numbers {
        let table = &*position(&*whole, positions[at]);
        if let Some(folder) = &arguments.svg {
            let scene = seat.map_or_else(|| table.true_scene(), |seat| table.scene(Observer::Seat(seat)));
            let path = folder.join(format!("{at:03}.svg"));
            std::fs::create_dir_all(folder)
                .map_err(|why| Failure::Run(format!("cannot make the folder {}: {why}", folder.display())))?;
            show::write(&Picture { svg: Some(path), png: None, dark: false }, &scene, None)?;
        } else if json {
            let step = Some(at);
            match seat {
                Some(seat) => emit_json(&SeatPosition { step, ..SeatPosition::of(seat, &spec, table) })?,
                None => emit_json(&Position { step, ..Position::of(&spec, players, table) })?,
            }
        } else {
            emit(&shown(at, table, seat))?;
        }
    }
    if !json
        && to_the_end
        && let Some(rewards) = &record.rewards
    {
        emit(&format!("\nrewards: {rewards:?}\n"))?;
    }
    Ok(())
}

/// The position after so many steps.
fn position(whole: &dyn AnyTable, steps: usize) -> Box<dyn AnyTable> {
    let mut table = whole.fork();
    table.wind_back(steps);
    table
}

/// After how many steps a seat sees something new, or has to move, or hears that the game is over.
fn told_apart(whole: &dyn AnyTable, seat: Player) -> Vec<usize> {
    let known = |steps| {
        let table = position(whole, steps);
        let turn = table.turn();
        (table.key(Observer::Seat(seat)), turn.players().contains(seat), turn == Turn::Terminal)
    };
    let mut positions: Vec<_> = (0..=whole.steps()).map(|steps| (known(steps), steps)).collect();
    positions.dedup_by_key(|(known, _)| *known);
    positions.into_iter().map(|(_, steps)| steps).collect()
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
