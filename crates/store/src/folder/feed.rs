//! The change feed: entries of all URLs in the order in which they came in.
//!
//! What is still in logs is read there, forward. What is in packs is gathered from the facts of all reels, a large window at a
//! time, which is kept because whoever asks for the first of it asks for the rest next.

use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kuai_archive::{Change, StoreError};

use super::FolderStore;
use crate::errors::damaged;
use crate::facts::Facts;
use crate::files::{CATALOGUE, FileId};
use crate::history;
use crate::log::{self, HEADER_LENGTH};
use crate::record::{Place, Record};
use crate::row::ReelRow;

/// How many changes are gathered from packs at a time.
const WINDOW_LENGTH: usize = 1 << 16;
/// How many bytes of a log lie between two marks in it, at least.
const MARKS_APART: u64 = 1 << 20;
/// How many rows are asked of the catalogue at a time.
const PAGE_LENGTH: usize = 512;

/// An entry by its sequence number, and the reel that has it.
type Step = (u64, u32);

/// Where the feed was last read.
#[derive(Debug, Default)]
pub(super) struct Bookmarks {
    in_logs: Mutex<LogMarks>,
    /// Steps that were gathered from packs: none is missing between the first number and the last.
    in_packs: Mutex<Option<(u64, Vec<Step>)>>,
}

/// Records of logs by the sequence number of the first entry from there on.
#[derive(Debug, Default)]
struct LogMarks {
    /// Where the last question ended: whoever follows the feed goes on there.
    last: Option<(u64, Place)>,
    /// Some more, so that whoever asks for the newest entries again and again passes through few others.
    between: BTreeMap<u64, Place>,
}

