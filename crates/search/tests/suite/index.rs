//! The index and its archive agree, whatever came in when and whatever broke.

use std::path::Path;

use kuai_archive::Archive;
use kuai_page::{Capture, Timestamp, Url};
use kuai_search::{BlockId, Index, Opened, Period, Query, Request};

use crate::paragraphs::archive;

fn day(day: i64) -> Timestamp {
    Timestamp::from_second(day * 86_400).expect("a time")
}

fn put(archive: &Archive, page: &str, at: i64, paragraphs: &[&str]) {
    let body: String = paragraphs.iter().map(|text| format!("<p>{text}</p>")).collect();
    put_body(archive, page, at, &format!("<title>Page {page}</title><body>{body}"), 200);
}

fn put_body(archive: &Archive, page: &str, at: i64, body: &str, status: u16) {
    let url = Url::parse(&format!("https://light.example/{page}")).expect("an address");
    let capture = Capture { status, ..Capture::new(url, day(at), body.as_bytes().to_vec()) };
    archive.commit(&capture).expect("memory takes it");
}

fn follow(index: &mut Index, archive: &Archive) {
    index.follow(archive, &mut |_, _| true).expect("it can be followed");
}

fn indexed(archive: &Archive) -> Index {
    let mut index = Index::in_memory().expect("memory");
    follow(&mut index, archive);
    index
}

/// Hits as `page first-last-gone: snippet`.
fn hits(index: &Index, archive: &Archive, query: &str, period: Period) -> Vec<String> {
    let query: Query = query.parse().expect("a good query");
    let answer = index.search(archive, &Request { period, ..Request::new(query) }).expect("it can be searched");
    let days = |time: Timestamp| time.as_second() / 86_400;
    let line = |hit: &kuai_search::Hit| {
        let gone = hit.gone.map_or("".to_owned(), |gone| days(gone).to_string());
        let page = hit.url.rsplit('/').next().unwrap_or_default();
        format!("{page} {}-{}-{gone}: {}", days(hit.first_seen), days(hit.last_seen), hit.snippet.text)
    };
    let mut lines: Vec<String> = answer.hits.iter().map(line).collect();
    lines.sort();
    lines
}

fn edited() -> Archive {
    let archive = archive();
    put(&archive, "a", 1, &["The keeper lights the lamp.", "The lamp burns oil."]);
    put(&archive, "b", 1, &["Gulls nest here.", "The keeper lights the lamp."]);
    put(&archive, "a", 2, &["The keeper lights the lamp.", "The lamp burns petroleum."]);
    put(&archive, "a", 3, &["The keeper lights the lamp.", "The lamp burns petroleum."]);
    archive
}

#[test]
fn a_block_that_stays_is_one_hit_with_a_life_span() {
    let archive = edited();
    let index = indexed(&archive);
    assert_eq!(hits(&index, &archive, "keeper", Period::Now), ["a 1-3-: The keeper lights the lamp."]);
    assert_eq!(hits(&index, &archive, "oil", Period::Now), [""; 0]);
    assert_eq!(hits(&index, &archive, "oil", Period::Ever), ["a 1-1-2: The lamp burns oil."]);
    assert_eq!(hits(&index, &archive, "petroleum", Period::Now), ["a 2-3-: The lamp burns petroleum."]);
}

#[test]
fn a_time_shows_what_stood_then() {
    let archive = edited();
    let index = indexed(&archive);
    let burns = |at: i64| hits(&index, &archive, "burns", Period::At(day(at)));
    assert_eq!(burns(0), [""; 0]);
    assert_eq!(burns(1), ["a 1-1-2: The lamp burns oil."]);
    assert_eq!(burns(2), ["a 2-3-: The lamp burns petroleum."]);
    assert_eq!(hits(&index, &archive, "burns", Period::Between(day(0), day(9))).len(), 2);
}

#[test]
fn what_stood_at_each_of_some_times_is_counted() {
    let archive = edited();
    let index = indexed(&archive);
    let counts = |query: &str| {
        let request = Request::new(query.parse().expect("a good query"));
        index.standing(&request, &[0, 1, 2, 9].map(day)).expect("it can be searched")
    };
    assert_eq!(counts("keeper"), [0, 2, 2, 2]);
    assert_eq!(counts("oil"), [0, 1, 0, 0]);
    assert_eq!(counts("burns"), [0, 1, 1, 1]);
}

