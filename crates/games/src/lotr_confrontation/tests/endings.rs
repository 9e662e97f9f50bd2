//! Who wins, and when.

use super::*;

#[test]
fn light_wins_by_frodo_in_mordor_even_if_it_is_held() {
    let s = after("frodo@gondor orcs@mordor warg@mordor", LIGHT, "frodo/gondor/mordor");
    assert_eq!(winner(&s), Some(LIGHT));
    let s = after("frodo@shire gimli@gondor warg@rohan", LIGHT, "gimli/gondor/mordor");
    assert_eq!(s.board.phase, Phase::Move(DARK), "others do not win there");
}

#[test]
fn light_wins_when_no_dark_character_is_left_or_can_move() {
    let s = after("frodo@shire gimli@eregion orcs@moria", LIGHT, "gimli/eregion/moria orcs");
    assert_eq!(winner(&s), Some(LIGHT));
    let rules = game("");
    let s = after("frodo@mirkwood orcs@shire warg@shire", LIGHT, "frodo/mirkwood/dagorlad");
    assert_eq!(legal(&rules, &s), ["give-up"]);
    assert_eq!(winner(&go(&rules, &s, "give-up").unwrap()), Some(LIGHT));
}

#[test]
fn dark_wins_by_killing_frodo_even_at_the_price_of_its_last() {
    let s = after("frodo@eregion warg@moria", DARK, "warg/moria/eregion frodo noble-sacrifice 1");
    assert_eq!(winner(&s), Some(DARK));
}

#[test]
fn dark_wins_with_enough_characters_in_the_shire() {
    let pieces = "frodo@mirkwood orcs@shire warg@shire shelob@shire balrog@cardolan";
    assert_eq!(winner(&after(pieces, DARK, "balrog/cardolan/shire")), Some(DARK));
    let three = "frodo@mirkwood orcs@shire warg@shire balrog@cardolan";
    assert_eq!(after(three, DARK, "balrog/cardolan/shire").board.phase, Phase::Move(LIGHT));
    let rules = game("shire=3");
    let s = go(&rules, &scene(&rules, three, DARK), "balrog/cardolan/shire").unwrap();
    assert_eq!(winner(&s), Some(DARK));
}

#[test]
fn dark_wins_when_light_cannot_move() {
    let rules = game("");
    let full = "frodo@dagorlad sam@mordor merry@mordor pippin@mordor gimli@mordor orcs@shire";
    let s = scene(&rules, full, LIGHT);
    assert_eq!(legal(&rules, &s), ["give-up"], "not even Frodo finds room");
    assert_eq!(winner(&go(&rules, &s, "give-up").unwrap()), Some(DARK));
}

#[test]
fn a_game_without_end_is_a_draw() {
    let rules = game("turns=2");
    let s = scene(&rules, "frodo@shire orcs@mordor", DARK);
    let s = go(&rules, &s, "orcs/mordor/gondor frodo/shire/cardolan").unwrap();
    assert_eq!(winner(&s), None);
    assert_eq!(rules.rewards(&s).as_slice(), [0.5, 0.5]);
}
