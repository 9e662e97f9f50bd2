//! The reasoner a sheet gets: compiled if that is possible within bounds, and interpreted otherwise.
//!
//! Both answer alike, so whatever is played or searched is the same; compiled sheets are faster by far, but some have
//! more facts than memory. It is one type, so that games and searches are built once for rule sheets, not twice.

use fogtree_core::Rng;

use crate::interpreter::{self, BadSheet, Interpreter};
use crate::propnet::{self, Propnet, Refusal};
use crate::reasoner::{Ended, Limits, Percepts, Reasoner, ReasonerError};
use crate::sheet::Sheet;
use crate::term::{TermId, Terms};

/// Which reasoner is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Choice {
    /// The compiled one if the sheet can be compiled within its budget.
    #[default]
    Auto,
    /// The compiled one.
    Propnet,
    /// The interpreter.
    Interpreter,
}

impl Choice {
    /// All choices with their names.
    pub const ALL: [(&'static str, Choice); 3] =
        [("auto", Choice::Auto), ("propnet", Choice::Propnet), ("interpreter", Choice::Interpreter)];
}

/// A compiled or an interpreted sheet.
#[derive(Debug)]
pub enum AnyReasoner {
    /// The sheet could be compiled.
    Compiled(Box<Propnet>),
    /// The sheet is interpreted.
    Interpreted {
        /// The reasoner.
        interpreter: Box<Interpreter>,
        /// Why it was not compiled; `None` if nobody asked for that.
        refusal: Option<Refusal>,
    },
}

/// A state of whichever reasoner it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// Of a compiled sheet.
    Compiled(propnet::State),
    /// Of an interpreted sheet.
    Interpreted(interpreter::State),
}

/// Why there is no reasoner as wanted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoReasoner {
    /// The sheet cannot be compiled, which was insisted on.
    #[error("the sheet cannot be compiled: {0}")]
    Refused(#[from] Refusal),
    /// The rules have no meaning.
    #[error(transparent)]
    Rules(#[from] BadSheet),
}

impl AnyReasoner {
    /// The reasoner for a sheet.
    pub fn new(
        sheet: &Sheet,
        choice: Choice,
        budget: &propnet::Budget,
        limits: Limits,
    ) -> Result<AnyReasoner, NoReasoner> {
        let refusal = match choice {
            Choice::Interpreter => None,
            _ => match Propnet::new(sheet, budget) {
                Ok(net) => return Ok(AnyReasoner::Compiled(Box::new(net))),
                Err(refusal) if choice == Choice::Propnet => return Err(refusal.into()),
                Err(refusal) => Some(refusal),
            },
        };
        Ok(AnyReasoner::Interpreted { interpreter: Box::new(Interpreter::new(sheet, limits)?), refusal })
    }

    /// Answers from now on however late it is.
    pub fn take_time(&mut self) {
        if let AnyReasoner::Interpreted { interpreter, .. } = self {
            interpreter.take_time();
        }
    }

    /// Which reasoner it is, and why.
    pub fn why(&self) -> String {
        match self {
            AnyReasoner::Compiled(net) => {
                let size = net.size();
                let gates: usize = size.gates.iter().sum();
                format!(
                    "compiled in {:.1} s: {} fluents, {} moves, {gates} gates",
                    size.total, size.fluents, size.moves
                )
            }
            AnyReasoner::Interpreted { refusal: Some(refusal), .. } => {
                format!("interpreted, because {refusal}")
            }
            AnyReasoner::Interpreted { refusal: None, .. } => "interpreted, as asked for".to_string(),
        }
    }

    fn foreign<T>(&self) -> Result<T, ReasonerError> {
        Err(ReasonerError::Unknown("a state of another reasoner".to_string()))
    }
}

/// Asks whichever reasoner it is about a state of its own.
macro_rules! ask {
    ($chosen:expr, $state:expr, |$reasoner:ident, $of:ident| $question:expr) => {
        match ($chosen, $state) {
            (AnyReasoner::Compiled($reasoner), State::Compiled($of)) => $question,
            (AnyReasoner::Interpreted { interpreter: $reasoner, .. }, State::Interpreted($of)) => $question,
            _ => $chosen.foreign(),
        }
    };
}

impl Reasoner for AnyReasoner {
    type State = State;

    fn terms(&self) -> &Terms {
        match self {
            AnyReasoner::Compiled(net) => net.terms(),
            AnyReasoner::Interpreted { interpreter, .. } => interpreter.terms(),
        }
    }

    fn roles(&self) -> &[TermId] {
        match self {
            AnyReasoner::Compiled(net) => net.roles(),
            AnyReasoner::Interpreted { interpreter, .. } => interpreter.roles(),
        }
    }

    fn initial(&self) -> Result<State, ReasonerError> {
        Ok(match self {
            AnyReasoner::Compiled(net) => State::Compiled(net.initial()?),
            AnyReasoner::Interpreted { interpreter, .. } => State::Interpreted(interpreter.initial()?),
        })
    }

    #[inline]
    fn terminal(&self, state: &State) -> Result<bool, ReasonerError> {
        ask!(self, state, |r, s| r.terminal(s))
    }

    #[inline]
    fn legal(&self, state: &State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        ask!(self, state, |r, s| r.legal(s, role, out))
    }

    fn next(&self, state: &State, moves: &[TermId]) -> Result<State, ReasonerError> {
        match (self, state) {
            (AnyReasoner::Compiled(net), State::Compiled(s)) => net.next(s, moves).map(State::Compiled),
            (AnyReasoner::Interpreted { interpreter, .. }, State::Interpreted(s)) => {
                interpreter.next(s, moves).map(State::Interpreted)
            }
            _ => self.foreign(),
        }
    }

    fn percepts(
        &self,
        state: &State,
        moves: &[TermId],
        role: usize,
        out: &mut Vec<TermId>,
    ) -> Result<(), ReasonerError> {
        ask!(self, state, |r, s| r.percepts(s, moves, role, out))
    }

    fn step(&self, state: &State, moves: &[TermId], percepts: &mut Percepts) -> Result<State, ReasonerError> {
        match (self, state) {
            (AnyReasoner::Compiled(net), State::Compiled(s)) => {
                net.step(s, moves, percepts).map(State::Compiled)
            }
            (AnyReasoner::Interpreted { interpreter, .. }, State::Interpreted(s)) => {
                interpreter.step(s, moves, percepts).map(State::Interpreted)
            }
            _ => self.foreign(),
        }
    }

    fn play_out(&self, from: &State, most: u32, rng: &mut Rng) -> Result<Ended<State>, ReasonerError> {
        match (self, from) {
            (AnyReasoner::Compiled(net), State::Compiled(s)) => {
                net.play_out(s, most, rng).map(|ended| ended.map(State::Compiled))
            }
            (AnyReasoner::Interpreted { interpreter, .. }, State::Interpreted(s)) => {
                interpreter.play_out(s, most, rng).map(|ended| ended.map(State::Interpreted))
            }
            _ => self.foreign(),
        }
    }

    fn known_moves(&self, role: usize) -> Option<&[TermId]> {
        match self {
            AnyReasoner::Compiled(net) => net.known_moves(role),
            AnyReasoner::Interpreted { interpreter, .. } => interpreter.known_moves(role),
        }
    }

    fn goals(&self, state: &State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        ask!(self, state, |r, s| r.goals(s, role, out))
    }

    fn goal(&self, state: &State, role: usize) -> Result<u8, ReasonerError> {
        ask!(self, state, |r, s| r.goal(s, role))
    }

    fn fluents(&self, state: &State, out: &mut Vec<TermId>) {
        out.clear();
        match (self, state) {
            (AnyReasoner::Compiled(net), State::Compiled(s)) => net.fluents(s, out),
            (AnyReasoner::Interpreted { interpreter, .. }, State::Interpreted(s)) => {
                interpreter.fluents(s, out);
            }
            _ => {}
        }
    }

    fn state(&self, fluents: &[TermId]) -> Result<State, ReasonerError> {
        Ok(match self {
            AnyReasoner::Compiled(net) => State::Compiled(net.state(fluents)?),
            AnyReasoner::Interpreted { interpreter, .. } => State::Interpreted(interpreter.state(fluents)?),
        })
    }

    fn remark(&self) -> Option<String> {
        Some(self.why())
    }

    fn is_open(&self) -> bool {
        match self {
            AnyReasoner::Compiled(net) => net.is_open(),
            AnyReasoner::Interpreted { interpreter, .. } => interpreter.is_open(),
        }
    }
}
