//! The board: a square grid standing on a corner, from the Shire to Mordor.
//!
//! Light walks up the rows and Dark down. A set of regions, and a count per region, are one word with four bits
//! for each region, so that "which regions are full" is a comparison of two words.

use serde::{Deserialize, Serialize};

/// A place on the board, numbered row by row from the Shire.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Region(pub u8);

/// The most regions.
pub(super) const REGIONS: usize = 16;

impl Region {
    /// The set that holds this region alone.
    #[inline]
    pub(super) fn bit(self) -> Regions {
        1 << (4 * self.0)
    }
}

/// A set of regions: bit `4 * region`.
pub(super) type Regions = u64;

const ONES: u64 = 0x1111_1111_1111_1111;

/// The regions of a set, in rising order.
#[inline]
pub(super) fn regions_of(mut set: Regions) -> impl Iterator<Item = Region> {
    std::iter::from_fn(move || {
        let region = (set != 0).then(|| Region((set.trailing_zeros() / 4) as u8));
        set &= set.wrapping_sub(1);
        region
    })
}

/// The regions where a count is not 0.
#[inline]
pub(super) fn nonzero(counts: u64) -> Regions {
    let pairs = counts | counts >> 2;
    (pairs | pairs >> 1) & ONES
}

/// The regions where two counts are equal.
#[inline]
pub(super) fn equal(a: u64, b: u64) -> Regions {
    !nonzero(a ^ b) & ONES
}

/// The regions where a count is 1.
#[inline]
pub(super) fn single(counts: u64) -> Regions {
    equal(counts, ONES)
}

/// The count at a region.
#[inline]
pub(super) fn count_at(counts: u64, region: Region) -> u8 {
    (counts >> (4 * region.0) & 15) as u8
}

const NAMES: [&[&str]; 3] = [
    &["shire", "arthedain", "cardolan", "mordor"],
    &["shire", "arthedain", "cardolan", "high-pass", "moria", "gap-of-rohan", "dagorlad", "gondor", "mordor"],
    &[
        "shire",
        "arthedain",
        "cardolan",
        "rhudaur",
        "eregion",
        "enedwaith",
        "high-pass",
        "misty-mountains",
        "moria",
        "gap-of-rohan",
        "mirkwood",
        "fangorn",
        "rohan",
        "dagorlad",
        "gondor",
        "mordor",
    ],
];

/// The way under the mountains that Light alone takes, and the region from which it is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tunnel {
    pub(super) from: Region,
    pub(super) to: Region,
    pub(super) watched_from: Region,
}

/// A board of 2, 3 or 4 regions a side.
#[derive(Clone, Debug)]
pub struct Map {
    names: &'static [&'static str],
    rows: Vec<Vec<Region>>,
    /// The most pieces of one player in each region.
    pub(super) capacity: u64,
    /// The regions one step towards Mordor, and one step towards the Shire.
    pub(super) up: [Regions; REGIONS],
    pub(super) down: [Regions; REGIONS],
    pub(super) sideways: [Regions; REGIONS],
    /// Where each player's pieces go in an ordinary move.
    pub(super) ways: [[Regions; REGIONS]; 2],
    /// Where each player's other pieces stand at first, one in each.
    pub(super) front: [Vec<Region>; 2],
    pub(super) tunnel: Option<Tunnel>,
    pub(super) gondor: Option<Region>,
}

impl Map {
    /// The board with so many regions a side; the published one has 4.
    pub fn of(side: usize) -> Map {
        let mut rows: Vec<Vec<Region>> = Vec::new();
        let mut next = 0;
        for row in 0..2 * side - 1 {
            let width = side - row.abs_diff(side - 1);
            rows.push((next..next + width).map(|r| Region(r as u8)).collect());
            next += width;
        }
        let mountains = (side > 2).then_some(side - 1);
        let (mut capacity, mut up, mut down) = (0, [0; REGIONS], [0; REGIONS]);
        let mut sideways = [0; REGIONS];
        for (r, row) in rows.iter().enumerate() {
            for (i, &region) in row.iter().enumerate() {
                let most = match row.len() {
                    1 => 4,
                    _ if mountains == Some(r) => 1,
                    _ => 2,
                };
                capacity |= most * region.bit();
                for (j, &ahead) in rows.get(r + 1).into_iter().flatten().enumerate() {
                    let near = if r + 1 < side { [i, i + 1] } else { [i.wrapping_sub(1), i] };
                    if near.contains(&j) {
                        up[usize::from(region.0)] |= ahead.bit();
                        down[usize::from(ahead.0)] |= region.bit();
                    }
                }
                if let Some(&beside) = row.get(i + 1).filter(|_| mountains != Some(r)) {
                    sideways[usize::from(region.0)] |= beside.bit();
                    sideways[usize::from(beside.0)] |= region.bit();
                }
            }
        }
        let names = NAMES[side - 2];
        let named = |name| names.iter().position(|n| *n == name).map(|i| Region(i as u8));
        let tunnel = named("eregion").zip(named("fangorn")).zip(named("moria"));
        let tunnel = tunnel.map(|((from, to), watched_from)| Tunnel { from, to, watched_from });
        let mut ways = [up, down];
        let river = [("mirkwood", "fangorn"), ("fangorn", "rohan")];
        let river = river.iter().filter_map(|&(from, to)| named(from).zip(named(to)));
        for (from, to) in river.chain(tunnel.map(|t| (t.from, t.to))) {
            ways[0][usize::from(from.0)] |= to.bit();
        }
        let last = rows.len() - 1;
        let front = [rows[1..side - 1].concat(), rows[side..last.max(side)].concat()];
        Map { names, rows, capacity, up, down, sideways, ways, front, tunnel, gondor: named("gondor") }
    }

    /// How many regions there are.
    pub fn regions(&self) -> usize {
        self.names.len()
    }

    /// The regions row by row, from the Shire.
    pub(super) fn rows(&self) -> &[Vec<Region>] {
        &self.rows
    }

    /// Where a player's home is.
    #[inline]
    pub(super) fn home(&self, side: usize) -> Region {
        Region(if side == 0 { 0 } else { self.names.len() as u8 - 1 })
    }

    /// The name of a region, empty if there is no such region.
    pub fn name(&self, region: Region) -> &'static str {
        self.names.get(usize::from(region.0)).copied().unwrap_or_default()
    }

    /// The region of this name.
    pub fn parse(&self, name: &str) -> Option<Region> {
        self.names.iter().position(|n| *n == name).map(|i| Region(i as u8))
    }
}
