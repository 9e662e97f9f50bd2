//! Heat maps: agents against agents.

use super::axis::Numbers;
use super::canvas::{Anchor, Canvas, Font, GREY, INK};
use super::frame::{below_title, draw_title, title_lines};
use crate::text;

/// A number for every row and column, written into a cell whose colour says how far it is from the middle:
/// orange below, purple above (the ends and halves of `PuOr`, Harrower and Brewer, *ColorBrewer.org*, 2003,
/// which is safe for people with any common form of colour blindness).
#[derive(Clone, PartialEq, Debug)]
pub struct Heat {
    /// What it shows.
    pub title: String,
    /// What the rows are.
    pub row_label: String,
    /// What the columns are.
    pub column_label: String,
    /// The names of the rows from top to bottom.
    pub rows: Vec<String>,
    /// The names of the columns from left to right.
    pub columns: Vec<String>,
    /// The numbers row by row; nothing for a pair that did not meet.
    pub cells: Vec<Vec<Option<f64>>>,
    /// How they are written.
    pub numbers: Numbers,
    /// The number that has no colour.
    pub middle: f64,
    /// How far from the middle the colours reach; what is further away has the last colour.
    pub reach: f64,
}

const LARGEST_NAMES: f64 = 230.0;
const ROW: f64 = 32.0;
const LINE: f64 = 14.0;
/// Steps of the scale beside the cells.
const STEPS: i32 = 40;

impl Heat {
    /// Win rates of the rows against the columns: 50 % is the middle.
    pub fn win_rates(
        title: &str,
        rows: Vec<String>,
        columns: Vec<String>,
        cells: Vec<Vec<Option<f64>>>,
    ) -> Heat {
        Heat {
            title: title.to_string(),
            row_label: "win rate of".to_string(),
            column_label: "against".to_string(),
            rows,
            columns,
            cells,
            numbers: Numbers::Percent,
            middle: 0.5,
            reach: 0.5,
        }
    }

    /// Mean rewards of the rows against the columns: 0 is the middle.
    pub fn rewards(
        title: &str,
        rows: Vec<String>,
        columns: Vec<String>,
        cells: Vec<Vec<Option<f64>>>,
    ) -> Heat {
        let largest = cells.iter().flatten().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        Heat {
            row_label: "mean reward of".to_string(),
            numbers: Numbers::Plain,
            middle: 0.0,
            reach: if largest > 0.0 { largest } else { 1.0 },
            ..Heat::win_rates(title, rows, columns, cells)
        }
    }

    /// The picture as the text of an SVG file.
    pub fn svg(&self) -> String {
        let row_names: Vec<_> = self.rows.iter().map(|n| text::wrapped(n, LARGEST_NAMES, 12)).collect();
        let row_label = text::wrapped(&self.row_label, LARGEST_NAMES, 12);
        let beside = row_names.iter().chain([&row_label]).flatten().map(String::as_str);
        let left = 24.0 + text::widest(beside, 12);
        let numbers: Vec<Vec<Option<f64>>> = (0..self.rows.len())
            .map(|r| (0..self.columns.len()).map(|c| self.cell(r, c)).collect())
            .collect();
        let written: Vec<String> = numbers.iter().flatten().flatten().map(|&n| self.written(n)).collect();
        let cell = (14.0 + text::widest(written.iter().map(String::as_str), 12)).max(48.0);
        let heading = Heading::new(&self.columns, cell);

        let right = left + cell * self.columns.len() as f64;
        let scale_names = self.scale_names();
        let width =
            right + 24.0 + 16.0 + 8.0 + text::widest(scale_names.iter().map(|n| n.1.as_str()), 11) + 14.0;
        let width = width.max(420.0);
        let title = title_lines(&self.title, width);
        let column_label = text::wrapped(&self.column_label, (right - left).max(80.0), 12);
        let named = below_title(&title) + 4.0 + LINE * column_label.len() as f64;
        let top = (named + heading.height).max(below_title(&title) + LINE * row_label.len() as f64) + 8.0;
        let heights: Vec<f64> = row_names.iter().map(|n| ROW.max(6.0 + LINE * n.len() as f64)).collect();
        let bottom = top + heights.iter().sum::<f64>();
        let mut canvas = Canvas::new(width, bottom.max(top + SCALE_HEIGHT) + 22.0);

        draw_title(&mut canvas, &title, width / 2.0);
        for (i, line) in column_label.iter().enumerate() {
            let at = ((left + right) / 2.0, below_title(&title) + 2.0 + LINE * i as f64);
            canvas.text(at, Font::new(12, Anchor::Middle).colour(GREY), line);
        }
        for (i, line) in row_label.iter().rev().enumerate() {
            let at = (left - 10.0, top - 8.0 - LINE * i as f64);
            canvas.text(at, Font::new(12, Anchor::End).colour(GREY), line);
        }
        heading.draw(&mut canvas, left, top - 8.0);
        let mut y = top;
        for ((name, row), height) in row_names.iter().zip(&numbers).zip(&heights) {
            let first = y + (height - LINE * name.len() as f64) / 2.0 + 11.0;
            for (i, line) in name.iter().enumerate() {
                canvas.text((left - 10.0, first + LINE * i as f64), Font::new(12, Anchor::End), line);
            }
            for (column, &number) in row.iter().enumerate() {
                let x = left + cell * column as f64;
                self.draw_cell(&mut canvas, (x, y), (x + cell, y + height), number);
            }
            y += height;
        }
        self.draw_scale(&mut canvas, (right + 24.0, top), &scale_names);
        canvas.finish(&self.title)
    }

