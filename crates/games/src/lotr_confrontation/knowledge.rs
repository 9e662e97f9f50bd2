//! What each player remembers of the other's pieces, and the worlds that agree with it.
//!
//! The state logs what happened to pieces. Some events everybody sees in full: a character attacks, is
//! attacked, retreats or dies; or Sam is attacked, and Light shows whether Frodo is with him. Of a quiet move the other player sees only that some piece went from one region
//! to another; the log keeps which, so that a state holds the whole course of the game as its owner knows it.
//!
//! To draw a world is to draw a setup and, for every quiet move, one of the pieces that may have made it, such
//! that everything revealed comes true; all such courses are equally likely. Most characters need no
//! bookkeeping for that: those never revealed are interchangeable. So one goes through the log with a table of
//! the *placements* of the characters that were revealed (and of Frodo, who would have won by a quiet move to
//! Mordor), each with the number of courses that lead to any one way of standing like that; then draws a last
//! placement and goes back through the tables.

use arrayvec::ArrayVec;
use fogtree_core::{Observer, Player, Rng};
use serde::{Deserialize, Serialize};

use super::map::{Region, count_at, regions_of};
use super::pieces::{Character, EACH};
use super::{Board, Confrontation, DEAD, HIDDEN, Phase, Setup, State};

/// The most events that are remembered. A game that may need more is drawn.
pub(super) const LONGEST_LOG: usize = 192;

/// In place of where a piece goes: it is not there.
const ABSENT: u8 = 18;

/// Something that happened to a piece: which character, from where, to where, and whether everybody saw who.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Event(u16);

impl Event {
    const OPEN: u16 = 1 << 14;
    /// In place of a character: one of Light's, or one of Dark's.
    const SOMEBODY: u16 = 30;

    fn new(who: u16, from: Region, to: u8) -> Event {
        Event(who << 9 | u16::from(from.0) << 5 | u16::from(to))
    }

    /// A move of which others do not see who makes it.
    #[inline]
    pub(super) fn unseen(c: Character, from: Region, to: Region) -> Event {
        Event::new(c as u16, from, to.0)
    }

    /// A move, a death, or a mere reveal, that everybody sees.
    #[inline]
    pub(super) fn open(c: Character, from: Region, to: u8) -> Event {
        Event(Event::new(c as u16, from, to).0 | Event::OPEN)
    }

    /// Everybody learns that a character is not in a region.
    #[inline]
    pub(super) fn absent(c: Character, from: Region) -> Event {
        Event::open(c, from, ABSENT)
    }

    fn is_open(self) -> bool {
        self.0 & Event::OPEN != 0
    }

    fn who(self) -> u16 {
        self.0 >> 9 & 31
    }

    /// Who it was, if that is known.
    pub fn character(self) -> Option<Character> {
        Character::ALL.get(usize::from(self.who())).copied()
    }

    fn side(self) -> usize {
        self.character().map_or(usize::from(self.who() & 1), Character::side)
    }

    fn from(self) -> Region {
        Region((self.0 >> 5 & 15) as u8)
    }

    fn to(self) -> u8 {
        (self.0 & 31) as u8
    }

    /// The event as the other player sees it.
    fn veiled(self) -> Event {
        if self.is_open() {
            self
        } else {
            Event::new(Event::SOMEBODY + self.side() as u16, self.from(), self.to())
        }
    }

    fn by(self, slot: usize) -> Event {
        Event::new((self.side() * EACH + slot) as u16, self.from(), self.to())
    }
}

/// What an observer knows: the board without the characters it cannot name, and what it saw happen.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    pub(super) by: Observer,
    pub(super) board: Board,
    pub(super) log: ArrayVec<Event, LONGEST_LOG>,
}

impl Info {
    pub(super) fn of(s: &State, by: Observer) -> Info {
        let mut board = s.board;
        let hides = |side: usize| !by.is(Player(side as u8));
        for side in (0..2).filter(|&side| hides(side)) {
            for at in board.at[side * EACH..][..EACH].iter_mut().filter(|at| **at < DEAD) {
                *at = HIDDEN;
            }
        }
        let log = s.log.iter().map(|event| if hides(event.side()) { event.veiled() } else { *event });
        Info { by, board, log: log.collect() }
    }

    /// Whether the pieces of a player are on the board and hidden from this observer.
    fn hides(&self, side: usize) -> bool {
        let placed = match self.board.phase {
            Phase::Setup(who) => side < who.index(),
            _ => true,
        };
        placed && !self.by.is(Player(side as u8))
    }
}

/// Where the characters of a player are that need bookkeeping: five bits each, a region, [`DEAD`], or `ALIKE`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Placing(u64);

/// In place of a region: one of the characters that nobody has seen.
const ALIKE: u8 = 31;

