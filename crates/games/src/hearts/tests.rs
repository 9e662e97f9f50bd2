use fogtree_core::{Game, Ply, Purpose, Seed, random_step};

use super::*;
use crate::cards::replay::{play_record, worlds_replay};
use crate::testing;

fn game(params: &str) -> Hearts {
    Hearts::from_params(&crate::testing::params(&ABOUT, params).unwrap()).unwrap()
}

fn round() -> Hearts {
    game(ABOUT.presets[0].params)
}

fn rng(seed: u64) -> Rng {
    Seed(seed).stream(Purpose::Deal)
}

fn card(name: &str) -> Card {
    Card::parse(name).unwrap()
}

/// Deals and makes the moves given by name, everybody's in order.
fn line(game: &Hearts, deal: &str, moves: &str) -> State {
    let hand = |names: &str| names.as_bytes().chunks(2).map(|c| card(str::from_utf8(c).unwrap())).collect();
    let deal = Deal::new(deal.split('/').map(hand)).name();
    testing::after(game, &format!("{deal} {moves}"))
}

fn legal(game: &Hearts, s: &State) -> String {
    testing::legal(game, s).join(" ")
}

#[test]
fn impossible_instances_are_refused() {
    for params in ["players=3", "players=5", "suits=0", "ranks=14", "pass=4", "to=0", "ranks=1,pass=2"] {
        assert!(Hearts::from_params(&crate::testing::params(&ABOUT, params).unwrap()).is_err(), "{params}");
    }
}

#[test]
fn cards_go_left_right_across_and_nowhere() {
    let game = game("");
    let to = |rounds| Player::all(4).map(|p| game.receiver(rounds, p).0).collect::<Vec<_>>();
    assert_eq!(to(0), [1, 2, 3, 0]);
    assert_eq!(to(1), [3, 0, 1, 2]);
    assert_eq!(to(2), [2, 3, 0, 1]);
    assert_eq!(to(3), [0, 1, 2, 3]);
    assert_eq!(to(4), to(0));
}

const SMALL: &str = "players=3,suits=3,ranks=3,pass=1,to=1";

#[test]
fn passed_cards_change_hands_together_and_only_giver_and_receiver_see_them() {
    let game = game(SMALL);
    let s = line(&game, "QCKCAC/QHKHAH/QSKSAS", "pass-QC pass-AH pass-QS");
    assert_eq!(s.round.held[Player(0)].name(), "KCACQS");
    assert_eq!(s.round.held[Player(1)].name(), "QCQHKH");
    assert_eq!(s.round.held[Player(2)].name(), "AHKSAS");
    assert_eq!(game.turn(&s), Turn::Player(Player(1)), "the lowest club moves with its card");
    let known = game.info(&s, Observer::Seat(Player(0)));
    assert_eq!(known.seen.round.held[Player(1)].name(), "QC", "what was given is known to be there");
    assert_eq!(known.seen.passed.name(), "QCQS");
    let public = game.info(&s, Observer::Public);
    assert_eq!((public.seen.passed, public.seen.round.held.together()), (Cards::NONE, Cards::NONE));
}

#[test]
fn penalty_cards_are_kept_back_in_the_first_trick_and_hearts_are_not_led_before_they_are_broken() {
    let game = game("players=3,suits=3,ranks=3,pass=0,to=1");
    let s = line(&game, "QCACKS/KCQHAH/ASKHQS", "QC KC");
    assert_eq!(legal(&game, &s), "AS", "neither the heart nor the queen");
    let s = line(&game, "QCACKS/KCQHAH/ASKHQS", "QC KC AS");
    assert_eq!(legal(&game, &s), "QH AH", "there is nothing but hearts");
    let s = line(&game, "QCACAS/KCQHAH/KHQSKS", "QC KC KS QH");
    assert!(s.round.barred[Player(1)].contains(card("AS")), "only hearts: nothing else in hand");
    assert!(!s.round.barred[Player(1)].contains(card("AH")));
    assert_eq!(legal(&game, &s), "KH");
    let s = line(&game, "QCACAS/KHQSQH/KCKSAH", "QC");
    assert_eq!(legal(&game, &s), "QH KH QS", "there is nothing but penalties");
    let s = line(&game, "QCACAS/KHQSQH/KCKSAH", "QC QS");
    assert_eq!(s.round.barred[Player(1)] & game.deck, Cards::parse("QCKCACKSAS").unwrap());
    assert!(!game.tricks.is_broken(s.round.played), "the queen breaks nothing by default");
    let lenient = self::game("players=3,suits=3,ranks=3,pass=0,to=1,breaks=penalties,opening=any");
    let s = line(&lenient, "QCACAS/KHQSQH/KCKSAH", "QC QS");
    assert!(lenient.tricks.is_broken(s.round.played));
    assert_eq!(s.round.barred[Player(1)], Suit::Clubs.cards());
}

