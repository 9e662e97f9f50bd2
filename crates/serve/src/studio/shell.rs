//! Connections: how many, how slow, how large.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// More connections are not open at once.
const MOST_CONNECTIONS: usize = 1024;
/// A request's head is there within this time, also the next one on a connection that is kept.
const HEAD: Duration = Duration::from_secs(8);
/// The head has no more bytes, and no more lines.
const LARGEST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;

/// Takes connections as long as the program runs.
pub(crate) async fn accept(listener: TcpListener, app: Router) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // Too many files are open, or the caller has gone: others may still come.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let app = app.clone();
        tokio::spawn(async move {
            serve(stream, app).await;
            drop(place);
        });
    }
}

async fn serve(stream: TcpStream, app: Router) {
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_headers(MOST_HEADERS);
    http.max_buf_size(LARGEST_HEAD);
    // Whatever ends a connection, nobody is left to be told.
    let _ = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(app)).await;
}

/// Listens at an address given by name and port.
pub(crate) async fn listen(host: &str, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind((host, port)).await?;
    let at = listener.local_addr()?;
    Ok((listener, at))
}
