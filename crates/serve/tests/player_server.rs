//! A player that anybody may talk to, in any way.

mod common;

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::{answer, host, listen, post, serve, talk, text};
use fogtree_core::{Budget, Seed};
use fogtree_serve::contact::{self, Remote};
use fogtree_serve::host::{self, Host};
use fogtree_serve::http::server::{Response, Server, Service};
use fogtree_serve::http::{Limits, Request};
use fogtree_serve::legal::Choice::{First, Random};
use fogtree_serve::legal::LegalMoves;
use fogtree_serve::player::{Learned, Player, PlayerMaker, Refusal, Start};

fn start(address: SocketAddr, id: &str, role: &str, game: &str) -> (u16, String) {
    post(address, &format!("(START {id} {role} ({}) 30 30)", text(game)))
}

fn said(text: &str) -> (u16, String) {
    (200, text.to_string())
}

/// The trace of the card game that the spec has.
#[test]
fn the_card_game_is_played_as_in_the_source() {
    let server = serve(First, 1);
    let at = server.address();
    assert_eq!(start(at, "scg1", "P2", "all-in-or-fold"), said("READY"));
    assert_eq!(post(at, "(PLAY scg1 NIL)"), said("noop"));
    assert_eq!(post(at, "(PLAY scg1 (QUEEN))"), said("noop"));
    assert_eq!(post(at, "(PLAY SCG1 (YOURTURN))"), said("allin"));
    assert_eq!(post(at, "(STOP scg1 ())"), said("DONE"));
    assert_eq!(post(at, "(STOP scg1 ())"), said("BUSY"));
}

#[test]
fn messages_outside_a_match_are_answered() {
    let server = serve(Random, 1);
    let at = server.address();
    let free = said("((name random) (status available) (species computer))");
    assert_eq!(post(at, "(INFO)"), free);
    assert_eq!(post(at, "info"), free);
    for message in ["(PLAY nowhere NIL)", "(PLAY nowhere 0 NIL NIL)", "(STOP nowhere ())", "(ABORT nowhere)"]
    {
        assert_eq!(post(at, message), said("BUSY"), "{message}");
    }
    assert_eq!(post(at, &format!("(PREVIEW ({}) 5)", text("meier"))), said("READY"));
    assert_eq!(post(at, "(PREVIEW ((role a) (legal a ?x)) 5)").0, 422);
    assert_eq!(post(at, "(INFO)"), free);
}

#[test]
fn one_match_at_a_time_unless_told_otherwise() {
    let server = serve(Random, 1);
    let at = server.address();
    assert_eq!(start(at, "one", "x", "tic-tac-toe"), said("READY"));
    assert_eq!(start(at, "one", "x", "tic-tac-toe"), said("BUSY"));
    assert_eq!(start(at, "two", "x", "tic-tac-toe"), said("BUSY"));
    assert_eq!(post(at, "(INFO)"), said("((name random) (status busy) (species computer))"));
    assert_eq!(post(at, "(PREVIEW () 5)"), said("BUSY"));
    assert_eq!(post(at, "(PLAY two NIL)"), said("BUSY"));
    assert!(post(at, "(PLAY one NIL)").1.starts_with("(mark "));
    assert_eq!(post(at, "(ABORT one)"), said("ABORTED"));
    assert_eq!(post(at, "(PLAY one NIL)"), said("BUSY"));
    assert_eq!(start(at, "two", "x", "tic-tac-toe"), said("READY"));

    let options = host::Options { matches: 2, ..host::Options::default() };
    let both = Host::new(Box::new(LegalMoves::new(First, Seed(1))), options);
    let server = Server::start("127.0.0.1:0", Limits::default(), Arc::new(both)).unwrap();
    let at = server.address();
    assert_eq!(start(at, "one", "x", "tic-tac-toe"), said("READY"));
    assert_eq!(start(at, "two", "o", "tic-tac-toe"), said("READY"));
    assert_eq!(start(at, "three", "x", "tic-tac-toe"), said("BUSY"));
    assert_eq!(post(at, "(PLAY two NIL)"), said("noop"));
    assert_eq!(post(at, "(PLAY one NIL)"), said("(mark 1 1)"));
    assert_eq!(post(at, "(PLAY one ((mark 1 1) noop))"), said("noop"));
}

