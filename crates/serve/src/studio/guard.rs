//! What every request must pass, and what every answer carries.
//!
//! A page of somebody else's in the same browser can send requests here, and can make a name of its own point at this
//! machine. So the `Host` must be one of ours, whatever changes something must come from a page of ours, and no answer
//! may be framed, sniffed or read by other origins.

use std::collections::HashSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Studio;
use super::refusal::Refusal;

/// The names under which the studio is reached.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    known: HashSet<String>,
    port: u16,
    /// Where browsers are sent.
    shown: String,
    /// Whether other machines may ask: then any address will do, but no other name.
    addresses: bool,
}

impl Names {
    /// The names of a studio that listens at an address, and was told to by this name.
    pub(crate) fn new(at: SocketAddr, host: &str) -> Names {
        let names = ["localhost", "127.0.0.1", "[::1]", host].map(str::to_ascii_lowercase);
        let known = names.into_iter().chain([bracketed(at.ip())]).collect();
        let host = if at.ip().is_unspecified() { "localhost".to_string() } else { bracketed(at.ip()) };
        let shown = format!("{host}:{}", at.port());
        Names { known, port: at.port(), shown, addresses: !at.ip().is_loopback() }
    }

    /// Host and port of the links that are handed out.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// Whether a `Host`, or what follows `http://` in an `Origin`, is ours.
    pub(crate) fn are(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (&*host, Some(80)),
        };
        let address = || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        port == Some(self.port) && (self.known.contains(name) || self.addresses && address())
    }
}

fn bracketed(ip: IpAddr) -> String {
    if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() }
}

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' blob: data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'";

/// Sent with every answer that does not say otherwise.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Lets a request through if it may pass.
pub(crate) async fn check(State(studio): State<Arc<Studio>>, request: Request, next: Next) -> Response {
    let mut answer = match refusal(&studio.names, &request) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        answer.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    answer
}

fn refusal(names: &Names, request: &Request) -> Option<Refusal> {
    let headers = request.headers();
    let Some(host) = single(headers, &header::HOST) else {
        return Some(Refusal::bad("expected one Host header"));
    };
    let other = request.uri().authority().is_some_and(|named| named.as_str() != host);
    if other || !names.are(host) {
        return Some(Refusal {
            status: StatusCode::MISDIRECTED_REQUEST,
            why: "no such host here".to_string(),
        });
    }
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    let foreign = || Some(Refusal::forbidden("requests of other pages are not taken"));
    match single(headers, &header::ORIGIN) {
        Some(origin) => match origin.strip_prefix("http://") {
            Some(from) if from.eq_ignore_ascii_case(host) => None,
            _ => foreign(),
        },
        None if headers.contains_key(header::ORIGIN) => foreign(),
        None if headers.contains_key(header::COOKIE) => foreign(),
        None => None,
    }
}

/// The value of a header that is there once.
pub(crate) fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    if all.next().is_some() { None } else { first.to_str().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_others_are_not_ours() {
        let here = Names::new("127.0.0.1:8321".parse().unwrap(), "127.0.0.1");
        for ours in ["127.0.0.1:8321", "localhost:8321", "LOCALHOST:8321", "[::1]:8321"] {
            assert!(here.are(ours), "{ours}");
        }
        for other in ["evil.example:8321", "127.0.0.1", "127.0.0.1:80", "10.0.0.1:8321", "", ":8321", "[::1]"]
        {
            assert!(!here.are(other), "{other}");
        }
        let everywhere = Names::new("0.0.0.0:8321".parse().unwrap(), "0.0.0.0");
        assert!(everywhere.are("192.168.0.7:8321") && everywhere.are("[fe80::1]:8321"));
        assert!(!everywhere.are("evil.example:8321") && !everywhere.are("192.168.0.7.evil.example:8321"));
        let named = Names::new("0.0.0.0:80".parse().unwrap(), "games.local");
        assert!(named.are("games.local") && !named.are("games.local:8080"));
    }
}
