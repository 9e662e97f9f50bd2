//! `fogtree experiment` and `fogtree tournament`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{fogtree, scratch};

pub(crate) const FILE: &str = r#"
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
pub(crate) fn laid_out(name: &str, text: &str) -> (PathBuf, String, String) {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("small.toml");
    std::fs::write(&file, text).unwrap();
    let out = folder.join("out").display().to_string();
    (folder, file.display().to_string(), out)
}

/// All games without their clocks.
pub(crate) fn games(out: &str) -> Vec<String> {
    let run = fogtree(&["experiment", "export", out]);
    assert_eq!(run.code, 0, "{}", run.err);
    let timeless = |line: &str| {
        let mut fields: Vec<&str> = line.rsplitn(7, ',').collect();
        fields.remove(5);
        fields.join(",")
    };
    run.out.lines().map(timeless).collect()
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
    std::fs::write(&file, FILE.replace("unit = 2", "unit = 3")).unwrap();
    first(&["experiment", "run", &file, "--out", &out, "--scale", "tiny"], 2, "another experiment");
    std::fs::write(&file, FILE).unwrap();
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

/// A store that was damaged is refused by every command with exit code 1, and left as it is.
#[test]
fn a_damaged_store_is_refused() {
    let (folder, file, out) = laid_out("damaged", FILE);
    assert_eq!(fogtree(&["experiment", "run", &file, "--out", &out, "--scale", "tiny"]).code, 0);
    let store = Path::new(&out).join("results.sqlite");
    let mut bytes = std::fs::read(&store).unwrap();
    let place = bytes.windows(6).rposition(|w| w == b"second").expect("a role of a seat");
    bytes[place] ^= 1;
    std::fs::write(&store, &bytes).unwrap();
    for command in ["resume", "status", "export", "report", "merge"] {
        if command == "merge" {
            std::fs::write(Path::new(&out).join("shards.json"), "{\"shards\": 2}").unwrap();
        }
        let run = fogtree(&["experiment", command, &out]);
        assert!(run.code == 1 && run.err.contains("the store is damaged"), "{command}: {}", run.err);
    }
    assert_eq!(std::fs::read(&store).unwrap(), bytes);
    std::fs::remove_dir_all(folder).unwrap();
}

/// An experiment that is finished is given more games by its file.
#[test]
fn a_finished_experiment_can_be_given_more_games() {
    let (folder, file, out) = laid_out("more", FILE);
    let run = |scale: &str| {
        let run = fogtree(&["experiment", "run", &file, "--out", &out, "--scale", scale, "--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        (run.lines()[0]["done"].clone(), run.lines()[0]["new"].clone())
    };
    assert_eq!(run("tiny"), (9.into(), 9.into()));
    std::fs::write(&file, FILE.replace("tiny = 0.1", "tiny = 0.2")).unwrap();
    assert_eq!(run("tiny"), (18.into(), 12.into()), "of 3 games in units of 2 the last is played again");
    let status = fogtree(&["experiment", "status", &out, "--json"]).json();
    assert_eq!((&status["done"], &status["of"]), (&18.into(), &18.into()));
    assert!(status["made"][0]["commit"].is_string(), "{status}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is printed for engines, done by stand-ins for them, names the directory whatever it is called.
#[cfg(unix)]
#[test]
fn submissions_are_quoted_for_every_shell() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, file, _) = laid_out("quoted", FILE);
    let program = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/bash\n{text}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("fogtree", "printf '%s|' \"$@\" >> \"$LOG\"; echo >> \"$LOG\"");
    program("hq", "while [ \"$1\" != -- ]; do shift; done; shift; HQ_TASK_ID=1 exec \"$@\"");
    program("sbatch", "SLURM_ARRAY_TASK_ID=1 exec sh -c \"${!#/#--wrap=/}\"");
    program("parallel", "command=\"${!#}\"; exec bash -c \"${command//@SHARD@/1}\"");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    for name in ["plain", "my run", "dir $(touch PWNED) `touch PWNED`", "it's \"so\"; touch PWNED #", "{}"] {
        let out = folder.join(name).display().to_string();
        let plan = ["experiment", "plan", &file, "--out", &out, "--shards", "2", "--scale", "tiny"];
        let plan = fogtree(&plan);
        assert_eq!(plan.code, 0, "{}", plan.err);
        for engine in ["hq", "slurm", "parallel"] {
            let log = folder.join("log");
            let submit = fogtree(&["experiment", "submit", &out, "--engine", engine]).out;
            let mut shell = Command::new("bash");
            shell.args(["-c", &submit]).current_dir(&folder).env("PATH", &path).env("LOG", &log);
            assert!(shell.status().unwrap().success(), "{submit}");
            let told = std::fs::read_to_string(&log).unwrap();
            let expected = format!("experiment|work|{out}|--shard|1|\nexperiment|merge|{out}|\n");
            assert_eq!(told, expected, "{engine}: {submit}");
            std::fs::remove_file(log).unwrap();
        }
        let merge = plan.out.rsplit("then: ").next().unwrap().to_string();
        let mut shell = Command::new("bash");
        shell.args(["-c", &merge]).current_dir(&folder).env("PATH", &path).env("LOG", folder.join("log"));
        assert!(shell.status().unwrap().success(), "{merge}");
        assert!(std::fs::read_to_string(folder.join("log")).unwrap().contains(&format!("|{out}|")));
        std::fs::remove_file(folder.join("log")).unwrap();
    }
    assert!(!folder.join("PWNED").exists());
    std::fs::remove_dir_all(folder).unwrap();
}

/// The results of a run that was killed are read where nothing can be written, and nobody is said to run it.
#[cfg(target_os = "linux")]
#[test]
fn results_are_read_where_nothing_can_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, file, out) = laid_out("readonly", &FILE.replace("games = 30", "games = 400"));
    let mut child = crate::kills::started(&["experiment", "run", &file, "--out", &out]);
    let log = Path::new(&out).join("results.sqlite-wal");
    for _ in 0..500 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        if log.metadata().is_ok_and(|log| log.len() > 20_000) {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let set = |mode| std::fs::set_permissions(&out, std::fs::Permissions::from_mode(mode)).unwrap();
    let read = |killed: bool| {
        set(0o555);
        let arguments = |command: &str| ["experiment".to_string(), command.to_string(), out.clone()];
        for command in ["status", "export"] {
            let program = env!("CARGO_BIN_EXE_fogtree");
            let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", program];
            let mut run = Command::new("setpriv");
            // Who may do everything is nobody for the time being.
            run.args(nobody).args(arguments(command));
            let run =
                run.output().ok().filter(|run| !String::from_utf8_lossy(&run.stderr).contains("setpriv"));
            let run = run.unwrap_or_else(|| Command::new(program).args(arguments(command)).output().unwrap());
            let (told, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
            assert!(run.status.success(), "{command}, killed {killed}: {err}");
            let expected = if killed { "not running" } else { "complete" };
            assert!(command == "export" || told.contains(expected), "{told}");
        }
        set(0o755);
    };
    assert!(log.metadata().unwrap().len() > 0, "it was killed in the middle");
    read(true);
    assert_eq!(fogtree(&["experiment", "resume", &out]).code, 0);
    read(false);
    std::fs::remove_dir_all(folder).unwrap();
}
