//! Fetches pages from the Web: the only crate that touches it.

mod fetch;
mod focus;

pub use fetch::{FetchError, FetchLimits, fetch, fetch_blocking};
pub use focus::{
    Example, Focus, FocusBlock, FocusLink, FocusPage, FocusSettings, Judgement, LinkJudgement, Reasons, Skip, Topic,
    TopicError,
};
