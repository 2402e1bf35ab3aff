//! A crawl under the server: what was asked for, where it stands, and its figures.

use std::collections::{BTreeMap, VecDeque};

use kuai::{Stage, Status};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::curve::{Curve, Point};
use super::order::Order;

/// The speed of a crawl is that of so many seconds.
const RECENT_SECONDS: f64 = 5.0;

/// A crawl under the server.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct Job {
    /// What it is known by here.
    pub(crate) id: u64,
    /// What the crawl is known by in the archive, also to `kuai collect`.
    pub(crate) name: String,
    /// What was asked for.
    pub(crate) order: Order,
    /// Where it stands.
    pub(crate) state: JobState,
    /// When it was asked for (RFC 3339).
    pub(crate) began: String,
    /// When it came to its end (RFC 3339).
    pub(crate) ended: Option<String>,
    /// Why it ended: complete, waiting, pages, bytes, time or stopped.
    pub(crate) end: Option<String>,
    /// Why it could not go on.
    pub(crate) fault: Option<String>,
    /// The figures of all its runs.
    pub(crate) figures: Figures,
    /// The same over time.
    pub(crate) curve: Curve,
    /// What can be told only while it runs.
    pub(crate) live: Option<Live>,
}

/// Where a crawl stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobState {
    /// As many as may are running.
    Waiting,
    /// It runs.
    Running,
    /// It can go on from where it is.
    Paused,
    /// It is over.
    Ended,
    /// It could not go on.
    Failed,
}

impl JobState {
    pub(crate) const ALL: [JobState; 5] =
        [JobState::Waiting, JobState::Running, JobState::Paused, JobState::Ended, JobState::Failed];

    pub(crate) fn name(self) -> &'static str {
        match self {
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Paused => "paused",
            JobState::Ended => "ended",
            JobState::Failed => "failed",
        }
    }

    /// Whether there is more to come of it by itself.
    pub(crate) fn is_active(self) -> bool {
        matches!(self, JobState::Waiting | JobState::Running)
    }
}

/// The figures of a crawl.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, ToSchema)]
pub(crate) struct Figures {
    /// Seconds of crawling, pauses left out.
    pub(crate) seconds: f64,
    /// Answers that were archived.
    pub(crate) captures: u64,
    /// Of these, addresses that were not in the archive.
    pub(crate) new: u64,
    /// Of these, those that had changed.
    pub(crate) changed: u64,
    /// Of these, those that had not.
    pub(crate) same: u64,
    /// Addresses that could not be had.
    pub(crate) failed: u64,
    /// Addresses that were skipped when they were tried.
    pub(crate) skipped: u64,
    /// Pages that were judged by the topic.
    pub(crate) judged: u64,
    /// Pages of these that are on topic.
    pub(crate) on_topic: u64,
    /// Bytes of bodies.
    pub(crate) bytes: u64,
    /// Bytes that they took in the archive.
    pub(crate) stored: u64,
    /// Addresses that are left to visit.
    pub(crate) left: u64,
    /// Why addresses failed or were skipped, and how many did.
    pub(crate) reasons: BTreeMap<String, u64>,
}

/// What can be told of a crawl while it runs.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
pub(crate) struct Live {
    /// Pages a second, of late.
    pub(crate) pages_per_second: f64,
    /// Hosts that are being asked.
    pub(crate) host_count: usize,
    /// Those of them with most to do.
    pub(crate) hosts: Vec<HostNow>,
    /// Seconds until something can be tried again, where nothing else is left.
    pub(crate) waiting_seconds: Option<u64>,
    /// The address that was visited last.
    pub(crate) last: Option<String>,
    #[serde(skip)]
    recent: Recent,
}

/// When how many pages were there, of late: seconds and pages.
#[derive(Clone, Debug, Default)]
struct Recent(VecDeque<(f64, u64)>);

/// A host that is being asked.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct HostNow {
    /// Its name.
    pub(crate) name: String,
    /// Requests that are under way.
    pub(crate) under_way: usize,
    /// Addresses that are next.
    pub(crate) claimed: usize,
    /// How often it failed in a row.
    pub(crate) failures: u32,
}

impl Figures {
    /// Those of a run after those of the runs before.
    pub(crate) fn after(before: &Figures, status: &Status) -> Figures {
        let mut reasons = before.reasons.clone();
        for (reason, count) in &status.reasons {
            *reasons.entry(reason.clone()).or_default() += count;
        }
        Figures {
            seconds: before.seconds + status.elapsed.as_secs_f64(),
            captures: before.captures + status.kept,
            new: before.new + status.new,
            changed: before.changed + status.changed,
            same: before.same + status.same,
            failed: before.failed + status.failed,
            skipped: before.skipped + status.skipped,
            judged: before.judged + status.judged,
            on_topic: before.on_topic + status.on_topic,
            bytes: before.bytes + status.bytes,
            stored: before.stored + status.stored,
            left: status.counts.of(Stage::Ready) + status.counts.of(Stage::Claimed) + status.counts.of(Stage::Later),
            reasons,
        }
    }

    pub(crate) fn point(&self) -> Point {
        let Figures { seconds, captures, on_topic, failed, left, .. } = *self;
        Point { seconds, captures, on_topic, failed, left }
    }
}

impl Live {
    /// Takes over how a run goes.
    pub(crate) fn note(&mut self, status: &Status) {
        let now = status.elapsed.as_secs_f64();
        self.recent.0.push_back((now, status.kept));
        while self.recent.0.front().is_some_and(|(time, _)| now - time > RECENT_SECONDS) {
            self.recent.0.pop_front();
        }
        let (since, before) = self.recent.0.front().copied().unwrap_or((now, status.kept));
        self.pages_per_second = if now > since { (status.kept - before) as f64 / (now - since) } else { 0.0 };
        self.host_count = status.hosts;
        let host = |host: &kuai::BusyHost| HostNow {
            name: host.name.clone(),
            under_way: host.under_way,
            claimed: host.claimed,
            failures: host.failures,
        };
        self.hosts = status.busiest.iter().map(host).collect();
        self.waiting_seconds = status.waiting.map(|wait| wait.as_secs() + 1);
        self.last = status.last.as_ref().map(|url| url.to_string());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn status(seconds: u64, kept: u64) -> Status {
        let reasons = BTreeMap::from([("404 Not Found".to_owned(), 2)]);
        Status { elapsed: Duration::from_secs(seconds), kept, reasons, ..Status::default() }
    }

    #[test]
    fn the_speed_is_that_of_the_last_seconds() {
        let mut live = Live::default();
        for (seconds, kept) in [(0, 0), (10, 100), (12, 100), (14, 120)] {
            live.note(&status(seconds, kept));
        }
        assert_eq!(live.pages_per_second, 5.0);
    }

    #[test]
    fn runs_add_up() {
        let first = Figures::after(&Figures::default(), &status(10, 100));
        let both = Figures::after(&first, &status(5, 50));
        assert_eq!((both.seconds, both.captures, both.reasons["404 Not Found"]), (15.0, 150, 4));
    }
}
