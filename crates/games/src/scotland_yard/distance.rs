//! How many moves a seeker is away from a station, worked out once for a board.
//!
//! Seekers go by taxi, bus and underground. That tickets run out and that seekers stand in one another's way
//! is left out, so that a table of all pairs says it.

use super::board::Board;

/// The means of transport of seekers.
const LAND: u8 = 0b0111;

/// The distances between all stations of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Distances {
    stations: usize,
    /// Row by row; stations that no seeker reaches are one move farther than the farthest that one does.
    table: Vec<u8>,
    longest: u8,
}

impl Distances {
    pub(super) fn of(board: &Board) -> Distances {
        const UNMET: u8 = u8::MAX;
        let stations = board.stations();
        let mut table = vec![UNMET; stations * stations];
        let mut open: Vec<u8> = Vec::with_capacity(stations);
        for (from, row) in (0..=u8::MAX).zip(table.chunks_exact_mut(stations)) {
            open.clear();
            open.push(from);
            row[from as usize] = 0;
            let mut next = 0;
            while let Some(&here) = open.get(next) {
                next += 1;
                for link in board.links(here).iter().filter(|link| link.kinds & LAND != 0) {
                    if row[link.to as usize] == UNMET {
                        row[link.to as usize] = row[here as usize] + 1;
                        open.push(link.to);
                    }
                }
            }
        }
        let farthest = table.iter().copied().filter(|&d| d != UNMET).max().unwrap_or(0);
        table.iter_mut().for_each(|d| *d = (*d).min(farthest + 1));
        let longest = table.iter().copied().max().unwrap_or(0);
        Distances { stations, table, longest }
    }

    /// The moves from one station to another.
    #[inline]
    pub fn between(&self, from: u8, to: u8) -> u8 {
        self.row(from)[to as usize]
    }

    /// The moves from a station to each of them.
    #[inline]
    pub fn row(&self, from: u8) -> &[u8] {
        let first = from as usize * self.stations;
        &self.table[first..first + self.stations]
    }

    /// The greatest of all distances.
    pub fn longest(&self) -> u8 {
        self.longest
    }
}
