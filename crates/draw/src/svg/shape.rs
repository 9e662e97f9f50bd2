//! Small shapes of our own: suits, trees, mountains, waves, towers.

use fogtree_core::scene::{Ground, Suit};

use super::sheet::Sheet;

/// The corners of a hexagon that stands on a corner.
pub(super) fn hexagon((x, y): (f64, f64), radius: f64) -> String {
    let corner = |i: i32| {
        let angle = std::f64::consts::FRAC_PI_3 * f64::from(i) + std::f64::consts::FRAC_PI_6;
        format!("{:.1},{:.1}", x + radius * angle.cos(), y + radius * angle.sin())
    };
    (0..6).map(corner).collect::<Vec<_>>().join(" ")
}

/// A sign for what a cell is made of; in its corner if something stands on the cell.
pub(super) fn ground(sheet: &mut Sheet<'_>, ground: Ground, (x, y): (f64, f64), side: f64, small: bool) {
    let theme = sheet.theme();
    let size = if small { side * 0.34 } else { side * 0.6 };
    let (left, top) = if small {
        (x + 1.0, y + side - size - 1.0)
    } else {
        (x + (side - size) / 2.0, y + (side - size) / 2.0)
    };
    let point = |fx: f64, fy: f64| (left + fx * size, top + fy * size);
    let path = |parts: &[(char, &[(f64, f64)])]| -> String {
        let one = |(command, points): &(char, &[(f64, f64)])| {
            let points: Vec<String> = points
                .iter()
                .map(|&(a, b)| {
                    let (a, b) = point(a, b);
                    format!("{a:.1} {b:.1}")
                })
                .collect();
            format!("{command}{}", points.join(" "))
        };
        parts.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    match ground {
        Ground::Forest => {
            let d = path(&[
                ('M', &[(0.5, 0.05)]),
                ('L', &[(0.9, 0.72), (0.1, 0.72)]),
                ('Z', &[]),
                ('M', &[(0.42, 0.72)]),
                ('L', &[(0.42, 0.98), (0.58, 0.98), (0.58, 0.72)]),
                ('Z', &[]),
            ]);
            sheet.add(format_args!(r##"<path d="{d}" fill="#2f7d3a" fill-opacity="0.75"/>"##));
        }
        Ground::Mountain => {
            let d = path(&[
                ('M', &[(0.02, 0.92)]),
                ('L', &[(0.4, 0.15), (0.62, 0.6), (0.74, 0.4), (0.98, 0.92)]),
                ('Z', &[]),
            ]);
            sheet.add(format_args!(r##"<path d="{d}" fill="#6d5d4b" fill-opacity="0.8"/>"##));
        }
        Ground::Water => {
            for row in [0.35, 0.65] {
                let d = path(&[
                    ('M', &[(0.0, row)]),
                    ('Q', &[(0.17, row - 0.2), (0.33, row)]),
                    ('T', &[(0.67, row)]),
                    ('T', &[(1.0, row)]),
                ]);
                sheet.add(format_args!(r##"<path d="{d}" fill="none" stroke="#2f7fb5" stroke-opacity="0.8" stroke-width="1.5"/>"##));
            }
        }
        Ground::Fort => {
            let d = path(&[
                ('M', &[(0.1, 0.95)]),
                (
                    'L',
                    &[
                        (0.1, 0.2),
                        (0.26, 0.2),
                        (0.26, 0.36),
                        (0.42, 0.36),
                        (0.42, 0.2),
                        (0.58, 0.2),
                        (0.58, 0.36),
                        (0.74, 0.36),
                        (0.74, 0.2),
                        (0.9, 0.2),
                        (0.9, 0.95),
                    ],
                ),
                ('Z', &[]),
            ]);
            sheet.add(format_args!(r##"<path d="{d}" fill="#6b4f78" fill-opacity="0.7"/>"##));
        }
        Ground::Road => {
            let d = path(&[('M', &[(0.0, 0.5)]), ('L', &[(1.0, 0.5)])]);
            sheet.add(format_args!(
                r#"<path d="{d}" stroke="{}" stroke-width="2" stroke-dasharray="4 3"/>"#,
                theme.grey
            ));
        }
        Ground::Fog => {
            for row in [0.3, 0.5, 0.7] {
                let d = path(&[('M', &[(0.1, row)]), ('L', &[(0.9, row)])]);
                sheet.add(format_args!(r#"<path d="{d}" stroke="{}" stroke-opacity="0.5" stroke-width="2" stroke-dasharray="5 4"/>"#, theme.grey));
            }
        }
        Ground::Marked => {
            let d = path(&[
                ('M', &[(0.2, 0.2)]),
                ('L', &[(0.8, 0.8)]),
                ('M', &[(0.8, 0.2)]),
                ('L', &[(0.2, 0.8)]),
            ]);
            sheet.add(format_args!(
                r#"<path d="{d}" stroke="{}" stroke-opacity="0.6" stroke-width="2"/>"#,
                theme.red
            ));
        }
        Ground::Plain | Ground::Dark | Ground::Grass | Ground::Wall | Ground::Goal | Ground::None => {}
    }
}

/// A suit around a point.
pub(super) fn suit(sheet: &mut Sheet<'_>, suit: Suit, (x, y): (f64, f64), size: f64, colour: &str) {
    let at = format!("translate({x:.1} {y:.1}) scale({:.3})", size / 20.0);
    let d = match suit {
        Suit::Hearts => {
            "M0 9C-14 -1 -9 -10 -4.5 -9C-1.5 -8.5 0 -5.5 0 -4.5C0 -5.5 1.5 -8.5 4.5 -9C9 -10 14 -1 0 9Z"
        }
        Suit::Diamonds => "M0 -10L7.5 0L0 10L-7.5 0Z",
        Suit::Spades => {
            "M0 -10C12 -1 9 7 4.5 6.5C2.5 6.3 1 5 0.6 4L2.5 10H-2.5L-0.6 4C-1 5 -2.5 6.3 -4.5 6.5C-9 7 -12 -1 0 -10Z"
        }
        Suit::Clubs => {
            "M0 -10A4.3 4.3 0 0 1 3.2 -2.6A4.3 4.3 0 1 1 0.7 3.6L2.5 10H-2.5L-0.7 3.6A4.3 4.3 0 1 1 -3.2 -2.6A4.3 4.3 0 0 1 0 -10Z"
        }
    };
    sheet.add(format_args!(r#"<path transform="{at}" d="{d}" fill="{colour}"/>"#));
}
