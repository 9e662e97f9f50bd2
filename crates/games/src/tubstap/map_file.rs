//! The public `.tbsmap` format: text without regard to line breaks, in pieces `KEY[value];`.
//!
//! Keys come in any order and unknown ones are passed over. Comments may be in any encoding: only bytes that
//! mean something are looked at. In a double-byte comment a `]` may be half a character, so a value ends at the
//! last `]` of its piece.

use std::fmt;

use super::map::{MOST_CELLS, MOST_TURNS, MOST_UNITS, Map, Placed};
use super::terrain::Terrain;
use super::units::{Kind, MOST_HP};

/// Why a file is not a map, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct MapError {
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in bytes.
    pub column: u32,
    /// What is wrong.
    pub what: String,
}

/// Where something stands in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: u32,
    column: u32,
}

impl Place {
    fn error(self, what: impl fmt::Display) -> MapError {
        MapError { line: self.line, column: self.column, what: what.to_string() }
    }
}

/// Some bytes and where each of them stands.
type Text = [(u8, Place)];

/// A piece `KEY[value]`.
struct Piece<'a> {
    key: String,
    at: Place,
    value: &'a Text,
    value_at: Place,
}

/// The largest file that is read.
pub(super) const LARGEST_FILE: u64 = 1 << 16;

impl Map {
    /// Reads a map file.
    pub fn read(file: &[u8]) -> Result<Map, MapError> {
        let (bytes, end) = placed(file);
        let mut reader = Reader::default();
        for piece in bytes.split(|(byte, _)| *byte == b';') {
            if let Some(piece) = Piece::of(piece)? {
                reader.take(&piece)?;
            }
        }
        reader.finish(end)
    }

    /// The map as a file, with a border around it.
    pub fn write(&self) -> Vec<u8> {
        let (columns, rows) = (usize::from(self.columns), usize::from(self.rows));
        let mut out = Vec::new();
        let mut text = |text: String| out.extend_from_slice(text.as_bytes());
        text(format!("SIZEX[{}];SIZEY[{}];\n", columns + 2, rows + 2));
        text(format!("TURNLIMIT[{}];HPTHRESHOLD[{}];\n", self.limit, self.threshold));
        text(format!("UNITNUMRED[{}];UNITNUMBLUE[{}];\n", self.units[0].len(), self.units[1].len()));
        for (key, value) in [("AUTHOR", &self.author), ("MAPCOM", &self.comment)] {
            out.extend_from_slice(format!("{key}[").as_bytes());
            out.extend_from_slice(value);
            out.extend_from_slice(b"];\n");
        }
        let mut text = |text: String| out.extend_from_slice(text.as_bytes());
        for (team, units) in self.units.iter().enumerate() {
            for unit in units {
                let (x, y) = (unit.cell % self.columns + 1, unit.cell / self.columns + 1);
                let acted = u8::from(unit.acted);
                text(format!("UNIT[{x},{y},{},{team},{},{acted}];\n", unit.kind.name(), unit.hp));
            }
        }
        let border = vec!["0"; columns + 2].join(",");
        text(format!("MAP[{border}];\n"));
        for row in self.terrain.chunks(columns) {
            let codes: String = row.iter().map(|t| format!("{},", *t as u8)).collect();
            text(format!("MAP[0,{codes}0];\n"));
        }
        text(format!("MAP[{border}];\n"));
        out
    }
}

/// The bytes that are not line breaks, with their places, and where the file ends.
fn placed(file: &[u8]) -> (Vec<(u8, Place)>, Place) {
    let mut at = Place { line: 1, column: 1 };
    let mut bytes = Vec::with_capacity(file.len());
    for &byte in file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file) {
        match byte {
            b'\n' => at = Place { line: at.line + 1, column: 1 },
            b'\r' => {}
            _ => {
                bytes.push((byte, at));
                at.column += 1;
            }
        }
    }
    (bytes, at)
}

fn trimmed(text: &Text) -> &Text {
    let solid = |(byte, _): &(u8, Place)| !byte.is_ascii_whitespace() && *byte != 0;
    let from = text.iter().position(solid).unwrap_or(text.len());
    let to = text.iter().rposition(solid).map_or(from, |last| last + 1);
    &text[from..to]
}

fn word(text: &Text) -> String {
    trimmed(text).iter().map(|(byte, _)| char::from(*byte)).collect()
}

/// A word as it is quoted in a message.
fn quoted(word: &str) -> String {
    let short: String = word.chars().take(30).map(|c| if c.is_ascii_graphic() { c } else { '?' }).collect();
    format!("'{short}'")
}

