//! What the micro games are worth, by hand.

use fogtree_core::{Chance, Utility};

use super::*;

mod files;
mod laws;

fn micro_game(name: &str) -> Tree {
    let (_, text) = micro::ALL.iter().find(|(n, _)| *n == name).unwrap();
    Tree::read(text).unwrap()
}

/// What the first player can expect if every move is chosen with the probability that `plays` gives for the
/// label of the information set and the name of the move.
fn value(tree: &Tree, plays: &dyn Fn(&str, &str) -> f64) -> f64 {
    value_from(tree, tree.start(), plays)
}

fn value_from(tree: &Tree, at: State, plays: &dyn Fn(&str, &str) -> f64) -> f64 {
    let below = |step: Step<'_, Tree>| {
        let mut next = at;
        tree.apply(&mut next, step);
        value_from(tree, next, plays)
    };
    match tree.turn(&at) {
        Turn::Terminal => tree.rewards(&at)[Player(0)],
        Turn::Chance => {
            let mut outcomes = Vec::new();
            tree.chance(&at, &mut outcomes);
            outcomes.iter().map(|(o, p)| p * below(Step::Chance(o))).sum()
        }
        Turn::Player(who) => {
            let mut actions = Vec::new();
            tree.actions(&at, who, &mut actions);
            let set = tree.infoset(at).unwrap();
            let share = |&a: &Action| match plays(set, &tree.action_name(a)) {
                0.0 => 0.0,
                p => p * below(Step::Moves(&[(who, a)])),
            };
            actions.iter().map(share).sum()
        }
        Turn::Simultaneous(_) => unreachable!("trees have one player move at a time"),
    }
}