#[test]
fn points_are_counted_and_shooting_the_moon_turns_them_round() {
    // Three hearts and the queen: 16 points.
    let game = game("players=3,suits=3,ranks=3,pass=0,to=1,reward=points");
    assert_eq!(game.total, 16);
    let s = line(&game, "QCACKS/KCQHAH/ASKHQS", "QC KC AS QH KH KS QS AC AH");
    assert_eq!(s.scores[..3], [16, 16, 0], "player 2 takes the king's trick and the queen's");
    let s = line(&game, "QCACAS/KHQSQH/KCKSAH", "QC KH KC AH AC QH KS AS QS");
    assert_eq!(s.scores[..3], [13, 0, 3], "the ace of spades takes the queen");
    assert_eq!(game.rewards(&s).as_slice(), [3.0, 16.0, 13.0]);
}

#[test]
fn whoever_takes_everything_shoots_the_moon() {
    let game = game("");
    let mut s = game.start();
    s.scores = [10, 20, 30, 40];
    game.score(&mut s, [26, 0, 0, 0]);
    assert_eq!((s.scores, s.phase, s.rounds), ([10, 46, 56, 66], Phase::Over, 1));
    let mut s = game.start();
    s.scores = [10, 20, 30, 36];
    game.score(&mut s, [0, 13, 0, 13]);
    assert_eq!((s.scores, s.phase), ([10, 33, 30, 49], Phase::Deal));
    game.score(&mut s, [25, 0, 0, 1]);
    assert_eq!((s.scores, s.phase), ([35, 33, 30, 50], Phase::Over));
}

/// The first gets 1, the last 0, the others a half; players with equal scores share equally.
#[test]
fn places_are_rewarded() {
    let game = game("");
    let third = 1.0 / 3.0;
    for (scores, expected) in [
        ([50, 10, 20, 30], [0.0, 1.0, 0.5, 0.5]),
        ([50, 10, 10, 30], [0.0, 0.75, 0.75, 0.5]),
        ([50, 10, 50, 50], [third, 1.0, third, third]),
        ([50, 7, 7, 7], [0.0, 2.0 * third, 2.0 * third, 2.0 * third]),
        ([50, 50, 50, 50], [0.5; 4]),
    ] {
        let rewards = game.rewards(&State { scores, phase: Phase::Over, ..START });
        let near = |(a, b): (&f64, f64)| (a - b).abs() < 1e-12;
        assert!(rewards.iter().zip(expected).all(near), "{scores:?}: {rewards:?}");
    }
}

/// Every legal move of random games, against the rules read aloud.
#[test]
fn legal_plays_are_those_of_the_rules() {
    let (game, mut rng, mut scratch) = (game("to=30,breaks=penalties"), rng(1), Scratch::default());
    let mut plays = 0;
    for _ in 0..60 {
        let mut s = game.start();
        let mut played: Vec<(Player, Card)> = Vec::new();
        while game.turn(&s) != Turn::Terminal {
            let Turn::Player(p) = game.turn(&s) else {
                random_step(&game, &mut s, &mut rng, &mut scratch);
                played.clear();
                continue;
            };
            let hand: Vec<Card> = s.round.hand(p).iter().collect();
            let trick = &played[played.len() / 4 * 4..];
            let is_penalty = |c: &Card| c.suit() == Suit::Hearts || c.to_string() == "QS";
            let allowed = |c: &Card| {
                let broken = played.iter().any(|(_, c)| is_penalty(c));
                let others = |f: &dyn Fn(&Card) -> bool| hand.iter().any(f);
                match trick.first() {
                    None if played.is_empty() => c.to_string() == "2C",
                    None => c.suit() != Suit::Hearts || broken || !others(&|o| o.suit() != Suit::Hearts),
                    Some((_, led)) if others(&|o| o.suit() == led.suit()) => c.suit() == led.suit(),
                    Some(_) => played.len() >= 4 || !is_penalty(c) || !others(&|o| !is_penalty(o)),
                }
            };
            let expected: Vec<Action> = hand.iter().copied().filter(allowed).map(Action::Play).collect();
            let mut legal = Vec::new();
            game.actions(&s, p, &mut legal);
            assert_eq!(legal, expected);
            let action = *rng.pick(&legal);
            let Action::Play(card) = action else { unreachable!() };
            played.push((p, card));
            if played.len() == 52 {
                played.clear();
            }
            game.apply(&mut s, Step::Moves(&[(p, action)]));
            plays += 1;
        }
    }
    assert!(plays > 5000);
}

