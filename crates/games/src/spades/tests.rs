use fogtree_core::{Ply, Purpose, Seed};

use super::*;
use crate::cards::replay::{after, worlds_replay};

fn game(params: &str) -> Spades {
    Spades::from_params(&crate::testing::params(&ABOUT, params).unwrap()).unwrap()
}

#[test]
fn impossible_instances_are_refused() {
    for params in ["players=3", "players=5", "hand=0", "suits=3", "suits=1,hand=4", "rounds=0", "to=-1"] {
        assert!(Spades::from_params(&crate::testing::params(&ABOUT, params).unwrap()).is_err(), "{params}");
    }
}

/// Scores and bags after a round with these bids and tricks.
fn scored(before: ([i16; 2], [u8; 2]), bids: [u8; 4], taken: [u8; 4]) -> ([i16; 2], [u8; 2]) {
    let mut s = State { bids, taken, scores: before.0, bags: before.1, ..START };
    game("").score(&mut s);
    (s.scores, s.bags)
}

#[test]
fn rounds_are_scored() {
    let new = ([0, 0], [0, 0]);
    assert_eq!(scored(new, [4, 3, 3, 3], [5, 3, 2, 3]), ([70, 60], [0, 0]), "partners add up");
    assert_eq!(scored(new, [4, 3, 3, 3], [5, 2, 4, 2]), ([70, -60], [2, 0]), "bags and a failed bid");
    assert_eq!(scored(new, [0, 3, 5, 3], [0, 3, 6, 4]), ([150, 60], [1, 1]), "a nil");
    assert_eq!(
        scored(new, [0, 3, 5, 3], [1, 3, 4, 5]),
        ([-50, 60], [0, 2]),
        "a nil's trick helps the partner"
    );
    assert_eq!(scored(new, [0, 13, 0, 13], [0, 7, 0, 6]), ([200, -260], [0, 0]), "two nils");
    assert_eq!(scored(([400, 0], [8, 3]), [3, 5, 3, 0], [4, 5, 4, 0]), ([360, 150], [0, 3]), "ten bags");
    assert_eq!(scored(([400, 0], [9, 3]), [1, 1, 1, 0], [6, 1, 6, 0]), ([320, 110], [9, 3]), "19 bags are 9");
}

#[test]
fn the_game_ends_beyond_the_limit_and_the_higher_score_wins() {
    let game = game("");
    let end = |scores: [i16; 2]| {
        let bids = [1, 1, 0, 0];
        // Both sides score 10 for the bid, and 100 for one nil.
        let mut s = State { bids, taken: [12, 1, 0, 0], scores, ..START };
        game.score(&mut s);
        (s.phase, s.scores)
    };
    assert_eq!(end([300, 300]), (Phase::Deal, [310, 410]));
    assert_eq!(end([390, 300]), (Phase::Deal, [400, 410]));
    assert_eq!(end([390, 390]), (Phase::Deal, [400, 500]), "500 has to be exceeded");
    assert_eq!(end([390, 391]), (Phase::Over, [400, 501]));
    let rewards = |scores| game.rewards(&State { scores, phase: Phase::Over, ..START }).as_slice().to_vec();
    assert_eq!(rewards([501, 300]), [1.0, 0.0, 1.0, 0.0]);
    assert_eq!(rewards([501, 502]), [0.0, 1.0, 0.0, 1.0]);
    assert_eq!(rewards([-10, -10]), [0.5; 4]);
}

/// Eq. 4.1: ((70 - 20) - (-60 - 10)) / 200 = 0.6, and the opposite for the others.
#[test]
fn the_margin_is_antisymmetric() {
    let s = State { scores: [70, -60], bags: [2, 1], ..START };
    assert_eq!(Spades::margin(&s, 0), 0.6);
    let mut rng = Seed(1).stream(Purpose::Deal);
    for _ in 0..1000 {
        let scores = [(); 2].map(|()| rng.below(1000) as i16 - 400);
        let bags = [(); 2].map(|()| rng.below(10) as u8);
        let s = State { scores, bags, ..START };
        assert_eq!(Spades::margin(&s, 0), -Spades::margin(&s, 1));
        let values = Player::all(4).map(|p| game("").evaluate(None, &s, p).unwrap()).collect::<Vec<_>>();
        assert!((values[0] + values[1] - 1.0).abs() < 1e-12 && values[..2] == values[2..]);
    }
}

