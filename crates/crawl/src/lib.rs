//! Decides what to fetch next, and fetches it: the only crate that touches the Web.

mod fetch;
mod frontier;
mod guard;
mod revisit;

pub use fetch::{
    FakeWeb, Fetch, FetchError, FetchLimits, FetchOptions, FetchRequest, LookUp, Resolve, Wait, Web, fetch_blocking,
    fetch_following, redirect_target,
};
pub use frontier::{
    Batch, Claim, Counts, Decision, DueVisit, Ending, Find, Frontier, FrontierError, HostId, Known, Stage, UrlId, Via,
    Want,
};
pub use guard::{Guard, Refusal, is_public};
pub use revisit::{ChangeRate, NextVisit, RevisitBounds, Visit, next_visit, price_for};
