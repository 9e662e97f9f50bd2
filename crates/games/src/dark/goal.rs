//! What the players want: a row of marks, or a chain of them from side to side.

use std::fmt::Debug;

use fogtree_core::{Player, Rng};

use crate::grid::{Cell, Grid, Lines, cells_of};

/// What a player must mark to win. More marks never undo it.
pub trait Goal: Clone + Debug + Send + Sync + 'static {
    /// Whether a player has reached it with these marks.
    fn is_reached(&self, who: Player, marks: u64) -> bool;

    /// The cells of a set, each of which would reach it; it is not reached yet.
    fn winning(&self, who: Player, marks: u64, of: u64) -> u64;

    /// Draws free cells with which, all together, it is reached from these marks, where none can be left out;
    /// none if that fails. Each such set can be drawn, not all equally often.
    fn draw_way(&self, who: Player, marks: u64, free: u64, rng: &mut Rng) -> Option<u64>;

    /// What is drawn as the board: the place of each cell in a picture with so many columns, and the lattice.
    fn is_hexagonal(&self) -> bool;

    /// What wins, as in "3 in a row win".
    fn words(&self, who: Player) -> String;
}

/// A row of marks.
#[derive(Clone, Debug)]
pub struct Rows {
    lines: Lines,
    in_row: u16,
}

impl Rows {
    /// The rows of a board of at most 64 cells.
    pub fn of(grid: &Grid) -> Rows {
        Rows { lines: Lines::of(grid), in_row: grid.in_row() }
    }
}

impl Goal for Rows {
    #[inline]
    fn is_reached(&self, _: Player, marks: u64) -> bool {
        self.lines.any(marks)
    }

    fn winning(&self, _: Player, marks: u64, of: u64) -> u64 {
        let gaps = self.lines.all().iter().map(|line| line & !marks);
        gaps.filter(|gap| gap.is_power_of_two()).fold(0, |cells, gap| cells | gap) & of
    }

    fn draw_way(&self, _: Player, marks: u64, free: u64, rng: &mut Rng) -> Option<u64> {
        let possible = |line: &&u64| *line & !(marks | free) == 0;
        let count = self.lines.all().iter().filter(possible).count();
        let chosen = (count > 0).then(|| rng.below(count as u32) as usize)?;
        self.lines.all().iter().filter(possible).nth(chosen).map(|line| line & free)
    }

    fn is_hexagonal(&self) -> bool {
        false
    }

    fn words(&self, _: Player) -> String {
        format!("{} in a row win", self.in_row)
    }
}

/// A chain of marks between two sides: the first player joins top and bottom, the second left and right.
///
/// A cell has the neighbours left and right, above and above to the right, below and below to the left.
#[derive(Clone, Debug)]
pub struct Hex {
    neighbours: Vec<u64>,
    /// The two sides of each player.
    sides: [[u64; 2]; 2],
}

impl Hex {
    /// The chains of a board of at most 64 cells.
    pub fn of(columns: u16, rows: u16) -> Hex {
        let cells = |inside: &dyn Fn(u16, u16) -> bool| {
            let all = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
            all.filter(|&(x, y)| inside(x, y)).fold(0, |set, (x, y)| set | Cell(y * columns + x).bit())
        };
        let near = |x: u16, y: u16| {
            cells(&|u, v| {
                let (right, down) = (i32::from(u) - i32::from(x), i32::from(v) - i32::from(y));
                matches!((right, down), (-1 | 1, 0) | (0 | 1, -1) | (-1 | 0, 1))
            })
        };
        Hex {
            neighbours: (0..rows)
                .flat_map(|y| (0..columns).map(move |x| (x, y)))
                .map(|(x, y)| near(x, y))
                .collect(),
            sides: [
                [cells(&|_, y| y == 0), cells(&|_, y| y == rows - 1)],
                [cells(&|x, _| x == 0), cells(&|x, _| x == columns - 1)],
            ],
        }
    }

    /// All that is joined to some marks by marks.
    fn joined(&self, from: u64, marks: u64) -> u64 {
        let (mut reached, mut open) = (from & marks, from & marks);
        while open != 0 {
            open = self.around(open) & marks & !reached;
            reached |= open;
        }
        reached
    }

    fn around(&self, set: u64) -> u64 {
        cells_of(set).fold(0, |all, cell| all | self.neighbours[usize::from(cell.0)])
    }
}

impl Goal for Hex {
    #[inline]
    fn is_reached(&self, who: Player, marks: u64) -> bool {
        let [from, to] = self.sides[who.index()];
        self.joined(from, marks) & to != 0
    }

    fn winning(&self, who: Player, marks: u64, of: u64) -> u64 {
        let [near, far] = self.sides[who.index()].map(|side| side | self.around(self.joined(side, marks)));
        near & far & of & !marks
    }

    /// A way of least cost from side to side, where marks cost nothing and free cells cost a random number
    /// each.
    fn draw_way(&self, who: Player, marks: u64, free: u64, rng: &mut Rng) -> Option<u64> {
        let [from, to] = self.sides[who.index()];
        let mut cost = [0.0; 64];
        cells_of(free).for_each(|cell| cost[usize::from(cell.0)] = rng.unit() + 1e-9);
        let (mut best, mut before) = ([f64::INFINITY; 64], [None; 64]);
        cells_of(from & (marks | free)).for_each(|c| best[usize::from(c.0)] = cost[usize::from(c.0)]);
        let mut open = marks | free;
        let end = loop {
            let nearest =
                cells_of(open).min_by(|a, b| best[usize::from(a.0)].total_cmp(&best[usize::from(b.0)]))?;
            let at = usize::from(nearest.0);
            if best[at].is_infinite() {
                return None;
            }
            if nearest.bit() & to != 0 {
                break nearest;
            }
            open &= !nearest.bit();
            for next in cells_of(self.neighbours[at] & open).map(|c| usize::from(c.0)) {
                if best[at] + cost[next] < best[next] {
                    (best[next], before[next]) = (best[at] + cost[next], Some(nearest));
                }
            }
        };
        let mut way = std::iter::successors(Some(end), |c| before[usize::from(c.0)])
            .fold(0, |set, c| set | c.bit())
            & free;
        for cell in cells_of(way) {
            if self.is_reached(who, marks | way & !cell.bit()) {
                way &= !cell.bit();
            }
        }
        Some(way)
    }

    fn is_hexagonal(&self) -> bool {
        true
    }

    fn words(&self, who: Player) -> String {
        let sides = ["top and bottom", "left and right"][who.index()];
        format!("a chain between {sides} wins")
    }
}
