//! Who takes part: seats, sets of seats, the public observer, and one value per seat.

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The most players a game may have.
pub const MAX_PLAYERS: usize = 16;

/// A seat at the table, counted from 0. Chance is not a player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Player(pub u8);

impl Player {
    /// The seat as an index into per-player storage.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seats `0..players`.
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Player> + ExactSizeIterator + Clone {
        (0..players as u8).map(Player)
    }

    /// The other seat of a two-player game.
    #[inline]
    pub const fn other(self) -> Player {
        Player(1 - self.0)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Who looks: a seat, or somebody who sees only what everybody sees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Observer {
    /// What this seat sees.
    Seat(Player),
    /// What everybody sees.
    Public,
}

impl Observer {
    /// All observers of a game: its seats, then the public.
    pub fn all(players: usize) -> impl Iterator<Item = Observer> + Clone {
        Player::all(players).map(Observer::Seat).chain(std::iter::once(Observer::Public))
    }

    /// The seat that looks, if it is one.
    #[inline]
    pub const fn seat(self) -> Option<Player> {
        match self {
            Observer::Seat(p) => Some(p),
            Observer::Public => None,
        }
    }

    /// Whether this observer is the given seat.
    #[inline]
    pub fn is(self, who: Player) -> bool {
        self == Observer::Seat(who)
    }
}

impl fmt::Display for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Observer::Seat(p) => write!(f, "player {p}"),
            Observer::Public => f.write_str("the public"),
        }
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Players(u16);

impl Players {
    /// The seats `0..players`.
    pub const fn first(players: usize) -> Players {
        Players(((1u32 << players) - 1) as u16)
    }

    /// The seats whose bits are set.
    #[inline]
    pub const fn from_bits(bits: u16) -> Players {
        Players(bits)
    }

    /// This set with one more seat.
    #[must_use]
    pub const fn with(self, p: Player) -> Players {
        Players(self.0 | 1 << p.0)
    }

    /// Whether the seat is in the set.
    #[inline]
    pub const fn contains(self, p: Player) -> bool {
        p.index() < MAX_PLAYERS && self.0 >> p.0 & 1 == 1
    }

    /// How many seats are in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in rising order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Player> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let p = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (p < 16).then_some(Player(p as u8))
        })
    }
}

impl FromIterator<Player> for Players {
    fn from_iter<I: IntoIterator<Item = Player>>(iter: I) -> Players {
        iter.into_iter().fold(Players::default(), Players::with)
    }
}

/// One value per seat, stored in place.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerPlayer<T>(ArrayVec<T, MAX_PLAYERS>);

/// What the game was worth to every seat.
pub type Rewards = PerPlayer<f64>;

impl<T> PerPlayer<T> {
    /// A value for each of the seats `0..players`.
    #[inline]
    pub fn from_fn(players: usize, value: impl FnMut(Player) -> T) -> PerPlayer<T> {
        PerPlayer(Player::all(players).map(value).collect())
    }

    /// The values in seat order.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The values in seat order, to be changed.
    #[inline]
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// The values in seat order.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// How many seats there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no seats.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PerPlayer<f64> {
    /// The rewards of a two-player game in which one gains what the other loses.
    #[inline]
    pub fn zero_sum(first: f64) -> Rewards {
        PerPlayer::from_fn(2, |p| if p.0 == 0 { first } else { -first })
    }

    /// 1 for the winner and 0 for everybody else; an equal share for all when nobody won.
    #[inline]
    pub fn winner(players: usize, winner: Option<Player>) -> Rewards {
        PerPlayer::from_fn(players, |p| match winner {
            Some(w) if w == p => 1.0,
            Some(_) => 0.0,
            None => 1.0 / players as f64,
        })
    }
}

impl<T> Index<Player> for PerPlayer<T> {
    type Output = T;
    #[inline]
    fn index(&self, p: Player) -> &T {
        &self.0[p.index()]
    }
}

impl<T> IndexMut<Player> for PerPlayer<T> {
    #[inline]
    fn index_mut(&mut self, p: Player) -> &mut T {
        &mut self.0[p.index()]
    }
}

impl<T> FromIterator<T> for PerPlayer<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> PerPlayer<T> {
        PerPlayer(iter.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_players_list_their_members_in_order() {
        let set: Players = [Player(5), Player(0), Player(15)].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [Player(0), Player(5), Player(15)]);
        assert_eq!(set.len(), 3);
        assert_eq!(Players::first(16).len(), 16);
        assert!(set.contains(Player(0)) && !set.contains(Player(16)) && !set.contains(Player(255)));
    }

    #[test]
    fn nobody_winning_shares_the_reward() {
        assert_eq!(PerPlayer::winner(4, None).as_slice(), [0.25; 4]);
        assert_eq!(PerPlayer::winner(2, Some(Player(1))).as_slice(), [0.0, 1.0]);
    }
}
