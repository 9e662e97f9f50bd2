//! Specification strings: `name` or `name(key=value,...)`, for games and agents alike.
//!
//! A value is any text; commas, brackets and parentheses may stand in it as long as brackets and
//! parentheses balance: `nim(heaps=[3,4,5])`, `pimc(search=uct(c=0.7))`. What exists is described by
//! [`About`] tables, from which reading, help and error messages all come.

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A name with parameters, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What is meant.
    pub name: String,
    /// Keys and values in the order given.
    pub params: Vec<(String, String)>,
}

/// A parameter that exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// The value when none is given.
    pub default: &'static str,
    /// What it means and what may be given.
    pub about: &'static str,
}

/// A name of its own for certain parameters of something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The parameters it stands for, as `key=value,...`.
    pub params: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// What there is to say of a game or an agent without making one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About {
    /// The name in specification strings.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Where its rules or its formula come from.
    pub source: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Other names for certain parameters.
    pub presets: &'static [Preset],
    /// For a game: parameters (`key=value,...`) of an instance of at most 10^6 histories.
    pub tiny: &'static str,
}

/// Why a specification string does not stand for anything.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSpec {
    /// Not of the form `name(key=value,...)`.
    #[error("'{text}' is not of the form name(key=value,...): {what}")]
    Syntax {
        /// The text, shortened.
        text: String,
        /// What is wrong with it.
        what: String,
    },
    /// A name that does not exist.
    #[error("unknown {kind} '{name}'{}; there are: {}", suggest(.nearest), .known.join(", "))]
    Name {
        /// `game` or `agent`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The most similar name that exists.
        nearest: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// A parameter that does not exist.
    #[error("'{of}' has no parameter '{key}'{}; {}", suggest(.nearest), known_keys(.known))]
    Key {
        /// The game or agent.
        of: String,
        /// The key.
        key: String,
        /// The most similar key that exists.
        nearest: Option<String>,
        /// All keys.
        known: Vec<String>,
    },
    /// A value that the parameter cannot have.
    #[error("'{of}': {key}={value} is not possible: expected {expected}")]
    Value {
        /// The game or agent.
        of: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What may stand there.
        expected: String,
    },
}

fn suggest(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |n| format!(", did you mean '{n}'?"))
}

fn known_keys(known: &[String]) -> String {
    if known.is_empty() { "it takes none".to_string() } else { format!("it takes: {}", known.join(", ")) }
}

/// The text, cut to a length that fits into a message.
pub(crate) fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut short: String = text.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push_str("...");
    }
    short
}

impl FromStr for Spec {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Spec, BadSpec> {
        let text = text.trim();
        let bad = |what: &str| BadSpec::Syntax { text: shortened(text), what: what.to_string() };
        let (name, rest) = match text.find('(') {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        if name.is_empty() {
            return Err(bad("there is no name"));
        }
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || "-+_.".contains(c)) {
            return Err(bad("a name has only letters, digits and '-'"));
        }
        let params = match rest {
            None => Vec::new(),
            Some(rest) => {
                let inner = rest.strip_suffix(')').ok_or_else(|| bad("the closing ')' is missing"))?;
                read_params(inner).map_err(|what| bad(&what))?
            }
        };
        Ok(Spec { name: name.to_string(), params })
    }
}

/// Reads `key=value,...`.
fn read_params(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut params: Vec<(String, String)> = Vec::new();
    for part in split_outside_brackets(text)? {
        let part = part.trim();
        if part.is_empty() && text.trim().is_empty() {
            break;
        }
        let (key, value) = part.split_once('=').ok_or_else(|| format!("'{}' has no '='", shortened(part)))?;
        let (key, value) = (key.trim(), value.trim());
        if key.is_empty() || value.is_empty() {
            return Err(format!("'{}' lacks a key or a value", shortened(part)));
        }
        if params.iter().any(|(k, _)| k == key) {
            return Err(format!("'{}' is given twice", shortened(key)));
        }
        params.push((key.to_string(), value.to_string()));
    }
    Ok(params)
}

