//! Makes requests, one for each connection, as managers do.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::{Fault, Limits, Source, Timed};

/// Sends a body to the first of some addresses of a peer where somebody answers, and gives the body of the answer, if that says that all is well.
///
/// The request is made in HTTP/1.0 with the headers that game managers send. All of it must be done by the deadline;
/// connecting must not take longer than `connect`.
pub fn post(
    to: &[SocketAddr],
    headers: &[(&str, &str)],
    body: &[u8],
    connect: Duration,
    limits: &Limits,
    deadline: Instant,
) -> Result<Vec<u8>, Fault> {
    let (stream, to) = reach(to, connect, deadline)?;
    // The request is written at once, so there is nothing to be gained by waiting for more of it.
    let _ = stream.set_nodelay(true);
    let mut request = format!("POST / HTTP/1.0\r\nHost: {to}\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    let mut request = request.into_bytes();
    request.extend_from_slice(body);
    let mut source = Source::new(Timed::new(stream, deadline));
    // A server that refuses a request may answer before it has read all of it.
    let sent = source.inner().write_all(&request);
    match (source.response(limits), sent) {
        (Ok((200..=299, body)), _) => Ok(body),
        (Ok((status, _)), _) => Err(Fault::Status(status)),
        (Err(_), Err(sent)) => Err(sent.into()),
        (Err(fault), Ok(())) => Err(fault),
    }
}

/// A connection to the first of some addresses that takes one. All together may take as long as `connect`.
fn reach(all: &[SocketAddr], connect: Duration, deadline: Instant) -> Result<(TcpStream, SocketAddr), Fault> {
    let until = deadline.min(Instant::now() + connect);
    let mut fault = Fault::Late;
    for (at, to) in all.iter().enumerate() {
        let left = until.saturating_duration_since(Instant::now()) / (all.len() - at) as u32;
        if left.is_zero() {
            break;
        }
        match TcpStream::connect_timeout(to, left) {
            Ok(stream) => return Ok((stream, *to)),
            Err(error) => fault = error.into(),
        }
    }
    Err(match fault {
        Fault::Late if Instant::now() < deadline => Fault::Malformed("nobody answers at this address"),
        fault => fault,
    })
}
