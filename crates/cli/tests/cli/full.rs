//! A full disk: a line that says so and exit code 1, whatever was to be written.
#![cfg(target_os = "linux")]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::{Command, Stdio};

use crate::experiments::{FILE, laid_out};
use crate::{Run, fogtree, scratch};

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// Runs the program with a standard output that takes nothing.
fn unheard(arguments: &[&str], input: &str) -> Run {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fogtree"));
    let program = program.args(arguments).stdin(Stdio::piped()).stdout(full()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    // A program that stops reading is no fault of the test's.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let ended = child.wait_with_output().unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    Run { code: ended.status.code().expect("no signal"), out: String::new(), err }
}

#[track_caller]
fn says(run: &Run, what: &str) {
    let words = run.err.contains(what) && run.err.contains("No space left");
    assert!(run.code == 1 && words && run.err.lines().count() == 1, "{}: {}", run.code, run.err);
}

#[test]
fn the_standard_output_is_full() {
    let record = scratch("full-record.jsonl");
    let path = record.to_str().unwrap();
    let pair = ["match", "kuhn-poker", "random", "random", "--games", "2"];
    assert_eq!(fogtree(&[&pair[..], &["--record", path]].concat()).code, 0);
    let (folder, file, out) = laid_out("full", FILE);
    for arguments in [
        &pair[..],
        &["solve", "kuhn-poker", "--iterations", "10"],
        &["exploit", "kuhn-poker", "--agent", "random"],
        &["exploit", "kuhn-poker", "--agent", "is-mcts(selection=rm)", "--by", "root", "--iterations", "200"],
        &["analyse", "kuhn-poker", "--seed", "1", "--agent", "mo-ismcts(iterations=50)"],
        &["replay", path],
        &["state", "nim"],
        &["state", "--stdin"],
        &["games"],
        &["agents", "random"],
        &["experiment", "run", &file, "--out", &out, "--scale", "tiny"],
        &["experiment", "report", &out],
        &["experiment", "export", &out],
    ] {
        for json in [&[][..], &["--json"]] {
            says(&unheard(&[arguments, json].concat(), "nim\t\n"), "cannot write the output");
        }
    }
    says(&unheard(&["--help"], ""), "cannot write the output");
    says(&unheard(&["solve", "--help"], ""), "cannot write the output");
    says(&unheard(&["--version"], ""), "cannot write the output");
    std::fs::remove_file(record).unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_cannot_be_written() {
    let named = |name: &str| {
        let path = scratch(name);
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        path.display().to_string()
    };
    let (table, picture, tree) = (named("full.csv"), named("full.svg"), named("full.json"));
    let solve = ["solve", "kuhn-poker", "--iterations", "10"];
    let analyse = ["analyse", "kuhn-poker", "--seed", "1", "--agent", "mo-ismcts(iterations=50)"];
    let pair = ["match", "kuhn-poker", "random", "random", "--games", "50"];
    for (command, option, path) in [
        (&solve[..], "--strategy", "/dev/full"),
        (&solve, "--checkpoint", "/dev/full"),
        (&solve, "--curve", &table),
        (&solve, "--curve", &picture),
        (&analyse, "--tree", &tree),
    ] {
        says(&fogtree(&[command, &[option, path]].concat()), path);
    }
    says(&fogtree(&[&pair[..], &["--record", "/dev/full"]].concat()), "the records could not be written");
    for path in [table, picture, tree] {
        std::fs::remove_file(path).unwrap();
    }
}

/// What nobody is shown is still written where it was to be kept.
#[test]
fn a_curve_is_kept_though_it_cannot_be_shown() {
    let table = scratch("unheard.csv");
    let arguments = ["solve", "kuhn-poker", "--iterations", "10", "--curve", table.to_str().unwrap()];
    says(&unheard(&arguments, ""), "cannot write the output");
    assert!(std::fs::read_to_string(&table).unwrap().lines().count() > 1);
    std::fs::remove_file(table).unwrap();
}

/// Standard error on a full disk: the exit code still says what it is to say.
#[test]
fn an_error_that_cannot_be_written_is_no_panic() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fogtree"));
    assert_eq!(program.args(["state", "nothing-like-it"]).stderr(full()).status().unwrap().code(), Some(2));
}
