//! `state --json` is a contract: scripts rely on its fields.

use serde_json::json;

use crate::{fogtree, fogtree_with_input};

#[test]
fn a_position_has_the_promised_fields() {
    let state = fogtree(&["state", "kuhn-poker", "--moves", "J Q check", "--json"]).json();
    assert_eq!(state["game"], "kuhn-poker");
    assert_eq!(state["turn"], json!({"kind": "player", "players": [1]}));
    assert_eq!(state["legal"], json!({"1": ["check", "bet"]}));
    assert_eq!(state["chance"], json!([]));
    assert_eq!(state["views"].as_array().unwrap().len(), 2);
    assert_eq!(state["infosets"][0].as_str().unwrap().len(), 32);
    assert_eq!(state["rewards"], json!(null));
    assert_eq!(state["moves"], json!(["J", "Q", "check"]));
    let fields = state.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(fields, ["chance", "game", "infosets", "legal", "moves", "rewards", "turn", "views"]);
}

#[test]
fn chance_is_listed_with_probabilities() {
    let state = fogtree(&["state", "kuhn-poker", "--moves", "J", "--json"]).json();
    assert_eq!(state["turn"], json!({"kind": "chance", "players": []}));
    assert_eq!(state["chance"], json!([{"move": "Q", "p": 0.5}, {"move": "K", "p": 0.5}]));
}

#[test]
fn simultaneous_moves_are_given_in_player_order() {
    let state = fogtree(&["state", "rock-paper-scissors", "--json"]).json();
    assert_eq!(state["turn"], json!({"kind": "together", "players": [0, 1]}));
    assert_eq!(state["legal"]["1"], json!(["rock", "paper", "scissors"]));
    let state = fogtree(&["state", "rock-paper-scissors", "--moves", "rock paper", "--json"]).json();
    assert_eq!((&state["turn"]["kind"], &state["rewards"]), (&json!("over"), &json!([-1.0, 1.0])));
}

#[test]
fn with_a_seed_chance_draws_and_the_answer_replays() {
    let seeded = fogtree(&["state", "kuhn-poker", "--seed", "4", "--moves", "check", "--json"]).json();
    let moves: Vec<&str> = seeded["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    assert_eq!((moves.len(), moves[2]), (3, "check"));
    let again = fogtree(&["state", "kuhn-poker", "--moves", &moves.join(" "), "--json"]).json();
    assert_eq!(seeded, again);
}

#[test]
fn lines_are_answered_one_by_one() {
    let input = b"kuhn-poker\tJ Q\nnim(heaps=[1])\ta1\nkuhn-poker\t\n";
    let run = fogtree_with_input(&["state", "--stdin"], input);
    let lines = run.lines();
    assert_eq!((run.code, lines.len()), (0, 3));
    assert_eq!(lines[0]["turn"]["players"], json!([0]));
    assert_eq!(lines[1]["rewards"], json!([1.0, 0.0]));
    assert_eq!(lines[2]["turn"]["kind"], "chance");
}

#[test]
fn what_a_player_cannot_know_is_not_in_its_view_or_key() {
    let with = |moves: &str| fogtree(&["state", "kuhn-poker", "--moves", moves, "--json"]).json();
    let (jq, kq) = (with("J Q bet"), with("K Q bet"));
    assert_eq!((&jq["views"][1], &jq["infosets"][1]), (&kq["views"][1], &kq["infosets"][1]));
    assert_ne!((&jq["views"][0], &jq["infosets"][0]), (&kq["views"][0], &kq["infosets"][0]));
}
