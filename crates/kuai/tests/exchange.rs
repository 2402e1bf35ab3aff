//! Archives and WARC files: what goes out comes in again, and what comes in goes out as it was.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Cursor, Read};

use bytes::Bytes;
use kuai::{
    Archive, Capture, ImportEvent, Imported, Importer, Packing, Request, Rules, Selection, Timestamp, Url, export,
    export_blocks, export_wacz, import, in_memory,
};
use kuai_warc::{Digest, Fields, Reader, RecordType, Writer};
use parquet::file::reader::{FileReader, SerializedFileReader};

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).unwrap()
}

fn url(path: &str) -> Url {
    Url::parse("http://example.org/").unwrap().join(path).unwrap()
}

fn line(name: &str, value: &str) -> (String, Vec<u8>) {
    (name.to_owned(), value.as_bytes().to_vec())
}

fn page(path: &str, second: i64, body: &str) -> Capture {
    let headers = vec![line("Content-Type", "text/html"), line("X-Second", &second.to_string())];
    Capture { headers, ..Capture::new(url(path), time(second), body.as_bytes().to_vec()) }
}

fn captures() -> Vec<Capture> {
    let request = Request { method: "GET".to_owned(), headers: vec![line("Host", "example.org")] };
    let not_modified = Capture { status: 304, reason: "Not Modified".to_owned(), body: Vec::new(), ..page("a", 4, "") };
    vec![
        Capture { request, ..page("a", 1, "<p>one</p>") },
        page("b", 2, "<p>two</p>"),
        page("a", 3, "<p>one</p>"),
        not_modified,
        page("a", 5, "<p>three</p>"),
        Capture { status: 404, reason: "Not Found".to_owned(), ..page("c", 6, "<p>one</p>") },
        page("empty", 7, ""),
    ]
}

fn archive_of(captures: &[Capture]) -> Archive {
    let archive = in_memory();
    for capture in captures {
        archive.commit(capture).unwrap();
    }
    archive
}

/// All captures in the order of time; those of different addresses come in side by side.
fn all(archive: &Archive) -> Vec<Capture> {
    let changes = archive.changes(0, 1000).unwrap();
    let mut captures: Vec<_> = changes.iter().map(|change| archive.read_change(change).unwrap()).collect();
    captures.sort_by_key(|capture| capture.time);
    captures
}

fn written(archive: &Archive, selection: &Selection, packing: Packing) -> Vec<u8> {
    let mut file = Vec::new();
    export(archive, selection, &mut file, packing, time(100), |_| {}).unwrap();
    file
}

fn taken_in(archive: &Archive, file: &[u8]) -> (Imported, Vec<String>) {
    let mut problems = Vec::new();
    let mut watch = |event| {
        if let ImportEvent::Problem(what) = event {
            problems.push(what);
        }
        true
    };
    (import(archive, file, &mut watch).unwrap(), problems)
}

/// Types, addresses, blocks.
fn records(file: &[u8]) -> Vec<(RecordType, Fields, Vec<u8>)> {
    let mut reader = Reader::new(file);
    let mut records = Vec::new();
    while let Some(record) = reader.next_record() {
        let mut record = record.unwrap();
        let mut block = Vec::new();
        record.read_to_end(&mut block).unwrap();
        records.push((record.record_type(), record.fields().clone(), block));
        record.finish().unwrap();
    }
    records
}

fn http(id: &str, path: &str, second: i64) -> Fields {
    let fields = Fields::new(RecordType::Response, id, &time(second).to_string());
    fields.with("WARC-Target-URI", url(path).as_str()).with("Content-Type", "application/http")
}