impl Piece<'_> {
    /// The piece in a text between semicolons, which may also be nothing but space.
    fn of(text: &Text) -> Result<Option<Piece<'_>>, MapError> {
        let text = trimmed(text);
        let Some(&(_, at)) = text.first() else { return Ok(None) };
        let open = text.iter().position(|(byte, _)| *byte == b'[');
        let open = open.ok_or_else(|| at.error("expected KEY[value];, but there is no '['"))?;
        let close = text.iter().rposition(|(byte, _)| *byte == b']').filter(|close| *close > open);
        let close =
            close.ok_or_else(|| text[open].1.error("this '[' is never closed by ']' before a ';'"))?;
        let value_at = text[open + 1].1;
        let piece = Piece { key: word(&text[..open]), at, value: &text[open + 1..close], value_at };
        let known = KEYS.contains(&piece.key.as_str());
        match text.get(close + 1) {
            Some((_, at)) if known => Err(at.error("expected ';' after ']'")),
            _ => Ok(Some(piece)),
        }
    }

    /// The parts between commas.
    fn parts(&self) -> Vec<(String, Place)> {
        let mut at = self.value_at;
        let mut parts = Vec::new();
        for part in self.value.split(|(byte, _)| *byte == b',') {
            let place = trimmed(part).first().or(part.first()).map_or(at, |(_, place)| *place);
            at = part.last().map_or(at, |(_, place)| Place { column: place.column + 2, ..*place });
            parts.push((word(part), place));
        }
        parts
    }

    fn number(&self, what: &str, range: std::ops::RangeInclusive<u16>) -> Result<u16, MapError> {
        number(&word(self.value), self.value_at, what, range)
    }
}

fn number(word: &str, at: Place, what: &str, range: std::ops::RangeInclusive<u16>) -> Result<u16, MapError> {
    let (low, high) = (range.start(), range.end());
    let digits = word.bytes().all(|b| b.is_ascii_digit());
    let number = word.parse().ok().filter(|n| digits && range.contains(n));
    number.ok_or_else(|| {
        at.error(format!("{what} must be a number from {low} to {high}, not {}", quoted(word)))
    })
}

const KEYS: &[&str] = &[
    "SIZEX",
    "SIZEY",
    "TURNLIMIT",
    "HPTHRESHOLD",
    "UNITNUMRED",
    "UNITNUMBLUE",
    "AUTHOR",
    "MAPCOM",
    "UNIT",
    "MAP",
];

/// A unit as given: its place in the file and on the map, border counted.
struct Given {
    at: Place,
    x: u16,
    y: u16,
    team: usize,
    unit: Placed,
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    /// SIZEX, SIZEY, TURNLIMIT, HPTHRESHOLD, UNITNUMRED, UNITNUMBLUE.
    numbers: [Option<(u16, Place)>; 6],
    texts: [Option<Vec<u8>>; 2],
    units: Vec<Given>,
    rows: Vec<(Vec<(Terrain, Place)>, Place)>,
}

/// What may be said of a size, the border counted.
const SIZES: std::ops::RangeInclusive<u16> = 3..=MOST_CELLS as u16 + 2;

impl Reader {
    fn take(&mut self, piece: &Piece<'_>) -> Result<(), MapError> {
        let key = piece.key.as_str();
        let Some(place) = KEYS.iter().position(|k| *k == key) else { return Ok(()) };
        let twice = match key {
            "AUTHOR" | "MAPCOM" => self.texts[place - 6].is_some(),
            "UNIT" | "MAP" => false,
            _ => self.numbers[place].is_some(),
        };
        if twice {
            return Err(piece.at.error(format!("{key} is given twice")));
        }
        match key {
            "AUTHOR" | "MAPCOM" => {
                self.texts[place - 6] = Some(piece.value.iter().map(|(byte, _)| *byte).collect());
            }
            "UNIT" => self.unit(piece)?,
            "MAP" => self.row(piece)?,
            _ => {
                let range = match key {
                    "SIZEX" | "SIZEY" => SIZES,
                    "TURNLIMIT" => 1..=MOST_TURNS,
                    "HPTHRESHOLD" => 0..=MOST_TURNS,
                    _ => 0..=MOST_UNITS as u16,
                };
                self.numbers[place] = Some((piece.number(key, range)?, piece.value_at));
            }
        }
        Ok(())
    }

