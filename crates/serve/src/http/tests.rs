//! Reading requests and responses from bytes, however they come in.

use std::io;

use proptest::prelude::*;

use super::*;

/// Gives its bytes a few at a time.
struct Drops<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl Read for Drops<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.size.min(self.bytes.len()).min(into.len());
        into[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

fn limits() -> Limits {
    Limits { head: 200, body: 50, ..Limits::default() }
}

fn request(text: &[u8]) -> Result<Option<Request>, Fault> {
    Source::new(text).request(&limits(), |_| Ok(()))
}

fn body(text: &str) -> Vec<u8> {
    request(text.as_bytes()).unwrap().unwrap().body
}

#[test]
fn requests_of_managers_are_read() {
    let text = b"POST / HTTP/1.0\r\naccept: text/delim\r\nSENDER:GAMESERVER\r\nContent-type:  text/acl \r\n\
        Content-length: 6\r\n\r\n(INFO)";
    for size in 1..=text.len() {
        let mut source = Source::new(Drops { bytes: text, size });
        let request = source.request(&limits(), |_| Ok(())).unwrap().unwrap();
        assert_eq!((&*request.method, &*request.target, request.version), ("POST", "/", Version::Http10));
        assert_eq!(request.header("sender"), Some("GAMESERVER"));
        assert_eq!(request.header("content-type"), Some("text/acl"));
        assert_eq!(request.body, b"(INFO)");
        assert!(!request.keeps_open());
        assert!(source.request(&limits(), |_| Ok(())).unwrap().is_none());
    }
    assert_eq!(body("POST / HTTP/1.0\nContent-Length: 2\n\nab"), b"ab", "lines may end as in text files");
}

#[test]
fn requests_may_follow_one_another() {
    let text =
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\na\r\n\r\nGET /x HTTP/1.1\r\nConnection: Close\r\n\r\n";
    let mut source = Source::new(&text[..]);
    let first = source.request(&limits(), |_| Ok(())).unwrap().unwrap();
    assert!(first.body == b"a" && first.keeps_open());
    let second = source.request(&limits(), |_| Ok(())).unwrap().unwrap();
    assert!(second.target == "/x" && !second.keeps_open());
    let kept = b"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
    assert!(request(kept).unwrap().unwrap().keeps_open());
}

#[test]
fn chunks_are_put_together() {
    let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert_eq!(body(&format!("{head}3\r\n(IN\r\n3;x=y\r\nFO)\r\n0\r\n\r\n")), b"(INFO)");
    assert_eq!(body(&format!("{head}0\r\nTrailer: x\r\n\r\n")), b"");
    let loose = [
        "3\n(IN\r\n0\r\n\r\n",
        "3 \r\n(IN\r\n0\r\n\r\n",
        " 3\r\n(IN\r\n0\r\n\r\n",
        "3 ;x\r\n(IN\r\n0\r\n\r\n",
    ];
    let looser = [
        "3\r\n(IN\n0\r\n\r\n",
        "3\r\n(IN\r\n0\r\n\n",
        "3\r\r\n(IN\r\n0\r\n\r\n",
        "3;\rx\r\n(IN\r\n0\r\n\r\n",
    ];
    for chunks in loose.into_iter().chain(looser) {
        let read = request(format!("{head}{chunks}").as_bytes());
        assert!(matches!(read, Err(Fault::Malformed(_))), "{chunks:?}: {read:?}");
    }
    let bad =
        ["-1", "+1", "", "x", "ffffffffffffffffff", "33", "2\r\nabc\r\n0\r\n\r\n", "1\r\nabc", "1\r\na"];
    for chunk in bad {
        assert!(request(format!("{head}{chunk}\r\n").as_bytes()).is_err(), "{chunk}");
    }
}

#[test]
fn who_waits_to_be_told_is_told() {
    let head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
    let mut told = false;
    let mut source = Source::new(Drops { bytes: head.as_bytes(), size: 1000 });
    let read = source.request(&limits(), |from| {
        told = true;
        from.bytes = b"ab";
        Ok(())
    });
    assert_eq!(read.unwrap().unwrap().body, b"ab");
    assert!(told);
}

#[test]
fn what_is_no_request_is_refused() {
    let status = |text: &str| match request(text.as_bytes()) {
        Err(Fault::Malformed(_)) => 400,
        Err(Fault::NoLength) => 411,
        Err(Fault::BodyTooLarge(50)) => 413,
        Err(Fault::HeadTooLarge(200)) => 431,
        Err(Fault::Unsupported(_)) => 501,
        Err(Fault::Closed) => 0,
        other => panic!("{text:?}: {other:?}"),
    };
    let long = "x".repeat(300);
    for (text, expected) in [
        ("GET / HTTP/1.1\r\n", 0),
        ("POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nabc", 0),
        ("hello\r\n\r\n", 400),
        ("GET /\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1 more\r\n\r\n", 400),
        ("G\u{e9}T / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\n\r\n", 501),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\na: b\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nname : value\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n: value\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\na: \u{1}\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\n\r\n(info)", 411),
        ("POST / HTTP/1.0\r\nContent-Length: 51\r\n\r\n", 413),
        ("POST / HTTP/1.0\r\nContent-Length: 99999999999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\nContent-Length: +1\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\nContent-Length:\r\n\r\n", 400),
        ("POST / HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        (&long, 431),
        (&format!("GET / HTTP/1.1\r\na: {long}\r\n\r\n"), 431),
    ] {
        assert_eq!(status(text), expected, "{text:?}");
    }
}

#[test]
fn responses_are_read_however_they_end() {
    let read = |text: &str| Source::new(text.as_bytes()).response(&limits());
    for text in [
        "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 5\r\n\r\nREADY and more",
        "HTTP/1.0 200 OK\r\n\r\nREADY",
        "HTTP/1.1 200\r\n\r\nREADY",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\nContent-Length: 5\n\nREADY",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nREADY\r\n0\r\n\r\n",
    ] {
        let (status, body) = read(text).unwrap();
        assert_eq!((status, &*body), (200, &b"READY"[..]), "{text:?}");
    }
    assert_eq!(read("HTTP/1.0 404 Not Found\r\n\r\n").unwrap().0, 404);
    let large = format!("HTTP/1.0 200 OK\r\n\r\n{}", "x".repeat(100));
    assert!(matches!(read(&large), Err(Fault::BodyTooLarge(50))));
    let eager = "HTTP/1.1 100 Continue\r\n\r\n".repeat(10);
    for bad in ["", "READY", "HTTP/1.0 abc OK\r\n\r\n", "HTTP/1.0\r\n\r\n", "SSH-2.0\r\n\r\n", &eager] {
        assert!(read(bad).is_err(), "{bad:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        size in 1_usize..20,
        start in prop::sample::select(vec![
            "", "POST / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nContent-Length: 20\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 200 OK\r\n",
        ]),
    ) {
        let all = [start.as_bytes(), &bytes].concat();
        let mut source = Source::new(Drops { bytes: &all, size });
        for _ in 0..5 {
            match source.request(&limits(), |_| Ok(())) {
                Ok(Some(request)) => prop_assert!(request.body.len() <= 50),
                _ => break,
            }
        }
        if let Ok((status, body)) = Source::new(Drops { bytes: &all, size }).response(&limits()) {
            prop_assert!(status >= 200 && body.len() <= 50);
        }
    }

    #[test]
    fn how_bytes_come_in_does_not_matter(
        body in prop::collection::vec(any::<u8>(), 0..50),
        size in 1_usize..200,
    ) {
        let mut all = format!("POST /a HTTP/1.1\r\nX: y\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
        all.extend(&body);
        all.extend(b"GET / HTTP/1.1\r\n\r\n");
        let mut source = Source::new(Drops { bytes: &all, size });
        let first = source.request(&limits(), |_| Ok(())).unwrap().unwrap();
        prop_assert_eq!(first.body, body);
        prop_assert_eq!(source.request(&limits(), |_| Ok(())).unwrap().unwrap().method, "GET");
    }
}
