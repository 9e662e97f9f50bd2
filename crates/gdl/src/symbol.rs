//! The words of rule sheets, folded to lower case and numbered.
//!
//! GDL is case-insensitive: managers shout, sheets whisper. Words are folded once, when they are read, and are
//! numbers from then on. The keywords of the language have the same numbers in every table.

use rustc_hash::FxHashMap;

/// A word of a rule sheet: a constant, a variable (it then begins with `?`) or a keyword.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symbol(pub(crate) u32);

macro_rules! keywords {
    ($($(#[$doc:meta])* $name:ident = $number:literal $text:literal;)*) => {
        impl Symbol {
            $($(#[$doc])* pub const $name: Symbol = Symbol($number);)*
        }

        /// The keywords of GDL and GDL-II, in the order of their numbers.
        pub const KEYWORDS: &[&str] = &[$($text),*];
    };
}

keywords! {
    /// `<=`
    IF = 0 "<=";
    /// `not`
    NOT = 1 "not";
    /// `or`
    OR = 2 "or";
    /// `and`
    AND = 3 "and";
    /// `distinct`
    DISTINCT = 4 "distinct";
    /// `role`
    ROLE = 5 "role";
    /// `init`
    INIT = 6 "init";
    /// `true`
    TRUE = 7 "true";
    /// `does`
    DOES = 8 "does";
    /// `next`
    NEXT = 9 "next";
    /// `legal`
    LEGAL = 10 "legal";
    /// `goal`
    GOAL = 11 "goal";
    /// `terminal`
    TERMINAL = 12 "terminal";
    /// `sees`
    SEES = 13 "sees";
    /// `random`
    RANDOM = 14 "random";
    /// `base`
    BASE = 15 "base";
    /// `input`
    INPUT = 16 "input";
    /// `percept`
    PERCEPT = 17 "percept";
}

impl Symbol {
    /// The number of this word in its table; keywords come first.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether this is a word with a meaning of its own in GDL or GDL-II.
    #[inline]
    pub fn is_keyword(self) -> bool {
        self.index() < KEYWORDS.len()
    }
}

/// A table of words.
#[derive(Clone, Debug)]
pub struct Symbols {
    names: Vec<Box<str>>,
    numbers: FxHashMap<Box<str>, Symbol>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols = Symbols { names: Vec::new(), numbers: FxHashMap::default() };
        for word in KEYWORDS {
            symbols.intern(word);
        }
        symbols
    }
}

impl Symbols {
    /// The symbol of a word, which is new if it has not been met before.
    ///
    /// # Panics
    /// If there are more than 2^32 words; no text that the reader accepts has so many.
    pub fn intern(&mut self, word: &str) -> Symbol {
        if let Some(symbol) = self.get(word) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("fewer than 2^32 words"));
        let name: Box<str> = word.to_lowercase().into();
        self.names.push(name.clone());
        self.numbers.insert(name, symbol);
        symbol
    }

    /// The symbol of a word that has been met before, in any mixture of cases.
    pub fn get(&self, word: &str) -> Option<Symbol> {
        if let Some(&symbol) = self.numbers.get(word) {
            return Some(symbol);
        }
        self.numbers.get(word.to_lowercase().as_str()).copied()
    }

    /// The word, in lower case.
    #[inline]
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }

    /// The same table with other words in it. No two words may become one, and keywords must stay.
    pub(crate) fn renamed<'a>(&'a self, word: impl Fn(&'a str) -> &'a str) -> Symbols {
        let names: Vec<Box<str>> = self.names.iter().map(|name| word(name).into()).collect();
        let numbers = (0..).map(Symbol).zip(&names).map(|(symbol, name)| (name.clone(), symbol)).collect();
        Symbols { names, numbers }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no words; there always are keywords.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All words with their symbols, keywords first.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        (0..).map(Symbol).zip(self.names.iter().map(|name| &**name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_have_their_numbers_and_case_does_not_matter() {
        let mut symbols = Symbols::default();
        assert_eq!(symbols.intern("SEES"), Symbol::SEES);
        assert_eq!(symbols.get("<="), Some(Symbol::IF));
        assert_eq!(symbols.name(Symbol::PERCEPT), "percept");
        assert!(Symbol::PERCEPT.is_keyword());
        let cell = symbols.intern("CeLL");
        assert_eq!(symbols.intern("cell"), cell);
        assert_eq!(symbols.name(cell), "cell");
        assert!(!cell.is_keyword());
        assert_eq!(symbols.get("nowhere"), None);
        assert_eq!(symbols.iter().last(), Some((cell, "cell")));
    }
}
