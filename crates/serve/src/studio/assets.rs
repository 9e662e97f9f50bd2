//! The page, embedded in the program.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

/// The files of the page: path, kind and content.
static FILES: &[(&str, &str, &str)] =
    &[("index.html", "text/html; charset=utf-8", include_str!("../../web/index.html"))];

/// The first page.
pub(crate) fn index() -> Response {
    found("index.html").expect("it is embedded")
}

/// A file of the page.
pub(crate) async fn file(Path(path): Path<String>) -> Result<Response, Refusal> {
    found(&path).ok_or_else(|| Refusal::not_found("there is no such page"))
}

fn found(path: &str) -> Option<Response> {
    let (_, kind, text) = FILES.iter().find(|(name, ..)| *name == path)?;
    Some(([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "no-cache")], *text).into_response())
}
