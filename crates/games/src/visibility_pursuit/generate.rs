//! Maps at random, with what the source tells of its own, which it does not print: a maze on 50 by 49 cells, and the
//! roads of a small town with a place every 5 metres, 465 of them (Lisý 2014, §5.5.1).

use fogtree_core::{Purpose, Rng, Seed};

/// Corridors are so wide, and walls one cell.
const CORRIDOR: usize = 3;
/// One in so many walls that could be left standing is opened, so that there are ways round.
const OPENED: usize = 4;

/// A maze: `true` where one can go. The source's pursuers lose an evader among 1167 places on average, still growing
/// in number, hence wide corridors.
pub(super) fn maze(width: usize, height: usize, seed: u64) -> Vec<Vec<bool>> {
    let mut rng = Seed(seed).named("maze").stream(Purpose::Deal);
    let pitch = CORRIDOR + 1;
    let (columns, rows) = ((width - 1) / pitch, (height - 1) / pitch);
    let mut open = vec![vec![false; width]; height];
    let mut dig = |x: usize, y: usize, w: usize, h: usize| {
        open[y..y + h].iter_mut().for_each(|row| row[x..x + w].fill(true));
    };
    for room in 0..columns * rows {
        dig(1 + room % columns * pitch, 1 + room / columns * pitch, CORRIDOR, CORRIDOR);
    }
    let mut walls = walls_of(columns, rows);
    rng.shuffle(&mut walls);
    let mut groups = Groups::new(columns * rows);
    let mut spare = 0;
    for (a, b) in walls {
        let closed = groups.are_one(a, b);
        spare += usize::from(closed);
        if closed && spare % OPENED != 0 {
            continue;
        }
        groups.join(a, b);
        let (x, y) = (a % columns * pitch, a / columns * pitch);
        if b == a + 1 && columns > 1 {
            dig(x + pitch, y + 1, 1, CORRIDOR);
        } else {
            dig(x + 1, y + pitch, CORRIDOR, 1);
        }
    }
    open
}

/// Every wall between two rooms next to each other.
fn walls_of(columns: usize, rows: usize) -> Vec<(usize, usize)> {
    let beside = (0..columns * rows).filter(|room| (room + 1) % columns != 0).map(|room| (room, room + 1));
    let below = (0..columns * (rows - 1)).map(|room| (room, room + columns));
    beside.chain(below).collect()
}

/// Which rooms are connected.
struct Groups(Vec<usize>);

impl Groups {
    fn new(rooms: usize) -> Groups {
        Groups((0..rooms).collect())
    }

    fn head(&self, mut room: usize) -> usize {
        while self.0[room] != room {
            room = self.0[room];
        }
        room
    }

    fn are_one(&self, a: usize, b: usize) -> bool {
        self.head(a) == self.head(b)
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.head(a), self.head(b));
        self.0[a] = b;
    }
}

/// Metres between two places.
const SPACING: f64 = 5.0;
/// Metres between two junctions, about.
const BLOCK: f64 = 60.0;
/// Metres from the middle of a road to the houses along it.
const HALF_WIDTH: f64 = 4.0;
/// Places per junction, about, in a town of which some blocks are not closed.
const PER_JUNCTION: f64 = 15.0;
/// The most places of a blind alley.
const ALLEY: usize = 4;

pub(super) type Point = (f64, f64);

/// A town: where its places are, the links between them, and the middle lines of its roads.
#[derive(Clone, Debug)]
pub(super) struct Town {
    pub(super) points: Vec<Point>,
    /// From the lower to the higher number.
    pub(super) links: Vec<(u16, u16)>,
    roads: Vec<(Point, Point)>,
}

impl Town {
    /// Whether no house is on the line between two points: all of it is near the middle of some road.
    pub(super) fn is_clear(&self, a: Point, b: Point) -> bool {
        let pieces = length(a, b).ceil().max(1.0) as usize;
        (0..=pieces).all(|i| {
            let here = between(a, b, i as f64 / pieces as f64);
            self.roads.iter().any(|&road| distance_to(here, road) <= HALF_WIDTH)
        })
    }

    /// A road of places between two that are there already.
    fn road(&mut self, from: usize, to: usize) {
        let (a, b) = (self.points[from], self.points[to]);
        let pieces = pieces(a, b);
        let mut last = from;
        for i in 1..pieces {
            last = self.add(last, between(a, b, i as f64 / pieces as f64));
        }
        self.links.push((last.min(to) as u16, last.max(to) as u16));
        self.roads.push((a, b));
    }

    fn add(&mut self, from: usize, at: Point) -> usize {
        let new = self.points.len();
        self.points.push(at);
        self.links.push((from as u16, new as u16));
        new
    }
}

/// A town with so many places.
pub(super) fn town(places: usize, seed: u64) -> Town {
    let mut rng = Seed(seed).named("town").stream(Purpose::Deal);
    let junctions = (places as f64 / PER_JUNCTION).max(1.0);
    let columns = (1.3 * junctions).sqrt().round().max(1.0) as usize;
    let rows = (junctions / columns as f64).floor().max(1.0) as usize;
    let mut town = Town { points: Vec::new(), links: Vec::new(), roads: Vec::new() };
    for i in 0..columns * rows {
        let jitter = |cell: usize, rng: &mut Rng| (cell as f64 + 0.3 * (rng.unit() - 0.5)) * BLOCK;
        town.points.push((jitter(i % columns, &mut rng), jitter(i / columns, &mut rng)));
    }
    let mut streets = walls_of(columns, rows);
    rng.shuffle(&mut streets);
    let mut groups = Groups::new(columns * rows);
    let mut spare = Vec::new();
    for (a, b) in streets {
        let room = places.saturating_sub(town.points.len() + 1);
        if !groups.are_one(a, b) && pieces(town.points[a], town.points[b]) <= room {
            groups.join(a, b);
            town.road(a, b);
        } else {
            spare.push((a, b));
        }
    }
    for (a, b) in spare {
        if town.points.len() + pieces(town.points[a], town.points[b]) - 1 <= places {
            town.road(a, b);
        }
    }
    // Blind alleys between the roads of a junction bring the town to its size.
    for alley in 0.. {
        let missing = places.saturating_sub(town.points.len());
        if missing == 0 {
            break;
        }
        let (from, turn) = (alley % (columns * rows), alley / (columns * rows));
        let start = town.points[from];
        let angle = (turn as f64 + 0.5) * std::f64::consts::FRAC_PI_2 + 0.4 * (rng.unit() - 0.5);
        let at = |i: usize| {
            let away = SPACING * i as f64;
            (start.0 + away * angle.cos(), start.1 + away * angle.sin())
        };
        // A town that is nothing but one junction has alleys as long as it takes.
        let most = if columns * rows == 1 { missing } else { ALLEY.min(missing) };
        let mut last = from;
        for i in 1..=most {
            last = town.add(last, at(i));
        }
        town.roads.push((start, at(most)));
    }
    town
}

fn length(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

fn between(a: Point, b: Point, share: f64) -> Point {
    (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1))
}

/// Into how many pieces places divide a road.
fn pieces(a: Point, b: Point) -> usize {
    (length(a, b) / SPACING).round().max(1.0) as usize
}

/// The distance from a point to a straight road.
fn distance_to(p: Point, (a, b): (Point, Point)) -> f64 {
    let along = (p.0 - a.0) * (b.0 - a.0) + (p.1 - a.1) * (b.1 - a.1);
    let square = (b.0 - a.0).powi(2) + (b.1 - a.1).powi(2);
    let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    length(p, between(a, b, share))
}
