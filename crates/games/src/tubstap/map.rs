//! Maps: the ground, who stands where at the start, and when the game is adjudicated.

use super::terrain::Terrain;
use super::units::Kind;

/// The most cells of a map, its border not counted: sets of cells are words of so many bits.
pub const MOST_CELLS: usize = 64;

/// The most units of a side.
pub const MOST_UNITS: usize = 16;

/// The most turns of both sides together.
pub const MOST_TURNS: u16 = 1000;

/// A unit at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// What it is.
    pub kind: Kind,
    /// Where it stands, counted row by row from the top left, the border left out.
    pub cell: u8,
    /// Its hit points.
    pub hp: u8,
    /// Whether it must sit out the first turn of its side.
    pub acted: bool,
}

/// A map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// How many columns, the border left out.
    pub columns: u8,
    /// How many rows.
    pub rows: u8,
    /// The ground, row by row.
    pub terrain: Vec<Terrain>,
    /// The units of Red and of Blue. Red's are numbered first, both in the order given.
    pub units: [Vec<Placed>; 2],
    /// The game is adjudicated after so many turns, both sides' counted.
    pub limit: u16,
    /// Whoever is ahead by no more than this has only drawn.
    pub threshold: u16,
    /// Who made the map. The public maps have Shift-JIS here, so it is bytes.
    pub author: Vec<u8>,
    /// What was said about it.
    pub comment: Vec<u8>,
}

impl Map {
    /// Why nobody could play on this map, if so.
    pub(super) fn fault(&self) -> Option<String> {
        let none = |side: usize| self.units[side].is_empty();
        if none(0) || none(1) {
            return Some("a side has no units, so there is nothing to win".to_string());
        }
        let hurts = |a: usize, b: usize| {
            self.units[a].iter().any(|u| self.units[b].iter().any(|v| u.kind.effect(v.kind) > 0))
        };
        if !hurts(0, 1) && !hurts(1, 0) {
            return Some("no unit can hurt any enemy, so nobody can win".to_string());
        }
        None
    }

    /// How many cells.
    pub fn cells(&self) -> usize {
        self.terrain.len()
    }

    /// The cell opposite through the centre of the map.
    pub fn mirrored(&self, cell: u8) -> u8 {
        self.cells() as u8 - 1 - cell
    }
}

/// The maps that come with the game: name, file, what it is.
pub const MAPS: &[(&str, &str, &str)] = &[
    (
        "fujiki",
        include_str!("maps/fujiki.tbsmap"),
        "8x8, eight units each: GPW_fujiki, the map of the experiments",
    ),
    ("map01", include_str!("maps/map01.tbsmap"), "6x6, six units each: infantry, tanks, artillery"),
    ("ford", include_str!("maps/ford.tbsmap"), "8x6, five units each beside a river with two crossings"),
    ("ridge", include_str!("maps/ridge.tbsmap"), "6x5, four units each on both sides of a mountain ridge"),
    ("pass", include_str!("maps/pass.tbsmap"), "4x3, two units against two around a mountain"),
    ("ambush", include_str!("maps/ambush.tbsmap"), "4x2, infantry against two; the tiny instance"),
    ("battery", include_str!("maps/battery.tbsmap"), "5x1, artillery behind infantry against a tank"),
];
