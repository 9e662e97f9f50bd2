//! Looking inside: searches, trees, beliefs, reviews and solutions, over HTTP.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fogtree_core::{Deadline, Seed};
use fogtree_table::{Asking, Registry, agent_strategy};
use serde_json::{Value, json};

use crate::browser::{Guest, House};

const PHANTOM: &str = "phantom-mnk(m=3,n=3,k=3)";

fn after(game: &str, moves: &str) -> Value {
    json!({"of": "moves", "game": game, "moves": moves})
}

/// Begins a search and waits for its end; answers its path and what it came to.
fn searched(guest: &Guest, wanted: &Value) -> (String, Value) {
    let id = guest.posted("/api/searches", wanted)["search"].as_str().unwrap().to_string();
    let path = format!("/api/searches/{id}");
    guest.listen(&format!("{path}/live")).wait_for("end", |_| true);
    let found = guest.got(&path);
    (path, found)
}

/// Elements are closed in the order in which they were opened, and attributes are quoted.
fn assert_xml(text: &str) {
    assert!(text.starts_with("<svg "), "{text}");
    let mut open = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("tags end");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{text}"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!text.contains("style=") && !text.contains("<style"), "the page allows no styles in pictures");
}

fn sum_of_shares(moves: &Value) -> f64 {
    moves.as_array().unwrap().iter().map(|found| found["share"].as_f64().unwrap()).sum()
}

#[test]
fn a_search_tells_how_it_stands_and_then_what_it_chooses() {
    let house = House::new("search");
    let me = house.owner();
    let wanted =
        json!({"place": after(PHANTOM, "a1"), "seat": 1, "agents": ["mo-ismcts", "random"], "time": 900});
    let id = me.posted("/api/searches", &wanted)["search"].as_str().unwrap().to_string();
    let mut heard = me.listen(&format!("/api/searches/{id}/live"));
    let (mut findings, mut iterations, mut done) = (0, 0, Vec::new());
    loop {
        let (name, told) = heard.next().unwrap();
        match &*name {
            "findings" => {
                assert_eq!(told["agent"], 0);
                let now = told["findings"]["iterations"].as_u64().unwrap();
                assert!(now > iterations, "{told}");
                (findings, iterations) = (findings + 1, now);
                assert!((sum_of_shares(&told["findings"]["moves"]) - 1.0).abs() < 1e-9, "{told}");
            }
            "done" => done.push(told),
            "end" => break,
            _ => panic!("{name} {told}"),
        }
    }
    assert!(findings >= 3, "{findings}");
    assert_eq!(heard.next(), None, "nothing comes after the end");
    let mut agents: Vec<u64> = done.iter().map(|told| told["agent"].as_u64().unwrap()).collect();
    agents.sort_unstable();
    assert_eq!(agents, [0, 1]);
    let found = me.got(&format!("/api/searches/{id}"));
    assert_eq!((&found["seat"], &found["game"]), (&json!(1), &json!(PHANTOM)));
    let [first, second] = [&found["agents"][0], &found["agents"][1]];
    assert_eq!((&first["state"], &second["state"]), (&json!("done"), &json!("done")));
    let legal = found["legal"].as_array().unwrap();
    assert_eq!(legal.len(), 9);
    assert!(legal.contains(&first["decision"]["move"]) && legal.contains(&second["decision"]["move"]));
    let moves = &first["decision"]["moves"];
    assert!((sum_of_shares(moves) - 1.0).abs() < 1e-9);
    assert!(moves[0]["margins"][1].as_f64().unwrap() > 0.0 && moves[0]["availability"].is_u64());
    for theme in ["light", "dark"] {
        let chart = me.get(&format!("/api/searches/{id}/0/convergence?theme={theme}"));
        assert_eq!(chart.header("content-type"), Some("image/svg+xml"));
        assert_xml(&chart.text());
    }
    assert_xml(&me.get(&format!("/api/searches/{id}/1/convergence")).text());
    assert_eq!(me.get(&format!("/api/searches/{id}/2/convergence")).status, 404);
    assert_eq!(
        me.get(&format!("/api/searches/{id}/1/tree")).error(),
        "random keeps no tree, or none with this number"
    );
    assert_eq!(me.ask("DELETE", &format!("/api/searches/{id}"), None).status, 204);
    assert_eq!(me.get(&format!("/api/searches/{id}")).status, 404);
}

