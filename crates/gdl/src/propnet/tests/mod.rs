mod invented;
mod naive;
mod sheets;

use std::time::{Duration, Instant};

use fogtree_core::{Purpose, Rng, Seed};

use super::*;
use crate::compare::{Compared, compare};
use naive::Naive;
use sheets::*;

fn sheet(text: &str) -> Sheet {
    Sheet::read(text).unwrap()
}

fn compiled(text: &str) -> Propnet {
    Propnet::new(&sheet(text), &Budget::default()).unwrap()
}

fn refusal(text: &str) -> Refusal {
    Propnet::new(&sheet(text), &Budget::default()).unwrap_err()
}

fn rng(seed: u64) -> Rng {
    Seed(seed).stream(Purpose::Playout)
}

/// Both ways of evaluation against the naive reasoner.
fn agrees(text: &str, games: usize, limit: usize) -> Compared {
    let sheet = sheet(text);
    let mut net = Propnet::new(&sheet, &Budget::default()).unwrap();
    let naive = Naive::new(&sheet, net.shared_terms());
    let all = [Evaluation::Forward, Evaluation::Differential].map(|evaluation| {
        net.set_evaluation(evaluation);
        compare(&net, &naive, games, limit, &mut rng(1)).unwrap_or_else(|d| panic!("{evaluation:?}: {d}"))
    });
    assert_eq!(all[0], all[1]);
    all[0]
}

#[test]
fn tic_tac_toe_agrees_with_the_naive_reasoner() {
    assert_eq!(agrees(TIC_TAC_TOE, 20, 20).over, 20);
}

#[test]
fn phantom_tic_tac_toe_agrees_percepts_included() {
    assert_eq!(agrees(PHANTOM, 20, 20).over, 20);
}

#[test]
fn circles_nested_terms_and_constants_agree() {
    assert_eq!(agrees(ISLANDS, 60, 20).over, 60);
    let net = compiled(ISLANDS);
    assert!(net.size().circular);
    assert_eq!(net.evaluation(), Evaluation::Forward, "circles cannot be followed by differences");
    let always = net.terms().parse("(flag always)").unwrap();
    assert_eq!(net.compiled.network.always, [always]);
}

#[test]
fn connect_four_agrees() {
    agrees(CONNECT_FOUR, 2, 20);
}

#[test]
fn small_breakthrough_agrees() {
    agrees(&breakthrough(4), 5, 40);
}

#[test]
fn chance_simultaneous_moves_and_legal_moves_without_conditions_agree() {
    assert_eq!(agrees(PENNIES, 20, 10).over, 20);
}

/// Whatever clause one of two reasoners lacks, the comparison finds out.
#[test]
fn a_dropped_clause_is_always_noticed() {
    for (text, games) in [(PHANTOM, 400), (ISLANDS, 400), (PENNIES, 50)] {
        let whole = sheet(text);
        let net = Propnet::new(&whole, &Budget::default()).unwrap();
        for dropped in 0..whole.clauses.len() {
            let mut faulty = whole.clone();
            let clause = faulty.clauses.remove(dropped);
            let faulty = Propnet::new(&faulty, &Budget::default()).unwrap();
            let outcome = compare(&net, &faulty, games, 30, &mut rng(2));
            let written = &whole.text[clause.span.range()];
            assert!(outcome.is_err(), "nobody misses {written}");
        }
    }
}

#[test]
fn a_difference_says_where_it_is() {
    let whole = sheet(TIC_TAC_TOE);
    let mut faulty = whole.clone();
    faulty.clauses.retain(|c| !whole.text[c.span.range()].starts_with("(<= (next (cell ?a ?b ?p)) (does"));
    let [a, b] = [&whole, &faulty].map(|s| Propnet::new(s, &Budget::default()).unwrap());
    let difference = compare(&a, &b, 1, 9, &mut rng(0)).unwrap_err();
    assert_eq!((difference.question.as_str(), difference.moves.len()), ("fluents", 1));
    assert!(difference.to_string().contains("after 1 steps: [(mark"), "{difference}");
}

