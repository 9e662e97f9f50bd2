//! Texts on a sheet: how wide they are, and how to break long ones.
//!
//! A reader's machine chooses the font, so widths are those of DejaVu Sans, one of the widest of the common
//! ones: what fits with it fits with Helvetica and Arial.

/// The width of a text in a font of this size.
pub(crate) fn width(text: &str, size: u32) -> f64 {
    f64::from(size) * text.chars().map(em).sum::<f64>()
}

/// The width of a character in a font of size 1.
fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' => 0.28,
        ' ' | '.' | ',' | 'I' | 'J' => 0.32,
        ':' | ';' | '|' | '/' | '\\' | 'f' | '-' => 0.37,
        't' | 'r' | '(' | ')' | '[' | ']' | '!' => 0.42,
        's' | 'z' | '_' | '*' | '?' | '"' => 0.53,
        'a' | 'c' | 'e' | 'k' | 'v' | 'x' | 'y' | 'L' | 'F' | 'T' => 0.62,
        '%' | '@' | 'W' | 'm' => 1.0,
        'w' | 'M' | 'O' | 'Q' | 'G' | 'D' | 'N' | 'H' | '=' | '<' | '>' | '+' | '~' | '#' | '&' | '^' => 0.87,
        'A'..='Z' => 0.74,
        c if c >= '\u{2e80}' => 1.1,
        c if c >= '\u{2000}' => 0.9,
        _ => 0.66,
    }
}

/// The text in lines no wider than this, broken where words or parameters end if possible.
pub(crate) fn wrapped(text: &str, widest: f64, size: u32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for c in text.chars() {
        line.push(c);
        while width(line.trim_end(), size) > widest && line.chars().count() > 1 {
            let end = line.char_indices().next_back().map_or(0, |(i, _)| i);
            // A break in the first third would leave the line nearly empty.
            let last = |of: &str| line[..end].rfind(|c| of.contains(c)).filter(|&i| i > end / 3);
            let at = BREAKS.iter().find_map(|of| last(of)).map_or(end, |i| i + 1);
            let rest = line.split_off(at);
            lines.push(line.trim_end().to_string());
            line = rest.trim_start().to_string();
        }
    }
    if !line.trim().is_empty() || lines.is_empty() {
        lines.push(line.trim_end().to_string());
    }
    lines
}

/// The text, or as much of its beginning and its end as is no wider than this, with dots for the rest.
pub(crate) fn shortened(text: &str, widest: f64, size: u32) -> String {
    if width(text, size) <= widest {
        return text.to_string();
    }
    let room = widest - width("...", size);
    let fitting = |chars: &mut dyn Iterator<Item = char>, room: f64| {
        let mut used = 0.0;
        chars
            .take_while(|&c| {
                used += f64::from(size) * em(c);
                used <= room
            })
            .collect::<Vec<char>>()
    };
    let head: String = fitting(&mut text.chars(), 0.45 * room).into_iter().collect();
    let tail: String = fitting(&mut text.chars().rev(), 0.55 * room).into_iter().rev().collect();
    format!("{}...{}", head.trim_end(), tail.trim_start())
}

/// What a line may end with, better places first.
const BREAKS: [&str; 2] = [" ,;()", "/-_+|&:="];

/// The widest of these texts.
pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>, size: u32) -> f64 {
    texts.into_iter().map(|text| width(text, size)).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_where_parameters_end() {
        let name = "mo-ismcts(iterations=10000,exploration=0.7,determinizations=40)";
        let lines = wrapped(name, 180.0, 12);
        assert_eq!(lines, ["mo-ismcts(", "iterations=10000,", "exploration=0.7,", "determinizations=40)"]);
        assert_eq!(lines.concat(), name);
    }

    #[test]
    fn what_is_too_long_has_dots_in_its_middle() {
        assert_eq!(shortened("a1", 100.0, 12), "a1");
        let short = shortened("rook takes the bishop", 100.0, 12);
        assert_eq!(short, "rook t...bishop");
        assert!(width(&short, 12) <= 100.0);
        assert_eq!(shortened("ab", 0.0, 12), "...");
    }

    /// Nothing is lost and nothing is too wide, even where there is no place to break or no room at all.
    #[test]
    fn no_line_is_wider_than_asked() {
        for text in ["", " ", "x", "one two  three", &"m".repeat(60), &"ü".repeat(61), "虚実虚実虚実虚実"]
        {
            for room in [0.0, 13.0, 50.0, 1000.0] {
                let lines = wrapped(text, room, 12);
                let without_spaces = |s: &str| s.chars().filter(|c| *c != ' ').collect::<String>();
                assert_eq!(without_spaces(&lines.concat()), without_spaces(text));
                assert!(!lines.is_empty());
                assert!(lines.iter().all(|l| l.chars().count() <= 1 || width(l, 12) <= room), "{lines:?}");
            }
        }
    }
}
