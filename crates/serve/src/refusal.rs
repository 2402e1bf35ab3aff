//! What a request is told that cannot be answered: RFC 9457's problem details, in words that name the thing.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request is not answered.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) detail: String,
}

/// Why there is no answer (RFC 9457).
#[derive(Serialize, ToSchema)]
pub(crate) struct Problem<'a> {
    /// The status in words.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// What is wrong here.
    detail: &'a str,
}

impl Refusal {
    pub(crate) fn bad_request(detail: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, detail: detail.into() }
    }

    pub(crate) fn not_found(detail: impl Into<String>) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, detail: detail.into() }
    }

    pub(crate) fn busy() -> Refusal {
        let detail = "too much is asked at once; ask again in a moment".to_owned();
        Refusal { status: StatusCode::SERVICE_UNAVAILABLE, detail }
    }

    pub(crate) fn broken() -> Refusal {
        Refusal { status: StatusCode::INTERNAL_SERVER_ERROR, detail: "this could not be read".to_owned() }
    }
}

impl From<kuai::Error> for Refusal {
    fn from(error: kuai::Error) -> Refusal {
        match error {
            kuai::Error::UnknownUrl { .. } => Refusal::not_found(error.to_string()),
            // What names files and folders of this machine is for its owner, not for whoever asks.
            _ => {
                eprintln!("kuai: {error}");
                Refusal {
                    status: StatusCode::INTERNAL_SERVER_ERROR,
                    detail: "the archive could not be read".to_owned(),
                }
            }
        }
    }
}

impl From<kuai::search::Error> for Refusal {
    fn from(error: kuai::search::Error) -> Refusal {
        eprintln!("kuai: {error}");
        let detail = "the search index could not be read".to_owned();
        Refusal { status: StatusCode::INTERNAL_SERVER_ERROR, detail }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or("error");
        let problem = Problem { title, status: self.status.as_u16(), detail: &self.detail };
        let body = serde_json::to_string(&problem).expect("text and numbers can always be written");
        let mut response = (self.status, body + "\n").into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}
