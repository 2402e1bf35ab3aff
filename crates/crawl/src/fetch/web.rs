//! The network: asks servers over HTTP/1.1 and HTTP/2, over connections that stay open.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, Uri, Version};
use hyper_util::client::legacy::{self, Client};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use kuai_page::{Capture, Timestamp, Url};
use tokio::time::{Instant, timeout};

use super::body::{BodyFailure, read_body};
use super::connect::{Connector, Resolve, SystemResolver};
use super::cookies::Jar;
use super::decode::{self, Decoded};
use super::failure::{broke_before_answer, innermost, no_answer};
use super::{Fetch, FetchError, FetchLimits, FetchOptions, FetchRequest, Wait};
use crate::guard::Guard;

/// The Web, asked over the network. Connections are kept open and shared, so one `Web` serves a whole crawl.
///
/// It belongs to the async runtime that its first fetch ran on. It uses no proxy: behind one, nobody could tell which
/// addresses are asked.
pub struct Web {
    client: Client<Connector, Empty<Bytes>>,
    guard: Guard,
    jar: Jar,
    /// What every request says.
    headers: HeaderMap,
    limits: FetchLimits,
}

/// What is accepted: pages first, everything else as well.
const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
/// Connections that wait for the next request to their host.
const IDLE_CONNECTIONS_MAX: usize = 4;
/// How long they wait: longer than a polite pause, shorter than servers do.
const IDLE_CONNECTION_TIME: Duration = Duration::from_secs(15);

impl Web {
    /// The Web as the system sees it.
    pub fn new(options: &FetchOptions) -> Result<Web, FetchError> {
        Web::with_resolver(options, Arc::new(SystemResolver))
    }

    /// The Web with names looked up elsewhere.
    pub fn with_resolver(options: &FetchOptions, resolver: Arc<dyn Resolve>) -> Result<Web, FetchError> {
        let limits = options.limits.clone();
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_CONNECTION_TIME)
            .pool_max_idle_per_host(IDLE_CONNECTIONS_MAX)
            // The client asks for at least 8 KiB; it reads bodies through the same buffer.
            .http1_max_buf_size(limits.header_bytes.max(8 << 10))
            .http1_max_headers(limits.header_count)
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http2_max_header_list_size(u32::try_from(limits.header_bytes).unwrap_or(u32::MAX))
            .build(Connector::new(options, resolver));
        let guard = Guard { allow_private: options.allow_private };
        Ok(Web { client, guard, jar: Jar::default(), headers: standing_headers(options)?, limits })
    }

    /// What one request says, `Host` left to the protocol.
    fn headers(&self, request: &FetchRequest, url: &Url, now: Timestamp) -> HeaderMap {
        let mut headers = self.headers.clone();
        let cookies = self.jar.header(url, now).map(String::into_bytes);
        let said = [
            (header::COOKIE, cookies.as_ref()),
            (header::IF_NONE_MATCH, request.etag.as_ref()),
            (header::IF_MODIFIED_SINCE, request.last_modified.as_ref()),
        ];
        for (name, value) in said {
            // A tag that cannot be sent back is left out: the page then comes whole, which is right as well.
            if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value).ok()) {
                headers.insert(name, value);
            }
        }
        headers
    }

    /// Sends the request until an answer begins, twice at most: a connection that was kept open may have been closed meanwhile.
    async fn ask(&self, uri: &Uri, headers: &HeaderMap) -> Result<Response<Incoming>, legacy::Error> {
        let request = || {
            let mut request = Request::new(Empty::new());
            *request.method_mut() = Method::GET;
            *request.uri_mut() = uri.clone();
            *request.headers_mut() = headers.clone();
            request
        };
        match self.client.request(request()).await {
            Err(error) if broke_before_answer(&error) => self.client.request(request()).await,
            answer => answer,
        }
    }

    /// The answer's body, decoded where that is possible, and whether it was.
    async fn body(
        &self,
        response: Response<Incoming>,
        url: &Url,
        asked: Instant,
    ) -> Result<(Vec<u8>, bool), FetchError> {
        let encodings = response.headers().get_all(header::CONTENT_ENCODING).iter();
        let codings = decode::codings(encodings.map(HeaderValue::as_bytes)).unwrap_or_default();
        let length = response.body().size_hint().exact();
        let read = read_body(response.into_body(), length, asked, &self.limits).await;
        let raw = read.map_err(|failure| match failure {
            BodyFailure::TooLarge => FetchError::BodyTooLarge(url.clone(), self.limits.body_bytes),
            BodyFailure::TimedOut(wait) => FetchError::TimedOut(url.clone(), wait),
            BodyFailure::BrokenOff(error) => FetchError::BrokenOff(url.clone(), innermost(&error)),
        })?;
        if codings.is_empty() || raw.is_empty() {
            return Ok((raw, false));
        }
        match decode::decode(&raw, &codings, &self.limits) {
            Decoded::Plain(body) => Ok((body, true)),
            Decoded::Lie => Ok((raw, false)),
            Decoded::Bomb => Err(FetchError::Bomb(url.clone(), self.limits.ratio)),
            Decoded::TooLarge => Err(FetchError::BodyTooLarge(url.clone(), self.limits.body_bytes)),
        }
    }
}