#[test]
fn a_match_that_nobody_finishes_makes_room() {
    let options = host::Options { patience: Duration::from_millis(50), ..host::Options::default() };
    let host = Host::new(Box::new(LegalMoves::new(First, Seed(1))), options);
    let start = |id: &str| format!("(START {id} x ({}) 0 0)", text("tic-tac-toe"));
    let handle = |text: &str| host.handle(text.as_bytes(), Instant::now()).unwrap().to_string();
    assert_eq!(handle(&start("one")), "READY");
    std::thread::sleep(Duration::from_millis(80));
    assert_eq!(handle(&start("two")), "READY");
    assert_eq!(handle("(PLAY one NIL)"), "BUSY");
}

/// A question that comes twice is one question.
#[test]
fn a_repeated_turn_has_the_same_answer() {
    let host = host(Random, 3);
    let handle = |text: &str| host.handle(text.as_bytes(), Instant::now()).unwrap().to_string();
    assert_eq!(handle(&format!("(START m x ({}) 30 30)", text("krieg-tic-tac-toe-3x3"))), "READY");
    let first = handle("(PLAY m 0 NIL NIL)");
    assert_eq!(handle("(PLAY m 0 NIL NIL)"), first);
    let second = handle(&format!("(PLAY m 1 {first} (yours))"));
    assert_eq!(handle(&format!("(PLAY m 1 {first} (yours))")), second);
    assert_ne!(first, second);
    for odd in ["(PLAY m 4294967295 NIL NIL)", "(PLAY m 17 (mark 1 1) (unheard))", "(PLAY m 3 x ((((y)))))"] {
        assert_eq!(handle(odd), "NIL", "{odd}");
    }
    assert_eq!(handle("(STOP m 4294967295 NIL NIL)"), "DONE");
}

#[test]
fn a_dialect_can_be_asked_for() {
    use fogtree_serve::message::Dialect;
    for (dialect, good, bad) in [
        (Dialect::B, "(PLAY m 0 NIL NIL)", "(PLAY m NIL)"),
        (Dialect::A, "(PLAY m NIL)", "(PLAY m 0 NIL NIL)"),
        (Dialect::Gdl, "(PLAY m NIL)", "(PLAY m 0 NIL NIL)"),
    ] {
        let options = host::Options { dialect: Some(dialect), ..host::Options::default() };
        let host = Host::new(Box::new(LegalMoves::new(First, Seed(1))), options);
        let handle = |text: &str| host.handle(text.as_bytes(), Instant::now());
        handle(&format!("(START m x ({}) 30 30)", text("tic-tac-toe"))).unwrap();
        assert!(handle(bad).unwrap_err().to_string().contains("dialect"), "{dialect}");
        assert_eq!(handle(good).unwrap().to_string(), "(mark 1 1)");
    }
}

#[test]
fn rules_that_cannot_be_played_leave_the_player_free() {
    let server = serve(Random, 1);
    let at = server.address();
    let clauses = "(role a) ".repeat(10);
    let large = "x".repeat((4 << 20) + 1);
    for (message, status) in [
        ("(START m a () 1 1)".to_string(), 422),
        ("(START m a ((role ?x)) 1 1)".to_string(), 422),
        ("(START m nobody ((role a) (legal a b)) 1 1)".to_string(), 422),
        (format!("(START m a ({}{}) 1 1)", "(".repeat(50_000), ")".repeat(50_000)), 422),
        (format!("(START m a ({clauses}(<= (p ?x) (p (f ?x))) (p b) (<= terminal (p ?x))) x 1)"), 400),
        (format!("(START m a ({large}) 1 1)"), 400),
        (format!("(START m {}a{} ((role a)) 1 1)", "(".repeat(100_000), ")".repeat(100_000)), 422),
    ] {
        let (got, why) = post(at, &message);
        assert_eq!(got, status, "{}: {why}", &message[..message.len().min(80)]);
        assert!(why.len() < 500);
    }
    assert_eq!(start(at, "m", "x", "tic-tac-toe"), said("READY"));
}

