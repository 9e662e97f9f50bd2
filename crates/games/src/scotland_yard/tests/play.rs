//! Rules, what is seen, and beliefs.

use std::collections::BTreeSet;

use super::*;

#[test]
fn parameters_are_checked() {
    for bad in [
        "board=paris",
        "seekers=0",
        "seekers=6",
        "board=tiny,seekers=4",
        "rounds=0",
        "rounds=25",
        "surface=[0]",
        "surface=[25]",
        "surface=3",
        "taxi=31",
        "x=[1,2]",
        "x=[1,2,31]",
        "x=[1,2,300]",
        "black=many",
        "doubles=10",
        "stations=7",
        "seed=-1",
    ] {
        assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
    }
    assert!(try_game("surface=[],black=0").is_ok());
}

/// AMB-11: what the thesis leaves open is as in the printed game, without double moves.
#[test]
fn by_default_it_is_the_printed_game_without_double_moves() {
    let rules = game("");
    let s = rules.start();
    assert_eq!((rules.seekers, rules.rounds, s.doubles), (5, 24, 0));
    assert_eq!((s.fares, s.x_fares), ([[10, 8, 4]; 5], [4, 3, 3, 5]));
    assert_eq!((1..=24).filter(|&m| rules.surfaces(m)).collect::<Vec<_>>(), [3, 8, 13, 18]);
    let mut cards = Vec::new();
    rules.chance(&after(&rules, "13 26 29 34 50"), &mut cards);
    assert_eq!(cards.len(), 13);
    assert!(cards.iter().all(|card| (card.1 - 1.0 / 13.0).abs() < 1e-12));
    assert!(size_of::<State>() < 200);
}

#[test]
fn tickets_pay_for_links_and_go_to_mr_x() {
    let rules = game("seekers=2");
    let s = after(&rules, "13 117 198");
    assert_eq!(
        legal(&rules, &s),
        "taxi-159 black-159 taxi-186 black-186 taxi-187 black-187 taxi-199 black-199"
    );
    let s = after(&rules, "13 117 198 black-199");
    assert_eq!(s.x_fares, [4, 3, 3, 1]);
    assert_eq!(
        legal(&rules, &s),
        "taxi-4 taxi-14 bus-14 taxi-23 bus-23 taxi-24 underground-46 bus-52 underground-67 underground-89"
    );
    let s = after(&rules, "13 117 198 black-199 underground-46 taxi-88");
    assert_eq!((s.fares[0], s.fares[1], s.x_fares), ([10, 8, 3], [9, 8, 4], [5, 3, 4, 1]));
    assert_eq!(rules.turn(&s), Turn::Player(MR_X));
}

#[test]
fn nobody_enters_the_station_of_a_seeker_but_a_seeker_catches_mr_x() {
    let rules = game("board=tiny,seekers=2");
    let s = after(&rules, "1 3 5");
    assert_eq!(legal(&rules, &s), "taxi-4 black-4 taxi-6 black-6 taxi-7 black-7");
    let s = after(&rules, "1 3 5 taxi-6");
    assert_eq!(legal(&rules, &s), "taxi-2 underground-5 taxi-6 bus-7");
    let s = after(&rules, "1 3 5 taxi-6 taxi-6");
    assert_eq!((s.phase, rules.rewards(&s).as_slice()), (Phase::Over(End::Caught), &[0.0, 1.0][..]));
    let s = after(&rules, "1 3 5 taxi-6 taxi-2");
    assert_eq!(legal(&rules, &s), "taxi-4 bus-7", "station 2 is taken");
}

#[test]
fn mr_x_loses_when_he_cannot_move() {
    let path = "1 2 taxi\n2 3 taxi\n3 4 taxi\n";
    let rules = game_on(&format!("{path}start 1 2 3"), "seekers=1");
    let s = after(&rules, "2 1");
    assert_eq!(legal(&rules, &s), "stuck");
    assert_eq!(worlds(&rules, &s), [(1, 1), (3, 1)]);
    let s = after(&rules, "2 1 stuck");
    assert_eq!((rules.turn(&s), rules.rewards(&s).as_slice()), (Turn::Terminal, &[0.0, 1.0][..]));
    assert_eq!(worlds(&rules, &s), [(1, 1)], "at 3 he could have gone on to 4");
}

