//! The archive: takes captures in, tells what is new about them, and gives them back.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kuai_page::{Capture, Limits, Page, Timestamp, Url};

use crate::cut::{Cutter, cut};
use crate::history::{ChangeCounts, NOT_MODIFIED, Summary, VersionInfo, figure, is_success, versions, visits};
use crate::outline::Outline;
use crate::rules::Rules;
use crate::store::{Change, Compacted, ContentHash, Entry, Form, Progress, Row, Store, Stored, UrlRow, Verified};
use crate::succession::{Predecessor, begin, succeed, take_over};
use crate::{Error, form, head};

/// Levels of blocks that are kept of a page that no rule says more about.
const DEFAULT_LEVEL: u32 = 2;

/// Commits of different URLs go on side by side; those of one URL wait for each other on one of so many locks.
const LOCKS: usize = 64;

/// How many entries back an answer with a body is looked for, behind those that say that nothing changed.
const VALIDATORS_LOOK_BACK: usize = 64;

/// Page histories, kept by block.
pub struct Archive {
    store: Box<dyn Store>,
    cutter: Box<dyn Cutter>,
    rules: Rules,
    is_cutting: bool,
    is_hasty: bool,
    limits: Limits,
    locks: [Mutex<()>; LOCKS],
}

/// What a commit did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// What is new about the capture.
    pub outcome: Outcome,
    /// Its place in the change feed.
    pub sequence: u64,
    /// Which entry of its address it is.
    pub number: u32,
    /// What its body is known by.
    pub hash: ContentHash,
    /// Bytes that it took.
    pub stored: u64,
}

/// What is new about a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The address was not in the archive.
    NewUrl(ChangeCounts),
    /// It differs from what was there.
    NewVersion(ChangeCounts),
    /// The same was there before.
    SeenAgain,
}

/// What tells a server which answer we have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// The `ETag` of that answer.
    pub etag: Option<Vec<u8>>,
    /// Its `Last-Modified`.
    pub last_modified: Option<Vec<u8>>,
}

/// Sums over an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many addresses there are.
    pub urls: u64,
    /// How many versions they have in all.
    pub versions: u64,
    /// How often something was captured, versions seen again included.
    pub captures: u64,
    /// How many blocks were written, unchanged ones once.
    pub blocks: u64,
    /// How many layouts were written, unchanged ones once.
    pub layouts: u64,
    /// Bytes that were captured.
    pub bytes_captured: u64,
    /// Bytes that the archive takes, everything counted.
    pub bytes_stored: u64,
}

/// A version with everything that the archive knows about it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// What the history says of it.
    pub info: VersionInfo,
    /// The capture, exactly as it came.
    pub capture: Capture,
    /// What is known about its blocks.
    pub outline: Outline,
}

impl Snapshot {
    /// The page, read in the charset in which its blocks were counted.
    pub fn page(&self) -> Page {
        Page::from_bytes(&self.capture.body, Some(&self.capture.url), charset(&self.outline), &Limits::default())
    }
}

impl Archive {
    /// An archive that lies in a store and whose pages are cut by `cutter`.
    pub fn new(store: Box<dyn Store>, cutter: Box<dyn Cutter>) -> Archive {
        let locks = std::array::from_fn(|_| Mutex::new(()));
        Archive {
            store,
            cutter,
            rules: Rules::default(),
            is_cutting: true,
            is_hasty: false,
            limits: Limits::default(),
            locks,
        }
    }

    /// With an administrator's rules.
    pub fn with_rules(self, rules: Rules) -> Archive {
        Archive { rules, ..self }
    }

    /// Which keeps the pages that it takes in whole: quicker, but nothing is known of their blocks.
    pub fn with_whole_pages(self) -> Archive {
        Archive { is_cutting: false, ..self }
    }

    /// Which presses the pages that it takes in lightly, as suits very many at once; a compaction presses them again.
    pub fn in_haste(self) -> Archive {
        Archive { is_hasty: true, ..self }
    }

    /// Takes a capture in. What it returns is visible at once, and durable after the next [`Archive::sync`].
    pub fn commit(&self, capture: &Capture) -> Result<Committed, Error> {
        Ok(self.write(capture)?.0)
    }

    /// Like [`Archive::commit`], and gives the page as it was cut, where it is one.
    pub fn take_in(&self, capture: &Capture) -> Result<(Committed, Option<CutPage>), Error> {
        let (committed, written) = self.write(capture)?;
        let page = match written {
            Written::Page(page) => Some(*page),
            Written::Again(before) => cut_page(&capture.url, &before),
            Written::Other => None,
        };
        Ok((committed, page))
    }

