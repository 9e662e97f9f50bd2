use std::collections::HashMap;

use fogtree_core::{Game, Purpose, Seed, random_step};

use super::known::Knowledge;
use super::*;
use crate::testing::after;

fn try_game(params: &str) -> Result<Goofspiel, BadSpec> {
    Goofspiel::from_params(&crate::testing::params(&ABOUT, params)?)
}

fn game(params: &str) -> Goofspiel {
    try_game(params).unwrap()
}

const FIRST: Observer = Observer::Seat(Player(0));

#[test]
fn parameters_are_checked() {
    for bad in [
        "cards=0",
        "cards=14",
        "lowest=2",
        "bids=shown",
        "prizes=[0,1]",
        "prizes=[1,2,3],cards=3",
        "prizes=up",
    ] {
        assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
    }
    let error = try_game("cards=3,lowest=1,prizes=[1,2,2]").unwrap_err().to_string();
    assert!(
        error.ends_with("expected descending, ascending, random, or each of 1 to 3 once, in a list"),
        "{error}"
    );
    assert!(try_game("").is_ok() && try_game("cards=1").is_ok());
}

#[test]
fn the_higher_bid_wins_the_prize_and_a_tie_discards_it() {
    let rules = game("cards=4,lowest=1,prizes=[2,4,3,1],reward=points");
    let s = after(&rules, "3 1  4 4  1 2");
    assert_eq!((s.table.points, s.hands, s.table.prize), ([2, 3], [0b0010, 0b0100], Some(Card(0))));
    let s = after(&rules, "3 1  4 4  1 2  2 3");
    assert_eq!((rules.turn(&s), rules.rewards(&s).as_slice()), (Turn::Terminal, &[-2.0, 2.0][..]));
    assert_eq!(game("cards=4,prizes=[1,3,2,0]").rewards(&s).as_slice(), [-1.0, 1.0]);
}

#[test]
fn random_prizes_are_drawn_from_those_left() {
    let rules = game("cards=3,prizes=random");
    let s = after(&rules, "1  0 2");
    let mut drawn = Vec::new();
    rules.chance(&s, &mut drawn);
    assert_eq!((rules.turn(&s), drawn), (Turn::Chance, vec![(Card(0), 0.5), (Card(2), 0.5)]));
    assert!(!rules.is_possible(&s, &Card(1)) && !rules.is_possible(&s, &Card(12)));
}

#[test]
fn last_bids_can_follow_by_themselves() {
    for prizes in ["descending", "random"] {
        let rules = |last: &str| game(&format!("cards=3,lowest=1,bids=hidden,prizes={prizes},last={last}"));
        let (start, end) = if prizes == "random" { ("3 2 1  2 3 3", "1 1 2") } else { ("2 1  3 3", "1 2") };
        let automatic = after(&rules("automatic"), start);
        assert_eq!(rules("automatic").turn(&automatic), Turn::Terminal);
        assert_eq!(automatic, after(&rules("played"), &format!("{start} {end}")));
    }
    let rules = game("cards=3,bids=hidden,last=automatic");
    let s = after(&rules, "1 0");
    let moves = [(Player(0), Card(2)), (Player(1), Card(2))];
    let seen = rules.observe(&s, Step::Moves(&moves), FIRST).unwrap();
    assert_eq!(rules.explain(&seen, FIRST), "the bids are equal, then player 1 wins the bid");
}

#[test]
fn observers_see_bids_only_when_they_are_open() {
    let moves = [(Player(0), Card(1)), (Player(1), Card(0))];
    let told = |params: &str, by: Observer| {
        let rules = game(params);
        rules.explain(&rules.observe(&rules.start(), Step::Moves(&moves), by).unwrap(), by)
    };
    assert_eq!(told("lowest=1", FIRST), "the other bids 1");
    assert_eq!(told("lowest=1", Observer::Public), "player 0 bids 2, then player 1 bids 1");
    for by in Observer::all(2) {
        assert_eq!(told("bids=hidden", by), "player 0 wins the bid");
    }
    assert!(!game("").facts().hidden && game("bids=hidden").facts().hidden);
}

