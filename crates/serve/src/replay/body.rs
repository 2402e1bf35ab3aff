//! The body of an archived answer as it is sent: as it came, or with its addresses in the archive.

use std::borrow::Cow;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use encoding_rs::{ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use http_body::{Frame, SizeHint};
use kuai::Snapshot;
use kuai_crawl::{FetchLimits, decoded_body};
use kuai_page::{Capture, decode, encode};

use super::address::WEB;
use super::modifier::Modifier;
use super::overlay::Overlay;
use super::own_files::BEGIN;
use super::rewrite::{Links, css, html};
use crate::readers::Room;

/// Bytes that are handed over at a time.
const CHUNK: usize = 64 << 10;

/// A body, and what it is now.
pub(super) struct Prepared {
    pub(super) bytes: Vec<u8>,
    /// The type, where it is not that of the capture's own header.
    pub(super) content_type: Option<String>,
}

/// The bytes as they came.
pub(super) fn raw(capture: Capture) -> Prepared {
    let content_type = capture.header("content-type").is_none().then(|| "application/octet-stream".to_owned());
    Prepared { bytes: capture.body, content_type }
}

/// Where a body is shown, and as what.
pub(super) struct Place {
    /// What its addresses begin with: `/web/`.
    pub(super) prefix: String,
    /// The 14 digits behind that.
    pub(super) stamp: String,
    pub(super) modifier: Modifier,
}

/// The body of a capture without the codings that its headers name, where they are true.
fn plain(capture: &Capture) -> Cow<'_, [u8]> {
    let codings = capture.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("content-encoding"));
    let plain = decoded_body(&capture.body, codings.map(|(_, value)| value.as_slice()), &FetchLimits::default());
    plain.map_or(Cow::Borrowed(&capture.body), Cow::Owned)
}

/// What a browser is to see of a capture, and what is drawn over it.
pub(super) fn prepared(snapshot: Snapshot, place: &Place, overlay: Option<&Overlay>) -> Prepared {
    let Place { prefix, stamp, modifier } = place;
    let is_page = snapshot.info.is_page;
    let capture = &snapshot.capture;
    let mime = mime(capture);
    let plain = plain(capture);
    match Kind::of(*modifier, &mime, is_page) {
        Kind::Page => {
            let known = Some(snapshot.outline.charset.as_str()).filter(|known| !known.is_empty());
            let decoded = decode(&plain, known.or(capture.charset()));
            let links = Links::new(&capture.url, prefix, stamp, decoded.encoding);
            // Where it is not shown in our frame it is somebody's who wants the page and nothing of ours.
            let begin = if prefix == WEB { "" } else { BEGIN };
            let text = match overlay {
                // Blocks have their places in the page as the archive reads it.
                Some(overlay) => {
                    html(&overlay.marked(snapshot.page().source()), links, &(begin.to_owned() + &overlay.begin()))
                }
                None => html(&decoded.text, links, begin),
            };
            let is_plain_ascii = ![UTF_16LE, UTF_16BE, ISO_2022_JP].contains(&decoded.encoding);
            let (encoding, bom) = (decoded.encoding, decoded.bom);
            // Scripts, forms and frames of a page go by its charset, so it stays what it was where that can be.
            let same = if decoded.lossless && is_plain_ascii { encode(&text, encoding, bom) } else { None };
            let charset = if same.is_some() { encoding } else { UTF_8 };
            let mime = if mime.is_empty() { "text/html" } else { &mime };
            let content_type = Some(format!("{mime}; charset={}", charset.name()));
            Prepared { bytes: same.unwrap_or_else(|| text.into_bytes()), content_type }
        }
        Kind::Sheet => {
            let text = decode(&plain, capture.charset()).text;
            let bytes = css(&text, &Links::new(&capture.url, prefix, stamp, UTF_8)).into_bytes();
            Prepared { bytes, content_type: Some("text/css; charset=utf-8".to_owned()) }
        }
        Kind::Script => {
            let charset = capture.charset().map(|charset| format!("; charset={charset}")).unwrap_or_default();
            Prepared { bytes: plain.into_owned(), content_type: Some(format!("text/javascript{charset}")) }
        }
        Kind::Other => {
            let content_type = if is_vague(&mime) { Some(sniffed(&plain).to_owned()) } else { None };
            Prepared { bytes: plain.into_owned(), content_type }
        }
    }
}

/// What is done to a body.
enum Kind {
    Page,
    Sheet,
    Script,
    Other,
}

impl Kind {
    fn of(modifier: Modifier, mime: &str, is_page: bool) -> Kind {
        let is_html = matches!(mime, "text/html" | "application/xhtml+xml") || mime.is_empty() && is_page;
        match modifier {
            Modifier::Style if is_vague(mime) || is_html => Kind::Sheet,
            // Browsers run what a page asks for as a script under nearly any type, unless they are told not to guess, as we do.
            Modifier::Script if !is_script(mime) => Kind::Script,
            Modifier::Image | Modifier::Script => Kind::Other,
            _ if mime == "text/css" => Kind::Sheet,
            _ if is_html => Kind::Page,
            _ => Kind::Other,
        }
    }
}

fn mime(capture: &Capture) -> String {
    let value = capture.header("content-type").unwrap_or_default();
    let essence = value.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    String::from_utf8_lossy(essence).to_ascii_lowercase()
}

/// Whether a type says nothing.
fn is_vague(mime: &str) -> bool {
    matches!(
        mime,
        "" | "text/plain" | "application/octet-stream" | "application/x-unknown-content-type" | "unknown/unknown"
    )
}

fn is_script(mime: &str) -> bool {
    ["javascript", "ecmascript", "json", "wasm"].iter().any(|word| mime.contains(word))
}

/// The type that the first bytes tell.
fn sniffed(body: &[u8]) -> &'static str {
    let known: [(&[u8], &str); 9] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"GIF8", "image/gif"),
        (b"\xFF\xD8\xFF", "image/jpeg"),
        (b"BM", "image/bmp"),
        (b"\0\0\x01\0", "image/x-icon"),
        (b"wOFF", "font/woff"),
        (b"wOF2", "font/woff2"),
        (b"%PDF-", "application/pdf"),
        (b"<svg", "image/svg+xml"),
    ];
    let is_webp = body.starts_with(b"RIFF") && body.get(8..12) == Some(b"WEBP");
    match known.iter().find(|(start, _)| body.starts_with(start)) {
        Some((_, mime)) => mime,
        None if is_webp => "image/webp",
        None if body.iter().take(CHUNK).all(|byte| *byte >= b' ' || byte.is_ascii_whitespace()) => "text/plain",
        None => "application/octet-stream",
    }
}

/// Bytes on their way out, handed over bit by bit, so that their room is taken as long as they are.
pub(super) fn sending(bytes: Vec<u8>, room: Option<Room>) -> Body {
    Body::new(Sending { bytes: bytes.into(), _room: room })
}

struct Sending {
    bytes: Bytes,
    _room: Option<Room>,
}

impl http_body::Body for Sending {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let length = self.bytes.len().min(CHUNK);
        let chunk = self.bytes.split_to(length);
        Poll::Ready((length > 0).then(|| Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.len() as u64)
    }
}
