//! The hosts that a run is busy with: whose turn it is, and how long to leave each alone.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use kuai_crawl::{Claim, HostId};

use super::plan::Politeness;
use super::read::HostNews;
use super::status::BusyHost;

/// A host that fails is left alone longer each time, up to this.
const FAILED_DELAY_MAX: Duration = Duration::from_secs(300);
/// No host is asked more rarely because its robots.txt says so.
const CRAWL_DELAY_MAX: Duration = Duration::from_secs(60);
/// Idle hosts that are remembered.
const IDLE_MAX: usize = 4096;

/// The hosts that a run is busy with.
#[derive(Default)]
pub(super) struct Hosts {
    hosts: BTreeMap<HostId, Host>,
    /// Claims that no request was made for yet.
    waiting_count: usize,
    /// The host that was served last, so that all get their turn.
    last: Option<HostId>,
}

struct Host {
    name: String,
    claims: VecDeque<Claim>,
    in_flight: usize,
    not_before: Instant,
    failures: u32,
    crawl_delay: Duration,
}

impl Hosts {
    pub(super) fn add(&mut self, claim: Claim, now: Instant) {
        if self.hosts.len() >= IDLE_MAX {
            self.hosts.retain(|_, host| host.in_flight > 0 || !host.claims.is_empty());
        }
        let host = self.hosts.entry(claim.host).or_insert_with(|| Host {
            name: name(&claim),
            claims: VecDeque::new(),
            in_flight: 0,
            not_before: now,
            failures: 0,
            crawl_delay: Duration::ZERO,
        });
        host.claims.push_back(claim);
        self.waiting_count += 1;
    }

    /// Claims that no request was made for yet.
    pub(super) fn waiting_count(&self) -> usize {
        self.waiting_count
    }

    /// Hosts with requests under way.
    pub(super) fn busy_count(&self) -> usize {
        self.hosts.values().filter(|host| host.in_flight > 0 || !host.claims.is_empty()).count()
    }

    /// The hosts with most to do.
    pub(super) fn busiest(&self, limit: usize) -> Vec<BusyHost> {
        let busy = self.hosts.values().filter(|host| host.in_flight > 0 || !host.claims.is_empty());
        let mut busy: Vec<&Host> = busy.collect();
        busy.sort_by_key(|host| std::cmp::Reverse(host.in_flight + host.claims.len()));
        let told = |host: &Host| BusyHost {
            name: host.name.clone(),
            under_way: host.in_flight,
            claimed: host.claims.len(),
            failures: host.failures,
        };
        busy.into_iter().take(limit).map(told).collect()
    }

    /// The next claim whose host may be asked now.
    pub(super) fn next(&mut self, now: Instant, per_host: usize) -> Option<Claim> {
        let may_ask = |host: &Host| !host.claims.is_empty() && host.in_flight < per_host && host.not_before <= now;
        let after = self.last.map_or(HostId(i64::MIN), |last| HostId(last.0.saturating_add(1)));
        let turn = self.hosts.range(after..).chain(self.hosts.range(..after)).find(|(_, host)| may_ask(host));
        let id = *turn?.0;
        self.last = Some(id);
        self.waiting_count -= 1;
        let host = self.hosts.get_mut(&id).expect("it was found a moment ago");
        host.in_flight += 1;
        host.claims.pop_front()
    }

    /// When the next host may be asked that has something to be asked for.
    pub(super) fn next_time(&self, per_host: usize) -> Option<Instant> {
        let open = self.hosts.values().filter(|host| !host.claims.is_empty() && host.in_flight < per_host);
        open.map(|host| host.not_before).min()
    }

    /// A request ended. Tells how long its host is to be left alone.
    pub(super) fn ended(
        &mut self,
        id: HostId,
        news: HostNews,
        crawl_delay: Option<Duration>,
        politeness: &Politeness,
        now: Instant,
    ) -> Duration {
        let Some(host) = self.hosts.get_mut(&id) else { return politeness.delay };
        host.in_flight = host.in_flight.saturating_sub(1);
        if let Some(delay) = crawl_delay {
            host.crawl_delay = delay.min(CRAWL_DELAY_MAX);
        }
        let usual = politeness.delay.max(host.crawl_delay);
        let delay = match news {
            HostNews::Fine => {
                host.failures = 0;
                usual
            }
            HostNews::Busy(wait) => usual.max(wait),
            HostNews::Failed => {
                host.failures += 1;
                let grown = usual.saturating_mul(1 << host.failures.min(10));
                usual.max(grown.min(FAILED_DELAY_MAX))
            }
            HostNews::Unasked => Duration::ZERO,
        };
        host.not_before = host.not_before.max(now + delay);
        delay
    }

    /// Whether a host failed so often in a row that it is given up.
    pub(super) fn is_dead(&self, id: HostId, politeness: &Politeness) -> bool {
        self.hosts.get(&id).is_some_and(|host| host.failures >= politeness.host_failures_max)
    }

    /// Takes back the claims of a host that no request was made for.
    pub(super) fn give_up(&mut self, id: HostId) -> Vec<Claim> {
        let claims = self.hosts.get_mut(&id).map(|host| std::mem::take(&mut host.claims)).unwrap_or_default();
        self.waiting_count -= claims.len();
        claims.into()
    }

    /// Takes back all claims that no request was made for.
    pub(super) fn give_back(&mut self) -> Vec<Claim> {
        self.waiting_count = 0;
        self.hosts.values_mut().flat_map(|host| std::mem::take(&mut host.claims)).collect()
    }
}

/// `example.org`, or `127.0.0.1:8000`.
fn name(claim: &Claim) -> String {
    let host = claim.url.host_str().unwrap_or_default();
    claim.url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}
