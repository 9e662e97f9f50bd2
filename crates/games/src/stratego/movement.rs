//! Moves: where pieces may go, and what comes of it.

use fogtree_core::Player;

use super::Stratego;
use super::army::{Clash, Kind};
use super::board::{Last, Phase, Square, State, bit};

/// What a move will bring about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Strike {
    pub(super) attacker: Kind,
    /// Who is attacked.
    pub(super) defender: Option<Kind>,
    /// Whether the attacker shows its kind.
    pub(super) shows: bool,
}

impl Stratego {
    /// The cells one step away in one of the four directions: towards lower cells first.
    #[inline]
    pub(super) fn step(&self, set: u128, direction: usize) -> u128 {
        let columns = u32::from(self.columns);
        self.land
            & match direction {
                0 => set >> columns,
                1 => (set & !self.edges[0]) >> 1,
                2 => (set & !self.edges[1]) << 1,
                _ => set << columns,
            }
    }

    /// The cell one step back from where a step led.
    #[inline]
    pub(super) fn back(&self, cell: u8, direction: usize) -> u8 {
        match direction {
            0 => cell + self.columns,
            1 => cell + 1,
            2 => cell - 1,
            _ => cell - self.columns,
        }
    }

    /// The cells that scouts reach in more than one step in one direction. Scouts do not pass each other, so
    /// that each cell is reached by one of them alone.
    #[inline]
    pub(super) fn far(&self, scouts: u128, direction: usize, own: u128, other: u128) -> u128 {
        let near = self.step(scouts, direction) & !own & !other;
        let mut reached = 0;
        let mut next = self.step(near, direction) & !own;
        while next != 0 {
            reached |= next;
            next = self.step(next & !other, direction) & !own;
        }
        reached
    }

    /// Where a piece may go, apart from the rule of the two squares.
    pub(super) fn reach(&self, s: &State, who: Player, from: u8) -> u128 {
        let (own, other) = (&s.masks[who.index()], s.masks[who.other().index()].all);
        if own.mobile & bit(from) == 0 {
            return 0;
        }
        let scout = own.scouts & bit(from);
        (0..4).fold(0, |all, direction| {
            let near = self.step(bit(from), direction) & !own.all;
            all | near | self.far(scout, direction, own.all, other)
        })
    }

    /// The move to and fro that a player may not make once more.
    #[inline]
    pub(super) fn barred(&self, s: &State, who: Player) -> Option<(u8, u8)> {
        let last = s.last[who.index()];
        (self.two_squares > 0 && last.times >= self.two_squares).then_some((last.to, last.from))
    }

    pub(super) fn strike(&self, s: &State, who: Player, from: u8, to: u8) -> Strike {
        let attacker = s.square(from).kind().unwrap_or(Kind::Scout);
        let defender = s.square(to).kind().filter(|_| s.square(to).owner() == Some(who.other()));
        let near = [1, self.columns].contains(&from.abs_diff(to));
        Strike { attacker, defender, shows: defender.is_some() || !near }
    }

    pub(super) fn advance(&self, s: &mut State, who: Player, from: u8, to: u8) {
        let strike = self.strike(s, who, from, to);
        let mut piece = s.lift(from);
        piece.0 |= Square::MOVED | if strike.shows { Square::REVEALED } else { 0 };
        s.plies += 1;
        if self.two_squares > 0 {
            let last = &mut s.last[who.index()];
            let again = last.times > 0 && (last.to, last.from) == (from, to);
            *last = Last { from, to, times: if again { last.times + 1 } else { 1 } };
        }

        let other = who.other();
        match strike.defender.map(|defender| (defender, Clash::of(strike.attacker, defender))) {
            None => s.put(to, piece),
            Some((defender, Clash::Wins)) => {
                s.lift(to);
                s.put(to, piece);
                s.lose(other, defender);
            }
            Some((_, Clash::Loses)) => {
                s.squares.0[usize::from(to)].0 |= Square::REVEALED;
                s.lose(who, strike.attacker);
            }
            Some((defender, Clash::Both)) => {
                s.lift(to);
                s.lose(who, strike.attacker);
                s.lose(other, defender);
            }
        }
        s.phase = match strike.defender {
            Some(Kind::Flag) => Phase::Over(Some(who)),
            _ if s.plies >= self.plies => Phase::Over(None),
            _ => Phase::Move(other),
        };
    }
}
