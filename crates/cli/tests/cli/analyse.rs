//! `fogtree analyse`: what it tells about a decision and the tree it writes.

use std::path::PathBuf;

use serde_json::Value;

use crate::{fogtree, scratch};

/// A folder of its own, so that nothing but what is asked for may be left in it.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn files(folder: &PathBuf) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_report_has_all_its_fields() {
    let agent = "mo-ismcts(iterations=3000)";
    let run = fogtree(&["analyse", "phantom-mnk", "--moves", "a1 b2", "--agent", agent, "--json"]);
    assert_eq!(run.err, "", "nothing is shown live when nobody looks");
    let report = run.json();
    let moves = report["moves"].as_array().unwrap();
    let shares: f64 = moves.iter().map(|m| m["share"].as_f64().unwrap()).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    for m in moves {
        assert_eq!(m["availability"], 3000);
        assert_eq!((m["values"].as_array().unwrap().len(), m["margins"].as_array().unwrap().len()), (2, 2));
    }
    let numbers = |list: &Value| list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>();
    assert_eq!(Some(numbers(&report["profile"])), report["nodes"].as_u64());
    for field in ["bytes", "bytes_per_node", "mean_depth", "iterations_per_second", "seconds"] {
        assert!(report[field].as_f64().unwrap() > 0.0, "{field}");
    }
    assert_eq!((&report["line"][0]["by"], &report["line"][0]["name"]), (&report["seat"], &report["move"]));

    let shown = fogtree(&["analyse", "phantom-mnk", "--moves", "a1 b2", "--agent", agent]).out;
    for words in ["available", "+- 95 %", "bytes", "nodes by depth: 2, ", "principal variation: 0:"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn what_an_agent_does_not_know_is_null() {
    let report = fogtree(&["analyse", "mnk", "--agent", "random", "--json"]).json();
    for field in [
        "iterations",
        "nodes",
        "bytes",
        "bytes_per_node",
        "depth",
        "mean_depth",
        "iterations_per_second",
        "remark",
    ] {
        assert!(report[field].is_null(), "{field}: {report}");
    }
    assert_eq!(
        (&report["moves"], &report["line"], &report["profile"]),
        (&Value::from(vec![0; 0]), &Value::from(vec![0; 0]), &Value::from(vec![0; 0]))
    );
    let report =
        fogtree(&["analyse", "mnk", "--moves", "a1 b2 c3 c1 a3", "--agent", "minimax", "--json"]).json();
    assert!(
        report["moves"][0]["share"].is_null()
            && report["iterations_per_second"].is_null()
            && report["moves"][0]["values"].is_array(),
        "{report}"
    );
}

#[test]
fn the_general_player_says_how_it_plays() {
    for (agent, remark) in
        [("ggp", "solved beforehand"), ("ggp(solve=0,iterations=30)", "mo-ismcts, since something is hidden")]
    {
        let arguments = ["analyse", "kuhn-poker", "--seed", "4", "--agent", agent];
        let shown = fogtree(&arguments).out;
        assert!(shown.ends_with(&format!("\nremark: {remark}\n")), "{shown}");
        assert_eq!(fogtree(&[&arguments[..], &["--json"]].concat()).json()["remark"], remark);
    }
}

#[test]
fn trees_are_written_as_json() {
    let folder = folder("trees-json");
    let path = folder.join("tree.json");
    let file = path.to_str().unwrap();
    for (game, agent, trees) in [
        ("mnk", "uct(iterations=2000)", 1),
        ("phantom-mnk", "so-ismcts(iterations=2000)", 1),
        ("phantom-mnk", "so-ismcts-pom(iterations=2000)", 1),
        ("phantom-mnk", "mo-ismcts(iterations=2000)", 2),
        ("phantom-mnk", "cheating-uct(iterations=2000)", 1),
        ("phantom-mnk", "is-mcts(iterations=2000)", 2),
    ] {
        let run = fogtree(&["analyse", game, "--agent", agent, "--tree", file, "--json"]);
        let report = run.json();
        let tree: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!((&tree["format"], &tree["version"]), (&"fogtree-search-tree".into(), &1.into()));
        assert_eq!((&tree["game"], &tree["agent"]), (&game.into(), &agent.into()));
        let written = tree["trees"].as_array().unwrap();
        assert_eq!(written.len(), trees, "{agent}");
        assert_eq!(written[0]["player"], report["seat"], "the searcher's tree comes first");
        for node in written.iter().flat_map(|t| t["nodes"].as_array().unwrap()) {
            assert!(["root", "move", "chance", "seen"].contains(&node["kind"].as_str().unwrap()), "{node}");
            assert!(node["parent"].is_null() || node["parent"].as_u64() < node["id"].as_u64(), "{node}");
            assert!(node["parent"].is_null() || node["visits"].as_u64() >= Some(10), "{agent}: {node}");
            assert!(node["depth"].as_u64() <= Some(8), "{node}");
        }
        let size = |limits: [&str; 4]| {
            fogtree(&[&["analyse", game, "--agent", agent, "--tree", file], &limits[..]].concat());
            std::fs::metadata(&path).unwrap().len()
        };
        let whole = size(["--tree-depth", "1000", "--tree-visits", "0"]);
        let some = size(["--tree-depth", "1000", "--tree-visits", "5"]);
        let little = size(["--tree-depth", "1", "--tree-visits", "5"]);
        assert!(whole > some && some > little, "{agent}: {whole} {some} {little}");
    }
    assert_eq!(files(&folder), ["tree.json"], "nothing else is left behind");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Chance deals where nobody has said what it dealt, and its seed is told.
#[test]
fn chance_draws_where_there_are_no_moves() {
    let asked = ["analyse", "kuhn-poker", "--agent", "flat-mc(iterations=20)"];
    let drawn = fogtree(&[&asked[..], &["--json"]].concat()).json();
    let seed = drawn["seed"].as_u64().unwrap().to_string();
    let again = fogtree(&[&asked[..], &["--json", "--seed", &seed]].concat()).json();
    assert_eq!((&again["infoset"], &again["seed"]), (&drawn["infoset"], &Value::Null));
    assert!(fogtree(&asked).out.starts_with("chance drew; again with --seed "));
    assert!(fogtree(&["analyse", "nim", "--json"]).json()["seed"].is_null(), "nothing is drawn");
}

/// No node of a picture has more than so many children, and these are the most visited.
#[test]
fn pictures_of_trees_show_the_most_visited_moves() {
    let folder = folder("trees-top");
    let path = |name: &str| folder.join(name).display().to_string();
    let base = ["analyse", "mnk", "--agent", "uct(iterations=2000)", "--tree"];
    let nodes = |top: &[&str]| {
        fogtree(&[&base[..], &[&path("tree.json")], top].concat());
        let text = std::fs::read_to_string(path("tree.json")).unwrap();
        let tree: Value = serde_json::from_str(&text).unwrap();
        tree["trees"][0]["nodes"].as_array().unwrap().clone()
    };
    let below_root = |nodes: &[Value]| {
        let children = nodes.iter().filter(|node| node["parent"] == 0);
        let mut visits: Vec<u64> = children.map(|node| node["visits"].as_u64().unwrap()).collect();
        visits.sort_by_key(|&visits| std::cmp::Reverse(visits));
        visits
    };
    let (all, top) = (nodes(&[]), nodes(&["--tree-top", "2"]));
    assert_eq!(below_root(&all)[..2], below_root(&top));
    let children = |parent: usize| top.iter().filter(|node| node["parent"] == parent).count();
    assert!((0..top.len()).all(|node| children(node) <= 2));
    assert_eq!(top[0]["left_out"].as_u64().unwrap(), below_root(&all).len() as u64 - 2);
    fogtree(&[&base[..], &[&path("tree.dot")]].concat());
    let dot = std::fs::read_to_string(path("tree.dot")).unwrap();
    let (_, edges) = read_dot(&dot);
    assert!(dot.contains("rankdir=LR") && edges.iter().filter(|(from, _)| from == "t0n0").count() == 3);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Reads what we write of the dot language; panics where that is not well-formed. Returns nodes and edges.
fn read_dot(text: &str) -> (Vec<String>, Vec<(String, String)>) {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => {}
            '"' => {
                let mut word = String::from("\"");
                loop {
                    match chars.next().expect("a quote is closed") {
                        '\\' => {
                            let next = chars.next().expect("something is escaped");
                            assert!(['"', '\\', 'n'].contains(&next), "\\{next}");
                            word.extend(['\\', next]);
                        }
                        '"' => break,
                        c => {
                            assert!(!c.is_control(), "{c:?} in a label");
                            word.push(c);
                        }
                    }
                }
                tokens.push(word);
            }
            '-' if chars.peek() == Some(&'>') => {
                chars.next();
                tokens.push("->".to_string());
            }
            c if c.is_alphanumeric() || c == '_' => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    word.push(c);
                }
                tokens.push(word);
            }
            c => {
                assert!("{}[]=;,".contains(c), "{c:?}");
                tokens.push(c.to_string());
            }
        }
    }
    let words: Vec<&str> = tokens.iter().map(String::as_str).collect();
    assert!(words[0] == "digraph" && words[1].starts_with('"') && words[2] == "{", "{:?}", &words[..3]);
    let depth = words.iter().fold(0, |depth, word| {
        let depth = depth + i32::from(*word == "{") - i32::from(*word == "}");
        assert!(depth >= 0);
        depth
    });
    assert_eq!((depth, *words.last().unwrap()), (0, "}"));
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for statement in words[3..].split(|w| [";", "{", "}"].contains(w)) {
        match statement {
            [a, "->", b] => edges.push(((*a).to_string(), (*b).to_string())),
            ["node", "[", .., "]"] | ["label", "=", _] | ["rankdir", "=", "LR"] | ["subgraph", _] | [] => {}
            [name, "[", "label", "=", label, .., "]"] => {
                assert!(label.starts_with('"'), "{label}");
                nodes.push((*name).to_string());
            }
            other => panic!("{other:?}"),
        }
    }
    (nodes, edges)
}

