//! Makes a reasoner: derives what depends on no state and plans the rest.

use std::sync::{Arc, Mutex};

use fogtree_core::{Purpose, Seed};
use rustc_hash::FxHashMap;

use super::mind::{Component, Rows, Work};
use super::plan::{self, NoPlan};
use super::relation::Relation;
use super::{BadSheet, Interpreter, Level, QUESTIONS, State};
use crate::check;
use crate::depend::Dependencies;
use crate::explore::moves_of;
use crate::normal::{Condition, Rule};
use crate::reasoner::{Limits, Reasoner, ReasonerError};
use crate::sheet::{Atom, Sheet};
use crate::symbol::Symbol;
use crate::term::{Term, TermId, Terms};

/// What the planner knows of the relations.
struct Builder<'a> {
    rules: &'a [Rule],
    dependencies: Dependencies,
    terms: &'a Terms,
    fixed: Vec<Option<Relation>>,
    blank: Vec<Relation>,
    fluents: FxHashMap<(Symbol, usize), usize>,
    /// About how many rows a relation that changes has.
    sizes: Vec<f64>,
    /// How many different values a column has, where that is known.
    distinct: FxHashMap<(usize, usize), f64>,
}

/// How large relations that change were in some states.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    rows: Vec<f64>,
    distinct: FxHashMap<(usize, usize), f64>,
}

impl plan::Store for Builder<'_> {
    fn columns<'a>(&self, atom: &'a Atom) -> (usize, &'a [Term]) {
        if (atom.relation, atom.args.len()) == (Symbol::TRUE, 1) {
            match &atom.args[0] {
                Term::Compound(f, args, _) => return (self.fluents[&(*f, args.len())], args),
                Term::Constant(f, _) => return (self.fluents[&(*f, 0)], &[]),
                Term::Variable(..) => {}
            }
        }
        (self.dependencies.relation(atom), &atom.args)
    }

    fn rows_left(&self, relation: usize, given: &[usize]) -> f64 {
        let rows = self.fixed[relation].as_ref().map_or(self.sizes[relation], |rows| rows.len() as f64);
        given.iter().fold(rows, |left, &column| {
            left / self.distinct.get(&(relation, column)).copied().unwrap_or(4.0).max(1.0)
        })
    }

    fn index(&mut self, relation: usize, columns: &[usize]) -> usize {
        self.fixed[relation].as_mut().unwrap_or(&mut self.blank[relation]).index(columns)
    }
}

impl Builder<'_> {
    fn new<'a>(rules: &'a [Rule], terms: &'a Terms) -> Builder<'a> {
        let dependencies = Dependencies::of(rules);
        let mut blank: Vec<Relation> = dependencies.relations.iter().map(|r| Relation::new(r.1)).collect();
        let mut fluents = FxHashMap::default();
        for rule in rules {
            for condition in &rule.body {
                let (Condition::Holds(atom) | Condition::Fails(atom)) = condition else { continue };
                let key = match (&atom.args[..], atom.relation) {
                    ([Term::Compound(f, args, _)], Symbol::TRUE) => (*f, args.len()),
                    ([Term::Constant(f, _)], Symbol::TRUE) => (*f, 0),
                    _ => continue,
                };
                fluents.entry(key).or_insert_with(|| {
                    blank.push(Relation::new(key.1));
                    blank.len() - 1
                });
            }
        }
        Builder {
            rules,
            dependencies,
            terms,
            fixed: vec![None; blank.len()],
            sizes: vec![30.0; blank.len()],
            blank,
            fluents,
            distinct: FxHashMap::default(),
        }
    }

    fn component(&mut self, number: usize) -> Result<Component, NoPlan> {
        let relations = self.dependencies.components[number].clone();
        let mut component = Component { relations, ..Component::default() };
        for relation in component.relations.clone() {
            for at in self.dependencies.rules[relation].clone() {
                let rule = &self.rules[at];
                let inner: Vec<(usize, usize)> = self
                    .dependencies
                    .uses_of(relation, at)
                    .iter()
                    .filter(|u| self.dependencies.component[u.of] == number)
                    .map(|u| (u.of, u.condition))
                    .collect();
                if inner.is_empty() {
                    component.once.push(plan::plan(rule, relation, None, self.terms, self)?);
                }
                for (of, condition) in inner {
                    component
                        .again
                        .push((of, plan::plan(rule, relation, Some(condition), self.terms, self)?));
                }
            }
        }
        Ok(component)
    }

    /// Derives a component that depends on no state.
    fn fix(&mut self, number: usize, work: &mut Work, limits: &Limits) -> Result<(), BadSheet> {
        let component = self.component(number)?;
        let mut rows = Rows { fixed: &self.fixed, changing: &mut self.blank };
        work.derive(&component, self.terms, &mut rows, limits)?;
        for relation in component.relations {
            let blank = Relation::new(self.dependencies.relations[relation].1);
            let rows = std::mem::replace(&mut self.blank[relation], blank);
            for column in 0..self.dependencies.relations[relation].1 {
                self.distinct.insert((relation, column), rows.distinct(column) as f64);
            }
            self.fixed[relation] = Some(rows);
        }
        Ok(())
    }

    fn rows(&self, name: (Symbol, usize)) -> impl Iterator<Item = &[u32]> {
        let relation = self.dependencies.get(name).and_then(|r| self.fixed[r].as_ref());
        relation.into_iter().flat_map(|r| (0..r.len() as u32).map(|row| r.row(row)))
    }
}

/// Whether a rule has a condition `(true ?f)`, which any fluent may meet.
fn asks_for_any_fluent(rule: &Rule) -> bool {
    rule.body.iter().any(|condition| match condition {
        Condition::Holds(atom) | Condition::Fails(atom) => {
            atom.relation == Symbol::TRUE && matches!(atom.args[..], [Term::Variable(..)])
        }
        Condition::Differ(..) => false,
    })
}

