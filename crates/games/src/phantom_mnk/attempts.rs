//! What becomes of failed attempts, and what of it has to be remembered.
//!
//! Where they are hidden, the other may have found any of my marks, and I know nothing about which: the sets
//! of marks and of found cells are the whole state, in whatever order they came about.
//!
//! Where they are announced, I know how many of my marks stood when the other failed, so which ones it may
//! have found depends on the order in which I made them: its i-th failed attempt can only have hit a mark
//! made before it. Likewise a mark that I found is one of those the other had by then. Hence [`Announced`]
//! notes for each mark how often the other had failed when it was made, and for each found mark how many
//! there were to find. Marks made between the same two failed attempts get the same note: their order does
//! not matter. The notes of one player's marks and of the other's failed attempts tell one story, known to
//! all but for the cells: the j-th mark was made after `stamps[j]` failures, the i-th failure met as many
//! marks as have stamps below i.

use std::fmt::Debug;
use std::hash::Hash;

use arrayvec::ArrayVec;
use fogtree_core::{Observer, Player, Rng};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Info, State};
use crate::grid::{Cell, cells_of};

/// What becomes of failed attempts: [`Hidden`] or [`Announced`].
pub trait Attempts: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// Whether everybody learns that an attempt failed.
    const ANNOUNCED: bool;
    /// What an observer knows of the order of marks and attempts.
    type Info: Clone + Eq + Hash + Debug + Send + Sync + Serialize + DeserializeOwned;

    /// A player found one of the other's marks.
    fn failed(&mut self, cell: Cell, marks_of_other: u64);

    /// A player made a mark.
    fn placed(&mut self, cell: Cell, found_by_other: u64);

    /// What an observer knows.
    fn info(s: &State<Self>, by: Observer) -> Self::Info;

    /// How often each player has failed, where everybody knows.
    fn failures(known: &Self::Info) -> Option<[u8; 2]>;

    /// Draws what the players found, and when, for marks already drawn; all possibilities equally likely.
    /// `first` is the first player's first mark, where the rules fix it.
    fn draw(k: &Info<Self>, first: u64, rng: &mut Rng, into: &mut State<Self>);
}

/// The other learns nothing of a failed attempt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hidden;

impl Attempts for Hidden {
    const ANNOUNCED: bool = false;
    type Info = ();

    #[inline]
    fn failed(&mut self, _cell: Cell, _marks_of_other: u64) {}

    #[inline]
    fn placed(&mut self, _cell: Cell, _found_by_other: u64) {}

    fn info(_s: &State<Hidden>, _by: Observer) {}

    fn failures(_known: &()) -> Option<[u8; 2]> {
        None
    }

    /// Any of the other's marks may have been found, but for one that ended the game.
    #[inline]
    fn draw(k: &Info<Hidden>, first: u64, rng: &mut Rng, into: &mut State<Hidden>) {
        let out_of_reach = into.last.map_or(0, Cell::bit);
        for p in Player::all(2) {
            let to_find = into.marks[p.other().index()] & !out_of_reach;
            into.found[p.index()] = if k.by.is(p) { k.found } else { rng.bits() & to_find };
        }
        if into.marks[1] != 0 {
            into.found[1] |= first;
        }
    }
}

/// The other learns that an attempt failed, not where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Announced {
    /// For each mark: how often the other had failed when it was made.
    stamp: [u8; 64],
    /// For each mark that was found: how many marks its owner had then.
    found_among: [u8; 64],
}

impl Default for Announced {
    fn default() -> Announced {
        Announced { stamp: [0; 64], found_among: [0; 64] }
    }
}

/// What an observer knows of the order of marks and attempts where failed ones are announced.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Order {
    /// How often each player has failed.
    failures: [u8; 2],
    /// For each player's marks, in order: how often the other had failed when it was made.
    stamps: [ArrayVec<u8, 32>; 2],
    /// For a seat: the notes of its own marks and of those it found, by cell.
    notes: ArrayVec<u8, 64>,
}

impl Attempts for Announced {
    const ANNOUNCED: bool = true;
    type Info = Order;

    #[inline]
    fn failed(&mut self, cell: Cell, marks_of_other: u64) {
        self.found_among[usize::from(cell.0)] = marks_of_other.count_ones() as u8;
    }

    #[inline]
    fn placed(&mut self, cell: Cell, found_by_other: u64) {
        self.stamp[usize::from(cell.0)] = found_by_other.count_ones() as u8;
    }

