//! The text of a picture while it is written.

use std::collections::HashSet;
use std::fmt::{Arguments, Write};

use fogtree_core::Player;
use fogtree_core::scene::{Share, Tint, Token};

use super::Drawing;
use super::theme::{Colours, tint};
use crate::chart::escaped;

/// SVG elements, one after another.
pub(super) struct Sheet<'a> {
    pub(super) body: String,
    drawing: &'a Drawing<'a>,
    changed: HashSet<&'a str>,
    selectable: HashSet<&'a str>,
    tints: &'a [Tint],
}

/// How a text is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    size: f64,
    anchor: &'static str,
    bold: bool,
}

impl Font {
    pub(super) fn start(size: u32) -> Font {
        Font { size: f64::from(size), anchor: "start", bold: false }
    }

    pub(super) fn end(size: u32) -> Font {
        Font { anchor: "end", ..Font::start(size) }
    }

    pub(super) fn middle(size: f64) -> Font {
        Font { size, anchor: "middle", bold: false }
    }

    pub(super) fn at_start(self) -> Font {
        Font { anchor: "start", ..self }
    }

    pub(super) fn bold(self) -> Font {
        Font { bold: true, ..self }
    }
}

impl<'a> Sheet<'a> {
    pub(super) fn new(drawing: &'a Drawing<'a>, tints: &'a [Tint]) -> Sheet<'a> {
        let set = |spots: &'a [String]| spots.iter().map(String::as_str).collect();
        Sheet {
            body: String::new(),
            drawing,
            changed: set(drawing.changed),
            selectable: set(drawing.selectable),
            tints,
        }
    }

    pub(super) fn theme(&self) -> &'static Colours {
        self.drawing.theme.colours()
    }

    /// The colour of a player's pieces.
    pub(super) fn player(&self, player: Player) -> &'static str {
        self.tints.get(player.index()).map_or_else(|| self.theme().player(player), |&t| tint(t).0)
    }

    /// The colour of what is written on a player's pieces.
    pub(super) fn ink_on(&self, player: Option<Player>) -> &'static str {
        player.and_then(|p| self.tints.get(p.index())).map_or("#fff", |&t| tint(t).1)
    }

    /// Adds an element.
    pub(super) fn add(&mut self, element: Arguments<'_>) {
        self.body.write_fmt(element).expect("text takes text");
        self.body.push('\n');
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), font: Font, colour: &str, text: &str) {
        let Font { size, anchor, bold } = font;
        let weight = if bold { r#" font-weight="bold""# } else { "" };
        let text = escaped(text);
        self.add(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size:.1}" text-anchor="{anchor}" fill="{colour}"{weight}>{text}</text>"#
        ));
    }

    /// A text in a rim of another colour, so that it can be read wherever it stands.
    pub(super) fn note(&mut self, at: (f64, f64), font: Font, (colour, rim): (&str, &str), text: &str) {
        self.add(format_args!(
            r#"<g stroke="{rim}" stroke-width="3" stroke-linejoin="round" paint-order="stroke">"#
        ));
        self.text(at, font, colour, text);
        self.add(format_args!("</g>"));
    }

    /// A letter or a few in the middle of a circle of this radius.
    pub(super) fn label(&mut self, (x, y): (f64, f64), radius: f64, colour: &str, label: &str) {
        let long = label.chars().count();
        let size = radius * [1.3, 1.3, 1.05, 0.8, 0.62][long.min(4)];
        self.text((x, y + size * 0.36), Font::middle(size).bold(), colour, label);
    }

    /// Draws a spot: what has changed and what can be touched is outlined by the frame, which is drawn last.
    pub(super) fn spot(
        &mut self,
        spot: &str,
        tokens: &[Token],
        draw: impl FnOnce(&mut Sheet<'a>),
        frame: impl FnOnce(&mut Sheet<'a>, &str),
    ) {
        let (changed, selectable) = (self.changed.contains(spot), self.selectable.contains(spot));
        let state = [(changed, " changed"), (selectable, " selectable")];
        let classes: String = state.iter().filter(|(on, _)| *on).map(|(_, class)| *class).collect();
        let place = spot.split_once('/').map_or(spot, |(_, place)| place);
        let names: Vec<&str> =
            tokens.iter().map(|t| if t.name.is_empty() { &*t.label } else { &*t.name }).collect();
        let names = names.join(", ");
        let title = if names.is_empty() { place.to_string() } else { format!("{place}: {names}") };
        let button = if selectable { " role=\"button\" tabindex=\"0\"" } else { "" };
        self.add(format_args!(
            r#"<g class="spot{classes}" data-spot="{}"{button}><title>{}</title>"#,
            escaped(spot),
            escaped(&title)
        ));
        draw(self);
        let theme = self.theme();
        if changed || selectable {
            frame(self, if changed { theme.changed } else { theme.selectable });
        }
        self.add(format_args!("</g>"));
    }

    /// What may stand on a spot, if it is uncertain.
    pub(super) fn shares(&self, spot: &str) -> &'a [Share] {
        let beliefs = self.drawing.beliefs;
        beliefs.and_then(|b| b.spots.iter().find(|s| s.spot == spot)).map_or(&[], |s| &s.shares)
    }

    /// What may lie in a zone, if it is uncertain.
    pub(super) fn zone_shares(&self, zone: &str) -> &'a [Share] {
        let beliefs = self.drawing.beliefs;
        beliefs.and_then(|b| b.zones.iter().find(|s| s.spot == zone)).map_or(&[], |s| &s.shares)
    }
}