/// Rules that derive terms without end are given up.
#[test]
fn rules_without_end_are_given_up() {
    let server = serve(Random, 1);
    let endless = "(role a) (init 0) (legal a b) (<= terminal (n 1)) (goal a 0) (n 0) (<= (n (s ?x)) (n ?x))";
    let (status, why) = post(server.address(), &format!("(START m a ({endless}) 1 1)"));
    assert_eq!(status, 422, "{why}");
    assert_eq!(post(server.address(), "(INFO)").0, 200);
}

#[test]
fn both_versions_of_http_are_spoken() {
    let server = serve(Random, 1);
    let at = server.address();
    let old = talk(at, b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)");
    assert!(old.starts_with("HTTP/1.0 200 OK\r\n") && old.contains("\r\nConnection: close\r\n"), "{old}");
    assert!(old.contains("\r\nContent-Type: text/acl\r\n"), "{old}");
    let two = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n(INFO)\
        POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\nConnection: close\r\n\r\n(PLAY m NIL)";
    let new = talk(at, two);
    assert_eq!(new.matches("HTTP/1.1 200 OK\r\n").count(), 2, "{new}");
    assert!(new.contains("Connection: keep-alive") && new.ends_with("\r\n\r\nBUSY"), "{new}");
    let kept = talk(at, b"POST / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 6\r\n\r\n(INFO)GET /%28INFO%29 HTTP/1.0\r\n\r\n");
    assert_eq!(kept.matches("HTTP/1.0 200 OK\r\n").count(), 2, "{kept}");
    let chunks = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\n(IN\r\n3\r\nFO)\r\n0\r\n\r\n";
    assert_eq!(answer(&talk(at, chunks)).0, 200);
    let delete = talk(at, b"DELETE / HTTP/1.0\r\n\r\n");
    assert!(delete.starts_with("HTTP/1.0 405") && delete.contains("Allow: POST"), "{delete}");
    let head = talk(at, b"HEAD / HTTP/1.0\r\n\r\n");
    assert!(head.starts_with("HTTP/1.0 405") && head.ends_with("\r\n\r\n"), "{head}");
    assert_eq!(answer(&talk(at, b"GET /%zz HTTP/1.0\r\n\r\n")).0, 400);
}

#[test]
fn what_is_no_message_is_refused() {
    let server = serve(Random, 1);
    let at = server.address();
    for message in ["", "(", "(HELLO)", "(PLAY)", "(PLAY m)", "(START m)", "(INFO)(INFO)", "(PLAY m 1 2 3 4)"]
    {
        let (status, why) = post(at, message);
        assert!(status == 400 && !why.is_empty(), "{message}: {status} {why}");
    }
    assert_eq!(post(at, &"(".repeat(100_000)).0, 400);
    assert_eq!(answer(&talk(at, b"POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n(INFO \xff)")).0, 400);
    for (bytes, status) in [
        (&b"POST / HTTP/1.0\r\n\r\n(INFO)"[..], 411),
        (b"POST / HTTP/1.0\r\nContent-Length: 104857600\r\n\r\n(INFO)", 413),
        (b"POST / HTTP/1.0\r\nContent-Length: -6\r\n\r\n(INFO)", 400),
        (b"POST / HTTP/3.0\r\n\r\n", 501),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"(INFO)\r\n\r\n", 400),
    ] {
        assert_eq!(answer(&talk(at, bytes)).0, status, "{bytes:?}");
    }
    assert_eq!(post(at, "(INFO)").0, 200);
}

/// A hundred megabytes, announced and not: refused before they are read, and nothing is kept.
#[test]
fn too_much_is_not_read() {
    let limits = Limits { body: 1 << 20, ..Limits::default() };
    let server = Server::start("127.0.0.1:0", limits, Arc::new(host(Random, 1))).unwrap();
    let began = Instant::now();
    for head in [
        "POST / HTTP/1.1\r\nContent-Length: 104857600\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n",
        "POST / HTTP/1.1\r\nX: ",
        "",
    ] {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let block = [b'('; 1 << 16];
        let taken = (0..1600).take_while(|_| stream.write_all(&block).is_ok()).count();
        assert!(taken < 1600, "all of it was read: {head:?}");
    }
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(post(server.address(), "(INFO)").0, 200);
}

