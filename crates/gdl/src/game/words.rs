//! Terms as numbers and as single words.
//!
//! Observations, codes and names must mean the same in every run and on both ends of a wire, but numbers of terms
//! follow the order in which a reasoner met them. So a term is spelled: its symbols in prefix order, each with its
//! number of arguments, as they occur in the sheet. A spelling takes a few bits per symbol and is read back without
//! the reasoner.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::sheet::{Atom, Literal, MAX_DEPTH, Sheet};
use crate::symbol::{Symbol, Symbols};
use crate::term::{Term, TermId, Terms};

/// Symbols with numbers of arguments, by number, in prefix order.
pub(super) type Spelling = SmallVec<[u32; 16]>;

/// Ends what is seen of one joint move. 0 is what fills up a word.
pub(super) const STEP: u32 = 1;
const FIRST: u32 = 2;

/// Codes from here on are hashes of spellings that are too long.
const HASHED: u64 = 1 << 63;

/// The symbols that terms of a sheet are spelled with.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    /// Symbols and their numbers of arguments, in the order in which the sheet has them.
    letters: Vec<(Symbol, usize)>,
    numbers: FxHashMap<(Symbol, usize), u32>,
    bits: u32,
}

impl Alphabet {
    pub(super) fn of(sheet: &Sheet) -> Alphabet {
        let mut alphabet = Alphabet { letters: Vec::new(), numbers: FxHashMap::default(), bits: 0 };
        for clause in &sheet.clauses {
            alphabet.atom(&clause.head);
            clause.body.iter().for_each(|literal| alphabet.literal(literal));
        }
        let most = alphabet.letters.len() as u32 + FIRST;
        alphabet.bits = u32::BITS - most.leading_zeros();
        alphabet
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Atom(atom) => self.atom(atom),
            Literal::Distinct(a, b, _) => [a, b].into_iter().for_each(|term| self.term(term)),
            Literal::Not(inner, _) => self.literal(inner),
            Literal::Or(all, _) | Literal::And(all, _) => all.iter().for_each(|l| self.literal(l)),
        }
    }

    fn atom(&mut self, atom: &Atom) {
        atom.args.iter().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Variable(..) => {}
            Term::Constant(symbol, _) => self.letter(*symbol, 0),
            Term::Compound(symbol, args, _) => {
                self.letter(*symbol, args.len());
                args.iter().for_each(|term| self.term(term));
            }
        }
    }

    fn letter(&mut self, symbol: Symbol, args: usize) {
        let number = self.letters.len() as u32 + FIRST;
        self.numbers.entry((symbol, args)).or_insert_with(|| {
            self.letters.push((symbol, args));
            number
        });
    }

    /// Appends the spelling of a term.
    pub(super) fn spell(&self, terms: &Terms, id: TermId, out: &mut Spelling) {
        let args = terms.args(id);
        // Reasoners make terms only of what the clauses of their sheet have.
        out.push(self.numbers.get(&(terms.symbol(id), args.len())).copied().unwrap_or(0));
        for &arg in args {
            self.spell(terms, arg, out);
        }
    }

    /// A spelling in machine words, as many letters in each as have room.
    pub(super) fn pack(&self, spelling: &[u32]) -> SmallVec<[u64; 2]> {
        let word = |letters: &[u32]| {
            letters.iter().rev().fold(0, |word, &letter| word << self.bits | u64::from(letter))
        };
        spelling.chunks((u64::BITS / self.bits) as usize).map(word).collect()
    }

    /// What was packed, as far as it is a spelling.
    fn unpack<'a>(&'a self, words: &'a [u64]) -> impl Iterator<Item = u32> + 'a {
        let letters = u64::BITS / self.bits;
        let mask = (1_u64 << self.bits) - 1;
        let letter = move |word: u64, at: u32| (word >> (at * self.bits) & mask) as u32;
        words.iter().flat_map(move |&word| (0..letters).map(move |at| letter(word, at))).filter(|&l| l > 0)
    }

    /// A number for a term: its spelling if that is short, else a hash of it.
    pub(super) fn code(&self, terms: &Terms, id: TermId) -> u64 {
        let mut spelling = Spelling::new();
        self.spell(terms, id, &mut spelling);
        let words = self.pack(&spelling);
        match words[..] {
            [word] if word < HASHED => word,
            _ => {
                let mix = |hash: u64, &word: &u64| {
                    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
                };
                words.iter().fold(words.len() as u64, mix) | HASHED
            }
        }
    }

    /// The name of the term with this code; `None` if the code is a hash, or of no term.
    pub(super) fn name_of_code(&self, symbols: &Symbols, code: u64) -> Option<String> {
        let steps = self.read(symbols, &[code]);
        match &steps[..] {
            [terms] if code < HASHED && terms.len() == 1 => Some(terms[0].clone()),
            _ => None,
        }
    }

    /// The names of the terms that were packed, step by step. Of words that are no spelling, whatever can be read.
    pub(super) fn read(&self, symbols: &Symbols, words: &[u64]) -> Vec<Vec<String>> {
        let mut steps = vec![Vec::new()];
        let mut text = String::new();
        // How many arguments are missing, from the outermost function inwards.
        let mut open: Vec<usize> = Vec::new();
        for letter in self.unpack(words) {
            if letter == STEP {
                open.clear();
                text.clear();
                steps.push(Vec::new());
                continue;
            }
            let Some(&(symbol, args)) = self.letters.get((letter - FIRST) as usize) else { continue };
            write_symbol(symbols.name(symbol), &mut text);
            if args > 0 {
                text.push('(');
                open.push(args);
                continue;
            }
            while let Some(missing) = open.last_mut() {
                *missing -= 1;
                if *missing > 0 {
                    text.push(',');
                    break;
                }
                text.push(')');
                open.pop();
            }
            if open.is_empty()
                && let Some(step) = steps.last_mut()
            {
                step.push(std::mem::take(&mut text));
            }
        }
        if steps.len() > 1 && steps.last().is_some_and(Vec::is_empty) {
            steps.pop();
        }
        steps
    }

    /// The term with this name, if it is one of the sheet's words.
    pub(super) fn parse(&self, terms: &Terms, name: &str) -> Option<TermId> {
        let mut open: Vec<(Symbol, SmallVec<[TermId; 6]>)> = Vec::new();
        let mut rest = name;
        loop {
            let end = rest.find(['(', ')', ',']).unwrap_or(rest.len());
            let symbol = terms.symbols().get(&read_symbol(&rest[..end])?)?;
            let mut next = rest[end..].chars().next();
            rest = rest.get(end + 1..).unwrap_or("");
            if next == Some('(') {
                if open.len() >= MAX_DEPTH {
                    return None;
                }
                open.push((symbol, SmallVec::new()));
                continue;
            }
            let mut done = self.info(terms, symbol, &[])?;
            loop {
                match (next, open.pop()) {
                    (None, None) => return (self.name(terms, done) == name).then_some(done),
                    (Some(','), Some((function, mut args))) => {
                        args.push(done);
                        open.push((function, args));
                        break;
                    }
                    (Some(')'), Some((function, mut args))) => {
                        args.push(done);
                        done = self.info(terms, function, &args)?;
                        next = rest.chars().next();
                        rest = rest.get(1..).unwrap_or("");
                    }
                    _ => return None,
                }
            }
        }
    }

    fn info(&self, terms: &Terms, symbol: Symbol, args: &[TermId]) -> Option<TermId> {
        self.numbers.get(&(symbol, args.len()))?;
        terms.intern(symbol, args).ok()
    }

    /// The name of a term: one word, as in `mark(1,2)`.
    pub(super) fn name(&self, terms: &Terms, id: TermId) -> String {
        let mut out = String::new();
        write_term(terms, id, &mut out);
        out
    }
}

