//! Laws of names and codes: words that parse back, and numbers that tell actions apart.

use std::collections::HashMap;

use super::Law;
use super::trial::{Trial, short};
use crate::{Observation, Rng};

/// The most actions and outcomes whose names and codes are tested.
const MOST_NAMES: u32 = 20_000;
/// How many names are spoiled in search of one that is read all the same.
const SPOILED: usize = 40;

/// Tests the names and codes of everything met so far, texts that are no names, and odd observations.
pub(super) fn laws(t: &mut Trial<'_>) {
    let game = t.game;
    let mut rng = t.rng("names");
    let actions = Vocabulary {
        kind: "action",
        met: game.actions_met().min(MOST_NAMES),
        name: &|a| game.action_name(a),
        parse: &|name| game.parse_action(name),
        text: &|a| game.action_text(a),
    };
    let outcomes = Vocabulary {
        kind: "outcome",
        met: game.outcomes_met().min(MOST_NAMES),
        name: &|o| game.outcome_name(o),
        parse: &|name| game.parse_outcome(name),
        text: &|o| game.outcome_text(o),
    };
    for words in [&actions, &outcomes] {
        let names = words.names(t);
        words.garbage(t, names, &mut rng);
    }
    codes(t, actions.met);
    odd_observations(t, &mut rng);
}

/// Actions or outcomes.
struct Vocabulary<'a> {
    kind: &'static str,
    met: u32,
    name: &'a dyn Fn(u32) -> String,
    parse: &'a dyn Fn(&str) -> Option<u32>,
    text: &'a dyn Fn(u32) -> String,
}

impl Vocabulary<'_> {
    fn names(&self, t: &mut Trial<'_>) -> Vec<String> {
        let kind = self.kind;
        let mut first: HashMap<String, u32> = HashMap::new();
        for thing in 0..self.met {
            let name = (self.name)(thing);
            let text = || (self.text)(thing);
            t.require(is_word(&name), Law::NameWord, || format!("the {kind} {} is called {name:?}", text()));
            let back = (self.parse)(&name);
            t.require(back == Some(thing), Law::NameParses, || {
                let read = back.map_or_else(|| "nothing".to_string(), |b| (self.text)(b));
                format!("the {kind} {} is called {name:?}, which is read as {read}", text())
            });
            if let Some(&other) = first.get(&name) {
                let other = (self.text)(other);
                t.report(Law::NameDistinct, || format!("{other} and {} are both called {name:?}", text()));
            }
            first.insert(name, thing);
        }
        let mut names: Vec<String> = first.into_keys().collect();
        names.sort_unstable();
        names
    }

    /// Texts that look a little like names, numbers or squares must not be read as something of another name.
    fn garbage(&self, t: &mut Trial<'_>, mut names: Vec<String>, rng: &mut Rng) {
        let mut texts: Vec<String> = ODD_TEXTS.iter().map(ToString::to_string).collect();
        texts.push("9".repeat(400));
        texts.push("x".repeat(70_000));
        rng.shuffle(&mut names);
        for name in names.iter().take(SPOILED) {
            texts.extend(spoiled(name));
        }
        for text in &texts {
            let Some(thing) = (self.parse)(text) else { continue };
            let name = (self.name)(thing);
            t.require(name == *text, Law::NameGarbage, || {
                format!("{} is read as the {} called {name:?}", short(text), self.kind)
            });
        }
    }
}

/// Whether a name can stand in a move list: not empty, no white space, nothing invisible.
pub(super) fn is_word(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| c.is_whitespace() || c.is_control())
}

fn spoiled(name: &str) -> [String; 12] {
    let digits = |to: char| name.chars().map(|c| if c.is_ascii_digit() { to } else { c }).collect();
    [
        format!("{name}{name}"),
        format!("{name}-"),
        format!("+{name}"),
        format!(" {name}"),
        format!("{name}\u{301}"),
        name.to_uppercase(),
        name.to_lowercase(),
        name.chars().rev().collect(),
        name.chars().skip(1).collect(),
        name.chars().take(name.chars().count().saturating_sub(1)).collect(),
        digits('9'),
        digits('٣'),
    ]
}

#[rustfmt::skip]
const ODD_TEXTS: &[&str] = &[
    "", " ", "\0", "\n", "-", "--", "+", "0", "-0", "00", "-1", "+1", "1.5", "1e9", "NaN", "inf", "0x10",
    "255", "256", "65536", "4294967295", "4294967296", "18446744073709551615", "18446744073709551616",
    "-9223372036854775808", "a", "a0", "a1", "a99", "z9", "a-1", "a1-", "-a1", "a1-b2", "a1a1a1", "e2e4e",
    "1,2", "1,", ",", ",,", "(1,2)", "[]", "[1", "1:2", ":", "1/0", "/", "*", "?", "_", "é", "ß", "💥", "a💥", "٣",
    "\u{200b}", "\u{202e}a", "null", "None", "Some(0)", "true",
];

fn codes(t: &mut Trial<'_>, actions: u32) {
    let game = t.game;
    let limit = game.codes();
    let mut first: HashMap<u64, u32> = HashMap::new();
    for action in 0..actions {
        let text = || game.action_text(action);
        let code = game.code(action);
        if let Some(other) = first.insert(code, action) {
            let other = game.action_text(other);
            t.report(Law::CodeDistinct, || format!("{other} and {} both have code {code}", text()));
        }
        let below = limit.is_none_or(|n| code < n as u64);
        t.require(below, Law::CodeRange, || {
            format!("the code of {} is {code}, codes() is {limit:?}", text())
        });
        t.require(game.decodes(action), Law::CodeDecodes, || {
            format!("the code of {} is {code}, which is another action", text())
        });
    }
}

/// Observations come over wires and out of files too: none may upset the game.
fn odd_observations(t: &mut Trial<'_>, rng: &mut Rng) {
    let long: Vec<u64> = (0..40).map(|_| rng.bits()).collect();
    let mut odd =
        vec![Observation::words(&[]), Observation::words(&long), Observation::words(&[u64::MAX; 3])];
    let words = (0..200).chain((0..64).map(|bit| 1 << bit)).chain([u64::MAX, u64::MAX - 1]);
    odd.extend(
        words.flat_map(|w| {
            [Observation::word(w), Observation::words(&[w, w]), Observation::words(&[0, w, 1])]
        }),
    );
    for seen in &odd {
        for by in t.observers() {
            t.game.explain(seen, by);
        }
    }
}
