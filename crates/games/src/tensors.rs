//! Tensors as lists: what a player knows, one number after another, in an order that never changes.
//!
//! A game lists its numbers in [`Listed::list`], from the point of view of a seat: its own things first, then
//! those of the players after it. [`impl_tensors`] makes [`fogtree_core::Tensors`] of the list; the shape is
//! measured.

use fogtree_core::{Game, Observer, Player};

/// A game that lists what a player knows as numbers.
pub(crate) trait Listed: Game {
    /// Rows and columns of the board of which the numbers are planes; `None` if they are of nothing in
    /// particular.
    fn board(&self) -> Option<[usize; 2]> {
        None
    }

    /// Lists what a seat knows: always as many numbers, each within -1 and 1.
    fn list(&self, known: &Self::Info, seat: Player, out: &mut Numbers<'_>);
}

/// Makes the list of a game its tensor. The parameters of a generic type follow it, as in
/// `impl_tensors!(Mnk<W>, const W: usize)`.
macro_rules! impl_tensors {
    ($game:ty $(, $($generic:tt)+)?) => {
        impl $(<$($generic)+>)? fogtree_core::Tensors<$game> for $game {
            fn shape(&self) -> Vec<usize> {
                $crate::tensors::shape(self)
            }

            fn write(
                &self,
                known: &<$game as fogtree_core::Game>::Info,
                seat: fogtree_core::Player,
                out: &mut [f32],
            ) {
                $crate::tensors::write(self, known, seat, out);
            }
        }
    };
}

pub(crate) use impl_tensors;

/// The shape of a game's list: planes of its board, or numbers in a row.
pub(crate) fn shape<G: Listed>(game: &G) -> Vec<usize> {
    let mut numbers = Numbers { out: &mut [], at: 0 };
    let seat = Player(0);
    game.list(&game.info(&game.start(), Observer::Seat(seat)), seat, &mut numbers);
    match game.board() {
        Some([rows, columns]) => vec![numbers.at / (rows * columns), rows, columns],
        None => vec![numbers.at],
    }
}

/// Writes a game's list into an array of its length, all zero.
pub(crate) fn write<G: Listed>(game: &G, known: &G::Info, seat: Player, out: &mut [f32]) {
    let length = out.len();
    let mut numbers = Numbers { out, at: 0 };
    game.list(known, seat, &mut numbers);
    assert_eq!(numbers.at, length, "a tensor has as many numbers as its shape says");
}

/// The players in the order of play, a seat first.
pub(crate) fn from_seat(seat: Player, players: usize) -> impl Iterator<Item = Player> + Clone {
    (0..players).map(move |i| Player(((seat.index() + i) % players) as u8))
}

/// How many places a player sits after a seat.
pub(crate) fn after_seat(seat: Player, players: usize, who: Player) -> usize {
    (who.index() + players - seat.index()) % players
}

/// An array of zeros that is written from its beginning to its end; without an array, the numbers are only
/// counted.
pub(crate) struct Numbers<'a> {
    out: &'a mut [f32],
    at: usize,
}

impl Numbers<'_> {
    /// One number.
    #[inline]
    pub(crate) fn number(&mut self, x: f32) {
        if let Some(here) = self.out.get_mut(self.at) {
            *here = x;
        }
        self.at += 1;
    }

    /// A number as a part of the greatest one that is likely: within -1 and 1, whatever comes.
    #[inline]
    pub(crate) fn share(&mut self, part: impl Into<f64>, whole: impl Into<f64>) {
        self.number((part.into() / whole.into().max(1.0)).clamp(-1.0, 1.0) as f32);
    }

    /// 1 if something is so, else 0.
    #[inline]
    pub(crate) fn flag(&mut self, is: bool) {
        self.number(f32::from(u8::from(is)));
    }

    /// One after another: 1 if something is so, else 0.
    pub(crate) fn flags(&mut self, all: impl Iterator<Item = bool>) {
        all.for_each(|is| self.flag(is));
    }

    /// A 1 at one of so many places, 0 at the others; 0 at all of them for `None`.
    #[inline]
    pub(crate) fn one_hot(&mut self, place: impl Into<Option<usize>>, size: usize) {
        if let Some(place) = place.into().filter(|&place| place < size)
            && let Some(here) = self.out.get_mut(self.at + place)
        {
            *here = 1.0;
        }
        self.at += size;
    }

    /// A set of at most 64 things, a number for each.
    #[inline]
    pub(crate) fn bits(&mut self, mut set: u64, size: usize) {
        while set != 0 {
            let place = set.trailing_zeros() as usize;
            set &= set - 1;
            if let Some(here) = self.out.get_mut(self.at + place).filter(|_| place < size) {
                *here = 1.0;
            }
        }
        self.at += size;
    }

    /// A plane of so many cells that all hold the same number.
    pub(crate) fn plane(&mut self, x: f32, cells: usize) {
        let end = (self.at + cells).min(self.out.len());
        if let Some(plane) = self.out.get_mut(self.at..end) {
            plane.fill(x);
        }
        self.at += cells;
    }
}
