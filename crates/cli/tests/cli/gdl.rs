//! `fogtree gdl`.

use crate::{fogtree, scratch};

fn sheet(name: &str) -> String {
    format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn sheets_are_checked_and_judged() {
    let run = fogtree(&["gdl", "check", &sheet("tic-tac-toe"), "--level", "strict"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("all 5 478 states") && run.out.contains("everybody can win"), "{}", run.out);
    let json = fogtree(&["gdl", "check", &sheet("kuhn-poker"), "--json"]).json();
    assert_eq!((&json["accepted"], &json["errors"]), (&true.into(), &0.into()));
    assert_eq!(json["well_formed"]["playable"]["verdict"], "proved");
    let wrong = fogtree(&["gdl", "check", &sheet("kuhn-poker"), "--level", "strict"]);
    assert!(wrong.code == 2 && wrong.err.contains("at this level"), "{}{}", wrong.out, wrong.err);
    let level = fogtree(&["gdl", "check", &sheet("kuhn-poker"), "--level", "loose"]);
    assert!(level.code == 2 && level.err.contains("strict, gdl-ii and lenient"), "{}", level.err);
}

#[test]
fn sheets_are_written_anew() {
    let path = scratch("formatted.kif");
    for command in ["format", "scramble"] {
        let run = fogtree(&["gdl", command, &sheet("meier")]);
        assert_eq!(run.code, 0, "{}", run.err);
        std::fs::write(&path, &run.out).unwrap();
        let again = fogtree(&["gdl", "check", &path.display().to_string()]);
        assert_eq!(again.code, 0, "{command}: {}{}", again.out, again.err);
        let twice = fogtree(&["gdl", "format", &path.display().to_string()]).out;
        assert_eq!(twice.lines().count(), run.out.lines().count(), "{command}");
        assert!(command == "scramble" || twice == run.out);
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn matches_are_shown_with_what_everybody_sees() {
    let run = fogtree(&["gdl", "run", &sheet("monty-hall"), "--seed", "3"]);
    assert!(
        run.code == 0 && run.out.contains(" sees ") && run.out.contains("over: "),
        "{}{}",
        run.out,
        run.err
    );
    let lines = fogtree(&["gdl", "run", &sheet("tic-tac-toe"), "--json"]).lines();
    let end = lines.last().unwrap();
    let goals: i64 = end["goals"].as_array().unwrap().iter().map(|goal| goal.as_i64().unwrap()).sum();
    assert_eq!((end["end"].as_str(), goals), (Some("over"), 100));
    assert!((5..=9).contains(&(lines.len() - 1)), "{}", lines.len());
}

#[test]
fn both_reasoners_are_measured() {
    let run = fogtree(&["gdl", "bench", &sheet("tic-tac-toe"), "--time", "0.05", "--json"]).json();
    assert!(run["compiled"].as_f64() > run["interpreter"].as_f64(), "{run}");
    assert!(run["batched"].as_f64() > run["compiled"].as_f64(), "{run}");
}

#[test]
fn what_cannot_be_read_is_said_in_one_line() {
    let path = scratch("broken.kif");
    let file = path.display().to_string();
    for (text, expected) in
        [("(role a) (init", "line 1"), ("(role ?x)", "line 1"), ("\u{fffd}(", "line 1"), ("", "")]
    {
        std::fs::write(&path, text).unwrap();
        for command in ["format", "run", "bench", "scramble"] {
            let run = fogtree(&["gdl", command, &file]);
            assert!(
                run.code == 2 && run.err.lines().count() == 1,
                "{command} {text}: {}{}",
                run.out,
                run.err
            );
            assert!(run.err.contains(expected), "{}", run.err);
        }
    }
    std::fs::remove_file(&path).unwrap();
    let run = fogtree(&["gdl", "check", &file]);
    assert!(run.code == 2 && run.err.contains("broken.kif"), "{}", run.err);
    let run = fogtree(&["gdl", "bench", &sheet("tic-tac-toe"), "--time", "0"]);
    assert!(run.code == 2 && run.err.contains("--time 0"), "{}", run.err);
}
