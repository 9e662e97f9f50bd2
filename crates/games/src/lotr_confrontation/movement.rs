//! Moves: where characters may go, and what comes of it.

use fogtree_core::Player;

use super::combat::Attack;
use super::knowledge::{Event, LONGEST_LOG};
use super::map::{REGIONS, Region, Regions, count_at, equal, regions_of, single};
use super::pieces::{Character, DARK, LIGHT};
use super::{Board, Confrontation, DEAD, Phase, State};

/// What a move amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Walk {
    Quiet,
    /// Through the tunnel, with a Dark piece watching it.
    Tunnel,
    Attack,
    /// Frodo enters Mordor.
    Arrival,
}

impl Walk {
    /// Whether everybody learns which character moves. Attackers are named as they move, since nothing is
    /// decided before they are revealed; except in the tunnel, where Dark first decides whether to strike.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Walk::Attack | Walk::Arrival)
    }
}

impl Confrontation {
    /// Where a player's pieces find no room.
    #[inline]
    pub(super) fn full(&self, b: &Board, side: usize) -> Regions {
        equal(b.counts[side], self.map.capacity)
    }

    /// Where a character may move.
    #[inline]
    pub(super) fn ways(&self, b: &Board, c: Character) -> Regions {
        let at = usize::from(b.at[c as usize]);
        if at >= REGIONS {
            return 0;
        }
        let side = c.side();
        let room = !self.full(b, side);
        let enemies = || b.occupied(1 - side);
        let special = match c {
            Character::Aragorn => (self.map.up[at] | self.map.down[at] | self.map.sideways[at]) & enemies(),
            Character::WitchKing => self.map.sideways[at] & enemies(),
            Character::FlyingNazgul => single(b.counts[0]),
            Character::BlackRider => self.ride(at, room, enemies()),
            _ => 0,
        };
        self.map.ways[side][at] & room | special
    }

    /// The enemies that the Black Rider reaches over regions that are neither full nor the enemy's.
    pub(super) fn ride(&self, from: usize, room: Regions, enemies: Regions) -> Regions {
        let (mut reached, mut front) = (0, Region(from as u8).bit());
        while front != 0 {
            let next = regions_of(front).fold(0, |next, r| next | self.map.down[usize::from(r.0)]);
            reached |= next & enemies;
            front = next & room & !enemies;
        }
        reached
    }

    /// Where a character in combat may retreat to, among some regions.
    #[inline]
    pub(super) fn refuge(&self, b: &Board, side: usize, among: Regions) -> Regions {
        among & !self.full(b, side) & !b.occupied(1 - side)
    }

    /// Makes a move of a character, and finds out what follows.
    pub(super) fn walk(&self, s: &mut State, c: Character, from: Region, to: Region) {
        s.board.turns += 1;
        let walk = self.kind(&s.board, c, from, to);
        if walk.is_open() {
            self.move_openly(s, c, to);
        } else {
            s.log.push(Event::unseen(c, from, to));
            self.put(s, c, to);
        }
        match walk {
            Walk::Quiet => self.end_turn(s, c.owner()),
            Walk::Tunnel => s.board.phase = Phase::Tunnel,
            Walk::Attack => {
                s.board.phase = Phase::Reveal(Attack { by: c.owner(), at: to, with: Some(c), first: true });
            }
            Walk::Arrival => s.board.phase = Phase::Over(Some(LIGHT)),
        }
    }

    #[inline]
    pub(super) fn kind(&self, b: &Board, c: Character, from: Region, to: Region) -> Walk {
        let side = c.side();
        let tunnel = self.map.tunnel.filter(|t| side == 0 && (t.from, t.to) == (from, to));
        if c == Character::Frodo && to == self.map.home(1) {
            Walk::Arrival
        } else if tunnel.is_some_and(|t| count_at(b.counts[1], t.watched_from) > 0) {
            Walk::Tunnel
        } else if count_at(b.counts[1 - side], to) > 0 {
            Walk::Attack
        } else {
            Walk::Quiet
        }
    }

    /// Moves a piece and lets everybody know which character it is.
    pub(super) fn move_openly(&self, s: &mut State, c: Character, to: Region) {
        let from = s.board.region(c);
        s.log.push(Event::open(c, from, to.0));
        self.put(s, c, to);
    }

    /// Lets everybody know which character stands where.
    pub(super) fn reveal(&self, s: &mut State, c: Character) {
        let at = s.board.region(c);
        s.log.push(Event::open(c, at, at.0));
    }

    pub(super) fn kill(&self, s: &mut State, c: Character) {
        let at = s.board.region(c);
        s.log.push(Event::open(c, at, DEAD));
        s.board.counts[c.side()] -= at.bit();
        s.board.at[c as usize] = DEAD;
    }

    #[inline]
    pub(super) fn put(&self, s: &mut State, c: Character, to: Region) {
        let from = s.board.region(c);
        let counts = &mut s.board.counts[c.side()];
        *counts = *counts - from.bit() + to.bit();
        s.board.at[c as usize] = to.0;
    }

    /// The winner, if somebody has won by what is on the board.
    pub(super) fn decided(&self, b: &Board) -> Option<Player> {
        if !b.lives(Character::Frodo) {
            Some(DARK)
        } else if b.counts[1] == 0 {
            Some(LIGHT)
        } else {
            let home = self.map.home(0);
            let taken = count_at(b.counts[0], home) == 0 && count_at(b.counts[1], home) >= self.shire;
            taken.then_some(DARK)
        }
    }

    /// The character that came through the tunnel.
    pub(super) fn in_tunnel(s: &State) -> Character {
        s.log.last().and_then(|event| event.character()).unwrap_or(Character::Frodo)
    }

    pub(super) fn end_turn(&self, s: &mut State, of: Player) {
        /// What one more turn may add to the log.
        const ROOM: usize = 24;
        let long = s.board.turns >= self.turns || s.log.len() + ROOM > LONGEST_LOG;
        s.board.phase = match self.decided(&s.board) {
            Some(winner) => Phase::Over(Some(winner)),
            None if long => Phase::Over(None),
            None => Phase::Move(of.other()),
        };
    }
}
