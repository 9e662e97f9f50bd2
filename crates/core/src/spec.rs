//! Specification strings: `name` or `name(key=value,...)`, for games and agents alike.
//!
//! A value is any text; commas, brackets and parentheses may stand in it as long as brackets and
//! parentheses balance: `nim(heaps=[3,4,5])`, `pimc(search=uct(c=0.7))`. What exists is described by
//! [`About`] tables, from which reading, help and error messages all come.

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::Player;
use crate::told::Told;

/// A name with parameters, as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What is meant.
    pub name: String,
    /// Keys and values in the order given.
    pub params: Vec<(String, String)>,
}

/// A parameter that exists.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param {
    /// The key.
    pub name: &'static str,
    /// Other keys that are read as this one.
    pub aliases: &'static [&'static str],
    /// The value when none is given.
    pub default: &'static str,
    /// What values it has.
    pub domain: Domain,
    /// What it means and what may be given.
    pub about: &'static str,
    /// The only seat that may know it, and what others are told; `None` if everybody may.
    pub secret: Option<(Player, Told)>,
}

impl Param {
    /// A parameter with one key.
    pub const fn new(
        name: &'static str,
        default: &'static str,
        domain: Domain,
        about: &'static str,
    ) -> Param {
        Param { name, aliases: &[], default, domain, about, secret: None }
    }

    /// The same, also read under these keys.
    #[must_use]
    pub const fn or(self, aliases: &'static [&'static str]) -> Param {
        Param { aliases, ..self }
    }

    /// The same, which no other seat than this may know.
    #[must_use]
    pub const fn known_only_to(self, seat: Player, told: Told) -> Param {
        Param { secret: Some((seat, told)), ..self }
    }

    /// Whether this is the parameter that a key stands for.
    pub fn is(&self, key: &str) -> bool {
        self.name == key || self.aliases.contains(&key)
    }
}

/// What values a parameter has: what is read, what help and forms offer, what can be tuned, what reaches outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Domain {
    /// A text with a grammar of its own.
    Text,
    /// A whole number from the first to the second.
    Integer(i128, i128),
    /// A real number from the first to the second.
    Real(f64, f64),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `yes` or `no`.
    Flag,
    /// A time such as `500ms`, or `none`.
    Time,
    /// A list `[a,b,...]`.
    List,
    /// The path of a file.
    File,
    /// A program with arguments.
    Command,
    /// This word, or a value of this domain.
    Or(&'static str, &'static Domain),
}

/// The names of all these named values, for [`Domain::Choice`].
pub const fn names<T, const N: usize>(named: &[(&'static str, T)]) -> [&'static str; N] {
    assert!(named.len() == N);
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = named[i].0;
        i += 1;
    }
    names
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
#[derive(Clone, Copy, PartialEq, Debug)]
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
    /// Something that exists, but not for whoever asks here.
    #[error("'{of}' cannot be used here: {why}")]
    Refused {
        /// The game, the agent or the parameter.
        of: String,
        /// Why not.
        why: String,
    },
}

fn suggest(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |n| format!(", did you mean '{n}'?"))
}

fn known_keys(known: &[String]) -> String {
    if known.is_empty() { "it takes none".to_string() } else { format!("it takes: {}", known.join(", ")) }
}

/// The text, cut to a length that fits into a message.
pub fn shortened(text: &str) -> String {
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

/// The three names most like the one given, in any case of letters, the most like it first.
pub fn nearest_few<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let name = name.to_lowercase();
    let mut all: Vec<(usize, &str)> =
        known.into_iter().map(|a| (distance(&name, &a.to_lowercase()), a)).collect();
    all.sort_by_key(|(edits, _)| *edits);
    all.into_iter().take(3).map(|(_, a)| a.to_string()).collect()
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
    /// Something with these parameters and without presets.
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        source: &'static str,
        params: &'static [Param],
    ) -> About {
        About { name, summary, source, params, presets: &[], tiny: "" }
    }

    /// The parameter that a key stands for.
    pub fn param(&self, key: &str) -> Option<&'static Param> {
        self.params.iter().find(|p| p.is(key))
    }

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
                let same = |a: &str, b: &str| a == b || about.param(a).is_some_and(|p| p.is(b));
                params.retain(|(key, _)| !spec.params.iter().any(|(k, _)| same(k, key)));
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
        let mut given = HashMap::new();
        for (key, value) in &spec.params {
            let known = || self.params.iter().map(|p| p.name);
            let param = self.param(key).ok_or_else(|| BadSpec::Key {
                of: self.name.to_string(),
                key: shortened(key),
                nearest: nearest(key, known()),
                known: known().map(str::to_string).collect(),
            })?;
            if given.insert(param.name, (key.clone(), value.clone())).is_some() {
                let what = format!("'{}' is given twice", param.name);
                return Err(BadSpec::Syntax { text: shortened(&spec.to_string()), what });
            }
        }
        Ok(Params { of: self, given })
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
    /// By name, with the key as it was written.
    given: HashMap<&'static str, (String, String)>,
}

