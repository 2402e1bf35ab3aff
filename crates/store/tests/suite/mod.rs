//! The checks that every store passes. Each takes an empty store.

#![allow(dead_code, reason = "each test program uses a part of this")]

/// The questions of a store that hands each of them on by its `ask`.
macro_rules! reads_by_asking {
    () => {
        fn latest(&self, url: &str) -> Result<Option<Stored>, StoreError> {
            self.ask(|store| store.latest(url))
        }

        fn newest(&self, url: &str, limit: usize) -> Result<Vec<Row>, StoreError> {
            self.ask(|store| store.newest(url, limit))
        }

        fn history(&self, url: &str) -> Result<Vec<Row>, StoreError> {
            self.ask(|store| store.history(url))
        }

        fn read(&self, url: &str, number: u32) -> Result<Stored, StoreError> {
            self.ask(|store| store.read(url, number))
        }

        fn urls(&self, prefix: &str, after: Option<&str>, limit: usize) -> Result<Vec<UrlRow>, StoreError> {
            self.ask(|store| store.urls(prefix, after, limit))
        }

        fn changes(&self, since: u64, limit: usize) -> Result<Vec<Change>, StoreError> {
            self.ask(|store| store.changes(since, limit))
        }

        fn totals(&self) -> Result<Totals, StoreError> {
            self.ask(|store| store.totals())
        }
    };
}

pub(crate) mod places;
pub(crate) mod shared;

use kuai_archive::{ContentHash, Entry, FIGURES_MAX, Figures, Form, Row, Store, StoreError};

/// An entry that owns its parts, so that a check can keep what it gave.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) url: String,
    pub(crate) second: i64,
    pub(crate) nanosecond: i32,
    pub(crate) head: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) form: Form,
    pub(crate) notes: Vec<u8>,
    pub(crate) figures: Figures,
}

impl Given {
    /// A page with a head and notes as they usually are.
    pub(crate) fn page(url: &str, second: i64, body: &str) -> Given {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nX-Request-Id: {second:x}\r\n\r\n", body.len());
        Given {
            url: url.to_owned(),
            second,
            nanosecond: 0,
            head: head.into_bytes(),
            body: body.as_bytes().to_vec(),
            form: Form::Text,
            notes: format!("title {}\nlength {}\n", url, body.len()).into_bytes(),
            figures: [0; FIGURES_MAX],
        }
    }

    fn time(&self) -> jiff::Timestamp {
        jiff::Timestamp::new(self.second, self.nanosecond).expect("a time within the calendar")
    }

    pub(crate) fn append_to(&self, store: &dyn Store) -> Row {
        let entry = Entry {
            url: &self.url,
            time: self.time(),
            head: &self.head,
            body: &self.body,
            form: self.form,
            notes: &self.notes,
            figures: self.figures,
        };
        store.append(&entry).expect("the store takes the entry")
    }
}

/// Checks that the store holds exactly these entries, by every way of asking.
pub(crate) fn check_holds(store: &dyn Store, given: &[Given]) {
    check_histories(store, given);
    check_feed(store, given);
    check_totals(store, given);
}

fn check_histories(store: &dyn Store, given: &[Given]) {
    let mut urls: Vec<&str> = given.iter().map(|entry| entry.url.as_str()).collect();
    urls.sort_unstable();
    urls.dedup();
    for url in urls {
        let of_url: Vec<&Given> = given.iter().filter(|entry| entry.url == url).collect();
        let history = store.history(url).unwrap();
        assert_eq!(history.len(), of_url.len(), "entries of {url}");
        for (number, (entry, row)) in of_url.iter().zip(&history).enumerate() {
            check_row(row, number as u32, entry);
            let stored = store.read(url, number as u32).unwrap();
            assert_eq!(&stored.row, row);
            assert!(stored.head == entry.head, "head {number} of {url}");
            assert!(stored.body == entry.body, "body {number} of {url}");
            assert!(stored.notes == entry.notes, "notes {number} of {url}");
        }
        let latest = store.latest(url).unwrap();
        assert_eq!(latest, Some(store.read(url, history.len() as u32 - 1).unwrap()), "latest of {url}");
        let newest = store.newest(url, 2).unwrap();
        let expected: Vec<Row> = history.iter().rev().take(2).cloned().collect();
        assert_eq!(newest, expected, "newest of {url}");
    }
}

fn check_row(row: &Row, number: u32, entry: &Given) {
    assert_eq!(row.number, number);
    assert_eq!(row.time, entry.time());
    assert_eq!(row.hash, ContentHash::of(&entry.body));
    assert_eq!(row.body_length, entry.body.len() as u64);
    assert_eq!(row.figures, entry.figures);
}

fn check_feed(store: &dyn Store, given: &[Given]) {
    let changes = store.changes(0, usize::MAX).unwrap();
    assert_eq!(changes.len(), given.len());
    for (sequence, (change, entry)) in (1..).zip(changes.iter().zip(given)) {
        assert_eq!(change.url, entry.url);
        assert_eq!(change.row.sequence, sequence);
        check_row(&change.row, change.row.number, entry);
    }
}

