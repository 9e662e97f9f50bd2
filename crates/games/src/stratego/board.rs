//! The board as data: squares, and the same as sets of cells.

use fogtree_core::Player;
use serde::{Deserialize, Serialize};

use super::MOST_CELLS;
use super::army::{Counts, Kind};
use super::worlds::Squares;

/// A cell as a set.
#[inline]
pub(super) fn bit(cell: u8) -> u128 {
    1 << cell
}

/// The cells of a set in rising order.
#[inline]
pub(super) fn cells_of(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// The cell of the n-th set bit.
#[inline]
pub(super) fn nth(set: u128, mut n: u32) -> u8 {
    let (mut half, mut first) = (set as u64, 0);
    if n >= half.count_ones() {
        n -= half.count_ones();
        (half, first) = ((set >> 64) as u64, 64);
    }
    for _ in 0..n {
        half &= half - 1;
    }
    first + half.trailing_zeros() as u8
}

/// What stands on a cell: whose piece, what everybody knows of it, and its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Square(pub(super) u8);

impl Square {
    pub(super) const EMPTY: Square = Square(0);
    const PIECE: u8 = 1 << 7;
    pub(super) const REVEALED: u8 = 1 << 5;
    pub(super) const MOVED: u8 = 1 << 4;
    /// In place of a kind.
    const UNKNOWN: u8 = 15;

    pub(super) fn new(owner: Player, kind: Kind) -> Square {
        Square(Square::PIECE | owner.0 << 6 | kind as u8)
    }

    #[inline]
    pub(super) fn owner(self) -> Option<Player> {
        (self.0 & Square::PIECE != 0).then_some(Player(self.0 >> 6 & 1))
    }

    /// What it is, if there is a piece and that is known.
    #[inline]
    pub(super) fn kind(self) -> Option<Kind> {
        self.owner().and_then(|_| Kind::ALL.get(usize::from(self.0 & 15)).copied())
    }

    pub(super) fn is_revealed(self) -> bool {
        self.0 & Square::REVEALED != 0
    }

    pub(super) fn has_moved(self) -> bool {
        self.0 & Square::MOVED != 0
    }

    pub(super) fn veiled(self) -> Square {
        Square(self.0 | Square::UNKNOWN)
    }

    pub(super) fn with(self, kind: Kind) -> Square {
        Square(self.0 & !15 | kind as u8)
    }
}

/// A player's last move, and how often in a row it has gone to and fro like that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(super) struct Last {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) times: u8,
}

/// How far the game is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(super) enum Phase {
    /// Chance draws the setup of a player.
    Setup(Player),
    Move(Player),
    Over(Option<Player>),
}

/// A player's pieces as sets of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Masks {
    pub(super) all: u128,
    /// Those that move.
    pub(super) mobile: u128,
    pub(super) scouts: u128,
}

impl Masks {
    #[inline]
    pub(super) fn add(&mut self, cell: u8, kind: Option<Kind>) {
        self.all |= bit(cell);
        self.mobile |= u128::from(kind.is_some_and(Kind::moves)) << cell;
        self.scouts |= u128::from(kind == Some(Kind::Scout)) << cell;
    }
}

/// Everything.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) squares: Squares,
    /// The same by sets of cells, for each player.
    pub(super) masks: [Masks; 2],
    /// The pieces each player has lost.
    pub(super) lost: [Counts; 2],
    pub(super) last: [Last; 2],
    pub(super) plies: u16,
    pub(super) phase: Phase,
}

impl State {
    #[inline]
    pub(super) fn square(&self, cell: u8) -> Square {
        self.squares.0[usize::from(cell)]
    }

    /// Takes away what stands on a cell.
    #[inline]
    pub(super) fn lift(&mut self, cell: u8) -> Square {
        let square = std::mem::replace(&mut self.squares.0[usize::from(cell)], Square::EMPTY);
        if let Some(owner) = square.owner() {
            let masks = &mut self.masks[owner.index()];
            masks.all &= !bit(cell);
            masks.mobile &= !bit(cell);
            masks.scouts &= !bit(cell);
        }
        square
    }

    /// Puts a piece on an empty cell.
    #[inline]
    pub(super) fn put(&mut self, cell: u8, square: Square) {
        self.squares.0[usize::from(cell)] = square;
        if let Some(owner) = square.owner() {
            self.masks[owner.index()].add(cell, square.kind());
        }
    }

    /// Says what a hidden piece is; the sets are to be rebuilt afterwards.
    pub(super) fn name(&mut self, cell: u8, kind: Kind) {
        let square = &mut self.squares.0[usize::from(cell)];
        *square = square.with(kind);
    }

    /// Makes the sets anew.
    pub(super) fn rebuild(&mut self) {
        self.masks = Default::default();
        for cell in 0..MOST_CELLS as u8 {
            let square = self.square(cell);
            if let Some(owner) = square.owner() {
                self.masks[owner.index()].add(cell, square.kind());
            }
        }
    }

    pub(super) fn lose(&mut self, owner: Player, kind: Kind) {
        self.lost[owner.index()][kind as usize] += 1;
    }
}
