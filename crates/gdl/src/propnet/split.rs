//! Rules with fewer variables: what a variable that the head does not need is about becomes a relation of its own.
//!
//! `(<= h (p ?x ?y) (q ?y ?z) (r ?z))` has as many instances as there are triples; with
//! `(<= (aux ?y) (q ?y ?z) (r ?z))` and `(<= h (p ?x ?y) (aux ?y))` it is pairs. Conditions that were looked up with
//! help from others are then looked up without it, which now and then makes more instances instead of fewer.

use crate::propnet::facts::Facts;
use crate::propnet::plan::{Literal, Pattern, Template};

/// The same rules, split as long as the parts have fewer variables.
pub(super) fn split(templates: Vec<Template>, facts: &mut Facts) -> Vec<Template> {
    let mut all = Vec::with_capacity(templates.len());
    for mut template in templates {
        while let Some(part) = take_part(&mut template, facts) {
            all.push(part);
        }
        all.push(template);
    }
    all
}

/// Sets of variables, sorted.
type Variables = Vec<u32>;

fn of_literal(literal: &Literal) -> Variables {
    let mut all = Vec::new();
    literal.each_variable(&mut |v| all.push(v));
    all
}

fn of_patterns(pair: &(Pattern, Pattern)) -> Variables {
    let mut all = Vec::new();
    pair.0.each_variable(&mut |v| all.push(v));
    pair.1.each_variable(&mut |v| all.push(v));
    all
}

fn union<'a>(sets: impl Iterator<Item = &'a Variables>) -> Variables {
    let mut all: Variables = sets.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Takes the conditions on one variable out of a rule, if that leaves both with fewer variables than there were.
fn take_part(template: &mut Template, facts: &mut Facts) -> Option<Template> {
    let head = of_literal(&template.head);
    let holds: Vec<Variables> = template.holds.iter().map(of_literal).collect();
    let fails: Vec<Variables> = template.fails.iter().map(of_literal).collect();
    let differ: Vec<Variables> = template.differ.iter().map(of_patterns).collect();
    let every = union(holds.iter());
    let bound_with = |v: u32| union(holds.iter().filter(|s| s.contains(&v)));
    let tests_with = |v: u32| union(fails.iter().chain(&differ).filter(|s| s.contains(&v)));
    let (variable, part) = every
        .iter()
        .filter(|v| !head.contains(v))
        .map(|&v| (v, bound_with(v)))
        .filter(|(v, part)| part.len() < every.len() && tests_with(*v).iter().all(|t| part.contains(t)))
        .min_by_key(|(_, part)| part.len())?;
    let shared: Variables = part.iter().copied().filter(|&v| v != variable).collect();
    let own = facts.fresh(template.head.relation);
    let literal = Literal { relation: own, args: shared.iter().map(|&v| Pattern::Variable(v)).collect() };
    let with = |sets: &[Variables], at: usize| sets[at].contains(&variable);
    let mut taken = Template {
        head: literal.clone(),
        holds: Vec::new(),
        fails: Vec::new(),
        differ: Vec::new(),
        ..*template
    };
    let mut at = 0;
    taken.holds.extend(template.holds.extract_if(.., |_| {
        at += 1;
        with(&holds, at - 1)
    }));
    at = 0;
    taken.fails.extend(template.fails.extract_if(.., |_| {
        at += 1;
        with(&fails, at - 1)
    }));
    at = 0;
    taken.differ.extend(template.differ.extract_if(.., |_| {
        at += 1;
        with(&differ, at - 1)
    }));
    template.holds.push(literal);
    Some(taken)
}