#[test]
fn a_text_is_listed_with_its_lifetimes_on_all_pages() {
    let archive = edited();
    let index = indexed(&archive);
    let (listed, count) = index.lifetimes(BlockId::of("The keeper lights the lamp."), 1).expect("it can be searched");
    assert_eq!((listed.len(), count), (1, 2));
    assert_eq!((listed[0].url.as_str(), listed[0].gone), ("https://light.example/a", None));
    assert_eq!(index.lifetimes(BlockId::of("Nobody said so."), 9).expect("it can be searched").1, 0);
}

#[test]
fn a_failure_ends_no_lifetime_and_a_return_begins_another() {
    let archive = archive();
    put(&archive, "a", 1, &["The bell is rung.", "Fog."]);
    put_body(&archive, "a", 2, "gone fishing", 404);
    put(&archive, "a", 3, &["The bell is rung.", "Fog."]);
    put(&archive, "a", 4, &["No bell.", "Fog."]);
    put(&archive, "a", 5, &["The bell is rung.", "Fog."]);
    let index = indexed(&archive);
    let expected = ["a 1-3-4: The bell is rung."];
    // The same text at two times is one hit; the earlier one stands for both.
    assert_eq!(hits(&index, &archive, "rung", Period::Ever), expected);
    assert_eq!(hits(&index, &archive, "rung", Period::Now), ["a 5-5-: The bell is rung."]);
}

/// What an index says at every time, of everything.
fn everything(index: &Index, archive: &Archive) -> Vec<Vec<String>> {
    let periods = (0..12).map(|time| Period::At(day(time))).chain([Period::Now, Period::Ever]);
    periods.map(|period| hits(index, archive, "lamp OR keeper OR bell OR gulls OR oil", period)).collect()
}

#[test]
fn following_step_by_step_gives_what_following_at_once_does() {
    let archive = archive();
    let mut stepped = Index::in_memory().expect("memory");
    let texts = ["The lamp burns oil.", "The keeper sleeps.", "The bell rings.", "Gulls nest here."];
    for step in 0..10 {
        let shown: Vec<&str> = texts
            .iter()
            .enumerate()
            .filter(|(index, _)| (step * 7 + index * 3) % 5 < 3)
            .map(|(_, text)| *text)
            .collect();
        put(&archive, if step % 3 == 0 { "a" } else { "b" }, step as i64, &shown);
        follow(&mut stepped, &archive);
    }
    // A capture that comes late cuts lifetimes in two.
    put(&archive, "b", 3, &["The keeper sleeps.", "The lamp burns wood."]);
    follow(&mut stepped, &archive);
    let once = indexed(&archive);
    assert_eq!(everything(&stepped, &archive), everything(&once, &archive));
    assert_eq!(stepped.document_count(), once.document_count());
}

#[test]
fn phrases_cross_scripts_and_forms() {
    let archive = archive();
    put(&archive, "a", 1, &["我们用Rust写代码，很快。", "守塔人點亮油燈"]);
    let index = indexed(&archive);
    for query in ["\"用Rust写代码\"", "\"用ｒｕｓｔ\"", "代碼", "\"点亮油灯\"", "rust -油灯"] {
        assert_eq!(hits(&index, &archive, query, Period::Now).len(), 1, "{query}");
    }
    for query in ["\"Rust用写\"", "rust -代码", "\"代码 rust\""] {
        assert_eq!(hits(&index, &archive, query, Period::Now).len(), 0, "{query}");
    }
}

#[test]
fn fields_narrow_a_search() {
    let archive = edited();
    let index = indexed(&archive);
    let count = |query: &str| hits(&index, &archive, query, Period::Ever).len();
    assert_eq!(count("lamp site:light.example"), 3);
    assert_eq!(count("lamp site:dark.example"), 0);
    assert_eq!(count("lamp url:https://light.example/b"), 1);
    assert_eq!(count("keeper title:b"), 1);
    assert_eq!(count("site:light.example url:https://light.example/b"), 3);
}

