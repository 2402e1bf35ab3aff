//! What a crawl is to do, and what it must not exceed.

use std::time::Duration;

use kuai_crawl::{RevisitBounds, Scope, ScopeKind, Topic};
use kuai_page::Url;

/// What a crawl is to do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where it begins.
    pub seeds: Vec<Url>,
    /// Which addresses belong to it.
    pub scope: Scope,
    /// What kind of crawl it is.
    pub kind: CrawlKind,
    /// What it collects about; without one, everything in scope.
    pub topic: Option<Topic>,
    /// Whether what pages need to be shown is collected with them.
    pub requisites: bool,
    /// Whether sites are asked for their sitemaps and feeds.
    pub sitemaps: bool,
    /// How hosts are treated.
    pub politeness: Politeness,
    /// When it ends, if it does not end by itself.
    pub budget: Budget,
    /// When pages are visited again.
    pub revisit: RevisitBounds,
    /// Whether a crawl that came to its end stays there; otherwise all of it is visited again.
    pub only_once: bool,
}

/// What kind of crawl it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrawlKind {
    /// From the seeds on, link by link.
    #[default]
    Site,
    /// One work: the pages that the seeds link to, in the order of the links, and the pages that continue them.
    Work,
    /// What was visited before and is due again; no links are followed.
    Again,
}

/// How hosts are treated.
#[derive(Clone, Debug)]
pub struct Politeness {
    /// Between the end of one request to a host and the next.
    pub delay: Duration,
    /// Requests at a time, over all hosts.
    pub connections: usize,
    /// Requests to one host at a time.
    pub connections_per_host: usize,
    /// Whether robots.txt, nofollow and their like are obeyed.
    pub obeys_robots: bool,
    /// How often an address is tried.
    pub attempts_max: u32,
    /// A host that fails so often in a row is given up.
    pub host_failures_max: u32,
    /// How long a crawl waits for what is to be tried again when nothing else is left.
    pub patience: Duration,
}

/// When a crawl ends, if it does not end by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Addresses visited, those of earlier runs included.
    pub pages: Option<u64>,
    /// Bytes of bodies in this run.
    pub bytes: Option<u64>,
    /// Time of this run.
    pub time: Option<Duration>,
}

impl CrawlKind {
    /// What a crawl is known by, so that it is found again: its kind, where it begins and the words of its topic.
    pub fn crawl_name(self, seeds: &[Url], topic: Option<&str>) -> String {
        let kind = match self {
            CrawlKind::Site => "site",
            CrawlKind::Work => "work",
            CrawlKind::Again => "again",
        };
        let seeds: Vec<&str> = seeds.iter().map(Url::as_str).collect();
        let topic = topic.map(|topic| format!(" about {topic}")).unwrap_or_default();
        format!("{kind} {}{topic}", seeds.join(" ")).trim_end().to_owned()
    }
}

impl Default for Politeness {
    fn default() -> Politeness {
        Politeness {
            delay: Duration::from_secs(1),
            connections: 16,
            connections_per_host: 1,
            obeys_robots: true,
            attempts_max: 3,
            host_failures_max: 8,
            patience: Duration::from_secs(90),
        }
    }
}

impl Plan {
    /// A polite crawl of the seeds' hosts.
    pub fn new(seeds: Vec<Url>) -> Plan {
        Plan {
            scope: Scope::new(ScopeKind::Host, &seeds),
            seeds,
            kind: CrawlKind::Site,
            topic: None,
            requisites: false,
            sitemaps: false,
            politeness: Politeness::default(),
            budget: Budget::default(),
            revisit: RevisitBounds::default(),
            only_once: false,
        }
    }
}
