//! Fetches pages from the Web: the only crate that touches it.

mod fetch;
mod guard;

pub use fetch::{
    FakeWeb, Fetch, FetchError, FetchLimits, FetchOptions, FetchRequest, LookUp, Resolve, Wait, Web, fetch_blocking,
    fetch_following, redirect_target,
};
pub use guard::{Guard, Refusal, is_public};
