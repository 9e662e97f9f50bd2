//! Requests that no page sends, by the thousand: the studio answers or hangs up, and goes on.
//!
//! A few thousand requests are sent; with `FOGTREE_FUZZ=600` as many as fit into ten minutes. They follow from
//! `FOGTREE_FUZZ_SEED`.

#[path = "studio/browser.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod browser;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use browser::{Guest, House};
use fogtree_core::{Purpose, Rng, Seed};
use serde_json::{Value, json};

/// Requests if no time is given.
const USUAL: usize = 3000;
/// Senders at a time.
const SENDERS: usize = 4;
/// Nobody waits longer for an answer.
const LONGEST: Duration = Duration::from_secs(30);
/// So much more memory may be in use afterwards.
const MOST_MORE: usize = 512 << 20;

/// A method that nobody has.
const LONG_METHOD: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX";

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Values that readers treat in a way of their own.
fn odd_value(rng: &mut Rng) -> Value {
    let texts = [
        "",
        "\0",
        "../../etc/passwd",
        "é\u{202e}",
        "null",
        "-1",
        "exec(command=true)",
        "gdl(file=a)",
        "((((",
        "a=b",
    ];
    match rng.below(14) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(i64::MIN),
        5 => json!(1e308),
        6 => json!(0.5),
        7 => json!([]),
        8 => json!({}),
        9 => json!([[[[[[[["deep"]]]]]]]]),
        10 => json!("x".repeat(1 + rng.below(5000) as usize)),
        11 => json!(vec![0; rng.below(300) as usize]),
        12 => json!({"of": "table", "table": *rng.pick(&texts), "step": rng.bits()}),
        _ => json!(*rng.pick(&texts)),
    }
}

/// Changes something somewhere in a value.
fn mangle(value: &mut Value, rng: &mut Rng) {
    let go_deeper = rng.below(3) > 0;
    match value {
        Value::Object(fields) if go_deeper && !fields.is_empty() => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            let key = rng.pick(&keys).clone();
            match rng.below(5) {
                0 => drop(fields.remove(&key)),
                1 => drop(fields.insert(format!("{key}x"), odd_value(rng))),
                _ => mangle(fields.get_mut(&key).expect("it is there"), rng),
            }
        }
        Value::Array(items) if go_deeper && !items.is_empty() => {
            let place = rng.below(items.len() as u32) as usize;
            match rng.below(4) {
                0 => drop(items.remove(place)),
                1 => items.push(odd_value(rng)),
                _ => mangle(&mut items[place], rng),
            }
        }
        _ => *value = odd_value(rng),
    }
}

/// Changes some bytes.
fn spoil(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..1 + rng.below(6) {
        let at = rng.below(bytes.len().max(1) as u32) as usize;
        let byte = rng.bits() as u8;
        match rng.below(5) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = byte,
            3 => bytes.splice(at..at, [b'\r', b'\n']).for_each(drop),
            _ => bytes.splice(at..at, vec![byte; 1 + rng.below(40) as usize]).for_each(drop),
        }
    }
}

