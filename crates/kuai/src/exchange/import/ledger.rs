//! What those who import share: what is under way, where earlier bodies are, what became of records.
//!
//! Answers are numbered in the order of the file. A revisit waits for what it refers to as long as that is under way and came before it, so
//! whoever waits, waits for an earlier one, and nobody waits for ever.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use kuai_archive::{Error as ArchiveError, Outcome};
use rustc_hash::FxHashMap;

use super::Imported;
use super::originals::{Name, Originals};

/// Bytes of answers that wait for their turn; one answer may be longer by itself.
const WAITING_BYTES_MAX: usize = 32 << 20;

#[derive(Default)]
pub(super) struct Ledger {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    originals: Originals,
    /// The numbers of answers under way, by what they may be called, first ones first.
    under_way: FxHashMap<Name, VecDeque<u64>>,
    bytes: usize,
    imported: Imported,
    problems: Vec<String>,
    failure: Option<ArchiveError>,
}

/// An answer under way; it no longer is when this is dropped.
pub(super) struct UnderWay<'a> {
    ledger: &'a Ledger,
    number: u64,
    names: Vec<Name>,
    bytes: usize,
}

impl Ledger {
    /// Waits until there is room for an answer, and notes that it is under way.
    pub(super) fn begin(&self, number: u64, names: Vec<Name>, bytes: usize) -> UnderWay<'_> {
        let is_full = |state: &mut State| state.bytes > 0 && state.bytes + bytes > WAITING_BYTES_MAX;
        let mut state = self.changed.wait_while(self.lock(), is_full).unwrap_or_else(PoisonError::into_inner);
        state.bytes += bytes;
        for name in &names {
            state.under_way.entry(*name).or_default().push_back(number);
        }
        UnderWay { ledger: self, number, names, bytes }
    }

    /// Waits until nothing of these names that came before `number` is under way.
    pub(super) fn wait_for(&self, names: &[Name], number: u64) {
        let is_earlier = |numbers: &VecDeque<u64>| numbers.front().is_some_and(|first| *first < number);
        let is_awaited = |state: &mut State| names.iter().any(|name| state.under_way.get(name).is_some_and(is_earlier));
        drop(self.changed.wait_while(self.lock(), is_awaited).unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn find(&self, name: Name) -> Option<(String, u32)> {
        self.lock().originals.find(name)
    }

    /// Notes where a body is.
    pub(super) fn add(&self, names: &[Name], url: &str, number: u32) {
        self.lock().originals.add(names, url, number);
    }

    /// Counts what became of an answer: what the archive said, or that it was there already.
    pub(super) fn count(&self, outcome: Option<Outcome>) {
        let imported = &mut self.lock().imported;
        match outcome {
            Some(Outcome::NewUrl(_)) => imported.new_urls += 1,
            Some(Outcome::NewVersion(_)) => imported.new_versions += 1,
            Some(Outcome::SeenAgain) => imported.seen_again += 1,
            None => imported.known += 1,
        }
    }

    pub(super) fn count_record(&self) {
        self.lock().imported.records += 1;
    }

    pub(super) fn count_passed_over(&self) {
        self.lock().imported.passed_over += 1;
    }

    pub(super) fn problem(&self, what: String) {
        let mut state = self.lock();
        state.imported.problems += 1;
        state.problems.push(what);
    }

    /// The archive cannot go on; only the first reason counts.
    pub(super) fn fail(&self, error: ArchiveError) {
        self.lock().failure.get_or_insert(error);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.lock().failure.is_some()
    }

    /// Problems that were not told yet.
    pub(super) fn take_problems(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().problems)
    }

    /// What became of a file's records, when all of them are done.
    pub(super) fn take_imported(&self) -> Result<Imported, ArchiveError> {
        let mut state = self.lock();
        let imported = std::mem::take(&mut state.imported);
        state.failure.take().map_or(Ok(imported), Err)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut state = self.ledger.lock();
        state.bytes -= self.bytes;
        for name in &self.names {
            if let Some(numbers) = state.under_way.get_mut(name) {
                numbers.retain(|number| *number != self.number);
                if numbers.is_empty() {
                    state.under_way.remove(name);
                }
            }
        }
        drop(state);
        self.ledger.changed.notify_all();
    }
}
