//! Tells a server something: one POST, by the same guard and the same waits as every fetch.

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use kuai_page::Url;
use tokio::time::timeout;

use super::connect::{Connector, SystemResolver};
use super::failure::no_answer;
use super::{FetchError, FetchOptions, Wait};
use crate::guard::Guard;

/// What is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// The address.
    pub url: Url,
    /// Header lines beside the usual ones.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Posts once and gives the status of the answer, whose body nobody reads. Redirects are answers.
pub fn post_blocking(post: &Post, options: &FetchOptions) -> Result<u16, FetchError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| FetchError::Options(format!("no runtime can be started: {error}")))?;
    runtime.block_on(send(post, options))
}

async fn send(post: &Post, options: &FetchOptions) -> Result<u16, FetchError> {
    let (url, limits) = (&post.url, &options.limits);
    let guard = Guard { allow_private: options.allow_private };
    guard.check_url(url).map_err(|refusal| FetchError::Refused(url.clone(), refusal))?;
    let mut request = Request::new(Full::new(Bytes::from(post.body.clone())));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = Uri::try_from(url.as_str()).map_err(|_| FetchError::Address(url.clone()))?;
    *request.headers_mut() = headers(post, options)?;
    let client = Client::builder(TokioExecutor::new())
        .http1_max_headers(limits.header_count)
        .build(Connector::new(options, Arc::new(SystemResolver)));
    match timeout(limits.first_byte_time.min(limits.whole_time), client.request(request)).await {
        Ok(Ok(answer)) => Ok(answer.status().as_u16()),
        Ok(Err(error)) => Err(no_answer(url.clone(), &error)),
        Err(_) => Err(FetchError::TimedOut(url.clone(), Wait::FirstByte)),
    }
}

fn headers(post: &Post, options: &FetchOptions) -> Result<HeaderMap, FetchError> {
    let agent = (header::USER_AGENT.to_string(), options.user_agent());
    let line = |(name, value): &(String, String)| {
        let bad = || FetchError::Options(format!("{name} cannot be {value:?}: a header is one line"));
        let header = HeaderName::try_from(name).map_err(|_| bad())?;
        Ok((header, HeaderValue::try_from(value).map_err(|_| bad())?))
    };
    [agent].iter().chain(&post.headers).map(line).collect()
}