/// What exists to be asked for.
struct World {
    at: SocketAddr,
    cookies: Vec<String>,
    /// Method, path, and a body that is right.
    routes: Vec<(String, String, Value)>,
    /// What is there, and by which it is asked for.
    ids: Vec<(&'static str, String)>,
}

impl World {
    /// All routes, with bodies that would do something.
    fn new(house: &House) -> World {
        let owner = house.owner();
        let (open, _) = owner.table(&json!({"game": "leduc-poker", "seats": [null, "random"], "open": true}));
        let (fair, links) =
            owner.table(&json!({"game": "hearts", "seats": [null, null, "random", "random"]}));
        let guest = house.at_seat(links["1"].as_str().unwrap());
        let place = json!({"of": "moves", "game": "phantom-mnk(m=3,n=3,k=3)", "moves": "a1 b2"});
        let search =
            json!({"place": place, "seat": 0, "agents": ["mo-ismcts(iterations=50)"], "iterations": 50});
        let solve = json!({"game": "kuhn-poker", "solver": "cfr+", "iterations": 5, "time": 20});
        let body = |path: &str| match path {
            "/api/enter" => json!({"key": "00000000000000000000000000000000"}),
            "/api/position" => json!({"place": place, "seat": 0}),
            "/api/tables" => {
                json!({"game": "kuhn-poker", "seats": [null, "random"], "open": false, "seed": 1,
                "clock": {"seconds": 60, "increment": 1}, "sit": [0], "delay": 10, "from": null})
            }
            "/api/tables/{id}/move" => json!({"seat": 0, "move": "check", "revision": 0}),
            "/api/tables/{id}/undo" | "/api/tables/{id}/resign" => json!({"seat": 0}),
            "/api/tables/{id}/pace" => json!({"paused": true, "delay": 5, "step": true}),
            "/api/searches" => search.clone(),
            "/api/worlds" => json!({"place": place, "seat": 0, "count": 5, "shown": 1}),
            "/api/reviews" => json!({"place": {"of": "table", "table": open}, "time": 5}),
            "/api/solves" => solve.clone(),
            "/api/exploits" => json!({"game": "kuhn-poker", "agent": "random", "samples": 2, "time": 20}),
            "/api/replays" => {
                json!({"format": "fogtree-record", "version": 1, "game": "nim", "agents": [], "seed": 1})
            }
            _ => json!({}),
        };
        let document: Value = serde_json::from_str(include_str!("../../../docs/openapi.json")).unwrap();
        let mut routes = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for method in methods.as_object().unwrap().keys() {
                // Tables that everything is tried at must stay.
                if (method.as_str(), path.as_str()) != ("delete", "/api/tables/{id}") {
                    routes.push((method.to_uppercase(), path.clone(), body(path)));
                }
            }
        }
        let begun = |path: &str, body: &Value, field: &str| {
            owner.posted(path, body)[field].as_str().unwrap().to_string()
        };
        let (search, solve) =
            (begun("/api/searches", &search, "search"), begun("/api/solves", &solve, "solve"));
        let review =
            begun("/api/reviews", &json!({"place": {"of": "table", "table": open}, "time": 5}), "review");
        let ids = [
            ("/api/tables/", open.clone()),
            ("/api/tables/", fair),
            ("/api/searches/", search),
            ("/api/solves/", solve),
            ("/api/reviews/", review),
        ];
        let ids = ids.to_vec();
        let cookies = [owner.cookie, guest.cookie].into_iter().flatten().collect();
        World { at: house.address(), cookies, routes, ids }
    }

    /// A path with something in place of its names, and something behind a question mark.
    fn path(&self, path: &str, rng: &mut Rng) -> String {
        const ODD: [&str; 16] = [
            "%2e%2e",
            "..",
            "%2e%2e%2f%2e%2e",
            "%00",
            "%ff%fe",
            "%",
            "%zz",
            "0",
            "-1",
            "18446744073709551616",
            "%F0%9F%8E%B2",
            "a%20b",
            "{id}",
            "%0d%0aX:y",
            "~",
            "x",
        ];
        let mut made = String::new();
        for word in path.split('/').skip(1) {
            made.push('/');
            let fitting: Vec<&str> =
                self.ids.iter().filter(|(of, _)| path.starts_with(of)).map(|(_, id)| id.as_str()).collect();
            made += match (word, rng.below(30)) {
                ("{agent}", 0..20) => "0",
                ("{id}", 0..25) if !fitting.is_empty() => *rng.pick::<&str>(&fitting),
                (word, 1..) if !word.starts_with('{') => word,
                _ => *rng.pick(&ODD),
            };
        }
        match rng.below(8) {
            0 => made += "?theme=dark",
            1 => made += "?theme=purple&theme=light",
            2 => made += "?game=hearts&moves=99999999999&node=99999&depth=4294967295&top=0&from=7&count=0",
            3 => made += "?game=%ff%00&node=-1&tree=x",
            4 => made += &format!("?game={}", "(".repeat(rng.below(3000) as usize)),
            5 => made += "/",
            _ => {}
        }
        made
    }

