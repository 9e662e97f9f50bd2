//! Stores of experiments over HTTP: as far as they are, and never written to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::UNIX_EPOCH;

use fogtree_lab::experiment::{Directory, Runner};
use fogtree_table::Registry;
use serde_json::json;

use crate::browser::House;

const FILE: &str = r#"
title = "Small <b>poker</b>"
seed = 7
unit = 3
[agents]
flat = "flat-mc(iterations=20)"
random = "random"
search = "is-mcts(selection=rm)"
[[cells]]
game = "kuhn-poker"
seats = ["flat", "random"]
games = 12
[[curves]]
game = "kuhn-poker"
agents = ["search"]
iterations = 200
runs = 1
"#;

/// A folder with experiments: one that was run, one that was only planned, and what is none.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fogtree-runs-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let (registry, runs) = (Registry::standard(), folder.join("runs"));
    for name in ["done", "planned"] {
        let directory = Directory::new(runs.join(name));
        let plan = directory.prepare_text("file", FILE, None, &registry).unwrap();
        if name == "done" {
            let store = directory.store(&plan).unwrap();
            let runner = Runner { plan: &plan, registry: &registry, store: &store, threads: 1 };
            assert!(runner.run(&AtomicBool::new(false), &mut |_| {}).unwrap());
            store.settle().unwrap();
        }
    }
    fs::create_dir_all(runs.join("empty")).unwrap();
    fs::write(runs.join("file"), "").unwrap();
    fs::create_dir_all(runs.join("damaged")).unwrap();
    fs::copy(runs.join("done/plan.json"), runs.join("damaged/plan.json")).unwrap();
    fs::copy(runs.join("done/experiment.toml"), runs.join("damaged/experiment.toml")).unwrap();
    fs::write(runs.join("damaged/results.sqlite"), "this is no store at all").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(runs.join("done"), runs.join("link")).unwrap();
        fs::create_dir_all(runs.join("linked-store")).unwrap();
        fs::copy(runs.join("done/plan.json"), runs.join("linked-store/plan.json")).unwrap();
        std::os::unix::fs::symlink(
            runs.join("done/results.sqlite"),
            runs.join("linked-store/results.sqlite"),
        )
        .unwrap();
    }
    folder
}

/// The names of everything in a folder, with sizes and times of files. SQLite keeps files of its own
/// beside a store that is read.
fn contents(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let found = entry.metadata().unwrap();
        if found.is_dir() {
            all.push(format!("{:?}", entry.path()));
            contents(&entry.path(), all);
        } else if !entry.file_name().to_string_lossy().contains(".sqlite-") {
            all.push(format!("{:?} {} {:?}", entry.path(), found.len(), found.modified().unwrap()));
        }
    }
    all.sort();
}

#[test]
fn experiments_are_told_and_left_alone() {
    let folder = folder();
    let runs = folder.join("runs");
    let mut before = Vec::new();
    contents(&runs, &mut before);
    let house = House::with("experiments", |settings| settings.experiments = runs.clone());
    let owner = house.owner();
    let list = owner.got("/api/experiments");
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["damaged", "done", "planned"]);
    let row = &list[1];
    assert_eq!((&row["done"], &row["of"]), (&json!(13), &json!(13)));
    assert_eq!(row["title"], "Small <b>poker</b>");
    let seconds =
        |path: &Path| fs::metadata(path).unwrap().modified().unwrap().duration_since(UNIX_EPOCH).unwrap();
    let written =
        ["plan.json", "experiment.toml", "results.sqlite"].map(|file| seconds(&runs.join("done").join(file)));
    assert_eq!(row["updated"], written.into_iter().max().unwrap().as_secs());
    assert_eq!((&list[2]["done"], &list[2]["of"]), (&json!(0), &json!(13)));
    let done = owner.got("/api/experiments/done?theme=light");
    assert_eq!(done["name"], "done");
    let titles: Vec<&str> =
        done["tables"].as_array().unwrap().iter().map(|table| table["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Matches", "Searches"]);
    let matches = &done["tables"][0];
    let width = matches["head"].as_array().unwrap().len();
    assert!(matches["rows"].as_array().unwrap().iter().all(|row| row.as_array().unwrap().len() == width));
    assert_eq!(matches["rows"][0][3], "12", "games");
    assert!(done["charts"].as_array().unwrap().len() >= 2);
    assert_eq!(done["charts"][0]["title"], "kuhn-poker: wins");
    let dark = owner.got("/api/experiments/done?theme=dark");
    assert_ne!(dark["charts"][0]["svg"], done["charts"][0]["svg"]);
    let planned = owner.got("/api/experiments/planned");
    assert_eq!((&planned["tables"], &planned["charts"]), (&json!([]), &json!([])));
    let report = owner.get("/api/experiments/done/report");
    assert_eq!(report.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = report.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("sandbox") && !policy.contains("script")
    );
    assert_eq!(report.header("x-frame-options"), Some("SAMEORIGIN"), "the page shows it in a frame");
    assert!(report.text().contains("Small &lt;b&gt;poker"), "titles are escaped");
    assert_eq!(owner.get("/api/experiments/planned/report").status, 409);
    let damaged = owner.get("/api/experiments/damaged");
    assert_eq!(damaged.status, 409);
    assert!(!damaged.text().contains(&*folder.display().to_string()), "{}", damaged.text());
    for name in
        ["..", "%2e%2e", "..%2fruns", "link", "linked-store", "empty", "file", "nothing", "done%00", "%2f"]
    {
        let answer = owner.get(&format!("/api/experiments/{name}"));
        assert!(matches!(answer.status, 400 | 404), "{name}: {answer:?}");
        let answer = owner.get(&format!("/api/experiments/{name}/report"));
        assert!(matches!(answer.status, 400 | 404), "{name}: {answer:?}");
    }
    let mut after = Vec::new();
    contents(&runs, &mut after);
    assert_eq!(after, before, "nothing is written");
    drop(house);
    fs::remove_dir_all(&folder).unwrap();
}
