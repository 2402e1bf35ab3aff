//! Decides what to fetch next, and fetches it: the only crate that touches the Web.

mod canonical;
mod directives;
mod escapes;
mod fetch;
mod focus;
mod frontier;
mod guard;
mod links;
mod revisit;
mod robots;
mod scope;
mod sitemap;
mod soft_404;
mod trap;
mod wildcard;

pub use canonical::canonical;
pub use directives::{AGENT, Directives};
pub use fetch::{
    FakeWeb, Fetch, FetchError, FetchLimits, FetchOptions, FetchRequest, LookUp, Post, Resolve, Wait, Web,
    decoded_body, fetch_blocking, fetch_following, post_blocking, redirect_target,
};
pub use focus::{
    Example, Focus, FocusBlock, FocusLink, FocusPage, FocusSettings, Judgement, LinkJudgement, Reasons, Skip, Topic,
    TopicError,
};
pub use frontier::{
    Batch, Claim, Counts, Decision, DueVisit, Ending, Find, Frontier, FrontierError, HostId, Known, Stage, UrlId, Via,
    Want,
};
pub use guard::{Guard, Refusal, is_public};
pub use links::{
    LINKS_MAX, Link, LinkKind, PageLinks, REQUISITES_MAX, Requisite, RequisiteKind, css_links, read_links,
    read_requisites,
};
pub use revisit::{ChangeRate, NextVisit, RevisitBounds, Visit, next_visit, price_for};
pub use robots::{
    ROBOTS_ASKED_AGAIN_AFTER, ROBOTS_BYTES_MAX, ROBOTS_GIVEN_UP_AFTER, ROBOTS_KEPT_FOR, ROBOTS_REDIRECTS_MAX, Robots,
    RobotsAnswer, RobotsOutcome, judge_robots,
};
pub use scope::{OutOfScope, Scope, ScopeKind, registered_domain};
pub use sitemap::{SITEMAP_BYTES_MAX, SITEMAP_DEPTH_MAX, SITEMAP_ENTRIES_MAX, Sitemap, SitemapPage, read_sitemap};
pub use soft_404::looks_like_soft_404;
pub use trap::{Trap, TrapLimits, TrapWatch, check_trap};
