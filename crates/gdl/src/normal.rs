//! Plain rules: conjunctions of relations that hold, relations that do not, and terms that differ.
//!
//! The rewriting, from the outside in:
//! - `(and a b)` becomes `a b`; `(or a b)` makes two rules, one with `a` and one with `b`;
//! - `(not (or a b))` becomes `(not a) (not b)`; `(not (and a b))` becomes `(or (not a) (not b))`;
//!   `(not (not a))` becomes `a`;
//! - `(not (distinct s t))` means that `s` and `t` are the same: the most general unifier is applied to the whole
//!   rule; if there is none, the rule never fires and is dropped.
//!
//! A clause that would make more than [`MAX_CASES`] rules, or very large ones, is refused.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::sheet::{Atom, Clause, Literal, Sheet};
use crate::symbol::Symbol;
use crate::term::{Term, Variable};

/// The most rules one clause may become.
pub const MAX_CASES: usize = 4096;

/// The most conditions all rules of one clause may have together.
const MAX_CONDITIONS: usize = 2_000_000;
/// The most equations of one rule, and the most parts of the terms that solve them.
const MAX_EQUATIONS: usize = 1_000;

/// One condition of a plain rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// It holds.
    Holds(Atom),
    /// It cannot be shown.
    Fails(Atom),
    /// The terms differ.
    Differ(Term, Term),
}

/// A plain rule; without conditions, a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// What holds.
    pub head: Atom,
    /// If all of these do.
    pub body: Vec<Condition>,
    /// The names of its variables, by number. Some may not occur in this rule.
    pub variables: Vec<Symbol>,
    /// The clause it comes from, by its place in the sheet.
    pub clause: usize,
}

/// The plain rules of a sheet, in the order of its clauses.
pub fn rules(sheet: &Sheet) -> Result<Vec<Rule>, Diagnostic> {
    let mut all = Vec::with_capacity(sheet.clauses.len());
    for (at, clause) in sheet.clauses.iter().enumerate() {
        rules_of(clause, at, &mut all)?;
    }
    Ok(all)
}

/// Adds the plain rules of one clause.
pub fn rules_of(clause: &Clause, at: usize, out: &mut Vec<Rule>) -> Result<(), Diagnostic> {
    let too_many = |span: Span| {
        let message = format!(
            "the alternatives in this clause combine to more than {MAX_CASES} rules, or to very large ones"
        );
        Diagnostic::error(Code::TooManyCases, span, message)
            .help("give the alternatives a relation of their own")
    };
    let mut cases: Vec<Vec<Part<'_>>> = vec![Vec::new()];
    for literal in &clause.body {
        cases = product(cases, &cases_of(literal, true).ok_or_else(|| too_many(literal.span()))?)
            .ok_or_else(|| too_many(clause.span))?;
    }
    for case in cases {
        let (mut body, mut equations) = (Vec::new(), Vec::new());
        for part in case {
            match part {
                Part::Atom(atom, true) => body.push(Condition::Holds(atom.clone())),
                Part::Atom(atom, false) => body.push(Condition::Fails(atom.clone())),
                Part::Distinct(a, b, true) => body.push(Condition::Differ(a.clone(), b.clone())),
                Part::Distinct(a, b, false) => equations.push((a.clone(), b.clone())),
            }
        }
        let mut rule =
            Rule { head: clause.head.clone(), body, variables: clause.variables.clone(), clause: at };
        if equations.is_empty() {
            out.push(rule);
            continue;
        }
        let solution = unify(equations, rule.variables.len()).map_err(|TooLarge| too_many(clause.span))?;
        if let Some(unifier) = solution {
            rule.substitute(&unifier);
            out.push(rule);
        }
    }
    Ok(())
}

/// A condition of the sheet with the sign it has got.
#[derive(Clone, Copy)]
enum Part<'a> {
    Atom(&'a Atom, bool),
    Distinct(&'a Term, &'a Term, bool),
}