/// Whoever sends a request a byte at a time, or half of it, is not waited for.
#[test]
fn slow_requests_are_cut_off() {
    let patience = Duration::from_millis(400);
    let limits = Limits { head_patience: patience, patience, idle: patience, ..Limits::default() };
    let server = Server::start("127.0.0.1:0", limits, Arc::new(host(Random, 1))).unwrap();
    let began = Instant::now();
    for half in ["", "POST / HT", "POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(IN"] {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(half.as_bytes()).unwrap();
        assert_eq!(answer(&listen(&mut stream)).0, 408, "{half:?}");
    }
    let mut drip = TcpStream::connect(server.address()).unwrap();
    let mut sent = 0;
    while drip.write_all(b"a").is_ok() && sent < 1000 {
        sent += 1;
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(sent < 1000, "dripping does not keep a connection open");
    let mut idle = TcpStream::connect(server.address()).unwrap();
    idle.write_all(b"POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\n(INFO)").unwrap();
    let all = listen(&mut idle);
    assert_eq!(all.matches("HTTP/1.1").count(), 1, "an idle connection ends without a word: {all}");
    assert!(began.elapsed() < Duration::from_secs(60));
}

/// A service that takes its time.
struct Slow;

impl Service for Slow {
    fn answer(&self, _: &Request, _: Instant) -> Response {
        std::thread::sleep(Duration::from_secs(2));
        Response::problem(404, "nothing")
    }
}

/// Whoever is being answered does not make room.
#[test]
fn there_are_only_so_many_connections() {
    let limits = Limits { connections: 2, kept: 0, ..Limits::default() };
    let server = Server::start("127.0.0.1:0", limits, Arc::new(Slow)).unwrap();
    let ask = || {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
        stream
    };
    let mut held = [ask(), ask()];
    std::thread::sleep(Duration::from_millis(500));
    let turned_away = listen(&mut TcpStream::connect(server.address()).unwrap());
    assert!(turned_away.starts_with("HTTP/1.0 503 "), "{turned_away:?}");
    assert!(held.iter_mut().all(|stream| listen(stream).starts_with("HTTP/1.0 404 ")));
    // Those who were answered make room, as soon as the server knows.
    let room = (0..50).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        listen(&mut ask()).starts_with("HTTP/1.0 404 ")
    });
    assert!(room);
}

/// Whoever never sends a request makes room for whoever does, from the same address too.
#[test]
fn slow_connections_make_room() {
    let limits = Limits { connections: 8, kept: 2, per_address: 4, ..Limits::default() };
    let server = Server::start("127.0.0.1:0", limits, Arc::new(host(Random, 1))).unwrap();
    let slow: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address()).unwrap();
            stream.write_all(b"POST / HT").unwrap();
            stream
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(post(server.address(), "(INFO)").0, 200);
    }
    drop(slow);
}

/// Pages that somebody looks at cannot speak for a manager, unless they are let.
#[test]
fn pages_are_let_in_only_if_asked_for() {
    let maker = || Box::new(LegalMoves::new(Random, Seed(1)));
    let shut = Host::new(maker(), host::Options::default());
    let shut = Server::start("127.0.0.1:0", Limits::default(), Arc::new(shut)).unwrap();
    let from_page = b"POST / HTTP/1.0\r\nOrigin: http://x\r\nContent-Length: 9\r\n\r\n(ABORT m)";
    assert_eq!(answer(&talk(shut.address(), from_page)).0, 403);
    for get in ["(ABORT%20m)", "(STOP%20m%20nil)", "(PLAY%20m%20nil)"] {
        let request = format!("GET /{get} HTTP/1.0\r\n\r\n");
        assert_eq!(answer(&talk(shut.address(), request.as_bytes())).0, 403, "{get}");
    }
    for request in [&b"OPTIONS / HTTP/1.0\r\nOrigin: x\r\n\r\n"[..], b"GET /(INFO) HTTP/1.0\r\n\r\n"] {
        let told = talk(shut.address(), request);
        assert!(told.starts_with("HTTP/1.0 200") && !told.contains("Access-Control"), "{told}");
    }
    let open = Host::new(maker(), host::Options { web: true, ..host::Options::default() });
    let open = Server::start("127.0.0.1:0", Limits::default(), Arc::new(open)).unwrap();
    let told = talk(open.address(), from_page);
    assert!(told.starts_with("HTTP/1.0 200") && told.contains("Access-Control-Allow-Origin: *"), "{told}");
    let options = talk(open.address(), b"OPTIONS / HTTP/1.0\r\nOrigin: x\r\n\r\n");
    assert!(options.contains("Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"), "{options}");
    assert_eq!(answer(&talk(open.address(), b"GET /(ABORT%20m) HTTP/1.0\r\n\r\n")).0, 200);
}

