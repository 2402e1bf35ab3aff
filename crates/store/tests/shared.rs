//! What holds when several processes write to a shared archive, lose their connections, their lease or their life.
//!
//! Each test has a schema of its own in the Postgres that `scripts/shared-servers` runs, and says so where there is none.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod suite;

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use kuai_archive::{Form, Store, StoreError};
use kuai_crawl::{Batch, Decision, Ending, Find, Frontier, Via, Want};
use kuai_store::{PostgresFrontier, PostgresStore};
use suite::shared::{Objects, SharedPlace};
use suite::{Given, check_holds, noise, page_text};
use url::Url;

/// A connection of the test's own, to do to a database what only accidents do.
struct Sql {
    runtime: tokio::runtime::Runtime,
    client: tokio_postgres::Client,
}

impl Sql {
    fn of(place: &SharedPlace) -> Sql {
        let (server, rest) = place.address.split_once('?').unwrap();
        let schema = rest.split('&').find_map(|setting| setting.strip_prefix("schema=")).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(server, tokio_postgres::NoTls).await.unwrap();
            tokio::spawn(connection);
            client.batch_execute(&format!("SET search_path = {schema}")).await.unwrap();
            client
        });
        Sql { runtime, client }
    }

    fn run(&self, statements: &str) {
        self.runtime.block_on(self.client.batch_execute(statements)).unwrap();
    }

    fn number(&self, question: &str) -> i64 {
        self.runtime.block_on(self.client.query_one(question, &[])).unwrap().get(0)
    }

    /// Cuts the connections of everybody who works on this schema.
    fn cut(&self) {
        let schema = self.runtime.block_on(self.client.query_one("SELECT current_schema()::text", &[])).unwrap();
        let schema: String = schema.get(0);
        self.number(&format!(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE application_name = 'kuai {schema}' AND pid <> pg_backend_pid()"
        ));
    }
}

fn given(host: &str, index: usize) -> Given {
    let mut entry = Given::page(&format!("https://{host}.example/{}", index % 7), index as i64, &page_text(20, index));
    if index % 10 == 3 {
        entry.form = Form::Blob;
        entry.body = noise(3000, index as u64 / 20);
    }
    entry
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

const WANT: Want = Want { limit: 10, per_host: 10, lease: Duration::from_secs(3600) };

fn find(url: &str) -> Find {
    let decision = Decision::Follow(0);
    Find {
        url: Url::parse(url).unwrap(),
        via: Via::Link,
        parent: None,
        depth: 1,
        hops: 0,
        decision,
        why: String::new(),
    }
}

fn put(frontier: &dyn Frontier, urls: &[&str]) {
    let finds = urls.iter().map(|url| find(url)).collect();
    frontier.record(&Batch { finds, ..Batch::default() }).unwrap();
}

#[test]
fn two_writers_of_one_url_keep_its_versions_in_order() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let writers = [place.writer(), place.writer()];
    let entries: Vec<Given> =
        (0..12).map(|index| Given::page("https://a.example/", index, &page_text(20, index as usize))).collect();
    for (index, entry) in entries.iter().enumerate() {
        let writer = &writers[index % 2];
        let latest = writer.latest("https://a.example/").unwrap();
        assert_eq!(latest.map(|stored| stored.body), index.checked_sub(1).map(|before| entries[before].body.clone()));
        entry.append_to(writer);
        writer.sync().unwrap();
    }
    check_holds(&place.reader(), &entries);
}

