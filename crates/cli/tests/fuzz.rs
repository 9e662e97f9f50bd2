//! Whatever can be read from elsewhere, mangled: an answer or a refusal, never a panic.
//!
//! Each test takes half a second; with `FOGTREE_FUZZ=600` it takes ten minutes. Inputs follow from `FOGTREE_FUZZ_SEED`,
//! and one that fails is kept in the temporary folder.

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use fogtree_core::{Deadline, Purpose, Record, Rng, Seed};
use fogtree_gdl::game::{OWN, Options, load_fastest};
use fogtree_gdl::{Level, Limits, Report};
use fogtree_lab::experiment::ExperimentFile;
use fogtree_serve::host::{self, Host};
use fogtree_serve::http::{self, Source};
use fogtree_serve::legal::{Choice, LegalMoves};
use fogtree_solve::StrategyFile;
use fogtree_table::{Registry, Seat, Session};

/// Words that readers treat in a way of their own.
const WORDS: [&str; 28] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\\",
    ",",
    ";",
    ":",
    "=",
    "?x",
    "-1",
    "0",
    "1e308",
    "NaN",
    "null",
    "18446744073709551616",
    "99999999999999999999999",
    "\0",
    "\r\n",
    "\n\n",
    "\u{1b}[2J",
    "\u{e9}",
    "(not",
    "<=",
    "true",
];

/// How long each test takes.
fn duration() -> Duration {
    let seconds = std::env::var("FOGTREE_FUZZ").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(seconds.unwrap_or(0.5))
}

fn seed() -> Seed {
    Seed(std::env::var("FOGTREE_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1))
}

/// A few changes to one of the texts.
fn mutant(corpus: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut text = rng.pick(corpus).clone();
    for _ in 0..=rng.below(4) {
        let at = rng.below(text.len() as u32 + 1) as usize;
        let end = (at + rng.below(20) as usize).min(text.len());
        match rng.below(6) {
            0 => drop(text.drain(at..end)),
            1 => {
                let word = *rng.pick(&WORDS);
                text.splice(at..at, word.bytes());
            }
            2 if at < text.len() => text[at] ^= 1 << rng.below(8),
            3 => {
                let again = text[at..end].to_vec();
                text.splice(at..at, again);
            }
            4 => {
                let other = rng.pick(corpus);
                let from = rng.below(other.len() as u32 + 1) as usize;
                let some = other[from..(from + 40).min(other.len())].to_vec();
                text.splice(at..end, some);
            }
            _ => text.truncate(at.max(1)),
        }
    }
    text
}

/// Shows mutants to a reader until the time is up.
fn fuzz(name: &str, corpus: &[Vec<u8>], mut read: impl FnMut(&[u8])) {
    let mut rng = seed().named(name).stream(Purpose::Ties);
    let until = Instant::now() + duration();
    while Instant::now() < until {
        let text = mutant(corpus, &mut rng);
        if catch_unwind(AssertUnwindSafe(|| read(&text))).is_err() {
            let kept = scratch(&format!("{name}-fails"));
            std::fs::write(&kept, &text).unwrap();
            panic!("{name}: {:?}, kept as {}", String::from_utf8_lossy(&text), kept.display());
        }
    }
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("fogtree-fuzz-{}-{name}", std::process::id()))
}

fn bytes<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Vec<Vec<u8>> {
    texts.into_iter().map(|text| text.as_ref().to_vec()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn fogtree(arguments: &[&str], input: &[u8]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fogtree"));
    program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    output
}

fn survived(output: &Output) {
    let err = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0..=2)), "{:?}: {err}", output.status);
    assert!(!err.contains("panicked"), "{err}");
}

/// Specifications of games and agents, and moves.
#[test]
fn specifications_and_moves() {
    let registry = Registry::standard();
    let params = registry.games().chain(registry.agents()).filter(|about| about.name != "exec");
    let corpus = bytes(params.map(|about| format!("{}({})", about.name, about.tiny)));
    let kuhn = registry.game("kuhn-poker").unwrap();
    fuzz("specifications", &corpus, |input| {
        let spec = text(input);
        let spec = spec.replace("file", "fill");
        // Sheets have a fuzzer of their own, and large ones take their time to read.
        if !spec.contains("gdl")
            && let Ok(game) = registry.game(&spec)
        {
            let _ = game.table().play_words(&[&*spec]);
        }
        if !spec.contains("exec") {
            let _ = registry.agent(&spec, &*kuhn);
        }
    });
    let corpus = bytes(["K Q bet call", "J K check bet fold", "Q J check check"]);
    fuzz("moves", &corpus, |input| {
        let text = text(input);
        let _ = kuhn.table().play_words(&text.split(' ').collect::<Vec<_>>());
    });
}

