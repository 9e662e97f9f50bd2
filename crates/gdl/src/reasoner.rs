//! What every reasoner answers, whether it interprets the rules or has compiled them.
//!
//! All entailment is in the stratified model of the rules, the fluents of the state and, where asked for, the joint
//! move. Percepts are as much a part of a step as its next state: they are derived from the state before the step
//! and the joint move.

use std::fmt::Debug;
use std::hash::Hash;
use std::time::Instant;

use fogtree_core::Rng;

use crate::simulate::End;
use crate::term::{TermId, Terms, TooManyTerms};

/// How much work one question may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Facts looked at.
    pub steps: u64,
    /// Facts derived and kept at one time.
    pub atoms: usize,
    /// When to give up.
    pub until: Option<Instant>,
}

impl Limits {
    /// Whether it is time to give up.
    pub fn are_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1_000_000_000, atoms: 10_000_000, until: None }
    }
}

/// Why a reasoner has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReasonerError {
    /// Too many facts looked at.
    #[error("gave up after {0} steps of reasoning; the rules may never come to an end")]
    Steps(u64),
    /// Too many facts derived.
    #[error("gave up after deriving {0} facts; the rules may derive infinitely many")]
    Atoms(usize),
    /// It took too long.
    #[error("gave up, because the time was up")]
    Late,
    /// Terms grow without end.
    #[error(transparent)]
    Terms(#[from] TooManyTerms),
    /// A fluent, move or goal that a reasoner which knows all of them beforehand does not know.
    #[error("'{0}' never occurs in this game")]
    Unknown(String),
    /// A joint move that does not have one move per role.
    #[error("a joint move has one move for each of the {roles} roles, not {moves}")]
    JointMove {
        /// How many roles there are.
        roles: usize,
        /// How many moves were given.
        moves: usize,
    },
    /// A role without exactly one whole goal value from 0 to 100.
    #[error("role {role} has {}, not one whole number from 0 to 100", if .values.is_empty() { "no goal value".to_string() } else { format!("the goal values {}", .values.join(", ")) })]
    Goal {
        /// The role.
        role: String,
        /// Its goal values as written.
        values: Vec<String>,
    },
}

/// What every role perceives of one joint move. Cleared and filled again, it allocates nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Percepts {
    terms: Vec<TermId>,
    /// Where the percepts of each role end.
    ends: Vec<usize>,
}

impl Percepts {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    /// Adds the next role's percepts.
    pub fn push(&mut self, percepts: impl IntoIterator<Item = TermId>) {
        self.terms.extend(percepts);
        self.ends.push(self.terms.len());
    }

    /// What a role perceives.
    pub fn of(&self, role: usize) -> &[TermId] {
        let start = role.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[start..self.ends[role]]
    }
}

/// Where a match of random players ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended<S> {
    /// The last state.
    pub state: S,
    /// The joint moves made.
    pub steps: u32,
    /// How it ended.
    pub end: End,
}

impl<S> Ended<S> {
    /// The same with another kind of state.
    pub fn map<T>(self, f: impl FnOnce(S) -> T) -> Ended<T> {
        Ended { state: f(self.state), steps: self.steps, end: self.end }
    }
}

/// Answers questions about one rule sheet. Roles are numbered from 0 in the order in which the sheet names them;
/// a joint move has one move per role in that order, `random` included.
///
/// What is appended to `out` is in the order of [`Terms::compare`], without repetitions; `out` is cleared first.
pub trait Reasoner: Send + Sync {
    /// A position. Equal states have the same fluents.
    type State: Clone + Eq + Hash + Debug + Send + Sync;

    /// The table of the terms it speaks of.
    fn terms(&self) -> &Terms;

    /// The roles.
    fn roles(&self) -> &[TermId];

    /// The state in which a match begins.
    fn initial(&self) -> Result<Self::State, ReasonerError>;

