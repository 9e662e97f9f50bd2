//! What every card does in combat.

use super::*;

#[test]
fn text_cards_do_what_they_say() {
    let pieces = "frodo@shire gimli@eregion balrog@moria orcs@mordor";
    let fight = |light: &str, dark: &str| {
        board(&after(pieces, LIGHT, &format!("gimli/eregion/moria balrog {light} {dark}")))
    };
    assert_eq!(fight("noble-sacrifice", "6"), "frodo@shire orcs@mordor");
    // 3 + 0 against 5, the 6 ignored; and against 5 + 0 with a text card.
    assert_eq!(fight("elven-cloak", "6"), "frodo@shire orcs@mordor balrog@moria");
    assert_eq!(fight("5", "1"), "frodo@shire gimli@moria orcs@mordor");
    assert_eq!(
        fight("5", "retreat"),
        "frodo@shire gimli@moria orcs@mordor",
        "no way sideways in the mountains"
    );
    for ignored in ["noble-sacrifice", "elven-cloak", "retreat", "magic"] {
        assert_eq!(fight(ignored, "eye-of-sauron"), "frodo@shire orcs@mordor balrog@moria", "{ignored}");
    }
    assert_eq!(fight("4", "eye-of-sauron"), "frodo@shire gimli@moria orcs@mordor", "numbers count");
    assert_eq!(fight("magic", "6"), "frodo@shire orcs@mordor balrog@moria", "nothing was played before");
}

#[test]
fn the_cloak_hides_numbers_only() {
    let pieces = "frodo@shire gandalf@eregion warg@moria orcs@mordor";
    let s = after(pieces, LIGHT, "gandalf/eregion/moria warg elven-cloak 6");
    assert_eq!(board(&s), "frodo@shire gandalf@moria orcs@mordor");
}

#[test]
fn retreats_lead_back_and_sideways() {
    let rules = game("");
    let pieces = "frodo@shire gimli@mirkwood shelob@dagorlad orcs@mordor";
    // Light: back from Dagorlad to Mirkwood or Fangorn, as Light likes.
    let s = after(pieces, LIGHT, "gimli/mirkwood/dagorlad shelob retreat 1");
    assert_eq!(legal(&rules, &s), ["retreat/mirkwood", "retreat/fangorn"]);
    let s = go(&rules, &s, "retreat/fangorn").unwrap();
    assert_eq!(board(&s), "frodo@shire gimli@fangorn orcs@mordor shelob@dagorlad");
    // Dark: sideways to Gondor, and before Light's text counts.
    for light in ["retreat", "noble-sacrifice", "1"] {
        let s = after(pieces, LIGHT, &format!("gimli/mirkwood/dagorlad shelob {light} retreat"));
        assert_eq!(board(&s), "frodo@shire gimli@dagorlad orcs@mordor shelob@gondor", "{light}");
        assert_eq!(s.board.phase, Phase::Move(DARK));
    }
    // Two ways sideways: Dark chooses. A held region is none.
    let middle = "frodo@shire gimli@misty-mountains shelob@fangorn orcs@mordor";
    let s = after(middle, LIGHT, "gimli/misty-mountains/fangorn shelob 1 retreat");
    assert_eq!(legal(&rules, &s), ["retreat/mirkwood", "retreat/rohan"]);
    let held = "frodo@rohan gimli@misty-mountains shelob@fangorn orcs@mordor";
    let s = after(held, LIGHT, "gimli/misty-mountains/fangorn shelob 1 retreat");
    assert_eq!(board(&s), "frodo@rohan gimli@fangorn orcs@mordor shelob@mirkwood");
}

#[test]
fn an_attack_goes_on_after_a_defender_retreats() {
    let rules = game("");
    let pieces = "frodo@shire gimli@misty-mountains shelob@fangorn orcs@fangorn warg@mordor";
    let s = after(pieces, LIGHT, "gimli/misty-mountains/fangorn shelob 1 retreat retreat/rohan orcs");
    assert_eq!(board(&s), "frodo@shire gimli@fangorn shelob@rohan warg@mordor");
    assert_eq!(rules.turn(&s), Turn::Player(DARK));
}

#[test]
fn magic_becomes_a_card_already_played() {
    let rules = game("");
    let pieces = "frodo@shire gandalf@rhudaur gimli@eregion balrog@moria witch-king@high-pass orcs@mordor";
    // First fight: both spend cards. 5 + 1 against 5 + 1: both die.
    let s = after(pieces, LIGHT, "gandalf/rhudaur/high-pass witch-king 1 1 orcs/mordor/gondor");
    assert_eq!(board(&s), "frodo@shire gimli@eregion orcs@gondor balrog@moria");
    let s = go(&rules, &s, "gimli/eregion/moria balrog magic magic").unwrap();
    assert_eq!(rules.turn(&s), Turn::Player(DARK), "Dark first");
    assert_eq!(legal(&rules, &s), ["become/1"]);
    let s = go(&rules, &s, "become/1").unwrap();
    assert_eq!(rules.turn(&s), Turn::Player(LIGHT));
    let s = go(&rules, &s, "become/1").unwrap();
    assert_eq!(board(&s), "frodo@shire orcs@gondor balrog@moria");
    // Dark's Magic may become the eye, which blinds Light's.
    let mut s = scene(&rules, "frodo@shire gimli@eregion balrog@moria orcs@mordor", LIGHT);
    s.board.hands = [Card::Magic.bit() | Card::One.bit(), Card::Magic.bit() | Card::One.bit()];
    let s = go(&rules, &s, "gimli/eregion/moria balrog magic magic become/eye-of-sauron").unwrap();
    assert_eq!(board(&s), "frodo@shire orcs@mordor balrog@moria");
}

#[test]
fn cards_are_taken_back_when_the_last_is_played() {
    let rules = game("");
    let mut s = scene(&rules, "frodo@shire gimli@eregion balrog@moria orcs@mordor", LIGHT);
    s.board.hands = [Card::Two.bit(), Card::Two.bit() | Card::Three.bit()];
    let s = go(&rules, &s, "gimli/eregion/moria balrog 2 2").unwrap();
    assert_eq!(s.board.hands, [rules.decks[0], Card::Three.bit()]);
    assert_eq!(rules.decks.map(u16::count_ones), [9, 9]);
}