    fn unit(&mut self, piece: &Piece<'_>) -> Result<(), MapError> {
        let parts = piece.parts();
        let [x, y, name, team, hp, acted] = &parts[..] else {
            let what = format!("expected UNIT[x,y,name,team,HP,acted], not {} values", parts.len());
            return Err(piece.value_at.error(what));
        };
        let read = |part: &(String, Place), what: &str, range| number(&part.0, part.1, what, range);
        let kind = Kind::of_name(&name.0).ok_or_else(|| {
            let names = Kind::ALL.map(Kind::name).join(", ");
            name.1.error(format!("there is no unit {}; there are: {names}", quoted(&name.0)))
        })?;
        let (x, y) = (read(x, "x", 0..=*SIZES.end())?, read(y, "y", 0..=*SIZES.end())?);
        let team = usize::from(read(team, "the team", 0..=1)?);
        let hp = read(hp, "HP", 1..=u16::from(MOST_HP))? as u8;
        let acted = read(acted, "'acted'", 0..=1)? == 1;
        if self.units.iter().filter(|given| given.team == team).count() == MOST_UNITS {
            return Err(piece.at.error(format!("too many units: a side may have {MOST_UNITS}")));
        }
        self.units.push(Given { at: piece.at, x, y, team, unit: Placed { kind, cell: 0, hp, acted } });
        Ok(())
    }

    fn row(&mut self, piece: &Piece<'_>) -> Result<(), MapError> {
        let mut row = Vec::new();
        for (word, at) in piece.parts() {
            let code = number(&word, at, "terrain", 0..=Terrain::ALL.len() as u16 - 1)?;
            row.push((Terrain::ALL[usize::from(code)], at));
        }
        self.rows.push((row, piece.at));
        Ok(())
    }

    fn finish(self, end: Place) -> Result<Map, MapError> {
        let needed = |place: usize| {
            self.numbers[place].ok_or_else(|| end.error(format!("the file ends without {}", KEYS[place])))
        };
        let ((width, _), (height, height_at)) = (needed(0)?, needed(1)?);
        let (limit, threshold) = (needed(2)?.0, needed(3)?.0);
        let (columns, rows) = (usize::from(width) - 2, usize::from(height) - 2);
        if columns * rows > MOST_CELLS {
            let what = format!(
                "a map of {columns}x{rows} is too large: at most {MOST_CELLS} cells inside the border"
            );
            return Err(height_at.error(what));
        }
        let terrain = self.ground(usize::from(width), usize::from(height), end)?;
        let mut map = Map {
            columns: columns as u8,
            rows: rows as u8,
            terrain,
            units: Default::default(),
            limit,
            threshold,
            author: self.texts[0].clone().unwrap_or_default(),
            comment: self.texts[1].clone().unwrap_or_default(),
        };
        for given in &self.units {
            given.place(&mut map)?;
        }
        for (team, place) in [(0, 4), (1, 5)] {
            let (count, at) = needed(place)?;
            let found = map.units[team].len();
            if found != usize::from(count) {
                return Err(at.error(format!("{} is {count}, but there are {found} such units", KEYS[place])));
            }
        }
        match map.fault() {
            Some(fault) => Err(end.error(fault)),
            None => Ok(map),
        }
    }

    /// The ground inside the border.
    fn ground(&self, width: usize, height: usize, end: Place) -> Result<Vec<Terrain>, MapError> {
        if self.rows.len() != height {
            let at = self.rows.get(height).map_or(end, |(_, at)| *at);
            return Err(at.error(format!("SIZEY is {height}, but there are {} rows MAP", self.rows.len())));
        }
        let mut terrain = Vec::new();
        for (y, (row, at)) in self.rows.iter().enumerate() {
            if row.len() != width {
                return Err(at.error(format!("SIZEX is {width}, but this row has {} cells", row.len())));
            }
            for (x, (ground, at)) in row.iter().enumerate() {
                let inside = (1..width - 1).contains(&x) && (1..height - 1).contains(&y);
                if inside {
                    terrain.push(*ground);
                } else if *ground != Terrain::Void {
                    return Err(at.error("the border of the map must be 0 all round"));
                }
            }
        }
        Ok(terrain)
    }
}

impl Given {
    fn place(&self, map: &mut Map) -> Result<(), MapError> {
        let (columns, rows) = (u16::from(map.columns), u16::from(map.rows));
        if !(1..=columns).contains(&self.x) || !(1..=rows).contains(&self.y) {
            let what = format!(
                "({},{}) is outside the map, whose cells are (1,1) to ({columns},{rows})",
                self.x, self.y
            );
            return Err(self.at.error(what));
        }
        let cell = ((self.y - 1) * columns + self.x - 1) as u8;
        let ground = map.terrain[usize::from(cell)];
        if ground.cost(self.unit.kind).is_none() {
            return Err(self.at.error(format!(
                "{} cannot stand on {}",
                self.unit.kind.name(),
                ground.name()
            )));
        }
        if map.units.iter().flatten().any(|unit| unit.cell == cell) {
            return Err(self.at.error(format!("two units stand on ({},{})", self.x, self.y)));
        }
        map.units[self.team].push(Placed { cell, ..self.unit });
        Ok(())
    }
}
