//! Text that fits the terminal: paragraphs and tables whose cells wrap.

use crate::output::table;

/// Lines are no longer than this.
const WIDEST: usize = 100;

/// Narrower terminals get lines of this length all the same.
const NARROWEST: usize = 40;

/// How long lines may be: as `COLUMNS` says, within limits.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or(WIDEST).clamp(NARROWEST, WIDEST)
}

/// A paragraph for the terminal.
pub(crate) fn paragraph(text: &str) -> String {
    wrapped(text, width()).join("\n") + "\n"
}

/// A table for the terminal: where it is too wide, the widest columns wrap.
pub(crate) fn fitted(header: &[&str], rows: &[Vec<String>]) -> String {
    fitted_to(width(), header, rows)
}

fn fitted_to(width: usize, header: &[&str], rows: &[Vec<String>]) -> String {
    let longest = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let mut widths: Vec<usize> =
        header.iter().enumerate().map(|(i, name)| name.chars().count().max(longest(i))).collect();
    let room = width.saturating_sub(2 * (header.len() - 1));
    while widths.iter().sum::<usize>() > room
        && let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > 1)
    {
        *widest -= 1;
    }
    let lines = rows.iter().flat_map(|row| {
        let cells: Vec<Vec<String>> =
            row.iter().zip(&widths).map(|(cell, &width)| wrapped(cell, width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line =
            move |at: usize| cells.iter().map(|cell| cell.get(at).cloned().unwrap_or_default()).collect();
        (0..height).map(line).collect::<Vec<_>>()
    });
    table(header, &lines.collect::<Vec<_>>())
}

/// The lines of a text, broken at blanks; words that are too long are broken after a comma, or anywhere.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        let line = lines.last_mut().expect("there is a line");
        let used = line.chars().count();
        if used > 0 && used + 1 + word.len() <= width {
            line.push(' ');
        } else if used > 0 {
            lines.push(String::new());
        }
        while word.len() > width {
            let comma = word[..width].iter().rposition(|&c| c == ',');
            let rest = word.split_off(comma.map_or(width, |at| at + 1));
            lines.last_mut().expect("there is a line").extend(word);
            lines.push(String::new());
            word = rest;
        }
        lines.last_mut().expect("there is a line").extend(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_long_words_at_commas() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a key=1,other=2 b", 9), ["a", "key=1,", "other=2 b"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("", 3), [""]);
    }

    #[test]
    fn the_widest_column_wraps() {
        let row = |cells: [&str; 2]| cells.map(str::to_string).to_vec();
        let rows = [row(["nim", "take from one heap"]), row(["mnk", "a line"])];
        let text = fitted_to(18, &["game", "what it is"], &rows);
        assert_eq!(text, "game  what it is\nnim   take from\n      one heap\nmnk   a line\n");
    }
}
