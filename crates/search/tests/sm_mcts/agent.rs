//! The agent: trees kept from move to move, budgets, memory, games of all kinds.

use std::collections::HashMap;

use fogtree_core::{Agent, Budget, Decision, Erased, Key, Keys, Observer, Player, Rules, Seed, Step};
use fogtree_games::mnk::{self, Mnk};
use fogtree_games::nim::{self, Nim};
use fogtree_search::bandit::Ties;
use fogtree_search::sm_mcts::{Leaf, Method, Oos, Play, Progress, Selection, Settings};
use fogtree_search::{Random, SmMcts};
use fogtree_solve::{Evaluation, Profile};

use crate::common::{DRM, EXP3, Layers, compiled, goofspiel, mcts, model, nash_conv, params, random_matrix};
use crate::tables::{infoset, play};

const DUCT: Selection = Selection::Duct { c: Settings::C, ties: Ties::Random(Settings::TAU) };

fn all_methods() -> Vec<Settings> {
    let oos = Settings::of(Method::Oos(Settings::OOS));
    let reach = Settings::of(Method::Oos(Oos { progress: Progress::Reach, ..Settings::OOS }));
    vec![mcts(Settings::RM), mcts(DRM), mcts(EXP3), mcts(DUCT), oos, reach]
}

fn visits(decision: &Decision) -> u64 {
    decision.report.moves.iter().map(|m| m.visits).sum()
}

/// Asked again it goes on; after a real joint move the subtree is kept, after anything else it starts anew.
fn kept_visits(decision: &Decision) -> u64 {
    decision.report.figure("kept visits").unwrap() as u64
}

#[test]
fn the_tree_is_kept_where_it_can_be() {
    for text in ["cards=5", "cards=4,prizes=random,lowest=1"] {
        let game = model(&goofspiel(text));
        let random = text.contains("random");
        let opening = if random { "3" } else { "" };
        let next = if random { "3 4 2 1" } else { "3 2" };
        for settings in all_methods() {
            for seat in Player::all(2) {
                let mut agent = SmMcts::new(&game, settings);
                agent.start(seat, Seed(1));
                assert_eq!(agent.prepare(&Budget::iterations(2000)), 2000);
                let first = agent.act(&infoset(&game, opening, seat), &Budget::iterations(1000)).unwrap();
                let kept = if random { kept_visits(&first) } else { 2000 };
                assert_eq!(kept_visits(&first), kept);
                assert_eq!(visits(&first), kept + 1000, "{settings:?}");
                let again = agent.act(&infoset(&game, opening, seat), &Budget::iterations(500)).unwrap();
                assert_eq!((kept_visits(&again), visits(&again)), (kept + 1000, kept + 1500));
                let before = agent_visits(&agent, infoset(&game, next, seat).key);
                let second = agent.act(&infoset(&game, next, seat), &Budget::iterations(100)).unwrap();
                assert_eq!(kept_visits(&second), before, "{settings:?}");
                assert_eq!((second.report.iterations, visits(&second)), (100, before + 100));
                assert!(second.report.nodes < again.report.nodes);
                assert!(second.report.bytes.unwrap() < again.report.bytes.unwrap());
                let back = agent.act(&infoset(&game, opening, seat), &Budget::iterations(10)).unwrap();
                assert_eq!((kept_visits(&back), visits(&back)), (0, 10));
            }
        }
    }
}

fn agent_visits(agent: &SmMcts, key: Key) -> u64 {
    let mut visits = 0;
    agent.average_strategies(&mut |told| {
        if told.key == key {
            visits = told.visits;
        }
    });
    visits
}

