//! Boards: stations, and what links them.
//!
//! A board is a text. A line holds two stations and what goes between them, in both directions, as in
//! `1 8 taxi`; or the stations on the start cards, as in `start 13 26 29`. Without start cards one may start
//! anywhere. Stations are numbered from 1; `#` begins a comment. Edge lists of the form that the public data
//! set AlexElvers/scotland-yard-data uses are boards as they stand.

use std::collections::HashSet;
use std::ops::{BitAnd, BitOrAssign, Not};

use super::distance::Distances;

/// The most stations of a board.
pub const MOST_STATIONS: usize = 255;

const LONDON: &str = include_str!("../../data/boards/london.txt");
const TINY: &str = include_str!("../../data/boards/tiny.txt");

/// What a move is paid with.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub enum Ticket {
    /// A taxi ticket.
    #[default]
    Taxi,
    /// A bus ticket.
    Bus,
    /// An underground ticket.
    Underground,
    /// A black ticket, which pays for everything and tells nothing.
    Black,
}

impl Ticket {
    /// All of them.
    pub const ALL: [Ticket; 4] = [Ticket::Taxi, Ticket::Bus, Ticket::Underground, Ticket::Black];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Ticket::Taxi => "taxi",
            Ticket::Bus => "bus",
            Ticket::Underground => "underground",
            Ticket::Black => "black",
        }
    }
}

/// Means of transport, one bit each in the order of [`TRANSPORT`]; or tickets in their order.
pub(super) type Kinds = u8;

/// Means of transport. The first three are paid with the tickets of their names, boats with black ones.
pub(super) const TRANSPORT: [&str; 4] = ["taxi", "bus", "underground", "boat"];

/// The tickets out of `purse` that pay for a link.
#[inline]
pub(super) const fn payable(link: Kinds, purse: Kinds) -> Kinds {
    link & purse & 0b0111 | purse & 0b1000
}

/// Where one can go from a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link {
    pub(super) to: u8,
    pub(super) kinds: Kinds,
}

/// A way to leave a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hop {
    pub(super) to: u8,
    pub(super) by: Ticket,
}

/// A set of stations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stations([u64; 4]);

impl Stations {
    /// Whether a station is in the set.
    #[inline]
    pub fn contains(&self, station: u8) -> bool {
        self.0[station as usize >> 6] >> (station & 63) & 1 == 1
    }

    /// How many stations are in the set.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The set without a station.
    #[inline]
    #[must_use]
    pub fn without(mut self, station: u8) -> Stations {
        self.0[station as usize >> 6] &= !(1 << (station & 63));
        self
    }

    /// The stations in rising order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let of_word = |(place, mut left): (usize, u64)| {
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
                (bit < 64).then_some((place * 64 + bit) as u8)
            })
        };
        self.0.into_iter().enumerate().flat_map(of_word)
    }
}

impl FromIterator<u8> for Stations {
    fn from_iter<I: IntoIterator<Item = u8>>(stations: I) -> Stations {
        let mut set = Stations::default();
        for station in stations {
            set.0[station as usize >> 6] |= 1 << (station & 63);
        }
        set
    }
}

impl BitOrAssign for Stations {
    fn bitor_assign(&mut self, other: Stations) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

impl BitAnd for Stations {
    type Output = Stations;
    fn bitand(self, other: Stations) -> Stations {
        Stations([0, 1, 2, 3].map(|i| self.0[i] & other.0[i]))
    }
}

impl Not for Stations {
    type Output = Stations;
    fn not(self) -> Stations {
        Stations(self.0.map(|word| !word))
    }
}

/// A board. Stations are numbered from 0 here, and from 1 for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The links of all stations, station by station, each station's in rising order.
    links: Vec<Link>,
    /// Where the links of a station begin; one more at the end.
    first: Vec<u16>,
    /// Every way to leave each station, those with a black ticket last, and where those begin.
    hops: Vec<(Vec<Hop>, usize)>,
    /// Where a ticket takes one from a station.
    reach: Vec<[Stations; 4]>,
    starts: Vec<u8>,
    distances: Distances,
}

/// What is wrong with the text of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadBoard {
    /// Something in one line.
    #[error("line {line}: {what}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// Something about the whole.
    #[error("{0}")]
    Whole(String),
}

/// A link as it is written: two stations from 0, and the place in [`TRANSPORT`].
pub(super) type Edge = (u8, u8, usize);

impl Board {
    /// A board that is built in: `london` or `tiny`.
    pub fn named(name: &str) -> Option<Board> {
        let text = match name {
            "london" => LONDON,
            "tiny" => TINY,
            _ => return None,
        };
        Some(Board::read(text).expect("the boards that are built in are well-formed"))
    }

