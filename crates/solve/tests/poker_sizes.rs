//! The exact sizes of two-round poker games, against equilibrium 3.7 and OpenSpiel 2.0.2.
//!
//! One round of betting with `B` sizes and `R` raises has these nodes: whoever answers a bet with `r` raises
//! left has `F(r) = 1 + B F(r-1)` decisions below (`F(0) = 1`), and as many ways to end by a call, and by a
//! fold. Two players may open, so there are `2 + 2 B F(R)` decisions, `2 B F(R)` folds, and `1 + 2 B F(R)`
//! ways into what follows.

use fogtree_core::About;
use fogtree_games::poker::{ABOUT, Poker};
use fogtree_solve::walk::{Size, count};

fn size(spec: &str) -> Size {
    let (about, spec) = About::find([&ABOUT].into_iter(), "game", &spec.parse().unwrap()).unwrap();
    count(&Poker::from_params(&about.params(&spec).unwrap()).unwrap())
}

/// Decision histories, terminals, chance histories, information sets.
fn counts(size: &Size) -> (u64, u64, u64, u64) {
    (size.decisions, size.terminals, size.chances, size.infosets())
}

/// What the formula gives for a number of hands of one player, of pairs of hands, and of pairs of hands with
/// a public card, and of hands with a public card.
fn derived(
    bets: u64,
    raises: u32,
    hands: u64,
    pairs: u64,
    boards: u64,
    hand_boards: u64,
) -> (u64, u64, u64, u64) {
    let answers = (0..raises).fold(1, |f, _| 1 + bets * f);
    let (decisions, folds, ways) = (2 + 2 * bets * answers, 2 * bets * answers, 1 + 2 * bets * answers);
    (
        pairs * decisions + boards * ways * decisions,
        pairs * folds + boards * ways * (folds + ways),
        1 + hands + pairs * ways,
        hands * decisions + hand_boards * ways * decisions,
    )
}

/// The table of equilibrium 3.7: 774 decisions, 1116 terminals, 288 information sets. OpenSpiel's
/// `leduc_poker(suit_isomorphism=true)`, walked through its Python interface, has the same and 49 chance nodes.
/// Of the 27 combinations of three ranks, three need a third card of one rank.
#[test]
fn leduc_poker_by_rank() {
    let size = size("leduc-poker(suits=no)");
    assert_eq!(counts(&size), (774, 1116, 49, 288));
    assert_eq!(counts(&size), derived(1, 1, 3, 9, 24, 9));
}

/// OpenSpiel's `leduc_poker`, walked through its Python interface.
#[test]
fn leduc_poker_by_card() {
    let size = size("leduc-poker");
    assert_eq!(counts(&size), (3780, 5520, 157, 936));
    assert_eq!(counts(&size), derived(1, 1, 6, 30, 120, 30));
}

/// The table of equilibrium 3.7, which also says that every information set has three histories.
#[test]
fn small_poker() {
    let size = size("small-poker");
    assert_eq!((size.decisions, size.terminals, size.infosets()), (23_760, 44_883, 7_920));
    assert_eq!(size.decisions, 3 * size.infosets());
    assert_eq!(size.largest[..2], [3, 3]);
    assert_eq!(counts(&size), derived(2, 2, 3, 9, 27, 9));
}

#[test]
fn other_instances_follow_the_formula() {
    assert_eq!(counts(&size("poker(types=2,copies=2,bets=3,raises=0)")), derived(3, 0, 2, 4, 6, 4));
    assert_eq!(counts(&size("poker(types=4,copies=1,bets=2,raises=1)")), derived(2, 1, 4, 12, 24, 12));
    assert_eq!(
        counts(&size("poker(types=2,copies=3,bets=1,raises=3,suits=yes)")),
        derived(1, 3, 6, 30, 120, 30)
    );
}
