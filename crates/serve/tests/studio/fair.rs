//! Nothing is told of what a seat cannot know: two games that look the same to a seat, byte for byte over HTTP.

use std::collections::HashMap;
use std::time::Duration;

use fogtree_core::{Key, Player, Seed};
use fogtree_table::{Registry, Seat, Session};
use serde_json::{Value, json};

use crate::browser::{Guest, House};

/// Two lines of play, chance included, that a seat which is to move cannot tell apart.
struct Pair {
    seat: Player,
    lines: [Vec<String>; 2],
}

/// Pairs of lines that look the same to somebody, the latest first.
fn pairs(registry: &Registry, spec: &str, most: usize) -> Vec<Pair> {
    let game = registry.game(spec).unwrap();
    let seats = vec![Seat::Person; game.facts().players];
    let mut met: HashMap<(u8, Key), Vec<String>> = HashMap::new();
    let mut pairs: Vec<Pair> = Vec::new();
    for seed in 0..80 {
        let mut session = Session::start(registry, spec, &seats, Some(Seed(seed))).unwrap();
        for _ in 0..14 {
            session.step_agents().unwrap();
            let Some(me) = session.waiting_for().iter().next() else { break };
            let (view, line) = (session.view(me), session.table().names());
            let other = met.entry((me.0, view.infoset)).or_insert_with(|| line.clone());
            if *other != line {
                pairs.push(Pair { seat: me, lines: [other.clone(), line] });
            }
            session.submit(me, &view.legal[0].name, view.revision).unwrap();
        }
    }
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.lines[0].len()));
    pairs.dedup_by(|a, b| a.lines[0] == b.lines[0]);
    pairs.truncate(most);
    pairs
}

/// What a search in a seat's place tells, but for the time it took.
fn hint(guest: &Guest, here: &Value, seat: Player) -> String {
    let wanted = json!({"place": here, "seat": seat.0, "agents": ["mo-ismcts"], "iterations": 60});
    let search = guest.posted("/api/searches", &wanted)["search"].as_str().unwrap().to_string();
    let mut heard = guest.listen(&format!("/api/searches/{search}/live"));
    while heard.next().is_some_and(|(name, _)| name != "end") {}
    let told = guest.got(&format!("/api/searches/{search}"));
    let mut decision = told["agents"][0]["decision"].clone();
    for timed in ["seconds", "iterations_per_second"] {
        decision.as_object_mut().unwrap().remove(timed);
    }
    let tree = guest.get(&format!("/api/searches/{search}/0/tree?top=20"));
    let line = guest.get(&format!("/api/searches/{search}/0/line"));
    guest.ask("DELETE", &format!("/api/searches/{search}"), None);
    format!("{decision}\n{}\n{}\n", String::from_utf8_lossy(&tree.body), String::from_utf8_lossy(&line.body))
}

