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
    assert_eq!((tree.size(), tree.facts().max_length), (2 * DEPTH + 1, DEPTH as u32));
    assert_eq!(Tree::read(&tree.to_efg()).unwrap(), tree);
    assert_eq!(Tree::read(&tree.to_json()).unwrap(), tree);
    assert!(tree.history(2 * DEPTH as u32 - 1).len() < 200);
    let turned = Tree::of(&*fogtree_core::Erased::any(tree.clone()), 2 * DEPTH + 1).unwrap();
    assert_eq!(turned.size(), tree.size());
    let nested = "{\"players\": [\"a\"], \"root\": ".to_string() + &"{\"chance\": [{\"then\": ".repeat(DEPTH);
    let error = Tree::read(&nested).unwrap_err().to_string();
    assert!(error.contains("nested too deep") && error.contains("\"nodes\""), "{error}");
}

fn check_error(text: &str, message: &str) {
    let error = Tree::read(text).err().unwrap_or_else(|| panic!("this is no tree: {text}")).to_string();
    assert!(error.contains(message), "'{error}' should say '{message}' of {text}");
}

/// JSON with single quotes for double ones, and `END` for an end.
fn json(text: &str) -> String {
    text.replace("END", "{'rewards': [0, 0]}").replace('\'', "\"")
}

#[test]
fn bad_json_is_refused_with_a_reason() {
    for (text, message) in [
        ("", "line 1, column 1: expected '{' (a tree as JSON) or 'EFG'"),
        ("NFG 1 R", "expected '{' (a tree as JSON) or 'EFG'"),
        ("{", "line 1, column 1: EOF"),
        ("{'players': ['a'],\n 'rot': 1}", "line 2, column 6: unknown field `rot`"),
        ("{'players': ['a']}", "missing field `root`"),
        ("{'players': [], 'root': END}", "1 to 16 players, not 0"),
        ("{'players': ['a', 'a'], 'root': END}", "two players are called 'a'"),
        ("{'players': ['a b'], 'root': END}", "a player's name is one word"),
    ] {
        check_error(&json(text), message);
    }
    for (root, message) in [
        ("{}", "a node has either \"rewards\""),
        ("{'rewards': [0, 0], 'player': 0}", "a node has either \"rewards\""),
        ("{'rewards': [0, 0], 'infoset': 'I'}", "a node has either \"rewards\""),
        ("{'rewards': [0]}", "after the start: 1 rewards for 2 players"),
        ("{'rewards': [0, 'x']}", "expected a number or a fraction"),
        ("{'rewards': [0, 1e999]}", "number out of range"),
        ("{'rewards': [0, null]}", "expected a number or a fraction"),
        ("{'chance': []}", "no moves"),
        ("{'player': 0, 'moves': []}", "no moves"),
        ("{'player': 2, 'moves': [{'move': 'm', 'then': END}]}", "no player 2; there are: a, b"),
        ("{'player': -1, 'moves': [{'move': 'm', 'then': END}]}", "expected a player's name or seat"),
        ("{'player': 'c', 'moves': [{'move': 'm', 'then': END}]}", "no player 'c'"),
        ("{'player': 0, 'moves': [{'move': 'm n', 'then': END}]}", "one word, not 'm n'"),
        ("{'player': 0, 'moves': [{'move': '', 'then': END}]}", "one word, not ''"),
        ("{'player': 0, 'moves': [{'move': 'm', 'p': 1, 'then': END}]}", "has a \"p\""),
        ("{'player': 0, 'moves': [{'move': 'm', 'seen': 'b', 'then': END}]}", "\"all\" or a list of players"),
        ("{'player': 0, 'moves': [{'move': 'm', 'seen': [5], 'then': END}]}", "no player 5"),
        (
            "{'player': 0, 'moves': [{'move': 'm', 'then': END}, {'move': 'm', 'then': END}]}",
            "two moves are called 'm'",
        ),
        (
            "{'player': 0, 'infoset': 'I', 'moves': [{'move': 'm', 'then':
              {'player': 1, 'infoset': 'I', 'moves': [{'move': 'm', 'then': END}]}}]}",
            "after 'm': information set 'I' belongs to a and cannot belong to b too",
        ),
        ("{'chance': [{'move': 'm', 'then': END}]}", "'m' has no \"p\""),
        ("{'chance': [{'move': 'm', 'p': 0.5, 'then': END}]}", "add up to 0.5, not to 1"),
        (
            "{'chance': [{'move': 'm', 'p': 1, 'then': END}, {'move': 'n', 'p': 0, 'then': END}]}",
            "must be positive, not 0",
        ),
        (
            "{'chance': [{'move': 'm', 'p': 2, 'then': END}, {'move': 'n', 'p': -1, 'then': END}]}",
            "must be positive, not -1",
        ),
    ] {
        check_error(&json(&format!("{{'players': ['a', 'b'], 'root': {root}}}")), message);
    }
}

