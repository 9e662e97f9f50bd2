//! The working memory of a derivation: what holds in one state and joint move, as far as it has been asked.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::plan::{Access, Pattern, Plan, Step, Value};
use super::relation::Relation;
use crate::reasoner::{Limits, ReasonerError};
use crate::symbol::Symbol;
use crate::term::{TermId, Terms};

/// How a group of relations that depend on one another is derived.
#[derive(Clone, Debug, Default)]
pub(super) struct Component {
    pub(super) relations: Vec<usize>,
    /// Carried out once.
    pub(super) once: Vec<Plan>,
    /// Carried out, each for the new rows of one relation, until nothing new comes.
    pub(super) again: Vec<(usize, Plan)>,
}

/// Where the rows of relations are: those that never change are shared.
pub(super) struct Rows<'a> {
    pub(super) fixed: &'a [Option<Relation>],
    pub(super) changing: &'a mut [Relation],
}

impl Rows<'_> {
    #[inline]
    pub(super) fn get(&self, relation: usize) -> &Relation {
        match self.fixed.get(relation) {
            Some(Some(fixed)) => fixed,
            _ => &self.changing[relation],
        }
    }
}

/// Where a step is among its rows.
#[derive(Clone, Copy, Debug)]
enum Cursor {
    Range(u32, u32),
    Chain(Option<u32>),
    Once(bool),
}

/// What derivations need besides the rows, kept to be used again.
#[derive(Debug, Default)]
pub(super) struct Work {
    terms: FxHashMap<SmallVec<[u32; 5]>, TermId>,
    bindings: Vec<u32>,
    cursors: Vec<Cursor>,
    key: Vec<u32>,
    pub(super) steps: u64,
    pub(super) atoms: usize,
}

/// Terms that one working memory remembers without asking the shared table.
const REMEMBERED: usize = 1 << 16;

impl Work {
    /// The term, if it has been met before or may be made now.
    fn term(
        &mut self,
        terms: &Terms,
        symbol: Symbol,
        args: &[u32],
        make: bool,
    ) -> Result<Option<TermId>, ReasonerError> {
        let mut key: SmallVec<[u32; 5]> = SmallVec::with_capacity(args.len() + 1);
        key.push(symbol.0);
        key.extend_from_slice(args);
        if let Some(&id) = self.terms.get(&key) {
            return Ok(Some(id));
        }
        let ids: SmallVec<[TermId; 8]> = args.iter().map(|&a| TermId(a)).collect();
        let id = if make { Some(terms.intern(symbol, &ids)?) } else { terms.get(symbol, &ids) };
        if let Some(id) = id {
            if self.terms.len() >= REMEMBERED {
                self.terms.clear();
            }
            self.terms.insert(key, id);
        }
        Ok(id)
    }

    /// The value under the current bindings; `None` if it is a term that nobody has met and that is not made.
    fn value(&mut self, terms: &Terms, value: &Value, make: bool) -> Result<Option<u32>, ReasonerError> {
        Ok(match value {
            Value::Known(id) => Some(id.0),
            Value::Bound(v) => Some(self.bindings[*v]),
            Value::Built(symbol, args) => {
                let mut ids: SmallVec<[u32; 8]> = SmallVec::with_capacity(args.len());
                for arg in args {
                    match self.value(terms, arg, make)? {
                        Some(id) => ids.push(id),
                        None => return Ok(None),
                    }
                }
                self.term(terms, *symbol, &ids, make)?.map(|id| id.0)
            }
        })
    }

