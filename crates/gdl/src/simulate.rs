//! Random play by the rules of a sheet: what it is like, and how fast a reasoner is at it.

use std::time::{Duration, Instant};

use fogtree_core::Rng;

use crate::reasoner::{Reasoner, ReasonerError};
use crate::term::TermId;

/// A match between random players.
#[derive(Clone, PartialEq, Debug)]
pub struct Playout<S> {
    /// The joint moves.
    pub moves: Vec<Vec<TermId>>,
    /// The state in which it ended.
    pub last: S,
    /// How it ended.
    pub end: End,
}

/// How a match of random players ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// In a terminal state.
    Terminal,
    /// In a state that is not terminal and in which a role has no legal move.
    Stuck {
        /// The role.
        role: usize,
    },
    /// After as many steps as were allowed.
    TooLong,
}

/// Plays a match in which every role moves at random.
pub fn playout<R: Reasoner>(
    reasoner: &R,
    rng: &mut Rng,
    most_steps: usize,
) -> Result<Playout<R::State>, ReasonerError> {
    let (mut state, mut moves) = (reasoner.initial()?, Vec::new());
    let mut legal = Vec::new();
    loop {
        if reasoner.terminal(&state)? {
            return Ok(Playout { moves, last: state, end: End::Terminal });
        }
        if moves.len() >= most_steps {
            return Ok(Playout { moves, last: state, end: End::TooLong });
        }
        let mut joint = Vec::with_capacity(reasoner.roles().len());
        for role in 0..reasoner.roles().len() {
            reasoner.legal(&state, role, &mut legal)?;
            if legal.is_empty() {
                return Ok(Playout { moves, last: state, end: End::Stuck { role } });
            }
            joint.push(legal[rng.below(legal.len() as u32) as usize]);
        }
        state = reasoner.next(&state, &joint)?;
        moves.push(joint);
    }
}

/// How fast a reasoner plays at random: legal moves of all roles, next states, tests for the end, goals at the end.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Speed {
    /// How long it played.
    pub milliseconds: u64,
    /// Steps made.
    pub state_changes: u64,
    /// Matches begun.
    pub rollouts: u64,
}

impl Speed {
    /// Steps made in a second.
    pub fn per_second(&self) -> f64 {
        self.state_changes as f64 * 1000.0 / self.milliseconds.max(1) as f64
    }
}

/// Plays at random for some time.
pub fn speed<R: Reasoner>(reasoner: &R, rng: &mut Rng, time: Duration) -> Result<Speed, ReasonerError> {
    let start = Instant::now();
    let mut speed = Speed { milliseconds: 0, state_changes: 0, rollouts: 0 };
    let mut values = Vec::new();
    while start.elapsed() < time {
        let played = playout(reasoner, rng, 1000)?;
        for role in 0..reasoner.roles().len() {
            reasoner.goals(&played.last, role, &mut values)?;
        }
        speed.rollouts += 1;
        speed.state_changes += played.moves.len() as u64;
    }
    speed.milliseconds = start.elapsed().as_millis() as u64;
    Ok(speed)
}
