//! All states of a game that can be reached, if they are not too many, and what follows from having them all.

use rustc_hash::FxHashMap;

use crate::reasoner::{Reasoner, ReasonerError};
use crate::term::TermId;

/// How far an exploration may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most states it keeps.
    pub states: usize,
    /// The most joint moves it tries.
    pub transitions: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { states: 100_000, transitions: 1_000_000 }
    }
}

/// What an exploration from the initial state found, breadth first.
#[derive(Clone, Debug)]
pub struct Explored<S> {
    /// The states, the initial one first. A state's number is its place here.
    pub states: Vec<S>,
    /// For each state, what it is.
    pub kinds: Vec<Kind>,
    /// Whether these are all states that can be reached.
    pub complete: bool,
    /// For each state but the first, the state it was first reached from and the number of the joint move.
    parents: Vec<(u32, u32)>,
    /// For each state that was expanded, its followers: one for each joint move, the first role's moves slowest.
    followers: Vec<Vec<u32>>,
}

/// What a state is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The match is over.
    Terminal,
    /// It goes on.
    Inner,
    /// It should go on, but this role has no legal move.
    Stuck {
        /// The role.
        role: usize,
    },
}

/// The legal moves of every role, or the first role that has none.
pub(crate) fn moves_of<R: Reasoner>(
    reasoner: &R,
    state: &R::State,
) -> Result<Result<Vec<Vec<TermId>>, usize>, ReasonerError> {
    let mut all = Vec::with_capacity(reasoner.roles().len());
    for role in 0..reasoner.roles().len() {
        let mut moves = Vec::new();
        reasoner.legal(state, role, &mut moves)?;
        if moves.is_empty() {
            return Ok(Err(role));
        }
        all.push(moves);
    }
    Ok(Ok(all))
}

/// How many joint moves there are; as many as can be counted if there are more.
pub(crate) fn joint_moves(moves: &[Vec<TermId>]) -> usize {
    moves.iter().fold(1, |n, m| n.saturating_mul(m.len()))
}

/// The joint move of a number: the last role's move changes fastest.
pub(crate) fn joint_move(moves: &[Vec<TermId>], mut number: usize) -> Vec<TermId> {
    let mut joint: Vec<TermId> = moves
        .iter()
        .rev()
        .map(|m| {
            let action = m[number % m.len()];
            number /= m.len();
            action
        })
        .collect();
    joint.reverse();
    joint
}

/// Explores a game breadth first, as far as the budget goes.
pub fn explore<R: Reasoner>(reasoner: &R, budget: Budget) -> Result<Explored<R::State>, ReasonerError> {
    explore_until(reasoner, budget, &|| false)
}

/// The same, as long as it is not too late.
pub(crate) fn explore_until<R: Reasoner>(
    reasoner: &R,
    budget: Budget,
    late: &dyn Fn() -> bool,
) -> Result<Explored<R::State>, ReasonerError> {
    let first = reasoner.initial()?;
    let mut numbers: FxHashMap<R::State, u32> = FxHashMap::default();
    numbers.insert(first.clone(), 0);
    let mut found = Explored {
        states: vec![first],
        kinds: Vec::new(),
        complete: true,
        parents: vec![(0, 0)],
        followers: Vec::new(),
    };
    let mut transitions = 0_usize;
    let mut at = 0;
    while at < found.states.len() {
        let state = found.states[at].clone();
        let mut followers = Vec::new();
        let kind = if reasoner.terminal(&state)? {
            Kind::Terminal
        } else {
            match moves_of(reasoner, &state)? {
                Err(role) => Kind::Stuck { role },
                Ok(moves) => {
                    let count = joint_moves(&moves);
                    transitions = transitions.saturating_add(count);
                    if transitions > budget.transitions || late() {
                        found.complete = false;
                        break;
                    }
                    for number in 0..count {
                        let next = reasoner.next(&state, &joint_move(&moves, number))?;
                        let new = found.states.len() as u32;
                        let follower = *numbers.entry(next.clone()).or_insert(new);
                        if follower == new {
                            found.states.push(next);
                            found.parents.push((at as u32, number as u32));
                        }
                        followers.push(follower);
                    }
                    Kind::Inner
                }
            }
        };
        found.kinds.push(kind);
        found.followers.push(followers);
        at += 1;
        if found.states.len() > budget.states {
            found.complete = at == found.states.len();
            break;
        }
    }
    Ok(found)
}