fn file_of(records: &[(Fields, &[u8])]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Packing::Gzip);
    for (fields, block) in records {
        writer.write(fields, block.len() as u64, *block).unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn what_is_exported_is_imported_the_same() {
    for packing in [Packing::Plain, Packing::Gzip, Packing::Zstd] {
        let second = in_memory();
        let (imported, problems) =
            taken_in(&second, &written(&archive_of(&captures()), &Selection::default(), packing));
        assert_eq!((imported.problems, problems), (0, vec![]));
        assert_eq!((imported.new_urls, imported.new_versions, imported.seen_again), (4, 1, 2));
        assert_eq!(all(&second), captures(), "{packing:?}");
    }
}

#[test]
fn importing_twice_adds_nothing() {
    let file = written(&archive_of(&captures()), &Selection::default(), Packing::Gzip);
    let archive = in_memory();
    taken_in(&archive, &file);
    let (again, problems) = taken_in(&archive, &file);
    assert_eq!((again.known, again.new_urls + again.new_versions + again.seen_again), (7, 0), "{problems:?}");
    assert_eq!(all(&archive), captures());
}

#[test]
fn an_import_that_was_stopped_ends_the_same() {
    let file = written(&archive_of(&captures()), &Selection::default(), Packing::Gzip);
    for steps in 0..9 {
        let archive = in_memory();
        let mut left = steps;
        let mut watch = |_| {
            left -= 1;
            left >= 0
        };
        import(&archive, file.as_slice(), &mut watch).unwrap();
        taken_in(&archive, &file);
        assert_eq!(all(&archive), captures(), "stopped after {steps} records");
    }
}

#[test]
fn a_payload_that_stands_in_the_file_goes_out_as_a_revisit() {
    let records = records(&written(&archive_of(&captures()), &Selection::default(), Packing::Gzip));
    let types: Vec<_> = records.iter().map(|(record_type, ..)| record_type.name()).collect();
    let expected =
        ["warcinfo", "response", "request", "response", "revisit", "revisit", "response", "revisit", "response"];
    assert_eq!(types, expected);
    let (_, fields, block) = &records[4];
    assert_eq!(fields.text("WARC-Refers-To-Target-URI"), Some("http://example.org/a"));
    assert_eq!(fields.text("WARC-Refers-To-Date"), Some(time(1).to_string().as_str()));
    assert_eq!(fields.get("WARC-Refers-To"), records[1].1.get("WARC-Record-ID"));
    assert_eq!(fields.digest("WARC-Payload-Digest"), Some(Digest::sha1(b"<p>one</p>")));
    assert_eq!(block, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Second: 3\r\n\r\n");
}

#[test]
fn a_selection_is_written_and_nothing_else() {
    let archive = archive_of(&captures());
    let prefixes = vec!["http://example.org/a".to_owned()];
    let selection = Selection { prefixes, from: Some(time(3)), to: Some(time(4)), ..Selection::default() };
    let second = in_memory();
    taken_in(&second, &written(&archive, &selection, Packing::Gzip));
    assert_eq!(all(&second), captures()[2..4]);
}

#[test]
fn odd_heads_and_chunks_go_through_byte_for_byte() {
    let odd: &[u8] = b"HTTP/1.1 200\nserver:nginx\n\n<p>odd</p>";
    let chunked: &[u8] = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>Hi\r\n0\r\n\r\n";
    let packed: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\x1F\x8B\x08\0\0";
    let blocks = [odd, chunked, packed];
    let file = file_of(&[
        (http("urn:x:1", "1", 1), odd),
        (http("urn:x:2", "2", 2), chunked),
        (http("urn:x:3", "3", 3), packed),
    ]);
    let archive = in_memory();
    assert_eq!(taken_in(&archive, &file).1, Vec::<String>::new());
    assert_eq!(all(&archive)[1].body, b"<p>Hi");
    let mut out = records(&written(&archive, &Selection::default(), Packing::Plain));
    out[1..].sort_by_key(|(_, fields, _)| fields.text("WARC-Date").map(str::to_owned));
    assert_eq!(out[1..].iter().map(|(_, _, block)| block.as_slice()).collect::<Vec<_>>(), blocks);
}

#[test]
fn a_revisit_finds_its_body_by_id_digest_or_address() {
    let message = b"HTTP/1.1 200 OK\r\n\r\n<p>body</p>";
    let revisit = |path, second| {
        Fields::new(RecordType::Revisit, &format!("urn:x:{second}"), &time(second).to_string())
            .with("WARC-Target-URI", url(path).as_str())
            .with("Content-Type", "application/http")
    };
    let digest = Digest::sha1(b"<p>body</p>").to_string();
    let head: &[u8] = b"HTTP/1.1 200 OK\r\nAge: 1\r\n\r\n";
    let file = file_of(&[
        (http("urn:x:1", "a", 1).with("WARC-Payload-Digest", &digest), message),
        (revisit("b", 2).with("WARC-Refers-To", "<urn:x:1>"), head),
        (revisit("c", 3).with("WARC-Payload-Digest", &digest), head),
        (
            revisit("d", 4)
                .with("WARC-Refers-To-Target-URI", url("a").as_str())
                .with("WARC-Refers-To-Date", time(1).to_string()),
            head,
        ),
        (revisit("a", 5), b""),
        (revisit("e", 6).with("WARC-Payload-Digest", Digest::sha1(b"other").to_string()), head),
    ]);
    let archive = in_memory();
    let (imported, problems) = taken_in(&archive, &file);
    assert_eq!(imported.problems, 1);
    assert!(problems[0].contains("http://example.org/e"), "{problems:?}");
    let bodies: Vec<_> = all(&archive).into_iter().map(|capture| capture.body).collect();
    assert_eq!(bodies, vec![b"<p>body</p>".to_vec(); 5]);
}

#[test]
fn a_damaged_record_is_named_and_the_rest_is_taken() {
    let mut file = written(&archive_of(&captures()[..2]), &Selection::default(), Packing::Plain);
    let at = file.windows(10).position(|window| window == b"<p>one</p>").unwrap();
    file[at] = b'[';
    let archive = in_memory();
    let (imported, problems) = taken_in(&archive, &file);
    assert_eq!((imported.new_urls, imported.problems), (1, 1));
    assert!(problems[0].contains("block digest differs"), "{problems:?}");
}

#[test]
fn resources_go_through_as_resources() {
    let fields = Fields::new(RecordType::Resource, "urn:x:1", &time(1).to_string());
    let fields = fields.with("WARC-Target-URI", url("a").as_str()).with("Content-Type", "text/html");
    let archive = in_memory();
    taken_in(&archive, &file_of(&[(fields, b"<p>given</p>")]));
    let out = records(&written(&archive, &Selection::default(), Packing::Gzip));
    assert_eq!((out[1].0, out[1].2.as_slice()), (RecordType::Resource, &b"<p>given</p>"[..]));
}

#[test]
fn an_archive_goes_through_a_wacz_file_into_another() {
    let mut file = Cursor::new(Vec::new());
    let scratch = std::env::temp_dir();
    let exported =
        export_wacz(&archive_of(&captures()), &Selection::default(), &mut file, &scratch, time(100), |_| {}).unwrap();
    assert_eq!((exported.captures, exported.bytes), (7, file.get_ref().len() as u64));
    let second = in_memory();
    let mut positions = Vec::new();
    let mut watch = |event| {
        match event {
            ImportEvent::Progress(position) => positions.push(position),
            event => panic!("{event:?}"),
        }
        true
    };
    let imported = Importer::new(&second).unwrap().import_wacz(file, &mut watch).unwrap();
    assert_eq!((imported.records, imported.new_urls, imported.problems), (9, 4, 0));
    assert!(positions.is_sorted());
    assert_eq!(all(&second), captures());
}

#[test]
fn a_revisit_finds_its_body_in_what_earlier_imports_left() {
    let message = b"HTTP/1.1 200 OK\r\n\r\n<p>body</p>";
    let digest = Digest::sha1(b"<p>body</p>").to_string();
    let first = file_of(&[(http("urn:x:1", "a", 1).with("WARC-Payload-Digest", &digest), message)]);
    let revisit = Fields::new(RecordType::Revisit, "urn:x:2", &time(2).to_string())
        .with("WARC-Target-URI", url("elsewhere").as_str())
        .with("WARC-Payload-Digest", &digest)
        .with("Content-Type", "application/http");
    let second = file_of(&[(revisit, b"HTTP/1.1 200 OK\r\nAge: 1\r\n\r\n")]);
    let archive = in_memory();
    taken_in(&archive, &first);
    assert_eq!(taken_in(&archive, &second).1, Vec::<String>::new());
    assert_eq!(all(&archive)[1].body, b"<p>body</p>");
}

#[test]
fn many_workers_end_as_one_does() {
    let digest = |number: usize| Digest::sha1(body(number).as_bytes()).to_string();
    fn body(number: usize) -> String {
        format!("<p>{}</p>", number % 40)
    }
    let mut writer = Writer::new(Vec::new(), Packing::Gzip);
    for number in 0..400 {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: {number}\r\n\r\n");
        let path = format!("{}", number % 23);
        // Bodies come again as revisits by digest, while the first of them may still be under way.
        let (fields, block) = if number < 40 || number % 3 == 0 {
            (http(&format!("urn:x:{number}"), &path, number as i64), head + &body(number))
        } else {
            let fields = Fields::new(RecordType::Revisit, &format!("urn:x:{number}"), &time(number as i64).to_string());
            (fields.with("WARC-Target-URI", url(&path).as_str()).with("Content-Type", "application/http"), head)
        };
        let fields = fields.with("WARC-Payload-Digest", digest(number));
        writer.write(&fields, block.len() as u64, block.as_bytes()).unwrap();
    }
    let file = writer.finish().unwrap();
    let history_by = |worker_count| {
        let archive = in_memory();
        let importer = Importer::new(&archive).unwrap().with_workers(worker_count);
        let imported = importer.import(file.as_slice(), &mut |_| true).unwrap();
        assert_eq!(imported.problems, 0);
        let rows = |path: usize| archive.history(&url(&path.to_string())).unwrap();
        let histories: Vec<Vec<_>> = (0..23)
            .map(|path| rows(path).iter().map(|row| (row.number, row.time, row.hash, row.changes)).collect())
            .collect();
        (imported, histories, all(&archive))
    };
    let expected = history_by(1);
    assert_eq!(expected.2.len(), 400);
    for worker_count in [2, 5, 16] {
        assert_eq!(history_by(worker_count), expected, "{worker_count} workers");
    }
}

#[test]
fn whole_pages_go_through_without_blocks() {
    let file = written(&archive_of(&captures()), &Selection::default(), Packing::Gzip);
    let archive = in_memory().with_whole_pages().in_haste();
    taken_in(&archive, &file);
    assert_eq!(all(&archive), captures());
    assert_eq!(archive.stats().unwrap().blocks, 0);
}

#[test]
fn a_collection_is_chosen_by_its_name() {
    let rules =
        "[[rule]]\nurl = \"*/a\"\nlabel = [\"news\"]\n[[rule]]\nurl = \"*/b\"\nmetadata = { collection = \"Papers\" }";
    let archive = in_memory().with_rules(Rules::read(rules).unwrap());
    for capture in &captures()[..3] {
        archive.commit(capture).unwrap();
    }
    for (name, count) in [("news", 2), ("Papers", 1), ("other", 0)] {
        let selection = Selection { collections: vec![name.to_owned()], ..Selection::default() };
        let written = export(&archive, &selection, Vec::new(), Packing::Plain, time(9), |_| {}).unwrap();
        assert_eq!(written.captures, count, "{name}");
    }
}

/// Columns of a table of blocks, row by row, in the order of text and time.
fn rows(table: Vec<u8>, columns: &[&str]) -> Vec<String> {
    let reader = SerializedFileReader::new(Bytes::from(table)).unwrap();
    let mut rows: Vec<String> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let row = row.unwrap();
            let value = |name: &&str| row.get_column_iter().find(|(known, _)| known == name).unwrap().1.to_string();
            columns.iter().map(value).collect::<Vec<_>>().join(" ")
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn blocks_are_told_with_how_long_they_said_what() {
    let archive = in_memory();
    let stays = "The first paragraph stays as it is, whatever happens to the other one.";
    for (second, text) in [(1, "one"), (2, "one"), (3, "two"), (4, "one")] {
        let body = format!("<p>{stays}</p><p>The second paragraph says {text}, which is another thing each time.</p>");
        archive.commit(&page("a", second, &body)).unwrap();
    }
    archive.commit(&page("b", 5, "<p>Another page.</p>")).unwrap();
    let mut table = Vec::new();
    let selection = Selection { prefixes: vec![url("a").to_string()], ..Selection::default() };
    let exported = export_blocks(&archive, &selection, &mut table, |_| {}).unwrap();
    assert_eq!((exported.captures, exported.bytes), (3, table.len() as u64));
    let at = |second| format!("2023-11-14 22:13:2{second}.000000 +00:00");
    let row = |text: &str, time, first, last| format!("\"{text}\" {} {} {}", at(time), at(first), at(last));
    let says = |text| format!("The second paragraph says {text}, which is another thing each time.");
    let expected =
        [row(stays, 1, 1, 4), row(&says("one"), 1, 1, 2), row(&says("one"), 4, 1, 4), row(&says("two"), 3, 1, 3)];
    assert_eq!(rows(table, &["text", "time", "first_seen", "last_seen"]), expected);
}

#[test]
fn a_long_table_has_many_groups_and_says_all() {
    let archive = in_memory();
    let paragraph = |number: usize| {
        format!("<p>Paragraph {number} of a page that has very many of them, each one unlike all others.</p>\n")
    };
    for number in 0..40 {
        let body: String = (0..1000).map(|index| paragraph(number * 1000 + index)).collect();
        archive.commit(&page(&format!("{number}"), number as i64, &body)).unwrap();
    }
    let mut table = Vec::new();
    export_blocks(&archive, &Selection::default(), &mut table, |_| {}).unwrap();
    let reader = SerializedFileReader::new(Bytes::from(table)).unwrap();
    let metadata = reader.metadata();
    assert_eq!(metadata.file_metadata().num_rows(), 40_000);
    assert_eq!(metadata.num_row_groups(), 2);
}
