//! The exact sizes of liar's dice and liar's coins, against their closed forms and OpenSpiel 2.0.2.
//!
//! Bids rise, so the bids made so far are a set, and every set can come about: with `n` bids there are `2^n`
//! decisions for each way the hands can lie, and a game ends by calling the last of a set that is not empty.
//! A player who has one of `h` hands to look at and is to move after `m` bids, with `m` = his seat modulo the
//! number of players, has `h` information sets for every such set; all players together have `h 2^n`.

use fogtree_core::{Rules, Spec};
use fogtree_games::liars_dice::LiarsDice;
use fogtree_games::{liars_coins, liars_dice};
use fogtree_solve::walk::{Size, count};

fn game(spec: &str) -> LiarsDice {
    let spec: Spec = spec.parse().unwrap();
    match spec.name.as_str() {
        "liars-coins" => liars_coins::from_params(&liars_coins::ABOUT.params(&spec).unwrap()).unwrap(),
        _ => LiarsDice::from_params(&liars_dice::ABOUT.params(&spec).unwrap()).unwrap(),
    }
}

/// Decision histories, terminals, chance histories, information sets.
fn counts(size: &Size) -> (u64, u64, u64, u64) {
    (size.decisions, size.terminals, size.chances, size.infosets())
}

fn closed_form(players: u32, hands: u64, bids: u32) -> (u64, u64, u64, u64) {
    let deals = hands.pow(players);
    let before_all_have_thrown = (0..players).map(|thrown| hands.pow(thrown)).sum();
    (deals << bids, deals * ((1 << bids) - 1), before_all_have_thrown, hands << bids)
}

/// OpenSpiel's `liars_dice`, walked through its Python interface: 24 576 information sets, 147 456 decisions,
/// 147 420 terminals, 7 chance nodes. Three faces: 192, 576, 567 and 4.
#[test]
fn one_die_each() {
    assert_eq!(counts(&count(&game("liars-dice"))), (147_456, 147_420, 7, 24_576));
    assert_eq!(counts(&count(&game("liars-dice(faces=3)"))), (576, 567, 4, 192));
    assert_eq!(closed_form(2, 6, 12), (147_456, 147_420, 7, 24_576));
}

/// OpenSpiel rolls one die at a time and shows a player his dice sorted: 768 information sets for two dice of
/// two faces, as here, where whole hands are thrown.
#[test]
fn several_dice_are_one_hand() {
    let size = count(&game("liars-dice(dice=2,faces=2)"));
    assert_eq!(size.infosets(), 768);
    assert_eq!(counts(&size), closed_form(2, 3, 8));
}

/// Of the sets of 6 bids, 1 + 20 + 1 have 0, 3 or 6 members, 6 + 15 have 1 or 4, and 15 + 6 have 2 or 5.
#[test]
fn three_players_take_turns() {
    for (spec, hands) in [("liars-dice(players=3,faces=2)", 2), ("liars-coins(players=3,coins=2)", 3)] {
        let size = count(&game(spec));
        assert_eq!(counts(&size), closed_form(3, hands, 6), "{spec}");
        assert_eq!(size.infosets[..3], [hands * 22, hands * 21, hands * 21], "{spec}");
    }
}

#[test]
fn coins() {
    assert_eq!(counts(&count(&game("liars-coins"))), closed_form(2, 3, 4));
    assert_eq!(counts(&count(&game("liars-coins(players=4,coins=1)"))), closed_form(4, 2, 4));
}

/// The longest game makes every bid.
#[test]
fn the_longest_game_is_as_long_as_the_facts_say() {
    for spec in ["liars-dice(faces=4)", "liars-coins(players=3,coins=2)"] {
        let game = game(spec);
        let mut longest = 0;
        fogtree_solve::walk::visit(&game, &mut |node| {
            longest = longest.max(node.depth);
            fogtree_solve::walk::Go::Deeper
        });
        assert_eq!(longest, game.facts().max_length, "{spec}");
    }
}