/// From the root down along the most visited nodes, as far as the tree goes.
#[test]
fn a_tree_is_opened_node_by_node() {
    let house = House::new("tree");
    let me = house.owner();
    let wanted =
        json!({"place": after(PHANTOM, "a1 b2"), "seat": 0, "agents": ["mo-ismcts"], "iterations": 4000});
    let (path, _) = searched(&me, &wanted);
    let (mut node, mut depth) = (0, 0);
    loop {
        let part = me.got(&format!("{path}/0/tree?node={node}&depth=2&top=100&theme=dark"));
        assert_eq!(part["trees"].as_array().unwrap().len(), 2, "a tree for each player");
        assert_eq!(part["node"]["id"], node);
        assert_eq!(part["path"].as_array().unwrap().len(), depth + 1);
        assert_xml(part["svg"].as_str().unwrap());
        assert_xml(part["svg_infoset"].as_str().unwrap_or_else(|| panic!("no picture of {}", part["path"])));
        assert!(part["text"].as_str().unwrap().lines().count() > 3);
        let children = part["children"].as_array().unwrap();
        let Some(most) = children.first() else { break };
        assert!((sum_of_shares(&part["children"]) - 1.0).abs() < 1e-9);
        let visits = |child: &Value| child["node"]["visits"].as_u64().unwrap();
        assert!(children.windows(2).all(|w| visits(&w[0]) >= visits(&w[1])));
        let few = me.got(&format!("{path}/0/tree?node={node}&top=1&depth=1"));
        assert_eq!(few["children"][0], children[0]);
        let hidden = children.len() as u64 - 1 + part["rest"].as_u64().unwrap();
        assert_eq!(few["rest"].as_u64().unwrap(), hidden, "what is not shown is counted");
        let rests = few["svg"].as_str().unwrap().matches("class=\"more\"").count();
        assert_eq!(rests, usize::from(hidden > 0));
        node = most["node"]["id"].as_u64().unwrap();
        depth += 1;
    }
    assert!(depth >= 4, "{depth}");
    let other = me.got(&format!("{path}/0/tree?tree=1"));
    assert_eq!(other["path"][0]["node"], 0);
    assert!(!other["children"].as_array().unwrap().is_empty());
    for bad in ["tree=2", "node=99999999"] {
        assert_eq!(me.get(&format!("{path}/0/tree?{bad}")).status, 404, "{bad}");
    }
    let line = me.got(&format!("{path}/0/line"));
    let steps = line.as_array().unwrap();
    assert!(steps.len() > 2, "{line}");
    steps.iter().for_each(|step| assert_xml(step["svg"].as_str().unwrap()));
}

/// Whoever holds the jack takes the other cards to be equally likely.
#[test]
fn beliefs_are_shares_of_worlds() {
    let house = House::new("beliefs");
    let me = house.owner();
    let place = after("kuhn-poker", "J K check");
    let found = me.posted("/api/worlds", &json!({"place": place, "seat": 0, "count": 1000, "shown": 5}));
    assert_eq!(found["beliefs"]["worlds"], 1000);
    let zones = found["beliefs"]["zones"].as_array().unwrap();
    assert_eq!(zones.len(), 1, "only the other's card is hidden: {zones:?}");
    let shares: Vec<(&str, f64)> = zones[0]["shares"]
        .as_array()
        .unwrap()
        .iter()
        .map(|share| (share["label"].as_str().unwrap(), share["share"].as_f64().unwrap()))
        .collect();
    let mut cards: Vec<&str> = shares.iter().map(|(card, _)| *card).collect();
    cards.sort_unstable();
    assert_eq!(cards, ["K", "Q"]);
    // Four standard deviations of a share of a thousand.
    assert!(shares.iter().all(|(_, share)| (share - 0.5).abs() < 4.0 * 0.0159), "{shares:?}");
    assert_eq!(found["worlds"].as_array().unwrap().len(), 5);
    found["worlds"].as_array().unwrap().iter().for_each(|world| assert_xml(world["svg"].as_str().unwrap()));
    assert_xml(found["svg"].as_str().unwrap());
    assert_xml(found["truth"].as_str().unwrap());
    let held = json!({"place": after("kuhn-poker", "J K check"), "seat": 1, "agent": "random"});
    assert_eq!(me.post("/api/worlds", &held).status, 400, "random believes nothing");
}

