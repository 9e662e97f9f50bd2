//! Records: sent, opened from the folder, stepped through and played on, over HTTP.

use std::fs;

use fogtree_core::Seed;
use fogtree_gdl::Sheet;
use fogtree_serve::legal::Choice;
use fogtree_serve::manager::{Match, Options};
use fogtree_serve::message::Dialect;
use fogtree_serve::record::Record;
use fogtree_table::{Registry, SeatAgent, play_game};
use serde_json::{Value, json};

use crate::browser::{Answer, Guest, House, raw};
use crate::common::{local, options, sheet};

/// Sends a text as it is.
fn send(guest: &Guest, text: &[u8]) -> Answer {
    let at = guest.address;
    let head = format!(
        "POST /api/replays HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\nCookie: {}\r\nConnection: close\r\n\
         Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        guest.cookie.clone().unwrap_or_default(),
        text.len()
    );
    raw(at, &[head.as_bytes(), text].concat())
}

fn opened(guest: &Guest, text: &str) -> Value {
    let answer = send(guest, text.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

/// The record of a game between agents that play at random.
fn recorded(spec: &str, seed: u64) -> fogtree_core::Record {
    let registry = Registry::standard();
    let game = registry.game(spec).unwrap();
    let mut seating = |_, _: &str| -> Result<SeatAgent, Box<dyn std::error::Error>> {
        Ok(registry.agent("random", &*game)?)
    };
    play_game(&*game, spec, Seed(seed), &mut seating, &mut |_| {}).unwrap().record
}

fn at(replay: &Value, number: usize, step: Option<usize>) -> Value {
    json!({"of": "replay", "replay": replay["replay"], "number": number, "step": step})
}

#[test]
fn records_of_many_games_are_stepped_through() {
    let house = House::new("replays");
    let owner = house.owner();
    let games = [("leduc-poker", 1), ("phantom-mnk", 2), ("tron", 3), ("leduc-poker", 4)];
    let records: Vec<_> = games.iter().map(|(spec, seed)| recorded(spec, *seed)).collect();
    let text: String = records.iter().map(fogtree_core::Record::to_lines).collect();
    let replay = opened(&owner, &text);
    assert_eq!(owner.got(&format!("/api/replays/{}", replay["replay"].as_str().unwrap())), replay);
    for (number, record) in (1..).zip(&records) {
        let told = &replay["games"][number - 1];
        assert_eq!(told["number"], number);
        assert_eq!(told["game"], record.header.game);
        assert_eq!(told["agents"], json!(["random", "random"]));
        assert_eq!(told["rewards"], json!(record.rewards));
        assert_eq!(told["steps"], record.steps.len());
        for (step, (line, names)) in record.steps.iter().zip(told["names"].as_array().unwrap()).enumerate() {
            let expected: Vec<&String> =
                line.chance.iter().chain(line.moves.iter().map(|(_, name)| name)).collect();
            assert_eq!(*names, json!(expected));
            let sight = owner.posted("/api/position", &json!({"place": at(&replay, number, Some(step + 1))}));
            assert_eq!((&sight["last"], &sight["step"]), (names, &json!(step + 1)));
        }
        let end = owner.posted("/api/position", &json!({"place": at(&replay, number, None), "seat": 1}));
        assert_eq!(end["rewards"], json!(record.rewards));
    }
    let missing = |place: Value| owner.post("/api/position", &json!({"place": place})).status;
    assert_eq!(missing(at(&replay, 0, None)), 400);
    assert_eq!(missing(at(&replay, 5, None)), 400);
    assert_eq!(missing(at(&replay, 1, Some(1000))), 400);
    assert_eq!(missing(at(&json!({"replay": "0"}), 1, None)), 404);
    // Branch off and play on.
    let wanted = json!({"game": "leduc-poker", "seats": [null, "random"], "from": at(&replay, 1, Some(2))});
    let (table, _) = owner.table(&wanted);
    let record = owner.play_to_the_end(&table);
    let moves = record["whole"]["moves"].as_array().unwrap();
    assert_eq!(moves[0], replay["games"][0]["names"][0][0]);
}

#[test]
fn texts_that_are_no_records_are_refused_with_a_sentence() {
    let house = House::new("bad-replays");
    let owner = house.owner();
    let good = recorded("kuhn-poker", 1).to_lines();
    let lines: Vec<&str> = good.lines().collect();
    let with_game = |game: &str| good.replace("\"kuhn-poker\"", &format!("\"{game}\""));
    let bad = [
        (String::new(), "empty"),
        ("hello".to_string(), "line 1 is not the header"),
        (format!("{}\nnonsense\n{}\n", lines[0], lines[1]), "line 2 is not a step"),
        (good.replacen("chance", "chances", 1), "no move"),
        (with_game("no-such-game"), "unknown game"),
        (with_game("gdl(file=/etc/passwd)"), "cannot be used here: it reads files"),
        (with_game("leduc-poker"), "step 1"),
        (good.replace("\"rewards\":[", "\"rewards\":[7,"), "is recorded"),
        (format!("{good}{}", with_game("nim")), "game 2: step 1"),
        (good.replace("\"agents\":[", "\"agents\":[\"a\",\"b\",\"c\","), "2 players"),
        (good.repeat(1001), "1001 games"),
        ("{\"format\":\"fogtree-ggp-match\"}".to_string(), "not a record of a match"),
        ("[".repeat(100_000), "line 1 is not the header"),
    ];
    for (text, why) in bad {
        let answer = send(&owner, text.as_bytes());
        let short: String = text.chars().take(80).collect();
        assert_eq!(answer.status, 400, "{short}");
        assert!(answer.error().contains(why), "{short}: {}", answer.error());
    }
    assert!(send(&owner, b"\xff\xfe\x00").error().contains("UTF-8"));
    assert_eq!(send(&owner, &vec![b' '; (16 << 20) + 1]).status, 413);
    let nobody = Guest::new(house.address());
    assert_eq!(send(&nobody, good.as_bytes()).status, 401);
    let (_, links) = owner.table(&json!({"game": "leduc-poker", "seats": [null, null], "sit": [0]}));
    let guest = house.at_seat(links["1"].as_str().unwrap());
    assert_eq!(send(&guest, good.as_bytes()).status, 403);
    for path in ["/api/records", "/api/experiments", "/api/replays/0"] {
        assert_eq!(guest.get(path).status, 403, "{path}");
    }
}

/// The record of a match between players of random moves.
fn match_of(sheet: &Sheet, id: &str, dialect: Dialect, seed: u64) -> Record {
    let count = if id == "monty-hall" { 1 } else { 2 };
    let players = (0..count).map(|i| local(Choice::Random, seed + i, dialect)).collect();
    let options = Options { seed: Seed(seed), ..options(id) };
    Match::new(sheet, players, options).unwrap().play(|_| ())
}

#[test]
fn matches_of_general_games_are_stepped_through() {
    let house = House::new("ggp-replays");
    let owner = house.owner();
    for (name, dialect) in [
        ("tic-tac-toe", Dialect::Gdl),
        ("kuhn-poker", Dialect::A),
        ("meier", Dialect::B),
        ("monty-hall", Dialect::A),
        ("krieg-tic-tac-toe-3x3", Dialect::A),
        ("all-in-or-fold", Dialect::B),
    ] {
        let own = sheet(name);
        let record = match_of(&own, name, dialect, 5);
        // The same rules under other names are not ours, but carried.
        let scrambled = fogtree_gdl::Scrambling::new(&own, Seed(9)).sheet(&own);
        let scrambled = Sheet::read(&scrambled).unwrap();
        let foreign = match_of(&scrambled, name, dialect, 5);
        for (record, is_own) in [(record, true), (foreign, false)] {
            let replay = opened(&owner, &serde_json::to_string_pretty(&record).unwrap());
            let game = &replay["games"][0];
            let spec = game["game"].as_str().unwrap();
            assert_eq!(spec == format!("gdl(sheet={name})"), is_own, "{spec}");
            let seats = record.roles.iter().zip(&record.goals).filter(|(role, _)| *role != "random");
            let goals: Vec<f64> = seats.map(|(_, goal)| f64::from(goal.unwrap()) / 100.0).collect();
            assert_eq!(game["rewards"], json!(goals), "{name}");
            let steps = game["steps"].as_u64().unwrap() as usize;
            for step in 0..=steps {
                let look = json!({"place": at(&replay, 1, Some(step)), "seat": 0});
                let sight = owner.posted("/api/position", &look);
                assert!(sight["svg"].as_str().unwrap().starts_with("<svg"), "{name}");
            }
            let mut without = record.clone();
            without.sheet = None;
            let answer = send(&owner, serde_json::to_string(&without).unwrap().as_bytes());
            assert_eq!(answer.status == 200, is_own, "{}", answer.text());
            let mut wrong = record.clone();
            wrong.steps[0].moves[0] = "(fly away)".to_string();
            let answer = send(&owner, serde_json::to_string(&wrong).unwrap().as_bytes());
            assert!(answer.error().starts_with("step 1: (fly away) is not legal"), "{}", answer.text());
            let mut other = record;
            other.rules = fogtree_core::Key::root(fogtree_core::Observer::Public);
            let answer = send(&owner, serde_json::to_string(&other).unwrap().as_bytes());
            assert!(answer.error().contains("not those of the match"), "{}", answer.text());
        }
    }
}

/// Rules that never come to an end are given up.
#[test]
fn hostile_rules_are_given_up() {
    let house = House::new("hostile-rules");
    let owner = house.owner();
    let mut record = match_of(&sheet("tic-tac-toe"), "tic-tac-toe", Dialect::Gdl, 5);
    for rules in [
        "(role a) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (legal a go) (<= (goal a 0) (true (n ?x)))",
        "(role a) (p 0) (<= (p (s ?x)) (p ?x)) (<= (legal a ?x) (p ?x)) (goal a 0)",
        "(role a) (((((",
        "(role random) (legal random go) (goal random 0)",
    ] {
        let sheet = Sheet::read(rules);
        record.rules = sheet.as_ref().map_or(record.rules, fogtree_serve::record::rules_key);
        record.sheet = Some(rules.to_string());
        let answer = send(&owner, serde_json::to_string(&record).unwrap().as_bytes());
        assert_eq!(answer.status, 400, "{rules}: {}", answer.text());
    }
}

#[test]
fn the_folder_of_records_is_read_and_nothing_beside_it() {
    let folder = std::env::temp_dir().join(format!("fogtree-records-{}", std::process::id()));
    let records = folder.join("records");
    fs::create_dir_all(records.join("inner")).unwrap();
    let text = recorded("kuhn-poker", 1).to_lines() + &recorded("nim", 1).to_lines();
    fs::write(records.join("two games.jsonl"), &text).unwrap();
    fs::write(records.join("notes.txt"), "no record").unwrap();
    fs::write(records.join("bad.json"), "no record").unwrap();
    fs::write(folder.join("secret.jsonl"), &text).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("secret.jsonl"), records.join("link.jsonl")).unwrap();
    let house = House::with("folder", |settings| settings.records = Some(records.clone()));
    let owner = house.owner();
    assert_eq!(
        owner.got("/api/records"),
        json!([{"name": "bad.json"}, {"name": "two games.jsonl", "games": 2}])
    );
    let open = |name: &str| owner.post(&format!("/api/records/{name}/open"), &json!(null));
    let replay = open("two%20games.jsonl").json();
    assert_eq!(replay["games"].as_array().unwrap().len(), 2);
    assert_eq!(open("bad.json").status, 400);
    for name in [
        "..%2fsecret.jsonl",
        "%2e%2e%2fsecret.jsonl",
        "..",
        "%2e%2e",
        "inner",
        "link.jsonl",
        "two%20games.jsonl%00",
        "%2fetc%2fpasswd",
        "nothing",
    ] {
        let answer = open(name);
        assert!(matches!(answer.status, 400 | 404 | 405), "{name}: {answer:?}");
        assert!(!answer.text().contains("games"), "{name}");
    }
    drop(house);
    let house = House::new("no-folder");
    assert_eq!(house.owner().got("/api/records"), json!([]));
    assert_eq!(house.owner().post("/api/records/a.jsonl/open", &json!(null)).status, 404);
    fs::remove_dir_all(&folder).unwrap();
}
