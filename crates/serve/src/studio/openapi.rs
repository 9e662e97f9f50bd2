//! The API described for programs: `docs/openapi.json`, made from the types where the feature `schema` is on.

#[cfg(feature = "schema")]
pub(crate) mod api;

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::Studio;
use super::visitors::Visitor;

static DOCUMENT: &str = include_str!("../../../../docs/openapi.json");

/// The description over HTTP.
pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new().route("/api/openapi.json", get(document))
}

async fn document(_: Visitor) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}

/// The description of all routes, as JSON in the form of OpenAPI 3.1.
#[cfg(feature = "schema")]
pub fn openapi() -> serde_json::Value {
    let mut api = api::Api::new();
    super::lobby::describe(&mut api);
    super::place::describe(&mut api);
    super::tables::describe(&mut api);
    super::searches::describe(&mut api);
    super::worlds::describe(&mut api);
    super::reviews::describe(&mut api);
    super::solves::describe(&mut api);
    super::replays::describe(&mut api);
    super::experiments::describe(&mut api);
    api.get("/api/openapi.json", "This description.").answers_text("application/json");
    api.document()
}
