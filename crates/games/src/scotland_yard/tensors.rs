//! What a player knows, as numbers.

use fogtree_core::{Player, Rules};

use super::known::Info;
use super::{MOST_SEEKERS, Phase, ScotlandYard};
use crate::tensors::{Listed, Numbers, impl_tensors};

impl_tensors!(ScotlandYard);

impl Listed for ScotlandYard {
    /// The seat; the station of Mr X if it is known, those where the seekers must think him, and where he was
    /// last seen; the station and the tickets of every seeker; his tickets and double moves; how often he has
    /// moved; what comes next.
    fn list(&self, k: &Info, seat: Player, out: &mut Numbers<'_>) {
        let (s, stations) = (&k.seen, self.board.stations());
        out.one_hot(seat.index(), self.facts().players);
        out.one_hot(usize::from(s.x), stations);
        let possible = self.possible(s);
        out.flags((0..=u8::MAX).take(stations).map(|station| possible.contains(station)));
        out.one_hot(usize::from(s.shown), stations);
        for seeker in 0..self.seekers {
            out.one_hot(usize::from(s.seekers[seeker]), stations);
            for (&left, &all) in s.fares[seeker].iter().zip(&self.fares) {
                out.share(left, all);
            }
        }
        // The seekers pay Mr X.
        let paid = self.fares.map(|fares| u32::from(fares) * self.seekers as u32).into_iter().chain([0]);
        for ((&left, &all), paid) in s.x_fares.iter().zip(&self.x_fares).zip(paid) {
            out.share(left, u32::from(all) + paid);
        }
        out.share(s.doubles, self.doubles);
        out.share(s.moves, self.rounds);
        let next = match s.phase {
            Phase::Deal(_) => 0,
            Phase::X => 1,
            Phase::XAgain => 2,
            Phase::Over(_) => 3,
            Phase::Seeker(seeker) => 4 + usize::from(seeker),
        };
        out.one_hot(next, 4 + MOST_SEEKERS);
    }
}
