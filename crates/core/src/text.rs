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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_takes_the_paint_off() {
        let text = format!("a{}c{}", paint(Colour::Red, "b"), paint(Colour::OnGreen, "d"));
        assert_eq!(plain(&text), "abcd");
        assert_eq!(plain("no colour"), "no colour");
    }
}