#[test]
fn a_reader_of_the_feed_never_misses_what_is_committed_late() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let (reader, is_done) = (place.reader_of_new(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let writers: Vec<_> = ["a", "b", "c"]
            .map(|host| {
                let writer = place.writer();
                scope.spawn(move || {
                    for index in 0..60 {
                        given(host, index).append_to(&writer);
                        if index % 4 == 3 {
                            writer.sync().unwrap();
                        }
                    }
                })
            })
            .into_iter()
            .collect();
        let following = scope.spawn(|| {
            let mut seen = 0;
            while !is_done.load(Ordering::Relaxed) || seen < 180 {
                for change in reader.changes(seen, 1000).unwrap() {
                    assert_eq!(change.row.sequence, seen + 1, "the feed goes on without a gap");
                    seen += 1;
                }
            }
        });
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        is_done.store(true, Ordering::Relaxed);
        following.join().unwrap();
    });
    assert_eq!(reader.verify(&mut |_, _| true).unwrap().entry_count, 180);
}

#[test]
fn what_was_appended_survives_that_all_connections_are_cut() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let (writer, sql) = (place.writer(), Sql::of(&place));
    let entries: Vec<Given> = (0..60).map(|index| given("a", index)).collect();
    for (index, entry) in entries.iter().enumerate() {
        entry.append_to(&writer);
        match index % 10 {
            4 => sql.cut(),
            7 => writer.sync().unwrap(),
            9 => {
                sql.cut();
                writer.sync().unwrap();
            }
            _ => {}
        }
    }
    check_holds(&place.reader(), &entries);
}

#[test]
fn a_worker_whose_lease_ended_is_refused_here_and_in_the_archive() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let (late, sql) = (place.writer(), Sql::of(&place));
    let frontier = PostgresFrontier::open(&late, "crawl").unwrap();
    put(&frontier, &["https://a.example/1"]);
    let claim = frontier.claim(at(0), &WANT).unwrap().remove(0);
    given("a", 1).append_to(&late);

    sql.run("UPDATE worker SET until = now() - interval '1 second'");
    let (other, other_frontier) = worker(&place);
    let taken = other_frontier.claim(at(0), &WANT).unwrap().remove(0);
    assert_eq!(taken.id, claim.id);

    let error = late.sync().unwrap_err();
    assert!(format!("{error:?}").contains("lease"), "{error:?}");
    let done = Batch { endings: vec![(claim.id, Ending::Done { status: 200 })], ..Batch::default() };
    assert!(frontier.record(&done).is_err() && frontier.claim(at(1), &WANT).is_err() && frontier.release().is_err());
    assert_eq!(other.totals().unwrap().entry_count, 0, "nothing of it came into the archive");
    other_frontier.record(&done).unwrap();
}

#[test]
fn a_claim_that_a_dead_worker_may_have_archived_says_so() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let (dead, sql) = (place.writer(), Sql::of(&place));
    let frontier = PostgresFrontier::open(&dead, "crawl").unwrap();
    put(&frontier, &["https://a.example/1"]);
    assert_eq!(frontier.claim(at(0), &WANT).unwrap()[0].archived_after, None);
    given("a", 1).append_to(&dead);
    dead.sync().unwrap();

    sql.run("UPDATE worker SET until = now() - interval '1 second'");
    let (other, other_frontier) = worker(&place);
    let claim = other_frontier.claim(at(0), &WANT).unwrap().remove(0);
    let after = claim.archived_after.expect("somebody had claimed it");
    assert!(other.newest(claim.url.as_str(), 1).unwrap()[0].sequence > after);
}

#[test]
fn a_host_belongs_to_one_worker_and_its_delay_to_all() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let ((_store, one), (_other_store, other)) = (worker(&place), worker(&place));
    put(&one, &["https://a.example/1", "https://a.example/2", "https://b.example/1"]);
    let want = Want { limit: 1, per_host: 1, ..WANT };
    let mine = one.claim(at(0), &want).unwrap().remove(0);
    let theirs = other.claim(at(0), &WANT).unwrap();
    assert_eq!(theirs.iter().map(|claim| claim.url.as_str()).collect::<Vec<_>>(), ["https://b.example/1"]);
    assert!(other.next_time(at(0), &WANT).unwrap().unwrap() < at(2), "others may find something soon");

    let (endings, delays) = (vec![(mine.id, Ending::Done { status: 200 })], vec![(mine.host, at(30))]);
    one.record(&Batch { endings, delays, ..Batch::default() }).unwrap();
    assert_eq!(other.claim(at(29), &WANT).unwrap(), []);
    assert_eq!(other.claim(at(30), &WANT).unwrap()[0].url.path(), "/2");
}