#[test]
fn pieces_of_a_tree_are_used_once() {
    for (root, nodes, message) in [
        ("{'player': 0, 'moves': [{'move': 'm', 'then': 'n'}]}", "", "after 'm': there is no node 'n'"),
        (
            "{'player': 0, 'moves': [{'move': 'm', 'then': 'n'}, {'move': 'o', 'then': 'n'}]}",
            "{'id': 'n', 'rewards': [0, 0]}",
            "after 'o': node 'n' is used a second time",
        ),
        ("END", "{'id': 'n', 'rewards': [0, 0]}", "no move leads to node 'n'"),
        ("END", "{'rewards': [0, 0]}", "has no \"id\""),
        (
            "END",
            "{'id': 'n', 'rewards': [0, 0]}, {'id': 'n', 'rewards': [0, 0]}",
            "two nodes have the id 'n'",
        ),
        // What leads to itself cannot be reached from the root.
        (
            "END",
            "{'id': 'n', 'player': 0, 'moves': [{'move': 'm', 'then': 'n'}]}",
            "no move leads to node 'n'",
        ),
    ] {
        let text = json(&format!("{{'players': ['a', 'b'], 'root': {root}, 'nodes': [{nodes}]}}"));
        check_error(&text, message);
    }
}

#[test]
fn players_must_remember() {
    let file = |root: &str| json(&format!("{{'players': ['a', 'b'], 'root': {root}}}"));
    let last =
        "{'player': 'a', 'infoset': 'J', 'moves': [{'move': 'l', 'then': END}, {'move': 'r', 'then': END}]}";
    let both = format!("[{{'move': 'l', 'then': {last}}}, {{'move': 'r', 'then': {last}}}]");
    let first = format!("{{'player': 'a', 'infoset': 'I', 'moves': {both}}}");
    // It forgets its own move.
    assert_eq!(
        Tree::read(&file(&first)).unwrap_err().to_string(),
        "there is no perfect recall: information set 'J' holds 'l' and 'r', but before these a did or saw \
         different things"
    );
    // It does not know whether it has moved.
    let absent_minded = first.replace('J', "I");
    assert!(matches!(Tree::read(&file(&absent_minded)), Err(BadTree::Recall { .. })));
    // It forgets what it saw.
    let drawn = |x: &str, y: &str, seen: &str| {
        file(&format!(
            "{{'chance': [{{'move': 'x', 'p': 0.5, 'seen': {seen}, 'then': {x}}},
                          {{'move': 'y', 'p': 0.5, 'seen': {seen}, 'then': {y}}}]}}"
        ))
    };
    assert!(matches!(Tree::read(&drawn(last, last, "['a']")), Err(BadTree::Recall { .. })));
    assert!(Tree::read(&drawn(last, last, "['b']")).is_ok());
    // It would know the nodes apart by its moves.
    let error = Tree::read(&drawn(last, &last.replace("'r'", "'s'"), "[]")).unwrap_err().to_string();
    assert!(error.starts_with("information set 'J' offers 'l r' after 'x' but 'l s' after 'y'"), "{error}");
}

