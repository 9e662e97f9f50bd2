//! Dark Hex and abrupt phantom m,n,k games, move by move, and what players know against all histories.

use std::collections::{HashMap, HashSet};

use fogtree_core::{Key, Keys, Line, Observer, Purpose, Seed};

use super::*;
use crate::testing::first_zone;
use crate::{dark_hex, phantom_mnk};

fn hex(given: &str) -> Dark<Hex> {
    dark_hex::from_params(&crate::testing::params(&dark_hex::ABOUT, given).unwrap()).unwrap()
}

fn abrupt(given: &str) -> Result<Dark<Rows>, BadSpec> {
    phantom_mnk::abrupt(&crate::testing::params(&phantom_mnk::ABOUT, given)?)
}

fn play<G: Goal>(rules: &Dark<G>, words: &str) -> Line<Dark<G>> {
    let mut line = Line::start(rules);
    line.play_words(rules, words.split_whitespace()).unwrap();
    line
}

const FIRST: Observer = Observer::Seat(Player(0));
const SECOND: Observer = Observer::Seat(Player(1));

/// The first player joins top and bottom, the second left and right; b1 and a2 are neighbours, a1 and b2 are not.
#[test]
fn chains_join_sides() {
    let rules = hex("rows=2,columns=2");
    let rewards = |words| rules.rewards(play(&rules, words).state());
    assert_eq!(rules.turn(play(&rules, "a1 b1 b2 a2").state()), Turn::Terminal);
    assert_eq!(rewards("b1 a1 a2").as_slice(), [1.0, 0.0]);
    assert_eq!(rewards("a1 b1 b2 a2").as_slice(), [0.0, 1.0]);
    let filled = hex("rows=5,columns=4");
    let mut rng = Seed(1).stream(Purpose::Playout);
    for _ in 0..2000 {
        let marks = rng.bits() & filled.board;
        let reached = [filled.goal.is_reached(Player(0), marks), filled.goal.is_reached(Player(1), filled.board & !marks)];
        assert!(reached[0] != reached[1], "on a full board exactly one side has a chain");
        if !reached[0] {
            let free = filled.board & !marks;
            let each = cells_of(free).filter(|c| filled.goal.is_reached(Player(0), marks | c.bit()));
            assert_eq!(filled.goal.winning(Player(0), marks, free), each.fold(0, |set, c| set | c.bit()));
            let way = filled.goal.draw_way(Player(0), marks, free, &mut rng).unwrap();
            assert!(filled.goal.is_reached(Player(0), marks | way) && way & marks == 0);
            assert!(cells_of(way).all(|c| !filled.goal.is_reached(Player(0), marks | way & !c.bit())));
        }
    }
}

#[test]
fn a_failed_attempt_is_repeated_or_ends_the_turn() {
    let (classical, abrupt) = (hex(""), hex("turn=abrupt"));
    assert_eq!(classical.turn(play(&classical, "b2 b2").state()), Turn::Player(Player(1)));
    assert_eq!(abrupt.turn(play(&abrupt, "b2 b2").state()), Turn::Player(Player(0)));
    assert_eq!(play(&classical, "b2 b2 a1").key(FIRST), play(&classical, "b2 a1").key(FIRST));
    assert_eq!(play(&abrupt, "b2 b2").key(FIRST), play(&abrupt, "b2 a1").key(FIRST));
    assert_ne!(play(&abrupt, "b2 b2").key(SECOND), play(&abrupt, "b2 a1").key(SECOND));
    assert_eq!(play(&abrupt, "b2 b2").key(Observer::Public), play(&abrupt, "b2 a1").key(Observer::Public));
}

#[test]
fn parameters_that_do_not_go_together_are_refused() {
    for given in ["turn=abrupt,failed=announced", "turn=abrupt,opening=centre", "turn=sudden", "m=9,n=9,k=3,turn=abrupt"] {
        assert!(matches!(abrupt(given), Err(BadSpec::Value { .. })), "{given}");
    }
    for given in ["rows=1", "columns=9", "turn=x"] {
        let params = crate::testing::params(&dark_hex::ABOUT, given);
        assert!(params.and_then(|params| dark_hex::from_params(&params)).is_err(), "{given}");
    }
}