/// Takes objects from a heap as the name of a move says.
fn take(heaps: &mut [u32; 3], name: &str) {
    let heap = usize::from(name.as_bytes()[0] - b'a');
    heaps[heap] -= name[1..].parse::<u32>().unwrap();
}

/// Bouton's theorem says what every position of nim is worth: whoever leaves heaps whose binary sum is 0
/// wins.
#[test]
fn a_review_of_nim_finds_every_blunder() {
    let house = House::new("review");
    let me = house.owner();
    let (table, _) = me.table(&json!({"game": "nim(heaps=[3,4,5])", "seats": [null, null], "sit": [0, 1]}));
    let game = ["c5", "b4", "a1", "a1", "a1"];
    for (number, name) in game.iter().enumerate() {
        let seat = number % 2;
        let ready = |v: &Value| v["views"][seat]["view"]["to_move"] == true;
        let view = me.wait_for(&table, ready);
        let revision = &view["views"][seat]["view"]["revision"];
        let body = json!({"seat": seat, "move": name, "revision": revision});
        me.posted(&format!("/api/tables/{table}/move"), &body);
    }
    let place = json!({"of": "table", "table": table});
    let wanted = json!({"place": place, "agent": "minimax", "time": 2000});
    let id = me.posted("/api/reviews", &wanted)["review"].as_str().unwrap().to_string();
    let mut heard = me.listen(&format!("/api/reviews/{id}/live"));
    let mut told = Vec::new();
    while let Some((name, row)) = heard.next().filter(|(name, _)| name != "end") {
        assert_eq!(name, "row");
        told.push(row);
    }
    let review = me.got(&format!("/api/reviews/{id}"));
    assert_eq!((&review["state"], review["rows"].as_array().unwrap()), (&json!("done"), &told));
    let mut heaps = [3, 4, 5];
    let mut expected = Vec::new();
    for (step, name) in game.iter().enumerate() {
        let moves: u32 = heaps.iter().sum();
        let winning = heaps.iter().fold(0, |a, b| a ^ b) != 0;
        take(&mut heaps, name);
        let won = heaps.iter().fold(0, |a, b| a ^ b) == 0;
        let (value, best) = (f64::from(u8::from(won)), f64::from(u8::from(winning)));
        if moves > 1 {
            expected.push((step as u64, value, best, best - value));
        }
    }
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap();
    let found: Vec<(u64, f64, f64, f64)> = told
        .iter()
        .map(|r| {
            (r["step"].as_u64().unwrap(), number(r, "value"), number(r, "best_value"), number(r, "lost"))
        })
        .collect();
    assert_eq!(found, expected);
    assert!(found.iter().any(|row| row.3 == 1.0), "there was a blunder: {found:?}");
    assert_eq!(told[0]["best"], "a2", "the only winning move");
    let cheat = json!({"place": place, "agent": "cheating-uct"});
    assert_eq!(me.post("/api/reviews", &cheat).status, 400, "nobody is judged by hindsight");
    let own = json!({"place": place, "agent": "minimax", "seats": [1]});
    let id = me.posted("/api/reviews", &own)["review"].as_str().unwrap().to_string();
    me.listen(&format!("/api/reviews/{id}/live")).wait_for("end", |_| true);
    let rows = me.got(&format!("/api/reviews/{id}"))["rows"].clone();
    assert!(rows.as_array().unwrap().iter().all(|row| row["seat"] == 1));
}

