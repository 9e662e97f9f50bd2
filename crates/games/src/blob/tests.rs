use fogtree_core::{Ply, Purpose, Seed};

use super::*;
use crate::cards::replay::{after, play_record, worlds_replay};
use crate::testing;

fn game(params: &str) -> Blob {
    Blob::from_params(&crate::testing::params(&ABOUT, params).unwrap()).unwrap()
}

/// Deals and makes the moves given by name.
fn line(game: &Blob, deal: &str, moves: &str) -> State {
    testing::after(game, &format!("{deal} {moves}"))
}

fn legal(game: &Blob, s: &State) -> String {
    testing::legal(game, s).join(" ")
}

const DEAL: &str = "2CAC/3CKD/4C2H/9H";

#[test]
fn impossible_instances_are_refused() {
    for params in ["players=1", "players=8", "hands=[]", "hands=[0]", "players=4,hands=[13]", "hands=[x]"] {
        assert!(Blob::from_params(&crate::testing::params(&ABOUT, params).unwrap()).is_err(), "{params}");
    }
    game("players=4,hands=[12]");
    game("players=7,hands=[7,1]");
}

#[test]
fn the_dealer_may_not_make_the_bids_add_up() {
    let three = game("players=3,hands=[2]");
    assert_eq!(legal(&three, &line(&three, DEAL, "")), "bid-0 bid-1 bid-2");
    assert_eq!(legal(&three, &line(&three, DEAL, "bid-1 bid-0")), "bid-0 bid-2");
    assert_eq!(legal(&three, &line(&three, DEAL, "bid-1 bid-1")), "bid-1 bid-2");
    assert_eq!(legal(&three, &line(&three, DEAL, "bid-2 bid-1")), "bid-0 bid-1 bid-2", "too many already");
    let free = game("players=3,hands=[2],hook=no");
    assert_eq!(legal(&free, &line(&free, DEAL, "bid-1 bid-0")), "bid-0 bid-1 bid-2");
}

#[test]
fn trumps_take_tricks_and_exact_bids_score_ten_more() {
    for (missed, expected) in [("tricks", [11.0, 10.0, 1.0]), ("nothing", [11.0, 10.0, 0.0])] {
        let game = game(&format!("players=3,hands=[2],reward=points,missed={missed}"));
        let s = line(&game, DEAL, "bid-1 bid-0 bid-2 2C 3C 4C");
        assert_eq!(s.taken[..3], [0, 0, 1]);
        assert_eq!(game.turn(&s), Turn::Player(Player(2)));
        let s = line(&game, DEAL, "bid-1 bid-0 bid-2 AC 3C 4C 2C KD 2H");
        assert_eq!(game.turn(&s), Turn::Terminal);
        assert_eq!(game.rewards(&s).as_slice(), expected, "the two of trumps takes the second trick");
    }
}

#[test]
fn the_highest_score_wins_and_equals_share() {
    let game = game("players=3,hands=[2]");
    let rewards = |scores: [u16; 3]| {
        let mut s = State { phase: Phase::Over, ..START };
        s.scores[..3].copy_from_slice(&scores);
        game.rewards(&s).as_slice().to_vec()
    };
    assert_eq!(rewards([10, 12, 3]), [0.0, 1.0, 0.0]);
    assert_eq!(rewards([12, 12, 3]), [0.5, 0.5, 0.0]);
}

#[test]
fn the_first_bid_goes_round() {
    let game = game("players=3,hands=[1,1,1,1]");
    let mut rng = Seed(1).stream(Purpose::Deal);
    for (rounds, first) in [0, 1, 2, 0].into_iter().enumerate() {
        let s = after(&game, 7 * rounds + 1, &mut rng);
        assert_eq!((s.rounds, game.turn(&s)), (rounds as u8, Turn::Player(Player(first))));
    }
}

/// Random games of OpenSpiel 2.0.2, `oh_hell(players=3,num_tricks_fixed=5)`, seats counted from the first
/// bidder.
#[test]
fn another_program_plays_by_the_same_rules() {
    let game = game(ABOUT.presets[0].params);
    for record in include_str!("openspiel.txt").lines() {
        let (ours, theirs) = play_record(&game, record, |_| true);
        assert_eq!(ours, theirs, "{record}");
    }
}

/// The steps since the deal as they were in this world.
fn retell(game: &Blob, world: &State, since: &[Ply<Blob>]) -> Vec<Ply<Blob>> {
    let hands = Player::all(game.players()).map(|p| world.round.held[p]);
    let deal = Deal::new(hands.chain(world.turned.map(Card::alone)));
    std::iter::once(Ply::Chance(deal)).chain(since[1..].iter().cloned()).collect()
}

#[test]
fn determinizations_contradict_nothing_that_was_shown() {
    for (seed, params) in [(1, ""), (2, "players=7"), (3, "players=3,hands=[16,5]")] {
        let game = game(params);
        worlds_replay(&game, 4000, seed, |world, since| retell(&game, world, since));
    }
}

#[test]
fn a_hundred_thousand_determinizations_contradict_nothing_that_was_shown() {
    let game = game("");
    worlds_replay(&game, 100_000, 4, |world, since| retell(&game, world, since));
}
