//! Coloured text for terminals, which turns plain when nobody is there to see the colours.
//!
//! Games colour what they draw with [`paint`]; programs pass it through [`plain`] when the output is not a
//! terminal.

/// The colours games draw with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Red letters.
    Red,
    /// Green letters.
    Green,
    /// Yellow letters.
    Yellow,
    /// Blue letters.
    Blue,
    /// Purple letters.
    Purple,
    /// Dim letters, for what matters less.
    Dim,
    /// Dark letters on green, for a board's squares.
    OnGreen,
    /// Dark letters on yellow, for what has just changed.
    Marked,
}

/// The text in a colour.
pub fn paint(colour: Colour, text: &str) -> String {
    let code = match colour {
        Colour::Red => "31",
        Colour::Green => "32",
        Colour::Yellow => "33",
        Colour::Blue => "34",
        Colour::Purple => "35",
        Colour::Dim => "2",
        Colour::OnGreen => "30;42",
        Colour::Marked => "30;43",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// The text without its colours.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 2..];
        rest = tail.find('m').map_or("", |end| &tail[end + 1..]);
    }
    out.push_str(rest);
    out
}

/// The text without anything that a terminal obeys, apart from colours, tabs and ends of lines: names may come from
/// files that somebody else wrote.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(tail) = rest.strip_prefix("\x1b[") {
            let end = tail.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(tail.len());
            if tail[end..].starts_with('m') {
                out.push_str(&rest[..end + 3]);
                rest = &tail[end + 1..];
                continue;
            }
        }
        if !c.is_control() || matches!(c, '\n' | '\t') {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Splits a command at spaces outside quotes; brackets around the whole are taken off.
pub fn command_words(text: &str) -> Option<Vec<String>> {
    let text = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_takes_the_paint_off() {
        let text = format!("a{}c{}", paint(Colour::Red, "b"), paint(Colour::OnGreen, "d"));
        assert_eq!(plain(&text), "abcd");
        assert_eq!(plain("no colour"), "no colour");
    }

    #[test]
    fn only_colours_are_left_to_terminals() {
        let painted = paint(Colour::Red, "b");
        assert_eq!(harmless(&format!("a{painted}\n")), format!("a{painted}\n"));
        assert_eq!(harmless("\x1b[2Jx\x1b]0;title\x07\x1b[1;31"), "[2Jx]0;title[1;31");
        assert_eq!(harmless("ü\r\u{9b}31m"), "ü31m");
    }

    #[test]
    fn commands_are_split_into_words() {
        let words = |text: &str| command_words(text).map(|w| w.join("|"));
        assert_eq!(words("./engine --flag  x"), Some("./engine|--flag|x".to_string()));
        assert_eq!(words("[engine a,b]"), Some("engine|a,b".to_string()));
        assert_eq!(words("sh -c 'a b' \"it's\" x''y ''"), Some("sh|-c|a b|it's|xy|".to_string()));
        assert_eq!(
            words("engine --agent flat-mc(c=1,time=1s)"),
            Some("engine|--agent|flat-mc(c=1,time=1s)".into())
        );
        for bad in ["", "  ", "[]", "a 'b", "\""] {
            assert_eq!(words(bad), None, "{bad}");
        }
    }
}