impl Params {
    /// The parameters when none are given.
    pub fn defaults(of: &'static About) -> Params {
        Params { of, given: HashMap::new() }
    }

    /// What they are parameters of.
    pub fn of(&self) -> &'static About {
        self.of
    }

    /// Whether a value was given.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    fn declared(&self, name: &str) -> &'static Param {
        let declared = self.of.params.iter().find(|p| p.name == name);
        declared.unwrap_or_else(|| panic!("{} declares no parameter {name}", self.of.name))
    }

    /// The value as it was written.
    ///
    /// # Panics
    /// If the game or agent has no such parameter, as all that read one.
    pub fn text(&self, name: &str) -> &str {
        self.given.get(name).map_or_else(|| self.declared(name).default, |(_, value)| value)
    }

    /// The key that was written for a parameter.
    fn key<'a>(&'a self, name: &'a str) -> &'a str {
        self.given.get(name).map_or(name, |(key, _)| key)
    }

    /// A parameter and its value, `key=value`, as they were written.
    pub fn written(&self, name: &str) -> String {
        format!("{}={}", self.key(name), self.text(name))
    }

    /// The error for a value that cannot be.
    pub fn bad(&self, name: &str, expected: impl fmt::Display) -> BadSpec {
        BadSpec::Value {
            of: self.of.name.to_string(),
            key: self.key(name).to_string(),
            value: shortened(self.text(name)),
            expected: expected.to_string(),
        }
    }

    /// A number within the range that the parameter has.
    pub fn number<T: FromStr>(&self, name: &str) -> Result<T, BadSpec> {
        let mut domain = self.declared(name).domain;
        while let Domain::Or(_, other) = domain {
            domain = *other;
        }
        let text = self.text(name);
        let (fits, range) = match domain {
            Domain::Integer(least, most) => {
                let fits = text.parse().is_ok_and(|n: i128| (least..=most).contains(&n));
                (fits, format!("a number from {least} to {most}"))
            }
            Domain::Real(least, most) => {
                let fits = text.parse().is_ok_and(|n: f64| (least..=most).contains(&n));
                (fits, format!("a number from {least} to {most}"))
            }
            domain => panic!("{name} of {} is no number but {domain:?}", self.of.name),
        };
        text.parse().ok().filter(|_| fits).ok_or_else(|| self.bad(name, range))
    }

    /// A number within the range that the parameter has, unless it is the word that stands for none
    /// ([`Domain::Or`]).
    pub fn number_unless<T: FromStr>(&self, name: &str) -> Result<Option<T>, BadSpec> {
        match self.declared(name).domain {
            Domain::Or(word, _) if word == self.text(name) => Ok(None),
            _ => self.number(name).map(Some),
        }
    }

    /// A number within a narrower range than the parameter has, one that depends on others.
    pub fn number_within<T>(&self, name: &str, range: RangeInclusive<T>) -> Result<T, BadSpec>
    where
        T: FromStr + PartialOrd + fmt::Display,
    {
        let number = self.text(name).parse().ok().filter(|n| range.contains(n));
        number.ok_or_else(|| self.bad(name, format!("a number from {} to {}", range.start(), range.end())))
    }

    /// What the chosen word stands for: one value for each that the parameter has, in the same order.
    pub fn choice<T: Copy>(&self, name: &str, values: &[T]) -> Result<T, BadSpec> {
        let Domain::Choice(words) = self.declared(name).domain else {
            panic!("{name} of {} is no choice", self.of.name);
        };
        assert_eq!(words.len(), values.len(), "{name} of {} has {words:?}", self.of.name);
        let place = words.iter().position(|word| *word == self.text(name));
        place.map(|place| values[place]).ok_or_else(|| self.bad(name, format!("one of {}", words.join(", "))))
    }

    /// Whether all values are numbers, words and flags as their domains have them. What else may be wrong is found out by
    /// whoever reads them.
    pub fn check(&self) -> Result<(), BadSpec> {
        self.of.params.iter().try_for_each(|p| match p.domain {
            Domain::Integer(..) | Domain::Real(..) => self.number::<f64>(p.name).map(|_| ()),
            Domain::Choice(words) => self.choice(p.name, words).map(|_| ()),
            Domain::Flag => self.flag(p.name).map(|_| ()),
            _ => Ok(()),
        })
    }

    /// What the chosen word stands for among named values, of which the parameter has the names ([`names`]).
    pub fn named<T: Copy>(&self, name: &str, named: &[(&str, T)]) -> Result<T, BadSpec> {
        self.choice(name, &named.iter().map(|(_, value)| *value).collect::<Vec<_>>())
    }

    /// `yes` or `no`.
    pub fn flag(&self, name: &str) -> Result<bool, BadSpec> {
        match self.text(name) {
            "yes" | "true" => Ok(true),
            "no" | "false" => Ok(false),
            _ => Err(self.bad(name, "one of yes, no, true, false")),
        }
    }

    /// A list `[a,b,...]`.
    pub fn list<T: FromStr>(&self, name: &str) -> Result<Vec<T>, BadSpec> {
        let inner = self.text(name).strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        let items = inner.map(|t| t.split(',').map(|item| item.trim().parse().ok()).collect());
        items.flatten().ok_or_else(|| self.bad(name, "a list such as [1,2,3]"))
    }

    /// A time, unless it is `none`.
    pub fn time(&self, name: &str) -> Result<Option<Duration>, BadSpec> {
        match self.text(name) {
            "none" => Ok(None),
            text => {
                let time = time_from_text(text);
                time.map(Some).ok_or_else(|| self.bad(name, "a time such as 500ms, 1s, 2m or 1h"))
            }
        }
    }
}

