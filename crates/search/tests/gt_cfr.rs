//! Growing-tree CFR on games whose values are known.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fogtree_core::{
    Agent, Budget, Deadline, Decision, Erased, InfoSet, Mixed, Model, Playable, Player, Purpose, Report,
    Seed, Turn, WorldStep,
};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::liars_dice::{self, LiarsDice};
use fogtree_games::matrix::{self, Matrix};
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::nim::{self, Nim};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_games::poker::{self, Poker};
use fogtree_search::gt_cfr::{Growth, NotWalked, Settings};
use fogtree_search::{GtCfr, Random, WholeGame};
use fogtree_solve::{Compiled, Evaluation, Profile, Solver, solve};

use common::{Table, averages, nash_conv, params, play, preset};

fn agent(game: &Arc<dyn Model>, settings: Settings) -> GtCfr {
    GtCfr::new(game, settings, Box::new(Random::default()))
}

/// The probabilities from which a move was drawn.
fn mixed(report: &Report) -> &[f64] {
    match &report.mixed {
        Some(Mixed::Found(probabilities)) => probabilities,
        other => panic!("drawn from {other:?}"),
    }
}

/// A tree grows in any game.
fn growing() -> Settings {
    Settings { whole: 0.0, ..Settings::default() }
}

fn leduc() -> Poker {
    Poker::from_params(&preset(&poker::ABOUT, "leduc-poker")).unwrap()
}

fn liars_dice(text: &str) -> LiarsDice {
    LiarsDice::from_params(&params(&liars_dice::ABOUT, text)).unwrap()
}

fn phantom(text: &str) -> Arc<dyn Model> {
    Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, text)).unwrap())
}

fn solved(game: &Arc<dyn Model>, iterations: u32) -> WholeGame {
    let mut whole = WholeGame::walk(game, 1_000_000, &Deadline::NEVER).unwrap();
    (0..iterations).for_each(|_| whole.iterate());
    whole
}

/// The first decision after a deal.
fn first_decision(game: &Arc<dyn Model>, seed: u64) -> InfoSet {
    let mut table = Table::start(game);
    table.draw(&mut Seed(seed).stream(Purpose::Deal));
    table.infoset(table.world.turn().players().iter().next().unwrap())
}

/// Kuhn 1950: -1/18. Leduc hold'em: -0.0856 (OpenSpiel's `sequence_form_lp`). One die with three faces for
/// each: 1/9 (`fogtree solve liars-dice(faces=3) --with sequence-lp`).
#[test]
fn whole_games_have_their_known_values() {
    let games = [
        (Erased::any(KuhnPoker), 2000, -1.0 / 18.0, 1e-4),
        (Erased::any(leduc()), 1000, -0.0856, 2e-3),
        (Erased::any(liars_dice("faces=3")), 2000, 1.0 / 9.0, 1e-3),
    ];
    for (game, iterations, value, precision) in games {
        let whole = solved(&game, iterations);
        assert!((whole.value() - value).abs() < precision, "{:?}: {}", game.facts(), whole.value());
        assert!(whole.exploitability() < precision, "{:?}: {}", game.facts(), whole.exploitability());
    }
}

/// Matrix games have the values that linear programmes find.
#[test]
fn matrix_games_agree_with_linear_programmes() {
    let with = Solver::from_spec(&"sequence-lp".parse().unwrap()).unwrap();
    for name in ["biased-rock-paper-scissors", "matching-pennies", "diagonal-game"] {
        check_matrix(Matrix::from_params(&preset(&matrix::ABOUT, name)).unwrap(), with);
    }
    for rows in ["rows=[3,-1,2;-2,4,0]", "rows=[1,5,2;4,0,3;2,2,6;-1,7,1]"] {
        check_matrix(Matrix::from_params(&params(&matrix::ABOUT, rows)).unwrap(), with);
    }
}

fn check_matrix(game: Matrix, with: Solver) {
    let config = fogtree_solve::Config::new(with);
    let expected = solve(&game, &config, &mut |_| {}).unwrap().values[0];
    let game = Erased::any(game);
    let whole = solved(&game, 5000);
    let scale = game.facts().utility_bounds.1 - game.facts().utility_bounds.0;
    assert!((whole.value() - expected).abs() < 1e-3 * scale, "{} {expected}", whole.value());
    let mut agent = agent(&game, Settings::default());
    let info = first_decision(&game, 1);
    agent.start(info.seat, Seed(1));
    let report = agent.act(&info, &Budget::iterations(5000)).unwrap().report;
    assert!((report.figure("value").unwrap() - expected).abs() < 1e-3 * scale);
}