#[test]
fn pages_of_results_neither_overlap_nor_leave_out() {
    let archive = archive();
    for page in 0..30 {
        let text = format!("The lamp number {page} burns.");
        put(&archive, &format!("p{page}"), 1, &[&text, "Same lamp text."]);
    }
    let index = indexed(&archive);
    let query: Query = "lamp".parse().expect("a query");
    let page = |offset| {
        let request = Request { offset, limit: 7, with_facets: true, ..Request::new(query.clone()) };
        index.search(&archive, &request).expect("it can be searched")
    };
    let mut blocks: Vec<_> = (0..6).flat_map(|number| page(number * 7).hits).map(|hit| hit.block).collect();
    assert_eq!(blocks.len(), 31);
    blocks.sort();
    blocks.dedup();
    assert_eq!(blocks.len(), 31);
    let first = page(0);
    assert_eq!(first.matching, 60);
    assert_eq!(first.facets.sites.get("light.example"), Some(&60));
    assert_eq!(first.facets.years.get(&1970), Some(&60));
    let same = index.search(&archive, &Request { limit: 40, ..Request::new(query) }).expect("it can be searched");
    assert_eq!(same.hits.iter().map(|hit| hit.pages).max(), Some(30));
}

fn open(folder: &Path) -> Opened {
    Index::open(folder).expect("it opens")
}

#[test]
fn an_index_comes_back_as_it_was() {
    let (folder, archive) = (tempfile::tempdir().expect("a folder"), edited());
    let before = {
        let mut index = open(folder.path()).index;
        follow(&mut index, &archive);
        everything(&index, &archive)
    };
    let Opened { index, discarded } = open(folder.path());
    assert_eq!(discarded, None);
    assert_eq!((index.sequence(), index.behind(&archive).expect("memory")), (4, 0));
    assert_eq!(everything(&index, &archive), before);
}

#[test]
fn a_flipped_byte_anywhere_is_seen_and_the_index_made_anew() {
    let (folder, archive) = (tempfile::tempdir().expect("a folder"), edited());
    let mut index = open(folder.path()).index;
    follow(&mut index, &archive);
    let expected = everything(&index, &archive);
    drop(index);
    let files: Vec<_> =
        std::fs::read_dir(folder.path().join("words")).expect("a folder").flatten().map(|file| file.path()).collect();
    let parts = files.iter().filter(|file| file.extension().is_some_and(|ending| ending != "lock" && ending != "json"));
    for name in parts.map(|file| file.file_name().expect("a name").to_owned()) {
        let copy = tempfile::tempdir().expect("a folder");
        let words = copy.path().join("words");
        std::fs::create_dir(&words).expect("a folder");
        files.iter().for_each(|file| drop(std::fs::copy(file, words.join(file.file_name().expect("a name")))));
        let mut bytes = std::fs::read(words.join(&name)).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        std::fs::write(words.join(&name), bytes).expect("a file");
        let Opened { mut index, discarded } = open(copy.path());
        assert!(discarded.is_some(), "{name:?}");
        follow(&mut index, &archive);
        assert_eq!(everything(&index, &archive), expected, "{name:?}");
    }
}

#[test]
fn an_index_of_another_archive_is_made_anew() {
    let followed = edited();
    let mut index = indexed(&followed);
    let other = archive();
    put(&other, "c", 1, &["The lamp is out."]);
    let followed = index.follow(&other, &mut |_, _| true).expect("memory");
    assert!(followed.begun_anew);
    assert_eq!(everything(&index, &other), everything(&indexed(&other), &other));
}

#[test]
fn one_process_writes_at_a_time_and_others_search() {
    let (folder, archive) = (tempfile::tempdir().expect("a folder"), edited());
    let mut first = open(folder.path()).index;
    let mut second = open(folder.path()).index;
    let mut refused = None;
    first
        .follow(&archive, &mut |_, _| {
            refused = Some(second.follow(&archive, &mut |_, _| true).is_err());
            true
        })
        .expect("it can be followed");
    assert_eq!(refused, Some(true));
}
