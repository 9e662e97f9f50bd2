//! What a role holds possible while a match goes on.
//!
//! A [`Belief`] is carried from step to step by the role's own moves and percepts. It keeps all states that agree with
//! them, each with the probability of what chance drew on the way, as long as there are few; of more it keeps a fair
//! sample. If nothing is left, the history is searched for other ways through it: first for ways that the sample
//! had lost (depth first with back-tracking, as HyperPlay does), then for ways on which an umpire replaced own moves
//! without saying so.
//!
//! Games in the framework have their information sets from [`crate::game`]; this is for players in matches that
//! somebody else conducts.

use fogtree_core::agent::Clock;
use fogtree_core::{Budget, Deadline, Purpose, Rng, Seed};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::explore::{joint_move, joint_moves, moves_of};
use crate::reasoner::{Reasoner, ReasonerError};
use crate::term::TermId;

/// How a belief is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tracking {
    /// Whether histories that lead to the same state are one.
    pub merge: bool,
    /// The most worlds; of more, some are drawn.
    pub worlds: usize,
    /// The most joint moves tried in one step; of more, some are drawn.
    pub transitions: usize,
    /// The most states looked at in search of worlds, when none is left.
    pub search: usize,
    /// Decides what is drawn.
    pub seed: Seed,
}

impl Default for Tracking {
    fn default() -> Self {
        Tracking { merge: true, worlds: 2_000, transitions: 50_000, search: 20_000, seed: Seed(1) }
    }
}

/// A search ends when it has found this many worlds,
const MOST_FOUND: usize = 100;
/// or no new one this many times.
const MOST_IN_VAIN: usize = 20;

/// How it stands with a belief after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// All worlds are known.
    Complete,
    /// Some worlds are known.
    Sampled,
    /// None was left; some were found by searching the history.
    Found,
    /// None was left; some were found by assuming that own moves had been replaced.
    Replaced,
    /// No world agrees with what was done and perceived, as far as was searched.
    Lost,
}

/// One step of a match as a role knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What the role did, unless somebody may have replaced it.
    own: Option<TermId>,
    /// What it may have done instead: see [`Belief::settle`].
    guess: Option<TermId>,
    /// Whether it had a choice.
    pub choice: bool,
    /// Whether nobody had a choice, where everybody knows: in plain GDL.
    pub forced: bool,
    /// What it perceived, in canonical order; in plain GDL everybody's move, in the order of the roles.
    pub percepts: Vec<TermId>,
}

impl Step {
    /// What the role did, as far as is known or was settled.
    pub fn own(&self) -> Option<TermId> {
        self.own.or(self.guess)
    }
}

/// The worlds that a role holds possible.
#[derive(Debug)]
pub struct Belief<S> {
    role: usize,
    tracking: Tracking,
    worlds: Vec<(S, f64)>,
    history: Vec<Step>,
    complete: bool,
    rng: Rng,
    until: Deadline,
}

impl<S: Clone + Eq + std::hash::Hash> Belief<S> {
    /// What a role believes when a match begins.
    pub fn new<R: Reasoner<State = S>>(
        reasoner: &R,
        role: usize,
        tracking: Tracking,
    ) -> Result<Belief<S>, ReasonerError> {
        Ok(Belief {
            role,
            tracking,
            worlds: vec![(reasoner.initial()?, 1.0)],
            history: Vec::new(),
            complete: true,
            rng: tracking.seed.stream(Purpose::Sampling),
            until: Deadline::NEVER,
        })
    }

    /// Takes no longer than that to go on, from now on, but keeps at least one world if it can.
    pub fn keep_to(&mut self, until: Deadline) {
        self.until = until;
    }

    /// The worlds with their weights, which add up to 1. Without merging, one for each way to it.
    pub fn worlds(&self) -> &[(S, f64)] {
        &self.worlds
    }

    /// Whether these are all worlds that agree with what was done and perceived.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What happened so far.
    pub fn history(&self) -> &[Step] {
        &self.history
    }

    /// Draws a world.
    pub fn draw(&self, rng: &mut Rng) -> Option<&S> {
        let i = (!self.worlds.is_empty()).then(|| rng.weighted(self.worlds.iter().map(|w| w.1)))?;
        Some(&self.worlds[i].0)
    }