/// Perfect information: tic-tac-toe is a draw; who moves first wins at nim unless the heaps add up to 0
/// without carry (Bouton 1901).
#[test]
fn games_with_perfect_information_have_their_minimax_values() {
    let game = Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap());
    assert_eq!(game.facts().players, 2);
    let whole = solved(&game, 200);
    assert!(whole.value().abs() < 0.01 && whole.exploitability() < 0.01, "{}", whole.value());
    for heaps in [[1u8, 2, 3], [1, 2, 2], [2, 2, 0], [1, 1, 3]] {
        let listed: Vec<String> = heaps.iter().filter(|h| **h > 0).map(u8::to_string).collect();
        let text = format!("heaps=[{}],reward=signed", listed.join(","));
        let game = Erased::any(Nim::from_params(&params(&nim::ABOUT, &text)).unwrap());
        let whole = solved(&game, 300);
        let expected = if heaps.iter().fold(0, |sum, h| sum ^ h) > 0 { 1.0 } else { -1.0 };
        assert!((whole.value() - expected).abs() < 0.02, "{heaps:?}: {}", whole.value());
    }
}

fn settled(mut decision: Decision) -> Decision {
    decision.report.time = Duration::ZERO;
    decision
}

/// With a budget in iterations a decision follows from the seed alone, whatever the agent did before.
#[test]
fn decisions_follow_from_the_seed() {
    for settings in [Settings::default(), growing()] {
        for game in [Erased::any(leduc()), phantom("m=3,n=3,k=3"), Erased::any(liars_dice("faces=4"))] {
            let info = first_decision(&game, 4);
            let decide = |agent: &mut GtCfr| {
                agent.start(info.seat, Seed(9));
                settled(agent.act(&info, &Budget::iterations(40)).unwrap())
            };
            let expected = decide(&mut agent(&game, settings));
            let mut used = agent(&game, settings);
            used.start(info.seat.other(), Seed(5));
            used.act(&info, &Budget { time: Some(Duration::from_millis(3)), ..Budget::default() }).unwrap();
            assert_eq!(decide(&mut used), expected);
            assert_eq!(decide(&mut used), expected);
        }
    }
}