impl Placing {
    #[inline]
    fn at(self, slot: usize) -> u8 {
        (self.0 >> (5 * slot) & 31) as u8
    }

    #[inline]
    fn with(self, slot: usize, at: u8) -> Placing {
        Placing(self.0 & !(31 << (5 * slot)) | u64::from(at) << (5 * slot))
    }

    /// How many of these characters are in each region.
    fn counts(self) -> u64 {
        (0..EACH).map(|slot| self.at(slot)).filter(|at| *at < DEAD).map(|at| Region(at).bit()).sum()
    }
}

/// The placements possible at one time.
#[derive(Clone, Debug)]
struct Layer {
    /// How many pieces stand in each region.
    pieces: u64,
    /// Sorted, each with the courses that lead to any one way of standing like that.
    placings: Vec<(Placing, f64)>,
}

impl Layer {
    fn courses(&self, placing: Placing) -> f64 {
        let found = self.placings.binary_search_by_key(&placing, |p| p.0);
        found.map_or(0.0, |i| self.placings[i].1)
    }

    fn new(pieces: u64, mut all: Vec<(Placing, f64)>) -> Layer {
        all.sort_unstable_by_key(|p| p.0);
        all.dedup_by(|again, first| {
            let same = again.0 == first.0;
            first.1 += if same { again.1 } else { 0.0 };
            same
        });
        Layer { pieces, placings: all }
    }
}

/// Something that happened to a hidden piece.
#[derive(Clone, Copy, Debug)]
struct Observation {
    event: Event,
    /// Its place in the log.
    at: usize,
    /// Whether it is the first that is heard of the character.
    new: bool,
}

/// What may be where, of one player.
#[derive(Clone, Debug)]
pub(super) struct Side {
    side: usize,
    seen: Vec<Observation>,
    /// Before the first event, between the events, and after the last.
    layers: Vec<Layer>,
    /// Running sums of how likely the last placements are.
    sums: Vec<f64>,
    /// Where Frodo does not go quietly.
    mordor: Region,
}

impl Side {
    pub(super) fn of(rules: &Confrontation, known: &Info, side: usize) -> Side {
        let mut layer = first_layer(rules, side);
        let mut all =
            Side { side, seen: Vec::new(), layers: Vec::new(), sums: Vec::new(), mordor: rules.map.home(1) };
        for (at, &event) in known.log.iter().enumerate().filter(|(_, event)| event.side() == side) {
            let (next, new) =
                if event.is_open() { layer.reveal(event) } else { (all.mix(&layer, event), false) };
            all.seen.push(Observation { event, at, new });
            all.layers.push(std::mem::replace(&mut layer, next));
        }
        let mut sum = 0.0;
        for &(placing, courses) in &layer.placings {
            let alike = layer.pieces - placing.counts();
            let orders: f64 = regions_of(super::map::nonzero(alike))
                .map(|r| (1..=u32::from(count_at(alike, r))).product::<u32>())
                .map(f64::from)
                .product();
            sum += courses / orders;
            all.sums.push(sum);
        }
        all.layers.push(layer);
        all
    }

    /// After a piece, nobody saw which, went from one region to another.
    fn mix(&self, before: &Layer, event: Event) -> Layer {
        let (from, to) = (event.from(), Region(event.to()));
        let mut after = Vec::with_capacity(before.placings.len() + 4);
        for &(placing, courses) in &before.placings {
            let alike = before.pieces - placing.counts();
            if count_at(alike, from) > 0 {
                after.push((placing, courses * f64::from(count_at(alike, to) + 1)));
            }
            for slot in (0..EACH).filter(|&slot| placing.at(slot) == from.0 && self.may_go(slot, to)) {
                after.push((placing.with(slot, to.0), courses));
            }
        }
        Layer::new(before.pieces - from.bit() + to.bit(), after)
    }

    /// Whether a character may go to a region in a quiet move.
    fn may_go(&self, slot: usize, to: Region) -> bool {
        !(self.side == 0 && slot == Character::Frodo as usize && to == self.mordor)
    }

    /// Where a character may be: for each character, whether it is told apart, and its possible regions.
    pub(super) fn possible(&self, slot: usize) -> Option<u64> {
        let last = self.layers.last()?;
        let told = last.placings.iter().all(|p| p.0.at(slot) != ALIKE);
        let at = last.placings.iter().map(|p| p.0.at(slot)).filter(|at| *at < DEAD);
        told.then(|| at.fold(0, |set, at| set | Region(at).bit()))
    }

