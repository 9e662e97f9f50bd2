use fogtree_core::{
    Evaluations, Event, Horizon, Metrics, PerfectInfoVariant, Policies, Policy, Purpose, Seed, Selective,
    SelectiveSearch,
};

use super::fog::Fog;
use super::*;
use crate::testing::{after, legal};

mod fog_of_war;
mod map_files;
mod own_knowledge;
mod play;
mod second_opinion;
mod worlds;

fn params(text: &str) -> Params {
    let spec = format!("tubstap({text})").parse().unwrap();
    ABOUT.params(&spec).unwrap()
}

fn game(text: &str) -> Tubstap {
    Tubstap::from_params(&params(text)).unwrap()
}

fn rng(seed: u64) -> Rng {
    Seed(seed).named("tubstap").stream(Purpose::Playout)
}

/// A game on a map drawn here: rows of terrain codes; units as kind, cell, side, hit points.
fn field(rows: &[&str], units: &[(char, &str, usize, u8)], limit: u16, text: &str) -> Tubstap {
    let terrain: Vec<Terrain> =
        rows.iter().flat_map(|row| row.bytes()).map(|code| Terrain::ALL[usize::from(code - b'0')]).collect();
    let columns = rows[0].len() as u8;
    let mut map = Map {
        columns,
        rows: rows.len() as u8,
        terrain,
        units: Default::default(),
        limit,
        threshold: 0,
        author: Vec::new(),
        comment: Vec::new(),
    };
    for &(letter, cell, side, hp) in units {
        let kind = Kind::of_letter(letter).unwrap();
        map.units[side].push(Placed { kind, cell: at(columns, cell), hp, acted: false });
    }
    let params = params(text);
    let muster = Muster::from_params(&params, &map).unwrap();
    let mut battle = Battle::new(map, Fog::from_params(&params).unwrap(), muster);
    battle.end_turn = params.flag("end-turn").unwrap();
    battle.surrender = params.flag("surrender").unwrap();
    Tubstap {
        rules: Tracked::new(battle, TrackedMethod::Exact { limit: MOST_WORLDS }),
        method: Method::from_params(&params).unwrap(),
    }
}

fn at(columns: u8, cell: &str) -> u8 {
    let (column, row) = (cell.as_bytes()[0] - b'a', cell.as_bytes()[1] - b'1');
    row * columns + column
}

/// What a seat sees of the last of some actions, in words.
fn sees(game: &Tubstap, names: &str, seat: u8) -> String {
    let (before, last) = names.rsplit_once(' ').unwrap_or(("", names));
    let state = after(game, before);
    let action = game.parse_action(last).unwrap();
    let by = Observer::Seat(Player(seat));
    let moves = [(state.inner.mover(), action)];
    game.observe(&state, Step::Moves(&moves), by).map_or_else(String::new, |seen| game.explain(&seen, by))
}
