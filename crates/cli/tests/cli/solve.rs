//! `fogtree solve`, `fogtree exploit` and the agent that plays strategies.

use serde_json::json;

use crate::{fogtree, scratch};

fn file(name: &str) -> String {
    let directory = std::env::temp_dir().join(format!("fogtree-solve-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    directory.join(name).display().to_string()
}

#[test]
fn kuhn_poker_is_solved_with_its_curve() {
    let run = fogtree(&["solve", "kuhn-poker", "--with", "cfr+", "--iterations", "2000", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = run.lines();
    let (last, curve) = lines.split_last().unwrap();
    assert!((last["value"].as_f64().unwrap() + 1.0 / 18.0).abs() < 1e-3);
    assert_eq!((&last["iterations"], &last["infosets"]), (&2000.into(), &12.into()));
    let conv = last["nash_conv"].as_f64().unwrap();
    assert!(conv < 1e-3 && (conv / 2.0 - last["exploitability"].as_f64().unwrap()).abs() < 1e-12);
    assert!(last["seconds"].as_f64().is_some());
    assert_eq!(curve[0]["iterations"], 1);
    assert!(curve.len() > 10 && curve[0]["nash_conv"].as_f64().unwrap() > 0.5);
}

#[test]
fn solved_strategies_are_written_measured_and_played() {
    let path = file("kuhn.json");
    let run = fogtree(&["solve", "kuhn-poker", "--with", "sequence-lp", "--strategy", &path]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("-0.055556"), "{}", run.out);
    let found = fogtree(&["exploit", "--strategy", &path, "--json"]).json();
    assert!(found["exploitability"].as_f64().unwrap() < 1e-6, "{found}");
    assert_eq!(found["missing"], 0);
    let agent = format!("strategy(file={path})");
    let run = fogtree(&["match", "kuhn-poker", &agent, "random", "--games", "2000", "--json"]);
    assert!(run.json()["agents"][0]["mean_reward"].as_f64().unwrap() > 0.0, "{}", run.out);
    for command in
        [["exploit", "leduc-poker", "--strategy", &path], ["match", "leduc-poker", &agent, "random"]]
    {
        let other = fogtree(&command);
        assert!(
            other.code == 2 && other.err.contains("none of the information sets of the file"),
            "{}",
            other.err
        );
    }
    let path = file("penny.json");
    fogtree(&["solve", "matching-pennies", "--with", "sequence-lp", "--strategy", &path]);
    let other = fogtree(&["match", "rock-paper-scissors", &format!("strategy(file={path})"), "random"]);
    assert!(other.code == 2 && other.err.contains("has the actions"), "{}", other.err);
}

/// Equilibrium 3.7: uniform play of Kuhn poker has NashConv 11/12 (and OpenSpiel's `nash_conv` says so).
#[test]
fn agents_are_asked_everywhere() {
    let run = fogtree(&["exploit", "kuhn-poker", "--agent", "random", "--json"]).json();
    assert!((run["nash_conv"].as_f64().unwrap() - 11.0 / 12.0).abs() < 1e-9, "{run}");
    assert_eq!((&run["missing"], &run["infosets"]), (&0.into(), &12.into()));
    let cheating = fogtree(&["exploit", "kuhn-poker", "--agent", "cheating-uct"]);
    assert!(cheating.code == 2 && cheating.err.contains("true state"), "{}", cheating.err);
}

#[test]
fn solvers_are_listed() {
    let run = fogtree(&["solve", "--list"]);
    assert!(run.code == 0 && run.out.contains("pcfr+") && run.out.contains("double-oracle"), "{}", run.out);
}

#[test]
fn what_cannot_be_solved_is_refused_in_one_line() {
    for (arguments, expected) in [
        (&["solve", "phantom-mnk(m=3,n=3,k=3)", "--nodes", "1000000"][..], "nodes"),
        (&["solve", "kuhn-poker", "--with", "cfr++"], "cfr+"),
        (&["solve", "kuhn-poker", "--with", "backward-induction"], "sequence-lp"),
        (&["solve", "kuhn-poker", "--time", "soon"], "500ms"),
        (&["solve", "kuhn-poker", "--iterations", "0"], "at least 1"),
        (&["solve", "prisoners-dilemma", "--with", "sequence-lp"], "fictitious-play"),
        (&["exploit", "--strategy", "/nowhere/at/all"], "cannot read"),
        (&["match", "kuhn-poker", "strategy", "random"], "--strategy FILE"),
        (&["solve"], "GAME"),
        (&["exploit", "kuhn-poker"], "--strategy"),
        (&["exploit", "kuhn-poker", "--agent", "random", "--samples", "0"], "at least 1"),
        (&["exploit", "othello", "--agent", "random", "--nodes", "1000"], "1000"),
        (&["exploit", "othello", "--agent", "uct", "--by", "root", "--nodes", "1000"], "nodes"),
        (&["exploit", "kuhn-poker", "--agent", "random", "--by", "root"], "no average strategies"),
        (&["exploit", "kuhn-poker", "--agent", "random", "--by", "matches"], "no average strategies"),
        (&["exploit", "kuhn-poker", "--agent", "is-mcts", "--by", "matches", "--matches", "0"], "at least 1"),
        (&["exploit", "kuhn-poker", "--agent", "is-mcts", "--curve", "x.csv"], "--by root"),
        (&["solve", "kuhn-poker", "--curve", "x.png"], ".csv or .svg"),
        (&["solve", "kuhn-poker", "--curve", "/nowhere/at/all.csv"], "no such folder"),
        (&["solve", "kuhn-poker", "--strategy", "/nowhere/at/all"], "no such folder"),
        (&["solve", "kuhn-poker", "--checkpoint", "/"], "not a folder"),
        (&["solve", "kuhn-poker", "--with", "sequence-lp", "--checkpoint", "x"], "only solvers that iterate"),
    ] {
        let run = fogtree(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {} {}", run.out, run.err);
        assert!(run.err.contains(expected) && run.err.lines().count() == 1, "{arguments:?}: {}", run.err);
    }
}

/// A solver that was stopped goes on from its file; the curve is in a table and in a picture.
#[test]
fn solving_goes_on_from_a_checkpoint_and_leaves_its_curve() {
    let (checkpoint, csv, svg) = (file("kuhn.checkpoint"), file("kuhn.csv"), file("kuhn.svg"));
    let solve = |iterations: &str| {
        fogtree(&[
            "solve",
            "kuhn-poker",
            "--with",
            "dcfr",
            "--iterations",
            iterations,
            "--checkpoint",
            &checkpoint,
            "--curve",
            &csv,
            "--curve",
            &svg,
            "--json",
        ])
    };
    assert_eq!(solve("50").code, 0);
    let resumed = solve("400");
    assert_eq!((resumed.code, &resumed.lines()[0]["iterations"]), (0, &63.into()), "{}", resumed.err);
    let whole = fogtree(&["solve", "kuhn-poker", "--with", "dcfr", "--iterations", "400", "--json"]);
    let conv = |run: &crate::Run| run.lines().last().unwrap()["nash_conv"].clone();
    assert_eq!(conv(&resumed), conv(&whole));
    let table = std::fs::read_to_string(&csv).unwrap();
    assert!(table.starts_with("iterations,seconds,value,nash_conv,exploitability\n63,"), "{table}");
    assert!(std::fs::read_to_string(&svg).unwrap().contains("kuhn-poker with dcfr"));
    let other = fogtree(&["solve", "kuhn-poker", "--with", "cfr", "--checkpoint", &checkpoint]);
    assert!(other.code == 1 && other.err.contains("checkpoint of kuhn-poker with dcfr"), "{}", other.err);
}

/// A tree of the same shape with other payoffs is another game, and another seed is another run.
#[test]
fn a_checkpoint_of_a_file_that_has_changed_is_refused() {
    let (tree, checkpoint) = (file("pennies.efg"), file("pennies.checkpoint"));
    let efg = fogtree(&["games", "matrix(rows=[1,-1;-1,1])", "--tree", "efg"]).out;
    std::fs::write(&tree, &efg).unwrap();
    let game = format!("tree(file={tree})");
    let solve = |seed: &str| {
        let arguments =
            ["solve", &game, "--with", "es-mccfr", "--iterations", "9", "--checkpoint", &checkpoint];
        fogtree(&[&arguments[..], &["--seed", seed]].concat())
    };
    assert_eq!(solve("1").code, 0);
    let other = solve("2");
    assert!(other.code == 1 && other.err.contains("from seed 1"), "{}", other.err);
    std::fs::write(&tree, efg.replace("{ 1, -1 }", "{ 3, -3 }")).unwrap();
    let other = solve("1");
    assert!(other.code == 1 && other.err.contains("its file or its rules have changed"), "{}", other.err);
}

#[test]
fn agents_are_measured_from_the_root_and_along_matches() {
    let csv = file("root.csv");
    let run = fogtree(&[
        "exploit",
        "kuhn-poker",
        "--agent",
        "is-mcts(selection=exp3)",
        "--by",
        "root",
        "--iterations",
        "20000",
        "--curve",
        &csv,
        "--json",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.lines().last().unwrap()["nash_conv"].as_f64().unwrap() < 0.5, "{}", run.out);
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), run.lines().len());
    let run = fogtree(&[
        "exploit",
        "kuhn-poker",
        "--agent",
        "is-mcts(iterations=100)",
        "--by",
        "matches",
        "--matches",
        "20",
    ]);
    assert!(run.code == 0 && run.out.contains("20 matches"), "{} {}", run.out, run.err);
}

/// A game of ten thousand moves, each of which ends it or goes on.
fn deep_tree(name: &str, levels: usize) -> std::path::PathBuf {
    let mut efg = String::from("EFG 2 R \"deep\" { \"a\" \"b\" }\n");
    for level in 0..levels {
        let player = level % 2 + 1;
        efg.push_str(&format!("p \"\" {player} {} \"\" {{ \"stop\" \"go\" }} 0\n", level / 2 + 1));
        let reward = if player == 1 { 1 } else { -1 };
        efg.push_str(&format!("t \"\" {} \"\" {{ {reward} {} }}\n", level + 1, -reward));
    }
    efg.push_str(&format!("t \"\" {} \"\" {{ 0 0 }}\n", levels + 1));
    let path = scratch(name);
    std::fs::write(&path, efg).unwrap();
    path
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    let (tree, strategy) = (deep_tree("deep.efg", 10_000), scratch("deep.json"));
    let (game, file) = (format!("tree(file={})", tree.display()), strategy.display().to_string());
    for solver in fogtree_solve::solver::ALL.iter().map(|about| about.name) {
        let run = fogtree(&["solve", &game, "--with", solver, "--iterations", "3", "--time", "5s"]);
        assert!([0, 1, 2].contains(&run.code) && !run.err.contains("panicked"), "{solver}: {}", run.err);
    }
    let kept = ["solve", &game, "--with", "cfr+", "--iterations", "3", "--strategy", &file];
    let run = fogtree(&kept);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = fogtree(&["exploit", &game, "--strategy", &file]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = fogtree(&["match", &game, "ggp(iterations=10,sweeps=3)", "random", "--games", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    [tree, strategy].iter().for_each(|path| std::fs::remove_file(path).unwrap());
}

/// Agents that say how likely their moves are cannot be overstated: uniform play is the equilibrium of rock,
/// paper, scissors, and in the biased game a best response wins 50/3 against it.
#[test]
fn agents_that_mix_are_not_overstated() {
    for (game, expected) in [("rock-paper-scissors", 0.0), ("biased-rock-paper-scissors", 50.0 / 3.0)] {
        let found = fogtree(&["exploit", game, "--agent", "random", "--json"]).json();
        assert_eq!(found["strategy"], "exact");
        assert!((found["nash_conv"].as_f64().unwrap() - expected).abs() < 1e-9, "{game}: {found}");
    }
    let counted =
        fogtree(&["exploit", "rock-paper-scissors", "--agent", "random", "--count", "--samples", "9"]);
    assert!(counted.out.contains("shares of 9 choices"), "{}", counted.out);
}

/// A file without information sets is uniform play, as in the tree so in a game too large to walk.
#[test]
fn empty_strategy_files_are_uniform_play() {
    let path = scratch("empty-strategy.json");
    let file = path.to_str().unwrap();
    let text = r#"{"format": "fogtree-strategy-1", "game": "kuhn-poker", "solver": "none", "infosets": []}"#;
    std::fs::write(&path, text).unwrap();
    let of_file = fogtree(&["exploit", "--strategy", file, "--json"]).json();
    let of_random = fogtree(&["exploit", "kuhn-poker", "--agent", "random", "--json"]).json();
    assert_eq!(of_file["nash_conv"], of_random["nash_conv"]);
    let merged = fogtree(&["exploit", "kuhn-poker", "--strategy", file, "--nodes", "50", "--json"]);
    assert!(merged.code == 2 && merged.err.contains("limit is 50"), "{}", merged.err);
    let agent = format!("strategy(file={file})");
    assert_eq!(fogtree(&["match", "kuhn-poker", &agent, "random", "--games", "2"]).code, 0);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn local_best_responses_are_told_with_their_margins() {
    let arguments = ["exploit", "kuhn-poker", "--agent", "random", "--by", "lbr", "--games", "300"];
    let bound = fogtree(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!((&bound["strategy"], &bound["games"]), (&json!("exact"), &json!(300)));
    let (least, margin) = (bound["exploitability"].as_f64().unwrap(), bound["margin"].as_f64().unwrap());
    // Uniform play of Kuhn poker has a NashConv of 11/12.
    assert!(margin > 0.0 && least <= 11.0 / 24.0 + 2.0 * margin, "{bound}");
    assert!(fogtree(&arguments).out.contains("exploitability at least"));
    let general = fogtree(&["exploit", "matrix(rows=[3:3,0:5;5:0,1:1])", "--agent", "random", "--by", "lbr"]);
    assert!(general.code == 2 && general.err.contains("add up"), "{}", general.err);
}
