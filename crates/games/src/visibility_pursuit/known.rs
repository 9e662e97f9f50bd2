//! What is known: one's own paths, whom one saw where, and where the others may be.
//!
//! A world is a path for every unit that was out of sight, any that keeps it out of sight where it was. How many paths
//! lead to each place at each time is counted once per decision; paths are then drawn from their ends, all equally
//! likely.

use fogtree_core::{Game, HiddenPart, InfoExtras, Observer, Player, Rng, Scene};
use serde::{Deserialize, Serialize};

use super::map::{Map, NOWHERE};
use super::places::Places;
use super::{Action, EVADER, MOST_PURSUERS, MOST_STEPS, PURSUERS, State, Tracks, VisibilityPursuit};

/// What an observer knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Info {
    pub(super) by: Observer,
    pub(super) time: u8,
    /// Nowhere where nothing is known.
    pub(super) tracks: Tracks,
    /// Where the units of the other side may be: the evader, or each pursuer.
    pub(super) regions: [Places; MOST_PURSUERS],
    /// The sizes of all regions at all times but the first.
    pub(super) total: u32,
    /// In what a search imagines, units of the other side that it expects no more.
    pub(super) ignored: [bool; MOST_PURSUERS],
}

impl Info {
    /// The steps made.
    pub fn time(&self) -> usize {
        usize::from(self.time)
    }

    /// Where the units of the other side may be: the evader alone, or each pursuer.
    pub fn regions(&self) -> &[Places] {
        let others = if self.by.is(EVADER) { MOST_PURSUERS } else { 1 };
        &self.regions[..others]
    }
}

/// [`Info`] as it is written.
#[derive(Serialize, Deserialize)]
struct Written {
    by: Observer,
    time: u8,
    tracks: Vec<Vec<Option<u16>>>,
    regions: Vec<Places>,
    total: u32,
    #[serde(default)]
    ignored: [bool; MOST_PURSUERS],
}

impl From<Info> for Written {
    fn from(k: Info) -> Written {
        let track = |track: &super::Track| {
            track[..=k.time()].iter().map(|&place| (place != NOWHERE).then_some(place)).collect()
        };
        Written {
            by: k.by,
            time: k.time,
            tracks: k.tracks.iter().map(track).collect(),
            regions: k.regions.to_vec(),
            total: k.total,
            ignored: k.ignored,
        }
    }
}

impl TryFrom<Written> for Info {
    type Error = String;

    fn try_from(w: Written) -> Result<Info, String> {
        let mut tracks = [[NOWHERE; MOST_STEPS + 1]; 1 + MOST_PURSUERS];
        if w.tracks.len() != tracks.len()
            || w.tracks.iter().any(|track| track.len() != usize::from(w.time) + 1)
        {
            return Err("there is not one place per unit and time".to_string());
        }
        if usize::from(w.time) > MOST_STEPS {
            return Err(format!("{} steps are more than {MOST_STEPS}", w.time));
        }
        for (track, written) in tracks.iter_mut().zip(&w.tracks) {
            for (place, written) in track.iter_mut().zip(written) {
                *place = written.unwrap_or(NOWHERE);
            }
        }
        let regions = w.regions.try_into().map_err(|_| "there is not one region per unit".to_string())?;
        Ok(Info { by: w.by, time: w.time, tracks, regions, total: w.total, ignored: w.ignored })
    }
}

/// How many paths of a unit lead to each place at each time.
#[derive(Clone, Debug)]
struct Paths {
    unit: usize,
    numbers: usize,
    /// By time and place.
    counts: Vec<f64>,
    /// The places where it may be now.
    ends: Vec<u16>,
}

impl Paths {
    /// Counts the paths from somewhere among `first` that are at `allowed` places from time 1 on.
    fn count(
        map: &Map,
        unit: usize,
        first: &Places,
        time: usize,
        allowed: impl Fn(usize) -> Places,
    ) -> Paths {
        let numbers = map.numbers();
        let mut counts = vec![0.0; numbers * (time + 1)];
        let mut here: Vec<u16> = first.iter().collect();
        here.iter().for_each(|&place| counts[usize::from(place)] = 1.0);
        for t in 1..=time {
            let allowed = allowed(t);
            let (before, now) = counts.split_at_mut(t * numbers);
            let before = &before[(t - 1) * numbers..];
            let mut next = Places::NONE;
            for &place in &here {
                for &(_, to) in map.ways(place).iter().filter(|way| allowed.contains(way.1)) {
                    now[usize::from(to)] += before[usize::from(place)];
                    next.insert(to);
                }
            }
            here = next.iter().collect();
        }
        Paths { unit, numbers, counts, ends: here }
    }

