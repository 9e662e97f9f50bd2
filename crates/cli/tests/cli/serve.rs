//! `fogtree serve` from outside: it starts, it is killed in play, and nothing that it acknowledged is lost.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::{fogtree, scratch};

const FOGTREE: &str = env!("CARGO_BIN_EXE_fogtree");

/// A studio as a program of its own.
struct Served {
    child: Child,
    at: String,
    token: String,
}

impl Served {
    fn start(data: &str, port: &str) -> Served {
        Served::start_with(data, port, &[])
    }

    fn start_with(data: &str, port: &str, more: &[&str]) -> Served {
        let mut child = Command::new(FOGTREE)
            .args(["serve", "--json", "--port", port, "--data", data])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
        let token = std::fs::read_to_string(told["token"].as_str().unwrap()).unwrap().trim().to_string();
        Served { child, at: told["listening"].as_str().unwrap().to_string(), token }
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let (at, token, body) = (&self.at, &self.token, body.to_string());
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {at}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut stream = TcpStream::connect(at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).unwrap_or_else(|why| panic!("{why}: {answer}"))
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn a_studio_that_is_killed_in_play_loses_no_move() {
    let folder = scratch("studio-kills");
    let data = folder.to_str().unwrap();
    let mut served = Served::start(data, "0");
    // The token of a program is the one of its own start: whoever made the table holds its seats.
    let token = served.token.clone();
    let port = served.at.rsplit(':').next().unwrap().to_string();
    let wanted = json!({"game": "mnk(m=7,n=7,k=5)", "seats": [null, null], "sit": [0, 1]});
    let table = served.ask("POST", "/api/tables", &wanted)["table"].as_str().unwrap().to_string();
    let path = format!("/api/tables/{table}");
    let mut made: Vec<String> = Vec::new();
    for kill in 0..10 {
        for _ in 0..=kill % 3 {
            let view = served.ask("GET", &path, &Value::Null);
            let views = view["views"].as_array().unwrap().clone();
            let seen =
                views.iter().find(|seen| seen["view"]["to_move"] == true).expect("somebody is to move");
            let seen = &seen["view"];
            let name = seen["legal"][made.len() % 5]["move"].as_str().unwrap();
            let body = json!({"seat": seen["seat"], "move": name, "revision": seen["revision"]});
            let answer = served.ask("POST", &format!("{path}/move"), &body);
            assert!(answer["error"].is_null(), "{answer}");
            made.push(name.to_string());
        }
        served.kill();
        let text = std::fs::read_to_string(folder.join(format!("tables/{table}.jsonl"))).unwrap();
        if kill % 2 == 0 {
            // As if it had been killed while it wrote.
            std::fs::write(folder.join(format!("tables/{table}.jsonl")), text + "{\"keep\":0,\"upd").unwrap();
        }
        served = Served { token: token.clone(), ..Served::start(data, &port) };
        let view = served.ask("GET", &path, &Value::Null);
        assert_eq!(view["failed"], Value::Null);
    }
    let seats = [0, 1].map(|seat| {
        let over = served.ask("POST", &format!("{path}/resign"), &json!({"seat": seat}));
        over["whole"]["moves"].clone()
    });
    assert_eq!(seats[0], json!(made));
    served.kill();
}

#[test]
fn what_cannot_be_served_is_said_in_a_line() {
    let folder = scratch("studio-refusals");
    let data = folder.to_str().unwrap();
    let served = Served::start(data, "0");
    let port = served.at.rsplit(':').next().unwrap().to_string();
    let busy = fogtree(&["serve", "--port", "0", "--data", data]);
    assert_eq!(busy.code, 2);
    assert!(busy.err.contains("another studio"), "{}", busy.err);
    let other = scratch("studio-refusals-other");
    let taken = fogtree(&["serve", "--port", &port, "--data", other.to_str().unwrap()]);
    assert_eq!(taken.code, 2);
    assert!(taken.err.contains("--port"), "{}", taken.err);
    std::fs::create_dir_all(&other).unwrap();
    let file = other.join("file");
    std::fs::write(&file, "x").unwrap();
    let no_folder = fogtree(&["serve", "--port", "0", "--data", file.to_str().unwrap()]);
    assert_eq!(no_folder.code, 2);
    served.kill();
}

#[test]
fn a_program_that_the_owner_names_plays_at_tables() {
    let folder = scratch("studio-engine");
    let engine = format!("ours='{FOGTREE}' engine");
    let served = Served::start_with(folder.to_str().unwrap(), "0", &["--engine", &engine]);
    let wanted = json!({"game": "nim", "seats": ["ours(iterations=50)", null], "sit": [1]});
    let answer = served.ask("POST", "/api/tables", &wanted);
    let path = format!("/api/tables/{}", answer["table"].as_str().unwrap_or_else(|| panic!("{answer}")));
    let waits = |_: &i32| {
        std::thread::sleep(Duration::from_millis(50));
        let view = served.ask("GET", &path, &Value::Null);
        view["views"].as_array().unwrap().iter().any(|seen| seen["view"]["to_move"] == true)
    };
    assert!((0..400).any(|i| waits(&i)), "the program makes its move");
    let refused =
        served.ask("POST", "/api/tables", &json!({"game": "nim", "seats": ["exec(command=true)", null]}));
    assert!(refused["error"].to_string().contains("runs other programs"), "{refused}");
    served.kill();
    for bad in ["no-command", "=x", "random=x", "two words=x", "a(b=1)=x", "quote='x"] {
        let refused = fogtree(&["serve", "--port", "0", "--data", folder.to_str().unwrap(), "--engine", bad]);
        assert_eq!(refused.code, 2, "{bad}: {}", refused.err);
    }
}