#[test]
fn nobody_begins_a_crawl_anew_while_others_are_at_it() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let ((_store, one), (_other_store, other)) = (worker(&place), worker(&place));
    put(&one, &["https://a.example/1"]);
    other.reset().unwrap();
    assert_eq!(one.counts().unwrap().open(), 1);
    drop(one);
    other.reset().unwrap();
    assert_eq!(other.counts().unwrap().open(), 0);
}

/// A writer with thirty entries that are durable.
fn filled(place: &SharedPlace) -> (PostgresStore, Vec<Given>) {
    let writer = place.writer();
    let entries: Vec<Given> = (0..30).map(|index| given("a", index)).collect();
    for entry in &entries {
        entry.append_to(&writer);
    }
    writer.sync().unwrap();
    (writer, entries)
}

#[test]
fn what_a_crash_left_in_the_object_store_is_removed_when_it_is_old() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let (writer, entries) = filled(&place);
    let (old, young) = (place.object(900_001), place.object(900_002));
    for object in [&old, &young] {
        fs::create_dir_all(object.parent().unwrap()).unwrap();
        fs::write(object, "left by a crash").unwrap();
    }
    let long_ago = SystemTime::now() - Duration::from_secs(7200);
    File::options().write(true).open(&old).unwrap().set_modified(long_ago).unwrap();
    assert_eq!(writer.verify(&mut |_, _| true).unwrap().remarks.len(), 2);
    writer.compact(&mut |_, _| true).unwrap();
    assert!(!old.exists() && young.exists(), "one that is young may be of a batch that is about to be committed");
    check_holds(&writer, &entries);
}

#[test]
fn a_damaged_or_lost_object_is_told_with_what_it_costs() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let (_writer, entries) = filled(&place);
    let object = place.object(1);
    let mut bytes = fs::read(&object).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&object, &bytes).unwrap();
    let verified = place.reader().verify(&mut |_, _| true).unwrap();
    let affected: usize = verified.damages.iter().map(|damage| damage.affected.len()).sum();
    assert!(affected > 0 && verified.entry_count as usize + affected == entries.len(), "{verified:?}");
    fs::remove_file(&object).unwrap();
    let verified = place.reader().verify(&mut |_, _| true).unwrap();
    assert!(verified.damages.iter().any(|damage| damage.what.contains("missing")), "{:?}", verified.damages);
}

#[test]
fn a_place_that_is_not_what_it_should_be_is_told_by_name() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    assert!(matches!(PostgresStore::read(&place.address), Err(StoreError::NoArchive { .. })));
    let without_objects = place.address.split("&objects=").next().unwrap();
    let error = PostgresStore::create_or_open(without_objects).unwrap_err().to_string();
    assert!(error.contains("objects="), "{error}");
    drop(place.writer());
    PostgresStore::read(without_objects).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let wrong = format!("{without_objects}&objects={}", elsewhere.path().display());
    let error = PostgresStore::read(&wrong).unwrap_err().to_string();
    assert!(error.contains("check objects="), "{error}");
    Sql::of(&place).run("INSERT INTO migration (version) VALUES (99)");
    let error = PostgresStore::read(&place.address).unwrap_err().to_string();
    assert!(error.contains("newer kuai"), "{error}");
}