/// Random games of OpenSpiel 2.0.2, `hearts(pass_cards=False)`.
#[test]
fn another_program_plays_by_the_same_rules() {
    for record in include_str!("openspiel.txt").lines() {
        let (ours, theirs) = play_record(&round(), record, |_| true);
        assert_eq!(ours, theirs, "{record}");
    }
}

/// The steps since the deal as they were in this world.
fn retell(game: &Hearts, world: &State, since: &[Ply<Hearts>]) -> Vec<Ply<Hearts>> {
    let passed = |p: Player| match world.phase {
        Phase::Play => world.passed & world.round.held[game.receiver(world.rounds, p)],
        _ => world.passed & world.round.held[p],
    };
    let dealt = |p: Player| match world.phase {
        Phase::Play => (world.round.held[p] - world.passed) | passed(p),
        _ => world.round.held[p],
    };
    let dealt = |p| if game.distance(world.rounds) == 0 { world.round.held[p] } else { dealt(p) };
    let mut chosen = 0;
    let retold = since.iter().map(|ply| match ply {
        Ply::Chance(_) => Ply::Chance(Deal::new(game.seats().map(dealt))),
        Ply::Moves(moves) if matches!(moves[0].1, Action::Pass(_)) => {
            let card = |p| passed(p).iter().nth(chosen).unwrap();
            let moves = game.seats().map(|p| (p, Action::Pass(card(p)))).collect();
            chosen += 1;
            Ply::Moves(moves)
        }
        Ply::Moves(moves) => Ply::Moves(moves.clone()),
    });
    retold.collect()
}

#[test]
fn determinizations_contradict_nothing_that_was_shown() {
    for (seed, params) in [(1, ""), (2, "opening=any,breaks=penalties"), (3, SMALL)] {
        let game = game(params);
        worlds_replay(&game, 4000, seed, |world, since| retell(&game, world, since));
    }
}

#[test]
fn a_hundred_thousand_determinizations_contradict_nothing_that_was_shown() {
    let game = game("");
    worlds_replay(&game, 100_000, 4, |world, since| retell(&game, world, since));
}

/// Rounds of 26 points, or of all of them with one player; all seats alike.
#[test]
fn the_database_holds_rounds() {
    let game = game("");
    let database = rounds::database(&game, game.database.unwrap());
    assert_eq!(database.len(), rounds::ROUNDS);
    assert!(database.iter().all(|taken| taken.iter().sum::<u8>() == 26));
    for p in 0..4 {
        let mean = database.iter().map(|taken| f64::from(taken[p])).sum::<f64>() / rounds::ROUNDS as f64;
        assert!((mean - 6.5).abs() < 0.3, "player {p} takes {mean}");
    }
}

/// Going on from the database is as good as playing on: the rewards of a leader and the number of rounds are
/// compared over many games.
#[test]
fn the_database_stands_for_rounds_played() {
    let mut rng = rng(6);
    let [drawn, played] = ["", "rest=played"].map(|params| {
        let (game, mut scratch) = (game(params), Scratch::default());
        let mut means = [0.0; 3];
        for _ in 0..4000 {
            let mut s = State { scores: [5, 20, 30, 35], rounds: 2, ..START };
            let rewards = game.playout(&mut s, &mut rng, &mut scratch);
            means[0] += rewards[Player(0)] / 4000.0;
            means[1] += rewards[Player(3)] / 4000.0;
            means[2] += f64::from(s.rounds) / 4000.0;
        }
        means
    });
    for (drawn, played) in drawn.iter().zip(played) {
        assert!((drawn - played).abs() < 0.05, "{drawn} {played}");
    }
}

#[test]
fn episodes_are_deals_and_tricks() {
    let (game, mut rng, mut scratch) = (round(), rng(7), Scratch::default());
    let mut s = game.start();
    assert_eq!(game.episode(&s), Some(0));
    let mut leads = 0;
    while game.turn(&s) != Turn::Terminal {
        if let Some(label @ 1..) = game.episode(&s) {
            assert_eq!(game.turn(&s), Turn::Player(Player(label as u8 - 1)));
            leads += 1;
        }
        random_step(&game, &mut s, &mut rng, &mut scratch);
    }
    assert_eq!(leads, 13);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 112);
}
