//! What every character does in combat.

use super::*;

/// What must come of every pair of characters when both play a 1, by the table in the rules.
#[test]
fn every_pair_of_characters_fights_as_the_table_says() {
    let rules = game("");
    for &light in Character::of(0) {
        for &dark in Character::of(1) {
            for attacker in [LIGHT, DARK] {
                let (l, d) = (light.name(), dark.name());
                let frodo = if light == Character::Frodo { "" } else { "frodo@shire" };
                let spare = if dark == Character::Saruman { "warg@mordor" } else { "saruman@mordor" };
                let pieces = format!("{l}@rhudaur {d}@high-pass {frodo} {spare}");
                let (first, second) = if attacker == LIGHT {
                    (format!("{l}/rhudaur/high-pass"), d)
                } else {
                    (format!("{d}/high-pass/rhudaur"), l)
                };
                let mut s =
                    go(&rules, &scene(&rules, &pieces, attacker), &format!("{first} {second}")).unwrap();
                while !matches!(s.board.phase, Phase::Move(_) | Phase::Over(_)) {
                    let word = match s.board.phase {
                        Phase::Saruman(_) => "allow-cards",
                        Phase::Answer(_) => "stand",
                        Phase::Cards(_) => "1 1",
                        _ => "1",
                    };
                    s = go(&rules, &s, word).unwrap();
                }
                let strength = |c: Character| match c.name() {
                    "boromir" => 0,
                    "frodo" | "pippin" => 1,
                    "sam" | "merry" | "orcs" | "warg" => 2,
                    "legolas" | "gimli" | "flying-nazgul" | "black-rider" => 3,
                    "aragorn" | "saruman" => 4,
                    "gandalf" | "shelob" | "balrog" | "witch-king" => 5,
                    _ => 9,
                };
                let dark_card = if d == "cave-troll" { 0 } else { 1 };
                let margin = strength(light) + 1 - strength(dark) - dark_card;
                let (light_dies, dark_dies) = match (l, d) {
                    ("gimli", "orcs") | ("legolas", "flying-nazgul") | ("merry", "witch-king") => {
                        (false, true)
                    }
                    (_, "orcs") if attacker == DARK => (true, false),
                    ("boromir", _) if d != "warg" => (true, true),
                    _ => (margin <= 0, margin >= 0),
                };
                let dead = (!s.board.lives(light), !s.board.lives(dark));
                assert_eq!(dead, (light_dies, dark_dies), "{l} and {d}, {attacker} attacks");
                let frodo_dies = light == Character::Frodo && light_dies;
                assert_eq!(matches!(s.board.phase, Phase::Over(Some(DARK))), frodo_dies, "{l} {d}");
                if d == "shelob" && light_dies && !dark_dies {
                    assert_eq!(rules.map.name(s.board.region(dark)), "gondor", "{l}");
                }
            }
        }
    }
}

#[test]
fn frodo_may_retreat_sideways_when_attacked() {
    let rules = game("");
    let start = scene(&rules, "frodo@eregion sam@enedwaith merry@enedwaith balrog@moria warg@rohan", DARK);
    let s = go(&rules, &start, "balrog/moria/eregion frodo").unwrap();
    assert_eq!(legal(&rules, &s), ["stand", "retreat/rhudaur"], "enedwaith is full");
    let s = go(&rules, &s, "retreat/rhudaur").unwrap();
    assert_eq!(board(&s), "frodo@rhudaur sam@enedwaith merry@enedwaith balrog@eregion warg@rohan");
    // Attacking he may not; and the Warg does not let him.
    let s = after("frodo@eregion orcs@moria warg@mordor", LIGHT, "frodo/eregion/moria orcs");
    assert!(matches!(s.board.phase, Phase::Cards(_)));
    let s = after("frodo@eregion warg@moria orcs@mordor", DARK, "warg/moria/eregion frodo");
    assert!(matches!(s.board.phase, Phase::Cards(_)));
}

