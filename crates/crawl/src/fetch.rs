//! Asks one address and gives its answer as a capture, byte for byte, within bounds of size and time.

use std::fmt;
use std::sync::Once;
use std::time::Duration;

use kuai_page::{Capture, Timestamp, Url};

/// How much and how long a fetch may take.
#[derive(Clone, Debug)]
pub struct FetchLimits {
    /// Bytes of the body.
    pub body_bytes: usize,
    /// From the first byte sent to the last received.
    pub time: Duration,
    /// Redirects followed.
    pub redirects: usize,
}

impl Default for FetchLimits {
    fn default() -> Self {
        FetchLimits { body_bytes: 64 << 20, time: Duration::from_secs(60), redirects: 10 }
    }
}

/// Why a page could not be fetched.
#[derive(Debug)]
#[non_exhaustive]
pub enum FetchError {
    /// Only http and https are fetched.
    Scheme(Url),
    /// The server could not be reached, or broke off.
    Network(Url, reqwest::Error),
    /// The answer is larger than the limit.
    TooLarge(Url, usize),
}

impl fmt::Display for FetchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchError::Scheme(url) => write!(out, "{url} is neither http nor https"),
            FetchError::Network(url, error) if error.is_timeout() => write!(out, "{url} took too long to answer"),
            FetchError::Network(url, error) if error.is_redirect() => write!(out, "{url} redirects without end"),
            FetchError::Network(url, _) => write!(out, "{url} could not be fetched"),
            FetchError::TooLarge(url, limit) => write!(out, "{url} answers with more than {limit} bytes"),
        }
    }
}

impl std::error::Error for FetchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FetchError::Network(_, error) => Some(error),
            _ => None,
        }
    }
}

/// Who asks, said openly.
const USER_AGENT: &str = concat!("kuai/", env!("CARGO_PKG_VERSION"));

/// Fetches one address; redirects are followed and the capture bears the last one's URL.
pub async fn fetch(url: &Url, limits: &FetchLimits) -> Result<Capture, FetchError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchError::Scheme(url.clone()));
    }
    let network = |error| FetchError::Network(url.clone(), error);
    let client = client(limits).map_err(network)?;
    let time = Timestamp::now();
    let mut response = client.get(url.clone()).send().await.map_err(network)?;
    let headers =
        response.headers().iter().map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
    let (url_at_last, status) = (response.url().clone(), response.status());
    let protocol = format!("{:?}", response.version());
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(network)? {
        if body.len() + chunk.len() > limits.body_bytes {
            return Err(FetchError::TooLarge(url.clone(), limits.body_bytes));
        }
        body.extend_from_slice(&chunk);
    }
    // The client does not give the reason phrase; the usual one stands in for it where the protocol has one.
    let reason = status.canonical_reason().filter(|_| protocol.starts_with("HTTP/1")).unwrap_or_default().to_owned();
    Ok(Capture { protocol, status: status.as_u16(), reason, headers, ..Capture::new(url_at_last, time, body) })
}

/// [`fetch`] for callers that are not async.
pub fn fetch_blocking(url: &Url, limits: &FetchLimits) -> Result<Capture, FetchError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime of one thread needs nothing that can be missing").block_on(fetch(url, limits))
}

fn client(limits: &FetchLimits) -> Result<reqwest::Client, reqwest::Error> {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        // An error only says that somebody installed one before us, which serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .timeout(limits.time)
        .redirect(reqwest::redirect::Policy::limited(limits.redirects))
        .build()
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Serves one answer on loopback and fetches it.
    fn fetch_answer(answer: &'static [u8], limits: &FetchLimits) -> Result<Capture, FetchError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = Url::parse(&format!("http://{}/page", listener.local_addr().unwrap())).unwrap();
            let serve = async {
                let (mut socket, _) = listener.accept().await.unwrap();
                let mut request = [0; 4096];
                let _ = socket.read(&mut request).await;
                socket.write_all(answer).await.unwrap();
                socket.shutdown().await.unwrap();
            };
            tokio::join!(fetch(&url, limits), serve).0
        })
    }

    #[test]
    fn the_body_and_headers_come_as_they_were_sent() {
        let answer = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html; charset=gbk\r\nContent-Length: 4\r\n\r\n\xc4\xe3\x00\xff";
        let capture = fetch_answer(answer, &FetchLimits::default()).unwrap();
        assert_eq!((capture.status, capture.body.as_slice()), (404, b"\xc4\xe3\x00\xff".as_slice()));
        assert_eq!(capture.charset(), Some("gbk"));
    }

    #[test]
    fn a_body_over_the_limit_is_refused() {
        let limits = FetchLimits { body_bytes: 3, ..FetchLimits::default() };
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour";
        assert!(matches!(fetch_answer(answer, &limits), Err(FetchError::TooLarge(_, 3))));
    }

    #[test]
    fn only_http_is_fetched() {
        let url = Url::parse("file:///etc/passwd").unwrap();
        assert!(matches!(fetch_blocking(&url, &FetchLimits::default()), Err(FetchError::Scheme(_))));
    }
}