    fn cell(&self, row: usize, column: usize) -> Option<f64> {
        self.cells.get(row)?.get(column).copied()?
    }

    /// A number in its cell; that it is of a hundred is written beside the colours.
    fn written(&self, number: f64) -> String {
        self.numbers.write(number).trim_end_matches(" %").to_string()
    }

    fn colour(&self, number: f64) -> Colour {
        let reach = if self.reach > 0.0 { self.reach } else { 1.0 };
        diverging((number - self.middle) / reach)
    }

    fn draw_cell(&self, canvas: &mut Canvas, from: (f64, f64), to: (f64, f64), number: Option<f64>) {
        let (inner, outer) = ((from.0 + 1.0, from.1 + 1.0), (to.0 - 1.0, to.1 - 1.0));
        let Some(number) = number.filter(|n| !n.is_nan()) else {
            canvas.rect(inner, outer, "#ececec");
            canvas.line((inner.0, outer.1), (outer.0, inner.1), "#fff", 2.0);
            return;
        };
        let colour = self.colour(number);
        canvas.rect(inner, outer, &colour.name());
        let at = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0 + 4.0);
        canvas.text(at, Font::new(12, Anchor::Middle).colour(colour.ink()), &self.written(number));
    }

    /// The ends and the middle of the scale: place from -1 to 1, and name.
    fn scale_names(&self) -> [(f64, String); 3] {
        [-1.0, 0.0, 1.0].map(|at| (at, self.numbers.write(self.middle + at * self.reach)))
    }

    fn draw_scale(&self, canvas: &mut Canvas, (x, top): (f64, f64), names: &[(f64, String)]) {
        let y = |at: f64| top + 6.0 + (1.0 - at) / 2.0 * (SCALE_HEIGHT - 12.0);
        for step in 0..STEPS {
            let at = |step: i32| 2.0 * f64::from(step) / f64::from(STEPS) - 1.0;
            let middle = (at(step) + at(step + 1)) / 2.0;
            // Each step reaches a little under the next: no gaps between them at any size.
            let above = if step + 1 < STEPS { y(at(step + 1)) - 0.6 } else { y(1.0) };
            canvas.rect((x, y(at(step))), (x + 16.0, above), &diverging(middle).name());
        }
        for (at, name) in names {
            canvas.line((x + 16.0, y(*at)), (x + 20.0, y(*at)), INK, 1.0);
            canvas.text((x + 24.0, y(*at) + 4.0), Font::new(11, Anchor::Start), name);
        }
    }
}

const SCALE_HEIGHT: f64 = 150.0;

/// The names of the columns: level if they are short, else upright.
struct Heading {
    names: Vec<Vec<String>>,
    upright: bool,
    height: f64,
    cell: f64,
}

impl Heading {
    fn new(columns: &[String], cell: f64) -> Heading {
        let words_fit = |name: &String| text::width(name, 12) <= cell - 6.0;
        if columns.iter().all(words_fit) {
            let names = columns.iter().map(|n| vec![n.clone()]).collect();
            return Heading { names, upright: false, height: LINE, cell };
        }
        let most = ((cell / LINE).floor() as usize).max(1);
        let wrap = |room: f64| columns.iter().map(|n| text::wrapped(n, room, 12)).collect::<Vec<_>>();
        let fits = |names: &Vec<Vec<String>>| names.iter().all(|n| n.len() <= most);
        let rooms = (0..).map(|i| 120.0 * 1.25f64.powi(i));
        let names = rooms.map(wrap).find(fits).expect("one line is enough in the end");
        let height = text::widest(names.iter().flatten().map(String::as_str), 12);
        Heading { names, upright: true, height, cell }
    }

