use std::collections::{BTreeMap, BTreeSet, HashMap};

use fogtree_core::play::{IllegalStep, play, read_ply};
use fogtree_core::{Purpose, Seed, random_step};

use super::*;

fn try_game(params: &str) -> Result<Confrontation, BadSpec> {
    Confrontation::from_params(&ABOUT.params(&format!("lotr-confrontation({params})").parse()?)?)
}

fn game(params: &str) -> Confrontation {
    try_game(params).unwrap()
}

/// A position as in `frodo@shire orcs@gondor`, everybody else dead, with a player to move.
fn scene(rules: &Confrontation, pieces: &str, mover: Player) -> State {
    let mut s = rules.start();
    s.board.at = [DEAD; 2 * EACH];
    s.board.counts = [0; 2];
    for piece in pieces.split_whitespace() {
        let (who, at) = piece.split_once('@').unwrap();
        let (c, at) = (Character::parse(who).unwrap(), rules.map.parse(at).unwrap());
        s.board.at[c as usize] = at.0;
        s.board.counts[c.side()] += at.bit();
    }
    s.board.phase = Phase::Move(mover);
    s
}

/// Plays moves written as words.
fn go(rules: &Confrontation, s: &State, moves: &str) -> Result<State, IllegalStep> {
    let mut s = s.clone();
    let mut words = moves.split_whitespace();
    while let Some(ply) = read_ply(rules, &s, &mut words)? {
        play(rules, &mut s, ply.step())?;
    }
    Ok(s)
}

/// The position after some moves.
fn after(pieces: &str, mover: Player, moves: &str) -> State {
    let rules = game("");
    go(&rules, &scene(&rules, pieces, mover), moves).unwrap()
}

/// Where the living stand, as `frodo@shire`, sorted by character.
fn board(s: &State) -> String {
    let rules = game("");
    let living = Character::ALL.into_iter().filter(|c| s.board.lives(*c));
    let text: Vec<_> =
        living.map(|c| format!("{}@{}", c.name(), rules.map.name(s.board.region(c)))).collect();
    text.join(" ")
}

fn winner(s: &State) -> Option<Player> {
    match s.board.phase {
        Phase::Over(winner) => winner,
        _ => panic!("the game goes on: {:?}", s.board.phase),
    }
}

/// The names of the legal moves of whoever is to move.
fn legal(rules: &Confrontation, s: &State) -> Vec<String> {
    let mut actions = Vec::new();
    let who = rules.turn(s).players().iter().next().unwrap();
    rules.actions(s, who, &mut actions);
    actions.into_iter().map(|a| rules.action_name(a)).collect()
}

fn destinations(rules: &Confrontation, s: &State, who: &str) -> BTreeSet<String> {
    let moves = legal(rules, s);
    let of = moves.iter().filter(|m| m.starts_with(&format!("{who}/")));
    of.map(|m| m.rsplit('/').next().unwrap().to_string()).collect()
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_string).collect()
}

#[test]
fn the_board_has_sixteen_regions_and_twenty_four_ways_forward() {
    let map = Map::of(4);
    assert_eq!(map.regions(), 16);
    assert_eq!(map.up.iter().map(|set| set.count_ones()).sum::<u32>(), 24);
    // The published map, Light's direction.
    let ways = "shire>arthedain shire>cardolan arthedain>rhudaur arthedain>eregion cardolan>eregion \
        cardolan>enedwaith rhudaur>high-pass rhudaur>misty-mountains eregion>misty-mountains eregion>moria \
        enedwaith>moria enedwaith>gap-of-rohan high-pass>mirkwood misty-mountains>mirkwood \
        misty-mountains>fangorn moria>fangorn moria>rohan gap-of-rohan>rohan mirkwood>dagorlad \
        fangorn>dagorlad fangorn>gondor rohan>gondor dagorlad>mordor gondor>mordor";
    let mut found = BTreeSet::new();
    for from in (0..16).map(Region) {
        for to in regions_of(map.up[usize::from(from.0)]) {
            found.insert(format!("{}>{}", map.name(from), map.name(to)));
            assert_ne!(map.down[usize::from(to.0)] & from.bit(), 0);
        }
    }
    assert_eq!(found, set(ways));
    let capacities: Vec<_> = (0..16).map(|r| count_at(map.capacity, Region(r))).collect();
    assert_eq!(capacities, [4, 2, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 2, 4]);
    let beside = |name: &str| {
        let at = map.parse(name).unwrap();
        regions_of(map.sideways[usize::from(at.0)]).map(|r| map.name(r).to_string()).collect::<BTreeSet<_>>()
    };
    assert_eq!(beside("eregion"), set("rhudaur enedwaith"));
    assert_eq!(beside("gondor"), set("dagorlad"));
    assert!(beside("moria").is_empty() && beside("shire").is_empty());
}

