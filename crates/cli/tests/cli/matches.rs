//! Matches, their records, and looking at them again.

use serde_json::Value;

use crate::{fogtree, scratch};

fn without_times(mut result: Value) -> Value {
    for agent in result["agents"].as_array_mut().unwrap() {
        agent["seconds_per_move"] = Value::Null;
    }
    result
}

#[test]
fn the_same_seed_gives_the_same_result_with_any_number_of_threads() {
    let run = |threads: &str, seed: &str| {
        let arguments =
            ["match", "kuhn-poker", "flat-mc(iterations=50)", "random", "--games", "60", "--json"];
        without_times(fogtree(&[&arguments[..], &["--threads", threads, "--seed", seed]].concat()).json())
    };
    assert_eq!(run("1", "7"), run("3", "7"));
    assert_ne!(run("1", "7"), run("1", "8"));
}

#[test]
fn the_result_has_the_promised_fields() {
    let result =
        fogtree(&["match", "kuhn-poker", "cheating-uct(iterations=20)", "random", "--games", "10", "--json"]);
    let result = result.json();
    assert_eq!(result["games"], 10);
    let agent = &result["agents"][0];
    assert_eq!(agent["agent"], "cheating-uct(iterations=20)");
    assert_eq!(
        (&agent["cheating"], &result["agents"][1]["cheating"]),
        (&Value::Bool(true), &Value::Bool(false))
    );
    for field in ["wins", "draws", "losses", "win_rate", "low", "high", "mean_reward", "seconds_per_move"] {
        assert!(agent[field].is_number(), "{field}");
    }
    assert!(
        agent["low"].as_f64() <= agent["win_rate"].as_f64()
            && agent["win_rate"].as_f64() <= agent["high"].as_f64()
    );
}