/// Average strategies after a real move are those of the subgame, under the keys of the whole game, and they are what was
/// learnt before and since (TH-10: wrong beginnings wash out).
#[test]
fn play_goes_on_converging_in_the_subgame() {
    let game = Erased::new(Layers::random(3, 3, 2));
    let rules = &**game.game();
    // What follows the moves 1 and 2 is a game of depth 2 of its own.
    let first = 81 * (3 + 2);
    let subgame = Layers { branching: 3, depth: 2, leaves: rules.leaves[first..first + 81].to_vec() };
    let subgame = Erased::new(subgame);
    let tree = compiled(&subgame);
    let subgame = &**subgame.game();
    let moves = [(Player(0), 1), (Player(1), 2)];
    let mut state = rules.start();
    let keys = Keys::start(2).after(rules, &state, Step::Moves(&moves));
    rules.apply(&mut state, Step::Moves(&moves));
    let mut sets = vec![(keys, Keys::start(2))];
    for (a, b) in (0..9).map(|i| (i / 3, i % 3)) {
        let moves = [(Player(0), a), (Player(1), b)];
        let whole = keys.after(rules, &state, Step::Moves(&moves));
        sets.push((whole, Keys::start(2).after(subgame, &subgame.start(), Step::Moves(&moves))));
    }
    let game = model(&game);
    for settings in all_methods() {
        let mut agent = SmMcts::new(&game, settings);
        agent.start(Player(0), Seed(1));
        agent.prepare(&Budget::iterations(300));
        agent.act(&infoset(&game, "1 2", Player(0)), &Budget::iterations(300_000)).unwrap();
        let mut told = HashMap::new();
        agent.average_strategies(&mut |average| {
            told.insert(average.key, average.strategy.to_vec());
        });
        assert_eq!(told.len(), 2 * sets.len());
        let mut profile = Profile::uniform(&tree);
        for (whole, part) in &sets {
            for p in Player::all(2) {
                let by = Observer::Seat(p);
                let set = tree.treeplex(p).find(part.of(by)).unwrap();
                profile.set(&tree, p, set, &told[&whole.of(by)]);
            }
        }
        let conv = Evaluation::of(&tree, &profile).nash_conv();
        assert!(conv < 0.12, "{settings:?}: {conv}");
    }
}

