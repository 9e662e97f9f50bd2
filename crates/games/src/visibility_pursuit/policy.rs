//! Ways of playing that simulations may use.

use fogtree_core::{Player, Policy, Rng};

use super::map::NOWHERE;
use super::{Action, EVADER, MOST_PURSUERS, State, VisibilityPursuit};

/// In the order of their numbers.
pub(super) const ALL: &[Policy] = &[
    Policy { name: "no-return", about: "units do not step back to where they were before" },
    Policy {
        name: "chase",
        about: "pursuers take the shortest way to where the evader was last seen, the evader goes as far from all \
                pursuers as it can",
    },
    Policy { name: "chase-half", about: "chase half of the time, else no-return" },
    Policy {
        name: "heavy",
        about: "pursuers go where they are sure to see an evader whose place they know, the evader where it is not seen",
    },
    Policy { name: "rla", about: "units go, one after another, where relaxed look-ahead is best for them" },
    Policy { name: "urla", about: "the same, with the size of the region after the step added" },
];

impl VisibilityPursuit {
    /// An action by a policy.
    pub(super) fn act_by(&self, policy: usize, s: &State, who: Player, rng: &mut Rng) -> Action {
        match policy {
            0 => self.each(s, who, |unit| self.not_back(s, unit, rng)),
            1 => self.each(s, who, |unit| self.chase(s, unit, rng)),
            2 if rng.below(2) == 0 => self.each(s, who, |unit| self.chase(s, unit, rng)),
            2 => self.each(s, who, |unit| self.not_back(s, unit, rng)),
            3 => self.each(s, who, |unit| self.heavy(s, unit, rng)),
            _ => self.look_ahead(s, who, policy == 5, rng),
        }
    }

    /// The action in which every unit of a player takes the way that is chosen for it.
    fn each(&self, s: &State, who: Player, mut way: impl FnMut(usize) -> u8) -> Action {
        debug_assert!(s.time < self.steps);
        if who == EVADER {
            return Action::Evade(way(0));
        }
        let mut ways = [0; MOST_PURSUERS];
        for (i, taken) in ways.iter_mut().enumerate().take(self.pursuers) {
            *taken = way(1 + i);
        }
        Action::Pursue(ways)
    }

    /// Any way but to the place of the step before, if there is another (`equilibrium/ER-23`).
    #[inline]
    fn not_back(&self, s: &State, unit: usize, rng: &mut Rng) -> u8 {
        let track = &s.tracks[unit];
        let ways = self.map.ways(track[s.time()]);
        let back = s.time().checked_sub(1).map_or(NOWHERE, |before| track[before]);
        match ways.iter().position(|way| way.1 == back) {
            Some(at) if ways.len() > 1 => {
                let drawn = rng.below(ways.len() as u32 - 1) as usize;
                ways[drawn + usize::from(drawn >= at)].0
            }
            _ => rng.pick(ways).0,
        }
    }

    fn chase(&self, s: &State, unit: usize, rng: &mut Rng) -> u8 {
        let here = s.tracks[unit][s.time()];
        if unit == 0 {
            let away = |to: u16| {
                let steps = (0..self.pursuers).map(|i| f64::from(self.map.steps(s.pursuer(i), to)));
                -steps.sum::<f64>()
            };
            return self.least(here, rng, away);
        }
        let last = (1..=s.time()).rev().find(|&t| self.is_seen(&s.tracks, t)).unwrap_or(0);
        let target = s.tracks[0][last];
        self.least(here, rng, |to| f64::from(self.map.steps(target, to)))
    }

    /// As in Fig. 5.1 of the source (`equilibrium/ER-20`).
    fn heavy(&self, s: &State, unit: usize, rng: &mut Rng) -> u8 {
        let ways = self.map.ways(s.tracks[unit][s.time()]);
        let good = |to: u16| match unit {
            0 => (0..self.pursuers).all(|i| !self.map.sight(to).contains(s.pursuer(i))),
            _ => s.region.len() == 1 && s.region.without(self.map.sight(to)).is_empty(),
        };
        let candidates = ways.iter().filter(|way| good(way.1)).count();
        match candidates {
            0 => rng.pick(ways).0,
            n => {
                let drawn = rng.below(n as u32) as usize;
                ways.iter().filter(|way| good(way.1)).nth(drawn).map_or(ways[0].0, |way| way.0)
            }
        }
    }

    /// Units choose one after another; those that have not chosen yet are taken to stay.
    fn look_ahead(&self, s: &State, who: Player, with_size: bool, rng: &mut Rng) -> Action {
        let mut team = [NOWHERE; MOST_PURSUERS];
        for (i, place) in team.iter_mut().enumerate().take(self.pursuers) {
            *place = s.pursuer(i);
        }
        if who == EVADER {
            let threats = team[..self.pursuers].iter().copied().collect();
            let value = |to: u16| {
                let seen = team[..self.pursuers].iter().any(|&p| self.map.sight(to).contains(p));
                -self.rla_of_evader(to, &threats) - f64::from(u8::from(with_size && !seen))
            };
            return Action::Evade(self.least(s.evader(), rng, value));
        }
        let next = self.map.step(&s.region);
        self.each(s, who, |unit| {
            let value = |to: u16| {
                let mut team = team;
                team[unit - 1] = to;
                let team = &team[..self.pursuers];
                let hidden = team.iter().fold(next, |left, &p| left.without(self.map.sight(p)));
                let size = if with_size { f64::from(hidden.len()) } else { 0.0 };
                size + self.rla_of_pursuers(team, &hidden)
            };
            let way = self.least(team[unit - 1], rng, value);
            team[unit - 1] = self.map.along(team[unit - 1], way);
            way
        })
    }

    /// The way to the place of the least value, any of equals.
    fn least(&self, from: u16, rng: &mut Rng, value: impl Fn(u16) -> f64) -> u8 {
        let mut best = (f64::INFINITY, 0);
        let mut ties = 0;
        for &(way, to) in self.map.ways(from) {
            let value = value(to);
            if value < best.0 {
                (best, ties) = ((value, way), 1);
            } else if value == best.0 {
                ties += 1;
                if rng.below(ties) == 0 {
                    best.1 = way;
                }
            }
        }
        best.1
    }
}
