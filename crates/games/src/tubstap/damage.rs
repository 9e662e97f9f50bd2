//! What an attack does. There is no chance in it, and all division rounds down.

use super::units::Kind;

/// Hit points an attack takes. `stars` are those of the cell the defender stands on, which do not protect what
/// flies.
#[inline]
pub const fn damage(attacker: Kind, attacker_hp: u8, defender: Kind, defender_hp: u8, stars: u32) -> u8 {
    let stars = if defender.is_air() { 0 } else { stars };
    let dealt = (attacker.effect(defender) * attacker_hp as u32 + 70) / (100 + stars * defender_hp as u32);
    if dealt < defender_hp as u32 { dealt as u8 } else { defender_hp }
}

/// A unit in a fight: what it is, its hit points, and the stars of its cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fighter {
    /// What it is.
    pub kind: Kind,
    /// Its hit points.
    pub hp: u8,
    /// The stars of its cell.
    pub stars: u32,
}

/// The damage an attacker deals and what it gets back: a defender that survives strikes back if both strike
/// their neighbours only.
#[inline]
pub const fn exchange(attacker: Fighter, defender: Fighter) -> (u8, u8) {
    let dealt = damage(attacker.kind, attacker.hp, defender.kind, defender.hp, defender.stars);
    let left = defender.hp - dealt;
    if left == 0 || !attacker.kind.is_direct() || !defender.kind.is_direct() {
        return (dealt, 0);
    }
    (dealt, damage(defender.kind, left, attacker.kind, attacker.hp, attacker.stars))
}
