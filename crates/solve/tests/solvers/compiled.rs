//! Games as flat arrays: their sizes, the estimate before the walk, and what is refused.

use crate::common::{compiled, try_compiled};
use fogtree_core::Player;
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_solve::compiled::{Node, estimate};
use fogtree_solve::{Compiled, Refusal};

/// Equilibrium 3.7 and 3.6, and OpenSpiel's Leduc: 936 information sets, 9457 nodes.
#[test]
fn sizes_are_the_known_ones() {
    let leduc = compiled("leduc-poker");
    assert_eq!((leduc.nodes().len(), leduc.leaves(), leduc.sets()), (9457, 5520, 936));
    let small = compiled("small-poker");
    assert_eq!((small.leaves(), small.sets()), (44_883, 7920));
    let goofspiel = compiled("goofspiel(cards=5,bids=hidden)");
    assert_eq!(goofspiel.leaves(), 14_400);
    assert_eq!([0, 1].map(|p| goofspiel.treeplex(Player(p)).sets()), [4974, 4974]);
}

#[test]
fn kuhn_poker_in_arrays() {
    let game = Compiled::of(&KuhnPoker, 100).unwrap();
    let Node::Chance { count: 3, .. } = game.nodes()[0] else { panic!("the deal comes first") };
    // Three cards; the first player opens and may have to answer: 6 sets, 13 sequences, both players alike.
    for p in Player::all(2) {
        assert_eq!((game.treeplex(p).sets(), game.treeplex(p).sequences()), (6, 13));
    }
    let labels = game.labels(&KuhnPoker);
    assert!(labels.iter().flatten().all(|label| label.actions.len() == 2 && !label.text.is_empty()));
    for (p, labels) in Player::all(2).zip(&labels) {
        for set in 0..labels.len() {
            assert_eq!(game.treeplex(p).find(game.treeplex(p).key(set)), Some(set));
        }
    }
}

/// The sequence form counts every leaf: with uniform plans a player's values of sequences add up to what the
/// walk over the leaves gives.
#[test]
fn both_forms_agree_on_expected_payoffs() {
    for spec in ["leduc-poker", "goofspiel(cards=4,bids=hidden)", "liars-dice(players=3,faces=2)"] {
        let game = compiled(spec);
        let plans = fogtree_solve::Profile::uniform(&game).plans(&game);
        let expected = game.expected(&plans);
        for p in Player::all(game.players()) {
            let mut values = vec![0.0; game.treeplex(p).sequences()];
            game.values_of_sequences(p, &plans, &mut values);
            let own: f64 = values.iter().zip(&plans[p.index()]).map(|(v, x)| v * x).sum();
            assert!((own - expected[p.index()]).abs() < 1e-12, "{spec} {p}: {own} {expected:?}");
        }
    }
}

#[test]
fn sizes_are_estimated_before_the_walk() {
    let close = |estimate: f64, exact: f64| (estimate / exact - 1.0).abs() < 0.25;
    assert!(close(estimate(&KuhnPoker), 1.0 + 3.0 + 6.0 * 9.0));
    let Err(Refusal::TooLarge { estimated, limit: 1_000_000 }) =
        try_compiled("phantom-mnk(m=3,n=3,k=3,failed=hidden)", 1_000_000)
    else {
        panic!("phantom tic-tac-toe has 2e10 nodes")
    };
    assert!((1e10..4e10).contains(&estimated), "{estimated}");
}

#[test]
fn what_does_not_fit_is_refused_with_what_to_do() {
    let refusal = try_compiled("leduc-poker", 9000).unwrap_err();
    assert!(matches!(refusal, Refusal::TooLarge { limit: 9000, .. }));
    assert!(refusal.to_string().contains("raise the limit"), "{refusal}");
    assert!(try_compiled("leduc-poker", 9457).is_ok());
}
