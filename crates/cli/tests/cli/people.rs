//! The program as a person meets it in the terminal.

use crate::{fogtree, fogtree_with_input, scratch};

#[test]
fn a_person_plays_and_is_shown_no_more_than_the_seat_may_see() {
    let mut played = 0;
    for seed in 0..12 {
        let seed = seed.to_string();
        let input = b"help\nmoves\nview\nundo\nnonsense\nbet\ncall\ncall\ncheck\n";
        let run = fogtree_with_input(
            &["play", "kuhn-poker", "--seat", "1", "--seed", &seed, "--against", "random"],
            input,
        );
        assert_eq!(run.code, 0, "{}", run.err);
        let (during, after) = run.out.split_once("The game is over").unwrap_or((&run.out, ""));
        let faces = ["Your card: J", "Your card: Q", "Your card: K"];
        let cards: usize = faces.iter().map(|face| during.matches(face).count()).sum();
        let own = faces.iter().filter(|face| during.contains(*face)).count();
        assert!(cards > 0 && own == 1, "only the own card is shown: {during}");
        assert!(during.contains("You have not moved yet."));
        assert!(during.contains("You cannot play that."));
        played += usize::from(after.contains("Rewards"));
    }
    assert!(played > 6, "only {played} games came to an end");
}

#[test]
fn a_move_can_be_taken_back_where_nothing_was_learnt() {
    let input = b"a1\nundo\na1\nundo\nundo\nquit\n";
    let run = fogtree_with_input(&["play", "nim", "--against", "random", "--seed", "1"], input);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("You have not moved yet.") && run.out.ends_with("goodbye\n"), "{}", run.out);
}

/// After a move is taken back the position is the one before it, to people and to programs, and the same move
/// gets the same answer as before.
#[test]
fn a_move_taken_back_leaves_no_trace() {
    let play = |more: &[&str]| {
        let arguments = [&["play", "connect-four", "--against", "random", "--seed", "1"], more].concat();
        fogtree_with_input(&arguments, b"4\n4\nundo\nundo\n4\nquit\n")
    };
    let mut infosets = play(&["--json"]).lines();
    // A choice that was made before a move was taken back must not count for one made after it.
    infosets.iter_mut().for_each(|view| view["revision"] = serde_json::json!(null));
    let run = play(&[]);
    let views: Vec<&str> = run
        .out
        .split("your move: ")
        .map(|asked| asked.split_once("\n\n").map_or(asked, |a| a.1).trim())
        .collect();
    assert_eq!((infosets.len(), views.len()), (6, 7), "{}", run.out);
    for (earlier, later) in [(1, 3), (0, 4), (1, 5)] {
        assert_eq!(infosets[earlier], infosets[later]);
        assert_eq!(views[earlier], views[later]);
    }
    assert_ne!(infosets[0], infosets[1]);
    assert_ne!(infosets[1], infosets[2]);
    assert_ne!(views[1], views[2]);
}

/// A program that plays through `--json` gets an answer to everything that will not do.
#[test]
fn programs_are_told_what_they_may_not_do() {
    let arguments = ["play", "nim", "--against", "random", "--seed", "1", "--json"];
    let answers = fogtree_with_input(&arguments, b"a9\nundo\na1\n").lines();
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert!(answers[1]["error"].as_str().unwrap().contains("You cannot play that."));
    assert!(answers[2]["error"].as_str().unwrap().contains("not moved yet"));
    assert!(answers[0]["legal"].is_array() && answers[3]["legal"].is_array());
}

/// The seed is promised before the game and told after it, and the promise can be checked.
#[test]
fn the_seed_is_promised_and_told_at_the_end() {
    let play = |more: &[&str], input: &[u8]| {
        fogtree_with_input(&[&["play", "kuhn-poker", "--against", "random"], more].concat(), input)
    };
    let check = |seed: &str, salt: &str| fogtree(&["commitment", seed, salt]).out.trim().to_string();
    let run = play(&[], b"check\nfold\n");
    let (before, after) = run.out.split_once("The game is over").unwrap();
    let promised = before.split("commitment ").nth(1).unwrap().split_whitespace().next().unwrap();
    let told: Vec<&str> = after.split("fogtree commitment ").nth(1).unwrap().split_whitespace().collect();
    assert_eq!(check(told[0], told[1]), promised);
    assert!(!before.contains(told[0]) && !before.contains(told[1]), "{before}");
    assert_ne!(check("1", told[1]), promised);

    let lines = play(&["--json"], b"check\nfold\n").lines();
    let (first, last) = (&lines[0], lines.last().unwrap());
    let last = &last["over"];
    assert_eq!(check(&last["seed"].to_string(), last["salt"].as_str().unwrap()), first["commitment"]);
    let cards = fogtree(&["state", "kuhn-poker", "--seed", &last["seed"].to_string(), "--json"]).json();
    assert_eq!(cards["moves"].as_array().unwrap()[..2], last["moves"].as_array().unwrap()[..2]);

    let given = play(&["--seed", "162815"], b"quit\n").out;
    assert!(!given.contains("162815") && !given.contains("commitment"), "{given}");
}