/// 64.84 : 35.16 after 10.53 steps is exact for uniformly random players of this game.
#[test]
fn random_play_has_the_exact_mean_one_by_one_and_in_batches() {
    let net = compiled(PHANTOM);
    let start = net.initial().unwrap();
    let games = 20_000;
    let near = |steps: usize, goals: [f64; 2], way: &str| {
        let mean = |sum: f64| sum / games as f64;
        assert!((mean(steps as f64) - 10.53).abs() < 0.1, "{way}: {} steps", mean(steps as f64));
        assert!((mean(goals[0]) - 64.84).abs() < 1.5, "{way}: {}", mean(goals[0]));
        assert_eq!(goals[0] + goals[1], 100.0 * games as f64);
    };
    let (mut steps, mut goals, mut values) = (0, [0.0; 2], Vec::new());
    let (mut simulator, mut random) = (net.simulator(), rng(3));
    for _ in 0..games {
        let (length, end) = simulator.playout(&start, 20, &mut random);
        assert_eq!(end, End::Over);
        assert!((5..=17).contains(&length));
        simulator.goals(&mut values);
        steps += length;
        values.iter().zip(&mut goals).for_each(|(v, g)| *g += f64::from(v.unwrap()));
    }
    near(steps, goals, "one by one");
    let (mut count, mut steps, mut goals) = (0, 0, [0.0; 2]);
    net.batch().playouts(&start, games, 20, &mut random, |length, end, values| {
        assert_eq!(end, End::Over);
        assert!((5..=17).contains(&length));
        count += 1;
        steps += length;
        values.iter().zip(&mut goals).for_each(|(v, g)| *g += f64::from(v.unwrap()));
    });
    assert_eq!(count, games);
    near(steps, goals, "in batches");
}

#[test]
fn simulated_games_can_be_too_long_or_stuck() {
    let net = compiled(
        "(role a) (init (n 0)) (<= (legal a go) (true (n 0))) (<= (next (n 0)) (true (n 0)) (does a go))
        (<= terminal (true (n 1))) (goal a 50)",
    );
    let start = net.initial().unwrap();
    assert_eq!(net.simulator().playout(&start, 7, &mut rng(0)), (7, End::TooLong));
    let net = compiled("(role a) (init (n 0)) (<= (legal a go) (true (n 0))) (<= (next (n 1)) (does a go))");
    let start = net.initial().unwrap();
    assert_eq!(net.simulator().playout(&start, 7, &mut rng(0)), (1, End::Stuck));
    let mut ends = Vec::new();
    net.batch()
        .playouts(&start, 3, 7, &mut rng(0), |steps, end, goals| ends.push((steps, end, goals.to_vec())));
    assert_eq!(ends, vec![(1, End::Stuck, vec![None]); 3]);
}

#[test]
fn what_is_not_in_the_game_is_unknown() {
    let net = compiled(TIC_TAC_TOE);
    let term = |text: &str| net.terms().parse(text).unwrap();
    let start = net.initial().unwrap();
    let unknown = net.next(&start, &[term("(mark 1 x)"), term("noop")]);
    assert_eq!(unknown, Err(ReasonerError::Unknown("(mark 1 x)".into())));
    assert_eq!(net.next(&start, &[term("noop")]), Err(ReasonerError::JointMove { roles: 2, moves: 1 }));
    assert_eq!(net.state(&[term("(cell 1 1 1)")]), Err(ReasonerError::Unknown("(cell 1 1 1)".into())));
    assert_eq!(net.goal(&start, 0), Ok(50));
}

#[test]
fn what_cannot_be_compiled_is_refused_with_the_reason() {
    let unsafe_rule = refusal("(role a) (<= (legal a ?m) (role ?r))");
    assert_eq!(unsafe_rule.to_string(), "nothing gives the variable ?m a value");
    assert!(!unsafe_rule.is_budget());
    let paradox = "(role a) (init p) (<= (q ?x) (true ?x) (not (q ?x))) (<= (legal a ?x) (q ?x))";
    assert_eq!(refusal(paradox), Refusal::Unstratified("q".into()));
    let paradox = "(role a) (p 1) (<= (q ?x) (p ?x) (not (q ?x))) (<= (legal a ?x) (q ?x))";
    assert_eq!(refusal(paradox), Refusal::Unstratified("q".into()));
    let late = "(role a) (init p) (<= (legal a x) (true p)) (<= (legal a y) (does a x))";
    assert!(matches!(refusal(late), Refusal::Dependent(_)));
    let late = "(role a) (init p) (<= (init q) (true p))";
    assert_eq!(refusal(late), Refusal::Dependent("init".into()));
    assert!(matches!(refusal("(role a) (true p)"), Refusal::Misplaced { .. }));
}

#[test]
fn budgets_are_kept() {
    let text = breakthrough(6);
    let limited = |budget| Propnet::new(&sheet(&text), &budget).unwrap_err();
    let budget = Budget::default();
    assert_eq!(limited(Budget { facts: 1000, ..budget }), Refusal::Facts(1000));
    assert_eq!(limited(Budget { instances: 500, ..budget }), Refusal::Instances(500));
    assert_eq!(limited(Budget { time: Duration::ZERO, ..budget }), Refusal::Time(Duration::ZERO));
    let product = "(role a) (init (n 0)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
        (<= (legal a (m ?a ?b ?c ?d ?e ?f ?g ?h ?i)) (true (n 0)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g)
            (d ?h) (d ?i))";
    let budget = Budget { instances: 10_000, ..budget };
    let refused = Propnet::new(&sheet(product), &budget).unwrap_err();
    assert_eq!(refused.to_string(), "grounding was given up: the rules have more than 10000 instances");
    assert!(refused.is_budget());
}

