//! `state --json` is a contract: scripts rely on its fields.

use std::collections::HashMap;

use fogtree_core::{Purpose, Rng, Seed, Turn};
use fogtree_table::wire::Position;
use fogtree_table::{AnyGame, AnyTable, Registry};
use serde_json::{Value, json};

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
    assert_eq!(fields, ["chance", "game", "infosets", "legal", "moves", "rewards", "seats", "turn", "views"]);
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

/// A position after some random moves, with the moves that lead there, chance included.
fn random_position(game: &dyn AnyGame, rng: &mut Rng) -> Box<dyn AnyTable> {
    let mut table = game.table();
    let least = rng.below(12) as usize;
    while table.turn() != Turn::Terminal && (table.steps() < least || table.turn() == Turn::Chance) {
        let players = table.turn().players();
        if players.is_empty() {
            table.draw(rng);
        } else {
            let choices: Vec<_> = players.iter().map(|p| (p, *rng.pick(&table.moves(p)))).collect();
            table.choose(&choices).unwrap();
        }
    }
    table
}

/// What `state --json` says of a seat is what `go` of the engine protocol takes, in every game.
#[test]
fn every_seat_of_a_position_can_be_sent_to_an_engine() {
    let registry = Registry::standard();
    let (mut questions, mut lines) = (Vec::new(), String::new());
    for about in registry.games() {
        let spec = about.name.to_string();
        let game = registry.game(&spec).unwrap();
        for number in 0..3 {
            let mut rng = Seed(number).named(&spec).stream(Purpose::Playout);
            let table = random_position(&*game, &mut rng);
            lines += &format!("{spec}\t{}\n", table.names().join(" "));
            questions.push((spec.clone(), table));
        }
    }
    let answers = fogtree_with_input(&["state", "--stdin", "--json"], lines.as_bytes()).lines();
    assert_eq!(answers.len(), questions.len());
    let (mut requests, mut expected) = (String::new(), Vec::new());
    let mut request = |value: &Value| requests += &format!("{value}\n");
    for ((spec, table), position) in questions.iter().zip(&answers) {
        for seat in table.turn().players().iter() {
            let told = registry.told(spec, seat).unwrap();
            request(&json!({"type": "newgame", "game": told, "seat": seat, "seed": 1}));
            let infoset = &position["seats"][seat.index()];
            request(&json!({"type": "go", "infoset": infoset, "iterations": 2}));
            expected.push((spec, table.legal(seat)));
        }
    }
    request(&json!({"type": "quit"}));
    let said = fogtree_with_input(&["engine"], requests.as_bytes()).lines();
    let errors: Vec<_> = said.iter().filter(|answer| answer["type"] == "error").collect();
    assert!(errors.is_empty(), "{errors:?}");
    let moves: Vec<_> = said.iter().filter(|answer| answer["type"] == "bestmove").collect();
    assert_eq!(moves.len(), expected.len());
    for (chosen, (spec, legal)) in moves.iter().zip(expected) {
        assert!(legal.iter().any(|name| chosen["move"] == *name), "{spec}: {chosen}");
    }
}

/// What a seat of a position holds depends on nothing but what the seat did and saw.
#[test]
fn a_seat_of_a_position_holds_nothing_of_the_others() {
    let registry = Registry::standard();
    for about in registry.games() {
        let spec = about.tiny().to_string();
        let game = registry.game(&spec).unwrap();
        let mut met: HashMap<(usize, String), (Value, String)> = HashMap::new();
        let mut hidden = 0;
        for number in 0..300 {
            let mut rng = Seed(number).named(&spec).stream(Purpose::Playout);
            let table = random_position(&*game, &mut rng);
            let position = json!(Position::of(&spec, game.facts().players, &*table));
            for (seat, held) in position["seats"].as_array().unwrap().iter().enumerate() {
                let key = (seat, held["key"].as_str().unwrap().to_string());
                let (before, state) = met.entry(key).or_insert_with(|| (held.clone(), table.show()));
                assert_eq!(before, held, "{spec}: equal histories of seat {seat}");
                hidden += usize::from(*state != table.show());
            }
        }
        assert!(hidden > 0 || !game.facts().hidden, "{spec}: nothing was hidden");
    }
}
