//! A scene as an SVG picture.
//!
//! Each spot is a group with the attribute `data-spot`, so that a page can tell what was touched without knowing the
//! game, and with a title in words for people who cannot see it.

mod board;
mod cards;
mod graph;
mod shape;
mod shares;
mod sheet;
mod table;
pub(crate) mod theme;
mod token;

use fogtree_core::Scene;
use fogtree_core::scene::{Beliefs, Content, Zone};

use crate::text;
use sheet::{Font, Sheet};
pub use theme::Theme;

/// What is drawn beside the scene itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Drawing<'a> {
    /// The colours.
    pub theme: Theme,
    /// The spots that have changed since the observer last looked.
    pub changed: &'a [String],
    /// The spots that can be touched.
    pub selectable: &'a [String],
    /// What stands where in worlds that agree with what is known.
    pub beliefs: Option<&'a Beliefs>,
}

/// Around the whole picture, and between its parts.
const MARGIN: f64 = 16.0;
/// Titles of zones.
const TITLE: f64 = 22.0;
/// The narrowest picture.
const NARROWEST: f64 = 340.0;
/// A line of the caption.
const LINE: f64 = 20.0;

/// The picture of a scene.
pub fn svg(scene: &Scene, drawing: &Drawing<'_>) -> String {
    let mut body = Sheet::new(drawing, &scene.tints);
    let (mut width, mut y) = (NARROWEST, 0.0);
    for row in rows(&scene.zones) {
        let (mut x, mut tallest) = (0.0, 0.0f64);
        for zone in row {
            let (w, h) = draw_zone(&mut body, zone, (x, y));
            x += w + 2.0 * MARGIN;
            tallest = tallest.max(h);
        }
        width = width.max(x - 2.0 * MARGIN);
        y += tallest + MARGIN;
    }
    let caption = text::wrapped(&scene.caption, width, 15);
    let lines = if scene.caption.is_empty() { &[][..] } else { &caption[..] };
    let top = MARGIN + LINE * lines.len() as f64 + if lines.is_empty() { 0.0 } else { 10.0 };
    let mut head = Sheet::new(drawing, &scene.tints);
    for (i, line) in lines.iter().enumerate() {
        head.text((MARGIN, MARGIN + 14.0 + LINE * i as f64), Font::start(15), head.theme().ink, line);
    }
    let (width, height) = (width + 2.0 * MARGIN, top + y);
    let theme = drawing.theme.colours();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" role=\"group\" aria-label=\"{}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n{}<g transform=\"translate({MARGIN} {top:.0})\">\n{}</g>\n</svg>\n",
        crate::chart::escaped(&scene.caption),
        theme.paper,
        head.body,
        body.body
    )
}

/// Zones that stand side by side.
fn rows(zones: &[Zone]) -> Vec<Vec<&Zone>> {
    let mut rows: Vec<Vec<&Zone>> = Vec::new();
    for zone in zones {
        match rows.last_mut() {
            Some(row) if zone.beside => row.push(zone),
            _ => rows.push(vec![zone]),
        }
    }
    rows
}

/// Draws a zone at a point; answers how much room it took.
fn draw_zone(sheet: &mut Sheet<'_>, zone: &Zone, (x, y): (f64, f64)) -> (f64, f64) {
    let (mut top, mut widest) = (y, 0.0);
    if !zone.title.is_empty() {
        let theme = sheet.theme();
        // Titles stand on the paper: they have the colour that can be read there.
        let colour = zone.owner.map_or(theme.ink, |p| theme.player(p));
        sheet.text((x, y + 13.0), Font::start(14).bold(), colour, &zone.title);
        widest = text::width(&zone.title, 14) * 1.08;
        top += TITLE;
    }
    let at = (x, top);
    let (w, h) = match &zone.content {
        Content::Board(board) => board::draw(sheet, &zone.name, board, at),
        Content::Graph(graph) => graph::draw(sheet, &zone.name, graph, at),
        Content::Cards(cards) => cards::draw(sheet, &zone.name, cards, at),
        Content::Table(facts) => table::draw(sheet, &zone.name, facts, at),
        Content::Text { text } => table::words(sheet, text, at),
    };
    let (more, lower) = shares::of_zone(sheet, &zone.name, (x + w + MARGIN, top));
    let w = if more > 0.0 { w + MARGIN + more } else { w };
    (w.max(widest), top - y + h.max(lower))
}

#[cfg(test)]
mod tests;
