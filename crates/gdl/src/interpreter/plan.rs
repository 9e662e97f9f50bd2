//! From a rule to a plan: in which order its conditions are tried, and how each finds its rows.

use std::collections::VecDeque;

use smallvec::SmallVec;

use crate::check::unsafe_variable;
use crate::diagnostic::{Diagnostic, Span};
use crate::normal::{Condition, Rule};
use crate::sheet::Atom;
use crate::symbol::Symbol;
use crate::term::{Term, TermId, Terms, TooManyTerms, Variable};

/// A term whose variables are bound.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Known(TermId),
    Bound(usize),
    Built(Symbol, Vec<Value>),
}

/// What a value of a row must look like, binding variables on the way.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Bind(usize),
    Is(Value),
    Open(Symbol, Vec<Pattern>),
}

/// How the rows of a relation are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// All rows.
    All,
    /// The rows that the last round of a recursion has brought.
    New,
    /// By an index.
    Index(usize),
    /// The row itself is known.
    Exact,
}

/// One step of a plan.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Scan { relation: usize, access: Access, key: Vec<Value>, columns: Vec<(usize, Pattern)> },
    Absent { relation: usize, key: Vec<Value> },
    Differ(Value, Value),
}

/// How a rule is carried out.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    pub(super) head: usize,
    pub(super) values: Vec<Value>,
    pub(super) variables: usize,
    /// After a row has been derived only steps before this number can bring a different one.
    pub(super) decisive: usize,
}

/// What the planner asks about relations.
pub(super) trait Store {
    /// The relation of an atom, and the terms that are its columns there.
    fn columns<'a>(&self, atom: &'a Atom) -> (usize, &'a [Term]);
    /// About how many rows are left when these columns are given.
    fn rows_left(&self, relation: usize, given: &[usize]) -> f64;
    /// The number of the index over these columns.
    fn index(&mut self, relation: usize, columns: &[usize]) -> usize;
}

/// Why a rule has no plan.
#[derive(Clone, Debug)]
pub(super) enum NoPlan {
    /// A variable is bound by no condition.
    Unsafe(Diagnostic),
    Terms(TooManyTerms),
}

impl From<TooManyTerms> for NoPlan {
    fn from(e: TooManyTerms) -> Self {
        NoPlan::Terms(e)
    }
}

/// With more conditions than this left, the order in which they are written is kept.
const MANY: usize = 100;

/// Which variables are bound, and which by the last step.
struct Bound {
    is: Vec<bool>,
    last: Vec<usize>,
}

/// The plan of a rule; with `first`, the one that begins with the new rows of that condition.
pub(super) fn plan(
    rule: &Rule,
    head: usize,
    first: Option<usize>,
    terms: &Terms,
    store: &mut impl Store,
) -> Result<Plan, NoPlan> {
    let mut bound = Bound { is: vec![false; rule.variables.len()], last: Vec::new() };
    let mut left: Vec<usize> = (0..rule.body.len()).collect();
    let mut steps = Vec::with_capacity(left.len());
    let mut wanted = vec![false; rule.variables.len()];
    rule.head.args.iter().for_each(|t| t.each_variable(&mut |v, _| wanted[v.index()] = true));
    let mut decisive = 0;
    if let Some(first) = first {
        left.retain(|&c| c != first);
        let Condition::Holds(atom) = &rule.body[first] else {
            unreachable!("new rows of a relation that holds")
        };
        steps.push(scan(atom, true, &mut bound, terms, store)?);
        if bound.last.iter().any(|&v| wanted[v]) {
            decisive = 1;
        }
    }
    if left.len() > MANY {
        // Too many to weigh against one another: as written, with the tests at the end.
        left.sort_by_key(|&c| !matches!(rule.body[c], Condition::Holds(_)));
    }
    let mut left = VecDeque::from(left);
    while !left.is_empty() {
        let cost = |c: usize| match &rule.body[c] {
            Condition::Differ(a, b) if all_bound(a, &bound.is) && all_bound(b, &bound.is) => Some(0.0),
            Condition::Fails(atom) if atom.args.iter().all(|t| all_bound(t, &bound.is)) => Some(0.2),
            Condition::Differ(..) | Condition::Fails(_) => None,
            Condition::Holds(atom) => {
                let (relation, columns) = store.columns(atom);
                let given: SmallVec<[usize; 8]> =
                    (0..columns.len()).filter(|&i| all_bound(&columns[i], &bound.is)).collect();
                let exact = given.len() == columns.len();
                Some(if exact { 0.1 } else { 1.0 + store.rows_left(relation, &given) })
            }
        };
        let weighed = if left.len() > MANY { 1 } else { left.len() };
        let best = left.iter().take(weighed).enumerate().filter_map(|(place, &c)| Some((cost(c)?, place)));
        let best = best.min_by(|a, b| a.0.total_cmp(&b.0));
        let Some(condition) = best.and_then(|(_, place)| left.remove(place)) else { break };
        bound.last.clear();
        let step = match &rule.body[condition] {
            Condition::Differ(a, b) => Step::Differ(value(a, terms)?, value(b, terms)?),
            Condition::Fails(atom) => {
                let (relation, columns) = store.columns(atom);
                let key = columns.iter().map(|t| value(t, terms)).collect::<Result<_, _>>()?;
                Step::Absent { relation, key }
            }
            Condition::Holds(atom) => scan(atom, false, &mut bound, terms, store)?,
        };
        steps.push(step);
        if bound.last.iter().any(|&v| wanted[v]) {
            decisive = steps.len();
        }
    }
    let stuck = left.iter().flat_map(|&c| match &rule.body[c] {
        Condition::Holds(atom) | Condition::Fails(atom) => atom.args.iter().collect::<Vec<_>>(),
        Condition::Differ(a, b) => vec![a, b],
    });
    if let Some((variable, span)) =
        rule.head.args.iter().chain(stuck).find_map(|t| first_unbound(t, &bound.is))
    {
        return Err(NoPlan::Unsafe(unsafe_variable(
            terms.symbols().name(rule.variables[variable.index()]),
            span,
        )));
    }
    let values: Vec<Value> = rule.head.args.iter().map(|t| value(t, terms)).collect::<Result<_, _>>()?;
    Ok(Plan { steps, head, values, variables: rule.variables.len(), decisive })
}

