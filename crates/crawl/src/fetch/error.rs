//! Why a page could not be fetched, told apart by what the caller can do about it.

use std::fmt;

use kuai_page::Url;

use crate::guard::Refusal;

/// Why a page could not be fetched. Each names the URL that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchError {
    /// The address is not one to ask; see [`Guard`](crate::Guard).
    Refused(Url, Refusal),
    /// The address cannot be written into a request: it is too long.
    Address(Url),
    /// The host's name leads nowhere.
    Dns(Url, String),
    /// Nobody listens at the host's addresses, or no way leads there.
    Unreachable(Url, String),
    /// No trusted secure connection could be made.
    Tls(Url, String),
    /// A wait was over its limit.
    TimedOut(Url, Wait),
    /// The answer broke off before its end.
    BrokenOff(Url, String),
    /// What came back is not HTTP.
    NotHttp(Url, String),
    /// The answer's head is larger than the limit.
    HeadTooLarge(Url),
    /// The body is larger than this many bytes.
    BodyTooLarge(Url, usize),
    /// The compressed body grows beyond the allowed ratio.
    Bomb(Url, usize),
    /// More redirects than this came one after the other.
    Redirects(Url, usize),
    /// The options cannot be used: what is wrong with them.
    Options(String),
}

/// What was waited for when the time was up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wait {
    /// The connection.
    Connect,
    /// The answer's head.
    FirstByte,
    /// The next piece of the body.
    Idle,
    /// A body that came more slowly than the lowest rate.
    Drip,
    /// The whole answer.
    Whole,
}

impl FetchError {
    /// The address that could not be fetched.
    pub fn url(&self) -> Option<&Url> {
        match self {
            FetchError::Options(_) => None,
            FetchError::Refused(url, _)
            | FetchError::Address(url)
            | FetchError::Dns(url, _)
            | FetchError::Unreachable(url, _)
            | FetchError::Tls(url, _)
            | FetchError::TimedOut(url, _)
            | FetchError::BrokenOff(url, _)
            | FetchError::NotHttp(url, _)
            | FetchError::HeadTooLarge(url)
            | FetchError::BodyTooLarge(url, _)
            | FetchError::Bomb(url, _)
            | FetchError::Redirects(url, _) => Some(url),
        }
    }

    /// One word for lists and counts, the same in every release.
    pub fn kind(&self) -> &'static str {
        match self {
            FetchError::Refused(_, Refusal::Private(_)) => "private",
            FetchError::Refused(..) | FetchError::Address(_) => "address",
            FetchError::Dns(..) => "dns",
            FetchError::Unreachable(..) => "unreachable",
            FetchError::Tls(..) => "tls",
            FetchError::TimedOut(..) => "timeout",
            FetchError::BrokenOff(..) => "broken-off",
            FetchError::NotHttp(..) => "not-http",
            FetchError::HeadTooLarge(_) | FetchError::BodyTooLarge(..) => "too-large",
            FetchError::Bomb(..) => "bomb",
            FetchError::Redirects(..) => "redirects",
            FetchError::Options(_) => "options",
        }
    }

    /// Whether trying again later can help.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            FetchError::Dns(..) | FetchError::Unreachable(..) | FetchError::TimedOut(..) | FetchError::BrokenOff(..)
        )
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(url) = self.url() {
            write!(out, "{url} could not be fetched: ")?;
        }
        match self {
            FetchError::Refused(_, refusal) => write!(out, "{refusal}"),
            FetchError::Address(_) => write!(out, "the address is too long"),
            FetchError::Dns(_, cause) => write!(out, "the host's name is not known ({cause})"),
            FetchError::Unreachable(_, cause) => write!(out, "the host cannot be reached ({cause})"),
            FetchError::Tls(_, cause) => write!(out, "no secure connection ({cause})"),
            FetchError::TimedOut(_, wait) => write!(out, "{wait}"),
            FetchError::BrokenOff(_, cause) => write!(out, "the answer broke off ({cause})"),
            FetchError::NotHttp(_, cause) => write!(out, "the answer is not HTTP ({cause})"),
            FetchError::HeadTooLarge(_) => write!(out, "the answer's headers are too large"),
            FetchError::BodyTooLarge(_, limit) => write!(out, "it is larger than {limit} bytes"),
            FetchError::Bomb(_, ratio) => write!(out, "its compressed body grows more than {ratio} times"),
            FetchError::Redirects(_, limit) => write!(out, "more than {limit} redirects"),
            FetchError::Options(cause) => write!(out, "{cause}"),
        }
    }
}

impl std::error::Error for FetchError {}

impl fmt::Display for Wait {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Wait::Connect => "connecting took too long",
            Wait::FirstByte => "the host took too long to answer",
            Wait::Idle => "the host fell silent in the middle of the answer",
            Wait::Drip => "the answer comes too slowly",
            Wait::Whole => "the answer took too long",
        })
    }
}
