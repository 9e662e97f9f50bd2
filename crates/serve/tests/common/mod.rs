//! Players, good and bad, on the loopback interface.
#![allow(dead_code, reason = "not every test needs everything")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fogtree_core::Seed;
use fogtree_gdl::Sheet;
use fogtree_serve::contact::{Contact, Local, Remote};
use fogtree_serve::host::{self, Host};
use fogtree_serve::http::server::Server;
use fogtree_serve::http::{Limits, Source};
use fogtree_serve::legal::{Choice, LegalMoves};
use fogtree_serve::manager::{Options, Participant};
use fogtree_serve::message::{Dialect, Message};

/// The text of one of our own sheets.
pub(crate) fn text(name: &str) -> String {
    let path = format!("{}/../../games/gdl/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

pub(crate) fn sheet(name: &str) -> Sheet {
    Sheet::read(&text(name)).unwrap()
}

pub(crate) fn host(choice: Choice, seed: u64) -> Host {
    Host::new(Box::new(LegalMoves::new(choice, Seed(seed))), host::Options::default())
}

/// A player of random moves behind HTTP.
pub(crate) fn serve(choice: Choice, seed: u64) -> Server {
    Server::start("127.0.0.1:0", Limits::default(), Arc::new(host(choice, seed))).unwrap()
}

pub(crate) fn remote(address: SocketAddr, dialect: Dialect) -> Participant {
    Participant { contact: Box::new(Remote::at(&address.to_string(), address)), dialect }
}

pub(crate) fn local(choice: Choice, seed: u64, dialect: Dialect) -> Participant {
    let contact: Box<dyn Contact> = Box::new(Local(Arc::new(host(choice, seed))));
    Participant { contact, dialect }
}

/// Clocks that nobody exceeds who does not mean to, however busy the machine is.
pub(crate) fn options(id: &str) -> Options {
    Options { id: id.to_string(), start_clock: 30, play_clock: 30, ..Options::default() }
}

/// What a bad player does when it is asked.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    /// What a good one would.
    Answer,
    /// That, but only after a while.
    Late(Duration),
    /// Closes the connection at once.
    HangUp,
    /// Closes it in the middle of its answer.
    HangUpInTheMiddle,
    /// Sends these bytes and closes the connection.
    Bytes(Vec<u8>),
    /// Answers with a text, properly.
    Say(String),
    /// Sends so many bytes, or as many as the other side takes.
    Flood {
        /// How many.
        bytes: usize,
        /// Whether it says so beforehand.
        said: bool,
    },
}

/// A player that does what it is told to, and remembers what it was asked.
pub(crate) struct Rogue {
    pub(crate) address: SocketAddr,
    heard: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Rogue {
    /// Does what `deed` says for each message; moves are first-legal ones. Messages are numbered from 0.
    pub(crate) fn new(deed: impl Fn(usize, &Message) -> Deed + Send + 'static) -> Rogue {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let memory = heard.clone();
        let host = host(Choice::First, 1);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let limits = Limits::default();
                let request = Source::new(stream.try_clone().unwrap()).request(&limits, |_| Ok(()));
                let Ok(Some(request)) = request else { continue };
                let message = Message::parse(&request.body, 1 << 20).unwrap();
                let number = {
                    let mut memory = memory.lock().unwrap();
                    memory.push(request.body);
                    memory.len() - 1
                };
                let good = host.answer(&message, Instant::now()).map(|reply| reply.to_string());
                let good = proper(&good.unwrap_or_default());
                // Whatever the manager does meanwhile, the next one may come.
                let _ = match deed(number, &message) {
                    Deed::Answer => stream.write_all(&good),
                    Deed::Late(time) => {
                        std::thread::sleep(time);
                        stream.write_all(&good)
                    }
                    Deed::HangUp => Ok(()),
                    Deed::HangUpInTheMiddle => stream.write_all(&good[..good.len() - 1]),
                    Deed::Bytes(bytes) => stream.write_all(&bytes),
                    Deed::Say(text) => stream.write_all(&proper(&text)),
                    Deed::Flood { bytes, said } => flood(&mut stream, bytes, said),
                };
            }
        });
        Rogue { address, heard }
    }

    pub(crate) fn heard(&self) -> Vec<Message> {
        let read = |body: &Vec<u8>| Message::parse(body, 1 << 20).unwrap();
        self.heard.lock().unwrap().iter().map(read).collect()
    }

    /// What was heard, as it was written.
    pub(crate) fn wording(&self) -> Vec<String> {
        let read = |body: &Vec<u8>| String::from_utf8(body.clone()).unwrap();
        self.heard.lock().unwrap().iter().map(read).collect()
    }
}

fn proper(text: &str) -> Vec<u8> {
    format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\r\n{text}", text.len())
        .into_bytes()
}

fn flood(stream: &mut TcpStream, bytes: usize, said: bool) -> std::io::Result<()> {
    let length = if said { format!("Content-Length: {bytes}\r\n") } else { String::new() };
    stream.write_all(format!("HTTP/1.1 200 OK\r\n{length}\r\n").as_bytes())?;
    let block = [b'('; 1 << 16];
    for _ in 0..bytes / block.len() {
        stream.write_all(&block)?;
    }
    Ok(())
}

/// Sends bytes and gives all that comes back until the connection is closed.
pub(crate) fn talk(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    // The other side may refuse to read on, and say so.
    let _ = stream.write_all(bytes);
    listen(&mut stream)
}

/// All that comes until the connection is closed.
pub(crate) fn listen(stream: &mut TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let (mut out, mut block) = (Vec::new(), [0; 4096]);
    while let Ok(n @ 1..) = stream.read(&mut block) {
        out.extend_from_slice(&block[..n]);
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Posts a message as a manager does: status and body.
pub(crate) fn post(address: SocketAddr, message: &str) -> (u16, String) {
    let head = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: x\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n",
        message.len()
    );
    answer(&talk(address, format!("{head}{message}").as_bytes()))
}

/// The status and body of a response.
pub(crate) fn answer(response: &str) -> (u16, String) {
    let status = response.split(' ').nth(1).and_then(|s| s.parse().ok());
    let body = response.split_once("\r\n\r\n").map(|r| r.1.to_string());
    (status.unwrap_or_else(|| panic!("{response:?}")), body.unwrap_or_default())
}
