//! Reads the HTTP client's errors, which say in a chain of causes what went wrong.

use std::error::Error;
use std::io;

use hyper_util::client::legacy;
use kuai_page::Url;

use super::connect::ConnectFailure;
use super::{FetchError, Wait};

/// Why no answer began.
pub(super) fn no_answer(url: Url, error: &legacy::Error) -> FetchError {
    if let Some(failure) = in_chain::<ConnectFailure>(error) {
        return match failure.clone() {
            ConnectFailure::Refused(refusal) => FetchError::Refused(url, refusal),
            ConnectFailure::Dns(cause) => FetchError::Dns(url, cause),
            ConnectFailure::Unreachable(cause) => FetchError::Unreachable(url, cause),
            ConnectFailure::Tls(cause) => FetchError::Tls(url, cause),
            ConnectFailure::TimedOut => FetchError::TimedOut(url, Wait::Connect),
        };
    }
    match in_chain::<hyper::Error>(error) {
        Some(error) if error.is_parse_too_large() => FetchError::HeadTooLarge(url),
        Some(error) if error.is_parse() => FetchError::NotHttp(url, innermost(error)),
        _ => FetchError::BrokenOff(url, innermost(error)),
    }
}

/// Whether the connection ended before any answer, so that asking again on a new one may help.
pub(super) fn broke_before_answer(error: &legacy::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    let cut = |error: &io::Error| matches!(error.kind(), BrokenPipe | ConnectionAborted | ConnectionReset);
    in_chain::<hyper::Error>(error).is_some_and(|error| error.is_incomplete_message() || error.is_closed())
        || !error.is_connect() && in_chain::<io::Error>(error).is_some_and(cut)
}

/// The first error of a kind among an error and its causes.
fn in_chain<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    causes(error).find_map(|error| error.downcast_ref())
}

/// The last cause, which says most.
pub(super) fn innermost(error: &(dyn Error + 'static)) -> String {
    causes(error).last().map(ToString::to_string).unwrap_or_default()
}

/// An error, its cause, the cause's cause.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}