/// The widest difference over all ways to bid two hands for the prizes.
fn widest(hands: [u32; 2], lowest: i32) -> i32 {
    let bids = |hand: u32| (0..13).filter(move |card| hand >> card & 1 == 1);
    let worth = hands[0].count_ones() as i32 - 1 + lowest;
    let pairs = bids(hands[0]).flat_map(|a| bids(hands[1]).map(move |b| (a, b)));
    let lead = |(a, b): (i32, i32)| {
        worth * (a - b).signum() + widest([hands[0] ^ 1 << a, hands[1] ^ 1 << b], lowest)
    };
    pairs.map(lead).max().unwrap_or(0)
}

#[test]
fn the_range_of_point_differences_is_tight() {
    for cards in 2..=5 {
        for lowest in 0..=1 {
            let range = game(&format!("cards={cards},lowest={lowest},reward=points")).facts().utility_bounds;
            let most = f64::from(widest([(1 << cards) - 1; 2], lowest));
            assert_eq!(range, (-most, most), "{cards} cards from {lowest}");
        }
    }
}

/// The formula of equilibrium 3.1, worked out by hand.
#[test]
fn the_evaluation_follows_the_formula() {
    let rules = game("cards=3,lowest=1");
    let evaluate = |moves: &str, seat: u8| rules.evaluate(None, &after(&rules, moves), Player(seat)).unwrap();
    assert_eq!(evaluate("", 0), 0.0);
    // 3 points to 0 after 1 of 3 rounds; cards worth 3 against 5 for prizes worth 3 of 6.
    let expected = (1.0 / 3.0 - 2.0 / 8.0 * 3.0 / 6.0f64).tanh();
    assert!((evaluate("3 1", 0) - expected).abs() < 1e-12);
    assert!((evaluate("3 1", 1) + expected).abs() < 1e-12);
    // 3 points to 2 after 2 rounds; a card worth 2 against one worth 1 for the prize worth 1 of 6.
    let expected = (1.0 / 5.0 * 2.0 / 3.0 + 1.0 / 3.0 * 1.0 / 6.0f64).tanh();
    assert!((evaluate("3 2  1 3", 0) - expected).abs() < 1e-12);
    // 5 points to 0, and only the prize worth 1 is left.
    assert_eq!((evaluate("2 1  3 2", 0), evaluate("2 1  3 2", 1)), (1.0, -1.0));
    // Both hold only the card worth nothing: the result stands.
    let rules = game("cards=2,prizes=ascending");
    assert_eq!(rules.evaluate(None, &after(&rules, "1 1"), Player(0)), Some(0.0));
}