    /// Whether the match is over.
    fn terminal(&self, state: &Self::State) -> Result<bool, ReasonerError>;

    /// The legal moves of a role. In a terminal state, whatever the rules derive.
    fn legal(&self, state: &Self::State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError>;

    /// The state after a joint move. Whether the moves are legal is not checked.
    fn next(&self, state: &Self::State, moves: &[TermId]) -> Result<Self::State, ReasonerError>;

    /// What a role perceives when a joint move is made in a state.
    fn percepts(
        &self,
        state: &Self::State,
        moves: &[TermId],
        role: usize,
        out: &mut Vec<TermId>,
    ) -> Result<(), ReasonerError>;

    /// The state after a joint move, and what every role perceives of that move.
    fn step(
        &self,
        state: &Self::State,
        moves: &[TermId],
        percepts: &mut Percepts,
    ) -> Result<Self::State, ReasonerError> {
        let mut of_role = Vec::new();
        percepts.clear();
        for role in 0..self.roles().len() {
            self.percepts(state, moves, role, &mut of_role)?;
            percepts.push(of_role.drain(..));
        }
        self.next(state, moves)
    }

    /// Plays at random from a state to the end, or for at most so many joint moves. Roles draw in their order, those
    /// with a single legal move not at all, and the numbers count legal moves in the order of [`Terms::compare`]: the
    /// same generator gives the same match with every reasoner.
    fn play_out(
        &self,
        from: &Self::State,
        most: u32,
        rng: &mut Rng,
    ) -> Result<Ended<Self::State>, ReasonerError> {
        let (mut state, mut legal, mut joint) = (from.clone(), Vec::new(), Vec::new());
        let mut steps = 0;
        let end = 'played: loop {
            if self.terminal(&state)? {
                break End::Terminal;
            }
            if steps == most {
                break End::TooLong;
            }
            joint.clear();
            for role in 0..self.roles().len() {
                self.legal(&state, role, &mut legal)?;
                joint.push(match legal[..] {
                    [] => break 'played End::Stuck { role },
                    [only] => only,
                    _ => *rng.pick(&legal),
                });
            }
            state = self.next(&state, &joint)?;
            steps += 1;
        };
        Ok(Ended { state, steps, end })
    }

    /// All moves that a role could ever make, if the reasoner knows them beforehand.
    fn known_moves(&self, _role: usize) -> Option<&[TermId]> {
        None
    }

    /// Every goal value that the rules derive for a role. A good sheet has one in a terminal state.
    fn goals(&self, state: &Self::State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError>;

    /// The fluents of a state, in canonical order.
    fn fluents(&self, state: &Self::State, out: &mut Vec<TermId>);

    /// The state with these fluents, in any order.
    fn state(&self, fluents: &[TermId]) -> Result<Self::State, ReasonerError>;

    /// The goal value of a role, if there is exactly one and it is a whole number from 0 to 100.
    fn goal(&self, state: &Self::State, role: usize) -> Result<u8, ReasonerError> {
        let mut values = Vec::new();
        self.goals(state, role, &mut values)?;
        if let [value] = values[..]
            && let Some(number @ 0..=100) = self.terms().number(value)
        {
            return Ok(number as u8);
        }
        let show = |&id: &TermId| self.terms().show(id).to_string();
        Err(ReasonerError::Goal {
            role: show(&self.roles()[role]),
            values: values.iter().map(show).collect(),
        })
    }

    /// What there is to say of how it came about, if anything.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Whether the sheet is plain GDL, in which everybody sees every move: it has neither `sees` nor `random`. See
    /// [`crate::Sheet::is_open`].
    fn is_open(&self) -> bool {
        false
    }

    /// The role that chance plays, if there is one.
    fn random_role(&self) -> Option<usize> {
        let random = crate::symbol::Symbol::RANDOM;
        self.roles().iter().position(|&r| self.terms().symbol(r) == random && self.terms().args(r).is_empty())
    }
}
