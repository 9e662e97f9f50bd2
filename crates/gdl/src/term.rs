//! Terms: those written in clauses, with variables, and ground ones, which are numbers.
//!
//! Ground terms are kept once each in a table, [`Terms`], and compared by number. Several reasoners of one sheet
//! share its table, so what one of them says can be compared with what another says. The table only grows; reading
//! it takes no lock.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::diagnostic::Span;
use crate::read;
use crate::symbol::{Symbol, Symbols};

/// A variable of a clause, by number: 0 is the first one met in the clause.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub u32);

impl Variable {
    /// Its place among the variables of its clause.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term of a clause. Never nested deeper than [`crate::sheet::MAX_DEPTH`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A variable.
    Variable(Variable, Span),
    /// A constant.
    Constant(Symbol, Span),
    /// A function with at least one argument.
    Compound(Symbol, Vec<Term>, Span),
}

impl Term {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Term::Variable(_, span) | Term::Constant(_, span) | Term::Compound(_, _, span) => *span,
        }
    }

    /// Whether no variable is in it.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Variable(..) => false,
            Term::Constant(..) => true,
            Term::Compound(_, args, _) => args.iter().all(Term::is_ground),
        }
    }

    /// Calls for each variable in it, in the order in which they are written.
    pub fn each_variable(&self, f: &mut impl FnMut(Variable, Span)) {
        match self {
            Term::Variable(v, span) => f(*v, *span),
            Term::Constant(..) => {}
            Term::Compound(_, args, _) => args.iter().for_each(|t| t.each_variable(f)),
        }
    }

    /// Whether it is the same term, wherever it is written.
    pub fn same(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Variable(a, _), Term::Variable(b, _)) => a == b,
            (Term::Constant(a, _), Term::Constant(b, _)) => a == b,
            (Term::Compound(f, a, _), Term::Compound(g, b, _)) => {
                f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            _ => false,
        }
    }
}

/// A ground term, by its number in a table. Numbers follow the order in which terms were met, which may differ
/// from run to run; the order of [`Terms::compare`] does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// Its number, dense from 0.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Ground terms nested deeper than this are refused.
pub const MAX_GROUND_DEPTH: u16 = 2_000;

/// Ground terms that take more letters than this to write down are refused.
pub const MAX_WRITTEN: u32 = 64 << 10;

/// A term would be nested too deep or be too long, or there would be too many terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a term is nested deeper than {MAX_GROUND_DEPTH} levels or takes more than {MAX_WRITTEN} letters to write, or there \
     are more than 2^31 terms"
)]
pub struct TooManyTerms;

#[derive(Debug)]
struct Node {
    symbol: Symbol,
    depth: u16,
    /// How many letters its text has: terms share their parts, texts do not.
    written: u32,
    args: SmallVec<[TermId; 4]>,
}

/// The key of a term: its symbol, then its arguments.
type Key = SmallVec<[u32; 5]>;

/// The first block of the table has this many terms; every further one twice as many as the one before.
const FIRST_BLOCK: usize = 1 << 10;
const BLOCKS: usize = 22;

/// A table of ground terms, shared by all threads.
#[derive(Debug)]
pub struct Terms {
    symbols: Arc<Symbols>,
    /// The place of each word in the order of words.
    ranks: Box<[u32]>,
    blocks: [OnceLock<Box<[OnceLock<Node>]>>; BLOCKS],
    numbers: Mutex<FxHashMap<Key, TermId>>,
}

fn block_of(index: usize) -> (usize, usize) {
    let n = index / FIRST_BLOCK + 1;
    let block = n.ilog2() as usize;
    (block, index - ((1 << block) - 1) * FIRST_BLOCK)
}

impl Terms {
    /// An empty table over the words of a sheet.
    pub fn new(symbols: Arc<Symbols>) -> Terms {
        let mut words: Vec<_> =
            symbols.iter().map(|(s, name)| (name.parse::<u64>().map_err(|_| ()), name, s)).collect();
        words.sort_unstable();
        let mut ranks = vec![0; words.len()];
        for (rank, (_, _, symbol)) in (0..).zip(&words) {
            ranks[symbol.index()] = rank;
        }
        Terms {
            symbols,
            ranks: ranks.into(),
            blocks: [const { OnceLock::new() }; BLOCKS],
            numbers: Mutex::default(),
        }
    }