#[test]
fn sam_is_strong_beside_frodo_and_may_replace_him() {
    let pieces = "frodo@eregion sam@eregion balrog@moria orcs@mordor";
    let rules = game("");
    let s = after(pieces, DARK, "balrog/moria/eregion frodo");
    assert_eq!(legal(&rules, &s), ["stand", "replace", "retreat/rhudaur", "retreat/enedwaith"]);
    // 5 + 2 against 5 + 1.
    let s = go(&rules, &s, "replace 2 1").unwrap();
    assert_eq!(board(&s), "frodo@eregion sam@eregion orcs@mordor");
    // Attacked himself, he shows that Frodo is there: 5 + 1 against 5 + 1.
    let s = after(pieces, DARK, "balrog/moria/eregion sam 1 1");
    assert_eq!(board(&s), "frodo@eregion orcs@mordor");
    // Without Frodo he has 2, and against the Warg he has 2 anyway.
    let s = after(
        "frodo@shire sam@eregion black-rider@moria orcs@mordor",
        DARK,
        "black-rider/moria/eregion sam 1 1",
    );
    assert_eq!(board(&s), "frodo@shire orcs@mordor black-rider@eregion");
    let s = after("frodo@eregion sam@eregion warg@moria orcs@mordor", DARK, "warg/moria/eregion sam 1 1");
    assert_eq!(board(&s), "frodo@eregion orcs@mordor");
}

#[test]
fn pippin_may_retreat_backwards_when_attacking() {
    let rules = game("");
    let s = after("frodo@shire pippin@eregion cave-troll@moria", LIGHT, "pippin/eregion/moria cave-troll");
    assert_eq!(legal(&rules, &s), ["stand", "retreat/eregion", "retreat/enedwaith"]);
    let s = go(&rules, &s, "retreat/enedwaith").unwrap();
    assert_eq!(board(&s), "frodo@shire pippin@enedwaith cave-troll@moria");
    assert_eq!(rules.turn(&s), Turn::Player(DARK));
    let s = after("frodo@shire pippin@eregion warg@moria", LIGHT, "pippin/eregion/moria warg");
    assert!(matches!(s.board.phase, Phase::Cards(_)), "the Warg ignores his text");
}

#[test]
fn gandalf_sees_the_card_first_unless_the_warg_is_there() {
    let rules = game("");
    let s =
        after("frodo@shire gandalf@eregion balrog@moria orcs@mordor", LIGHT, "gandalf/eregion/moria balrog");
    assert_eq!(rules.turn(&s), Turn::Player(DARK));
    let s = go(&rules, &s, "4").unwrap();
    assert_eq!(rules.turn(&s), Turn::Player(LIGHT));
    for by in Observer::all(2) {
        assert!(rules.view(&rules.info(&s, by)).contains("Dark plays 4."));
    }
    let s = go(&rules, &s, "5").unwrap();
    assert_eq!(board(&s), "frodo@shire gandalf@moria orcs@mordor");
    let s = after("frodo@shire gandalf@eregion warg@moria", LIGHT, "gandalf/eregion/moria warg");
    assert_eq!(rules.turn(&s), Turn::Simultaneous(BOTH));
}

#[test]
fn orcs_defeat_only_the_first_they_attack() {
    let rules = game("");
    let s = after(
        "frodo@shire merry@eregion gandalf@eregion orcs@moria warg@mordor",
        DARK,
        "orcs/moria/eregion merry",
    );
    let Phase::Reveal(attack) = s.board.phase else { panic!("gandalf is next") };
    assert!(!attack.first);
    let s = go(&rules, &s, "gandalf 1 1").unwrap();
    assert_eq!(board(&s), "frodo@shire gandalf@eregion warg@mordor");
}

#[test]
fn orcs_come_before_boromir_and_frodo_but_after_gimli() {
    let s = after("frodo@shire boromir@eregion orcs@moria", DARK, "orcs/moria/eregion boromir");
    assert_eq!(board(&s), "frodo@shire orcs@eregion");
    let s = after("frodo@eregion sam@eregion orcs@moria", DARK, "orcs/moria/eregion frodo");
    assert_eq!(winner(&s), Some(DARK));
    let s = after("frodo@shire gimli@eregion orcs@moria", DARK, "orcs/moria/eregion gimli");
    assert_eq!(winner(&s), Some(LIGHT), "no Dark character is left");
}

