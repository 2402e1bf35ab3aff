//! Which headers of an archived answer are passed on: those that describe its body. All others come under another name, where they are told and
//! do nothing: cookies, policies, service workers, preloads, refreshes.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use kuai_page::Capture;

/// Header lines that are passed on, and bytes of each.
const COUNT_MAX: usize = 64;
const BYTES_MAX: usize = 4096;

/// What describes the body and nothing else.
const DESCRIPTIVE: [&str; 3] = ["content-type", "content-language", "content-disposition"];

/// What describes the bytes as they came, and only those.
const DESCRIPTIVE_OF_BYTES: [&str; 3] = ["content-encoding", "etag", "last-modified"];

/// What would be untrue under any name.
const OF_THE_CONNECTION: [&str; 6] =
    ["connection", "keep-alive", "transfer-encoding", "upgrade", "trailer", "proxy-connection"];

/// The headers of a capture as far as they are passed on; `is_raw` where its bytes are, too.
pub(super) fn passed_on(capture: &Capture, is_raw: bool) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in capture.headers.iter().take(COUNT_MAX).filter(|(_, value)| value.len() <= BYTES_MAX) {
        let lower = name.to_ascii_lowercase();
        let is_described = DESCRIPTIVE.contains(&lower.as_str()) && !headers.contains_key(&lower);
        let is_kept = is_described || is_raw && DESCRIPTIVE_OF_BYTES.contains(&lower.as_str());
        if OF_THE_CONNECTION.contains(&lower.as_str()) {
            continue;
        }
        let name = if is_kept { lower } else { format!("x-archive-orig-{lower}") };
        let pair = HeaderName::try_from(name).ok().zip(HeaderValue::from_bytes(value).ok());
        headers.extend(pair);
    }
    headers
}
