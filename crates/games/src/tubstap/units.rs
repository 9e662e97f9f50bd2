//! The six kinds of units: how far they go, how far they strike, how far they see, and whom they hurt.

use serde::{Deserialize, Serialize};

/// A kind of unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Fighter jet.
    #[default]
    Fighter,
    /// Attack jet.
    Attacker,
    /// Tank.
    Panzer,
    /// Artillery, which strikes from afar and never after moving.
    Cannon,
    /// Anti-air.
    Antiair,
    /// Infantry.
    Infantry,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] =
        [Kind::Fighter, Kind::Attacker, Kind::Panzer, Kind::Cannon, Kind::Antiair, Kind::Infantry];

    /// Its letter.
    pub const fn letter(self) -> char {
        ['F', 'A', 'P', 'U', 'R', 'I'][self as usize]
    }

    /// The kind with this letter.
    pub fn of_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Its name in map files.
    pub const fn name(self) -> &'static str {
        ["fighter", "attacker", "panzer", "cannon", "antiair", "infantry"][self as usize]
    }

    /// The kind with this name.
    pub fn of_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its move points.
    #[inline]
    pub const fn speed(self) -> usize {
        [9, 7, 6, 5, 6, 3][self as usize]
    }

    /// Whether it strikes only the neighbouring cells, and strikes back.
    #[inline]
    pub const fn is_direct(self) -> bool {
        !matches!(self, Kind::Cannon)
    }

    /// Whether it flies: terrain does not protect it.
    #[inline]
    pub const fn is_air(self) -> bool {
        matches!(self, Kind::Fighter | Kind::Attacker)
    }

    /// How far it sees in the fog (Pipan 2021, Table 1).
    pub const fn vision(self) -> u32 {
        [5, 5, 2, 2, 2, 1][self as usize]
    }

    /// How well it hurts another kind.
    #[inline]
    pub const fn effect(self, on: Kind) -> u32 {
        const EFFECT: [[u32; 6]; 6] = [
            [55, 65, 0, 0, 0, 0],
            [0, 0, 105, 105, 85, 115],
            [0, 0, 55, 70, 75, 75],
            [0, 0, 60, 75, 65, 90],
            [70, 70, 15, 50, 45, 105],
            [0, 0, 5, 10, 3, 55],
        ];
        EFFECT[self as usize][on as usize]
    }
}

/// The greatest number of hit points.
pub const MOST_HP: u8 = 10;