#[test]
fn shelob_stays_if_gondor_is_full_or_held() {
    let full = "frodo@shire merry@moria shelob@rohan orcs@gondor warg@gondor";
    let s = after(full, DARK, "shelob/rohan/moria merry 1 1");
    assert_eq!(board(&s), "frodo@shire orcs@gondor shelob@moria warg@gondor");
    let held = "frodo@shire gimli@gondor merry@moria shelob@rohan";
    let s = after(held, DARK, "shelob/rohan/moria merry 1 1");
    assert_eq!(board(&s), "frodo@shire gimli@gondor shelob@moria");
    // She leaves a fight that would go on.
    let two = "frodo@shire merry@eregion pippin@eregion shelob@moria";
    let s = after(two, DARK, "shelob/moria/eregion merry 1 1");
    assert_eq!(board(&s), "frodo@shire pippin@eregion shelob@gondor");
    assert_eq!(s.board.phase, Phase::Move(LIGHT));
}

#[test]
fn saruman_may_forbid_cards() {
    let pieces = "frodo@shire gimli@eregion saruman@moria orcs@mordor";
    let s = after(pieces, LIGHT, "gimli/eregion/moria saruman forbid-cards");
    assert_eq!(board(&s), "frodo@shire orcs@mordor saruman@moria");
    assert_eq!(s.board.hands, game("").decks, "no card is spent");
    let s = after(pieces, LIGHT, "gimli/eregion/moria saruman allow-cards 5 1");
    assert_eq!(board(&s), "frodo@shire gimli@moria orcs@mordor");
    // Frodo may still answer, and Sam fights without a card too: 5 against 4.
    let pair = "frodo@eregion sam@eregion saruman@moria orcs@mordor";
    let s = after(pair, DARK, "saruman/moria/eregion frodo forbid-cards replace");
    assert_eq!(board(&s), "frodo@eregion sam@eregion orcs@mordor");
}

#[test]
fn the_balrog_watches_the_tunnel() {
    let rules = game("");
    let pieces = "frodo@shire gimli@eregion balrog@moria orcs@fangorn warg@mordor";
    let s = after(pieces, LIGHT, "gimli/eregion/fangorn");
    assert_eq!(legal(&rules, &s), ["let-pass", "strike"]);
    let struck = go(&rules, &s, "strike").unwrap();
    assert_eq!(board(&struck), "frodo@shire orcs@fangorn balrog@moria warg@mordor");
    let passed = go(&rules, &s, "let-pass orcs").unwrap();
    assert_eq!(board(&passed), "frodo@shire gimli@fangorn balrog@moria warg@mordor");
    // Whoever else is in Moria can only let pass, so that letting pass tells nothing.
    let s = after("frodo@shire gimli@eregion cave-troll@moria balrog@mordor", LIGHT, "gimli/eregion/fangorn");
    assert_eq!(legal(&rules, &s), ["let-pass"]);
    let s = go(&rules, &s, "let-pass").unwrap();
    assert_eq!(s.board.phase, Phase::Move(DARK));
    let s = after("frodo@eregion balrog@moria", LIGHT, "frodo/eregion/fangorn strike");
    assert_eq!(winner(&s), Some(DARK));
    let s = after("frodo@shire gimli@eregion balrog@mordor", LIGHT, "gimli/eregion/fangorn");
    assert_eq!(s.board.phase, Phase::Move(DARK), "nobody watches");
}

#[test]
fn the_cave_trolls_cards_count_for_nothing() {
    let pieces = "frodo@shire gandalf@eregion aragorn@rhudaur cave-troll@moria orcs@mordor";
    // 5 + 5 against 9, whatever Dark plays.
    for card in ["6", "eye-of-sauron", "retreat", "magic"] {
        let s = after(pieces, LIGHT, &format!("gandalf/eregion/moria cave-troll {card} 5"));
        assert_eq!(board(&s), "frodo@shire gandalf@moria aragorn@rhudaur orcs@mordor", "{card}");
    }
    let s = after(pieces, LIGHT, "gandalf/eregion/moria cave-troll eye-of-sauron noble-sacrifice");
    assert_eq!(board(&s), "frodo@shire aragorn@rhudaur orcs@mordor", "the eye is blind");
}