#[test]
fn mr_x_wins_when_the_seekers_or_his_rounds_run_out() {
    let rules = game("board=tiny,seekers=1,taxi=1,bus=0,underground=0");
    let s = after(&rules, "1 5 taxi-4 taxi-2");
    assert_eq!((s.phase, rules.rewards(&s).as_slice()), (Phase::Over(End::SeekersStuck), &[1.0, 0.0][..]));
    let rules = game("board=tiny,seekers=1,rounds=1");
    let s = after(&rules, "1 5 taxi-4 taxi-2");
    assert_eq!((s.phase, rules.rewards(&s).as_slice()), (Phase::Over(End::Escaped), &[1.0, 0.0][..]));
    let signed = game("board=tiny,seekers=1,rounds=1,reward=signed");
    assert_eq!(signed.rewards(&s).as_slice(), [1.0, -1.0]);
}

/// With 22 tickets no seeker makes 24 moves: the thesis' end comes before that of the printed game.
#[test]
fn the_seekers_run_out_of_tickets_before_the_rounds_do() {
    let rules = game("");
    let mut rng = Seed(2).stream(Purpose::Playout);
    let mut scratch = Scratch::default();
    for _ in 0..300 {
        let mut s = rules.start();
        rules.playout(&mut s, &mut rng, &mut scratch);
        assert_ne!(s.phase, Phase::Over(End::Escaped));
        assert!(s.moves <= 22, "{}", s.moves);
    }
}

#[test]
fn a_seeker_who_cannot_move_is_passed_over() {
    let rules = game_on("1 2 taxi\n2 3 taxi\n3 4 taxi\n4 5 taxi\nstart 1 2 4 5", "seekers=2");
    let s = after(&rules, "1 2 5 taxi-4");
    assert_eq!(s.phase, Phase::Seeker(1));
    let s = after(&rules, "1 2 5 taxi-4 taxi-3");
    assert_eq!(s.phase, Phase::X);
}

#[test]
fn a_double_move_is_two_moves_in_one_round() {
    let rules = game("board=tiny,seekers=1,doubles=1,rounds=3");
    let s = after(&rules, "1 5 taxi-4-double");
    assert_eq!((s.phase, s.doubles, s.moves), (Phase::XAgain, 0, 1));
    assert_eq!(legal(&rules, &s), "taxi-3 black-3 taxi-5 black-5");
    let s = after(&rules, "1 5 taxi-4-double taxi-5 taxi-2");
    assert_eq!((s.phase, s.moves), (Phase::X, 2));
    assert_eq!(game("").parse_action("taxi-4-double"), None);
    assert!(!legal(&rules, &after(&rules, "1 5 taxi-4 taxi-2 taxi-5 taxi-1")).contains("double"));
}

