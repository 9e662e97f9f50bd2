//! The second reasoner: a sheet grounded and compiled into a network of gates.
//!
//! Grounding finds everything that could ever hold and every instance of a rule about it. The instances become gates
//! over the bits of fluents and moves, without what is constant. Single games are evaluated gate by gate or, where
//! few things change per step, by following the changes ([`Evaluation`]); random games also 64 at once ([`Batch`]).
//!
//! Not every sheet can be grounded: some have more facts than memory. A [`Budget`] limits the attempt, and a
//! [`Refusal`] says why it was given up; the interpreter then has to do.

mod batch;
mod compiled;
mod components;
mod constants;
mod facts;
mod gates;
mod ground;
mod lower;
mod machine;
mod network;
mod plan;
mod program;
mod simulator;
mod split;
#[cfg(test)]
mod tests;
mod wiring;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fogtree_core::Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use smallvec::SmallVec;

pub use crate::propnet::batch::Batch;
pub use crate::propnet::machine::Evaluation;
pub use crate::propnet::simulator::{End, Simulator};

use crate::diagnostic::{Diagnostic, Span};
use crate::propnet::compiled::Compiled;
use crate::propnet::machine::Machine;
use crate::propnet::network::{Answer, Network};
use crate::propnet::program::Program;
use crate::reasoner::{Ended, Percepts, Reasoner, ReasonerError};
use crate::sheet::Sheet;
use crate::simulate;
use crate::term::{TermId, Terms, TooManyTerms};

/// How much grounding may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Time.
    pub time: Duration,
    /// Facts.
    pub facts: usize,
    /// Instances of rules.
    pub instances: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { time: Duration::from_secs(10), facts: 2_000_000, instances: 4_000_000 }
    }
}

/// Why a sheet was not compiled.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// It took too long.
    #[error("grounding was given up after {0:?}")]
    Time(Duration),
    /// Too much could hold.
    #[error("grounding was given up: more than {0} facts could hold")]
    Facts(usize),
    /// Too many ways in which something could hold.
    #[error("grounding was given up: the rules have more than {0} instances")]
    Instances(usize),
    /// Terms grow without end.
    #[error("grounding was given up: {0}")]
    Terms(#[from] TooManyTerms),
    /// A rule cannot be brought into plain form.
    #[error("{}", .0.message)]
    Rules(Diagnostic),
    /// A rule has too many conditions.
    #[error("a rule has more than {} conditions", ground::MAX_CONDITIONS)]
    TooLong {
        /// The clause.
        span: Span,
    },
    /// A variable that nothing gives a value to.
    #[error("nothing gives the variable {variable} a value")]
    Unsafe {
        /// The variable.
        variable: String,
        /// The clause.
        span: Span,
    },
    /// A rule for something that rules cannot derive.
    #[error("rules cannot derive '{relation}'")]
    Misplaced {
        /// What it derives.
        relation: String,
        /// Where.
        span: Span,
    },
    /// A relation that must not depend on the state or the moves does.
    #[error("'{0}' depends on what it must not depend on")]
    Dependent(String),
    /// A relation depends on its own negation.
    #[error("'{0}' depends on its own negation")]
    Unstratified(String),
}

impl Refusal {
    /// Whether a larger budget could help.
    pub fn is_budget(&self) -> bool {
        matches!(self, Refusal::Time(_) | Refusal::Facts(_) | Refusal::Instances(_) | Refusal::Terms(_))
    }
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Refusal {
        Refusal::Rules(diagnostic)
    }
}

/// What has become of a sheet.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Size {
    /// Facts that could hold or are asked for.
    pub facts: usize,
    /// Instances of rules.
    pub instances: usize,
    /// Fluents that change.
    pub fluents: usize,
    /// Moves, of all roles.
    pub moves: usize,
    /// Gates for legal moves and the end, for the next state, for percepts and for goals.
    pub gates: [usize; 4],
    /// Whether fluents and moves were confined to the declared ones.
    pub confined: bool,
    /// Whether some facts depend on themselves.
    pub circular: bool,
    /// Seconds for grounding.
    pub grounding: f64,
    /// Seconds for everything.
    pub total: f64,
}

/// A position: the bits of fluents, and, derived from them, whether the match is over and what is legal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    words: SmallVec<[u64; 8]>,
}

/// A reasoner that has compiled its sheet.
#[derive(Debug)]
pub struct Propnet {
    terms: Arc<Terms>,
    compiled: Compiled,
    evaluation: Evaluation,
    initial: State,
    fluent_numbers: FxHashMap<TermId, u32>,
    move_nodes: Vec<FxHashMap<TermId, u32>>,
    size: Size,
    open: bool,
    /// Machines that nobody uses at the moment.
    machines: Mutex<Vec<Machine>>,
}