fn write_term(terms: &Terms, id: TermId, out: &mut String) {
    write_symbol(terms.symbols().name(terms.symbol(id)), out);
    for (i, &arg) in terms.args(id).iter().enumerate() {
        out.push(if i == 0 { '(' } else { ',' });
        write_term(terms, arg, out);
    }
    if !terms.args(id).is_empty() {
        out.push(')');
    }
}

/// Characters that names need for themselves, or that do not show, are written as numbers: `%2c;` is a comma. No
/// symbol has parentheses or semicolons.
fn write_symbol(symbol: &str, out: &mut String) {
    for c in symbol.chars() {
        if c == ',' || c == '%' || c.is_whitespace() || c.is_control() {
            out.push_str(&format!("%{:x};", u32::from(c)));
        } else {
            out.push(c);
        }
    }
}

fn read_symbol(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut symbol = parts.next()?.to_string();
    for part in parts {
        let (number, rest) = part.split_once(';')?;
        symbol.push(char::from_u32(u32::from_str_radix(number, 16).ok()?)?);
        symbol.push_str(rest);
    }
    Some(symbol)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn alphabet() -> (Alphabet, Terms) {
        let text =
            "(role x) (init (f (g a b) a,b 10%)) (<= (next (h ?x)) (does x (h ?x)) (not (true (g b a))))";
        let sheet = Sheet::read(text).unwrap();
        let symbols = Arc::clone(&sheet.symbols);
        (Alphabet::of(&sheet), Terms::new(symbols))
    }

    #[test]
    fn names_are_words_that_parse_back() {
        let (alphabet, terms) = alphabet();
        for (term, name) in [
            ("a", "a"),
            ("(g a b)", "g(a,b)"),
            ("(f (g a b) a,b 10%)", "f(g(a,b),a%2c;b,10%25;)"),
            ("(h (h (h (g a,b a))))", "h(h(h(g(a%2c;b,a))))"),
        ] {
            let id = terms.parse(term).unwrap();
            assert_eq!(alphabet.name(&terms, id), name);
            assert_eq!(alphabet.parse(&terms, name), Some(id), "{name}");
            let code = alphabet.code(&terms, id);
            let short = alphabet.name_of_code(terms.symbols(), code);
            assert_eq!(short.as_deref(), Some(name), "{code:x}");
        }
        for bad in [
            "", "g", "g(a)", "g(a,b", "g(a,b))", "g(a,b)a", "G(a,b)", "g(a, b)", "(a)", "h()", "%", "%61;",
            "h(%,a)", "é",
        ] {
            assert_eq!(alphabet.parse(&terms, bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_packed_is_read_step_by_step() {
        let (alphabet, terms) = alphabet();
        let mut spelling = Spelling::from_slice(&[STEP]);
        for term in ["a", "(f (g a b) a,b 10%)", "(h b)", "(h (h (h (h (h (h (h (h (h (h a))))))))))"] {
            alphabet.spell(&terms, terms.parse(term).unwrap(), &mut spelling);
        }
        spelling.extend([STEP, STEP]);
        let words = alphabet.pack(&spelling);
        assert!(words.len() > 1);
        let read = alphabet.read(terms.symbols(), &words);
        let second = ["a", "f(g(a,b),a%2c;b,10%25;)", "h(b)", "h(h(h(h(h(h(h(h(h(h(a))))))))))"];
        assert_eq!(read, [&[][..], &second[..], &[][..]]);
        for odd in [&[][..], &[u64::MAX], &[0, 7, u64::MAX - 5], &[0x1234_5678_9abc_def0; 9]] {
            alphabet.read(terms.symbols(), odd);
        }
    }

    #[test]
    fn long_terms_have_hashes_for_codes() {
        let (alphabet, terms) = alphabet();
        let h = terms.symbols().get("h").unwrap();
        let mut term = terms.parse("a").unwrap();
        let mut codes = Vec::new();
        for _ in 0..100 {
            codes.push(alphabet.code(&terms, term));
            term = terms.intern(h, &[term]).unwrap();
        }
        assert!(codes[99] >= HASHED);
        assert_eq!(alphabet.name_of_code(terms.symbols(), codes[99]), None);
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 100);
    }
}