#[test]
fn playouts_stop_at_the_end_of_the_round_with_the_margin() {
    let (game, mut rng, mut scratch) = (game(""), Seed(2).stream(Purpose::Deal), Scratch::default());
    let mut valued = 0;
    for steps in 1..80 {
        let mut s = after(&game, steps, &mut rng);
        let (rounds, dealt) = (s.rounds, s.phase != Phase::Deal);
        let rewards = game.playout(&mut s, &mut rng, &mut scratch);
        assert_eq!((s.rounds, game.turn(&s)), (rounds + 1, Turn::Terminal), "{dealt}");
        if s.phase == Phase::Valued {
            valued += 1;
            assert_eq!(rewards[Player(0)], (0.5 + Spades::margin(&s, 0)).clamp(0.0, 1.0));
        }
    }
    assert!(valued > 50);
}

#[test]
fn spades_are_not_led_before_they_are_broken() {
    let game = game("players=2,suits=2,ranks=3,hand=3,rounds=1");
    let legal_after = |deal: &str, moves: &str| {
        let mut s = game.start();
        fogtree_core::play(&game, &mut s, Step::Chance(&Deal::parse(deal).unwrap())).unwrap();
        for name in moves.split_whitespace() {
            let moves = [(game.turn(&s).players().iter().next().unwrap(), game.parse_action(name).unwrap())];
            fogtree_core::play(&game, &mut s, Step::Moves(&moves)).unwrap();
        }
        let mut legal = Vec::new();
        game.actions(&s, game.turn(&s).players().iter().next().unwrap(), &mut legal);
        (legal.into_iter().map(|a| game.action_name(a)).collect::<Vec<_>>().join(" "), s)
    };
    assert_eq!(legal_after("QHKHAS/AHQSKS", "").0, "nil bid-1 bid-2 bid-3");
    assert_eq!(legal_after("QHKHAS/AHQSKS", "bid-1 nil").0, "QH KH");
    assert_eq!(legal_after("QHKHAS/AHQSKS", "bid-1 nil KH AH").0, "QS KS", "there is nothing else");
    let (legal, s) = legal_after("QHKHAS/AHQSKS", "bid-1 nil KH AH QS");
    assert_eq!((legal.as_str(), s.taken[..2].to_vec()), ("AS", vec![0, 1]));
    assert_eq!(s.round.barred[Player(1)] & game.deck, Suit::Hearts.cards() & game.deck);
    assert_eq!(legal_after("QHAHKS/KHQSAS", "nil nil AH KH").0, "QH", "not the king");
    let (legal, s) = legal_after("QHAHKS/KHQSAS", "nil nil AH KH QH QS AS");
    assert_eq!((legal.as_str(), s.round.leader), ("KS", Player(1)), "a trump takes the trick");
}

/// The steps since the deal as they were in this world.
fn retell(game: &Spades, world: &State, since: &[Ply<Spades>]) -> Vec<Ply<Spades>> {
    let deal = Deal::new(Player::all(game.players()).map(|p| world.round.held[p]));
    std::iter::once(Ply::Chance(deal)).chain(since[1..].iter().cloned()).collect()
}

#[test]
fn determinizations_contradict_nothing_that_was_shown() {
    for (seed, params) in [(1, ""), (2, "players=2"), (3, "hand=5,rounds=3")] {
        let game = game(params);
        worlds_replay(&game, 4000, seed, |world, since| retell(&game, world, since));
    }
}

#[test]
fn a_hundred_thousand_determinizations_contradict_nothing_that_was_shown() {
    let game = game("");
    worlds_replay(&game, 100_000, 4, |world, since| retell(&game, world, since));
}