fn first_unbound(term: &Term, bound: &[bool]) -> Option<(Variable, Span)> {
    let mut found = None;
    term.each_variable(&mut |v, span| {
        if !bound[v.index()] {
            found.get_or_insert((v, span));
        }
    });
    found
}

fn all_bound(term: &Term, bound: &[bool]) -> bool {
    first_unbound(term, bound).is_none()
}

fn value(term: &Term, terms: &Terms) -> Result<Value, TooManyTerms> {
    Ok(match term {
        Term::Variable(v, _) => Value::Bound(v.index()),
        Term::Constant(symbol, _) => Value::Known(terms.constant(*symbol)?),
        Term::Compound(..) if term.is_ground() => {
            Value::Known(terms.ground(term, &|_| unreachable!("a ground term has no variables"))?)
        }
        Term::Compound(symbol, args, _) => {
            Value::Built(*symbol, args.iter().map(|a| value(a, terms)).collect::<Result<_, _>>()?)
        }
    })
}

fn scan(
    atom: &Atom,
    new: bool,
    bound: &mut Bound,
    terms: &Terms,
    store: &mut impl Store,
) -> Result<Step, NoPlan> {
    let (relation, terms_of) = store.columns(atom);
    let given: Vec<usize> =
        (0..terms_of.len()).filter(|&i| !new && all_bound(&terms_of[i], &bound.is)).collect();
    let key = given.iter().map(|&i| value(&terms_of[i], terms)).collect::<Result<_, _>>()?;
    let access = match () {
        () if new => Access::New,
        () if given.len() == terms_of.len() => Access::Exact,
        () if given.is_empty() => Access::All,
        () => Access::Index(store.index(relation, &given)),
    };
    let columns = (0..terms_of.len())
        .filter(|i| !given.contains(i))
        .map(|i| Ok((i, pattern(&terms_of[i], bound, terms)?)))
        .collect::<Result<_, TooManyTerms>>()?;
    Ok(Step::Scan { relation, access, key, columns })
}

fn pattern(term: &Term, bound: &mut Bound, terms: &Terms) -> Result<Pattern, TooManyTerms> {
    if all_bound(term, &bound.is) {
        return Ok(Pattern::Is(value(term, terms)?));
    }
    Ok(match term {
        Term::Variable(v, _) => {
            bound.is[v.index()] = true;
            bound.last.push(v.index());
            Pattern::Bind(v.index())
        }
        Term::Compound(symbol, args, _) => {
            Pattern::Open(*symbol, args.iter().map(|a| pattern(a, bound, terms)).collect::<Result<_, _>>()?)
        }
        Term::Constant(..) => unreachable!("a constant has no variables"),
    })
}
