//! Programs that are killed at any moment, and go on. `benches/kill` does the same for as long as one likes.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::experiments::{FILE, games, laid_out};
use crate::{fogtree, scratch};

/// The program, at work.
pub(crate) fn started(arguments: &[&str]) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fogtree"));
    program.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Starts the program and kills it so many milliseconds later.
fn killed(arguments: &[&str], milliseconds: u64) {
    let mut child = started(arguments);
    std::thread::sleep(Duration::from_millis(milliseconds));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Killed ten times in a row and resumed: nothing is lost, nothing is there twice, and every column but the
/// clocks equals those of a run that was left alone.
#[test]
fn a_killed_experiment_loses_nothing() {
    let (folder, file, out) = laid_out("killed", FILE);
    let alone = folder.join("alone").display().to_string();
    let run = fogtree(&["experiment", "run", &file, "--out", &alone, "--json"]);
    assert_eq!((run.code, &run.lines()[0]["done"]), (0, &90.into()), "{}", run.err);
    for attempt in 0..10 {
        killed(&["experiment", "run", &file, "--out", &out], 20 + 37 * attempt);
    }
    let run = fogtree(&["experiment", "resume", &out, "--json"]);
    assert_eq!((run.code, &run.lines()[0]["complete"]), (0, &true.into()), "{} {}", run.out, run.err);
    let (expected, found) = (games(&alone), games(&out));
    assert_eq!(found.len(), 1 + 2 * 90);
    assert_eq!(found, expected);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A solver that was killed goes on from its checkpoint to the very strategies of one that was not.
#[test]
fn a_killed_solver_goes_on() {
    let file = |name: &str| scratch(name).display().to_string();
    let (checkpoint, alone, killed_one) = (file("kill.checkpoint"), file("alone.json"), file("killed.json"));
    let base = ["solve", "leduc-poker", "--with", "dcfr", "--iterations", "400"];
    let whole = fogtree(&[&base[..], &["--strategy", &alone]].concat());
    assert_eq!(whole.code, 0, "{}", whole.err);
    let kept = ["--checkpoint", &checkpoint, "--every", "20ms", "--strategy", &killed_one];
    let arguments = [&base[..], &kept].concat();
    for attempt in 0..6 {
        killed(&arguments, 60 + 45 * attempt);
    }
    let run = fogtree(&arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&alone) == read(&killed_one), "the strategies differ");
    for path in [checkpoint, alone, killed_one] {
        std::fs::remove_file(path).unwrap();
    }
}

/// The games that a killed match has recorded are those of one that was not, but perhaps for the last,
/// half-written one.
#[test]
fn the_records_of_a_killed_match_can_be_replayed() {
    let file = |name: &str| scratch(name).display().to_string();
    let (record, alone) = (file("kill.jsonl"), file("alone.jsonl"));
    let base = ["match", "mnk(m=3,n=3,k=3)", "uct(iterations=200)", "random", "--games", "400", "--record"];
    assert_eq!(fogtree(&[&base[..], &[&alone]].concat()).code, 0);
    let whole = std::fs::read_to_string(&alone).unwrap();
    for attempt in 0..4 {
        killed(&[&base[..], &[&record]].concat(), 60 + 60 * attempt);
        let Ok(found) = std::fs::read_to_string(&record) else { continue };
        assert!(whole.starts_with(&found), "other games than those of the whole match");
        if found.matches("\"game\"").count() > 1 {
            let replay = fogtree(&["replay", &record]);
            assert_eq!(replay.code, 0, "{}", replay.err);
        }
    }
    let _ = std::fs::remove_file(record);
    std::fs::remove_file(alone).unwrap();
}
