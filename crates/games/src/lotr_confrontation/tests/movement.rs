//! Who may go where, and where one decision belongs with the next.

use super::*;

fn destinations(rules: &Confrontation, s: &State, who: &str) -> BTreeSet<String> {
    let moves = legal(rules, s);
    let of = moves.iter().filter(|m| m.starts_with(&format!("{who}/")));
    of.map(|m| m.rsplit('/').next().unwrap().to_string()).collect()
}

#[test]
fn pieces_move_forward_into_regions_with_room() {
    let rules = game("");
    let s = scene(&rules, "frodo@shire sam@arthedain merry@arthedain orcs@mordor shelob@high-pass", LIGHT);
    assert_eq!(
        legal(&rules, &s),
        [
            "frodo/shire/cardolan",
            "sam/arthedain/rhudaur",
            "sam/arthedain/eregion",
            "merry/arthedain/rhudaur",
            "merry/arthedain/eregion"
        ]
    );
    let s = scene(&rules, "frodo@shire orcs@mirkwood warg@high-pass", DARK);
    assert_eq!(legal(&rules, &s), ["orcs/mirkwood/misty-mountains", "warg/high-pass/rhudaur"]);
}

#[test]
fn light_alone_uses_the_river_and_the_tunnel() {
    let rules = game("");
    let s = scene(&rules, "frodo@mirkwood sam@fangorn merry@eregion orcs@shire", LIGHT);
    assert_eq!(destinations(&rules, &s, "frodo"), set("dagorlad fangorn"));
    assert_eq!(destinations(&rules, &s, "sam"), set("dagorlad gondor rohan"));
    assert_eq!(destinations(&rules, &s, "merry"), set("misty-mountains moria fangorn"));
    let s = scene(&rules, "frodo@shire orcs@fangorn warg@rohan", DARK);
    assert_eq!(destinations(&rules, &s, "orcs"), set("misty-mountains moria"));
}

#[test]
fn aragorn_attacks_any_adjacent_region() {
    let rules = game("");
    let s = scene(&rules, "frodo@shire aragorn@eregion orcs@rhudaur warg@cardolan shelob@moria", LIGHT);
    assert_eq!(
        destinations(&rules, &s, "aragorn"),
        set("rhudaur cardolan moria misty-mountains fangorn"),
        "back and sideways only to attack"
    );
}

#[test]
fn the_witch_king_attacks_sideways() {
    let rules = game("");
    let s = scene(&rules, "frodo@fangorn witch-king@rohan warg@gondor", DARK);
    assert_eq!(destinations(&rules, &s, "witch-king"), set("moria gap-of-rohan fangorn"));
    let s = scene(&rules, "frodo@mirkwood witch-king@rohan warg@gondor", DARK);
    assert_eq!(destinations(&rules, &s, "witch-king"), set("moria gap-of-rohan"));
}

#[test]
fn the_flying_nazgul_attacks_any_lone_character() {
    let rules = game("");
    let s = scene(&rules, "frodo@shire sam@shire merry@gondor gimli@rhudaur flying-nazgul@mordor", DARK);
    assert_eq!(destinations(&rules, &s, "flying-nazgul"), set("dagorlad gondor rhudaur"));
}

#[test]
fn the_black_rider_rides_until_it_attacks() {
    let rules = game("");
    let s = scene(&rules, "frodo@shire sam@cardolan merry@eregion black-rider@mordor", DARK);
    // Over Dagorlad or Gondor, any wood and any pass; Eregion and Cardolan bar the way to the Shire on one
    // side, but not Arthedain on the other.
    assert_eq!(destinations(&rules, &s, "black-rider"), set("dagorlad gondor eregion cardolan shire"));
    // Dagorlad is full of its own, Rohan's passes are held, and Fangorn is where Sam stands.
    let crowd = "frodo@shire sam@fangorn merry@gap-of-rohan gimli@moria black-rider@mordor orcs@dagorlad \
        warg@dagorlad";
    let s = scene(&rules, crowd, DARK);
    assert_eq!(destinations(&rules, &s, "black-rider"), set("gondor fangorn moria gap-of-rohan"));
}

#[test]
fn episodes_begin_where_a_player_moves_outside_combat() {
    let rules = game("");
    let s = after("frodo@shire gimli@eregion balrog@moria orcs@mordor", LIGHT, "gimli/eregion/moria balrog");
    assert_eq!(rules.episode(&s), None);
    let s = go(&rules, &s, "1 1").unwrap();
    assert_eq!(rules.episode(&s), Some(2));
    let s = go(&rules, &s, "orcs/mordor/gondor").unwrap();
    assert_eq!(rules.episode(&s), Some(1));
}
