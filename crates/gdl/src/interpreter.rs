//! A reasoner that derives what it is asked, state by state.
//!
//! The rules are carried out forwards: each component of relations that depend on one another is derived as a
//! whole, after those it depends on, recursions only over what the last round has brought. Relations that depend on
//! no state are derived once. Of the others only those that an answer needs are derived, and they are kept as long
//! as the questions are about the same state and joint move. Every rule has a plan: an order of its conditions, the
//! most selective first, and an index for each.

mod build;
mod mind;
mod plan;
mod relation;

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHasher};

use crate::diagnostic::Diagnostic;
use crate::normal;
use crate::reasoner::{Limits, Reasoner, ReasonerError};
use crate::sheet::Sheet;
use crate::symbol::Symbol;
use crate::term::{TermId, Terms};
use mind::{Component, Rows, Work};
use plan::NoPlan;
use relation::Relation;

/// Why there is no reasoner for a sheet.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSheet {
    /// Rules that have no meaning.
    #[error("{}", .0.first().map_or("", |d| &d.message))]
    Wrong(Vec<Diagnostic>),
    /// What depends on no state cannot be derived.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}

impl From<NoPlan> for BadSheet {
    fn from(no: NoPlan) -> BadSheet {
        match no {
            NoPlan::Unsafe(diagnostic) => BadSheet::Wrong(vec![diagnostic]),
            NoPlan::Terms(e) => BadSheet::Reasoner(e.into()),
        }
    }
}

/// What is asked of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Terminal,
    Legal,
    Goal,
    Next,
    Sees,
}

const QUESTIONS: [(Question, Symbol, usize); 5] = [
    (Question::Terminal, Symbol::TERMINAL, 0),
    (Question::Legal, Symbol::LEGAL, 2),
    (Question::Goal, Symbol::GOAL, 2),
    (Question::Next, Symbol::NEXT, 1),
    (Question::Sees, Symbol::SEES, 2),
];

/// What a relation depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Fixed,
    State,
    Move,
}

/// Answers questions by deriving the answers.
#[derive(Debug)]
pub struct Interpreter {
    terms: Arc<Terms>,
    limits: Limits,
    open: bool,
    roles: Vec<TermId>,
    initial: State,
    fixed: Vec<Option<Relation>>,
    components: Vec<(Level, Component)>,
    /// For each question, the components it needs, in order.
    needed: [Vec<usize>; QUESTIONS.len()],
    /// For each question, the relation that has the answer.
    answers: [Option<usize>; QUESTIONS.len()],
    /// Where fluents go: by function and number of arguments.
    fluents: FxHashMap<(Symbol, usize), usize>,
    all_fluents: Option<usize>,
    does: Option<usize>,
    /// The relations of a working memory before anything is derived.
    blank: Vec<Relation>,
    minds: Mutex<Vec<Mind>>,
}

/// A position: its fluents. What has been derived of it is kept with it.
#[derive(Clone)]
pub struct State(Arc<Kept>);

struct Kept {
    fluents: Box<[TermId]>,
    hash: u64,
    terminal: OnceLock<bool>,
    legal: OnceLock<Box<[Box<[TermId]>]>>,
    goals: OnceLock<Box<[Box<[TermId]>]>>,
}

impl State {
    fn new(mut fluents: Vec<TermId>) -> State {
        fluents.sort_unstable();
        fluents.dedup();
        let mut hasher = FxHasher::default();
        fluents.hash(&mut hasher);
        State(Arc::new(Kept {
            fluents: fluents.into(),
            hash: hasher.finish(),
            terminal: OnceLock::new(),
            legal: OnceLock::new(),
            goals: OnceLock::new(),
        }))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.hash == other.0.hash && self.0.fluents == other.0.fluents)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("State").field(&self.0.fluents).finish()
    }
}

/// A working memory with the state and joint move that it is about.
#[derive(Debug)]
struct Mind {
    state: Option<State>,
    moves: Option<Vec<TermId>>,
    derived: Vec<bool>,
    relations: Vec<Relation>,
    work: Work,
    /// The last legal moves of each role, as they were derived and in order: often they are the same again.
    ordered: Vec<(Vec<TermId>, Vec<TermId>)>,
}

