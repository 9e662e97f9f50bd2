//! Renames the words of a sheet, so that nobody can tell a game by its names.
//!
//! Keywords and numbers keep their names: goals are numbers. Every other word, variables included, gets a made-up
//! one, the same wherever it occurs. Comments are dropped. What a scrambled game says can be put back into the words
//! of the sheet, and the other way round.

use fogtree_core::{Purpose, Rng, Seed};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::Diagnostic;
use crate::print;
use crate::read;
use crate::sheet::Sheet;
use crate::symbol::Symbols;

/// A renaming of words that can be undone.
#[derive(Clone, Debug)]
pub struct Scrambling {
    forwards: FxHashMap<String, String>,
    backwards: FxHashMap<String, String>,
}

impl Scrambling {
    /// A renaming of the words of a sheet; the same seed gives the same one.
    pub fn new(sheet: &Sheet, seed: Seed) -> Scrambling {
        let mut rng = seed.named("scramble").stream(Purpose::Deal);
        let mut taken: FxHashSet<String> = sheet.symbols.iter().map(|(_, name)| name.to_string()).collect();
        let (mut forwards, mut backwards) = (FxHashMap::default(), FxHashMap::default());
        for (symbol, name) in sheet.symbols.iter() {
            if symbol.is_keyword() || name.bytes().all(|b| b.is_ascii_digit()) {
                continue;
            }
            let mark = if name.starts_with('?') { "?" } else { "" };
            let mut word = format!("{mark}{}", made_up(&mut rng));
            while !taken.insert(word.clone()) {
                word.push_str(syllable(&mut rng));
            }
            forwards.insert(name.to_string(), word.clone());
            backwards.insert(word, name.to_string());
        }
        Scrambling { forwards, backwards }
    }

    /// The text of the sheet in the new words, without comments.
    pub fn sheet(&self, sheet: &Sheet) -> String {
        let symbols = sheet.symbols.renamed(|name| self.forwards.get(name).map_or(name, String::as_str));
        print::sheet(&Sheet { symbols: symbols.into(), ..sheet.clone() })
    }

    /// Any KIF text, such as a move, in the new words. Words that the sheet does not have stay as they are.
    pub fn scramble(&self, text: &str) -> Result<String, Diagnostic> {
        replace(text, &self.forwards)
    }

    /// A text in the new words, in the words of the sheet again.
    pub fn restore(&self, text: &str) -> Result<String, Diagnostic> {
        replace(text, &self.backwards)
    }

    /// Every word of the sheet that has a new one, with it, in alphabetical order.
    pub fn words(&self) -> Vec<(&str, &str)> {
        let mut all: Vec<_> = self.forwards.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        all.sort_unstable();
        all
    }
}

fn replace(text: &str, words: &FxHashMap<String, String>) -> Result<String, Diagnostic> {
    let mut symbols = Symbols::default();
    let all = read::read(text, &mut symbols)?;
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (symbol, span) in all.words() {
        if let Some(word) = words.get(symbols.name(symbol)) {
            out.push_str(&text[at..span.start as usize]);
            out.push_str(word);
            at = span.end as usize;
        }
    }
    out.push_str(&text[at..]);
    Ok(out)
}

fn syllable(rng: &mut Rng) -> &'static str {
    const SYLLABLES: [&str; 48] = [
        "ba", "be", "bi", "bo", "da", "de", "di", "do", "fa", "fe", "fi", "fo", "ga", "ge", "gi", "go", "ka",
        "ke", "ki", "ko", "la", "le", "li", "lo", "ma", "me", "mi", "mo", "na", "ne", "ni", "no", "pa", "pe",
        "pi", "po", "ra", "re", "ri", "ro", "sa", "se", "si", "so", "ta", "te", "ti", "to",
    ];
    SYLLABLES[rng.below(SYLLABLES.len() as u32) as usize]
}

fn made_up(rng: &mut Rng) -> String {
    [syllable(rng), syllable(rng), syllable(rng)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "(role White) ; a comment
        (<= (legal white (Mark ?X 10)) (true (cell ?x b)) (distinct ?x random))";

    #[test]
    fn words_are_renamed_and_put_back() {
        let sheet = Sheet::read(SHEET).unwrap();
        let scrambling = Scrambling::new(&sheet, Seed(1));
        let text = scrambling.sheet(&sheet);
        for word in ["white", "mark", "cell", "?x", "comment"] {
            assert!(!text.contains(word), "{text}");
        }
        for word in ["role", "legal", "true", "distinct", "random", " 10)"] {
            assert!(text.contains(word), "{text}");
        }
        let back = Sheet::read(&scrambling.restore(&text).unwrap()).unwrap();
        assert_eq!(print::sheet(&back), print::sheet(&sheet));
        let moved = scrambling.scramble("(MARK 10 10) ; so").unwrap();
        assert_eq!(scrambling.restore(&moved).unwrap(), "(mark 10 10) ; so");
        assert_eq!(scrambling.scramble("unheard").unwrap(), "unheard");
        assert!(scrambling.scramble("(").is_err());
    }

    #[test]
    fn the_seed_decides() {
        let sheet = Sheet::read(SHEET).unwrap();
        let text = |seed| Scrambling::new(&sheet, Seed(seed)).sheet(&sheet);
        assert_eq!(text(1), text(1));
        assert_ne!(text(1), text(2));
        let scrambling = Scrambling::new(&sheet, Seed(3));
        let new: FxHashSet<_> = scrambling.words().iter().map(|w| w.1).collect();
        assert_eq!(new.len(), scrambling.words().len(), "no two words become one");
    }
}
