//! Pictures as PNG files, for places that do not show SVG. The font is DejaVu Sans, which is part of the
//! program: the same picture is the same bytes on every machine, with or without fonts of its own. Its licence
//! (that of Bitstream Vera) asks for its notice to go with every copy, as the crate `dejavu` gives it.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// Why there is no PNG picture.
#[derive(Debug, Error)]
pub enum PngError {
    /// The text is no SVG picture.
    #[error("not an SVG picture: {0}")]
    Svg(String),
    /// The picture has no pixels, or too many.
    #[error("a picture of {0} x {1} pixels cannot be made")]
    Size(u32, u32),
    /// The pixels could not be written as PNG.
    #[error("cannot write PNG: {0}")]
    Png(String),
}

/// Pixels for each unit of an SVG picture, so that it is sharp on fine screens and in print.
const FINENESS: f32 = 2.0;

/// The picture as a PNG file, twice as wide and high as the SVG picture says.
pub fn to_png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &options()).map_err(|e| PngError::Svg(e.to_string()))?;
    let size = tree.size();
    let pixels = |length: f32| (length * FINENESS).ceil() as u32;
    let (width, height) = (pixels(size.width()), pixels(size.height()));
    let mut pixmap = Pixmap::new(width, height).ok_or(PngError::Size(width, height))?;
    resvg::render(&tree, Transform::from_scale(FINENESS, FINENESS), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|e| PngError::Png(e.to_string()))
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Lines};
    use crate::text;

    #[test]
    fn pictures_are_png_files_of_twice_the_size() {
        let lines =
            Lines { title: "T".to_string(), x: Axis::linear("x"), y: Axis::unit("y"), series: Vec::new() };
        let svg = lines.svg();
        let png = to_png(&svg).unwrap();
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!(number(16), 2 * 760);
        assert!(svg.contains(&format!(" height=\"{}\"", number(20) / 2)), "{svg}");
        assert_eq!(png, to_png(&svg).unwrap());
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(matches!(to_png("no picture"), Err(PngError::Svg(_))));
        assert!(matches!(to_png(""), Err(PngError::Svg(_))));
    }

    /// The widths that pictures reckon with are those of the font, or a little more.
    #[test]
    fn texts_are_no_wider_than_reckoned() {
        let ascii: String = (' '..='~').filter(|c| !"<>&\"' ".contains(*c)).collect();
        let words =
            ["mo-ismcts(iterations=10000,exploration=0.7)", "Landlord/Peasant", "WWW", "iiii", "−∞ – ü"];
        for text in
            words.into_iter().map(str::to_string).chain(ascii.chars().map(|c| c.to_string().repeat(8)))
        {
            let svg = format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"40\">\
                 <text x=\"10\" y=\"20\" font-family=\"sans-serif\" font-size=\"20\">{text}</text></svg>"
            );
            let tree = Tree::from_str(&svg, &options()).unwrap();
            let width = f64::from(tree.root().abs_bounding_box().width());
            let reckoned = text::width(&text, 20);
            assert!(width <= 1.01 * reckoned, "{text}: {width} > {reckoned}");
        }
    }
}
