//! What places are worth: relaxed look-ahead, and the tree of what one player may know (`equilibrium/2.6.5`).
//!
//! In the tree a player remembers where its units are and where those of the other side may be, not how they got there.
//! The evader does not expect pursuers that it has never seen, nor such as may be in too many places: otherwise one
//! might step out from behind every corner, and all it can do would be equally bad (Lisý 2014, §5.3.1).

use std::ops::ControlFlow;

use fogtree_core::{InfoTree, Player, Policy, Rng};

use super::known::Info;
use super::map::{LOOK_AHEAD, NOWHERE};
use super::places::Places;
use super::{Action, EVADER, MOST_PURSUERS, PURSUERS, State, VisibilityPursuit};

/// A pursuer that may be in more places than this is no longer expected to appear.
const TOO_MANY: u32 = 250;

const EVALUATIONS: &[Policy] = &[
    Policy {
        name: "rla",
        about: "relaxed look-ahead: where the evader may be that no pursuer can see in time, on average over 10 steps",
    },
    Policy { name: "urla", about: "relaxed look-ahead, and the mean size of the regions so far" },
    Policy { name: "size", about: "the size of the regions" },
    Policy { name: "mean", about: "the decimal logarithm of the mean size of the regions so far" },
];

const SIMULATIONS: &[Policy] = &[
    Policy { name: "random", about: "random moves, and chance says whether units of the other side show" },
    Policy {
        name: "heavy",
        about: "pursuers go where they are sure to see the evader; it shows only if it must",
    },
];

impl VisibilityPursuit {
    /// How many places the evader may be in, without any pursuer being able to see it there in time, if it started from
    /// these and all went where they like; the mean over some steps ahead.
    pub(super) fn rla_of_pursuers(&self, team: &[u16], region: &Places) -> f64 {
        let mut region = *region;
        let mut sum = 0;
        for steps in 0..=LOOK_AHEAD {
            if steps > 0 {
                region = self.map.step(&region);
            }
            let hidden = team.iter().fold(region, |left, &p| left.without(self.map.sight_ahead(p, steps)));
            sum += hidden.len();
        }
        f64::from(sum) / (LOOK_AHEAD + 1) as f64
    }

    /// The same for the evader, who is here, if pursuers are anywhere among these places.
    pub(super) fn rla_of_evader(&self, evader: u16, threats: &Places) -> f64 {
        let (mut mine, mut theirs) = (Places::only(evader), *threats);
        let (mut known, mut seen) = (Places::NONE, Places::NONE);
        let mut sum = 0;
        for steps in 0..=LOOK_AHEAD {
            if steps > 0 {
                mine = self.map.step(&mine);
                theirs = self.map.step(&theirs);
            }
            // Who may stay has seen whatever could be seen before.
            if !self.map.may_stay() {
                (known, seen) = (Places::NONE, Places::NONE);
            }
            for place in theirs.without(&known).iter() {
                seen = seen.or(self.map.sight(place));
            }
            known = theirs;
            sum += mine.without(&seen).len();
        }
        f64::from(sum) / (LOOK_AHEAD + 1) as f64
    }

    /// Relaxed look-ahead, the more the better for whose knowledge it is.
    fn rla(&self, k: &Info) -> f64 {
        let time = k.time();
        if k.by.is(EVADER) {
            let threats = k.regions.iter().fold(Places::NONE, |all, region| all.or(region));
            return self.rla_of_evader(k.tracks[0][time], &threats);
        }
        let mut team = [NOWHERE; MOST_PURSUERS];
        team.iter_mut().zip(self.team(&k.tracks)).for_each(|(place, track)| *place = track[time]);
        -self.rla_of_pursuers(&team[..self.pursuers], &k.regions[0])
    }

    /// The mean size of the regions so far.
    fn mean_size(k: &Info) -> f64 {
        f64::from(k.total) / f64::from(k.time.max(1))
    }