/// Games in which players take turns are matrix games with one row or one column.
#[test]
fn alternating_games_are_played_too() {
    let game = Erased::any(Mnk::<1>::from_params(&params(&mnk::ABOUT, "m=3,n=3,k=3")).unwrap());
    // The first player can win at once at c1, and so can the second at c2.
    let info = infoset(&game, "a1 a2 b1 b2", Player(0));
    let nim = Erased::any(Nim::from_params(&params(&nim::ABOUT, "heaps=[2,3]")).unwrap());
    for settings in all_methods() {
        let settings = Settings { play: Play::Max, ..settings };
        let mut agent = SmMcts::new(&game, settings);
        agent.start(Player(0), Seed(1));
        let decision = agent.act(&info, &Budget::iterations(5000)).unwrap();
        assert_eq!(game.move_name(decision.action), "c1", "{settings:?}");
        let mut agent = SmMcts::new(&nim, settings);
        agent.start(Player(0), Seed(1));
        let info = infoset(&nim, "", Player(0));
        let decision = agent.act(&info, &Budget::iterations(20_000)).unwrap();
        assert_eq!(nim.move_name(decision.action), "b1", "{settings:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = model(&goofspiel("cards=6,prizes=random"));
    for settings in all_methods() {
        let run = |seed| {
            let mut agent = SmMcts::new(&game, settings);
            agent.start(Player(1), Seed(seed));
            let first = agent.act(&infoset(&game, "2", Player(1)), &Budget::iterations(500)).unwrap();
            let second = agent.act(&infoset(&game, "2 5 1 0", Player(1)), &Budget::iterations(500)).unwrap();
            (first.action, first.report.moves, second.action, second.report.moves)
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }
}

/// With little memory the search goes on without growing beyond it.
#[test]
fn memory_is_limited() {
    let game = model(&goofspiel("cards=13"));
    let info = infoset(&game, "", Player(0));
    for settings in all_methods() {
        for (memory, leaf) in [(1 << 20, Leaf::Rollout), (100, Leaf::Evaluation)] {
            let mut agent = SmMcts::new(&game, Settings { memory, leaf, ..settings });
            let decision = agent.act(&info, &Budget::iterations(20_000)).unwrap();
            assert_eq!(decision.report.iterations, 20_000);
            // The last block of slots may come on top.
            assert!(decision.report.bytes.unwrap() <= (memory / 2).max(1000) as u64 + 5000, "{settings:?}");
        }
    }
    let wide = model(&random_matrix(51, 1));
    let mut agent = SmMcts::new(&wide, Settings::default());
    let decision = agent.act(&infoset(&wide, "", Player(0)), &Budget::iterations(100)).unwrap();
    assert!(decision.report.bytes.unwrap() < 12_000, "{:?}", decision.report.bytes);
}

#[test]
fn reports_tell_what_was_done() {
    let game = model(&goofspiel("cards=5"));
    for settings in all_methods() {
        let mut agent = SmMcts::new(&game, settings);
        let report = agent.act(&infoset(&game, "", Player(0)), &Budget::iterations(3000)).unwrap().report;
        assert_eq!(
            (report.iterations, report.figure("kept nodes"), report.moves.len()),
            (3000, Some(0.0), 5)
        );
        assert!(report.nodes > 100 && report.depth >= 4 && report.depth <= 5, "{report:?}");
        let depth = report.mean_depth.unwrap();
        assert!(depth > 1.5 && depth <= 5.0, "{depth}");
        for m in report.moves.iter().filter(|m| m.visits > 0) {
            let values = m.values.as_ref().unwrap();
            assert!((values[Player(0)] + values[Player(1)]).abs() < 1e-9);
        }
    }
    // The only card left is played without a search.
    let mut agent = SmMcts::new(&game, Settings::default());
    let last = infoset(&game, "4 3 3 4 2 2 1 1", Player(1));
    assert_eq!(agent.act(&last, &Budget::iterations(100)).unwrap().report.iterations, 0);
}

/// Equilibrium T-17: the first seat of a symmetric game wins half of the games against itself, within 4 standard
/// errors; and everybody beats random play.
#[test]
fn t_17_self_play_is_even() {
    let game = model(&goofspiel("cards=6,lowest=1,prizes=random"));
    for settings in all_methods() {
        let mut agents = [SmMcts::new(&game, settings), SmMcts::new(&game, settings)];
        let games = 100;
        let [a, b] = &mut agents;
        let results: Vec<f64> =
            (0..games).map(|i| play(&game, [&mut *a, &mut *b], Player(0), Seed(i), 100)).collect();
        let sum: f64 = results.iter().sum();
        let squares: f64 = results.iter().map(|r| r * r).sum();
        assert!(sum.abs() <= 4.0 * squares.sqrt(), "{settings:?}: {sum} in {games} games");
        let mut random = Random::default();
        let won: f64 =
            (0..100).map(|i| play(&game, [&mut *a, &mut random], Player((i % 2) as u8), Seed(i), 500)).sum();
        assert!(won > 8.0, "{settings:?}: {won} of 60 against random play");
    }
}

/// A search from the start tells strategies of both players, all of them of the game.
#[test]
fn average_strategies_are_of_both_players() {
    let game = goofspiel("cards=4,prizes=random,lowest=1");
    let tree = compiled(&game);
    let game = model(&game);
    for settings in all_methods() {
        let mut agent = SmMcts::new(&game, settings);
        agent.start(Player(1), Seed(1));
        let before = nash_conv(&tree, &agent);
        agent.prepare(&Budget::iterations(20_000));
        let mut counts = [0; 2];
        agent.average_strategies(&mut |told| {
            assert!((told.strategy.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            counts[told.seat.index()] += 1;
        });
        assert!(counts[0] > 500 && counts[0] == counts[1], "{counts:?}");
        assert!(nash_conv(&tree, &agent) < before, "{settings:?}");
    }
}