/// Plays the move listed for an information set; evenly elsewhere, between two moves.
fn mostly<'a>(pure: &'a [(&'a str, &'a str)]) -> impl Fn(&str, &str) -> f64 + 'a {
    move |set, name| match pure.iter().find(|(s, _)| *s == set) {
        Some((_, chosen)) => f64::from(*chosen == name),
        None => 0.5,
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn non_locality_has_the_values_of_the_source() {
    let game = micro_game("non-locality");
    // Evenly at I: equilibrium 3.10.
    assert!(close(value(&game, &mostly(&[("A", "l")])), 5.0 / 4.0));
    assert!(close(value(&game, &mostly(&[("A", "r")])), 3.0 / 4.0));
    // The equilibrium: neither side can do better than 1 against it.
    for minimiser in ["l", "r"] {
        assert!(close(value(&game, &mostly(&[("I", minimiser)])), 1.0));
    }
    let third = |set: &str, name: &str| match (set, name) {
        ("I", "l") => 1.0 / 3.0,
        ("I", "r") => 2.0 / 3.0,
        _ => 0.5,
    };
    for maximiser in ["l", "r"] {
        let plays =
            |set: &str, name: &str| if set == "A" { f64::from(name == maximiser) } else { third(set, name) };
        assert!(close(value(&game, &plays), 1.0));
    }
    // The text of the source: left against right is worth 0.5.
    assert!(close(value(&game, &mostly(&[("A", "l"), ("I", "r")])), 0.5));
}

#[test]
fn modified_non_locality_has_the_values_of_the_source() {
    let game = micro_game("modified-non-locality");
    assert!(close(value(&game, &mostly(&[("A", "l")])), 3.25), "evenly at I costs 3.25 (equilibrium ER-12)");
    assert!(close(value(&game, &mostly(&[("A", "l"), ("I", "r")])), 2.5));
    assert!(value(&game, &mostly(&[("A", "r"), ("I", "r")])) < 2.5, "l is best against r");
    assert!(value(&game, &mostly(&[("A", "l"), ("I", "l")])) > 2.5, "r is best against l");
}

#[test]
fn an_informed_opponent_gives_the_world_away() {
    let game = micro_game("long-non-locality");
    let stop = [("world 1", "go"), ("world 2", "stop")];
    let against = |answer| value(&game, &mostly(&[stop[0], stop[1], ("asked", answer)]));
    assert!(close(against("l"), 0.0) && close(against("r"), 1.0));
    // Against l the first player has nothing better than 0.
    for one in ["go", "stop"] {
        for two in ["go", "stop"] {
            let plays = [("world 1", one), ("world 2", two), ("asked", "l")];
            assert!(value(&game, &mostly(&plays)) <= 1e-12, "{one} {two}");
        }
    }
}

#[test]
fn a_guess_at_the_coin_is_worth_less_than_what_is_sure() {
    let game = micro_game("coin");
    assert!(close(value(&game, &mostly(&[("decide", "take")])), 0.9));
    for call in ["heads", "tails"] {
        assert!(close(value(&game, &mostly(&[("decide", "guess"), ("call", call)])), 0.5));
    }
    assert_eq!(game.facts().players, 1);
}

#[test]
fn the_worked_trees_of_ismcts_are_as_described() {
    let a = micro_game("ismcts-a");
    assert!(close(value(&a, &mostly(&[("root", "a2")])), 0.5));
    for second in ["a3", "a4"] {
        assert!(close(value(&a, &mostly(&[("root", "a1"), ("a1", second)])), 0.0));
    }

    let b = micro_game("ismcts-b");
    assert!(close(value(&b, &mostly(&[("root", "a2")])), 0.25));
    // P1 can make sure of 0 after a1, and P2 can hold it to 0.
    let own = [("root", "a1"), ("b1", "a3"), ("b3", "a4")];
    for x in ["b1", "b2"] {
        for y in ["b2", "b3"] {
            for z in ["b1", "b3"] {
                let reply = [("x", x), ("y", y), ("z", z)];
                let plays = [own, reply].concat();
                assert!(value(&b, &mostly(&plays)) >= -1e-12, "{reply:?}");
            }
        }
    }
    let reply = [("root", "a1"), ("x", "b2"), ("y", "b2"), ("z", "b1")];
    for b1 in ["a3", "a4"] {
        for b2 in ["a3", "a4"] {
            let plays = [&reply[..], &[("b1", b1), ("b2", b2)]].concat();
            assert!(value(&b, &mostly(&plays)) <= 1e-12, "{b1} {b2}");
        }
    }
    // Two of three moves in each state, so each observed move fits two states.
    let legal = |words: &str| {
        let mut line = fogtree_core::Line::start(&b);
        line.play_words(&b, words.split_whitespace()).unwrap();
        let mut actions = Vec::new();
        b.actions(line.state(), Player(1), &mut actions);
        actions.into_iter().map(|a| b.action_name(a)).collect::<Vec<_>>()
    };
    assert_eq!(legal("x a1"), ["b1", "b2"]);
    assert_eq!(legal("y a1"), ["b2", "b3"]);
    assert_eq!(legal("z a1"), ["b1", "b3"]);
    assert_eq!(b.infosets(Player(0)).collect::<Vec<_>>(), ["root", "b1", "b2", "b3"]);
    assert!(b.infosets.iter().filter(|set| set.player == Player(0)).all(|set| set.size >= 2));
}

#[test]
fn facts_are_read_off_the_tree() {
    let facts = micro_game("matching-pennies").facts();
    assert_eq!((facts.players, facts.hidden, facts.chance), (2, true, Chance::Never));
    assert_eq!((facts.utility, facts.utility_bounds, facts.max_length), (Utility::ZeroSum, (-1.0, 1.0), 2));
    let facts = micro_game("ismcts-a").facts();
    assert_eq!((facts.players, facts.hidden, facts.chance), (1, true, Chance::Listed));
    assert_eq!((facts.utility, facts.utility_bounds, facts.max_length), (Utility::General, (-1.0, 1.0), 4));
    let split = Tree::read(
        r#"{"players": ["a", "b"], "root": {"player": 0, "moves": [
            {"move": "l", "then": {"rewards": [0.25, 0.75]}}, {"move": "r", "then": {"rewards": [1, 0]}}]}}"#,
    );
    let facts = split.unwrap().facts();
    assert_eq!((facts.utility, facts.hidden), (Utility::ConstantSum, false));
}
