//! What searches learn from playouts, against what the sources say and against one another.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fogtree_core::{
    Agent, Budget, Erased, Explain, InfoSet, Model, Player, Purpose, Report, Seed, TreeLimits, Turn,
};
use fogtree_games::connect_four::{self, ConnectFour};
use fogtree_games::dou_di_zhu::{self, DouDiZhu};
use fogtree_games::goofspiel::{self, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_games::mnk::{self, SmallMnk};
use fogtree_games::nannon::{self, Nannon};
use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};
use fogtree_search::ismcts::{Config, Ismcts, Observers, Select, Simultaneous};
use fogtree_search::learn::rave_weight;

mod common;
#[path = "common/allocations.rs"]
mod counting;

use common::{Table, decide_by_ismcts as decide, infoset, params};
use counting::assert_none_by_iterations;

/// The names of Whitehouse 2014, Table 8.1.
const TABLE: [&str; 16] =
    ["-", "E", "R", "ER", "M", "EM", "RM", "ERM", "L", "EL", "RL", "ERL", "ML", "EML", "RML", "ERML"];

/// One of everything, alone and together.
const EVERYTHING: &[&str] = &[
    "mast",
    "mast(policy=ucb1)",
    "mast(policy=greedy,explore=all)",
    "mast(policy=roulette)",
    "to-mast",
    "nast(n=2)",
    "nast(n=3,policy=gibbs)",
    "nast(n=5,backoff=20)",
    "past",
    "past(least=0,policy=ucb1)",
    "fast",
    "fast(policy=greedy,lambda=0.5)",
    "tiles",
    "lgr",
    "lgrf",
    "epic",
    "nast(n=3,backoff=5)+nast(n=2)",
    "epic|lgrf",
    "amaf > lgrf",
    "rave",
    "bias(w=2)",
    "unprune",
    "unprune(first=2,after=5)^bias > mast",
    "history > mast",
    "fuzzy",
    "fuzzy(n=3,k=5)^bias > nast(n=3,backoff=1)",
    "mast|lgrf|epic",
    "2*base|1*rave > past|fast > fast|nast",
    "0.3*nast(n=2)^0.7*base > mast(policy=ucb1)^epic",
    "0.1*mast+0.9*base",
    "base > mast > nast",
    "base > epic > epic+lgrf",
    "ERML",
    "auto",
    "auto(watch=0.5,least=0,keep=yes)",
];

fn config(observers: Observers, enhance: &str) -> Config {
    let enhance = enhance.parse().unwrap_or_else(|e| panic!("{enhance}: {e}"));
    Config { memory: 1 << 26, enhance, ..Config::new(observers) }
}

/// The moves' statistics, with several observers.
fn report(enhance: &str, info: &InfoSet, n: u64, seed: u64) -> Report {
    decide(&info.game, config(Observers::Multiple, enhance), info, n, seed).report
}

fn tic_tac_toe() -> Arc<dyn Model> {
    Erased::any(SmallMnk::from_params(&params(&mnk::ABOUT, "")).unwrap())
}

fn phantom() -> Arc<dyn Model> {
    Erased::any(PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap())
}

fn landlord() -> Arc<dyn Model> {
    Erased::any(DouDiZhu::from_params(&params(&dou_di_zhu::ABOUT, "ranks=4,copies=2,hand=3")).unwrap())
}

/// What who moves after the first rolls of Nannon knows.
fn rolled() -> InfoSet {
    let game = Erased::any(Nannon::from_params(&params(&nannon::ABOUT, "")).unwrap());
    let mut table = Table::start(&game);
    table.draw(&mut Seed(1).stream(Purpose::Deal));
    let Turn::Player(who) = table.world.turn() else { panic!("somebody moves") };
    table.infoset(who)
}

/// The landlord's first decision with the first deal.
fn lead(game: &Arc<dyn Model>) -> InfoSet {
    let mut table = Table::start(game);
    table.draw(&mut Seed(4).stream(Purpose::Deal));
    table.infoset(Player(0))
}

