//! Tables of facts, and words.

use fogtree_core::scene::{Entry, Look, Table};

use super::sheet::{Font, Sheet};
use super::token;
use crate::text;

const ROW: f64 = 26.0;
/// The room of a token in a row.
const TOKEN: f64 = 24.0;
/// Between columns.
const GAP: f64 = 18.0;
/// Words are broken into lines of this width.
const WIDEST: f64 = 620.0;

/// Draws a table; answers how much room it took.
pub(super) fn draw(sheet: &mut Sheet<'_>, zone: &str, table: &Table, (x, y): (f64, f64)) -> (f64, f64) {
    let theme = sheet.theme();
    let columns = table.rows.iter().map(Vec::len).chain([table.head.len()]).max().unwrap_or(0);
    let wide = |column: usize| {
        let entries = table.rows.iter().filter_map(|row| row.get(column)).map(room);
        entries.chain(table.head.get(column).map(|head| text::width(head, 12))).fold(0.0, f64::max)
    };
    let widths: Vec<f64> = (0..columns).map(wide).collect();
    let left = |column: usize| x + widths[..column].iter().map(|w| w + GAP).sum::<f64>();
    let total = widths.iter().sum::<f64>() + GAP * columns.saturating_sub(1) as f64;
    let mut top = y;
    if !table.head.is_empty() {
        for (column, head) in table.head.iter().enumerate() {
            sheet.text((left(column), top + 13.0), Font::start(12), theme.grey, head);
        }
        top += 20.0;
    }
    for row in &table.rows {
        sheet.add(format_args!(
            r#"<line x1="{x:.1}" y1="{top:.1}" x2="{:.1}" y2="{top:.1}" stroke="{}" stroke-width="0.7"/>"#,
            x + total,
            theme.line
        ));
        for (column, entry) in row.iter().enumerate() {
            draw_entry(sheet, zone, entry, (left(column), top), widths[column]);
        }
        top += ROW;
    }
    (total, top - y)
}

fn room(entry: &Entry) -> f64 {
    let words = if entry.text.is_empty() { 0.0 } else { text::width(&entry.text, 14) + 4.0 };
    let swatch = if entry.owner.is_some() { 16.0 } else { 0.0 };
    swatch + words + TOKEN * entry.tokens.len() as f64
}

fn draw_entry(sheet: &mut Sheet<'_>, zone: &str, entry: &Entry, (x, y): (f64, f64), width: f64) {
    let body = |sheet: &mut Sheet<'_>| {
        let theme = sheet.theme();
        let mut at = x;
        if let Some(owner) = entry.owner {
            let colour = sheet.player(owner);
            let (cx, cy) = (at + 6.0, y + ROW / 2.0);
            sheet.add(format_args!(
                r#"<circle cx="{cx:.1}" cy="{cy:.1}" r="5.5" fill="{colour}" stroke="{}"/>"#,
                theme.line
            ));
            at += 16.0;
        }
        if !entry.text.is_empty() {
            sheet.text((at, y + 18.0), Font::start(14), theme.ink, &entry.text);
            at += text::width(&entry.text, 14) + 4.0;
        }
        for t in &entry.tokens {
            let middle = (at + TOKEN / 2.0, y + ROW / 2.0);
            if matches!(t.look, Look::Card { .. } | Look::Back) {
                token::card(sheet, t, (middle.0 - 8.0, middle.1 - 11.2), 16.0);
            } else {
                token::draw(sheet, t, middle, 10.5);
            }
            at += TOKEN;
        }
    };
    let frame = |sheet: &mut Sheet<'_>, colour: &str| {
        sheet.add(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="4" fill="none" stroke="{colour}" stroke-width="2"/>"#,
            x - 4.0, y + 2.0, width + 8.0, ROW - 4.0
        ));
    };
    match &entry.place {
        Some(place) => sheet.spot(&format!("{zone}/{place}"), &entry.tokens, body, frame),
        None => body(sheet),
    }
}

/// Draws words in lines; answers how much room they took.
pub(super) fn words(sheet: &mut Sheet<'_>, words: &str, (x, y): (f64, f64)) -> (f64, f64) {
    let lines: Vec<String> = words.lines().flat_map(|line| text::wrapped(line, WIDEST, 13)).collect();
    let ink = sheet.theme().ink;
    for (i, line) in lines.iter().enumerate() {
        sheet.text((x, y + 13.0 + 18.0 * i as f64), Font::start(13), ink, line);
    }
    (text::widest(lines.iter().map(String::as_str), 13), 18.0 * lines.len() as f64 + 4.0)
}