    /// Puts the values into `key`; whether all of them exist.
    fn fill_key(&mut self, terms: &Terms, values: &[Value], make: bool) -> Result<bool, ReasonerError> {
        self.key.clear();
        for value in values {
            match self.value(terms, value, make)? {
                Some(id) => self.key.push(id),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    fn matches(&mut self, terms: &Terms, pattern: &Pattern, id: u32) -> Result<bool, ReasonerError> {
        Ok(match pattern {
            Pattern::Bind(v) => {
                self.bindings[*v] = id;
                true
            }
            Pattern::Is(Value::Known(known)) => known.0 == id,
            Pattern::Is(Value::Bound(v)) => self.bindings[*v] == id,
            Pattern::Is(value) => self.value(terms, value, false)? == Some(id),
            Pattern::Open(symbol, patterns) => {
                let id = TermId(id);
                if terms.symbol(id) != *symbol || terms.args(id).len() != patterns.len() {
                    return Ok(false);
                }
                for (pattern, arg) in patterns.iter().zip(terms.args(id)) {
                    if !self.matches(terms, pattern, arg.0)? {
                        return Ok(false);
                    }
                }
                true
            }
        })
    }

    /// Carries out a plan: adds to its relation whatever it derives. `new` is the range of new rows.
    fn carry_out(
        &mut self,
        plan: &Plan,
        new: (u32, u32),
        terms: &Terms,
        rows: &mut Rows<'_>,
        limits: &Limits,
    ) -> Result<(), ReasonerError> {
        if self.bindings.len() < plan.variables {
            self.bindings.resize(plan.variables, 0);
        }
        self.cursors.clear();
        let mut forward = true;
        loop {
            if forward {
                if self.cursors.len() == plan.steps.len() {
                    self.fill_key(terms, &plan.values, true)?;
                    if rows.changing[plan.head].insert(&self.key) {
                        self.atoms += 1;
                        if self.atoms > limits.atoms {
                            return Err(ReasonerError::Atoms(limits.atoms));
                        }
                    }
                    self.cursors.truncate(plan.decisive);
                    forward = false;
                    continue;
                }
                let cursor = self.open(&plan.steps[self.cursors.len()], new, terms, rows)?;
                self.cursors.push(cursor);
            }
            let Some(&cursor) = self.cursors.last() else { return Ok(()) };
            self.steps += 1;
            if self.steps > limits.steps {
                return Err(ReasonerError::Steps(limits.steps));
            }
            if self.steps & 0xfff == 0 && limits.are_late() {
                return Err(ReasonerError::Late);
            }
            let at = self.cursors.len() - 1;
            let step = &plan.steps[at];
            let row = match cursor {
                Cursor::Once(open) => {
                    self.cursors[at] = Cursor::Once(false);
                    forward = open;
                    if !open {
                        self.cursors.pop();
                    }
                    continue;
                }
                Cursor::Range(start, end) if start < end => {
                    self.cursors[at] = Cursor::Range(start + 1, end);
                    start
                }
                Cursor::Chain(Some(row)) => {
                    if let Step::Scan { relation, access: Access::Index(index), .. } = step {
                        self.cursors[at] = Cursor::Chain(rows.get(*relation).before(*index, row));
                    }
                    row
                }
                Cursor::Range(..) | Cursor::Chain(None) => {
                    self.cursors.pop();
                    forward = false;
                    continue;
                }
            };
            let Step::Scan { relation, columns, .. } = step else { unreachable!("only scans have rows") };
            let row = rows.get(*relation).row(row);
            forward = true;
            for (column, pattern) in columns {
                if !self.matches(terms, pattern, row[*column])? {
                    forward = false;
                    break;
                }
            }
        }
    }

    #[inline]
    fn open(
        &mut self,
        step: &Step,
        new: (u32, u32),
        terms: &Terms,
        rows: &Rows<'_>,
    ) -> Result<Cursor, ReasonerError> {
        Ok(match step {
            Step::Differ(a, b) => Cursor::Once(self.value(terms, a, true)? != self.value(terms, b, true)?),
            Step::Absent { relation, key } => {
                let exists = self.fill_key(terms, key, false)?;
                Cursor::Once(!exists || !rows.get(*relation).contains(&self.key))
            }
            Step::Scan { relation, access, key, .. } => match access {
                Access::All => Cursor::Range(0, rows.get(*relation).len() as u32),
                Access::New => Cursor::Range(new.0, new.1),
                Access::Exact => {
                    let exists = self.fill_key(terms, key, false)?;
                    Cursor::Once(exists && rows.get(*relation).contains(&self.key))
                }
                Access::Index(index) => match self.fill_key(terms, key, false)? {
                    true => Cursor::Chain(rows.get(*relation).last_with(*index, &self.key)),
                    false => Cursor::Chain(None),
                },
            },
        })
    }

    /// Derives all rows of a component; those of what it depends on must be there.
    pub(super) fn derive(
        &mut self,
        component: &Component,
        terms: &Terms,
        rows: &mut Rows<'_>,
        limits: &Limits,
    ) -> Result<(), ReasonerError> {
        for plan in &component.once {
            self.carry_out(plan, (0, 0), terms, rows, limits)?;
        }
        if component.again.is_empty() {
            return Ok(());
        }
        let mut from: SmallVec<[u32; 8]> = component.relations.iter().map(|_| 0).collect();
        loop {
            let to: SmallVec<[u32; 8]> =
                component.relations.iter().map(|&r| rows.changing[r].len() as u32).collect();
            if from == to {
                return Ok(());
            }
            for (relation, plan) in &component.again {
                let place = component.relations.iter().position(|r| r == relation).expect("one of its own");
                if from[place] < to[place] {
                    self.carry_out(plan, (from[place], to[place]), terms, rows, limits)?;
                }
            }
            from = to;
        }
    }
}