/// `icarus/ORACLE-6`: sqrt(k / (3n + k)) at k = 250.
#[test]
fn rave_fades_as_printed() {
    for (n, weight) in [(1.0, 0.99405), (10.0, 0.94491), (100.0, 0.67420), (250.0, 0.5), (1000.0, 0.27735)] {
        assert!((rave_weight(250.0, n) - weight).abs() < 1e-5, "{n}");
    }
}

/// `icarus/ORACLE-12`: the baseline in ICARUS' own terms, the greatest of the values of all legal moves, decides as the
/// engine does without, move by move under one seed; RAVE that counts for nothing likewise.
#[test]
fn the_baseline_by_its_values_is_the_engine() {
    fn same(info: &InfoSet) {
        for observers in [Observers::Single, Observers::Multiple] {
            for seed in 0..5 {
                let plain = decide(&info.game, config(observers, "-"), info, 2000, seed);
                for text in ["base^base > base", "bias(w=0)"] {
                    let valued = decide(&info.game, config(observers, text), info, 2000, seed);
                    assert_eq!(plain.report.moves, valued.report.moves, "{text} {observers:?} {seed}");
                    assert_eq!(plain.action, valued.action);
                }
            }
        }
    }
    same(&infoset(&tic_tac_toe(), "b2", Player(1)));
    same(&infoset(&Erased::any(KuhnPoker), "K Q", Player(0)));
    // Here legal moves differ from world to world.
    same(&infoset(&phantom(), "b2 a1", Player(0)));
}

/// The same for what is learnt and does not count, in games whose playouts are the usual ones.
#[test]
fn what_counts_for_nothing_changes_nothing() {
    fn same(info: &InfoSet) {
        for seed in 0..3 {
            let plain = report("-", info, 1000, seed);
            for text in [
                "rave(k=0)",
                "history(w=0)",
                // `icarus/ORACLE-15`: a weight of 0 in a linear combination.
                "0*mast+1*base",
                "0*nast(n=2)+0*epic+0*lgrf+1*base",
                "base > 0*mast+1*uniform",
            ] {
                let learned = report(text, info, 1000, seed);
                assert_eq!(plain.moves, learned.moves, "{text}, seed {seed}");
                assert!(!learned.figures.is_empty());
            }
        }
    }
    same(&infoset(&Erased::any(KuhnPoker), "K Q", Player(0)));
    same(&rolled());
}

/// `icarus/ORACLE-15`: `base > X` leaves the tree alone, whatever X is. At the last decision of Kuhn poker there is no
/// simulation, so nothing at all may change.
#[test]
fn what_is_below_the_tree_leaves_the_tree_alone() {
    let game = Erased::any(KuhnPoker);
    let info = infoset(&game, "Q K check bet", Player(0));
    for seed in 0..5 {
        let plain = report("-", &info, 500, seed);
        for text in ["mast", "nast(n=2)", "lgrf", "epic", "past", "fast", "tiles", "EML"] {
            assert_eq!(plain.moves, report(text, &info, 500, seed).moves, "{text}");
        }
    }
}

/// `icarus/ORACLE-13`, and other ways to say the same: under one seed they are one search.
#[test]
fn different_names_of_one_search() {
    fn same(info: &InfoSet, one: &str, other: &str) {
        for seed in 0..3 {
            let [a, b] = [one, other].map(|text| report(text, info, 1500, seed).moves);
            assert_eq!(a, b, "{one} and {other}");
            assert_ne!(a, report("-", info, 1500, seed).moves, "{one} does something");
        }
    }
    let mast = "mast(policy=ucb1)";
    let game = phantom();
    let info = infoset(&game, "b2 a1", Player(0));
    same(&info, "nast(n=1)", mast);
    same(&info, "nast(n=1,policy=greedy)", "mast(policy=greedy)");
    same(&info, "nast(n=2,backoff=4294967295)", mast);
    same(&info, "fast(lambda=1,step=0,policy=ucb1)", mast);
    same(&info, "base > mast", "M");
    // A game without episodes has a single label.
    let game = tic_tac_toe();
    let info = infoset(&game, "b2", Player(1));
    same(&info, "past(policy=ucb1)", mast);
    let game = landlord();
    same(&lead(&game), "nast(n=1)", mast);
}