impl Bookmarks {
    fn log_marks(&self) -> MutexGuard<'_, LogMarks> {
        self.in_logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogMarks {
    /// The nearest record before an entry.
    fn before(&self, sequence: u64) -> Option<(u64, Place)> {
        let between = self.between.range(..=sequence).next_back().map(|(first, place)| (*first, *place));
        self.last.into_iter().filter(|last| last.0 <= sequence).chain(between).max_by_key(|mark| mark.0)
    }
}

pub(super) fn changes(store: &FolderStore, since: u64, limit: usize) -> Result<Vec<Change>, StoreError> {
    let (state, first_logged) = store.look_up(|index| {
        let first_log = index.state.first_log;
        let has_logs = index.state.indexed.log > first_log || index.state.indexed.offset > 0;
        let first_logged =
            if has_logs { log::first_sequence(&store.files, first_log)? } else { index.state.entry_count + 1 };
        Ok((index.state.clone(), first_logged))
    })?;
    let last = since.saturating_add(limit as u64).min(state.entry_count);
    let mut steps = Vec::new();
    let mut done = since;
    while done < last && done + 1 < first_logged {
        let found = steps_in_packs(store, done, last.min(first_logged - 1))?;
        done = found.last().map_or(last, |step| step.0);
        steps.extend(found);
    }
    if done < last {
        steps.extend(steps_in_logs(store, state.first_log, state.indexed, done, last)?);
    }
    with_facts(store, &steps)
}

/// Steps after `since` up to `last`, which are all in logs.
fn steps_in_logs(
    store: &FolderStore,
    first_log: u32,
    end: Place,
    since: u64,
    last: u64,
) -> Result<Vec<Step>, StoreError> {
    let mut steps = Vec::new();
    let (mut sequence, mut from) = start_in_logs(store, first_log, end.log, since)?;
    while sequence <= last {
        let mut marked = from.offset;
        log::pass_through(&store.files, from.log, from.offset, &mut |passed| {
            if let Record::Entry(entry) = passed.record {
                if sequence > since {
                    steps.push((sequence, entry.reel));
                }
                sequence += 1;
            }
            from.offset = passed.place.offset + passed.length;
            if from.offset - marked >= MARKS_APART {
                marked = from.offset;
                store.bookmarks.log_marks().between.insert(sequence, from);
            }
            Ok(sequence <= last)
        })?;
        store.bookmarks.log_marks().last = Some((sequence, from));
        if sequence <= last {
            from = Place { log: from.log + 1, offset: HEADER_LENGTH as u64 };
            if from.log > end.log {
                return Err(damaged(&store.files.path(FileId::Log(end.log)), format!("entry {sequence} is missing")));
            }
        }
    }
    Ok(steps)
}

/// A record from which on the entry after `since` is found, and the sequence number of the next entry there.
fn start_in_logs(store: &FolderStore, first_log: u32, last_log: u32, since: u64) -> Result<(u64, Place), StoreError> {
    let mut marks = store.bookmarks.log_marks();
    marks.between.retain(|_, place| place.log >= first_log);
    let bookmark = marks.before(since + 1);
    drop(marks);
    for log in (first_log..=last_log).rev() {
        if let Some(found) = bookmark.filter(|(_, place)| place.log == log) {
            return Ok(found);
        }
        if !store.files.path(FileId::Log(log)).exists() && log == last_log {
            continue;
        }
        let sequence = log::first_sequence(&store.files, log)?;
        if sequence <= since + 1 {
            return Ok((sequence, Place { log, offset: HEADER_LENGTH as u64 }));
        }
    }
    Err(damaged(&store.files.path(FileId::Log(first_log)), format!("entry {} is missing", since + 1)))
}

/// The next steps after `since` up to `last`, which are all in packs; as many as a window has.
fn steps_in_packs(store: &FolderStore, since: u64, last: u64) -> Result<Vec<Step>, StoreError> {
    let mut window = store.bookmarks.in_packs.lock().unwrap_or_else(PoisonError::into_inner);
    let has_next = |window: &(u64, Vec<Step>)| window.0 <= since && window.1.last().is_some_and(|last| last.0 > since);
    if !window.as_ref().is_some_and(has_next) {
        *window = Some((since, gather(store, since)?));
    }
    let steps = window.iter().flat_map(|window| &window.1);
    Ok(steps.filter(|step| since < step.0 && step.0 <= last).copied().collect())
}

/// The first steps after `since` among all that are in packs.
fn gather(store: &FolderStore, since: u64) -> Result<Vec<Step>, StoreError> {
    let mut first: BinaryHeap<Step> = BinaryHeap::new();
    let mut next = 0;
    loop {
        let reels = store.look_up(|index| index.catalogue.reels_by_number(next, PAGE_LENGTH))?;
        let Some(last) = reels.last() else { break };
        next = last.number + 1;
        for reel in reels.iter().filter(|reel| reel.packed.is_some() && reel.newest.sequence > since) {
            for facts in history::packed_facts(&store.files, reel)? {
                let is_wanted = facts.sequence > since;
                let is_first = first.len() < WINDOW_LENGTH || first.peek().is_some_and(|most| facts.sequence < most.0);
                if is_wanted && is_first {
                    first.push((facts.sequence, reel.number));
                    if first.len() > WINDOW_LENGTH {
                        first.pop();
                    }
                }
            }
        }
    }
    Ok(first.into_sorted_vec())
}

/// The changes that the steps are.
fn with_facts(store: &FolderStore, steps: &[Step]) -> Result<Vec<Change>, StoreError> {
    let mut numbers: Vec<u32> = steps.iter().map(|step| step.1).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let wanted: HashMap<u64, u32> = steps.iter().copied().collect();
    let mut changes = BTreeMap::new();
    for number in numbers {
        let reel = store.look_up(|index| index.reel(number))?;
        let missing = || damaged(&store.files.folder().join(CATALOGUE), format!("reel {number} is missing"));
        let reel = reel.ok_or_else(missing)?;
        let facts = history::facts(&store.files, &reel)?;
        let of_reel = facts.iter().zip(reel.first_number..).filter(|(facts, _)| wanted.contains_key(&facts.sequence));
        changes.extend(of_reel.map(|(facts, number)| (facts.sequence, change(&reel, facts, number))));
    }
    Ok(changes.into_values().collect())
}

fn change(reel: &ReelRow, facts: &Facts, number: u32) -> Change {
    Change { url: reel.url.clone(), row: facts.row(number) }
}