/// The ways in which a literal, or its opposite, can hold.
fn cases_of(literal: &Literal, positive: bool) -> Option<Vec<Vec<Part<'_>>>> {
    match literal {
        Literal::Atom(atom) => Some(vec![vec![Part::Atom(atom, positive)]]),
        Literal::Distinct(a, b, _) => Some(vec![vec![Part::Distinct(a, b, positive)]]),
        Literal::Not(inner, _) => cases_of(inner, !positive),
        Literal::Or(all, _) if positive => alternatives(all, positive),
        Literal::And(all, _) if !positive => alternatives(all, positive),
        Literal::Or(all, _) | Literal::And(all, _) => {
            let mut cases = vec![Vec::new()];
            for one in all {
                cases = product(cases, &cases_of(one, positive)?)?;
            }
            Some(cases)
        }
    }
}

fn alternatives(all: &[Literal], positive: bool) -> Option<Vec<Vec<Part<'_>>>> {
    let mut cases = Vec::new();
    for one in all {
        cases.extend(cases_of(one, positive)?);
        if cases.len() > MAX_CASES {
            return None;
        }
    }
    Some(cases)
}

fn product<'a>(mut left: Vec<Vec<Part<'a>>>, right: &[Vec<Part<'a>>]) -> Option<Vec<Vec<Part<'a>>>> {
    let cases = left.len() * right.len();
    let longest = |cases: &[Vec<Part<'_>>]| cases.iter().map(Vec::len).max().unwrap_or(0);
    if cases > MAX_CASES || cases > 1 && cases * (longest(&left) + longest(right)) > MAX_CONDITIONS {
        return None;
    }
    if let [only] = right {
        left.iter_mut().for_each(|case| case.extend_from_slice(only));
        return Some(left);
    }
    Some(left.iter().flat_map(|l| right.iter().map(|r| [l.as_slice(), r].concat())).collect())
}

/// What each variable is replaced by; fully resolved.
type Unifier = Vec<Option<Term>>;

/// The terms that solve equations are too large to be written down.
struct TooLarge;

fn size(term: &Term) -> usize {
    match term {
        Term::Variable(..) | Term::Constant(..) => 1,
        Term::Compound(_, args, _) => 1 + args.iter().map(size).sum::<usize>(),
    }
}

fn unify(mut equations: Vec<(Term, Term)>, variables: usize) -> Result<Option<Unifier>, TooLarge> {
    let mut unifier: Unifier = vec![None; variables];
    let mut solved = 0;
    while let Some((a, b)) = equations.pop() {
        solved += 1;
        let (a, b) = (replace(&a, &unifier), replace(&b, &unifier));
        if solved > MAX_EQUATIONS || size(&a) + size(&b) > MAX_EQUATIONS {
            return Err(TooLarge);
        }
        match (a, b) {
            (a, b) if a.same(&b) => {}
            (Term::Variable(v, _), term) | (term, Term::Variable(v, _)) => {
                let mut inside = false;
                term.each_variable(&mut |w, _| inside |= v == w);
                if inside {
                    return Ok(None);
                }
                let mut one: Unifier = vec![None; variables];
                one[v.index()] = Some(term);
                for bound in unifier.iter_mut().flatten() {
                    *bound = replace(bound, &one);
                    if size(bound) > MAX_EQUATIONS {
                        return Err(TooLarge);
                    }
                }
                unifier[v.index()] = one[v.index()].take();
            }
            (Term::Compound(f, s, _), Term::Compound(g, t, _)) if f == g && s.len() == t.len() => {
                equations.extend(s.into_iter().zip(t));
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(unifier))
}

fn replace(term: &Term, unifier: &Unifier) -> Term {
    match term {
        Term::Variable(Variable(v), _) => unifier[*v as usize].as_ref().unwrap_or(term).clone(),
        Term::Constant(..) => term.clone(),
        Term::Compound(f, args, span) => {
            Term::Compound(*f, args.iter().map(|a| replace(a, unifier)).collect(), *span)
        }
    }
}

impl Rule {
    fn substitute(&mut self, unifier: &Unifier) {
        let atom = |atom: &mut Atom| atom.args.iter_mut().for_each(|t| *t = replace(t, unifier));
        atom(&mut self.head);
        for condition in &mut self.body {
            match condition {
                Condition::Holds(a) | Condition::Fails(a) => atom(a),
                Condition::Differ(a, b) => (*a, *b) = (replace(a, unifier), replace(b, unifier)),
            }
        }
    }
}
