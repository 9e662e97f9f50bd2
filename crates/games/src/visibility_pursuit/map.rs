//! Maps: places, the links between them, and which places see which.

use std::collections::VecDeque;
use std::sync::OnceLock;

use super::places::{MOST_PLACES, Places, Spread};

/// So many steps relaxed look-ahead looks ahead (Lisý 2014, §5.5.1).
pub(super) const LOOK_AHEAD: usize = 10;
/// A unit has at most so many ways to go, staying included.
pub(super) const MOST_WAYS: usize = 8;
/// Stands for no place, or one that is not known.
pub(super) const NOWHERE: u16 = u16::MAX;

/// How a map is drawn and how steps on it are called.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    /// Cells, so many in a row; steps have directions.
    Grid(usize),
    /// Points in the plane; steps are called by letters.
    Points(Vec<(f64, f64)>),
}

/// Where units may be and go, and what they see from there.
#[derive(Clone, Debug)]
pub struct Map {
    pub(super) shape: Shape,
    /// The places where a unit may be.
    open: Places,
    /// How many numbers places have, walls between them included.
    numbers: usize,
    /// Ways to go from each place: the number of the way, and where it leads.
    ways: Vec<Vec<(u8, u16)>>,
    spread: Spread,
    sight: Vec<Places>,
    /// What can be seen within so many steps from a place.
    ahead: OnceLock<Vec<Vec<Places>>>,
    /// The steps between any two places, by place and place.
    steps: OnceLock<Vec<u16>>,
}

impl Map {
    /// A map of cells, row by row: `true` where one can go. Sight reaches so far, where no wall is in between.
    pub(super) fn grid(rows: &[Vec<bool>], range: f64, stay: bool) -> Result<Map, String> {
        let width = rows.first().map_or(0, Vec::len);
        if width * rows.len() > MOST_PLACES {
            return Err(format!("{} cells are more than {MOST_PLACES}", width * rows.len()));
        }
        let open = |x: usize, y: usize| rows.get(y).and_then(|row| row.get(x)) == Some(&true);
        let mut links = Vec::new();
        let number = |x: usize, y: usize| (y * width + x) as u16;
        for (y, row) in rows.iter().enumerate() {
            for x in (0..row.len()).filter(|&x| row[x]) {
                links.extend(open(x + 1, y).then(|| (number(x, y), number(x + 1, y))));
                links.extend(open(x, y + 1).then(|| (number(x, y), number(x, y + 1))));
            }
        }
        let at = |place: u16| (usize::from(place) % width, usize::from(place) / width);
        let places: Places =
            (0..(width * rows.len()) as u16).filter(|&place| open(at(place).0, at(place).1)).collect();
        let sees = |a: u16, b: u16| {
            let (a, b) = (at(a), at(b));
            let apart = (a.0.abs_diff(b.0).pow(2) + a.1.abs_diff(b.1).pow(2)) as f64;
            apart <= range * range && is_clear(rows, a, b)
        };
        // Ways are numbered from the directions, so that they mean the same everywhere.
        let way = |from: u16, to: u16| match i32::from(to) - i32::from(from) {
            1 if width > 1 => 3,
            -1 if width > 1 => 2,
            apart if apart < 0 => 1,
            _ => 4,
        };
        Map::new(Shape::Grid(width), places, width * rows.len(), &links, stay, sees, Some(&way))
    }

    /// A map of points with links between them, each once, from the lower to the higher number.
    pub(super) fn points(
        points: Vec<(f64, f64)>,
        links: &[(u16, u16)],
        range: f64,
        stay: bool,
        clear: impl Fn((f64, f64), (f64, f64)) -> bool,
    ) -> Result<Map, String> {
        if points.len() > MOST_PLACES {
            return Err(format!("{} places are more than {MOST_PLACES}", points.len()));
        }
        let places = (0..points.len() as u16).collect();
        let at = points.clone();
        let sees = |a: u16, b: u16| {
            let (a, b) = (at[usize::from(a)], at[usize::from(b)]);
            (a.0 - b.0).powi(2) + (a.1 - b.1).powi(2) <= range * range && clear(a, b)
        };
        let numbers = points.len();
        Map::new(Shape::Points(points), places, numbers, links, stay, sees, None)
    }

