//! What is printed with `--json` is of the types of `fogtree_table::wire`, and nothing more.

use fogtree_table::wire::{
    About, Beliefs, CurvePoint, Decision, Exploitability, GameAbout, LowerBound, MatchResult, Position,
    SearchTrees, SeatPosition, SeatView, Shown, Solution, World,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{fogtree, fogtree_with_input, scratch};

/// Reads a value as the type that it is said to be, and writes it again.
fn is<T: Serialize + DeserializeOwned>(value: &Value) -> T {
    let read: T = serde_json::from_value(value.clone()).unwrap_or_else(|why| panic!("{why}: {value}"));
    assert_eq!(&serde_json::to_value(&read).unwrap(), value);
    read
}

/// Every line that a command prints.
fn prints<T: Serialize + DeserializeOwned>(arguments: &[&str]) -> Vec<T> {
    let run = fogtree(&[arguments, &["--json"]].concat());
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    run.lines().iter().map(is).collect()
}

#[test]
fn what_exists() {
    let games: Vec<GameAbout> = prints(&["games"]);
    assert!(games.iter().all(|game| game.facts.is_some() && game.roles.is_empty()));
    assert_eq!(prints::<GameAbout>(&["games", "kuhn-poker"])[0].roles, ["first", "second"]);
    assert!(prints::<About>(&["agents"]).iter().any(|agent| !agent.params.is_empty()));
    assert!(!prints::<About>(&["solve", "--list"]).is_empty());
}

#[test]
fn positions() {
    for moves in ["", "J Q", "J Q bet call"] {
        prints::<Position>(&["state", "kuhn-poker", "--moves", moves]);
    }
    let shown = |more: &[&str]| prints::<Shown>(&[&["show", "mnk"], more].concat()).remove(0);
    let (whole, mover, other) = (shown(&[]), shown(&["--seat", "0"]), shown(&["--seat", "1"]));
    assert_eq!((whole.seat, mover.legal.len(), other.legal.len()), (None, 9, 0));
    assert_eq!(whole.legal, mover.legal);
    assert!(mover.legal.iter().all(|m| m.spots.iter().all(|spot| mover.scene.has_spot(spot))));
    let worlds: Vec<World> = prints(&["sample", "kuhn-poker", "--worlds", "2"]);
    assert_eq!(worlds.iter().map(|world| world.world).collect::<Vec<_>>(), [0, 1]);
    prints::<Beliefs>(&["sample", "phantom-mnk", "--moves", "a1", "--seat", "1", "--count"]);
}

#[test]
fn games_that_are_played() {
    let path = scratch("wire.jsonl");
    let record = path.to_str().unwrap();
    let played = &["match", "kuhn-poker", "random", "random", "--games", "4", "--record", record];
    assert_eq!(prints::<MatchResult>(played)[0].agents.len(), 2);
    assert!(prints::<Position>(&["replay", record]).iter().all(|position| position.step.is_some()));
    assert!(prints::<SeatPosition>(&["replay", record, "--seat", "1"]).iter().all(|p| p.step.is_some()));
    std::fs::remove_file(path).unwrap();
    let views = fogtree_with_input(&["play", "nim", "--against", "random", "--seed", "1", "--json"], b"a1\n");
    assert!(views.lines().iter().all(|view| is::<SeatView>(view).to_move));
}

#[test]
fn decisions() {
    let path = scratch("wire-tree.json");
    let file = path.to_str().unwrap();
    for agent in ["mo-ismcts(iterations=100)", "is-mcts(iterations=100)"] {
        prints::<Decision>(&["analyse", "kuhn-poker", "--agent", agent, "--seed", "3", "--tree", file]);
        let trees: SearchTrees = is(&serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap());
        assert!(trees.trees.iter().all(|tree| !tree.nodes.is_empty()));
    }
    prints::<Decision>(&["analyse", "phantom-mnk", "--agent", "bs-mcts(iterations=50)"]);
    prints::<Decision>(&["analyse", "nim", "--agent", "random"]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn solutions() {
    let run = |arguments: &[&str]| {
        let mut lines = fogtree(&[arguments, &["--json"]].concat()).lines();
        let last = lines.pop().unwrap();
        assert!(lines.iter().map(is::<CurvePoint>).all(|point| point.seconds >= 0.0));
        last
    };
    is::<Solution>(&run(&["solve", "kuhn-poker", "--with", "cfr+", "--iterations", "20"]));
    let of_agent = &["exploit", "kuhn-poker", "--agent", "oos(iterations=50)"];
    is::<Exploitability>(&run(&[&of_agent[..], &["--samples", "1"]].concat()));
    is::<Exploitability>(&run(&[&of_agent[..], &["--by", "matches", "--matches", "2"]].concat()));
    is::<LowerBound>(&run(&[&of_agent[..], &["--by", "lbr", "--games", "3", "--samples", "1"]].concat()));
}
