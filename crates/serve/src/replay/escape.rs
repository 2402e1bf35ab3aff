//! Requests that escaped rewriting, as `/img/x.png` does when a script asks for it: the page that asked tells where it belongs.

use axum::http::{HeaderMap, header};
use kuai_page::Url;

use super::address::{ReplayAddress, WEB};
use super::modifier::Modifier;
use crate::origins::Origins;

/// Where a path of the replay side leads that is none of ours, by the page that asked for it.
pub(super) fn way_back(path: &str, headers: &HeaderMap, origins: &Origins, token_prefix: &str) -> Option<String> {
    let referrer = Url::parse(headers.get(header::REFERER)?.to_str().ok()?).ok()?;
    if referrer.origin().ascii_serialization() != origins.replay {
        return None;
    }
    let whole = &referrer[url::Position::BeforePath..url::Position::AfterQuery];
    let read = |prefix: &str| ReplayAddress::read(prefix, whole.strip_prefix(prefix)?).ok();
    let page = read(WEB).or_else(|| read(token_prefix))?;
    let url = page.url.join(path).ok()?;
    Some(page.way_to(&page.digits, wanted_as(headers), &url))
}

/// What a request is for, as browsers say it.
pub(super) fn wanted_as(headers: &HeaderMap) -> Modifier {
    match destination(headers) {
        Some("document") => Modifier::Whole,
        Some("iframe" | "frame") => Modifier::Frame,
        Some("image") => Modifier::Image,
        Some("style") => Modifier::Style,
        Some("script") => Modifier::Script,
        _ => Modifier::Other,
    }
}

/// What browsers say that a request is for.
pub(super) fn destination(headers: &HeaderMap) -> Option<&str> {
    headers.get("sec-fetch-dest")?.to_str().ok()
}
