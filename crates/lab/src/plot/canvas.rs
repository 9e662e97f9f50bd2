//! A sheet to draw on, which becomes the text of an SVG file.

use std::fmt::Write;

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
        let ((x1, y1), (x2, y2)) = (from, to);
        self.element(format_args!(
            r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{colour}" stroke-width="{width}"/>"#
        ));
    }

    pub(crate) fn text(&mut self, at: (f64, f64), anchor: Anchor, size: u32, text: &str) {
        self.turned_text(at, anchor, size, 0, text);
    }

    /// Text turned by so many degrees around its point.
    pub(crate) fn turned_text(&mut self, at: (f64, f64), anchor: Anchor, size: u32, turn: i32, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = at;
        let turn =
            if turn == 0 { String::new() } else { format!(r#" transform="rotate({turn} {x:.1} {y:.1})""#) };
        let text = escaped(text);
        self.element(format_args!(
            r##"<text x="{x:.1}" y="{y:.1}" font-size="{size}" text-anchor="{anchor}" fill="#222"{turn}>{text}</text>"##
        ));
    }

    /// The file.
    pub(crate) fn finish(self) -> String {
        let Canvas { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }
}

/// Text with what means something in XML replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