/// Games in files: trees, boards, maps.
#[test]
fn trees_boards_and_maps() {
    let registry = Registry::standard();
    let tree = fogtree_games::tree::Tree::of(&**registry.game("tree").unwrap().model(), 10_000).unwrap();
    let board = include_str!("../../games/data/boards/tiny.txt");
    let grid = "grid\n..#..\n.....\n..#..\n";
    let graph = "graph\nplace 0 0\nplace 5 0\nplace 5 5\nlink 1 2\nlink 2 3\nwall 2 1 2 -1\n";
    for (name, few, corpus) in [
        ("tree", "", bytes([tree.to_json(), tree.to_efg()])),
        ("scotland-yard", "seekers=1,", bytes([board])),
        ("visibility-pursuit", "", bytes([grid, graph])),
    ] {
        let path = scratch(name);
        let read = |input: &[u8]| {
            std::fs::write(&path, input).unwrap();
            registry.game(&format!("{name}({few}file={})", path.display()))
        };
        for whole in &corpus {
            assert_eq!(read(whole).err().map(|error| error.to_string()), None, "{name}");
        }
        fuzz(name, &corpus, |input| drop(read(input)));
        std::fs::remove_file(path).unwrap();
    }
}

#[test]
fn rule_sheets() {
    let mut options = Options { knowable: None, matches: 2, histories: 200, ..Options::default() };
    options.budget = fogtree_gdl::explore::Budget { states: 200, transitions: 800 };
    options.compiling.time = Duration::from_millis(200);
    let corpus = bytes(OWN.iter().filter(|(_, text)| text.len() < 6_000).map(|(_, text)| text));
    fuzz("sheets", &corpus, |input| {
        let _ = Report::of(input, Level::Lenient);
        let until = Some(Instant::now() + Duration::from_secs(1));
        options.limits = Limits { steps: 1_000_000, atoms: 100_000, until };
        let _ = load_fastest(&text(input), &options);
    });
}

#[test]
fn records_strategies_and_experiments() {
    let path = scratch("seeds");
    let file = path.to_str().unwrap();
    survived(&fogtree(&["match", "kuhn-poker", "random", "random", "--games", "1", "--record", file], b""));
    let record = std::fs::read_to_string(&path).unwrap();
    let kuhn = Registry::standard().game("kuhn-poker").unwrap();
    fuzz("records", &bytes([record]), |input| {
        if let Ok(record) = Record::from_lines(&text(input)) {
            let _ = kuhn.replay(&record, usize::MAX);
        }
    });
    survived(&fogtree(&["solve", "kuhn-poker", "--iterations", "5", "--strategy", file], b""));
    let strategy = std::fs::read_to_string(&path).unwrap();
    fuzz("strategies", &bytes([strategy]), |input| {
        if let Ok(strategy) = StrategyFile::read(&text(input)) {
            let _ = kuhn.exploit(&strategy, 10_000, &Deadline::NEVER);
        }
    });
    let registry = Registry::standard();
    let seats = [Seat::Person, Seat::Agent("random".to_string())];
    let mut session = Session::start(&registry, "kuhn-poker", &seats, Some(Seed(1))).unwrap();
    session.step_agents().unwrap();
    fuzz("sessions", &bytes([serde_json::to_string(&session.save()).unwrap()]), |input| {
        if let Ok(saved) = serde_json::from_slice(input) {
            let _ = Session::resume(&registry, &saved);
        }
    });
    let toml = "title = 'a'\nseed = 1\n[agents]\na = 'uct(iterations={n})'\nb = 'random'\n[sweep]\nn = [10, 20]\n\
        [[cells]]\ngame = 'nim'\nseats = ['a', 'b']\ngames = 10\n";
    fuzz("experiments", &bytes([toml]), |input| {
        let _ = ExperimentFile::read(&text(input));
    });
    std::fs::remove_file(path).unwrap();
}

