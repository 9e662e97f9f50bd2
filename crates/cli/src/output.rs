//! Writing to the terminal, or to whatever stands in its place.

use std::io::Write;
use std::path::Path;

use fogtree_core::text;
use serde::Serialize;

use crate::failure::Failure;

/// Writes text to the standard output, with colours only if it is a terminal that shows them.
pub(crate) fn emit(content: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text::harmless(content).as_bytes())?;
    Ok(out.flush()?)
}

/// Writes one line.
pub(crate) fn emit_line(content: &str) -> Result<(), Failure> {
    emit(&format!("{content}\n"))
}

/// Writes something as a line of JSON.
pub(crate) fn emit_json(value: &impl Serialize) -> Result<(), Failure> {
    emit_line(&serde_json::to_string(value).expect("plain data serialises"))
}

/// Writes one line of which a part comes from other programs: what a terminal would obey is spelled out.
pub(crate) fn emit_harmless(content: &str) -> Result<(), Failure> {
    let mut line = String::with_capacity(content.len());
    for c in content.chars() {
        if c.is_control() {
            // As JSON spells it, so that a line of JSON stays one.
            line.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            line.push(c);
        }
    }
    emit_line(&line)
}

/// Overwrites the line of the terminal that shows what is going on. If that fails nobody is looking.
pub(crate) fn show_live(line: &str) {
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "\r\x1b[2K{line}").and_then(|()| out.flush());
}

/// Says before hours of work that a file of this name cannot be written after them.
pub(crate) fn check_place(option: &str, path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let why = match folder {
        _ if path.is_dir() => "expected a file, not a folder",
        Some(folder) if !folder.is_dir() => "there is no such folder",
        _ => return Ok(()),
    };
    Err(Failure::Input(format!("--{option} {}: {why}", path.display())))
}

/// A table in plain columns, those of numbers aligned to the right.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let all =
        || std::iter::once(header.iter().map(|h| (*h).to_string()).collect()).chain(rows.iter().cloned());
    let width = |column: usize| all().map(|row: Vec<String>| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let numeric =
        |cell: &String| cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
    let right: Vec<bool> =
        (0..header.len()).map(|i| !rows.is_empty() && rows.iter().all(|row| numeric(&row[i]))).collect();
    let line = |row: Vec<String>| {
        let cells = row.iter().zip(&widths).zip(&right).map(|((cell, &width), &right)| match right {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
    };
    all().map(line).collect()
}

/// A number with about four significant digits and separators between thousands.
pub(crate) fn quantity(value: f64) -> String {
    if value.abs() < 100.0 {
        return format!("{value:.3}");
    }
    grouped(&format!("{value:.0}"))
}

/// A count with separators between thousands.
pub(crate) fn count(value: u64) -> String {
    grouped(&value.to_string())
}

fn grouped(whole: &str) -> String {
    let mut text = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) && c != '-' {
            text.push(' ');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_grouped() {
        assert_eq!(quantity(1_234_567.0), "1 234 567");
        assert_eq!(quantity(999.6), "1 000");
        assert_eq!(quantity(0.5), "0.500");
        assert_eq!(count(2), "2");
    }
}
