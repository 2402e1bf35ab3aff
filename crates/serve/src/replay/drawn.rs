//! Pages that somebody looks into, drawn with their blocks: shown in a sandbox, without any script but ours and without anything from elsewhere.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use encoding_rs::UTF_8;
use kuai_page::Url;

use super::own_files::DRAWN_PATH;
use super::rewrite::{Links, html};
use crate::origins::Origins;
use crate::shared::Shared;

/// Where they are, each by its name.
pub(super) const DRAWN: &str = "/_kuai/drawn/";

/// Where a draft is drawn.
pub(crate) fn drawn_path(name: &str) -> String {
    format!("{DRAWN}{name}")
}

/// A page that is not in the archive, ready to be drawn: as it is, but for our script in front, which is told what each block is.
pub(crate) fn live_draft(marked: &str, kinds: &[&str]) -> String {
    let begin = marked.find(|letter: char| !letter.is_whitespace() && letter != '\u{feff}').unwrap_or(0);
    let is_doctype = marked.get(begin..begin + 9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
    // In front of the doctype it would make browsers draw the page by older rules.
    let place = marked[begin..].find('>').filter(|_| is_doctype).map_or(0, |end| begin + end + 1);
    format!("{}{}{}", &marked[..place], script(kinds), &marked[place..])
}

/// A page of the archive, ready to be drawn with what it needs to be shown, which lies under this prefix.
pub(crate) fn archived_draft(marked: &str, kinds: &[&str], url: &Url, prefix: &str, stamp: &str) -> String {
    html(marked, Links::new(url, prefix, stamp, UTF_8), &script(kinds))
}

fn script(kinds: &[&str]) -> String {
    format!("<script src=\"{DRAWN_PATH}\" data-kinds=\"{}\"></script>", kinds.join(" "))
}

/// A draft, as far as it is still there.
pub(super) fn drawn(shared: &Shared, origins: &Origins, name: &str) -> Option<Response> {
    let draft = shared.drafts.get(name)?;
    let mut response = draft.html.clone().into_response();
    let headers = response.headers_mut();
    let shown = if draft.is_archived { format!("{}/{}/", origins.replay, shared.token) } else { String::new() };
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; script-src {replay}{DRAWN_PATH}; style-src 'unsafe-inline' {shown}; img-src data: {shown}; \
         font-src data: {shown}; media-src data: {shown}; base-uri 'none'; form-action 'none'; frame-ancestors {main}",
        replay = origins.replay,
        main = origins.main,
    );
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("origin-agent-cluster"), "?1"),
    ] {
        headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
    }
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_script_stands_behind_the_doctype() {
        let script = script(&["main", "noise"]);
        assert!(script.contains("data-kinds=\"main noise\""));
        for (page, expected) in [
            ("<!DOCTYPE html><p>x", format!("<!DOCTYPE html>{script}<p>x")),
            ("\n <!doctype html>\n<p>x", format!("\n <!doctype html>{script}\n<p>x")),
            ("<p>é", format!("{script}<p>é")),
            ("", script.clone()),
            ("<!doctyp", format!("{script}<!doctyp")),
        ] {
            assert_eq!(live_draft(page, &["main", "noise"]), expected);
        }
    }
}
