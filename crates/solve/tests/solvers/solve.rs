//! From a name to a strategy file and back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fogtree_games::goofspiel::{ABOUT, Goofspiel};
use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_solve::backward::NotBackward;
use fogtree_solve::lp::NoSolution;
use fogtree_solve::strategy::BadStrategy;
use fogtree_solve::{
    Compiled, Config, Evaluation, Outcome, Refusal, Solver, StrategyFile, Unsolved, solve, solver,
};

fn config(solver: &str) -> Config {
    Config::new(Solver::from_spec(&solver.parse().unwrap()).unwrap())
}

#[test]
fn every_solver_solves_what_it_can() {
    for about in solver::ALL {
        let outcome = solve(&KuhnPoker, &config(about.name), &mut |_| ());
        if about.name.contains("backward") || ["bi-alpha-beta", "double-oracle"].contains(&about.name) {
            assert!(matches!(outcome, Err(Unsolved::NotBackward(_))), "{}", about.name);
            continue;
        }
        let outcome = outcome.unwrap();
        let most = if about.name.ends_with("mccfr") { 0.6 } else { 0.05 };
        assert!(outcome.nash_conv.unwrap() < most, "{}: {:?}", about.name, outcome.nash_conv);
        assert!((outcome.values[0] + outcome.values[1]).abs() < 1e-9);
        assert!((outcome.values[0] + 1.0 / 18.0).abs() < most);
    }
}

#[test]
fn backward_induction_gives_strategies_too() {
    let spec = "goofspiel(cards=4,lowest=1,reward=points,prizes=[2,4,1,3])".parse().unwrap();
    let rules = Goofspiel::from_params(&ABOUT.params(&spec).unwrap()).unwrap();
    for name in ["backward-induction", "bi-alpha-beta", "double-oracle"] {
        let outcome = solve(&rules, &config(name), &mut |_| ()).unwrap();
        assert!(outcome.nash_conv.unwrap() < 1e-8 && outcome.values[0].abs() < 1e-9, "{name}: {outcome:?}");
    }
}

#[test]
fn limits_are_kept_and_progress_is_told() {
    let mut told = Vec::new();
    let iterations = Config { iterations: Some(100), ..config("cfr+") };
    let outcome = solve(&KuhnPoker, &iterations, &mut |p| told.push(*p)).unwrap();
    assert_eq!((outcome.iterations, told[0].iterations, told[told.len() - 1].iterations), (100, 1, 100));
    assert!(told.is_sorted_by(|a, b| a.iterations < b.iterations && a.seconds <= b.seconds));
    assert_eq!(told[told.len() - 1].nash_conv, outcome.nash_conv.unwrap());

    let target = Config { target: Some(0.01), ..config("cfr+") };
    assert!(solve(&KuhnPoker, &target, &mut |_| ()).unwrap().exploitability().unwrap() <= 0.01);
    let time = Config { time: Some(Duration::from_millis(20)), ..config("es-mccfr") };
    let outcome = solve(&KuhnPoker, &time, &mut |_| ()).unwrap();
    assert!(outcome.seconds >= 0.02 && outcome.iterations > 10);
}

/// Solvers that iterate have a result when they are stopped, the others say that they have none.
#[test]
fn every_solver_stops_when_told_to() {
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let spec = "goofspiel(cards=5)".parse().unwrap();
    let goofspiel = Goofspiel::from_params(&ABOUT.params(&spec).unwrap()).unwrap();
    let stopped = |name: &str| Config { stop: stop.clone(), ..config(name) };
    for about in solver::ALL {
        let outcome = solve(&goofspiel, &stopped(about.name), &mut |_| ());
        assert!(
            matches!(
                outcome,
                Err(Unsolved::Refusal(Refusal::OutOfTime) | Unsolved::NotBackward(NotBackward::OutOfTime))
            ),
            "{}: {outcome:?}",
            about.name
        );
    }
    let late = Arc::new(AtomicBool::new(false));
    let config =
        Config { time: Some(Duration::from_secs(3600)), stop: Some(Arc::clone(&late)), ..config("cfr+") };
    let outcome =
        solve(&KuhnPoker, &config, &mut |p| late.store(p.iterations > 10, Ordering::Relaxed)).unwrap();
    assert!(outcome.iterations < 20 && outcome.strategies.is_some());
    for name in ["backward-induction", "bi-alpha-beta", "double-oracle"] {
        let config = Config { time: Some(Duration::from_nanos(1)), ..self::config(name) };
        let outcome = solve(&goofspiel, &config, &mut |_| ());
        assert!(matches!(outcome, Err(Unsolved::NotBackward(NotBackward::OutOfTime))), "{name}: {outcome:?}");
    }
    let config = Config { time: Some(Duration::from_nanos(1)), ..self::config("sequence-lp") };
    assert!(matches!(
        solve(&KuhnPoker, &config, &mut |_| ()),
        Err(Unsolved::NoSolution(NoSolution::OutOfTime))
    ));
}

