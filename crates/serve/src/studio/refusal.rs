//! Why a request is not answered as asked.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use fogtree_core::{AgentFailure, BadSpec, IllegalStep};
use fogtree_table::{BadSession, NoSession, Refused, Unavailable};
use serde_json::json;

/// Why a request is not answered as asked: a status, and a sentence for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) why: String,
}

impl Refusal {
    fn new(status: StatusCode, why: impl Into<String>) -> Refusal {
        Refusal { status, why: why.into() }
    }

    /// The input is wrong.
    pub(crate) fn bad(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, why)
    }

    /// Nobody knows who asks.
    pub(crate) fn unknown_visitor() -> Refusal {
        Refusal::new(
            StatusCode::UNAUTHORIZED,
            "open the link that fogtree serve prints, or send its token as Authorization: Bearer TOKEN",
        )
    }

    /// Whoever asks may not.
    pub(crate) fn forbidden(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, why)
    }

    /// There is no such thing.
    pub(crate) fn not_found(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, why)
    }

    /// It does not fit the position as it is now.
    pub(crate) fn conflict(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, why)
    }

    /// Too much was sent.
    pub(crate) fn too_large(most: usize) -> Refusal {
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("at most {most} bytes are taken"))
    }

    /// There is no room left.
    pub(crate) fn full(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why)
    }

    /// Something went wrong here.
    pub(crate) fn failed(why: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": self.why}))).into_response()
    }
}

impl From<BadSpec> for Refusal {
    fn from(why: BadSpec) -> Refusal {
        Refusal::bad(why.to_string())
    }
}

impl From<Unavailable> for Refusal {
    fn from(why: Unavailable) -> Refusal {
        Refusal::bad(why.to_string())
    }
}

impl From<NoSession> for Refusal {
    fn from(why: NoSession) -> Refusal {
        Refusal::bad(why.to_string())
    }
}

impl From<BadSession> for Refusal {
    fn from(why: BadSession) -> Refusal {
        Refusal::bad(why.to_string())
    }
}

impl From<IllegalStep> for Refusal {
    fn from(why: IllegalStep) -> Refusal {
        Refusal::bad(why.to_string())
    }
}

impl From<AgentFailure> for Refusal {
    fn from(why: AgentFailure) -> Refusal {
        Refusal::failed(why.to_string())
    }
}

impl From<Refused> for Refusal {
    fn from(why: Refused) -> Refusal {
        match why {
            Refused::Illegal(_) | Refused::NotAPerson(_) => Refusal::bad(why.to_string()),
            _ => Refusal::conflict(why.to_string()),
        }
    }
}