/// The mixed strategy of a decision is the average strategy that the agent tells, and what is left of it
/// after purification adds up to 1.
#[test]
fn the_strategy_of_a_decision_is_the_average() {
    for settings in [Settings::default(), growing(), Settings { purify: 0.5, ..growing() }] {
        let game = Erased::any(leduc());
        let info = first_decision(&game, 2);
        let mut agent = agent(&game, settings);
        agent.start(info.seat, Seed(1));
        let report = agent.act(&info, &Budget::iterations(100)).unwrap().report;
        assert_eq!(report.moves.len(), info.legal.len());
        assert!((mixed(&report).iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let mut told = None;
        agent.average_strategies(&mut |habit| {
            if (habit.key, habit.seat) == (info.key, info.seat) {
                told = Some(habit.strategy.to_vec());
            }
        });
        if settings.purify == 0.0 {
            let told = told.unwrap();
            assert!(told.iter().zip(mixed(&report)).all(|(p, q)| (p - q).abs() < 1e-12));
        } else {
            let most = mixed(&report).iter().copied().fold(0.0, f64::max);
            assert!(mixed(&report).iter().all(|p| *p == 0.0 || *p >= 0.5 * most));
        }
    }
}

/// Kept solutions are at hand: once a game is solved a decision makes no iteration any more.
#[test]
fn a_solved_game_is_played_at_once() {
    let game = Erased::any(KuhnPoker);
    let mut agent = agent(&game, Settings::default());
    let info = first_decision(&game, 1);
    agent.start(info.seat, Seed(1));
    agent.act(&info, &Budget::iterations(200_000)).unwrap();
    let report = agent.act(&info, &Budget::iterations(200_000)).unwrap().report;
    assert!(report.iterations <= 1, "{}", report.iterations);
    assert!(report.figure("exploitability").unwrap() < 4e-5);
}

/// What the agent would do in every information set, asked anew each time, put together.
fn stitched<G: Playable + Clone>(game: G, settings: Settings, iterations: u64) -> f64 {
    let compiled = Compiled::of(&game, 1_000_000).unwrap();
    let mut profile = Profile::uniform(&compiled);
    let game = Erased::any(game);
    let (table, mut met) = (Table::start(&game), Default::default());
    common::each_infoset(&table, &mut met, &mut |info| {
        let mut agent = agent(&game, settings);
        agent.start(info.seat, Seed(1));
        let report = agent.act(info, &Budget::iterations(iterations)).unwrap().report;
        let set = compiled.treeplex(info.seat).find(info.key).unwrap();
        profile.set(&compiled, info.seat, set, mixed(&report));
    });
    Evaluation::of(&compiled, &profile).exploitability()
}

/// What is found decision by decision fits together, though every search grew a tree of its own.
#[test]
fn growing_trees_approach_an_equilibrium() {
    let kuhn = stitched(KuhnPoker, growing(), 500);
    assert!(kuhn < 0.02, "{kuhn}");
    let dice = |iterations| stitched(liars_dice("faces=3"), growing(), iterations);
    let (few, many) = (dice(20), dice(600));
    assert!(many < 0.03 && many < few, "{few} {many}");
}

/// Thinking ahead from the start of the game, as a tree and as a whole.
#[test]
fn thinking_ahead_approaches_an_equilibrium() {
    let compiled = Compiled::of(&leduc(), 1_000_000).unwrap();
    let game = Erased::any(leduc());
    for (settings, most) in [(Settings::default(), 0.01), (growing(), 0.2)] {
        let mut agent = agent(&game, settings);
        agent.start(Player(0), Seed(1));
        assert_eq!(agent.prepare(&Budget::iterations(1000)), 1000);
        let found = nash_conv(&compiled, &agent);
        assert!(found < 2.0 * most, "{settings:?}: {found}");
        let _ = averages(&compiled, &agent);
    }
}

/// Where the histories are too many another search decides, and says so.
#[test]
fn other_searches_decide_where_histories_are_too_many() {
    let game = phantom("m=4,n=4,k=4");
    let mut agent = agent(&game, Settings::default());
    let (mut table, mut rng) = (Table::start(&game), Seed(3).stream(Purpose::Playout));
    for _ in 0..30 {
        let Turn::Player(who) = table.world.turn() else { break };
        let own = table.infoset(who).events.len();
        if own > 12 {
            break;
        }
        let mv = *rng.pick(&table.infoset(who).legal);
        table.play(WorldStep::Moves(&[(who, mv)]));
    }
    let Turn::Player(who) = table.world.turn() else { panic!("the game is over") };
    let info = table.infoset(who);
    agent.start(who, Seed(1));
    let remark = agent.act(&info, &Budget::iterations(5)).unwrap().report.remark.unwrap();
    assert!(remark.contains("mo-ismcts") && remark.contains("too many"), "{remark}");
}

#[test]
fn whole_games_are_refused_for_a_reason() {
    let never = &Deadline::NEVER;
    let walk = |game: &Arc<dyn Model>, nodes| WholeGame::walk(game, nodes, never).unwrap_err();
    assert_eq!(walk(&Erased::any(leduc()), 1000), NotWalked::TooLarge(1000));
    assert_eq!(walk(&phantom("m=4,n=4,k=4"), 100_000), NotWalked::TooLarge(100_000));
    let dilemma = Matrix::from_params(&preset(&matrix::ABOUT, "prisoners-dilemma")).unwrap();
    assert_eq!(walk(&Erased::any(dilemma), 1000), NotWalked::NotOpposed);
    let late = Deadline::after(Some(Duration::ZERO), None);
    let found = WholeGame::walk(&Erased::any(leduc()), 1_000_000, &late);
    assert_eq!(found.unwrap_err(), NotWalked::OutOfTime);
}

/// Legal games between the agent and itself, by trees, in games with simultaneous and with hidden moves.
#[test]
fn whole_games_are_played_by_trees() {
    let settings = Settings { tree: Growth { nodes: 3000, ..Settings::default().tree }, ..growing() };
    let text = "cards=4,bids=hidden,prizes=random";
    let goofspiel =
        fogtree_games::goofspiel::Goofspiel::from_params(&params(&fogtree_games::goofspiel::ABOUT, text));
    for game in [Erased::any(goofspiel.unwrap()), phantom("m=3,n=3,k=3"), Erased::any(leduc())] {
        for seed in 0..3 {
            let [mut one, mut other] = [agent(&game, settings), agent(&game, settings)];
            play(&game, [&mut one, &mut other], Player(0), Seed(seed), 12);
        }
    }
}

/// The flag ends a walk, a tree and a long solution.
#[test]
fn a_search_stops_when_told() {
    for settings in [Settings::default(), growing()] {
        let game = Erased::any(liars_dice(""));
        let info = first_decision(&game, 1);
        let mut agent = agent(&game, settings);
        agent.start(info.seat, Seed(1));
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let setter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            flag.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let budget = Budget { iterations: Some(1_000_000_000), stop: Some(stop), ..Budget::default() };
        agent.act(&info, &budget).unwrap();
        let late = setter.join().unwrap().elapsed();
        assert!(late < Duration::from_secs(2), "{late:?}");
    }
}
