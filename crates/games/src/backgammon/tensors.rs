//! What a player knows, as numbers.

use fogtree_core::Player;

use super::{Backgammon, Dice, Phase, State};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(Backgammon);

impl Listed for Backgammon {
    /// Of the seat, then of the other, each counting points from its own home: for every point and the bar
    /// whether there are at least one, two and three checkers, and how many more; and how many are borne off.
    /// Then whose turn it is, the dice still to be played, and how many turns are over.
    fn list(&self, s: &State, seat: Player, out: &mut Numbers<'_>) {
        let all = self.start.count();
        for p in [seat, seat.other()] {
            let checkers = s.checkers[p.index()];
            for point in 1..=self.points + 1 {
                let count = checkers.at(point);
                out.flags((1..=3).map(|n| count >= n));
                out.share(count.saturating_sub(3), all);
            }
            out.share(all - checkers.count(), all);
        }
        let (mover, dice) = match s.phase {
            Phase::Opening | Phase::Over(_) => (None, None),
            Phase::ToRoll(who) => (Some(who), None),
            Phase::ToMove { who, dice } => (Some(who), Some(dice)),
        };
        out.one_hot(mover.map(|who| usize::from(who != seat)), 2);
        let (high, low, times) = match dice {
            None => (0, 0, 0),
            Some(Dice::Both { high, low }) => (high, low, 0),
            Some(Dice::Same { die, times }) => (die, 0, times),
        };
        for die in [high, low] {
            out.one_hot(usize::from(die).checked_sub(1), self.sides.into());
        }
        out.one_hot(usize::from(times).checked_sub(1), 4);
        out.share(s.turns, self.turns);
    }
}