impl Interpreter {
    /// The reasoner with plans made for relations of these sizes, or else of guessed ones.
    pub(super) fn planned(
        sheet: &Sheet,
        rules: &[Rule],
        terms: &Arc<Terms>,
        limits: Limits,
        sizes: Option<Sizes>,
    ) -> Result<Interpreter, BadSheet> {
        let mut builder = Builder::new(rules, terms);
        let wrong = check::senseless(rules, &builder.dependencies, &sheet.symbols);
        if !wrong.is_empty() {
            return Err(BadSheet::Wrong(wrong));
        }
        let names: Vec<_> = QUESTIONS.iter().map(|&(_, symbol, arity)| (symbol, arity)).collect();
        let wanted =
            builder.dependencies.needed_for(&[&names[..], &[(Symbol::ROLE, 1), (Symbol::INIT, 1)]].concat());
        let on_state = builder.dependencies.dependent_on(&[(Symbol::TRUE, 1)]);
        let on_moves = builder.dependencies.dependent_on(&[(Symbol::DOES, 2)]);
        let level = |relation: usize| match (on_moves[relation], on_state[relation]) {
            (true, _) => Level::Move,
            (false, true) => Level::State,
            (false, false) => Level::Fixed,
        };
        let count = builder.dependencies.components.len();
        let first = |builder: &Builder<'_>, number: usize| builder.dependencies.components[number][0];
        let mut work = Work::default();
        for number in 0..count {
            let relation = first(&builder, number);
            if wanted[relation] && level(relation) == Level::Fixed {
                builder.fix(number, &mut work, &limits)?;
            }
        }
        let roles: Vec<TermId> = builder.rows((Symbol::ROLE, 1)).map(|row| TermId(row[0])).collect();
        let fluents: Vec<TermId> = builder.rows((Symbol::INIT, 1)).map(|row| TermId(row[0])).collect();
        let does = builder.dependencies.get((Symbol::DOES, 2));
        let all_fluents =
            builder.dependencies.get((Symbol::TRUE, 1)).filter(|_| rules.iter().any(asks_for_any_fluent));
        for &relation in builder.fluents.values() {
            builder.sizes[relation] = 2.0;
        }
        for &fluent in &fluents {
            if let Some(&relation) = builder.fluents.get(&(terms.symbol(fluent), terms.args(fluent).len())) {
                builder.sizes[relation] += 1.0;
            }
        }
        if let Some(does) = does {
            builder.sizes[does] = roles.len() as f64;
        }
        if let Some(sizes) = sizes {
            builder.sizes = sizes.rows;
            builder.distinct.extend(sizes.distinct);
        }
        let mut components = Vec::with_capacity(count);
        for number in 0..count {
            let relation = first(&builder, number);
            let component = if wanted[relation] && level(relation) != Level::Fixed {
                builder.component(number)?
            } else {
                Component::default()
            };
            components.push((level(relation), component));
        }
        let dependencies = &builder.dependencies;
        let needed = names.clone().into_iter().map(|name| {
            let needed = dependencies.needed_for(&[name]);
            (0..count)
                .filter(|&c| {
                    let (level, component) = &components[c];
                    let idle = component.once.is_empty() && component.again.is_empty();
                    *level != Level::Fixed && !idle && needed[dependencies.components[c][0]]
                })
                .collect::<Vec<_>>()
        });
        let needed: Vec<Vec<usize>> = needed.collect();
        let answers: Vec<Option<usize>> = names.iter().map(|&name| dependencies.get(name)).collect();
        Ok(Interpreter {
            limits,
            open: sheet.is_open(),
            roles,
            initial: State::new(fluents),
            needed: needed.try_into().expect("one for each question"),
            answers: answers.try_into().expect("one for each question"),
            components,
            fluents: builder.fluents,
            fixed: builder.fixed,
            blank: builder.blank,
            all_fluents,
            does,
            minds: Mutex::default(),
            terms: terms.clone(),
        })
    }

    /// How large relations are in the states of a few random matches; `None` if none can be played.
    pub(super) fn sizes(&self) -> Result<Option<Sizes>, ReasonerError> {
        const MATCHES: usize = 2;
        const STEPS: usize = 12;
        let mut rng = Seed(1).named("plans").stream(Purpose::Sampling);
        let mut sizes = Sizes { rows: vec![0.0; self.blank.len()], ..Sizes::default() };
        let mut states = 0.0;
        for _ in 0..MATCHES {
            let mut state = self.initial.clone();
            for _ in 0..STEPS {
                if self.terminal(&state)? {
                    break;
                }
                let Ok(moves) = moves_of(self, &state)? else { break };
                let joint: Vec<TermId> =
                    moves.iter().map(|m| m[rng.below(m.len() as u32) as usize]).collect();
                states += 1.0;
                self.with_mind(|mind| {
                    self.turn(mind, &state, Some(&joint));
                    for (question, _, _) in QUESTIONS {
                        self.derive(mind, question)?;
                    }
                    for (at, relation) in mind.relations.iter().enumerate().filter(|(_, r)| r.len() > 0) {
                        sizes.rows[at] += relation.len() as f64;
                        for column in 0..relation.arity() {
                            *sizes.distinct.entry((at, column)).or_default() +=
                                relation.distinct(column) as f64;
                        }
                    }
                    Ok(())
                })?;
                state = self.next(&state, &joint)?;
            }
        }
        if states == 0.0 {
            return Ok(None);
        }
        sizes.rows.iter_mut().for_each(|n| *n /= states);
        sizes.distinct.values_mut().for_each(|n| *n /= states);
        Ok(Some(sizes))
    }
}
