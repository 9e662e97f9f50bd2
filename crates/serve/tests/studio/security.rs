//! Who is let in, and what other pages, other names and slow or large requests get.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::browser::{Guest, House, raw};

#[test]
fn nobody_is_let_in_without_a_key() {
    let house = House::new("keys");
    let nobody = Guest::new(house.address());
    for path in ["/api/me", "/api/games", "/api/tables", "/api/tables/0/live", "/api/setup?game=hearts"] {
        assert_eq!(nobody.get(path).status, 401, "{path}");
    }
    assert_eq!(nobody.post("/api/tables", &json!({"game": "mnk", "seats": [null, null]})).status, 401);
    assert_eq!(nobody.get("/").status, 200, "the page itself is no secret");
    let wrong = nobody.get("/?key=00000000000000000000000000000000");
    assert_eq!((wrong.status, wrong.header("set-cookie")), (303, None));
    let link = house.running.as_ref().unwrap().start_link();
    let path = &link[link.find("/?key=").unwrap()..];
    let first = nobody.get(path);
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"), "{cookie}");
    assert_eq!(nobody.get(path).header("set-cookie"), None, "a start key opens once");
}

#[test]
fn a_seat_is_taken_once_and_a_guest_is_no_owner() {
    let house = House::new("seats");
    let owner = house.owner();
    let (table, links) = owner.table(&json!({"game": "leduc-poker", "seats": [null, null], "sit": [0]}));
    let link = links["1"].as_str().unwrap();
    let guest = house.at_seat(link);
    assert_eq!(Guest::new(house.address()).get(link).status, 403, "somebody else has come first");
    assert_eq!(owner.get(link).status, 403, "not even the owner may look");
    assert_eq!(guest.get(link).status, 303, "the guest may come again");
    let view = guest.got(&format!("/api/tables/{table}"));
    assert_eq!(view["views"].as_array().unwrap().len(), 1);
    assert_eq!(view["views"][0]["view"]["seat"], 1);
    let made = guest.post("/api/tables", &json!({"game": "mnk", "seats": [null, null]}));
    assert_eq!(made.status, 403);
    assert_eq!(guest.post("/api/invite", &json!({})).status, 403);
    let moved = json!({"seat": 0, "move": "fold", "revision": 0});
    assert_eq!(guest.post(&format!("/api/tables/{table}/move"), &moved).status, 403);
    let place = json!({"of": "moves", "game": "leduc-poker", "moves": ""});
    assert_eq!(guest.post("/api/position", &json!({"place": place})).status, 403);
    let (other, _) = owner.table(&json!({"game": "mnk", "seats": [null, "random"]}));
    assert_eq!(guest.get(&format!("/api/tables/{other}")).status, 404);
}

#[test]
fn other_names_and_other_pages_are_refused() {
    let house = House::new("origins");
    let owner = house.owner();
    let (at, cookie) = (house.address(), owner.cookie.clone().unwrap());
    let ask = |method: &str, path: &str, lines: &str| {
        raw(at, format!("{method} {path} HTTP/1.1\r\n{lines}Connection: close\r\n\r\n").as_bytes())
    };
    let rebound = ask("GET", "/api/me", &format!("Host: evil.example:{}\r\nCookie: {cookie}\r\n", at.port()));
    assert_eq!(rebound.status, 421);
    let twice = ask("GET", "/api/me", &format!("Host: {at}\r\nHost: {at}\r\nCookie: {cookie}\r\n"));
    assert_eq!(twice.status, 400);
    assert_eq!(ask("GET", "/api/me", "").status, 400);
    let absolute = ask("GET", "http://evil.example/api/me", &format!("Host: {at}\r\nCookie: {cookie}\r\n"));
    assert_eq!(absolute.status, 421);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let lines = format!(
            "Host: {at}\r\nCookie: {cookie}\r\nOrigin: {origin}\r\nContent-Type: application/json\r\n\
             Content-Length: 2\r\n"
        );
        assert_eq!(ask("POST", "/api/invite", &lines).status, 403, "{origin}");
    }
    let without = format!("Host: {at}\r\nCookie: {cookie}\r\nContent-Length: 0\r\n");
    assert_eq!(ask("POST", "/api/invite", &without).status, 403, "a browser says where a page is from");
    let token = house.running.as_ref().unwrap().token().unwrap();
    let program = format!("Host: {at}\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n");
    assert_eq!(ask("POST", "/api/invite", &program).status, 200, "programs have no pages");
    let page = owner.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self'") && policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe"));
    for answer in [page, owner.get("/api/me"), owner.get("/nothing"), rebound] {
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
}

#[test]
fn nothing_that_a_page_sends_runs_a_program_or_opens_a_file() {
    let house = House::new("sandbox");
    let owner = house.owner();
    let refused = [
        ("leduc-poker", "exec(command=touch /tmp/owned)"),
        ("leduc-poker", "strategy(file=/etc/passwd)"),
        ("gdl(file=/etc/passwd)", "random"),
        ("tree(file=/etc/passwd)", "random"),
    ];
    for (game, agent) in refused {
        let answer = owner.post("/api/tables", &json!({"game": game, "seats": [null, agent]}));
        assert_eq!(answer.status, 400, "{game} {agent}");
        assert!(!answer.error().contains("root:"), "{}", answer.error());
    }
    let agents = owner.got("/api/agents");
    assert!(agents.as_array().unwrap().iter().all(|about| about["name"] != "exec"));
}

#[test]
fn large_and_slow_requests_end() {
    let house = House::new("limits");
    let owner = house.owner();
    let (at, cookie) = (house.address(), owner.cookie.unwrap());
    let head = format!("Host: {at}\r\nOrigin: http://{at}\r\nCookie: {cookie}\r\n");
    let large = format!(
        "POST /api/tables HTTP/1.1\r\n{head}Content-Type: application/json\r\nContent-Length: 999999999\r\n\
         Connection: close\r\n\r\n{}",
        "x".repeat(400_000)
    );
    assert_eq!(raw(at, large.as_bytes()).status, 413);
    let long = format!("GET /{} HTTP/1.1\r\nHost: {at}\r\n\r\n", "x".repeat(100_000));
    assert!((400..500).contains(&raw(at, long.as_bytes()).status));
    let many = format!("GET / HTTP/1.1\r\nHost: {at}\r\n{}\r\n", "X: y\r\n".repeat(500));
    assert!((400..500).contains(&raw(at, many.as_bytes()).status));
    let mut slow = TcpStream::connect(at).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
    slow.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let began = Instant::now();
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(began.elapsed() < Duration::from_secs(20), "a head that does not come is given up");
}