fn check_totals(store: &dyn Store, given: &[Given]) {
    let totals = store.totals().unwrap();
    assert_eq!(totals.entry_count, given.len() as u64);
    assert_eq!(totals.url_count, store.urls("", None, usize::MAX).unwrap().len() as u64);
    assert_eq!(totals.bytes_given, given.iter().map(|entry| (entry.head.len() + entry.body.len()) as u64).sum::<u64>());
    for (index, sum) in totals.figures.iter().enumerate() {
        assert_eq!(*sum, given.iter().map(|entry| u64::from(entry.figures[index])).sum::<u64>());
    }
}

/// Appends the entries and checks them: at once, and after the store has been put in order.
fn check(store: &dyn Store, given: &[Given]) {
    for entry in given {
        entry.append_to(store);
    }
    store.sync().unwrap();
    check_holds(store, given);
    store.compact(&mut |_, _| true).unwrap();
    check_holds(store, given);
}

/// A page of some paragraphs, of which `edit` changes one.
pub(crate) fn page_text(paragraph_count: usize, edit: usize) -> String {
    let paragraph = |index: usize| {
        let word = if index == edit % paragraph_count { format!("edited {edit}") } else { "plain".to_owned() };
        format!(
            "<p id=p{index}>Paragraph {index} is {word}, and goes on for a while about {}.</p>\n",
            index * 7919 % 97
        )
    };
    (0..paragraph_count).map(paragraph).collect()
}

pub(crate) fn an_entry_comes_back_byte_for_byte(store: &dyn Store) {
    let mut entry = Given::page("https://a.example/", 1_700_000_000, "<p>Hello</p>");
    entry.nanosecond = 123_456_789;
    entry.figures = [1, 0, 2, 3, u32::MAX, 5, 6, 7, 8, 9, 10, 11];
    check(store, &[entry]);
}

pub(crate) fn entries_keep_the_order_of_arrival(store: &dyn Store) {
    let seconds = [50, 10, 10, -5, 70, 70, -62_135_596_800, 253_402_207_200];
    let entries: Vec<Given> = seconds
        .iter()
        .zip(0..)
        .map(|(second, edit)| Given::page("https://a.example/", *second, &page_text(20, edit)))
        .collect();
    check(store, &entries);
}

pub(crate) fn an_unknown_url_has_no_history(store: &dyn Store) {
    assert_eq!(store.history("https://a.example/").unwrap(), []);
    assert_eq!(store.newest("https://a.example/", 1).unwrap(), []);
    assert_eq!(store.latest("https://a.example/").unwrap(), None);
    assert_eq!(store.changes(0, 10).unwrap(), []);
    assert!(matches!(store.read("https://a.example/", 0), Err(StoreError::NoEntry { number: 0, .. })));
    check(store, &[Given::page("https://a.example/", 0, "x")]);
    assert!(matches!(store.read("https://a.example/", 1), Err(StoreError::NoEntry { number: 1, .. })));
}

pub(crate) fn bodies_shared_between_urls_come_back_from_each(store: &dyn Store) {
    let mut entries = Vec::new();
    for round in 0..3 {
        for name in ["a", "b", "c"] {
            let mut entry = Given::page(&format!("https://a.example/{name}"), round, "the same picture");
            entry.form = if round == 1 { Form::Text } else { Form::Blob };
            entry.body = noise(5000, (round / 2) as u64);
            entries.push(entry);
        }
    }
    check(store, &entries);
}

pub(crate) fn empty_parts_come_back_empty(store: &dyn Store) {
    let full = Given::page("https://a.example/", 5, &page_text(30, 0));
    let empty = Given { head: Vec::new(), body: Vec::new(), notes: Vec::new(), ..full.clone() };
    let blob = Given { form: Form::Blob, ..empty.clone() };
    check(store, &[empty.clone(), full.clone(), empty.clone(), empty, blob, full]);
}

pub(crate) fn parts_of_any_bytes_come_back(store: &dyn Store) {
    let mut entries = Vec::new();
    for seed in 0..24 {
        let mut entry = Given::page("https://a.example/", seed as i64, "");
        entry.body = noise(seed * 531 % 7000, seed as u64);
        entry.head = noise(seed * 97 % 700, seed as u64 + 100);
        entry.notes = [b"a line\r\n".to_vec(), noise(seed * 61 % 3000, seed as u64 + 200)].concat();
        entries.push(entry);
    }
    check(store, &entries);
}

pub(crate) fn a_long_history_comes_back(store: &dyn Store) {
    let entries: Vec<Given> = (0..430)
        .map(|edit| {
            let mut entry = Given::page("https://a.example/", 1000 * edit, &page_text(8, edit as usize / 2));
            entry.figures[edit as usize % FIGURES_MAX] = edit as u32;
            entry
        })
        .collect();
    check(store, &entries);
}