#[test]
fn the_seekers_see_tickets_and_mr_x_only_when_he_surfaces() {
    let rules = game("board=tiny,seekers=1,surface=[2]");
    let told = |moves: &str, last: &str, by: Observer| {
        let s = after(&rules, moves);
        let Turn::Player(who) = rules.turn(&s) else { panic!("nobody moves") };
        let action = rules.parse_action(last).unwrap();
        rules.observe(&s, Step::Moves(&[(who, action)]), by).map(|seen| rules.explain(&seen, by))
    };
    let told = |moves: &str, last: &str, by| told(moves, last, by).unwrap_or_default();
    assert_eq!(told("1 5", "taxi-4", SEEKING), "Mr X uses a taxi ticket");
    assert_eq!(told("1 5", "black-4", Observer::Public), "Mr X uses a black ticket");
    assert_eq!(told("1 5", "taxi-4", Observer::Seat(MR_X)), "");
    let second = "1 5 taxi-4 taxi-2";
    assert_eq!(told(second, "taxi-3", SEEKING), "Mr X uses a taxi ticket and surfaces at 3");
    assert_eq!(told("1 5 taxi-4", "taxi-2", SEEKING), "");
    assert_eq!(told("1 5 taxi-4", "taxi-2", Observer::Public), "seeker 0 goes to 2 by taxi");
    assert_eq!(told("1 5 taxi-6", "taxi-6", SEEKING), "seeker 0 goes to 6 by taxi and catches Mr X");
    let view = |moves: &str, by| plain(&rules.view(&rules.info(&after(&rules, moves), by)));
    assert!(view("1 5 taxi-4", SEEKING).contains("may be at 5 stations: 2 4 5 6 7"));
    assert!(!view("1 5 taxi-4", Observer::Seat(MR_X)).contains("may be"));
    let surfaced =
        rules.scene(&rules.info(&after(&rules, "1 5 taxi-4 taxi-2 black-3 taxi-1 taxi-4"), SEEKING));
    let log = |spot: &str| surfaced.spots().find(|s| s.0 == spot).map(|s| s.1[0].name.clone());
    assert!(surfaced.caption.contains("last seen at 3."), "{surfaced}");
    assert_eq!([log("log/2"), log("log/3")], ["seen at 3", "taxi ticket"].map(|name| Some(name.to_string())));
}

/// On the tiny board, with a seeker at 1, Mr X starts at 3, 5 or 7. A taxi takes him from 3 to 2 and 4, from
/// 5 to 4, 6 and 7, and from 7 to 5: chance makes 4 twice as likely as the others.
#[test]
fn until_he_is_seen_a_station_counts_once_for_each_start_card() {
    let rules = game("board=tiny,seekers=1,surface=[2]");
    let s = after(&rules, "1 5 taxi-4");
    assert_eq!(worlds(&rules, &s), [(2, 1), (4, 2), (5, 1), (6, 1), (7, 1)]);
    let mut belief = vec![0.0; 7];
    rules.prior(&rules.info(&s, SEEKING), &mut belief);
    assert_eq!(belief, [0.0, 1.0, 0.0, 2.0, 1.0, 1.0, 1.0].map(|ways| ways / 6.0));
    // From 3, where he is seen, 2 and 4 are alike.
    let s = after(&rules, "1 5 taxi-4 underground-5 taxi-3 taxi-6 taxi-4");
    assert_eq!(worlds(&rules, &s), [(2, 1), (4, 1)]);
}

/// The set of possible locations by the rule of ismcts 4.11, step by step, beside ours in random games.
#[test]
fn where_he_may_be_follows_the_rule_of_the_thesis() {
    for params in ["", "doubles=2,surface=[4,5,12]", "board=random,stations=40,seekers=3,surface=[2,9]"] {
        let rules = game(params);
        let mut rng = Seed(3).stream(Purpose::Deal);
        let mut scratch = Scratch::default();
        for _ in 0..10 {
            let (mut s, mut possible) = (rules.start(), BTreeSet::new());
            while rules.turn(&s) != Turn::Terminal {
                let before = s;
                random_step(&rules, &mut s, &mut rng, &mut scratch);
                if before.x == NOWHERE {
                    possible = rules.cards(&s).collect();
                }
                if s.moves > before.moves {
                    let by =
                        Ticket::ALL.into_iter().find(|&t| s.x_fares[t as usize] < before.x_fares[t as usize]);
                    let exits = |&x: &u8| rules.board.reach(x, by.unwrap()).iter().collect::<Vec<_>>();
                    possible = possible.iter().flat_map(exits).collect();
                    if rules.surfaces(s.moves) {
                        possible = [s.x].into();
                    }
                }
                possible.retain(|x| !s.seekers.contains(x));
                if !matches!(s.phase, Phase::Deal(_) | Phase::Over(End::Caught | End::XStuck)) {
                    let ours: BTreeSet<u8> =
                        worlds(&rules, &s).iter().map(|world| (world.0 - 1) as u8).collect();
                    assert_eq!(ours, possible, "{s:?}");
                    assert!(possible.contains(&s.x));
                }
            }
        }
    }
}