    fn info(s: &State<Announced>, by: Observer) -> Order {
        let stamps = s.marks.map(|marks| {
            let mut stamps: ArrayVec<u8, 32> =
                cells_of(marks).map(|c| s.attempts.stamp[usize::from(c.0)]).collect();
            stamps.sort_unstable();
            stamps
        });
        let mut notes = ArrayVec::new();
        if let Some(p) = by.seat() {
            notes.extend([0; 64]);
            for c in cells_of(s.marks[p.index()]).map(|c| usize::from(c.0)) {
                notes[c] = s.attempts.stamp[c];
            }
            for c in cells_of(s.found[p.index()]).map(|c| usize::from(c.0)) {
                notes[c] = s.attempts.found_among[c];
            }
        }
        Order { failures: s.found.map(|found| found.count_ones() as u8), stamps, notes }
    }

    fn failures(known: &Order) -> Option<[u8; 2]> {
        Some(known.failures)
    }

    fn draw(k: &Info<Announced>, first: u64, rng: &mut Rng, into: &mut State<Announced>) {
        into.attempts = Announced::default();
        for owner in Player::all(2) {
            if k.order.failures[owner.other().index()] == 0 {
                into.found[owner.other().index()] = 0;
                continue;
            }
            draw_stamps(k, owner, first, rng, into);
            draw_found(k, owner, rng, into);
        }
    }
}

/// Draws which of the owner's marks came when. A mark that the observer found goes among the first marks, as
/// many as there were to find; taken in the order of that number, each has the same number of places
/// left whatever the others chose, so all ways are equally likely.
fn draw_stamps(k: &Info<Announced>, owner: Player, first: u64, rng: &mut Rng, into: &mut State<Announced>) {
    let marks = into.marks[owner.index()];
    if k.by.is(owner) {
        for c in cells_of(marks).map(|c| usize::from(c.0)) {
            into.attempts.stamp[c] = k.order.notes[c];
        }
        return;
    }
    let stamps = &k.order.stamps[owner.index()];
    let mut places = Places { stamps, free: (1 << stamps.len()) - 1, cells: marks };
    let stamp = &mut into.attempts.stamp;
    if owner == Player(0) && marks & first != 0 {
        places.give(Cell(first.trailing_zeros() as u16), 0, stamp);
    }
    if let Some(last) = into.last.filter(|_| k.mover == owner) {
        places.give(last, stamps.len() as u32 - 1, stamp);
    }
    if k.by.is(owner.other()) {
        for among in 1..=stamps.len() {
            let found = cells_of(k.found & places.cells);
            for cell in found.filter(|c| usize::from(k.order.notes[usize::from(c.0)]) == among) {
                places.give(cell, rng.bit_of(places.free & ((1 << among) - 1)), stamp);
            }
        }
    }
    for cell in cells_of(places.cells) {
        places.give(cell, rng.bit_of(places.free), stamp);
    }
}

/// The places in the order of a player's marks that are still to be given, and the cells still to get one.
struct Places<'a> {
    stamps: &'a [u8],
    free: u64,
    cells: u64,
}

impl Places<'_> {
    fn give(&mut self, cell: Cell, place: u32, stamp: &mut [u8; 64]) {
        stamp[usize::from(cell.0)] = self.stamps[place as usize];
        self.cells &= !cell.bit();
        self.free &= !(1 << place);
    }
}

/// Draws which of the owner's marks the other's failed attempts hit, one after the other: each has the same
/// number of marks left whatever the others hit.
fn draw_found(k: &Info<Announced>, owner: Player, rng: &mut Rng, into: &mut State<Announced>) {
    let finder = owner.other();
    let found = &mut into.found[finder.index()];
    if k.by.is(finder) {
        *found = k.found;
        for c in cells_of(k.found).map(|c| usize::from(c.0)) {
            into.attempts.found_among[c] = k.order.notes[c];
        }
        return;
    }
    *found = 0;
    for failed_before in 0..k.order.failures[finder.index()] {
        let stood = cells_of(into.marks[owner.index()])
            .filter(|c| into.attempts.stamp[usize::from(c.0)] <= failed_before)
            .fold(0, |set, c| set | c.bit());
        let hit = rng.bit_of(stood & !*found);
        *found |= 1 << hit;
        into.attempts.found_among[hit as usize] = stood.count_ones() as u8;
    }
}
