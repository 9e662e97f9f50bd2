//! The board, setups and parameters.

use super::*;

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
