//! Ctrl-C: what was done so far is shown and saved, with exit code 130.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::experiments::{FILE, laid_out};
use crate::{Run, fogtree, scratch};

fn started(arguments: &[&str]) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fogtree"));
    program.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// What came of a program whose output was read up to here.
fn ended(mut child: Child, mut out: impl Read, mut read: String) -> Run {
    out.read_to_string(&mut read).unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    Run { code: child.wait().unwrap().code().expect("not killed by the signal"), out: read, err }
}

fn last_line(run: &Run) -> Value {
    serde_json::from_str(run.out.lines().last().unwrap_or_default())
        .unwrap_or_else(|why| panic!("{why}: {}", run.out))
}

#[test]
fn a_match_prints_the_table_of_the_games_played() {
    let record = scratch("interrupted.jsonl");
    let path = record.to_str().unwrap();
    let game = ["match", "mnk(m=3,n=3,k=3)", "flat-mc(iterations=200)", "random", "--games", "10000000"];
    let mut child = started(&[&game[..], &["--record", path, "--json"]].concat());
    let out = child.stdout.take().unwrap();
    while std::fs::read_to_string(&record).map_or(0, |text| text.matches("\"game\"").count()) < 10 {
        std::thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    let run = ended(child, out, String::new());
    assert!(run.code == 130 && run.err.starts_with("stopped after "), "{} {}", run.code, run.err);
    let outcome = last_line(&run);
    let games = outcome["games"].as_u64().unwrap();
    let seats = |name: &str| outcome["agents"][0][name].as_u64().unwrap();
    assert!(games >= 10 && seats("wins") + seats("draws") + seats("losses") == games, "{outcome}");
    let recorded = std::fs::read_to_string(&record).unwrap().matches("\"game\"").count() as u64;
    assert_eq!(recorded, games);
    std::fs::remove_file(record).unwrap();
}

/// Nobody waits for a game of which a single move takes a minute.
#[test]
fn a_match_does_not_wait_for_slow_games() {
    let mut child = started(&["match", "mnk(m=3,n=3,k=3)", "flat-mc(time=1m)", "random"]);
    let out = child.stdout.take().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let began = Instant::now();
    interrupt(&child);
    let run = ended(child, out, String::new());
    assert!(run.code == 130 && run.out.contains("0 games"), "{}{}", run.out, run.err);
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_solver_saves_all_it_was_asked_to() {
    let file = |name: &str| scratch(name).display().to_string();
    let (checkpoint, strategy) = (file("interrupted.checkpoint"), file("interrupted.json"));
    let (table, picture) = (file("interrupted.csv"), file("interrupted.svg"));
    let base = ["solve", "leduc-poker", "--with", "cfr+", "--checkpoint", &checkpoint, "--json"];
    let files = ["--strategy", &strategy, "--curve", &table, "--curve", &picture];
    let mut child = started(&[&base[..], &files, &["--time", "1h"]].concat());
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    interrupt(&child);
    let run = ended(child, out, first);
    assert!(run.code == 130 && run.err.contains("goes on from"), "{} {}", run.code, run.err);
    let done = last_line(&run)["iterations"].as_u64().unwrap();
    let measured = fogtree(&["exploit", "--strategy", &strategy, "--json"]).json();
    assert_eq!(measured["exploitability"], last_line(&run)["exploitability"]);
    assert!(std::fs::read_to_string(&table).unwrap().lines().count() > 1);
    assert!(std::fs::read_to_string(&picture).unwrap().contains("</svg>"));
    let more = (done + 1).to_string();
    let resumed = fogtree(&[&base[..], &["--iterations", &more]].concat());
    assert_eq!(resumed.lines().first().unwrap()["iterations"], done + 1, "{}", resumed.err);
    for path in [checkpoint, strategy, table, picture] {
        std::fs::remove_file(path).unwrap();
    }
}

/// Solvers without anything in between end as soon as they are told to, by signal or by clock.
#[test]
fn solvers_that_do_not_iterate_end_in_time() {
    for (solver, game) in [
        ("backward-induction", "connect-four"),
        ("bi-alpha-beta", "connect-four"),
        ("sequence-lp", "liars-dice"),
    ] {
        let began = Instant::now();
        let arguments = ["solve", game, "--with", solver, "--nodes", "100000000"];
        let run = fogtree(&[&arguments[..], &["--time", "20ms"]].concat());
        assert!(run.code == 2 && run.err.contains("in time"), "{solver}: {} {}", run.code, run.err);
        let mut child = started(&arguments);
        let out = child.stdout.take().unwrap();
        std::thread::sleep(Duration::from_millis(200));
        interrupt(&child);
        let run = ended(child, out, String::new());
        assert!(run.code == 130 && run.err.contains("stopped before"), "{solver}: {} {}", run.code, run.err);
        assert!(began.elapsed() < Duration::from_secs(20), "{solver}");
    }
}

#[test]
fn a_measurement_prints_what_it_has_measured() {
    let table = scratch("interrupted-root.csv");
    let path = table.to_str().unwrap();
    let root = ["exploit", "kuhn-poker", "--agent", "is-mcts(selection=rm)", "--by", "root"];
    let mut child = started(&[&root[..], &["--time", "1h", "--curve", path, "--json"]].concat());
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    interrupt(&child);
    let run = ended(child, out, first);
    assert!(run.code == 130 && run.err.contains("iterations"), "{} {}", run.code, run.err);
    let measured = last_line(&run);
    assert!(
        measured["done"].as_u64().unwrap() >= 1 && measured["infosets"].as_u64().unwrap() >= 1,
        "{measured}"
    );
    assert_eq!(std::fs::read_to_string(&table).unwrap().lines().count(), run.out.lines().count());
    std::fs::remove_file(table).unwrap();

    let searcher = "is-mcts(selection=rm,iterations=100)";
    let matches = ["exploit", "kuhn-poker", "--agent", searcher, "--by", "matches", "--matches", "100000000"];
    let mut child = started(&[&matches[..], &["--json"]].concat());
    let out = child.stdout.take().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    interrupt(&child);
    let run = ended(child, out, String::new());
    assert!(run.code == 130 && run.err.starts_with("stopped after "), "{} {}", run.code, run.err);
    assert!(last_line(&run)["done"].as_u64().unwrap() >= 1, "{}", run.out);
}

/// Neither an agent that thinks for a minute nor a large tree is waited for.
#[test]
fn a_measurement_without_a_result_ends_soon() {
    let slow = "is-mcts(selection=rm,time=1m)";
    let asked = ["kuhn-poker", "--agent", slow];
    let matches = ["kuhn-poker", "--agent", slow, "--by", "matches"];
    let root = ["liars-dice(faces=9)", "--agent", "is-mcts", "--by", "root", "--nodes", "100000000"];
    for arguments in [&asked[..], &matches, &root] {
        let mut child = started(&[&["exploit"], arguments].concat());
        let out = child.stdout.take().unwrap();
        std::thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        interrupt(&child);
        let run = ended(child, out, String::new());
        let said = run.err.contains("stopped before there was anything to show");
        assert!(run.code == 130 && said, "{arguments:?}: {} {}", run.code, run.err);
        assert!(began.elapsed() < Duration::from_secs(20), "{arguments:?}");
    }
}

#[test]
fn an_experiment_says_how_to_go_on() {
    let slow = FILE.replace("games = 30", "games = 1000000");
    let (folder, file, out) = laid_out("interrupted", &slow);
    let mut child = started(&["experiment", "run", &file, "--out", &out]);
    let pipe = child.stdout.take().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    interrupt(&child);
    let run = ended(child, pipe, String::new());
    assert!(run.code == 130 && run.err.contains("experiment resume"), "{} {}", run.code, run.err);
    std::fs::remove_dir_all(folder).unwrap();
}
