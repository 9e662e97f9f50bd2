//! A player keeps its clocks while others try to keep it from that.

mod common;

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::sheet;
use fogtree_core::Seed;
use fogtree_serve::agent::Agents;
use fogtree_serve::contact::{Contact, Remote};
use fogtree_serve::host::{self, Host};
use fogtree_serve::http::Limits;
use fogtree_serve::http::server::Server;
use fogtree_serve::manager::{Match, Options, Participant};
use fogtree_serve::message::{Dialect, Message};
use fogtree_table::Registry;

/// Forty steps that each double a term: its name would have 2^40 letters.
fn term_bomb() -> String {
    let mut text = String::from("(role r) (a0 x) (<= terminal (true never)) (goal r 0) ");
    for n in 1..=40 {
        text.push_str(&format!("(<= (a{n} (f ?x ?x)) (a{} ?x)) ", n - 1));
    }
    text + "(<= (legal r (m ?x)) (a40 ?x)) (init (at 1)) (<= (next (at 1)) (true (at 1)))"
}

/// A move with forty binary arguments.
fn move_bomb() -> String {
    let variables: Vec<String> = (0..40).map(|n| format!("?x{n}")).collect();
    let bits: Vec<String> = variables.iter().map(|x| format!("(bit {x})")).collect();
    let all = variables.join(" ");
    format!(
        "(role r) (bit 0) (bit 1) (init (at 1)) (<= (legal r (m {all})) {}) (<= (next (at 2)) (does r (m {all}))) \
         (<= terminal (true (at 2))) (goal r 0)",
        bits.join(" ")
    )
}

fn player(agent: &str, matches: usize) -> Server {
    let options = host::Options { matches, ..host::Options::default() };
    let host = Host::new(Box::new(Agents::new(Registry::standard(), agent, Seed(1))), options);
    let usual = Limits::default();
    let limits = Limits { connections: usual.connections.max(2 * matches + usual.kept), ..usual };
    Server::start("127.0.0.1:0", limits, Arc::new(host)).unwrap()
}

fn start(id: &str, rules: &str, clock: u32) -> Message {
    let (id, role, rules) = (id.to_string(), "r".to_string(), format!("({rules})"));
    Message::Start { id, role, rules, start_clock: clock, play_clock: clock }
}

/// The answer to START comes within the start clock, whatever the sheet; a term that is too long to write is refused.
#[test]
fn a_hostile_sheet_takes_no_longer_than_its_clock() {
    for agent in ["mo-ismcts", "ggp"] {
        let server = player(agent, 4);
        let remote = Remote::at("player", server.address());
        for (rules, clock) in [(term_bomb(), 2), (move_bomb(), 3)] {
            let began = Instant::now();
            let answer = remote.ask(&start("m", &rules, clock), began + Duration::from_secs(60));
            let took = began.elapsed();
            assert!(took <= Duration::from_secs(clock.into()), "{agent}: {answer:?} after {took:?}");
        }
    }
}

/// Keeps a connection open by sending a little now and then, and opens another when it is closed.
fn be_slow(to: SocketAddr, done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        let Ok(mut stream) = TcpStream::connect(to) else { return };
        while !done.load(Ordering::Relaxed) && stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Plays so many matches at once on one player while others are slow or send a hostile sheet again and again; what the
/// answers were called that were not moves.
fn besieged(matches: usize, slow: usize, play_clock: u32, most_steps: usize) -> Vec<String> {
    let server = player("mo-ismcts", matches + 2);
    let (at, done) = (server.address(), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..slow {
            scope.spawn(|| be_slow(at, &done));
        }
        scope.spawn(|| {
            let remote = Remote::at("player", at);
            for n in 0.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let bomb = if n % 2 == 0 { term_bomb() } else { move_bomb() };
                let deadline = Instant::now() + Duration::from_secs(5);
                let _ = remote.ask(&start("bomb", &bomb, 2), deadline);
                let _ = remote.ask(&Message::Abort { id: "bomb".to_string() }, deadline);
            }
        });
        let played: Vec<_> = (0..matches)
            .map(|n| {
                scope.spawn(move || {
                    let name = ["tic-tac-toe", "latent-tic-tac-toe", "krieg-tic-tac-toe-4x4"][n % 3];
                    let sheet = sheet(name);
                    let dialect = if sheet.is_open() { Dialect::Gdl } else { Dialect::B };
                    let besieged = Participant {
                        contact: Box::new(Remote::at("player", at)) as Box<dyn Contact>,
                        dialect,
                    };
                    let other = common::local(fogtree_serve::legal::Choice::Random, n as u64, dialect);
                    let id = format!("siege{n}");
                    let options = Options {
                        id,
                        start_clock: 20,
                        play_clock,
                        grace: Duration::from_millis(200),
                        most_steps,
                        seed: Seed(n as u64),
                        ..Options::default()
                    };
                    let record = Match::new(&sheet, vec![besieged, other], options).unwrap().play(|_| {});
                    let answers = record.steps.iter().filter_map(|step| step.answers[0].as_ref());
                    let wrong = answers.filter(|answer| !answer.error.is_empty());
                    wrong.map(|answer| format!("{name}: {}", answer.error)).collect::<Vec<_>>()
                })
            })
            .collect();
        let wrong = played.into_iter().flat_map(|one| one.join().unwrap()).collect();
        done.store(true, Ordering::Relaxed);
        wrong
    })
}

#[test]
fn no_move_is_late_under_siege() {
    assert_eq!(besieged(6, 80, 2, 4), Vec::<String>::new());
}

/// The long form: `cargo test -p fogtree-serve --test under_attack -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn no_move_of_sixteen_matches_is_late_under_siege() {
    assert_eq!(besieged(16, 200, 4, 30), Vec::<String>::new());
}