/// Where games have features PAST and FAST use them.
#[test]
fn features_count_where_there_are_any() {
    let game = landlord();
    let info = lead(&game);
    let moves = |text: &str| report(text, &info, 1500, 1).moves;
    assert_ne!(moves("past"), moves("past(least=1000000)"));
    assert_ne!(moves("fast(lambda=1,step=0,policy=ucb1)"), moves("mast(policy=ucb1)"));
}

/// Whitehouse 2014, §8.2.5: all sixteen combinations converge to the right move where nothing is hidden.
#[test]
fn every_combination_finds_the_minimax_move() {
    let game = tic_tac_toe();
    // X in opposite corners, O in the centre: a corner loses to a fork, a side draws.
    let info = infoset(&game, "a1 b2 c3", Player(1));
    // With weights that do not vanish there is no such promise.
    let fades = |text: &&&str| !["0.3*", "0.1*", "amaf"].iter().any(|w| text.starts_with(w));
    for text in TABLE.iter().chain(EVERYTHING.iter().filter(fades)) {
        let action = decide(&game, config(Observers::Multiple, text), &info, 10_000, 1).action;
        let name = game.move_name(action);
        assert!(["b1", "a2", "c2", "b3"].contains(&name.as_str()), "{text} plays {name}");
    }
    // Four in a row on a narrow board: the only way not to lose is to block.
    let game = Erased::any(ConnectFour::from_params(&params(&connect_four::ABOUT, "")).unwrap());
    let info = infoset(&game, "4 3 4 3 4", Player(1));
    for text in TABLE {
        let action = decide(&game, config(Observers::Multiple, text), &info, 5000, 1).action;
        assert_eq!(game.move_name(action), "4", "{text}");
    }
}

/// Every component and observer, where moves are hidden, simultaneous, or chance's; with and without threads. The same
/// seed gives the same search.
#[test]
fn everything_is_played_everywhere_and_reproducibly() {
    fn all(info: &InfoSet, n: u64) {
        for observers in [Observers::Single, Observers::Partial, Observers::Multiple] {
            for text in EVERYTHING {
                for (select, threads) in [(Select::Ucb1, 1), (Select::Tuned, 2)] {
                    let simultaneous = if threads == 1 { Simultaneous::Exp3 } else { Simultaneous::Ucb1 };
                    let config = Config { threads, select, simultaneous, ..config(observers, text) };
                    let run = |seed| decide(&info.game, config, info, n, seed).report;
                    let (first, second) = (run(1), run(1));
                    assert_eq!(first.moves, second.moves, "{text} {observers:?}");
                    assert_eq!(first.figures, second.figures);
                    assert_eq!(first.moves.iter().map(|m| m.visits).sum::<u64>(), n, "{text} {observers:?}");
                }
            }
        }
    }
    let game = phantom();
    all(&infoset(&game, "b2 a1", Player(0)), 150);
    let text = "cards=4,bids=hidden,prizes=random";
    let game = Erased::any(Goofspiel::from_params(&params(&goofspiel::ABOUT, text)).unwrap());
    all(&infoset(&game, "3", Player(1)), 150);
    let game = landlord();
    all(&lead(&game), 150);
}