/// Against itself with paired deals and rotated seats, a deterministic result would be even; random play is
/// even on average.
#[test]
fn seats_rotate_and_deals_are_paired() {
    let path = scratch("pairs");
    let file = path.to_str().unwrap();
    let run = fogtree(&[
        "match",
        "kuhn-poker",
        "random",
        "flat-mc(iterations=10)",
        "--games",
        "8",
        "--record",
        file,
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let headers: Vec<&Value> = lines.iter().filter(|l| l["format"].is_string()).collect();
    let deals: Vec<Vec<&Value>> = text_games(&lines);
    assert_eq!(headers.len(), 8);
    for pair in 0..4 {
        let (a, b) = (headers[2 * pair], headers[2 * pair + 1]);
        assert_eq!(
            (&a["seed"], &a["agents"][0], &a["agents"][1]),
            (&b["seed"], &b["agents"][1], &b["agents"][0])
        );
        assert_eq!(deals[2 * pair], deals[2 * pair + 1], "both games of a pair have the same cards");
        assert_ne!(a["agent_seed"], b["agent_seed"], "but the agents think anew");
    }
    assert_ne!(headers[0]["seed"], headers[2]["seed"]);
    std::fs::remove_file(path).unwrap();
}

/// The cards dealt in each recorded game.
fn text_games(lines: &[Value]) -> Vec<Vec<&Value>> {
    let mut games: Vec<Vec<&Value>> = Vec::new();
    for line in lines {
        if line["format"].is_string() {
            games.push(Vec::new());
        } else if line["chance"].is_string() {
            games.last_mut().unwrap().push(&line["chance"]);
        }
    }
    games
}

#[test]
fn agents_are_assigned_by_role() {
    let roles = "first=flat-mc(iterations=30,allocation=even),others=random";
    let result = fogtree(&["match", "kuhn-poker", "--roles", roles, "--games", "12", "--json"]).json();
    let agents = result["agents"].as_array().unwrap();
    assert_eq!((&agents[0]["role"], &agents[1]["role"]), (&"first".into(), &"others".into()));
    assert_eq!(agents[0]["agent"], "flat-mc(iterations=30,allocation=even)");
}

/// A role that nobody has is most likely a slip of the pen.
#[test]
fn roles_that_nobody_has_are_pointed_out() {
    let run = fogtree(&["match", "nim", "--roles", "frist=random,others=random", "--games", "4"]);
    assert!(run.code == 0 && run.out.contains("no seat ever had the role 'frist'"), "{}{}", run.out, run.err);
}

#[test]
fn a_match_that_cannot_be_played_leaves_an_older_record_alone() {
    let path = scratch("older");
    std::fs::write(&path, "older").unwrap();
    let run = fogtree(&["match", "nim", "random", "--record", path.to_str().unwrap()]);
    assert_eq!((run.code, std::fs::read_to_string(&path).unwrap().as_str()), (2, "older"));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn any_number_of_threads_will_do() {
    for threads in ["1", "18446744073709551615"] {
        let run = fogtree(&["match", "nim", "random", "random", "--games", "3", "--threads", threads]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
}

#[test]
fn records_replay_and_a_cut_or_changed_one_is_noticed() {
    let path = scratch("record");
    let file = path.to_str().unwrap();
    fogtree(&["match", "kuhn-poker", "random", "random", "--games", "3", "--record", file]);
    let replayed = fogtree(&["replay", file, "--number", "3", "--json"]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    let steps = replayed.lines();
    assert_eq!(steps.last().unwrap()["turn"]["kind"], "over");
    let of_seat = fogtree(&["replay", file, "--at", "2", "--seat", "1"]).out;
    assert!(of_seat.contains("card") && !of_seat.contains("rewards"), "{of_seat}");
    let of_seat = fogtree(&["replay", file, "--number", "3", "--seat", "1", "--json"]).lines();
    assert!(of_seat.iter().all(|l| l["seat"] == 1 && l["moves"].is_null() && l["views"].is_null()));
    assert_eq!(of_seat.last().unwrap()["rewards"], steps.last().unwrap()["rewards"]);
    let decision =
        fogtree(&["analyse", "--record", file, "--at", "2", "--agent", "flat-mc(iterations=50)", "--json"]);
    assert_eq!(decision.json()["iterations"], 50);
    assert_eq!(fogtree(&["analyse", "--record", file, "--at", "99"]).code, 2);
    assert_eq!(fogtree(&["replay", file, "--number", "4"]).code, 2);

    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 5]).unwrap();
    assert_eq!(fogtree(&["replay", file, "--number", "3"]).code, 0, "a line cut short is left out");
    let other = text.replace("\"check\"", "\"bet\"").replace("\"call\"", "\"fold\"");
    std::fs::write(&path, other).unwrap();
    let changed = (1..=3).map(|n| fogtree(&["replay", file, "--number", &n.to_string()]).code);
    assert!(changed.into_iter().any(|code| code == 2), "a changed move leads elsewhere");
    std::fs::remove_file(path).unwrap();
}

/// A record that contradicts itself is refused: rewards of a game that did not end, moves by the wrong seat
/// or by chance.
#[test]
fn records_that_contradict_themselves_are_refused() {
    let path = scratch("contradiction");
    let file = path.to_str().unwrap();
    fogtree(&["match", "nim", "random", "random", "--games", "1", "--record", file]);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let unfinished = [&lines[..2], &lines[lines.len() - 1..]].concat().join("\n") + "\n";
    let wrong_seat = text.replacen("[[0,", "[[1,", 1);
    let by_chance = text.replacen("\"moves\":[[0,", "\"chance\":", 1).replacen("]],\"key", ",\"key", 1);
    for (record, word) in [(unfinished, "not over"), (wrong_seat, "not [1]"), (by_chance, "not chance's")] {
        std::fs::write(&path, record).unwrap();
        let run = fogtree(&["replay", file]);
        assert!(run.code == 2 && run.err.contains(word), "{word}: {} {}", run.out, run.err);
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_decision_is_explained() {
    let arguments = ["analyse", "kuhn-poker", "--moves", "J Q", "--agent", "flat-mc(iterations=200)"];
    let decision = fogtree(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(decision["iterations"], 200);
    let visits: u64 =
        decision["moves"].as_array().unwrap().iter().map(|m| m["visits"].as_u64().unwrap()).sum();
    assert_eq!(visits, 200);
    for field in ["move", "nodes", "depth", "seconds", "iterations_per_second", "infoset", "cheating"] {
        assert!(!decision[field].is_null(), "{field}");
    }
    assert!(fogtree(&arguments).out.contains("200 iterations"));
}

#[test]
fn the_signature_does_not_change_from_run_to_run() {
    let signature = || fogtree(&["bench", "signature", "--json"]).json()["value"].clone();
    assert_eq!(signature(), signature());
}

#[test]
fn measurements_are_listed_for_people_and_programs() {
    let names = fogtree(&["bench", "--list"]).out;
    let listed = fogtree(&["bench", "--list", "--json"]).lines();
    assert!(names.lines().eq(listed.iter().map(|line| line["what"].as_str().unwrap())));
    assert_eq!(fogtree(&["bench", "bytes/nim", "--seconds", "1e-12"]).code, 2);
}

#[test]
fn figures_have_the_promised_fields() {
    let run = fogtree(&["bench", "kuhn-poker", "--seconds", "0.01", "--json"]);
    let figures = run.lines();
    assert!(figures.len() >= 5);
    assert!(figures.iter().all(|f| f["what"].is_string() && f["value"].is_number() && f["unit"].is_string()));
}
