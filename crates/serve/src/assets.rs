//! The few files that pages need: style, scripts, the icon. They are part of the program, and their addresses hold a hash of what is in them, so that a
//! browser may keep them for ever.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use kuai::ContentHash;

use crate::refusal::Refusal;

/// Where they are.
pub(crate) const ASSETS: &str = "/assets/{name}";

/// One file: name, type, content.
type File = (&'static str, &'static str, &'static str);

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All of them. A new script is one line here, and one in the template that loads it.
const FILES: &[File] = &[
    ("style.css", CSS, include_str!("../ui/style.css")),
    ("icon.svg", "image/svg+xml", include_str!("../ui/icon.svg")),
    ("sliders.js", SCRIPT, include_str!("../ui/sliders.js")),
    ("drawing.js", SCRIPT, include_str!("../ui/drawing.js")),
    ("live.js", SCRIPT, include_str!("../ui/live.js")),
    ("view.js", SCRIPT, include_str!("../ui/view.js")),
];

/// Names with hashes in them, in the order of the files: `style.0123456789abcdef.css`.
static HASHED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let hashed = |(name, _, content): &File| {
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        format!("{stem}.{:.16}.{ending}", ContentHash::of(content.as_bytes()).to_string())
    };
    FILES.iter().map(hashed).collect()
});

/// The address of a file. Templates ask for it by name; one that is not there is our own slip, which a test of any page finds.
pub(crate) fn address(name: &str) -> String {
    let place = FILES.iter().position(|(known, ..)| *known == name);
    let place = place.expect("templates name files that are listed here");
    format!("/assets/{}", HASHED[place])
}

/// `GET /assets/…`
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    match HASHED.iter().position(|known| *known == name) {
        Some(place) => {
            let (_, content_type, content) = FILES[place];
            let kept = "public, max-age=31536000, immutable";
            ([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, kept)], content).into_response()
        }
        None => Refusal::not_found("there is no such file").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_a_hash_of_what_is_there() {
        let address = address("style.css");
        assert!(address.starts_with("/assets/style.") && address.ends_with(".css"), "{address}");
        assert_eq!(address.len(), "/assets/style..css".len() + 16);
    }
}
