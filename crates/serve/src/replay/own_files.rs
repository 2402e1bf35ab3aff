//! The few files of ours that the replay side needs: the style of the frame, the script that leads addresses into the archive, and the one that draws over pages.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// What the addresses of all of them begin with.
pub(super) const OWN_FILES: &str = "/_kuai/";

/// Where the style of the frame is.
pub(super) const SHEET_PATH: &str = "/_kuai/frame.css";

/// Where the script is that draws blocks over a page.
pub(super) const DRAWN_PATH: &str = "/_kuai/drawn.js";
/// Where the script is that draws over pages.
pub(super) const OVERLAY_PATH: &str = "/_kuai/overlay.js";

const SCRIPT_PATH: &str = "/_kuai/ways.js";

/// What a page in the frame begins with.
pub(super) const BEGIN: &str = "<script src=\"/_kuai/ways.js\"></script>";

/// One of our files.
pub(super) fn own_file(path: &str) -> Option<Response> {
    let (content_type, text) = match path {
        SHEET_PATH => ("text/css; charset=utf-8", include_str!("frame.css")),
        SCRIPT_PATH => ("text/javascript; charset=utf-8", include_str!("ways.js")),
        DRAWN_PATH => ("text/javascript; charset=utf-8", include_str!("drawn.js")),
        OVERLAY_PATH => ("text/javascript; charset=utf-8", include_str!("overlay.js")),
        _ => return None,
    };
    Some(([(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "no-cache")], text).into_response())
}
