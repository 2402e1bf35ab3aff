//! How a crawl goes, and how it went.

use std::collections::BTreeMap;
use std::time::Duration;

use kuai_archive::Outcome;
use kuai_crawl::{Counts, Ending};
use kuai_page::Url;

use super::read::Processed;

/// Kinds of failures that are told apart; the rest is counted together.
const REASONS_MAX: usize = 100;

/// How a run of a crawl goes.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// For how long it has been going on.
    pub elapsed: Duration,
    /// Addresses by where they stand, those of earlier runs included.
    pub counts: Counts,
    /// Answers that were archived in this run.
    pub kept: u64,
    /// Of these, addresses that were not in the archive …
    pub new: u64,
    /// … those that had changed …
    pub changed: u64,
    /// … and those that had not.
    pub same: u64,
    /// Addresses that failed in this run.
    pub failed: u64,
    /// Addresses that were skipped when they were tried.
    pub skipped: u64,
    /// Pages that were judged by the topic …
    pub judged: u64,
    /// … and those of them that are on topic.
    pub on_topic: u64,
    /// Bytes of bodies.
    pub bytes: u64,
    /// Bytes that they took in the archive.
    pub stored: u64,
    /// Hosts that are being asked.
    pub hosts: usize,
    /// Those of them with most to do.
    pub busiest: Vec<BusyHost>,
    /// What is being waited for when nothing is under way: the time until something can be tried again.
    pub waiting: Option<Duration>,
    /// The address that was visited last.
    pub last: Option<Url>,
    /// Why addresses failed or were skipped when they were tried, and how many did.
    pub reasons: BTreeMap<String, u64>,
}

/// A host that is being asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusyHost {
    /// Its name, with the port where that is an unusual one.
    pub name: String,
    /// Requests that are under way.
    pub under_way: usize,
    /// Addresses that are next.
    pub claimed: usize,
    /// How often it failed in a row.
    pub failures: u32,
}

/// How a run of a crawl went.
#[derive(Clone, Debug)]
pub struct Report {
    /// The figures at the end.
    pub status: Status,
    /// Why it ended.
    pub end: End,
    /// Whether it went on from an earlier run that had not ended.
    pub is_resumed: bool,
    /// Answers that the archive had and the crawl did not know of, because the run before was killed.
    pub recovered: u64,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to visit.
    Complete,
    /// Nothing was left to visit when it began, and the crawl was to run only once.
    Already,
    /// What is left has to wait for longer than is worth waiting: for so long.
    Waiting(Duration),
    /// The page budget is used up.
    Pages,
    /// The byte budget is used up.
    Bytes,
    /// The time budget is used up.
    Time,
    /// It was asked to.
    Stopped,
}

impl End {
    /// What it is called in JSON.
    pub fn name(self) -> &'static str {
        match self {
            End::Complete => "complete",
            End::Already => "already",
            End::Waiting(_) => "waiting",
            End::Pages => "pages",
            End::Bytes => "bytes",
            End::Time => "time",
            End::Stopped => "stopped",
        }
    }
}

impl Status {
    pub(super) fn count(&mut self, processed: &Processed) {
        match &processed.ending {
            Ending::Failed { reason } => {
                self.failed += 1;
                self.reason(reason);
            }
            Ending::Skipped { reason } => {
                self.skipped += 1;
                self.reason(reason);
            }
            _ => {}
        }
        if let Some(kept) = &processed.kept {
            self.kept += 1;
            self.bytes += kept.bytes;
            self.stored += kept.stored;
            match kept.outcome {
                Outcome::NewUrl(_) => self.new += 1,
                Outcome::NewVersion(_) => self.changed += 1,
                Outcome::SeenAgain => self.same += 1,
            }
        }
        if let Some(is_on_topic) = processed.is_on_topic {
            self.judged += 1;
            self.on_topic += u64::from(is_on_topic);
        }
        self.last = Some(processed.claim.url.clone());
    }

    fn reason(&mut self, reason: &str) {
        // What stands in brackets differs from case to case.
        let kind = reason.split(" (").next().unwrap_or(reason);
        let kind =
            if self.reasons.len() < REASONS_MAX || self.reasons.contains_key(kind) { kind } else { "other reasons" };
        *self.reasons.entry(kind.to_owned()).or_default() += 1;
    }
}