    /// Reads a board.
    pub fn read(text: &str) -> Result<Board, BadBoard> {
        let mut edges: Vec<Edge> = Vec::new();
        let mut met: HashSet<Edge> = HashSet::new();
        let mut starts: Vec<u8> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let bad = |what: String| BadBoard::Line { line: number, what };
            let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
            match words[..] {
                [] => {}
                ["start", ref stations @ ..] => {
                    for station in stations {
                        let station = read_station(station).map_err(bad)?;
                        if starts.contains(&station) {
                            return Err(bad(format!("station {} has a start card already", station + 1)));
                        }
                        starts.push(station);
                    }
                }
                [a, b, by] => {
                    let (a, b) = (read_station(a).map_err(bad)?, read_station(b).map_err(bad)?);
                    let (edge, by) = ((a.min(b), a.max(b)), if by == "water" { "boat" } else { by });
                    let kind = TRANSPORT.iter().position(|name| *name == by);
                    let expected = || format!("expected one of {}, not '{by}'", TRANSPORT.join(", "));
                    let edge = (edge.0, edge.1, kind.ok_or_else(|| bad(expected()))?);
                    if a == b {
                        return Err(bad(format!("station {} is linked to itself", a + 1)));
                    }
                    if !met.insert(edge) {
                        return Err(bad(format!("there is a {by} between {} and {} already", a + 1, b + 1)));
                    }
                    edges.push(edge);
                }
                _ => {
                    let expected = "expected two stations and what links them, as in '1 8 taxi'";
                    return Err(bad(format!("{expected}, or start cards, as in 'start 13 26'")));
                }
            }
        }
        Board::new(&edges, starts)
    }

    /// The board with these links and start cards; without cards one may start anywhere.
    pub(super) fn new(edges: &[Edge], mut starts: Vec<u8>) -> Result<Board, BadBoard> {
        let stations = edges.iter().map(|edge| edge.1 as usize + 1).max().unwrap_or(0);
        if stations == 0 {
            return Err(BadBoard::Whole("nothing is linked".to_string()));
        }
        let mut kinds = vec![vec![0; stations]; stations];
        for &(a, b, kind) in edges {
            kinds[a as usize][b as usize] |= 1 << kind;
            kinds[b as usize][a as usize] |= 1 << kind;
        }
        let mut board = Board {
            links: Vec::new(),
            first: vec![0],
            hops: Vec::new(),
            reach: Vec::new(),
            starts: Vec::new(),
            distances: Distances::default(),
        };
        for (station, row) in (1..).zip(&kinds) {
            let links =
                (0..=u8::MAX).zip(row).filter(|link| *link.1 != 0).map(|(to, &kinds)| Link { to, kinds });
            board.links.extend(links.clone());
            board.first.push(board.links.len() as u16);
            let paid = |by: Ticket| links.clone().filter(move |link| payable(link.kinds, 1 << by as u8) != 0);
            board.reach.push(Ticket::ALL.map(|by| paid(by).map(|link| link.to).collect()));
            let hops =
                Ticket::ALL.into_iter().flat_map(|by| paid(by).map(move |link| Hop { to: link.to, by }));
            let hops: Vec<Hop> = hops.collect();
            let plain = hops.iter().filter(|hop| hop.by != Ticket::Black).count();
            board.hops.push((hops, plain));
            if links.clone().next().is_none() {
                return Err(BadBoard::Whole(format!("no link leads to station {station}")));
            }
        }
        if let Some(nowhere) = starts.iter().find(|&&start| start as usize >= stations) {
            let what = format!("there is a start card for station {}, but no link to it", nowhere + 1);
            return Err(BadBoard::Whole(what));
        }
        if starts.is_empty() {
            starts.extend(0..stations as u8);
        }
        starts.sort_unstable();
        board.starts = starts;
        board.distances = Distances::of(&board);
        Ok(board)
    }

    /// How many stations there are.
    pub fn stations(&self) -> usize {
        self.reach.len()
    }

    /// The stations of the start cards, in rising order.
    pub fn starts(&self) -> &[u8] {
        &self.starts
    }

    /// Where a ticket takes one from a station.
    #[inline]
    pub fn reach(&self, from: u8, ticket: Ticket) -> Stations {
        self.reach[from as usize][ticket as usize]
    }

    /// Every way to leave a station with all kinds of tickets, or without black ones.
    #[inline]
    pub(super) fn hops(&self, from: u8, with_black: bool) -> &[Hop] {
        let (hops, plain) = &self.hops[from as usize];
        if with_black { hops } else { &hops[..*plain] }
    }

    /// How many moves a seeker needs from one station to another.
    pub fn distances(&self) -> &Distances {
        &self.distances
    }

    #[inline]
    pub(super) fn links(&self, from: u8) -> &[Link] {
        let at = from as usize;
        &self.links[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

fn read_station(text: &str) -> Result<u8, String> {
    let number: Option<u8> = text.parse().ok().filter(|&n| n > 0 && text.bytes().all(|b| b.is_ascii_digit()));
    number.map(|n| n - 1).ok_or_else(|| format!("'{text}' is not a station from 1 to {MOST_STATIONS}"))
}