    fn at(&self, time: usize, place: u16) -> f64 {
        self.counts[time * self.numbers + usize::from(place)]
    }

    /// Draws a path that ends here.
    fn draw(&self, map: &Map, end: u16, time: usize, rng: &mut Rng, tracks: &mut Tracks) {
        let track = &mut tracks[self.unit];
        track[time] = end;
        for t in (0..time).rev() {
            // Links lead both ways, so that the ways from a place are also the ways to it.
            let ways = map.ways(track[t + 1]);
            track[t] = ways[rng.weighted(ways.iter().map(|way| self.at(t, way.1)))].1;
        }
    }

    fn draw_end(&self, time: usize, rng: &mut Rng) -> u16 {
        self.ends[rng.weighted(self.ends.iter().map(|&end| self.at(time, end)))]
    }
}

/// The paths that are possible.
#[derive(Clone, Debug)]
pub struct Sampler {
    by: Observer,
    base: State,
    /// For each unit that was ever out of sight.
    paths: Vec<Paths>,
}

impl VisibilityPursuit {
    /// Where pursuers may be for all the evader knows, if it was here and saw them there; and the sizes of that at
    /// all times but the first, added up.
    fn reckon_pursuers(&self, tracks: &Tracks, time: usize) -> ([Places; MOST_PURSUERS], u32) {
        let mut regions = [Places::NONE; MOST_PURSUERS];
        let mut total = 0;
        for (i, region) in regions.iter_mut().enumerate().take(self.pursuers) {
            let track = &tracks[1 + i];
            *region = self.first_region(i);
            for t in 1..=time {
                let sight = self.map.sight(tracks[0][t]);
                *region = match track[t] != NOWHERE && sight.contains(track[t]) {
                    true => Places::only(track[t]),
                    false => self.map.step(region).without(sight),
                };
                total += region.len();
            }
        }
        (regions, total)
    }

    /// Where a pursuer may start.
    fn first_region(&self, pursuer: usize) -> Places {
        match self.start.tracks[1 + pursuer][0] {
            NOWHERE => self.hideouts,
            place => Places::only(place),
        }
    }

    /// Works out from the paths of all units what the pursuers make of what they saw.
    fn reckon_all(&self, s: &mut State) {
        let time = s.time;
        s.time = 0;
        s.total = 0;
        s.region = self.start.region;
        s.sightings = self.start.sightings;
        while s.time < time {
            self.reckon(s);
        }
    }
}