/// As a crawl brings them: pages of one host, short and long, like others and unlike, some empty or no text.
pub(crate) fn many_urls_of_a_host_come_back(store: &dyn Store) {
    let mut entries: Vec<Given> = (0..90)
        .map(|index| {
            let text = page_text(4 + index % 40, index * 31);
            let mut entry = Given::page(&format!("https://a.example/{index}"), index as i64, &text);
            entry.notes = text.to_uppercase().into_bytes();
            if index % 30 == 25 {
                (entry.form, entry.body) = (Form::Blob, noise(2000, index as u64));
            } else if index % 30 == 26 {
                entry.body.clear();
            } else if index % 30 == 27 {
                entry.body = noise(40_000, index as u64);
            }
            entry
        })
        .collect();
    let again = (0..90).step_by(7).map(|index| {
        Given::page(
            &format!("https://a.example/{index}"),
            1000 + index as i64,
            &page_text(4 + index % 40, index * 31 + 1),
        )
    });
    entries.extend(again);
    check(store, &entries);
}

pub(crate) fn long_urls_are_kept(store: &dyn Store) {
    let long = |end: &str| format!("https://a.example/{}{end}", "x".repeat(10_000));
    check(
        store,
        &[Given::page(&long("1"), 1, "one"), Given::page(&long("2"), 2, "two"), Given::page(&long("1"), 3, "")],
    );
}

pub(crate) fn urls_are_grouped_by_host_and_paged(store: &dyn Store) {
    let sorted = [
        "urn:isbn:1",
        "http://a.example/z",
        "https://a.example",
        "https://a.example/a",
        "https://a.example/b",
        "https://b.example/%",
        "https://b.example/_",
        "https://b.example/ü",
    ];
    let mut entries: Vec<Given> =
        sorted.iter().rev().zip(5..).map(|(url, second)| Given::page(url, second, "x")).collect();
    entries.push(Given::page("https://a.example/b", 2, "y"));
    check(store, &entries);

    let urls = |prefix: &str, after, limit| -> Vec<String> {
        store.urls(prefix, after, limit).unwrap().into_iter().map(|row| row.url).collect()
    };
    assert_eq!(urls("", None, 100), sorted);
    assert_eq!(urls("", Some(sorted[2]), 2), sorted[3..5]);
    assert_eq!(urls("https://a.example/", None, 100), sorted[3..5]);
    assert_eq!(urls("https://a.example/", Some(sorted[3]), 100), sorted[4..5]);
    assert_eq!(urls("https://", None, 100), sorted[2..]);
    assert_eq!(urls("https://b.example/_", None, 100), sorted[6..7]);
    assert_eq!(urls("https://c", None, 100), [""; 0]);

    let row = &store.urls("https://a.example/b", None, 1).unwrap()[0];
    assert_eq!((row.entry_count, row.first.as_second(), row.last.as_second()), (2, 2, 8));
}

pub(crate) fn changes_follow_the_sequence(store: &dyn Store) {
    let url = |index: usize| format!("https://{}.example/{}", index % 3, index % 7);
    let entries: Vec<Given> =
        (0..60).map(|index| Given::page(&url(index), index as i64, &page_text(5, index))).collect();
    check(store, &entries);
    let mut since = 0;
    loop {
        let page = store.changes(since, 7).unwrap();
        let sequences: Vec<u64> = page.iter().map(|change| change.row.sequence).collect();
        let expected: Vec<u64> = (since + 1..=60).take(7).collect();
        assert_eq!(sequences, expected);
        let Some(last) = sequences.last() else { break };
        since = *last;
    }
}

pub(crate) fn totals_are_sums_over_all_entries(store: &dyn Store) {
    assert_eq!(store.totals().unwrap().entry_count, 0);
    let mut entries = Vec::new();
    for index in 0..40 {
        let mut entry = Given::page(&format!("https://a.example/{}", index % 4), index, "some text");
        entry.figures = std::array::from_fn(|figure| (index as u32 * 31 + figure as u32) % 50 * 1_000_000);
        entries.push(entry);
    }
    check(store, &entries);
}

pub(crate) fn compaction_and_verification_change_nothing(store: &dyn Store) {
    let mut entries = Vec::new();
    for round in 0..6 {
        for index in 0..30 {
            let url = format!("https://a.example/{}", index % (round + 2));
            let entry = Given::page(&url, round as i64, &page_text(12, round * index));
            entry.append_to(store);
            entries.push(entry);
        }
        check_holds(store, &entries);
        store.compact(&mut |_, _| true).unwrap();
        let verified = store.verify(&mut |_, _| true).unwrap();
        assert_eq!((verified.entry_count, verified.damages.len()), (entries.len() as u64, 0));
        check_holds(store, &entries);
    }
}

/// Bytes without any order, the same for the same seed.
pub(crate) fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..length).map(|_| byte()).collect()
}
