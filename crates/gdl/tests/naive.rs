//! The interpreter against a second one that is slow and obviously right: it tries every assignment of constants to
//! variables, and gets negation from the alternating fixpoint, which on rules that are stratified is their model.

mod common;

use std::collections::BTreeSet;

use common::legal;
use fogtree_gdl::sheet::{Atom, Literal};
use fogtree_gdl::{Interpreter, Level, Limits, Reasoner, Report, Sheet, Term};
use proptest::prelude::*;

const CONSTANTS: [&str; 3] = ["a", "b", "c"];

type Facts = BTreeSet<String>;

fn term(term: &Term, values: &[&str], sheet: &Sheet) -> String {
    match term {
        Term::Variable(v, _) => values[v.index()].to_string(),
        Term::Constant(symbol, _) => sheet.name(*symbol).to_string(),
        Term::Compound(..) => unreachable!("these sheets have no functions"),
    }
}

fn atom(atom: &Atom, values: &[&str], sheet: &Sheet) -> String {
    let args: Vec<String> = atom.args.iter().map(|t| term(t, values, sheet)).collect();
    format!("{}/{}", sheet.name(atom.relation), args.join(","))
}

/// Whether a literal, or its opposite, holds: what must hold is in the one set, what must fail not in the other.
fn holds(literal: &Literal, positive: bool, values: &[&str], sheet: &Sheet, yes: &Facts, no: &Facts) -> bool {
    let inner = |l: &Literal, positive| holds(l, positive, values, sheet, yes, no);
    match literal {
        Literal::Atom(a) if positive => yes.contains(&atom(a, values, sheet)),
        Literal::Atom(a) => !no.contains(&atom(a, values, sheet)),
        Literal::Distinct(a, b, _) => (term(a, values, sheet) != term(b, values, sheet)) == positive,
        Literal::Not(l, _) => inner(l, !positive),
        Literal::Or(all, _) if positive => all.iter().any(|l| inner(l, true)),
        Literal::And(all, _) if positive => all.iter().all(|l| inner(l, true)),
        Literal::Or(all, _) => all.iter().all(|l| inner(l, false)),
        Literal::And(all, _) => all.iter().any(|l| inner(l, false)),
    }
}

/// The least set of facts that follows when exactly the facts in `no` make negations fail.
fn least(sheet: &Sheet, no: &Facts) -> Facts {
    let mut yes = Facts::new();
    loop {
        let before = yes.len();
        for clause in &sheet.clauses {
            let n = clause.variables.len();
            for number in 0..CONSTANTS.len().pow(n as u32) {
                let values: Vec<&str> =
                    (0..n).map(|i| CONSTANTS[number / CONSTANTS.len().pow(i as u32) % 3]).collect();
                if clause.body.iter().all(|l| holds(l, true, &values, sheet, &yes, no)) {
                    yes.insert(atom(&clause.head, &values, sheet));
                }
            }
        }
        if yes.len() == before {
            return yes;
        }
    }
}

fn model(sheet: &Sheet) -> Facts {
    let mut under = Facts::new();
    loop {
        let over = least(sheet, &under);
        let next = least(sheet, &over);
        if next == under {
            assert_eq!(under, over, "a stratified sheet leaves nothing open");
            return under;
        }
        under = next;
    }
}

fn clause() -> impl Strategy<Value = String> {
    let term = prop::sample::select(vec!["a", "b", "c", "?x", "?x", "?y", "?y", "?z"]);
    let relations = vec![("o", 0), ("p", 1), ("q", 1), ("r", 2), ("s", 2), ("t", 2)];
    let atom =
        (prop::sample::select(relations), term.clone(), term.clone()).prop_map(|((name, arity), x, y)| {
            match arity {
                0 => name.to_string(),
                1 => format!("({name} {x})"),
                _ => format!("({name} {x} {y})"),
            }
        });
    let literal = prop_oneof![
        8 => atom.clone(),
        2 => atom.clone().prop_map(|a| format!("(not {a})")),
        1 => (term.clone(), term).prop_map(|(a, b)| format!("(distinct {a} {b})")),
    ]
    .prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|l| format!("(not {l})")),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|all| format!("(or {})", all.join(" "))),
            prop::collection::vec(inner, 1..3).prop_map(|all| format!("(and {})", all.join(" "))),
        ]
    });
    (atom, prop::collection::vec(literal, 0..4)).prop_map(|(head, body)| match body.is_empty() {
        true => head,
        false => format!("(<= {head} {})", body.join(" ")),
    })
}

/// Whether a clause can be carried out by itself.
fn is_safe(clause: &str) -> bool {
    Report::of(format!("(role a) {clause}").as_bytes(), Level::Lenient).accepted()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        max_global_rejects: 1_000_000,
        max_local_rejects: 1_000_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn both_derive_the_same(
        clauses in prop::collection::vec(clause().prop_filter("unsafe", |c| is_safe(c)), 1..14),
        facts in prop::collection::vec((0..3_usize, 0..3_usize), 0..5),
    ) {
        let facts: Vec<String> =
            facts.iter().map(|&(x, y)| format!("(r {} {}) (q {})", CONSTANTS[x], CONSTANTS[y], CONSTANTS[y])).collect();
        let text = format!("(role a) {} {}", facts.join(" "), clauses.join("\n"));
        prop_assume!(Report::of(text.as_bytes(), Level::Lenient).accepted());
        let expected: Vec<String> = model(&Sheet::read(&text).unwrap())
            .into_iter()
            .filter(|f| !f.starts_with("role"))
            .collect();
        // The same facts as they are, and depending on the state and on the moves.
        for (condition, at) in [("", "legal a"), (" (true on)", "legal a"), (" (does a go)", "sees a")] {
            let clauses: String = text
                .lines()
                .map(|line| match line.strip_prefix("(<= ").and_then(|l| l.strip_suffix(')')) {
                    Some(rule) if !condition.is_empty() => format!("(<= {rule}{condition})\n"),
                    _ => format!("{line}\n"),
                })
                .collect();
            let questions = format!(
                "(init on) (<= ({at} (o)) o) (<= ({at} (p ?x)) (p ?x)) (<= ({at} (q ?x)) (q ?x))
                (<= ({at} (r ?x ?y)) (r ?x ?y)) (<= ({at} (s ?x ?y)) (s ?x ?y)) (<= ({at} (t ?x ?y)) (t ?x ?y)) (legal a go)"
            );
            let sheet = Sheet::read(&format!("{clauses} {questions}")).unwrap();
            let game = Interpreter::new(&sheet, Limits::default()).unwrap();
            let state = game.initial().unwrap();
            let found = if at == "legal a" {
                legal(&game, &state, 0)
            } else {
                common::percepts(&game, &state, &common::joint(&game, &["go"]), 0)
            };
            let mut found: Vec<String> = found
                .iter()
                .filter(|m| *m != "go")
                .map(|m| {
                    let words: Vec<&str> = m.trim_matches(['(', ')']).split(' ').collect();
                    format!("{}/{}", words[0], words[1..].join(","))
                })
                .collect();
            found.sort();
            prop_assert_eq!(&found, &expected, "{}", clauses);
        }
    }
}
