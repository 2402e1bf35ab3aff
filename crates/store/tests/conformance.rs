//! What every store must do, checked on each of them by one suite.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod suite;

use kuai_archive::Store;
use kuai_store::MemoryStore;
use suite::places::{BETWEEN, Place};
use suite::shared::{Apart, Objects, SharedPlace, shared_places};

/// Runs one check of the suite on a fresh store of each kind.
fn on_every_store(check: fn(&dyn Store)) {
    check(&MemoryStore::new());
    for between in BETWEEN {
        println!("a folder store, {between:?}");
        check(&Place::new(between));
    }
    for (objects, place) in shared_places() {
        println!("a shared store, objects in {objects:?}");
        check(&place.writer());
    }
    if let Some(place) = SharedPlace::new(Objects::Folder) {
        println!("a shared store that another reads");
        check(&Apart { writer: place.writer(), reader: place.reader() });
    }
}

/// A test for every check of the suite.
macro_rules! conformance {
    ($($check:ident),* $(,)?) => {$(
        #[test]
        fn $check() {
            on_every_store(suite::$check);
        }
    )*};
}

conformance!(
    an_entry_comes_back_byte_for_byte,
    entries_keep_the_order_of_arrival,
    an_unknown_url_has_no_history,
    bodies_shared_between_urls_come_back_from_each,
    empty_parts_come_back_empty,
    parts_of_any_bytes_come_back,
    a_long_history_comes_back,
    many_urls_of_a_host_come_back,
    long_urls_are_kept,
    urls_are_grouped_by_host_and_paged,
    changes_follow_the_sequence,
    totals_are_sums_over_all_entries,
    compaction_and_verification_change_nothing,
);
