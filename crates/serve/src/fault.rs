//! The page that says why another cannot be shown.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::refusal::Refusal;
use crate::views::html;
use crate::visitor::Visitor;
use crate::words::Words;

#[derive(Template)]
#[template(path = "fault.html")]
struct FaultPage<'a> {
    visitor: &'a Visitor,
    w: &'a Words,
    title: &'a str,
    detail: &'a str,
}

/// A refusal as a page.
pub(crate) fn fault(visitor: &Visitor, refusal: Refusal) -> Response {
    let w = visitor.words;
    let title = match refusal.status {
        StatusCode::NOT_FOUND => w.not_found,
        StatusCode::SERVICE_UNAVAILABLE => w.busy,
        status if status.is_client_error() => w.bad_request,
        _ => w.broken,
    };
    match (FaultPage { visitor, w, title, detail: &refusal.detail }).render() {
        Ok(page) => (refusal.status, html(visitor, page)).into_response(),
        Err(_) => refusal.into_response(),
    }
}
