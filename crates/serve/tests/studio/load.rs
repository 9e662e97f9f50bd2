//! Many tables and slow visitors beside people who play.
//!
//! Small by default. The whole of it: `FOGTREE_LOAD=1 cargo test --release -p fogtree-serve --test studio load --
//! --nocapture`: 64 tables of agents, 200 slow connections, two long searches, and the time of every move of a person.

use std::io::Write;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::browser::{Guest, House};

/// How much is done at once, and how long a move of a person may take at the 99th percentile.
struct Load {
    tables: usize,
    slow: usize,
    moves: usize,
    slowest: Duration,
}

fn load() -> Load {
    match std::env::var_os("FOGTREE_LOAD") {
        Some(_) => Load { tables: 64, slow: 200, moves: 1000, slowest: Duration::from_millis(100) },
        None => Load { tables: 8, slow: 40, moves: 60, slowest: Duration::from_secs(5) },
    }
}

/// Connections that send a byte from time to time, and open new ones when they are closed.
fn be_slow(at: std::net::SocketAddr, count: usize, stop: &Arc<AtomicBool>) -> thread::JoinHandle<()> {
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let open = || TcpStream::connect(at).ok();
        let mut streams: Vec<Option<TcpStream>> = (0..count).map(|_| open()).collect();
        while !stop.load(Ordering::Relaxed) {
            for stream in &mut streams {
                let alive = stream.as_mut().is_some_and(|s| s.write_all(b"X").is_ok());
                if !alive {
                    *stream = open();
                }
            }
            thread::sleep(Duration::from_millis(300));
        }
    })
}

/// The memory of this process in MiB, where the system tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib >> 10)
}

/// Plays a person's moves and says how long each answer took.
fn moves(me: &Guest, count: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    while times.len() < count {
        let (table, _) = me.table(&json!({"game": "mnk(m=7,n=7,k=5)", "seats": [null, null], "sit": [0, 1]}));
        let mut view = me.got(&format!("/api/tables/{table}"));
        while view["over"] == false && times.len() < count {
            let to_move = |seen: &&Value| seen["view"]["to_move"] == true;
            let seen = view["views"].as_array().unwrap().iter().find(to_move).expect("somebody is to move");
            let seen = &seen["view"];
            let body =
                json!({"seat": seen["seat"], "move": seen["legal"][0]["move"], "revision": seen["revision"]});
            let began = Instant::now();
            view = me.posted(&format!("/api/tables/{table}/move"), &body);
            times.push(began.elapsed());
            thread::sleep(Duration::from_millis(5));
        }
    }
    times
}

#[test]
fn people_are_answered_beside_many_tables_and_slow_visitors() {
    let Load { tables, slow, moves: count, slowest } = load();
    let house = House::new("load");
    let me = house.owner();
    let before = memory();
    let agents = |game: &str, agent: &str| json!({"game": game, "seats": [agent, agent], "delay": 200});
    for number in 0..tables {
        let game = ["phantom-mnk", "leduc-poker", "connect-four", "goofspiel"][number % 4];
        me.table(&agents(game, "flat-mc(iterations=200)"));
    }
    for _ in 0..2 {
        me.table(&agents("stratego", "mo-ismcts(time=30s)"));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let slow = be_slow(house.address(), slow, &stop);
    let mut times = moves(&me, count);
    stop.store(true, Ordering::Relaxed);
    slow.join().unwrap();
    times.sort();
    let (median, late) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    let (before, after) = (before.unwrap_or(0), memory().unwrap_or(0));
    println!(
        "{count} moves: median {median:?}, 99th percentile {late:?}; {before} MiB before, {after} MiB after"
    );
    assert!(late <= slowest, "median {median:?}, 99th percentile {late:?}");
    assert!(after < before + 1500, "{before} MiB before, {after} MiB after");
}
