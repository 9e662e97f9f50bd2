//! Maps with the units that are seen, and fog where others may be.

use fogtree_core::scene::{Board, Entry, Graph, Ground, Node, Scene, Table, Token, Zone};
use fogtree_core::{Observer, Player};

use super::map::{Map, NOWHERE, Shape};
use super::places::Places;
use super::{Action, EVADER, Info, MOST_PURSUERS, PURSUERS, State, VisibilityPursuit};
use crate::words::counted;

/// Grids that are wider have no labels.
const WIDEST_LABELLED: usize = 20;

/// What is to be drawn.
struct View {
    /// Whose picture it is; nobody's if everything is seen.
    by: Option<Observer>,
    time: u8,
    /// Where the evader and the pursuers are; nowhere if that is not known.
    units: [u16; 1 + MOST_PURSUERS],
    /// Where each unit may be, for all that is known; nothing if that is anywhere.
    regions: [Places; 1 + MOST_PURSUERS],
    /// Where the one side may be, for all that the other knows.
    fog: Places,
    /// What is in sight of the observer's units, or of the pursuers.
    sight: Places,
    /// What the evader is paid, once that is known.
    paid: Option<f64>,
}

impl VisibilityPursuit {
    pub(super) fn draw_info(&self, k: &Info) -> Scene {
        let time = k.time();
        let units = std::array::from_fn(|i| k.tracks[i][time]);
        let mut regions = [Places::NONE; 1 + MOST_PURSUERS];
        let mut sight = Places::NONE;
        let mut paid = None;
        if k.by.is(EVADER) {
            regions[1..].copy_from_slice(&k.regions);
            sight = *self.map.sight(units[0]);
        } else {
            regions[0] = k.regions[0];
        }
        if k.by.is(PURSUERS) {
            sight = self.sight_of(&units[1..]);
            let seen = k.tracks[0][1..=time].iter().filter(|&&place| place != NOWHERE).count() as u8;
            let sightings = self.start.sightings + seen;
            let State { tracks, .. } = self.start;
            let end = State { time: k.time, sightings, total: k.total, tracks, region: k.regions[0] };
            paid = (k.time == self.steps).then(|| self.paid(&end));
        }
        let hidden = units.iter().zip(&regions).filter(|(place, _)| **place == NOWHERE);
        let fog = hidden.fold(Places::NONE, |all, (_, region)| all.or(region));
        self.draw(&View { by: Some(k.by), time: k.time, units, regions, fog, sight, paid })
    }

    pub(super) fn draw_state(&self, s: &State) -> Scene {
        let units = std::array::from_fn(|i| s.tracks[i][s.time()]);
        self.draw(&View {
            by: None,
            time: s.time,
            units,
            regions: [s.region, Places::NONE, Places::NONE, Places::NONE],
            fog: if s.region == Places::only(units[0]) { Places::NONE } else { s.region },
            sight: self.sight_of(&units[1..]),
            paid: (s.time == self.steps).then(|| self.paid(s)),
        })
    }

    fn sight_of(&self, units: &[u16]) -> Places {
        let placed = units.iter().filter(|&&place| place != NOWHERE);
        placed.fold(Places::NONE, |all, &place| all.or(self.map.sight(place)))
    }

    fn draw(&self, v: &View) -> Scene {
        let map = match &self.map.shape {
            Shape::Grid(width) => Zone::board("map", self.board(v, *width)),
            Shape::Points(points) => Zone::graph("map", self.graph(v, points)),
        };
        Scene::new(self.caption(v)).with(map).with(Zone::table("units", self.table(v)))
    }

    fn board(&self, v: &View, width: usize) -> Board {
        let rows = self.map.numbers() / width;
        let mut board = Board::new(width, rows, |_, _| String::new());
        if width <= WIDEST_LABELLED {
            board.below = (1..=width).map(|x| x.to_string()).collect();
            board.left = (1..=rows).map(|y| y.to_string()).collect();
        }
        for (place, cell) in (0..).zip(&mut board.cells) {
            if self.map.open().contains(place) {
                cell.place = self.map.name(place);
                cell.made_of(v.ground(place)).tokens = v.tokens(place);
            } else {
                cell.made_of(Ground::Wall);
            }
        }
        board
    }

    fn graph(&self, v: &View, points: &[(f64, f64)]) -> Graph {
        let unit = usual_distance(&self.map, points);
        let node = |(place, &(x, y)): (u16, &(f64, f64))| Node {
            place: self.map.name(place),
            x: x / unit,
            y: y / unit,
            ground: v.ground(place),
            tokens: v.tokens(place),
        };
        let mut graph = Graph { nodes: (0..).zip(points).map(node).collect(), ..Graph::default() };
        for (from, to) in links(&self.map) {
            graph.edge(from.into(), to.into(), 0);
        }
        graph
    }