/// A maker whose players panic, or think until they are stopped.
struct Odd;

struct OddPlayer(bool);

impl PlayerMaker for Odd {
    fn name(&self) -> String {
        "odd (one)".to_string()
    }

    fn start(&self, start: &Start, _: &Budget) -> Result<Box<dyn Player>, Refusal> {
        assert!(start.role != "o", "no");
        Ok(Box::new(OddPlayer(start.id == "panic")))
    }
}

impl Player for OddPlayer {
    fn play(&mut self, _: &Learned, budget: &Budget) -> Option<String> {
        assert!(!self.0, "no");
        while !budget.is_stopped() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Some("stopped".to_string())
    }

    fn stop(&mut self, _: &Learned) {
        panic!("no");
    }
}

#[test]
fn a_player_that_fails_does_not_take_the_others_along() {
    let host = Arc::new(Host::new(Box::new(Odd), host::Options::default()));
    let handle = |text: &str| host.handle(text.as_bytes(), Instant::now()).map(|r| r.to_string());
    let start = |id: &str, role: &str| format!("(START {id} {role} ({}) 30 600)", text("tic-tac-toe"));
    assert!(handle(&start("m", "o")).unwrap_err().to_string().contains("failed"));
    assert_eq!(handle(&start("panic", "x")).unwrap(), "READY");
    assert_eq!(handle("(PLAY panic NIL)").unwrap(), "NIL");
    assert_eq!(handle("(STOP panic ())").unwrap(), "DONE");
    assert_eq!(handle("(INFO)").unwrap(), "((name odd--one-) (status available) (species computer))");

    // Whatever comes next ends the search that is going on.
    for next in ["(PLAY m ((mark 1 1) noop))", "(STOP m ())", "(ABORT m)"] {
        assert_eq!(handle(&start("m", "x")).unwrap(), "READY");
        let thinking = host.clone();
        let thread = std::thread::spawn(move || thinking.handle(b"(PLAY m NIL)", Instant::now()));
        std::thread::sleep(Duration::from_millis(50));
        let after = next.starts_with("(PLAY");
        let stopper = host.clone();
        let next = std::thread::spawn(move || stopper.handle(next.as_bytes(), Instant::now()));
        assert_eq!(thread.join().unwrap().unwrap().to_string(), "stopped");
        if after {
            handle("(ABORT m)").unwrap();
        }
        next.join().unwrap().unwrap();
    }
    assert_eq!(host.matches(), 0);
}

/// A name may have an address at which nobody answers before one at which somebody does.
#[test]
fn every_address_of_a_name_is_tried() {
    let server = serve(Random, 1);
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let remote = Remote::at_any("player", vec![closed, server.address()]);
    assert!(contact::info(&remote, Duration::from_secs(5)).unwrap().available);
    assert!(contact::info(&Remote::at("player", closed), Duration::from_secs(5)).is_err());
}

/// Clocks of centuries do not keep a place for ever: they are taken for an hour.
#[test]
fn clocks_end_at_an_hour() {
    /// Tells how long it may think.
    struct Told(Arc<Mutex<Vec<Duration>>>);

    impl PlayerMaker for Told {
        fn name(&self) -> String {
            "told".to_string()
        }

        fn start(&self, start: &Start, budget: &Budget) -> Result<Box<dyn Player>, Refusal> {
            self.0.lock().unwrap().extend([start.start_clock, start.play_clock, budget.time.unwrap()]);
            Err(Refusal("that is all".to_string()))
        }
    }

    let told = Arc::new(Mutex::new(Vec::new()));
    let host = Host::new(Box::new(Told(told.clone())), host::Options::default());
    let start = format!("(START m x ({}) 4294967295 4294967295)", text("tic-tac-toe"));
    assert!(host.handle(start.as_bytes(), Instant::now()).is_err());
    let hour = Duration::from_secs(3600);
    assert!(told.lock().unwrap().len() == 3 && told.lock().unwrap().iter().all(|time| *time <= hour));
}
