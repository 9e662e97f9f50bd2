//! Dark Hex and abrupt phantom m,n,k games, move by move, and what players know against all histories.

use fogtree_core::{Line, Purpose, Seed};

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

/// The first player joins top and bottom, the second left and right; b1 and a2 are neighbours, a1 and b2 are
/// not.
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
        let reached = [
            filled.goal.is_reached(Player(0), marks),
            filled.goal.is_reached(Player(1), filled.board & !marks),
        ];
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
    for given in ["turn=abrupt,failed=announced", "turn=abrupt,opening=centre", "m=9,n=9,k=3,turn=abrupt"] {
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
    assert!(
        scene(FIRST).caption.starts_with("Your turn: try a cell. For you, a chain between top and bottom")
    );
    assert!(first_zone(scene(SECOND)).contains('X'), "{}", first_zone(scene(SECOND)));
    for by in Observer::all(2) {
        let known = rules.info(line.state(), by);
        let text = serde_json::to_string(&known).unwrap();
        assert_eq!(serde_json::from_str::<Info>(&text).unwrap(), known);
    }
}