    /// Moves the seat's own units; the others' regions are left as they are.
    fn advance(&self, k: &mut Info, action: Action) {
        let now = k.time();
        k.time += 1;
        k.tracks.iter_mut().for_each(|track| track[now + 1] = NOWHERE);
        match action {
            Action::Evade(way) => k.tracks[0][now + 1] = self.map.along(k.tracks[0][now], way),
            Action::Pursue(ways) => {
                for (track, way) in k.tracks[1..=self.pursuers].iter_mut().zip(ways) {
                    track[now + 1] = self.map.along(track[now], way);
                }
            }
        }
    }

    /// Where a unit of the other side may be after the seat's units have moved: in sight, and out of it. Nowhere in
    /// sight if it is not expected.
    fn next_regions(&self, k: &Info, other: usize) -> (Places, Places) {
        let next = self.map.step(&k.regions[other]);
        let sight = match k.by.is(EVADER) {
            true => *self.map.sight(k.tracks[0][k.time()]),
            false => self.sight_of_team(&k.tracks, k.time()),
        };
        (next.and(&sight), next.without(&sight))
    }

    /// The units of the other side.
    fn others(&self, k: &Info) -> usize {
        if k.by.is(EVADER) { self.pursuers } else { 1 }
    }

    /// The unit of the other side is seen here.
    fn seen_at(k: &mut Info, other: usize, place: u16) {
        let unit = if k.by.is(EVADER) { 1 + other } else { 0 };
        k.tracks[unit][k.time()] = place;
        k.regions[other] = Places::only(place);
        k.total += 1;
    }

    /// The unit of the other side is not seen.
    fn not_seen(k: &mut Info, other: usize, region: Places) {
        k.regions[other] = region;
        k.total += region.len();
        k.ignored[other] = k.by.is(EVADER) && region.len() > TOO_MANY;
    }

    /// Goes through all that may be seen of the units of the other side from this one on.
    fn observe_others(
        &self,
        k: &Info,
        other: usize,
        visit: &mut dyn FnMut(&Info) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if other == self.others(k) {
            return visit(k);
        }
        let mut next = k.clone();
        if k.ignored[other] {
            next.total += k.regions[other].len();
            return self.observe_others(&next, other + 1, visit);
        }
        let (seen, hidden) = self.next_regions(k, other);
        if !hidden.is_empty() {
            Self::not_seen(&mut next, other, hidden);
            self.observe_others(&next, other + 1, visit)?;
            next.clone_from(k);
        }
        for place in seen.iter() {
            Self::seen_at(&mut next, other, place);
            self.observe_others(&next, other + 1, visit)?;
            next.total = k.total;
        }
        ControlFlow::Continue(())
    }
}

