//! A studio of its own for a test, and visitors that speak plain HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fogtree_serve::studio::{Running, Settings, Studio};
use fogtree_table::Registry;
use serde_json::{Value, json};

/// A studio in a folder that goes away with it.
pub(crate) struct House {
    pub(crate) running: Option<Running>,
    pub(crate) folder: PathBuf,
    settings: Settings,
}

impl House {
    /// A studio with the usual settings.
    pub(crate) fn new(name: &str) -> House {
        House::with(name, |_| {})
    }

    /// A studio with other settings.
    pub(crate) fn with(name: &str, change: impl FnOnce(&mut Settings)) -> House {
        let folder = std::env::temp_dir().join(format!("fogtree-studio-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let mut settings = Settings::new(&folder);
        change(&mut settings);
        let running = Some(Studio::start(settings.clone()).unwrap());
        House { running, folder, settings }
    }

    /// A studio with other games and agents.
    pub(crate) fn of(name: &str, registry: Registry) -> House {
        let mut house = House::new(name);
        house.running.take().unwrap().stop();
        house.running = Some(Studio::start_with(house.settings.clone(), registry).unwrap());
        house
    }

    /// Ends the studio and starts it again at the same port.
    pub(crate) fn restart(&mut self) {
        let running = self.running.take().unwrap();
        self.settings.port = running.address().port();
        running.stop();
        self.running = Some(Studio::start(self.settings.clone()).unwrap());
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.running.as_ref().unwrap().address()
    }

    /// Somebody who came by the start link.
    pub(crate) fn owner(&self) -> Guest {
        let mut guest = Guest::new(self.address());
        let link = self.running.as_ref().unwrap().start_link();
        let path = link[link.find("/?key=").unwrap()..].to_string();
        let answer = guest.ask("GET", &path, None);
        assert_eq!(answer.status, 303, "{answer:?}");
        guest.take_cookie(&answer);
        guest
    }

    /// Somebody who came by the link of a seat.
    pub(crate) fn at_seat(&self, link: &str) -> Guest {
        let mut guest = Guest::new(self.address());
        let answer = guest.ask("GET", link, None);
        assert_eq!(answer.status, 303, "{answer:?}");
        guest.take_cookie(&answer);
        guest
    }
}

impl Drop for House {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What came back.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// The sentence of a refusal.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_string()
    }
}

/// Somebody with a browser.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) address: SocketAddr,
    pub(crate) cookie: Option<String>,
}

impl Guest {
    /// Somebody whom nobody knows.
    pub(crate) fn new(address: SocketAddr) -> Guest {
        Guest { address, cookie: None }
    }

    fn take_cookie(&mut self, answer: &Answer) {
        let set = answer.header("set-cookie").expect("a cookie");
        self.cookie = Some(set.split(';').next().unwrap().to_string());
    }

    fn head(&self, method: &str, path: &str) -> String {
        let host = self.address;
        let cookie = self.cookie.as_ref().map_or(String::new(), |c| format!("Cookie: {c}\r\n"));
        format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{cookie}")
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answer {
        let body = body.map_or(String::new(), Value::to_string);
        let head = self.head(method, path);
        let length = body.len();
        let text = format!(
            "{head}Connection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        raw(self.address, text.as_bytes())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, Some(body))
    }

    /// The JSON of an answer that must be there.
    pub(crate) fn got(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// The JSON of what a change came to.
    pub(crate) fn posted(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 200, "{path} {body}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    }

    /// Makes a table; answers its number and the links of free seats.
    pub(crate) fn table(&self, wanted: &Value) -> (String, Value) {
        let made = self.posted("/api/tables", wanted);
        (made["table"].as_str().unwrap().to_string(), made["links"].clone())
    }

    /// Listens to server-sent events.
    pub(crate) fn listen(&self, path: &str) -> Events {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(format!("{}\r\n", self.head("GET", path)).as_bytes()).unwrap();
        Events { lines: BufReader::new(stream) }
    }

    /// Waits until a table is as wanted.
    pub(crate) fn wait_for(&self, table: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let view = self.got(&format!("/api/tables/{table}"));
            if wanted(&view) {
                return view;
            }
            assert!(Instant::now() < until, "not within 30 s: {view}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Makes the first legal moves of a seat until the game is over.
    pub(crate) fn play_to_the_end(&self, table: &str) -> Value {
        loop {
            let ready =
                |v: &Value| v["over"] == true || own(v).is_some_and(|seen| seen["view"]["to_move"] == true);
            let view = self.wait_for(table, ready);
            if view["over"] == true {
                return view;
            }
            let seen =
                view["views"].as_array().unwrap().iter().find(|s| s["view"]["to_move"] == true).unwrap();
            let (seat, revision) = (&seen["view"]["seat"], &seen["view"]["revision"]);
            let name = &seen["view"]["legal"][0]["move"];
            let body = json!({"seat": seat, "move": name, "revision": revision});
            self.posted(&format!("/api/tables/{table}/move"), &body);
        }
    }
}

fn own(view: &Value) -> Option<&Value> {
    view["views"].as_array()?.iter().find(|seen| seen["view"]["to_move"] == true)
}

/// Sends bytes and reads what comes back.
pub(crate) fn raw(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // The other side may answer and close before it has read everything.
    let _ = stream.write_all(bytes);
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let end = all.windows(4).position(|w| w == b"\r\n\r\n").map_or(all.len(), |at| at + 4);
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|l| l.split(' ').nth(1)).and_then(|s| s.parse().ok()).unwrap_or(0);
    let headers = lines.filter_map(|l| l.split_once(": ")).map(|(n, v)| (n.to_string(), v.to_string()));
    Answer { status, headers: headers.collect(), body: all[end..].to_vec() }
}

/// Events as they come.
pub(crate) struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event with its name; `None` when the stream ends.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        let (mut name, mut data) = (String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let line = line.trim_end();
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.to_string();
            } else if let Some(more) = line.strip_prefix("data: ") {
                data += more;
            } else if line.is_empty() && !data.is_empty() {
                return Some((name, serde_json::from_str(&data).unwrap()));
            }
        }
    }

    /// The next event of a name for which something holds.
    pub(crate) fn wait_for(&mut self, name: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let (event, data) = self.next().expect("the stream goes on");
            if event == name && wanted(&data) {
                return data;
            }
        }
    }
}
