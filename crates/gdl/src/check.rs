//! Whether a sheet keeps to the rules of the language.
//!
//! There are three levels. *Strict* is GDL as its report defines it (Love, Hinrichs, Haley, Schkufza and
//! Genesereth 2008): no hidden information, no chance, nothing sloppy. *GDL-II* adds `sees` and `random` and
//! forgives what real sheets do without harm. *Lenient* refuses only what has no meaning. [`severity`] is the whole
//! difference between them.

mod level;

use fogtree_core::spec::nearest;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::depend::{Dependencies, Name};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::normal::{self, Condition, Rule};
use crate::print;
use crate::read;
use crate::sheet::{Atom, Clause, Literal, Sheet};
use crate::symbol::{Symbol, Symbols};
use crate::term::{Term, Variable};

pub use level::{Level, severity};

/// The number of arguments that a keyword has.
fn keyword_arity(symbol: Symbol) -> Option<usize> {
    Some(match symbol {
        Symbol::TERMINAL => 0,
        Symbol::ROLE | Symbol::INIT | Symbol::TRUE | Symbol::NEXT | Symbol::BASE => 1,
        Symbol::DOES | Symbol::LEGAL | Symbol::GOAL | Symbol::SEES | Symbol::INPUT | Symbol::PERCEPT => 2,
        _ => return None,
    })
}

/// Everything that is wrong with a sheet, in the order of its text.
pub fn check(sheet: &Sheet, level: Level) -> Vec<Diagnostic> {
    let mut checker = Checker { sheet, found: Vec::new() };
    checker.words();
    for clause in &sheet.clauses {
        checker.clause(clause);
    }
    checker.repeated();
    checker.arities();
    match normal::rules(sheet) {
        Ok(rules) => checker.rules(&rules),
        Err(diagnostic) => checker.found.push(diagnostic),
    }
    let mut seen = FxHashSet::default();
    let mut found: Vec<Diagnostic> = checker
        .found
        .into_iter()
        .filter_map(|d| Some(Diagnostic { severity: severity(d.code, level)?, ..d }))
        .filter(|d| seen.insert((d.code, d.span, d.message.clone())))
        .collect();
    found.sort_by_key(|d| (d.span, d.code));
    found
}

/// The complaint about a variable that nothing binds.
pub(crate) fn unsafe_variable(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::Unsafe, span, format!("no condition says what {name} may be")).help(
        "every variable of a head, a 'not' or a 'distinct' must also occur in a condition that is neither",
    )
}

fn span_of(rules: &[Rule], rule: usize, condition: usize) -> Span {
    match &rules[rule].body[condition] {
        Condition::Holds(atom) | Condition::Fails(atom) => atom.span,
        Condition::Differ(a, b) => a.span().to(b.span()),
    }
}

/// The complaints about rules that no reasoner can carry out, apart from unsafe ones.
pub(crate) fn senseless(rules: &[Rule], dependencies: &Dependencies, symbols: &Symbols) -> Vec<Diagnostic> {
    let mut wrong: Vec<Diagnostic> = dependencies
        .unstratified()
        .map(|u| {
            let message =
                format!("'{}' depends here on its own absence", symbols.name(dependencies.relations[u.of].0));
            Diagnostic::error(Code::Unstratified, span_of(rules, u.rule, u.condition), message)
                .help("no relation may depend, through others or not, on 'not' of itself")
        })
        .collect();
    let fixed = [(Symbol::ROLE, 1), (Symbol::INIT, 1)];
    let state = [(Symbol::LEGAL, 2), (Symbol::GOAL, 2), (Symbol::TERMINAL, 0)];
    for (given, roots) in
        [((Symbol::TRUE, 1), &fixed[..]), ((Symbol::DOES, 2), &[&fixed[..], &state[..]].concat()[..])]
    {
        let message = |of: Symbol| {
            format!("'{}' must not depend on '{}', but does here", symbols.name(of), symbols.name(given.0))
        };
        wrong.extend(dependent_rules(rules, dependencies, &[given], roots, Code::Dependence, message));
    }
    for rule in rules {
        if matches!(rule.head.relation, Symbol::TRUE | Symbol::DOES) {
            let name = symbols.name(rule.head.relation);
            let message = format!("'{name}' is given, it cannot be derived");
            wrong.push(Diagnostic::error(Code::Given, rule.head.span, message).help(
                if rule.head.relation == Symbol::TRUE {
                    "use 'init' for the first state and 'next' for later ones"
                } else {
                    "use 'legal' for what may be done"
                },
            ));
        }
    }
    wrong
}

