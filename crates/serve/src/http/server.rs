//! Answers requests: a thread for each connection, and not too many of them.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::guests::{Guests, Phase, Place};
use super::{Fault, Limits, Request, Source, Timed, Version};

/// An answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    /// The status, such as 200.
    pub status: u16,
    /// What the body is.
    pub content_type: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// A text that says why there is no better answer.
    pub fn problem(status: u16, why: &str) -> Response {
        let body = format!("{why}\n").into_bytes();
        Response { status, content_type: "text/plain; charset=utf-8", headers: Vec::new(), body }
    }

    fn of_fault(fault: &Fault) -> Option<Response> {
        let status = match fault {
            Fault::Late => 408,
            Fault::HeadTooLarge(_) => 431,
            Fault::BodyTooLarge(_) => 413,
            Fault::NoLength => 411,
            Fault::Malformed(_) => 400,
            Fault::Unsupported(_) => 501,
            Fault::Closed | Fault::Status(_) | Fault::Io(_) => return None,
        };
        Some(Response::problem(status, &fault.to_string()))
    }

    fn bytes(&self, version: Version, keep: bool, with_body: bool) -> Vec<u8> {
        let version = match version {
            Version::Http10 => "HTTP/1.0",
            Version::Http11 => "HTTP/1.1",
        };
        let (status, reason) = (self.status, reason(self.status));
        let connection = if keep { "keep-alive" } else { "close" };
        let (length, kind) = (self.body.len(), self.content_type);
        let mut out = format!(
            "{version} {status} {reason}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n"
        );
        for (name, value) in &self.headers {
            out.push_str(&format!("{name}: {value}\r\n"));
        }
        out.push_str("\r\n");
        let mut out = out.into_bytes();
        if with_body {
            out.extend_from_slice(&self.body);
        }
        out
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Unknown",
    }
}

/// What answers requests.
pub trait Service: Send + Sync {
    /// The answer to a request, which arrived completely at this time.
    fn answer(&self, request: &Request, arrived: Instant) -> Response;

    /// Whether somebody at this address takes part in something, so that room is kept for it.
    fn knows(&self, _peer: IpAddr) -> bool {
        false
    }
}

/// A server that runs until it is stopped or dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Listens at an address, which says where a free port was found if it names port 0.
    pub fn start(
        address: impl ToSocketAddrs,
        limits: Limits,
        service: Arc<dyn Service>,
    ) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = stopped.clone();
        let accept = move || accept(&listener, &stop, limits, &service);
        let thread = std::thread::Builder::new().name("http".into()).spawn(accept)?;
        Ok(Server { address, stopped, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until somebody else ends the program.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // It ends only if the acceptor panicked, and then there is nothing left to wait for.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    /// Takes no more connections. Those that are open end when their requests are answered.
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.stopped.store(true, Ordering::Release);
        let mut own = self.address;
        if own.ip().is_unspecified() {
            own.set_ip(if own.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() });
        }
        // The acceptor waits for a connection: this is one.
        if TcpStream::connect_timeout(&own, Duration::from_secs(1)).is_ok() {
            let _ = thread.join();
        }
    }
}

fn accept(listener: &TcpListener, stop: &Arc<AtomicBool>, limits: Limits, service: &Arc<dyn Service>) {
    let guests = Guests::new(limits);
    while !stop.load(Ordering::Acquire) {
        let Ok((stream, peer)) = listener.accept() else {
            // Out of file descriptors, perhaps; some may be free again soon.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let peer = peer.ip().to_canonical();
        let Some(place) = guests.admit(&stream, peer, service.knows(peer)) else {
            let busy = Response::problem(503, "there are too many connections");
            // A few hundred bytes fit into the buffer of any socket; if not, the connection just ends.
            let _ = stream.set_nonblocking(true);
            let _ = (&stream).write(&busy.bytes(Version::Http10, false, true));
            continue;
        };
        let (service, stop) = (service.clone(), stop.clone());
        let serve = move || {
            serve((stream, peer), &place, &limits, &*service, &stop);
        };
        // If there is no thread to be had the connection is closed.
        let _ = std::thread::Builder::new().name("http".into()).stack_size(8 << 20).spawn(serve);
    }
}

/// Answers the requests of one connection.
fn serve(
    (stream, peer): (TcpStream, IpAddr),
    place: &Place,
    limits: &Limits,
    service: &dyn Service,
    stop: &AtomicBool,
) {
    // Answers are short and wanted at once.
    let _ = stream.set_nodelay(true);
    let mut source = Source::new(Timed::new(stream, Instant::now() + limits.head_patience));
    for number in 0..limits.requests {
        place.enter(Phase::Head(Instant::now()));
        if number > 0 {
            source.inner().until(Instant::now() + limits.idle);
            if !source.is_waiting().unwrap_or(false) {
                return;
            }
        }
        source.inner().until(Instant::now() + limits.head_patience);
        let go_on = |to: &mut Timed| to.write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        let request = source.wait_for_head(limits.head).and_then(|_| {
            place.enter(Phase::Body(Instant::now()));
            source.inner().until(Instant::now() + limits.patience);
            source.request(limits, go_on)
        });
        match request {
            Ok(Some(request)) => {
                place.enter(Phase::Answer);
                let request = Request { peer: Some(peer), ..request };
                let response = service.answer(&request, Instant::now());
                let keep =
                    request.keeps_open() && number + 1 < limits.requests && !stop.load(Ordering::Acquire);
                let bytes = response.bytes(request.version, keep, request.method != "HEAD");
                source.inner().until(Instant::now() + limits.patience);
                if source.inner().write_all(&bytes).is_err() || !keep {
                    break;
                }
            }
            Ok(None) => return,
            Err(fault) => {
                if let Some(response) = Response::of_fault(&fault) {
                    source.inner().until(Instant::now() + Duration::from_secs(1));
                    // Whoever does not read the reason does not get it.
                    let _ = source.inner().write_all(&response.bytes(Version::Http10, false, true));
                }
                break;
            }
        }
    }
    place.enter(Phase::Head(Instant::now()));
    linger(source.inner(), limits.body);
}

/// Reads a little of what still comes before the connection is closed: otherwise the other side may be told that the
/// connection broke before it has read the answer.
fn linger(stream: &mut Timed, most: usize) {
    stream.until(Instant::now() + Duration::from_secs(1));
    if stream.stream().shutdown(Shutdown::Write).is_err() {
        return;
    }
    let (mut block, mut read) = ([0; super::BLOCK], 0);
    while read < most {
        match stream.read(&mut block) {
            Ok(n @ 1..) => read += n,
            _ => return,
        }
    }
}