impl InfoTree<VisibilityPursuit> for VisibilityPursuit {
    fn evaluations(&self) -> &'static [Policy] {
        EVALUATIONS
    }

    fn simulations(&self) -> &'static [Policy] {
        SIMULATIONS
    }

    /// Forgets the pursuers that the evader does not expect.
    fn root(&self, k: &Info) -> Info {
        let mut root = k.clone();
        if k.by.is(EVADER) {
            for i in 0..self.pursuers {
                let never = k.tracks[1 + i][..=k.time()].iter().all(|&place| place == NOWHERE);
                if never {
                    root.regions[i] = Places::NONE;
                }
                root.ignored[i] = never || root.regions[i].len() > TOO_MANY;
            }
        }
        root
    }

    fn actions(&self, k: &Info, out: &mut Vec<Action>) {
        if k.time < self.steps {
            let who = if k.by.is(EVADER) { EVADER } else { PURSUERS };
            self.actions_at(&k.tracks, k.time(), who, out);
        }
    }

    fn after(&self, k: &Info, action: Action, visit: &mut dyn FnMut(&Info) -> ControlFlow<()>) {
        let mut next = k.clone();
        self.advance(&mut next, action);
        // Whether everything was shown makes no difference here.
        let _ = self.observe_others(&next, 0, visit);
    }

    fn evaluate(&self, evaluation: usize, k: &Info) -> f64 {
        let sign = if k.by.is(EVADER) { 1.0 } else { -1.0 };
        match evaluation {
            0 => self.rla(k),
            1 => self.rla(k) + sign * Self::mean_size(k),
            2 => sign * k.regions.iter().map(|region| f64::from(region.len())).sum::<f64>(),
            _ => sign * Self::mean_size(k).max(1.0).log10(),
        }
    }

    /// Pursuers move at random, except that in heavy simulations they keep an evader in sight whose place they know, and
    /// that it stays out of sight if it can; then the value is the logarithm of the mean size of the regions.
    fn simulate(&self, simulation: usize, known: &Info, turns: u32, rng: &mut Rng) -> f64 {
        let heavy = simulation == 1 && !known.by.is(EVADER);
        let mut k = known.clone();
        for _ in 0..turns.min(u32::from(self.steps - known.time)) {
            let action = self.simulated_action(&k, heavy, rng);
            self.advance(&mut k, action);
            for other in 0..self.others(&k) {
                if k.ignored[other] {
                    k.total += k.regions[other].len();
                    continue;
                }
                let (seen, hidden) = self.next_regions(&k, other);
                let shows = hidden.is_empty() || !heavy && !seen.is_empty() && rng.below(2) == 0;
                match shows {
                    true => {
                        let drawn = rng.below(seen.len().max(1)) as usize;
                        Self::seen_at(&mut k, other, seen.iter().nth(drawn).unwrap_or(0));
                    }
                    false => Self::not_seen(&mut k, other, hidden),
                }
            }
        }
        self.evaluate(3, &k)
    }

    /// Where a player's own units are, and where and when it last saw each of the others (Lisý 2014, §5.3.2). The time is
    /// counted in as well.
    fn abstracted(&self, s: &State, who: Player) -> u64 {
        let time = s.time();
        let mut word = 0;
        let mut add = |part: u64| word = (word ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        add(u64::from(who.0) + 1);
        add(time as u64);
        let last = |pursuers: &dyn Fn(usize) -> bool| (0..=time).rev().find(|&t| pursuers(t));
        if who == EVADER {
            add(u64::from(s.evader()));
            for track in self.team(&s.tracks) {
                let met = |t: usize| track[t] != NOWHERE && self.map.sight(s.tracks[0][t]).contains(track[t]);
                let (place, t) = last(&met).map_or((NOWHERE, 0), |t| (track[t], t));
                add(u64::from(place) << 8 | t as u64);
            }
        } else {
            self.team(&s.tracks).iter().for_each(|track| add(u64::from(track[time])));
            let t = last(&|t| self.is_seen(&s.tracks, t)).unwrap_or(0);
            add(u64::from(s.tracks[0][t]) << 8 | t as u64);
        }
        word
    }
}

impl VisibilityPursuit {
    fn simulated_action(&self, k: &Info, heavy: bool, rng: &mut Rng) -> Action {
        let now = k.time();
        if k.by.is(EVADER) {
            return Action::Evade(rng.pick(self.map.ways(k.tracks[0][now])).0);
        }
        let mut ways = [0; MOST_PURSUERS];
        for (taken, track) in ways.iter_mut().zip(self.team(&k.tracks)) {
            let all = self.map.ways(track[now]);
            let good = |way: &&(u8, u16)| k.regions[0].without(self.map.sight(way.1)).is_empty();
            let sure = if heavy && k.regions[0].len() == 1 { all.iter().filter(good).count() } else { 0 };
            *taken = match sure {
                0 => rng.pick(all).0,
                n => all.iter().filter(good).nth(rng.below(n as u32) as usize).map_or(0, |way| way.0),
            };
        }
        Action::Pursue(ways)
    }
}