#[test]
fn bad_efg_is_refused_with_its_place() {
    for (text, message) in [
        ("EFG", "line 1, column 4: expected the version 2, found the end of the file"),
        ("EFG 1 R '' { 'a' }", "line 1, column 5: expected the version 2, found '1'"),
        ("EFG 2 X '' { 'a' }", "column 7: expected 'R' or 'D', found 'X'"),
        ("EFG 2 R x", "expected the title in quotes"),
        ("EFG 2 R '' { a }", "expected the name of a player in quotes, or '}', found 'a'"),
        ("EFG 2 R '' { }", "1 to 16 players"),
        ("EFG 2 R 'abc", "line 1, column 9: the closing quote is missing"),
    ] {
        check_error(&json(text), message);
    }
    for (nodes, message) in [
        ("t", "line 2, column 2: expected the name of the node"),
        ("q '' 0", "line 2, column 1: expected a node (c, p or t); 1 to come, found 'q'"),
        ("t ''", "expected the number of an outcome"),
        ("t '' 1", "line 2, column 6: outcome 1 was not described before"),
        ("t '' 1 ''", "expected '{' and payoffs"),
        ("t '' 1 '' { }", "0 payoffs for 1 players"),
        ("t '' 1 '' { 1, 2 }", "2 payoffs for 1 players"),
        ("t '' 1 '' { 1/0 }", "expected a payoff, or '}', found '1/0'"),
        ("t '' 0 '' { 1 }", "outcome 0 is no outcome"),
        ("t '' -1", "expected the number of an outcome, found '-1'"),
        ("t '' 99999999999999999999", "expected the number of an outcome"),
        ("t '' 0\nt '' 0", "line 3, column 1: expected the end of the file"),
        ("p '' 2 1 '' { 'm' } 0", "line 2, column 6: there is no player 2, only 1 to 1"),
        ("p '' 0 1 '' { 'm' } 0", "there is no player 0, only 1 to 1"),
        ("p '' 1 1 0", "information set 1 was not described before"),
        ("p '' 1 1 '' 0", "expected '{' and moves, found '0'"),
        ("p '' 1 1 '' { } 0", "expected at least one move"),
        (
            "p '' 1 1 '' { 'm' } 0\np '' 1 1 '' { 'n' } 0",
            "line 3, column 8: information set 1 has other moves",
        ),
        ("p '' 1 1 '' { 'm' } 1 '' { 1 } t '' 1 '' { 2 }", "outcome 1 has other payoffs"),
        ("p '' 1 1 'I' { 'm' 'n' } 0 p '' 1 1 0 t '' 0 t '' 0 t '' 0", "no perfect recall"),
        ("c '' 1 '' { 'm' 1 } 0\nc '' 1 '' { 'n' 1 } 0", "event 1 has other moves"),
        ("c '' 1 '' { 'm' 1/2 } 0", "line 2, column 6: the probabilities add up to 0.5"),
        ("c '' 1 '' { 'm' } 0", "expected a probability, found '}'"),
        ("c '' 1 '' { 'm' 1 } 0\nt '' 0\nt", "the tree is complete"),
        ("c '' 1 '' { 'm' 1 } 1 '' { 1e308 }\nt '' 1", "after 'm': a reward of inf"),
    ] {
        check_error(&json(&format!("EFG 2 R '' {{ 'a' }}\n{nodes}")), message);
    }
}

/// A few bytes can repeat moves that were described once; what is to come is counted before it is stored.
#[test]
fn a_small_file_cannot_ask_for_a_huge_tree() {
    let moves: Vec<String> = (0..3000).map(|i| format!("\"{i}\"")).collect();
    let first = format!("EFG 2 R \"\" {{ \"a\" }} p \"\" 1 1 \"\" {{ {} }} 0\n", moves.join(" "));
    let text = first + &"p \"\" 1 1 0\n".repeat(10_000);
    assert_eq!(Tree::read(&text), Err(BadTree::TooLarge { most: MOST_NODES }));
}

/// What a file calls things is shown to people in terminals, which obey control characters.
#[test]
fn pictures_hold_no_control_characters() {
    let text = r#"{"title": "\u001b[2J", "players": ["a"], "root": {"player": "a", "infoset": "\u0007x",
        "moves": [{"move": "l", "then": {"rewards": [1]}}, {"move": "r", "then": {"player": "a",
        "infoset": "\u001b]0;y", "moves": [{"move": "l", "then": {"rewards": [0]}}]}}]}}"#;
    let tree = Tree::read(text).unwrap();
    let known = tree.info(&State(2), Observer::Seat(Player(0)));
    for picture in
        [tree.show(&State(0)), tree.view(&known), tree.explain(&Observation::word(1 << 2 | 2), known.by)]
    {
        let plain = fogtree_core::text::plain(&picture);
        assert!(!plain.chars().any(|c| c.is_control() && c != '\n'), "{plain:?}");
    }
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
