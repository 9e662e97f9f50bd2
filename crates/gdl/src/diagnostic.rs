//! What is wrong with a text, where, and what to do about it.

use serde::Serialize;

/// A stretch of a text, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct Span {
    /// Where it begins.
    pub start: u32,
    /// Where it has ended.
    pub end: u32,
}

impl Span {
    /// The stretch from the one byte up to, not including, the other.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The shortest stretch with both in it.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes of this stretch.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place in a text as an editor shows it. Both count from 1; columns are characters, not bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The place of a byte of a text. Bytes beyond its end, or inside a character, stand for what precedes them.
    pub fn of(text: &str, byte: usize) -> Position {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &text[..byte];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Position {
            line: 1 + before.bytes().filter(|&b| b == b'\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}

/// The lines of a text, for looking up many positions.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn of(text: &'a str) -> Lines<'a> {
        let ends = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The place of a byte, as [`Position::of`] gives it.
    pub fn position(&self, byte: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= byte.min(self.text.len()));
        let start = self.starts[line - 1];
        Position { line, column: Position::of(&self.text[start..], byte.saturating_sub(start)).column }
    }
}

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; the sheet means what its author meant.
    Warning,
    /// The sheet cannot be accepted.
    Error,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {
        /// What kind of trouble it is. The written names are stable.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
        pub enum Code {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// Its stable name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// The bytes are not UTF-8.
    NotText "not-text";
    /// The text is larger than any rule sheet.
    TooLarge "too-large";
    /// A parenthesis is never closed.
    Unclosed "unclosed";
    /// A parenthesis is closed that was never opened.
    Unopened "unopened";
    /// Lists inside lists, far deeper than any rule needs.
    TooDeep "too-deep";
    /// Something that is neither a fact nor a rule.
    Malformed "malformed";
    /// `or`s whose combinations are too many.
    TooManyCases "too-many-cases";
    /// A relation or function with different numbers of arguments.
    Arity "arity";
    /// A keyword with the wrong number of arguments.
    KeywordArity "keyword-arity";
    /// `true` or `does` derived by a rule.
    Given "given";
    /// `init`, `next` or `sees` among conditions.
    Placement "placement";
    /// A variable that no condition binds.
    Unsafe "unsafe";
    /// A relation that depends on its own absence.
    Unstratified "unstratified";
    /// A recursion that may derive infinitely many facts.
    Recursion "recursion";
    /// A relation that depends on what is not there when it is derived.
    Dependence "dependence";
    /// A relation that depends on what it should not depend on.
    DoubtfulDependence "doubtful-dependence";
    /// A role that is not a plain fact.
    DerivedRole "derived-role";
    /// No role at all.
    NoRole "no-role";
    /// No rules for what is legal, for the end or for the goals.
    Missing "missing";
    /// No initial state, or no state but that.
    NoChange "no-change";
    /// A role that the sheet does not have.
    UnknownRole "unknown-role";
    /// A goal that is no whole number from 0 to 100.
    GoalValue "goal-value";
    /// Hidden information or chance in a sheet that should have neither.
    NotGdl "not-gdl";
    /// `random` as something other than a role, or perceiving something.
    RandomUse "random-use";
    /// Parentheses around a word without arguments.
    NeedlessParentheses "needless-parentheses";
    /// A rule without conditions.
    EmptyBody "empty-body";
    /// `(not (distinct ...))`.
    NotDistinct "not-distinct";
    /// `and`, or `not` around more than a relation.
    Nested "nested";
    /// `does` as a function, as percepts have it.
    DoesFunction "does-function";
    /// Another keyword as a function.
    KeywordFunction "keyword-function";
    /// A relation that nothing derives.
    Underived "underived";
    /// A clause that is written twice.
    Repeated "repeated";
    /// A word in different cases.
    Case "case";
}

/// One complaint about a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    /// What kind of trouble it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without advice.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity: Severity::Error, span, message: message.into(), help: None }
    }

    /// A warning without advice.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// The same with advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters() {
        let text = "ab\nçd\n";
        let at = |byte| Position::of(text, byte);
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(2), Position { line: 1, column: 3 });
        assert_eq!(at(3), Position { line: 2, column: 1 });
        assert_eq!(at(4), Position { line: 2, column: 1 }, "inside a character");
        assert_eq!(at(5), Position { line: 2, column: 2 });
        assert_eq!(at(1000), Position { line: 3, column: 1 });
        let lines = Lines::of(text);
        for byte in 0..10 {
            assert_eq!(lines.position(byte), at(byte), "{byte}");
        }
    }
}
