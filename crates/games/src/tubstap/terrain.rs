//! What the ground is made of: who may enter it, at what price, and how well it protects.

use super::units::Kind;

/// The ground of a cell. The order is that of the codes in map files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Terrain {
    /// No entry: the border, holes.
    Void,
    /// Plain.
    Plain,
    /// Sea.
    Sea,
    /// Wood.
    Wood,
    /// Mountain.
    Mountain,
    /// Road.
    Road,
    /// Fortress.
    Fortress,
}

impl Terrain {
    /// All of them, by code.
    pub const ALL: [Terrain; 7] = [
        Terrain::Void,
        Terrain::Plain,
        Terrain::Sea,
        Terrain::Wood,
        Terrain::Mountain,
        Terrain::Road,
        Terrain::Fortress,
    ];

    /// How much it protects a unit on the ground.
    pub const fn stars(self) -> u32 {
        [0, 1, 0, 3, 4, 0, 4][self as usize]
    }

    /// The move points it takes to enter it, if it can be entered.
    pub const fn cost(self, kind: Kind) -> Option<u32> {
        match (self, kind) {
            (Terrain::Void, _) => None,
            (_, Kind::Fighter | Kind::Attacker) => Some(1),
            (Terrain::Plain | Terrain::Road | Terrain::Fortress, _) => Some(1),
            (Terrain::Sea, _) => None,
            (Terrain::Wood, Kind::Infantry) => Some(1),
            (Terrain::Wood, _) => Some(2),
            (Terrain::Mountain, Kind::Infantry) => Some(2),
            (Terrain::Mountain, _) => None,
        }
    }

    /// How it is drawn.
    pub const fn symbol(self) -> char {
        [' ', '.', '~', '"', '^', '=', '#'][self as usize]
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        ["void", "plain", "sea", "wood", "mountain", "road", "fortress"][self as usize]
    }
}
