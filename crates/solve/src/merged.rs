//! Exact sizes of games whose histories are far too many to visit one by one.
//!
//! [`crate::walk`] meets every history; here histories that end in equal states are merged, because what can
//! follow is the same for all of them. [`count`] goes through a game step by step and keeps for each state
//! the number of histories that lead to it. [`infosets`] and [`beliefs`] go through what one observer can
//! experience and keep the *belief*, the set of distinct states that agree with it: what the observer can
//! experience from there on depends on that set alone, so equal beliefs are looked at once. Phantom
//! tic-tac-toe, with 2 10^10 histories, takes seconds.

use std::collections::{HashMap, HashSet};

use fogtree_core::{MAX_PLAYERS, Observation, Observer, Player, Rules, Turn};

use crate::walk::each_step;

/// The size of a game, counted by merging equal states.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Histories at which somebody chooses.
    pub decisions: u128,
    /// Of these, histories at which this seat chooses.
    pub decisions_of: [u128; MAX_PLAYERS],
    /// Histories at which chance draws.
    pub chances: u128,
    /// Finished histories.
    pub terminals: u128,
    /// Distinct states in which the game goes on.
    pub states: u64,
    /// Distinct states in which it is over.
    pub ends: u64,
    /// The most steps.
    pub longest: u32,
}

/// Counts every history and every distinct state.
pub fn count<R: Rules>(rules: &R) -> Size {
    let mut size = Size::default();
    let mut met = HashSet::new();
    let mut layer = HashMap::from([(rules.start(), 1u128)]);
    for depth in 0.. {
        let mut next: HashMap<R::State, u128> = HashMap::new();
        size.longest = depth;
        for (state, histories) in layer {
            let turn = rules.turn(&state);
            each_step(rules, &state, turn, |step, _| {
                let mut child = state.clone();
                rules.apply(&mut child, step);
                *next.entry(child).or_default() += histories;
            });
            match turn {
                Turn::Terminal => size.terminals += histories,
                Turn::Chance => size.chances += histories,
                Turn::Player(_) | Turn::Simultaneous(_) => size.decisions += histories,
            }
            for p in turn.players().iter() {
                size.decisions_of[p.index()] += histories;
            }
            if met.insert(state) {
                *(if turn == Turn::Terminal { &mut size.ends } else { &mut size.states }) += 1;
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    size
}

/// Counts the information sets in which a seat chooses.
pub fn infosets<R: Rules>(rules: &R, seat: Player) -> u128 {
    Experience::of(rules, Observer::Seat(seat)).sets_from_start(&mut |_| ())
}

/// Shows every distinct belief of an observer once: the states that agree with some sequence of its
/// actions and observations, in no particular order.
pub fn beliefs<R: Rules>(rules: &R, by: Observer, mut see: impl FnMut(&[&R::State])) {
    Experience::of(rules, by).sets_from_start(&mut see);
}

/// What an observer does and sees in one step; nothing where it cannot tell that there was one.
type Event = (Option<u64>, Option<Observation>);

/// The tree of what one observer can experience, with numbers for states, as far as it has been looked at.
struct Experience<'a, R: Rules> {
    rules: &'a R,
    by: Observer,
    numbers: HashMap<R::State, u32>,
    states: Vec<R::State>,
    /// For each state, the steps that can follow: what the observer notices and where they lead.
    steps: Vec<Option<Vec<(Event, u32)>>>,
    /// Information sets at and below each belief.
    sets: HashMap<Vec<u32>, u128>,
}

impl<'a, R: Rules> Experience<'a, R> {
    fn of(rules: &'a R, by: Observer) -> Self {
        let (numbers, states, steps) = (HashMap::new(), Vec::new(), Vec::new());
        Experience { rules, by, numbers, states, steps, sets: HashMap::new() }
    }

    fn sets_from_start(mut self, see: &mut impl FnMut(&[&R::State])) -> u128 {
        let start = self.number(self.rules.start());
        self.sets_below(vec![start], see)
    }

    fn number(&mut self, state: R::State) -> u32 {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.steps.push(None);
            (self.states.len() - 1) as u32
        })
    }

    /// Notes what can follow a state, if that is not known yet.
    fn look_at(&mut self, state: u32) {
        if self.steps[state as usize].is_some() {
            return;
        }
        let before = self.states[state as usize].clone();
        let (rules, by) = (self.rules, self.by);
        let mut steps = Vec::new();
        each_step(rules, &before, rules.turn(&before), |step, _| {
            let own = by.seat().and_then(|p| step.action_of(p)).map(|a| rules.code(a));
            let mut after = before.clone();
            rules.apply(&mut after, step);
            steps.push(((own, rules.observe(&before, step, by)), self.number(after)));
        });
        self.steps[state as usize] = Some(steps);
    }

    fn steps(&self, state: u32) -> &[(Event, u32)] {
        self.steps[state as usize].as_deref().unwrap_or_default()
    }

    /// The belief with the states added that are reached by steps the observer does not notice.
    fn with_unnoticed(&mut self, mut belief: Vec<u32>) -> Vec<u32> {
        let mut members: HashSet<u32> = belief.iter().copied().collect();
        let mut at = 0;
        while at < belief.len() {
            let state = belief[at];
            at += 1;
            self.look_at(state);
            let unnoticed = self.steps(state).iter().filter(|(event, _)| *event == (None, None));
            belief.extend(unnoticed.map(|&(_, next)| next).filter(|&next| members.insert(next)));
        }
        belief.sort_unstable();
        belief
    }

    fn sets_below(&mut self, belief: Vec<u32>, see: &mut impl FnMut(&[&R::State])) -> u128 {
        let belief = self.with_unnoticed(belief);
        if let Some(&known) = self.sets.get(&belief) {
            return known;
        }
        see(&belief.iter().map(|&state| &self.states[state as usize]).collect::<Vec<_>>());
        let mut next: HashMap<&Event, Vec<u32>> = HashMap::new();
        for &state in &belief {
            for (event, to) in self.steps(state).iter().filter(|(event, _)| *event != (None, None)) {
                next.entry(event).or_default().push(*to);
            }
        }
        let mut next: Vec<Vec<u32>> = next.into_values().collect();
        let chooses = |state: &u32| {
            let turn = self.rules.turn(&self.states[*state as usize]);
            self.by.seat().is_some_and(|p| turn.players().contains(p))
        };
        let mut sets = u128::from(belief.iter().any(chooses));
        for belief in &mut next {
            belief.sort_unstable();
            belief.dedup();
        }
        for belief in next {
            sets += self.sets_below(belief, see);
        }
        self.sets.insert(belief, sets);
        sets
    }
}
