//! Files, good and bad.

use fogtree_core::{Purpose, Seed};

use super::super::*;
use super::laws::{check_laws, random_tree};

#[test]
fn the_built_in_files_are_in_the_form_that_is_written() {
    for (name, text) in micro::ALL.iter().filter(|(_, text)| text.starts_with('{')) {
        assert_eq!(&Tree::read(text).unwrap().to_json(), text, "{name}");
    }
}

#[test]
fn names_in_the_help_are_those_that_exist() {
    let names: Vec<&str> = micro::ALL.iter().map(|(name, _)| *name).collect();
    assert!(ABOUT.params[0].about.ends_with(&names.join(", ")), "{}", names.join(", "));
    for preset in ABOUT.presets {
        assert!(names.contains(&preset.params.strip_prefix("name=").unwrap()));
    }
}

#[test]
fn random_trees_obey_the_laws_and_are_read_as_written() {
    let mut hidden = 0;
    for seed in 0..300 {
        for watched in [false, true] {
            let tree = random_tree(seed, watched);
            if tree.size() < 2000 {
                check_laws(&tree);
            }
            hidden += usize::from(tree.facts.hidden);
            let json = tree.to_json();
            assert_eq!(Tree::read(&json).as_ref(), Ok(&tree), "{json}");
            let efg = tree.to_efg();
            let again = Tree::read(&efg).unwrap_or_else(|e| panic!("{e}\n{efg}"));
            assert_eq!(again.to_efg(), efg);
            if !watched {
                assert_eq!(again, tree);
            }
        }
    }
    assert!(hidden > 200, "{hidden}");
}

#[test]
fn the_order_of_moves_in_a_file_does_not_matter() {
    let one = r#"{"players": ["a"], "root": {"player": "a", "infoset": "I", "moves": [
        {"move": "l", "then": {"rewards": [1]}}, {"move": "r", "then": {"rewards": [2]}}]}}"#;
    let other = r#"{"root": {"moves": [
        {"then": {"rewards": ["2"]}, "move": "r"}, {"move": "l", "then": {"rewards": [1.0]}}],
        "infoset": "I", "player": 0}, "players": ["a"]}"#;
    assert_eq!(Tree::read(one).unwrap(), Tree::read(other).unwrap());
}

#[test]
fn depth_is_no_problem() {
    const DEPTH: usize = 100_000;
    let mut efg = String::from("EFG 2 R \"deep\" { \"a\" \"b\" }\n");
    for i in 0..DEPTH {
        if i % 3 == 0 {
            efg += "c \"\" 1 \"\" { \"stop\" 1/2 \"go\" 1/2 } 0 t \"\" 0\n";
        } else {
            efg += &format!("p \"\" {} {i} \"\" {{ \"stop\" \"go\" }} 0 t \"\" 0\n", i % 2 + 1);
        }
    }
    efg += "t \"\" 1 \"\" { 1, -1 }\n";
    let tree = Tree::read(&efg).unwrap();
    assert_eq!((tree.size(), tree.facts().longest), (2 * DEPTH + 1, DEPTH as u32));
    assert_eq!(Tree::read(&tree.to_efg()).unwrap(), tree);
    assert_eq!(Tree::read(&tree.to_json()).unwrap(), tree);
    assert!(tree.history(2 * DEPTH as u32 - 1).len() < 200);
    let turned = Tree::of(&tree, 2 * DEPTH + 1).unwrap();
    assert_eq!(turned.size(), tree.size());
    let nested = "{\"players\": [\"a\"], \"root\": ".to_string() + &"{\"chance\": [{\"then\": ".repeat(DEPTH);
    let error = Tree::read(&nested).unwrap_err().to_string();
    assert!(error.contains("nested too deep") && error.contains("\"nodes\""), "{error}");
}

/// Errors of files, by a part of the message.
fn check_errors(cases: &[(&str, &str)]) {
    for (text, message) in cases {
        let error = Tree::read(text).err().unwrap_or_else(|| panic!("this is no tree: {text}")).to_string();
        assert!(error.contains(message), "'{error}' should say '{message}' of {text}");
    }
}

