//! What stands where in how many of the worlds that were drawn.

use fogtree_core::scene::{Look, Share};

use super::sheet::{Font, Sheet};
use super::token;
use crate::text;

/// So many are listed beside a zone.
const MOST: usize = 24;
const COLUMN: usize = 12;

/// The likeliest things on a spot, with their shares.
pub(super) fn on_spot(sheet: &mut Sheet<'_>, shares: &[Share], (x, y): (f64, f64), side: f64) {
    let theme = sheet.theme();
    let shown = &shares[..shares.len().min(2)];
    let radius = side * if shown.len() == 1 { 0.26 } else { 0.19 };
    for (i, share) in shown.iter().enumerate() {
        let middle = if shown.len() == 1 { x } else { x + side * if i == 0 { -0.24 } else { 0.24 } };
        sheet.add(format_args!(r#"<g opacity="{:.2}">"#, 0.35 + 0.65 * share.share));
        token::draw(sheet, &share.token, (middle, y - side * 0.12), radius);
        sheet.add(format_args!("</g>"));
        let percent = format!("{:.0}", 100.0 * share.share);
        sheet.text((middle, y + side * 0.42), Font::middle((side * 0.26).max(8.0)), theme.ink, &percent);
    }
}

/// What may lie in a zone, in columns at its right; answers how much room that took.
pub(super) fn of_zone(sheet: &mut Sheet<'_>, zone: &str, (x, y): (f64, f64)) -> (f64, f64) {
    let shares = sheet.zone_shares(zone);
    let theme = sheet.theme();
    let (mut width, mut height) = (0.0f64, 0.0f64);
    for (i, share) in shares.iter().take(MOST).enumerate() {
        let left = x + (i / COLUMN) as f64 * 92.0;
        let top = y + (i % COLUMN) as f64 * 26.0;
        if matches!(share.token.look, Look::Card { .. } | Look::Back) {
            token::card(sheet, &share.token, (left, top), 16.0);
        } else {
            token::draw(sheet, &share.token, (left + 10.0, top + 11.0), 10.0);
        }
        let percent = format!("{:.0} %", 100.0 * share.share);
        sheet.text((left + 28.0, top + 16.0), Font::start(12), theme.ink, &percent);
        width = width.max(left - x + 34.0 + text::width("100 %", 12));
        height = height.max(top - y + 26.0);
    }
    (width, height)
}