impl Interpreter {
    /// The reasoner of a sheet, with a table of terms of its own.
    pub fn new(sheet: &Sheet, limits: Limits) -> Result<Interpreter, BadSheet> {
        Interpreter::with_terms(sheet, Arc::new(Terms::new(sheet.symbols.clone())), limits)
    }

    /// The reasoner of a sheet, with a table of terms that others use, too.
    pub fn with_terms(sheet: &Sheet, terms: Arc<Terms>, limits: Limits) -> Result<Interpreter, BadSheet> {
        let rules = normal::rules(sheet).map_err(|d| BadSheet::Wrong(vec![d]))?;
        let mut first = Interpreter::planned(sheet, &rules, &terms, limits, None)?;
        // Plans made with sizes seen in play are often much better than those made with guesses.
        first.limits =
            Limits { steps: limits.steps.min(1_000_000), atoms: limits.atoms.min(100_000), ..limits };
        if let Ok(Some(sizes)) = first.sizes() {
            return Interpreter::planned(sheet, &rules, &terms, limits, Some(sizes));
        }
        first.limits = limits;
        Ok(first)
    }

    /// Answers from now on however late it is.
    pub fn take_time(&mut self) {
        self.limits.until = None;
    }

    /// The table of terms, to be shared with another reasoner.
    pub fn shared_terms(&self) -> Arc<Terms> {
        self.terms.clone()
    }

    fn with_mind<T>(
        &self,
        f: impl FnOnce(&mut Mind) -> Result<T, ReasonerError>,
    ) -> Result<T, ReasonerError> {
        let kept = self.minds.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut mind = kept.unwrap_or_else(|| Mind {
            state: None,
            moves: None,
            derived: vec![false; self.components.len()],
            relations: self.blank.clone(),
            work: Work::default(),
            ordered: vec![Default::default(); self.roles.len()],
        });
        (mind.work.steps, mind.work.atoms) = (0, 0);
        let answer = f(&mut mind);
        // After trouble a component may be half derived; such a memory is not used again.
        if answer.is_ok() {
            self.minds.lock().unwrap_or_else(PoisonError::into_inner).push(mind);
        }
        answer
    }

    /// Turns a working memory to a state and, where moves are given, to them.
    fn turn(&self, mind: &mut Mind, state: &State, moves: Option<&[TermId]>) {
        let same_state = mind.state.as_ref() == Some(state);
        if !same_state {
            for &relation in self.fluents.values().chain(&self.all_fluents) {
                mind.relations[relation].clear();
            }
            let mut row = Vec::new();
            for &fluent in &state.0.fluents {
                if let Some(all) = self.all_fluents {
                    mind.relations[all].insert(&[fluent.0]);
                }
                let args = self.terms.args(fluent);
                if let Some(&relation) = self.fluents.get(&(self.terms.symbol(fluent), args.len())) {
                    row.clear();
                    row.extend(args.iter().map(|a| a.0));
                    mind.relations[relation].insert(&row);
                }
            }
            mind.state = Some(state.clone());
        }
        let same_moves = same_state && (moves.is_none() || mind.moves.as_deref() == moves);
        if same_moves {
            return;
        }
        if let (Some(does), Some(moves)) = (self.does, moves) {
            mind.relations[does].clear();
            for (role, action) in self.roles.iter().zip(moves) {
                mind.relations[does].insert(&[role.0, action.0]);
            }
        }
        mind.moves = moves.map(<[TermId]>::to_vec);
        for (at, (level, component)) in self.components.iter().enumerate() {
            if mind.derived[at] && (!same_state || *level == Level::Move) {
                component.relations.iter().for_each(|&r| mind.relations[r].clear());
                mind.derived[at] = false;
            }
        }
    }

    /// Derives what a question needs.
    fn derive(&self, mind: &mut Mind, question: Question) -> Result<(), ReasonerError> {
        let mut rows = Rows { fixed: &self.fixed, changing: &mut mind.relations };
        for &component in &self.needed[question as usize] {
            if !mind.derived[component] {
                mind.work.derive(&self.components[component].1, &self.terms, &mut rows, &self.limits)?;
                mind.derived[component] = true;
            }
        }
        Ok(())
    }

