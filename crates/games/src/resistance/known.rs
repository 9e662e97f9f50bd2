//! What is known of the spies: the sets of them that are possible.

use fogtree_core::{Game, HiddenPart, InfoExtras, Observer, Player, Rng, Scene, Witnessed};
use serde::{Deserialize, Serialize};

use super::scene::View;
use super::{Action, Phase, Resistance, Set, State, text};

/// What an observer knows: the state, without the spies unless it is one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    pub(super) by: Observer,
    pub(super) seen: State,
}

/// The sets of spies that are possible.
#[derive(Clone, Debug)]
pub struct Sampler {
    seen: State,
    possible: Vec<Set>,
}

impl Resistance {
    /// The sets of spies that agree with what is known; none before they are dealt.
    pub(super) fn possible(&self, k: Info) -> impl Iterator<Item = Set> + Clone {
        let own = k.by.seat().map_or(0, |p| 1 << p.0);
        let settled = k.seen.phase != Phase::Deal;
        let agrees = move |spies: Set| match k.seen.spies {
            0 => spies & own == 0 && k.seen.may_be(spies),
            known => spies == known,
        };
        self.configurations.iter().copied().filter(move |&spies| settled && agrees(spies))
    }
}

impl Game for Resistance {
    type Info = Info;
    type Sampler = Sampler;

    #[inline]
    fn info(&self, s: &State, by: Observer) -> Info {
        let is_spy = by.seat().is_some_and(|p| s.is_spy(p));
        Info { by, seen: State { spies: if is_spy { s.spies } else { 0 }, ..*s } }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        Sampler { seen: k.seen, possible: self.possible(*k).collect() }
    }

    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        *into = from.seen;
        if !from.possible.is_empty() {
            into.spies = *rng.pick(&from.possible);
        }
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        let worlds = out.len();
        out.extend(self.possible(*k).map(|spies| (State { spies, ..k.seen }, 1.0)));
        if out.len() == worlds {
            out.push((k.seen, 1.0));
        }
        let share = 1.0 / (out.len() - worlds) as f64;
        out[worlds..].iter_mut().for_each(|world| world.1 = share);
        true
    }

    fn scene(&self, k: &Info) -> Scene {
        let spies = (k.seen.spies != 0).then_some(k.seen.spies);
        self.draw(&View { by: k.by, state: &k.seen, spies })
    }

    fn spots(&self, _: &Info, _: Player, action: Action) -> Vec<String> {
        self.touched(action)
    }

    fn tell(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        self.tell_step(step)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { hidden_part: Some(self), tensors: Some(self), ..InfoExtras::NONE }
    }
}

/// Beliefs are about who the spies are.
impl HiddenPart<Resistance> for Resistance {
    fn values(&self) -> usize {
        self.configurations.len()
    }

    fn name(&self, value: usize) -> String {
        text::joined(self.configurations[value], "-")
    }

    fn value(&self, s: &State) -> Option<usize> {
        (s.phase != Phase::Deal).then(|| self.places[s.spies as usize].into())
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        let spies = self.configurations[value];
        if spies >> seat.0 & 1 == 1 { spies.into() } else { 0 }
    }

    fn prior(&self, k: &Info, belief: &mut [f64]) {
        belief.fill(0.0);
        let share = 1.0 / self.possible(*k).count() as f64;
        for spies in self.possible(*k) {
            belief[self.places[spies as usize] as usize] = share;
        }
    }

    fn propagate(&self, belief: &mut [f64], _before: &Info, after: &Info) {
        let mut left = vec![0.0; belief.len()];
        for spies in self.possible(*after) {
            let place = self.places[spies as usize] as usize;
            left[place] = belief[place];
        }
        let sum: f64 = left.iter().sum();
        if sum > 0.0 {
            belief.iter_mut().zip(left).for_each(|(b, mass)| *b = mass / sum);
        } else {
            self.prior(after, belief);
        }
    }

    fn sample(&self, from: &mut Sampler, value: usize, _rng: &mut Rng, into: &mut State) -> bool {
        let spies = self.configurations[value];
        let possible = from.possible.contains(&spies);
        if possible {
            *into = State { spies, ..from.seen };
        }
        possible
    }

    fn put(&self, state: &mut State, value: usize) -> bool {
        state.spies = self.configurations[value];
        true
    }
}
