//! As much of HTTP/1.0 and 1.1 as general game playing needs.
//!
//! Players and managers exchange one short text at a time, but under conditions that general servers do not offer:
//! every reply has a deadline to the millisecond, many programs speak HTTP/1.0 without `Host` and read until the end
//! of the stream, and whoever is at the other end may be slow, may send without end, or may not speak HTTP at all. So
//! this is a small strict reader of our own over blocking sockets, in which every read and write has a deadline and
//! everything that grows has a limit.
//!
//! [`Source`] reads requests and responses from anything that can be read; [`server`] answers requests, [`client`]
//! makes them.

pub mod client;
mod guests;
pub mod server;

use std::io::{self, Read, Write};
use std::net::{IpAddr, TcpStream};
use std::time::{Duration, Instant};

/// How much of everything there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of a request line with all headers.
    pub head: usize,
    /// Bytes of a body.
    pub body: usize,
    /// Connections at a time; for further ones, those that are waited for make room, or they are turned away.
    pub connections: usize,
    /// Of these, how many from one address, unless it takes part in something.
    pub per_address: usize,
    /// Of these, how many are kept for addresses that take part in something.
    pub kept: usize,
    /// Requests on one connection.
    pub requests: usize,
    /// How long a head may take from its first byte to its last.
    pub head_patience: Duration,
    /// How long a body may take from its first byte to its last, and a response likewise.
    pub patience: Duration,
    /// How long a connection may wait for its next request.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            head: 16 << 10,
            body: 5 << 20,
            connections: 64,
            per_address: 32,
            kept: 16,
            requests: 10_000,
            head_patience: Duration::from_secs(2),
            patience: Duration::from_secs(15),
            idle: Duration::from_secs(15),
        }
    }
}

/// Why something is not HTTP that can be used.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It did not come in time.
    #[error("it took too long")]
    Late,
    /// The connection ended in the middle.
    #[error("the connection was closed in the middle")]
    Closed,
    /// A head without end.
    #[error("the headers have more than {0} bytes")]
    HeadTooLarge(usize),
    /// A body without end.
    #[error("the body has more than {0} bytes")]
    BodyTooLarge(usize),
    /// A request with a body, but nobody said how long.
    #[error("the length of the body is missing")]
    NoLength,
    /// Not HTTP.
    #[error("{0}")]
    Malformed(&'static str),
    /// An answer that says that the request failed.
    #[error("the answer has the status {0}")]
    Status(u16),
    /// HTTP, but not what is understood here.
    #[error("{0} is not supported")]
    Unsupported(&'static str),
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Io(#[source] io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Fault::Late,
            io::ErrorKind::UnexpectedEof => Fault::Closed,
            _ => Fault::Io(error),
        }
    }
}

/// The version of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// One request for each connection unless both sides say otherwise.
    Http10,
    /// Connections stay open unless somebody says otherwise.
    Http11,
}

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The method, as written.
    pub method: String,
    /// What it is about, as written.
    pub target: String,
    /// Its version.
    pub version: Version,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Where it comes from, if that is known.
    pub peer: Option<IpAddr>,
}

impl Request {
    /// The value of the first header of this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    fn keeps_open(&self) -> bool {
        let says = |word: &str| {
            self.header("connection")
                .is_some_and(|v| v.split(',').any(|v| v.trim().eq_ignore_ascii_case(word)))
        };
        match self.version {
            Version::Http10 => says("keep-alive"),
            Version::Http11 => !says("close"),
        }
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|h| h.0 == name).map(|h| h.1.as_str())
}

/// The head of a request or response: its first line and its headers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The first line.
    pub first: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
}

