//! A rule sheet: its clauses as written, with `or`, `and` and nested `not` still in place.
//!
//! [`crate::normal`] turns them into plain rules for the reasoners.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::read::{self, Expression};
use crate::symbol::{Symbol, Symbols};
use crate::term::{Term, Variable};

/// Clauses with lists nested deeper than this are refused; the deepest public sheets need about ten levels.
pub const MAX_DEPTH: usize = 200;

/// A relation with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: Symbol,
    /// Its arguments.
    pub args: Vec<Term>,
    /// Where it is written.
    pub span: Span,
    /// Whether it has no arguments but parentheses all the same: `(terminal)`.
    pub needless_parentheses: bool,
}

/// One condition of a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// It holds.
    Atom(Atom),
    /// The terms differ.
    Distinct(Term, Term, Span),
    /// The condition cannot be shown.
    Not(Box<Literal>, Span),
    /// One of them, at least.
    Or(Vec<Literal>, Span),
    /// All of them.
    And(Vec<Literal>, Span),
}

impl Literal {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Literal::Atom(atom) => atom.span,
            Literal::Distinct(_, _, span)
            | Literal::Not(_, span)
            | Literal::Or(_, span)
            | Literal::And(_, span) => *span,
        }
    }
}

/// A fact, or a rule with its conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// What holds.
    pub head: Atom,
    /// If all of these do.
    pub body: Vec<Literal>,
    /// The names of its variables, by number, with their `?`.
    pub variables: Vec<Symbol>,
    /// Whether it is written with `<=`, though its body may be empty.
    pub arrow: bool,
    /// Where it is written.
    pub span: Span,
}

/// A rule sheet that has been read.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What it was read from.
    pub text: Arc<str>,
    /// Its words.
    pub symbols: Arc<Symbols>,
    /// Its clauses in the order in which they are written.
    pub clauses: Vec<Clause>,
}

impl Sheet {
    /// Reads a sheet, or says everything that is wrong with its form.
    pub fn read(text: &str) -> Result<Sheet, Vec<Diagnostic>> {
        let mut symbols = Symbols::default();
        let expressions = read::read(text, &mut symbols).map_err(|d| vec![d])?;
        Sheet::of_expressions(text, Arc::new(symbols), expressions.iter())
    }

    /// Reads a sheet from bytes that should be UTF-8 text.
    pub fn read_bytes(bytes: &[u8]) -> Result<Sheet, Vec<Diagnostic>> {
        Sheet::read(read::text_of(bytes).map_err(|d| vec![d])?)
    }

    /// The sheet that some expressions are, such as the rules inside a START message. Positions refer to `text`.
    pub fn of_expressions<'a>(
        text: &str,
        symbols: Arc<Symbols>,
        expressions: impl Iterator<Item = Expression<'a>>,
    ) -> Result<Sheet, Vec<Diagnostic>> {
        let (mut clauses, mut wrong) = (Vec::new(), Vec::new());
        for expression in expressions {
            match Builder::new(&symbols).clause(expression) {
                Ok(clause) => clauses.push(clause),
                Err(diagnostic) => wrong.push(diagnostic),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(Sheet { text: text.into(), symbols, clauses })
    }

    /// Whether the sheet is plain GDL, in which everybody sees every move: nothing derives `sees` and there is no role
    /// `random`.
    pub fn is_open(&self) -> bool {
        let chance = |term: &Term| matches!(term, Term::Constant(Symbol::RANDOM, _));
        !self.clauses.iter().any(|clause| match clause.head.relation {
            Symbol::SEES => true,
            Symbol::ROLE => clause.head.args.first().is_some_and(chance),
            _ => false,
        })
    }

    /// A word of the sheet.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }
}

/// Builds one clause.
struct Builder<'a> {
    symbols: &'a Symbols,
    variables: Vec<Symbol>,
}

fn malformed(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Malformed, span, message)
}