    fn new(
        shape: Shape,
        open: Places,
        numbers: usize,
        links: &[(u16, u16)],
        stay: bool,
        sees: impl Fn(u16, u16) -> bool,
        way: Option<&dyn Fn(u16, u16) -> u8>,
    ) -> Result<Map, String> {
        let mut ways = vec![Vec::new(); numbers];
        for place in open.iter() {
            ways[usize::from(place)].extend(stay.then_some((0, place)));
        }
        let mut ends: Vec<(u16, u16)> = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        ends.sort_unstable();
        for alike in ends.chunk_by(|x, y| x.0 == y.0) {
            for (i, &(from, to)) in (1..).zip(alike) {
                ways[usize::from(from)].push((way.map_or(i, |way| way(from, to)), to));
            }
        }
        for (place, ways) in ways.iter_mut().enumerate() {
            ways.sort_unstable();
            if ways.len() > MOST_WAYS - usize::from(!stay) {
                return Err(format!("place {place} has more than {} links", MOST_WAYS - 1));
            }
        }
        if let Some(stuck) = open.iter().find(|&place| ways[usize::from(place)].is_empty()) {
            return Err(format!("nothing leads away from place {stuck}"));
        }
        let mut sight = vec![Places::NONE; numbers];
        for a in open.iter() {
            for b in open.iter().skip_while(|&b| b < a).filter(|&b| sees(a, b)) {
                sight[usize::from(a)].insert(b);
                sight[usize::from(b)].insert(a);
            }
        }
        let spread = Spread::new(numbers, links, stay);
        Ok(Map { shape, open, numbers, ways, spread, sight, ahead: OnceLock::new(), steps: OnceLock::new() })
    }

    /// The places where a unit may be.
    pub fn open(&self) -> &Places {
        &self.open
    }

    /// The numbers of places go up to, but do not include, this one.
    pub fn numbers(&self) -> usize {
        self.numbers
    }

    /// How many links there are.
    pub fn links(&self) -> usize {
        self.open.iter().map(|place| self.ways(place).iter().filter(|way| way.1 > place).count()).sum()
    }

    /// Ways to go from a place: the number of the way, and where it leads, in rising order of the numbers.
    #[inline]
    pub fn ways(&self, from: u16) -> &[(u8, u16)] {
        &self.ways[usize::from(from)]
    }

    /// Where a way leads from a place that has it.
    #[inline]
    pub(super) fn along(&self, from: u16, way: u8) -> u16 {
        let found = self.ways(from).iter().find(|&&(number, _)| number == way);
        found.expect("units take ways that are there").1
    }

    /// Where a unit may be a step after being somewhere in a set: `t` in the source.
    #[inline]
    pub fn step(&self, from: &Places) -> Places {
        self.spread.step(from)
    }

    /// Whether units may stay where they are.
    pub(super) fn may_stay(&self) -> bool {
        self.spread.stay
    }

    /// What is seen from a place: `v` in the source. Who sees is seen.
    #[inline]
    pub fn sight(&self, from: u16) -> &Places {
        &self.sight[usize::from(from)]
    }

    /// What can be seen from somewhere within `steps` steps, at most [`LOOK_AHEAD`].
    #[inline]
    pub(super) fn sight_ahead(&self, from: u16, steps: usize) -> &Places {
        &self.ahead.get_or_init(|| self.look_ahead())[steps][usize::from(from)]
    }

    fn look_ahead(&self) -> Vec<Vec<Places>> {
        let mut all = vec![self.sight.clone()];
        for step in 0..LOOK_AHEAD {
            let next = |ways: &Vec<(u8, u16)>| {
                let seen = ways.iter().map(|&(_, to)| &all[step][usize::from(to)]);
                seen.fold(Places::NONE, |all, more| all.or(more))
            };
            let next = self.ways.iter().map(next).collect();
            all.push(next);
        }
        all
    }

    /// The steps from one place to another.
    #[inline]
    pub(super) fn steps(&self, from: u16, to: u16) -> u16 {
        let all = self.steps.get_or_init(|| {
            let rows = (0..self.numbers as u16).flat_map(|place| self.distances(place));
            rows.collect()
        });
        all[usize::from(from) * self.numbers + usize::from(to)]
    }

    /// The steps to every place from one of them; [`NOWHERE`] where one cannot go.
    pub(super) fn distances(&self, from: u16) -> Vec<u16> {
        let mut steps = vec![NOWHERE; self.numbers];
        steps[usize::from(from)] = 0;
        let mut open = VecDeque::from([from]);
        while let Some(here) = open.pop_front() {
            for &(_, to) in self.ways(here) {
                if steps[usize::from(to)] == NOWHERE {
                    steps[usize::from(to)] = steps[usize::from(here)] + 1;
                    open.push_back(to);
                }
            }
        }
        steps
    }
}

/// Whether the line between the centres of two cells passes through no wall. It may touch the corner of one.
pub(super) fn is_clear(rows: &[Vec<bool>], a: (usize, usize), b: (usize, usize)) -> bool {
    let (dx, dy) = (b.0 as i64 - a.0 as i64, b.1 as i64 - a.1 as i64);
    let passes = |x: usize, y: usize| {
        let aside = dx * (y as i64 - a.1 as i64) - dy * (x as i64 - a.0 as i64);
        2 * aside.abs() < dx.abs() + dy.abs()
    };
    let (xs, ys) = (a.0.min(b.0)..=a.0.max(b.0), a.1.min(b.1)..=a.1.max(b.1));
    ys.flat_map(|y| xs.clone().map(move |x| (x, y))).all(|(x, y)| rows[y][x] || !passes(x, y))
}
