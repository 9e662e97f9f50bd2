use fogtree_core::text::plain;
use fogtree_core::{HiddenPart, Purpose, Seed};

use super::*;

use crate::testing::{self, after};

fn poker(spec: &str) -> Poker {
    let (about, spec) = About::find([&ABOUT].into_iter(), "game", &spec.parse().unwrap()).unwrap();
    Poker::from_params(&about.params(&spec).unwrap()).unwrap()
}

/// What player 0 gets at the end of these moves.
fn result(game: &Poker, moves: &str) -> f64 {
    let end = after(game, moves);
    assert_eq!(game.turn(&end), Turn::Terminal, "{moves}");
    game.rewards(&end)[Player(0)]
}

fn legal(game: &Poker, moves: &str) -> String {
    testing::legal(game, &after(game, moves)).join(" ")
}

fn outcomes(game: &Poker, moves: &str) -> Vec<(String, f64)> {
    let mut listed = Vec::new();
    game.chance(&after(game, moves), &mut listed);
    listed.iter().map(|(card, p)| (game.outcome_name(card), *p)).collect()
}

fn named(shares: &[(&str, f64)]) -> Vec<(String, f64)> {
    shares.iter().map(|&(name, p)| (name.to_string(), p)).collect()
}

/// The utility ranges of equilibrium 3.7 are those of the facts, and both ends are reached (T-18).
#[test]
fn the_utility_ranges_are_those_of_the_source() {
    for (spec, most, round_1, round_2) in [
        ("leduc-poker(suits=no)", 13.0, "bet2 raise2 call", "bet4 raise4 call"),
        ("small-poker", 37.0, "bet4 raise4 raise4 call", "bet8 raise8 raise8 call"),
        (
            "large-poker",
            121.0,
            "bet8 raise8 raise8 raise8 raise8 call",
            "bet16 raise16 raise16 raise16 raise16 call",
        ),
    ] {
        let game = poker(spec);
        assert_eq!(game.facts().utility_bounds, (-most, most), "{spec}");
        assert_eq!(result(&game, &format!("K Q {round_1} J {round_2}")), most, "{spec}");
        assert_eq!(result(&game, &format!("Q K {round_1} J {round_2}")), -most, "{spec}");
        let longest = format!("Q K check {round_1} J check {round_2}");
        assert_eq!(longest.split_whitespace().count() as u32, game.facts().max_length, "{spec}");
        result(&game, &longest);
    }
}

#[test]
fn a_pair_beats_a_higher_rank_and_equal_ranks_split() {
    let game = poker("leduc-poker");
    assert_eq!(result(&game, "J1 K1 check check J2 check check"), 1.0);
    assert_eq!(result(&game, "K1 J1 check check J2 check check"), -1.0);
    assert_eq!(result(&game, "Q1 J1 check check K2 check check"), 1.0);
    assert_eq!(result(&game, "Q1 Q2 bet2 call K2 bet4 raise4 call"), 0.0);
}

#[test]
fn who_folds_loses_what_he_has_paid() {
    let game = poker("leduc-poker");
    assert_eq!(result(&game, "K1 J1 check bet2 fold"), -1.0);
    assert_eq!(result(&game, "J1 K1 bet2 raise2 fold"), -3.0);
    assert_eq!(result(&game, "J1 K1 bet2 call Q1 check bet4 raise4 fold"), 7.0);
}

#[test]
fn stakes_double_and_raises_run_out() {
    let game = poker("small-poker");
    assert_eq!(legal(&game, "J J"), "check bet2 bet4");
    assert_eq!(legal(&game, "J J check"), "check bet2 bet4");
    assert_eq!(legal(&game, "J J bet4"), "fold call raise2 raise4");
    assert_eq!(legal(&game, "J J bet4 raise2 raise4"), "fold call");
    assert_eq!(legal(&game, "J J bet4 raise2 call J"), "check bet4 bet8");
    assert_eq!(legal(&game, "J J bet4 raise2 call J bet8 raise4"), "fold call raise4 raise8");
}

#[test]
fn cards_are_drawn_without_replacement() {
    let leduc = poker("leduc-poker(suits=no)");
    assert_eq!(outcomes(&leduc, "J"), named(&[("J", 0.2), ("Q", 0.4), ("K", 0.4)]));
    assert_eq!(outcomes(&leduc, "J J check check"), named(&[("Q", 0.5), ("K", 0.5)]));
    assert_eq!(outcomes(&leduc, "K J check check"), named(&[("J", 0.25), ("Q", 0.5), ("K", 0.25)]));
    let told = poker("leduc-poker");
    assert_eq!(
        outcomes(&told, "K1 J2 check check"),
        named(&[("J1", 0.25), ("Q1", 0.25), ("Q2", 0.25), ("K2", 0.25)])
    );
}