impl<'a> Builder<'a> {
    fn new(symbols: &'a Symbols) -> Builder<'a> {
        Builder { symbols, variables: Vec::new() }
    }

    fn is_variable(&self, symbol: Symbol) -> bool {
        self.symbols.name(symbol).starts_with('?')
    }

    fn clause(mut self, expression: Expression<'_>) -> Result<Clause, Diagnostic> {
        let span = expression.span();
        let depth = expression.depth();
        if depth > MAX_DEPTH {
            let message = format!("lists are nested {depth} deep here; a clause may have {MAX_DEPTH} levels");
            return Err(Diagnostic::error(Code::TooDeep, span, message));
        }
        let mut items = expression.items();
        let arrow = items.next().and_then(Expression::word) == Some(Symbol::IF);
        let (head, body) = if arrow {
            let head = items.next().ok_or_else(|| {
                malformed(span, "this rule has no head").help("write (<= head condition ...)")
            })?;
            let head = self.head(head)?;
            (head, items.map(|item| self.literal(item)).collect::<Result<_, _>>()?)
        } else {
            (self.head(expression)?, Vec::new())
        };
        Ok(Clause { head, body, variables: self.variables, arrow, span })
    }

    fn head(&mut self, expression: Expression<'_>) -> Result<Atom, Diagnostic> {
        let word = expression.word().or_else(|| expression.items().next()?.word());
        if let Some(word @ (Symbol::NOT | Symbol::OR | Symbol::AND | Symbol::DISTINCT)) = word {
            let message = format!("'{}' cannot be what a rule derives", self.symbols.name(word));
            return Err(
                malformed(expression.span(), message).help("it belongs into the conditions of a rule")
            );
        }
        self.atom(expression)
    }

    fn atom(&mut self, expression: Expression<'_>) -> Result<Atom, Diagnostic> {
        let span = expression.span();
        if let Some(relation) = expression.word() {
            self.relation(relation, span)?;
            return Ok(Atom { relation, args: Vec::new(), span, needless_parentheses: false });
        }
        let mut items = expression.items();
        let relation = self.list_head(span, items.next())?;
        let args: Vec<Term> = items.map(|item| self.term(item)).collect::<Result<_, _>>()?;
        Ok(Atom { relation, needless_parentheses: args.is_empty(), args, span })
    }

    fn relation(&self, word: Symbol, span: Span) -> Result<(), Diagnostic> {
        if self.is_variable(word) {
            let message = format!("the variable {} stands where a relation must", self.symbols.name(word));
            return Err(malformed(span, message));
        }
        if word == Symbol::IF {
            return Err(malformed(span, "'<=' can only begin a rule").help("check the parentheses around it"));
        }
        Ok(())
    }

    /// The word a list begins with.
    fn list_head(&self, span: Span, first: Option<Expression<'_>>) -> Result<Symbol, Diagnostic> {
        let first = first.ok_or_else(|| malformed(span, "an empty list means nothing here"))?;
        let word = first.word().ok_or_else(|| {
            malformed(first.span(), "a list begins with another list, not with a relation or function")
                .help("check the parentheses around it")
        })?;
        self.relation(word, first.span())?;
        Ok(word)
    }

    fn literal(&mut self, expression: Expression<'_>) -> Result<Literal, Diagnostic> {
        let span = expression.span();
        let mut items = expression.items();
        let word = items.next().and_then(Expression::word);
        let count = items.by_ref().count();
        let mut items = expression.items().skip(1);
        let needs = |what: &str| Err(malformed(span, format!("{what}, not {count}")));
        match word.or(expression.word()) {
            Some(Symbol::NOT) => match (items.next(), count) {
                (Some(item), 1) => Ok(Literal::Not(Box::new(self.literal(item)?), span)),
                _ => needs("'not' takes one condition"),
            },
            Some(word @ (Symbol::OR | Symbol::AND)) => {
                let all = items.map(|item| self.literal(item)).collect::<Result<Vec<_>, _>>()?;
                match word {
                    _ if all.is_empty() => needs("'or' and 'and' take one condition or more"),
                    Symbol::OR => Ok(Literal::Or(all, span)),
                    _ => Ok(Literal::And(all, span)),
                }
            }
            Some(Symbol::DISTINCT) => match (items.next(), items.next(), count) {
                (Some(a), Some(b), 2) => Ok(Literal::Distinct(self.term(a)?, self.term(b)?, span)),
                _ => needs("'distinct' takes two terms"),
            },
            _ => Ok(Literal::Atom(self.atom(expression)?)),
        }
    }

    fn term(&mut self, expression: Expression<'_>) -> Result<Term, Diagnostic> {
        let span = expression.span();
        if let Some(word) = expression.word() {
            if !self.is_variable(word) {
                return Ok(Term::Constant(word, span));
            }
            let number = self.variables.iter().position(|&v| v == word).unwrap_or_else(|| {
                self.variables.push(word);
                self.variables.len() - 1
            });
            return Ok(Term::Variable(Variable(number as u32), span));
        }
        let mut items = expression.items();
        let function = self.list_head(span, items.next())?;
        let args: Vec<Term> = items.map(|item| self.term(item)).collect::<Result<_, _>>()?;
        if args.is_empty() {
            return Ok(Term::Constant(function, span));
        }
        Ok(Term::Compound(function, args, span))
    }
}
