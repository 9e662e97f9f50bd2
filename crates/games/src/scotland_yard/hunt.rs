//! What a playout keeps of where Mr X may be.
//!
//! A state tells it by his trail ([`ScotlandYard::possible`]); to follow that anew at every step of a playout
//! would cost more than the playout. Here the set moves along: a ticket spreads it, a surfacing collapses it,
//! and a seeker who enters a station takes that away.

use super::board::{MOST_STATIONS, Stations};
use super::{Action, Phase, ScotlandYard, State};

/// Where Mr X may be, and how far the whole of it is from every station.
#[derive(Clone, Debug)]
pub(super) struct Hunt {
    pub(super) possible: Stations,
    /// For each station the sum of its distances from all that are possible.
    pub(super) sums: [u16; MOST_STATIONS],
}

/// What of a hunt is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kept {
    Nothing,
    Possible,
    Sums,
}

impl Hunt {
    /// How it stands in a state.
    pub(super) fn of(rules: &ScotlandYard, s: &State, kept: Kept) -> Hunt {
        let mut hunt = Hunt { possible: Stations::default(), sums: [0; MOST_STATIONS] };
        if kept >= Kept::Possible {
            hunt.possible = rules.possible(s);
        }
        hunt.add_up(rules, kept);
        hunt
    }

    fn add_up(&mut self, rules: &ScotlandYard, kept: Kept) {
        if kept < Kept::Sums {
            return;
        }
        self.sums.fill(0);
        for station in self.possible.iter() {
            let row = rules.board.distances().row(station);
            self.sums.iter_mut().zip(row).for_each(|(sum, &d)| *sum += u16::from(d));
        }
    }

    /// Follows a move that is about to be made.
    #[inline]
    pub(super) fn follow(&mut self, rules: &ScotlandYard, before: &State, action: Action, kept: Kept) {
        let Action::Go { to, by, .. } = action else { return };
        if kept == Kept::Nothing {
            return;
        }
        if matches!(before.phase, Phase::Seeker(_)) {
            if self.possible.contains(to) {
                self.possible = self.possible.without(to);
                if kept == Kept::Sums {
                    let row = rules.board.distances().row(to);
                    self.sums.iter_mut().zip(row).for_each(|(sum, &d)| *sum -= u16::from(d));
                }
            }
            return;
        }
        self.possible = match rules.surfaces(before.moves + 1) {
            true => [to].into_iter().collect(),
            false => rules.spread(self.possible, by, before.seekers),
        };
        self.add_up(rules, kept);
    }
}