/// Records are for one decision unless they are to be kept, and it is told how many there are. The longer n-grams, the
/// fewer trials each has (`icarus/EXP-P.3`).
#[test]
fn records_are_counted_and_live_as_long_as_they_should() {
    let game = phantom();
    let info = infoset(&game, "b2 a1", Player(0));
    let figure = |report: &Report, name: &str| {
        report
            .figures
            .iter()
            .find(|f| f.0 == name)
            .unwrap_or_else(|| panic!("{name} in {:?}", report.figures))
            .1
    };
    let trials: Vec<f64> = (1..=4)
        .map(|n| figure(&report(&format!("nast(n={n})"), &info, 2000, 1), &format!("nast-{n} trials")))
        .collect();
    assert!(trials.windows(2).all(|w| w[0] > 2.0 * w[1]), "{trials:?}");
    for (keep, more) in [("no", false), ("yes", true)] {
        for (text, name) in
            [("mast(tau=1", "mast trials"), ("nast(n=3", "nast-3 trials"), ("epic(c=1", "epic records")]
        {
            let text = format!("{text},keep={keep})");
            let mut agent = Ismcts::new(&game, config(Observers::Multiple, &text));
            agent.start(Player(0), Seed(1));
            let [first, second] = [1, 2].map(|_| agent.act(&info, &Budget::iterations(500)).unwrap().report);
            let [a, b] = [&first, &second].map(|report| figure(report, name));
            assert_eq!(b > 1.3 * a, more, "{text}: {a} then {b}");
            agent.start(Player(0), Seed(1));
            let again = agent.act(&info, &Budget::iterations(500)).unwrap().report;
            assert_eq!((again.moves, again.figures), (first.moves, first.figures), "a new game begins anew");
        }
    }
}

/// UCB1-Tuned searches, and otherwise than UCB1 does.
#[test]
fn the_tuned_bound_decides_rightly() {
    let game = tic_tac_toe();
    let info = infoset(&game, "a1 b2 c3", Player(1));
    for observers in [Observers::Single, Observers::Multiple] {
        let tuned = Config { select: Select::Tuned, ..config(observers, "-") };
        let decision = decide(&game, tuned, &info, 10_000, 1);
        let name = game.move_name(decision.action);
        assert!(["b1", "a2", "c2", "b3"].contains(&name.as_str()), "{name}");
        assert_ne!(
            decision.report.moves,
            decide(&game, config(observers, "-"), &info, 10_000, 1).report.moves
        );
    }
}

/// Once a search has grown as far as it needs to, no iteration allocates anything.
#[test]
fn iterations_do_not_allocate() {
    fn allocations(info: &InfoSet, config: Config) {
        assert_none_by_iterations(&mut Ismcts::new(&info.game, config), info, 1500, &config.enhance);
    }
    let (info, lead) = (infoset(&phantom(), "b2 a1", Player(0)), lead(&landlord()));
    for text in EVERYTHING {
        for observers in [Observers::Single, Observers::Partial, Observers::Multiple] {
            allocations(&info, config(observers, text));
            allocations(&lead, config(observers, text));
        }
    }
}

/// A flag and a deadline end all threads, and what they searched is told.
#[test]
fn threads_end_with_the_search() {
    let game = phantom();
    let info = infoset(&game, "b2 a1", Player(0));
    let config = Config { threads: 4, ..config(Observers::Multiple, "mast+lgrf+epic") };
    let mut agent = Ismcts::new(&game, config);
    agent.start(Player(0), Seed(1));
    let explain = Some(Explain { tree: Some(TreeLimits::NONE) });
    let stop = Arc::new(AtomicBool::new(false));
    let began = Instant::now();
    let stopped = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(40));
            stop.store(true, Ordering::Relaxed);
        });
        agent.act(&info, &Budget { stop: Some(Arc::clone(&stop)), explain, ..Budget::default() })
    });
    let timed =
        agent.act(&info, &Budget { time: Some(Duration::from_millis(40)), explain, ..Budget::default() });
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    for decision in [stopped, timed] {
        let report = decision.unwrap().report;
        assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), report.iterations);
        assert!(report.iterations >= 4 && !report.trees.is_empty() && !report.line.is_empty());
    }
}