#[test]
fn bad_json_is_refused_with_a_reason() {
    let root = |node: &str| format!("{{\"players\": [\"a\", \"b\"], \"root\": {node}}}");
    let end = "{\"rewards\": [0, 0]}";
    let cases = [
        (String::new(), "line 1, column 0"),
        ("[]".into(), "expected struct"),
        ("{\"players\": [\"a\"],\n \"rot\": 1}".into(), "line 2, column 6: unknown field `rot`"),
        ("{\"players\": [\"a\"]}".into(), "missing field `root`"),
        ("{\"players\": [], \"root\": {\"rewards\": []}}".into(), "1 to 16 players, not 0"),
        (
            "{\"players\": [\"a\", \"a\"], \"root\": {\"rewards\": [0, 0]}}".into(),
            "two players are called 'a'",
        ),
        ("{\"players\": [\"a b\"], \"root\": {\"rewards\": [0]}}".into(), "a player's name is one word"),
        (root("{}"), "a node has either \"rewards\""),
        (root("{\"rewards\": [0, 0], \"player\": 0}"), "a node has either \"rewards\""),
        (root("{\"rewards\": [0]}"), "after the start: 1 rewards for 2 players"),
        (root("{\"rewards\": [0, \"x\"]}"), "expected a number or a fraction"),
        (root("{\"rewards\": [0, 1e999]}"), "number out of range"),
        (root("{\"rewards\": [0, null]}"), "expected a number or a fraction"),
        (root("{\"chance\": []}"), "no moves"),
        (root("{\"player\": 0, \"moves\": []}"), "no moves"),
        (
            root(&format!("{{\"player\": 2, \"moves\": [{{\"move\": \"m\", \"then\": {end}}}]}}")),
            "no player 2; there are: a, b",
        ),
        (
            root(&format!("{{\"player\": \"c\", \"moves\": [{{\"move\": \"m\", \"then\": {end}}}]}}")),
            "no player 'c'",
        ),
        (
            root(&format!("{{\"player\": 0, \"moves\": [{{\"move\": \"m n\", \"then\": {end}}}]}}")),
            "one word, not 'm n'",
        ),
        (
            root(&format!("{{\"player\": 0, \"moves\": [{{\"move\": \"\", \"then\": {end}}}]}}")),
            "one word, not ''",
        ),
        (
            root(&format!("{{\"player\": 0, \"moves\": [{{\"move\": \"m\", \"p\": 1, \"then\": {end}}}]}}")),
            "has a \"p\"",
        ),
        (root(&format!("{{\"chance\": [{{\"move\": \"m\", \"then\": {end}}}]}}")), "'m' has no \"p\""),
        (
            root(&format!("{{\"chance\": [{{\"move\": \"m\", \"p\": 0.5, \"then\": {end}}}]}}")),
            "add up to 0.5, not to 1",
        ),
        (
            root(&format!(
                "{{\"chance\": [{{\"move\": \"m\", \"p\": 1, \"then\": {end}}}, {{\"move\": \"n\", \"p\": 0, \"then\": {end}}}]}}"
            )),
            "must be positive, not 0",
        ),
        (
            root(&format!(
                "{{\"chance\": [{{\"move\": \"m\", \"p\": 2, \"then\": {end}}}, {{\"move\": \"n\", \"p\": -1, \"then\": {end}}}]}}"
            )),
            "must be positive, not -1",
        ),
        (
            root(&format!(
                "{{\"player\": 0, \"moves\": [{{\"move\": \"m\", \"then\": {end}}}, {{\"move\": \"m\", \"then\": {end}}}]}}"
            )),
            "two moves are called 'm'",
        ),
        (
            root("{\"player\": 0, \"moves\": [{\"move\": \"m\", \"then\": \"n1\"}]}"),
            "after 'm': there is no node 'n1'",
        ),
        (
            root(
                "{\"player\": 0, \"moves\": [{\"move\": \"m\", \"then\": \"n\"}, {\"move\": \"o\", \"then\": \"n\"}]}, \"nodes\": [{\"id\": \"n\", \"rewards\": [0, 0]}]",
            ),
            "used a second time",
        ),
        (
            root("{\"rewards\": [0, 0]}, \"nodes\": [{\"id\": \"n\", \"rewards\": [0, 0]}]"),
            "no move leads to node 'n'",
        ),
        (root("{\"rewards\": [0, 0]}, \"nodes\": [{\"rewards\": [0, 0]}]"), "has no \"id\""),
        (
            root(
                "{\"rewards\": [0, 0]}, \"nodes\": [{\"id\": \"n\", \"rewards\": [0, 0]}, {\"id\": \"n\", \"rewards\": [0, 0]}]",
            ),
            "two nodes have the id",
        ),
        (
            root(&format!(
                "{{\"player\": 0, \"moves\": [{{\"move\": \"m\", \"seen\": \"some\", \"then\": {end}}}]}}"
            )),
            "\"all\" or a list of players",
        ),
        (
            root(&format!(
                "{{\"player\": 0, \"infoset\": \"I\", \"moves\": [{{\"move\": \"m\", \"then\": {{\"player\": 1, \"infoset\": \"I\", \"moves\": [{{\"move\": \"m\", \"then\": {end}}}]}}}}]}}"
            )),
            "'I' belongs to a and cannot belong to b too",
        ),
        // A node that leads to itself cannot be reached from the root.
        (
            root(
                "{\"rewards\": [0, 0]}, \"nodes\": [{\"id\": \"n\", \"player\": 0, \"moves\": [{\"move\": \"m\", \"then\": \"n\"}]}]",
            ),
            "no move leads to node 'n'",
        ),
    ];
    let cases: Vec<(&str, &str)> = cases.iter().map(|(text, message)| (text.as_str(), *message)).collect();
    check_errors(&cases);
}

