//! What a crawl visits next, when, and why: the trait that every place to keep it implements.
//!
//! An address goes through it once a crawl: found, ready, claimed, and then done, failed or skipped. Everything that is learnt
//! from one batch of pages is recorded at once, so a crawl that is killed at any moment goes on from the last batch.

use std::error;
use std::time::Duration;

use kuai_page::{Timestamp, Url};

/// What an address is known by within a crawl, in the order in which addresses were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlId(pub i64);

/// What a host is known by: a scheme, a name and a port together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostId(pub i64);

/// How an address came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// Given by the user.
    Seed,
    /// A link on a page.
    Link,
    /// A page sent us on to it.
    Redirect,
    /// A page says that it goes on there.
    Next,
    /// A sitemap or a feed lists it.
    Sitemap,
    /// A page needs it to be shown.
    Requisite,
    /// It was visited before and is due again.
    Again,
}

/// An address that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Find {
    /// The address, in its canonical form.
    pub url: Url,
    /// How it came to be known.
    pub via: Via,
    /// The address of the page that it was found on.
    pub parent: Option<UrlId>,
    /// Links between it and a seed.
    pub depth: u32,
    /// Redirects between it and a link.
    pub hops: u32,
    /// What is to be done with it.
    pub decision: Decision,
    /// Why, for people, and for whoever judges the page later.
    pub why: String,
}

/// What is to be done with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// It is not visited, unless it is found again in a better place.
    Skip,
    /// It is visited; higher numbers first, and those of one number in the order in which they were found.
    Follow(i32),
}

/// An address that is ours to visit.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The address.
    pub id: UrlId,
    /// Its host.
    pub host: HostId,
    /// See [`Find::url`].
    pub url: Url,
    /// See [`Find::via`].
    pub via: Via,
    /// See [`Find::depth`].
    pub depth: u32,
    /// See [`Find::hops`].
    pub hops: u32,
    /// How often it was tried before.
    pub attempts: u32,
    /// See [`Find::why`].
    pub why: String,
    /// Set where another worker had claimed it and never said what became of it: what the archive has of it behind this place of its
    /// change feed may be theirs.
    pub archived_after: Option<u64>,
}

/// How many addresses are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    /// At most so many.
    pub limit: usize,
    /// At most so many claims of one host at a time, those that are out already included.
    pub per_host: usize,
    /// How long they are ours; whoever has not answered by then has lost them.
    pub lease: Duration,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The server answered, and the answer is in the archive.
    Done {
        /// The HTTP status.
        status: u16,
    },
    /// It could not be had.
    Failed {
        /// Why, for people.
        reason: String,
    },
    /// It is not to be had.
    Skipped {
        /// Why, for people.
        reason: String,
    },
    /// It is tried again.
    Later {
        /// Not before this time.
        at: Timestamp,
        /// Why, for people.
        reason: String,
    },
    /// It was not tried.
    Unclaimed,
}

/// A visit that is planned beyond the crawl.
#[derive(Clone, Debug, PartialEq)]
pub struct DueVisit {
    /// The address.
    pub url: Url,
    /// When.
    pub due: Timestamp,
    /// Why then, for people.
    pub why: String,
}

/// What was learnt, to be recorded at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// What became of claims.
    pub endings: Vec<(UrlId, Ending)>,
    /// What was found; nothing happens to what is known already, unless it was found in a better place now.
    pub finds: Vec<Find>,
    /// Hosts that are to be left alone until a time.
    pub delays: Vec<(HostId, Timestamp)>,
    /// Hosts that are given up, with the reason: all that is ready there fails.
    pub blocks: Vec<(HostId, String)>,
    /// When to come back; replaces what was planned for the address before.
    pub visits: Vec<DueVisit>,
    /// The archive's change feed is worked off up to here.
    pub mark: Option<u64>,
    /// What the crawl has learnt about its topic.
    pub memory: Option<String>,
}

/// Where an address stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// To be visited.
    Ready,
    /// Being visited.
    Claimed,
    /// To be tried again later.
    Later,
    /// In the archive.
    Done,
    /// Could not be had.
    Failed,
    /// Not to be visited.
    Skipped,
}

impl Stage {
    /// All stages.
    pub const ALL: [Stage; 6] =
        [Stage::Ready, Stage::Claimed, Stage::Later, Stage::Done, Stage::Failed, Stage::Skipped];
}

