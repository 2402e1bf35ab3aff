//! Fetches pages from the Web: the only crate that touches it.

mod fetch;

pub use fetch::{FetchError, FetchLimits, fetch, fetch_blocking};