    /// The words that terms are made of.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The number of a term, which is new if the term has not been met before.
    pub fn intern(&self, symbol: Symbol, args: &[TermId]) -> Result<TermId, TooManyTerms> {
        let key = key(symbol, args);
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = numbers.get(&key) {
            return Ok(id);
        }
        let depth = args.iter().map(|&a| self.node(a).depth + 1).max().unwrap_or(0);
        let letters = |sum: u32, &a: &TermId| sum.saturating_add(self.node(a).written + 1);
        let name = self.symbols.name(symbol).len().try_into().unwrap_or(u32::MAX);
        let written = args.iter().fold(name, letters).saturating_add(if args.is_empty() { 0 } else { 2 });
        let index = numbers.len();
        let (block, place) = block_of(index);
        if depth > MAX_GROUND_DEPTH || written > MAX_WRITTEN || block >= BLOCKS {
            return Err(TooManyTerms);
        }
        let block =
            self.blocks[block].get_or_init(|| (0..FIRST_BLOCK << block).map(|_| OnceLock::new()).collect());
        // Only the holder of the lock writes, and each place once.
        block[place].get_or_init(|| Node { symbol, depth, written, args: args.into() });
        let id = TermId(index as u32);
        numbers.insert(key, id);
        Ok(id)
    }

    /// The number of a constant.
    pub fn constant(&self, symbol: Symbol) -> Result<TermId, TooManyTerms> {
        self.intern(symbol, &[])
    }

    /// The number of a term that has been met before.
    pub fn get(&self, symbol: Symbol, args: &[TermId]) -> Option<TermId> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).get(&key(symbol, args)).copied()
    }

    /// The number of a clause's term with its variables replaced.
    pub fn ground(&self, term: &Term, binding: &impl Fn(Variable) -> TermId) -> Result<TermId, TooManyTerms> {
        match term {
            Term::Variable(v, _) => Ok(binding(*v)),
            Term::Constant(symbol, _) => self.constant(*symbol),
            Term::Compound(symbol, args, _) => {
                let args: SmallVec<[TermId; 6]> =
                    args.iter().map(|a| self.ground(a, binding)).collect::<Result<_, _>>()?;
                self.intern(*symbol, &args)
            }
        }
    }

    #[inline]
    fn node(&self, id: TermId) -> &Node {
        let (block, place) = block_of(id.index());
        self.blocks[block]
            .get()
            .and_then(|block| block[place].get())
            .expect("the number of a term of this table")
    }

    /// The word of a constant or function.
    #[inline]
    pub fn symbol(&self, id: TermId) -> Symbol {
        self.node(id).symbol
    }

    /// The arguments of a function; a constant has none.
    #[inline]
    pub fn args(&self, id: TermId) -> &[TermId] {
        &self.node(id).args
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number a constant spells, if it is a plain decimal one.
    pub fn number(&self, id: TermId) -> Option<u32> {
        let name = self.symbols.name(self.symbol(id));
        let plain = self.args(id).is_empty() && name.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| name.parse().ok()).flatten()
    }

    /// The order of terms that is the same in every run: constants before functions, then by word (numbers by
    /// value), by number of arguments, by arguments.
    pub fn compare(&self, a: TermId, b: TermId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let (x, y) = (self.node(a), self.node(b));
        let rank = |symbol: Symbol| self.ranks[symbol.index()];
        let arguments = || x.args.iter().zip(&y.args).map(|(&a, &b)| self.compare(a, b)).find(|o| o.is_ne());
        (x.args.is_empty().cmp(&y.args.is_empty()).reverse())
            .then_with(|| rank(x.symbol).cmp(&rank(y.symbol)))
            .then(x.args.len().cmp(&y.args.len()))
            .then_with(|| arguments().unwrap_or(Ordering::Equal))
    }

    /// Puts terms into the order of [`Terms::compare`] and drops repetitions.
    pub fn sort(&self, terms: &mut Vec<TermId>) {
        terms.sort_unstable_by(|&a, &b| self.compare(a, b));
        terms.dedup();
    }

    /// The term, to be written with `{}`.
    pub fn show(&self, id: TermId) -> Shown<'_> {
        Shown { terms: self, id }
    }

    /// The term that a text spells, in any case. `None` if the text is no ground term, or has words that the sheet
    /// does not have.
    pub fn parse(&self, text: &str) -> Option<TermId> {
        let mut words = Symbols::default();
        let all = read::read(text, &mut words).ok()?;
        let mut items = all.iter();
        let (first, rest) = (items.next()?, items.next());
        if rest.is_some() { None } else { self.of_expression(first, &words) }
    }

    /// The term that an expression is; `None` if it has variables, or words that the sheet does not have.
    pub fn of_expression(&self, expression: read::Expression<'_>, words: &Symbols) -> Option<TermId> {
        if expression.depth() > usize::from(MAX_GROUND_DEPTH) {
            return None;
        }
        self.shallow(expression, words)
    }

    fn shallow(&self, expression: read::Expression<'_>, words: &Symbols) -> Option<TermId> {
        let constant = |word: Symbol| {
            let name = words.name(word);
            if name.starts_with('?') { None } else { self.symbols.get(name) }
        };
        if let Some(word) = expression.word() {
            return self.constant(constant(word)?).ok();
        }
        let mut items = expression.items();
        let symbol = constant(items.next()?.word()?)?;
        let args: SmallVec<[TermId; 6]> =
            items.map(|item| self.shallow(item, words)).collect::<Option<_>>()?;
        self.intern(symbol, &args).ok()
    }
}

