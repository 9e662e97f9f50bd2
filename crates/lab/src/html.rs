//! Pages to read in a browser: one file with everything in it, and nothing that runs.
//!
//! A page is made of plain data: texts, tables and pictures. All texts are escaped; of pictures, what a
//! browser would run or fetch is refused by the page's own content security policy.

use std::fmt::Write;

use crate::table::{Align, Cell, Table, number};
use fogtree_draw::chart::escaped;

/// A page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// Its sections; a page of more than two begins with a list of them.
    pub sections: Vec<Section>,
}

/// A part of a page under a heading.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Section {
    /// What it is about; a section without a heading is text under the title.
    pub heading: String,
    /// What is in it.
    pub parts: Vec<Part>,
}

impl Section {
    /// A section.
    pub fn new(heading: &str, parts: Vec<Part>) -> Section {
        Section { heading: heading.to_string(), parts }
    }
}

/// Something in a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A text; empty lines in it end paragraphs.
    Text(String),
    /// A table.
    Table(Table),
    /// A picture.
    Picture {
        /// The text of an SVG file.
        svg: String,
        /// What is said below it; may be empty.
        caption: String,
    },
    /// Configuration, commands or output, to be shown as it is.
    Verbatim {
        /// What it is; may be empty.
        caption: String,
        /// The text.
        text: String,
    },
}

impl Part {
    /// A text.
    pub fn text(text: &str) -> Part {
        Part::Text(text.to_string())
    }

    /// A picture with what is said below it.
    pub fn picture(svg: String, caption: &str) -> Part {
        Part::Picture { svg, caption: caption.to_string() }
    }

    /// Configuration, commands or output.
    pub fn verbatim(caption: &str, text: &str) -> Part {
        Part::Verbatim { caption: caption.to_string(), text: text.to_string() }
    }
}

const STYLE: &str = include_str!("html.css");

impl Page {
    /// The page as the text of an HTML file.
    pub fn html(&self) -> String {
        let mut out = String::new();
        let title = escaped(&self.title);
        let _ = write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        );
        let listed = self.sections.iter().filter(|s| !s.heading.is_empty()).count() > 2;
        let is_lead = |section: &Section| section.heading.is_empty();
        let lead = self.sections.iter().take_while(|s| is_lead(s)).count();
        for (i, section) in self.sections.iter().enumerate() {
            if listed && i == lead {
                self.list_sections(&mut out);
            }
            let _ = writeln!(out, "<section id=\"section-{}\">", i + 1);
            if !is_lead(section) {
                let _ = writeln!(out, "<h2>{}</h2>", escaped(&section.heading));
            }
            section.parts.iter().for_each(|part| part.write(&mut out));
            out.push_str("</section>\n");
        }
        out.push_str("</main>\n</body>\n</html>\n");
        out
    }

    fn list_sections(&self, out: &mut String) {
        out.push_str("<nav aria-label=\"Sections\">\n<ul>\n");
        for (i, section) in self.sections.iter().enumerate().filter(|(_, s)| !s.heading.is_empty()) {
            let _ =
                writeln!(out, "<li><a href=\"#section-{}\">{}</a></li>", i + 1, escaped(&section.heading));
        }
        out.push_str("</ul>\n</nav>\n");
    }
}

impl Part {
    fn write(&self, out: &mut String) {
        match self {
            Part::Text(text) => {
                for paragraph in text.replace("\r\n", "\n").split("\n\n").filter(|p| !p.trim().is_empty()) {
                    let _ = writeln!(out, "<p>{}</p>", escaped(paragraph.trim()));
                }
            }
            Part::Table(table) => write_table(out, table),
            Part::Picture { svg, caption } => {
                out.push_str("<figure>\n");
                match picture(svg) {
                    Some(svg) => {
                        let _ = writeln!(out, "{svg}");
                    }
                    None => {
                        let _ = writeln!(out, "<pre>{}</pre>", verbatim(svg));
                    }
                }
                write_caption(out, caption);
                out.push_str("</figure>\n");
            }
            Part::Verbatim { caption, text } => {
                out.push_str("<figure>\n");
                write_caption(out, caption);
                let _ = writeln!(out, "<pre>{}</pre>\n</figure>", verbatim(text));
            }
        }
    }
}

fn write_caption(out: &mut String, caption: &str) {
    if !caption.is_empty() {
        let _ = writeln!(out, "<figcaption>{}</figcaption>", escaped(caption));
    }
}