/// Bytes that claim to be HTTP, and messages to players.
#[test]
fn http_and_messages() {
    let requests = [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n(INFO)",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(IN\r\n3;x=y\r\nFO)\r\n0\r\nA: b\r\n\r\n",
        "GET /%28INFO%29 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    ];
    let limits = http::Limits { body: 1 << 16, ..http::Limits::default() };
    fuzz("http", &bytes(requests), |input| {
        let mut source = Source::new(input);
        while let Ok(Some(_)) = source.request(&limits, |_| Ok(())) {}
        let _ = Source::new(input).response(&limits);
    });
    let sheet = OWN.iter().find(|(name, _)| *name == "kuhn-poker").unwrap().1;
    let messages = [
        "(INFO)".to_string(),
        format!("(START m first ({sheet}) 5 5)"),
        "(PLAY m NIL)".to_string(),
        "(PLAY m 1 (bet) ((hand king)))".to_string(),
        "(STOP m (bet call))".to_string(),
        "(ABORT m)".to_string(),
        format!("(PREVIEW ({sheet}) 5)"),
    ];
    let host = Host::new(Box::new(LegalMoves::new(Choice::Random, Seed(1))), host::Options::default());
    fuzz("messages", &bytes(messages), |input| {
        let _ = host.handle(input, Instant::now());
    });
}

/// Lines to an engine: each is answered or refused, and it ends when it is told to.
#[test]
fn engine_lines() {
    let lines = [
        r#"{"type":"hello","protocol":1}"#,
        r#"{"type":"newgame","game":"kuhn-poker","seat":0,"seed":42}"#,
        r#"{"type":"observe","events":[{"seen":"0"},{"seen":"3"}]}"#,
        r#"{"type":"go","infoset":{"seat":0,"legal":["check","bet"],"known":{"betting":"Open","by":{"seat":0},"card":0,"dealt":2},"events":[{"seen":"0"},{"seen":"3"}],"key":"256699dcb9ca61afc1c247aea775e3a2"},"iterations":10}"#,
        r#"{"type":"end","rewards":[-2.0,2.0]}"#,
    ];
    let corpus = bytes(lines);
    let mut rng = seed().named("engine").stream(Purpose::Ties);
    let until = Instant::now() + duration();
    while Instant::now() < until {
        let mut input = Vec::new();
        for _ in 0..200 {
            let line = mutant(&corpus, &mut rng);
            input.extend(line.into_iter().filter(|&byte| byte != b'\n'));
            input.extend_from_slice(b"\n{\"type\":\"stop\"}\n");
        }
        input.extend_from_slice(b"{\"type\":\"quit\"}\n");
        let output = fogtree(&["engine", "--agent", "flat-mc"], &input);
        assert!(matches!(output.status.code(), Some(0..=2)), "{:?}", output.status);
    }
}

/// Files of solvers and experiments that a killed run, or a broken disk, has left.
#[test]
fn checkpoints_and_shards() {
    let folder = scratch("work");
    std::fs::create_dir_all(&folder).unwrap();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let (checkpoint, plan, toml) = (at("checkpoint"), at("plan"), at("experiment.toml"));
    let solve = ["solve", "kuhn-poker", "--iterations", "20", "--checkpoint", &checkpoint];
    survived(&fogtree(&solve, b""));
    let good = bytes([std::fs::read(&checkpoint).unwrap()]);
    fuzz("checkpoints", &good, |input| {
        std::fs::write(&checkpoint, input).unwrap();
        survived(&fogtree(&solve, b""));
    });
    let file = "title = 'a'\nseed = 1\n[agents]\na = 'random'\nb = 'random'\n\
        [[cells]]\ngame = 'nim'\nseats = ['a', 'b']\ngames = 4\n";
    std::fs::write(&toml, file).unwrap();
    survived(&fogtree(&["experiment", "plan", &toml, "--out", &plan, "--shards", "1"], b""));
    survived(&fogtree(&["experiment", "work", &plan, "--shard", "0"], b""));
    let shard = format!("{plan}/shards/0-of-1.jsonl");
    if let Ok(good) = std::fs::read(&shard) {
        fuzz("shards", &bytes([good]), |input| {
            std::fs::write(&shard, input).unwrap();
            survived(&fogtree(&["experiment", "merge", &plan], b""));
        });
    } else {
        panic!("there is no {shard}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
