//! A sheet to draw on, which becomes the text of an SVG file.

use std::fmt::Write;

/// The colour of texts and axes.
pub(crate) const INK: &str = "#222";
/// The colour of what is said aside.
pub(crate) const GREY: &str = "#595959";
/// The colour of the lines behind the data.
pub(crate) const FAINT: &str = "#e4e4e4";

/// SVG elements, one after another.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Font {
    pub(crate) size: u32,
    pub(crate) anchor: Anchor,
    pub(crate) colour: &'static str,
    /// Degrees around its point.
    pub(crate) turn: i32,
}

impl Font {
    pub(crate) fn new(size: u32, anchor: Anchor) -> Font {
        Font { size, anchor, colour: INK, turn: 0 }
    }

    pub(crate) fn colour(self, colour: &'static str) -> Font {
        Font { colour, ..self }
    }

    pub(crate) fn turned(self, turn: i32) -> Font {
        Font { turn, ..self }
    }
}

impl Canvas {
    pub(crate) fn new(width: f64, height: f64) -> Canvas {
        Canvas { width, height, body: String::new() }
    }

    /// Adds an element.
    pub(crate) fn element(&mut self, element: std::fmt::Arguments<'_>) {
        self.body.write_fmt(element).expect("text takes text");
        self.body.push('\n');
    }

    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        self.polyline(&[from, to], colour, width, "");
    }

    /// Lines from point to point; `dash` holds the lengths of dashes and gaps, if any.
    pub(crate) fn polyline(&mut self, points: &[(f64, f64)], colour: &str, width: f64, dash: &str) {
        let dash = if dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dash}""#) };
        match points {
            [(x1, y1), (x2, y2)] => self.element(format_args!(
                r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{colour}" stroke-width="{width}"{dash}/>"#
            )),
            _ => self.element(format_args!(
                r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dash}/>"#,
                listed(points)
            )),
        }
    }

    /// A filled form without an outline.
    pub(crate) fn polygon(&mut self, points: &[(f64, f64)], colour: &str, opacity: f64) {
        let opacity = if opacity == 1.0 { String::new() } else { format!(r#" fill-opacity="{opacity}""#) };
        self.element(format_args!(r#"<polygon points="{}" fill="{colour}"{opacity}/>"#, listed(points)));
    }

    /// A filled rectangle between two corners, whichever they are.
    pub(crate) fn rect(&mut self, a: (f64, f64), b: (f64, f64), colour: &str) {
        let (x, y) = (a.0.min(b.0), a.1.min(b.1));
        let (width, height) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        self.element(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{colour}"/>"#
        ));
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), font: Font, text: &str) {
        let Font { size, colour, turn, .. } = font;
        let anchor = match font.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn =
            if turn == 0 { String::new() } else { format!(r#" transform="rotate({turn} {x:.1} {y:.1})""#) };
        let text = escaped(text);
        self.element(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{turn}>{text}</text>"#
        ));
    }

    /// The file; people who cannot see the picture are told its name.
    pub(crate) fn finish(self, name: &str) -> String {
        self.finish_on("#fff", "img", name)
    }

    /// The file on paper of this colour, in this role on a page.
    pub(crate) fn finish_on(self, paper: &str, role: &str, name: &str) -> String {
        let Canvas { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" \
             role=\"{role}\" aria-label=\"{}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>\n{body}</svg>\n",
            escaped(name)
        )
    }
}

fn listed(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// Text with what means something in XML and HTML replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Not allowed in XML at all.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
