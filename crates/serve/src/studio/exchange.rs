//! From requests to answers: who asks, what was sent, and work that does not hold up others.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use fogtree_draw::Theme;
use futures_util::stream::{Stream, unfold};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use super::Studio;
use super::guard::single;
use super::refusal::Refusal;
use super::visitors::Visitor;

/// Larger bodies are not read, but for records.
const LARGEST_BODY: usize = 256 << 10;
/// Slower bodies neither.
const SLOWEST_BODY: Duration = Duration::from_secs(10);
/// A quiet stream of events says this often that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

impl FromRequestParts<Arc<Studio>> for Visitor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, studio: &Arc<Studio>) -> Result<Visitor, Refusal> {
        let bearer = single(&parts.headers, &header::AUTHORIZATION);
        let token = match bearer {
            Some(bearer) => bearer.strip_prefix("Bearer ").map(str::trim),
            None => cookie(parts, &studio.cookie),
        };
        token.and_then(|token| studio.visitors.with_token(token)).ok_or_else(Refusal::unknown_visitor)
    }
}

fn cookie<'a>(parts: &'a Parts, name: &str) -> Option<&'a str> {
    let all = parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// The body of a request, within a limit and a time.
pub(crate) async fn body(request: Request, largest: usize) -> Result<Vec<u8>, Refusal> {
    let all = tokio::time::timeout(SLOWEST_BODY, to_bytes(request.into_body(), largest)).await;
    let bytes = all.map_err(|_| Refusal::bad("the body did not come in time"))?;
    bytes.map(|bytes| bytes.to_vec()).map_err(|_| Refusal::too_large(largest))
}

/// What was sent as JSON.
pub(crate) struct Sent<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Sent<T>, Refusal> {
        let kind = single(request.headers(), &header::CONTENT_TYPE).and_then(|kind| kind.split(';').next());
        if kind.map(str::trim) != Some("application/json") {
            return Err(Refusal::bad("expected JSON, with Content-Type: application/json"));
        }
        let bytes = body(request, LARGEST_BODY).await?;
        serde_json::from_slice(&bytes)
            .map(Sent)
            .map_err(|why| Refusal::bad(format!("not as expected: {why}")))
    }
}

/// What was asked behind the question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Refusal> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(asked)| Asked(asked)).map_err(|why| Refusal::bad(why.body_text()))
    }
}

/// In which colours pictures are drawn.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Colours {
    #[default]
    Light,
    Dark,
}

impl From<Colours> for Theme {
    fn from(colours: Colours) -> Theme {
        match colours {
            Colours::Light => Theme::Light,
            Colours::Dark => Theme::Dark,
        }
    }
}

/// Which pictures are asked for.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Themed {
    #[serde(default)]
    pub(crate) theme: Colours,
}

/// Does work on a thread that may take its time, and answers what comes of it.
pub(crate) async fn worked<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::failed("something went wrong here: this is our fault")))
}

/// Does work on a thread that may take its time, and answers what comes of it as JSON.
pub(crate) async fn answer<T: Serialize + Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    worked(move || work().map(|told| Json(told).into_response())).await
}

/// Does work on a thread that may take its time, and answers a picture.
pub(crate) async fn picture(
    work: impl FnOnce() -> Result<String, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    let svg = worked(work).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// An event with JSON in it.
pub(crate) fn event(name: &str, data: &impl Serialize) -> Event {
    let text = serde_json::to_string(data).expect("what is told can be written");
    Event::default().event(name).data(text)
}

/// Server-sent events, as they come out of a channel; the stream ends when the channel does.
pub(crate) fn events(from: mpsc::Receiver<Event>) -> Response {
    let stream =
        unfold(from, |mut from| async move { from.recv().await.map(|e| (Ok::<_, Infallible>(e), from)) });
    stream_of(stream)
}

fn stream_of(stream: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    Sse::new(stream).keep_alive(KeepAlive::new().interval(HEARTBEAT)).into_response()
}