/// ORACLE-1 (Example 2 of the thesis): phi(11) = 1/4 and phi(12) = 3/4 before a taxi move.
#[test]
fn beliefs_spread_as_in_the_example_of_the_thesis() {
    let board = LONDON.replace("start 13", "start 4 13");
    let rules = game_on(&board, "seekers=1,surface=[1]");
    let [before, later] = ["taxi-196 taxi-12 taxi-197", "taxi-196 taxi-12 taxi-197 taxi-23"]
        .map(|moves| rules.info(&after(&rules, &format!("197 4 taxi-3 {moves}")), SEEKING));
    let mut phi = vec![0.0; 199];
    (phi[10], phi[11]) = (0.25, 0.75);
    rules.propagate(&mut phi, &before, &later);
    let close = |station: usize, expected: f64| (phi[station - 1] - expected).abs() < 1e-12;
    assert!(close(3, 11.0 / 24.0) && close(10, 1.0 / 12.0) && close(22, 1.0 / 12.0) && close(23, 0.375));
    assert!((phi.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    // A seeker who enters a station without catching him rules it out.
    let mut entered = later;
    entered.seen.seekers[0] = 2;
    rules.propagate(&mut phi, &later, &entered);
    assert_eq!(phi[2], 0.0);
    assert!((phi[22] - 0.375 / (13.0 / 24.0)).abs() < 1e-12);
}

/// A belief that starts from the cards keeps the truth and collapses when Mr X surfaces.
#[test]
fn beliefs_keep_the_truth_possible() {
    let rules = game("");
    let mut rng = Seed(4).stream(Purpose::Deal);
    let mut scratch = Scratch::default();
    for _ in 0..5 {
        let mut s = rules.start();
        let mut beliefs = [vec![0.0; 199], vec![0.0; 199]];
        while rules.turn(&s) != Turn::Terminal {
            let before = s;
            random_step(&rules, &mut s, &mut rng, &mut scratch);
            for (by, belief) in [SEEKING, Observer::Seat(MR_X)].into_iter().zip(&mut beliefs) {
                let known = rules.info(&s, by);
                rules.propagate(belief, &rules.info(&before, by), &known);
                let Some(truth) = rules.value(&s) else { continue };
                assert!((belief.iter().sum::<f64>() - 1.0).abs() < 1e-9 && belief[truth] > 0.0);
                let support = belief.iter().filter(|&&mass| mass > 0.0).count();
                assert_eq!(support, rules.worlds(&known.seen).len());
                assert!(by == SEEKING || support == 1);
                if s.moves > before.moves && rules.surfaces(s.moves) {
                    assert_eq!(belief[truth], 1.0);
                }
            }
        }
    }
}

#[test]
fn a_world_can_be_drawn_for_every_station_that_is_possible() {
    let rules = game("");
    let s = after(&rules, "13 26 29 34 50 132 taxi-114 taxi-14 taxi-27 taxi-17 taxi-47 taxi-49");
    let known = rules.info(&s, SEEKING);
    let possible: Vec<usize> = rules.worlds(&known.seen).iter().map(|world| world.0.into()).collect();
    let mut sampler = rules.sampler(&known);
    let mut rng = Seed(5).stream(Purpose::Sampling);
    let mut world = rules.start();
    for value in 0..rules.values() {
        let drawn = HiddenPart::sample(&rules, &mut sampler, value, &mut rng, &mut world);
        assert_eq!(drawn, possible.contains(&value), "{}", rules.name(value));
        assert!(!drawn || rules.value(&world) == Some(value) && rules.info(&world, SEEKING) == known);
    }
    assert_eq!(rules.private(7, SEEKERS), rules.private(8, SEEKERS));
    assert_ne!(rules.private(7, MR_X), rules.private(8, MR_X));
}