/// Moves are typed in any case and as short as they are unique; what is not is answered with what may be meant.
#[test]
fn moves_may_be_typed_loosely() {
    let deal = fogtree(&["state", "hearts", "--seed", "1", "--json"]).json();
    let card = deal["legal"]["0"][0].as_str().unwrap().trim_start_matches("pass-").to_lowercase();
    let input = format!("pass\n{card}\nquit\n");
    let run = fogtree_with_input(&["play", "hearts", "--against", "random", "--seed", "1"], input.as_bytes());
    assert!(run.out.contains("You cannot play that. Which one? pass-"), "{}", run.out);
    assert!(run.out.contains("(1 chosen)"), "{}", run.out);

    let loose = fogtree(&["state", "kuhn-poker", "--moves", "J Q B C", "--json"]).json();
    assert_eq!(loose["moves"], serde_json::json!(["J", "Q", "bet", "call"]));
    let refused = fogtree(&["state", "nim", "--moves", "c"]);
    assert!(refused.code == 2 && refused.err.contains("'c' may be c1, c2"), "{}", refused.err);
}

/// Places in words, and nobody gets -0.
#[test]
fn the_end_is_told_in_places() {
    let run =
        fogtree_with_input(&["play", "prisoners-dilemma", "--against", "random", "--seed", "1"], b"defect\n");
    assert!(run.out.contains("you: first of 2"), "{}", run.out);
    for seed in ["1", "2", "3", "4"] {
        let input = b"check\ncall\ncheck\ncall\ncheck\ncall\n";
        let run = fogtree_with_input(&["play", "leduc-poker", "--against", "random", "--seed", seed], input);
        assert!(!run.out.contains("reward -0\n"), "{}", run.out);
    }
}

/// A file that somebody else wrote does not run programs.
#[test]
fn saved_games_run_no_programs_by_themselves() {
    let file = scratch("session-exec").display().to_string();
    let input = format!("save {file}\nquit\n");
    let run = fogtree_with_input(&["play", "nim", "--against", "random", "--seed", "1"], input.as_bytes());
    assert!(run.out.contains("Saved."), "{}", run.out);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("\"random\"", "\"exec(command=touch harm)\"")).unwrap();
    let refused = fogtree(&["play", "--resume", &file]);
    assert!(refused.code == 2 && refused.err.contains("runs another program"), "{}", refused.err);
    let run = fogtree(&["play", "--resume", &file, "--against", "random"]);
    assert!(run.code == 0 && run.out.contains("against random"), "{}", run.err);
    std::fs::write(&file, "{}").unwrap();
    let refused = fogtree(&["play", "--resume", &file]);
    assert!(refused.code == 2 && refused.err.contains("not a saved game"), "{}", refused.err);
}

#[test]
fn cheating_opponents_are_marked() {
    let run = fogtree(&["play", "kuhn-poker", "--against", "cheating-uct", "--seed", "1"]);
    assert!(run.out.contains("cheating-uct (cheating"), "{}", run.out);
}

#[test]
fn the_end_of_the_input_ends_the_game() {
    let run = fogtree_with_input(&["play", "kuhn-poker", "--seed", "1"], b"");
    assert_eq!(run.code, 0);
    assert!(run.out.ends_with("goodbye\n"));
}

#[test]
fn what_exists_is_listed() {
    let games = fogtree(&["games"]);
    assert!(games.out.contains("kuhn-poker") && games.out.contains("leduc-poker"), "{}", games.out);
    assert!(fogtree(&["games", "--json"]).lines().iter().all(|g| g["facts"]["players"].is_u64()));
    assert!(fogtree(&["games", "kuhn-poker"]).out.contains("hidden information"));
    assert!(fogtree(&["agents", "flat-mc"]).out.contains("iterations"));
    assert!(fogtree(&["agents", "--json"]).lines().iter().any(|a| a["name"] == "uct"));
    assert!(!games.out.contains('\x1b'), "no colours in a pipe");
}

/// Lists and descriptions fit a terminal of 100 columns, and narrower ones that say how wide they are.
#[test]
fn what_is_listed_fits() {
    let names = |command| {
        let lines = fogtree(&[command, "--json"]).lines();
        lines
            .into_iter()
            .map(move |entry| vec![command.to_string(), entry["name"].as_str().unwrap().to_string()])
    };
    let lists = [&["games"][..], &["agents"], &["solve", "--list"]];
    let lists = lists.map(|words| words.iter().map(ToString::to_string).collect());
    for arguments in lists.into_iter().chain(names("games")).chain(names("agents")) {
        let run = fogtree(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let long = run.out.lines().find(|line| line.chars().count() > 100);
        assert_eq!((run.code, long), (0, None), "{arguments:?}");
    }
    let narrow =
        std::process::Command::new(env!("CARGO_BIN_EXE_fogtree")).arg("games").env("COLUMNS", "70").output();
    let narrow = String::from_utf8(narrow.unwrap().stdout).unwrap();
    assert!(narrow.lines().all(|line| line.chars().count() <= 70), "{narrow}");
}

/// A game written as a tree is the same game when it is read again.
#[test]
fn games_are_written_as_trees_and_read_again() {
    for (format, name) in [("efg", "kuhn.efg"), ("json", "kuhn.json")] {
        let path = scratch(name);
        let written = fogtree(&["games", "kuhn-poker", "--tree", format]);
        assert_eq!(written.code, 0, "{}", written.err);
        std::fs::write(&path, written.out).unwrap();
        let spec = format!("tree(file={})", path.display());
        let read = fogtree(&["state", &spec, "--moves", "J Q bet call", "--json"]).json();
        assert_eq!(read["rewards"], serde_json::json!([-2.0, 2.0]));
        std::fs::remove_file(path).unwrap();
    }
    let refused = fogtree(&["games", "othello", "--tree", "efg"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("cannot be written as a tree"), "{}", refused.err);
}