    fn draw(&self, rng: &mut Rng, into: &mut State) {
        let last = &self.layers[self.seen.len()];
        let drawn = rng.unit() * self.sums.last().copied().unwrap_or(0.0);
        let i = self.sums.partition_point(|sum| *sum <= drawn).min(self.sums.len() - 1);
        let mut placing = last.placings[i].0;
        let mut at: [u8; EACH] = std::array::from_fn(|slot| placing.at(slot));
        let mut alike: ArrayVec<u8, EACH> = ArrayVec::new();
        let left = last.pieces - placing.counts();
        for region in regions_of(super::map::nonzero(left)) {
            alike.extend(std::iter::repeat_n(region.0, usize::from(count_at(left, region))));
        }
        rng.shuffle(&mut alike);
        for at in at.iter_mut().filter(|at| **at == ALIKE) {
            *at = alike.pop().expect("there is a piece for every character");
        }
        into.board.at[self.side * EACH..][..EACH].copy_from_slice(&at);

        for (seen, before) in self.seen.iter().zip(&self.layers).rev() {
            let (from, to) = (seen.event.from().0, seen.event.to());
            if to == ABSENT {
                continue;
            }
            if let Some(c) = seen.event.character() {
                let slot = c as usize % EACH;
                at[slot] = from;
                placing = placing.with(slot, if seen.new { ALIKE } else { from });
                continue;
            }
            let same = before.courses(placing);
            let courses: [f64; EACH] = std::array::from_fn(|slot| match placing.at(slot) {
                _ if at[slot] != to => 0.0,
                ALIKE => same,
                _ if !self.may_go(slot, Region(to)) => 0.0,
                _ => before.courses(placing.with(slot, from)),
            });
            let slot = rng.weighted(courses.iter().copied());
            at[slot] = from;
            if placing.at(slot) != ALIKE {
                placing = placing.with(slot, from);
            }
            into.log[seen.at] = seen.event.by(slot);
        }
    }
}

impl Layer {
    /// After everybody saw a character move or die or just stand there; and whether that is news of it.
    fn reveal(&self, event: Event) -> (Layer, bool) {
        let slot = event.character().map_or(0, |c| c as usize % EACH);
        let (from, to) = (event.from(), event.to());
        if to == ABSENT {
            let elsewhere = self.placings.iter().filter(|p| p.0.at(slot) != from.0).copied();
            return (Layer { pieces: self.pieces, placings: elsewhere.collect() }, false);
        }
        let new = self.placings.iter().any(|p| p.0.at(slot) == ALIKE);
        let there = |placing: Placing| match placing.at(slot) {
            ALIKE => count_at(self.pieces - placing.counts(), from) > 0,
            at => at == from.0,
        };
        let fits = self.placings.iter().filter(|p| there(p.0));
        let after = fits.map(|&(placing, courses)| (placing.with(slot, to), courses)).collect();
        let gone = self.pieces - from.bit();
        (Layer::new(if to < DEAD { gone + Region(to).bit() } else { gone }, after), new)
    }
}

/// What is known of a player's pieces before anything happens.
fn first_layer(rules: &Confrontation, side: usize) -> Layer {
    let listed = &rules.listed[side];
    let front = &rules.map.front[side];
    let home = rules.map.home(side);
    let at_home = (listed.len() - front.len()) as u64;
    let pieces = front.iter().fold(at_home * home.bit(), |pieces, r| pieces + r.bit());
    let slot = |c: Character| c as usize % EACH;
    let mut placing = Placing(0);
    for &c in Character::of(side) {
        placing = placing.with(slot(c), if listed.contains(&c) { ALIKE } else { DEAD });
    }
    if rules.setup == Setup::Open {
        for (i, &c) in listed.iter().enumerate() {
            placing = placing.with(slot(c), front.get(i).unwrap_or(&home).0);
        }
    }
    for c in rules.settled(side) {
        placing = placing.with(slot(c), home.0);
    }
    let frodo = slot(Character::Frodo);
    if side == 1 || placing.at(frodo) != ALIKE {
        return Layer::new(pieces, vec![(placing, 1.0)]);
    }
    let free = pieces - placing.counts();
    let anywhere = regions_of(super::map::nonzero(free)).map(|r| (placing.with(frodo, r.0), 1.0));
    Layer::new(pieces, anywhere.collect())
}

/// Draws worlds that agree with what is known.
#[derive(Clone, Debug)]
pub struct Worlds {
    known: Info,
    hidden: ArrayVec<Side, 2>,
}

impl Worlds {
    pub(super) fn of(rules: &Confrontation, known: &Info) -> Worlds {
        let hidden = (0..2).filter(|&side| known.hides(side)).map(|side| Side::of(rules, known, side));
        Worlds { known: known.clone(), hidden: hidden.collect() }
    }

    pub(super) fn draw(&self, rng: &mut Rng, into: &mut State) {
        into.board = self.known.board;
        into.log.clone_from(&self.known.log);
        for side in &self.hidden {
            side.draw(rng, into);
        }
    }

    /// What may be where, of a player that is hidden.
    pub(super) fn side(&self, side: usize) -> Option<&Side> {
        self.hidden.iter().find(|hidden| hidden.side == side)
    }
}
