//! The page, embedded in the program.

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::refusal::Refusal;

/// A file of the page: its path, what it is, and its content.
type Embedded = (&'static str, &'static str, &'static str);

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! embedded {
    ($($kind:ident $path:literal),* $(,)?) => {
        &[$(($path, $kind, include_str!(concat!("../../web/", $path)))),*]
    };
}

/// The files of the page.
static FILES: &[Embedded] = embedded![
    HTML "index.html",
    CSS "style.css",
    SVG "favicon.svg",
    SCRIPT "js/api.js",
    SCRIPT "js/beliefs.js",
    SCRIPT "js/dom.js",
    SCRIPT "js/experiments.js",
    SCRIPT "js/lobby.js",
    SCRIPT "js/look.js",
    SCRIPT "js/main.js",
    SCRIPT "js/moves.js",
    SCRIPT "js/params.js",
    SCRIPT "js/picture.js",
    SCRIPT "js/place.js",
    SCRIPT "js/replay.js",
    SCRIPT "js/review.js",
    SCRIPT "js/setup.js",
    SCRIPT "js/solve.js",
    SCRIPT "js/table.js",
    SCRIPT "js/theme.js",
    SCRIPT "js/tree.js",
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_is_embedded() {
        let scripts = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/web/js")).unwrap();
        for script in scripts {
            let name = format!("js/{}", script.unwrap().file_name().to_str().unwrap());
            assert!(FILES.iter().any(|(path, ..)| *path == name), "{name} is not embedded");
        }
    }
}