#[test]
fn the_same_seed_gives_the_same_strategies() {
    let run = || solve(&KuhnPoker, &config("os-mccfr"), &mut |_| ()).unwrap().strategies.unwrap().1;
    assert_eq!(run(), run());
}

#[test]
fn bad_solvers_are_refused() {
    let refusal = |spec: &str| Solver::from_spec(&spec.parse().unwrap()).unwrap_err().to_string();
    assert!(refusal("cfr++").contains("cfr+"), "{}", refusal("cfr++"));
    for bad in [
        "os-mccfr(exploration=0)",
        "dcfr(gamma=-1)",
        "cfr(updates=never)",
        "cfr+(alpha=1)",
        "dcfr(alpha=nan)",
    ] {
        refusal(bad);
    }
}

fn solved() -> (Outcome, StrategyFile) {
    let outcome = solve(&KuhnPoker, &config("cfr+"), &mut |_| ()).unwrap();
    let (compiled, profile) = outcome.strategies.as_ref().unwrap();
    let file = StrategyFile::new(&KuhnPoker, "kuhn-poker", "cfr+", compiled, profile);
    (outcome, file)
}

#[test]
fn strategy_files_round_trip() {
    let (outcome, file) = solved();
    let (compiled, profile) = outcome.strategies.unwrap();
    let text = file.write();
    assert_eq!(text.lines().count(), 1 + 12 + 1, "{text}");
    let read = StrategyFile::read(&text).unwrap();
    assert_eq!(read, file);
    let (again, missing) = read.profile(&KuhnPoker, &compiled).unwrap();
    assert_eq!((&again, missing), (&profile, 0));
    // With the king, a bet is always called, with the jack never.
    let entry = |card: &str| {
        let found =
            read.infosets.iter().find(|e| e.text.contains(card) && e.actions[0] == "fold" && e.seat.0 == 1);
        found.unwrap_or_else(|| panic!("{text}")).probabilities[1]
    };
    assert!(entry("K") > 0.99 && entry("J") < 0.01, "{text}");
    assert_eq!(read.by_key().len(), 12);
}

#[test]
fn what_a_file_leaves_out_is_uniform() {
    let (outcome, mut file) = solved();
    let (compiled, _) = outcome.strategies.unwrap();
    file.infosets.truncate(5);
    let (profile, missing) = file.profile(&KuhnPoker, &compiled).unwrap();
    assert_eq!(missing, 7);
    assert!(Evaluation::of(&compiled, &profile).nash_conv() > 0.1);
}

#[test]
fn bad_strategy_files_are_refused() {
    let (_, file) = solved();
    let text = file.write();
    let compiled = Compiled::of(&KuhnPoker, 100).unwrap();
    assert!(matches!(StrategyFile::read("{}"), Err(BadStrategy::Json(_))));
    assert!(matches!(StrategyFile::read(&text.replace("strategy-1", "other")), Err(BadStrategy::Format(_))));
    let mut wrong = file.clone();
    wrong.infosets[3].probabilities[0] += 0.5;
    assert!(matches!(StrategyFile::read(&wrong.write()), Err(BadStrategy::Probabilities(_))));
    let mut wrong = file.clone();
    wrong.infosets[0].actions.reverse();
    assert!(matches!(wrong.profile(&KuhnPoker, &compiled), Err(BadStrategy::Actions { .. })));
    let mut wrong = file;
    wrong.infosets.iter_mut().for_each(|entry| entry.key.0 += 1);
    assert!(matches!(wrong.profile(&KuhnPoker, &compiled), Err(BadStrategy::AnotherGame)));
}