    /// A request with everything in order but some of what it says.
    fn structured(&self, rng: &mut Rng) -> Vec<u8> {
        let (method, path, body) = rng.pick(&self.routes);
        let mut body = body.clone();
        for _ in 0..rng.below(3) {
            mangle(&mut body, rng);
        }
        let mut bytes = match rng.below(12) {
            0 => vec![b'['; 1 + rng.below(60_000) as usize],
            1 => b"{\"place\":{\"of\":\"moves\",\"game\":\"\xff\xfe\"}}".to_vec(),
            2 => format!("{{\"seat\":{}}}", "9".repeat(1 + rng.below(400) as usize)).into_bytes(),
            3 => b"{\"seat\":0,\"seat\":1,\"game\":\"nim\",\"game\":\"nim\"}".to_vec(),
            _ => body.to_string().into_bytes(),
        };
        if rng.below(10) == 0 {
            spoil(&mut bytes, rng);
        }
        let kind =
            *rng.pick(&["application/json", "application/json", "application/json", "text/plain", "x"]);
        let (path, cookie) = (self.path(path, rng), rng.pick(&self.cookies));
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {at}\r\nOrigin: http://{at}\r\nCookie: {cookie}\r\n\
             Connection: close\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n",
            at = self.at,
            length = bytes.len()
        );
        [head.into_bytes(), bytes].concat()
    }

    /// A request whose head is hostile.
    fn hostile(&self, rng: &mut Rng) -> Vec<u8> {
        let (method, path, body) = rng.pick(&self.routes);
        let (path, cookie, at) = (self.path(path, rng), rng.pick(&self.cookies), self.at);
        let port = at.port();
        let host = match rng.below(9) {
            0 => String::new(),
            1 => format!("Host: {at}\r\nHost: {at}\r\n"),
            2 => format!("Host: evil.example:{port}\r\n"),
            3 => format!("Host: 127.0.0.1:{port}@evil.example\r\n"),
            4 => "Host: \u{ff}\r\n".to_string(),
            5 => format!("Host: {}\r\n", "a.".repeat(2000)),
            6 => format!("Host: [::1]:{port}:{port}\r\n"),
            7 => "Host:\r\n".to_string(),
            _ => format!("Host: {at}\r\n"),
        };
        let origin = match rng.below(6) {
            0 => String::new(),
            1 => "Origin: null\r\n".to_string(),
            2 => format!("Origin: http://{at}\r\nOrigin: http://{at}\r\n"),
            3 => format!("Origin: https://{at}\r\n"),
            4 => format!("Origin: http://{at}.evil.example\r\n"),
            _ => format!("Origin: http://{at}\r\n"),
        };
        let more = match rng.below(10) {
            0 => "Content-Length: -1\r\n".to_string(),
            1 => "Content-Length: 99999999999999999999\r\n".to_string(),
            2 => "Content-Length: 3\r\nContent-Length: 4\r\n".to_string(),
            3 => "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n".to_string(),
            4 => "Transfer-Encoding: chunked\r\n".to_string(),
            5 => "X: y\r\n".repeat(1 + rng.below(200) as usize),
            6 => format!("X: {}\r\n", "y".repeat(rng.below(40_000) as usize)),
            7 => "Expect: 100-continue\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n".to_string(),
            8 => "Authorization: Bearer \u{7f}\r\nAuthorization: Bearer x\r\n".to_string(),
            _ => "Authorization: Basic eDp5\r\nRange: bytes=0-99999999999\r\n".to_string(),
        };
        let method =
            *rng.pick(&[method.as_str(), "OPTIONS", "HEAD", "PUT", "TRACE", "CONNECT", "get", LONG_METHOD]);
        let version = *rng.pick(&["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""]);
        let path = if rng.below(8) == 0 { format!("http://evil.example{path}") } else { path };
        let chunks = ["0\r\n\r\n", "zz\r\n", "ffffffffffffffff\r\nx", "5\r\nhel"];
        let body = if rng.below(2) == 0 { body.to_string() } else { (*rng.pick(&chunks)).to_string() };
        let head = format!("{method} {path} {version}\r\n{host}{origin}Cookie: {cookie}\r\n{more}\r\n");
        [head.into_bytes(), body.into_bytes()].concat()
    }

    fn request(&self, rng: &mut Rng) -> (bool, Vec<u8>) {
        match rng.below(20) {
            0 => (false, (0..rng.below(600)).map(|_| rng.bits() as u8).collect()),
            1 => (false, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec()),
            2..5 => {
                let mut bytes = self.structured(rng);
                spoil(&mut bytes, rng);
                (false, bytes)
            }
            5..9 => (false, self.hostile(rng)),
            _ => (true, self.structured(rng)),
        }
    }
}

/// Sends bytes, and that nothing more will come unless they are whole; answers the status of what comes back, 0 if nothing does. Streams are left after their
/// first bytes.
fn send(at: SocketAddr, whole: bool, bytes: &[u8]) -> u16 {
    let Ok(mut stream) = TcpStream::connect_timeout(&at, LONGEST) else {
        panic!("nobody listens any longer")
    };
    stream.set_read_timeout(Some(LONGEST)).unwrap();
    stream.set_write_timeout(Some(LONGEST)).unwrap();
    let _ = stream.write_all(bytes);
    if !whole {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut head = [0; 64];
    let mut length = 0;
    while length < head.len() {
        match stream.read(&mut head[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(why)
                if matches!(why.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
            {
                panic!("no answer within {LONGEST:?}: {}", String::from_utf8_lossy(bytes));
            }
            Err(_) => break,
        }
    }
    let text = String::from_utf8_lossy(&head[..length]).into_owned();
    text.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok()).unwrap_or(0)
}

/// Bytes of memory in use, where the system tells.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok()).unwrap_or(0) << 10
}

#[test]
fn requests_that_no_page_sends_harm_nobody() {
    let seconds = std::env::var("FOGTREE_FUZZ").ok().and_then(|text| text.parse::<f64>().ok());
    let seed = std::env::var("FOGTREE_FUZZ_SEED").ok().and_then(|text| text.parse().ok());
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        usual(info);
    }));
    let house = House::with("fuzz", |settings| settings.longest_search = Duration::from_millis(40));
    let world = Arc::new(World::new(&house));
    let before = memory();
    let (sent, began) = (AtomicUsize::new(0), Instant::now());
    let answers: Mutex<BTreeMap<(bool, u16), usize>> = Mutex::default();
    let slowest: Mutex<Duration> = Mutex::default();
    std::thread::scope(|scope| {
        for sender in 0..SENDERS as u64 {
            let (world, sent, answers, slowest) = (&world, &sent, &answers, &slowest);
            scope.spawn(move || {
                let mut rng = Seed(seed.unwrap_or(1)).number(sender).stream(Purpose::Playout);
                loop {
                    let number = sent.fetch_add(1, Ordering::Relaxed);
                    let over = match seconds {
                        Some(seconds) => began.elapsed().as_secs_f64() > seconds,
                        None => number >= USUAL,
                    };
                    if over {
                        return;
                    }
                    let (whole, bytes) = world.request(&mut rng);
                    let asked = Instant::now();
                    let status = send(world.at, whole, &bytes);
                    let mut slow = slowest.lock().unwrap();
                    *slow = asked.elapsed().max(*slow);
                    drop(slow);
                    let wrong = status == 500 || status == 0 && whole;
                    assert!(!wrong, "{status}: {}", String::from_utf8_lossy(&bytes));
                    *answers.lock().unwrap().entry((whole, status)).or_default() += 1;
                }
            });
        }
    });
    let answers = answers.into_inner().unwrap();
    let number: usize = answers.values().sum();
    let more = memory().saturating_sub(before);
    let owner = Guest { address: world.at, cookie: Some(world.cookies[0].clone()) };
    let asked = Instant::now();
    assert_eq!(owner.got("/api/me")["owner"], true);
    println!(
        "{number} requests in {:.0?}; answers by status, well-formed requests first: {answers:?}; the slowest took {:?}, \
         then one took {:?}; {} MiB more in use",
        began.elapsed(),
        slowest.into_inner().unwrap(),
        asked.elapsed(),
        more >> 20
    );
    assert_eq!(PANICS.load(Ordering::Relaxed), 0, "something panicked");
    assert!(more < MOST_MORE, "{} MiB more are in use", more >> 20);
    assert!(answers.get(&(true, 200)).is_some_and(|&n| n > number / 100), "much is answered: {answers:?}");
}