    fn draw(&self, canvas: &mut Canvas, left: f64, bottom: f64) {
        for (column, name) in self.names.iter().enumerate() {
            let middle = left + self.cell * (column as f64 + 0.5);
            for (i, line) in name.iter().enumerate() {
                if self.upright {
                    let x = middle + LINE * (i as f64 - (name.len() as f64 - 1.0) / 2.0) + 4.0;
                    canvas.text((x, bottom), Font::new(12, Anchor::Start).turned(-90), line);
                } else {
                    canvas.text((middle, bottom), Font::new(12, Anchor::Middle), line);
                }
            }
        }
    }
}

/// Red, green and blue from 0 to 255.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Colour([f64; 3]);

impl Colour {
    fn name(self) -> String {
        let [r, g, b] = self.0.map(|part| part.round() as u8);
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Relative luminance, as the Web Content Accessibility Guidelines define it.
    fn luminance(self) -> f64 {
        let [r, g, b] = self.0.map(|part| {
            let part = part / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Black or white, whichever is read more easily on this colour.
    fn ink(self) -> &'static str {
        let (on_white, on_black) = (1.05 / (self.luminance() + 0.05), (self.luminance() + 0.05) / 0.05);
        if on_black > on_white { "#000" } else { "#fff" }
    }
}

/// The colour for a place from -1 to 1.
fn diverging(at: f64) -> Colour {
    const STOPS: [[f64; 3]; 5] = [
        [179.0, 88.0, 6.0],
        [253.0, 184.0, 99.0],
        [247.0, 247.0, 247.0],
        [178.0, 171.0, 210.0],
        [84.0, 39.0, 136.0],
    ];
    let at = 2.0 * (at.clamp(-1.0, 1.0) + 1.0);
    let first = (at.floor() as usize).min(3);
    let share = at - first as f64;
    let part = |i: usize| STOPS[first][i] + share * (STOPS[first + 1][i] - STOPS[first][i]);
    Colour([part(0), part(1), part(2)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::check::{assert_well_formed, texts};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| n.to_string()).collect()
    }

    #[test]
    fn every_pair_that_met_has_its_number() {
        let cells = vec![vec![None, Some(0.613)], vec![Some(0.387), None]];
        let heat = Heat::win_rates("T", names(&["a", "<b>"]), names(&["a", "<b>"]), cells);
        let svg = heat.svg();
        assert_well_formed(&svg);
        let texts = texts(&svg);
        for text in ["61.3", "38.7", "0.0 %", "50.0 %", "100.0 %", "<b>", "against"] {
            assert!(texts.iter().any(|t| t == text), "{text} in {texts:?}");
        }
        assert_eq!(svg.matches("#ececec").count(), 2);
    }

    /// The guidelines ask for a contrast of 4.5.
    #[test]
    fn numbers_can_be_read_on_every_colour() {
        for step in -100..=100 {
            let colour = diverging(f64::from(step) / 100.0);
            let (l, contrast) = (colour.luminance() + 0.05, if colour.ink() == "#000" { 0.05 } else { 1.05 });
            let contrast: f64 = l.max(contrast) / l.min(contrast);
            assert!(contrast > 4.5, "{step}: {contrast}");
        }
    }

    #[test]
    fn colours_go_from_orange_to_purple() {
        let of = |at: f64| diverging(at).name();
        assert_eq!(
            [-1.0, -0.5, 0.0, 0.5, 1.0].map(of),
            ["#b35806", "#fdb863", "#f7f7f7", "#b2abd2", "#542788"]
        );
        assert_eq!((of(-7.0), of(f64::INFINITY)), (of(-1.0), of(1.0)));
    }

    #[test]
    fn odd_data_can_be_drawn() {
        let long = "so-ismcts(iterations=10000,exploration=0.7,playout=uniform)x";
        let many: Vec<String> = (0..15).map(|i| format!("{long}{i}")).collect();
        let value = |i: usize| [Some(f64::NAN), Some(f64::INFINITY), Some(1e9), Some(-1e-9), None][i % 5];
        let cells = (0..15).map(|r| (0..15).map(|c| value(r + c)).collect()).collect();
        let heat = Heat::win_rates(long, many.clone(), many.clone(), cells);
        let svg = heat.svg();
        assert_well_formed(&svg);
        let all = texts(&svg).concat();
        assert!(many.iter().all(|name| all.matches(name.as_str()).count() >= 2), "{all}");
        for numbers in [Numbers::Plain, Numbers::Percent] {
            assert_well_formed(&Heat { numbers, reach: 0.0, middle: 0.0, ..heat.clone() }.svg());
        }
        assert_well_formed(&Heat::win_rates("", Vec::new(), Vec::new(), Vec::new()).svg());
        assert_well_formed(
            &Heat::win_rates(long, names(&["a"]), names(&["b", "c"]), vec![vec![Some(0.5)]]).svg(),
        );
    }
}
