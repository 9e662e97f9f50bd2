//! A part of a tree as an SVG picture.
//!
//! Each node is a group with the attribute `data-node`, so that a page can tell what was touched, and with a
//! title in words. A rest is a group of the class `more` with the number of the node whose children it stands
//! for.

use fogtree_core::Player;

use super::layout::{GAP, LABEL, Layout, NUMBERS, Placed, RADIUS};
use super::{Branch, Look};
use crate::Theme;
use crate::chart::canvas::{Anchor, Canvas, Font};
use crate::chart::{Numbers, escaped};
use crate::svg::theme::Colours;
use crate::text;

/// How a tree is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeDrawing {
    /// The colours.
    pub theme: Theme,
    /// Whose values are shown.
    pub player: Player,
    /// The values that have the colours at the ends of the scale.
    pub range: (f64, f64),
}

const MARGIN: f64 = 14.0;
/// The key of the colours below the tree.
const KEY: f64 = 30.0;
const SWATCH: f64 = 16.0;
const SWATCHES: usize = 7;

/// The picture of a part of a tree, from left to right: the more visits, the larger a node, and the better
/// for the player whose values are shown, the bluer.
pub fn tree_svg(branches: &[Branch], drawing: &TreeDrawing) -> String {
    let layout = Layout::new(branches, branches.iter().map(numbers).collect(), MARGIN);
    let colours = drawing.theme.colours();
    let key = format!("value to player {}", drawing.player);
    let shapes = shapes(branches);
    let shapes_width: f64 = shapes.iter().map(|(_, name)| 22.0 + text::width(name, NUMBERS) + 12.0).sum();
    let key_width = key_width(drawing, &key);
    // The shapes stand beside the colours if there is room, else below them.
    let beside = 3.0 * MARGIN + key_width + shapes_width <= layout.width;
    let width =
        if beside { layout.width } else { layout.width.max(2.0 * MARGIN + key_width.max(shapes_width)) };
    let height = layout.height + MARGIN + KEY + if beside { 0.0 } else { KEY - 8.0 };
    let mut canvas = Canvas::new(width.ceil(), height.ceil());
    for (branch, to) in branches.iter().zip(&layout.placed) {
        edge(&mut canvas, branches, &layout.placed, branch, to, colours);
    }
    for (branch, at) in branches.iter().zip(&layout.placed) {
        node(&mut canvas, branch, at, drawing);
    }
    let line = layout.height + MARGIN;
    draw_key(&mut canvas, drawing, &key, line);
    let start = if beside { (2.0 * MARGIN + key_width, line) } else { (MARGIN, line + KEY - 8.0) };
    draw_shapes(&mut canvas, &shapes, start, colours);
    let name = branches.first().map_or_else(String::new, |first| format!("Search tree; {}", first.title));
    canvas.finish_on(colours.paper, "group", &name)
}

/// What is written below the label of a branch.
fn numbers(branch: &Branch) -> String {
    let visits = if branch.visits == 1 { "1 visit".to_string() } else { format!("{} visits", branch.visits) };
    match (branch.look, branch.value) {
        (Look::More(_), _) => String::new(),
        (_, None) => visits,
        (_, Some(value)) => format!("{}, {visits}", Numbers::Plain.write(value)),
    }
}