#[test]
fn fast_draws_have_the_listed_probabilities() {
    const DRAWS: u32 = 40_000;
    let mut rng = Seed(7).stream(Purpose::Deal);
    for spec in ["leduc-poker", "leduc-poker(suits=no)", "small-poker"] {
        let game = poker(spec);
        let suit = |n: u32| if spec == "leduc-poker" { n.to_string() } else { String::new() };
        let (first, second) = (suit(1), suit(2));
        for moves in [
            String::new(),
            format!("Q{second}"),
            format!("Q{second} J{first} check check"),
            format!("Q{second} Q{first} check check"),
        ] {
            let state = after(&game, &moves);
            let mut listed = Vec::new();
            game.chance(&state, &mut listed);
            let drawn: Vec<Card> = (0..DRAWS).map(|_| game.sample_chance(&state, &mut rng)).collect();
            assert!(drawn.iter().all(|card| listed.iter().any(|(c, _)| c == card)), "{spec} {moves}");
            for (card, p) in listed {
                let share = drawn.iter().filter(|&&c| c == card).count() as f64 / f64::from(DRAWS);
                assert!((share - p).abs() < 0.0125, "{spec} {moves}: {card:?} {share} for {p}"); // 5 sigma
            }
        }
    }
}

#[test]
fn random_actions_are_uniform_over_the_legal_ones() {
    const DRAWS: u32 = 40_000;
    let (game, mut rng) = (poker("small-poker"), Seed(8).stream(Purpose::Playout));
    for moves in ["J J", "J J check", "J J bet2", "J J bet2 raise2 raise2", "J J check check J bet8"] {
        let state = after(&game, moves);
        let Turn::Player(who) = game.turn(&state) else { panic!("{moves}: nobody's turn") };
        let mut legal = Vec::new();
        game.actions(&state, who, &mut legal);
        let mut draw = || game.random_action(&state, who, &mut rng, &mut Scratch::default());
        let drawn: Vec<Action> = (0..DRAWS).map(|_| draw()).collect();
        assert!(drawn.iter().all(|action| legal.contains(action)), "{moves}");
        for &action in &legal {
            let share = drawn.iter().filter(|&&a| a == action).count() as f64 / f64::from(DRAWS);
            assert!((share - 1.0 / legal.len() as f64).abs() < 0.0125, "{moves}: {action:?} {share}");
        }
    }
}

/// Two jacks, queens and kings: whoever holds a jack and sees a queen leaves one jack, one queen and two
/// kings; the public, which sees only the queen, leaves J J Q K K: 20 ordered pairs, 2 of them J J.
#[test]
fn hidden_cards_are_as_likely_as_there_are_copies() {
    let game = poker("leduc-poker(suits=no)");
    let state = after(&game, "J K bet2 call Q check");
    let shares = |by: Observer| {
        let known = game.info(&state, by);
        let mut listed = Vec::new();
        assert!(game.enumerate(&known, &mut listed));
        let names = |s: &State| {
            s.hands.map(|hand| hand.map_or_else(String::new, |card| game.card_name(card))).concat()
        };
        let listed: Vec<(String, f64)> = listed.iter().map(|(s, w)| (names(s), *w)).collect();
        let (mut sampler, mut rng) = (game.sampler(&known), Seed(9).stream(Purpose::Sampling));
        let mut world = game.start();
        let drawn: Vec<String> = (0..40_000)
            .map(|_| {
                assert_eq!(Game::sample(&game, &mut sampler, &mut rng, &mut world), 1.0);
                assert_eq!(game.info(&world, by), known);
                names(&world)
            })
            .collect();
        for (name, p) in &listed {
            let share = drawn.iter().filter(|&d| d == name).count() as f64 / drawn.len() as f64;
            assert!((share - p).abs() < 0.0125, "{by}: {name} {share} for {p}");
        }
        assert!(drawn.iter().all(|d| listed.iter().any(|(name, _)| name == d)));
        listed
    };
    let near = |found: Vec<(String, f64)>, expected: &[(&str, f64)]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for ((a, p), &(b, q)) in found.iter().zip(expected) {
            assert!(a == b && (p - q).abs() < 1e-12, "{a} {p} for {b} {q}");
        }
    };
    near(shares(Observer::Seat(Player(0))), &[("JJ", 0.25), ("JQ", 0.25), ("JK", 0.5)]);
    near(shares(Observer::Seat(Player(1))), &[("JK", 0.5), ("QK", 0.25), ("KK", 0.25)]);
    let public = [("JJ", 2), ("JQ", 2), ("JK", 4), ("QJ", 2), ("QK", 2), ("KJ", 4), ("KQ", 2), ("KK", 2)]
        .map(|(n, w)| (n, f64::from(w) / 20.0));
    near(shares(Observer::Public), &public);
}