    /// Where the units are and, where ways have no directions, where their ways lead.
    fn table(&self, v: &View) -> Table {
        let lettered = matches!(self.map.shape, Shape::Points(_));
        let mut table = Table { head: ["unit", "place"].map(str::to_string).into(), rows: Vec::new() };
        table.head.extend(lettered.then(|| "ways".to_string()));
        for (unit, &place) in v.units.iter().enumerate().take(1 + self.pursuers) {
            let mut row =
                vec![Entry::from(unit_name(unit)).of(owner(unit)), v.whereabouts(&self.map, unit).into()];
            if lettered && place != NOWHERE {
                let way = |&(way, to): &(u8, u16)| match to == place {
                    true => self.map.way_name(way),
                    false => format!("{} to {}", self.map.way_name(way), self.map.name(to)),
                };
                row.push(self.map.ways(place).iter().map(way).collect::<Vec<_>>().join(", ").into());
            }
            table.row(row);
        }
        table
    }

    fn caption(&self, v: &View) -> String {
        if v.time == self.steps {
            let paid = match v.paid {
                Some(paid) => format!(": player 0 gets {paid:.2}, and player 1 loses as much"),
                None => String::new(),
            };
            return format!("The game is over after {}{paid}.", counted(self.steps, "step"));
        }
        let step = format!("step {} of {}", v.time + 1, self.steps);
        let turn = match v.by {
            Some(Observer::Seat(EVADER)) => format!("Your turn: move the evader, {step}."),
            Some(Observer::Seat(_)) => format!("Your turn: move all pursuers, {step}."),
            _ => format!("Both sides move at the same time, {step}."),
        };
        let fog = match (v.by, v.fog.len()) {
            (_, 0) => return turn,
            (Some(Observer::Seat(EVADER)), n) => {
                format!("Unseen pursuers may be in {}.", counted(n, "place"))
            }
            (None, n) => format!("For all the pursuers know, the evader may be in {}.", counted(n, "place")),
            (_, n) => format!("The evader is out of sight and may be in {}.", counted(n, "place")),
        };
        format!("{turn} {fog}")
    }

    /// Where the units go.
    pub(super) fn draw_move(&self, k: &Info, action: Action) -> Vec<String> {
        let spot = |unit: usize, way: u8| {
            let to = self.map.along(k.tracks[unit][k.time()], way);
            format!("map/{}", self.map.name(to))
        };
        match action {
            Action::Evade(way) => vec![spot(0, way)],
            Action::Pursue(ways) => (0..self.pursuers).map(|i| spot(1 + i, ways[i])).collect(),
        }
    }
}

impl View {
    /// Fog where somebody may be; what is out of sight otherwise is dark.
    fn ground(&self, place: u16) -> Ground {
        match () {
            () if self.fog.contains(place) => Ground::Fog,
            () if self.sight.is_empty() || self.sight.contains(place) => Ground::Plain,
            () => Ground::Dark,
        }
    }

    fn tokens(&self, place: u16) -> Vec<Token> {
        let here = (0..self.units.len()).filter(|&unit| self.units[unit] == place);
        here.map(|unit| {
            let label = if unit == 0 { "E".to_string() } else { unit.to_string() };
            Token::figure(owner(unit), label).named(unit_name(unit))
        })
        .collect()
    }

    fn whereabouts(&self, map: &Map, unit: usize) -> String {
        let own = self.by.is_none_or(|by| by.is(owner(unit)));
        match (self.units[unit], self.regions[unit].len()) {
            (NOWHERE, _) if own => "not placed yet".to_string(),
            (NOWHERE, 0) => "not known".to_string(),
            (NOWHERE, n) => format!("one of {}", counted(n, "place")),
            (place, _) => map.name(place),
        }
    }
}

fn owner(unit: usize) -> Player {
    if unit == 0 { EVADER } else { PURSUERS }
}

fn unit_name(unit: usize) -> String {
    if unit == 0 { "evader".to_string() } else { format!("pursuer {unit}") }
}

/// Every link once.
fn links(map: &Map) -> impl Iterator<Item = (u16, u16)> {
    map.open()
        .iter()
        .flat_map(|from| map.ways(from).iter().map(move |way| (from, way.1)))
        .filter(|(a, b)| a < b)
}

/// How far apart neighbours are, on average.
fn usual_distance(map: &Map, points: &[(f64, f64)]) -> f64 {
    let length = |(a, b): (u16, u16)| {
        let (a, b) = (points[usize::from(a)], points[usize::from(b)]);
        (a.0 - b.0).hypot(a.1 - b.1)
    };
    let (count, sum) = links(map).map(length).fold((0.0, 0.0), |(n, sum), long| (n + 1.0, sum + long));
    if sum > 0.0 { sum / count } else { 1.0 }
}
