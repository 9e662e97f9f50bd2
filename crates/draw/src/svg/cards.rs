//! Cards, dice and counters in rows, fans and piles.

use fogtree_core::scene::{Cards, Look, Spread, Token};

use super::sheet::{Font, Sheet};
use super::token::{self, TALL};
use crate::text;

const WIDTH: f64 = 50.0;
/// A hand is no wider than this.
const WIDEST: f64 = 620.0;

/// Draws cards; answers how much room they took.
pub(super) fn draw(sheet: &mut Sheet<'_>, zone: &str, cards: &Cards, (x, y): (f64, f64)) -> (f64, f64) {
    let theme = sheet.theme();
    let height = WIDTH * TALL;
    let count = cards.cards.len();
    if count == 0 {
        sheet.add(format_args!(
            r#"<rect x="{x:.1}" y="{y:.1}" width="{WIDTH}" height="{height}" rx="5" fill="none" stroke="{}" stroke-dasharray="4 4"/>"#,
            theme.line
        ));
        return (WIDTH, height);
    }
    let room = |note: &str| (WIDTH + 8.0).max(text::width(note, 11) + 8.0);
    let step = match cards.spread {
        Spread::Row => cards.cards.iter().map(|c| room(&c.note)).fold(0.0, f64::max),
        Spread::Fan => ((WIDEST - WIDTH) / (count.max(2) - 1) as f64).min(WIDTH * 0.62),
        Spread::Pile => 2.0,
    };
    let hidden = if cards.spread == Spread::Pile { count.saturating_sub(5) } else { 0 };
    for (i, card) in cards.cards.iter().enumerate().skip(hidden) {
        let left = x + step * (i - hidden) as f64;
        let spot = format!("{zone}/{}", card.place);
        let flat = matches!(card.token.look, Look::Card { .. } | Look::Back);
        let frame = |sheet: &mut Sheet<'_>, colour: &str| {
            sheet.add(format_args!(
                r#"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="6" fill="none" stroke="{colour}" stroke-width="2.5"/>"#,
                left - 1.5, y - 1.5, WIDTH + 3.0, height + 3.0
            ));
        };
        let body = |sheet: &mut Sheet<'_>| {
            if flat {
                token::card(sheet, &card.token, (left, y), WIDTH);
            } else {
                if matches!(card.token.look, Look::Tunnel { .. }) {
                    token::card(sheet, &Token::card("", None), (left, y), WIDTH);
                }
                token::draw(sheet, &card.token, (left + WIDTH / 2.0, y + height / 2.0), WIDTH * 0.44);
            }
        };
        let pale = card.token.pale && flat;
        if pale {
            sheet.add(format_args!(r#"<g opacity="0.45">"#));
        }
        sheet.spot(&spot, std::slice::from_ref(&card.token), body, frame);
        if pale {
            sheet.add(format_args!("</g>"));
        }
        if !card.note.is_empty() {
            sheet.text((left + WIDTH / 2.0, y + height + 14.0), Font::middle(11.0), theme.grey, &card.note);
        }
    }
    let mut lower = height;
    if cards.spread == Spread::Pile && count > 1 {
        sheet.text(
            (x + WIDTH / 2.0, y + height + 14.0),
            Font::middle(11.0),
            theme.grey,
            &format!("{count} cards"),
        );
        lower += 18.0;
    } else if cards.cards.iter().any(|c| !c.note.is_empty()) {
        lower += 18.0;
    }
    (WIDTH + step * (count - hidden - 1) as f64, lower)
}