/// A complaint about each condition through which one of the roots depends on something given.
fn dependent_rules(
    rules: &[Rule],
    dependencies: &Dependencies,
    given: &[Name],
    roots: &[Name],
    code: Code,
    message: impl Fn(Symbol) -> String,
) -> Vec<Diagnostic> {
    let dependent = dependencies.dependent_on(given);
    let roots = roots.iter().filter_map(|&root| dependencies.get(root));
    let uses = roots.flat_map(|root| dependencies.uses[root].iter().map(move |u| (root, u)));
    uses.filter(|(_, u)| dependent[u.of])
        .map(|(root, u)| {
            let span = span_of(rules, u.rule, u.condition);
            Diagnostic::error(code, span, message(dependencies.relations[root].0))
        })
        .collect()
}

struct Checker<'a> {
    sheet: &'a Sheet,
    found: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn name(&self, symbol: Symbol) -> &str {
        self.sheet.symbols.name(symbol)
    }

    /// Adds a complaint. Its severity is decided by the level in the end.
    fn add(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        let diagnostic = Diagnostic::error(code, span, message);
        self.found.push(if help.is_empty() { diagnostic } else { diagnostic.help(help) });
    }

    /// Words that are written in different cases.
    fn words(&mut self) {
        let mut symbols = Symbols::default();
        let Ok(all) = read::read(&self.sheet.text, &mut symbols) else { return };
        let mut first: FxHashMap<Symbol, Option<&str>> = FxHashMap::default();
        let text = &self.sheet.text;
        for (symbol, span) in all.words().filter(|(symbol, _)| !symbol.is_keyword()) {
            let written = &text[span.range()];
            let before = first.entry(symbol).or_insert(Some(written));
            if let Some(other) = before.filter(|&other| other != written) {
                *before = None;
                self.found.push(
                    Diagnostic::warning(
                        Code::Case,
                        span,
                        format!("'{written}' is written '{other}' elsewhere"),
                    )
                    .help("case does not matter: both are the same word"),
                );
            }
        }
    }

    /// What is wrong with the form of a clause.
    fn clause(&mut self, clause: &Clause) {
        if clause.arrow && clause.body.is_empty() {
            self.add(
                Code::EmptyBody,
                clause.span,
                "this rule has no conditions",
                "write it as a fact, without '<='",
            );
        }
        let head = &clause.head;
        self.atom(head);
        match head.relation {
            Symbol::SEES | Symbol::PERCEPT => {
                let message = format!("'{}' is GDL-II", self.name(head.relation));
                self.add(Code::NotGdl, head.span, message, "check the sheet at level gdl-ii");
                if is_constant(head.args.first(), Symbol::RANDOM) {
                    self.add(Code::RandomUse, head.span, "chance perceives nothing", "");
                }
            }
            Symbol::ROLE => {
                if is_constant(head.args.first(), Symbol::RANDOM) {
                    self.add(Code::NotGdl, head.span, "chance is GDL-II", "check the sheet at level gdl-ii");
                }
                if !clause.body.is_empty() {
                    self.add(
                        Code::DerivedRole,
                        clause.span,
                        "a role is derived by a rule",
                        "write every role as a fact: (role name)",
                    );
                }
            }
            Symbol::GOAL => self.goal(head),
            _ => {}
        }
        for literal in &clause.body {
            self.literal(literal, false);
        }
    }

    fn goal(&mut self, head: &Atom) {
        let value = match head.args.get(1) {
            Some(Term::Constant(symbol, _)) => self.name(*symbol),
            Some(Term::Compound(..)) => "",
            Some(Term::Variable(..)) | None => return,
        };
        let plain = value.bytes().all(|b| b.is_ascii_digit());
        if !plain || !value.parse::<u32>().is_ok_and(|n| n <= 100) {
            let span = head.args[1].span();
            self.add(Code::GoalValue, span, "a goal must be a whole number from 0 to 100", "");
        }
    }

    fn literal(&mut self, literal: &Literal, negated: bool) {
        match literal {
            Literal::Atom(atom) => {
                self.atom(atom);
                if matches!(atom.relation, Symbol::INIT | Symbol::NEXT | Symbol::SEES) {
                    let message =
                        format!("'{}' may only be derived, not asked for", self.name(atom.relation));
                    let help = "give the condition a relation of its own and use it in both places";
                    self.add(Code::Placement, atom.span, message, help);
                }
            }
            Literal::Distinct(a, b, span) => {
                self.term(a);
                self.term(b);
                if negated {
                    let help = "it is read as: both are the same; use one variable for both";
                    self.add(Code::NotDistinct, *span, "'not distinct' is not in the language", help);
                }
            }
            Literal::Not(inner, span) => {
                if matches!(**inner, Literal::Not(..) | Literal::Or(..) | Literal::And(..)) {
                    let message = "'not' of something that is no relation is not in the language";
                    self.add(Code::Nested, *span, message, "give the condition a relation of its own");
                }
                self.literal(inner, !negated);
            }
            Literal::Or(all, _) => all.iter().for_each(|one| self.literal(one, negated)),
            Literal::And(all, span) => {
                self.add(
                    Code::Nested,
                    *span,
                    "'and' is not in the language",
                    "conditions in a row are all required",
                );
                all.iter().for_each(|one| self.literal(one, negated));
            }
        }
    }

    fn atom(&mut self, atom: &Atom) {
        let name = self.name(atom.relation).to_string();
        if atom.needless_parentheses {
            let help = format!("write {name}");
            self.add(Code::NeedlessParentheses, atom.span, format!("'{name}' has no arguments"), &help);
        }
        match keyword_arity(atom.relation) {
            Some(arity) if arity != atom.args.len() => {
                let message = format!("'{name}' has {}, not {}", plural(arity), atom.args.len());
                self.add(Code::KeywordArity, atom.span, message, "");
            }
            None if atom.relation == Symbol::RANDOM => {
                self.add(Code::RandomUse, atom.span, "'random' is a role, not a relation", "");
            }
            _ => {}
        }
        atom.args.iter().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &Term) {
        let Term::Compound(function, args, span) = term else { return };
        match *function {
            Symbol::DOES => {
                let help = "GDL-II sheets have it in percepts; check at level gdl-ii";
                self.add(Code::DoesFunction, *span, "'does' is used as a function", help);
            }
            Symbol::RANDOM => self.add(Code::RandomUse, *span, "'random' is a role, not a function", ""),
            _ if function.is_keyword() => {
                let message = format!("the keyword '{}' is used as a function", self.name(*function));
                self.add(Code::KeywordFunction, *span, message, "use another word");
            }
            _ => {}
        }
        args.iter().for_each(|term| self.term(term));
    }

    fn repeated(&mut self) {
        let mut written = FxHashSet::default();
        for clause in &self.sheet.clauses {
            if !written.insert(print::clause_line(clause, &self.sheet.symbols)) {
                self.found.push(Diagnostic::warning(
                    Code::Repeated,
                    clause.span,
                    "this clause is written twice",
                ));
            }
        }
    }

    /// Relations and functions with different numbers of arguments; each is reported once.
    fn arities(&mut self) {
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        enum Kind {
            Relation,
            Function,
        }
        let mut first: FxHashMap<(Kind, Symbol), Option<usize>> = FxHashMap::default();
        let mut clashes = Vec::new();
        let mut meet = |kind, symbol: Symbol, arity: usize, span| {
            let before = first.entry((kind, symbol)).or_insert(Some(arity));
            if let Some(other) = before.filter(|&other| other != arity) {
                *before = None;
                clashes.push((symbol, other, arity, span));
            }
        };
        for clause in &self.sheet.clauses {
            each_atom(clause, &mut |atom| {
                if keyword_arity(atom.relation).is_none() {
                    meet(Kind::Relation, atom.relation, atom.args.len(), atom.span);
                }
                atom.args.iter().for_each(|t| each_function(t, &mut |f, n, s| meet(Kind::Function, f, n, s)));
            });
        }
        for (symbol, other, arity, span) in clashes {
            let message = format!("'{}' has {} here and {other} elsewhere", self.name(symbol), plural(arity));
            self.add(Code::Arity, span, message, "they are taken for different things of the same name");
        }
    }

    /// What is wrong with the meaning of the rules.
    fn rules(&mut self, rules: &[Rule]) {
        let dependencies = Dependencies::of(rules);
        self.found.extend(senseless(rules, &dependencies, &self.sheet.symbols));
        self.doubtful_dependences(rules, &dependencies);
        for (at, rule) in rules.iter().enumerate() {
            self.safety(rule);
            self.recursion(at, rule, &dependencies);
        }
        self.missing(rules, &dependencies);
        self.underived(rules, &dependencies);
        self.role_names(rules);
    }

    fn doubtful_dependences(&mut self, rules: &[Rule], dependencies: &Dependencies) {
        let declarations = [(Symbol::BASE, 1), (Symbol::INPUT, 2), (Symbol::PERCEPT, 2)];
        let later = [
            (Symbol::NEXT, 1),
            (Symbol::LEGAL, 2),
            (Symbol::GOAL, 2),
            (Symbol::TERMINAL, 0),
            (Symbol::SEES, 2),
        ];
        let symbols = &self.sheet.symbols;
        for (given, roots, what) in [
            (&[(Symbol::TRUE, 1), (Symbol::DOES, 2)][..], &declarations[..], "states or moves"),
            (&later[..], &[(Symbol::INIT, 1)][..], "anything that belongs to a state"),
        ] {
            let message =
                |of: Symbol| format!("'{}' must not depend on {what}, but does here", symbols.name(of));
            let code = Code::DoubtfulDependence;
            self.found.extend(dependent_rules(rules, dependencies, given, roots, code, message));
        }
    }

    fn safety(&mut self, rule: &Rule) {
        let mut bound = vec![false; rule.variables.len()];
        for condition in &rule.body {
            if let Condition::Holds(atom) = condition {
                atom.args.iter().for_each(|t| t.each_variable(&mut |v, _| bound[v.index()] = true));
            }
        }
        let mut free: Vec<(Variable, Span)> = Vec::new();
        let mut note = |term: &Term| {
            term.each_variable(&mut |v, span| {
                if !std::mem::replace(&mut bound[v.index()], true) {
                    free.push((v, span));
                }
            });
        };
        rule.head.args.iter().for_each(&mut note);
        for condition in &rule.body {
            match condition {
                Condition::Holds(_) => {}
                Condition::Fails(atom) => atom.args.iter().for_each(&mut note),
                Condition::Differ(a, b) => [a, b].into_iter().for_each(&mut note),
            }
        }
        for (variable, span) in free {
            self.found.push(unsafe_variable(self.sheet.symbols.name(rule.variables[variable.index()]), span));
        }
    }

    /// The recursion restriction: what a relation is asked about in its own rules must be ground, an argument of
    /// the head, or made of what relations outside the recursion say. Then only finitely many facts follow.
    fn recursion(&mut self, at: usize, rule: &Rule, dependencies: &Dependencies) {
        let head = dependencies.relation(&rule.head);
        let component = dependencies.component[head];
        let mut uses = dependencies.uses_of(head, at).iter();
        if !uses.any(|u| dependencies.component[u.of] == component) {
            return;
        }
        let mut outside = vec![false; rule.variables.len()];
        let mut inside = Vec::new();
        for condition in &rule.body {
            let Condition::Holds(atom) = condition else { continue };
            if dependencies.component[dependencies.relation(atom)] == component {
                inside.push(atom);
            } else {
                atom.args.iter().for_each(|t| t.each_variable(&mut |v, _| outside[v.index()] = true));
            }
        }
        let mut wrong = Vec::new();
        for term in inside.iter().flat_map(|atom| &atom.args) {
            let mut known = true;
            term.each_variable(&mut |v, _| known &= outside[v.index()]);
            if !known && !rule.head.args.iter().any(|t| t.same(term)) {
                wrong.push(term.span());
            }
        }
        for span in wrong {
            let name = self.name(rule.head.relation);
            let message = format!("this recursion of '{name}' may derive infinitely many facts");
            let help = "what a recursive condition asks for must be in the head, or in a condition outside the recursion";
            self.add(Code::Recursion, span, message, help);
        }
    }

    fn missing(&mut self, rules: &[Rule], dependencies: &Dependencies) {
        let derived = |symbol, arity| {
            dependencies.get((symbol, arity)).is_some_and(|r| !dependencies.rules[r].is_empty())
        };
        let whole = Span::new(0, 0);
        if !derived(Symbol::ROLE, 1) {
            self.add(Code::NoRole, whole, "the sheet has no role", "add (role name)");
        }
        for (symbol, arity, what) in [
            (Symbol::LEGAL, 2, "nothing is ever legal"),
            (Symbol::TERMINAL, 0, "the game never ends"),
            (Symbol::GOAL, 2, "no role has a goal"),
        ] {
            if !derived(symbol, arity) {
                let help = format!("add rules for '{}'", self.name(symbol));
                self.add(Code::Missing, whole, what, &help);
            }
        }
        for (symbol, what) in [
            (Symbol::INIT, "nothing is true in the first state"),
            (Symbol::NEXT, "nothing is true after the first step"),
        ] {
            if !derived(symbol, 1) && !rules.is_empty() {
                let help = format!("add rules for '{}'", self.name(symbol));
                self.add(Code::NoChange, whole, what, &help);
            }
        }
    }

    fn underived(&mut self, rules: &[Rule], dependencies: &Dependencies) {
        let empty = |r: usize| dependencies.rules[r].is_empty();
        let known: Vec<&str> = dependencies
            .relations
            .iter()
            .enumerate()
            .filter(|&(r, _)| !empty(r))
            .map(|(_, name)| self.sheet.symbols.name(name.0))
            .collect();
        let mut found = Vec::new();
        for used in dependencies.uses.iter().flatten() {
            let (symbol, arity) = dependencies.relations[used.of];
            let given = matches!(symbol, Symbol::TRUE | Symbol::DOES);
            if given || !empty(used.of) {
                continue;
            }
            let name = self.sheet.symbols.name(symbol);
            let span = span_of(rules, used.rule, used.condition);
            let message = format!("nothing ever makes '{name}' with {} hold", plural(arity));
            let diagnostic = Diagnostic::warning(Code::Underived, span, message);
            found.push(match nearest(name, known.iter().copied().filter(|&other| other != name)) {
                Some(other) => diagnostic.help(format!("did you mean '{other}'?")),
                None => diagnostic,
            });
        }
        self.found.extend(found);
    }

    /// Names in the place of roles that are none.
    fn role_names(&mut self, rules: &[Rule]) {
        let mut roles = FxHashSet::default();
        for rule in rules.iter().filter(|rule| rule.head.relation == Symbol::ROLE) {
            match rule.head.args.first() {
                Some(Term::Constant(symbol, _)) if rule.body.is_empty() => roles.insert(*symbol),
                _ => return,
            };
        }
        if roles.is_empty() {
            return;
        }
        let mut strangers = Vec::new();
        for clause in &self.sheet.clauses {
            each_atom(clause, &mut |atom| {
                if keyword_arity(atom.relation) == Some(2)
                    && let Some(Term::Constant(symbol, span)) = atom.args.first()
                    && !roles.contains(symbol)
                {
                    strangers.push((*symbol, *span));
                }
            });
        }
        for (symbol, span) in strangers {
            let message = format!("'{}' is not a role", self.name(symbol));
            let known: Vec<_> = roles.iter().map(|&r| self.sheet.symbols.name(r)).collect();
            let help = nearest(self.name(symbol), known)
                .map_or_else(String::new, |n| format!("did you mean '{n}'?"));
            self.add(Code::UnknownRole, span, message, &help);
        }
    }
}

/// A number of arguments, in words.
fn plural(n: usize) -> String {
    if n == 1 { "1 argument".to_string() } else { format!("{n} arguments") }
}

fn is_constant(term: Option<&Term>, symbol: Symbol) -> bool {
    matches!(term, Some(Term::Constant(s, _)) if *s == symbol)
}

fn each_atom(clause: &Clause, f: &mut impl FnMut(&Atom)) {
    fn inside(literal: &Literal, f: &mut impl FnMut(&Atom)) {
        match literal {
            Literal::Atom(atom) => f(atom),
            Literal::Distinct(..) => {}
            Literal::Not(inner, _) => inside(inner, f),
            Literal::Or(all, _) | Literal::And(all, _) => all.iter().for_each(|one| inside(one, f)),
        }
    }
    f(&clause.head);
    clause.body.iter().for_each(|literal| inside(literal, f));
}

fn each_function(term: &Term, f: &mut impl FnMut(Symbol, usize, Span)) {
    if let Term::Compound(symbol, args, span) = term {
        f(*symbol, args.len(), *span);
        args.iter().for_each(|arg| each_function(arg, f));
    }
}