#[test]
fn players_must_remember() {
    let node = |set: &str, moves: &[(&str, String)]| {
        let moves: Vec<String> =
            moves.iter().map(|(m, then)| format!("{{\"move\": \"{m}\", \"then\": {then}}}")).collect();
        format!("{{\"player\": \"a\", \"infoset\": \"{set}\", \"moves\": [{}]}}", moves.join(", "))
    };
    let end = "{\"rewards\": [0]}".to_string();
    let file = |root: String| format!("{{\"players\": [\"a\"], \"root\": {root}}}");
    let last = node("J", &[("l", end.clone()), ("r", end.clone())]);
    // It forgets its own move.
    let error = Tree::read(&file(node("I", &[("l", last.clone()), ("r", last.clone())]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no perfect recall: information set 'J' holds 'l' and 'r', but before these a did or saw \
         different things"
    );
    // It does not know whether it has moved.
    let absent =
        node("I", &[("l", node("I", &[("l", end.clone()), ("r", end.clone())])), ("r", end.clone())]);
    assert!(matches!(Tree::read(&file(absent)), Err(BadTree::Recall { .. })));
    // It forgets what it saw.
    let seen = |to: &str| format!("\"p\": \"1/2\", \"seen\": {to}, \"then\": {last}");
    let chance = |to: &str| {
        file(format!(
            "{{\"chance\": [{{\"move\": \"x\", {}}}, {{\"move\": \"y\", {}}}]}}",
            seen(to),
            seen(to)
        ))
    };
    assert!(matches!(Tree::read(&chance("[\"a\"]")), Err(BadTree::Recall { .. })));
    assert!(Tree::read(&chance("[]")).is_ok());
    // It would know the nodes apart by its moves.
    let other = node("J", &[("l", end.clone()), ("s", end)]);
    let chance = format!(
        "{{\"chance\": [{{\"move\": \"x\", \"p\": 0.5, \"then\": {last}}}, {{\"move\": \"y\", \"p\": 0.5, \"then\": {other}}}]}}"
    );
    let error = Tree::read(&file(chance)).unwrap_err().to_string();
    assert!(error.starts_with("information set 'J' offers 'l r' after 'x' but 'l s' after 'y'"), "{error}");
}

#[test]
fn bad_efg_is_refused_with_its_place() {
    check_errors(&[
        ("EFG", "line 1, column 4: expected the version 2, found the end of the file"),
        ("EFG 1 R \"\" { \"a\" }", "line 1, column 5: expected the version 2, found '1'"),
        ("EFG 2 X \"\" { \"a\" }", "column 7: expected 'R' or 'D', found 'X'"),
        ("EFG 2 R x", "expected the title in quotes"),
        ("EFG 2 R \"\" { a }", "expected the name of a player in quotes, or '}', found 'a'"),
        ("EFG 2 R \"\" { }", "1 to 16 players"),
        ("EFG 2 R \"abc", "line 1, column 9: the closing quote is missing"),
        ("EFG 2 R \"\" { \"a\" }\nt", "line 2, column 2: expected the name of the node"),
        (
            "EFG 2 R \"\" { \"a\" }\nq \"\" 0",
            "line 2, column 1: expected a node (c, p or t); 1 to come, found 'q'",
        ),
        ("EFG 2 R \"\" { \"a\" }\nt \"\"", "expected the number of an outcome"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 1", "line 2, column 6: outcome 1 was not described before"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 1 \"\"", "expected '{' and payoffs"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 1 \"\" { }", "0 payoffs for 1 players"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 1 \"\" { 1, 2 }", "2 payoffs for 1 players"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 1 \"\" { 1/0 }", "expected a payoff, or '}', found '1/0'"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 0 \"\" { 1 }", "outcome 0 is no outcome"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" -1", "expected the number of an outcome, found '-1'"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 99999999999999999999", "expected the number of an outcome"),
        ("EFG 2 R \"\" { \"a\" }\nt \"\" 0\nt \"\" 0", "line 3, column 1: expected the end of the file"),
        ("EFG 2 R \"\" { \"a\" }\np \"\" 2 1 \"\" { \"m\" } 0", "there is no player 2, only 1 to 1"),
        ("EFG 2 R \"\" { \"a\" }\np \"\" 0 1 \"\" { \"m\" } 0", "there is no player 0, only 1 to 1"),
        ("EFG 2 R \"\" { \"a\" }\np \"\" 1 1 0", "information set 1 was not described before"),
        ("EFG 2 R \"\" { \"a\" }\np \"\" 1 1 \"\" 0", "expected '{' and moves, found '0'"),
        ("EFG 2 R \"\" { \"a\" }\np \"\" 1 1 \"\" { } 0", "expected at least one move"),
        (
            "EFG 2 R \"\" { \"a\" }\np \"\" 1 1 \"\" { \"m\" } 0\np \"\" 1 1 \"\" { \"n\" } 0",
            "line 3, column 8: information set 1 has other moves",
        ),
        (
            "EFG 2 R \"\" { \"a\" }\nc \"\" 1 \"\" { \"m\" 1 } 0\nc \"\" 1 \"\" { \"n\" 1 } 0",
            "event 1 has other moves",
        ),
        (
            "EFG 2 R \"\" { \"a\" }\nc \"\" 1 \"\" { \"m\" 1/2 } 0",
            "line 2, column 6: the probabilities add up to 0.5",
        ),
        ("EFG 2 R \"\" { \"a\" }\nc \"\" 1 \"\" { \"m\" } 0", "expected a probability, found '}'"),
        (
            "EFG 2 R \"\" { \"a\" }\nc \"\" 1 \"\" { \"m\" 1 } 0\nt \"\" 1 \"\" { 1e308 }\nt",
            "the tree is complete",
        ),
        (
            "EFG 2 R \"\" { \"a\" }\nc \"\" 1 \"\" { \"m\" 1 } 1 \"\" { 1e308 }\nt \"\" 1",
            "after 'm': a reward of inf",
        ),
        (
            "EFG 2 R \"\" { \"a\" }\np \"\" 1 1 \"\" { \"m\" } 1 \"\" { 1 } t \"\" 1 \"\" { 2 }",
            "outcome 1 has other payoffs",
        ),
        (
            "EFG 2 R \"\" { \"a\" }\np \"\" 1 1 \"I\" { \"m\" \"n\" } 0\np \"\" 1 1 0 t \"\" 0 t \"\" 0 t \"\" 0",
            "no perfect recall",
        ),
    ]);
}

#[test]
fn mangled_files_are_refused_without_a_crash() {
    let mut rng = Seed(3).stream(Purpose::Playout);
    let mut texts: Vec<String> = micro::ALL.iter().map(|(_, text)| text.to_string()).collect();
    texts.extend([random_tree(5, true).to_json(), random_tree(6, false).to_efg()]);
    let scraps = [
        "{", "}", "\"", "\\", "[", "]", ",", ":", "0", "-1", "1/2", "1e999", "c", "p", "t", "\u{e9}", "\n",
        "",
    ];
    let mut read = 0;
    for round in 0..6000 {
        let mut text = texts[round % texts.len()].clone();
        for _ in 0..=rng.below(3) {
            let mut spot = || {
                let mut at = rng.below(text.len() as u32 + 1) as usize;
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (a, b) = (spot(), spot());
            let (from, to) = (a.min(b), a.max(b));
            match rng.below(5) {
                0 => text.truncate(to),
                1 => text.replace_range(from..to.min(from + 9).max(from), ""),
                2 => {
                    let copy = text[from..to].chars().take(40).collect::<String>();
                    text.insert_str(from, &copy);
                }
                _ => text.insert_str(from, rng.pick::<&str>(&scraps)),
            }
            if text.is_empty() {
                text.push('E');
            }
        }
        if let Ok(tree) = Tree::read(&text) {
            read += 1;
            assert_eq!(Tree::read(&tree.to_json()).unwrap(), tree);
        }
    }
    assert!(read > 50, "some changes do no harm: {read}");
}