/// Text whose lines and tabulators are kept.
fn verbatim(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines
        .map(|line| line.split('\t').map(escaped).collect::<Vec<_>>().join("\t"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The element of a picture, without what may stand before it in a file; nothing if it is none.
fn picture(svg: &str) -> Option<&str> {
    let svg = svg.trim();
    let begin = svg.find("<svg")?;
    let prolog = &svg[..begin];
    let whole = svg.ends_with("</svg>") && (prolog.trim().is_empty() || prolog.starts_with("<?xml"));
    whole.then(|| &svg[begin..])
}

fn write_table(out: &mut String, table: &Table) {
    out.push_str("<div class=\"wide\">\n<table>\n");
    if !table.caption.is_empty() {
        let _ = writeln!(out, "<caption>{}</caption>", escaped(&table.caption));
    }
    out.push_str("<thead>\n<tr>");
    for (name, align) in &table.columns {
        let _ = write!(out, "<th scope=\"col\"{}>{}</th>", class(*align), escaped(name));
    }
    out.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (cell, align) in table.fields(row) {
            let _ = write!(out, "<td{}>{}</td>", class(align), field(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "",
        Align::Right => " class=\"right\"",
    }
}

fn field(cell: &Cell) -> String {
    match (cell, cell.interval()) {
        (Cell::Estimate { value, digits, .. }, Some(interval)) => {
            format!("{} <span class=\"interval\">{interval}</span>", number(*value, *digits))
        }
        _ => escaped(&cell.written()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fogtree_draw::chart::{Axis, Lines};

    fn page(parts: Vec<Part>) -> String {
        Page { title: "Page".to_string(), sections: vec![Section::new("Section", parts)] }.html()
    }

    /// Every opened element is closed, in order.
    fn assert_closed(html: &str) {
        let mut open = Vec::new();
        for part in html.split('<').skip(1) {
            let (tag, _) = part.split_once('>').expect("a whole tag");
            let name = tag.split([' ', '\n']).next().unwrap();
            if let Some(name) = name.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "{part}");
            } else if !tag.ends_with('/') && !["!DOCTYPE", "meta"].contains(&name) {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn everything_is_escaped() {
        let evil = "</pre><script>alert('1')</script> & \"x\"";
        let mut table = Table::new(evil, &[(evil, Align::Left), (evil, Align::Right)]);
        table.rows.push(vec![Cell::text(evil), Cell::text(evil), Cell::text("no column for this")]);
        let parts = vec![
            Part::text(evil),
            Part::Table(table),
            Part::verbatim(evil, evil),
            Part::picture(evil.to_string(), evil),
        ];
        let sections = vec![Section::new(evil, parts); 3];
        let html = Page { title: evil.to_string(), sections }.html();
        assert_closed(&html);
        assert!(!html.contains("<script") && !html.contains("no column"), "{html}");
        assert!(html.contains("&lt;script&gt;alert(&#39;1&#39;)"));
    }

    #[test]
    fn numbers_lean_to_the_right_with_their_intervals() {
        let mut table = Table::new("Results", &[("agent", Align::Left), ("win rate, %", Align::Right)]);
        table.rows.push(vec![Cell::text("ismcts"), Cell::percent(0.5321, 0.51, 0.554)]);
        table.rows.push(vec![Cell::text("random")]);
        let html = page(vec![Part::Table(table)]);
        assert_closed(&html);
        assert!(html.contains(
            "<tr><td>ismcts</td>\
             <td class=\"right\">53.2 <span class=\"interval\">[51.0, 55.4]</span></td></tr>\n\
             <tr><td>random</td><td class=\"right\"></td></tr>"
        ));
    }

    #[test]
    fn pictures_are_part_of_the_page() {
        let lines =
            Lines { title: "T".to_string(), x: Axis::linear("x"), y: Axis::unit("y"), series: Vec::new() };
        let html = page(vec![Part::picture(format!("<?xml version=\"1.0\"?>\n{}", lines.svg()), "Caption")]);
        assert_closed(&html);
        assert!(
            html.contains("<figure>\n<svg ") && html.contains("</svg>\n<figcaption>Caption</figcaption>")
        );
        assert!(!html.contains("<?xml"));
    }

    #[test]
    fn lines_and_tabulators_are_kept_where_they_matter() {
        let html =
            page(vec![Part::verbatim("", "[game]\n\tname = \"kuhn\"\n"), Part::text("One.\n\nTwo\nthree.")]);
        assert!(html.contains("<pre>[game]\n\tname = &quot;kuhn&quot;</pre>"), "{html}");
        assert!(html.contains("<p>One.</p>\n<p>Two three.</p>"), "{html}");
    }

    #[test]
    fn long_pages_begin_with_a_list_of_their_sections() {
        let section = |heading: &str| Section::new(heading, vec![Part::text("Text.")]);
        let short = Page { title: "P".to_string(), sections: vec![section("One"), section("Two")] }.html();
        assert!(!short.contains("<nav"));
        let sections = vec![section(""), section("One"), section("Two"), section("Three")];
        let long = Page { title: "P".to_string(), sections }.html();
        assert_closed(&long);
        assert!(long.contains("<li><a href=\"#section-3\">Two</a></li>"), "{long}");
        assert!(long.find("Text.").unwrap() < long.find("<nav").unwrap());
        assert_closed(&Page::default().html());
    }
}
