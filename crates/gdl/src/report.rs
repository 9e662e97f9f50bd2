//! What a check found: for people, pointing into the text, and for programs, as JSON.

use ariadne::{CharSet, Config, IndexType, Label, ReportKind, Source};
use serde::Serialize;

use crate::check::{Level, check};
use crate::diagnostic::{Code, Diagnostic, Lines, Position, Severity, Span};
use crate::read;
use crate::sheet::Sheet;

/// More complaints than this are counted, not shown.
const SHOWN: usize = 50;

/// What a check of a text found.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was checked, as far as it is text.
    text: String,
    /// The sheet, if the text is one.
    pub sheet: Option<Sheet>,
    /// The level it was checked at.
    pub level: Level,
    /// Everything found, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// A complaint as programs read it.
#[derive(Serialize)]
struct Entry<'a> {
    code: Code,
    severity: Severity,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    span: Span,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Json<'a> {
    level: Level,
    accepted: bool,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Entry<'a>>,
}

impl Report {
    /// Reads and checks a text.
    pub fn of(bytes: &[u8], level: Level) -> Report {
        let text = match read::text_of(bytes) {
            Ok(text) => text.to_string(),
            Err(diagnostic) => {
                let end = diagnostic.span.start as usize;
                let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
                return Report { text, sheet: None, level, diagnostics: vec![diagnostic] };
            }
        };
        match Sheet::read(&text) {
            Ok(sheet) => {
                let diagnostics = check(&sheet, level);
                Report { text, sheet: Some(sheet), level, diagnostics }
            }
            Err(diagnostics) => Report { text, sheet: None, level, diagnostics },
        }
    }

    /// Whether there are no errors.
    pub fn accepted(&self) -> bool {
        self.count(Severity::Error) == 0
    }

    /// How many complaints there are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == severity).count()
    }

    /// Where a complaint is.
    pub fn position(&self, diagnostic: &Diagnostic) -> Position {
        Position::of(&self.text, diagnostic.span.start as usize)
    }

    /// The report as JSON: level, accepted, errors, warnings, and every complaint with its code, place, message
    /// and advice.
    pub fn json(&self) -> serde_json::Value {
        let lines = Lines::of(&self.text);
        let entries = self.diagnostics.iter().map(|d| {
            let (start, end) = (lines.position(d.span.start as usize), lines.position(d.span.end as usize));
            Entry {
                code: d.code,
                severity: d.severity,
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                span: d.span,
                message: &d.message,
                help: d.help.as_deref(),
            }
        });
        let json = Json {
            level: self.level,
            accepted: self.accepted(),
            errors: self.count(Severity::Error),
            warnings: self.count(Severity::Warning),
            diagnostics: entries.collect(),
        };
        serde_json::to_value(json).expect("plain data")
    }

    /// The report for people: each complaint points into the text, which is called `name`.
    pub fn render(&self, name: &str, colour: bool) -> String {
        let mut out = Vec::new();
        let source = Source::from(self.text.as_str());
        let config = Config::default()
            .with_color(colour)
            .with_index_type(IndexType::Byte)
            .with_char_set(if colour { CharSet::Unicode } else { CharSet::Ascii });
        for diagnostic in self.diagnostics.iter().take(SHOWN) {
            let kind = match diagnostic.severity {
                Severity::Error => ReportKind::Error,
                Severity::Warning => ReportKind::Warning,
            };
            let end = self.text.len();
            let span =
                (name, (diagnostic.span.start as usize).min(end)..(diagnostic.span.end as usize).min(end));
            let mut report = ariadne::Report::build(kind, span.clone())
                .with_config(config)
                .with_code(diagnostic.code.name())
                .with_message(&diagnostic.message)
                .with_label(Label::new(span).with_message("here"));
            if let Some(help) = &diagnostic.help {
                report = report.with_help(help);
            }
            // Writing into memory does not fail.
            let _ = report.finish().write((name, &source), &mut out);
        }
        let mut out = String::from_utf8_lossy(&out).into_owned();
        if self.diagnostics.len() > SHOWN {
            out.push_str(&format!("... and {} more\n", self.diagnostics.len() - SHOWN));
        }
        out
    }
}
