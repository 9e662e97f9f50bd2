//! What the game knows of playing itself: policies and evaluations; and seekers with a seat each.
//!
//! On the tiny board taxis run around 1 2 3 4 5 6 and between 5 and 7, buses from 1 and 3 to 7, the
//! underground between 1 and 5, a boat between 2 and 7. A seeker at 1 is two moves from 3 and 4 and one from
//! all others; the longest way is that of three moves between 3 and 6.

use std::collections::BTreeSet;

use fogtree_core::{Evaluations, Horizon, Policies, Policy, Utility, evaluate_leaf};

use super::super::hunt::{Hunt, Kept};
use super::*;

const ALONE: &str = "board=tiny,seekers=1,surface=[2]";

fn policy(name: &str) -> usize {
    Policy::find(POLICIES, name).unwrap()
}

fn mover(rules: &ScotlandYard, s: &State) -> Player {
    let Turn::Player(who) = rules.turn(s) else { panic!("nobody moves") };
    who
}

/// All that a policy does somewhere.
fn plays(rules: &ScotlandYard, moves: &str, name: &str) -> Vec<String> {
    let s = after(rules, moves);
    let mut rng = Seed(1).stream(Purpose::Playout);
    let mut scratch = Scratch::default();
    let mut draw = || rules.policy_action(policy(name), &s, mover(rules, &s), &mut rng, &mut scratch);
    let found: BTreeSet<Action> = (0..100).map(|_| draw()).collect();
    found.into_iter().map(|action| rules.action_name(action)).collect()
}

#[test]
fn distances_are_those_of_seekers() {
    let distances = |board: &str| Board::read(board).unwrap().distances().clone();
    let tiny = Board::named("tiny").unwrap();
    let from = |station: u8| tiny.distances().row(station - 1).to_vec();
    assert_eq!(from(1), [0, 1, 2, 2, 1, 1, 1]);
    assert_eq!(from(2), [1, 0, 1, 2, 2, 2, 2], "seekers take no boats");
    assert_eq!(from(6), [1, 2, 3, 2, 1, 0, 2]);
    assert_eq!(tiny.distances().longest(), 3);
    let river = distances("1 2 taxi\n2 3 bus\n3 4 boat\n4 5 underground");
    assert_eq!(river.row(0), [0, 1, 2, 3, 3], "across the river is farther than anywhere");
    assert_eq!((river.between(3, 4), river.longest()), (1, 3));
    let path: String = (1..255).map(|s| format!("{s} {} taxi\n", s + 1)).collect();
    assert_eq!(distances(&path).between(0, 254), 254);
}

/// Mr X starts at 3, 5 or 7, as far as the seekers know. After a taxi he may be at five stations (2 4 5 6 7),
/// after a black ticket at 3 too; when he surfaces a black ticket would be wasted. From 5 he gets farthest
/// from 1 at 4.
#[test]
fn mr_x_hides_among_most_stations_or_flees_farthest() {
    let greedy = |params: &str| game(&format!("board=tiny,seekers=1,epsilon=0,{params}"));
    assert_eq!(plays(&greedy("surface=[2]"), "1 5", "hide"), ["black-4"]);
    assert_eq!(plays(&greedy("surface=[1]"), "1 5", "hide"), ["taxi-4"]);
    assert_eq!(plays(&greedy("surface=[2],black=0"), "1 5", "hide-chase"), ["taxi-4"]);
    for name in ["flee", "flee-chase", "flee-surround"] {
        assert_eq!(plays(&greedy("surface=[2]"), "1 5", name), ["taxi-4"], "{name}");
    }
    let all = ["taxi-4", "black-4", "taxi-6", "black-6", "taxi-7", "black-7"];
    assert_eq!(plays(&greedy("surface=[2]"), "1 5", "chase"), all, "that of seekers says nothing of Mr X");
    // With seekers at 1 and 5 one is a move away from wherever he goes from 3; the other is two from 2 and 4,
    // one from 7.
    let two = game("board=tiny,seekers=2,epsilon=0,black=0");
    assert_eq!(plays(&two, "1 5 3", "flee"), ["taxi-2", "taxi-4"]);
}

/// A seeker at 1, and Mr X went from 3 to 2 by taxi: to enter 2 is nearest to where he is. Of all five
/// stations where he may be the sums of distances are 8 from 2, 7 from 6 and 7, and 2 + 1 + 0 + 1 + 1 = 5
/// from 5.
#[test]
fn seekers_chase_him_or_surround_all_places() {
    let rules = game(&format!("{ALONE},epsilon=0"));
    assert_eq!(plays(&rules, "1 3 taxi-2", "chase"), ["taxi-2"]);
    assert_eq!(plays(&rules, "1 3 taxi-2", "flee-chase"), ["taxi-2"]);
    assert_eq!(plays(&rules, "1 3 taxi-2", "surround"), ["underground-5"]);
    assert_eq!(plays(&rules, "1 5 taxi-4", "chase"), ["underground-5"]);
    assert_eq!(plays(&rules, "1 3 taxi-2", "hide"), ["taxi-2", "underground-5", "taxi-6", "bus-7"]);
    let hunt = Hunt::of(&rules, &after(&rules, "1 3 taxi-2"), Kept::Sums);
    assert_eq!([2, 6, 7, 5].map(|station| hunt.sums[station - 1]), [8, 7, 7, 5]);
}