/// What random play is like, exactly.
#[derive(Clone, PartialEq, Debug)]
pub struct RandomPlay {
    /// The expected goal of each role. A role without exactly one goal value at some end has none.
    pub goals: Vec<Option<f64>>,
    /// The expected number of steps.
    pub steps: f64,
    /// The fewest steps a match can have.
    pub shortest: u32,
    /// The most steps a match can have.
    pub longest: u32,
    /// How many different sequences of joint moves end a match.
    pub matches: f64,
}

impl<S> Explored<S> {
    /// How many states are of a kind that is not an end.
    pub fn inner(&self) -> usize {
        self.kinds.iter().filter(|&&k| k == Kind::Inner).count()
    }

    /// The joint moves that lead to a state, as few as possible.
    pub fn path<R: Reasoner<State = S>>(
        &self,
        reasoner: &R,
        state: usize,
    ) -> Result<Vec<Vec<TermId>>, ReasonerError> {
        let (mut at, mut path) = (state, Vec::new());
        while at != 0 {
            let (parent, number) = self.parents[at];
            at = parent as usize;
            if let Ok(moves) = moves_of(reasoner, &self.states[at])? {
                path.push(joint_move(&moves, number as usize));
            }
        }
        path.reverse();
        Ok(path)
    }

    /// The followers of a state, one for each joint move.
    pub fn followers(&self, state: usize) -> &[u32] {
        self.followers.get(state).map_or(&[], Vec::as_slice)
    }

    /// The states so that every follower comes before its predecessors; or, if play can go round in circles, one
    /// state of a circle.
    pub fn order(&self) -> Result<Vec<u32>, usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Colour {
            New,
            Open,
            Done,
        }
        let mut colours = vec![Colour::New; self.states.len()];
        let mut order = Vec::with_capacity(self.states.len());
        let mut path: Vec<(u32, usize)> = vec![(0, 0)];
        colours[0] = Colour::Open;
        while let Some((state, edge)) = path.last_mut() {
            match self.followers(*state as usize).get(*edge) {
                Some(&follower) => {
                    *edge += 1;
                    match colours[follower as usize] {
                        Colour::Open => return Err(follower as usize),
                        Colour::New => {
                            colours[follower as usize] = Colour::Open;
                            path.push((follower, 0));
                        }
                        Colour::Done => {}
                    }
                }
                None => {
                    colours[*state as usize] = Colour::Done;
                    order.push(*state);
                    path.pop();
                }
            }
        }
        Ok(order)
    }

    /// What random play is like; `None` if not all states are known, some are stuck, or play can be endless.
    pub fn random_play<R: Reasoner<State = S>>(
        &self,
        reasoner: &R,
    ) -> Result<Option<RandomPlay>, ReasonerError> {
        let stuck = self.kinds.iter().any(|k| matches!(k, Kind::Stuck { .. }));
        let Some(order) = self.order().ok().filter(|_| self.complete && !stuck) else { return Ok(None) };
        let roles = reasoner.roles().len();
        let mut goals = vec![0.0; self.states.len() * roles];
        let mut single = vec![true; roles];
        let mut rest = vec![(0.0_f64, 0_u32, 0_u32, 1.0_f64); self.states.len()];
        for state in order {
            let state = state as usize;
            let followers = self.followers(state);
            if followers.is_empty() {
                for role in 0..roles {
                    match reasoner.goal(&self.states[state], role) {
                        Ok(goal) => goals[state * roles + role] = f64::from(goal),
                        Err(ReasonerError::Goal { .. }) => single[role] = false,
                        Err(trouble) => return Err(trouble),
                    }
                }
                continue;
            }
            let share = 1.0 / followers.len() as f64;
            let mut sum = (1.0, u32::MAX, 0, 0.0);
            for &follower in followers {
                let follower = follower as usize;
                for role in 0..roles {
                    goals[state * roles + role] += share * goals[follower * roles + role];
                }
                let (steps, shortest, longest, matches) = rest[follower];
                sum.0 += share * steps;
                sum.1 = sum.1.min(shortest + 1);
                sum.2 = sum.2.max(longest + 1);
                sum.3 += matches;
            }
            rest[state] = sum;
        }
        let (steps, shortest, longest, matches) = rest[0];
        let goals = (0..roles).map(|role| single[role].then_some(goals[role])).collect();
        Ok(Some(RandomPlay { goals, steps, shortest, longest, matches }))
    }
}
