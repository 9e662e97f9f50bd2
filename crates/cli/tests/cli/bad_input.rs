//! Bad input gets one line that says what to do, and exit code 2.

use fogtree_core::{Purpose, Seed};

use crate::{fogtree, fogtree_with_input, scratch};

/// Runs the program, which must refuse in one line that contains all of these words.
fn refused(arguments: &[&str], words: &[&str]) {
    let run = fogtree(arguments);
    assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
    assert_eq!(run.err.lines().count(), 1, "{arguments:?}: {}", run.err);
    assert!(run.err.starts_with("error: ") && !run.err.contains("panicked"), "{}", run.err);
    for word in words {
        assert!(run.err.contains(word), "{arguments:?}: '{word}' is not in: {}", run.err);
    }
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    refused(
        &["state", "khun-poker"],
        &["unknown game 'khun-poker'", "did you mean 'kuhn-poker'?", "there are:"],
    );
    refused(&["games", "nothing-like-it"], &["unknown game", "kuhn-poker"]);
    refused(&["agents", "uxt"], &["unknown agent 'uxt'", "'uct'"]);
    refused(&["match", "kuhn-poker", "flat-nc", "random"], &["unknown agent", "'flat-mc'"]);
    refused(&["play", "kuhn-poker", "--against", "x(y=z)"], &["unknown agent 'x'"]);
    refused(&["bench", "playouts/kuhn"], &["nothing to measure", "playouts/kuhn-poker", "--list"]);
}

#[test]
fn bad_command_lines_are_refused_in_one_line_too() {
    let games = |games| ["match", "nim", "uct", "uct", "--games", games];
    for bad in ["-1", "x", "1.5", ""] {
        let told =
            format!("error: --games {bad}: expected a whole number, not negative; fogtree match --help");
        refused(&games(bad), &[&told]);
    }
    refused(&games("0"), &["--games 0: expected at least 1"]);
    for command in [
        &["match", "nim", "uct", "uct", "--threads", "0"][..],
        &["experiment", "resume", "runs/x", "--threads", "0"],
        &["reproduce", "ismcts/E22", "--threads", "0"],
        &["ggp", "manager", "x.kif", "--players", "random", "--play-clock", "0"],
        &["analyse", "nim", "--tree", "x.dot", "--tree-top", "0"],
    ] {
        refused(command, &[" 0: expected at least 1"]);
    }
    refused(&["analyse", "nim", "--seat", "300"], &["--seat 300: expected a number from 0 to 255"]);
    refused(&["agents", "mo-ismcts(iterations=0)"], &["iterations=0"]);
    refused(&["match", "nim", "--gamse", "3"], &["there is no '--gamse'", "did you mean '--games'?"]);
    refused(&["match", "nim", "--games"], &["--games <GAMES>: expected a value"]);
    refused(&["match", "nim", "--games", "1", "--games", "2"], &["--games is given twice"]);
    refused(&["match", "nim", "uct", "--roles", "first=uct"], &["does not go with"]);
    refused(&["games", "nim", "--tree", "xml"], &["'xml'", "efg, json"]);
    refused(&["gmaes"], &["'gmaes'", "'games'"]);
    refused(&["state"], &["error: expected <GAME>; fogtree state --help tells more"]);
    refused(&["experiment", "work", "x"], &["expected --shard <SHARD>; fogtree experiment work --help"]);
    refused(&["exploit", "kuhn-poker"], &["--strategy FILE", "--agent AGENT"]);
    refused(&["exploit", "--agent", "random"], &["--agent: expected a game"]);
    let asked_for_json = fogtree(&["state", "khun-poker", "--json"]);
    assert!(asked_for_json.out.is_empty() && asked_for_json.err.starts_with("error: unknown game"));
    assert_eq!(fogtree(&["--help"]).code, 0);
    assert_eq!(fogtree(&["--version"]).code, 0);
}

#[test]
fn bad_parameters_are_answered_with_what_is_possible() {
    refused(&["state", "goofspiel(card=4)"], &["no parameter 'card'", "did you mean 'cards'?"]);
    refused(&["state", "goofspiel(cards=0)"], &["cards=0", "expected a number from"]);
    refused(&["state", "goofspiel(cards=99999999999999999999)"], &["expected a number from"]);
    refused(&["state", "goofspiel(bids=loud)"], &["expected one of", "hidden"]);
    refused(&["state", "goofspiel(cards=4"], &["closing ')'"]);
    refused(&["state", "kuhn-poker(a=b)"], &["no parameter 'a'", "it takes none"]);
    refused(&["match", "kuhn-poker", "flat-mc(iterations=0)", "random"], &["iterations=0", "from 1 to"]);
    refused(&["match", "kuhn-poker", "flat-mc(time=soon)", "random"], &["time=soon", "500ms"]);
    refused(&["analyse", "kuhn-poker", "--seed", "1", "--agent", "flat-mc(c=-1)"], &["c=-1"]);
}

#[test]
fn illegal_moves_are_answered_with_the_legal_ones() {
    refused(
        &["state", "kuhn-poker", "--moves", "J Q raise"],
        &["player 0 may not play 'raise'", "check bet"],
    );
    refused(&["state", "kuhn-poker", "--moves", "J J"], &["chance cannot draw 'J'", "possible: Q K"]);
    refused(&["state", "kuhn-poker", "--moves", "J Q check check bet"], &["the game is over"]);
    refused(
        &["state", "goofspiel(cards=3)", "--moves", "2 2 1"],
        &["middle of a simultaneous turn", "1 of 2"],
    );
    refused(&["state", "kuhn-poker", "--seed", "1", "--moves", "J"], &["player 0 may not play 'J'"]);
    refused(&["analyse", "kuhn-poker", "--agent", "random", "--moves", "J"], &["chance's turn", "--seed"]);
    refused(&["analyse", "kuhn-poker", "--moves", "J Q check check"], &["the game is over"]);
    refused(&["analyse", "kuhn-poker", "--seed", "1", "--seat", "1"], &["player 1 is not to move"]);
    refused(&["analyse", "nim", "--seat", "16"], &["player 16 is not to move"]);
}

