use std::collections::HashSet;

use fogtree_core::text::plain;
use fogtree_core::{Purpose, Seed};

use super::*;

use crate::testing::after;

fn game(spec: &str) -> LiarsDice {
    LiarsDice::from_params(&ABOUT.params(&spec.parse().unwrap()).unwrap()).unwrap()
}

fn rewards(spec: &str, moves: &str) -> Vec<f64> {
    let game = game(spec);
    let end = after(&game, moves);
    assert_eq!(game.turn(&end), Turn::Terminal, "{moves}");
    game.rewards(&end).as_slice().to_vec()
}

#[test]
fn bids_rise_by_quantity_and_then_by_face() {
    let game = game("liars-dice(faces=3)");
    let legal = |moves: &str| {
        let mut actions = Vec::new();
        game.actions(&after(&game, moves), Player(0), &mut actions);
        actions.iter().map(|&a| game.action_name(a)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(legal("1 2"), "1-1 1-2 1-3 2-1 2-2 2-3");
    assert_eq!(legal("1 2 1-3"), "2-1 2-2 2-3 liar");
    assert_eq!(legal("1 2 1-1 2-3"), "liar");
}

#[test]
fn the_challenge_goes_by_all_dice() {
    assert_eq!(rewards("liars-dice", "3 4 1-3 liar"), [1.0, -1.0]);
    assert_eq!(rewards("liars-dice", "3 4 2-3 liar"), [-1.0, 1.0]);
    assert_eq!(rewards("liars-dice", "3 3 1-5 2-3 liar"), [-1.0, 1.0]);
    assert_eq!(rewards("liars-dice(dice=3)", "122 244 4-2 liar"), [-1.0, 1.0]);
    assert_eq!(rewards("liars-dice(dice=3)", "122 224 4-2 liar"), [1.0, -1.0]);
}

#[test]
fn the_highest_face_is_wild_and_may_be_bid_itself() {
    assert_eq!(rewards("liars-dice", "3 6 2-3 liar"), [1.0, -1.0]);
    assert_eq!(rewards("liars-dice(wild=no)", "3 6 2-3 liar"), [-1.0, 1.0]);
    assert_eq!(rewards("liars-dice", "3 6 1-6 liar"), [1.0, -1.0]);
    assert_eq!(rewards("liars-dice", "3 6 2-6 liar"), [-1.0, 1.0]);
}

#[test]
fn the_others_share_what_the_loser_pays() {
    assert_eq!(rewards("liars-dice(players=3)", "1 2 3 1-1 2-1 liar"), [0.5, -1.0, 0.5]);
    assert_eq!(rewards("liars-dice(players=3)", "1 1 3 1-1 2-1 liar"), [0.5, 0.5, -1.0]);
    assert_eq!(rewards("liars-dice(players=3)", "1 1 3 1-1 2-1 3-1 liar"), [0.5, 0.5, -1.0]);
    assert_eq!(rewards("liars-dice(players=3)", "1 1 6 1-1 2-1 3-1 liar"), [-1.0, 0.5, 0.5]);
}

/// Two dice of three faces: doubles come up in one way of nine, the others in two.
#[test]
fn hands_come_as_often_as_their_dice_fall_that_way() {
    let game = game("liars-dice(dice=2,faces=3)");
    let mut listed = Vec::new();
    game.chance(&game.start(), &mut listed);
    let named: Vec<(String, f64)> = listed.iter().map(|(h, p)| (game.outcome_name(h), p * 9.0)).collect();
    let expected = [("11", 1.0), ("12", 2.0), ("13", 2.0), ("22", 1.0), ("23", 2.0), ("33", 1.0)];
    assert_eq!(named, expected.map(|(name, ways)| (name.to_string(), ways)));
}

#[test]
fn hidden_hands_are_drawn_as_they_are_thrown() {
    const DRAWS: usize = 40_000;
    let game = game("liars-dice(players=3,dice=2,faces=2)");
    let state = after(&game, "12 11 22 1-1 2-2");
    for (by, worlds) in [(Observer::Seat(Player(1)), 9), (Observer::Public, 27)] {
        let known = game.info(&state, by);
        let (mut sampler, mut rng) = (game.sampler(&known), Seed(3).stream(Purpose::Sampling));
        let mut world = game.start();
        let drawn: Vec<State> = (0..DRAWS)
            .map(|_| {
                assert_eq!(game.sample(&mut sampler, &mut rng, &mut world), 1.0);
                assert_eq!(game.info(&world, by), known);
                world
            })
            .collect();
        let mut listed = Vec::new();
        assert!(game.enumerate(&known, &mut listed));
        assert_eq!(listed.len(), worlds);
        for (world, p) in listed {
            // A hand of two coins is mixed with probability 1/2, otherwise 1/4.
            let hands = world.hands[..3].iter().enumerate().filter(|(i, _)| !by.is(Player(*i as u8)));
            let ways: Vec<f64> = hands.map(|(_, h)| if *h == Some(1) { 0.5 } else { 0.25 }).collect();
            assert_eq!(p, ways.iter().product::<f64>());
            let share = drawn.iter().filter(|&&d| d == world).count() as f64 / DRAWS as f64;
            assert!((share - p).abs() < 0.0125, "{by}: {world:?} {share} for {p}");
        }
    }
}

#[test]
fn random_actions_are_the_legal_ones() {
    let game = game("liars-dice(faces=2)");
    let mut rng = Seed(4).stream(Purpose::Playout);
    for (moves, legal) in [("1 2", 4), ("1 2 1-1", 4), ("1 2 1-1 2-1", 2), ("1 2 2-2", 1)] {
        let state = after(&game, moves);
        let mut draw = || game.random_action(&state, Player(0), &mut rng, &mut Scratch::default());
        let drawn: HashSet<Action> = (0..200).map(|_| draw()).collect();
        let mut listed = Vec::new();
        game.actions(&state, Player(0), &mut listed);
        assert_eq!((listed.len(), &drawn), (legal, &listed.iter().copied().collect()), "{moves}");
    }
}

#[test]
fn all_bids_of_the_largest_game_are_kept_and_sent() {
    let game = game("liars-dice(players=4,dice=4,faces=8)");
    assert_eq!(game.bids.len(), MOST_BIDS);
    let all: Vec<&str> = game.bids.iter().map(|bid| bid.name.as_str()).collect();
    let end = after(&game, &format!("1111 2222 3333 4444 {} liar", all.join(" ")));
    assert_eq!(game.turn(&end), Turn::Terminal);
    let known = game.info(&end, Observer::Public);
    let sent = serde_json::to_value(known).unwrap();
    assert_eq!(serde_json::from_value::<Info>(sent).unwrap(), known);
    let scene = game.scene_of(&end);
    let bids = scene.spots().filter(|(spot, tokens)| spot.starts_with("bids/") && !tokens.is_empty());
    assert_eq!(bids.count(), MOST_BIDS);
}

#[test]
fn names_read_back_and_nothing_else_is_read() {
    let game = game("liars-dice(dice=2)");
    for code in 0..game.codes().unwrap() {
        let action = if code < game.bids.len() { Action::Bid(code as u8) } else { Action::Liar };
        assert_eq!(game.code(action), code as u64);
        assert_eq!(game.parse_action(&game.action_name(action)), Some(action));
    }
    for text in ["", "0-1", "1-0", "1-7", "5-1", "1-", "-", "01-1", "LIAR", "99999999999999999999-1", "ß"] {
        assert_eq!(game.parse_action(text), None, "{text}");
    }
    for text in ["", "1", "21", "17", "123", "99999999999999999999", "ß"] {
        assert_eq!(game.parse_outcome(text), None, "{text}");
    }
}

#[test]
fn any_observation_can_be_explained() {
    let game = game("liars-dice");
    let explain = |words: &[u64]| game.explain(&Observation::words(words), Observer::Public);
    assert_eq!(plain(&explain(&[6])), "you throw 6");
    assert_eq!(explain(&[7]), "player 0 bids 1-1");
    assert_eq!(explain(&[7 + 13 + 12]), "player 1 says liar");
    for word in (0..300).chain([u64::MAX, 1 << 63]) {
        assert!(!explain(&[word]).is_empty());
    }
    assert!(!explain(&[]).is_empty());
}

#[test]
fn too_many_bids_are_refused() {
    for spec in ["liars-dice(players=1)", "liars-dice(faces=10)", "liars-dice(players=6,dice=5,faces=9)"] {
        assert!(LiarsDice::from_params(&ABOUT.params(&spec.parse().unwrap()).unwrap()).is_err(), "{spec}");
    }
}