    /// Goes one step further in plain GDL, where everybody sees the joint move. If that is not legal it is made all
    /// the same, but what the role did in it can no longer be [settled](Belief::settle).
    pub fn follow<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        joint: &[TermId],
    ) -> Result<(), ReasonerError> {
        let Some((world, _)) = self.worlds.first() else { return Ok(()) };
        let legal = moves_of(reasoner, world)?.unwrap_or_default();
        let is_legal = legal.len() == joint.len() && legal.iter().zip(joint).all(|(l, m)| l.contains(m));
        self.history.push(Step {
            own: is_legal.then(|| joint[self.role]),
            guess: None,
            choice: legal.get(self.role).is_some_and(|moves| moves.len() > 1),
            forced: joint_moves(&legal) == 1,
            percepts: joint.to_vec(),
        });
        for (world, _) in &mut self.worlds {
            *world = reasoner.next(world, joint)?;
        }
        Ok(())
    }

    /// Goes one step further: the role did something and perceived something, and the match is over or goes on.
    pub fn update<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        own: TermId,
        percepts: &[TermId],
        over: bool,
    ) -> Result<Standing, ReasonerError> {
        self.go_on(reasoner, Some(own), percepts, over)
    }

    /// Likewise, if the role does not know what was done for it: its move was late, or none, and an umpire put another
    /// in its place without saying which.
    pub fn update_replaced<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        percepts: &[TermId],
        over: bool,
    ) -> Result<Standing, ReasonerError> {
        self.go_on(reasoner, None, percepts, over)
    }

    /// Where the match may stand, after all own moves that are not known were settled: on some that agree with
    /// everything perceived, on the same as before if possible. `None` if none were found within the budget.
    pub fn settle<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        budget: &Budget,
    ) -> Result<Option<S>, ReasonerError> {
        if self.history.iter().all(|step| step.own.is_some()) {
            return Ok(self.worlds.first().map(|w| w.0.clone()));
        }
        let mut way = self.one_way(reasoner, false, &mut budget.start(), Step::own)?;
        if way.is_none() {
            way = self.one_way(reasoner, false, &mut budget.start(), |step| step.own)?;
        }
        let (own, world) = way.unzip();
        let mut own = own.unwrap_or_default().into_iter();
        self.history.iter_mut().for_each(|step| step.guess = own.next());
        Ok(world)
    }

    fn go_on<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        own: Option<TermId>,
        percepts: &[TermId],
        over: bool,
    ) -> Result<Standing, ReasonerError> {
        let mut percepts = percepts.to_vec();
        reasoner.terms().sort(&mut percepts);
        let before = std::mem::take(&mut self.worlds);
        let mut legal = Vec::new();
        if let Some((world, _)) = before.first() {
            reasoner.legal(world, self.role, &mut legal)?;
        }
        let choice = legal.len() > 1;
        self.history.push(Step { own, guess: None, choice, forced: false, percepts });
        let was_complete = self.complete;
        self.advance(reasoner, &before, over)?;
        if !self.worlds.is_empty() {
            return Ok(if self.complete { Standing::Complete } else { Standing::Sampled });
        }
        if !was_complete && self.search(reasoner, over)? {
            return Ok(Standing::Found);
        }
        if let Some(last) = self.history.last_mut() {
            last.own = None;
        }
        self.complete = was_complete;
        self.advance(reasoner, &before, over)?;
        if !self.worlds.is_empty() {
            return Ok(Standing::Replaced);
        }
        for step in &mut self.history {
            step.own = None;
        }
        Ok(if self.search(reasoner, over)? { Standing::Replaced } else { Standing::Lost })
    }

    /// Puts in place of the worlds what follows from those before the last step.
    fn advance<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        before: &[(S, f64)],
        over: bool,
    ) -> Result<(), ReasonerError> {
        let Some(step) = self.history.last() else { return Ok(()) };
        let mut open = Vec::with_capacity(before.len());
        for (world, weight) in before {
            if let Some(moves) = ways(reasoner, world, self.role, step.own)? {
                open.push((world, weight, moves));
            }
        }
        let total = open.iter().fold(0_usize, |sum, (_, _, m)| sum.saturating_add(joint_moves(m)));
        let each = (total > self.tracking.transitions)
            .then(|| (self.tracking.transitions / open.len().max(1)).max(1));
        let random = reasoner.random_role();
        let mut worlds: Vec<(S, f64)> = Vec::new();
        let mut places: FxHashMap<S, usize> = FxHashMap::default();
        for (world, weight, moves) in open {
            if !worlds.is_empty() && self.until.has_passed() {
                self.complete = false;
                break;
            }
            let count = joint_moves(&moves);
            let tries = each.map_or(count, |most| most.min(count));
            self.complete &= tries == count;
            let chance = random.map_or(1.0, |role| 1.0 / moves[role].len() as f64);
            let share = weight * chance * count as f64 / tries as f64;
            for number in 0..tries {
                let number = if tries == count { number } else { (self.rng.bits() % count as u64) as usize };
                let joint = joint_move(&moves, number);
                let Some(next) = agreeing(reasoner, world, &joint, self.role, step, over)? else { continue };
                let place = match self.tracking.merge {
                    true => *places.entry(next.clone()).or_insert(worlds.len()),
                    false => worlds.len(),
                };
                if place == worlds.len() {
                    worlds.push((next, 0.0));
                }
                worlds[place].1 += share;
            }
        }
        self.worlds = worlds;
        self.thin_out();
        Ok(())
    }

    /// Draws worlds if there are too many, and makes their weights add up to 1.
    fn thin_out(&mut self) {
        let total: f64 = self.worlds.iter().map(|w| w.1).sum();
        let most = self.tracking.worlds.max(1);
        if self.worlds.len() <= most {
            self.worlds.iter_mut().for_each(|w| w.1 /= total);
            return;
        }
        self.complete = false;
        // At equal distances along the running total: every world as often as its weight says, rounded.
        let mut at = self.rng.unit();
        let (mut sum, mut drawn) = (0.0, Vec::with_capacity(most));
        for (world, weight) in self.worlds.drain(..) {
            sum += weight / total * most as f64;
            let times = (sum - at).ceil().max(0.0);
            at += times;
            if times > 0.0 {
                drawn.push((world, times / most as f64));
            }
        }
        let total: f64 = drawn.iter().map(|w: &(S, f64)| w.1).sum();
        drawn.iter_mut().for_each(|w| w.1 /= total);
        self.worlds = drawn;
    }

    /// Looks for worlds by going through the whole history, each time another way; whether some were found.
    fn search<R: Reasoner<State = S>>(&mut self, reasoner: &R, over: bool) -> Result<bool, ReasonerError> {
        self.complete = false;
        let time = self.until.left();
        let budget = Budget { time, ..Budget::iterations(self.tracking.search as u64) };
        let mut clock = budget.start();
        let mut met: FxHashSet<S> = FxHashSet::default();
        let (mut found, mut in_vain) = (Vec::new(), 0);
        while in_vain < MOST_IN_VAIN && found.len() < self.tracking.worlds.clamp(1, MOST_FOUND) {
            let way = self.one_way(reasoner, over, &mut clock, |step| step.own)?;
            let Some((_, world)) = way else { break };
            in_vain += 1;
            if met.insert(world.clone()) {
                in_vain = 0;
                found.push(world);
            }
        }
        let share = 1.0 / found.len().max(1) as f64;
        self.worlds = found.into_iter().map(|world| (world, share)).collect();
        Ok(!self.worlds.is_empty())
    }

    /// Goes through the history depth first, in random order, until one way ends where the match stands: the own moves
    /// on it, which are as given where they are, and its end.
    fn one_way<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &R,
        over: bool,
        clock: &mut Clock<'_>,
        given: fn(&Step) -> Option<TermId>,
    ) -> Result<Option<(Vec<TermId>, S)>, ReasonerError> {
        let (mut stack, mut way) = (vec![(reasoner.initial()?, 0_usize, None)], Vec::new());
        while let Some((world, at, own)) = stack.pop() {
            way.truncate(at.saturating_sub(1));
            way.extend(own);
            let Some(step) = self.history.get(at) else { return Ok(Some((way, world))) };
            if !clock.tick() {
                return Ok(None);
            }
            let Some(moves) = ways(reasoner, &world, self.role, given(step))? else { continue };
            let count = joint_moves(&moves);
            let tries = count.min(self.tracking.transitions.max(1));
            let last = at + 1 == self.history.len();
            let from = stack.len();
            for number in 0..tries {
                let number = if tries == count { number } else { (self.rng.bits() % count as u64) as usize };
                let joint = joint_move(&moves, number);
                if let Some(next) = agreeing(reasoner, &world, &joint, self.role, step, over && last)? {
                    stack.push((next, at + 1, Some(joint[self.role])));
                }
            }
            self.rng.shuffle(&mut stack[from..]);
        }
        Ok(None)
    }
}

/// The moves of everybody in a world, the role's own one fixed if it is known. `None` if there are none.
fn ways<R: Reasoner>(
    reasoner: &R,
    world: &R::State,
    role: usize,
    own: Option<TermId>,
) -> Result<Option<Vec<Vec<TermId>>>, ReasonerError> {
    let Ok(mut moves) = moves_of(reasoner, world)? else { return Ok(None) };
    if let Some(own) = own {
        if !moves[role].contains(&own) {
            return Ok(None);
        }
        moves[role] = vec![own];
    }
    Ok(Some(moves))
}

/// The state after a joint move, if the role then perceives what it did and the match is over when it should be.
fn agreeing<R: Reasoner>(
    reasoner: &R,
    world: &R::State,
    joint: &[TermId],
    role: usize,
    step: &Step,
    over: bool,
) -> Result<Option<R::State>, ReasonerError> {
    let mut percepts = Vec::with_capacity(step.percepts.len());
    reasoner.percepts(world, joint, role, &mut percepts)?;
    if percepts != step.percepts {
        return Ok(None);
    }
    let next = reasoner.next(world, joint)?;
    Ok((reasoner.terminal(&next)? == over).then_some(next))
}