#[test]
fn errors_are_short_and_obeyed_by_no_terminal() {
    let word = "\x1b[2J".to_string() + &"x".repeat(100_000);
    for game in ["nim", "kuhn-poker"] {
        let run = fogtree(&["state", game, "--moves", &word]);
        assert!(run.code == 2 && run.err.len() < 300 && !run.err.contains('\x1b'), "{}", run.err);
    }
    let run = fogtree(&["replay", "no\nsuch\x1bfile"]);
    assert!(run.code == 2 && run.err.lines().count() == 1 && !run.err.contains('\x1b'), "{}", run.err);
}

#[test]
fn agents_that_cannot_play_say_who_can() {
    refused(&["match", "kuhn-poker", "uct", "random"], &["uct cannot play", "hidden information", "flat-mc"]);
    refused(&["analyse", "kuhn-poker", "--seed", "1", "--agent", "uct"], &["hidden information"]);
    refused(&["match", "rock-paper-scissors", "uct", "random"], &["uct cannot play", "flat-mc"]);
}

#[test]
fn matches_need_an_agent_for_every_seat() {
    refused(&["match", "kuhn-poker", "random"], &["for 2 players, but 1 agent was given", "--roles"]);
    refused(&["match", "kuhn-poker"], &["0 agents were given"]);
    refused(&["match", "kuhn-poker", "random", "random", "random"], &["3 agents were given"]);
    refused(
        &["match", "kuhn-poker", "--roles", "dealer=random"],
        &["no agent for the role 'first'", "others"],
    );
    refused(&["match", "kuhn-poker", "--roles", "dealer"], &["role=AGENT"]);
    refused(&["match", "kuhn-poker", "random", "random", "--games", "0"], &["at least 1"]);
    refused(&["play", "kuhn-poker", "--seat", "2"], &["seats 0 to 1"]);
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    refused(&["replay", "no/such/file"], &["no/such/file: it cannot be read"]);
    refused(&["analyse", "--record", "no/such/file"], &["cannot be read"]);
    refused(&["replay", "/dev/zero"], &["it is not a file"]);
    refused(&["analyse", "--record", "/dev/zero"], &["it is not a file"]);
    refused(&["match", "kuhn-poker", "random", "random", "--record", "no/such/file"], &["no/such/file"]);
    refused(&["state", "tree(file=no/such/file)"], &["no/such/file"]);
    let path = scratch("noise");
    for (noise, word) in [
        (&b"\xff\xfe\x00"[..], "not UTF-8 text"),
        (b"hello\n", "line 1 is not the header"),
        (b"", "there is no game 1"),
        (
            b"{\"format\":\"fogtree-record\",\"version\":9,\"game\":\"nim\",\"agents\":[],\"seed\":1}\n",
            "version 9",
        ),
    ] {
        std::fs::write(&path, noise).unwrap();
        refused(&["replay", path.to_str().unwrap()], &[word]);
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn noise_on_the_standard_input_is_answered_line_by_line() {
    let mut rng = Seed(1).stream(Purpose::Ties);
    let mut noise: Vec<u8> = (0..1 << 20).map(|_| rng.bits() as u8).collect();
    noise.extend_from_slice(b"\nkuhn-poker\tJ Q bet\n");
    let lines = noise.split(|&b| b == b'\n').count() - 1;
    let run = fogtree_with_input(&["state", "--stdin", "--json"], &noise);
    assert_eq!(run.code, 2);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    let answers = run.lines();
    assert_eq!(answers.len(), lines);
    assert!(answers[..lines - 1].iter().all(|a| a["error"].is_string()));
    assert_eq!(
        answers[lines - 1]["moves"],
        serde_json::json!(["J", "Q", "bet"]),
        "the good line is answered"
    );
}

#[test]
fn a_line_without_end_is_refused_and_the_next_one_answered() {
    let mut input = vec![b'a'; 3 << 20];
    input.extend_from_slice(b"\nkuhn-poker\t\n");
    let run = fogtree_with_input(&["state", "--stdin"], &input);
    let answers = run.lines();
    assert_eq!((run.code, answers.len()), (2, 2));
    assert!(answers[0]["error"].as_str().unwrap().contains("longer than"));
    assert_eq!(answers[1]["turn"]["kind"], "chance");
}

/// Any text in any argument: an answer or a refusal, never a panic (exit code 101).
#[test]
fn mangled_arguments_never_crash() {
    let seeds =
        ["kuhn-poker", "goofspiel(cards=3,bids=hidden)", "nim(heaps=[1,2,3])", "matrix(rows=[0,1;-1,0])"];
    let bytes = b"()[]=,;.-0129az \xc3\xa9'\"";
    let mut rng = Seed(2).stream(Purpose::Ties);
    for i in 0..150 {
        let mut text = seeds[i % seeds.len()].as_bytes().to_vec();
        for _ in 0..=rng.below(4) {
            let at = rng.below(text.len() as u32 + 1) as usize;
            if rng.below(2) == 0 && at < text.len() {
                text.remove(at);
            } else {
                text.insert(at, *rng.pick(bytes));
            }
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let run = fogtree(&["state", "--json", "--moves", &text, "--", &text]);
        assert!([0, 2].contains(&run.code), "{text}: {} {}", run.code, run.err);
    }
}
