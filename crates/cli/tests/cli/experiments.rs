//! `fogtree experiment` and `fogtree tournament`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{fogtree, scratch};

const FILE: &str = r#"
title = "A small tournament"
unit = 2
[agents]
flat = "flat-mc(iterations=300)"
uct = "uct(iterations=300)"
random = "random"
[[tournaments]]
game = "mnk(m=4,n=4,k=4)"
agents = ["flat", "uct", "random"]
pairing = "round-robin"
games = 30
[scales]
tiny = 0.1
"#;

/// The file in a folder of its own.
fn laid_out(name: &str, text: &str) -> (PathBuf, String, String) {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("small.toml");
    std::fs::write(&file, text).unwrap();
    let out = folder.join("out").display().to_string();
    (folder, file.display().to_string(), out)
}

/// All games without their clocks.
fn games(out: &str) -> Vec<String> {
    let run = fogtree(&["experiment", "export", out]);
    assert_eq!(run.code, 0, "{}", run.err);
    let timeless = |line: &str| {
        let fields: Vec<&str> = line.rsplitn(5, ',').collect();
        [fields[4], fields[2], fields[1], fields[0]].join(",")
    };
    run.out.lines().map(timeless).collect()
}

/// Killed ten times in a row at any moment and resumed: nothing is lost, nothing is there twice, and every column
/// but the clocks equals those of a run that was left alone.
#[test]
fn a_killed_experiment_loses_nothing() {
    let (folder, file, out) = laid_out("killed", FILE);
    let alone = folder.join("alone").display().to_string();
    let run = fogtree(&["experiment", "run", &file, "--out", &alone, "--json"]);
    assert_eq!((run.code, &run.lines()[0]["done"]), (0, &90.into()), "{}", run.err);
    for attempt in 0..10 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fogtree"))
            .args(["experiment", "run", &file, "--out", &out])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 + 37 * attempt));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let run = fogtree(&["experiment", "resume", &out, "--json"]);
    assert_eq!((run.code, &run.lines()[0]["complete"]), (0, &true.into()), "{} {}", run.out, run.err);
    let (expected, found) = (games(&alone), games(&out));
    assert_eq!(found.len(), 1 + 2 * 90);
    assert_eq!(found, expected);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn shards_are_planned_done_and_merged() {
    let (folder, file, out) = laid_out("sharded", FILE);
    let plan =
        fogtree(&["experiment", "plan", &file, "--out", &out, "--scale", "tiny", "--shards", "3", "--json"]);
    assert_eq!((plan.code, plan.lines().len()), (0, 3), "{}", plan.err);
    for shard in ["0", "2"] {
        assert_eq!(fogtree(&["experiment", "work", &out, "--shard", shard]).code, 0);
    }
    let merge = fogtree(&["experiment", "merge", &out]);
    assert!(merge.code == 1 && merge.err.contains("shards not done: 1"), "{}", merge.err);
    assert_eq!(fogtree(&["experiment", "work", &out, "--shard", "1"]).code, 0);
    assert_eq!(fogtree(&["experiment", "merge", &out]).code, 0);
    let status = fogtree(&["experiment", "status", &out, "--json"]).json();
    assert_eq!((&status["done"], &status["of"], &status["running"]), (&9.into(), &9.into(), &false.into()));
    for (engine, expected) in
        [("hq", "hq submit --array 0-2"), ("slurm", "sbatch --array=0-2"), ("parallel", "seq 0 2")]
    {
        let submit = fogtree(&["experiment", "submit", &out, "--engine", engine]);
        assert!(submit.code == 0 && submit.out.contains(expected), "{}", submit.out);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_tournament_prints_its_table() {
    let (folder, file, out) = laid_out("table", FILE);
    let run = fogtree(&["tournament", &file, "--out", &out, "--scale", "tiny"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("A small tournament") && run.out.contains("95 % interval"), "{}", run.out);
    assert_eq!(run.out.matches("mnk(m=4,n=4,k=4)").count(), 6, "{}", run.out);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let (folder, file, out) = laid_out("wrong", "title = \"a\"\nagent = 1\n");
    let nowhere = folder.join("nowhere").display().to_string();
    let first = |arguments: &[&str], code: i32, expected: &str| {
        let run = fogtree(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {} {}", run.out, run.err);
        assert!(run.err.contains(expected) && run.err.lines().count() == 1, "{arguments:?}: {}", run.err);
    };
    first(&["experiment", "run", &file, "--out", &out], 2, "line 2, column 1");
    first(&["experiment", "run", &nowhere], 2, "cannot be read");
    first(&["experiment", "resume", &nowhere], 2, "holds no experiment");
    first(&["experiment", "report", &nowhere], 2, "holds no experiment");
    std::fs::write(&file, FILE).unwrap();
    first(
        &["experiment", "run", &file, "--out", &out, "--scale", "huge"],
        2,
        "no scale 'huge'; there are: tiny",
    );
    first(&["experiment", "run", &file, "--out", &out, "--threads", "0"], 2, "at least 1");
    first(&["experiment", "work", &out, "--shard", "0"], 2, "holds no experiment");
    assert_eq!(
        fogtree(&["experiment", "plan", &file, "--out", &out, "--shards", "2", "--scale", "tiny"]).code,
        0
    );
    first(&["experiment", "work", &out, "--shard", "2"], 2, "there are only 2");
    first(&["experiment", "status", &out], 2, "no results yet");
    first(&["experiment", "run", &file, "--out", &out], 2, "another experiment");
    first(&["experiment", "plan", &file, "--out", &out, "--shards", "0"], 2, "at least 1");
    let many = ["experiment", "plan", &file, "--out", &out, "--scale", "tiny", "--shards", "1000000000000"];
    first(&many, 2, "only 6 units");
    unwritable(Path::new(&folder), &file);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A place where nothing can be written: the run ends with an error.
fn unwritable(folder: &Path, file: &str) {
    let blocked = folder.join("blocked");
    std::fs::write(&blocked, "a file where a directory should be").unwrap();
    let run = fogtree(&["experiment", "run", file, "--out", &blocked.display().to_string()]);
    assert!(run.code == 1 && run.err.contains("cannot make the directory"), "{}", run.err);
}

/// Files may grow no further than a limit, as on a full disk: the run ends with one clear line, and when there is
/// room again it is resumed to the result of a run that was left alone.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let (folder, file, out) = laid_out("full", FILE);
    let alone = folder.join("alone").display().to_string();
    assert_eq!(fogtree(&["experiment", "run", &file, "--out", &alone]).code, 0);
    let mut refused = 0;
    for kibibytes in [8, 40, 48, 64] {
        let run = Command::new("bash")
            .args(["-c", &format!("trap '' XFSZ; ulimit -f {kibibytes}; exec \"$@\""), "bash"])
            .arg(env!("CARGO_BIN_EXE_fogtree"))
            .args(["experiment", "run", &file, "--out", &out])
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&run.stderr);
        if run.status.success() {
            break;
        }
        assert_eq!((run.status.code(), err.lines().count()), (Some(1), 1), "{err}");
        assert!(["full", "write", "I/O", "large"].iter().any(|word| err.contains(word)), "{err}");
        refused += 1;
    }
    assert!(refused > 1, "the limit was never reached");
    let run = fogtree(&["experiment", "run", &file, "--out", &out]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(games(&out), games(&alone));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_fogtree"))
        .args(["experiment", "export", &out])
        .stdout(full)
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.code() == Some(1) && err.contains("cannot write the output"), "{err}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Every game is in every export; the pictures of a report are files of their own.
#[test]
fn results_are_exported_and_drawn() {
    let (folder, file, out) = laid_out("exported", FILE);
    let run = fogtree(&["tournament", &file, "--out", &out, "--scale", "tiny"]);
    assert!(run.code == 0 && run.out.contains("p of all"), "{}{}", run.out, run.err);
    let csv = fogtree(&["experiment", "export", &out]).out;
    assert!(csv.starts_with("cell,game,number,deal,seat,entrant,agent,role,"), "{csv}");
    assert_eq!(csv.lines().count(), 1 + 2 * 9);
    assert!(csv.contains("\"mnk(m=4,n=4,k=4)\"") && csv.contains(",uct,"), "{csv}");
    let lines = fogtree(&["experiment", "export", &out, "--format", "jsonl"]).lines();
    assert_eq!(lines.len(), 9);
    let parquet = Command::new(env!("CARGO_BIN_EXE_fogtree"))
        .args(["experiment", "export", &out, "--format", "parquet"])
        .output()
        .unwrap();
    match cfg!(feature = "parquet") {
        true => assert!(parquet.stdout.starts_with(b"PAR1") && parquet.stdout.ends_with(b"PAR1")),
        false => assert!(String::from_utf8_lossy(&parquet.stderr).contains("--features parquet")),
    }
    let pictures = Path::new(&out).join("pictures");
    let svg = std::fs::read_to_string(pictures.join("1-mnk-m-4-n-4-k-4-pairs.svg")).unwrap();
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{}", &svg[..40]);
    assert_eq!(pictures.join("1-mnk-m-4-n-4-k-4-pairs.png").exists(), cfg!(feature = "png"));
    std::fs::remove_dir_all(folder).unwrap();
}
