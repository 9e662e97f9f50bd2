//! What tells series apart: colours, dashes and marks.

use super::canvas::Canvas;

/// Blue, vermilion, bluish green, reddish purple, orange, sky blue, black. The yellow of Okabe and Ito is too
/// pale for lines on white.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Once the colours are used up, lines are dashed.
const DASHES: [&str; 4] = ["", "8 4", "2 3", "10 3 2 3"];

/// How a series looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    pub(crate) colour: &'static str,
    /// Lengths of dashes and gaps; empty for a whole line.
    pub(crate) dash: &'static str,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    Wedge,
}

impl Style {
    /// The look of the series with this number.
    pub(crate) fn of(number: usize) -> Style {
        let forms = [Form::Circle, Form::Square, Form::Triangle, Form::Diamond, Form::Cross, Form::Wedge];
        Style {
            colour: COLOURS[number % COLOURS.len()],
            dash: DASHES[number / COLOURS.len() % DASHES.len()],
            form: forms[number % forms.len()],
        }
    }

    /// Draws its mark.
    pub(crate) fn mark(&self, canvas: &mut Canvas, (x, y): (f64, f64)) {
        let shape = |corners: &[(f64, f64)]| -> Vec<(f64, f64)> {
            corners.iter().map(|&(dx, dy)| (x + dx, y + dy)).collect()
        };
        let corners = match self.form {
            Form::Circle => {
                let colour = self.colour;
                canvas.element(format_args!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.4" fill="{colour}"/>"#));
                return;
            }
            Form::Square => shape(&[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)]),
            Form::Triangle => shape(&[(0.0, -4.2), (3.9, 3.0), (-3.9, 3.0)]),
            Form::Wedge => shape(&[(0.0, 4.2), (3.9, -3.0), (-3.9, -3.0)]),
            Form::Diamond => shape(&[(0.0, -4.4), (4.4, 0.0), (0.0, 4.4), (-4.4, 0.0)]),
            Form::Cross => {
                canvas.line((x - 3.2, y - 3.2), (x + 3.2, y + 3.2), self.colour, 2.0);
                canvas.line((x - 3.2, y + 3.2), (x + 3.2, y - 3.2), self.colour, 2.0);
                return;
            }
        };
        canvas.polygon(&corners, self.colour, 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_series_look_different() {
        for a in 0..12 {
            for b in 0..a {
                let (a, b) = (Style::of(a), Style::of(b));
                assert!((a.colour, a.dash) != (b.colour, b.dash), "{a:?} {b:?}");
                assert!((a.colour, a.form) != (b.colour, b.form), "{a:?} {b:?}");
            }
        }
    }
}
