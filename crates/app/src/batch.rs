//! Works through many pages on several threads and hands the results out in the order of the pages.
//!
//! No more than a window of pages is in flight, so memory stays flat however long the list is and however
//! slow one page may be.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Pages in flight for each thread.
const WINDOW_PER_JOB: usize = 16;

struct Progress<I, T, R> {
    items: I,
    next_item: usize,
    next_result: usize,
    done: BTreeMap<usize, (T, R)>,
    /// No item is left, or none is wanted any more.
    ended: bool,
}

/// Runs `work` on every item with `jobs` threads, or on this one where one is enough, and calls `emit` with each item and its
/// result, in order, on this thread.
/// An error from `emit` stops the work.
pub(crate) fn in_order<T: Send, R: Send, E>(
    mut items: impl Iterator<Item = T> + Send,
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut emit: impl FnMut(&T, R) -> Result<(), E>,
) -> Result<(), E> {
    if jobs <= 1 {
        return items.try_for_each(|item| emit(&item, work(&item)));
    }
    let window = jobs * WINDOW_PER_JOB;
    let progress = Mutex::new(Progress { items, next_item: 0, next_result: 0, done: BTreeMap::new(), ended: false });
    let moved = Condvar::new();
    let lock = || progress.lock().unwrap_or_else(PoisonError::into_inner);
    let claim = || {
        let mut state = lock();
        while !state.ended && state.next_item >= state.next_result + window {
            state = moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let item = if state.ended { None } else { state.items.next() };
        let Some(item) = item else {
            state.ended = true;
            moved.notify_all();
            return None;
        };
        let index = state.next_item;
        state.next_item += 1;
        Some((index, item))
    };
    let worker = || {
        while let Some((index, item)) = claim() {
            let result = work(&item);
            lock().done.insert(index, (item, result));
            moved.notify_all();
        }
    };
    let take = |index| {
        let mut state = lock();
        loop {
            if let Some(done) = state.done.remove(&index) {
                state.next_result = index + 1;
                moved.notify_all();
                return Some(done);
            }
            if state.ended && index == state.next_item {
                return None;
            }
            state = moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(worker);
        }
        let outcome = (0..).map_while(take).try_for_each(|(item, result)| emit(&item, result));
        lock().ended = true;
        moved.notify_all();
        outcome
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..500).collect();
        let mut seen = Vec::new();
        let outcome: Result<(), ()> = in_order(
            items.iter(),
            4,
            |item| *item * 2,
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
        let outcome = in_order(0..10_000, 3, |&item| item, |_, item| if item < 5 { Ok(()) } else { Err(item) });
        assert_eq!(outcome, Err(5));
    }

    #[test]
    fn items_are_asked_for_only_a_window_ahead() {
        let (jobs, emitted) = (3, AtomicUsize::new(0));
        let items = (0..2_000).inspect(|&item| {
            assert!(item <= emitted.load(Ordering::SeqCst) + jobs * WINDOW_PER_JOB, "item {item} was asked for");
        });
        let outcome: Result<(), ()> = in_order(
            items,
            jobs,
            |_| (),
            |&item, ()| {
                emitted.store(item + 1, Ordering::SeqCst);
                Ok(())
            },
        );
        assert_eq!((outcome, emitted.into_inner()), (Ok(()), 2_000));
    }

    #[test]
    fn nothing_is_done_soon() {
        assert_eq!(in_order(0..0, 4, |_| (), |_, ()| Err(())), Ok(()));
    }
}