#[test]
fn setups_are_counted() {
    let rules = game("");
    assert_eq!([rules.setups(0), rules.setups(1)], [15_120; 2]);
    // Two of seven in the Shire beside Frodo and Sam; three of eight in Mordor beside the Balrog.
    let home = game("setup=home");
    assert_eq!([home.setups(0), home.setups(1)], [2_520, 6_720]);
    assert_eq!(home.all_setups(0).len(), 2_520);
    assert!(home.all_setups(1).iter().all(|placement| home.is_setup(placement)));
}

#[test]
fn the_hand_made_setup_is_as_proposed() {
    let proposed = "frodo@shire sam@shire merry@shire pippin@shire gandalf@arthedain aragorn@enedwaith \
        legolas@cardolan gimli@rhudaur boromir@eregion orcs@mirkwood shelob@gondor saruman@dagorlad \
        flying-nazgul@mordor balrog@mordor warg@rohan black-rider@mordor witch-king@mordor cave-troll@fangorn";
    let mut rng = Seed(1).stream(Purpose::Deal);
    for rules in [game(""), game("setup=open")] {
        let mut s = rules.start();
        while rules.turn(&s) == Turn::Chance {
            let outcome = rules.sample_chance(&s, &mut rng);
            rules.apply(&mut s, Step::Chance(&outcome));
        }
        let words: Vec<_> = proposed.split_whitespace().collect();
        assert_eq!(board(&s), words.join(" "));
        assert_eq!(rules.turn(&s), Turn::Player(DARK));
        assert_eq!(rules.episode(&s), Some(2));
    }
}

#[test]
fn random_setups_put_the_right_characters_at_home() {
    let rules = game("setup=home");
    let mut rng = Seed(2).stream(Purpose::Deal);
    for _ in 0..50 {
        let mut s = rules.start();
        for _ in 0..2 {
            let outcome = rules.sample_chance(&s, &mut rng);
            assert!(rules.is_possible(&s, &outcome));
            rules.apply(&mut s, Step::Chance(&outcome));
        }
        for (c, home) in [(Character::Frodo, 0), (Character::Sam, 0), (Character::Balrog, 1)] {
            assert_eq!(s.board.region(c), rules.map.home(home));
        }
        assert_eq!([0, 15].map(|r| count_at(s.board.counts[r / 15], Region(r as u8))), [4, 4]);
    }
}

#[test]
fn parameters_are_checked() {
    for bad in [
        "size=1",
        "size=5",
        "shire=0",
        "shire=5",
        "turns=0",
        "turns=101",
        "setup=mine",
        "light=[gandalf]",
        "light=frodo",
        "light=[frodo,frodo,sam,merry,pippin,gandalf]",
        "light=[sam,merry,pippin,gandalf,aragorn]",
        "light=[frodo,orcs,sam,merry,pippin]",
        "size=2,light=[frodo,sam,merry,pippin,gandalf]",
        "setup=home,light=[frodo,sam,merry,pippin,gandalf,gimli]",
        "light-cards=[6]",
        "light-cards=[]",
        "dark-cards=[noble-sacrifice]",
        "reward=2",
    ] {
        assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
    }
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
        assert!(rules.view(&rules.known(&s, by)).contains("dark plays 4"));
    }
    let s = go(&rules, &s, "5").unwrap();
    assert_eq!(board(&s), "frodo@shire gandalf@moria orcs@mordor");
    let s = after("frodo@shire gandalf@eregion warg@moria", LIGHT, "gandalf/eregion/moria warg");
    assert_eq!(rules.turn(&s), Turn::Together(BOTH));
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

/// The start of an open game, where everybody knows who stands where, and what follows.
fn open(moves: &str) -> (Confrontation, State) {
    let rules = game("setup=open");
    let s = go(&rules, &rules.start(), moves).unwrap();
    (rules, s)
}

/// The different boards that an observer holds possible, by how often each is drawn.
fn worlds(rules: &Confrontation, s: &State, by: Player, draws: usize) -> HashMap<[u8; 18], f64> {
    let known = rules.known(s, Observer::Seat(by));
    let mut sampler = rules.sampler(&known);
    let mut rng = Seed(5).stream(Purpose::Sampling);
    let mut world = rules.start();
    let mut found = HashMap::new();
    for _ in 0..draws {
        rules.sample(&mut sampler, &mut rng, &mut world);
        assert_eq!(rules.known(&world, Observer::Seat(by)), known);
        *found.entry(world.board.at).or_insert(0.0) += 1.0 / draws as f64;
    }
    found
}

