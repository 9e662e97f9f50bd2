//! Reads KIF: words and lists in parentheses, with `;` comments.
//!
//! A word is any run of characters other than white space, parentheses and `;`, so `++`, `?n++` and `a.b` are
//! words like any other. The reader keeps no stack of calls and builds no nested boxes: expressions lie flat in one
//! vector, so a hundred thousand open parentheses cost a hundred thousand small nodes and nothing else.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::symbol::{Symbol, Symbols};

/// The largest text that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;
/// The most words and lists that one text may have.
pub const MAX_NODES: usize = 16 << 20;

const LIST: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The symbol's number, or [`LIST`].
    word: u32,
    /// The node that follows this one and all that is in it.
    after: u32,
    span: Span,
}

/// All expressions of a text.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    nodes: Vec<Node>,
}

/// One expression: a word or a list.
#[derive(Clone, Copy, Debug)]
pub struct Expression<'a> {
    all: &'a Expressions,
    at: usize,
}

/// The expressions of a text. Words are added to the table.
pub fn read(text: &str, symbols: &mut Symbols) -> Result<Expressions, Diagnostic> {
    if text.len() > MAX_BYTES {
        let message =
            format!("the text has {} MB; a rule sheet has at most {}", text.len() >> 20, MAX_BYTES >> 20);
        return Err(Diagnostic::error(Code::TooLarge, Span::default(), message));
    }
    let mut all = Expressions::default();
    let mut open: Vec<u32> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if all.nodes.len() >= MAX_NODES {
            let message = format!("more than {MAX_NODES} words and lists; this is not a rule sheet");
            return Err(Diagnostic::error(Code::TooLarge, Span::new(at, at + 1), message));
        }
        match bytes[at] {
            b'(' => {
                open.push(all.nodes.len() as u32);
                all.nodes.push(Node { word: LIST, after: 0, span: Span::new(at, at + 1) });
                at += 1;
            }
            b')' => {
                let Some(list) = open.pop() else {
                    let message = "this parenthesis closes nothing";
                    return Err(Diagnostic::error(Code::Unopened, Span::new(at, at + 1), message)
                        .help("remove it, or open one before it"));
                };
                at += 1;
                let after = all.nodes.len() as u32;
                let list = &mut all.nodes[list as usize];
                list.after = after;
                list.span.end = at as u32;
            }
            b';' => at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at),
            byte if byte.is_ascii_whitespace() || byte == 0x0b => at += 1,
            _ => {
                let rest = &text[at..];
                // A byte order mark is no part of a word, wherever it is.
                let ends = |c: char| matches!(c, '(' | ')' | ';' | '\u{feff}') || c.is_whitespace();
                let end = rest.find(ends);
                let end = at + end.unwrap_or(rest.len());
                if end == at {
                    // White space outside ASCII.
                    at += rest.chars().next().map_or(1, char::len_utf8);
                    continue;
                }
                let symbol = symbols.intern(&text[at..end]);
                let after = all.nodes.len() as u32 + 1;
                all.nodes.push(Node { word: symbol.0, after, span: Span::new(at, end) });
                at = end;
            }
        }
    }
    match open.pop() {
        None => Ok(all),
        Some(list) => {
            let span = all.nodes[list as usize].span;
            let message = match open.len() {
                0 => "this parenthesis is never closed".to_string(),
                more => format!("this parenthesis is never closed, nor are {more} around it"),
            };
            Err(Diagnostic::error(Code::Unclosed, span, message).help("add ')' where the list ends"))
        }
    }
}

/// The text of bytes that should be UTF-8.
pub fn text_of(bytes: &[u8]) -> Result<&str, Diagnostic> {
    std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to();
        let message = format!("byte {at} is not UTF-8 text");
        Diagnostic::error(Code::NotText, Span::new(at, at + 1), message).help("save the file as UTF-8")
    })
}

impl Expressions {
    /// The expressions that are in no list.
    pub fn iter(&self) -> impl Iterator<Item = Expression<'_>> {
        self.between(0, self.nodes.len())
    }

    /// All words, in lists or not, in the order in which they are written.
    pub fn words(&self) -> impl Iterator<Item = (Symbol, Span)> {
        self.nodes.iter().filter(|node| node.word != LIST).map(|node| (Symbol(node.word), node.span))
    }

    fn between(&self, start: usize, end: usize) -> impl Iterator<Item = Expression<'_>> {
        let mut at = start;
        std::iter::from_fn(move || {
            let here = (at < end).then_some(Expression { all: self, at })?;
            at = self.nodes[at].after as usize;
            Some(here)
        })
    }
}

impl<'a> Expression<'a> {
    /// Where it stands in the text.
    pub fn span(self) -> Span {
        self.all.nodes[self.at].span
    }

    /// The word it is, if it is one.
    pub fn word(self) -> Option<Symbol> {
        match self.all.nodes[self.at].word {
            LIST => None,
            word => Some(Symbol(word)),
        }
    }

    /// The expressions in this list; none in a word.
    pub fn items(self) -> impl Iterator<Item = Expression<'a>> {
        let end = if self.word().is_some() { self.at + 1 } else { self.all.nodes[self.at].after as usize };
        self.all.between(self.at + 1, end)
    }

    /// How many lists lie around one another in this expression, itself included.
    pub fn depth(self) -> usize {
        let end = self.all.nodes[self.at].after as usize;
        let (mut ends, mut deepest) = (Vec::new(), 0);
        for (at, node) in self.all.nodes.iter().enumerate().take(end).skip(self.at) {
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
            }
            if node.word == LIST {
                ends.push(node.after as usize);
                deepest = deepest.max(ends.len());
            }
        }
        deepest
    }

    /// It, written in one line.
    pub fn text(self, symbols: &Symbols) -> String {
        let end = self.all.nodes[self.at].after as usize;
        let (mut ends, mut out) = (Vec::new(), String::new());
        for (at, node) in self.all.nodes.iter().enumerate().take(end).skip(self.at) {
            while ends.last().is_some_and(|&end| end <= at) {
                ends.pop();
                out.push(')');
            }
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            match node.word {
                LIST => {
                    out.push('(');
                    ends.push(node.after as usize);
                }
                word => out.push_str(symbols.name(Symbol(word))),
            }
        }
        out.extend(ends.iter().map(|_| ')'));
        out
    }
}