#[test]
fn trees_are_written_for_graphviz() {
    let folder = folder("trees-dot");
    let path = folder.join("tree.dot");
    for (game, agent) in [
        ("mnk", "uct(iterations=1000)"),
        ("goofspiel(cards=4,bids=hidden)", "mo-ismcts(iterations=1000)"),
        ("phantom-mnk", "so-ismcts-pom(iterations=1000)"),
    ] {
        let run =
            fogtree(&["analyse", game, "--seed", "1", "--agent", agent, "--tree", path.to_str().unwrap()]);
        assert_eq!(run.code, 0, "{}", run.err);
        let (nodes, edges) = read_dot(&std::fs::read_to_string(&path).unwrap());
        assert!(nodes.len() > 10 && edges.len() < nodes.len(), "{agent}");
        assert!(edges.iter().all(|(a, b)| nodes.contains(a) && nodes.contains(b)), "{agent}");
    }
    assert_eq!(files(&folder), ["tree.dot"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = folder("trees-bad");
    let refused = |arguments: &[&str], code: i32, words: &[&str]| {
        let run = fogtree(&[&["analyse", "nim"], arguments].concat());
        assert_eq!((run.code, run.err.lines().count()), (code, 1), "{}{}", run.out, run.err);
        assert!(words.iter().all(|w| run.err.contains(w)), "{}", run.err);
    };
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    refused(&["--tree", &file("x.png")], 2, &["x.png", ".json or .dot"]);
    refused(&["--tree", &file("x")], 2, &[".json or .dot"]);
    refused(&["--tree-depth", "3"], 2, &["--tree"]);
    refused(&["--tree", &file("x.json"), "--tree-depth", "-1"], 2, &["-1"]);
    for agent in ["random", "minimax", "flat-mc(iterations=10)", "pimc(determinizations=2)"] {
        refused(&["--agent", agent, "--tree", &file("x.json")], 2, &[agent, "no search tree"]);
    }
    let nowhere = folder.join("no").join("such").join("x.json");
    refused(&["--agent", "uct(iterations=10)", "--tree", nowhere.to_str().unwrap()], 2, &["no such folder"]);
    assert_eq!(files(&folder), Vec::<String>::new());
    // What is there already stays as it is.
    std::fs::write(folder.join("x.json"), "old").unwrap();
    refused(&["--agent", "random", "--tree", &file("x.json")], 2, &["no search tree"]);
    assert_eq!(std::fs::read_to_string(folder.join("x.json")).unwrap(), "old");
    std::fs::remove_dir_all(folder).unwrap();
}
