//! Tokens.

use fogtree_core::Player;
use fogtree_core::scene::{Look, Suit, Token};

use super::shape;
use super::sheet::{Font, Sheet};

/// Draws what stands around a point, one beside the other if there are several.
pub(super) fn draw_all(sheet: &mut Sheet<'_>, tokens: &[Token], (x, y): (f64, f64), radius: f64) {
    match tokens {
        [] => {}
        [token] => draw(sheet, token, (x, y), radius),
        tokens => {
            let across = if tokens.len() <= 4 { 2 } else { 3 };
            let shown = &tokens[..tokens.len().min(across * across)];
            let small = radius / across as f64;
            let rows = shown.len().div_ceil(across);
            for (i, token) in shown.iter().enumerate() {
                let (column, row) = ((i % across) as f64, (i / across) as f64);
                let left = x - radius + small;
                let top = y - small * rows as f64 + small;
                draw(sheet, token, (left + 2.0 * small * column, top + 2.0 * small * row), small * 0.92);
            }
        }
    }
}

/// Draws a token around a point.
pub(super) fn draw(sheet: &mut Sheet<'_>, token: &Token, (x, y): (f64, f64), r: f64) {
    let theme = sheet.theme();
    let colour = token.owner.map_or(theme.grey, |p| sheet.player(p));
    let ink = sheet.ink_on(token.owner);
    if token.pale {
        sheet.add(format_args!(r#"<g opacity="0.45">"#));
    }
    match token.look {
        Look::Disc | Look::King | Look::Chip | Look::Coin => {
            let dash = if token.look == Look::Chip { r#" stroke-dasharray="3 2""# } else { "" };
            let fill = if token.look == Look::Coin { "#d9b44a" } else { colour };
            sheet.add(format_args!(
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="{r:.1}" fill="{fill}" stroke="{}" stroke-width="1.5"{dash}/>"#,
                theme.ink
            ));
            rings(sheet, token.owner, (x, y), r);
            if token.look == Look::King {
                crown(sheet, (x, y), r * 0.55);
            }
            let ink = if token.look == Look::Coin { "#222" } else { ink };
            sheet.label((x, y), r, ink, &token.label);
        }
        Look::Cross => {
            let d = r * 0.75;
            sheet.add(format_args!(
                r#"<path d="M{:.1} {:.1}L{:.1} {:.1}M{:.1} {:.1}L{:.1} {:.1}" stroke="{colour}" stroke-width="{:.1}" stroke-linecap="round"/>"#,
                x - d, y - d, x + d, y + d, x + d, y - d, x - d, y + d, r * 0.3
            ));
        }
        Look::Ring => sheet.add(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="none" stroke="{colour}" stroke-width="{:.1}"/>"#,
            r * 0.72,
            r * 0.3
        )),
        Look::Figure => {
            sheet.add(format_args!(
                r#"<path transform="translate({x:.1} {y:.1}) scale({:.3})" d="M-8 10H8L5 3.5C9 1 9.5 -4 6.5 -7C3 -10.5 -3 -10.5 -6.5 -7C-9.5 -4 -9 1 -5 3.5Z" fill="{colour}" stroke="{}" stroke-width="1"/>"#,
                r / 10.0,
                theme.ink
            ));
            second(sheet, token.owner, (x, y + r * 0.93), r);
            sheet.label((x, y - r * 0.22), r * 0.85, ink, &token.label);
        }
        Look::Block | Look::Unknown | Look::Unit { .. } => {
            let d = r * 0.92;
            sheet.add(format_args!(
                r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{:.1}" fill="{colour}" stroke="{}" stroke-width="1.2"/>"#,
                x - d, y - d, 2.0 * d, 2.0 * d, r * 0.25, theme.ink
            ));
            second(sheet, token.owner, (x, y + d * 0.93), r);
            match token.look {
                Look::Unit { hit_points } => {
                    sheet.label((x - r * 0.15, y - r * 0.12), r * 0.9, ink, &token.label);
                    let at = (x + d * 0.92, y + d * 0.92);
                    let number = hit_points.to_string();
                    sheet.add(format_args!(
                        r##"<circle cx="{:.1}" cy="{:.1}" r="{:.1}" fill="#fff" stroke="{}" stroke-width="0.8"/>"##,
                        at.0 - r * 0.2, at.1 - r * 0.2, r * 0.42, theme.ink
                    ));
                    sheet.text((at.0 - r * 0.2, at.1 - r * 0.02), Font::middle(r * 0.55).bold(), "#111", &number);
                }
                Look::Unknown if token.label.is_empty() => sheet.label((x, y), r, ink, "?"),
                _ => sheet.label((x, y), r, ink, &token.label),
            }
        }
        Look::Card { .. } | Look::Back => card(sheet, token, (x - r * 0.72, y - r), r * 1.44),
        Look::Die => die(sheet, &token.label, (x, y), r),
        Look::Tunnel { open, joined } => tunnel(sheet, open, joined, (x, y), r * 1.22),
    }
    if token.pale {
        sheet.add(format_args!("</g>"));
    }
}

/// Players differ by rings as well as by colours.
fn rings(sheet: &mut Sheet<'_>, owner: Option<Player>, (x, y): (f64, f64), r: f64) {
    let dash = match owner.map_or(0, |p| p.0) {
        0 => return,
        1 => "",
        2 => r#" stroke-dasharray="4 2""#,
        _ => r#" stroke-dasharray="1 2""#,
    };
    sheet.add(format_args!(
        r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="none" stroke="{}" stroke-width="1.4"{dash}/>"#,
        r * 0.74,
        sheet.ink_on(owner)
    ));
}

/// The second player's pieces have a bar at their foot, the third one's two bars, and so on.
fn second(sheet: &mut Sheet<'_>, owner: Option<Player>, (x, y): (f64, f64), r: f64) {
    let ink = sheet.ink_on(owner);
    for bar in 0..owner.map_or(0, |p| p.0.min(4)) {
        let y = y - f64::from(bar) * r * 0.2 - r * 0.08;
        sheet.add(format_args!(
            r#"<line x1="{:.1}" y1="{y:.1}" x2="{:.1}" y2="{y:.1}" stroke="{ink}" stroke-width="{:.1}"/>"#,
            x - r * 0.55,
            x + r * 0.55,
            (r * 0.1).max(1.0)
        ));
    }
}

fn crown(sheet: &mut Sheet<'_>, (x, y): (f64, f64), r: f64) {
    sheet.add(format_args!(
        r##"<path transform="translate({x:.1} {y:.1}) scale({:.3})" d="M-9 7V-5L-4.5 0L0 -8L4.5 0L9 -5V7Z" fill="#ffe08a" stroke="#222" stroke-width="1"/>"##,
        r / 9.0
    ));
}

/// How high a card is for its width.
pub(super) const TALL: f64 = 1.4;

/// Cards at least this wide have their label in the corner, too.
const LARGE_CARD: f64 = 40.0;

/// A card with its upper left corner at a point.
pub(super) fn card(sheet: &mut Sheet<'_>, token: &Token, (x, y): (f64, f64), width: f64) {
    let theme = sheet.theme();
    let height = width * TALL;
    let back = token.look == Look::Back;
    let fill = if back { token.owner.map_or(theme.back, |p| sheet.player(p)) } else { theme.card };
    let edge = token.owner.filter(|_| !back).map_or("#444", |p| sheet.player(p));
    sheet.add(format_args!(
        r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="{:.1}" fill="{fill}" stroke="{edge}" stroke-width="1.2"/>"#,
        width * 0.1
    ));
    if back {
        sheet.add(format_args!(
            r##"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{:.1}" fill="none" stroke="#fff" stroke-opacity="0.7" stroke-dasharray="3 2"/>"##,
            x + width * 0.13, y + width * 0.13, width * 0.74, height - width * 0.26, width * 0.06
        ));
        return;
    }
    let Look::Card { suit } = token.look else { return };
    let red = matches!(suit, Some(Suit::Hearts | Suit::Diamonds));
    let ink = if red { theme.red } else { "#1b1b1b" };
    match suit {
        Some(suit) => {
            let size = width * if token.label.chars().count() > 2 { 0.26 } else { 0.4 };
            sheet.text(
                (x + width * 0.08, y + size * 1.0),
                Font::start(size.max(6.0) as u32).bold(),
                ink,
                &token.label,
            );
            shape::suit(sheet, suit, (x + width * 0.22, y + height * 0.45), width * 0.24, ink);
            shape::suit(sheet, suit, (x + width * 0.62, y + height * 0.68), width * 0.52, ink);
        }
        None => {
            sheet.label((x + width / 2.0, y + height * 0.62), width * 0.46, ink, &token.label);
            // What is seen of a card that others lie on.
            if token.label.chars().count() <= 2 && width >= LARGE_CARD {
                let font = Font::start((width * 0.3) as u32).bold();
                sheet.text((x + width * 0.08, y + width * 0.32), font, ink, &token.label);
            }
        }
    }
}

fn die(sheet: &mut Sheet<'_>, label: &str, (x, y): (f64, f64), r: f64) {
    let theme = sheet.theme();
    let d = r * 0.9;
    sheet.add(format_args!(
        r##"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{:.1}" fill="{}" stroke="#444" stroke-width="1.2"/>"##,
        x - d, y - d, 2.0 * d, 2.0 * d, r * 0.3, theme.card
    ));
    let pips: &[(i8, i8)] = match label {
        "1" => &[(0, 0)],
        "2" => &[(-1, -1), (1, 1)],
        "3" => &[(-1, -1), (0, 0), (1, 1)],
        "4" => &[(-1, -1), (1, 1), (1, -1), (-1, 1)],
        "5" => &[(-1, -1), (1, 1), (1, -1), (-1, 1), (0, 0)],
        "6" => &[(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)],
        _ => return sheet.label((x, y), r, "#111", if label.is_empty() { "?" } else { label }),
    };
    for &(dx, dy) in pips {
        sheet.add(format_args!(
            r##"<circle cx="{:.1}" cy="{:.1}" r="{:.1}" fill="#111"/>"##,
            x + f64::from(dx) * d * 0.5,
            y + f64::from(dy) * d * 0.5,
            r * 0.15
        ));
    }
}

fn tunnel(sheet: &mut Sheet<'_>, open: [bool; 4], joined: bool, (x, y): (f64, f64), r: f64) {
    let ways = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    for ((dx, dy), _) in ways.into_iter().zip(open).filter(|(_, open)| *open) {
        let inner = if joined { 0.0 } else { 0.42 };
        sheet.add(format_args!(
            r##"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="#8a6d3b" stroke-width="{:.1}" stroke-linecap="butt"/>"##,
            x + dx * r * inner, y + dy * r * inner, x + dx * r, y + dy * r, r * 0.42
        ));
    }
    if joined {
        sheet.add(format_args!(r##"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="#8a6d3b"/>"##, r * 0.28));
    }
}
