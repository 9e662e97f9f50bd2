//! The program from outside: what it prints, what it refuses, with which exit code.

mod analyse;
mod attacker;
mod bad_input;
mod docs;
mod engine;
mod experiments;
mod full;
mod gdl;
mod ggp;
mod interrupts;
mod json;
mod kills;
mod matches;
mod people;
mod serve;
mod solve;
mod state;
mod terminal;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What came of running the program.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    /// The program's only line of JSON.
    fn json(&self) -> Value {
        assert_eq!(self.code, 0, "{}", self.err);
        serde_json::from_str(self.out.trim()).unwrap_or_else(|why| panic!("{why}: {}", self.out))
    }

    /// The program's lines of JSON.
    fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Runs the program with these arguments.
fn fogtree(arguments: &[&str]) -> Run {
    fogtree_with_input(arguments, b"")
}

/// Runs the program with these arguments and this standard input.
fn fogtree_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fogtree"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        // A program that stops reading is no fault of the test's.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    Run {
        code: output.status.code().expect("not killed by a signal"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file name in the system's temporary folder that no other test uses.
fn scratch(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("fogtree-test-{}-{name}", std::process::id()))
}
