//! Boards.

use fogtree_core::scene::{Board, Cell, Ground, Lattice};

use super::sheet::{Font, Sheet};
use super::{shape, shares, token};
use crate::text;

/// The size of the letters of long notes.
const NOTE: u32 = 10;
/// Cells grow up to this side to make room for their notes.
const LARGEST: f64 = 96.0;
/// A line of labels above or below the columns.
const LABELS: f64 = 20.0;

/// Draws a board; answers how much room it took.
pub(super) fn draw(sheet: &mut Sheet<'_>, zone: &str, board: &Board, (x, top): (f64, f64)) -> (f64, f64) {
    let (columns, rows) = (board.columns.max(1), board.rows());
    let notes = text::widest(board.cells.iter().map(|cell| cell.note.as_str()), NOTE);
    let side = (560.0 / columns.max(rows) as f64).clamp(20.0, 54.0).max((notes + 8.0).min(LARGEST));
    let letters = (side * 0.24).max(8.0).min(f64::from(NOTE) * (side - 6.0) / notes.max(1.0));
    let left = text::widest(board.left.iter().map(String::as_str), 12)
        + if board.left.is_empty() { 0.0 } else { 8.0 };
    let theme = sheet.theme();
    let y = if board.above.is_empty() { top } else { top + LABELS };
    let hexagons = board.lattice == Lattice::Hexagons;
    let step = if hexagons { side * 0.87 } else { side };
    let corner = |i: usize| {
        let (column, row) = (i % columns, i / columns);
        let shift = if hexagons && row % 2 == 1 { side / 2.0 } else { 0.0 };
        (x + left + shift + column as f64 * side, y + row as f64 * step)
    };
    let width = side * columns as f64 + if hexagons && rows > 1 { side / 2.0 } else { 0.0 };
    if board.lattice == Lattice::Holes {
        let (w, h, colour) = (width, side * rows as f64, theme.player(fogtree_core::Player(0)));
        sheet.add(format_args!(
            r#"<rect x="{:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="8" fill="{colour}" fill-opacity="0.28"/>"#,
            x + left
        ));
    }
    for (i, cell) in board.cells.iter().enumerate() {
        let spot = format!("{zone}/{}", cell.place);
        let at = corner(i);
        if cell.place.is_empty() {
            draw_cell(sheet, board.lattice, cell, &spot, at, (side, letters));
            continue;
        }
        let frame = |sheet: &mut Sheet<'_>, colour: &str| outline(sheet, board.lattice, at, side, colour);
        sheet.spot(
            &spot,
            &cell.tokens,
            |sheet| draw_cell(sheet, board.lattice, cell, &spot, at, (side, letters)),
            frame,
        );
    }
    for &(a, b) in &board.walls {
        let ((_, ay), (bx, by)) = (corner(a.min(b)), corner(a.max(b)));
        let (from, to) = if ay == by { ((bx, by), (bx, by + side)) } else { ((bx, by), (bx + side, by)) };
        sheet.add(format_args!(
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{}" stroke-width="4" stroke-linecap="round"/>"#,
            from.0, from.1, to.0, to.1, theme.ink
        ));
    }
    for (row, label) in board.left.iter().enumerate() {
        let at = (x + left - 6.0, y + (row as f64 + 0.5) * step + 4.0);
        sheet.text(at, Font::end(12), theme.grey, label);
    }
    let bottom = y + step * rows as f64 + (side - step);
    for (labels, line) in [(&board.above, top + 13.0), (&board.below, bottom + 15.0)] {
        for (column, label) in labels.iter().enumerate() {
            let middle = x + left + (column as f64 + 0.5) * side;
            sheet.text((middle, line), Font::middle(12.0), theme.grey, label);
        }
    }
    let height = bottom - top + if board.below.is_empty() { 0.0 } else { LABELS };
    (left + width, height)
}