/// Whoever holds a jack of two and believes the other to hold the other jack or one of two queens, no king,
/// sees a queen turned up: two queens were left in the first case and one in the second, of four cards each,
/// so that it is now 2 : 1. Whoever has drawn no conclusions comes to 1 : 1 : 2 for jack, queen and king.
#[test]
fn public_cards_change_beliefs_as_chance_does() {
    let game = poker("leduc-poker(suits=no)");
    let known = |moves: &str| game.info(&after(&game, moves), Observer::Seat(Player(0)));
    let (before, turned) = (known("J K bet2 call"), known("J K bet2 call Q"));
    let believed = |shares: [f64; 3]| {
        let mut belief = vec![0.0; game.values()];
        belief[..3].copy_from_slice(&shares);
        belief
    };
    assert_eq!([0, 1, 2, 8].map(|value| game.name(value)), ["JJ", "JQ", "JK", "KK"]);
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    let mut belief = believed([0.5, 0.5, 0.0]);
    game.propagate(&mut belief, &before, &turned);
    assert!(near(&belief, &believed([2.0 / 3.0, 1.0 / 3.0, 0.0])), "{belief:?}");
    game.prior(&before, &mut belief);
    assert!(near(&belief, &believed([0.2, 0.4, 0.4])), "{belief:?}");
    game.propagate(&mut belief, &before, &turned);
    assert!(near(&belief, &believed([0.25, 0.25, 0.5])), "{belief:?}");
    game.prior(&game.info(&game.start(), Observer::Public), &mut belief);
    assert!(belief.iter().all(|mass| *mass == 0.0));
    // A pair of queens and a queen on the table are three of two.
    let mut state = after(&game, "J K bet2 call Q");
    assert!(!game.put(&mut state, 4) && game.put(&mut state, 1) && game.value(&state) == Some(1));
}

#[test]
fn cards_are_named_by_rank_and_copy() {
    let deck = |spec: &str| {
        let game = poker(spec);
        let mut names: Vec<String> = game.deck.iter().map(|&card| game.card_name(card)).collect();
        names.dedup();
        for name in &names {
            assert_eq!(game.outcome_name(&game.parse_outcome(name).unwrap()), *name);
        }
        names.join(" ")
    };
    assert_eq!(deck("leduc-poker"), "J1 J2 Q1 Q2 K1 K2");
    assert_eq!(deck("small-poker"), "J Q K");
    assert_eq!(deck("poker(types=2)"), "Q K");
    assert_eq!(deck("poker(types=4)"), "J Q K A");
    assert_eq!(deck("large-poker"), "9 T J Q K A");
    assert_eq!(deck("poker(types=13,copies=1)"), "2 3 4 5 6 7 8 9 T J Q K A");
}

#[test]
fn every_code_has_a_name_of_its_own_and_nothing_else_is_an_action() {
    let game = poker("poker(bets=12,raises=7,stake=100)");
    let codes = game.codes().unwrap() as u64;
    for code in 0..codes {
        let action = game.action(code).unwrap();
        assert_eq!(game.code(action), code);
        assert_eq!(game.parse_action(&game.action_name(action)), Some(action));
    }
    assert_eq!(game.action(codes), None);
    for text in
        ["", "bet", "bet0", "bet1", "bet+100", "bet0100", "bet99999999999999999999", "raise2500", "Fold", "ß"]
    {
        assert_eq!(game.parse_action(text), None, "{text}");
        assert_eq!(game.parse_outcome(text), None, "{text}");
    }
}

#[test]
fn the_longest_betting_is_remembered() {
    let game = poker("poker(bets=12,raises=7,stake=100,ante=1000)");
    let raises = " raise1200".repeat(7);
    let round_1 = format!("check bet1200{raises} call");
    let end = after(&game, &format!("J K {round_1} Q {}", round_1.replace("1200", "2400")));
    let text = plain(&game.show(&end));
    assert_eq!([text.matches("raises by 1200").count(), text.matches("calls").count()], [7, 2], "{text}");
    assert_eq!(game.rewards(&end)[Player(1)], game.facts().utility_bounds.1);
}

#[test]
fn any_observation_can_be_explained() {
    let game = poker("leduc-poker");
    let explain = |word| game.explain(&Observation::word(word), Observer::Public);
    assert_eq!(explain(Sight::Own.of(0).first()), "you are dealt J1");
    assert_eq!(explain(Sight::Move.of(3 << 1 | 1).first()), "player 1 bets 2");
    for word in (0..200).chain([u64::MAX, u64::MAX - 1, u64::MAX - 2, u64::MAX - 3, 1 << 63]) {
        assert!(!explain(word).is_empty());
    }
    assert!(!game.explain(&Observation::words(&[]), Observer::Public).is_empty());
}

#[test]
fn impossible_decks_are_refused() {
    for spec in
        ["poker(types=2,copies=1)", "poker(types=14)", "poker(types=-1)", "poker(bets=0)", "poker(suits=1)"]
    {
        let params = ABOUT.params(&spec.parse().unwrap()).unwrap();
        assert!(Poker::from_params(&params).is_err(), "{spec}");
    }
    assert!(std::mem::size_of::<State>() <= 32);
}
