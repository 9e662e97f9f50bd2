//! A position: plain data, without history.

use fogtree_core::Player;
use serde::{Deserialize, Serialize};

use super::units::Kind;

/// The most units of both sides.
pub(super) const SLOTS: usize = 2 * super::map::MOST_UNITS;

/// A unit, or what is left of it: nothing, if it has no hit points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Unit {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub cell: u8,
    /// Its hit points, 0 if it is gone.
    pub hp: u8,
}

impl Unit {
    /// The set of its cell alone.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << self.cell
    }
}

/// How far a game has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Phase {
    /// Chance draws the army of this side.
    Muster(Player),
    /// Units act.
    Play,
    /// The game has ended, won by this side or drawn.
    Over(Option<Player>),
}

/// A position. Units are numbered: Red's first, then Blue's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Board {
    pub(super) units: [Unit; SLOTS],
    /// The units that have acted in the present turn of their side.
    pub(super) acted: u32,
    /// The units that are left.
    pub(super) standing: u32,
    /// Turns made, of both sides together.
    pub(super) turn: u16,
    pub(super) phase: Phase,
    /// The cells on which each side has units.
    pub(super) occupied: [u64; 2],
    /// The cells each side sees.
    pub(super) sight: [u64; 2],
    /// Cells that the side to move has found occupied in this turn without seeing by whom.
    pub(super) bumped: u64,
}

impl Board {
    /// A unit by number.
    #[inline]
    pub fn unit(&self, unit: u8) -> Unit {
        self.units[usize::from(unit) % SLOTS]
    }

    #[inline]
    pub(super) fn unit_mut(&mut self, unit: u8) -> &mut Unit {
        &mut self.units[usize::from(unit) % SLOTS]
    }

    /// Ends the game in the midst of a turn. Who had acted in it is nobody's business any more: not everybody saw it.
    #[inline]
    pub(super) fn end(&mut self, winner: Player) {
        (self.acted, self.bumped) = (0, 0);
        self.phase = Phase::Over(Some(winner));
    }

    /// The side to move.
    #[inline]
    pub fn mover(&self) -> Player {
        Player((self.turn & 1) as u8)
    }

    /// Turns made, of both sides together.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// How far the game has come.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The cells a side sees.
    pub fn sight(&self, side: Player) -> u64 {
        self.sight[side.index()]
    }

    /// The cells on which a side has units.
    pub fn occupied(&self, side: Player) -> u64 {
        self.occupied[side.index()]
    }

    /// Whether a unit has acted in this turn.
    #[inline]
    pub fn has_acted(&self, unit: u8) -> bool {
        self.acted >> unit & 1 == 1
    }
}

/// The members of a set of units, in rising order.
#[inline]
pub(super) fn ids(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let unit = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        unit
    })
}

/// The members of a set of cells, in rising order.
#[inline]
pub(super) fn cells_of(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        cell
    })
}
