//! The agent: budgets, seeds, memory, leaks, reports, and all kinds of games.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fogtree_core::{
    Agent, Budget, Chance, Erased, Explain, InfoSet, Model, Player, Policy, Purpose, Seed, Simulation,
    TreeLimits,
};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::matrix::{self, Matrix};
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::resistance::{self, Resistance};
use fogtree_games::tubstap::{self, Tubstap};
use fogtree_search::{BsMcts, Random};

use super::counting::assert_none_by_iterations;
use super::tables::{Table, infoset, params, play, trust_game};
use super::*;

fn every_variant() -> [Settings; 3] {
    [Variant::Original, Variant::Corrected, Variant::Literal].map(Settings::of)
}

/// `tubstap/2.7`: with the same observations and seed the decision is the same whatever the hidden truth.
#[test]
fn the_truth_does_not_leak() {
    fn check(game: &Arc<dyn Model>, seat: Player, truths: &[&str]) {
        for settings in every_variant() {
            for keys in EVERY_KEYS {
                let settings = Settings { keys, ..settings };
                for seed in 0..5 {
                    let decided = truths.iter().map(|words| {
                        let info = infoset(game, words, seat);
                        decide(&settings, &info, 400, seed)
                    });
                    let mut decided: Vec<_> = decided.map(|d| (d.action, d.report.moves)).collect();
                    let first = decided.remove(0);
                    assert!(decided.iter().all(|d| *d == first), "{settings:?}");
                }
            }
        }
    }
    check(&phantom(""), Player(0), &["b2 a1", "b2 a3", "b2 c2", "b2 b2 b1"]);
    check(&Erased::any(KuhnPoker), Player(1), &["J Q bet", "K Q bet"]);
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let game = phantom("");
    let info = infoset(&game, "b2 a1", Player(0));
    for settings in every_variant() {
        let run = |seed| decide(&settings, &info, 3000, seed).report;
        let (first, second, other) = (run(1), run(1), run(2));
        assert_eq!((&first.moves, first.nodes), (&second.moves, second.nodes));
        assert_ne!(first.moves, other.moves);
        if settings.variant != Variant::Literal {
            assert_eq!(first.iterations, 3000);
            assert_eq!(first.moves.iter().map(|m| m.visits).sum::<u64>(), 2999, "the first met the root");
            assert!(first.depth > 1);
        }
    }
}

/// `tubstap/2.6.2`, defect 2: 10 worlds of 100 iterations are 891 iterations.
#[test]
fn the_listing_stops_short() {
    let game = phantom("");
    let info = infoset(&game, "b2 a1", Player(0));
    let literal = Settings { worlds: 10, ..Settings::of(Variant::Literal) };
    let report = decide(&literal, &info, 1000, 1).report;
    assert_eq!((report.iterations, report.depth, report.nodes), (891, 1, 1));
}

#[test]
fn a_search_without_memory_goes_on() {
    let game = phantom("m=4,n=4,k=4");
    let info = infoset(&game, "", Player(0));
    for settings in every_variant() {
        let report = decide(&Settings { memory: 200_000, ..settings }, &info, 20_000, 1).report;
        assert!(report.iterations > 18_000 && report.bytes.unwrap() < 200_000, "{report:?}");
    }
}

/// Once a search has grown as far as it needs to, no iteration allocates anything.
#[test]
fn iterations_do_not_allocate() {
    fn allocations(info: &InfoSet, settings: Settings) {
        assert_none_by_iterations(&mut BsMcts::new(&info.game, settings), info, 1500, &settings);
    }
    let game = phantom("");
    for settings in every_variant() {
        for keys in EVERY_KEYS {
            let settings = Settings { keys, memory: 1 << 28, ..settings };
            allocations(&infoset(&game, "b2 a1", Player(0)), settings);
            let kuhn = Erased::any(KuhnPoker);
            allocations(&infoset(&kuhn, "J Q", Player(0)), settings);
        }
    }
}

#[test]
fn time_and_the_flag_end_a_search() {
    let game = phantom("m=4,n=4,k=4");
    let info = infoset(&game, "", Player(0));
    let mut agent = BsMcts::new(&game, corrected());
    let report = agent
        .act(&info, &Budget { time: Some(Duration::from_millis(50)), ..Budget::default() })
        .unwrap()
        .report;
    assert!(report.iterations > 100 && report.time < Duration::from_secs(5));
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let report =
        agent.act(&info, &Budget { stop, iterations: Some(1 << 40), ..Budget::default() }).unwrap().report;
    assert!(report.iterations < 1000);
}

/// Whatever the game offers is searched: chance, simultaneous moves and hidden information at once.
#[test]
fn hidden_bids_are_searched() {
    let text = "cards=5,bids=hidden,prizes=random";
    let game = Erased::any(Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap());
    assert_ne!(game.facts().chance, Chance::Never);
    let info = infoset(&game, "3 1 2 4", Player(1));
    for settings in every_variant() {
        for keys in EVERY_KEYS {
            let report = decide(&Settings { keys, ..settings }, &info, 5000, 4).report;
            assert_eq!(report.moves.len(), 4);
            assert!(settings.variant == Variant::Literal || report.depth > 2);
        }
    }
    // Whatever the other does, the second row is better.
    let rows = Erased::any(Matrix::from_params(&params(&matrix::ABOUT, "rows=[1,-1;2,0]")).unwrap());
    for settings in every_variant() {
        let info = infoset(&rows, "", Player(0));
        assert_eq!(decide(&settings, &info, 500, 1).action, info.legal[1]);
    }
}