/// Random play to the end makes every line of play equally likely, from the start and from within a round.
#[test]
fn playouts_are_uniform_over_lines_of_play() {
    let hidden = "cards=4,bids=hidden,prizes=random";
    for (params, moves) in [(hidden, ""), (hidden, "2 0 1 1"), ("cards=4", "1 3")] {
        let rules = game(params);
        let start = after(&rules, moves);
        let mut rng = Seed(2).stream(Purpose::Playout);
        let mut scratch = Scratch::default();
        let mut ends: HashMap<State, [f64; 2]> = HashMap::new();
        for _ in 0..400_000 {
            let mut s = start;
            let rewards = rules.playout(&mut s, &mut rng, &mut scratch);
            assert_eq!((rules.turn(&s), rules.rewards(&s)), (Turn::Terminal, rewards));
            ends.entry(s).or_default()[0] += 1.0;
            let mut s = start;
            while rules.turn(&s) != Turn::Terminal {
                random_step(&rules, &mut s, &mut rng, &mut scratch);
            }
            ends.entry(s).or_default()[1] += 1.0;
        }
        // Two samples of equal size: the chi-square of their difference.
        let chi: f64 = ends.values().map(|[a, b]| (a - b).powi(2) / (a + b)).sum();
        let freedom = (ends.len() - 1) as f64;
        assert!((chi - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{params} {moves}: {chi} of {freedom}");
    }
}

#[test]
fn names_parse_back_and_nothing_else_does() {
    let rules = game("lowest=1");
    assert_eq!(
        (1..=13).map(|v| rules.parse_action(&v.to_string())).collect::<Option<Vec<_>>>().unwrap().len(),
        13
    );
    for bad in ["0", "14", "+1", "01", "", " 1", "１", "99999999999999999999"] {
        assert_eq!(rules.parse_action(bad), None, "{bad}");
    }
}

#[test]
fn foreign_observations_are_explained_without_panic() {
    for params in ["", "bids=hidden", "lowest=1"] {
        for words in [&[][..], &[15], &[u64::MAX], &[31, 32, 33, 34, 35, 1 << 40]] {
            for by in Observer::all(2) {
                game(params).explain(&Observation::words(words), by);
            }
        }
    }
}

#[test]
fn what_is_known_is_drawn_and_written() {
    let rules = game("cards=5,bids=hidden,lowest=1");
    let s = after(&rules, "4 2  1 1  3 5");
    let view = |by: Observer| fogtree_core::text::plain(&rules.view(&rules.info(&s, by)));
    for (by, first, bids) in
        [(FIRST, "You (player 0)", ["4", "1", "3"]), (Observer::Public, "Player 0", ["?"; 3])]
    {
        let text = view(by);
        let rounds = text.lines().skip_while(|line| !line.starts_with("Rounds")).skip(2);
        let rounds: Vec<Vec<&str>> = rounds.map(|line| line.split_whitespace().collect()).collect();
        for (i, (prize, winner)) in [("5", first), ("4", "nobody"), ("3", "Player 1")].into_iter().enumerate()
        {
            let number = (i + 1).to_string();
            let row = [&[&*number, prize, bids[i], "?"][..], &winner.split(' ').collect::<Vec<_>>()].concat();
            assert_eq!(rounds[i], row, "{text}");
        }
        assert!(text.contains("for the prize 2"), "{text}");
    }
    for by in Observer::all(2) {
        let known = rules.info(&s, by);
        let written = serde_json::to_string(&known).unwrap();
        assert_eq!(serde_json::from_str::<Info>(&written).unwrap(), known);
    }
    let nonsense = r#"{"results":{"by":"public","table":{"prize":null,"deck":0,"points":[0,0],"turned_up":[]},
        "bids":[99],"results":[]}}"#;
    assert!(serde_json::from_str::<Info>(nonsense).is_err());
}

#[test]
fn worlds_of_the_full_game_agree_with_what_is_known() {
    let mut rng = Seed(4).stream(Purpose::Sampling);
    let mut scratch = Scratch::default();
    for params in ["bids=hidden", "bids=hidden,prizes=random", "prizes=random"] {
        let rules = game(params);
        let mut s = rules.start();
        while rules.turn(&s) != Turn::Terminal {
            random_step(&rules, &mut s, &mut rng, &mut scratch);
            for by in Observer::all(2) {
                let known = rules.info(&s, by);
                let mut sampler = rules.sampler(&known);
                let mut world = rules.start();
                for _ in 0..20 {
                    assert_eq!(rules.sample(&mut sampler, &mut rng, &mut world), 1.0);
                    assert_eq!(rules.info(&world, by), known);
                }
            }
        }
    }
}

#[test]
fn impossible_knowledge_gives_no_world() {
    let rules = game("cards=3,bids=hidden");
    let s = after(&rules, "2 0");
    let Info(Knowledge::Results { by, table, bids, .. }) = rules.info(&s, FIRST) else {
        panic!("bids are hidden")
    };
    let lost_with_the_highest =
        Info(Knowledge::Results { by, table, bids, results: [0].into_iter().collect() });
    let mut into = s;
    let mut rng = Seed(3).stream(Purpose::Sampling);
    let mut sampler = rules.sampler(&lost_with_the_highest);
    assert_eq!(rules.sample(&mut sampler, &mut rng, &mut into), 0.0);
}
