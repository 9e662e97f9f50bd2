//! How strictly sheets are looked at.

use std::str::FromStr;

use serde::Serialize;

use crate::diagnostic::{Code, Severity};

/// How strictly a sheet is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// GDL as its report defines it.
    Strict,
    /// GDL with `sees` and `random`.
    #[serde(rename = "gdl-ii")]
    GdlII,
    /// Whatever has a meaning.
    Lenient,
}

impl Level {
    /// All levels with their names.
    pub const ALL: [(&'static str, Level); 3] =
        [("strict", Level::Strict), ("gdl-ii", Level::GdlII), ("lenient", Level::Lenient)];
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let level = Level::ALL.iter().find(|(name, _)| *name == text);
        level
            .map(|&(_, level)| level)
            .ok_or_else(|| format!("'{text}' is no level of checking; there are strict, gdl-ii and lenient"))
    }
}

/// How bad a trouble is at a level; `None` if it is none there.
pub fn severity(code: Code, level: Level) -> Option<Severity> {
    const E: Option<Severity> = Some(Severity::Error);
    const W: Option<Severity> = Some(Severity::Warning);
    const FINE: Option<Severity> = None;
    let [strict, gdl_ii, lenient] = match code {
        Code::NotText
        | Code::TooLarge
        | Code::Unclosed
        | Code::Unopened
        | Code::TooDeep
        | Code::Malformed
        | Code::TooManyCases
        | Code::KeywordArity
        | Code::Given
        | Code::Unsafe
        | Code::Unstratified
        | Code::Dependence
        | Code::NoRole => [E, E, E],
        Code::Placement | Code::Recursion | Code::DoubtfulDependence | Code::Missing | Code::GoalValue => {
            [E, E, W]
        }
        Code::Arity
        | Code::DerivedRole
        | Code::NeedlessParentheses
        | Code::EmptyBody
        | Code::NotDistinct
        | Code::KeywordFunction => [E, W, W],
        Code::Nested => [E, W, FINE],
        Code::NotGdl | Code::DoesFunction => [E, FINE, FINE],
        Code::RandomUse => [E, W, W],
        Code::NoChange | Code::UnknownRole | Code::Underived | Code::Repeated | Code::Case => [W, W, W],
    };
    match level {
        Level::Strict => strict,
        Level::GdlII => gdl_ii,
        Level::Lenient => lenient,
    }
}
