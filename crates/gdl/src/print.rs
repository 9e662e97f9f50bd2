//! Writes clauses as text: in one line, or a whole sheet neatly.
//!
//! What is printed reads back to the same clauses. Variables keep their names; comments are not kept.

use crate::sheet::{Atom, Clause, Literal, Sheet};
use crate::symbol::Symbols;
use crate::term::Term;

/// Lines are broken when they grow longer than this.
const WIDTH: usize = 100;

/// A clause in one line.
pub fn clause_line(clause: &Clause, symbols: &Symbols) -> String {
    let printer = Printer { symbols, clause };
    let mut out = String::new();
    if !clause.arrow {
        printer.atom(&clause.head, &mut out);
        return out;
    }
    out.push_str("(<= ");
    printer.atom(&clause.head, &mut out);
    for literal in &clause.body {
        out.push(' ');
        printer.literal(literal, &mut out);
    }
    out.push(')');
    out
}

/// A clause, broken into lines where it is long: the head first, then one condition a line.
pub fn clause(clause: &Clause, symbols: &Symbols) -> String {
    let line = clause_line(clause, symbols);
    if line.chars().count() <= WIDTH || clause.body.is_empty() {
        return line;
    }
    let printer = Printer { symbols, clause };
    let mut out = String::from("(<= ");
    printer.atom(&clause.head, &mut out);
    for literal in &clause.body {
        out.push_str("\n    ");
        printer.broken(literal, 4, &mut out);
    }
    out.push(')');
    out
}

/// A whole sheet, one clause after the other; an empty line where the relation changes that clauses derive.
pub fn sheet(sheet: &Sheet) -> String {
    let mut out = String::new();
    let mut last = None;
    for one in &sheet.clauses {
        if last.is_some_and(|relation| relation != one.head.relation) {
            out.push('\n');
        }
        last = Some(one.head.relation);
        out.push_str(&clause(one, &sheet.symbols));
        out.push('\n');
    }
    out
}

struct Printer<'a> {
    symbols: &'a Symbols,
    clause: &'a Clause,
}

impl Printer<'_> {
    fn atom(&self, atom: &Atom, out: &mut String) {
        let name = self.symbols.name(atom.relation);
        if atom.args.is_empty() {
            out.push_str(name);
            return;
        }
        out.push('(');
        out.push_str(name);
        for term in &atom.args {
            out.push(' ');
            self.term(term, out);
        }
        out.push(')');
    }

    fn term(&self, term: &Term, out: &mut String) {
        match term {
            Term::Variable(v, _) => out.push_str(self.symbols.name(self.clause.variables[v.index()])),
            Term::Constant(symbol, _) => out.push_str(self.symbols.name(*symbol)),
            Term::Compound(symbol, args, _) => {
                out.push('(');
                out.push_str(self.symbols.name(*symbol));
                for arg in args {
                    out.push(' ');
                    self.term(arg, out);
                }
                out.push(')');
            }
        }
    }

    fn literal(&self, literal: &Literal, out: &mut String) {
        match literal {
            Literal::Atom(atom) => self.atom(atom, out),
            Literal::Distinct(a, b, _) => {
                out.push_str("(distinct ");
                self.term(a, out);
                out.push(' ');
                self.term(b, out);
                out.push(')');
            }
            Literal::Not(inner, _) => {
                out.push_str("(not ");
                self.literal(inner, out);
                out.push(')');
            }
            Literal::Or(all, _) | Literal::And(all, _) => {
                out.push_str(if matches!(literal, Literal::Or(..)) { "(or" } else { "(and" });
                for one in all {
                    out.push(' ');
                    self.literal(one, out);
                }
                out.push(')');
            }
        }
    }

    /// Alternatives that do not fit get a line each.
    fn broken(&self, literal: &Literal, indent: usize, out: &mut String) {
        let mut line = String::new();
        self.literal(literal, &mut line);
        let (Literal::Or(all, _) | Literal::And(all, _)) = literal else { return out.push_str(&line) };
        if indent + line.chars().count() <= WIDTH {
            return out.push_str(&line);
        }
        out.push_str(if matches!(literal, Literal::Or(..)) { "(or" } else { "(and" });
        for one in all {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent + 2));
            self.broken(one, indent + 2, out);
        }
        out.push(')');
    }
}
