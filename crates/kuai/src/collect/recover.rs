//! Begins a run: takes over what a killed run had archived, and puts the seeds in.

use kuai_archive::Archive;
use kuai_crawl::{Batch, Claim, Decision, Ending, Find, Frontier, Stage, Via, canonical, redirect_target};
use kuai_page::{Timestamp, Url};

use super::CollectError;
use super::plan::{CrawlKind, Plan};
use super::read::{Origin, Reader};

/// Entries of the change feed that are read at a time.
const CHANGES_MAX: usize = 256;
/// Addresses that are put in at a time.
const FINDS_MAX: usize = 10_000;
/// Redirects of a seed that are looked through.
const REDIRECTS_MAX: usize = 10;

/// How a run begins.
pub(super) struct Start {
    pub(super) is_resumed: bool,
    /// Whether there is nothing to do, because the crawl had come to its end.
    pub(super) is_over: bool,
    pub(super) recovered: u64,
    pub(super) mark: u64,
}

/// Makes the frontier ready for a run.
pub(super) fn start(
    archive: &Archive,
    frontier: &dyn Frontier,
    plan: &Plan,
    reader: &Reader<'_>,
) -> Result<Start, CollectError> {
    frontier.release()?;
    let known = frontier.counts()?;
    let has_begun = Stage::ALL.iter().any(|stage| known.of(*stage) > 0);
    let is_to_recover = has_begun && !frontier.is_shared();
    let recovered = if is_to_recover { recover(archive, frontier, reader)? } else { 0 };
    let is_resumed = frontier.counts()?.open() > 0;
    let has_ended = has_begun && !is_resumed;
    if has_ended && plan.only_once {
        return Ok(Start { is_resumed, is_over: true, recovered, mark: 0 });
    }
    if has_ended {
        // All of it is visited again.
        frontier.reset()?;
    }
    let mark = archive.stats()?.captures;
    frontier.record(&Batch { mark: Some(mark), ..Batch::default() })?;
    extend_scope(archive, plan, reader);
    put_seeds(frontier, plan)?;
    Ok(Start { is_resumed, is_over: false, recovered, mark })
}

/// Reads on from what a killed run had archived and not recorded.
fn recover(archive: &Archive, frontier: &dyn Frontier, reader: &Reader<'_>) -> Result<u64, CollectError> {
    let mut mark = frontier.mark()?;
    let mut recovered = 0;
    loop {
        let changes = archive.changes(mark, CHANGES_MAX)?;
        let Some(last) = changes.last() else { return Ok(recovered) };
        mark = last.row.sequence;
        let mut batch = Batch { mark: Some(mark), ..Batch::default() };
        for change in &changes {
            let Ok(url) = Url::parse(&change.url) else { continue };
            // What another crawl archived meanwhile may be none of ours, and what came to its end stays there.
            let known = frontier.look_up(&url)?.filter(|known| matches!(known.stage, Stage::Ready | Stage::Later));
            let Some(known) = known else { continue };
            let (capture, page) = (archive.read_change(change)?, archive.read_page(change)?);
            let (ending, reading) = reader.read(&Origin::of_known(&known), &capture, page.as_ref());
            batch.endings.push((known.id, ending));
            batch.finds.extend(reading.finds);
            recovered += 1;
        }
        frontier.record(&batch)?;
    }
}

/// What became of a claim that another worker had archived before it died, and what it leads to; `None` where nothing of it is archived.
pub(super) fn archived(
    archive: &Archive,
    reader: &Reader<'_>,
    claim: &Claim,
) -> Result<Option<(Ending, Vec<Find>)>, CollectError> {
    let Some(after) = claim.archived_after else { return Ok(None) };
    let Some(change) = archive.newest_change(&claim.url)?.filter(|change| change.row.sequence > after) else {
        return Ok(None);
    };
    let (capture, page) = (archive.read_change(&change)?, archive.read_page(&change)?);
    let (ending, reading) = reader.read(&Origin::of_claim(claim), &capture, page.as_ref());
    Ok(Some((ending, reading.finds)))
}

/// Takes the places into the scope that earlier runs saw the seeds redirect to.
fn extend_scope(archive: &Archive, plan: &Plan, reader: &Reader<'_>) {
    let mut scope = reader.scope.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    for seed in &plan.seeds {
        let mut url = canonical(seed);
        for _ in 0..REDIRECTS_MAX {
            // A seed that the archive does not have redirects nowhere so far.
            let Some(target) = archive.snapshot(&url, None).ok().and_then(|seen| redirect_target(&seen.capture)) else {
                break;
            };
            scope.add_seed(&target);
            url = canonical(&target);
        }
    }
}

fn put_seeds(frontier: &dyn Frontier, plan: &Plan) -> Result<(), CollectError> {
    let seeds = match plan.kind {
        CrawlKind::Again => due_again(frontier, plan)?,
        CrawlKind::Site | CrawlKind::Work => plan.seeds.iter().map(|url| seed(url, Via::Seed)).collect(),
    };
    for finds in seeds.chunks(FINDS_MAX) {
        frontier.record(&Batch { finds: finds.to_vec(), ..Batch::default() })?;
    }
    Ok(())
}

/// What is due now, most due first.
fn due_again(frontier: &dyn Frontier, plan: &Plan) -> Result<Vec<Find>, CollectError> {
    let limit = plan.budget.pages.map_or(usize::MAX, |pages| usize::try_from(pages).unwrap_or(usize::MAX));
    let due = frontier.due(Some(Timestamp::now()), limit)?;
    Ok(due.iter().map(|visit| Find { why: visit.why.clone(), ..seed(&visit.url, Via::Again) }).collect())
}

fn seed(url: &Url, via: Via) -> Find {
    let url = canonical(url);
    Find { url, via, parent: None, depth: 0, hops: 0, decision: Decision::Follow(i32::MAX), why: String::new() }
}
