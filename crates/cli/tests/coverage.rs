//! `docs/evidence/coverage.md` has one row for every id of the specifications, and its links are alive.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

struct Row {
    id: String,
    places: String,
    tests: String,
    status: String,
}

fn rows() -> Vec<Row> {
    let text = read("docs/evidence/coverage.md");
    let rows = text.lines().filter(|line| line.starts_with("| `")).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 5, "not five cells: {line}");
        Row {
            id: cells[0].trim_matches('`').to_string(),
            places: cells[2].to_string(),
            tests: cells[3].to_string(),
            status: cells[4].to_string(),
        }
    });
    rows.collect()
}

#[test]
fn every_id_has_exactly_one_row() {
    let ids = read("docs/evidence/ids.txt");
    let ids: Vec<&str> = ids
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .map(|l| l.split('\t').next().unwrap())
        .collect();
    let listed: Vec<String> = rows().into_iter().map(|row| row.id).collect();
    assert!(ids.len() > 800, "only {} ids", ids.len());
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "an id is listed twice");
    assert_eq!(ids, listed, "docs/evidence/ids.txt and docs/evidence/coverage.md do not agree");
}

/// A link is a path from the root, with `::name` behind it for a test in that file.
fn assert_alive(id: &str, link: &str) {
    let link = link.trim_matches('`');
    let (path, test) = link.split_once("::").map_or((link, None), |(p, t)| (p, Some(t)));
    let full = root().join(path);
    assert!(full.exists(), "{id}: there is no {path}");
    if let Some(test) = test {
        assert!(has_test(&read(path), test), "{id}: {path} has no test {test}");
    }
}

/// Whether a file has a test of this name: a function with `#[test]` in the three lines above it.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let head = format!("fn {name}(");
    (0..lines.len())
        .any(|i| lines[i].starts_with(&head) && lines[i.saturating_sub(3)..i].contains(&"#[test]"))
}

#[test]
fn a_helper_is_no_test() {
    let text = "#[test]\n#[should_panic]\nfn falls() {\n}\n\n\nfn helper() {}\n// fn gone() {}\n";
    assert!(has_test(text, "falls"));
    assert!(!has_test(text, "helper") && !has_test(text, "gone") && !has_test(text, "fall"));
}

#[test]
fn every_link_is_alive_and_every_status_is_known() {
    for row in rows() {
        let word = row.status.split(':').next().unwrap();
        assert!(
            ["done", "partly", "not yet", "not applicable", "built, measured, removed"].contains(&word),
            "{}: unknown status {}",
            row.id,
            row.status
        );
        if !["done", "not yet"].contains(&word) {
            assert!(row.status.contains(": "), "{}: say what is missing or why", row.id);
        }
        for link in [&row.places, &row.tests] {
            for link in link.split(", ").filter(|l| *l != "-") {
                assert_alive(&row.id, link);
            }
        }
        if word == "done" {
            assert!(row.places != "-" && row.tests != "-", "{}: done, but where and tested by what?", row.id);
        }
    }
}
