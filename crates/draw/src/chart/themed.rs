//! Charts on dark paper.

use crate::Theme;

/// The colours of charts on white, in what they stand, and those on black.
const DARK: [(&str, &str); 12] = [
    (r##"fill="#fff"/>"##, r##"fill="#0f141a"/>"##),
    (r##"stroke="#fff""##, r##"stroke="#0f141a""##),
    (r##""#222""##, r##""#e6edf3""##),
    (r##""#444""##, r##""#9aa4af""##),
    (r##""#595959""##, r##""#9aa4af""##),
    (r##""#e4e4e4""##, r##""#2a313a""##),
    (r##""#ececec""##, r##""#2a313a""##),
    (r##""#000000""##, r##""#e6edf3""##),
    (r##""#0072b2""##, r##""#3d9fe0""##),
    (r##""#d55e00""##, r##""#f08030""##),
    (r##""#009e73""##, r##""#25b88a""##),
    (r##""#cc79a7""##, r##""#d98bba""##),
];

/// A chart in the colours of a theme. Charts are drawn for white paper; texts hold no quotes, so that colours
/// can be told from them.
pub fn themed(svg: String, theme: Theme) -> String {
    match theme {
        Theme::Light => svg,
        Theme::Dark => DARK.iter().fold(svg, |svg, (light, dark)| svg.replace(light, dark)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::check::assert_well_formed;
    use crate::chart::{Axis, Lines, Series};

    #[test]
    fn dark_charts_have_no_white_paper_and_the_same_texts() {
        let line = |name: &str| Series::new(name, vec![(0.0, 1.0), (1.0, 2.0)]);
        let series = vec![line(r##"fill="#fff"/>"##), line("b")];
        let lines = Lines { title: String::new(), x: Axis::linear("x"), y: Axis::linear("y"), series };
        let light = themed(lines.svg(), Theme::Light);
        assert_eq!(light, lines.svg());
        let dark = themed(light, Theme::Dark);
        assert_well_formed(&dark);
        assert!(!dark.contains(r##""#fff""##) && dark.contains("#0f141a"), "{dark}");
        assert!(dark.contains("fill=&quot;#fff&quot;/&gt;"), "{dark}");
    }
}