    /// Like [`Archive::commit`], but takes nothing in that is in the archive already, the same answer of the same address at the same time: then it gives
    /// the number of that entry.
    pub fn commit_once(&self, capture: &Capture) -> Result<Result<Committed, u32>, Error> {
        let _guard = self.lock(capture.url.as_str());
        let latest = self.store.latest(capture.url.as_str())?;
        let known = if latest.is_some() { self.find(capture)? } else { None };
        match known {
            Some(number) => Ok(Err(number)),
            None => Ok(Ok(self.write_behind(capture, latest)?.0)),
        }
    }

    fn write(&self, capture: &Capture) -> Result<(Committed, Written), Error> {
        let _guard = self.lock(capture.url.as_str());
        let latest = self.store.latest(capture.url.as_str())?;
        self.write_behind(capture, latest)
    }

    /// Writes a capture behind the entry of its address that arrived last. The address is locked by the caller.
    fn write_behind(&self, capture: &Capture, latest: Option<Stored>) -> Result<(Committed, Written), Error> {
        let url = capture.url.as_str();
        let head = head::write(capture)?;
        let is_new_url = latest.is_none();
        let number = latest.as_ref().map_or(0, |latest| latest.row.number + 1);
        let before = self.before(capture, latest)?;
        let (entry, written) = match before {
            Some(before) if is_again(capture, &before.row) => {
                (PreparedEntry::again(capture, &before), Written::Again(before))
            }
            before if self.is_cutting && form::is_page(capture) => {
                let (entry, page) = self.prepare_page(capture, before.as_ref(), number)?;
                (entry, Written::Page(Box::new(page)))
            }
            before => (self.prepare_other(capture, before.as_ref()), Written::Other),
        };
        let row = self.store.append(&Entry {
            url,
            time: capture.time,
            head: &head,
            body: &capture.body,
            form: if self.is_hasty && entry.form == Form::Text { Form::HastyText } else { entry.form },
            notes: entry.notes.as_bytes(),
            figures: entry.summary.to_figures(),
        })?;
        let outcome = match entry.summary {
            Summary { is_again: true, .. } => Outcome::SeenAgain,
            Summary { changes, .. } if is_new_url => Outcome::NewUrl(changes),
            Summary { changes, .. } => Outcome::NewVersion(changes),
        };
        let committed = Committed {
            outcome,
            sequence: row.sequence,
            number: row.number,
            hash: row.hash,
            stored: row.stored_length,
        };
        Ok((committed, written))
    }

    /// Returns when everything committed so far survives a crash and a power cut.
    pub fn sync(&self) -> Result<(), Error> {
        Ok(self.store.sync()?)
    }