impl Propnet {
    /// Compiles a sheet, with a table of terms of its own.
    pub fn new(sheet: &Sheet, budget: &Budget) -> Result<Propnet, Refusal> {
        Propnet::with_terms(sheet, Arc::new(Terms::new(sheet.symbols.clone())), budget)
    }

    /// Compiles a sheet. The table of terms, over the words of this sheet, may be that of another reasoner.
    pub fn with_terms(sheet: &Sheet, terms: Arc<Terms>, budget: &Budget) -> Result<Propnet, Refusal> {
        let began = Instant::now();
        let ground = ground::ground(sheet, &terms, budget)?;
        let grounding = began.elapsed();
        let mut network = Network::new(&ground, &terms)?;
        lower::lower(&mut network);
        let mut size = Size {
            facts: ground.facts.len(),
            instances: ground.instances.len(),
            fluents: network.fluents.len(),
            moves: network.moves.iter().map(Vec::len).sum(),
            gates: [0; 4],
            confined: ground.confined,
            circular: false,
            grounding: grounding.as_secs_f64(),
            total: 0.0,
        };
        drop(ground);
        let compiled = Compiled::new(network, &terms)
            .ok_or_else(|| Refusal::Dependent("legal, goal or terminal".into()))?;
        let Compiled { network, layout, settle, step, perceive, score, .. } = &compiled;
        size.gates = [settle.len(), step.len(), perceive.len(), score.len()];
        size.circular = compiled.is_circular();
        let evaluation = simulator::faster(&compiled);
        let machine = Machine::new(&compiled, evaluation);
        let initial = State { words: machine.words()[..layout.words()].into() };
        let numbers = |terms: &[TermId], first: usize| terms.iter().copied().zip(first as u32..).collect();
        size.total = began.elapsed().as_secs_f64();
        Ok(Propnet {
            fluent_numbers: numbers(&network.fluents, 0),
            move_nodes: network.moves.iter().zip(&layout.first_moves).map(|(m, &f)| numbers(m, f)).collect(),
            terms,
            evaluation,
            initial,
            size,
            open: sheet.is_open(),
            machines: Mutex::new(vec![machine]),
            compiled,
        })
    }

    /// The table of terms, for another reasoner of the same sheet.
    pub fn shared_terms(&self) -> Arc<Terms> {
        self.terms.clone()
    }

    /// What has become of the sheet.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How single games are evaluated, which was found out by trying.
    pub fn evaluation(&self) -> Evaluation {
        self.evaluation
    }

    /// Evaluates single games this way from now on, if the network allows it.
    pub fn set_evaluation(&mut self, evaluation: Evaluation) {
        let allowed = evaluation == Evaluation::Forward || self.compiled.wiring.is_some();
        self.evaluation = if allowed { evaluation } else { Evaluation::Forward };
        self.machines = Mutex::default();
    }

    /// Random play, one game at a time.
    pub fn simulator(&self) -> Simulator<'_> {
        Simulator::new(&self.compiled, self.evaluation)
    }

    /// Random play, 64 games at a time.
    pub fn batch(&self) -> Batch<'_> {
        Batch::new(&self.compiled)
    }

    fn with_machine<T>(&self, f: impl FnOnce(&mut Machine) -> T) -> T {
        let free = || self.machines.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = free().pop();
        let mut machine = machine.unwrap_or_else(|| Machine::new(&self.compiled, self.evaluation));
        let answer = f(&mut machine);
        free().push(machine);
        answer
    }

    fn state_of(&self, machine: &Machine) -> State {
        State { words: machine.words()[..self.compiled.layout.words()].into() }
    }

    fn unknown(&self, term: TermId) -> ReasonerError {
        ReasonerError::Unknown(self.terms.show(term).to_string())
    }

    fn nodes(&self, moves: &[TermId]) -> Result<SmallVec<[u32; 4]>, ReasonerError> {
        if moves.len() != self.move_nodes.len() {
            return Err(ReasonerError::JointMove { roles: self.move_nodes.len(), moves: moves.len() });
        }
        let node = |(known, &m): (&FxHashMap<TermId, u32>, &TermId)| {
            known.get(&m).copied().ok_or_else(|| self.unknown(m))
        };
        self.move_nodes.iter().zip(moves).map(node).collect()
    }
}

/// The answers that hold.
fn answers(machine: &mut Machine, program: &Program, all: &[Answer], out: &mut Vec<TermId>) {
    machine.answer(program);
    out.extend(all.iter().filter(|&&(_, wire)| machine.holds(wire)).map(|a| a.0));
}

/// The places of the bits that are set.
fn bits(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then_some(word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(64 * at + bit)
        })
    })
}

