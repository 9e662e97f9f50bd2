//! Maps that somebody wrote.
//!
//! ```text
//! grid            the cells row by row: . where one can go, # a wall
//! ..#..
//! .....
//!
//! graph           places, links and walls in any order, numbers of places from 1 in the order given
//! place 0 0       a place, by its coordinates
//! place 5 0
//! link 1 2        places between which one can go
//! wall 2 1 2 -1   a wall through which one cannot see, from point to point
//! ```
//!
//! Empty lines are skipped, and `//` begins a comment.

use super::generate::Point;
use super::map::Map;
use super::places::MOST_PLACES;

/// What is wrong with the text of a map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadMap {
    /// Something in one line.
    #[error("line {line}, column {column}: {what}")]
    At {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// Something about the whole.
    #[error("{0}")]
    Whole(String),
}

/// How far units see, and whether they may stay where they are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Senses {
    /// `None` if nothing is said of it.
    pub(super) range: Option<f64>,
    pub(super) stay: bool,
}

impl Senses {
    pub(super) fn range_or(self, usual: f64) -> f64 {
        self.range.unwrap_or(usual)
    }
}

/// A word and the column it begins in, from 1.
type Word<'a> = (usize, &'a str);

/// Reads a map.
pub(super) fn read(text: &str, senses: Senses) -> Result<Map, BadMap> {
    let code = |line: &'_ str| line.find("//").map_or(line.len(), |at| at);
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, &line[..code(line)]));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    match lines.next().map(|(number, line)| (number, line.trim())) {
        Some((_, "grid")) => grid(lines, senses),
        Some((_, "graph")) => graph(lines, senses),
        Some((line, other)) => {
            let what = format!("expected 'grid' or 'graph', not '{}'", shortened(other));
            Err(BadMap::At { line, column: 1, what })
        }
        None => Err(BadMap::Whole("there is nothing in it".to_string())),
    }
}

/// Rows of `.` and `#`.
pub(super) fn grid<'a>(lines: impl Iterator<Item = (usize, &'a str)>, senses: Senses) -> Result<Map, BadMap> {
    let mut rows: Vec<Vec<bool>> = Vec::new();
    for (line, text) in lines {
        let text = text.trim_end();
        let mut row = Vec::new();
        for (column, c) in (1..).zip(text.chars()) {
            row.push(match c {
                '.' => true,
                '#' => false,
                c => {
                    let what = format!("expected . or #, not {c:?}");
                    return Err(BadMap::At { line, column, what });
                }
            });
        }
        if rows.first().is_some_and(|first| first.len() != row.len()) {
            let what = format!("{} cells in a map with {} in a row", row.len(), rows[0].len());
            return Err(BadMap::At { line, column: row.len().min(rows[0].len()) + 1, what });
        }
        if row.len() * (rows.len() + 1) > MOST_PLACES {
            return Err(BadMap::At { line, column: 1, what: format!("more than {MOST_PLACES} cells") });
        }
        rows.push(row);
    }
    Map::grid(&rows, senses.range_or(10.0), senses.stay).and_then(checked).map_err(BadMap::Whole)
}

fn graph<'a>(lines: impl Iterator<Item = (usize, &'a str)>, senses: Senses) -> Result<Map, BadMap> {
    let (mut points, mut walls) = (Vec::new(), Vec::new());
    let mut links: Vec<(u16, u16)> = Vec::new();
    let mut last: Option<(usize, usize, u16)> = None;
    for (line, text) in lines {
        let at = |column: usize, what: String| BadMap::At { line, column, what };
        let words = words(text);
        let numbers = |count: usize| -> Result<Vec<f64>, BadMap> {
            if words.len() != count + 1 {
                return Err(at(1, format!("expected {count} numbers after '{}'", words[0].1)));
            }
            words[1..].iter().map(|&word| number(word).map_err(|what| at(word.0, what))).collect()
        };
        match words[0].1 {
            "place" => {
                let xy = numbers(2)?;
                if points.len() == MOST_PLACES {
                    return Err(at(1, format!("more than {MOST_PLACES} places")));
                }
                points.push((xy[0], xy[1]));
            }
            "wall" => {
                let xy = numbers(4)?;
                walls.push(((xy[0], xy[1]), (xy[2], xy[3])));
            }
            "link" => {
                numbers(2)?;
                let place = |&(column, word): &Word<'_>| {
                    let number = word.parse().ok().filter(|n| (1..=MOST_PLACES as u16).contains(n));
                    number
                        .map(|n: u16| (column, n - 1))
                        .ok_or_else(|| at(column, format!("'{word}' is no place")))
                };
                let ((_, a), (column, b)) = (place(&words[1])?, place(&words[2])?);
                let link = (a.min(b), a.max(b));
                if a == b {
                    return Err(at(column, format!("place {} is linked to itself", a + 1)));
                }
                if links.contains(&link) {
                    return Err(at(1, format!("places {} and {} are linked already", a + 1, b + 1)));
                }
                if last.is_none_or(|last| last.2 < link.1) {
                    last = Some((line, if b > a { column } else { words[1].0 }, link.1));
                }
                links.push(link);
            }
            word => {
                return Err(at(
                    words[0].0,
                    format!("expected place, link or wall, not '{}'", shortened(word)),
                ));
            }
        }
    }
    if let Some((line, column, place)) = last.filter(|last| usize::from(last.2) >= points.len()) {
        return Err(BadMap::At { line, column, what: format!("there is no place {}", place + 1) });
    }
    let clear = |a, b| !walls.iter().any(|&wall| do_cross((a, b), wall));
    let map = Map::points(points, &links, senses.range_or(25.0), senses.stay, clear);
    map.and_then(checked).map_err(BadMap::Whole)
}

/// The map, if one can go from everywhere to everywhere.
fn checked(map: Map) -> Result<Map, String> {
    let first = map.open().iter().next().ok_or("there is nowhere to go")?;
    let steps = map.distances(first);
    let cut_off = map.open().iter().find(|&place| steps[usize::from(place)] == super::map::NOWHERE);
    match cut_off {
        Some(place) => Err(format!("nothing leads from {} to {}", map.name(first), map.name(place))),
        None => Ok(map),
    }
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = 0;
    for word in text.split_whitespace() {
        let at = text[rest..].find(word).map_or(rest, |found| rest + found);
        words.push((text[..at].chars().count() + 1, word));
        rest = at + word.len();
    }
    words
}

fn number((_, word): Word<'_>) -> Result<f64, String> {
    let number = word.parse().ok().filter(|number: &f64| number.abs() < 1e9);
    number.ok_or_else(|| format!("'{}' is not a number", shortened(word)))
}

fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Whether two straight lines have a point in common.
fn do_cross((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    let side = |p: Point, q: Point, r: Point| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    let within = |p: Point, q: Point, r: Point| {
        r.0 >= p.0.min(q.0) && r.0 <= p.0.max(q.0) && r.1 >= p.1.min(q.1) && r.1 <= p.1.max(q.1)
    };
    let sides = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
    let apart = |x: f64, y: f64| x > 0.0 && y < 0.0 || x < 0.0 && y > 0.0;
    (apart(sides[0], sides[1]) && apart(sides[2], sides[3]))
        || sides[0] == 0.0 && within(a, b, c)
        || sides[1] == 0.0 && within(a, b, d)
        || sides[2] == 0.0 && within(c, d, a)
        || sides[3] == 0.0 && within(c, d, b)
}
