//! Reads what the Web answered: archives it, and tells what became of the claim and what was found on the page.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use kuai_archive::{Archive, CutPage, Outcome};
use kuai_crawl::{
    Claim, Directives, DueVisit, Ending, FetchError, Find, Focus, FocusSettings, Known, NextVisit, Scope, TrapWatch,
    UrlId, Via, Visit, looks_like_soft_404, next_visit, read_links, redirect_target,
};
use kuai_page::{Capture, Page, TextOptions, Timestamp, Url};

use super::plan::{CrawlKind, Plan};
use super::seen::Seen;
use super::visit::{Answer, Visited};
use crate::Error;

/// How long to wait before an address is tried again, times two for each time.
const RETRY_DELAY: Duration = Duration::from_secs(5);
/// How long a host that says it is busy is left alone, where it does not say itself.
const BUSY_DELAY: Duration = Duration::from_secs(30);
/// How long any host may ask us to wait.
const WAIT_MAX: Duration = Duration::from_secs(3600);

/// Why a page that is there counts as one that is not.
const SOFT_404: &str = "a soft 404: it says that it is not there, but not by its status";
/// Pages of at most this size are read for words that say that they are not there; of others only the title is.
const SHORT_BYTES: usize = 4 << 10;
/// Reads answers; shared by all processors.
pub(super) struct Reader<'a> {
    pub(super) archive: &'a Archive,
    pub(super) plan: &'a Plan,
    /// Grows where a seed redirects to another place.
    pub(super) scope: RwLock<Scope>,
    pub(super) seen: Seen,
    pub(super) focus: Option<Mutex<Focus>>,
    /// By the name of the host.
    pub(super) traps: Mutex<HashMap<String, TrapWatch>>,
    first_visit: OnceLock<NextVisit>,
}

/// Which address an answer is of.
pub(super) struct Origin {
    pub(super) id: UrlId,
    pub(super) url: Url,
    pub(super) via: Via,
    pub(super) depth: u32,
    pub(super) hops: u32,
    pub(super) why: String,
}

/// What was made of an answer.
pub(super) struct Processed {
    pub(super) claim: Claim,
    pub(super) ending: Ending,
    pub(super) finds: Vec<Find>,
    pub(super) due: Option<DueVisit>,
    pub(super) kept: Option<Kept>,
    pub(super) host: HostNews,
    pub(super) crawl_delay: Option<Duration>,
    pub(super) is_on_topic: Option<bool>,
}

/// What the archive took in.
pub(super) struct Kept {
    pub(super) sequence: u64,
    pub(super) outcome: Outcome,
    pub(super) bytes: u64,
    pub(super) stored: u64,
}

/// What an answer says about its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostNews {
    /// It answers.
    Fine,
    /// It wants to be left alone for as long.
    Busy(Duration),
    /// It does not answer as it should.
    Failed,
    /// It was not asked.
    Unasked,
}

