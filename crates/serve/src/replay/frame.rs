//! Our own page around an archived one: says what it is and of when, and keeps it where it is.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::address::memento_path;
use super::modifier::Modifier;
use super::notice::escaped;
use super::own_files::SHEET_PATH;
use super::policy::confine_frame;
use crate::memento::Links;
use crate::stamp::stamp;

/// The frame around a memento, which is read from `prefix`.
pub(super) fn frame(links: &Links<'_>, chosen: usize, prefix: &str) -> Response {
    let moment = &links.moments[chosen];
    let neighbour =
        |place: Option<usize>, text: &str, label: &str| match place.and_then(|place| links.moments.get(place)) {
            Some(moment) => {
                let path = escaped(&memento_path(moment.time, "", &moment.url));
                format!("<a href=\"{path}\" aria-label=\"{label}\" title=\"{label}\">{text}</a>")
            }
            None => format!("<span aria-hidden=true>{text}</span>"),
        };
    let inner = format!("{prefix}{}{}/{}", stamp(moment.time), Modifier::Main.letters(), moment.url);
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\"><title>{url} ({time})</title>\
         <link rel=stylesheet href=\"{SHEET_PATH}\"><header><nav aria-label=\"Captures\">{before}<time datetime=\"{full}\">{time}</time>{behind}</nav>\
         <span class=address title=\"{url}\">{url}</span><a href=\"{raw}\">raw</a><a href=\"{timemap}\">all captures</a></header>\
         <iframe sandbox=\"allow-scripts allow-forms\" title=\"The archived page\" src=\"{inner}\"></iframe>",
        url = escaped(moment.url.as_str()),
        time = moment.time.strftime("%Y-%m-%d %H:%M:%S"),
        full = moment.time,
        before = neighbour(chosen.checked_sub(1), "‹", "The capture before"),
        behind = neighbour(chosen.checked_add(1), "›", "The next capture"),
        raw = escaped(&memento_path(moment.time, Modifier::Raw.letters(), &moment.url)),
        timemap = escaped(&links.timemap_link(1)),
        inner = escaped(&inner),
    );
    let mut response = page.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    confine_frame(links.origins, headers);
    links.describe(chosen, headers);
    response
}