impl Game for VisibilityPursuit {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        let time = s.time();
        let mut known = Info {
            by,
            time: s.time,
            tracks: [[NOWHERE; MOST_STEPS + 1]; 1 + MOST_PURSUERS],
            regions: [Places::NONE; MOST_PURSUERS],
            total: 0,
            ignored: [false; MOST_PURSUERS],
        };
        // Where the evader starts, and the pursuers it sees then, is known to all.
        for (track, start) in known.tracks.iter_mut().zip(&self.start.tracks) {
            track[0] = start[0];
        }
        if by.is(EVADER) {
            known.tracks[0] = s.tracks[0];
            for t in 1..=time {
                let sight = self.map.sight(s.tracks[0][t]);
                for i in 1..=self.pursuers {
                    if sight.contains(s.tracks[i][t]) {
                        known.tracks[i][t] = s.tracks[i][t];
                    }
                }
            }
            (known.regions, known.total) = self.reckon_pursuers(&known.tracks, time);
        } else if by.is(PURSUERS) {
            known.tracks[1..].copy_from_slice(&s.tracks[1..]);
            for t in (1..=time).filter(|&t| self.is_seen(&s.tracks, t)) {
                known.tracks[0][t] = s.tracks[0][t];
            }
            known.regions[0] = s.region;
            known.total = s.total;
        } else {
            known.regions[0] = (0..time).fold(self.start.region, |region, _| self.map.step(&region));
        }
        known
    }

    fn sampler(&self, k: &Info) -> Sampler {
        let time = k.time();
        let mut base = State {
            time: k.time,
            sightings: self.start.sightings,
            total: k.total,
            tracks: k.tracks,
            region: k.regions[0],
        };
        let mut paths = Vec::new();
        if k.by.is(PURSUERS) {
            if self.unplaced(&base).is_none() {
                let seen = |t: &usize| k.tracks[0][*t] != NOWHERE;
                base.sightings += (1..=time).filter(seen).count() as u8;
                let allowed = |t: usize| match k.tracks[0][t] {
                    NOWHERE => self.map.open().without(&self.sight_of_team(&k.tracks, t)),
                    place => Places::only(place),
                };
                paths.push(Paths::count(&self.map, 0, &self.start.region, time, allowed));
            }
        } else {
            let evades = k.by.is(EVADER);
            for unit in if evades { 1 } else { 0 }..=self.pursuers {
                let allowed = |t: usize| match k.tracks[unit][t] {
                    NOWHERE if evades => self.map.open().without(self.map.sight(k.tracks[0][t])),
                    NOWHERE => *self.map.open(),
                    place => Places::only(place),
                };
                let first = if unit == 0 { self.start.region } else { self.first_region(unit - 1) };
                paths.push(Paths::count(&self.map, unit, &first, time, allowed));
            }
        }
        Sampler { by: k.by, base, paths }
    }

    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        into.clone_from(&from.base);
        let time = into.time();
        for paths in &from.paths {
            paths.draw(&self.map, paths.draw_end(time, rng), time, rng, &mut into.tracks);
        }
        if !from.by.is(PURSUERS) {
            self.reckon_all(into);
        }
        1.0
    }

    fn scene(&self, k: &Info) -> Scene {
        self.draw_info(k)
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        self.draw_move(k, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { hidden_part: Some(self), info_tree: Some(self), tensors: Some(self) }
    }
}

/// Beliefs are about where the evader is.
impl HiddenPart<VisibilityPursuit> for VisibilityPursuit {
    fn values(&self) -> usize {
        self.map.numbers()
    }

    fn name(&self, value: usize) -> String {
        self.map.name(value as u16)
    }

    fn value(&self, s: &State) -> Option<usize> {
        Some(usize::from(s.evader()))
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        if seat == EVADER { value as u64 } else { 0 }
    }

    fn prior(&self, k: &Info, belief: &mut [f64]) {
        belief.fill(0.0);
        let region = self.evaders_region(k);
        let share = 1.0 / f64::from(region.len().max(1));
        region.iter().for_each(|place| belief[usize::from(place)] = share);
    }

    /// A step that is not seen takes the evader from each place along each way with equal probability.
    fn propagate(&self, belief: &mut [f64], before: &Info, after: &Info) {
        let mut now = belief.to_vec();
        for _ in before.time..after.time {
            let mut next = vec![0.0; now.len()];
            for (place, &mass) in (0..).zip(&now).filter(|(_, mass)| **mass > 0.0) {
                let ways = self.map.ways(place);
                ways.iter().for_each(|way| next[usize::from(way.1)] += mass / ways.len() as f64);
            }
            now = next;
        }
        belief.fill(0.0);
        for place in self.evaders_region(after).iter() {
            belief[usize::from(place)] = now[usize::from(place)];
        }
        let sum: f64 = belief.iter().sum();
        if sum > 0.0 {
            belief.iter_mut().for_each(|mass| *mass /= sum);
        } else {
            self.prior(after, belief);
        }
    }

    fn sample(&self, from: &mut Sampler, value: usize, rng: &mut Rng, into: &mut State) -> bool {
        let time = from.base.time();
        let mut possible = from.base.tracks[0][time] == value as u16;
        into.clone_from(&from.base);
        for paths in &from.paths {
            let end = match paths.unit {
                0 => value as u16,
                _ => paths.draw_end(time, rng),
            };
            if !paths.ends.contains(&end) {
                return false;
            }
            possible |= paths.unit == 0;
            paths.draw(&self.map, end, time, rng, &mut into.tracks);
        }
        if !from.by.is(PURSUERS) {
            self.reckon_all(into);
        }
        possible
    }
}

impl VisibilityPursuit {
    fn evaders_region(&self, k: &Info) -> Places {
        if k.by.is(EVADER) { Places::only(k.tracks[0][k.time()]) } else { k.regions[0] }
    }
}