fn key(symbol: Symbol, args: &[TermId]) -> Key {
    let mut key = Key::with_capacity(args.len() + 1);
    key.push(symbol.0);
    key.extend(args.iter().map(|a| a.0));
    key
}

/// A ground term on its way into a text.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    terms: &'a Terms,
    id: TermId,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (symbol, args) = (self.terms.symbol(self.id), self.terms.args(self.id));
        let name = self.terms.symbols.name(symbol);
        if args.is_empty() {
            return f.write_str(name);
        }
        write!(f, "({name}")?;
        for &id in args {
            write!(f, " {}", Shown { id, ..*self })?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Terms {
        let mut symbols = Symbols::default();
        for word in ["cell", "a", "b", "2", "10", "f", "?x"] {
            symbols.intern(word);
        }
        Terms::new(Arc::new(symbols))
    }

    #[test]
    fn blocks_follow_one_another() {
        let mut at = (0, 0);
        for index in 0..20 * FIRST_BLOCK {
            assert_eq!(block_of(index), at, "{index}");
            at.1 += 1;
            if at.1 == FIRST_BLOCK << at.0 {
                at = (at.0 + 1, 0);
            }
        }
    }

    #[test]
    fn equal_terms_have_equal_numbers_and_parse_back() {
        let terms = table();
        let cell = terms.parse("(CELL 2 (f a) b)").unwrap();
        assert_eq!(terms.show(cell).to_string(), "(cell 2 (f a) b)");
        assert_eq!(terms.parse(" (cell 2 (F A) b) ; so").unwrap(), cell);
        assert_eq!(terms.parse("(a)"), terms.parse("a"), "no arguments, no parentheses");
        for bad in ["", "(", "a b", "?x", "(cell ?x)", "unheard", "((a) b)", "()"] {
            assert_eq!(terms.parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_order_is_that_of_the_words() {
        let terms = table();
        let mut all: Vec<_> = ["(f a b)", "(f b)", "(f a)", "b", "10", "a", "2"]
            .iter()
            .map(|t| terms.parse(t).unwrap())
            .collect();
        terms.sort(&mut all);
        let text: Vec<_> = all.iter().map(|&t| terms.show(t).to_string()).collect();
        assert_eq!(text, ["2", "10", "a", "b", "(f a)", "(f b)", "(f a b)"]);
        assert_eq!((terms.number(all[1]), terms.number(all[2])), (Some(10), None));
    }

    #[test]
    fn terms_do_not_nest_for_ever() {
        let terms = table();
        let f = terms.symbols().get("f").unwrap();
        let mut term = terms.parse("a").unwrap();
        for _ in 0..MAX_GROUND_DEPTH {
            term = terms.intern(f, &[term]).unwrap();
        }
        assert_eq!(terms.intern(f, &[term]), Err(TooManyTerms));
        let text = terms.show(term).to_string();
        assert_eq!(terms.parse(&text), Some(term));
    }

    #[test]
    fn texts_do_not_grow_for_ever() {
        let terms = table();
        let f = terms.symbols().get("f").unwrap();
        let mut term = terms.parse("(cell a 10)").unwrap();
        let mut made = 0;
        while let Ok(next) = terms.intern(f, &[term, term]) {
            term = next;
            made += 1;
            assert_eq!(terms.node(term).written as usize, terms.show(term).to_string().len());
        }
        assert_eq!(made, 12, "(11 + 5) * 2^12 - 5 letters, and twice as many are too many");
    }

    #[test]
    fn many_threads_agree_on_numbers() {
        let terms = table();
        let (f, a) = (terms.symbols().get("f").unwrap(), terms.parse("a").unwrap());
        let chain = || {
            let mut ids = vec![a];
            for _ in 0..1500 {
                ids.push(terms.intern(f, &[ids[ids.len() - 1]]).unwrap());
            }
            ids
        };
        let all: Vec<_> = std::thread::scope(|s| {
            let threads: Vec<_> = (0..4).map(|_| s.spawn(chain)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(all.windows(2).all(|w| w[0] == w[1]));
        assert_eq!(terms.len(), 1501);
    }
}
