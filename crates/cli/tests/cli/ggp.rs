//! `fogtree ggp`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::{fogtree, scratch};

fn sheet(name: &str) -> String {
    format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"))
}

/// A player that listens at a free port until it is dropped.
struct Player {
    child: Child,
    address: String,
}

impl Player {
    fn new(agent: &str) -> Player {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fogtree"))
            .args(["ggp", "player", "--port", "0", "--agent", agent, "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let line: Value = serde_json::from_str(&line).unwrap();
        Player { child, address: line["listening"].as_str().unwrap().to_string() }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn matches_are_played_recorded_and_checked() {
    let (one, two) = (Player::new("random"), Player::new("first-legal"));
    let players = format!("{},{}", one.address, two.address);
    let info = fogtree(&["ggp", "info", &one.address, &two.address]);
    assert!(info.code == 0 && info.out.contains(": first-legal, available"), "{}{}", info.out, info.err);
    let path = scratch("match.json");
    let record = path.display().to_string();
    for (name, dialect) in
        [("tic-tac-toe", "gdl"), ("kuhn-poker", "a"), ("tic-tac-toe", "a,b"), ("meier", "auto")]
    {
        let rules = sheet(name);
        let arguments = ["ggp", "manager", &rules, "--players", &players, "--record", &record, "--states"];
        let run = fogtree(&[&arguments[..], &["--dialect", dialect, "--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let lines = run.lines();
        let end = lines.last().unwrap();
        assert_eq!(
            (end["end"].as_str(), end["steps"].as_u64()),
            (Some("terminal"), Some(lines.len() as u64 - 1))
        );
        assert!(end["errors"].as_array().unwrap().iter().all(|n| *n == 0), "{end}");
        let again = fogtree(&["ggp", "replay", &record, &rules]);
        assert!(again.code == 0 && again.out.contains("agrees with the rules"), "{}{}", again.out, again.err);
        let other = fogtree(&["ggp", "replay", &record, &sheet("monty-hall")]);
        assert!(other.code == 2 && other.err.contains("other rules"), "{}", other.err);
    }
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"terminal\"", "{\"aborted\": \"\"}")).unwrap();
    let wrong = fogtree(&["ggp", "replay", &record, &sheet("meier")]);
    assert!(wrong.code == 1 && wrong.err.contains("the match was over"), "{}", wrong.err);
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn matches_inside_the_program_are_shown() {
    let run = fogtree(&["ggp", "manager", &sheet("tic-tac-toe"), "--players", "first-legal,random"]);
    assert!(run.code == 0 && run.out.contains("x: (mark 1 1)  |  o: noop"), "{}{}", run.out, run.err);
    assert!(run.out.lines().last().unwrap().contains(" steps: x "), "{}", run.out);
    let short =
        fogtree(&["ggp", "manager", &sheet("meier"), "--players", "random,random", "--most-steps", "1"]);
    assert!(short.code == 1 && short.err.contains("after 1 steps"), "{}{}", short.out, short.err);
}

/// With the same seed our own players play the same match, under another name each time.
#[test]
fn matches_are_repeated_by_their_seed_and_not_by_their_name() {
    let play = |seed: &[&str]| {
        let arguments = ["ggp", "manager", &sheet("meier"), "--players", "random,mo-ismcts(iterations=20)"];
        let mut lines = fogtree(&[&arguments[..], &["--json"], seed].concat()).lines();
        let end = lines.pop().unwrap();
        lines.iter_mut().for_each(|step| step["answers"] = Value::Null);
        (end["id"].as_str().unwrap().to_string(), lines)
    };
    let (one, again) = (play(&["--seed", "5"]), play(&["--seed", "5"]));
    assert_ne!(one.0, again.0);
    assert_eq!(one.1, again.1);
    assert!((0..8).any(|_| play(&[]).1 != one.1));
}

/// The general player looks at every sheet anew: what it found out about one is not played in another.
#[test]
fn agents_play_one_sheet_after_another() {
    let player = Player::new("ggp(iterations=300)");
    let players = format!("{},random", player.address);
    let goal = |name: &str, seed: &str| {
        let run = fogtree(&["ggp", "manager", &sheet(name), "--players", &players, "--seed", seed, "--json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let end = run.lines().last().unwrap().clone();
        assert!(end["errors"].as_array().unwrap().iter().all(|n| *n == 0), "{end}");
        end["goals"][0].as_u64().unwrap()
    };
    goal("kuhn-poker", "1");
    let goals: Vec<u64> =
        ["1", "2", "3", "4", "5", "6"].iter().map(|seed| goal("tic-tac-toe", seed)).collect();
    assert!(goals.iter().all(|&goal| goal >= 50) && goals.iter().sum::<u64>() >= 450, "{goals:?}");
}

#[test]
fn what_cannot_be_played_is_said_in_one_line() {
    let (plain, hidden) = (sheet("tic-tac-toe"), sheet("kuhn-poker"));
    for (arguments, expected) in [
        (&["manager", &plain, "--players", "random"][..], "1 players for 2 roles"),
        (&["manager", &plain, "--players", "random,nobody"], "nobody"),
        (&["manager", &plain, "--players", "random,localhost:x"], "localhost:x"),
        (&["manager", &hidden, "--players", "random,random", "--dialect", "gdl"], "dialect a or b"),
        (&["manager", &plain, "--players", "random,random", "--dialect", "c"], "there are gdl, a and b"),
        (&["manager", &plain, "--players", "random,random", "--dialect", "a,b,a"], "1 or 2 dialects"),
        (&["manager", &plain, "--players", "random,random", "--id", "a b"], "one word"),
        (&["manager", &plain, "--players", "random,random", "--grace=-1"], "--grace"),
        (&["manager", "nowhere.kif", "--players", "random"], "nowhere.kif"),
        (&["player", "--agent", "nobody"], "unknown agent 'nobody'"),
        (&["player", "--agent", "cheating-uct"], "true state"),
        (&["player", "--host", "no such host"], "cannot listen"),
        (&["player", "--matches", "0"], "--matches 0"),
        (&["replay", "nowhere.json", &plain], "nowhere.json"),
        (&["replay", &plain, &plain], "not a record"),
    ] {
        let run = fogtree(&[&["ggp"], arguments].concat());
        assert!(run.code == 2 && run.err.lines().count() == 1, "{arguments:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
    }
}

/// What a player answers is not obeyed by the terminal of whoever looks on.
#[test]
fn escape_sequences_of_players_are_spelled_out() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
            // The head is enough to answer.
            lines.find(String::is_empty);
            let body = "\u{1b}]0;pwned\u{7}\u{9b}2J";
            let answer = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            std::io::Write::write_all(&mut stream, answer.as_bytes()).unwrap();
        }
    });
    let (rules, players) = (sheet("tic-tac-toe"), format!("{address},random"));
    for json in [&[][..], &["--json"]] {
        let arguments = ["ggp", "manager", &rules, "--players", &players, "--most-steps", "2"];
        let run = fogtree(&[&arguments[..], json].concat());
        let obeyed = |c: char| c.is_control() && c != '\n';
        assert!(run.out.contains("\\u001b") && !run.out.contains(obeyed), "{:?}", run.out);
        assert!(!run.err.contains(obeyed), "{:?}", run.err);
    }
}