/// What a page leads to.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) finds: Vec<Find>,
    pub(super) is_on_topic: Option<bool>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(archive: &'a Archive, plan: &'a Plan, focus: Option<Focus>) -> Reader<'a> {
        Reader {
            archive,
            plan,
            scope: RwLock::new(plan.scope.clone()),
            seen: Seen::default(),
            focus: focus.map(Mutex::new),
            traps: Mutex::default(),
            first_visit: OnceLock::new(),
        }
    }

    /// A judge that knows what an earlier run has learnt.
    pub(super) fn focus_of(plan: &Plan, memory: Option<&str>) -> Option<Focus> {
        let learnt = memory.and_then(|memory| kuai_crawl::Topic::from_json(memory).ok());
        let topic = plan.topic.as_ref().map(|topic| learnt.unwrap_or_else(|| topic.clone()));
        topic.map(|topic| Focus::new(topic, FocusSettings::default()))
    }

    pub(super) fn process(&self, visited: Visited) -> Result<Processed, Error> {
        let Visited { claim, answer, crawl_delay, sitemaps } = visited;
        let mut processed = match answer {
            Answer::Capture(capture) => self.capture(claim, &capture)?,
            Answer::Unasked => ended(claim, Ending::Unclaimed, HostNews::Unasked),
            Answer::Forbidden => {
                let reason = "robots.txt forbids it".to_owned();
                ended(claim, Ending::Skipped { reason }, HostNews::Unasked)
            }
            Answer::RobotsOutOfReach { ask_again_after } => {
                let reason = "robots.txt is out of reach, and until it is read nothing may be fetched".to_owned();
                self.later(claim, ask_again_after, reason, HostNews::Busy(ask_again_after))
            }
            Answer::Failed(error) => self.failed(claim, &error),
        };
        processed.crawl_delay = crawl_delay;
        if self.plan.sitemaps && processed.claim.via == Via::Seed {
            let origin = Origin::of_claim(&processed.claim);
            processed.finds.extend(self.sitemap_finds(&origin, sitemaps));
        }
        Ok(processed)
    }

    fn capture(&self, claim: Claim, capture: &Capture) -> Result<Processed, Error> {
        match capture.status {
            429 | 503 => {
                let wait = retry_after(capture).unwrap_or(BUSY_DELAY.saturating_mul(1 << claim.attempts.min(6)));
                let wait = wait.min(WAIT_MAX);
                return Ok(self.later(claim, wait, status_line(capture), HostNews::Busy(wait)));
            }
            500.. if claim.attempts + 1 < self.plan.politeness.attempts_max => {
                let wait = RETRY_DELAY.saturating_mul(1 << claim.attempts.min(6));
                return Ok(self.later(claim, wait, status_line(capture), HostNews::Failed));
            }
            _ => {}
        }
        let origin = Origin::of_claim(&claim);
        if let Some((directives, page)) = self.forbidding(capture) {
            let reading = self.page_finds(&origin, &page, &[], directives);
            let reason = "the page asks not to be kept (noarchive)".to_owned();
            let processed = ended(claim, Ending::Skipped { reason }, HostNews::Fine);
            return Ok(Processed { finds: reading.finds, ..processed });
        }
        let (committed, page) = self.archive.take_in(capture)?;
        let (ending, reading) = self.read(&origin, capture, page.as_ref());
        let due = self.due(&claim, capture, &committed.outcome, page.is_some())?;
        let kept = Kept {
            sequence: committed.sequence,
            outcome: committed.outcome,
            bytes: capture.body.len() as u64,
            stored: committed.stored,
        };
        let host = if capture.status >= 500 { HostNews::Failed } else { HostNews::Fine };
        let processed = ended(claim, ending, host);
        Ok(Processed { finds: reading.finds, is_on_topic: reading.is_on_topic, due, kept: Some(kept), ..processed })
    }

    /// What an archived answer means for its address, and where it leads. The same for an answer that was read a moment ago and
    /// for one that a killed run left behind.
    pub(super) fn read(&self, origin: &Origin, capture: &Capture, page: Option<&CutPage>) -> (Ending, Reading) {
        let status = capture.status;
        if let Some(target) = redirect_target(capture) {
            return self.redirect(origin, &target, status);
        }
        if !(matches!(status, 200..=299 | 304)) {
            return (Ending::Failed { reason: status_line(capture) }, Reading::default());
        }
        let asked = Directives::of_headers(&capture.headers);
        let reading = match page {
            Some(cut) => self.page_finds(origin, &cut.page, &cut.outline.blocks, asked),
            // Too large to be cut, but not to be read.
            None if is_of_type(capture, "text/html") => {
                let page = Page::read(capture, &kuai_page::Limits::default());
                self.page_finds(origin, &page, &[], asked)
            }
            None => Reading { finds: self.other_finds(origin, capture), ..Reading::default() },
        };
        let is_missing = page.is_some_and(|cut| says_that_it_is_missing(&cut.page));
        let ending = if is_missing { Ending::Failed { reason: SOFT_404.to_owned() } } else { Ending::Done { status } };
        (ending, reading)
    }

    /// What a page asks of those who would keep it, if it asks not to be kept.
    fn forbidding(&self, capture: &Capture) -> Option<(Directives, Page)> {
        if !self.plan.politeness.obeys_robots {
            return None;
        }
        let from_headers = Directives::of_headers(&capture.headers);
        // Pages hardly ever say it, and reading one only to learn that it does not would cost as much as all the rest.
        let may_say_it = ["oarchive", "oArchive", "OARCHIVE"]
            .iter()
            .any(|word| memchr::memmem::find(&capture.body, word.as_bytes()).is_some());
        if !from_headers.is_noarchive && !may_say_it {
            return None;
        }
        let page = Page::read(capture, &kuai_page::Limits::default());
        let from_page = read_links(page.source(), &capture.url, page.encoding()).directives;
        let directives = from_headers | from_page;
        // Decision: `noindex` is about lists of search engines and not about archives, so such pages are kept.
        directives.is_noarchive.then_some((directives, page))
    }

    fn failed(&self, claim: Claim, error: &FetchError) -> Processed {
        let reason = reason_of(error);
        if !error.is_transient() {
            return ended(claim, Ending::Failed { reason }, HostNews::Unasked);
        }
        let wait = RETRY_DELAY.saturating_mul(1 << claim.attempts.min(6));
        self.later(claim, wait, reason, HostNews::Failed)
    }

    /// To be tried again, unless it was tried often enough.
    fn later(&self, claim: Claim, wait: Duration, reason: String, host: HostNews) -> Processed {
        let ending = if claim.attempts + 1 >= self.plan.politeness.attempts_max {
            Ending::Failed { reason }
        } else {
            Ending::Later { at: Timestamp::now().saturating_add(wait).unwrap_or(Timestamp::MAX), reason }
        };
        ended(claim, ending, host)
    }

    /// When to come back to a page.
    fn due(
        &self,
        claim: &Claim,
        capture: &Capture,
        outcome: &Outcome,
        is_page: bool,
    ) -> Result<Option<DueVisit>, Error> {
        let bounds = &self.plan.revisit;
        if !is_page && claim.via == Via::Again {
            // Otherwise what is gone would be due for ever.
            let due = capture.time.saturating_add(bounds.interval_max).unwrap_or(Timestamp::MAX);
            return Ok(Some(DueVisit {
                url: claim.url.clone(),
                due,
                why: "it was not there when it was visited again".to_owned(),
            }));
        }
        if !is_page || claim.via == Via::Requisite || self.plan.kind == CrawlKind::Work {
            return Ok(None);
        }
        let next = match outcome {
            Outcome::NewUrl(_) => {
                // All pages that were seen once are alike, but for the time.
                let first = self.first_visit.get_or_init(|| next_visit(&[first_visit(capture.time)], bounds));
                let due = capture.time.saturating_add(first.interval).unwrap_or(Timestamp::MAX);
                NextVisit { due, ..*first }
            }
            _ => {
                let visits = self.archive.visits(&capture.url, bounds.visits_max)?;
                let visits: Vec<Visit> =
                    visits.into_iter().map(|(time, is_changed)| Visit { time, is_changed }).collect();
                next_visit(&visits, bounds)
            }
        };
        Ok(Some(DueVisit { url: claim.url.clone(), due: next.due, why: next.to_string() }))
    }

    /// What was learnt about the topic, to be kept.
    pub(super) fn memory(&self) -> Option<String> {
        let focus = self.focus.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        Some(focus.topic().to_json())
    }
}