/// With epsilon 1/5 the best of six moves is made with probability 4/5 + 1/5 * 1/6.
#[test]
fn policies_move_at_random_as_often_as_epsilon_says() {
    const DRAWS: u32 = 20_000;
    let rules = game(&format!("{ALONE},epsilon=0.2"));
    let s = after(&rules, "1 5");
    let mut rng = Seed(2).stream(Purpose::Playout);
    let mut scratch = Scratch::default();
    let best = rules.parse_action("taxi-4").unwrap();
    let mut flees = || rules.policy_action(policy("flee"), &s, MR_X, &mut rng, &mut scratch) == best;
    let found = f64::from((0..DRAWS).map(|_| u32::from(flees())).sum::<u32>()) / f64::from(DRAWS);
    let expected: f64 = 0.8 + 0.2 / 6.0;
    let deviation = (expected * (1.0 - expected) / f64::from(DRAWS)).sqrt();
    assert!((found - expected).abs() < 4.0 * deviation, "{found}");
}

/// What a playout keeps of the hunt is what the state tells at every step, its moves are legal, and it is the
/// moves of the policy one after the other.
#[test]
fn playouts_make_the_moves_of_their_policy() {
    for params in ["", "doubles=2,surface=[4,5,12]", "board=random,stations=40,seekers=3,team=apart", ALONE] {
        let rules = game(params);
        for (place, policy) in POLICIES.iter().enumerate() {
            let mut rng = Seed(3).stream(Purpose::Playout);
            let mut scratch = Scratch::default();
            let (mut s, mut legal) = (rules.start(), Vec::new());
            let mut hunt = Hunt::of(&rules, &s, Kept::Sums);
            while rules.turn(&s) != Turn::Terminal {
                if rules.turn(&s) == Turn::Chance {
                    random_step(&rules, &mut s, &mut rng, &mut scratch);
                    hunt = Hunt::of(&rules, &s, Kept::Sums);
                    continue;
                }
                let who = mover(&rules, &s);
                let action = rules.policy_action(place, &s, who, &mut rng, &mut scratch);
                legal.clear();
                rules.actions(&s, who, &mut legal);
                assert!(legal.contains(&action), "{params} {}: {action:?} of {legal:?}", policy.name);
                hunt.follow(&rules, &s, action, Kept::Sums);
                rules.apply(&mut s, Step::Moves(&[(who, action)]));
                if !matches!(s.phase, Phase::Over(_)) {
                    let told = Hunt::of(&rules, &s, Kept::Sums);
                    assert_eq!((hunt.possible, hunt.sums), (told.possible, told.sums), "{}", policy.name);
                    let listed = rules.worlds(&State { x: NOWHERE, ..s });
                    assert!(told.possible.iter().eq(listed.into_iter().map(|world| world.0)));
                }
            }
            let (mut again, mut rng) = (rules.start(), Seed(3).stream(Purpose::Playout));
            rules.policy_playout(&rules, Some(place), None, &mut again, &mut rng, &mut scratch);
            assert_eq!(again, s, "{}", policy.name);
        }
    }
}

/// Without a policy a playout with a horizon is random play up to there: so many steps, or two changes of
/// sides.
#[test]
fn playouts_stop_at_their_horizon() {
    let rules = game("seekers=3");
    let at = |horizon| {
        let (mut s, mut rng) = (after(&rules, "13 26 29 34"), Seed(4).stream(Purpose::Playout));
        let mut scratch = Scratch::default();
        rules.policy_playout(&rules, None, Some(horizon), &mut s, &mut rng, &mut scratch);
        assert_eq!(evaluate_leaf(&rules, None, &s).as_slice(), [0.5, 0.5]);
        s
    };
    let (mut s, mut rng) = (after(&rules, "13 26 29 34"), Seed(4).stream(Purpose::Playout));
    for steps in 0..8 {
        assert_eq!(at(Horizon::Steps(steps)), s);
        match steps {
            1 => assert_eq!(at(Horizon::Turns(1)), s),
            4 => assert_eq!(at(Horizon::Turns(2)), s),
            _ => {}
        }
        random_step(&rules, &mut s, &mut rng, &mut Scratch::default());
    }
}

