//! Graphs.

use std::collections::HashMap;

use fogtree_core::scene::{Graph, Node};

use super::sheet::{Font, Sheet};
use super::{shares, token};
use crate::text;

const WIDEST: f64 = 1100.0;
/// Neighbours are drawn so far apart.
const UNIT: f64 = 64.0;

/// Draws a graph; answers how much room it took.
pub(super) fn draw(sheet: &mut Sheet<'_>, zone: &str, graph: &Graph, (x, y): (f64, f64)) -> (f64, f64) {
    let theme = sheet.theme();
    let bound = |of: fn(&Node) -> f64, start: f64, pick: fn(f64, f64) -> f64| {
        graph.nodes.iter().map(of).fold(start, pick)
    };
    let (left, right) =
        (bound(|n| n.x, f64::INFINITY, f64::min), bound(|n| n.x, f64::NEG_INFINITY, f64::max));
    let (top, bottom) =
        (bound(|n| n.y, f64::INFINITY, f64::min), bound(|n| n.y, f64::NEG_INFINITY, f64::max));
    if graph.nodes.is_empty() {
        return (0.0, 0.0);
    }
    let scale = (WIDEST / (right - left).max(1e-9)).min(UNIT);
    let radius = (scale * 0.3).clamp(9.0, 19.0);
    let place =
        |node: &Node| (x + radius + 4.0 + (node.x - left) * scale, y + radius + 4.0 + (node.y - top) * scale);
    let mut parallel: HashMap<(usize, usize), usize> = HashMap::new();
    for edge in &graph.edges {
        let (a, b) = (place(&graph.nodes[edge.from]), place(&graph.nodes[edge.to]));
        let number = parallel.entry((edge.from.min(edge.to), edge.from.max(edge.to))).or_default();
        let away = *number as f64 * 4.0;
        *number += 1;
        let long = (b.0 - a.0).hypot(b.1 - a.1).max(1e-9);
        let (dx, dy) = ((a.1 - b.1) / long * away, (b.0 - a.0) / long * away);
        sheet.add(format_args!(
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{}" stroke-width="2.4"{}/>"#,
            a.0 + dx,
            a.1 + dy,
            b.0 + dx,
            b.1 + dy,
            theme.edges[edge.kind % theme.edges.len()],
            dash(edge.kind)
        ));
    }
    for node in &graph.nodes {
        let (cx, cy) = place(node);
        let spot = format!("{zone}/{}", node.place);
        let body = |sheet: &mut Sheet<'_>| {
            sheet.add(format_args!(
                r#"<circle cx="{cx:.1}" cy="{cy:.1}" r="{radius:.1}" fill="{}" stroke="{}" stroke-width="1.2"/>"#,
                theme.ground(node.ground),
                theme.grey
            ));
            let likely = sheet.shares(&spot);
            if !likely.is_empty() {
                shares::on_spot(sheet, likely, (cx, cy), radius * 2.0);
            } else if node.tokens.is_empty() {
                let size = (radius * 0.8).min(radius * 2.4 / node.place.chars().count().max(2) as f64);
                sheet.text((cx, cy + size * 0.36), Font::middle(size), theme.ink, &node.place);
            } else {
                token::draw_all(sheet, &node.tokens, (cx, cy), radius * 1.05);
                let size = (radius * 0.62).max(8.0);
                let below = (cx, cy + radius * 1.12 + size);
                sheet.note(below, Font::middle(size), (theme.ink, theme.paper), &node.place);
            }
        };
        let frame = |sheet: &mut Sheet<'_>, colour: &str| {
            sheet.add(format_args!(
                r#"<circle cx="{cx:.1}" cy="{cy:.1}" r="{:.1}" fill="none" stroke="{colour}" stroke-width="2.8"/>"#,
                radius + 2.5
            ));
        };
        sheet.spot(&spot, &node.tokens, body, frame);
    }
    let width = (right - left) * scale + 2.0 * radius + 8.0;
    let mut height = (bottom - top) * scale + 2.0 * radius + 18.0;
    if !graph.kinds.is_empty() {
        let mut at = x;
        for (kind, name) in graph.kinds.iter().enumerate() {
            let colour = theme.edges[kind % theme.edges.len()];
            let line = y + height + 8.0;
            sheet.add(format_args!(
                r#"<line x1="{at:.1}" y1="{line:.1}" x2="{:.1}" y2="{line:.1}" stroke="{colour}" stroke-width="3"{}/>"#,
                at + 26.0,
                dash(kind)
            ));
            sheet.text((at + 32.0, line + 4.0), Font::start(12), theme.ink, name);
            at += 48.0 + text::width(name, 12);
        }
        height += 22.0;
    }
    (width, height)
}

/// Kinds of edges differ by dashes as well as by colours.
fn dash(kind: usize) -> &'static str {
    ["", r#" stroke-dasharray="9 3""#, r#" stroke-dasharray="3 3""#, r#" stroke-dasharray="12 3 3 3""#]
        [kind % 4]
}
