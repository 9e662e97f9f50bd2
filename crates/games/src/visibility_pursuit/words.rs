//! Names of places and ways, what observations say, and pictures of maps.

use fogtree_core::text::{Colour, paint};
use fogtree_core::{Observation, Observer};

use super::map::{Map, NOWHERE, Shape};
use super::places::Places;
use super::{EVADER, MOST_PURSUERS, PURSUERS, Tracks, VisibilityPursuit};

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

    /// The map with the units that are known and a region where others may be.
    pub(super) fn picture(&self, tracks: &Tracks, time: usize, region: &Places) -> String {
        let units = (0..=self.pursuers).map(|unit| (unit, tracks[unit][time]));
        let units: Vec<(usize, u16)> = units.filter(|unit| unit.1 != NOWHERE).collect();
        let mut out = String::new();
        match &self.map.shape {
            Shape::Grid(width) => {
                for place in 0..self.map.numbers() as u16 {
                    if usize::from(place) % width == 0 && place > 0 {
                        out.push('\n');
                    }
                    out += &self.cell(place, &units, region);
                }
            }
            Shape::Points(points) => out += &self.town(points, &units, region),
        }
        out += "\n";
        for (unit, place) in &units {
            let name = if *unit == 0 { "evader".to_string() } else { format!("pursuer {unit}") };
            let ways = self.map.ways(*place).iter().map(|&(way, to)| match self.map.shape {
                Shape::Grid(_) => self.map.way_name(way),
                Shape::Points(_) => format!("{}={}", self.map.way_name(way), self.map.name(to)),
            });
            let ways: Vec<String> = ways.collect();
            out += &format!("\n{name} at {}: {}", self.map.name(*place), ways.join(" "));
        }
        out + &format!("\nstep {time} of {}, {} places out of sight are possible", self.steps, region.len())
    }

    fn cell(&self, place: u16, units: &[(usize, u16)], region: &Places) -> String {
        let mut here = units.iter().filter(|unit| unit.1 == place).map(|unit| unit.0);
        match (here.next(), here.next()) {
            (Some(0), Some(_)) => paint(Colour::Purple, "*"),
            (Some(0), None) => paint(Colour::Green, "E"),
            (Some(_), _) => paint(Colour::Red, "P"),
            _ if !self.map.open().contains(place) => "#".to_string(),
            _ if region.contains(place) => paint(Colour::Yellow, "o"),
            _ => paint(Colour::Dim, "."),
        }
    }

    /// A rough plan of a map of points: each point in the character it falls into, units above all else.
    fn town(&self, points: &[(f64, f64)], units: &[(usize, u16)], region: &Places) -> String {
        const WIDTH: usize = 76;
        let least = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (left, top) = (least(|p| p.0), least(|p| p.1));
        let scale = (WIDTH - 1) as f64 / (most(|p| p.0) - left).max(1e-9);
        // Characters are about twice as high as wide.
        let row = |y: f64| (((y - top) * scale / 2.0).min(59.0)) as usize;
        let mut plan = vec![vec![(0, NOWHERE); WIDTH]; row(most(|p| p.1)) + 1];
        for (place, point) in (0..).zip(points) {
            let rank = match units.iter().any(|unit| unit.1 == place) {
                true => 3,
                false if region.contains(place) => 2,
                false => 1,
            };
            let at = &mut plan[row(point.1)][((point.0 - left) * scale) as usize];
            if rank > at.0 {
                *at = (rank, place);
            }
        }
        let line = |line: &Vec<(u8, u16)>| {
            let cell = |&(rank, place): &(u8, u16)| match rank {
                0 => " ".to_string(),
                _ => self.cell(place, units, region),
            };
            line.iter().map(cell).collect::<String>()
        };
        plan.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