    /// Addresses that begin with `prefix`, grouped by host; pages on `after` the last one seen.
    pub fn urls(&self, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, Error> {
        Ok(self.store.urls(prefix, after, limit)?)
    }

    /// The versions of an address in the order of time.
    pub fn history(&self, url: &Url) -> Result<Vec<VersionInfo>, Error> {
        let rows = self.store.history(url.as_str())?;
        if rows.is_empty() {
            return Err(Error::UnknownUrl { url: url.to_string() });
        }
        Ok(versions(rows))
    }

    /// When an address was visited, in the order of time, and whether its content had changed since the visit before: what to decide the next
    /// visit by. Looks at the newest so many entries only, failed fetches among them; none for an address that is not in the archive.
    pub fn visits(&self, url: &Url, limit: usize) -> Result<Vec<(Timestamp, bool)>, Error> {
        Ok(visits(self.store.newest(url.as_str(), limit)?))
    }

    /// The entry of an address that arrived last, as the change feed tells it; none for an address that is not in the archive.
    pub fn newest_change(&self, url: &Url) -> Result<Option<Change>, Error> {
        let newest = self.store.newest(url.as_str(), 1)?.pop();
        Ok(newest.map(|row| Change { url: url.to_string(), row }))
    }

    /// All entries of an address in the order of arrival.
    pub(crate) fn rows(&self, url: &Url) -> Result<Vec<Row>, Error> {
        Ok(self.store.history(url.as_str())?)
    }

    /// The latest version at or before a time, exactly as it came; the newest without one.
    pub fn snapshot(&self, url: &Url, at: Option<Timestamp>) -> Result<Snapshot, Error> {
        let history = self.history(url)?;
        self.read(url, latest(url, &history, at)?)
    }

    /// Like [`Archive::snapshot`], but passes over what is no page: failed fetches, pictures and the like.
    pub fn page_snapshot(&self, url: &Url, at: Option<Timestamp>) -> Result<Snapshot, Error> {
        let history = self.history(url)?;
        self.read(url, latest_page(url, &history, at)?)
    }

    /// A version that the history names.
    pub fn read(&self, url: &Url, info: &VersionInfo) -> Result<Snapshot, Error> {
        let (capture, outline) = self.read_outlined(url.as_str(), info.number)?;
        Ok(Snapshot { info: info.clone(), capture, outline })
    }

    /// The capture of a step of the change feed, exactly as it came.
    pub fn read_change(&self, change: &Change) -> Result<Capture, Error> {
        self.read_entry(&change.url, change.row.number)
    }

    /// An entry of an address, exactly as it came.
    pub fn read_entry(&self, url: &str, number: u32) -> Result<Capture, Error> {
        Ok(self.read_outlined(url, number)?.0)
    }

    /// An entry of an address, and what is known about its blocks, labels and metadata.
    pub fn read_outlined(&self, url: &str, number: u32) -> Result<(Capture, Outline), Error> {
        let bad = || Error::BadNotes { url: url.to_owned(), number };
        let stored = self.store.read(url, number)?;
        let outline = read_outline(&stored.notes).ok_or_else(bad)?;
        // A failure may repeat the notes on the page before it; they say nothing about the failure.
        let is_of_other = !Summary::of(&stored.row).is_page && is_of_page(&outline);
        let outline = if is_of_other { Outline::default() } else { outline };
        let capture = capture(Url::parse(url).map_err(|_| bad())?, stored).ok_or_else(bad)?;
        Ok((capture, outline))
    }

    /// The page of a step of the change feed, where it is one.
    pub fn read_page(&self, change: &Change) -> Result<Option<CutPage>, Error> {
        match Url::parse(&change.url) {
            Ok(url) => self.page(&url, change.row.number),
            Err(_) => Ok(None),
        }
    }

    /// The page that an entry of an address holds, if it holds one.
    pub fn page(&self, url: &Url, number: u32) -> Result<Option<CutPage>, Error> {
        Ok(cut_page(url, &self.store.read(url.as_str(), number)?))
    }

    /// The number of the entry that a capture has in the archive already.
    fn find(&self, capture: &Capture) -> Result<Option<u32>, Error> {
        let rows = self.store.history(capture.url.as_str())?;
        let mut at_its_time = rows.iter().filter(|row| row.time == capture.time).peekable();
        if at_its_time.peek().is_none() {
            return Ok(None);
        }
        let hash = ContentHash::of(&capture.body);
        let found = at_its_time.find(|row| row.hash == hash && Summary::of(row).status == capture.status);
        Ok(found.map(|row| row.number))
    }

    /// What a server is told about the newest thing that it gave for an address, so that it answers only if that changed: its
    /// `ETag` and its `Last-Modified`.
    pub fn validators(&self, url: &Url) -> Result<Validators, Error> {
        let newest = self.store.newest(url.as_str(), VALIDATORS_LOOK_BACK)?;
        let answer = newest.iter().find(|row| is_success(Summary::of(row).status));
        let stored = answer.map(|row| self.store.read(url.as_str(), row.number)).transpose()?;
        let head = stored.and_then(|stored| head::read(&stored.head));
        let value = |name: &str| {
            let headers = &head.as_ref()?.headers;
            headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
        };
        Ok(Validators { etag: value("etag"), last_modified: value("last-modified") })
    }

    /// What came in after the change with this sequence number, in order.
    pub fn changes(&self, since: u64, limit: usize) -> Result<Vec<Change>, Error> {
        Ok(self.store.changes(since, limit)?)
    }

    /// Sums over everything.
    pub fn stats(&self) -> Result<Stats, Error> {
        let totals = self.store.totals()?;
        let figures = totals.figures;
        Ok(Stats {
            urls: totals.url_count,
            versions: totals.entry_count - figures[figure::AGAIN],
            captures: totals.entry_count,
            blocks: figures[figure::ADDED] + figures[figure::CHANGED] + figures[figure::TOUCHED],
            layouts: figures[figure::LAYOUTS],
            bytes_captured: totals.bytes_given,
            bytes_stored: totals.bytes_stored,
        })
    }

    /// See [`Store::compact`].
    pub fn compact(&self, progress: Progress<'_>) -> Result<Compacted, Error> {
        Ok(self.store.compact(progress)?)
    }

    /// See [`Store::verify`].
    pub fn verify(&self, progress: Progress<'_>) -> Result<Verified, Error> {
        Ok(self.store.verify(progress)?)
    }

    fn lock(&self, url: &str) -> MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        url.hash(&mut hasher);
        let lock = &self.locks[hasher.finish() as usize % LOCKS];
        // The lock guards no data of its own, so a panic elsewhere leaves nothing half done.
        lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entry that a capture is compared with: the latest of its kind at or before its time. That is nearly always the one that
    /// arrived last.
    fn before(&self, capture: &Capture, latest: Option<Stored>) -> Result<Option<Stored>, Error> {
        let is_before = |row: &Row| row.time <= capture.time && is_comparable(capture, row);
        let Some(latest) = latest else { return Ok(None) };
        if is_before(&latest.row) {
            return Ok(Some(latest));
        }
        let mut rows = self.store.history(capture.url.as_str())?;
        rows.retain(is_before);
        let found = rows.iter().max_by_key(|row| (row.time, row.number));
        found.map(|row| Ok(self.store.read(capture.url.as_str(), row.number)?)).transpose()
    }

    fn prepare_page(
        &self,
        capture: &Capture,
        before: Option<&Stored>,
        number: u32,
    ) -> Result<(PreparedEntry, CutPage), Error> {
        let page = Page::read(capture, &self.limits);
        let cutting = self.rules.cutting(capture);
        let method = cutting.method.as_deref().unwrap_or(self.cutter.default_method());
        let mut outline = Outline {
            method: method.to_owned(),
            level: cutting.level.unwrap_or(DEFAULT_LEVEL),
            charset: page.encoding().name().to_owned(),
            ..Outline::default()
        };
        self.rules.describe(capture, Some(&page), &mut outline);
        let before = before.and_then(predecessor);
        let taken_over = before.as_ref().and_then(|before| take_over(&mut outline, page.source(), before, number));
        let changes = match (taken_over, &before) {
            (Some(comparison), _) => ChangeCounts::of(&comparison, outline.leaves().count() as u32),
            (None, Some(before)) => {
                self.cut_anew(&page, &mut outline)?;
                let comparison = succeed(&mut outline, page.source(), before, number);
                ChangeCounts::of(&comparison, outline.leaves().count() as u32)
            }
            (None, None) => {
                self.cut_anew(&page, &mut outline)?;
                begin(&mut outline, number);
                ChangeCounts::first(outline.leaves().count() as u32)
            }
        };
        let summary = Summary { is_page: true, status: capture.status, changes, is_again: false };
        Ok((PreparedEntry { form: Form::Text, notes: outline.write(), summary }, CutPage { page, outline }))
    }

    /// Cuts a page by the method and to the level that its outline names.
    fn cut_anew(&self, page: &Page, outline: &mut Outline) -> Result<(), Error> {
        let method = &outline.method;
        let tree = self.cutter.cut(page, method);
        let tree = tree.ok_or_else(|| Error::BadRules { what: format!("there is no method {method:?}") })?;
        outline.base = base_of(page);
        outline.blocks = cut(page, &tree, outline.level, |block| self.cutter.topic(page, method, block));
        Ok(())
    }

    /// What is no page, an error page, a picture, a style sheet, or a page that is kept whole.
    fn prepare_other(&self, capture: &Capture, before: Option<&Stored>) -> PreparedEntry {
        let mut outline = Outline::default();
        self.rules.describe(capture, None, &mut outline);
        let summary = Summary { status: capture.status, ..Summary::default() };
        // Notes are kept as changes against the entry before; a failure between two pages repeats the first one's, so
        // that the second one's cost nothing.
        let is_between = !is_success(capture.status) && outline == Outline::default();
        let page_before =
            before.filter(|before| is_between && read_outline(&before.notes).as_ref().is_some_and(is_of_page));
        let notes = page_before.and_then(|before| String::from_utf8(before.notes.clone()).ok());
        let form = if form::is_page(capture) { Form::Text } else { Form::Blob };
        PreparedEntry { form, notes: notes.unwrap_or_else(|| outline.write()), summary }
    }
}

/// A page together with what is known about its blocks.
#[derive(Debug)]
pub struct CutPage {
    /// The page, in the charset in which its blocks are counted.
    pub page: Page,
    /// Its blocks.
    pub outline: Outline,
}

/// What a capture turned out to be when it was written.
enum Written {
    Page(Box<CutPage>),
    /// What this entry holds already.
    Again(Stored),
    Other,
}

/// The page that a stored entry holds, if it holds one.
fn cut_page(url: &Url, stored: &Stored) -> Option<CutPage> {
    let outline = read_outline(&stored.notes).filter(|_| Summary::of(&stored.row).is_page)?;
    let page = Page::from_bytes(&stored.body, Some(url), charset(&outline), &Limits::default());
    Some(CutPage { page, outline })
}

/// An entry but for what it takes over from its capture.
struct PreparedEntry {
    form: Form,
    notes: String,
    summary: Summary,
}

impl PreparedEntry {
    /// The same as before, seen again.
    fn again(capture: &Capture, before: &Stored) -> PreparedEntry {
        let known = Summary::of(&before.row);
        let form = if known.is_page && capture.status != NOT_MODIFIED { Form::Text } else { Form::Blob };
        let summary = Summary { is_again: true, is_page: known.is_page, status: capture.status, ..Summary::default() };
        PreparedEntry { form, notes: String::from_utf8_lossy(&before.notes).into_owned(), summary }
    }
}

/// Whether an entry is of a capture's kind: what the server gave is compared with what it gave before, and a failure
/// with nothing but the same failure.
fn is_comparable(capture: &Capture, row: &Row) -> bool {
    let known = Summary::of(row);
    if known.status == NOT_MODIFIED {
        return false;
    }
    match is_success(capture.status) || capture.status == NOT_MODIFIED {
        true => is_success(known.status),
        false => true,
    }
}

/// Whether a capture is what an entry holds already.
fn is_again(capture: &Capture, row: &Row) -> bool {
    let known = Summary::of(row);
    capture.status == NOT_MODIFIED || (known.status == capture.status && row.hash == ContentHash::of(&capture.body))
}

/// The capture that a stored entry is of; `None` where its head is none of ours.
fn capture(url: Url, stored: Stored) -> Option<Capture> {
    let head = head::read(&stored.head)?;
    Some(Capture {
        url,
        time: stored.row.time,
        request: head.request,
        protocol: head.protocol,
        status: head.status,
        reason: head.reason,
        headers: head.headers,
        wire: head.wire,
        body: stored.body,
    })
}

/// The page before, where what is before is a page.
fn predecessor(stored: &Stored) -> Option<Predecessor> {
    if !Summary::of(&stored.row).is_page {
        return None;
    }
    let outline = read_outline(&stored.notes)?;
    let page = Page::from_bytes(&stored.body, None, charset(&outline), &Limits::default());
    let source = page.source();
    let fits = outline.blocks.iter().all(|block| source.get(block.span.range()).is_some());
    fits.then(|| Predecessor { source: source.to_owned(), outline })
}

fn read_outline(notes: &[u8]) -> Option<Outline> {
    Outline::read(std::str::from_utf8(notes).ok()?)
}

/// Whether an outline is that of a page.
fn is_of_page(outline: &Outline) -> bool {
    !outline.method.is_empty()
}

fn charset(outline: &Outline) -> Option<&str> {
    Some(outline.charset.as_str()).filter(|charset| !charset.is_empty())
}

/// The address that a page asks its links to be resolved against.
fn base_of(page: &Page) -> Option<String> {
    let dom = page.dom();
    let head = dom.head()?;
    let bases = dom.children(head).filter(|node| dom.tag(*node) == kuai_page::Tag::Base);
    bases.filter_map(|node| dom.attribute(node, "href")).map(str::to_owned).next()
}

/// The version that was seen last at or before a time.
fn latest<'a>(url: &Url, history: &'a [VersionInfo], at: Option<Timestamp>) -> Result<&'a VersionInfo, Error> {
    let at = at.unwrap_or(Timestamp::MAX);
    let first = history.first().expect("a known address has a version").time;
    last_seen(history, at, |_| true).ok_or_else(|| Error::NoVersion { url: url.to_string(), time: at, first })
}

/// The page that was seen last at or before a time.
pub(crate) fn latest_page<'a>(
    url: &Url,
    history: &'a [VersionInfo],
    at: Option<Timestamp>,
) -> Result<&'a VersionInfo, Error> {
    let time = at.unwrap_or(latest(url, history, at)?.time);
    let found = last_seen(history, at.unwrap_or(Timestamp::MAX), |version| version.is_page);
    found.ok_or_else(|| Error::NoPage { url: url.to_string(), time })
}

/// The version of a kind that was seen last at or before a time, which need not be the one that came last: an older one
/// may have been seen again behind a failure.
pub(crate) fn last_seen(
    history: &[VersionInfo],
    at: Timestamp,
    is_kind: impl Fn(&VersionInfo) -> bool,
) -> Option<&VersionInfo> {
    let of_kind = history.iter().filter(|version| is_kind(version));
    let seen = of_kind.filter_map(|version| Some((version.last_seen(at)?, version)));
    seen.max_by_key(|(time, _)| *time).map(|(_, version)| version)
}