impl Reasoner for Propnet {
    type State = State;

    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn roles(&self) -> &[TermId] {
        &self.compiled.network.roles
    }

    fn is_open(&self) -> bool {
        self.open
    }

    fn initial(&self) -> Result<State, ReasonerError> {
        Ok(self.initial.clone())
    }

    fn terminal(&self, state: &State) -> Result<bool, ReasonerError> {
        Ok(self.compiled.layout.is_terminal(&state.words))
    }

    fn legal(&self, state: &State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        let legal = &self.compiled.layout.legal;
        let moves = &self.compiled.network.moves[role];
        out.clear();
        out.extend(bits(&state.words[legal[role]..legal[role + 1]]).map(|at| moves[at]));
        Ok(())
    }

    fn next(&self, state: &State, moves: &[TermId]) -> Result<State, ReasonerError> {
        let nodes = self.nodes(moves)?;
        Ok(self.with_machine(|machine| {
            machine.go(&self.compiled, &state.words);
            machine.make(&self.compiled, &nodes);
            machine.advance(&self.compiled);
            self.state_of(machine)
        }))
    }

    fn percepts(
        &self,
        state: &State,
        moves: &[TermId],
        role: usize,
        out: &mut Vec<TermId>,
    ) -> Result<(), ReasonerError> {
        let nodes = self.nodes(moves)?;
        out.clear();
        self.with_machine(|machine| {
            machine.go(&self.compiled, &state.words);
            machine.make(&self.compiled, &nodes);
            answers(machine, &self.compiled.perceive, &self.compiled.network.sees[role], out);
        });
        Ok(())
    }

    fn step(&self, state: &State, moves: &[TermId], percepts: &mut Percepts) -> Result<State, ReasonerError> {
        let nodes = self.nodes(moves)?;
        percepts.clear();
        Ok(self.with_machine(|machine| {
            machine.go(&self.compiled, &state.words);
            machine.make(&self.compiled, &nodes);
            machine.answer(&self.compiled.perceive);
            for sees in &self.compiled.network.sees {
                percepts.push(sees.iter().filter(|&&(_, wire)| machine.holds(wire)).map(|s| s.0));
            }
            machine.advance(&self.compiled);
            self.state_of(machine)
        }))
    }

    fn play_out(&self, from: &State, most: u32, rng: &mut Rng) -> Result<Ended<State>, ReasonerError> {
        Ok(self.with_machine(|machine| {
            let (steps, end) = simulator::play_out(&self.compiled, machine, from, most as usize, rng);
            let end = match end {
                End::Over => simulate::End::Terminal,
                End::TooLong => simulate::End::TooLong,
                End::Stuck => {
                    let (legal, words) = (&self.compiled.layout.legal, machine.words());
                    let stuck = legal.windows(2).position(|w| words[w[0]..w[1]].iter().all(|&w| w == 0));
                    simulate::End::Stuck { role: stuck.unwrap_or(0) }
                }
            };
            Ended { state: self.state_of(machine), steps: steps as u32, end }
        }))
    }

    fn known_moves(&self, role: usize) -> Option<&[TermId]> {
        Some(&self.compiled.network.moves[role])
    }

    fn goals(&self, state: &State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        out.clear();
        self.with_machine(|machine| {
            machine.go(&self.compiled, &state.words);
            answers(machine, &self.compiled.score, &self.compiled.network.goals[role], out);
        });
        Ok(())
    }

    fn fluents(&self, state: &State, out: &mut Vec<TermId>) {
        let Network { fluents, always, .. } = &self.compiled.network;
        out.clear();
        out.extend(bits(&state.words[..self.compiled.layout.fluent_words]).filter_map(|at| fluents.get(at)));
        if !always.is_empty() {
            out.extend(always);
            self.terms.sort(out);
        }
    }

    fn state(&self, fluents: &[TermId]) -> Result<State, ReasonerError> {
        let mut words = vec![0; self.compiled.layout.fluent_words];
        let mut always: FxHashSet<TermId> = self.compiled.network.always.iter().copied().collect();
        for &fluent in fluents {
            match self.fluent_numbers.get(&fluent) {
                Some(&at) => words[at as usize / 64] |= 1 << (at % 64),
                None if always.remove(&fluent) || self.compiled.network.always.contains(&fluent) => {}
                None => return Err(self.unknown(fluent)),
            }
        }
        if let Some(&missing) = always.iter().next() {
            return Err(ReasonerError::Unknown(format!("a state without {}", self.terms.show(missing))));
        }
        Ok(self.with_machine(|machine| {
            machine.go(&self.compiled, &words);
            self.state_of(machine)
        }))
    }
}
