//! Asks addresses of the Web and gives each answer as one capture: one fetch is one hop, redirects are answers.
//!
//! The body is kept as the server holds it: chunks are joined and compression is undone, since neither belongs to the
//! page. Header lines that this made untrue (`Content-Encoding`, `Content-Length`, `Transfer-Encoding`) stay under the name
//! `x-orig-…`, as other archives of the Web do, so that body and headers agree. A body that does not decode as its header
//! says is kept as it came, under its header. A body that could not be had whole is an error, never half a capture.

mod body;
mod connect;
mod cookies;
mod decode;
mod error;
mod failure;
mod fake;
mod options;
mod post;
mod web;

use kuai_page::{Capture, Url};

pub use connect::{LookUp, Resolve};
pub use decode::decoded_body;
pub use error::{FetchError, Wait};
pub use fake::FakeWeb;
pub use options::{FetchLimits, FetchOptions};
pub use post::{Post, post_blocking};
pub use web::Web;

/// What to ask for, and what is known of it from the last visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchRequest {
    /// The address.
    pub url: Url,
    /// The `ETag` of the last answer: unless it changed, the answer is 304 and has no body.
    pub etag: Option<Vec<u8>>,
    /// The `Last-Modified` of the last answer, to the same end.
    pub last_modified: Option<Vec<u8>>,
}

impl From<Url> for FetchRequest {
    fn from(url: Url) -> FetchRequest {
        FetchRequest { url, etag: None, last_modified: None }
    }
}

/// Whoever can be asked for pages: the network, or a web made up for a test.
pub trait Fetch: Send + Sync {
    /// Asks once; whatever the server answers is a capture, also an error status or a redirect.
    fn fetch(&self, request: &FetchRequest) -> impl Future<Output = Result<Capture, FetchError>> + Send;
}

/// Where an answer sends its reader, if it is a redirect.
pub fn redirect_target(capture: &Capture) -> Option<Url> {
    if !matches!(capture.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let mut target = capture.url.join(&String::from_utf8_lossy(capture.header("location")?)).ok()?;
    // What a fragment points at stays the same behind the redirect, but it is never asked for.
    target.set_fragment(None);
    Some(target)
}

/// Asks an address and where it redirects to, and gives the last answer.
pub async fn fetch_following(web: &impl Fetch, url: &Url, redirects_max: usize) -> Result<Capture, FetchError> {
    let mut request = FetchRequest::from(url.clone());
    for _ in 0..=redirects_max {
        let capture = web.fetch(&request).await?;
        match redirect_target(&capture) {
            Some(target) => request.url = target,
            None => return Ok(capture),
        }
    }
    Err(FetchError::Redirects(url.clone(), redirects_max))
}

/// The page at an address, redirects followed, for callers that are not async and want only one.
pub fn fetch_blocking(url: &Url, options: &FetchOptions) -> Result<Capture, FetchError> {
    const REDIRECTS_MAX: usize = 10;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FetchError::Options(format!("no runtime can be started: {error}")))?;
    runtime.block_on(async { fetch_following(&Web::new(options)?, url, REDIRECTS_MAX).await })
}
