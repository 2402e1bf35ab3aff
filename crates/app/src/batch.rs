//! Works through many pages on several threads and hands the results out in the order of the pages.
//!
//! No more than a window of pages is in flight, so memory stays flat however long the list is and however
//! slow one page may be.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Pages in flight for each thread.
const WINDOW_PER_JOB: usize = 16;

struct Progress<R> {
    next_item: usize,
    next_result: usize,
    done: BTreeMap<usize, R>,
    stopped: bool,
}

/// Runs `work` on every item with `jobs` threads, or on this one where one is enough, and calls `emit` with each item and its
/// result, in order, on this thread.
/// An error from `emit` stops the work.
pub(crate) fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut emit: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    if jobs <= 1 {
        return items.iter().try_for_each(|item| emit(item, work(item)));
    }
    let window = jobs * WINDOW_PER_JOB;
    let progress = Mutex::new(Progress { next_item: 0, next_result: 0, done: BTreeMap::new(), stopped: false });
    let moved = Condvar::new();
    let lock = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    let claim = || {
        let mut state = lock();
        while !state.stopped && state.next_item < items.len() && state.next_item >= state.next_result + window {
            state = moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let index = state.next_item;
        (!state.stopped && index < items.len()).then(|| {
            state.next_item += 1;
            index
        })
    };
    let worker = || {
        while let Some(index) = claim() {
            let result = work(&items[index]);
            lock().done.insert(index, result);
            moved.notify_all();
        }
    };
    let take = |index| {
        let mut state = lock();
        loop {
            if let Some(result) = state.done.remove(&index) {
                state.next_result = index + 1;
                moved.notify_all();
                return result;
            }
            state = moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.min(items.len()) {
            scope.spawn(worker);
        }
        let outcome = (0..items.len()).try_for_each(|index| emit(&items[index], take(index)));
        lock().stopped = true;
        moved.notify_all();
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..500).collect();
        let mut seen = Vec::new();
        let outcome: Result<(), ()> = in_order(
            &items,
            4,
            |&item| item * 2,
            |_, result| {
                seen.push(result);
                Ok(())
            },
        );
        assert_eq!(outcome, Ok(()));
        assert_eq!(seen, items.iter().map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_stops_the_work() {
        let items: Vec<usize> = (0..10_000).collect();
        let outcome = in_order(&items, 3, |&item| item, |_, item| if item < 5 { Ok(()) } else { Err(item) });
        assert_eq!(outcome, Err(5));
    }
}