impl Head {
    fn of(bytes: &[u8]) -> Result<Head, Fault> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default().to_string();
        if first.chars().any(char::is_control) {
            return Err(Fault::Malformed("the first line has control characters"));
        }
        let mut headers = Vec::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').ok_or(Fault::Malformed("a header has no colon"))?;
            let word = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
            if name.is_empty() || !name.chars().all(word) {
                return Err(Fault::Malformed("the name of a header is not a word"));
            }
            if value.chars().any(|c| c.is_control() && c != '\t') {
                return Err(Fault::Malformed("a header has control characters"));
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
        }
        Ok(Head { first, headers })
    }

    /// How long the body is that follows; `None` if nothing says so.
    fn framing(&self) -> Result<Option<Framing>, Fault> {
        let all = |name: &'static str| self.headers.iter().filter(move |h| h.0 == name).map(|h| h.1.as_str());
        let lengths: Vec<&str> = all("content-length").collect();
        let codings: Vec<&str> = all("transfer-encoding").collect();
        match (&lengths[..], &codings[..]) {
            ([], []) => Ok(None),
            ([], [one]) if one.eq_ignore_ascii_case("chunked") => Ok(Some(Framing::Chunked)),
            ([], _) => Err(Fault::Unsupported("this transfer encoding")),
            ([one, rest @ ..], []) => {
                if rest.iter().any(|other| other != one) || !one.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(Fault::Malformed("the length of the body is no number"));
                }
                // More digits than fit are a length beyond every limit.
                let length = if one.is_empty() { None } else { Some(one.parse().unwrap_or(usize::MAX)) };
                length
                    .map(|n| Some(Framing::Length(n)))
                    .ok_or(Fault::Malformed("the length of the body is empty"))
            }
            _ => Err(Fault::Malformed("the body has both a length and a transfer encoding")),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Framing {
    Length(usize),
    Chunked,
}

/// Reads requests and responses, one after the other, from anything that can be read.
#[derive(Debug)]
pub struct Source<R> {
    from: R,
    /// What was read and not yet used.
    ahead: Vec<u8>,
}

/// What is read at a time.
const BLOCK: usize = 8 << 10;
/// The longest line that gives the length of a chunk.
const CHUNK_LINE: usize = 256;

impl<R: Read> Source<R> {
    /// A source with nothing read ahead.
    pub fn new(from: R) -> Source<R> {
        Source { from, ahead: Vec::new() }
    }

    /// What is read from.
    pub fn inner(&mut self) -> &mut R {
        &mut self.from
    }

    /// Reads some more; whether there was more.
    fn fill(&mut self) -> Result<bool, Fault> {
        let mut block = [0; BLOCK];
        loop {
            match self.from.read(&mut block) {
                Ok(n) => {
                    self.ahead.extend_from_slice(&block[..n]);
                    return Ok(n > 0);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    /// Waits for something to be there; whether there is.
    fn is_waiting(&mut self) -> Result<bool, Fault> {
        Ok(!self.ahead.is_empty() || self.fill()?)
    }

    fn take(&mut self, n: usize) -> Vec<u8> {
        let rest = self.ahead.split_off(n);
        std::mem::replace(&mut self.ahead, rest)
    }

    /// The next head. `None` if the stream ends before one begins.
    pub fn head(&mut self, most: usize) -> Result<Option<Head>, Fault> {
        match self.wait_for_head(most)? {
            Some(end) => Head::of(&self.take(end)).map(Some),
            None => Ok(None),
        }
    }

    /// Waits for a head and says where it ends. `None` if the stream ends before one begins.
    fn wait_for_head(&mut self, most: usize) -> Result<Option<usize>, Fault> {
        // Empty lines before a request are left over from the one before.
        loop {
            let blank = self.ahead.iter().take_while(|b| b"\r\n".contains(b)).count();
            self.ahead.drain(..blank);
            if !self.ahead.is_empty() {
                break;
            }
            if !self.fill()? {
                return Ok(None);
            }
        }
        let mut from = 0;
        loop {
            if let Some(end) = end_of_head(&self.ahead, from) {
                if end > most {
                    return Err(Fault::HeadTooLarge(most));
                }
                return Ok(Some(end));
            }
            if self.ahead.len() > most {
                return Err(Fault::HeadTooLarge(most));
            }
            from = self.ahead.len().saturating_sub(3);
            if !self.fill()? {
                return Err(Fault::Closed);
            }
        }
    }

    fn exactly(&mut self, n: usize) -> Result<Vec<u8>, Fault> {
        while self.ahead.len() < n {
            if !self.fill()? {
                return Err(Fault::Closed);
            }
        }
        Ok(self.take(n))
    }

    /// The next line of a chunked body, without its end. Where others see the end of a line, there must be one.
    fn line(&mut self, most: usize) -> Result<Vec<u8>, Fault> {
        loop {
            if let Some(end) = self.ahead.iter().take(most).position(|&b| b == b'\n') {
                let mut line = self.take(end + 1);
                line.pop();
                let whole = line.pop() == Some(b'\r') && !line.contains(&b'\r');
                return if whole { Ok(line) } else { Err(Fault::Malformed("a line does not end with CRLF")) };
            }
            if self.ahead.len() >= most {
                return Err(Fault::Malformed("a line of a chunked body is too long"));
            }
            if !self.fill()? {
                return Err(Fault::Closed);
            }
        }
    }

    fn chunks(&mut self, most: usize) -> Result<Vec<u8>, Fault> {
        let mut body = Vec::new();
        loop {
            let line = self.line(CHUNK_LINE)?;
            let digits = line.split(|&b| b == b';').next().unwrap_or_default();
            let size = std::str::from_utf8(digits).ok().filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
            let size = size.and_then(|d| usize::from_str_radix(d, 16).ok());
            let size = size.ok_or(Fault::Malformed("the length of a chunk is no number"))?;
            if size == 0 {
                break;
            }
            if size > most - body.len() {
                return Err(Fault::BodyTooLarge(most));
            }
            body.extend(self.exactly(size)?);
            if !self.line(CHUNK_LINE)?.is_empty() {
                return Err(Fault::Malformed("a chunk is longer than it says"));
            }
        }
        let mut trailers = 0;
        while !self.line(CHUNK_LINE)?.is_empty() {
            trailers += 1;
            if trailers > 16 {
                return Err(Fault::Malformed("a chunked body has too many trailers"));
            }
        }
        Ok(body)
    }

    fn framed(&mut self, framing: Framing, most: usize) -> Result<Vec<u8>, Fault> {
        match framing {
            Framing::Length(n) if n > most => Err(Fault::BodyTooLarge(most)),
            Framing::Length(n) => self.exactly(n),
            Framing::Chunked => self.chunks(most),
        }
    }

    fn rest(&mut self, most: usize) -> Result<Vec<u8>, Fault> {
        while self.ahead.len() <= most {
            if !self.fill()? {
                return Ok(std::mem::take(&mut self.ahead));
            }
        }
        Err(Fault::BodyTooLarge(most))
    }

    /// The next request. `None` if there is no more. Before the body of a request is read that waits to be told so,
    /// `go_on` is called.
    pub fn request(
        &mut self,
        limits: &Limits,
        go_on: impl FnOnce(&mut R) -> io::Result<()>,
    ) -> Result<Option<Request>, Fault> {
        let Some(head) = self.head(limits.head)? else { return Ok(None) };
        let mut words = head.first.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Fault::Malformed("the first line is not METHOD TARGET HTTP/1.x"));
        };
        let version = match version {
            "HTTP/1.0" => Version::Http10,
            "HTTP/1.1" => Version::Http11,
            other if other.starts_with("HTTP/") => return Err(Fault::Unsupported("this version of HTTP")),
            _ => return Err(Fault::Malformed("the first line is not METHOD TARGET HTTP/1.x")),
        };
        if method.is_empty() || !method.bytes().all(|b| b.is_ascii_alphabetic()) {
            return Err(Fault::Malformed("the method is not a word"));
        }
        let framing = head.framing()?;
        let body = match framing {
            Some(Framing::Chunked) if version == Version::Http10 => {
                return Err(Fault::Malformed("HTTP/1.0 has no chunks"));
            }
            None if method == "POST" => return Err(Fault::NoLength),
            None => Vec::new(),
            Some(framing) => {
                let waits =
                    header(&head.headers, "expect").is_some_and(|v| v.eq_ignore_ascii_case("100-continue"));
                let fits = !matches!(framing, Framing::Length(n) if n > limits.body);
                if waits && fits && version == Version::Http11 && self.ahead.is_empty() {
                    go_on(&mut self.from)?;
                }
                self.framed(framing, limits.body)?
            }
        };
        let (method, target) = (method.to_string(), target.to_string());
        Ok(Some(Request { method, target, version, headers: head.headers, body, peer: None }))
    }

    /// A response to a request that was made: its status and body.
    pub fn response(&mut self, limits: &Limits) -> Result<(u16, Vec<u8>), Fault> {
        // Some servers say first that they will answer.
        for _ in 0..4 {
            let head = self.head(limits.head)?.ok_or(Fault::Closed)?;
            let not = Fault::Malformed("the answer is not HTTP");
            let Some(rest) = head.first.strip_prefix("HTTP/1.") else { return Err(not) };
            let status = rest.split(' ').nth(1).filter(|s| s.len() == 3).and_then(|s| s.parse().ok());
            match status.ok_or(not)? {
                100..=199 => {}
                status @ (204 | 304) => return Ok((status, Vec::new())),
                status => {
                    let body = match head.framing()? {
                        Some(framing) => self.framed(framing, limits.body)?,
                        None => self.rest(limits.body)?,
                    };
                    return Ok((status, body));
                }
            }
        }
        Err(Fault::Malformed("the answer is put off for ever"))
    }
}

/// Where a head has ended, the empty line included. Ends of lines may lack their carriage return.
fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    (from..bytes.len()).find_map(|at| match &bytes[at..] {
        [b'\n', b'\r', b'\n', ..] => Some(at + 3),
        [b'\n', b'\n', ..] => Some(at + 2),
        _ => None,
    })
}

/// A stream whose reads and writes must be done by a certain time.
#[derive(Debug)]
pub struct Timed {
    stream: TcpStream,
    until: Instant,
}

impl Timed {
    /// A stream with a deadline.
    pub fn new(stream: TcpStream, until: Instant) -> Timed {
        Timed { stream, until }
    }

    /// The stream itself.
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Sets another deadline.
    pub fn until(&mut self, until: Instant) {
        self.until = until;
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Timed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(into)
    }
}

impl Write for Timed {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests;