/// Mr X at 4 or, as far as the seeker at 1 knows, at 2, 4, 5, 6 or 7: the ways are 1 2 1 1 1, of at most 3.
#[test]
fn evaluations_tell_distance_and_ignorance() {
    let moves = "1 5 taxi-4";
    let guess = |rules: &ScotlandYard, moves: &str, name: &str, who: Player| {
        let place = Policy::find(EVALUATIONS, name).unwrap();
        rules.evaluate(Some(place), &after(rules, moves), who).unwrap()
    };
    let ignorance = 5f64.ln() / 7f64.ln();
    let expected = [
        ("nearest", 2.0 / 3.0),
        ("expected", 0.4),
        ("locations", ignorance),
        ("hidden", (0.4 + ignorance) / 2.0),
    ];
    let [unit, signed] = ["", ",reward=signed"].map(|more| game(&format!("{ALONE}{more}")));
    for (name, share) in expected {
        assert!((guess(&unit, moves, name, MR_X) - share).abs() < 1e-12, "{name}");
        assert!((guess(&unit, moves, name, SEEKERS) - (1.0 - share)).abs() < 1e-12, "{name}");
        assert!((guess(&signed, moves, name, MR_X) - (2.0 * share - 1.0)).abs() < 1e-12, "{name}");
        assert_eq!(guess(&unit, "1", name, MR_X), 0.5, "cards are still being drawn");
        assert_eq!(guess(&unit, "1 5 taxi-6 taxi-6", name, SEEKERS), 1.0, "it is over");
    }
    // Observation at 3, with a seeker at 2: nothing is hidden, and the seeker is one move away.
    let seen = "1 5 taxi-4 taxi-2 taxi-3";
    assert_eq!(guess(&unit, seen, "locations", MR_X), 0.0);
    assert_eq!(guess(&unit, seen, "expected", MR_X), 1.0 / 3.0);
    assert_eq!(unit.evaluate(None, &after(&unit, seen), MR_X), None, "none is asked for by default");
}

#[test]
fn evaluations_are_on_the_scale_of_rewards() {
    for params in ["", "reward=signed,board=random,stations=30,seekers=2", "team=apart,seekers=3"] {
        let rules = game(params);
        let (low, high) = rules.facts().utility_bounds;
        let mut rng = Seed(5).stream(Purpose::Playout);
        let (mut s, mut scratch) = (rules.start(), Scratch::default());
        while rules.turn(&s) != Turn::Terminal {
            for evaluation in 0..EVALUATIONS.len() {
                let of = |who| rules.evaluate(Some(evaluation), &s, who).unwrap();
                let shares: Vec<f64> = Player::all(rules.seats()).map(of).collect();
                assert!(shares.iter().all(|share| (low..=high).contains(share)), "{shares:?}");
                assert!(shares[1..].iter().all(|share| (shares[0] + share - low - high).abs() < 1e-12));
            }
            random_step(&rules, &mut s, &mut rng, &mut scratch);
        }
    }
}

/// Seekers at 1 and 3, Mr X goes from 5 to 6: the first may catch him there.
#[test]
fn seekers_with_seats_win_together() {
    let apart = |more: &str| game(&format!("board=tiny,seekers=2,rounds=1,team=apart,{more}"));
    let rules = apart("reward=unit");
    assert_eq!((rules.facts().players, rules.facts().utility), (3, Utility::General));
    let movers =
        ["1 3 5", "1 3 5 taxi-6", "1 3 5 taxi-6 taxi-2"].map(|moves| mover(&rules, &after(&rules, moves)));
    assert_eq!(movers, [MR_X, Player(1), Player(2)]);
    let rewards = |rules: &ScotlandYard, moves: &str| rules.rewards(&after(rules, moves)).as_slice().to_vec();
    assert_eq!(rewards(&rules, "1 3 5 taxi-6 taxi-6"), [0.0, 1.0, 1.0]);
    assert_eq!(rewards(&rules, "1 3 5 taxi-4 taxi-2 taxi-4"), [0.0, 1.0, 1.0]);
    assert_eq!(rewards(&rules, "1 3 5 taxi-4 taxi-2 bus-7"), [1.0, 0.0, 0.0]);
    assert_eq!(rewards(&apart("reward=signed"), "1 3 5 taxi-6 taxi-6"), [-1.0, 1.0, 1.0]);
    let path = game_on("1 2 taxi\n2 3 taxi\n3 4 taxi\nstart 1 2 3", "seekers=1,team=apart");
    assert_eq!(rewards(&path, "2 1 stuck"), [0.0, 1.0]);
    // Each sees what the others do.
    let s = after(&rules, "1 3 5 taxi-6");
    let step = [(Player(1), rules.parse_action("taxi-2").unwrap())];
    let told = |seat| rules.observe(&s, Step::Moves(&step), Observer::Seat(Player(seat)));
    assert!(told(0).is_some() && told(1).is_none() && told(2).is_some());
    assert!(plain(&rules.view(&rules.info(&s, Observer::Seat(Player(2))))).contains("You are seeker 1. "));
}

#[test]
fn parameters_of_what_is_known_are_checked() {
    for bad in ["team=none", "epsilon=-0.1", "epsilon=2"] {
        assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
    }
}