/// The parts between those commas that stand outside all brackets.
fn split_outside_brackets(text: &str) -> Result<Vec<&str>, String> {
    let mut open = Vec::new();
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            ')' | ']' if open.pop() != Some(c) => return Err(format!("unbalanced '{c}'")),
            ',' if open.is_empty() => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(missing) => Err(format!("'{missing}' is missing")),
        None => {
            parts.push(&text[from..]);
            Ok(parts)
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.params.is_empty() {
            let params: Vec<_> = self.params.iter().map(|(k, v)| format!("{k}={v}")).collect();
            write!(f, "({})", params.join(","))?;
        }
        Ok(())
    }
}

/// The name most like the one given, if one is like it at all: one that begins with it, or one a few letters
/// away.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let begins = |a: &str| name.len() > 1 && a.starts_with(name);
    let close = |a: &str| (if begins(a) { 1 } else { distance(name, a) }, a.to_string());
    let (edits, best) = known.into_iter().map(close).min()?;
    (edits <= (name.chars().count() / 2).max(2)).then_some(best)
}

/// The number of letters to insert, delete or replace to turn one word into the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replace = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replace.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

impl About {
    /// The about table and the completed specification for a name, which may be a preset's.
    ///
    /// `kind` says in the error message what was looked for.
    pub fn find<'a>(
        all: impl Iterator<Item = &'a About> + Clone,
        kind: &'static str,
        spec: &Spec,
    ) -> Result<(&'a About, Spec), BadSpec> {
        for about in all.clone() {
            if about.name == spec.name {
                return Ok((about, spec.clone()));
            }
            if let Some(preset) = about.presets.iter().find(|p| p.name == spec.name) {
                let mut params = read_params(preset.params).expect("presets are well-formed");
                params.retain(|(key, _)| !spec.params.iter().any(|(k, _)| k == key));
                params.extend(spec.params.iter().cloned());
                return Ok((about, Spec { name: about.name.to_string(), params }));
            }
        }
        let known: Vec<String> = all
            .flat_map(|a| std::iter::once(a.name).chain(a.presets.iter().map(|p| p.name)))
            .map(str::to_string)
            .collect();
        Err(BadSpec::Name {
            kind,
            name: shortened(&spec.name),
            nearest: nearest(&spec.name, known.iter().map(String::as_str)),
            known,
        })
    }

    /// The parameters of a specification, checked against those that exist.
    pub fn params(&'static self, spec: &Spec) -> Result<Params, BadSpec> {
        let known = || self.params.iter().map(|p| p.name);
        if let Some((key, _)) = spec.params.iter().find(|(k, _)| !known().any(|n| n == k)) {
            return Err(BadSpec::Key {
                of: self.name.to_string(),
                key: shortened(key),
                nearest: nearest(key, known()),
                known: known().map(str::to_string).collect(),
            });
        }
        Ok(Params { of: self, given: spec.params.iter().cloned().collect() })
    }

    /// The specification of the game's tiny instance.
    pub fn tiny(&self) -> Spec {
        let params = read_params(self.tiny).expect("the tiny instance is well-formed");
        Spec { name: self.name.to_string(), params }
    }
}

/// The parameters of one specification, defaults filled in.
#[derive(Clone, Debug)]
pub struct Params {
    of: &'static About,
    given: HashMap<String, String>,
}

impl Params {
    /// The parameters when none are given.
    pub fn defaults(of: &'static About) -> Params {
        Params { of, given: HashMap::new() }
    }

    /// Whether a value was given.
    pub fn is_given(&self, key: &str) -> bool {
        self.given.contains_key(key)
    }

    /// The value as it was written.
    ///
    /// # Panics
    /// If the game or agent has no such parameter.
    pub fn text(&self, key: &str) -> &str {
        let declared = self.of.params.iter().find(|p| p.name == key);
        let declared = declared.unwrap_or_else(|| panic!("{} declares no parameter {key}", self.of.name));
        self.given.get(key).map_or(declared.default, String::as_str)
    }