fn draw_cell(
    sheet: &mut Sheet<'_>,
    lattice: Lattice,
    cell: &Cell,
    spot: &str,
    (x, y): (f64, f64),
    (side, letters): (f64, f64),
) {
    let theme = sheet.theme();
    let middle = (x + side / 2.0, y + side / 2.0);
    if cell.ground == Ground::None && cell.tokens.is_empty() {
        sheet.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{side:.1}" height="{side:.1}" fill="none" pointer-events="all"/>"#
        ));
        return;
    }
    let fill = theme.ground(cell.ground);
    match lattice {
        Lattice::Squares => sheet.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{side:.1}" height="{side:.1}" fill="{fill}" stroke="{}" stroke-width="1"/>"#,
            theme.line
        )),
        Lattice::Hexagons => sheet.add(format_args!(
            r#"<polygon points="{}" fill="{fill}" stroke="{}" stroke-width="1"/>"#,
            shape::hexagon(middle, side * 0.577),
            theme.line
        )),
        Lattice::Holes => sheet.add(format_args!(
            r#"<circle cx="{:.1}" cy="{:.1}" r="{:.1}" fill="{}" stroke="{}"/>"#,
            middle.0,
            middle.1,
            side * 0.4,
            theme.paper,
            theme.line
        )),
    }
    if let Some(owner) = cell.owner {
        sheet.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{side:.1}" height="{side:.1}" fill="{}" fill-opacity="0.45"/>"#,
            sheet.player(owner)
        ));
    }
    shape::ground(sheet, cell.ground, (x, y), side, !cell.tokens.is_empty());
    if cell.dim {
        shade(sheet, lattice, (x, y), side);
    }
    let likely = sheet.shares(spot);
    // In hexagons the corners are cut off: notes stand above the middle, and tokens make room.
    let above = lattice == Lattice::Hexagons && !cell.note.is_empty();
    let (room, centre) =
        if above { (side * 0.34, (middle.0, middle.1 + side * 0.12)) } else { (side * 0.4, middle) };
    if likely.is_empty() {
        token::draw_all(sheet, &cell.tokens, centre, room);
    } else {
        shares::on_spot(sheet, likely, middle, side);
    }
    if !cell.note.is_empty() {
        let (at, font) = match above {
            true => ((middle.0, middle.1 - side * 0.28), Font::middle(letters)),
            false => ((x + 3.0, y + letters), Font::middle(letters).at_start()),
        };
        let colour = if cell.ground == Ground::Wall { theme.paper } else { theme.ink };
        sheet.note(at, font, (colour, fill), &cell.note);
    }
}

/// What is out of sight lies in a hatched shade.
fn shade(sheet: &mut Sheet<'_>, lattice: Lattice, (x, y): (f64, f64), side: f64) {
    let fog = sheet.theme().ground(Ground::Fog);
    let middle = (x + side / 2.0, y + side / 2.0);
    match lattice {
        Lattice::Hexagons => sheet.add(format_args!(
            r#"<polygon points="{}" fill="{fog}" fill-opacity="0.65"/>"#,
            shape::hexagon(middle, side * 0.577)
        )),
        _ => sheet.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{side:.1}" height="{side:.1}" fill="{fog}" fill-opacity="0.65"/>"#
        )),
    }
    let d = side * 0.3;
    sheet.add(format_args!(
        r#"<path d="M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}" stroke="{}" stroke-opacity="0.35" stroke-width="1.2"/>"#,
        middle.0 - d, middle.1, middle.0, middle.1 - d, middle.0, middle.1 + d, middle.0 + d, middle.1,
        sheet.theme().ink
    ));
}

fn outline(sheet: &mut Sheet<'_>, lattice: Lattice, (x, y): (f64, f64), side: f64, colour: &str) {
    match lattice {
        Lattice::Squares => sheet.add(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill="none" stroke="{colour}" stroke-width="2.5" rx="3"/>"#,
            x + 2.0,
            y + 2.0,
            side - 4.0,
            side - 4.0
        )),
        Lattice::Hexagons => sheet.add(format_args!(
            r#"<polygon points="{}" fill="none" stroke="{colour}" stroke-width="2.5"/>"#,
            shape::hexagon((x + side / 2.0, y + side / 2.0), side * 0.52)
        )),
        Lattice::Holes => sheet.add(format_args!(
            r#"<circle cx="{:.1}" cy="{:.1}" r="{:.1}" fill="none" stroke="{colour}" stroke-width="2.5"/>"#,
            x + side / 2.0,
            y + side / 2.0,
            side * 0.44
        )),
    }
}
