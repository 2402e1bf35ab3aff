//! What stands in for something that the archive does not have: a small page, a small picture, or nothing.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::modifier::Modifier;
use crate::refusal::Refusal;

/// A grey square with a stroke through it.
const PICTURE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24'><rect width='24' height='24' fill='#ddd'/>\
    <path d='M4 20 20 4' stroke='#999' stroke-width='2'/></svg>";

/// The answer for something that cannot be shown, in the form of what it was wanted as.
pub(super) fn notice(modifier: Modifier, refusal: Refusal) -> Response {
    let (content_type, body) = match modifier {
        Modifier::Image => ("image/svg+xml", PICTURE.to_owned()),
        _ if modifier.is_document() => ("text/html; charset=utf-8", page(refusal.status, &refusal.detail)),
        Modifier::Raw => return refusal.into_response(),
        _ => ("text/plain; charset=utf-8", String::new()),
    };
    let mut response = (refusal.status, body).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn page(status: StatusCode, detail: &str) -> String {
    let title = match status {
        StatusCode::NOT_FOUND => "Not in the archive",
        StatusCode::METHOD_NOT_ALLOWED => "An archive cannot be written to",
        _ => "This cannot be shown",
    };
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=color-scheme content='light dark'><title>{title}</title>\
         <body style='font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:15vh auto;padding:0 1em;overflow-wrap:anywhere'>\
         <h1 style='font-size:1.25em'>{title}</h1><p>{}</p>",
        escaped(detail)
    )
}

/// Text that is to be seen as it is.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}
