//! The slow and obvious reasoner: all facts of a state, derived from scratch, rule by rule, until nothing is new.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::normal::{self, Condition, Rule};
use crate::reasoner::{Reasoner, ReasonerError};
use crate::sheet::{Atom, Sheet};
use crate::symbol::Symbol;
use crate::term::{Term, TermId, Terms};

type Relation = (Symbol, usize);
type Model = BTreeMap<Relation, BTreeSet<Vec<TermId>>>;
type Binding = BTreeMap<u32, TermId>;

pub(super) struct Naive {
    terms: Arc<Terms>,
    /// Rules by stratum, lowest first.
    strata: Vec<Vec<Rule>>,
    roles: Vec<TermId>,
}

fn relation(atom: &Atom) -> Relation {
    (atom.relation, atom.args.len())
}

impl Naive {
    pub(super) fn new(sheet: &Sheet, terms: Arc<Terms>) -> Naive {
        Naive::of_rules(normal::rules(sheet).unwrap(), terms)
    }

    pub(super) fn of_rules(rules: Vec<Rule>, terms: Arc<Terms>) -> Naive {
        let mut level: BTreeMap<Relation, usize> = BTreeMap::new();
        loop {
            let mut changed = false;
            for rule in &rules {
                for condition in &rule.body {
                    let at_least = match condition {
                        Condition::Holds(atom) => level.get(&relation(atom)).copied().unwrap_or(0),
                        Condition::Fails(atom) => level.get(&relation(atom)).copied().unwrap_or(0) + 1,
                        Condition::Differ(..) => 0,
                    };
                    let own = level.entry(relation(&rule.head)).or_default();
                    changed |= at_least > *own;
                    *own = at_least.max(*own);
                    assert!(*own <= rules.len(), "unstratified");
                }
            }
            if !changed {
                break;
            }
        }
        let top = level.values().copied().max().unwrap_or(0);
        let mut strata = vec![Vec::new(); top + 1];
        let mut roles = Vec::new();
        for rule in rules {
            if rule.head.relation == Symbol::ROLE && rule.body.is_empty() {
                roles.push(terms.ground(&rule.head.args[0], &|_| unreachable!()).unwrap());
            }
            strata[level.get(&relation(&rule.head)).copied().unwrap_or(0)].push(rule);
        }
        Naive { terms, strata, roles }
    }

    fn model(&self, fluents: &[TermId], moves: &[TermId]) -> Model {
        let mut model = Model::new();
        model.insert((Symbol::TRUE, 1), fluents.iter().map(|&f| vec![f]).collect());
        model.insert((Symbol::DOES, 2), self.roles.iter().zip(moves).map(|(&r, &m)| vec![r, m]).collect());
        for rules in &self.strata {
            loop {
                let mut new = Vec::new();
                for rule in rules {
                    self.fire(rule, 0, &Binding::new(), &model, &mut new);
                }
                let before: usize = model.values().map(BTreeSet::len).sum();
                new.into_iter().for_each(|(relation, args)| {
                    model.entry(relation).or_default().insert(args);
                });
                if model.values().map(BTreeSet::len).sum::<usize>() == before {
                    break;
                }
            }
        }
        model
    }

    /// Tries the positive conditions one after the other, then the others.
    fn fire(
        &self,
        rule: &Rule,
        at: usize,
        binding: &Binding,
        model: &Model,
        out: &mut Vec<(Relation, Vec<TermId>)>,
    ) {
        let positive =
            rule.body.iter().filter_map(|c| if let Condition::Holds(a) = c { Some(a) } else { None });
        if let Some(atom) = positive.clone().nth(at) {
            for args in model.get(&relation(atom)).into_iter().flatten() {
                let mut binding = binding.clone();
                if atom.args.iter().zip(args).all(|(term, &arg)| self.fits(term, arg, &mut binding)) {
                    self.fire(rule, at + 1, &binding, model, out);
                }
            }
            return;
        }
        let value = |term: &Term| self.terms.ground(term, &|v| binding[&v.0]).unwrap();
        let values = |atom: &Atom| atom.args.iter().map(value).collect::<Vec<_>>();
        let satisfied = rule.body.iter().all(|condition| match condition {
            Condition::Holds(_) => true,
            Condition::Fails(atom) => {
                !model.get(&relation(atom)).is_some_and(|all| all.contains(&values(atom)))
            }
            Condition::Differ(a, b) => value(a) != value(b),
        });
        if satisfied {
            out.push((relation(&rule.head), values(&rule.head)));
        }
    }

    fn fits(&self, term: &Term, ground: TermId, binding: &mut Binding) -> bool {
        match term {
            Term::Variable(v, _) => *binding.entry(v.0).or_insert(ground) == ground,
            Term::Constant(symbol, _) => {
                self.terms.symbol(ground) == *symbol && self.terms.args(ground).is_empty()
            }
            Term::Compound(symbol, args, _) => {
                let ground_args = self.terms.args(ground);
                self.terms.symbol(ground) == *symbol
                    && args.len() == ground_args.len()
                    && args.iter().zip(ground_args).all(|(a, &g)| self.fits(a, g, binding))
            }
        }
    }

    fn of_role(&self, model: &Model, relation: Symbol, role: usize, out: &mut Vec<TermId>) {
        out.clear();
        let all = model.get(&(relation, 2)).into_iter().flatten();
        out.extend(all.filter(|args| args[0] == self.roles[role]).map(|args| args[1]));
        self.terms.sort(out);
    }

    fn fluents_of(&self, model: &Model, relation: Symbol) -> Vec<TermId> {
        let mut all = model.get(&(relation, 1)).into_iter().flatten().map(|args| args[0]).collect();
        self.terms.sort(&mut all);
        all
    }
}

impl Reasoner for Naive {
    type State = Vec<TermId>;

    fn terms(&self) -> &Terms {
        &self.terms
    }

    fn roles(&self) -> &[TermId] {
        &self.roles
    }

    fn initial(&self) -> Result<Vec<TermId>, ReasonerError> {
        Ok(self.fluents_of(&self.model(&[], &[]), Symbol::INIT))
    }

    fn terminal(&self, state: &Vec<TermId>) -> Result<bool, ReasonerError> {
        Ok(self.model(state, &[]).get(&(Symbol::TERMINAL, 0)).is_some_and(|all| !all.is_empty()))
    }

    fn legal(&self, state: &Vec<TermId>, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        self.of_role(&self.model(state, &[]), Symbol::LEGAL, role, out);
        Ok(())
    }

    fn next(&self, state: &Vec<TermId>, moves: &[TermId]) -> Result<Vec<TermId>, ReasonerError> {
        Ok(self.fluents_of(&self.model(state, moves), Symbol::NEXT))
    }

    fn percepts(
        &self,
        state: &Vec<TermId>,
        moves: &[TermId],
        role: usize,
        out: &mut Vec<TermId>,
    ) -> Result<(), ReasonerError> {
        self.of_role(&self.model(state, moves), Symbol::SEES, role, out);
        Ok(())
    }

    fn goals(&self, state: &Vec<TermId>, role: usize, out: &mut Vec<TermId>) -> Result<(), ReasonerError> {
        self.of_role(&self.model(state, &[]), Symbol::GOAL, role, out);
        Ok(())
    }

    fn fluents(&self, state: &Vec<TermId>, out: &mut Vec<TermId>) {
        out.clone_from(state);
    }

    fn state(&self, fluents: &[TermId]) -> Result<Vec<TermId>, ReasonerError> {
        let mut all = fluents.to_vec();
        self.terms.sort(&mut all);
        Ok(all)
    }
}
