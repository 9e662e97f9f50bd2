//! Every command that stands in a code block of README.md and docs/*.md does what it says, with small
//! budgets.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::experiments::FILE;
use crate::{fogtree, scratch};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The lines of all code blocks, fenced and indented; lines that end in a backslash are joined to the next.
fn code_lines(text: &str) -> Vec<String> {
    let (mut lines, mut fenced, mut open) = (Vec::<String>::new(), false, false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if !fenced && !line.starts_with("    ") {
            continue;
        }
        match lines.last_mut().filter(|_| open) {
            Some(last) => *last += line.trim(),
            None => lines.push(line.trim().to_string()),
        }
        let last = lines.last_mut().expect("just written");
        open = last.ends_with('\\');
        *last = last.trim_end_matches('\\').to_string();
    }
    lines
}

/// The words of a command as a shell would split them, up to a comment: ` #`, or two blanks and text.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut blanks) = (Vec::new(), String::new(), false, 0);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => {
                blanks += 1;
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                continue;
            }
            '#' if !quoted && blanks > 0 => return words,
            _ if blanks > 1 => return words,
            c => word.push(c),
        }
        blanks = 0;
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// All commands of a document, without `fogtree` itself.
fn commands(text: &str) -> Vec<Vec<String>> {
    let command = |line: &String| {
        let line = line.trim_start_matches("$ ");
        let arguments =
            line.strip_prefix("fogtree ").or_else(|| line.strip_prefix("cargo run --release -- "))?;
        Some(words(arguments))
    };
    code_lines(text).iter().filter_map(command).collect()
}

/// Names that stand for something are given it, and long runs are cut short.
fn made_small(command: &[String]) -> Vec<String> {
    let mut small: Vec<String> = Vec::new();
    for word in command {
        let before = small.last().map_or("", String::as_str);
        small.push(match (before, word.as_str()) {
            ("--games", _) => "2".into(),
            ("--time", _) => "50ms".into(),
            ("--iterations", _) => "20".into(),
            ("--matches" | "--shards", _) => "2".into(),
            ("--shard", _) => "0".into(),
            (_, "GAME") => "kuhn-poker".into(),
            (_, "AGENT" | "NEW" | "OLD") => "random".into(),
            (_, "SEED") => "17".into(),
            (_, "SALT") => "salt".into(),
            (_, word) => word.replace("=./my-engine --fast", "=ENGINE").replace("=./my-engine", "=ENGINE"),
        });
    }
    let has = |word: &str| command.iter().any(|other| other == word);
    if command[0] == "match" && !has("--games") {
        small.extend(["--games".into(), "2".into()]);
    }
    if command[0] == "exploit" && has("--agent") && !has("--by") {
        small.extend(["--samples".into(), "1".into()]);
    }
    small
}

/// What would listen, wait for others or take hours is only read.
fn is_only_read(command: &[String]) -> bool {
    let starts = |words: &[&str]| command.iter().zip(words).filter(|(a, b)| a == b).count() == words.len();
    let long = [
        &["reproduce", "ismcts/E22"][..],
        &["bench"],
        &["ggp"],
        &["serve"],
        &["engine", "check", "./my-engine"],
    ];
    long.iter().any(|words| starts(words))
}

#[test]
fn every_documented_command_works() {
    let folder = scratch("documented");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let games = root().join("games");
    std::fs::copy(games.join("gdl/tic-tac-toe.kif"), folder.join("rules.kif")).unwrap();
    std::fs::write(folder.join("my.toml"), FILE).unwrap();
    let mut documents = vec![root().join("README.md")];
    let entries = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    documents.extend(entries.filter(|path| path.extension().is_some_and(|e| e == "md")));
    documents[1..].sort();
    let (mut ran, mut wrong) = (0, Vec::new());
    for document in &documents {
        // What one document divides into shards, another has played as a whole.
        let _ = std::fs::remove_dir_all(folder.join("runs"));
        for command in commands(&std::fs::read_to_string(document).unwrap()) {
            let mut arguments = made_small(&command);
            if is_only_read(&command) {
                let at = arguments.iter().position(|word| word == "./my-engine").unwrap_or(arguments.len());
                arguments.insert(at, "--help".into());
            }
            let engine = format!("{} engine", env!("CARGO_BIN_EXE_fogtree"));
            arguments.iter_mut().for_each(|word| *word = word.replace("ENGINE", &engine));
            let output = Command::new(env!("CARGO_BIN_EXE_fogtree"))
                .args(&arguments)
                .current_dir(&folder)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            ran += 1;
            // Half the shards are not done when those that are are merged.
            let merged = arguments.iter().any(|word| word == "merge") && output.status.code() == Some(1);
            if !output.status.success() && !merged {
                let name = document.file_name().unwrap().display();
                wrong.push(format!("{name}: {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran > 50, "only {ran} commands were found");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Commands that print a text of another kind put it into JSON if they are asked to.
#[test]
fn texts_come_as_json_too() {
    let folder = scratch("as-json");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    std::fs::write(path("my.toml"), FILE).unwrap();
    let sheet = root().join("games/gdl/tic-tac-toe.kif").display().to_string();
    let (file, runs) = (path("my.toml"), path("runs"));
    for (arguments, key) in [
        (&["games", "kuhn-poker", "--tree", "efg"][..], "efg"),
        (&["games", "kuhn-poker", "--tree", "json"], "root"),
        (&["gdl", "format", &sheet], "sheet"),
        (&["gdl", "scramble", &sheet], "sheet"),
        (&["experiment", "plan", &file, "--out", &runs, "--scale", "tiny", "--shards", "1"], "shard"),
        (&["experiment", "work", &runs, "--shard", "0"], "shard"),
        (&["experiment", "submit", &runs, "--engine", "hq"], "commands"),
        (&["experiment", "merge", &runs], "units"),
        (&["reproduce", "--results", "--scale", "no-such"], "left"),
    ] {
        let value = fogtree(&[arguments, &["--json"]].concat()).json();
        assert!(!value[key].is_null(), "{arguments:?}: {value}");
    }
    let exported = fogtree(&["experiment", "export", &runs, "--json"]).lines();
    assert!(!exported.is_empty() && exported.iter().all(serde_json::Value::is_object));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_roles_of_a_game_are_listed() {
    let told = fogtree(&["games", "resistance"]).out;
    assert!(told.contains("roles: spies, resistance") || told.contains("roles: resistance, spies"), "{told}");
    let roles = fogtree(&["games", "kuhn-poker", "--json"]).json()["roles"].clone();
    assert_eq!(roles, serde_json::json!(["first", "second"]));
}
