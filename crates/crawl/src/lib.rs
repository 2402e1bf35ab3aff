//! Fetches pages from the Web: the only crate that touches it.

mod fetch;
mod revisit;

pub use fetch::{FetchError, FetchLimits, fetch, fetch_blocking};
pub use revisit::{ChangeRate, NextVisit, RevisitBounds, Visit, next_visit, price_for};
