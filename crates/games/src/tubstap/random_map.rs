//! Maps drawn at random: for tests of agents on maps that nobody has tuned them to (`tubstap/4.4`).
//!
//! Ground and armies are symmetric about the centre of the map, so neither side has the better half; who moves first is
//! all that differs. Tanks can get from one army to the other.

use fogtree_core::{Purpose, Rng, Seed};

use super::map::{MOST_CELLS, MOST_UNITS, Map, Placed};
use super::movement::Ground;
use super::terrain::Terrain;
use super::units::{Kind, MOST_HP};

/// What a map is to be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draft {
    /// What the map follows from.
    pub seed: u64,
    /// How many columns.
    pub columns: u8,
    /// How many rows.
    pub rows: u8,
    /// The units of each side.
    pub units: u8,
}

impl Draft {
    /// The draft that a text asks for: `random`, `random:7`, `random:7:8x6` or `random:7:8x6:5`, for seed, size and
    /// units. Nothing if it asks for something else.
    pub fn parse(text: &str) -> Option<Result<Draft, String>> {
        let mut parts = text.split(':');
        if parts.next() != Some("random") {
            return None;
        }
        Some(Draft::of(parts.collect()))
    }

    fn of(parts: Vec<&str>) -> Result<Draft, String> {
        let number = |text: &str| text.parse::<u64>().map_err(|_| format!("'{text}' is not a number"));
        let seed = parts.first().map_or(Ok(1), |text| number(text))?;
        let size = match parts.get(1) {
            None => (8, 8),
            Some(text) => {
                let (columns, rows) = text.split_once('x').ok_or("a size is written as in 8x6")?;
                (number(columns)?, number(rows)?)
            }
        };
        let units = parts.get(2).map_or(Ok(6), |text| number(text))?;
        if parts.len() > 3 {
            return Err("there is too much of it".to_string());
        }
        let fits = (3..=64).contains(&size.0) && (1..=64).contains(&size.1);
        if !fits || size.0 * size.1 > MOST_CELLS as u64 {
            return Err(format!("a map has at least 3 columns and a row, and at most {MOST_CELLS} cells"));
        }
        let (columns, rows) = (size.0 as u8, size.1 as u8);
        let room = u64::from(home(columns)) * u64::from(rows);
        if units == 0 || units > MOST_UNITS as u64 || units > room {
            return Err(format!("each side has 1 to {} units there", room.min(MOST_UNITS as u64)));
        }
        Ok(Draft { seed, columns, rows, units: units as u8 })
    }

    /// The map.
    pub fn map(self) -> Map {
        let mut rng = Seed(self.seed).named("tubstap-map").stream(Purpose::Deal);
        for _ in 0..100 {
            let map = self.draw(&mut rng, true);
            if is_connected(&map) {
                return map;
            }
        }
        self.draw(&mut rng, false)
    }

    fn draw(self, rng: &mut Rng, rough: bool) -> Map {
        let cells = usize::from(self.columns) * usize::from(self.rows);
        let mut terrain = vec![Terrain::Plain; cells];
        for cell in 0..cells.div_ceil(2) {
            let kind = if rough { GROUND[rng.weighted(SHARES.iter().copied())] } else { Terrain::Plain };
            terrain[cell] = kind;
            terrain[cells - 1 - cell] = kind;
        }
        let mut free: Vec<u8> =
            (0..cells as u8).filter(|cell| cell % self.columns < home(self.columns)).collect();
        let mut units: [Vec<Placed>; 2] = Default::default();
        for number in 0..self.units {
            let kind = if number == 0 { Kind::Panzer } else { *rng.pick(&Kind::ALL) };
            let cell = free.swap_remove(rng.below(free.len() as u32) as usize);
            let hp = if kind.is_air() { MOST_HP / 2 } else { MOST_HP };
            let other = cells as u8 - 1 - cell;
            // Whoever stands there can stand there.
            if terrain[usize::from(cell)].cost(kind).is_none() {
                terrain[usize::from(cell)] = Terrain::Plain;
                terrain[usize::from(other)] = Terrain::Plain;
            }
            units[0].push(Placed { kind, cell, hp, acted: false });
            units[1].push(Placed { kind, cell: other, hp, acted: false });
        }
        Map {
            columns: self.columns,
            rows: self.rows,
            terrain,
            units,
            limit: 40,
            threshold: 1,
            author: b"Fogtree".to_vec(),
            comment: format!("drawn at random from {}", self.seed).into_bytes(),
        }
    }
}

/// How many columns of each side armies begin in.
const fn home(columns: u8) -> u8 {
    columns / 3
}

const GROUND: [Terrain; 6] =
    [Terrain::Plain, Terrain::Wood, Terrain::Road, Terrain::Mountain, Terrain::Sea, Terrain::Fortress];
const SHARES: [f64; 6] = [0.5, 0.2, 0.12, 0.1, 0.06, 0.02];

/// Whether the first tank of Red can get to that of Blue if nobody is in its way.
fn is_connected(map: &Map) -> bool {
    let ground = Ground::of(map);
    let enterable = ground.enterable(Kind::Panzer);
    let mut reached = 1u64 << map.units[0][0].cell;
    loop {
        let next = reached | ground.around(reached) & enterable;
        if next == reached {
            return reached >> map.units[1][0].cell & 1 == 1;
        }
        reached = next;
    }
}