/// Everything that a guest in this seat can get out of a table, as one text.
fn all_answers(house: &House, owner: &Guest, spec: &str, seat: Player, line: &[String]) -> String {
    let players = Registry::standard().game(spec).unwrap().facts().players;
    let place = json!({"of": "moves", "game": spec, "moves": line.join(" ")});
    let wanted = json!({"game": spec, "seats": vec![Value::Null; players], "seed": 7, "from": place,
        "sit": Player::all(players).filter(|p| *p != seat).map(|p| p.0).collect::<Vec<_>>()});
    let (table, links) = owner.table(&wanted);
    let guest = house.at_seat(links[seat.to_string()].as_str().unwrap());
    let here = json!({"of": "table", "table": table});
    let asked = |place: &Value, seat: u8| json!({"place": place, "seat": seat});
    let mut answers = vec![
        guest.get("/api/me"),
        guest.get("/api/tables"),
        guest.get(&format!("/api/tables/{table}")),
        guest.get(&format!("/api/tables/{table}?theme=dark")),
        guest.get(&format!("/api/tables/{table}/record")),
        guest.get(&format!("/api/tables/{table}/thoughts")),
        guest.post("/api/position", &asked(&here, seat.0)),
        guest.post("/api/position", &json!({"place": here})),
        guest.post("/api/position", &asked(&json!({"of": "table", "table": table, "step": 1}), seat.0)),
        guest.post("/api/worlds", &json!({"place": here, "seat": seat.0, "count": 20})),
        guest.post(&format!("/api/tables/{table}/pace"), &json!({"paused": true})),
        guest.post(&format!("/api/tables/{table}/undo"), &json!({"seat": seat.0})),
        guest.post(
            &format!("/api/tables/{table}/move"),
            &json!({"seat": seat.0, "move": "no such move", "revision": 0}),
        ),
        guest.ask("DELETE", &format!("/api/tables/{table}"), None),
    ];
    for other in Player::all(players).filter(|p| *p != seat) {
        answers.push(guest.post("/api/position", &asked(&here, other.0)));
        answers.push(guest.post("/api/worlds", &asked(&here, other.0)));
        answers.push(guest.post("/api/searches", &asked(&here, other.0)));
        answers.push(guest.post(&format!("/api/tables/{table}/resign"), &json!({"seat": other.0})));
    }
    let mut text: String = answers
        .iter()
        .map(|answer| format!("{} {}\n", answer.status, String::from_utf8_lossy(&answer.body)))
        .collect();
    text += &hint(&guest, &here, seat);
    let (name, told) = guest.listen(&format!("/api/tables/{table}/live")).next().unwrap();
    text += &format!("{name} {told}\n");
    owner.ask("DELETE", &format!("/api/tables/{table}"), None);
    // The number of the table is random, and the time is the time.
    let updated = text.find("\"updated\":").map(|at| text[at..].split('}').next().unwrap().to_string());
    let text = text.replace(&table, "TABLE");
    updated.map_or(text.clone(), |updated| text.replace(&updated, "UPDATED"))
}

#[test]
fn two_games_that_look_the_same_are_answered_the_same() {
    let house = House::new("fair");
    let owner = house.owner();
    let registry = Registry::standard();
    let (mut games, mut compared) = (0, 0);
    for about in registry.games() {
        let spec = format!("{}({})", about.name, about.tiny);
        if !registry.game(&spec).is_ok_and(|game| game.facts().hidden) {
            continue;
        }
        let pairs = pairs(&registry, &spec, 3);
        games += usize::from(!pairs.is_empty());
        for Pair { seat, lines: [one, other] } in &pairs {
            let [a, b] = [one, other].map(|line| all_answers(&house, &owner, &spec, *seat, line));
            assert!(a.contains("\"to_move\":true"), "{spec}: {a}");
            assert_eq!(a, b, "{spec}, seat {seat}: {one:?} and {other:?}");
            compared += 1;
        }
    }
    assert!(games >= 12 && compared >= 30, "only {compared} pairs in {games} games were met");
}

/// What another player chooses at the same time is not even told to have happened.
#[test]
fn a_choice_that_is_not_seen_makes_no_event() {
    let house = House::new("silent");
    let owner = house.owner();
    let wanted = json!({"game": "goofspiel(cards=4)", "seats": [null, null], "sit": [0]});
    let (table, links) = owner.table(&wanted);
    let guest = house.at_seat(links["1"].as_str().unwrap());
    let mut heard = guest.listen(&format!("/api/tables/{table}/live"));
    heard.wait_for("table", |v| v["views"][0]["view"]["to_move"] == true);
    let path = format!("/api/tables/{table}/move");
    let view = owner.wait_for(&table, |v| v["views"][0]["view"]["to_move"] == true);
    let (name, revision) =
        (&view["views"][0]["view"]["legal"][0]["move"], &view["views"][0]["view"]["revision"]);
    owner.posted(&path, &json!({"seat": 0, "move": name, "revision": revision}));
    let before = guest.got(&format!("/api/tables/{table}"));
    std::thread::sleep(Duration::from_millis(150));
    let (name, revision) =
        (&before["views"][0]["view"]["legal"][0]["move"], &before["views"][0]["view"]["revision"]);
    guest.posted(&path, &json!({"seat": 1, "move": name, "revision": revision}));
    let (_, next) = heard.next().unwrap();
    let told = next["views"][0]["view"]["told"].as_array().unwrap();
    assert!(!told.is_empty(), "the first event after the start is what came of both choices: {next}");
}
