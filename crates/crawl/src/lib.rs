//! Decides what to fetch next, and fetches it: the only crate that touches the Web.

mod fetch;
mod frontier;

pub use fetch::{FetchError, FetchLimits, fetch, fetch_blocking};
pub use frontier::{
    Batch, Claim, Counts, Decision, DueVisit, Ending, Find, Frontier, FrontierError, HostId, Known, Stage, UrlId, Via,
    Want,
};