#[test]
fn people_can_ask_for_versions_blocks_and_changes_with_sql() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let writer = place.writer();
    for index in 0..9 {
        let mut entry = given("a", index);
        // Every other one is a page of four blocks.
        entry.figures[..2].copy_from_slice(if index % 2 == 0 { &[1, 4] } else { &[0, 0] });
        entry.append_to(&writer);
    }
    writer.sync().unwrap();
    let sql = Sql::of(&place);
    assert_eq!(sql.number("SELECT count(*) FROM versions WHERE status = 200 AND url LIKE 'https://a.example/%'"), 9);
    assert_eq!(sql.number("SELECT max(sequence) FROM changes WHERE \"time\" < '1970-01-01 00:00:05+00'"), 5);
    assert_eq!(sql.number("SELECT sum(blocks)::bigint FROM blocks"), 5 * 4);
}

#[test]
fn tables_of_an_older_kuai_can_be_read_and_whoever_writes_brings_them_up_to_date() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    drop(place.writer());
    let sql = Sql::of(&place);
    sql.run("DROP VIEW blocks; DELETE FROM migration WHERE version = 2");
    place.reader();
    assert_eq!(sql.number("SELECT count(*) FROM migration"), 1);
    drop(place.writer());
    assert_eq!(sql.number("SELECT count(*) FROM blocks"), 0);
}

/// A store with the frontier of a worker.
fn worker(place: &SharedPlace) -> (PostgresStore, PostgresFrontier) {
    let store = place.writer();
    let frontier = PostgresFrontier::open(&store, "crawl").unwrap();
    (store, frontier)
}

impl SharedPlace {
    /// A reader of an archive that is made for it.
    fn reader_of_new(&self) -> PostgresStore {
        drop(self.writer());
        self.reader()
    }

    /// Where an object lies.
    fn object(&self, number: u32) -> PathBuf {
        self.folder().join(format!("{:06}/{number:08}.pack", number / 1000))
    }
}

/// What a crawl does with a page that it knows: looks up what the server said of it last, and keeps what it says now.
fn visit_again(writer: &PostgresStore, entry: &Given) {
    let newest = writer.newest(&entry.url, 1).unwrap();
    writer.read(&entry.url, newest[0].number).unwrap();
    writer.latest(&entry.url).unwrap();
    entry.append_to(writer);
    assert_eq!(writer.newest(&entry.url, 9).unwrap().len(), newest[0].number as usize + 2);
}

#[test]
fn known_pages_that_are_visited_again_share_their_objects_as_new_ones_do() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let page = |index: usize, second: i64| {
        let url = format!("https://{}.example/{index}", ["a", "b", "c"][index % 3]);
        Given::page(&url, second, &page_text(20, index))
    };
    let (first, second): (Vec<Given>, Vec<Given>) = (0..60).map(|index| (page(index, 1), page(index, 2))).unzip();
    let objects = || Sql::of(&place).number("SELECT count(*) FROM object");
    let writer = place.writer();
    for entry in &first {
        entry.append_to(&writer);
    }
    writer.sync().unwrap();
    assert_eq!(objects(), 1);
    // Another run, which has nothing in memory.
    let writer = place.writer();
    second.iter().for_each(|entry| visit_again(&writer, entry));
    writer.sync().unwrap();
    assert_eq!(objects(), 2);
    let all: Vec<Given> = first.into_iter().chain(second).collect();
    check_holds(&place.reader(), &all);
}

#[test]
fn a_worker_leaves_hosts_to_the_others_that_have_nothing_to_do() {
    let Some(place) = SharedPlace::new(Objects::Folder) else { return };
    let stores = [place.writer(), place.writer()];
    let workers = stores.each_ref().map(|store| PostgresFrontier::open(store, "crawl").unwrap());
    put(&workers[0], &["http://a.example/", "http://b.example/", "http://c.example/", "http://d.example/"]);
    let counts = workers.each_ref().map(|worker| worker.claim(at(0), &WANT).unwrap().len());
    assert_eq!(counts, [2, 1], "half of four, then half of the two that are left");
    drop(workers);
    let alone = PostgresFrontier::open(&stores[0], "crawl").unwrap();
    assert_eq!(alone.claim(at(0), &WANT).unwrap().len(), 4);
}