impl Fetch for Web {
    async fn fetch(&self, request: &FetchRequest) -> Result<Capture, FetchError> {
        self.guard.check_url(&request.url).map_err(|refusal| FetchError::Refused(request.url.clone(), refusal))?;
        let url = address_asked(&request.url);
        let uri = Uri::try_from(url.as_str()).map_err(|_| FetchError::Address(url.clone()))?;
        let (time, asked) = (Timestamp::now(), Instant::now());
        let sent = self.headers(request, &url, time);
        let answer = timeout(self.limits.first_byte_time.min(self.limits.whole_time), self.ask(&uri, &sent)).await;
        let response = match answer {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(no_answer(url, &error)),
            Err(_) => return Err(FetchError::TimedOut(url, Wait::FirstByte)),
        };
        let cookies = response.headers().get_all(header::SET_COOKIE).iter();
        self.jar.keep(&url, cookies.map(HeaderValue::as_bytes), time);
        let mut capture = head(&response, Capture::new(url.clone(), time, Vec::new()), &uri, &sent);
        let (body, decoded) = self.body(response, &url, asked).await?;
        rename_untrue(&mut capture, body.len(), decoded);
        Ok(Capture { body, ..capture })
    }
}

fn standing_headers(options: &FetchOptions) -> Result<HeaderMap, FetchError> {
    let said = [
        (header::USER_AGENT, options.user_agent()),
        (header::ACCEPT, ACCEPT.to_owned()),
        (header::ACCEPT_LANGUAGE, options.languages.clone()),
        (header::ACCEPT_ENCODING, decode::ACCEPT_ENCODING.to_owned()),
    ];
    let line = |(name, value): (HeaderName, String)| match HeaderValue::try_from(&value) {
        Ok(header) => Ok((name, header)),
        Err(_) => Err(FetchError::Options(format!("{name} cannot be {value:?}: a header is one line"))),
    };
    said.into_iter().map(line).collect()
}

/// An address as it is asked: its fragment stays with the reader, and credentials are never sent.
fn address_asked(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    // An error only says that such an address has no room for credentials.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// All of the answer but the body.
fn head(response: &Response<Incoming>, mut capture: Capture, uri: &Uri, sent: &HeaderMap) -> Capture {
    let is_http1 = matches!(response.version(), Version::HTTP_10 | Version::HTTP_11);
    if is_http1 {
        let host = uri.authority().map_or("", |authority| authority.as_str());
        capture.request.headers.push(("host".to_owned(), host.as_bytes().to_vec()));
    }
    capture.request.headers.extend(lines(sent));
    capture.headers = lines(response.headers()).collect();
    capture.status = response.status().as_u16();
    capture.protocol = match response.version() {
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2.0",
        _ => "HTTP/1.1",
    }
    .to_owned();
    let own_words = response.extensions().get::<hyper::ext::ReasonPhrase>();
    capture.reason = match own_words {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None if is_http1 => response.status().canonical_reason().unwrap_or_default().to_owned(),
        None => String::new(),
    };
    capture
}

fn lines(headers: &HeaderMap) -> impl Iterator<Item = (String, Vec<u8>)> {
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
}

/// Renames the header lines that no longer describe the body as it is kept.
fn rename_untrue(capture: &mut Capture, body_len: usize, decoded: bool) {
    // The length in "304 Not Modified" is that of the page which was not sent again.
    let length_matters = capture.status != 304;
    for (name, value) in &mut capture.headers {
        let untrue = match name.as_str() {
            "transfer-encoding" => true,
            "content-encoding" => decoded,
            "content-length" => length_matters && value != body_len.to_string().as_bytes(),
            _ => false,
        };
        if untrue {
            name.insert_str(0, "x-orig-");
        }
    }
}