/// Kuhn's game is worth -1/18 to the first player; the second calls with the king and folds the jack.
#[test]
fn kuhn_poker_is_solved() {
    let house = House::new("solve");
    let me = house.owner();
    let id = me.posted("/api/solves", &json!({"game": "kuhn-poker", "solver": "cfr+", "iterations": 3000}));
    let path = format!("/api/solves/{}", id["solve"].as_str().unwrap());
    let mut heard = me.listen(&format!("{path}/live"));
    let mut points = 0;
    while let Some((name, told)) = heard.next().filter(|(name, _)| name != "end") {
        assert!(name == "point" && told["iterations"].is_u64(), "{name} {told}");
        points += 1;
    }
    let found = me.got(&format!("{path}?theme=dark"));
    assert_eq!((&found["state"], &found["kind"]), (&json!("done"), &json!("solve")));
    assert_eq!(found["points"].as_array().unwrap().len(), points);
    assert!((found["solution"]["value"].as_f64().unwrap() + 1.0 / 18.0).abs() < 1e-3, "{found}");
    assert_eq!(found["infosets"], 12);
    assert_xml(found["svg"].as_str().unwrap());
    let all = me.got(&format!("{path}/strategy?count=100"));
    assert_eq!((&all["of"], all["rows"].as_array().unwrap().len()), (&json!(12), 12));
    let mut known = 0;
    for row in all["rows"].as_array().unwrap() {
        let moves = row["moves"].as_array().unwrap();
        let sum: f64 = moves.iter().map(|m| m["probability"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{row}");
        let p = |name: &str| {
            let found = moves.iter().find(|m| m["move"] == name).map(|m| m["probability"].as_f64().unwrap());
            found.unwrap_or(0.0)
        };
        let (text, second) = (row["infoset"].as_str().unwrap(), row["seat"] == 1);
        if second && moves.iter().any(|m| m["move"] == "call") {
            assert!(!text.contains("Your card: K") || p("call") > 0.99, "{row}");
            assert!(!text.contains("Your card: J") || p("fold") > 0.99, "{row}");
            known += 1;
        }
    }
    assert_eq!(known, 3, "a bet is answered with each of three cards: {all}");
    let page = me.got(&format!("{path}/strategy?from=10&count=5"));
    assert_eq!(page["rows"].as_array().unwrap()[..], all["rows"].as_array().unwrap()[10..]);
    let jacks = me.got(&format!("{path}/strategy?find=your%20card:%20j"));
    assert_eq!(jacks["of"], 4, "{jacks}");
    assert_eq!(me.post("/api/solves", &json!({"game": "kuhn-poker", "solver": "magic"})).status, 400);
    assert_eq!(me.post("/api/solves", &json!({"game": "kuhn-poker", "target": 0.0})).status, 400);
    let large = me.posted("/api/solves", &json!({"game": "hearts"}));
    let path = format!("/api/solves/{}", large["solve"].as_str().unwrap());
    me.listen(&format!("{path}/live")).wait_for("end", |_| true);
    let found = me.got(&path);
    assert!(found["state"] == "failed" && !found["error"].as_str().unwrap().is_empty(), "{found}");
}

/// What the page says of an agent is what the same question says in the same program.
#[test]
fn random_play_is_exploited() {
    let house = House::new("exploit");
    let me = house.owner();
    let registry = Registry::standard();
    let game = registry.game("kuhn-poker").unwrap();
    let mut make = || registry.agent("random", &*game);
    let asking = Asking { samples: 50, count: false, seed: Seed(3) };
    let file = agent_strategy(&*game, &mut make, asking, 10_000, &Deadline::NEVER).unwrap().file;
    let expected = game.exploit(&file, 10_000, &Deadline::NEVER).unwrap().evaluation.nash_conv();
    let wanted = json!({"game": "kuhn-poker", "agent": "random", "samples": 50, "seed": 3});
    let id = me.posted("/api/exploits", &wanted);
    let path = format!("/api/solves/{}", id["solve"].as_str().unwrap());
    me.listen(&format!("{path}/live")).wait_for("end", |_| true);
    let found = me.got(&path);
    assert_eq!((&found["state"], &found["kind"]), (&json!("done"), &json!("exploit")));
    assert_eq!(found["exploitability"]["nash_conv"].as_f64().unwrap(), expected);
    // Uniform play loses 11/12 to best responses; what was drawn is near to it.
    assert!((expected - 11.0 / 12.0).abs() < 0.2, "{expected}");
    assert_eq!(me.got(&format!("{path}/strategy"))["of"], 12);
    assert_eq!(me.post("/api/exploits", &json!({"game": "kuhn-poker", "agent": "cheating-uct"})).status, 400);
}

/// A thread that searches is free again within a second.
#[test]
fn what_is_stopped_ends_soon() {
    let house = House::with("stop", |settings| settings.threads = 1);
    let me = house.owner();
    let long = [
        (
            "/api/searches",
            json!({"place": {"of": "moves", "game": "hearts", "seed": 1}, "seat": 0, "time": 60_000}),
        ),
        ("/api/solves", json!({"game": "leduc-poker", "time": 60_000})),
        ("/api/exploits", json!({"game": "leduc-poker", "agent": "mo-ismcts(time=1s)", "time": 60_000})),
    ];
    for (path, wanted) in long {
        let begun = me.posted(path, &wanted);
        let id = begun.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_string();
        let there =
            if path == "/api/searches" { format!("{path}/{id}") } else { format!("/api/solves/{id}") };
        std::thread::sleep(Duration::from_millis(400));
        let mut heard = me.listen(&format!("{there}/live"));
        let start = Instant::now();
        assert_eq!(me.ask("DELETE", &there, None).status, 204);
        heard.wait_for("end", |_| true);
        let short = json!({"place": after(PHANTOM, ""), "seat": 0, "iterations": 20});
        let (_, found) = searched(&me, &short);
        assert_eq!(found["agents"][0]["state"], "done");
        assert!(start.elapsed() < Duration::from_secs(1), "{path}: {:?}", start.elapsed());
    }
}

#[test]
fn a_hint_is_for_ones_own_seat_and_by_nobody_who_cheats() {
    let house = House::new("hints");
    let owner = house.owner();
    let (table, links) = owner.table(&json!({"game": "leduc-poker", "seats": [null, null], "sit": [0]}));
    let guest = house.at_seat(links["1"].as_str().unwrap());
    let place = json!({"of": "table", "table": table});
    owner.wait_for(&table, |v| v["views"][0]["view"]["to_move"] == true);
    let asked =
        |seat: u8, agent: &str| json!({"place": place, "seat": seat, "agents": [agent], "iterations": 50});
    assert_eq!(guest.post("/api/searches", &asked(0, "mo-ismcts")).status, 403, "not the other's seat");
    assert_eq!(owner.post("/api/searches", &asked(1, "mo-ismcts")).status, 403, "the owner neither");
    assert_eq!(guest.post("/api/searches", &asked(1, "mo-ismcts")).status, 409, "not its turn");
    let cheat = owner.post("/api/searches", &asked(0, "cheating-uct"));
    assert_eq!(cheat.status, 403);
    assert!(cheat.error().contains("would tell what is hidden"), "{}", cheat.error());
    let (path, found) = searched(&owner, &asked(0, "mo-ismcts"));
    assert_eq!(found["agents"][0]["state"], "done");
    assert_eq!(guest.get(&path).status, 404, "a hint is nobody else's");
    assert_eq!(guest.ask("DELETE", &path, None).status, 404);
    let moves = json!({"place": after("leduc-poker", ""), "seat": 0});
    assert_eq!(guest.post("/api/searches", &moves).status, 403);
    assert_eq!(guest.post("/api/reviews", &json!({"place": place})).status, 403, "the game is not over");
    assert_eq!(guest.post("/api/solves", &json!({"game": "kuhn-poker"})).status, 403);
    let worlds = owner.posted("/api/worlds", &json!({"place": place, "seat": 0, "count": 20}));
    assert!(worlds["truth"].is_null(), "the truth is not told");
    assert_eq!(guest.post("/api/worlds", &json!({"place": place, "seat": 0})).status, 403);
    for bad in [json!([]), json!(["random", "random", "random", "random", "random"]), json!(["nobody"])] {
        let wanted = json!({"place": after("kuhn-poker", "J K"), "seat": 0, "agents": bad});
        assert_eq!(owner.post("/api/searches", &wanted).status, 400, "{bad}");
    }
    let open = json!({"place": after("kuhn-poker", "J K"), "seat": 0, "agents": ["cheating-uct"], "iterations": 100});
    let (_, found) = searched(&owner, &open);
    assert_eq!(found["agents"][0]["cheats"], true, "where everything may be seen, cheats are marked");
}

/// All that a hint tells, but for the time it took.
fn hint(house: &House, owner: &Guest, game: &str, line: &str, seat: u8) -> String {
    let wanted =
        json!({"game": game, "seats": [null, null], "seed": 7, "from": after(game, line), "sit": [1 - seat]});
    let (table, links) = owner.table(&wanted);
    let guest = house.at_seat(links[seat.to_string()].as_str().unwrap());
    let place = json!({"of": "table", "table": table});
    let wanted = json!({"place": place, "seat": seat, "agents": ["mo-ismcts"], "iterations": 400});
    let (path, mut found) = searched(&guest, &wanted);
    let agent = &mut found["agents"][0];
    agent.as_object_mut().unwrap().remove("findings");
    for key in ["seconds", "iterations_per_second"] {
        agent["decision"].as_object_mut().unwrap().remove(key);
    }
    found.as_object_mut().unwrap().remove("search");
    let mut text = found.to_string();
    for part in
        ["0/convergence", "0/line", "0/tree", "0/tree?node=3", "0/tree?tree=1", "0/tree?tree=1&node=2"]
    {
        text += &guest.get(&format!("{path}/{part}")).text();
    }
    text
}

/// Two games that look the same to a seat: its hints are the same, byte for byte.
#[test]
fn hints_follow_from_what_the_seat_knows() {
    let house = House::new("same");
    let owner = house.owner();
    for (game, one, other, seat) in [
        ("kuhn-poker", "J K", "J Q", 0),
        (PHANTOM, "a1 b2", "a1 c3", 0),
        (PHANTOM, "a1 b2 c3", "c1 b2 a3", 1),
    ] {
        let [one, other] = [one, other].map(|line| hint(&house, &owner, game, line, seat));
        assert!(one.len() > 5000, "{one}");
        assert_eq!(one, other, "{game}");
    }
}

/// Whatever is asked, nothing breaks, and only the latest searches are kept.
#[test]
fn odd_questions_are_refused() {
    let house = House::new("odd");
    let me = Arc::new(house.owner());
    let place = after(PHANTOM, "");
    for bad in [
        json!({}),
        json!({"place": place}),
        json!({"place": place, "seat": 9}),
        json!({"place": place, "seat": -1}),
        json!({"place": place, "seat": 0, "agents": "mo-ismcts"}),
        json!({"place": after(PHANTOM, "zz"), "seat": 0}),
        json!({"place": after("nothing", ""), "seat": 0}),
    ] {
        assert_eq!(me.post("/api/searches", &bad).status, 400, "{bad}");
    }
    for path in [
        "/api/searches/x",
        "/api/searches/x/live",
        "/api/searches/x/0/tree",
        "/api/reviews/x",
        "/api/solves/x",
    ] {
        assert_eq!(me.get(path).status, 404, "{path}");
    }
    let wanted = json!({"place": place, "seat": 0, "iterations": 10});
    let paths: Vec<String> = (0..6).map(|_| searched(&me, &wanted).0).collect();
    let kept: Vec<u16> = paths.iter().map(|path| me.get(path).status).collect();
    assert_eq!(kept, [404, 404, 200, 200, 200, 200]);
    for odd in
        ["0/tree?depth=99999&top=99999", "0/tree?depth=0&top=0", "0/tree?theme=pink", "x/tree", "99/line"]
    {
        let status = me.get(&format!("{}/{odd}", paths[5])).status;
        assert!([200, 400, 404].contains(&status), "{odd}: {status}");
    }
}