/// Whitehouse 2014, §4.2.6: when one of two pieces leaves a region, both become unknown.
#[test]
fn knowledge_decreases_when_pieces_part() {
    // Gandalf joins nobody yet; one of four leaves the Shire: Light's other piece there may be any of four.
    let (rules, s) = open("orcs/mirkwood/high-pass sam/shire/arthedain");
    let names = |s: &State| {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for (at, share) in worlds(&rules, s, DARK, 4000) {
            for c in Character::of(0).iter().filter(|c| at[**c as usize] == 1) {
                *shares.entry(c.name()).or_default() += share;
            }
        }
        shares
    };
    let found = names(&s);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), ["frodo", "gandalf", "merry", "pippin", "sam"]);
    assert!((found["gandalf"] - 1.0).abs() < 1e-9 && (found["sam"] - 0.25).abs() < 0.05);
    // One of the two goes on: Gandalf may be in either region.
    let s = go(&rules, &s, "warg/rohan/gap-of-rohan gandalf/arthedain/rhudaur").unwrap();
    let found = names(&s);
    assert!((found["gandalf"] - 0.5).abs() < 0.05, "{found:?}");
    // The view says so: who stood together is named where it may be, who never moved where it is.
    let view = fogtree_core::text::plain(&rules.view(&rules.known(&s, Observer::Seat(DARK))));
    let line =
        |region: &str| view.split(['\n', '|']).find(|part| part.trim().starts_with(region)).unwrap().trim();
    assert_eq!(line("cardolan"), "cardolan legolas");
    assert_eq!(line("arthedain"), "arthedain ? (gandalf? frodo? sam? merry? pippin?)");
    assert_eq!(line("rhudaur"), "rhudaur gimli ? (gandalf? frodo? sam? merry? pippin?)");
    // Seen again in combat he is known again, and so is who stayed: one of four.
    let s = go(&rules, &s, "orcs/high-pass/rhudaur").unwrap();
    let s = go(&rules, &s, "gandalf").unwrap();
    assert_eq!(worlds(&rules, &s, DARK, 400).values().count(), 4);
}

/// Of a quiet move the other sees from where to where, not who.
#[test]
fn quiet_moves_do_not_name_the_piece() {
    let rules = game("setup=open");
    let s = go(&rules, &rules.start(), "orcs/mirkwood/high-pass").unwrap();
    let seen = |who: &str| {
        let action = rules.parse_action(&format!("{who}/shire/arthedain")).unwrap();
        rules.observe(&s, Step::Moves(&[(LIGHT, action)]), Observer::Seat(DARK)).unwrap()
    };
    assert_eq!(seen("frodo"), seen("pippin"));
    assert_eq!(
        rules.explain(&seen("sam"), Observer::Seat(DARK)),
        "light moves a piece from shire to arthedain"
    );
}

/// Nobody who walked into Mordor quietly is Frodo.
#[test]
fn frodo_is_not_who_entered_mordor_without_winning() {
    let rules = game("setup=random,size=2,light=[frodo,gimli],dark=[orcs]");
    let mut s = go(&rules, &rules.start(), "light dark orcs/mordor/arthedain gimli/shire/cardolan").unwrap();
    assert_eq!(worlds(&rules, &s, DARK, 200).len(), 2);
    s.board.phase = Phase::Move(LIGHT);
    let s = go(&rules, &s, "gimli/cardolan/mordor").unwrap();
    assert_eq!(worlds(&rules, &s, DARK, 200).len(), 1);
}

/// In random games worlds always agree with everything revealed, and the truth is among what can be drawn.
#[test]
fn revealed_characters_are_where_they_were_seen() {
    let rules = game("setup=random");
    let mut rng = Seed(9).stream(Purpose::Playout);
    let mut scratch = Scratch::default();
    let mut revealed = 0;
    for _ in 0..40 {
        let mut s = rules.start();
        while rules.turn(&s) != Turn::Over {
            random_step(&rules, &mut s, &mut rng, &mut scratch);
            let (Phase::Cards(fight) | Phase::DarkFirst(fight)) = s.board.phase else { continue };
            revealed += 1;
            for by in Observer::all(2) {
                let mut sampler = rules.sampler(&rules.known(&s, by));
                let mut world = rules.start();
                rules.sample(&mut sampler, &mut rng, &mut world);
                for c in [fight.light, fight.dark] {
                    assert_eq!(world.board.region(c), s.board.region(c));
                }
                assert_eq!(world.board.counts, s.board.counts);
            }
        }
    }
    assert!(revealed > 100);
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