    /// The rows that answer a question; what it needs must have been derived.
    fn answer<'a>(&'a self, mind: &'a Mind, question: Question) -> impl Iterator<Item = &'a [u32]> {
        let relation = self.answers[question as usize];
        let rows = relation.map(|r| self.fixed[r].as_ref().unwrap_or(&mind.relations[r]));
        rows.into_iter().flat_map(|rows| (0..rows.len() as u32).map(|row| rows.row(row)))
    }

    /// The answers to a question about the state, by role.
    fn by_role(&self, state: &State, question: Question) -> Result<Box<[Box<[TermId]>]>, ReasonerError> {
        self.with_mind(|mind| {
            self.turn(mind, state, None);
            self.derive(mind, question)?;
            Ok((0..self.roles.len()).map(|role| self.of_role(mind, question, role).into()).collect())
        })
    }

    fn of_role(&self, mind: &mut Mind, question: Question, role: usize) -> Vec<TermId> {
        let mut found: Vec<TermId> = self
            .answer(mind, question)
            .filter(|row| row[0] == self.roles[role].0)
            .map(|row| TermId(row[1]))
            .collect();
        if question != Question::Legal {
            self.terms.sort(&mut found);
            return found;
        }
        let (derived, ordered) = &mut mind.ordered[role];
        if *derived != found {
            derived.clone_from(&found);
            self.terms.sort(&mut found);
            *ordered = found;
        }
        ordered.clone()
    }

    fn check(&self, moves: &[TermId]) -> Result<(), ReasonerError> {
        if moves.len() == self.roles.len() {
            return Ok(());
        }
        Err(ReasonerError::JointMove { roles: self.roles.len(), moves: moves.len() })
    }
}

impl Reasoner for Interpreter {
    type State = State;

    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn roles(&self) -> &[TermId] {
        &self.roles
    }

    fn initial(&self) -> Result<State, ReasonerError> {
        Ok(self.initial.clone())
    }

    fn terminal(&self, state: &State) -> Result<bool, ReasonerError> {
        if let Some(&terminal) = state.0.terminal.get() {
            return Ok(terminal);
        }
        let terminal = self.with_mind(|mind| {
            self.turn(mind, state, None);
            self.derive(mind, Question::Terminal)?;
            Ok(self.answer(mind, Question::Terminal).next().is_some())
        })?;
        Ok(*state.0.terminal.get_or_init(|| terminal))
    }

    fn legal(&self, state: &State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        out.clear();
        let legal = match state.0.legal.get() {
            Some(legal) => legal,
            None => {
                let legal = self.by_role(state, Question::Legal)?;
                state.0.legal.get_or_init(|| legal)
            }
        };
        out.extend_from_slice(&legal[role]);
        Ok(())
    }

    fn next(&self, state: &State, moves: &[TermId]) -> Result<State, ReasonerError> {
        self.check(moves)?;
        self.with_mind(|mind| {
            self.turn(mind, state, Some(moves));
            self.derive(mind, Question::Next)?;
            Ok(State::new(self.answer(mind, Question::Next).map(|row| TermId(row[0])).collect()))
        })
    }

    fn percepts(
        &self,
        state: &State,
        moves: &[TermId],
        role: usize,
        out: &mut Vec<TermId>,
    ) -> Result<(), ReasonerError> {
        self.check(moves)?;
        *out = self.with_mind(|mind| {
            self.turn(mind, state, Some(moves));
            self.derive(mind, Question::Sees)?;
            Ok(self.of_role(mind, Question::Sees, role))
        })?;
        Ok(())
    }

    fn goals(&self, state: &State, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        out.clear();
        let goals = match state.0.goals.get() {
            Some(goals) => goals,
            None => {
                let goals = self.by_role(state, Question::Goal)?;
                state.0.goals.get_or_init(|| goals)
            }
        };
        out.extend_from_slice(&goals[role]);
        Ok(())
    }

    fn fluents(&self, state: &State, out: &mut Vec<TermId>) {
        out.clear();
        out.extend_from_slice(&state.0.fluents);
        self.terms.sort(out);
    }

    fn state(&self, fluents: &[TermId]) -> Result<State, ReasonerError> {
        Ok(State::new(fluents.to_vec()))
    }

    fn is_open(&self) -> bool {
        self.open
    }
}