#[test]
fn what_is_known_is_shown_written_and_read() {
    let rules = hex("turn=abrupt");
    let line = play(&rules, "b2 b2 a1 c3");
    let scene = |by| rules.scene(&rules.info(line.state(), by));
    assert!(scene(FIRST).caption.starts_with("Your turn: try a cell. For you, a chain between top and bottom"));
    assert!(first_zone(scene(SECOND)).contains('X'), "{}", first_zone(scene(SECOND)));
    for by in Observer::all(2) {
        let known = rules.info(line.state(), by);
        let text = serde_json::to_string(&known).unwrap();
        assert_eq!(serde_json::from_str::<Info>(&text).unwrap(), known);
    }
}

/// Every world that a history allows is drawn, no other is, and while the game goes on all are equally likely to a seat.
fn check<G: Goal>(rules: &Dark<G>) {
    let mut sets: HashMap<(Observer, Key), HashSet<State>> = HashMap::new();
    let mut open = vec![(rules.start(), Keys::start(2))];
    while let Some((s, keys)) = open.pop() {
        for by in Observer::all(2) {
            sets.entry((by, keys.of(by))).or_default().insert(s);
        }
        if let Turn::Player(who) = rules.turn(&s) {
            for cell in cells_of(rules.untried(&s, who)) {
                let (moves, mut next) = ([(who, cell)], s);
                let keys = keys.after(rules, &s, Step::Moves(&moves));
                rules.apply(&mut next, Step::Moves(&moves));
                open.push((next, keys));
            }
        }
    }
    let mut known: HashMap<Info, HashSet<State>> = HashMap::new();
    for ((by, _), states) in sets {
        let info = rules.info(states.iter().next().unwrap(), by);
        assert!(states.iter().all(|s| rules.info(s, by) == info));
        if let Some(before) = known.insert(info.clone(), states.clone()) {
            assert_eq!(before, states, "equal knowledge, different worlds: {info:?}");
            continue;
        }
        let worlds = rules.sampler(&info);
        let mut rng = Seed(states.len() as u64).stream(Purpose::Sampling);
        let mut shares: HashMap<State, f64> = states.iter().map(|s| (*s, 0.0)).collect();
        let draws = 60 * states.len();
        for _ in 0..draws {
            let mut world = rules.start();
            let weight = worlds.draw(rules, &mut rng, &mut world);
            assert!(weight > 0.0);
            *shares.get_mut(&world).unwrap_or_else(|| panic!("{world:?} cannot be for {info:?}")) += weight;
        }
        for _ in 0..200 * draws {
            if shares.values().all(|share| *share > 0.0) {
                break;
            }
            let mut world = rules.start();
            *shares.get_mut(&world_of(rules, &worlds, &mut rng, &mut world)).unwrap() += 1.0;
        }
        assert!(shares.values().all(|share| *share > 0.0), "some worlds of {info:?} are never drawn");
        if info.phase == Phase::Playing && matches!(by, Observer::Seat(_)) && states.len() >= 8 {
            let mean = shares.values().sum::<f64>() / states.len() as f64;
            let error: f64 = shares.values().map(|s| (s / mean - 1.0).powi(2) * 60.0).sum::<f64>() / states.len() as f64;
            assert!(error < 3.5, "{error}: {info:?}");
        }
    }
}

fn world_of<G: Goal>(rules: &Dark<G>, worlds: &Worlds, rng: &mut Rng, into: &mut State) -> State {
    worlds.draw(rules, rng, into);
    *into
}

#[test]
fn worlds_are_those_of_the_history() {
    check(&hex("rows=2,columns=2"));
    check(&hex("rows=2,columns=2,turn=abrupt"));
    check(&hex("rows=2,columns=3"));
    check(&abrupt("m=2,n=2,k=2,turn=abrupt").unwrap());
    check(&abrupt("m=4,n=1,k=2,turn=abrupt").unwrap());
    check(&abrupt("m=5,n=1,k=3,turn=abrupt").unwrap());
}