fn edge(
    canvas: &mut Canvas,
    branches: &[Branch],
    placed: &[Placed],
    branch: &Branch,
    to: &Placed,
    colours: &Colours,
) {
    let dash = if matches!(branch.look, Look::More(_)) { r#" stroke-dasharray="3 3""# } else { "" };
    let (line, end) = (colours.line, to.x - to.radius);
    let Some(parent) = branch.parent else {
        let (x, y) = (to.left, to.y);
        canvas.line((x, y), (end, y), line, 1.0);
        return;
    };
    let from = &placed[parent];
    let share = branch.visits as f64 / branches[parent].visits.max(1) as f64;
    let width = if dash.is_empty() { 1.0 + 4.0 * share.min(1.0) } else { 1.0 };
    let (x, middle) = (from.x + from.radius, (from.x + RADIUS + to.left) / 2.0);
    canvas.element(format_args!(
        r#"<path d="M{x:.1} {:.1}C{middle:.1} {:.1} {middle:.1} {:.1} {:.1} {:.1}L{end:.1} {:.1}" fill="none" stroke="{line}" stroke-width="{width:.1}"{dash}/>"#,
        from.y, from.y, to.y, to.left, to.y, to.y
    ));
}

fn node(canvas: &mut Canvas, branch: &Branch, at: &Placed, drawing: &TreeDrawing) {
    let colours = drawing.theme.colours();
    let (class, button) = match (branch.look, branch.parent) {
        (Look::More(_), _) => (r#"class="more" "#, r#" role="button" tabindex="0""#),
        (_, Some(_)) => ("", r#" role="button" tabindex="0""#),
        (_, None) => ("", ""),
    };
    canvas.element(format_args!(
        r#"<g {class}data-node="{}"{button}><title>{}</title>"#,
        branch.node,
        escaped(&branch.title)
    ));
    let Placed { x, y, left, radius, .. } = *at;
    if let Look::More(_) = branch.look {
        canvas.element(format_args!(
            r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="18.0" rx="9" fill="{}" stroke="{}" stroke-dasharray="3 3"/>"#,
            x - radius,
            y - 9.0,
            2.0 * radius,
            colours.paper,
            colours.grey
        ));
        let font = Font::new(NUMBERS, Anchor::Middle).colour(colours.ink);
        canvas.text((x, y + 3.5), font, &at.label);
    } else {
        // The whole row answers to a touch.
        canvas.element(format_args!(
            r#"<rect x="{left:.1}" y="{:.1}" width="{:.1}" height="34.0" fill="none" pointer-events="all"/>"#,
            y - 17.0,
            x + RADIUS - left
        ));
        let fill = branch.value.map_or_else(|| colours.paper.to_string(), |value| colour(drawing, value));
        let rim = if branch.parent.is_none() { (colours.selectable, 3.0) } else { (colours.grey, 1.5) };
        canvas.element(format_args!("{}", form(branch.look, (x, y), radius, &fill, rim)));
        let end = x - RADIUS - GAP;
        canvas.text((end, y - 5.0), Font::new(LABEL, Anchor::End).colour(colours.ink), &at.label);
        canvas.text((end, y + 13.0), Font::new(NUMBERS, Anchor::End).colour(colours.grey), &at.numbers);
    }
    canvas.element(format_args!("</g>"));
}

/// Circles for moves, squares for places, diamonds for chance.
fn form(look: Look, (x, y): (f64, f64), r: f64, fill: &str, (rim, width): (&str, f64)) -> String {
    let paint = format!(r#"fill="{fill}" stroke="{rim}" stroke-width="{width}""#);
    match look {
        Look::Move(_) => format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="{r:.1}" {paint}/>"#),
        Look::Chance => {
            let (up, down, left, right) = (y - r, y + r, x - r, x + r);
            format!(
                r#"<polygon points="{x:.1},{up:.1} {right:.1},{y:.1} {x:.1},{down:.1} {left:.1},{y:.1}" {paint}/>"#
            )
        }
        Look::Place | Look::More(_) => {
            let (x, y, side) = (x - 0.88 * r, y - 0.88 * r, 1.76 * r);
            format!(r#"<rect x="{x:.1}" y="{y:.1}" width="{side:.1}" height="{side:.1}" rx="3" {paint}/>"#)
        }
    }
}

/// The colour of a value: from vermilion over grey to blue, which people with any common form of colour
/// blindness can tell apart.
fn colour(drawing: &TreeDrawing, value: f64) -> String {
    let [low, middle, high] = match drawing.theme {
        Theme::Light => [[213.0, 94.0, 0.0], [236.0, 236.0, 236.0], [0.0, 114.0, 178.0]],
        Theme::Dark => [[240.0, 128.0, 48.0], [58.0, 66.0, 75.0], [61.0, 159.0, 224.0]],
    };
    let (from, to) = drawing.range;
    let place = if to > from { ((value - from) / (to - from)).clamp(0.0, 1.0) } else { 0.5 };
    let place = if place.is_nan() { 0.5 } else { place };
    let (a, b, share) =
        if place < 0.5 { (low, middle, 2.0 * place) } else { (middle, high, 2.0 * place - 1.0) };
    let mix = |i: usize| (a[i] + (b[i] - a[i]) * share).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The numbers at the ends of the scale.
fn ends(drawing: &TreeDrawing) -> [String; 2] {
    [drawing.range.0, drawing.range.1].map(|end| Numbers::Plain.write(end))
}

fn key_width(drawing: &TreeDrawing, key: &str) -> f64 {
    let [low, high] = ends(drawing);
    text::width(&low, NUMBERS)
        + text::width(&high, NUMBERS)
        + text::width(key, NUMBERS)
        + SWATCH * SWATCHES as f64
        + 22.0
}

fn draw_key(canvas: &mut Canvas, drawing: &TreeDrawing, key: &str, top: f64) {
    let colours = drawing.theme.colours();
    let font = Font::new(NUMBERS, Anchor::Start).colour(colours.grey);
    let [low, high] = ends(drawing);
    let mut x = MARGIN;
    canvas.text((x, top + 10.0), font, &low);
    x += text::width(&low, NUMBERS) + 5.0;
    let (from, to) = drawing.range;
    for i in 0..SWATCHES {
        let value = from + (to - from) * i as f64 / (SWATCHES - 1) as f64;
        canvas.rect((x, top), (x + SWATCH, top + 12.0), &colour(drawing, value));
        x += SWATCH;
    }
    canvas.text((x + 5.0, top + 10.0), font, &high);
    x += 17.0 + text::width(&high, NUMBERS);
    canvas.text((x, top + 10.0), font, key);
}

/// The forms in the picture, each with what it stands for.
fn shapes(branches: &[Branch]) -> Vec<(Look, &'static str)> {
    let has = |is: fn(Look) -> bool| branches.iter().any(|branch| is(branch.look));
    let all: [(Look, &str, bool); 3] = [
        (Look::Place, "where somebody decides", has(|look| look == Look::Place)),
        (Look::Move(Player(0)), "after a move", has(|look| matches!(look, Look::Move(_)))),
        (Look::Chance, "after chance", has(|look| look == Look::Chance)),
    ];
    all.into_iter().filter(|one| one.2).map(|(look, name, _)| (look, name)).collect()
}

fn draw_shapes(
    canvas: &mut Canvas,
    shapes: &[(Look, &'static str)],
    (mut x, top): (f64, f64),
    colours: &'static Colours,
) {
    let font = Font::new(NUMBERS, Anchor::Start).colour(colours.grey);
    for (look, name) in shapes {
        let sample = form(*look, (x + 8.0, top + 6.0), 6.0, colours.paper, (colours.grey, 1.5));
        canvas.element(format_args!("{sample}"));
        canvas.text((x + 19.0, top + 10.0), font, name);
        x += 22.0 + text::width(name, NUMBERS) + 12.0;
    }
}