/// What is known of an address in a crawl.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The address.
    pub id: UrlId,
    /// See [`Find::url`].
    pub url: Url,
    /// See [`Find::via`].
    pub via: Via,
    /// See [`Find::parent`].
    pub parent: Option<UrlId>,
    /// See [`Find::depth`].
    pub depth: u32,
    /// See [`Find::hops`].
    pub hops: u32,
    /// Where it stands.
    pub stage: Stage,
    /// How often it was tried.
    pub attempts: u32,
    /// The HTTP status of what came, where something did.
    pub status: Option<u16>,
    /// See [`Find::why`].
    pub why: String,
    /// Why it failed, was skipped or is tried again.
    pub reason: String,
}

/// How many addresses there are in each stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; Stage::ALL.len()]);

impl Counts {
    /// The addresses in a stage.
    pub fn of(&self, stage: Stage) -> u64 {
        self.0[stage as usize]
    }

    /// Changes the number of addresses in a stage.
    pub fn add(&mut self, stage: Stage, change: i64) {
        let count = &mut self.0[stage as usize];
        *count = count.checked_add_signed(change).expect("an address leaves only a stage that it is in");
    }

    /// The addresses that the crawl still has to visit.
    pub fn open(&self) -> u64 {
        self.of(Stage::Ready) + self.of(Stage::Claimed) + self.of(Stage::Later)
    }
}

/// What a crawl visits next. One crawl at a time; what is recorded survives `kill -9`.
pub trait Frontier: Send + Sync {
    /// Whether several workers share the crawl. Then a claim itself tells whether its address may be in the archive already
    /// ([`Claim::archived_after`]), and nothing is to be looked for in the archive's change feed.
    fn is_shared(&self) -> bool {
        false
    }

    /// Says that we are still at work on our claims, and tells for how long they are ours if we do not say so again; `None` for ever. Fails where
    /// they went to others because we did not say so for too long. To be called several times a second, and cheap.
    fn keep(&self) -> Result<Option<Duration>, FrontierError> {
        Ok(None)
    }

    /// Takes over everything that was learnt from a batch of pages, all of it or nothing. Tells how many addresses became
    /// ready that were not known.
    fn record(&self, batch: &Batch) -> Result<u64, FrontierError>;

    /// Hands out addresses of hosts that may be asked now, best first.
    fn claim(&self, now: Timestamp, want: &Want) -> Result<Vec<Claim>, FrontierError>;

    /// When the next address can be claimed, where none can now; `None` where none ever will without news.
    fn next_time(&self, now: Timestamp, want: &Want) -> Result<Option<Timestamp>, FrontierError>;

    /// Makes the claims ready again that nobody works on when we start: all of them in a place that only one process writes to, our own where
    /// others may be at work.
    fn release(&self) -> Result<(), FrontierError>;

    /// Forgets all addresses, so that the crawl begins anew; planned visits stay. Nothing happens while other workers are at it.
    fn reset(&self) -> Result<(), FrontierError>;

    /// How many addresses there are in each stage.
    fn counts(&self) -> Result<Counts, FrontierError>;

    /// What is known of an address.
    fn look_up(&self, url: &Url) -> Result<Option<Known>, FrontierError>;

    /// What is known of an address by its number.
    fn known(&self, id: UrlId) -> Result<Option<Known>, FrontierError>;

    /// Addresses in a stage, in the order in which they were found; pages on `after` the last one seen.
    fn list(&self, stage: Stage, after: Option<UrlId>, limit: usize) -> Result<Vec<Known>, FrontierError>;

    /// Up to where the archive's change feed is worked off.
    fn mark(&self) -> Result<u64, FrontierError>;

    /// What the crawl has learnt about its topic, as it was last recorded.
    fn memory(&self) -> Result<Option<String>, FrontierError>;

    /// Visits that are planned at or before a time, most due first; all without one.
    fn due(&self, until: Option<Timestamp>, limit: usize) -> Result<Vec<DueVisit>, FrontierError>;
}

/// Why the frontier could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {place}")]
pub struct FrontierError {
    /// What was being done: `write`, `read`, `open`.
    pub doing: &'static str,
    /// Where the frontier lies.
    pub place: String,
    /// Why.
    #[source]
    pub source: Box<dyn error::Error + Send + Sync>,
}
