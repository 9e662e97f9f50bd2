//! Opinions on unfinished games: how far the seekers are from Mr X, and how little they know of where he is.

use fogtree_core::{Evaluations, Player, Policy, Rules};

use super::{MR_X, NOWHERE, Phase, ScotlandYard, State};

/// The evaluations by name. Each is Mr X's share; the seekers have the rest.
pub const EVALUATIONS: &[Policy] = &[
    Policy {
        name: "nearest",
        about: "how far the nearest seeker is from Mr X, over the longest way on the board",
    },
    Policy { name: "expected", about: "the same, on average over all stations where Mr X may be" },
    Policy {
        name: "locations",
        about: "at how many stations Mr X may be: the logarithm, over that of all stations of the board",
    },
    Policy { name: "hidden", about: "half by expected, half by locations" },
];

impl Evaluations<ScotlandYard> for ScotlandYard {
    fn evaluations(&self) -> &'static [Policy] {
        EVALUATIONS
    }

    fn evaluate(&self, which: Option<usize>, s: &State, who: Player) -> Option<f64> {
        let evaluation = which?;
        if matches!(s.phase, Phase::Over(_)) {
            return Some(self.rewards(s)[who]);
        }
        let share = self.share_of_x(evaluation, s);
        Some(self.reward.worth(if who == MR_X { share } else { 1.0 - share }))
    }
}

impl ScotlandYard {
    fn share_of_x(&self, evaluation: usize, s: &State) -> f64 {
        if s.x == NOWHERE || matches!(s.phase, Phase::Deal(_)) {
            return 0.5;
        }
        match evaluation {
            0 => self.way(s, s.x),
            1 => self.expected_way(s),
            2 => self.uncertainty(s),
            _ => (self.expected_way(s) + self.uncertainty(s)) / 2.0,
        }
    }

    /// How far the nearest seeker is from a station, over the longest way there is.
    fn way(&self, s: &State, station: u8) -> f64 {
        f64::from(self.gap(s, station).0) / f64::from(self.board.distances().longest())
    }

    fn expected_way(&self, s: &State) -> f64 {
        let possible = self.possible(s);
        let sum: f64 = possible.iter().map(|station| self.way(s, station)).sum();
        sum / f64::from(possible.count().max(1))
    }

    fn uncertainty(&self, s: &State) -> f64 {
        f64::from(self.possible(s).count().max(1)).ln() / (self.board.stations() as f64).ln()
    }
}