impl Origin {
    pub(super) fn of_claim(claim: &Claim) -> Origin {
        let Claim { id, url, via, depth, hops, why, .. } = claim;
        Origin { id: *id, url: url.clone(), via: *via, depth: *depth, hops: *hops, why: why.clone() }
    }

    pub(super) fn of_known(known: &Known) -> Origin {
        let Known { id, url, via, depth, hops, why, .. } = known;
        Origin { id: *id, url: url.clone(), via: *via, depth: *depth, hops: *hops, why: why.clone() }
    }
}

/// Whether an answer says that it is of a type: `text/html`.
pub(super) fn is_of_type(capture: &Capture, name: &str) -> bool {
    let value = capture.header("content-type").unwrap_or_default();
    value.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether a page says that it is not there although its status says that it is. It is archived all the same, and its links are
/// followed: the words may be its subject.
fn says_that_it_is_missing(page: &Page) -> bool {
    let source = page.source();
    let title = source.find("<title").and_then(|start| source[start..].split_once('>')).map(|(_, after)| after);
    let title = title.and_then(|after| after.split_once("</")).map(|(title, _)| title).unwrap_or_default();
    let is_suspect = source.len() <= SHORT_BYTES || looks_like_soft_404(title, "");
    is_suspect && looks_like_soft_404(title, &page.text(page.span(), TextOptions::default()))
}

fn first_visit(time: Timestamp) -> Visit {
    Visit { time, is_changed: false }
}

fn ended(claim: Claim, ending: Ending, host: HostNews) -> Processed {
    Processed { claim, ending, finds: Vec::new(), due: None, kept: None, host, crawl_delay: None, is_on_topic: None }
}

/// Why a fetch failed, without the address, which stands beside it.
fn reason_of(error: &FetchError) -> String {
    let told = error.to_string();
    let address = error.url().map(|url| format!("{url} could not be fetched: ")).unwrap_or_default();
    told.strip_prefix(&address).unwrap_or(&told).to_owned()
}

/// `404 Not Found`.
fn status_line(capture: &Capture) -> String {
    format!("{} {}", capture.status, capture.reason).trim_end().to_owned()
}

/// How long an answer asks us to wait, in seconds or until a date.
fn retry_after(capture: &Capture) -> Option<Duration> {
    let value = std::str::from_utf8(capture.header("retry-after")?).ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    let seconds = until.as_second() - capture.time.as_second();
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}