const ENDLESS: &str = "(role a) (init (n z)) (legal a go)
    (<= (next (n (s ?x))) (true (n ?x)) (does a go))
    (<= terminal (true (n (s (s (s z))))))
    (<= (goal a 100) terminal) (<= (goal a 0) (not terminal))";

#[test]
fn endless_terms_are_refused_unless_the_sheet_declares_which_there_are() {
    assert!(refusal(ENDLESS).is_budget());
    let declared = format!(
        "{ENDLESS} (base (n z)) (base (n (s z))) (base (n (s (s z)))) (base (n (s (s (s z))))) (input a go)"
    );
    assert_eq!(agrees(&declared, 1, 10).steps, 3);
    assert!(compiled(&declared).size().confined);
}

/// Declarations that are not needed are not believed, so wrong ones do no harm.
#[test]
fn wrong_declarations_do_no_harm_where_grounding_ends() {
    let text = format!("{TIC_TAC_TOE} (base (control x)) (input x noop)");
    assert_eq!(agrees(&text, 3, 20).over, 3);
}

#[test]
fn invented_sheets_agree_with_the_naive_reasoner() {
    let (mut circular, mut steps) = (0, 0);
    for seed in 0..60 {
        let text = invented::sheet(&mut rng(seed));
        let sheet = sheet(&text);
        let mut net =
            Propnet::new(&sheet, &Budget::default()).unwrap_or_else(|r| panic!("{seed}: {r}\n{text}"));
        circular += usize::from(net.size().circular);
        let naive = Naive::new(&sheet, net.shared_terms());
        for evaluation in [Evaluation::Forward, Evaluation::Differential] {
            net.set_evaluation(evaluation);
            let compared = compare(&net, &naive, 2, 4, &mut rng(seed));
            steps += compared.unwrap_or_else(|d| panic!("{seed}: {d}\n{text}")).steps;
        }
    }
    assert!(circular > 5 && steps > 500, "{circular} of 60 have circles, {steps} steps");
}

#[test]
fn many_threads_share_one_reasoner() {
    let net = compiled(PHANTOM);
    let alone = compare(&net, &net, 20, 20, &mut rng(8)).unwrap();
    let play = || compare(&net, &net, 20, 20, &mut rng(8)).unwrap();
    let all: Vec<Compared> = std::thread::scope(|s| {
        let threads: Vec<_> = (0..4).map(|_| s.spawn(play)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(all, [alone; 4]);
}

/// More nodes than sixteen bits can number.
#[test]
fn networks_of_any_width_agree() {
    let mut text = String::from(
        "(role a) (init even)
         (<= (legal a (pick ?i ?j)) (index ?i) (index ?j) (true even))
         (<= (legal a (pick ?i ?i)) (index ?i) (true (picked ?i ?i)))
         (<= (legal a (pick ?j ?i)) (index ?i) (true (picked ?i ?j)) (distinct ?i ?j))
         (<= (next (picked ?i ?j)) (does a (pick ?i ?j)))
         (<= (next odd) (true even)) (<= (next even) (true odd))
         (<= terminal (true (picked ?i ?i))) (goal a 50) ",
    );
    (0..150).for_each(|i| text += &format!("(index {i})"));
    let compared = agrees(&text, 1, 2);
    assert_eq!(compared.steps, 2);
    let net = compiled(&text);
    assert!(net.compiled.network.inputs.len() > 1 << 15);
    let mut lengths = Vec::new();
    let start = net.initial().unwrap();
    net.batch().playouts(&start, 100, 10, &mut rng(1), |steps, _, _| lengths.push(steps));
    assert_eq!(lengths.len(), 100);
    assert!(
        lengths.iter().filter(|&&l| l == 10).count() > 70,
        "150 picks of 22500 end the match: {lengths:?}"
    );
}

#[test]
fn rules_without_end_are_refused() {
    let body = "(true p) (true q) ".repeat(1000);
    let refused = refusal(&format!("(role a) (init p) (<= (legal a x) {body})"));
    assert!(matches!(refused, Refusal::TooLong { .. }));
}

fn public_sheets() -> Vec<(String, Sheet)> {
    let Ok(directory) = std::env::var("FOGTREE_GDL_SHEETS") else {
        return Vec::new();
    };
    let mut paths: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|p| p.extension().is_some_and(|e| e == "gdl" || e == "kif"));
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Sheet::read_bytes(&std::fs::read(path).unwrap()).unwrap())
    };
    paths.iter().map(read).collect()
}