    /// The error for a value that cannot be.
    pub fn bad(&self, key: &str, expected: impl fmt::Display) -> BadSpec {
        BadSpec::Value {
            of: self.of.name.to_string(),
            key: key.to_string(),
            value: shortened(self.text(key)),
            expected: expected.to_string(),
        }
    }

    /// A number within a range.
    pub fn number<T>(&self, key: &str, range: RangeInclusive<T>) -> Result<T, BadSpec>
    where
        T: FromStr + PartialOrd + fmt::Display,
    {
        let number = self.text(key).parse().ok().filter(|n| range.contains(n));
        number.ok_or_else(|| self.bad(key, format!("a number from {} to {}", range.start(), range.end())))
    }

    /// One of several named values.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<T, BadSpec> {
        let text = self.text(key);
        choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            self.bad(key, format!("one of {}", names.join(", ")))
        })
    }

    /// `yes` or `no`.
    pub fn flag(&self, key: &str) -> Result<bool, BadSpec> {
        self.choice(key, &[("yes", true), ("no", false), ("true", true), ("false", false)])
    }

    /// A list `[a,b,...]`.
    pub fn list<T: FromStr>(&self, key: &str) -> Result<Vec<T>, BadSpec> {
        let inner = self.text(key).strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        let items = inner.map(|t| t.split(',').map(|item| item.trim().parse().ok()).collect());
        items.flatten().ok_or_else(|| self.bad(key, "a list such as [1,2,3]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static ABOUT: About = About {
        name: "goofspiel",
        summary: "",
        source: "",
        params: &[
            Param { name: "cards", default: "13", about: "" },
            Param { name: "bids", default: "open", about: "" },
            Param { name: "order", default: "[1,2]", about: "" },
        ],
        presets: &[Preset { name: "hidden-goofspiel", params: "bids=hidden,cards=6", about: "" }],
        tiny: "cards=3",
    };

    fn read(text: &str) -> Result<Params, BadSpec> {
        let (about, spec) = About::find([&ABOUT].into_iter(), "game", &text.parse()?)?;
        assert_eq!(about, &ABOUT);
        ABOUT.params(&spec)
    }

    #[test]
    fn specifications_read_and_print() {
        for text in ["nim", "a(b=c)", "a(b=[1,2],c=d(e=f,g=h))"] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        assert_eq!(
            " a ( b = c , d = e ) ".replace(" (", "(").parse::<Spec>().unwrap().to_string(),
            "a(b=c,d=e)"
        );
        assert_eq!("a()".parse::<Spec>().unwrap().to_string(), "a");
    }

    #[test]
    fn malformed_specifications_are_refused() {
        for text in
            ["", "(", "a(", "a(b)", "a(b=)", "a(=c)", "a(b=c", "a(b=c))", "a(b=[c)", "a b", "a(b=1,b=2)"]
        {
            assert!(matches!(text.parse::<Spec>(), Err(BadSpec::Syntax { .. })), "{text}");
        }
    }

    #[test]
    fn presets_fill_in_and_give_way() {
        let params = read("hidden-goofspiel(cards=4)").unwrap();
        assert_eq!((params.text("bids"), params.text("cards")), ("hidden", "4"));
        assert_eq!(params.list::<u32>("order"), Ok(vec![1, 2]));
    }

    #[test]
    fn errors_name_what_exists_and_the_nearest() {
        let error = read("gofspiel").unwrap_err().to_string();
        assert!(error.contains("did you mean 'goofspiel'?") && error.contains("hidden-goofspiel"), "{error}");
        let error = read("goofspiel(card=3)").unwrap_err().to_string();
        assert!(error.contains("did you mean 'cards'?") && error.contains("bids"), "{error}");
        let error = read("goofspiel(cards=99)").unwrap().number("cards", 1..=13).unwrap_err().to_string();
        assert_eq!(error, "'goofspiel': cards=99 is not possible: expected a number from 1 to 13");
        let error = read("goofspiel(bids=x)").unwrap().choice("bids", &[("open", 1), ("hidden", 2)]);
        assert!(error.unwrap_err().to_string().ends_with("expected one of open, hidden"));
    }
}