/// Three players, each for itself: the second takes its own 2 rather than hurt the first, so `trust` is worth 9 to
/// the first.
#[test]
fn every_player_maximises_its_own_reward() {
    let game = trust_game();
    let info = infoset(&game, "", Player(0));
    for predict in [Predict::Softmax { lambda: 30.0, view: View::Own }, Predict::Bound] {
        let decision = decide(&Settings { predict, ..corrected() }, &info, 3000, 1);
        assert_eq!(game.move_name(decision.action), "trust", "{predict:?}");
    }
}

/// A search does not mind whether results are worth 1, 1/2, 0 or 1, 0, -1.
#[test]
fn the_scale_of_the_rewards_does_not_matter() {
    let games = ["reward=unit", "reward=signed"]
        .map(|text| Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, text)).unwrap()));
    for settings in every_variant() {
        for seed in 0..5 {
            let visits = games.each_ref().map(|game| {
                let info = infoset(game, "a1", Player(1));
                let report = decide(&settings, &info, 1000, seed).report;
                report.moves.iter().map(|m| m.visits).collect::<Vec<_>>()
            });
            assert_eq!(visits[0], visits[1], "{settings:?}, seed {seed}");
        }
    }
}

/// The tree that is told has all nodes, and explaining changes nothing.
#[test]
fn a_search_can_be_explained() {
    let game = phantom("");
    let info = infoset(&game, "b2 a1", Player(0));
    for keys in EVERY_KEYS {
        let settings = Settings { keys, ..corrected() };
        let plain = decide(&settings, &info, 2000, 1);
        let mut agent = BsMcts::new(&game, settings);
        agent.start(info.seat, Seed(1));
        let limits = TreeLimits { depth: 100, visits: 0 };
        let explain = Some(Explain { tree: Some(limits) });
        let told = agent.act(&info, &Budget { explain, ..Budget::iterations(2000) }).unwrap();
        assert_eq!((plain.action, &plain.report.moves), (told.action, &told.report.moves));
        assert!(plain.report.trees.is_empty() && plain.report.line.is_empty());
        let report = &told.report;
        assert_eq!(report.profile.iter().sum::<u64>(), report.nodes);
        assert_eq!(report.line[0].name, game.move_name(told.action));
        assert_eq!(report.trees.len(), if keys == Keys::Observer { 2 } else { 1 });
        let root = &report.trees[0].nodes[0];
        assert_eq!(root.visits, 2000, "{keys:?}");
        let [beliefs] = &report.beliefs[..] else { panic!("one belief is told") };
        assert!(beliefs.values.len() == 8 && beliefs.values[0].1 >= beliefs.values[7].1, "{beliefs:?}");
        let figure = |name: &str| report.figure(name).unwrap();
        assert_eq!((figure("worlds drawn"), figure("different worlds")), (64.0, 16.0));
        assert!(figure("effective worlds") > 10.0 && figure("effective worlds") <= 16.0);
    }
}

/// Where the game says what beliefs are about, the report says what is believed of that.
#[test]
fn beliefs_are_reported_by_their_names() {
    let game = Erased::any(Resistance::from_params(&params(&resistance::ABOUT, "")).unwrap());
    let mut agent = BsMcts::new(&game, corrected());
    let mut table = Table::start(&game);
    table.draw(&mut Seed(2).stream(Purpose::Deal));
    let who = table.world.turn().players().iter().next().unwrap();
    let info = table.infoset(who);
    let report = agent.act(&info, &Budget::iterations(2000)).unwrap().report;
    let [beliefs] = &report.beliefs[..] else { panic!("one belief is told") };
    let sum: f64 = beliefs.values.iter().map(|v| v.1).sum();
    assert!((sum - 1.0).abs() < 1e-9 && beliefs.values.len() > 1, "{beliefs:?}");
}

/// Games are played out by a policy of the game, if one is given.
#[test]
fn playouts_follow_a_policy_of_the_game() {
    let game = Erased::any(Tubstap::from_params(&params(&tubstap::ABOUT, tubstap::ABOUT.tiny)).unwrap());
    let info = infoset(&game, "", Player(0));
    let attack = Policy::find(game.policies(), "attack");
    assert!(attack.is_some());
    let reports = [None, attack].map(|policy| {
        let simulation = Simulation { policy, ..Simulation::UNIFORM };
        let report = decide(&Settings { simulation, ..corrected() }, &info, 500, 1).report;
        assert!(report.depth > 1);
        report.moves
    });
    assert_ne!(reports[0], reports[1]);
}

#[test]
fn it_beats_random_play_at_phantom_tic_tac_toe() {
    let game = phantom("");
    for settings in every_variant() {
        let mut agent = BsMcts::new(&game, settings);
        let mut random = Random::default();
        let games = 60;
        let total: f64 = (0..games)
            .map(|i| play(&game, [&mut agent, &mut random], Player((i % 2) as u8), Seed(i), 1000))
            .sum();
        let score = total / games as f64;
        assert!(score > 0.65, "{:?}: {score}", settings.variant);
    }
}
