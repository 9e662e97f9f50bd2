//! What each side knows of the other, and worlds that agree with it.

use std::collections::{BTreeMap, HashMap};

use fogtree_core::random_step;

use super::*;

/// The start of an open game, where everybody knows who stands where, and what follows.
fn open(moves: &str) -> (Confrontation, State) {
    let rules = game("setup=open");
    let s = go(&rules, &rules.start(), moves).unwrap();
    (rules, s)
}

/// The different boards that an observer holds possible, by how often each is drawn.
fn worlds(rules: &Confrontation, s: &State, by: Player, draws: usize) -> HashMap<[u8; 18], f64> {
    let known = rules.info(s, Observer::Seat(by));
    let mut sampler = rules.sampler(&known);
    let mut rng = Seed(5).stream(Purpose::Sampling);
    let mut world = rules.start();
    let mut found = HashMap::new();
    for _ in 0..draws {
        rules.sample(&mut sampler, &mut rng, &mut world);
        assert_eq!(rules.info(&world, Observer::Seat(by)), known);
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
    // The view says so: who stood together is listed with where it may be, who never moved stands where it is.
    let known = rules.info(&s, Observer::Seat(DARK));
    let scene = rules.scene(&known);
    let on = |region: &str| {
        let (_, tokens) = scene.spots().find(|(spot, _)| *spot == format!("map/{region}")).unwrap();
        tokens.iter().map(|token| token.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(on("cardolan"), ["Legolas"]);
    assert_eq!(on("arthedain"), ["hidden piece of Light"]);
    assert_eq!(on("rhudaur"), ["Gimli", "hidden piece of Light"]);
    let view = fogtree_core::text::plain(&rules.view(&known));
    let place = |who: &str| view.lines().find(|line| line.starts_with(who)).unwrap().to_string();
    assert!(place("Gandalf").ends_with("Arthedain or Rhudaur"));
    assert!(place("Pippin").ends_with("Shire or Arthedain or Rhudaur"), "{view}");
    // Observation again in combat he is known again, and so is who stayed: one of four.
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
        while rules.turn(&s) != Turn::Terminal {
            random_step(&rules, &mut s, &mut rng, &mut scratch);
            let (Phase::Cards(fight) | Phase::DarkFirst(fight)) = s.board.phase else { continue };
            revealed += 1;
            for by in Observer::all(2) {
                let mut sampler = rules.sampler(&rules.info(&s, by));
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
