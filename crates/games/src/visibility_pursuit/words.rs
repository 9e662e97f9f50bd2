//! Names of places and ways, and what observations say.

use fogtree_core::{Observation, Observer};

use super::map::{Map, Shape};
use super::{EVADER, MOST_PURSUERS, PURSUERS, VisibilityPursuit};

const DIRECTIONS: [&str; 5] = ["stay", "north", "west", "east", "south"];
const LETTERS: [&str; 8] = ["stay", "a", "b", "c", "d", "e", "f", "g"];

impl Map {
    /// The name of a place: column and row on a grid, a number elsewhere, all from 1.
    pub fn name(&self, place: u16) -> String {
        match self.shape {
            Shape::Grid(width) => {
                format!("{}.{}", usize::from(place) % width + 1, usize::from(place) / width + 1)
            }
            Shape::Points(_) => (u32::from(place) + 1).to_string(),
        }
    }

    /// The place with this name, if a unit may be there.
    pub fn parse(&self, name: &str) -> Option<u16> {
        let number = |text: &str| text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let place = match self.shape {
            Shape::Grid(width) => {
                let (column, row) = name.split_once('.')?;
                number(row)?.checked_mul(width)?.checked_add(number(column)?)?
            }
            Shape::Points(_) => number(name)?,
        };
        let place = u16::try_from(place).ok().filter(|&place| usize::from(place) < self.numbers())?;
        (self.open().contains(place) && self.name(place) == name).then_some(place)
    }

    pub(super) fn way_name(&self, way: u8) -> String {
        let names = if let Shape::Grid(_) = self.shape { &DIRECTIONS[..] } else { &LETTERS[..] };
        names[usize::from(way)].to_string()
    }

    pub(super) fn parse_way(&self, name: &str) -> Option<u8> {
        let names = if let Shape::Grid(_) = self.shape { &DIRECTIONS[..] } else { &LETTERS[..] };
        names.iter().position(|known| *known == name).map(|way| way as u8)
    }
}

impl VisibilityPursuit {
    /// What an observation says.
    pub(super) fn tell(&self, seen: &Observation, by: Observer) -> String {
        let place = |word: u64| {
            let place = (word & 0xffff).checked_sub(1).map(|place| place as u16);
            place.filter(|&place| usize::from(place) < self.map.numbers()).map(|place| self.map.name(place))
        };
        if by.is(PURSUERS) {
            return match place(seen.first()) {
                Some(place) => format!("seen at {place}"),
                None => "nothing in sight".to_string(),
            };
        }
        if !by.is(EVADER) {
            return "time passes".to_string();
        }
        let told = (0..MOST_PURSUERS).filter_map(|i| {
            place(seen.first() >> (16 * i)).map(|place| format!("pursuer {} is at {place}", i + 1))
        });
        let told: Vec<String> = told.collect();
        if told.is_empty() { "nothing in sight".to_string() } else { told.join(", ") }
    }
}