/// A time such as `500ms`, `1.5s`, `2m` or `1h`, up to a day.
pub fn time_from_text(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic())?);
    let scale = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * scale;
    (seconds > 0.0 && seconds <= 86_400.0).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    static ABOUT: About = About {
        name: "goofspiel",
        summary: "",
        source: "",
        params: &[
            Param::new("cards", "13", Domain::Integer(1, 13), ""),
            Param::new("bids", "open", Domain::Choice(&["open", "hidden"]), "").or(&["offers"]),
            Param::new("order", "[1,2]", Domain::List, ""),
            Param::new("limit", "none", Domain::Or("none", &Domain::Real(0.5, 2.0)), ""),
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
    fn values_are_read_by_their_domains_under_any_key() {
        let params = read("hidden-goofspiel(offers=open,limit=1.5)").unwrap();
        assert_eq!((params.choice("bids", &[1, 2]), params.number("cards")), (Ok(1), Ok(6)));
        assert_eq!(params.number_unless("limit"), Ok(Some(1.5)));
        assert_eq!(read("goofspiel").unwrap().number_unless::<f64>("limit"), Ok(None));
        assert_eq!(params.written("bids"), "offers=open");
        let error = read("goofspiel(offers=x)").unwrap().choice("bids", &[1, 2]).unwrap_err();
        assert!(error.to_string().starts_with("'goofspiel': offers=x is not possible"));
        assert!(read("goofspiel(limit=nan)").unwrap().number_unless::<f64>("limit").is_err());
    }

    #[test]
    fn errors_name_what_exists_and_the_nearest() {
        let error = read("gofspiel").unwrap_err().to_string();
        assert!(error.contains("did you mean 'goofspiel'?") && error.contains("hidden-goofspiel"), "{error}");
        let error = read("goofspiel(card=3)").unwrap_err().to_string();
        assert!(error.contains("did you mean 'cards'?") && error.contains("bids"), "{error}");
        let error = read("goofspiel(cards=99)").unwrap().number::<u8>("cards").unwrap_err().to_string();
        assert_eq!(error, "'goofspiel': cards=99 is not possible: expected a number from 1 to 13");
        let error = read("goofspiel(bids=x)").unwrap().choice("bids", &[1, 2]);
        assert!(error.unwrap_err().to_string().ends_with("expected one of open, hidden"));
        let error = read("goofspiel(bids=open,offers=hidden)").unwrap_err().to_string();
        assert!(error.ends_with("'bids' is given twice"), "{error}");
    }
}
