//! What is known of Mr X: where he may be, and how likely.
//!
//! Worlds are drawn as chance makes them. Beliefs begin with chance and spread as the thesis says.

use fogtree_core::{Game, HiddenPart, InfoExtras, Observer, Player, Rng, Scene};
use serde::{Deserialize, Serialize};

use super::board::{Stations, Ticket};
use super::trail::Hidden;
use super::{Action, End, MOST_SEEKERS, MR_X, NOWHERE, Phase, ScotlandYard, State, purse};

/// What an observer knows: the state, without Mr X's station if it is not seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    pub(super) by: Observer,
    pub(super) seen: State,
}

/// The stations of Mr X that are possible.
#[derive(Clone, Debug)]
pub struct Sampler {
    seen: State,
    /// Each as often as there are start cards from which he may have come.
    stations: Vec<u8>,
}

impl State {
    /// Whether everybody sees where Mr X is.
    fn shows_x(&self) -> bool {
        self.phase == Phase::Over(End::Caught) || self.shown != NOWHERE && self.trail.as_slice().is_empty()
    }
}

impl ScotlandYard {
    /// The stations where Mr X may be, each with the number of start cards from which he may have come there,
    /// or 1 once he has been seen; none before he has drawn his card.
    pub(super) fn worlds(&self, s: &State) -> Vec<(u8, u32)> {
        if s.x != NOWHERE {
            return vec![(s.x, 1)];
        }
        if matches!(s.phase, Phase::Deal(_)) {
            return Vec::new();
        }
        let trail = s.trail.as_slice();
        let mut ways = vec![0; self.board.stations()];
        let mut follow = |from: u8| {
            for station in self.follow([from].into_iter().collect(), trail, s).iter() {
                ways[station as usize] += 1;
            }
        };
        if s.shown == NOWHERE {
            self.cards_of_x(s).for_each(follow);
        } else {
            follow(s.shown);
        }
        (0..=u8::MAX).zip(ways).filter(|world| world.1 > 0).collect()
    }

    /// The stations where Mr X may be as a set, whether or not the state tells where he is.
    pub(super) fn possible(&self, s: &State) -> Stations {
        let from = match s.shown {
            _ if matches!(s.phase, Phase::Deal(_)) => Stations::default(),
            NOWHERE => self.cards_of_x(s).collect(),
            shown => [shown].into_iter().collect(),
        };
        self.follow(from, s.trail.as_slice(), s)
    }

    /// The start cards that Mr X may have drawn, before he is seen.
    fn cards_of_x(&self, s: &State) -> impl Iterator<Item = u8> {
        let first = s.trail.as_slice().first().map_or(s.seekers, |hidden| hidden.seekers);
        self.board.starts().iter().copied().filter(move |card| !first.contains(card))
    }

    /// Where Mr X may be after a move with this ticket, if he is at one of these stations.
    #[inline]
    pub(super) fn spread(&self, from: Stations, by: Ticket, seekers: [u8; MOST_SEEKERS]) -> Stations {
        let free = !seekers.into_iter().collect::<Stations>();
        let mut next = Stations::default();
        (from & free).iter().for_each(|station| next |= self.board.reach(station, by));
        next & free
    }

    /// Where Mr X may be by now if he came from one of these stations.
    fn follow(&self, from: Stations, trail: &[Hidden], s: &State) -> Stations {
        let along = |here, hidden: &Hidden| self.spread(here, hidden.by, hidden.seekers);
        let mut here = trail.iter().fold(from, along);
        here = here & !s.seekers.into_iter().collect::<Stations>();
        if s.phase == Phase::Over(End::XStuck) {
            let is_stuck = |&x: &u8| self.exits(s, x, purse(&s.x_fares)).next().is_none();
            here = here.iter().filter(is_stuck).collect();
        }
        here
    }
}

impl Game for ScotlandYard {
    type Info = Info;
    type Sampler = Sampler;

    #[inline]
    fn info(&self, s: &State, by: Observer) -> Info {
        let x = if by.is(MR_X) || s.shows_x() { s.x } else { NOWHERE };
        Info { by, seen: State { x, ..*s } }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        let times = |(station, ways): (u8, u32)| std::iter::repeat_n(station, ways as usize);
        Sampler { seen: k.seen, stations: self.worlds(&k.seen).into_iter().flat_map(times).collect() }
    }

    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        *into = from.seen;
        if !from.stations.is_empty() {
            into.x = *rng.pick(&from.stations);
        }
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        let worlds = self.worlds(&k.seen);
        if worlds.is_empty() {
            out.push((k.seen, 1.0));
        }
        let all: u32 = worlds.iter().map(|world| world.1).sum();
        let share = |ways: u32| f64::from(ways) / f64::from(all);
        out.extend(worlds.iter().map(|&(x, ways)| (State { x, ..k.seen }, share(ways))));
        true
    }

    fn scene(&self, k: &Info) -> Scene {
        self.picture(&k.seen, k.by)
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        self.touched(k, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { hidden_part: Some(self), tensors: Some(self), ..InfoExtras::NONE }
    }
}

/// Beliefs are about the station of Mr X.
impl HiddenPart<ScotlandYard> for ScotlandYard {
    fn values(&self) -> usize {
        self.board.stations()
    }

    fn name(&self, value: usize) -> String {
        (value + 1).to_string()
    }

    fn value(&self, s: &State) -> Option<usize> {
        (s.x != NOWHERE).then_some(s.x as usize)
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        if seat == MR_X { value as u64 } else { 0 }
    }

    fn prior(&self, k: &Info, belief: &mut [f64]) {
        belief.fill(0.0);
        let worlds = self.worlds(&k.seen);
        let all: u32 = worlds.iter().map(|world| world.1).sum();
        for (station, ways) in worlds {
            belief[station as usize] = f64::from(ways) / f64::from(all);
        }
    }

    /// A move that is not seen takes Mr X from each station to each of those he may go to from there with
    /// that ticket, all equally likely (Whitehouse 2014, §7.3, Example 2).
    fn propagate(&self, belief: &mut [f64], before: &Info, after: &Info) {
        let mut next = vec![0.0; belief.len()];
        match after.seen.trail.as_slice().last() {
            Some(hidden) if after.seen.moves > before.seen.moves => {
                let free = !before.seen.seekers.into_iter().collect::<Stations>();
                for (station, &mass) in (0..=u8::MAX).zip(&*belief).filter(|(_, mass)| **mass > 0.0) {
                    let exits = self.board.reach(station, hidden.by) & free;
                    let share = mass / exits.iter().count().max(1) as f64;
                    exits.iter().for_each(|to| next[to as usize] += share);
                }
            }
            _ => next.copy_from_slice(belief),
        }
        belief.fill(0.0);
        for (station, _) in self.worlds(&after.seen) {
            belief[station as usize] = next[station as usize];
        }
        let sum: f64 = belief.iter().sum();
        if sum > 0.0 {
            belief.iter_mut().for_each(|mass| *mass /= sum);
        } else {
            self.prior(after, belief);
        }
    }

    fn sample(&self, from: &mut Sampler, value: usize, _rng: &mut Rng, into: &mut State) -> bool {
        let possible = from.stations.iter().any(|&station| station as usize == value);
        if possible {
            *into = State { x: value as u8, ..from.seen };
        }
        possible
    }
}
