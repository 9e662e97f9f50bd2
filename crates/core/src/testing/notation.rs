//! Laws of names and codes: words that parse back, and numbers that tell actions apart.

use std::collections::HashMap;
use std::fmt::Debug;

use super::Law;
use super::trial::{Trial, short};
use crate::{Game, Observer, Rng, Seen};

/// How many names are spoiled in search of one that is read all the same.
const SPOILED: usize = 40;

/// Tests the names and codes of everything met so far, texts that are no names, and odd observations.
pub(super) fn laws<G: Game>(t: &mut Trial<'_, G>) {
    let game = t.game;
    let mut rng = t.rng("names");
    let actions: Vec<G::Action> = t.words.actions.iter().copied().collect();
    let outcomes = t.words.outcomes.clone();
    let names = names_of(t, "action", &actions, |&a| game.action_name(a), |n| game.parse_action(n));
    garbage(t, "action", names, &mut rng, |text| {
        game.parse_action(text).map(|a| (short(&a), game.action_name(a)))
    });
    let names = names_of(t, "outcome", &outcomes, |o| game.outcome_name(o), |n| game.parse_outcome(n));
    garbage(t, "outcome", names, &mut rng, |text| {
        game.parse_outcome(text).map(|o| (short(&o), game.outcome_name(&o)))
    });
    codes(t, &actions);
    odd_observations(t, &mut rng);
}

fn names_of<G: Game, T: PartialEq + Debug>(
    t: &mut Trial<'_, G>,
    kind: &str,
    things: &[T],
    name: impl Fn(&T) -> String,
    parse: impl Fn(&str) -> Option<T>,
) -> Vec<String> {
    let names: Vec<String> = things.iter().map(name).collect();
    let mut first: HashMap<&str, &T> = HashMap::new();
    for (name, thing) in names.iter().zip(things) {
        t.require(is_word(name), Law::NameWord, || format!("the {kind} {thing:?} is called {name:?}"));
        let back = parse(name);
        t.require(back.as_ref() == Some(thing), Law::NameParses, || {
            format!("the {kind} {thing:?} is called {name:?}, which is read as {back:?}")
        });
        if let Some(other) = first.insert(name, thing) {
            t.report(Law::NameDistinct, || format!("{other:?} and {thing:?} are both called {name:?}"));
        }
    }
    names
}

/// Whether a name can stand in a move list: not empty, no white space, nothing invisible.
pub(super) fn is_word(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Texts that look a little like names, numbers or squares must not be read as something with another name.
fn garbage<G: Game>(
    t: &mut Trial<'_, G>,
    kind: &str,
    mut names: Vec<String>,
    rng: &mut Rng,
    read: impl Fn(&str) -> Option<(String, String)>,
) {
    let mut texts: Vec<String> = ODD_TEXTS.iter().map(ToString::to_string).collect();
    texts.push("9".repeat(400));
    texts.push("x".repeat(70_000));
    rng.shuffle(&mut names);
    for name in names.iter().take(SPOILED) {
        texts.extend([format!("{name}{name}"), format!("{name}-"), format!("+{name}"), format!(" {name}")]);
        texts.extend([format!("{name}\u{301}"), name.to_uppercase(), name.to_lowercase()]);
        texts.extend([name.chars().rev().collect(), name.chars().skip(1).collect()]);
        texts.push(name.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect());
        texts.push(name.chars().map(|c| if c.is_ascii_digit() { '٣' } else { c }).collect());
        texts.push(name.chars().take(name.chars().count().saturating_sub(1)).collect());
    }
    for text in &texts {
        let Some((thing, name)) = read(text) else { continue };
        t.require(name == *text, Law::NameGarbage, || {
            format!("{} is read as the {kind} {thing}, whose name is {name:?}", short(text))
        });
    }
}

const ODD_TEXTS: &[&str] = &[
    "",
    " ",
    "\0",
    "\n",
    "-",
    "--",
    "+",
    "0",
    "-0",
    "00",
    "-1",
    "+1",
    "1.5",
    "1e9",
    "NaN",
    "inf",
    "0x10",
    "255",
    "256",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "a",
    "a0",
    "a1",
    "a99",
    "z9",
    "a-1",
    "a1-",
    "-a1",
    "a1-b2",
    "a1a1a1",
    "e2e4e",
    "1,2",
    "1,",
    ",",
    ",,",
    "(1,2)",
    "[]",
    "[1",
    "1:2",
    ":",
    "1/0",
    "/",
    "*",
    "?",
    "_",
    "é",
    "ß",
    "💥",
    "a💥",
    "٣",
    "\u{200b}",
    "\u{202e}a",
    "null",
    "None",
    "Some(0)",
    "true",
];

fn codes<G: Game>(t: &mut Trial<'_, G>, actions: &[G::Action]) {
    let game = t.game;
    let limit = game.codes();
    let mut first: HashMap<u64, G::Action> = HashMap::new();
    for &action in actions {
        let code = game.code(action);
        if let Some(other) = first.insert(code, action) {
            t.report(Law::CodeDistinct, || format!("{other:?} and {action:?} both have code {code}"));
        }
        let below = limit.is_none_or(|n| code < n as u64);
        t.require(below, Law::CodeRange, || {
            format!("the code of {action:?} is {code}, codes() is {limit:?}")
        });
    }
}

/// Observations come over wires and out of files too: none may upset the game.
fn odd_observations<G: Game>(t: &mut Trial<'_, G>, rng: &mut Rng) {
    let game = t.game;
    let long: Vec<u64> = (0..40).map(|_| rng.bits()).collect();
    let mut odd = vec![Seen::words(&[]), Seen::words(&long), Seen::words(&[u64::MAX; 3])];
    let words = (0..200).chain((0..64).map(|bit| 1 << bit)).chain([u64::MAX, u64::MAX - 1]);
    odd.extend(words.flat_map(|w| [Seen::word(w), Seen::words(&[w, w]), Seen::words(&[0, w, 1])]));
    for seen in &odd {
        for by in Observer::all(t.facts.players) {
            let _in_words = game.explain(seen, by);
        }
    }
}