/// The sheets in the directory that the environment variable `FOGTREE_GDL_SHEETS` names: each is compiled and
/// agrees with the naive reasoner, or is refused for its size.
#[test]
fn public_sheets_agree_or_are_too_large() {
    for (name, sheet) in public_sheets() {
        match Propnet::new(&sheet, &Budget { instances: 500_000, ..Budget::default() }) {
            Err(refusal) => assert!(refusal.is_budget(), "{name}: {refusal}"),
            Ok(mut net) => {
                net.set_evaluation(Evaluation::Differential);
                let steps = if net.size().instances > 3000 { 2 } else { 20 };
                let naive = Naive::new(&sheet, net.shared_terms());
                compare(&net, &naive, 1, steps, &mut rng(4)).unwrap_or_else(|d| panic!("{name}: {d}"));
                let mut forward =
                    Propnet::with_terms(&sheet, net.shared_terms(), &Budget::default()).unwrap();
                forward.set_evaluation(Evaluation::Forward);
                compare(&net, &forward, 10, 200, &mut rng(5)).unwrap_or_else(|d| panic!("{name}: {d}"));
            }
        }
    }
}

/// Prints sizes and joint moves per second of random play: `cargo test --release -p fogtree-gdl --lib speed --
/// --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let own = [
        ("tic-tac-toe", TIC_TAC_TOE.to_string()),
        ("phantom tic-tac-toe", PHANTOM.to_string()),
        ("connect four", CONNECT_FOUR.to_string()),
        ("breakthrough", breakthrough(8)),
    ];
    let own = own.into_iter().map(|(name, text)| (name.to_string(), sheet(&text)));
    for (name, sheet) in own.chain(public_sheets()) {
        let mut net = match Propnet::new(&sheet, &Budget::default()) {
            Ok(net) => net,
            Err(refusal) => {
                println!("{name}: {refusal}");
                continue;
            }
        };
        println!("{name}: {:?}, {:?}", net.evaluation(), net.size());
        let start = net.initial().unwrap();
        for evaluation in [Evaluation::Forward, Evaluation::Differential] {
            net.set_evaluation(evaluation);
            let (mut simulator, mut random, mut goals) = (net.simulator(), rng(6), Vec::new());
            let (mut steps, began) = (0, Instant::now());
            while began.elapsed() < Duration::from_millis(500) {
                steps += simulator.playout(&start, 1000, &mut random).0;
                simulator.goals(&mut goals);
            }
            println!("    {:?}: {:.0}/s", net.evaluation(), steps as f64 / began.elapsed().as_secs_f64());
        }
        let (mut batch, mut random) = (net.batch(), rng(7));
        let (mut steps, began) = (0, Instant::now());
        while began.elapsed() < Duration::from_millis(500) {
            batch.playouts(&start, 640, 1000, &mut random, |length, _, _| steps += length);
        }
        println!("    64 at once: {:.0}/s", steps as f64 / began.elapsed().as_secs_f64());
    }
}

/// A rule over six fluents that have little to do with one another has too many instances unless it is split.
#[test]
fn rules_with_many_variables_are_split() {
    let mut text =
        String::from("(role a) (init (c1 0)) (init (c2 0)) (init (c3 0)) (init (c4 0)) (init (c5 0)) ");
    for i in 0..19 {
        text += &format!("(succ {i} {}) ", i + 1);
    }
    for c in 1..=5 {
        text += &format!(
            "(<= (legal a (up c{c})) (true (c{c} ?x)) (succ ?x ?y))
             (<= (next (c{c} ?y)) (true (c{c} ?x)) (succ ?x ?y) (does a (up c{c})))
             (<= (next (c{c} ?x)) (true (c{c} ?x)) (not (does a (up c{c})))) "
        );
    }
    text += "(<= (big ?x) (succ ?y ?x) (distinct ?y 0))
        (<= terminal (true (c1 ?p)) (big ?p) (true (c2 ?q)) (big ?q) (true (c3 ?r)) (distinct ?r 0) (true (c4 ?s))
            (true (c5 ?t)) (or (distinct ?s ?t) (not (big ?s))))
        (<= (goal a ?x) (true (c1 ?x)) (true (c2 ?q)) (true (c3 ?r)) (true (c4 ?s)) (true (c5 ?t)))";
    let sheet = sheet(&text);
    let budget = Budget { instances: 50_000, ..Budget::default() };
    let net = Propnet::new(&sheet, &budget).unwrap();
    assert!(net.size().instances < 5000, "{:?}", net.size());
    let naive = Naive::new(&sheet, net.shared_terms());
    assert_eq!(compare(&net, &naive, 2, 40, &mut rng(0)).unwrap().over, 2);
}
